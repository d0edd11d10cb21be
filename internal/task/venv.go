package task

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Activates reports whether a text is the activate script of a virtual
// environment, as Python's venv and virtualenv write it: all it does is to set
// PATH, VIRTUAL_ENV and the prompt, and to define deactivate. dir is the
// environment's directory, which the script must name.
func Activates(text, dir string) bool {
	if len(text) > 16<<10 || dir == "" || strings.ContainsFunc(text, func(c rune) bool { return c > 0x7e || c < ' ' && c != '\n' && c != '\t' }) || strings.ContainsAny(dir, "\"'$`\\\n") {
		return false
	}
	sum := sha256.Sum256([]byte(activation(text, dir)))
	return slices.Contains(activations[:], hex.EncodeToString(sum[:8]))
}

// activation is such a script without its comments, with the directory and the
// prompt replaced.
func activation(text, dir string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.Trim(line, " \t\n")
		if line == "" || line[0] == '#' {
			continue
		}
		b.WriteString(blanked(line, dir))
		b.WriteByte('\n')
	}
	return b.String()
}

// blanked is a line with "@" for the environment's directory or for its prompt.
func blanked(line, dir string) string {
	if strings.Contains(line, "VIRTUAL_ENV=") {
		for _, old := range [...]string{`"` + dir + `"`, "'" + dir + "'", dir} {
			if before, after, ok := strings.Cut(line, old); ok && (after == "" || after == ")") && (old != dir || isWord(strings.ReplaceAll(dir, "/", ""))) {
				return before + "@" + after
			}
		}
	}
	for _, at := range [...]struct {
		before, after string
		quoted        bool
	}{
		{`PS1="("`, `") ${PS1:-}"`, false},
		{`PS1=`, `"${PS1:-}"`, false},
		{`PS1="`, `${PS1:-}"`, true},
		{`PS1="`, `${PS1-}"`, true},
		{`VIRTUAL_ENV_PROMPT="`, `"`, true},
		{`VIRTUAL_ENV_PROMPT=`, "", false},
		{`if [ "x`, `" != x ] ; then`, true},
	} {
		rest, begins := strings.CutPrefix(line, at.before)
		prompt, ends := strings.CutSuffix(rest, at.after)
		if begins && ends && (at.quoted && isPrompt(prompt) || !at.quoted && isWord(prompt)) {
			return at.before + "@" + at.after
		}
	}
	return line
}

const wordLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

// isPrompt reports whether a text between double quotes is a name that a shell
// leaves alone.
func isPrompt(s string) bool { return s != "" && strings.Trim(s, wordLetters+"() ") == "" }

// isWord reports whether a text is one word that a shell leaves alone, or one
// between single quotes.
func isWord(s string) bool {
	if len(s) > 2 && s[0] == '\'' && s[len(s)-1] == '\'' {
		return isPrompt(s[1 : len(s)-1])
	}
	return s != "" && strings.Trim(s, wordLetters) == ""
}

// activations are the first eight bytes of the SHA-256 sums of what activation
// leaves of the scripts.
// Source: the templates of CPython's Lib/venv/scripts and of virtualenv's
// activation/bash.
var activations = [...]string{
	"5fa434e44b356310", // Python 3.6
	"ee66150e49d14d0c", // 3.7, 3.8
	"334924b7fbef7ce2", // 3.9
	"4f45d37f8277a1b2", // 3.10
	"312a3b54acfd48a2", // 3.11
	"f1c3277290a28143", // 3.11 of Debian, with quoted names
	"8fe4e499fabec7bc", // 3.12
	"b7c25b8505cdd269", // 3.13.0
	"d5ee97e4ea3bb5f7", // 3.12.8 and later, 3.13.1 and later: quoted names
	"3c133b1a9bd4a13c", // virtualenv 20.17
}

package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Program returns the path by which hooks start this program: that of a link
// in a directory of the PATH, which stays the same when the program is updated,
// else the program's own. It is an error if the program will not stay where it
// is, or has another name, by which its hooks could not be found again.
func Program(executable, path string) (string, error) {
	if real, err := filepath.EvalSymlinks(executable); err == nil {
		executable = real
	}
	own, err := os.Stat(executable)
	if err != nil {
		return "", err
	}
	for _, dir := range filepath.SplitList(path) {
		link := filepath.Join(dir, "bashgate")
		if info, err := os.Stat(link); err == nil && filepath.IsAbs(dir) && os.SameFile(info, own) {
			return link, nil
		}
	}
	switch {
	case strings.Contains(executable, "/go-build"):
		return "", errors.New("this program is gone when it ends: it was built to be run once\nhint: make install, or go install, and then bashgate install")
	case filepath.Base(executable) != "bashgate":
		return "", fmt.Errorf("hooks start a program called bashgate, and this one is called %s\nhint: rename it", filepath.Base(executable))
	}
	return executable, nil
}

// words are the words of the hook's command.
func (o *Options) words(a *Agent, event string) []string {
	words := []string{o.Program, "hook", a.Host}
	if event != "" {
		words = append(words, event)
	}
	if o.Unattended {
		words = append(words, "--unattended")
	}
	if o.Prompts {
		words = append(words, "--prompts")
	}
	return words
}

// orDeny stands behind the command where an agent has no word of its own for a
// hook that fails, and starts it by a shell: one that is not there or was killed
// ends with the status that denies, and the shell says why, for without a text
// Codex runs the tool. It means the same to sh, zsh, fish and cmd.exe.
const orDeny = " || exit 2"

// line writes words as a shell reads them.
func line(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quote(word)
	}
	return strings.Join(quoted, " ")
}

// quote writes a word as a shell reads it.
func quote(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%,"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Ours reports whether a command of somebody's settings is bashgate's hook: the
// program alone, or with the arguments that a hook has.
func Ours(command string) bool {
	words := split(command)
	if len(words) == 0 || filepath.Base(words[0]) != "bashgate" || strings.Contains(words[0], "=") {
		return false
	}
	for i := 1; i < len(words); i++ {
		switch {
		case words[i] == "--unattended", words[i] == "--prompts":
		case words[i] == "--host" && i+1 < len(words):
			i++
		case strings.HasPrefix(words[i], "--host="):
		case words[i] == "hook" && i == 1 && len(words) > 2:
			rest := slices.DeleteFunc(slices.Clone(words[2:]), func(w string) bool { return strings.HasPrefix(w, "-") })
			return len(rest) <= 2
		default:
			return false
		}
	}
	return true
}

// isAssignment reports whether a word sets a variable, for the command behind it.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" && (name[0] < '0' || name[0] > '9')
}

// split reads the words of a simple command without the variables before it, behind which orDeny may stand; nil if
// it is something else.
func split(command string) []string {
	command = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(command), orDeny))
	var words []string
	var word strings.Builder
	in, quoted := false, byte(0)
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case quoted != 0 && c == quoted:
			quoted = 0
		case quoted == '\'':
			word.WriteByte(c)
		case c == '\\' && i+1 < len(command):
			i++
			word.WriteByte(command[i])
			in = true
		case quoted != 0 && (c == '$' || c == '`'):
			return nil
		case quoted != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quoted, in = c, true
		case c == ' ' || c == '\t':
			if in {
				words = append(words, word.String())
			}
			word.Reset()
			in = false
		case strings.IndexByte("|&;<>()$`#\n", c) >= 0:
			return nil
		default:
			word.WriteByte(c)
			in = true
		}
	}
	if quoted != 0 {
		return nil
	}
	if in {
		words = append(words, word.String())
	}
	for len(words) > 0 && isAssignment(words[0]) {
		words = words[1:]
	}
	return words
}

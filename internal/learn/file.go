package learn

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// FileName is the rule file that answers are written to, in a directory of rules.
const FileName = "learned.toml"

// preamble stands at the start of a file of answers.
const preamble = `# Answers that became rules. bashgate allow and bashgate block add to this file,
# bashgate forget takes them out again, and so may you.
`

// Answer is one block of a file of answers: a rule with what it answered.
//
//	# git-push-x7k2 · 2026-11-02 · asked in ~/p: git push origin feature/x
//	[[programs]]
//	...
type Answer struct {
	ID   string
	Note string // what stands behind the id: "2026-11-02 · asked in ~/p: git push"

	from, to int // bytes of the file
}

// Head is the line above a rule: its id, when it was written, and in which
// directory which question had been asked. Of the texts only what can be shown
// stands there.
func Head(id string, at time.Time, dir, command string) string {
	return fmt.Sprintf("# %s · %s · asked in %s: %s\n", id, at.Format(time.DateOnly), shown(dir), shown(command))
}

// Answers lists the blocks of a file, in their order. A block ends where the next
// one begins.
func Answers(text []byte) []Answer {
	var list []Answer
	at := 0
	for line := range bytes.Lines(text) {
		id, note, ok := strings.Cut(strings.TrimPrefix(string(line), "# "), " · ")
		if ok && line[0] == '#' && isID(id) {
			if n := len(list); n > 0 {
				list[n-1].to = at
			}
			list = append(list, Answer{ID: id, Note: strings.TrimRight(note, "\r\n"), from: at, to: len(text)})
		}
		at += len(line)
	}
	return list
}

func isID(s string) bool {
	return strings.Contains(s, "-") && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// With is a file with one block more: a head, and the tables. What stands in it
// stays as it is, byte for byte. The error says where the file, or the block, is
// no rule file.
func With(name string, text []byte, head, tables string) ([]byte, error) {
	if _, err := compile(name, text, known()); err != nil {
		return nil, err
	}
	out := bytes.Clone(text)
	if len(out) == 0 {
		out = append(out, preamble...)
	}
	if out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	out = append(append(append(out, '\n'), head...), tables...)
	if _, err := compile(name, out, known()); err != nil {
		return nil, err
	}
	return out, nil
}

// Without is a file without an answer, nil where it holds none of the id.
func Without(text []byte, id string) []byte {
	for _, a := range Answers(text) {
		if a.ID == id {
			before := text[:a.from]
			if bytes.HasSuffix(before, []byte("\n\n")) {
				before = before[:len(before)-1] // the blank line that stood above it
			}
			rest := text[a.to:]
			if len(rest) > 0 {
				before = text[:a.from]
			}
			return append(bytes.Clone(before), rest...)
		}
	}
	return nil
}

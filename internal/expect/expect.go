// Package expect reads tables of commands with the decisions that they shall
// get, and says for programs how that went.
//
// A table is TOML,
//
//	[defaults]
//	mode = "acceptEdits"
//
//	[[test]]
//	command = "acme deploy --prod"
//	decision = "ask"
//	id = "user.acme.ask.deploy"
//
// or a line of JSON for each test with the same keys:
//
//	{"command": "acme deploy --prod", "decision": "ask"}
//
// Both are read strictly: what can't be a test is an error with its place, and
// a table with an error, or without a test, has no tests at all.
package expect

import (
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// Test is one command and what shall be decided about it. What a table does
// not say is "".
type Test struct {
	File string
	At   ruleset.Span // the header; of a line of JSON, the line

	Command    string
	Cwd        string // absolute, ~/..., or relative to where the table belongs
	Workspace  string // likewise
	Mode       string // the agent's permission mode
	Shell      string
	Profile    string
	Unattended bool // nobody can be asked
	Decision   policy.Decision
	ID         string // of a reason for the decision; "" = any
	Note       string // why, for whoever reads that it failed
}

// Extensions are those of files that hold tables.
func Extensions() []string { return []string{".toml", ".jsonl"} }

// modes are the permission modes that a test may name. Any other is a question
// to the engine, and here a mistake.
func Modes() []string {
	return []string{"default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"}
}

func Shells() []string { return append(policy.Shells(), "unknown") }

// Load reads a table; the ending of its name says in which form. The error is
// of type ruleset.Errors.
func Load(name string, text []byte) ([]Test, error) {
	l := loader{name: name, lines: strings.Split(strings.TrimPrefix(string(text), "\ufeff"), "\n")}
	if filepath.Ext(name) == ".toml" {
		l.toml(text)
	} else {
		l.json()
	}
	if len(l.errs) == 0 && len(l.tests) == 0 {
		l.errorf(ruleset.Span{}, `write [[test]] with command = "git push" and decision = "ask"`, "no tests in the file")
	}
	if len(l.errs) > 0 {
		sort.SliceStable(l.errs, func(i, k int) bool { return l.errs[i].At.Before(l.errs[k].At) })
		return nil, l.errs
	}
	return l.tests, nil
}

type loader struct {
	name  string
	lines []string
	tests []Test
	errs  ruleset.Errors
}

func (l *loader) errorf(at ruleset.Span, hint, format string, args ...any) {
	line := ""
	if at.Line > 0 {
		line = l.lines[at.Line-1]
	}
	l.errs = append(l.errs, &ruleset.Error{File: l.name, At: at, Msg: fmt.Sprintf(format, args...), Hint: hint, Line: line})
}

// word checks that a value is one of those that there are.
func (l *loader) word(at ruleset.Span, key, value string, words []string) {
	if value != "" && !slices.Contains(words, value) {
		l.errorf(at, "one of "+strings.Join(words, ", "), "%q is no %s", value, key)
	}
}

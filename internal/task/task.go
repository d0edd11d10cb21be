package task

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Query is one call of a runner.
type Query struct {
	Files policy.Files
	Cache *Cache            // of the request; nil: nothing is kept
	Call  *match.Invocation // how the runner was called
	Dir   string            // where it works: absolute, without symbolic links
	Home  string            // "" where it is not known
	Env   []policy.Assign   // variables that the line sets for it

	// Inside reports whether a file lies in the workspace. Nil stands for yes.
	Inside func(path string) bool
}

// Answer is what a name stands for. The zero value says that there is no task
// file, and so nothing to say.
type Answer struct {
	File     string // where the name was looked up, absolute; "": nowhere
	Steps    []Step // in the order in which they run
	Problems []Problem

	// Replaces says that the steps stand in the place of the command that the
	// line itself seems to name: npx finds a program by its package.
	Replaces bool

	// Covered names options whose files were read: make's -f.
	Covered []string
}

// Known reports whether the steps are all there is.
func (a *Answer) Known() bool { return a.File != "" && len(a.Problems) == 0 }

// Step is one text that runs, or one command.
type Step struct {
	Name string // what people call it: "lint"
	File string // absolute
	Line int    // counted from 1; 0: the file as a whole; of several that are alike the first

	Text  string        // the text, in the shell's language
	Shell string        // the program that reads Text: "bash", SameShell, ...; "" = sh
	Words []policy.Word // instead of Text: a command's words
	Tail  []policy.Word // words that the runner appends to Text, each quoted
	Args  []policy.Word // $0, $1, ...; nil: none but $0

	Dir  string          // absolute
	Env  []policy.Assign // what the task file sets for it
	Vars []policy.Assign // what the runner sets besides: known to the text, harmless to programs

	Bin   []string // directories, absolute, where programs are looked for before PATH: node_modules/.bin
	Tools []string // programs that the project declares, whether they are installed or not
}

// SameShell is the Shell of a text that the shell of the line itself reads.
const SameShell = "."

// Problem is something about a task that can't be known.
type Problem struct {
	File    string // absolute; "" where no file is to blame
	Line    int    // counted from 1; 0: the file as a whole
	Text    string // a phrase that begins with a capital letter
	Missing bool   // there is no such task
}

// Runner reads the task files of one program, or of several alike.
type Runner struct {
	Name string // as rule files have it
	find func(*search)
}

// Runners is every runner that a rule may name.
var Runners = [...]Runner{
	{"npm", npm},
	{"bin", bin},
	{"mise", mise},
	{"make", mak},
	{"just", just},
	{"task", taskfile},
	{"deno", deno},
	{"composer", composer},
	{"poe", poe},
	{"pdm", pdm},
	{"hatch", hatch},
	{"uv", uv},
	{"cargo", cargo},
	{"git", git},
	{"shell", script},
}

// Find asks a runner what a call stands for.
func Find(runner string, q Query) Answer {
	for i := range Runners {
		if Runners[i].Name == runner {
			if q.Cache == nil {
				q.Cache = new(Cache)
			}
			s := search{Query: q}
			Runners[i].find(&s)
			return s.Answer
		}
	}
	return Answer{File: "?", Problems: []Problem{{Text: "No reader for tasks of " + policy.Quote(runner)}}}
}

// search is a query on its way to its answer.
type search struct {
	Query
	Answer
	stepped map[string]bool // the keys of the steps
	open    []string        // the names whose texts are being added
}

// once adds what a name stands for, where that is not being added already: a
// circle ends there.
func (s *search) once(key, file string, line int, add func()) {
	if slices.Contains(s.open, key) {
		return
	}
	if len(s.open) > maxUp || len(s.Steps) >= maxSteps {
		s.problem(file, line, "Tasks lead to each other too deeply")
		return
	}
	s.open = append(s.open, key)
	add()
	s.open = s.open[:len(s.open)-1]
}

// Key tells steps apart. Two with the same words, directory and variables are
// judged alike.
func (st *Step) Key() string {
	var b strings.Builder
	for _, s := range [...]string{st.Text, st.Dir, st.Shell, st.Name, st.File} {
		b.WriteString(s)
		b.WriteByte(0)
	}
	for _, list := range [...][]policy.Word{st.Words, st.Tail, st.Args} {
		for _, w := range list {
			b.WriteString(w.String())
			b.WriteByte(1)
		}
		b.WriteByte(0)
	}
	for _, list := range [...][]policy.Assign{st.Env, st.Vars} {
		for _, a := range list {
			b.WriteString(a.Name + "=" + a.Value.String())
			b.WriteByte(1)
		}
		b.WriteByte(0)
	}
	return b.String()
}

// maxSteps bounds what one name may stand for.
const maxSteps = 200

// step adds a text or a command, once.
func (s *search) step(st Step) {
	key := st.Key()
	if s.stepped[key] {
		return
	}
	if s.stepped == nil {
		s.stepped = make(map[string]bool)
	}
	s.stepped[key] = true
	if len(s.Steps) == maxSteps {
		s.problem(st.File, st.Line, "Runs more than %d texts", maxSteps)
	}
	if len(s.Steps) <= maxSteps {
		s.Steps = append(s.Steps, st)
	}
}

// made adds a text that a reader has put together.
func (s *search) made(st Step, text policy.Word) {
	st.Text = rendered(text)
	if isOpen(text) {
		s.problem(st.File, st.Line, "Puts together a text that is not known: %s", policy.Quote(st.Text))
	}
	s.step(st)
}

// problem adds something that can't be known. A few are enough.
func (s *search) problem(file string, line int, format string, args ...any) {
	if len(s.Problems) < 8 {
		s.Problems = append(s.Problems, Problem{File: file, Line: line, Text: fmt.Sprintf(format, args...)})
	}
}

// unfollowed adds the keys of a table that no reader knows.
func (s *search) unfollowed(file, what string, t *node, known ...string) {
	for _, key := range t.names() {
		if !slices.Contains(known, key) {
			s.problem(file, t.lineOf(key), "%s has %s, which is not followed", what, policy.Quote(key))
		}
	}
}

// missing says that a file that exists has no such task.
func (s *search) missing(file, format string, args ...any) {
	s.problem(file, 0, format, args...)
	s.Problems[len(s.Problems)-1].Missing = true
}

// name returns the ith operand where it is a constant word that names a task.
// Otherwise it adds a problem, but for an operand that is not there.
func (s *search) name(i int) (string, bool) {
	if i >= len(s.Call.Operands) {
		return "", false
	}
	name, ok := s.Call.Operands[i].Const()
	if !ok {
		s.problem(s.File, 0, "Runs a task whose name is not known: %s", s.Call.Operands[i])
	}
	return name, ok && name != ""
}

// option returns the value of the last occurrence of an option.
func (s *search) option(spelling string) (policy.Word, bool) {
	for i := len(s.Call.Options) - 1; i >= 0; i-- {
		if o := &s.Call.Options[i]; o.Is(spelling) {
			return o.Value, !o.Off
		}
	}
	return policy.Word{}, false
}

// options returns the values of all occurrences of an option. It reports
// false if one of them is not known.
func (s *search) options(spelling string) (values []string, known bool) {
	known = true
	for i := range s.Call.Options {
		if o := &s.Call.Options[i]; o.Is(spelling) && !o.Off {
			text, ok := o.Value.Const()
			known = known && ok
			values = append(values, text)
		}
	}
	return values, known
}

// set reports whether an option is given.
func (s *search) set(spelling string) bool {
	_, ok := s.option(spelling)
	return ok
}

// env is the value that the line gives to a variable of the runner.
func (s *search) env(name string) (value policy.Word, ok bool) {
	for i := len(s.Env) - 1; i >= 0; i-- {
		if s.Env[i].Name == name {
			return s.Env[i].Value, true
		}
	}
	return policy.Word{}, false
}

package code

import (
	"strconv"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Text is a program that a reader is asked about.
type Text struct {
	Code  string
	File  string // in which it stands; empty: the line's own
	Facts *Facts
	Home  string   // of who runs it; "" is not known
	Dir   string   // in which it runs; "" is not known
	Bare  bool     // it is given no arguments but options
	Words []string // of the line, which it may have as arguments
	Paths []string // the directories in which its imports look first; none is not known
	// Find tells whose a module is that stands where the text's imports look
	// first, by its full name: "json" of json.py, "a.b" of a/b.py; what stands in no
	// file below the first name is the first's. The text has added further directories
	// in which they look. Nil: nothing stands there.
	Find func(name string, in []policy.Word) Origin
	// Config tells whose the files of some names are that configure what runs the
	// text, where it runs, and above that too. Installed: none is there. Nil: nobody
	// has looked.
	Config func(above bool, names ...string) Origin
	// Follow tells what an absolute path leads to, where links are followed. Nil:
	// nobody has looked.
	Follow func(path string) string
}

// Origin says whose a module is.
type Origin uint8

// The origins.
const (
	Installed Origin = iota // the language's own, or a package that is installed
	Local                   // code of the project
	Strange                 // it may be anybody's
)

// Report is what a text does.
type Report struct {
	Effects []Effect
	Asks    []Question
	Runs    []Load // code that is not the text's own
	// Guesses are what the text may mean by a word of a command that it starts, of which
	// nothing is known: read where that command reads such a word.
	Guesses []Effect
	// Doubts are about words of commands, of which nothing is known, that the text computes:
	// they are asked where the command reads such a word.
	Doubts []Question

	seen map[string]bool
}

// Effect is something that a text means outside of itself.
type Effect struct {
	match.Use
	In    *policy.Word // the directory in which it happens; nil: the text's
	Line  int          // of the text, from 1
	Route bool         // the word is a page of a web application, unless such a file is there
}

// Question is what a person decides about a text as a whole.
type Question struct {
	Ask
	Line int
}

// Load is a module that a text loads, and that nobody has described.
type Load struct {
	Name string
	Line int
}

// Use notes an effect, once.
func (r *Report) Use(e Effect) {
	key := "u" + strconv.Itoa(int(e.Kind)) + e.Lang + "\x00" + keyOf(&e.Word)
	for i := range e.Words {
		key += "\x01" + keyOf(&e.Words[i])
	}
	if e.In != nil {
		key += "\x02" + keyOf(e.In)
	}
	if e.Route {
		key += "\x04"
	}
	if r.first(key) {
		r.Effects = append(r.Effects, e)
	}
}

// keyOf is what tells words apart: as they are written, and what is known of the holes.
func keyOf(w *policy.Word) string {
	key := w.String()
	for _, p := range w.Parts {
		if p.Match != "" || p.Shape != policy.ShapeAny {
			key += "\x03" + p.Match + "\x03" + strconv.Itoa(int(p.Shape))
		}
	}
	return key
}

// Question notes a question, once.
func (r *Report) Question(a Ask, line int) {
	if r.first("q" + a.ID + "\x00" + a.Reason) {
		r.Asks = append(r.Asks, Question{a, line})
	}
}

// Load notes a module, once.
func (r *Report) Load(name string, line int) {
	if r.first("l" + name) {
		r.Runs = append(r.Runs, Load{name, line})
	}
}

func (r *Report) first(key string) bool {
	if r.seen[key] {
		return false
	}
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	r.seen[key] = true
	return true
}

// Package learn turns a question into rules that would have answered it: the
// smallest ones that can be written, from narrow to wide, each judged before it
// is shown. A proposal never loosens a block, never says that a program is fine
// whatever it does, and is never made of words that are not known.
package learn

import (
	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/interp"
)

// Judge decides about a request with further rules of the user's.
type Judge func(r engine.Request, more ...*interp.Rules) engine.Verdict

// Proposal is a rule file's text that answers a question.
type Proposal struct {
	ID      string // "git-push-x7k2": of its programs and its text
	Summary string // in words: "git push to origin, branches feature/*"
	Text    string // the tables as TOML, with a comment and examples that hold
	Program string // the program that it is about; "" where it is about a place, a machine or a variable
	Rules   *interp.Rules

	Stops string // the nearest dangerous command that still asks or is blocked; "" = none was found
}

// Refusal says why there is no rule that answers a question.
type Refusal struct {
	Why  string
	Hint string
}

func (r *Refusal) Error() string { return r.Why }

package engine

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// Reason is one opinion of one command. It says what a rule or the engine
// thinks, whatever comes of it: what drops it is a record beside it.
type Reason struct {
	ID       string // stable: "git.push-force", "redirect.write"; those of the engine are in the Catalogue
	Decision policy.Decision
	File     string // "rules/git.toml"; "" for the engine's own
	Line     int    // counted from 1; 0 for the engine's own
	Pos      policy.Pos
	Effects  policy.Effects
	Reach    policy.Reach

	Irreversible  bool // what it is about can't be undone
	Unrecoverable bool // and nothing here can make again what it destroys: permission mode auto blocks it
	AcceptEdits   bool // permission mode acceptEdits drops it: it is about edits of the workspace

	Hint string // what would change the answer; may be ""
	Lift *Lift  // what drops it; nil: it counts

	about   string          // the path, variable or machine that it is about: "write build/log"; "": the command
	text    string          // what the rule says
	source  string          // the text it is about, where that is no command
	command *policy.Command // the judged simple command, or nil

	settings string // the entry of the agent's settings that allows an ordinary write; "" for none
	layer    layer
	class    class
	beneath  bool // asked because what stood above it was lifted: it adds no facts
	byPlace  bool // it asks only because ordinary files change
	scratch  bool // it is about writes that are all harmless where they go
	implied  bool // a rule that asks says it too, in better words
	fixed    bool // no override makes the block a question
	known    bool // it hangs on a task, whose texts were all judged
}

// Lift is why a reason does not count.
type Lift struct {
	By   string // who: a rule's id, "mode.acceptEdits", "settings.allow", "profile.denylist"
	Text string // in words: "scratch directory"
	File string // where a rule says so; "" for the engine's own
	Line int
	To   policy.Decision // what is left of it: Allow, or Ask where a block was overridden
}

// Counts is what a reason adds to a decision: what it says, or what is left of
// that where it is lifted.
func (r *Reason) Counts() policy.Decision {
	if r.Lift != nil {
		return r.Lift.To
	}
	return r.Decision
}

// gravity is how bad it is to overlook a reason among those that count alike.
func (r *Reason) gravity() int {
	switch {
	case r.Unrecoverable:
		return 4
	case r.Irreversible, r.Effects&(policy.Secret|policy.Network) == policy.Secret|policy.Network: // what was sent is known
		return 3
	case r.Effects&graveEffects != 0:
		return 2
	case r.Effects&policy.Deletes != 0, r.Effects&(policy.Network|policy.Executes) == policy.Network|policy.Executes: // runs what others wrote
		return 1
	}
	return 0
}

// layer says whose an opinion is. Who stands later may lift what the earlier
// ones ask.
type layer uint8

const (
	builtIn layer = iota // the built-in rules, and the engine itself
	ofProfile
	ofPack
	ofProject
	ofUser
	ofManaged
)

// class says what an opinion is about, where that decides what may lift it.
type class uint8

const (
	aboutWord     class = iota // a word's meaning, or the command as a whole
	aboutUse                   // a rule's opinion of a use, or that none has one
	aboutVariable              // a variable that is set
	aboutSettings              // the agent's own settings
	aboutInput                 // what other commands of the text send it
)

// NewReason makes a reason that no rule gave: what a session has seen, what a
// reviewer said. It is about a text.
func NewReason(id string, d policy.Decision, text, about string) Reason {
	return Reason{ID: id, Decision: d, text: text, source: policy.Clip(about, maxShown)}
}

// About is the file that the reason is about with what happens to it, "write
// build/log", "read .env"; "" where it is about something else.
func (r *Reason) About() string { return r.about }

// OfPlace reports whether it asks only because ordinary files change, so that
// [[paths]] of a user which allow the places answer it.
func (r *Reason) OfPlace() bool {
	return r.byPlace || r.AcceptEdits || r.ID == "path.write" || r.ID == "path.delete" || r.ID == "redirect.write"
}

// Text is the reason as a person reads it, with the wrappers and the program
// it is about: "sudo: Installs packages (apt)".
func (r *Reason) Text() string {
	if r.command == nil || r.text == "" {
		return r.text
	}
	text := r.text
	if name := programName(r.command); name != "" && !strings.Contains(strings.ToLower(text), strings.ToLower(name)) {
		text += " (" + name + ")"
	}
	if via := r.command.Via; len(via) > 0 {
		text = strings.Join(via, ": ") + ": " + text
	}
	return text
}

// Command is the judged simple command, re-quoted, or the text that could not
// be read.
func (r *Reason) Command() string { return commandText(r.command, r.source) }

// SameCommand reports whether two reasons are about one simple command, or about
// the same text: Command says the same for both.
func (r *Reason) SameCommand(other *Reason) bool {
	return r.command == other.command && (r.command != nil || r.source == other.source)
}

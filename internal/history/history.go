// Package history reads what was run before: the sessions that agents keep,
// the histories of shells, plain lists, and bashgate's own decision log. It
// decides nothing, and what it reads is only ever judged, never run.
//
// Files are read once, from their beginning, without being held: what is not a
// history, cut off, too long or binary is left out, counted, and told with a
// reason.
package history

import (
	"time"

	"github.com/bashgate/bashgate/policy"
)

// Command is one command line that somebody ran, or wanted to.
type Command struct {
	Text      string
	Time      time.Time // zero: not known
	Host      string    // the agent's name as package host has it, or "bash", "zsh", "fish", "list"
	Session   string    // "" = not known
	Cwd       string    // absolute; "" = not known
	Workspace string    // where the session began; "" = not known, or Cwd
	Mode      string    // the permission mode, in the engine's words; "" = not known
	Shell     string    // "bash", "sh", "zsh"; "" = not known

	Outcome  Outcome
	Decision policy.Decision // of the decision log's lines; Skip = not known
	Rules    []string        // likewise: the ids of the reasons
	Masked   bool            // the text is not the one that ran: secrets are taken out
}

// Outcome is what became of a command.
type Outcome uint8

// The outcomes.
const (
	Unknown Outcome = iota
	Ran             // it ran, whether or not it succeeded
	Refused         // a person, a hook or the agent's rules said no
)

// Source is one file that holds commands.
type Source struct {
	Path string // absolute
	Kind string // "claude", "codex", "gemini", "qwen", "opencode", "pi", "bash", "zsh", "fish", "list", "bashgate"
	Size int64  // in bytes
}

// Skipped is something that was left out of a source.
type Skipped struct {
	Path  string
	Line  int    // the first one, counted from 1; 0 = the whole file
	Why   string // "cut off in the middle of a record"
	Count int    // how many for the same reason, at least 1
}

package engine

import "github.com/bashgate/bashgate/internal/policy"

// Request is one command line to judge, with what is known of the session.
// Only Command is required.
type Request struct {
	Command   string
	Cwd       string // absolute; "" = Workspace
	Workspace string // absolute; "" = Cwd
	Home      string // absolute; "" = not known
	Mode      string // the host's permission mode; "" and unknown ones are "default"
	Shell     string // "bash", "sh", "zsh" or "" (may be any)
	Host      string // "claude", ...; "" for the command line
	Session   string
	Attended  bool // a person can be asked

	Profile        string // "" = "default"
	Packs          []string
	DeniedCommands []string // names that the denylist profile blocks too
	AllowedDirs    []string // replaces the denylist profile's directories

	AdditionalDirs []string // further directories that count as the workspace (acceptEdits)
	ScratchDirs    []string // harmless to write
}

// Verdict is the answer to a Request.
type Verdict struct {
	Decision policy.Decision // Allow, Ask or Block; never Skip
	Human    bool            // an ask that nothing but a person lifts
	Reason   string          // the first reason of the strictest decision; "" for Allow
	Reach    policy.Reach
	Effects  policy.Effects
	Reasons  []Reason // all of them, strictest first, then by position
	Tree     []Node   // what was seen, in source order
}

// Reason is one rule's opinion of one command.
type Reason struct {
	ID       string // stable: "git.push-force", "redirect.write"
	Decision policy.Decision
	Text     string
	File     string // "rules/git.toml"; "" for the engine's own
	Line     int    // counted from 1; 0 for the engine's own
	Command  string // the judged simple command, re-quoted
	Pos      policy.Pos
	Effects  policy.Effects
	Reach    policy.Reach
	Hint     string // what would change the answer; may be ""

	Irreversible bool
	AcceptEdits  bool
}

// Node is one simple command of the line (or a text that could not be read)
// with what was decided about it, and the commands it runs.
type Node struct {
	Command  string // re-quoted
	Via      []string
	Dir      string // where it runs; "" = not known
	Decision policy.Decision
	Reach    policy.Reach
	Effects  policy.Effects
	Reasons  []Reason // its own, without its children's
	Children []Node
	Pos      policy.Pos
}

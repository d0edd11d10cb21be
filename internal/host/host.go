// Package host speaks with coding agents: it reads what an agent hands to its
// hook and writes the answer in the agent's own form. Each agent has one file
// and one row in the table; nothing here decides about a command.
package host

import (
	"fmt"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/policy"
)

// Host is one agent program.
type Host struct {
	Name  string // "claude", as --host takes it
	Title string // "Claude Code"

	// Detect reports whether the input comes from this agent.
	Detect func(Input) bool
	// Read understands the input. An error means that it can't be known what
	// is asked; the answer to it must be at least Ask.
	Read func(Input) (Question, error)
	// Answer writes a decision; Skip is "no opinion". The reason is one line
	// for a person and for the model.
	Answer func(d policy.Decision, reason string) []byte
}

// Input is what the agent's hook process is given.
type Input struct {
	Data   []byte // standard input, all of it
	Getenv func(string) string
	Dir    string // the process's working directory
}

// Question is what the agent wants to know.
type Question struct {
	Request engine.Request
	None    bool // nothing that is decided here: another tool, another event
}

// hosts lists the agents in the order in which they are tried.
var hosts = [...]Host{
	claude,
}

// Detect returns the agent that the input comes from. What no agent claims is
// read as Claude Code's, whose form most others have taken over.
func Detect(in Input) *Host {
	for i := range hosts {
		if hosts[i].Detect(in) {
			return &hosts[i]
		}
	}
	return &hosts[0]
}

// Named returns the agent with that name. The error lists the names.
func Named(name string) (*Host, error) {
	names := make([]string, len(hosts))
	for i := range hosts {
		if hosts[i].Name == name {
			return &hosts[i], nil
		}
		names[i] = hosts[i].Name
	}
	return nil, fmt.Errorf("unknown host %q; known: %s", name, strings.Join(names, ", "))
}

// ShellName returns the engine's name for a shell that is named or whose
// program's path is given: "bash", "sh", "zsh", or "" if it may be any.
func ShellName(path string) string {
	switch name := path[strings.LastIndexByte(path, '/')+1:]; name {
	case "bash", "sh", "zsh":
		return name
	}
	return ""
}

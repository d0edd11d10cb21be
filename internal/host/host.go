// Package host speaks with coding agents: it reads what an agent hands to its
// hook and writes the answer in the agent's own form. Each agent has one file
// and one row in the table; nothing here decides about a command.
package host

import (
	"fmt"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/policy"
	"github.com/bashgate/bashgate/internal/wire"
)

// Host is one agent program.
type Host struct {
	Name  string // "claude", as --host takes it
	Title string // "Claude Code"

	// Detect reports whether the input comes from this agent.
	Detect func(Input) bool
	// Events are the agent's own names of events, for both directions. Others
	// that the agent has mean nothing here.
	Events []EventName
	// Read understands the input. An error means that it can't be known what
	// is asked; the answer to it must be at least Ask, and Block where one of
	// Salvage's texts is blocked. The question says no more than the event
	// then, if that is known, and what the process itself tells of the request.
	Read func(Input) (Question, error)
	// Answer writes a decision; Skip is "no opinion". The reason is one line
	// for a person and for the model.
	Answer func(d policy.Decision, reason string) []byte
}

// EventName is an agent's own name of an event.
type EventName struct {
	Event Event
	Name  string
}

// EventName returns the agent's own name of an event, or "".
func (h *Host) EventName(e Event) string {
	for _, n := range h.Events {
		if n.Event == e {
			return n.Name
		}
	}
	return ""
}

// EventNamed returns the event that an agent calls so, or None.
func (h *Host) EventNamed(name string) Event { return eventNamed(h.Events, name) }

func eventNamed(events []EventName, name string) Event {
	for _, n := range events {
		if n.Name == name {
			return n.Event
		}
	}
	return None
}

// Input is what the agent's hook process is given.
type Input struct {
	Data   []byte // standard input, all of it
	Getenv func(string) string
	Dir    string // the process's working directory
}

// object reads an input that is one JSON object.
func object(in Input) (wire.Object, error) {
	document, err := wire.Parse(in.Data)
	if err != nil {
		return nil, err
	}
	return document.Object()
}

// Salvage lists the texts in an input that can't be understood which may be the
// command. All agents keep it below one of these keys.
func Salvage(in Input) []string { return wire.Salvage(in.Data, "tool_input", "command") }

// Event is what happens in an agent's session.
type Event uint8

// The events. The zero value is one that means nothing here.
const (
	None             Event = iota
	BeforeToolUse          // the agent is about to use a tool, and waits for the answer
	AfterToolUse           // a tool has run
	AfterToolFailure       // a tool has run and failed; it may have shown something
	ToolDenied             // a tool was not run after all
	PromptSubmit           // a person has said something
	SessionStart           // a session begins or goes on
	SessionEnd             // it ends
	SubagentStop           // a subagent has done its work
)

var eventNames = [...]string{
	"", "before_tool_use", "after_tool_use", "after_tool_failure", "tool_denied",
	"prompt_submit", "session_start", "session_end", "subagent_stop",
}

// String returns the event's name for every agent: "before_tool_use".
func (e Event) String() string { return eventNames[e] }

// Question is one event. Only BeforeToolUse is answered.
type Question struct {
	Event   Event
	Request engine.Request // where it happens; Command is the shell's, if Shell is true
	Shell   bool           // the tool is the agent's shell
	Aside   bool           // the agent does not wait for the tool: what it runs may be changed meanwhile
	Tool    engine.Tool    // the tool that is used, the shell too
	Use     string         // the agent's id of the tool's use; "" where it has none
	Agent   string         // the subagent's id; "" for the session's own agent
	Source  string         // SessionStart: "startup", "resume", "clear", "compact", "fork"
	Prompt  string         // PromptSubmit: what the person said

	Transcript string // the file in which the agent writes the session down; "" where it does not say
	PromptID   string // what the person has said last, in the transcript; "" where the agent has no name for it
}

// hosts lists the agents in the order in which they are tried.
var hosts = [...]Host{
	claude,
	gemini,
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
// program's path is given: "bash", "zsh", "sh" for those that keep to POSIX, or ""
// if it may be any.
func ShellName(path string) string {
	switch name := path[strings.LastIndexByte(path, '/')+1:]; name {
	case "bash", "sh", "zsh":
		return name
	case "dash", "ash", "busybox", "ksh", "mksh", "yash", "posh":
		return "sh"
	}
	return ""
}

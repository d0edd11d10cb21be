// Package host speaks with coding agents: it reads what an agent hands to its
// hook and writes the answer in the agent's own form. Each agent has one file
// and one row in the table; nothing here decides about a command.
package host

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/policy"
)

// Host is one agent program: how its payloads are laid out, and how it is
// answered. What is not said of it is its zero value: a name that is not
// there, a question that it asks its user.
type Host struct {
	Name  string // "claude", as hook takes it
	Title string // "Claude Code"

	// Events are the agent's own names of events, for both directions.
	Events []EventName
	// Ignored are its events that mean nothing here. Any other name is one
	// that is not understood.
	Ignored []string

	// Asking is what becomes of a question.
	Asking Asking
	// Unheard are events in which the agent does not hear a question, though it
	// does in others: there it is a denial.
	Unheard []string
	// Heedless agents run a tool about which the hook says nothing, without a
	// question of their own: nothing that is asked can be left to them.
	Heedless bool
	// Approves says that an allow is given where the agent is about to ask its
	// user (PermissionAsk), and not before: there it would not be heard.
	Approves bool
	// Beside says that the agent's dialog is open while the hook for PermissionAsk
	// runs: whoever answers first, there or by the hook, settles it.
	Beside bool
	// AtFailure is what the agent does where the hook crashes, is late, or
	// writes what it does not understand: it runs the tool, unless Closed
	// says what makes it deny.
	Closed string
	// Limit is how long the agent waits for a hook for which its settings say
	// nothing; 0 where nobody tells.
	Limit time.Duration
	// Docs is the page of the vendor, "" where there is none.
	Docs string

	// claims reports whether a payload certainly comes from this agent. The
	// payload goes before the environment, which an agent inherits that
	// another one has started.
	claims func(*Host, Payload) bool
	// process is what the hook's own process tells of where something happens.
	process func(Input) engine.Request
	keys    keys
	encoded bool // what a tool is given may be a text that holds JSON
	// wrap makes a payload that has keys of one that has none; nil = they all
	// have.
	wrap func(Payload) Payload
	// named returns the name that rules have for a tool which the agent calls so;
	// nil = the same.
	named func(string) string
	// unnamed is the event of a payload that does not name it, "" if that
	// can't be known; nil = it never can.
	unnamed func(Payload) string
	modes   []modeName
	// endTold reports whether the agent tells of the end of every use of a tool,
	// under the same id, if it is set up as documented; nil = of none.
	endTold func(tool string) bool
	// amend reads what keys can't say, after all else. An error means that it
	// can't be known what is asked.
	amend func(*Question, Payload) error
	// answer writes a decision about an event; Skip is "no opinion". Ask comes
	// only to those whose Asking says so, and a reason is never empty.
	answer func(*Question, policy.Decision, string) Answer
	// fail is the answer that denies when nothing is known but a text; nil =
	// exit status 2 with the text on standard error.
	fail func(string) Answer
}

// Asking is what becomes of a question that the hook has.
type Asking uint8

// The ways. An agent that would run the tool at the word "ask" is never told it.
const (
	Asks     Asking = iota // the agent asks its user
	Refuses                // nobody can be asked through it: the tool is denied
	Silences               // it may ask by itself where the hook says nothing; denied, unless its user says that it does
)

// EventName is an agent's own name of an event.
type EventName struct {
	Event Event
	Name  string
	Tool  string // of an event that is about one tool, whose payload does not name it
}

// EventName returns the agent's own name of an event, or "". Of several it is
// the first.
func (h *Host) EventName(e Event) string {
	for i := range h.Events {
		if h.Events[i].Event == e {
			return h.Events[i].Name
		}
	}
	return ""
}

// EventNamed returns the event that an agent calls so, or None.
func (h *Host) EventNamed(name string) Event {
	if n := h.event(name); n != nil {
		return n.Event
	}
	return None
}

func (h *Host) event(name string) *EventName {
	for i := range h.Events {
		if h.Events[i].Name == name {
			return &h.Events[i]
		}
	}
	return nil
}

// knows reports whether a payload names an event of the agent.
func (h *Host) knows(p Payload) bool {
	name, err := p.text(h.keys.event)
	return err == nil && (h.event(name) != nil || slices.Contains(h.Ignored, name))
}

// Answer is what the hook's process leaves behind.
type Answer struct {
	Stdout, Stderr []byte
	Exit           int
}

// Answer writes a decision about a question in the agent's own form; Skip is "no
// opinion". The reason is one line for a person and for the model. Of a question
// that was not understood the event is enough, and its name if that is known.
func (h *Host) Answer(q *Question, d policy.Decision, reason string) Answer {
	if reason == "" { // some agents run what is denied without a reason
		reason = "bashgate: no reason is known"
	}
	switch {
	case d != policy.Ask:
	case q.Event == PermissionAsk: // the agent asks
		d = policy.Skip
	case h.Asking == Refuses, !h.Hears(q.Name):
		d = policy.Block
	case h.Asking == Silences:
		d = policy.Skip
	}
	return h.answer(q, d, reason)
}

// Hears reports whether a question would be heard in an event of that name, as
// far as that hangs on the event.
func (h *Host) Hears(name string) bool {
	return h.Unheard == nil || h.event(name) != nil && !slices.Contains(h.Unheard, name)
}

// Fail is the answer that denies whatever was asked, for when no decision can be
// made. A nil host is one that is not known.
func (h *Host) Fail(reason string) Answer {
	if h != nil && h.fail != nil {
		return h.fail(reason)
	}
	return denied(reason)
}

// denied ends with exit status 2 and a text on standard error, the one answer
// that denies wherever an agent looks at the status.
func denied(reason string) Answer {
	return Answer{Stderr: []byte(reason + "\n"), Exit: 2}
}

// Event is what happens in an agent's session.
type Event uint8

// The events. The zero value is one that means nothing here.
const (
	None             Event = iota
	BeforeToolUse          // the agent is about to use a tool, and waits for the answer
	PermissionAsk          // the agent is about to ask its user whether it may use a tool
	AfterToolUse           // a tool has run
	AfterToolFailure       // a tool has run and failed; it may have shown something
	ToolDenied             // a tool was not run after all
	PromptSubmit           // a person has said something
	SessionStart           // a session begins or goes on
	SessionEnd             // it ends
	SubagentStop           // a subagent has done its work
	Compact                // the agent is about to shorten what it remembers
	ConfigChange           // the agent's settings have changed, and it asks whether they shall hold
)

var eventNames = [...]string{
	"", "before_tool_use", "permission_ask", "after_tool_use", "after_tool_failure", "tool_denied",
	"prompt_submit", "session_start", "session_end", "subagent_stop", "compact", "config_change",
}

// String returns the event's name for every agent: "before_tool_use".
func (e Event) String() string { return eventNames[e] }

// Waits reports whether the agent waits for an answer.
func (e Event) Waits() bool { return e == BeforeToolUse || e == PermissionAsk || e == ConfigChange }

// Question is one event.
type Question struct {
	Event   Event
	Name    string         // the agent's own name of it; "" = not known
	Request engine.Request // where it happens; Command is the shell's, if Shell is true
	Shell   bool           // the tool is the agent's shell
	Aside   bool           // the agent does not wait for the tool: what it runs may be changed meanwhile
	Tool    engine.Tool    // the tool that is used, the shell too
	Input   []byte         // what the tool is given, as the agent wrote it: JSON; nil = not known, or of the shell nothing but the command
	Options []string       // of the shell what it is given beside the command and changes how that runs: `sandbox=false`, the value as JSON, sorted
	Use     string         // the agent's id of the tool's use; "" where it has none
	EndTold bool           // a hook that is set up as documented hears of the end of this use, run or refused
	Agent   string         // the subagent's id; "" for the session's own agent
	Source  string         // SessionStart: "startup", "resume", "clear", "compact", "fork"; ConfigChange: whose settings
	Prompt  string         // PromptSubmit: what the person said

	// Vars are the names of the variables that Request.Getenv tells of, for a question
	// that brings its own; nil: it is this process's environment.
	Vars []string

	// Of a question that another hook hands on, on whose machine the tool is:
	Asks string       // why its rules ask; "" = they don't
	Seen engine.Taint // what its session has seen, as far as it counts there

	Transcript string // the file in which the agent writes the session down; "" where it does not say
	PromptID   string // what the person has said last, in the transcript; "" where the agent has no name for it
}

// hosts lists the agents in the order in which they are shown. Cline's IDE
// extension and its CLI are one; so are Copilot's CLI and VS Code's agent mode
// two, for they are wired apart. Zed and Roo Code have no hooks.
var hosts = [...]*Host{
	&claude,
	&gemini,
	&codex,
	&copilot,
	&vscode,
	&cursor,
	&qwen,
	&opencode,
	&kilo,
	&pi,
	&cline,
	&crush,
	&goose,
	&kimi,
	&droid,
	&kiro,
	&windsurf,
	&amp,
	&auggie,
	&antigravity,
}

// All lists the agents.
func All() []*Host { return hosts[:] }

// Detect returns the agent that a payload certainly comes from, or nil: where no
// agent claims it, or several do, an answer in the form of one of them might mean
// "run it" to another.
func Detect(p Payload) *Host {
	var found *Host
	for _, h := range hosts {
		if p.Err == nil && h.claims(h, p) {
			if found != nil {
				return nil
			}
			found = h
		}
	}
	return found
}

// Guess returns the agents that a payload may come from, by the names of events
// and tools in it.
func Guess(p Payload) []*Host {
	var list []*Host
	for _, h := range hosts {
		event, _ := p.text(h.keys.event)
		tool, _ := p.text(h.keys.tool)
		if n := h.event(event); n != nil && n.Tool == "" && tool != "" && catalogue.ShellTool(h.Name, tool) != nil || n != nil && n.Tool != "" {
			list = append(list, h)
		}
	}
	return list
}

// Named returns the agent with that name. The error lists the names.
func Named(name string) (*Host, error) {
	names := make([]string, len(hosts))
	for i, h := range hosts {
		if h.Name == name {
			return h, nil
		}
		names[i] = h.Name
	}
	return nil, fmt.Errorf("unknown host %q; known: %s", name, strings.Join(names, ", "))
}

// ShellName returns the engine's name for a shell that is named or whose
// program's path is given: "bash", "zsh", "sh" for dash and its kin, "other" for
// the Korn shell and its kin, which are not read, or "" if it may be any.
func ShellName(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	if name == "busybox" {
		return policy.ShellPOSIX // its ash, by a link
	}
	switch language := policy.ShellLanguage(name); language {
	case policy.ShellKorn:
		return policy.ShellOther
	case policy.ShellOther:
		return "" // agents don't hand their lines to it, and use bash or zsh instead
	default:
		return language
	}
}

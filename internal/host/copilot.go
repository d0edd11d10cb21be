package host

import (
	"errors"
	"strings"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// copilot is Copilot CLI (https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference),
// with 1.0.102: what it does with answers to preToolUse was measured, those to
// permissionRequest are its documentation's. Each event has two names, and the
// one in its settings chooses the form of payload and answer:
//
//	{"sessionId": "...", "timestamp": 1795247245206, "cwd": "/home/u/p", "toolName": "bash", "toolArgs": {"command": "git push"}}
//	{"hook_event_name": "PreToolUse", "session_id": "...", "timestamp": "2026-...", "cwd": "/home/u/p", "tool_name": "Bash", "tool_input": {...}}
//
// The first form does not name the event: the hook's arguments do. Its answer
// is flat, the other one's is Claude Code's; in the wrong form a denial lets the
// command run. Of old versions toolArgs is a text that holds JSON. With nobody
// there an ask is a denial. A yes to permissionRequest would go before the rules
// of its user, so none is given. Any exit status but 0 denies; a hook that is
// late, says nothing or what is no JSON lets the command run.
var copilot = Host{
	Name:  "copilot",
	Title: "Copilot CLI",
	Docs:  "https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference",
	Events: []EventName{
		{BeforeToolUse, "preToolUse", ""}, {BeforeToolUse, "PreToolUse", ""},
		{PermissionAsk, "permissionRequest", ""}, {PermissionAsk, "PermissionRequest", ""},
		{AfterToolUse, "postToolUse", ""}, {AfterToolUse, "PostToolUse", ""},
		{AfterToolFailure, "postToolUseFailure", ""}, {AfterToolFailure, "PostToolUseFailure", ""},
		{PromptSubmit, "userPromptSubmitted", ""}, {PromptSubmit, "UserPromptSubmit", ""},
		{SessionStart, "sessionStart", ""}, {SessionStart, "SessionStart", ""},
		{SessionEnd, "sessionEnd", ""}, {SessionEnd, "SessionEnd", ""},
		{SubagentStop, "subagentStop", ""}, {SubagentStop, "SubagentStop", ""},
		{Compact, "preCompact", ""}, {Compact, "PreCompact", ""},
	},
	Ignored: []string{
		"agentStop", "Stop", "subagentStart", "SubagentStart", "errorOccurred", "ErrorOccurred", "notification", "Notification",
	},
	Closed: "always, if it crashes; not if it is late or garbled",
	Limit:  30 * time.Second, // by the page
	claims: claimsCopilot,
	// The tool bash runs bash.
	process: func(in Input) engine.Request { return placed(in, "COPILOT_PROJECT_DIR", "bash") },
	keys: keys{
		event: "hook_event_name|hookName", tool: "tool_name|toolName", input: "tool_input|toolArgs|toolInput",
		cwd: "cwd", session: "session_id|sessionId", prompt: "prompt", source: "source", transcript: "transcript_path|transcriptPath",
	},
	encoded: true,
	unnamed: unnamedCopilot,
	named:   namedCopilot,
	amend:   amendCopilot,
	answer:  answerCopilot,
}

// claimsCopilot looks for the form that is its own: names in camel case, with the
// time as a number. The other one holds less than those it imitates, and the
// environment that Copilot gives its hooks.
func claimsCopilot(h *Host, p Payload) bool {
	if p.has("sessionId") && p.lacks("hook_event_name", "hookEventName", "taskId") {
		return p.value("timestamp").Kind() == "number"
	}
	return h.knows(p) && p.has("session_id") && p.value("timestamp").Kind() == "string" && p.Getenv("COPILOT_PROJECT_DIR") != "" &&
		p.lacks("host", "transcript_path", "tool_use_id", "tool_call_id", "conversation_id", "turn_id")
}

// unnamedCopilot knows the event that matters by what it alone is told.
func unnamedCopilot(p Payload) string {
	if p.has("toolArgs") && p.lacks("toolResult", "error") {
		return "preToolUse"
	}
	return ""
}

// namedCopilot: servers and their tools are joined by a hyphen, which servers'
// names hold more often than tools'. Copilot's own tools have none.
func namedCopilot(name string) string {
	server, tool, joined := lastCut(name, "-")
	if !joined || server == "" || tool == "" || strings.HasPrefix(name, "mcp__") || known("copilot", name) {
		return name
	}
	return ofServer(server, tool)
}

func amendCopilot(q *Question, p Payload) error {
	q.Source = freshSource(q.Source)
	if !p.lacks("sessionId", "toolName", "toolArgs", "toolInput") && !p.lacks("session_id", "tool_name", "tool_input") {
		return errors.New("both of its forms at once")
	}
	return nil
}

// freshSource is how a session begins, in Claude Code's words.
func freshSource(source string) string {
	if source == "new" {
		return "startup"
	}
	return source
}

func answerCopilot(q *Question, d policy.Decision, reason string) Answer {
	switch {
	case d == policy.Skip:
		return Answer{}
	case q.Name == "": // either form may be the wrong one
		return denied(reason)
	case q.Event == PermissionAsk:
		if d != policy.Block {
			return Answer{}
		}
		return object(`{"behavior":"deny","message":`, reason, "}\n")
	case q.Name[0] >= 'a':
		return object(`{"permissionDecision":"`+decisionWords.of(d)+`","permissionDecisionReason":`, reason, "}\n")
	}
	return answerClaude(q, d, reason)
}

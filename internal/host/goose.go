package host

import (
	"strings"
	"time"

	"github.com/bashgate/bashgate/policy"
)

// goose is goose (https://github.com/block/goose/blob/main/documentation/docs/guides/context-engineering/hooks.md)
// since 1.38, as documented; nothing here was measured.
//
//	{"event": "PreToolUse", "session_id": "...", "matcher_context": "developer__shell", "tool_name": "developer__shell",
//	 "tool_input": {"command": "git push"}, "working_dir": "/home/u/p", "tool_call_id": "..."}
//
// Silence lets the tool run as goose's own mode has it, which may ask; a block
// denies whatever the exit status is, and exit status 2 does with the text on
// standard error. Anything else is no decision: the command runs. That a session
// starts is told without whether it is a new one.
var goose = Host{
	Name:  "goose",
	Title: "goose",
	Docs:  "https://github.com/block/goose/blob/main/documentation/docs/guides/context-engineering/hooks.md",
	Events: []EventName{
		{BeforeToolUse, "PreToolUse", ""},
		{AfterToolUse, "PostToolUse", ""},
		{AfterToolFailure, "PostToolUseFailure", ""},
		{PromptSubmit, "UserPromptSubmit", ""},
		{SessionEnd, "SessionEnd", ""},
	},
	Ignored: []string{"SessionStart", "Stop", "PreToolUseResult", "BeforeReadFile", "AfterFileEdit", "BeforeShellExecution", "AfterShellExecution"},
	Asking:  Silences,
	Closed:  `"on_failure": "block" beside the command`,
	Limit:   30 * time.Second, // by the page
	claims:  claimsGoose,
	process: process,
	keys: keys{
		event: "event", tool: "tool_name", input: "tool_input",
		cwd: "working_dir", session: "session_id", use: "tool_call_id", prompt: "message",
	},
	named:  namedGoose,
	answer: answerGoose,
}

// claimsGoose looks for what only it calls so.
func claimsGoose(h *Host, p Payload) bool {
	return h.knows(p) && !p.lacks("working_dir", "matcher_context") && p.lacks("host", "cwd", "hook_event_name")
}

func answerGoose(_ *Question, d policy.Decision, reason string) Answer {
	if d != policy.Block {
		return Answer{}
	}
	return object(`{"decision":"block","reason":`, reason, "}\n")
}

// namedGoose: extensions are servers, but for those that are part of goose.
func namedGoose(name string) string {
	if strings.HasPrefix(name, "developer__") || strings.HasPrefix(name, "computercontroller__") {
		return name
	}
	return byServer(name, "__")
}

package host

import (
	"strings"
	"time"
)

// kiro is Kiro CLI, 2 (https://kiro.dev/docs/cli/hooks) and 3
// (https://kiro.dev/docs/cli/v3/hooks), which writes events in another case and
// calls its shell tool shell. This is what they document; nothing was measured.
//
//	{"hook_event_name": "preToolUse", "cwd": "/home/u/p", "session_id": "...",
//	 "tool_name": "execute_bash", "tool_input": {"command": "git push"}}
//
// Only the exit status decides: 2 denies with the text on standard error, 0 says
// nothing, and Kiro asks for what its user has not trusted; any other one is a
// warning. That a session starts is told without whether it is a new one. Hooks
// of Kiro's IDE are not told what a tool is given.
var kiro = Host{
	Name:  "kiro",
	Title: "Kiro CLI",
	Docs:  "https://kiro.dev/docs/cli/hooks",
	Events: []EventName{
		{BeforeToolUse, "preToolUse", ""}, {BeforeToolUse, "PreToolUse", ""},
		{AfterToolUse, "postToolUse", ""}, {AfterToolUse, "PostToolUse", ""},
		{PromptSubmit, "userPromptSubmit", ""}, {PromptSubmit, "UserPromptSubmit", ""},
	},
	Ignored: []string{
		"agentSpawn", "SessionStart", "stop", "Stop", "PreTaskExec", "PostTaskExec",
		"PostFileCreate", "PostFileSave", "PostFileDelete", "Manual",
	},
	Asking:  Silences,
	Limit:   30 * time.Second, // timeout_ms, by the page
	claims:  claimsKiro,
	process: process,
	keys: keys{
		event: "hook_event_name", tool: "tool_name", input: "tool_input", cwd: "cwd", session: "session_id", prompt: "prompt",
	},
	named:  namedKiro,
	answer: answerStatus,
}

// claimsKiro looks for its events in camel case, which only Cursor has too, and
// says more with them. Those of version 3 are everybody's.
func claimsKiro(_ *Host, p Payload) bool {
	switch name, _ := p.text("hook_event_name"); name {
	case "preToolUse", "postToolUse", "userPromptSubmit", "agentSpawn", "stop":
		return p.lacks("host", "conversation_id", "generation_id", "cursor_version", "timestamp", "transcript_path")
	}
	return false
}

// namedKiro: @github/get_issue.
func namedKiro(name string) string {
	if rest, is := strings.CutPrefix(name, "@"); is {
		return byServer(rest, "/")
	}
	return name
}

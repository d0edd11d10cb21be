package host

import (
	"strings"

	"github.com/bashgate/bashgate/engine"
)

// droid is Factory's Droid (https://docs.factory.ai/harness/hooks), as documented,
// and as others' adapters found it with 0.140 and 0.186; nothing here was
// measured.
//
//	{"hook_event_name": "PreToolUse", "session_id": "...", "transcript_path": "/home/u/.factory/...", "cwd": "/home/u/p",
//	 "permission_mode": "default", "tool_name": "Execute", "tool_input": {"command": "git push"}}
//
// Answers are Claude Code's. Of several hooks that decide the first one counts,
// not the strictest (third-party, with 0.140): let this one be the only one, or
// the first. Exit status 2 denies; any other failure lets the command run.
var droid = Host{
	Name:  "droid",
	Title: "Droid",
	Docs:  "https://docs.factory.ai/harness/hooks",
	Events: []EventName{
		{BeforeToolUse, "PreToolUse", ""},
		{AfterToolUse, "PostToolUse", ""},
		{PromptSubmit, "UserPromptSubmit", ""},
		{SessionStart, "SessionStart", ""},
		{SessionEnd, "SessionEnd", ""},
		{SubagentStop, "SubagentStop", ""},
		{Compact, "PreCompact", ""},
	},
	Ignored: []string{"Stop", "Notification", "PermissionRequest"},
	claims:  claimsDroid,
	process: func(in Input) engine.Request { return placed(in, "FACTORY_PROJECT_DIR", "") },
	keys:    claudeKeys,
	// Its auto works without asking within the autonomy level; no classifier is
	// behind it, as behind Claude Code's mode of the name.
	modes:  []modeName{{"auto", "default"}, {"off", "default"}, {"spec", "default"}, {"auto-low", "default"}, {"auto-medium", "default"}, {"auto-high", "default"}},
	named:  namedDroid,
	answer: answerClaude,
}

// claimsDroid looks for its directory.
func claimsDroid(h *Host, p Payload) bool {
	transcript, _ := p.text("transcript_path")
	return h.knows(p) && strings.Contains(transcript, "/.factory/") && p.lacks("host", "timestamp", "conversation_id", "turn_id")
}

// namedDroid: servers and their tools are joined by three underlines.
func namedDroid(name string) string {
	return byServer(name, "___")
}

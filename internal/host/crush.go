package host

import (
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// crush is Crush (https://github.com/charmbracelet/crush/blob/main/docs/hooks/README.md),
// as documented and as its source reads since 0.90; nothing here was measured.
//
//	{"event": "PreToolUse", "session_id": "...", "cwd": "/home/u/p", "tool_name": "bash", "tool_input": {"command": "git push"}}
//
// An allow skips the prompt; silence leaves it to Crush, which asks unless it
// runs with --yolo. Exit status 2 denies with the text on standard error, 49 ends
// the turn; anything else, and a hook that is late, is no opinion. The tools of
// subagents are not shown to hooks, but that one is started is. Versions since
// tell of more than PreToolUse and PreCompact; how those payloads look is
// taken from these. Its shell tool is an interpreter of bash's language.
var crush = Host{
	Name:  "crush",
	Title: "Crush",
	Docs:  "https://github.com/charmbracelet/crush/blob/main/docs/hooks/README.md",
	Events: []EventName{
		{BeforeToolUse, "PreToolUse", ""},
		{AfterToolUse, "PostToolUse", ""},
		{AfterToolFailure, "PostToolUseFailure", ""},
		{SessionEnd, "SessionEnd", ""},
		{Compact, "PreCompact", ""},
	},
	Ignored: []string{
		"PermissionRequest", "PermissionResult", "SessionStart", "TurnStart", "TurnEnd", "StopFailure", "Interrupt", "PostCompact",
	},
	Asking:  Silences,
	Limit:   30 * time.Second, // by the page
	claims:  claimsCrush,
	process: func(in Input) engine.Request { return placed(in, "CRUSH_PROJECT_DIR", "bash") },
	keys: keys{
		event: "event", tool: "tool_name", input: "tool_input", cwd: "cwd", session: "session_id",
	},
	named:  marked,
	answer: answerCrush,
}

// claimsCrush looks for what only it calls so.
func claimsCrush(h *Host, p Payload) bool {
	return h.knows(p) && p.has("cwd") && p.has("session_id") && p.lacks("host", "working_dir", "matcher_context", "hook_event_name")
}

func answerCrush(_ *Question, d policy.Decision, reason string) Answer {
	switch d {
	case policy.Allow:
		return Answer{Stdout: []byte(`{"version":1,"decision":"allow"}` + "\n")}
	case policy.Block:
		return object(`{"version":1,"decision":"deny","reason":`, reason, "}\n")
	}
	return Answer{}
}

package host

import (
	"strings"

	"github.com/bashgate/bashgate/engine"
)

// qwen is Qwen Code (https://qwenlm.github.io/qwen-code-docs/1.x/en/users/hooks-reference/),
// with 0.24.4: PreToolUse was measured, the events and modes are those of the
// program's own lists.
//
//	{"hook_event_name": "PreToolUse", "tool_name": "run_shell_command", "tool_input": {"command": "git push"},
//	 "cwd": "/home/u/p", "session_id": "...", "permission_mode": "auto-edit", "tool_call_id": "...", "timestamp": "...", ...}
//
// PreToolUse comes after Qwen's own decision: an allow skips no prompt, which
// PermissionRequest answers, and an ask leads back to one; with nobody there it
// denies. Its modes yolo and auto have decided already, so that silence would
// run what was a question: it stays one. Exit status 2 denies with the text on
// standard error; any other failure lets the command run.
var qwen = Host{
	Name:  "qwen",
	Title: "Qwen Code",
	Docs:  "https://qwenlm.github.io/qwen-code-docs/1.x/en/users/hooks-reference/",
	Events: []EventName{
		{BeforeToolUse, "PreToolUse", ""},
		{PermissionAsk, "PermissionRequest", ""},
		{AfterToolUse, "PostToolUse", ""},
		{AfterToolFailure, "PostToolUseFailure", ""},
		{ToolDenied, "PermissionDenied", ""},
		{PromptSubmit, "UserPromptSubmit", ""},
		{SessionStart, "SessionStart", ""},
		{SessionEnd, "SessionEnd", ""},
		{SubagentStop, "SubagentStop", ""},
		{Compact, "PreCompact", ""},
	},
	Ignored: []string{
		"Notification", "MessageDisplay", "Stop", "StopFailure", "QueryEnd", "SubagentStart", "PostCompact", "PostToolBatch",
		"SessionDelete", "TodoCreated", "TodoCompleted", "TaskCreated", "TaskCompleted", "TeammateIdle", "UserPromptExpansion",
		"InstructionsLoaded", "CwdChanged", "FileChanged", "WorktreeCreate", "WorktreeRemove", "ConfigChange",
	},
	Approves: true,
	claims:   claimsQwen,
	// The shell tool runs bash -c, whatever the user's shell is.
	process: func(in Input) engine.Request { return placed(in, "QWEN_PROJECT_DIR", "bash") },
	keys: keys{
		event: "hook_event_name", tool: "tool_name", input: "tool_input",
		cwd: "cwd", session: "session_id", mode: "permission_mode", use: "tool_call_id", agent: "agent_id",
		prompt: "prompt", source: "source", transcript: "transcript_path", promptID: "prompt_id",
	},
	// The first two are Claude Code's words, which would take questions away.
	modes: []modeName{
		{engine.ModeBypass, "default"}, {engine.ModeAcceptEdits, "default"},
		{"auto-edit", engine.ModeAcceptEdits}, {"auto", "default"}, {"yolo", "default"},
	},
	answer: answerClaude,
}

// claimsQwen looks for its directory, or the session that the environment names
// too.
func claimsQwen(h *Host, p Payload) bool {
	if !h.knows(p) || p.has("host") {
		return false
	}
	session, _ := p.text("session_id")
	transcript, _ := p.text("transcript_path")
	return strings.Contains(transcript, "/.qwen/") || session != "" && session == p.Getenv("QWEN_CODE_SESSION_ID")
}

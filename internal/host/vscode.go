package host

import (
	"strings"
	"time"
)

// vscode is the agent mode of VS Code (https://code.visualstudio.com/docs/agents/reference/hooks-reference),
// as documented; nothing here was measured. It finds hooks in Copilot's and in
// Claude Code's files too, and ignores their matchers.
//
//	{"hook_event_name": "PreToolUse", "session_id": "...", "timestamp": "2026-...", "cwd": "/home/u/p", "transcript_path": "...",
//	 "tool_name": "run_in_terminal", "tool_input": {"command": "git push"}, "tool_use_id": "..."}
//
// Its first versions wrote hookEventName and sessionId. Answers are Claude
// Code's; of several hooks the strictest counts. Exit status 2 denies; any other
// failure is a warning. PostToolUseFailure and SessionEnd are not on that page,
// but in a draft of it and in Copilot's files, which VS Code reads.
var vscode = Host{
	Name:  "vscode",
	Title: "VS Code",
	Docs:  "https://code.visualstudio.com/docs/agents/reference/hooks-reference",
	Events: []EventName{
		{BeforeToolUse, "PreToolUse", ""},
		{AfterToolUse, "PostToolUse", ""},
		{AfterToolFailure, "PostToolUseFailure", ""},
		{PromptSubmit, "UserPromptSubmit", ""},
		{SessionStart, "SessionStart", ""},
		{SessionEnd, "SessionEnd", ""},
		{SubagentStop, "SubagentStop", ""},
		{Compact, "PreCompact", ""},
	},
	Ignored: []string{"Stop", "SubagentStart", "ErrorOccurred", "Notification", "PermissionRequest"},
	Limit:   30 * time.Second, // by the page
	claims:  claimsVSCode,
	process: process,
	keys: keys{
		event: "hook_event_name|hookEventName", tool: "tool_name", input: "tool_input",
		cwd: "cwd", session: "session_id|sessionId", use: "tool_use_id",
		prompt: "prompt", source: "source", transcript: "transcript_path",
	},
	amend: func(q *Question, _ Payload) error {
		q.Source = freshSource(q.Source)
		return nil
	},
	named:  marked,
	answer: answerClaude,
}

// claimsVSCode looks for the names of its first versions, its directory, or its
// terminal.
func claimsVSCode(h *Host, p Payload) bool {
	if p.value("timestamp").Kind() != "string" || !p.lacks("host", "tool_call_id", "conversation_id", "turn_id") {
		return false
	}
	transcript, _ := p.text("transcript_path")
	return h.knows(p) &&
		(p.has("hookEventName") && p.has("sessionId") || strings.Contains(transcript, "/workspaceStorage/") || p.is("tool_name", "run_in_terminal"))
}

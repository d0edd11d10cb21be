package host

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// cursor is Cursor, the editor and its agent on the command line, as
// https://cursor.com/docs/hooks tells; not measured. Each event has a form of
// its own:
//
//	{"hook_event_name": "beforeShellExecution", "command": "git push", "cwd": "/home/u/p",
//	 "conversation_id": "...", "generation_id": "...", "workspace_roots": ["/home/u/p"], "cursor_version": "..."}
//	{"hook_event_name": "beforeMCPExecution", "tool_name": "get_issue", "tool_input": "{\"id\":7}", "mcp_server_name": "github", ...}
//	{"hook_event_name": "beforeReadFile", "file_path": "/home/u/p/a", "content": "...", ...}
//	{"hook_event_name": "preToolUse", "tool_name": "Shell", "tool_input": {"command": "git push", "working_directory": "web"}, ...}
//
// A question is heard before commands and tools of MCP servers alone. Exit
// status 2 denies; other failures let the tool run, and deny with failClosed. A
// hook that says nothing has failed then (measured by others: preToolUse of the
// agent on the command line, github.com/aovestdipaperino/tokensave/pull/188, and
// the editor's, github.com/deftai/directive/issues/2779): no objection is
// "allow". Whether that passes over Cursor's own question nobody tells. The
// name of the server is sent since 2026 (cursor-agent 2026.07.23).
var cursor = Host{
	Name:  "cursor",
	Title: "Cursor",
	Docs:  "https://cursor.com/docs/hooks",
	Events: []EventName{
		{BeforeToolUse, "beforeShellExecution", "Shell"},
		{BeforeToolUse, "beforeMCPExecution", ""},
		{BeforeToolUse, "beforeReadFile", "Read"},
		{BeforeToolUse, "beforeTabFileRead", "Read"},
		{BeforeToolUse, "preToolUse", ""},
		{AfterToolUse, "afterShellExecution", "Shell"},
		{AfterToolUse, "afterMCPExecution", ""},
		{AfterToolUse, "afterFileEdit", "Write"},
		{AfterToolUse, "postToolUse", ""},
		{AfterToolFailure, "postToolUseFailure", ""},
		{PromptSubmit, "beforeSubmitPrompt", ""},
		{SessionStart, "sessionStart", ""},
		{SessionEnd, "sessionEnd", ""},
		{SubagentStop, "subagentStop", ""},
		{Compact, "preCompact", ""},
	},
	Ignored:  []string{"stop", "subagentStart", "afterAgentResponse", "afterAgentThought", "afterTabFileEdit", "workspaceOpen"},
	Unheard:  []string{"preToolUse", "beforeReadFile", "beforeTabFileRead"},
	Heedless: true,
	Closed:   `"failClosed": true beside the command`,
	claims:   claimsCursor,
	process:  process,
	keys: keys{
		event: "hook_event_name", tool: "tool_name", input: "tool_input|.",
		cwd: "cwd", workspace: "workspace_roots.0", session: "conversation_id|session_id", use: "tool_use_id",
		prompt: "prompt", source: "source", transcript: "transcript_path",
	},
	amend:  amendCursor,
	answer: answerCursor,
}

// claimsCursor looks for Cursor's version, or for its name of a conversation
// beside its names of events, which Kiro's resemble.
func claimsCursor(h *Host, p Payload) bool {
	name, err := p.text("hook_event_name")
	return err == nil && !p.has("host") && (h.event(name) != nil || slices.Contains(h.Ignored, name)) &&
		(p.has("cursor_version") || p.has("conversation_id"))
}

func amendCursor(q *Question, p Payload) error {
	switch {
	case q.Event == SessionStart && q.Source == "":
		q.Source = "startup" // it is sent for new conversations alone
	case q.Name == "beforeMCPExecution", q.Name == "afterMCPExecution":
		text, err := p.text("tool_input")
		if err == nil && text != "" {
			input, bad := wire.Parse([]byte(text))
			if bad != nil {
				return p.value("tool_input").Errorf("not JSON in a text: %v", bad)
			}
			q.Tool = engine.Tool{}
			if err := given(&q.Tool, input); err != nil {
				return err
			}
		}
		name, _ := p.text("tool_name")
		server, _ := p.text("mcp_server_name")
		q.Tool.Name = ofServer(server, name)
	case q.Name == "beforeReadFile", q.Name == "beforeTabFileRead", q.Name == "afterFileEdit":
		file, err := p.value("file_path").Text() // of the rest none is a place
		q.Tool = engine.Tool{Name: q.Tool.Name, Args: []engine.ToolArg{{Name: "file_path", Value: file}}}
		return err
	case strings.HasPrefix(q.Tool.Name, "MCP:"): // in preToolUse, where the server is not told
		q.Tool.Name = ofServer("", q.Tool.Name[len("MCP:"):])
	}
	return nil
}

func answerCursor(q *Question, d policy.Decision, reason string) Answer {
	switch {
	case d == policy.Skip && q.Event == PromptSubmit:
		return Answer{Stdout: []byte(`{"continue":true}` + "\n")}
	case d == policy.Skip && q.Event != BeforeToolUse:
		return Answer{}
	case d <= policy.Allow:
		return Answer{Stdout: []byte(`{"permission":"allow"}` + "\n")}
	}
	a := object(`{"permission":"`+decisionWords.of(d)+`","user_message":`, reason, `,"agent_message":`)
	a.Stdout = append(wire.AppendText(a.Stdout, reason), "}\n"...)
	return a
}

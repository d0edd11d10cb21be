package host

import (
	"fmt"
	"slices"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// cline is Cline: its program for the command line, with 3.0.65, and its
// extensions of editors (https://docs.cline.bot/customization/hooks). A hook is
// a program that is called as its event is:
//
//	{"hookName": "tool_call", "taskId": "...", "workspaceRoots": ["/home/u/p"],
//	 "tool_call": {"id": "1", "name": "run_commands", "input": {"commands": ["git push"]}},
//	 "preToolUse": {"toolName": "run_commands", "parameters": {"commands": "[\"git push\"]"}}}
//	{"hookName": "PreToolUse", "taskId": "...", "workspaceRoots": ["/home/u/p"],
//	 "preToolUse": {"toolName": "execute_command", "parameters": {"command": "git push"}}}
//
// The first is the program's, which tells what the tool is given twice: the one
// that is no text in a text counts. The exit status is looked at nowhere
// (measured): only an answer that cancels denies, and it ends the whole run. A
// hook that crashes, or is late (after 120 s, sdk/packages/core/src/hooks/hook-file-hooks.ts;
// the editors' wait for 30 s), lets the tool run.
var cline = Host{
	Name:  "cline",
	Title: "Cline",
	Docs:  "https://docs.cline.bot/customization/hooks",
	Events: []EventName{
		{BeforeToolUse, "PreToolUse", ""},
		{BeforeToolUse, "tool_call", ""},
		{AfterToolUse, "PostToolUse", ""},
		{AfterToolUse, "tool_result", ""},
		{PromptSubmit, "UserPromptSubmit", ""},
		{PromptSubmit, "prompt_submit", ""},
		{SessionStart, "TaskStart", ""},
		{SessionStart, "agent_start", ""},
		{SessionStart, "TaskResume", ""},
		{SessionStart, "agent_resume", ""},
		{SessionEnd, "TaskComplete", ""},
		{SessionEnd, "agent_end", ""},
		{SessionEnd, "TaskCancel", ""},
		{SessionEnd, "agent_abort", ""},
		{SessionEnd, "session_shutdown", ""},
		{Compact, "PreCompact", ""},
		{Compact, "pre_compact", ""},
	},
	Ignored: []string{"Notification", "agent_error"},
	Asking:  Refuses,
	Limit:   30 * time.Second,
	claims:  claimsCline,
	process: process,
	keys: keys{
		event: "hookName",
		tool:  "tool_call.name|tool_result.name|preToolUse.toolName|postToolUse.toolName",
		input: "tool_call.input|tool_result.input|preToolUse.parameters|postToolUse.parameters",
		use:   "tool_call.id|tool_result.id",
		cwd:   "workspaceRoots.0", session: "taskId", prompt: "userPromptSubmit.prompt",
	},
	named:  namedCline,
	amend:  amendCline,
	answer: answerCline,
	fail:   failCline,
}

// claimsCline looks for events of Cline's names; Copilot's payloads have others
// below the same key.
func claimsCline(h *Host, p Payload) bool {
	name, err := p.text("hookName")
	return err == nil && p.has("taskId") && (h.event(name) != nil || slices.Contains(h.Ignored, name))
}

func amendCline(q *Question, p Payload) error {
	if parent, _ := p.text("parent_agent_id"); parent != "" {
		q.Agent, _ = p.text("agent_id")
	}
	if q.Event == SessionStart {
		q.Source = "startup"
		if q.Name == "TaskResume" || q.Name == "agent_resume" {
			q.Source = "resume"
		}
	}
	// A text or a list is enough for some of the program's tools.
	if v := p.value("tool_call.input|tool_result.input"); v.Kind() == "string" || v.Kind() == "array" {
		name := "paths"
		if q.Tool.Name == "apply_patch" {
			name = "input"
		}
		q.Tool = engine.Tool{Name: q.Tool.Name}
		if text, err := v.Text(); err == nil {
			q.Tool.Args = []engine.ToolArg{{Name: name, Value: text}}
		} else if err := inner(&q.Tool, name, v); err != nil {
			return err
		}
	}
	if q.Tool.Name == "use_mcp_tool" { // the extension's tool for those of servers
		server, tool := q.Tool.Arg("server_name"), q.Tool.Arg("tool_name")
		if server == "" || tool == "" {
			return nil
		}
		text := q.Tool.Arg("arguments")
		input := p.value("tool_call.input.arguments|tool_result.input.arguments|preToolUse.parameters.arguments|postToolUse.parameters.arguments")
		if text != "" {
			var err error
			if input, err = wire.Parse([]byte(text)); err != nil {
				return fmt.Errorf("arguments are not JSON in a text: %w", err)
			}
		}
		q.Tool = engine.Tool{Name: ofServer(server, tool)}
		return given(&q.Tool, input)
	}
	return nil
}

func answerCline(_ *Question, d policy.Decision, reason string) Answer {
	if d <= policy.Allow {
		return Answer{Stdout: []byte("{\"cancel\":false}\n")}
	}
	return object(`{"cancel":true,"errorMessage":`, reason, "}\n")
}

// failCline says what went wrong for people too, who see no answer.
func failCline(reason string) Answer {
	a := answerCline(nil, policy.Block, reason)
	a.Stderr = []byte(reason + "\n")
	return a
}

// namedCline: the program joins the names of servers and tools.
func namedCline(name string) string { return byServer(name, "__") }

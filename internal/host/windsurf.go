package host

import (
	"slices"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// windsurf is Windsurf's Cascade, as https://docs.windsurf.com/windsurf/cascade/hooks
// tells; not measured. There is an event for each kind of tool:
//
//	{"agent_action_name": "pre_run_command", "trajectory_id": "...", "execution_id": "...", "timestamp": "...",
//	 "tool_info": {"command_line": "git push", "cwd": "/home/u/p/web"}}
//	{"agent_action_name": "pre_mcp_tool_use", ...
//	 "tool_info": {"mcp_server_name": "github", "mcp_tool_name": "get_issue", "mcp_tool_arguments": {"id": 7}}}
//
// Exit status 2 denies with the text on standard error; any other lets the tool
// run. A hook can't ask: Cascade itself may, where the hook says nothing. Hooks
// are started in the workspace. How long one may take is not told.
var windsurf = Host{
	Name:  "windsurf",
	Title: "Windsurf",
	Docs:  "https://docs.windsurf.com/windsurf/cascade/hooks",
	Events: []EventName{
		{BeforeToolUse, "pre_run_command", "run_command"},
		{BeforeToolUse, "pre_mcp_tool_use", "mcp"},
		{BeforeToolUse, "pre_read_code", "view_file"},
		{BeforeToolUse, "pre_write_code", "write_to_file"},
		{AfterToolUse, "post_run_command", "run_command"},
		{AfterToolUse, "post_mcp_tool_use", "mcp"},
		{AfterToolUse, "post_read_code", "view_file"},
		{AfterToolUse, "post_write_code", "write_to_file"},
		{PromptSubmit, "pre_user_prompt", ""},
	},
	Ignored: []string{"post_cascade_response", "post_cascade_response_with_transcript", "post_setup_worktree"},
	Asking:  Silences,
	claims:  claimsWindsurf,
	process: windsurfProcess,
	keys: keys{
		event: "agent_action_name", input: "tool_info", cwd: "tool_info.cwd", session: "trajectory_id",
		prompt: "tool_info.user_prompt",
	},
	amend:  amendWindsurf,
	answer: answerWindsurf,
}

func claimsWindsurf(h *Host, p Payload) bool {
	name, err := p.text("agent_action_name")
	return err == nil && (h.event(name) != nil || slices.Contains(h.Ignored, name))
}

// windsurfProcess: no payload names the workspace.
func windsurfProcess(in Input) engine.Request {
	r := process(in)
	r.Workspace = in.dir()
	return r
}

func amendWindsurf(q *Question, p Payload) error {
	if q.Tool.Name != "mcp" {
		return nil
	}
	server, err := p.text("tool_info.mcp_server_name")
	if err != nil {
		return err
	}
	tool, err := p.text("tool_info.mcp_tool_name")
	if err != nil {
		return err
	}
	q.Tool = engine.Tool{Name: ofServer(server, tool)}
	return given(&q.Tool, p.value("tool_info.mcp_tool_arguments"))
}

func answerWindsurf(_ *Question, d policy.Decision, reason string) Answer {
	if d <= policy.Allow {
		return Answer{}
	}
	return denied(reason)
}

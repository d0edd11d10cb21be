package host

import "time"

// kimi is Kimi CLI (https://moonshotai.github.io/kimi-cli/en/customization/hooks.html)
// with 1.49, and Kimi Code after it (https://moonshotai.github.io/kimi-code/en/customization/hooks),
// whose shell is called Bash: their sources and documentation.
//
//	{"hook_event_name": "PreToolUse", "session_id": "...", "cwd": "/home/u/p",
//	 "tool_name": "Shell", "tool_input": {"command": "git push"}, "tool_call_id": "..."}
//
// A hook can only object: "deny" in Claude Code's form, or exit status 2. An ask
// is no answer that it knows, and the command runs (measured). So it does where
// the hook is late, crashes or writes anything else.
var kimi = Host{
	Name:  "kimi",
	Title: "Kimi",
	Docs:  "https://moonshotai.github.io/kimi-code/en/customization/hooks",
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
	Ignored: []string{
		"Stop", "StopFailure", "SubagentStart", "PostCompact", "Notification", "PermissionRequest", "PermissionResult",
		"UserPromptQueued", "TurnStarted", "SessionHeartbeat", "TaskStarted", "Interrupt",
	},
	Asking:  Refuses,
	Limit:   30 * time.Second, // by the page
	claims:  claimsKimi,
	process: process,
	keys: keys{
		event: "hook_event_name", tool: "tool_name", input: "tool_input",
		cwd: "cwd", session: "session_id", use: "tool_call_id", prompt: "prompt", source: "source",
	},
	named:  namedKimi,
	answer: answerDeny,
}

// namedKimi: Kimi CLI calls a server's tool as the server does.
func namedKimi(name string) string {
	const own = "Think SetTodoList TodoList Task Agent AgentSwarm CreateSubagent SendDMail AskUserQuestion EnterPlanMode ExitPlanMode" +
		" ReadMediaFile TaskList TaskOutput TaskStop Skill CronCreate CronList CronDelete CreateGoal GetGoal UpdateGoal SetGoalBudget"
	return unmarked("kimi", own, name, noServer)
}

// claimsKimi looks for the name that Kimi Code gives itself, and the names of
// what a tool's use has that nobody else has without more.
func claimsKimi(h *Host, p Payload) bool {
	return h.knows(p) && (p.is("client_type", "kimi_code_cli") || !p.lacks("tool_call_id", "tool_output")) &&
		p.lacks("host", "timestamp", "transcript_path", "tool_use_id", "conversation_id", "turn_id")
}

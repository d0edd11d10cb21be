package host

import (
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// claude is Claude Code (https://code.claude.com/docs/en/hooks), with 2.1.329.
// It starts its hooks in the session's directory, with the event on standard
// input:
//
//	{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push"},
//	 "cwd": "/home/u/p/web", "session_id": "...", "permission_mode": "default", "tool_use_id": "...", ...}
//
// Exit status 0 with an answer decides; empty output leaves the decision to
// the settings and the user; exit status 2 denies with the text on standard
// error. Anything else, and a hook that is late, lets the command run.
var claude = Host{
	Name:  "claude",
	Title: "Claude Code",
	Docs:  "https://code.claude.com/docs/en/hooks",
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
		{ConfigChange, "ConfigChange", ""},
	},
	Ignored: []string{
		"Setup", "UserPromptExpansion", "Notification", "MessageDisplay", "PostToolBatch",
		"Stop", "StopFailure", "SubagentStart", "TaskCreated", "TaskCompleted", "TeammateIdle",
		"PostCompact", "PreModelSwitch", "PostModelSwitch",
		"CwdChanged", "DirectoryAdded", "FileChanged", "InstructionsLoaded",
		"Elicitation", "ElicitationResult", "WorktreeCreate", "WorktreeRemove",
	},
	Closed:  `"onFailure": "block" beside the command, for all but garbled output`,
	Limit:   10 * time.Minute, // by the page
	Beside:  true,
	claims:  claimsClaude,
	process: claudeProcess,
	keys:    claudeKeys,
	unnamed: unnamedClaude,
	endTold: endToldClaude,
	amend:   amendClaude,
	answer:  answerClaude,
}

// claudeMembers are what Claude Code's payloads hold, and no more than these
// where nothing else tells that one is its.
var claudeMembers = []string{
	"hook_event_name", "session_id", "transcript_path", "cwd", "prompt_id", "permission_mode", "effort",
	"tool_name", "tool_input", "tool_response", "tool_use_id", "duration_ms", "agent_id", "agent_type", "agent_transcript_path",
	"prompt", "source", "reason", "error", "is_interrupt", "permission_suggestions", "model", "trigger", "custom_instructions",
	"stop_hook_active", "last_assistant_message", "background_tasks", "session_crons", "message", "notification_type", "file_path",
}

// claudeTools are tools of Claude Code, as it calls them.
var claudeTools = []string{
	"Bash", "Monitor", "PowerShell", "Read", "Write", "Edit", "MultiEdit", "NotebookRead", "NotebookEdit", "Glob", "Grep", "LS",
	"WebFetch", "WebSearch", "Task", "Agent", "TodoWrite", "TodoRead", "BashOutput", "KillShell", "KillBash", "Skill", "SlashCommand",
	"ExitPlanMode", "EnterPlanMode", "AskUserQuestion", "ListMcpResources", "ReadMcpResource", "ListMcpResourcesTool", "ReadMcpResourceTool",
	"ToolSearch", "TaskOutput", "TaskStop", "TaskCreate", "TaskGet", "TaskUpdate", "TaskList", "SendMessage", "LSP", "StructuredOutput",
	"EnterWorktree", "ExitWorktree", "CronCreate", "CronDelete", "CronList",
}

// claimsClaude looks for what Claude Code alone sends: its directory, or the
// session that the environment names too. What holds nothing that it does not
// send is its own where the environment is its own and the tool no other agent's
// shell; and without a transcript, which it always has, it was written by hand.
func claimsClaude(h *Host, p Payload) bool {
	tool, err := p.text(claudeKeys.tool)
	if err != nil || !h.knows(p) && (p.has(claudeKeys.event) || unnamedClaude(p) == "") {
		return false
	}
	// Codex; Gemini, Qwen, Copilot, VS Code; Kimi; Auggie
	if !p.lacks("host", "turn_id", "timestamp", "tool_call_id", "conversation_id") {
		return false
	}
	transcript, _ := p.text(claudeKeys.transcript)
	if dir := p.Getenv("CLAUDE_CONFIG_DIR"); strings.Contains(transcript, "/.claude/") || dir != "" && strings.HasPrefix(transcript, dir+"/") {
		return true
	}
	if session, _ := p.text(claudeKeys.session); session != "" && session == p.Getenv("CLAUDE_CODE_SESSION_ID") {
		return true
	}
	for _, m := range p.Object {
		if !slices.Contains(claudeMembers, m.Key) {
			return false
		}
	}
	own := tool == "" && p.lacks(claudeKeys.tool) || slices.Contains(claudeTools, tool) || strings.HasPrefix(tool, "mcp__")
	if p.Getenv("CLAUDECODE") != "" {
		return !othersDirectory(p, transcript) && (own || p.has(claudeKeys.transcript) && p.has(claudeKeys.session) && !othersShell(tool))
	}
	return p.lacks("transcript_path") && (own || p.lacks(claudeKeys.event))
}

// othersDirectory reports whether a transcript lies where another agent keeps
// its own.
func othersDirectory(p Payload, transcript string) bool {
	if home := p.Getenv("CODEX_HOME"); home != "" && strings.HasPrefix(transcript, home) {
		return true
	}
	return slices.ContainsFunc([]string{"/.factory/", "/.codex/", "/.qwen/", "/.gemini/", "/.copilot/", "/.augment/", "/.kimi", "/workspaceStorage/"}, func(dir string) bool {
		return strings.Contains(transcript, dir)
	})
}

// othersShell reports whether some agent's shell is called so.
func othersShell(tool string) bool {
	for _, g := range gates.All {
		for i := range g.Shells {
			if r := &g.Shells[i]; r.Agent != "" && match.AnyGlob(r.Names, tool) {
				return true
			}
		}
	}
	return false
}

// unnamedClaude takes the input of Claude Code's shell for that of a command that
// is about to run, and so that of any tool that is given no command: a line is
// enough to try the hook. Another agent's shell is not taken for a tool that is
// nobody's business.
func unnamedClaude(p Payload) string {
	if !p.has("tool_input") {
		return ""
	}
	tool, _ := p.text("tool_name")
	input, err := p.value("tool_input").Object()
	if catalogue.ShellTool("claude", tool) != nil || err == nil && input.Get("command").Kind() == "nothing" {
		return "PreToolUse"
	}
	return ""
}

// endToldClaude is about the tools that show something, of which
// PostToolUse, PostToolUseFailure and PermissionDenied tell.
func endToldClaude(tool string) bool {
	return tool == "Bash" || tool == "Read" || strings.HasPrefix(tool, "Web") || strings.HasPrefix(tool, "mcp__")
}

func amendClaude(q *Question, p Payload) error {
	// Monitor is told what happens as it happens.
	q.Aside = q.Aside || q.Shell && q.Tool.Name == "Monitor"
	// Without a path, Grep searches the session's directory.
	if q.Tool.Name == "Grep" && q.Tool.Arg("path") == "" {
		q.Tool.Args = append([]engine.ToolArg{{Name: "path", Value: q.Request.Cwd}}, q.Tool.Args...)
	}
	return nil
}

// claudeProcess is what the hook's process tells of where something happens. The
// session's directory moves with the agent's cd; the project does not.
func claudeProcess(in Input) engine.Request {
	r := placed(in, "CLAUDE_PROJECT_DIR", claudeShell(in.Getenv))
	r.Unattended = in.Getenv("CLAUDE_CODE_SESSION_ATTENDED") == "0"
	return r
}

// claudeShell returns the shell of Claude Code's Bash tool: SHELL, unless
// CLAUDE_CODE_SHELL says otherwise. Where they differ it may be either.
func claudeShell(getenv func(string) string) string {
	shell := ShellName(getenv("SHELL"))
	if other := getenv("CLAUDE_CODE_SHELL"); other != "" && ShellName(other) != shell {
		return ""
	}
	if shell == policy.ShellOther {
		return "" // it takes bash or zsh then
	}
	return shell
}

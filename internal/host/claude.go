package host

import (
	"fmt"
	"path"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/policy"
	"github.com/bashgate/bashgate/internal/wire"
)

// claude is Claude Code (https://code.claude.com/docs/en/hooks). It starts
// its hooks in the session's directory, with the event on standard input:
//
//	{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push"},
//	 "cwd": "/home/u/p/web", "session_id": "...", "permission_mode": "default", "tool_use_id": "...", ...}
//
// Exit status 0 with an answer decides; empty output leaves the decision to
// the settings and the user; exit status 2 denies with the text on standard
// error. Anything else, and a hook that is late, lets the command run.
var claude = Host{
	Name:   "claude",
	Title:  "Claude Code",
	Events: claudeEvents,
	Detect: detectClaude,
	Read:   readClaude,
	Answer: answerClaude,
}

var claudeEvents = []EventName{
	{BeforeToolUse, "PreToolUse"},
	{AfterToolUse, "PostToolUse"},
	{AfterToolFailure, "PostToolUseFailure"},
	{ToolDenied, "PermissionDenied"},
	{PromptSubmit, "UserPromptSubmit"},
	{SessionStart, "SessionStart"},
	{SessionEnd, "SessionEnd"},
	{SubagentStop, "SubagentStop"},
}

func detectClaude(in Input) bool { return in.Getenv("CLAUDECODE") != "" }

func readClaude(in Input) (Question, error) {
	q := Question{Request: claudeRequest(in)}
	hook, err := object(in)
	if err != nil {
		return q, err
	}
	unread := q
	name, err := claudeEvent(hook)
	if err != nil {
		return unread, err
	}
	q.Event = eventNamed(claudeEvents, name)
	switch unread.Event = q.Event; q.Event {
	case None:
		if isClaudeEvent(name) {
			return Question{}, nil
		}
		err = hook.Get("hook_event_name").Errorf("unknown event %.80q", name)
	case BeforeToolUse, AfterToolUse, AfterToolFailure, ToolDenied:
		err = claudeTool(&q, hook)
	case PromptSubmit:
		q.Prompt, err = optional(hook, "prompt")
	case SessionStart:
		q.Source, err = optional(hook, "source")
	}
	if err != nil {
		return unread, err
	}
	r := &q.Request
	q.Transcript, _ = optional(hook, "transcript_path") // without them less is known
	q.PromptID, _ = optional(hook, "prompt_id")
	for _, field := range [...]struct {
		key string
		to  *string
	}{
		{"cwd", &r.Cwd},
		{"session_id", &r.Session},
		{"permission_mode", &r.Mode},
		{"tool_use_id", &q.Use},
		{"agent_id", &q.Agent},
	} {
		if *field.to, err = optional(hook, field.key); err != nil {
			return unread, err
		}
	}
	if r.Cwd == "" {
		r.Cwd = unread.Request.Cwd
	}
	if !path.IsAbs(r.Cwd) {
		return unread, hook.Get("cwd").Errorf("cwd %.80q is not an absolute path", r.Cwd)
	}
	if r.Workspace == "" {
		r.Workspace = r.Cwd
	}
	// Without a path, Grep searches the session's directory.
	if q.Tool.Name == "Grep" && q.Tool.Arg("path") == "" {
		q.Tool.Args = append([]engine.ToolArg{{Name: "path", Value: r.Cwd}}, q.Tool.Args...)
	}
	return q, nil
}

// claudeRequest is what the hook's process tells of where something happens. The
// session's directory moves with the agent's cd; the project does not.
func claudeRequest(in Input) engine.Request {
	r := engine.Request{
		Host: "claude", Home: in.Getenv("HOME"), Shell: claudeShell(in.Getenv), Cwd: in.Dir,
		Unattended: in.Getenv("CLAUDE_CODE_SESSION_ATTENDED") == "0",
	}
	if dir := in.Getenv("CLAUDE_PROJECT_DIR"); path.IsAbs(dir) {
		r.Workspace = dir
	}
	return r
}

// claudeEvent is the event's name. Where there is none, the input of Claude
// Code's shell is that of a command that is about to run, as is any tool's that
// is given no command: a payload need not say more to a hook that knows one
// event. Another agent's shell is not taken for a tool that is nobody's
// business.
func claudeEvent(hook wire.Object) (string, error) {
	name, err := required(hook, "hook_event_name")
	if hook.Get("hook_event_name").Kind() != "nothing" || hook.Get("tool_input").Kind() == "nothing" {
		return name, err
	}
	tool, _ := optional(hook, "tool_name")
	input, bad := hook.Get("tool_input").Object()
	if engine.ShellTool("claude", tool) != nil || bad == nil && input.Get("command").Kind() == "nothing" {
		return "PreToolUse", nil
	}
	return name, err
}

// claudeTool reads which tool is used and what it is given. Of the shell all
// of that must be understood. What can't be understood of what another tool is
// given is noted.
func claudeTool(q *Question, hook wire.Object) error {
	var err error
	if q.Tool.Name, err = required(hook, "tool_name"); err != nil {
		return err
	}
	shell := engine.ShellTool("claude", q.Tool.Name)
	input, err := hook.Get("tool_input").Object()
	if q.Shell = shell != nil; q.Shell && q.Tool.Name != "Bash" && err == nil && input.Get(shell.Commands[0]).Kind() == "nothing" {
		q.Shell = false // Monitor, which listens to a machine instead
	}
	switch {
	case !q.Shell:
		given(&q.Tool, hook.Get("tool_input"))
		return nil
	case hook.Get("tool_input").Kind() == "nothing":
		return missing("tool_input")
	case err != nil:
		return err
	}
	aside, _ := input.Get("run_in_background").Bool()
	q.Aside = aside || q.Tool.Name == "Monitor"
	q.Request.Command, err = required(input, shell.Commands[0])
	return err
}

// claudeShell returns the shell of Claude Code's Bash tool: SHELL, unless
// CLAUDE_CODE_SHELL says otherwise. Where they differ it may be either.
func claudeShell(getenv func(string) string) string {
	shell := ShellName(getenv("SHELL"))
	if other := getenv("CLAUDE_CODE_SHELL"); other != "" && ShellName(other) != shell {
		return ""
	}
	return shell
}

func required(o wire.Object, key string) (string, error) {
	v := o.Get(key)
	if v.Kind() == "nothing" {
		return "", missing(key)
	}
	return v.Text()
}

func optional(o wire.Object, key string) (string, error) {
	v := o.Get(key)
	if v.Kind() == "nothing" {
		return "", nil
	}
	return v.Text()
}

func missing(key string) error { return fmt.Errorf("no %q", key) }

// isClaudeEvent reports whether the event is one of those that mean nothing
// here.
func isClaudeEvent(event string) bool {
	switch event {
	case "Setup", "UserPromptExpansion", "Notification", "MessageDisplay",
		"PermissionRequest", "PostToolBatch",
		"Stop", "StopFailure", "SubagentStart", "TaskCreated", "TaskCompleted", "TeammateIdle",
		"PreCompact", "PostCompact", "PreModelSwitch", "PostModelSwitch",
		"ConfigChange", "CwdChanged", "DirectoryAdded", "FileChanged", "InstructionsLoaded",
		"Elicitation", "ElicitationResult", "WorktreeCreate", "WorktreeRemove":
		return true
	}
	return false
}

func answerClaude(d policy.Decision, reason string) []byte {
	word := ""
	switch d {
	case policy.Skip:
		return nil
	case policy.Allow:
		word = "allow"
	case policy.Block:
		word = "deny"
	default:
		word = "ask"
	}
	out := []byte(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"` + word + `","permissionDecisionReason":`)
	out = wire.AppendText(out, reason)
	return append(out, "}}\n"...)
}

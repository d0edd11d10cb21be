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
//	 "cwd": "/home/u/p/web", "session_id": "...", "permission_mode": "default", ...}
//
// Exit status 0 with an answer decides; empty output leaves the decision to
// the settings and the user; exit status 2 denies with the text on standard
// error. Anything else, and a hook that is late, lets the command run.
var claude = Host{
	Name:   "claude",
	Title:  "Claude Code",
	Detect: detectClaude,
	Read:   readClaude,
	Answer: answerClaude,
}

func detectClaude(in Input) bool { return in.Getenv("CLAUDECODE") != "" }

func readClaude(in Input) (Question, error) {
	document, err := wire.Parse(in.Data)
	if err != nil {
		return Question{}, err
	}
	hook, err := document.Object()
	if err != nil {
		return Question{}, err
	}
	event, err := required(hook, "hook_event_name")
	switch {
	case err != nil:
		return Question{}, err
	case isClaudeEvent(event):
		return Question{None: true}, nil
	case event != "PreToolUse":
		return Question{}, hook.Get("hook_event_name").Errorf("unknown event %.80q", event)
	}
	tool, err := required(hook, "tool_name")
	switch {
	case err != nil:
		return Question{}, err
	case tool != "Bash":
		return Question{None: true}, nil
	}
	if hook.Get("tool_input").Kind() == "nothing" {
		return Question{}, missing("tool_input")
	}
	input, err := hook.Get("tool_input").Object()
	if err != nil {
		return Question{}, err
	}
	r := engine.Request{Host: "claude", Home: in.Getenv("HOME"), Shell: claudeShell(in.Getenv)}
	if r.Command, err = required(input, "command"); err != nil {
		return Question{}, err
	}
	for _, field := range []struct {
		key string
		to  *string
	}{
		{"cwd", &r.Cwd},
		{"session_id", &r.Session},
		{"permission_mode", &r.Mode},
	} {
		if v := hook.Get(field.key); v.Kind() != "nothing" {
			if *field.to, err = v.Text(); err != nil {
				return Question{}, err
			}
		}
	}
	if r.Cwd == "" {
		r.Cwd = in.Dir
	}
	if !path.IsAbs(r.Cwd) {
		return Question{}, hook.Get("cwd").Errorf("cwd %.80q is not an absolute path", r.Cwd)
	}
	// The session's directory moves with the agent's cd; the project does not.
	r.Workspace = in.Getenv("CLAUDE_PROJECT_DIR")
	if !path.IsAbs(r.Workspace) {
		r.Workspace = r.Cwd
	}
	r.Unattended = in.Getenv("CLAUDE_CODE_SESSION_ATTENDED") == "0"
	return Question{Request: r}, nil
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

func missing(key string) error { return fmt.Errorf("no %q", key) }

// isClaudeEvent reports whether the event is known and is not the one that
// asks about a tool's use.
func isClaudeEvent(event string) bool {
	switch event {
	case "SessionStart", "SessionEnd", "Setup",
		"UserPromptSubmit", "UserPromptExpansion", "Notification", "MessageDisplay",
		"PermissionRequest", "PermissionDenied", "PostToolUse", "PostToolUseFailure", "PostToolBatch",
		"Stop", "StopFailure", "SubagentStart", "SubagentStop", "TaskCreated", "TaskCompleted", "TeammateIdle",
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

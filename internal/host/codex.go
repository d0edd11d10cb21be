package host

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// codex is Codex CLI (https://developers.openai.com/codex/hooks), with 0.169.0:
// what it does with answers was measured, the events besides those captured are
// those of its JSON schemas.
//
//	{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push"},
//	 "cwd": "/home/u/p", "session_id": "...", "turn_id": "...", "model": "...", "permission_mode": "default", ...}
//
// Before a tool it knows two answers, silence and "deny" with a reason. All else
// ("ask", "allow", a member that it doesn't know, exit status 2 without a text)
// is a hook that has failed, and the command runs. Where it is about to ask its
// user, PermissionRequest takes a yes and a no; `codex exec` never asks, and
// says bypassPermissions whatever it does. A hook that its user has not trusted
// by its hash is not started at all.
var codex = Host{
	Name:  "codex",
	Title: "Codex CLI",
	Docs:  "https://developers.openai.com/codex/hooks",
	Events: []EventName{
		{BeforeToolUse, "PreToolUse", ""},
		{PermissionAsk, "PermissionRequest", ""},
		{AfterToolUse, "PostToolUse", ""},
		{PromptSubmit, "UserPromptSubmit", ""},
		{SessionStart, "SessionStart", ""},
		{SubagentStop, "SubagentStop", ""},
		{Compact, "PreCompact", ""},
	},
	// SessionEnd is not heard: a hook for it with a limit above three seconds is
	// complained about at each start.
	Ignored:  []string{"Stop", "StopFailure", "SubagentStart", "PostCompact", "SessionEnd"},
	Asking:   Refuses,
	Approves: true,
	claims:   claimsCodex,
	process:  process,
	keys:     claudeKeys,
	modes:    []modeName{{"bypassPermissions", "default"}},
	named:    marked,
	amend:    amendCodex,
	answer:   answerDeny,
}

// claimsCodex looks for the turn, which nobody else tells together with the
// model, and where there is none, for the directory of its sessions.
func claimsCodex(h *Host, p Payload) bool {
	if !h.knows(p) || !p.lacks("host", "client_type", "timestamp", "conversation_id") {
		return false
	}
	transcript, _ := p.text("transcript_path")
	home := strings.TrimSuffix(p.Getenv("CODEX_HOME"), "/")
	return p.has("turn_id") && p.has("model") && p.has("permission_mode") ||
		strings.Contains(transcript, "/.codex/") || home != "" && (transcript == home || strings.HasPrefix(transcript, home+"/"))
}

// amendCodex reads which shell is to run the command: exec_command takes any
// program for one. One that is not known by its name, in a directory of the
// system, may do anything with the line.
func amendCodex(q *Question, p Payload) error {
	if !q.Shell {
		return nil
	}
	v := p.value("tool_input.shell")
	if kind := v.Kind(); kind == "nothing" || kind == "null" {
		return nil
	}
	shell, err := v.Text()
	if err != nil {
		return err
	}
	dirs := []string{".", "/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"}
	switch ShellName(shell) {
	case policy.ShellBash, policy.ShellZsh, policy.ShellPOSIX:
		if slices.Contains(dirs, path.Dir(shell)) && !strings.HasPrefix(shell, "./") {
			q.Request.Shell = ShellName(shell)
			return nil
		}
	}
	return v.Errorf("shell %.80q is none that is known", shell)
}

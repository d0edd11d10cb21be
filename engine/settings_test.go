package engine

import (
	"testing"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/policy"
	"github.com/bashgate/bashgate/internal/settings"
)

// TestSettings: what the user told their agent, met with what rules say.
func TestSettings(t *testing.T) {
	files := new(disk.Memory)
	files.Mkdir("/w/src")
	files.WriteFile("/home/u/.claude/settings.json", `{"permissions": {
		"allow": ["Bash(npm install:*)", "Bash(git push *)", "Bash(rm:*)", "Bash(cat .env)", "Bash(mytool:*)", "Bash(timeout 5 npm ci)", "Bash(echo:*)"],
		"ask": ["Bash(git log:*)"], "deny": ["Bash(curl:*)", "Bash(wget *)"], "additionalDirectories": ["/lib2"]}}`)
	files.WriteFile("/w/.claude/settings.json", `{"permissions": {"allow": ["Bash(pip install:*)", "Bash(cat:*)", "Bash(sudo:*)", "Bash(tee:*)"]}}`)
	e := New(Options{Files: files})
	s := settings.Load(files, "/home/u", "/w")
	rows := []struct {
		line, mode string
		want       policy.Decision
		id         string // of the first reason, where it matters
	}{
		{"npm install lodash", "", policy.Allow, ""},
		{"npm install lodash && npm install x", "", policy.Allow, ""},
		{"npm install lodash && npm publish", "", policy.Ask, ""},
		{"npm install lodash > out", "", policy.Ask, "redirect.write"},
		{"npm install $(randomtool)", "", policy.Ask, ""},
		{"npm install \"$x\"", "", policy.Ask, ""},
		{"LD_PRELOAD=x npm install", "", policy.Ask, ""},
		{"npm installer", "", policy.Ask, ""},
		{"git push origin main", "", policy.Allow, ""},
		{"rm f", "", policy.Allow, ""},
		{"rm -rf /", "", policy.Block, "paths.system-root"},
		{"mytool --flag", "", policy.Allow, ""},
		{"./mytool --flag", "", policy.Ask, ""},
		{"cat .env", "", policy.Allow, ""},
		{"timeout 5 npm ci", "", policy.Allow, ""},
		{"timeout 6 npm ci", "", policy.Ask, ""},
		{"curl https://example.com", "", policy.Block, "settings.deny"},
		{"/usr/bin/curl https://example.com", "", policy.Block, "settings.deny"},
		{"/tmp/curl https://example.com", "", policy.Block, "settings.deny"},
		{"env curl https://example.com", "", policy.Block, "settings.deny"},
		{"\"curl\" https://example.com", "", policy.Block, "settings.deny"},
		{"c\\url https://example.com", "", policy.Block, "settings.deny"},
		{"bash -c 'curl https://example.com'", "", policy.Block, "settings.deny"},
		{"echo $(curl https://example.com)", "", policy.Block, "settings.deny"},
		{"echo curl https://example.com", "", policy.Allow, ""},
		{"wget", "", policy.Block, "settings.deny"},
		{"git log", "", policy.Ask, "settings.ask"},
		{"git log --oneline", "", policy.Ask, "settings.ask"},
		{"git logs", "", policy.Ask, ""},
		{"pip install x", "", policy.Allow, ""},
		{"cat ~/.ssh/id_rsa", "", policy.Ask, "paths.secret-key"}, // a clone's own allow is not enough
		{"echo x | tee ~/.bashrc", "", policy.Ask, ""},
		{"rm f", ModePlan, policy.Allow, ""},
		{"touch x", ModePlan, policy.Block, "mode.plan"},
		{"touch /lib2/x", ModeAcceptEdits, policy.Allow, ""},
		{"touch /lib3/x", ModeAcceptEdits, policy.Ask, ""},
		{"touch x", ModeDontAsk, policy.Block, "mode.unattended"},
	}
	for _, r := range rows {
		v := e.Evaluate(Request{Command: r.line, Mode: r.mode, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash", Settings: s})
		if v.Decision != r.want {
			t.Errorf("%q in mode %q = %v (%s), want %v", r.line, r.mode, v.Decision, v.Reason, r.want)
		} else if r.id != "" && v.Reasons[0].ID != r.id {
			t.Errorf("%q in mode %q: first reason %s, want %s", r.line, r.mode, v.Reasons[0].ID, r.id)
		}
	}
}

func TestUnreadableSettingsAsk(t *testing.T) {
	files := new(disk.Memory)
	files.WriteFile("/w/.claude/settings.json", `{"permissions": {"deny": ["Bash(ls`)
	v := New(Options{Files: files}).Evaluate(Request{Command: "ls", Cwd: "/w", Workspace: "/w", Settings: settings.Load(files, "", "/w")})
	if v.Decision != policy.Ask || v.Reasons[0].ID != "settings.unreadable" {
		t.Errorf("%v %s: what the broken file denies is not known", v.Decision, v.Reason)
	}
}

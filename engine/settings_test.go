package engine

import (
	"testing"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/settings"
	"github.com/bashgate/bashgate/policy"
)

// TestSettings: what the user told their agent, met with what rules say.
func TestSettings(t *testing.T) {
	files := new(disk.Memory)
	files.Mkdir("/w/src")
	files.WriteFile("/w/package.json", `{"scripts": {"lint": "echo", "deploy": "scp x host:", "danger": "rm -rf /"}}`)
	files.WriteFile("/home/u/.claude/settings.json", `{
		// comments, and commas at the end, are fine
		"permissions": {
		"allow": ["Bash(npm install:*)", "Bash(git push *)", "Bash(rm:*)", "Bash(cat .env)", "Bash(mytool:*)", "Bash(timeout 5 npm ci)", "Bash(echo:*)",
			"Bash(docker * ps)", "Bash(other*)", "Bash(npm run deploy)", "Bash(npm run danger)", "Bash(git reset:*)", "Bash(bash:*)", "Bash(xargs cat:*)", "Read(/etc/**)", "WebFetch"],
		"ask": ["Bash(git log:*)", "Bash(mytool ask *)"], "deny": ["Bash(curl:*)", "Bash(wget *)", "Bash(git push --force*)", "Bash(* --secret)"], "additionalDirectories": ["/lib2"],},
	}`)
	files.WriteFile("/w/.claude/settings.json", `{"permissions": {"allow": ["Bash(pip install:*)", "Bash(cat:*)", "Bash(sudo:*)", "Bash(tee:*)", "Bash(curl:*)", "Bash(git clean:*)", "Bash(acme:*)", "Bash(git fetch:*)"]}}`)
	files.WriteFile("/w/.claude/settings.local.json", `{"permissions": {"allow": ["Bash(git stash drop)"], "deny": ["Bash(mytool locally)"]}}`)
	e := New(Options{Files: files})
	s := settings.Load(files, "/home/u", "/w", "")
	rows := []struct {
		line, mode string
		want       policy.Decision
		id         string // of the first reason, where it matters
	}{
		{"npm install lodash", "", policy.Allow, ""},
		{"npm install lodash && npm install x", "", policy.Allow, ""},
		{"npm install lodash && npm publish", "", policy.Ask, ""},
		{"npm install lodash | sh", "", policy.Ask, ""},
		{"npm install lodash > out", "", policy.Ask, "redirect.write"},
		{"bash x.sh", "", policy.Allow, ""},
		{"cat x | bash", "", policy.Ask, "pipes.run"}, // what comes is not in its words
		{"git show x | env bash", "", policy.Ask, ""},
		{"find . -name .env | xargs cat", "", policy.Ask, "paths.secret-env"},
		{"xargs cat < list", "", policy.Allow, ""},
		{"sudo tee /etc/x", "", policy.Ask, "paths.system"}, // with more rights than the project's file gives
		{"npm install $(randomtool)", "", policy.Ask, ""},
		{"npm install \"$x\"", "", policy.Ask, ""},
		{"LD_PRELOAD=x npm install", "", policy.Ask, ""},
		{"npm installer", "", policy.Ask, ""},
		{"git push origin main", "", policy.Allow, ""},
		{"git push", "", policy.Allow, ""},
		{"git push --force-with-lease", "", policy.Block, "settings.deny"},
		{"rm f", "", policy.Allow, ""},
		{"rm -rf /", "", policy.Block, "paths.system-root"},
		{"mytool --flag", "", policy.Allow, ""},
		{"sudo mytool --flag", "", policy.Ask, "unknown-command"}, // no word of the settings gives it more rights
		{"doas mytool --flag", "", policy.Ask, "unknown-command"},
		{"su -c 'mytool --flag'", "", policy.Ask, "unknown-command"},
		{"timeout 5 mytool --flag", "", policy.Allow, ""},
		{"mytool .env", "", policy.Allow, ""},
		{"acme y", "", policy.Allow, ""}, // a clone says so
		{"acme .env", "", policy.Ask, "unknown-command"},
		{"acme --upload=.env", "", policy.Ask, "unknown-command"},
		{"acme -d @.env", "", policy.Ask, "unknown-command"},
		{"acme -d@.env", "", policy.Ask, "unknown-command"},
		{"acme -i/home/u/.ssh/id_rsa", "", policy.Ask, "unknown-command"},
		{"acme x:~/.ssh/id_rsa", "", policy.Ask, "unknown-command"},
		{"git fetch", "", policy.Allow, ""},
		{"cd /tmp/o && git fetch", "", policy.Ask, "repository.planted"},
		{"cd /tmp/o && git push", "", policy.Ask, "repository.planted"}, // neither does the user's own say where
		{"./mytool --flag", "", policy.Ask, ""},
		{"mytool ask x", "", policy.Ask, ""},
		{"mytool locally", "", policy.Block, "settings.deny"},
		{"mytool --secret", "", policy.Block, "settings.deny"},
		{"docker -H x ps", "", policy.Allow, ""},
		{"docker -H x rm", "", policy.Ask, ""},
		{"otherwise x", "", policy.Allow, ""},
		{"others; nobodyknows", "", policy.Ask, "unknown-command"},
		{"(npm install lodash)", "", policy.Allow, ""},
		{"cat .env", "", policy.Allow, ""},
		{"timeout 5 npm ci", "", policy.Allow, ""},
		{"timeout 6 npm ci", "", policy.Ask, ""},
		{"npm run deploy", "", policy.Allow, ""},
		{"npm run danger", "", policy.Block, "paths.system-root"},
		{"npm run lint", "", policy.Allow, ""},
		{"curl https://example.com", "", policy.Block, "settings.deny"}, // a deny stands before the project's allow
		{"/usr/bin/curl https://example.com", "", policy.Block, "settings.deny"},
		{"/tmp/curl https://example.com", "", policy.Block, "settings.deny"},
		{"env curl https://example.com", "", policy.Block, "settings.deny"},
		{"timeout 5 curl https://example.com", "", policy.Block, "settings.deny"},
		{"\"curl\" https://example.com", "", policy.Block, "settings.deny"},
		{"c\\url https://example.com", "", policy.Block, "settings.deny"},
		{"bash -c 'curl https://example.com'", "", policy.Block, "settings.deny"},
		{"echo $(curl https://example.com)", "", policy.Block, "settings.deny"},
		{"ls && curl https://example.com | cat", "", policy.Block, "settings.deny"},
		{"f() { curl x; }; f", "", policy.Block, "settings.deny"},
		{"echo curl https://example.com", "", policy.Allow, ""},
		{"curly https://example.com", "", policy.Ask, "unknown-command"},
		{"wget", "", policy.Block, "settings.deny"},
		{"git log", "", policy.Ask, "settings.ask"},
		{"git log --oneline", "", policy.Ask, "settings.ask"},
		{"git logs", "", policy.Ask, ""},
		{"pip install x", "", policy.Allow, ""},
		{"cat ~/.ssh/id_rsa", "", policy.Ask, "paths.secret-key"}, // a clone's own allow is not enough
		{"echo x | tee ~/.bashrc", "", policy.Ask, ""},
		{"sudo nobodyknows", "", policy.Ask, ""},
		{"git clean -fdx", "", policy.Ask, ""}, // can't be undone: neither
		{"git reset --hard", "", policy.Allow, ""},
		{"git stash drop", "", policy.Allow, ""}, // the local file is the user's

		{"rm f", ModePlan, policy.Allow, ""},
		{"touch x", ModePlan, policy.Block, "mode.plan"},
		{"ls", ModePlan, policy.Allow, ""},
		{"nobodyknows", ModePlan, policy.Block, "mode.plan"},
		{"touch x", "", policy.Ask, ""},
		{"touch x", "nobodyknows", policy.Ask, ""},
		{"ls", "nobodyknows", policy.Ask, "mode.unknown"},
		{"rm -rf /", "nobodyknows", policy.Block, "paths.system-root"},
		{"ls", "manual", policy.Allow, ""},
		{"touch x", ModeAcceptEdits, policy.Allow, ""},
		{"touch src/x && mkdir -p src/a", ModeAcceptEdits, policy.Allow, ""},
		{"echo x > src/x", ModeAcceptEdits, policy.Allow, ""},
		{"touch /lib2/x", ModeAcceptEdits, policy.Allow, ""},
		{"touch /lib3/x", ModeAcceptEdits, policy.Ask, ""},
		{"touch ../x", ModeAcceptEdits, policy.Ask, ""},
		{"touch \"$x\"", ModeAcceptEdits, policy.Ask, ""},
		{"touch .git/hooks/pre-commit", ModeAcceptEdits, policy.Ask, ""},
		{"echo x > .claude/settings.json", ModeAcceptEdits, policy.Block, "own.hooks"},
		{"npm publish", ModeAcceptEdits, policy.Ask, ""},
		{"npm publish", ModeAuto, policy.Ask, ""},
		{"npm unpublish x", ModeAuto, policy.Block, "mode.auto"},
		{"git clean -fdx", ModeAuto, policy.Block, "mode.auto"},
		{"touch x", ModeAuto, policy.Ask, ""},
		{"touch x", ModeDontAsk, policy.Block, "mode.unattended"},
		{"ls", ModeDontAsk, policy.Allow, ""},
		{"touch x", ModeBypass, policy.Ask, ""},
		{"rm -rf /", ModeBypass, policy.Block, "paths.system-root"},
		{"curl x", ModeBypass, policy.Block, "settings.deny"},
		{"ls", ModeBypass, policy.Allow, ""},
	}
	for _, r := range rows {
		v := e.Evaluate(Request{Command: r.line, Mode: r.mode, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash", Settings: s})
		if v.Decision != r.want {
			t.Errorf("%q in mode %q = %v (%s), want %v", r.line, r.mode, v.Decision, v.Reason, r.want)
		} else if r.id != "" && v.Reasons[0].ID != r.id {
			t.Errorf("%q in mode %q: first reason %s, want %s", r.line, r.mode, v.Reasons[0].ID, r.id)
		}
	}
	for _, r := range rows {
		v := e.Evaluate(Request{Command: r.line, Mode: r.mode, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash", Settings: s, Unattended: true})
		if want := r.want; want == policy.Ask && v.Decision != policy.Block || want != policy.Ask && v.Decision != want {
			t.Errorf("%q in mode %q with nobody there = %v (%s)", r.line, r.mode, v.Decision, v.Reason)
		}
	}
}

func TestUnreadableSettingsAsk(t *testing.T) {
	files := new(disk.Memory)
	files.WriteFile("/w/.claude/settings.json", `{"permissions": {"deny": ["Bash(ls`)
	v := New(Options{Files: files}).Evaluate(Request{Command: "ls", Cwd: "/w", Workspace: "/w", Settings: settings.Load(files, "", "/w", "")})
	if v.Decision != policy.Ask || v.Reasons[0].ID != "settings.unreadable" {
		t.Errorf("%v %s: what the broken file denies is not known", v.Decision, v.Reason)
	}
}

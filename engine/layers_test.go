package engine_test

import (
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/settings"
	"github.com/bashgate/bashgate/policy"
)

// TestLayersMeet holds who may answer whom: each row is a question or a block of
// one layer, and what another one says of it.
func TestLayersMeet(t *testing.T) {
	const (
		asksRead  = "[[paths]]\npath = [\"./docs/**\"]\nread = \"ask\"\nreason = \"Mine\"\nid = \"mine.docs\"\n"
		blocksTo  = "[[paths]]\npath = [\"./docs/**\"]\nwrite = \"block\"\nreason = \"Mine\"\nid = \"mine.docs\"\n"
		asksUse   = "[[programs]]\nname = \"git\"\n[[programs.ask]]\nid = \"mine.status\"\nsubcommand = \"status\"\nreason = \"Mine\"\n"
		lifts     = "[[programs]]\nname = \"git\"\n[[programs.allow]]\nsubcommand = \"status\"\nlifts = [\"mine.status\"]\n"
		overrides = "[[override]]\nids = [\"mine.docs\"]\nreason = \"I know\"\n"
		edits     = "[[programs]]\nname = \"shuf\"\n[[programs.ask]]\nreason = \"Mine\"\naccept_edits = true\n"
	)
	allow := func(pattern string, scope settings.Scope) *settings.Settings {
		return settings.Of([]settings.Rule{{Decision: policy.Allow, Pattern: pattern, Scope: scope}})
	}
	for _, row := range []struct {
		name                   string
		user, project, managed string
		settings               *settings.Settings
		noLifts, noOverrides   bool
		mode, line             string
		want                   policy.Decision
	}{
		{"a user's row and their own settings", asksRead, "", "", allow("cat:*", settings.User), false, false, "", "cat docs/a", policy.Allow},
		{"a user's row and a clone's settings", asksRead, "", "", allow("cat:*", settings.Project), false, false, "", "cat docs/a", policy.Ask},
		{"a user's rule and a clone's settings", asksUse, "", "", allow("git status", settings.Project), false, false, "", "git status", policy.Ask},
		{"a project's rule and the user", lifts, asksUse, "", nil, false, false, "", "git status", policy.Allow},
		{"the administrator's rule and the user", lifts, "", asksUse, nil, false, false, "", "git status", policy.Ask},
		{"the administrator's rule and the agent's settings", "", "", asksUse, allow("git status", settings.User), false, false, "", "git status", policy.Ask},
		{"the administrator's row and the agent's settings", "", "", asksRead, allow("cat:*", settings.User), false, false, "", "cat docs/a", policy.Ask},
		{"the administrator's row beside a built-in one", "", "", "[[paths]]\nid = \"x.env\"\npath = [\"**/.env\"]\nread = \"ask\"\nreason = \"Mine\"\n", allow("cat:*", settings.User), false, false, "", "cat .env", policy.Ask},
		{"no lifts", asksUse + lifts[len("[[programs]]\nname = \"git\"\n"):], "", "", nil, true, false, "", "git status", policy.Ask},
		{"a project's block overridden", overrides, blocksTo, "", nil, false, false, "", "echo x >docs/a", policy.Ask},
		{"the administrator's block overridden", overrides, "", blocksTo, nil, false, false, "", "echo x >docs/a", policy.Block},
		{"overrides forbidden", overrides, blocksTo, "", nil, false, true, "", "echo x >docs/a", policy.Block},
		{"an overridden block in acceptEdits", overrides, blocksTo, "", nil, false, false, "acceptEdits", "echo x >docs/a", policy.Ask},
		{"an overridden block and the agent's settings", overrides, blocksTo, "", allow("touch:*", settings.User), false, false, "", "touch docs/a", policy.Ask},
		{"an own question about edits", edits, "", "", nil, false, false, "acceptEdits", "shuf -e x -o out", policy.Ask},
	} {
		o := engine.Options{NoLifts: row.noLifts, NoOverrides: row.noOverrides}
		for _, layer := range []struct {
			text string
			to   *[]*interp.Rules
			file string
		}{{row.user, &o.User, "user.toml"}, {row.project, &o.Project, "project.toml"}, {row.managed, &o.Managed, "managed.toml"}} {
			if layer.text != "" {
				*layer.to = rulesIn(t, layer.file, layer.text)
			}
		}
		v := engine.New(o).Evaluate(engine.Request{
			Command: row.line, Cwd: "/home/u/p", Workspace: "/home/u/p", Home: "/home/u", Shell: "bash", Mode: row.mode, Settings: row.settings,
		})
		if v.Decision != row.want {
			t.Errorf("%s: %q is %v, want %v: %s", row.name, row.line, v.Decision, row.want, v.Reason)
		}
	}
}

// TestUnlisted holds that a question about a program that nobody knows does not
// put it on the list of a profile that blocks what it does not list.
func TestUnlisted(t *testing.T) {
	files := []*ruleset.File{ruleset.Load("closed.toml", []byte("[profile]\nunlisted = \"block\"\n"), ruleset.OwnProfiles)}
	closed, err := ruleset.Compile(files, known())
	if err != nil {
		t.Fatal(err)
	}
	const table = "[[programs]]\nname = \"nosuchtool\"\n"
	for _, row := range []struct {
		rules string
		want  policy.Decision
	}{
		{"", policy.Block},
		{table + "[[programs.ask]]\nreason = \"Mine\"\n", policy.Block},
		{table + "[[programs.block]]\nsubcommand = \"x\"\nreason = \"Mine\"\n", policy.Block},
		{table + "[[programs.allow]]\n", policy.Allow},
	} {
		o := engine.Options{Profiles: []*interp.Rules{interp.New(closed)}}
		if row.rules != "" {
			o.User = rules(t, row.rules)
		}
		if v := judge(engine.New(o), "nosuchtool", "closed"); v.Decision != row.want {
			t.Errorf("%q: %v, want %v", row.rules, v.Decision, row.want)
		}
	}
}

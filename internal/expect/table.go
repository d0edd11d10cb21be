package expect

import (
	"errors"

	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// document is a table as it is written.
type document struct {
	ruleset.Table
	Defaults *defaults `toml:"defaults" doc:"what holds for tests that don't say it"`
	Tests    []test    `toml:"test" doc:"one command and what shall be decided"`
}

type defaults struct {
	ruleset.Table
	Cwd        ruleset.Text `toml:"cwd" doc:"where the commands would run"`
	Workspace  ruleset.Text `toml:"workspace" doc:"the project's directory"`
	Mode       ruleset.Text `toml:"mode" doc:"the agent's permission mode"`
	Shell      ruleset.Text `toml:"shell" doc:"the shell that would run them"`
	Profile    ruleset.Text `toml:"profile" doc:"the way of working"`
	Unattended ruleset.Flag `toml:"unattended" doc:"nobody can be asked"`
	Decision   ruleset.Text `toml:"decision" doc:"what shall be decided" words:"answer"`
}

type test struct {
	ruleset.Table
	Command    ruleset.Text `toml:"command" doc:"the command line" need:"yes"`
	Cwd        ruleset.Text `toml:"cwd" doc:"where it would run"`
	Workspace  ruleset.Text `toml:"workspace" doc:"the project's directory"`
	Mode       ruleset.Text `toml:"mode" doc:"the agent's permission mode"`
	Shell      ruleset.Text `toml:"shell" doc:"the shell that would run it"`
	Profile    ruleset.Text `toml:"profile" doc:"the way of working"`
	Unattended ruleset.Flag `toml:"unattended" doc:"nobody can be asked"`
	Decision   ruleset.Text `toml:"decision" doc:"what shall be decided" words:"answer"`
	ID         ruleset.Text `toml:"id" doc:"the id of a reason for it"`
	Note       ruleset.Text `toml:"note" doc:"why that is expected"`
}

// Keys lists the keys of a table at a path, in the order in which they are
// written: Keys("test").
func Keys(path ...string) []string { return ruleset.KeysOf(&document{}, path...) }

// toml reads the form of tables.
func (l *loader) toml(text []byte) {
	var d document
	if err := ruleset.Decode(l.name, text, &d); err != nil {
		l.errs, _ = errors.AsType[ruleset.Errors](err)
	}
	if d.Defaults == nil {
		d.Defaults = &defaults{}
	}
	for i := range d.Tests {
		t, base := &d.Tests[i], d.Defaults
		for _, inherited := range [...]struct{ own, above *ruleset.Text }{
			{&t.Cwd, &base.Cwd}, {&t.Workspace, &base.Workspace}, {&t.Mode, &base.Mode}, {&t.Shell, &base.Shell},
			{&t.Profile, &base.Profile}, {&t.Decision, &base.Decision},
		} {
			if inherited.own.Value == "" {
				*inherited.own = *inherited.above
			}
		}
		if t.Unattended == ruleset.Unsaid {
			t.Unattended = base.Unattended
		}
		if t.Decision.Value == "" && !t.Has("decision") && !base.Has("decision") {
			l.errorf(t.At, `decision = "allow", "ask" or "block"`, `[[test]] has no "decision"`)
		}
		if t.Mode != base.Mode {
			l.word(t.Mode.At, "mode", t.Mode.Value, Modes())
		}
		if t.Shell != base.Shell {
			l.word(t.Shell.At, "shell", t.Shell.Value, Shells())
		}
		decision, _ := policy.ParseDecision(t.Decision.Value)
		l.tests = append(l.tests, Test{
			File: l.name, At: t.At, Command: t.Command.Value, Cwd: t.Cwd.Value, Workspace: t.Workspace.Value,
			Mode: t.Mode.Value, Shell: t.Shell.Value, Profile: t.Profile.Value,
			Unattended: t.Unattended == ruleset.True, Decision: decision, ID: t.ID.Value, Note: t.Note.Value,
		})
	}
	l.word(d.Defaults.Mode.At, "mode", d.Defaults.Mode.Value, Modes())
	l.word(d.Defaults.Shell.At, "shell", d.Defaults.Shell.Value, Shells())
}

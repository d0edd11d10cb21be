package acceptance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// generous is a pack of a team that allows and lifts whatever a rule file can:
// of every program that the built-in rules know, and of all places, machines,
// variables and pipes.
func generous() string {
	var b strings.Builder
	paths := map[string][]string{} // of the subcommands of each program that rules speak of
	for _, g := range gates.All {
		for _, p := range g.Programs() {
			paths[p.Name] = append(paths[p.Name], "")
			for i := range p.Rules {
				paths[p.Name] = append(paths[p.Name], p.Rules[i].Paths...)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(paths)) {
		fmt.Fprintf(&b, "[[programs]]\nname = %q\nunknown_action = \"allow\"\n", name)
		slices.Sort(paths[name])
		for _, path := range slices.Compact(paths[name]) {
			b.WriteString("[[programs.allow]]\noperands = [\"data*\"]\nany_flags = \"all is fine\"\nlifts = [\"*\"]\n")
			if path != "" {
				fmt.Fprintf(&b, "subcommand = [%q]\n", path)
			}
		}
	}
	b.WriteString(`
[[paths]]
path = ["**", "~/**"]
read = "allow"
write = "allow"
delete = "allow"

[[hosts]]
host = "*"
decision = "allow"
trusted = true
known = true
local = true

[[env]]
name = "*"
set = "allow"
unset = "allow"
read = "allow"

[[pipes]]
id = "any"
from = {programs = ["*"]}
to = {stdin = "script"}
decision = "allow"

[[sources]]
rules = ["*"]
corruption = 0

[[override]]
ids = ["*"]
reason = "All is fine"
`)
	return b.String()
}

// TestSharedPacksOnlyTighten: with a pack of a team no line is looser than
// without, whatever stands in the pack.
func TestSharedPacksOnlyTighten(t *testing.T) {
	known := ruleset.KnownFrom(gates.All[:])
	compiled := ruleset.CompileEach([]*ruleset.File{ruleset.Load("generous.toml", []byte(generous()), ruleset.Shared)}, known)[0]
	if len(compiled.Inert) < 1000 {
		t.Errorf("only %d things do nothing", len(compiled.Inert))
	}
	if err := compiled.Err(); err != nil { // the broken would not be in force
		t.Fatal(err)
	}
	off := engine.New(engine.Options{Files: files()})
	on := engine.New(engine.Options{Files: files(), Project: []*interp.Rules{interp.New([]*match.Gate{compiled.Gate})}})
	lines := everyLine(t)
	for _, profile := range []string{"", "trusting", "allowlist", "denylist"} {
		for i, line := range lines {
			if profile != "" && i%7 != 0 { // one line of seven
				continue
			}
			r := engine.Request{Command: line, Cwd: workspace, Workspace: workspace, Home: home, Profile: profile, Shell: "bash"}
			without, with := off.Evaluate(r), on.Evaluate(r)
			if with.Decision < without.Decision || with.Reach < without.Reach || without.Effects&^with.Effects != 0 {
				t.Errorf("profile %q: %q is %v/%v with it, %v/%v without", profile, line, with.Decision, with.Reach, without.Decision, without.Reach)
			}
		}
	}
	// It would be another thing if it counted.
	r := engine.Request{Command: "docker run x", Cwd: workspace, Workspace: workspace, Home: home, Shell: "bash"}
	own := ruleset.CompileEach([]*ruleset.File{ruleset.Load("own.toml", []byte("[[programs]]\nname = \"docker\"\n[[programs.allow]]\nsubcommand = \"run\"\noperands = [\"data*\"]\nany_flags = \"all is fine\"\nlifts = [\"*\"]\n"), ruleset.User)}, known)[0]
	if err := own.Err(); err != nil {
		t.Fatal(err)
	}
	if v := engine.New(engine.Options{Files: files(), User: []*interp.Rules{interp.New([]*match.Gate{own.Gate})}}).Evaluate(r); v.Decision != policy.Allow || on.Evaluate(r).Decision != policy.Ask {
		t.Errorf("the user's own: %v (%s)", v.Decision, v.Reason)
	}
}

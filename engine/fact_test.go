package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// obeys lists the names of programs whose every use runs code of the directory
// that they stand in.
func obeys() []string {
	var names []string
	for _, g := range gates.All {
		for _, p := range g.Programs() {
			all := append([]string{p.Name}, p.Aliases...)
			if p.Project {
				names = append(names, all...)
				continue
			}
			for i := range p.Facts {
				f := &p.Facts[i]
				if f.Effects&policy.Executes == 0 || f.Paths != nil || len(f.Any)+len(f.All)+len(f.Unless)+len(f.Args) > 0 || f.HasOperands {
					continue
				}
				if f.Fact != nil && f.Fact.Programs != nil {
					all = f.Fact.Programs
				}
				names = append(names, all...)
			}
		}
	}
	return names
}

// TestObeysProjectLaw: every use of a program that obeys the project has the
// effect executes, reaches further than this machine's files, asks in strict,
// and asks where it stands outside the workspace.
func TestObeysProjectLaw(t *testing.T) {
	names := obeys()
	if len(names) < 80 {
		t.Fatalf("only %d programs obey the project", len(names))
	}
	e := engine.New(engine.Options{})
	var uses []string
	for _, name := range names {
		uses = append(uses, name, name+" --help", name+" --version", name+" -h", name+" version", name+" list")
	}
	for _, line := range lines() {
		if name, _, _ := strings.Cut(line, " "); slices.Contains(names, name) && !strings.ContainsAny(line, "&|;<>`$()\n") {
			uses = append(uses, line)
		}
	}
	for _, line := range uses {
		v := judge(e, line, "")
		if v.Effects&policy.Executes == 0 || v.Reach == policy.ReachLocal {
			t.Errorf("%q: effects %v, reach %v", line, v.Effects.Names(), v.Reach)
		}
		if strict := judge(e, line, "strict"); strict.Decision == policy.Allow {
			t.Errorf("%q: allowed in strict", line)
		}
		for _, outside := range []string{"cd /tmp/x && " + line, "cd ~/other; " + line, "env -C /opt/x " + line} {
			if v := judge(e, outside, ""); v.Decision == policy.Allow {
				t.Errorf("%q: allowed outside the workspace", outside)
			}
		}
	}
}

// TestFactsDecideNothing: without its facts, a table gives the same answers.
func TestFactsDecideNothing(t *testing.T) {
	for _, line := range lines() {
		name, _, _ := strings.Cut(line, " ")
		p := known().Program(name)
		if p == nil || len(p.Facts) == 0 || strings.ContainsAny(line, "\"'$`|&;<>(){}*?[]\\~\n") {
			continue
		}
		without := *p
		without.Facts = nil
		var said [2]match.Call
		for i, program := range []*match.Program{p, &without} {
			c := &policy.Command{Dirs: []string{"/home/u/p"}}
			for word := range strings.FieldsSeq(line) {
				c.Words = append(c.Words, policy.Const(word))
			}
			said[i].Cmd, said[i].Name = c, name
			said[i].Judge(program)
		}
		a, b := said[0], said[1]
		if len(a.Held) != len(b.Held) || len(a.Unknowns) != len(b.Unknowns) || len(a.Uses) != len(b.Uses) {
			t.Errorf("%q: %d rules hold and %d uses with facts, %d and %d without", line, len(a.Held), len(a.Uses), len(b.Held), len(b.Uses))
		}
	}
}

func TestEndless(t *testing.T) {
	e := engine.New(engine.Options{})
	rows := []struct {
		line string
		want bool
	}{
		{"tail -f log", true},
		{"tail log", false},
		{"tail $x log", true}, // it may be -f
		{"yes", true},
		{"sleep infinity", true},
		{"ping example.com", true},
		{"ping -c 1 example.com", false},
		{"sudo tail -f log", true},
		{"sh -c 'tail -f log'", true},
		{"cat a && tail -f log", true},
		{"echo $(yes)", true},
		{"while true; do tail -f log; done", true},

		{"timeout 5 tail -f log", false},
		{"timeout 5 sh -c 'cd a && tail -f log'", false},
		{"timeout 0 tail -f log", true},
		{"timeout -s STOP 5 tail -f log", true},
		{"timeout $n tail -f log", true},
		{"timeout 5 true; tail -f log", true},
		{"tail -f log &", false},
		{"(cd a; tail -f log) &", false},
		{"tail -f log & yes", true},
		{"yes | head", false},
		{"yes | head -c 10", false},
		{"yes | grep y | head -n 3", false},
		{"sh -c 'yes' | head -3", false},
		{"yes | head -n -3", true},
		{"yes | head f", true},
		{"yes | grep y", true},
		{"head -3 f | yes", true},
	}
	for _, r := range rows {
		if v := judge(e, r.line, ""); v.Effects&policy.Endless != 0 != r.want {
			t.Errorf("%q: endless is %v, want %v", r.line, !r.want, r.want)
		}
	}
}

package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
	"github.com/bashgate/bashgate/internal/ruleset"
)

// rulesTest judges the examples of rule files by the built-in rules and the
// files themselves: each must be decided by the rule that it stands in.
func rulesTest(p *Process, s *situation, args []string) (int, error) {
	layers, err := readRules(p, s, args)
	if err != nil {
		return 0, err
	}
	options := engine.Options{Files: disk.OS{}}
	for _, rules := range layers {
		for _, fault := range rules.Faults() {
			p.complain(fault.Err.Error(), "")
			return exitError, nil
		}
		switch whole := rules.Whole(); {
		case whole == nil:
		case rules.Layer == ruleset.Project:
			options.Project = append(options.Project, whole)
		case rules.Layer == ruleset.Managed:
			options.Managed = append(options.Managed, whole)
		case rules.Layer == ruleset.OwnProfiles:
			options.Profiles = whole.Gates
		default:
			options.User = append(options.User, whole)
		}
	}
	t := exampleTest{engine: engine.New(options), request: s.request(p, "")}
	for _, rules := range layers {
		for i := range rules.Files {
			f := &rules.Files[i]
			t.request.Profile = ""
			if rules.Layer == ruleset.OwnProfiles {
				t.request.Profile = f.Base()
			}
			t.file(f.File, f.Gate)
		}
	}
	if t.bad > 0 {
		fmt.Fprintf(&t.out, "%s, %d of them wrong\n", plural(t.count, "example"), t.bad)
	} else {
		fmt.Fprintf(&t.out, "%s, all as they should be\n", plural(t.count, "example"))
	}
	status := exitOK
	if t.bad > 0 {
		status = exitError
	}
	_, err = io.WriteString(p.Stdout, t.out.String())
	return status, err
}

type exampleTest struct {
	engine  *engine.Engine
	request engine.Request
	out     strings.Builder
	count   int
	bad     int
}

// file judges the examples of one file. Rules know their line, and that is
// how a written one finds what it means.
func (t *exampleTest) file(f *ruleset.File, g *match.Gate) {
	rules := map[int]*match.Rule{}
	for _, p := range g.Programs {
		for i := range p.Rules {
			rules[int(p.Rules[i].Line)] = &p.Rules[i]
		}
		for i := range p.Facts {
			rules[int(p.Facts[i].Line)] = &p.Facts[i]
		}
	}
	for i := range f.Programs {
		p := &f.Programs[i]
		for _, written := range [...][]ruleset.Rule{p.Allow, p.Ask, p.Block} {
			for k := range written {
				w := &written[k]
				if rule := rules[w.At.Line]; rule != nil {
					for _, example := range w.Examples {
						t.example(f, example, rule)
					}
				}
				for _, example := range w.Not {
					t.not(f, example)
				}
			}
		}
		for k := range p.Facts {
			w := &p.Facts[k]
			if fact := rules[w.At.Line]; fact != nil {
				for _, example := range w.Examples {
					t.fact(f, example, fact)
				}
			}
		}
	}
}

func (t *exampleTest) evaluate(command string) engine.Verdict {
	t.count++
	t.request.Command = command
	return t.engine.Evaluate(t.request)
}

// example wants the rule to hold and, unless another rule is stricter, to
// decide.
func (t *exampleTest) example(f *ruleset.File, example ruleset.Text, rule *match.Rule) {
	v := t.evaluate(example.Value)
	held := false
	for i := range v.Reasons {
		held = held || v.Reasons[i].ID == rule.ID
	}
	switch {
	case !held:
		t.wrong(f, example, fmt.Sprintf("%s does not hold for %q", rule.ID, example.Value), &v)
	case rule.Decision == policy.Allow && v.Decision != policy.Allow:
		t.wrong(f, example, fmt.Sprintf("%q is %s, not allow", example.Value, v.Decision), &v)
	}
}

// fact wants a command to do what a fact says.
func (t *exampleTest) fact(f *ruleset.File, example ruleset.Text, fact *match.Rule) {
	v := t.evaluate(example.Value)
	if missing := fact.Effects &^ v.Effects; missing != 0 {
		t.wrong(f, example, fmt.Sprintf("%q is not %s", example.Value, strings.Join(missing.Names(), ", ")), &v)
	}
}

func (t *exampleTest) not(f *ruleset.File, example ruleset.Text) {
	if v := t.evaluate(example.Value); v.Decision == policy.Allow {
		t.wrong(f, example, fmt.Sprintf("%q is allowed", example.Value), &v)
	}
}

func (t *exampleTest) wrong(f *ruleset.File, example ruleset.Text, what string, v *engine.Verdict) {
	t.bad++
	fmt.Fprintf(&t.out, "%s:%d:%d: %s\n", f.Name, example.At.Line, example.At.Col, what)
	if v.Reason != "" {
		fmt.Fprintf(&t.out, "hint: %s\n", policy.Visible(v.Reason))
	}
}

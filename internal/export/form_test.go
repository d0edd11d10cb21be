package export

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/race"
	"github.com/bashgate/bashgate/policy"
)

// builtIn is the built-in rules, judged in a project that nothing is known of.
var builtIn = sync.OnceValue(func() *Source {
	e := engine.New(engine.Options{})
	return &Source{
		Gates:   gates.All[:],
		Version: "test",
		Judge: func(command string) policy.Decision {
			return e.Evaluate(engine.Request{
				Command: command, Cwd: "/home/user/project", Workspace: "/home/user/project", Home: "/home/user",
			}).Decision
		},
	}
})

var useful = sync.OnceValue(func() *Rules { return Collect(builtIn(), false) })

// TestForms holds each Form to what it says: every line of it is allowed, but
// for what its guards catch.
func TestForms(t *testing.T) {
	race.Sequential(t)
	s, rules := builtIn(), useful()
	if len(rules.Forms) < 3000 {
		t.Errorf("%d Forms", len(rules.Forms))
	}
	r := rand.New(rand.NewPCG(1, 2))
	judged, wrong := 0, 0
	for i := range rules.Forms {
		f := &rules.Forms[i]
		for range 4 {
			line := f.Example(r)
			if f.caught(line, rules.guards) {
				continue
			}
			judged++
			if d := s.Judge(line); d != policy.Allow {
				if wrong++; wrong < 40 {
					t.Errorf("%s: %s (%s, %s:%d)", d, line, f.Rule.ID, f.Rule.File, f.Rule.Line)
				}
			}
		}
	}
	if judged < 10000 {
		t.Errorf("only %d lines were judged", judged)
	}
	t.Logf("%d Forms, %d lines, %d wrong", len(rules.Forms), judged, wrong)
}

// caught reports whether targets refuse a line for what its words say.
func (f *Form) caught(line string, g *guards) bool {
	lower := strings.ToLower(line)
	if g.secret(lower) || strings.Contains(line, " +") || strings.Contains(line, " '+") || strings.Contains(line, "~") {
		return true
	}
	for _, word := range strings.Fields(line) {
		word = strings.Trim(word, `'"`)
		for _, glob := range f.Except {
			if match.Glob(glob, word) || match.Glob(glob, strings.ToLower(word)) {
				return true
			}
		}
	}
	if !f.Reads {
		return false
	}
	if strings.Contains(line, "..") || strings.Contains(line, "//") || strings.Contains(line, "/.") {
		return true
	}
	for _, word := range strings.FieldsFunc(lower, func(r rune) bool { return strings.ContainsRune(` '"=:,@%`, r) }) {
		word = strings.TrimSuffix(word, "/")
		for _, dir := range g.above {
			if word == dir {
				return true
			}
		}
	}
	return false
}

func BenchmarkCollect(b *testing.B) {
	s := builtIn()
	for b.Loop() {
		Collect(s, false)
	}
}

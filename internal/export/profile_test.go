package export

import (
	"math/rand/v2"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/race"
	"github.com/bashgate/bashgate/policy"
)

// TestProfiles holds the Forms of each profile to what they say, in a project
// and outside of it.
func TestProfiles(t *testing.T) {
	race.Sequential(t)
	for _, profile := range gates.Profiles {
		if profile == "default" {
			continue
		}
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			e := engine.New(engine.Options{})
			s := &Source{Gates: gates.All[:], ByName: true}
			for name := profile; name != "" && name != "default"; {
				g := gates.Profile(name)
				s.Gates, name = append(s.Gates[:len(s.Gates):len(s.Gates)], g), g.Profile.Extends
			}
			s.Judge = func(command string) policy.Decision {
				strictest := policy.Allow
				for _, cwd := range []string{"/home/user/project", "/opt/elsewhere"} {
					strictest = max(strictest, e.Evaluate(engine.Request{
						Command: command, Cwd: cwd, Workspace: "/home/user/project", Home: "/home/user", Profile: profile,
					}).Decision)
				}
				return strictest
			}
			rules := Collect(s, false)
			r := rand.New(rand.NewPCG(3, 4))
			wrong := 0
			for i := range rules.Forms {
				f := &rules.Forms[i]
				for range 2 {
					line := f.Example(r)
					if f.caught(line, rules.guards) {
						continue
					}
					if d := s.Judge(line); d != policy.Allow {
						if wrong++; wrong < 20 {
							t.Errorf("%s: %s (%s, %s:%d)", d, line, f.Rule.ID, f.Rule.File, f.Rule.Line)
						}
					}
				}
			}
			t.Logf("%d Forms, %d lines wrong", len(rules.Forms), wrong)
		})
	}
}

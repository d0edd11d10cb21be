package host

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// Of every agent a payload can be written that it would understand itself, with
// whatever is in the command.
func TestSample(t *testing.T) {
	const command = "echo \"a\tb\" '</script>' \u2028 \\n"
	for _, h := range All() {
		found := false
		for _, e := range h.Events {
			data, q, err := h.Sample(e.Name, command, "/w", func(string) string { return "" })
			if err != nil {
				continue
			}
			found = true
			if q.Request.Command != command || q.Request.Host != h.Name || q.Event != BeforeToolUse {
				t.Errorf("%s %s: %s is read as %+v", h.Name, e.Name, data, q)
			}
			if e.Event != BeforeToolUse {
				t.Errorf("%s decides at %s", h.Name, e.Name)
			}
		}
		if !found {
			t.Errorf("%s: no event with a command", h.Name)
		}
		if _, _, err := h.Sample("NoSuchEvent", command, "/w", func(string) string { return "" }); err == nil {
			t.Errorf("%s: an event that is unknown", h.Name)
		}
	}
}

// What an agent is answered is what it understands, and not more.
func TestUnderstands(t *testing.T) {
	for _, h := range All() {
		q := &Question{Event: BeforeToolUse, Name: h.EventName(BeforeToolUse)}
		for _, want := range []policy.Decision{policy.Skip, policy.Allow, policy.Ask, policy.Block} {
			a := h.Answer(q, want, "bashgate: \"why\"; {}")
			d, ok := h.Understands(q, a)
			if same := h.Answer(q, d, "bashgate: \"why\"; {}"); !ok || string(same.Stdout) != string(a.Stdout) || same.Exit != a.Exit {
				t.Errorf("%s: %s is understood as %s, %v", h.Name, want, d, ok)
			}
			a.Stdout = append([]byte("Welcome!\n"), a.Stdout...)
			if d, ok := h.Understands(q, a); ok && len(a.Stdout) > 0 && a.Exit == 0 {
				t.Errorf("%s: %s is understood as %s", h.Name, a.Stdout, d)
			}
			a = Answer{Exit: 1}
			if d, ok := h.Understands(q, a); ok && d < policy.Block {
				t.Errorf("%s: exit status 1 is understood as %s", h.Name, d)
			}
		}
		if d, ok := h.Understands(q, h.Fail("bashgate: late")); !ok || d != policy.Block {
			t.Errorf("%s: a failed hook is understood as %s, %v", h.Name, d, ok)
		}
	}
}

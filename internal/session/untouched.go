package session

import (
	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Rewrites reports whether commands of a line that are no code of the project
// change what lies in some directories, absolute, or bring back what lay there:
// what the project's code is then the line itself decides. So it is where code of
// the project goes on running, or runs again.
func Rewrites(nodes []engine.Node, dirs []string) bool {
	for i := range nodes {
		n := &nodes[i]
		if Rewrites(n.Children, dirs) {
			return true
		}
		if n.Code() {
			if n.Again() || n.Aside() || n.Effects&policy.Endless != 0 {
				return true // what it will run then somebody may have written until then
			}
			continue
		}
		if restores(n) {
			return true
		}
		for _, w := range append(n.Writes[:len(n.Writes):len(n.Writes)], n.Alters()...) {
			for _, dir := range dirs {
				if below(w.Path, dir) || below(dir, w.Path) || w.Pattern && (match.PathGlob(w.Path, dir) || below(fixed(w.Path), dir) || below(dir, fixed(w.Path))) {
					return true
				}
			}
		}
	}
	return false
}

// HasCode reports whether a line runs code of the project, its hooks among it.
func HasCode(nodes []engine.Node) bool {
	for i := range nodes {
		if nodes[i].Code() || nodes[i].Hooked() || HasCode(nodes[i].Children) {
			return true
		}
	}
	return false
}

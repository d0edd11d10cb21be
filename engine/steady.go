package engine

import (
	"github.com/bashgate/bashgate/policy"
)

// An answer that depends on where a path leads, or on the branch that is
// checked out, holds as long as the same line does not change that: the disk
// is looked at before anything runs.

// relied is something that an answer depends on.
type relied struct {
	path string // with links followed; "": the state of the repository
	text bool   // on what the file holds, too
	at   int    // how many writes, or moves of the repository, had been seen
}

// steady reports whether no earlier command has changed where a path leads,
// and keeps an eye on later ones.
func (j *judge) steady(n *Node, t target) bool {
	if j.turned(n, t) {
		return false
	}
	j.relied = append(j.relied, relied{path: t.real})
	return true
}

// turned reports whether an earlier command may have changed where a path
// leads.
func (j *judge) turned(n *Node, t target) bool {
	kind := linking
	if j.own.text {
		kind = foreignLinks
	}
	return j.wrote.covering(t.path, kind).before(n.since) || j.wrote.covering(t.real, kind).before(n.since)
}

// counted notes that what a command depends on has nothing to fear from its
// own writes. first is how much was depended on before it.
func (j *judge) counted(first int) {
	for i := first; i < len(j.relied); i++ {
		r := &j.relied[i]
		if r.path == "" {
			r.at = max(r.at, j.moves)
		} else {
			r.at = max(r.at, len(j.wrote.list))
		}
	}
}

// untouched reports whether no earlier command has changed what a file holds.
func (j *judge) untouched(n *Node, t target) bool {
	if j.wrote.of(t.path, anyWrite).before(n.since) || j.wrote.of(t.real, anyWrite).before(n.since) || j.wrote.of("", anyWrite).before(n.since) {
		return false
	}
	j.relied = append(j.relied, relied{path: t.real, text: true})
	return true
}

// turnedLater asks about what an answer depended on and a later command
// changes, where it may come first: in a loop, or side by side.
func (j *judge) turnedLater() []Node {
	if len(j.relied) == 0 || !j.outOfOrder() {
		return nil
	}
	for _, r := range j.relied {
		what := ""
		switch {
		case r.path == "" && j.moves > r.at:
			what = "the repository"
		case r.path != "" && (j.wrote.covering(r.path, linking).since(r.at) || r.text && j.wrote.of(r.path, anyWrite).since(r.at)):
			what = j.shown(r.path, 0)
		}
		if what != "" {
			n := engineNode("lift.changed", policy.Ask, "Changes what an allow of yours depends on: "+what, what)
			n.Reasons[0].Pos.Line = lastLine
			return []Node{n}
		}
	}
	return nil
}

package engine

import (
	"slices"

	"github.com/bashgate/bashgate/internal/match"
)

// once are sets of what stands in the lists of a node, so that a list names
// nothing twice and a long one is not looked through for each of its entries.
type once struct {
	reads, writes, runs set[Place]
	sights              set[Sight]
	rows                set[rowKey]
}

// rowKey is what an asking row is told apart by.
type rowKey struct {
	rule *match.PathRule
	op   op
	word string
}

// manyEntries is how long a list is at least where there is a set beside it.
const manyEntries = 16

// set holds the first entries of a list that only grows.
type set[T comparable] struct {
	has  map[T]struct{}
	upTo int
}

// holds reports whether a long list has an entry. At makes out what stands in
// the list.
func (s *set[T]) holds(n int, at func(int) T, entry T) bool {
	if s.has == nil {
		s.has = make(map[T]struct{}, 2*n)
	}
	for ; s.upTo < n; s.upTo++ {
		s.has[at(s.upTo)] = struct{}{}
	}
	_, ok := s.has[entry]
	return ok
}

// adds appends an entry to a list that does not have it.
func adds[T comparable](n *Node, of func(*once) *set[T], list []T, entry T) []T {
	if len(list) < manyEntries {
		if slices.Contains(list, entry) {
			return list
		}
	} else {
		if n.once == nil {
			n.once = new(once)
		}
		if of(n.once).holds(len(list), func(i int) T { return list[i] }, entry) {
			return list
		}
	}
	return append(list, entry)
}

func (n *Node) reads(t target) {
	n.Reads = adds(n, func(o *once) *set[Place] { return &o.reads }, n.Reads, Place{t.real, t.pattern})
}

func (n *Node) writes(t target) {
	n.Writes = adds(n, func(o *once) *set[Place] { return &o.writes }, n.Writes, Place{t.real, t.pattern})
}

func (n *Node) runs(t target) {
	n.Runs = adds(n, func(o *once) *set[Place] { return &o.runs }, n.Runs, Place{t.real, t.pattern})
}

func (n *Node) sight(s Sight) {
	n.Sights = adds(n, func(o *once) *set[Sight] { return &o.sights }, n.Sights, s)
}

// asksRow reports whether a row about a word is among those that ask.
func (n *Node) asksRow(rule *match.PathRule, o op, word string) bool {
	is := func(r askingRow) rowKey { return rowKey{r.rule, r.op, r.word.Text} }
	want := rowKey{rule, o, word}
	if len(n.rows) < manyEntries {
		return slices.ContainsFunc(n.rows, func(r askingRow) bool { return is(r) == want })
	}
	if n.once == nil {
		n.once = new(once)
	}
	return n.once.rows.holds(len(n.rows), func(i int) rowKey { return is(n.rows[i]) }, want)
}

package engine

import (
	"iter"
	"slices"

	"github.com/bashgate/bashgate/internal/match"
)

// once are sets of what stands in the lists of a node, so that a list names
// nothing twice and a long one is not looked through for each of its entries.
type once struct {
	reads, writes, runs set[Place]
	sights              set[Sight]
	rows                set[rowKey]
	given               set[givenKey]
	lifts               map[string][]int // those about one thing, by that, and those about all, as indexes
	lifted              int              // so many of them
}

// rowKey is what an asking row is told apart by.
type rowKey struct {
	rule *match.PathRule
	op   op
	word string
}

// givenKey is what a reason of a row is told apart by.
type givenKey struct {
	id   string
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

// gives reports whether a row of an id has asked about a word.
func (n *Node) gives(id string, o op, word string) bool {
	is := func(r *askingRow) givenKey { return givenKey{r.rule.ID, r.op, r.word.String()} }
	want := givenKey{id, o, word}
	if len(n.rows) < manyEntries {
		for i := range n.rows {
			if r := &n.rows[i]; r.rule.ID == id && is(r) == want {
				return true
			}
		}
		return false
	}
	if n.once == nil {
		n.once = new(once)
	}
	return n.once.given.holds(len(n.rows), func(i int) givenKey { return is(&n.rows[i]) }, want)
}

// liftsOf are the lifts that may drop a reason about something, in their order.
func (n *Node) liftsOf(about string) iter.Seq[*lift] {
	return func(yield func(*lift) bool) {
		if len(n.lifts) < manyEntries {
			for i := range n.lifts {
				if !yield(&n.lifts[i]) {
					return
				}
			}
			return
		}
		if n.once == nil {
			n.once = new(once)
		}
		o := n.once
		if o.lifts == nil {
			o.lifts = make(map[string][]int)
		}
		for ; o.lifted < len(n.lifts); o.lifted++ {
			what := n.lifts[o.lifted].what
			o.lifts[what] = append(o.lifts[what], o.lifted)
		}
		all, some := o.lifts[""], o.lifts[about]
		if about == "" {
			some = nil
		}
		for len(all)+len(some) > 0 {
			var next int
			if len(some) == 0 || len(all) > 0 && all[0] < some[0] {
				next, all = all[0], all[1:]
			} else {
				next, some = some[0], some[1:]
			}
			if !yield(&n.lifts[next]) {
				return
			}
		}
	}
}

package engine

import (
	"fmt"
	"slices"
	"testing"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Long lists of a node hold what short ones would, each thing once.
func TestLists(t *testing.T) {
	var n Node
	var want []Place
	for i := range 4 * manyEntries {
		p := Place{fmt.Sprint("/f", i*i%37), i%5 == 0}
		if !slices.Contains(want, p) {
			want = append(want, p)
		}
		n.reads(target{real: p.Path, pattern: p.Pattern})
		n.sight(Sight{What: p.Path})
	}
	if !slices.Equal(n.Reads, want) {
		t.Errorf("%v, want %v", n.Reads, want)
	}
	for i, s := range n.Sights {
		if slices.Contains(n.Sights[:i], s) {
			t.Errorf("%v is there twice", s)
		}
	}

	rules := []*match.PathRule{{ID: "a"}, {ID: "b"}}
	for i := range 3 * manyEntries {
		rule, o, word := rules[i%2], op(i%3), fmt.Sprint(i%11)
		row := slices.ContainsFunc(n.rows, func(r askingRow) bool { return r.rule == rule && r.op == o && r.word.Text == word })
		if n.asksRow(rule, o, word) != row || n.gives(rule.ID, o, word) != row {
			t.Errorf("row %d: %v and %v, want %v", i, n.asksRow(rule, o, word), n.gives(rule.ID, o, word), row)
		}
		n.rows = append(n.rows, askingRow{rule: rule, op: o, word: policy.Const(word)})
	}

	for i := range 3 * manyEntries {
		n.lifts = append(n.lifts, lift{what: [...]string{"", "read a", "read b"}[i%3]})
		for _, about := range []string{"", "read a", "read c"} {
			var got, want []*lift
			for l := range n.liftsOf(about) {
				if l.what == "" || l.what == about {
					got = append(got, l)
				}
			}
			for k := range n.lifts {
				if l := &n.lifts[k]; l.what == "" || l.what == about {
					want = append(want, l)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%d lifts of %d about %q, want %d", len(got), len(n.lifts), about, len(want))
			}
		}
	}
}

package engine

import (
	"math/rand/v2"
	"path"
	"slices"
	"testing"
)

// The tree of what a line writes answers as a look through the list does.
func TestWrites(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	paths := []string{"", "/", "/a", "/a/b", "/a/b/c", "/a/bc", "/ab", "/b", "/b/a", "/b/a/b", "/b/*", "/?/a", "/?"}
	pick := func() string { return paths[random.IntN(len(paths))] }
	for range 200 {
		var ws writes
		for range manyWrites + random.IntN(10) {
			ws.list = append(ws.list, wrote{path: pick(), known: random.IntN(2) == 0, links: random.IntN(2) == 0, own: random.IntN(2) == 0})
			if random.IntN(4) == 0 {
				ws.rooted() // it may grow later
			}
		}
		p := pick()
		if p == "" {
			continue
		}
		check := func(what string, got, want span) {
			if got != want {
				t.Fatalf("%s %q: %v, want %v, of %+v", what, p, got, want, ws.list)
			}
		}
		for k := range writeKinds {
			check("covering", ws.covering(p, k), ws.scan(k, func(w *wrote) bool { return w.covers(p) }))
			check("of", ws.of(p, k), ws.scan(k, func(w *wrote) bool { return w.path == p }))
			check("below", ws.below(p, k), ws.scan(k, func(w *wrote) bool { return within(w.path, p) }))
		}
		check("in", ws.in(p), ws.scan(anyWrite, func(w *wrote) bool { return path.Dir(w.path) == p }))
		few := writes{list: ws.list[:manyWrites-1]}
		ws = writes{list: slices.Concat(few.list, []wrote{{path: "/else/where"}})}
		for _, all := range []bool{false, true} {
			got, want := ws.namesIn(p, all), few.namesIn(p, all)
			slices.Sort(got)
			slices.Sort(want)
			if got, want = slices.Compact(got), slices.Compact(want); !slices.Equal(got, want) {
				t.Fatalf("names in %q: %q, want %q, of %+v", p, got, want, ws.list)
			}
		}
	}
}

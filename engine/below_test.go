package engine

import (
	"path"
	"slices"
	"testing"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
)

// What is removed with a directory is found by an index; it names the rows that a
// look through all of them does.
func TestBelow(t *testing.T) {
	x := (&judge{engine: New(Options{})}).newPlaces()
	p := &x.parts[0]
	forms := map[string]bool{"/nowhere": true, "./x": true, "x": true}
	var own []string
	for i := range p.Rows {
		rule := &gates.All[p.Rows[i].Gate].Paths[p.Rows[i].Row]
		if !rule.Own {
			continue
		}
		for _, glob := range rule.Globs {
			if glob[0] == '!' {
				continue
			}
			own = append(own, glob)
			for dir := glob; ; dir = path.Dir(dir) {
				forms[dir], forms[dir+"x"], forms[dir+"/x"] = true, true, true
				if path.Dir(dir) == dir || dir == "~" || dir == "." {
					break
				}
			}
		}
	}
	for _, dir := range match.AboveHome {
		forms[dir] = true
	}
	forms["~/.codeium/some"] = true // a name for the star of a row
	above := 0
	for form := range forms {
		s := search{op: opDelete, every: true}
		s.lookBelow(p, []string{form})
		var got, want []string
		for _, a := range s.all {
			got = append(got, a.rule.ID+" "+a.rule.Globs[0])
		}
		for i := range p.Rows {
			rule := &gates.All[p.Rows[i].Gate].Paths[p.Rows[i].Row]
			if rule.Own && slices.ContainsFunc(rule.Globs, func(glob string) bool { return glob[0] != '!' && isAbove(form, glob) }) {
				want = append(want, rule.ID+" "+rule.Globs[0])
				above++
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if got = slices.Compact(got); !slices.Equal(got, slices.Compact(want)) {
			t.Errorf("with %s are removed %q, want %q", form, got, want)
		}
	}
	if above < 20 || len(own) < 50 {
		t.Errorf("%d globs, %d of them below a directory: too few to tell anything", len(own), above)
	}
}

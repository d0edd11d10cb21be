package engine

import (
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// The index finds the row that trying them all finds, for paths of every kind
// that the rows name, for those above and below, and for others; with the
// built-in rows alone, and with rows of others before and behind them.
func TestIndexFindsTheSame(t *testing.T) {
	row := func(id string, d policy.Decision, globs ...string) match.PathRule {
		return match.PathRule{ID: id, Globs: globs, Read: d, Write: d, Delete: d, Tree: d == policy.Ask}
	}
	before := []*match.Gate{
		{Paths: []match.PathRule{row("managed.ssh", policy.Ask, "~/.ssh/**", "!~/.ssh/config"), row("managed.etc", policy.Block, "/etc/*.d/**")}},
		{Paths: []match.PathRule{row("managed.pem", policy.Block, "**/*.pem"), row("managed.src", policy.Ask, "/srv/project/**")}},
	}
	behind := []*match.Gate{
		{Paths: []match.PathRule{row("user.env", policy.Allow, "**/.env"), row("user.src", policy.Ask, "/srv/project/src/**")}},
		{},
		{Paths: []match.PathRule{row("user.home", policy.Block, "~/src/**"), row("user.ssh", policy.Ask, "~/.ssh/**")}},
	}
	t.Run("built-in", func(t *testing.T) { sameRows(t, slices.Values(gates.All[:]), newPlaceIndex(nil, nil)) })
	t.Run("with others", func(t *testing.T) {
		sameRows(t, slices.Values(slices.Concat(before, gates.All[:], behind)), newPlaceIndex(before, behind))
	})
	t.Run("any path", func(t *testing.T) {
		anything := []*match.Gate{{Paths: []match.PathRule{
			row("user.all", policy.Ask, "**"), row("user.below", policy.Block, "**/**"), row("user.start", policy.Block, "**q"),
			row("user.root", policy.Ask, "**/"), row("user.inside", policy.Block, "./**/.*", "./**"),
		}}}
		sameRows(t, slices.Values(slices.Concat(gates.All[:], anything)), newPlaceIndex(nil, anything))
	})
	t.Run("behind alone", func(t *testing.T) {
		sameRows(t, slices.Values(slices.Concat(gates.All[:], behind)), newPlaceIndex(nil, behind))
	})
}

func sameRows(t *testing.T, all iter.Seq[*match.Gate], index *placeIndex) {
	forms := []string{"/", "~", "/home", "/Users", "/private", "/srv/project/src/main.go", "~/src/x.go", "/tmp/x", "/srv/.env.example", "."}
	for g := range all {
		for i := range g.Paths {
			for _, glob := range g.Paths[i].Globs {
				glob = strings.TrimPrefix(glob, "!")
				for _, stars := range [...]string{"x", "a.b", ".x"} {
					form := strings.NewReplacer("**", "d/"+stars, "*", stars, "?", "x").Replace(glob)
					if !strings.HasPrefix(form, "/") && !strings.HasPrefix(form, "~") {
						form = "/srv/" + form
					}
					forms = append(forms, form, form+"/below")
					for dir := path.Dir(form); len(dir) > 1; dir = path.Dir(dir) {
						forms = append(forms, dir)
					}
				}
			}
		}
	}
	slices.Sort(forms)
	forms = slices.Compact(forms)
	found := 0
	for i, form := range forms {
		several := []string{form, forms[(i*7)%len(forms)]}
		for _, o := range [...]op{opRead, opWrite, opDelete} {
			for _, forms := range [...][]string{several[:1], several} {
				want, got := tryAll(all, forms, o), index.strictest(forms, false, o)
				if want != got {
					t.Errorf("%q, op %v: the index finds %s, trying all %s", forms, o, rowID(got), rowID(want))
				}
				if want != nil {
					found++
				}
				if i%8 != 0 {
					continue
				}
				forms := withHomes(forms)
				want, got = nil, index.own(forms, o)
				for _, g := range gates.All {
					for i := range g.Paths {
						if r := &g.Paths[i]; r.Own && ruleDecision(r, o) > policy.Allow && asksAbout(r, forms, false, o) && (want == nil || ruleDecision(r, o) > ruleDecision(want, o)) {
							want = r
						}
					}
				}
				if want != got {
					t.Errorf("%q, op %v: the index finds %s of the gate's own, trying all %s", forms, o, rowID(got), rowID(want))
				}
			}
		}
	}
	if len(forms) < 1000 || found < 1000 {
		t.Errorf("%d paths, %d rows found", len(forms), found)
	}
	patterns := 0
	for k, form := range forms {
		if k%4 == 0 {
			patterns += sameAbout(t, all, index, form, false)
		}
		if k%64 != 0 {
			continue
		}
		for i := 1; i < len(form); i++ {
			if (i+k/64)%7 != 0 || form[i] == '/' {
				continue
			}
			for _, part := range [...]string{"*", "?", "[a-z]", "*" + form[i:i+1] + "*", "@(" + form[i:i+1] + ")"} {
				patterns += sameAbout(t, all, index, form[:i]+part+form[i+1:], true)
			}
		}
		patterns += sameAbout(t, all, index, path.Dir(form)+"/*", true) + sameAbout(t, all, index, path.Dir(form)+"/*"+path.Ext(form), true)
	}
	if patterns < 1000 {
		t.Errorf("%d patterns are about something", patterns)
	}
}

// withHomes adds the other forms of those below a home directory, against which
// what holds anywhere is held.
func withHomes(forms []string) []string {
	for _, form := range forms {
		if form[0] == '~' {
			forms = append(forms[:len(forms):len(forms)], "/home/u"+form[1:])
		}
	}
	return forms
}

// sameAbout compares what the index says is about a path with what trying all rows
// finds.
func sameAbout(t *testing.T, all iter.Seq[*match.Gate], index *placeIndex, form string, pattern bool) int {
	var want []*match.PathRule
	forms := withHomes([]string{form})
	for g := range all {
		for i := range g.Paths {
			if meets(&g.Paths[i], forms, pattern) {
				want = append(want, &g.Paths[i])
			}
		}
	}
	var got []*match.PathRule
	for _, a := range index.about(forms, pattern) {
		got = append(got, a.rule)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q: the index finds %d rows, trying all %d", form, len(got), len(want))
		for _, r := range want {
			if !slices.Contains(got, r) {
				t.Logf("not found: %s %q", r.ID, r.Globs)
			}
		}
	}
	return len(want)
}

func rowID(rule *match.PathRule) string {
	if rule == nil {
		return "none"
	}
	return rule.ID
}

// A table of users may be larger than all of the built-in ones: no row of it is lost.
func TestIndexOfManyRows(t *testing.T) {
	g := &match.Gate{}
	for i := range 40000 {
		name := fmt.Sprintf("d%d", i)
		g.Paths = append(g.Paths, match.PathRule{ID: name, Globs: []string{"/srv/" + name + "/**", "**/" + name}, Read: policy.Block, Write: policy.Block})
	}
	wide := match.PathRule{ID: "wide", Read: policy.Block}
	for i := range 70000 {
		wide.Globs = append(wide.Globs, fmt.Sprintf("/opt/w%d", i))
	}
	index := newPlaceIndex(nil, []*match.Gate{g, {Paths: []match.PathRule{wide}}})
	for form, want := range map[string]string{"/srv/d7/x": "d7", "/srv/d39999/x": "d39999", "/x/d39998": "d39998", "/opt/w69999": "wide", "/opt/w3": "wide", "/srv/d40000/x": "none"} {
		if got := rowID(index.strictest([]string{form}, false, opRead)); got != want {
			t.Errorf("%s: %s, want %s", form, got, want)
		}
	}
}

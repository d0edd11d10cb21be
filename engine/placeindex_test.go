package engine

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
)

// The index finds the row that trying them all finds, for paths of every kind
// that the rows name, for those above and below, and for others.
func TestIndexFindsTheSame(t *testing.T) {
	all := slices.Values(gates.All[:])
	index := newPlaceIndex(all)
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
			}
		}
	}
	if len(forms) < 1000 || found < 1000 {
		t.Errorf("%d paths, %d rows found", len(forms), found)
	}
}

func rowID(rule *match.PathRule) string {
	if rule == nil {
		return "none"
	}
	return rule.ID
}

package engine

import (
	"math/rand/v2"
	"testing"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// TestApart: two patterns that some name matches are neither apart nor without
// overlap. All that is about patterns asks that first.
func TestApart(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	parts := []string{"a", "b", "c", ".", "-", "*", "?", "[ab]", "[!c]", "*", "a"}
	pattern := func() (p string) {
		for range 1 + r.IntN(5) {
			p += parts[r.IntN(len(parts))]
		}
		return p
	}
	both := 0
	for range 200000 {
		a, b := pattern(), pattern()
		name := ""
		for range 1 + r.IntN(4) {
			name += parts[r.IntN(5)]
		}
		if !match.PathGlob(a, name) || !match.PathGlob(b, name) {
			continue
		}
		both++
		if apart(a, b) || !overlap(a, b) {
			t.Fatalf("%q and %q: %s is both", a, b, name)
		}
	}
	if both < 1000 {
		t.Errorf("%d pairs have a name in common", both)
	}
}

func holdsRow(rows []aboutPath, rule *match.PathRule) bool {
	for _, a := range rows {
		if a.rule == rule {
			return true
		}
	}
	return false
}

// TestApartNames: what begins or ends otherwise than a row's name is not what the row
// is about, though either holds brackets: no file is both.
func TestApartNames(t *testing.T) {
	for _, row := range []struct {
		pattern, glob string
		about         bool
	}{
		{"k*.pem", "[ab].txt", false},
		{"k*.pem", "[kl]*.pem", true},
		{"notes*.md", "secret*.md", false},
		{"s?cret*.md", "secret*.md", true},
		{"@(id_rsa|x)", "id_rsa*", true},
		{"(#a1)id_rsb", "id_rsa*", true},
		{"[a-z]elow", "lefthook.y*ml", true}, // brackets are held to be any text
	} {
		gate := &match.Gate{Paths: []match.PathRule{{ID: "mine", Globs: []string{"**/" + row.glob}, Read: policy.Block}}}
		about := holdsRow(newPlaceIndex(nil, []*match.Gate{gate}).about([]string{"/srv/" + row.pattern}, true), &gate.Paths[0])
		if about != row.about {
			t.Errorf("%s and **/%s: %t, want %t", row.pattern, row.glob, about, row.about)
		}
	}
}

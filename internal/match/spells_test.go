package match

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestSpells: a line holds a spelling that is one of its words.
func TestSpells(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func(n int) string {
		b := make([]byte, r.IntN(n))
		for i := range b {
			b[i] = "-ab "[r.IntN(4)]
		}
		return string(b)
	}
	for range 200000 {
		line, spelling := text(12), text(5)
		if spelling == "" && line != "" {
			continue // no word is empty
		}
		if want := slices.Contains(strings.Split(line, " "), spelling); spells(line, spelling) != want {
			t.Fatalf("%q in %q: %t", spelling, line, !want)
		}
	}
}

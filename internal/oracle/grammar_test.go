//go:build linux

package main

import (
	"strings"
	"testing"
)

// TestProductions holds that every name of the grammar has its options, and
// that every production is used.
func TestProductions(t *testing.T) {
	used := map[string]bool{"line": true, "token": true, "damage": true, "simple": true, "compound": true}
	for name, options := range allProductions {
		for _, option := range options {
			for _, piece := range strings.Split(option, "«")[1:] {
				name, _, ok := strings.Cut(piece, "»")
				if !ok {
					t.Errorf("%s: %q ends in a name", name, option)
				}
				name, _, _ = strings.Cut(strings.TrimSuffix(name, "'"), "*")
				used[name] = true
			}
		}
		if len(options) == 0 {
			t.Errorf("%s has no options", name)
		}
	}
	used["statement"] = false
	for name, used := range used {
		if used && allProductions[name] == nil {
			t.Errorf("the grammar has no %s", name)
		}
	}
	for name := range allProductions {
		if !used[name] {
			t.Errorf("nothing uses %s", name)
		}
	}
}

// TestSeed holds that a seed means the same lines.
func TestSeed(t *testing.T) {
	a, b, other := newGrammar(1, 2), newGrammar(1, 2), newGrammar(1, 3)
	same := 0
	for range 1000 {
		line, _ := a.line()
		if got, _ := b.line(); got != line {
			t.Fatalf("one seed makes %q and %q", line, got)
		}
		if got, _ := other.line(); got == line {
			same++
		}
	}
	if same > 100 {
		t.Errorf("two streams share %d of 1000 lines", same)
	}
}

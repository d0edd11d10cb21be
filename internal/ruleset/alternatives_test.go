package ruleset

import (
	"slices"
	"testing"
)

func TestGlobs(t *testing.T) {
	for list, want := range map[string][]string{
		"a":      {"a"},
		"a|b*":   {"a", "b*"},
		`a\|b|c`: {`a\|b`, "c"},
		`\\|b`:   {`\\`, "b"},
		"a||b":   {"a", "", "b"},
		"|":      {"", ""},
		`a\`:     {`a\`},
	} {
		if got := globs(list); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", list, got, want)
		}
	}
}

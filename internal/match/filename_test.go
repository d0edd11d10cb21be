package match

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestFileSigns: a wildcard in a name of a file stands for no slash, and neither does what
// a loop over such names gives; where more may come of it, anything may.
func TestFileSigns(t *testing.T) {
	star := policy.Part{Kind: policy.Glob, Text: "*"}
	found := func(pattern string) policy.Part { return policy.Part{Kind: policy.Hole, Match: pattern} }
	for _, r := range []struct {
		glob  string
		parts []policy.Part
		want  bool
	}{
		{"a*:*/*", []policy.Part{star}, false},
		{"a*:*", []policy.Part{star}, true},
		{"a*:*/*", []policy.Part{{Text: "a:"}, star, {Text: "/x"}}, true},
		{"a*:*/*", []policy.Part{star, {Text: "/b"}}, true},
		{"a*:*/*", []policy.Part{star, star}, true}, // globstar
		{"a*:*/*", []policy.Part{star, {Text: "(:A)"}}, true},
		{"a*:*/*", []policy.Part{{Kind: policy.Glob, Text: "@(a/b)"}}, true},
		{"a*:*/*", []policy.Part{found("*.crt")}, false},
		{"a*:*/*", []policy.Part{found("*/*.crt")}, true},
		{"a*:*/*", []policy.Part{found("**")}, true},
		{"a*:*/*", []policy.Part{{Kind: policy.Hole}}, true},
		{"a*..*", []policy.Part{{Text: "a"}, star}, true},
	} {
		if got := mayMatch(r.glob, policy.Word{Parts: r.parts}); got != r.want {
			t.Errorf("mayMatch(%q, %v) = %v, want %v", r.glob, r.parts, got, r.want)
		}
	}
}

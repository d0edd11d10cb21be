package match

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestNamesHoldNoSigns holds a glob against words of which a part is the name of a
// revision.
func TestNamesHoldNoSigns(t *testing.T) {
	name := policy.Part{Kind: policy.Hole, Shape: policy.ShapeName}
	lit := func(s string) policy.Part { return policy.Part{Text: s} }
	for _, row := range []struct {
		glob string
		want policy.Tri
		word []policy.Part
	}{
		{"*:.env", policy.No, []policy.Part{name}},
		{"*:.env", policy.No, []policy.Part{name, lit(":README.md")}},
		{"*:.env", policy.Maybe, []policy.Part{name, lit(":.env")}},
		{"*:.ENV", policy.Maybe, []policy.Part{name, lit(":.env")}},
		{"*:.env", policy.Maybe, []policy.Part{name, lit(":."), name}},
		{"*:.env", policy.No, []policy.Part{name, lit(":"), name}},
		{"*:.env.[!est]*", policy.Maybe, []policy.Part{lit("x:.env."), name}},
		{"*:.[]e]nv", policy.Maybe, []policy.Part{name, lit(":.env")}},
		{`*:\.env`, policy.Maybe, []policy.Part{name, lit(":.env")}},
		{"*:?env", policy.Maybe, []policy.Part{name, lit(":.env")}},
		{"main", policy.Maybe, []policy.Part{name}},
		{"ma?n", policy.Maybe, []policy.Part{lit("m"), name}},
		{"a*b", policy.No, []policy.Part{name, lit("/x")}},
		{"*:.env", policy.Maybe, []policy.Part{{Kind: policy.Hole}}},
		{"*:.env", policy.Maybe, []policy.Part{{Kind: policy.Hole, Shape: policy.ShapeWord}}},
	} {
		if got := globWord(row.glob, policy.Word{Parts: row.word}); got != row.want {
			t.Errorf("%s against %v: %v, want %v", row.glob, row.word, got, row.want)
		}
	}
}

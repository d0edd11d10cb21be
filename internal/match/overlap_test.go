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
		want Tri
		word []policy.Part
	}{
		{"*:.env", No, []policy.Part{name}},
		{"*:.env", No, []policy.Part{name, lit(":README.md")}},
		{"*:.env", Maybe, []policy.Part{name, lit(":.env")}},
		{"*:.ENV", Maybe, []policy.Part{name, lit(":.env")}},
		{"*:.env", Maybe, []policy.Part{name, lit(":."), name}},
		{"*:.env", No, []policy.Part{name, lit(":"), name}},
		{"*:.env.[!est]*", Maybe, []policy.Part{lit("x:.env."), name}},
		{"*:.[]e]nv", Maybe, []policy.Part{name, lit(":.env")}},
		{`*:\.env`, Maybe, []policy.Part{name, lit(":.env")}},
		{"*:?env", Maybe, []policy.Part{name, lit(":.env")}},
		{"main", Maybe, []policy.Part{name}},
		{"ma?n", Maybe, []policy.Part{lit("m"), name}},
		{"a*b", No, []policy.Part{name, lit("/x")}},
		{"*:.env", Maybe, []policy.Part{{Kind: policy.Hole}}},
		{"*:.env", Maybe, []policy.Part{{Kind: policy.Hole, Shape: policy.ShapeWord}}},
	} {
		if got := globWord(row.glob, policy.Word{Parts: row.word}); got != row.want {
			t.Errorf("%s against %v: %v, want %v", row.glob, row.word, got, row.want)
		}
	}
}

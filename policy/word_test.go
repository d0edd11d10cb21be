package policy_test

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

func word(parts ...policy.Part) policy.Word { return policy.Word{Parts: parts} }

func lit(s string) policy.Part         { return policy.Part{Text: s} }
func glob(s string) policy.Part        { return policy.Part{Kind: policy.Glob, Text: s} }
func hole(s policy.Shape) policy.Part  { return policy.Part{Kind: policy.Hole, Text: "$x", Shape: s} }
func split(s policy.Shape) policy.Part { return policy.Part{Kind: policy.Split, Text: "$x", Shape: s} }

// TestWord asks of each word whether one of the words it becomes may begin
// with a dash, and whether it may become none or several.
func TestWord(t *testing.T) {
	const (
		anything, plain, number, path, paths = policy.ShapeAny, policy.ShapeWord, policy.ShapeNumber, policy.ShapePath, policy.ShapePaths
	)
	for _, row := range []struct {
		word    policy.Word
		option  bool
		several bool
	}{
		{policy.Const(""), false, false},
		{policy.Const("a"), false, false},
		{policy.Const("-a"), true, false},
		{policy.Const("a-"), false, false},
		{policy.Unknown("$x"), true, false},
		{policy.UnknownWords("$x"), true, true},
		{word(hole(plain)), false, false},
		{word(hole(number)), true, false},
		{word(hole(path)), false, false},
		{word(hole(paths)), false, false},
		{word(split(plain)), false, true}, // nothing, where the program fails
		{word(split(number)), true, false},
		{word(split(path)), true, true}, // "/a -b" is two words
		{word(split(paths)), false, true},
		{word(lit("-"), hole(anything)), true, false},
		{word(lit("./"), hole(anything)), false, false},
		{word(lit(""), hole(anything)), true, false},
		{word(lit(""), hole(plain)), false, false},
		{word(lit("./"), split(anything)), true, true}, // "./" and what follows a blank
		{word(lit("./"), split(plain)), false, false},
		{word(lit("./"), split(paths)), false, true},
		{word(hole(anything), lit(".txt")), true, false},
		{word(hole(path), lit("/-x")), false, false},
		{word(hole(plain), split(anything)), true, true},
		{word(glob("*"), lit(".go")), true, true},
		{word(lit("a"), glob("*")), false, true},
		{word(lit("-"), glob("*")), true, true},
		{word(lit("a"), glob("*"), split(anything)), true, true},
	} {
		if got := row.word.MayBeOption(); got != row.option {
			t.Errorf("%+v: may be an option: %v", row.word, got)
		}
		if got := row.word.MaySplit(); got != row.several {
			t.Errorf("%+v: may split: %v", row.word, got)
		}
	}
}

func TestPrefix(t *testing.T) {
	for _, row := range []struct {
		word policy.Word
		want string
	}{
		{policy.Const("abc"), "abc"},
		{word(lit("a"), lit("b"), hole(policy.ShapeAny), lit("c")), "ab"},
		{word(glob("*"), lit("c")), ""},
	} {
		if got := row.word.Prefix(); got != row.want {
			t.Errorf("%+v: prefix %q, want %q", row.word, got, row.want)
		}
	}
}

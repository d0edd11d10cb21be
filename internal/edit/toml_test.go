package edit

import "testing"

func TestList(t *testing.T) {
	for _, test := range []struct{ before, add, remove, after string }{
		{"", "x", "", "packs = [\"x\"]\n"},
		{"# mine\n", "x", "", "# mine\npacks = [\"x\"]\n"},
		{"# mine", "x", "", "# mine\npacks = [\"x\"]\n"},
		{"[hook]\nauto = \"ask\"\n", "x", "", "packs = [\"x\"]\n[hook]\nauto = \"ask\"\n"},
		{"packs = []\n", "x", "", "packs = [\"x\"]\n"},
		{"packs = [\"a\"] # why\n", "x", "", "packs = [\"a\", \"x\"] # why\n"},
		{"packs = [\"a\",] # why\n", "x", "", "packs = [\"a\", \"x\",] # why\n"},
		{"packs = [\n  \"a\", # one\n  'b', # two\n]\n", "x", "", "packs = [\n  \"a\", # one\n  'b', \"x\", # two\n]\n"},
		{"packs = [\"a\"]\n", "a", "", "packs = [\"a\"]\n"},
		{"packs = [\"a\"] # why\n", "", "a", "# why\n"},
		{"packs = [ \"a\" , ] # why\n", "", "a", "# why\n"},
		{"packs = [\"a\", \"b\", \"c\"]\n", "", "b", "packs = [\"a\", \"c\"]\n"},
		{"packs = [\"a\", \"b\",]\n", "", "b", "packs = [\"a\",]\n"},
		{"packs = [\"a\", \"a\"]\n", "", "a", ""},
		{"x = 1\npacks = [\n  \"a\", # ]\n]\n[hook]\n", "", "a", "x = 1\n[hook]\n"},
		{"é = 1\npacks = [\"é\", \"b\"]\n", "", "é", "é = 1\npacks = [\"b\"]\n"},
		{"packs = [\"a\"]\n", "", "x", "packs = [\"a\"]\n"},
	} {
		var add, remove []string
		if test.add != "" {
			add = []string{test.add}
		}
		if test.remove != "" {
			remove = []string{test.remove}
		}
		if test.before[:min(len(test.before), 2)] == "é" {
			test.before, test.after = "\"é\""+test.before[2:], "\"é\""+test.after[2:]
		}
		if got, err := List(test.before, "packs", add, remove); err != nil || got != test.after {
			t.Errorf("%q and %q, without %q: %q (%v), want %q", test.before, test.add, test.remove, got, err, test.after)
		}
	}
	for _, text := range []string{"packs = 1\n", "packs = [1]\n", "packs = [\n", "[packs]\n"} {
		if got, err := List(text, "packs", []string{"x"}, nil); err == nil {
			t.Errorf("%q became %q", text, got)
		}
	}
}

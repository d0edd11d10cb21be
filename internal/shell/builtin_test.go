package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestTablesAreSorted holds what looking a name up in them relies on.
func TestTablesAreSorted(t *testing.T) {
	if !slices.IsSortedFunc(builtins[:], func(a, b builtin) int { return strings.Compare(a.name, b.name) }) {
		t.Error("builtins are not sorted by name")
	}
	for _, b := range builtins {
		if builtinOf(b.name).name != b.name {
			t.Errorf("%s is not found", b.name)
		}
		if b.traits&special != 0 && b.traits&program != 0 && b.name != "source" {
			t.Errorf("%s is special to sh, and a program", b.name)
		}
	}
}

func TestGetopt(t *testing.T) {
	b := &builtin{options: "ab:c"}
	for _, row := range []struct{ words, options, operands string }{
		{"-a x", "a", "x"},
		{"-ac -bv x -c", "a c b=v", "x -c"},
		{"-b v -- -a", "b=v", "-a"},
		{"-cb", "c b", ""},
		{"-b", "b", ""},
		{"-b -a", "b=-a", ""},
		{"-z", "z alien", ""},
		{"-2 -a", "", "-2 -a"},
		{"- -a", "", "- -a"},
		{"-a $x -c", "a", "$x -c"},
		{"-b $x -c", "b=$x c", ""},
	} {
		var args []policy.Word
		for w := range strings.FieldsSeq(row.words) {
			if strings.HasPrefix(w, "$") {
				args = append(args, policy.UnknownWords(w))
			} else {
				args = append(args, policy.Const(w))
			}
		}
		o, rest := b.getopt(args)
		var options, operands []string
		for _, x := range o.list {
			text := string(x.letter)
			if x.given {
				text += "=" + x.value.String()
			}
			options = append(options, text)
		}
		if o.alien {
			options = append(options, "alien")
		}
		for _, w := range rest {
			operands = append(operands, w.String())
		}
		if got, left := strings.Join(options, " "), strings.Join(operands, " "); got != row.options || left != row.operands {
			t.Errorf("%q: %q and %q, want %q and %q", row.words, got, left, row.options, row.operands)
		}
	}
	none := &builtin{}
	if o, rest := none.getopt([]policy.Word{policy.Const("-a")}); len(o.list) != 0 || len(rest) != 1 {
		t.Error("a builtin without options takes one")
	}
}

// TestChooses holds qualifiers that only choose among files against those that run
// code, change names or let hidden files match, and against halves of them.
func TestChooses(t *testing.T) {
	for text, want := range map[string]bool{
		"N": true, ".N": true, "^/": true, "om[1,3]": true, "On[-1]": true, "Lk+10": true, "L0": true, "mh-2": true, "a5": true, "cM+1.": true,
		"": false, "e": false, "e:ls:": false, "+f": false, "D": false, ":t": false, "N:h": false, "P:x:": false, "oe": false, "o": false, "om+": false,
		"L": false, "Lk": false, "L+-1": false, "m": false, "mx": false, "[1": false, "[]": false, "[1,]": false, "[1,2,3]": false, "[a]": false, "5": false, "N N": false,
	} {
		if chooses(text) != want {
			t.Errorf("(%s): %v, want %v", text, !want, want)
		}
	}
}

// export -n takes a variable from what programs are given, whatever stands before it.
func TestUnexport(t *testing.T) {
	for _, before := range []string{"", "command ", "builtin ", "command builtin ", `\`} {
		text := "export x=1; " + before + "export -n x; ls"
		got := New().Read(Input{Text: text, Dialect: Bash, Dirs: []string{"/w"}})
		last := got.Commands[len(got.Commands)-1]
		if len(got.Findings) > 0 || len(last.Env) > 0 {
			t.Errorf("%s: %v, and ls is given %v", text, got.Findings, last.Env)
		}
	}
	for _, text := range []string{"declare -n x", "command declare -n x", "local -n x", "declare -xn x"} {
		if got := New().Read(Input{Text: text, Dialect: Bash}); len(got.Findings) == 0 {
			t.Errorf("%s is no reference", text)
		}
	}
}

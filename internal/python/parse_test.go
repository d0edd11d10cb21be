package python

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Texts that are refused, and where.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// Python 2.
		{"print 1", "1:7: expected the end of the line"},
		{"print >>a, b; exec 'c'", "1:20: expected the end of the line"},
		{"try: a\nexcept b, c as d: e", "2:13: expected \":\""},
		{"raise a, b", "1:8: expected the end of the line"},
		{"a <> b", "1:4: expected an expression"},
		{"`a`", "1:1: an invalid character"},
		{"07", "1:3: a decimal number that begins with 0"},
		{"1L", "1:2: an invalid number"},
		{"ur'a'", "1:3: expected the end of the line"},
		{"def f((a, b)): pass", "1:7: expected a name"},
		{"from __future__ import barry_as_FLUFL", "1:24: another syntax from __future__"},

		// Lines and margins.
		{" a", "1:2: expected an expression"},
		{"a\n b", "2:2: expected an expression"},
		{"if a:\nb", "2:1: expected an indented block"},
		{"if a:\n  b\n c", "3:2: no line before has this indentation"},
		{"if a:\n        b\n\tc", "3:2: tabs and spaces are mixed"},
		{"if a:\n\tb\n        c", "3:9: tabs and spaces are mixed"},
		{"if a:\n\tb\n                c", "3:17: expected an expression"},
		{"\\\na", "1:1: a backslash in the margin of a line"},
		{"a \\", "1:4: a backslash that is not at the end of the line"},
		{"a \\ \nb", "1:4: a backslash that is not at the end of the line"},
		{"a \\\n", "2:1: the text ends behind a backslash"},
		{"# a\rb", "1:4: a carriage return that ends no line"},
		{"'a\rb'", "1:3: a carriage return that ends no line"},
		{"a\vb", "1:2: an invalid character"},
		{"if a:", "1:6: expected an indented block"},
		{"if a: if b: c", "1:7: expected an expression"},
		{"a;;", "1:3: expected an expression"},
		{"@a\nb = c", "2:1: expected \"def\""},

		// Characters.
		{"a\x00", "1:2: a null byte"},
		{"'\xff'", "1:2: not UTF-8"},
		{"a\u00a0= b", "1:1: an unusual character in a name"},
		{"a = \u200bb", "1:5: an unusual character in a name"},
		{"a\u202e = b", "1:1: an unusual character in a name"},
		{"ﬁ = 1", "1:1: an unusual character in a name"},
		{"a$b", "1:2: an invalid character"},
		{"# coding: utf-7\na", "1:1: another encoding than UTF-8 is declared"},
		{"\n# -*- coding=koi8-r -*-\na", "2:1: another encoding than UTF-8 is declared"},
		{"# coding: latin-1\n'é'", "1:1: another encoding than UTF-8 is declared"},

		// Strings and numbers.
		{"'a", "1:1: a string that does not end"},
		{"'a\n'", "1:3: a string that does not end on its line"},
		{"'''a\n", "1:1: a string that does not end"},
		{"'\\x4'", "1:1: too few digits behind a backslash"},
		{"'\\ud80'", "1:1: too few digits behind a backslash"},
		{"'\\U00110000'", "1:1: no such character"},
		{"'\\N{}'", "1:1: a character without a name"},
		{"b'é'", "1:1: bytes that are not ASCII"},
		{"'a' b'b'", "1:1: strings of several kinds side by side"},
		{"t'a' 'b'", "1:1: strings of several kinds side by side"},
		{"f'{'", "1:4: a string that does not end"},
		{"f'}'", "1:3: a } that ends no field"},
		{"f'{}'", "1:4: expected an expression"},
		{"f'{a!}'", "1:6: expected a name"},
		{"f'{a! r}'", "1:7: expected s, r or a"},
		{"f'{a!x}'", "1:6: expected s, r or a"},
		{"f'{a:\\n}'", "1:6: a backslash or a line end in the format of a field"},
		{"f'{a b}'", "1:6: expected \"}\""},
		{"f'''{a # b\n}'''", "2:1: a comment in a field"},
		{"1_", "1:3: an invalid number"},
		{"1__0", "1:3: an invalid number"},
		{"0x", "1:3: an invalid number"},
		{"0o8", "1:3: an invalid number"},
		{"1abc", "1:2: an invalid number"},
		{strings.Repeat("1", 4301), "1:4302: too many digits"},

		// What is out of place.
		{"a = b := c", "1:7: expected the end of the line"},
		{"a := b", "1:3: expected the end of the line"},
		{"f() = a", "1:1: not assignable here"},
		{"a + b = c", "1:1: not assignable here"},
		{"None = a", "1:1: not assignable here"},
		{"(a, b) += c", "1:1: not assignable here"},
		{"a, b: c", "1:1: not assignable here"},
		{"*a", "1:1: a star outside of brackets"},
		{"(*a)", "1:4: a star outside of a tuple"},
		{"[*a for a in b]", "1:2: a star in a comprehension"},
		{"f(a for a in b, c)", "1:3: a generator among arguments that stands in no parentheses"},
		{"f(a=b, c)", "1:8: an argument without a name behind one with a name"},
		{"f(**a, *b)", "1:8: * behind **"},
		{"def f(a=b, c): d", "1:12: a parameter without a default behind one with a default"},
		{"def f(*): a", "1:8: expected a name"},
		{"def f(*, **a): b", "1:13: no name behind *"},
		{"del a()", "1:5: not assignable here"},
		{"for a in b in c: d\nfor f() in a: b", "2:5: not assignable here"},
		{"import a as b.c", "1:14: expected the end of the line"},
		{"from a import (b, c", "1:20: a ( is never closed"},
		{"from a import b,", "1:17: expected a name"},
		{"(]", "1:2: nothing that a ] could close"},
		{"try: a\nexcept: b\nexcept* c: d", "3:9: except beside except*"},
		{"match a:\n  b", "2:3: expected case"},
		{"match a:\n  case b.c as _: d", "2:16: a pattern as _"},
		{"match a:\n  case f'{b}': d", "2:8: a pattern with fields"},
	} {
		var wrong *SyntaxError
		if _, err := Parse(c.text); !errors.As(err, &wrong) {
			t.Errorf("%q is read", cut(c.text))
		} else if wrong.Error() != c.want {
			t.Errorf("%q: %v, want %s", cut(c.text), wrong, c.want)
		}
	}
}

// A text means the same with the line ends of Windows, and behind a mark of
// its encoding.
func TestLineEnds(t *testing.T) {
	for _, text := range goldenTexts(t) {
		m, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range []string{strings.ReplaceAll(text, "\n", "\r\n"), bom + text, strings.TrimSuffix(text, "\n")} {
			o, err := Parse(other)
			if err != nil {
				t.Errorf("%v\n%q", err, other)
			} else if diff := cmp.Diff(dump(m, 14), dump(o, 14)); diff != "" {
				t.Errorf("%q:\n%s", other, diff)
			}
		}
	}
}

// growing are texts of n pieces, each of which grows in one way.
var growing = map[string]func(n int) string{
	"nothing":           func(n int) string { return strings.Repeat("\n", n) },
	"names":             func(n int) string { return strings.Repeat("a\n", n) },
	"a name":            func(n int) string { return strings.Repeat("a", n) },
	"a line":            func(n int) string { return strings.Repeat("a;", n) },
	"matches":           func(n int) string { return strings.Repeat("match\n", n) },
	"matches in a line": func(n int) string { return strings.Repeat("match;", n) },
	"arguments":         func(n int) string { return "f(" + strings.Repeat("a=b,", n) + ")" },
	"a tuple":           func(n int) string { return strings.Repeat("a,", n) },
	"a sum":             func(n int) string { return "a" + strings.Repeat("+a", n) },
	"powers":            func(n int) string { return "a" + strings.Repeat("**a", n) },
	"comparisons":       func(n int) string { return "a" + strings.Repeat("<a", n) },
	"attributes":        func(n int) string { return "a" + strings.Repeat(".a", n) },
	"imports":           func(n int) string { return "import a" + strings.Repeat(".a", n) },
	"calls":             func(n int) string { return "a" + strings.Repeat("()", n) },
	"not":               func(n int) string { return strings.Repeat("not ", n) + "a" },
	"signs":             func(n int) string { return strings.Repeat("-", n) + "a" },
	"lambdas":           func(n int) string { return strings.Repeat("lambda:", n) + "a" },
	"defaults":          func(n int) string { return strings.Repeat("lambda a=", n) + "a" },
	"conditions":        func(n int) string { return strings.Repeat("a if b else ", n) + "a" },
	"parentheses":       func(n int) string { return strings.Repeat("(", n) + "a" + strings.Repeat(")", n) },
	"open parentheses":  func(n int) string { return strings.Repeat("(", n) },
	"brackets":          func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) },
	"braces":            func(n int) string { return strings.Repeat("{a:", n) + "a" + strings.Repeat("}", n) },
	"subscripts":        func(n int) string { return strings.Repeat("a[", n) + "a" + strings.Repeat("]", n) },
	"targets":           func(n int) string { return strings.Repeat("a=", n) + "a" },
	"with":              func(n int) string { return strings.Repeat("with (a, b): c\n", n) },
	"items":             func(n int) string { return "with (" + strings.Repeat("a as b,", n) + "): c\n" },
	"elifs":             func(n int) string { return "if a: b\n" + strings.Repeat("elif a: b\n", n) },
	"blocks": func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Repeat(" ", i) + "if a:\n")
		}
		return b.String() + strings.Repeat(" ", n) + "a"
	},
	"strings":             func(n int) string { return strings.Repeat("'a' ", n) },
	"strings with fields": func(n int) string { return strings.Repeat("f'a{b}' ", n) },
	"a string":            func(n int) string { return "'" + strings.Repeat(`\x41`, n) + "'" },
	"fields":              func(n int) string { return "f'" + strings.Repeat("{a=}b", n) + "'" },
	"doubled braces":      func(n int) string { return "f'" + strings.Repeat("{{}}", n) + "'" },
	"nested fields":       func(n int) string { return strings.Repeat("f'{", n) + "a" + strings.Repeat("}'", n) },
	"nested formats":      func(n int) string { return "f'" + strings.Repeat("{a:", n) + strings.Repeat("}", n) + "'" },
	"a number":            func(n int) string { return "0x" + strings.Repeat("1_", n) + "1" },
	"comments":            func(n int) string { return strings.Repeat("# a\n", n) },
	"joined lines":        func(n int) string { return "a " + strings.Repeat("\\\n", n) + "\n" },
	"comprehensions":      func(n int) string { return "[a" + strings.Repeat(" for a in b if c", n) + "]" },
	"decorators":          func(n int) string { return strings.Repeat("@a\n", n) + "def f(): pass" },
	"patterns":            func(n int) string { return "match a:\n case " + strings.Repeat("b|", n) + "c: d" },
	"nested patterns": func(n int) string {
		return "match a:\n case " + strings.Repeat("[", n) + strings.Repeat("]", n) + ": d"
	},
	"values in patterns": func(n int) string { return "match a:\n case a" + strings.Repeat(".b", n) + ": d" },
}

// What a text costs is proportional to its length, or it is refused before.
func TestGrowth(t *testing.T) {
	const first, times, limit = 500, 8, 2
	for name, text := range growing {
		few, many := text(first), text(first*times)
		cost, costs := cost(few)/float64(len(few)), cost(many)/float64(len(many))
		if costs > limit*cost && costs > 1000 {
			t.Errorf("%s: %d pieces cost %.0f bytes for each of theirs, %d pieces %.0f", name, first, cost, first*times, costs)
		}
	}
}

// cost is how many bytes it takes to read a text.
func cost(text string) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Parse(text)
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(err)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// What is deep is refused before it is too deep for what walks the tree.
func TestHeight(t *testing.T) {
	for name, text := range growing {
		for _, n := range []int{90, 190, 990, 2000} {
			m, err := Parse(text(n))
			if err != nil {
				continue
			}
			if h := heightOf(dump(m, 14)); h > maxHeight+8*maxDepth {
				t.Errorf("%s: %d pieces make a tree of height %d", name, n, h)
			}
		}
	}
}

// heightOf is how far in a line of a dump begins.
func heightOf(dump string) int {
	height := 0
	for line := range strings.Lines(dump) {
		height = max(height, len(line)-len(strings.TrimLeft(line, " ")))
	}
	return height
}

// FuzzParse reads any text without a panic, and what is wrong with it is within
// the text.
func FuzzParse(f *testing.F) {
	for _, text := range goldenTexts(f) {
		f.Add(text)
		for line := range strings.Lines(text) {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse(text)
		if err == nil {
			dump(m, 14)
			return
		}
		var wrong *SyntaxError
		if !errors.As(err, &wrong) {
			t.Fatalf("%T", err)
		}
		if o := int(wrong.Offset); o < 0 || o > len(text) {
			t.Fatalf("%v is at %d of %d", err, o, len(text))
		}
		want := positionIn(text, int(wrong.Offset))
		if strings.HasPrefix(text, bom) && want.Line == 1 {
			want.Col -= int32(len(bom))
		}
		if wrong.Position != want {
			t.Errorf("%v, but offset %d is at %d:%d", err, wrong.Offset, want.Line, want.Col)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	var text strings.Builder
	for i := 0; text.Len() < 1<<20; i++ {
		fmt.Fprintf(&text, "def function_%d(self, path, mode='r', *, encoding=None):\n    \"\"\"Text.\"\"\"\n    with open(path, mode) as file:  # read\n"+
			"        for line in file:\n            if line.strip() != '' and self.words[%d] > 0x10:\n                self.count += len(line.split(','))\n"+
			"                print(f'{line!r}: {self.count:>10}', end='\\n')\n    return [x ** 2 for x in self.words if x not in (1, 2.5, None)]\n\n", i, i)
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(text.String()); err != nil {
			b.Fatal(err)
		}
	}
}

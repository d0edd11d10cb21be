package javascript

import (
	"fmt"
	"strings"
	"testing"
)

func mustParse(t *testing.T, text string) *Program {
	t.Helper()
	p, err := Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return p
}

// What means one thing here and another there has no tree.
func TestRefused(t *testing.T) {
	for _, text := range []string{
		"x <!-- y", "x\n--> y", // comments in scripts, operators in modules
		"typeof await /f()/g", "await -f()", "await +f()", "await ++f", "await /a/.test(f())/1", // operators in modules
		"function* g() { yield /f()/g }", "var yield = 1", "var let = 1", "let let = 1", "var await", "async(f)", "var static = 1",
		"with (x) y", "ev\\u0061l('f()')", "x.\\u0061", "({\\u0061: 1})", "var \\u{61}", "'\\07'", "'\\8'", "07", "`\\1`", "'\\ud800'", "`\\u{110000}`",
		"x.__proto__ = y", "({__proto__: y})", "({'__proto__': y})", "({'1.0': y})",
		"x = 1 as y", "let x: number", "type A = 1", "interface A {}", "enum A {}", "<div/>", "@a class B {}", "import a from 'a' with {type: 'json'}",
		"f(", "a b", "'a", "`a", "/a", "{", "1n.", "a?.b = 1", "1 = 2", "({a = 1})", "f()\x00", "f()\xff", "#!/bin/sh\n\n}",
		strings.Repeat("[", 5000), strings.Repeat("(", 5000), strings.Repeat("{", 5000), strings.Repeat("f(", 5000), strings.Repeat("a=>", 5000),
		strings.Repeat("`${", 5000), strings.Repeat("if(a)", 5000), strings.Repeat("!", 5000), strings.Repeat("a+", 5000) + "a", "x" + strings.Repeat(".a", 5000),
		strings.Repeat(" ", Limit+1), strings.Repeat("a=>b;", 1<<13),
	} {
		if p, err := Parse(text); err == nil {
			t.Errorf("%.60q has a tree: %+v", text, p.Body)
		} else if e, ok := err.(*Error); !ok || e.Line < 1 || e.Column < 1 || e.Text == "" {
			t.Errorf("%.60q: the error is no place: %v", text, err)
		}
	}
}

// What means something else where there are types has no tree, in whatever program it
// runs; all else that has < and > does.
func TestTypes(t *testing.T) {
	for _, text := range []string{
		"f<a>(b)", "g(f<a, b>(c))", "new F<a>(b)", "f<a>`b`", "f<a<b>>(c)", "a ? (b) : c => d", "x = f<0>(y)", "f<'a'>(b)", "f<-1>(b)", "f<void 0>(b)", "f<typeof a>(b)", "f<a.b>(c)", "f<a|b>(c)", "f<a&b>(c)",
		"f<[a, b]>(c)", "f<{a: b}>(c)", "f<a['b']>(c)", "f<(a) => b>(c)", "f<(a)>(b)", "f<() => a>(b)", "f<a>/b/g", "f<a>(b).c", "f<a>(b) ? c : d", "x = f<a>\nb", "x = f<a>// b\nc", "x = f<a>/* \n */ b", "f<a>\u2028b", "f<`a`>(b)", "f<import('a')>(b)", "[f<a, b>(c)]",
		"f<a>(b), c", "if (f<a>(b)) c", "a.f<b>(c)", "a?.f<b>(c)", "f<a>>(b)", "f<<a>(b) => c>(d)", "async () => await f<a>(b)", "x => f<a>(b)", "f<this>(a)", "f<null>(a)", "f<1n>(a)", "f<a>(b) => c", "f<a>[b]", "f<a>-b", "f<a>!b", "f<a>>=b", "f<a>=b",
	} {
		if p, err := Parse(text); err == nil {
			t.Errorf("%q has a tree: %+v", text, p.Body[0])
		}
	}
	for _, text := range []string{
		"for (let i = 0; i < 3; i++) if (i > (1)) f(i)", "a => b", "a ? b : c", "a < b && c > (d)", "a < (b) || c > `d`", "a < b ? c > (d) : e > (f)", "a.filter(x => x < 3).map(y => y > (2))", "f(a < 1) > (b)", "[a < b] > (c)", "a > b < c",
		"a < b + c > (d)", "a < b\nc > (d)", "x = {a: b < c}; d > (e)", "`${a < b}` > (c)", "x.sort((a, b) => a < b ? -1 : a > (b) ? 1 : 0)", "a[b < c] > (d)", "while (a < b) c > (d)", "a < b > c", "i < n; i > (m)", "console.log('<a>(b)', `<b>\n`)", "a ? b : c => d", "a ? (b) : (c)",
	} {
		mustParse(t, text)
	}
}

// Where statements end, and what a slash is.
func TestStatements(t *testing.T) {
	for text, want := range map[string]int{
		"a\nb": 2, "a\n++\nb": 2, "a\n(b)": 1, "a\n[b]": 1, "a\n/b/g": 1, "a;/b/g": 2, "{}/b/g": 2, "{}\n/b/g": 2, "a\n`b`": 1, "a\n+b": 1, "a\u2028b": 2,
		"function f() {} /b/g": 2, "function f() {}\n(b)": 2, "var f = function () {}\n(b)": 1, "if (a) b\nc": 2, "do a; while (b) c": 2,
		"async\nfunction f() {}": -1, "// a\u2028b": 1, "/*\n*/ b": 1, "#!/usr/bin/env node\nb": 1, "a //*\nb //*/": 2, "'//'; b": 2, "/[/]\\//; b": 2,
		"`${`${a}`}`; b": 2, "`${{a: '}'}}`; b": 2, "`\\${a}`; b": 2, "a?.5:1; b": 2, "x => {}; b": 2, "let\na": 1, "1_000; b": 2, "5n; b": 2, ".5; b": 2,
		"class A { static { f() } static x = 1; #y; get z() { return this.#y } }; b": 2, "label: for (;;) { break label }": 1, "/*! a */ b": 1, "return": -1,
	} {
		p, err := Parse(text)
		got := -1
		if err == nil {
			got = len(p.Body)
		}
		if got != want {
			t.Errorf("%q: %d statements, want %d (%v)", text, got, want, err)
		}
	}
}

func TestStrings(t *testing.T) {
	for text, want := range map[string]string{
		`'a\n\t\x41\u0041\u{1f600}\ud83d\ude00\0\'\q'`: "a\n\tAA\U0001f600\U0001f600\x00'q",
		"'a\\\nb\\\r\nc\\\u2028d'":                     "abcd",
		`"\u{41}"`:                                     "A", "''": "", "'é\\é'": "éé",
	} {
		s, ok := mustParse(t, "("+text+")").Body[0].(*ExprStmt).X.(*String)
		if !ok || s.Value != want {
			t.Errorf("%s is %q, want %q", text, s.Value, want)
		}
	}
	tpl := mustParse(t, "x = `a\r\n${b}\\n`").Body[0].(*ExprStmt).X.(*Assign).Y.(*Template)
	if got := fmt.Sprintf("%q %q", tpl.Texts, tpl.Raw); got != `["a\n" "\n"] ["a\n" "\\n"]` {
		t.Error(got)
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]float64{"1": 1, "0x1F": 31, "0b11": 3, "0o17": 15, "1e3": 1000, "1_000.5": 1000.5, ".5": 0.5, "5.": 5, "0xFFFFFFFFFFFFFFFFFFFF": 1208925819614629174706175, "1e400": 0} {
		n := mustParse(t, "("+text+")").Body[0].(*ExprStmt).X.(*Number).Value
		if n != want && text != "1e400" {
			t.Errorf("%s is %v, want %v", text, n, want)
		}
	}
}

// A text that awaits at its top, imports or exports is a module.
func TestModule(t *testing.T) {
	for text, want := range map[string]bool{
		"import 'a'": true, "export {}": true, "await f()": true, "for await (a of b) ;": true, "import.meta.url": true, "{ await f() }": true, "(await f()).x": true,
		"import('a')": false, "async () => await f()": false, "async function f() { for await (a of b) ; }": false, "class A { async f() { await g() } }": false, "f()": false,
	} {
		if got := mustParse(t, text).Module; got != want {
			t.Errorf("%q: module %v, want %v", text, got, want)
		}
	}
}

// Lines are those in which things stand, though the parser forgets them.
func TestLines(t *testing.T) {
	p := mustParse(t, "const a = 1\n\nfunction f() {\n  g(a)\n}\n\n\nf(a)\n\n\nx.y('b')\n")
	var lines []int
	for _, s := range p.Body {
		if e, ok := s.(*ExprStmt); ok {
			lines = append(lines, p.Line(e.X.(*Call).At))
		}
	}
	if fmt.Sprint(lines) != "[8 11]" {
		t.Errorf("the calls are in lines %v", lines)
	}
	if _, err := Parse("a\n\n  with (x) y"); err == nil || !strings.HasPrefix(err.Error(), "3:") && !strings.HasPrefix(err.Error(), "1:") {
		t.Errorf("the error is %v", err)
	}
	for at, want := range map[int]int{0: 1, 11: 1, 12: 2, 13: 3, 1000: 12} {
		if got := p.Line(at); got != want {
			t.Errorf("offset %d is in line %d, want %d", at, got, want)
		}
	}
}

// FuzzParse wants a tree or an error with a place, and the same of the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"", "a", "const {a: [b = 1, ...c], ...d} = require('x')", "for (const [k, v] of Object.entries(x)) console.log(`${k}=${v}`)",
		"class A extends B { #x = 1; static { } get y() { return super.y } async *[z]() { yield* w } }", "import a, {b as c} from 'd'; export default async () => await a?.[b]?.(c)",
		"({...[a]}) => x", "async ({a = 1}, [b]) => {}", "[a, {b: c}] = d", "/[/]/v.test(x) ? y : z", "({get a() {}, set a(b) {}, async *c() {}, [d]: e, 'f': 1, 2: 3})",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if (p == nil) == (err == nil) {
			t.Fatalf("%q: %v and %v", text, p, err)
		}
		if err != nil {
			if e, ok := err.(*Error); !ok || e.Line < 1 || e.Text == "" {
				t.Fatalf("%q: %v", text, err)
			}
		}
	})
}

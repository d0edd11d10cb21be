package javascript

import (
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
)

// some facts, as rule files would state them.
func some() *code.Facts {
	return &code.Facts{Texts: []string{code.Sorted([]string{
		"javascript\tconsole\tmodule", "javascript\tconsole.log\t(*) -> none",
		"javascript\tnode:fs\tmodule", "javascript\tnode:fs.rmSync\t(delete) -> none", "javascript\tnode:fs.readFileSync\t(read, encoding:data?) -> str",
		"javascript\tlist\ttype", "javascript\tlist.map\t.(calls[value;number;self]) -> list[called]", "javascript\tlist.push\t.(*) -> number",
		"javascript\tstr\ttype", "javascript\tstr.trim\t.(*) -> str",
	})}}
}

func read(text string) *code.Report { return Read(code.Text{Code: text, Facts: some()}, language) }

// Words are known as far as the text shows them, and lines are the text's.
func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"fs.rmSync('a' + 'b')":                                  "1 ab",
		"const x = 'a'\n\nfs.rmSync(`${x}/b`)":                  "3 a/b",
		"for (const f of ['a', 'b'])\nfs.rmSync(f)":             "2 a, 2 b",
		"const f = x => fs.rmSync(x); f('a'); f('b')":           "1 a, 1 b",
		"let x = 'a'; x = 'b'; fs.rmSync(x)":                    "1 a, 1 b",
		"fs.rmSync(fs.readFileSync('a').trim())":                "1 a, 1 ?",
		"const o = {f: fs}; o.f.rmSync('a')":                    "1 a",
		"['a', 'b'].map(x => x + '.js').map(x => fs.rmSync(x))": "1 a.js, 1 b.js",
		"if (false) fs.rmSync('a')":                             "1 a",
	} {
		report := read(text)
		var got []string
		for _, e := range report.Effects {
			word, known := e.Word.Const()
			if !known {
				word = "?"
			}
			if e.Kind == match.Delete || e.Kind == match.Read {
				got = append(got, string(rune('0'+e.Line))+" "+word)
			}
		}
		// Whether it is believed is the tree's affair.
		asks := slices.DeleteFunc(report.Asks, func(q code.Question) bool { return q.ID == "javascript.strange" })
		if s := strings.Join(got, ", "); s != want || len(asks) > 0 {
			t.Errorf("%q: %s, want %s; asks %v", text, s, want, asks)
		}
	}
}

// What no fact speaks of asks, and is asked about once.
func TestUnknown(t *testing.T) {
	for _, text := range []string{"x()", "fs.other('a')", "fs[x => x]", "console.dir(1)", "this.x", "f(", "with (x) y", strings.Repeat("a.b;", 100) + "(function f() { return f })()"} {
		if asks := read(text).Asks; len(asks) == 0 || len(asks) > 3 {
			t.Errorf("%.40q asks %v", text, asks)
		}
	}
}

// However much there is to follow, it ends.
func TestEnds(t *testing.T) {
	for _, text := range []string{
		"const f = g => g(g); f(f)", "let a = []; a.push(a); a.map(x => x.map(y => a.push(y)))", "function f(n) { return n ? f(n - 1) : [f] } f(3)[0](2)",
		"let s = 'a'; while (1) s = s + s; fs.rmSync(s)", "const o = {}; o.o = o; for (;;) o.o.o = {o}",
		strings.Repeat("function f(a) { return f(b => a(b)) }\n", 300) + "f(x => x)",
		"const fs = [" + strings.Repeat("x => x(fs),", 500) + "]; fs.map(f => f(fs))",
		"let x = ''; " + strings.Repeat("x = x + 'a' + x;", 400),
		strings.Repeat("Object.assign(", 60) + "{}" + strings.Repeat(", {})", 60), "const a = {}; " + strings.Repeat("(a[", 60) + "1" + strings.Repeat("] ||= 2)", 60),
		strings.Repeat("[", 300) + strings.Repeat("].map(x => x)", 300),
	} {
		read(text)
	}
}

// FuzzRead wants a report of whatever there is, the same each time.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"fs.rmSync('a')", "const {rmSync: r} = fs; r('a')", "class A extends B { #x = fs; get y() { return this.#x } }", "[1].map(x => fs.rmSync(x))", "async () => { await import('fs') }",
		"new Promise((a, b) => a(fs)).then(x => x.rmSync('a'))", "label: for (const [a, {b}] of x) { switch (a) { case b: break label } }", "function* f() { yield* f() }",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, b := read(text), read(text)
		if len(a.Effects) != len(b.Effects) || len(a.Asks) != len(b.Asks) {
			t.Fatalf("%q: once %v %v, once %v %v", text, a.Effects, a.Asks, b.Effects, b.Asks)
		}
	})
}

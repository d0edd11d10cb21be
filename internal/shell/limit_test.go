package shell

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/bashgate/bashgate/policy"
)

// repeated joins numbered pieces to a text of about n bytes.
func repeated(n int, piece string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		if strings.Contains(piece, "%d") {
			fmt.Fprintf(&b, piece, i)
		} else {
			b.WriteString(piece)
		}
	}
	return b.String()
}

// shapes are texts that grow or nest in one way.
var shapes = []struct {
	name string
	text func(n int) string
}{
	{"long word", func(n int) string { return "echo " + strings.Repeat("a", n) }},
	{"many arguments", func(n int) string { return "echo" + repeated(n, " ab") }},
	{"semicolons", func(n int) string { return repeated(n, "ls;") }},
	{"and", func(n int) string { return "ls" + repeated(n, " && ls") }},
	{"or", func(n int) string { return "ls" + repeated(n, " || ls") }},
	{"pipes", func(n int) string { return "ls" + repeated(n, "|ls") }},
	{"here-documents", func(n int) string { return repeated(n, "cat <<E\nx\nE\n") }},
	{"joined lines of a here-document", func(n int) string { return "cat <<E\n" + repeated(n, "abc\\\n") + "\nE\n" }},
	{"backquotes", func(n int) string { return "echo" + repeated(n, " `a`") }},
	{"quotes", func(n int) string { return "echo " + repeated(n, `'a'"b"`) }},
	{"assignments", func(n int) string { return repeated(n, "a%d=1;") }},
	{"globs", func(n int) string { return "echo" + repeated(n, " *?a") }},
	{"braces", func(n int) string { return "echo" + repeated(n, " {a,b}") }},
	{"product of braces", func(n int) string { return "echo " + repeated(n, "{a,b}") }},
	{"comments", func(n int) string { return repeated(n, "# abc\n") }},
	{"comments that join", func(n int) string { return repeated(n, "ls # abc \\\n") }},
	{"conditions", func(n int) string { return repeated(n, "if ls; then x%d=1; fi;") }},
	{"nested conditions", func(n int) string { return repeated(n/2, "if a;then x%d=1;") + repeated(n/2, "fi;") }},
	{"case items", func(n int) string { return "case a in " + repeated(n, "a)x%d=1;;") + "esac" }},
	{"elif", func(n int) string { return "if a; then b;" + repeated(n, "elif a; then x%d=1;") + "fi" }},
	{"open parentheses", func(n int) string { return strings.Repeat("(", n) }},
	{"open substitutions", func(n int) string { return strings.Repeat("$(", n/2) }},
	{"open braces", func(n int) string { return strings.Repeat("{ ", n/2) }},
	{"open conditions", func(n int) string { return strings.Repeat("if ", n/3) }},
	{"open arithmetic", func(n int) string { return strings.Repeat("((", n/2) }},
	{"open subscripts", func(n int) string { return strings.Repeat("((a[", n/4) }},
	{"open defaults", func(n int) string { return "echo " + strings.Repeat("${x:-", n/5) }},
	{"nested substitutions", func(n int) string { return strings.Repeat("$(", n/3) + strings.Repeat(")", n/3) }},
	{"nested quotes", func(n int) string { return strings.Repeat(`"$(`, n/5) + strings.Repeat(`)"`, n/5) }},
	{"hidden closers", func(n int) string { return repeated(n, strings.Repeat("(", 300)+"'"+strings.Repeat(")", 300)+"'") }},
	{"functions of functions", func(n int) string { return strings.Repeat("f()", n/3) + "ls" }},
	{"time", func(n int) string { return strings.Repeat("time ", n/5) + "ls" }},
	{"ternaries", func(n int) string { return "((" + strings.Repeat("a?", n/2) + "1))" }},
	{"negations", func(n int) string { return "((" + strings.Repeat("!", n) + "1))" }},
	{"minuses", func(n int) string { return "((" + strings.Repeat("- ", n/2) + "1))" }},
	{"sums", func(n int) string { return "((1" + strings.Repeat("+1", n/2) + "))" }},
	{"tests", func(n int) string { return "[[ a" + strings.Repeat(" && a", n/5) + " ]]" }},
	{"doubling", func(n int) string { return "x=aaaaaaaa;" + repeated(n, "x=$x$x;") }},
	{"doubling holes", func(n int) string { return repeated(n, "x=$x$x;") }},
	{"growing array", func(n int) string { return repeated(n, "x+=(a);") }},
	{"long array", func(n int) string { return "x=(" + repeated(n, "a ") + ")" }},
	{"exports", func(n int) string { return repeated(n, "export a%d=1;") }},
	{"calls", func(n int) string { return "f(){ ls; };" + repeated(n, "f;") }},
	{"recursion", func(n int) string { return "f(){ f;f;f; };g(){ f;f;f;g;g; };" + repeated(n, "g;") }},
	{"eval of eval", func(n int) string { return repeated(n, "eval ") + "ls" }},
	{"eval of itself", func(n int) string { return `x='eval "$x$x"';` + repeated(n, `eval "$x";`) }},
	{"nested loops", func(n int) string { return repeated(n/2, "for i in 1 2 3 4; do ") + "ls" + repeated(n/2, ";done") }},
	{"nested endless loops", func(n int) string { return repeated(n/2, "while a; do x%d=1;") + repeated(n/2, "done;") }},
	{"patterns", func(n int) string { return "x=" + strings.Repeat("a", 500) + ";" + repeated(n, "y=${x%%%%*b};") }},
	{"pattern of stars", func(n int) string {
		return "x=" + strings.Repeat("a", 120) + ";y=${x//" + strings.Repeat("*a", min(n, 60)) + "b/};"
	}},
	{"variable of itself", func(n int) string {
		return "declare -i x; x=x+x; y=$((x)); x=y; echo $((x+y))" + strings.Repeat(" ", n)
	}},
}

// Any text is answered in time and space that its length bounds, whatever it
// nests.
func TestLimits(t *testing.T) {
	const space = 64 << 20
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			for _, n := range []int{64 << 10, 128 << 10, 1 << 20} {
				text := s.text(n)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				start := time.Now()
				New().Read(Input{Text: text, Dirs: []string{"/w"}})
				took := time.Since(start)
				runtime.ReadMemStats(&after)
				if took > 30*time.Second { // for what never ends: growth is bounded by memory below, and in the growth tests
					t.Errorf("%d bytes took %v", len(text), took)
				}
				if used := after.TotalAlloc - before.TotalAlloc; used > space {
					t.Errorf("%d bytes took %d MiB", len(text), used>>20)
				}
			}
		})
	}
}

// Over a limit the text asks, and what stands before is read all the same.
func TestOverLimits(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"length", "rm -rf /\n" + strings.Repeat("a", 10<<20)},
		{"length in one line", "rm -rf /; echo " + strings.Repeat("a", maxText)},
		{"depth", "rm -rf /; " + strings.Repeat("(", 1_000_000)},
		{"substitutions", "rm -rf /; " + strings.Repeat("$(", 10_000)},
		{"conditions", "rm -rf /\n" + strings.Repeat("if ", 40_000)},
		{"chain", "rm -rf /" + strings.Repeat(" && ls", 167_000)},
		{"hidden closers", "rm -rf /\n" + strings.Repeat(strings.Repeat("(", 300)+"'"+strings.Repeat(")", 300)+"'", 50)},
		{"steps", "rm -rf /; " + strings.Repeat("f(){ f;f;f; };", 1) + strings.Repeat("f;", 30_000)},
		{"texts", "rm -rf /; " + strings.Repeat("eval ", 100) + "ls"},
		{"loops", "rm -rf /; " + strings.Repeat("while a; do ", 30) + "ls; " + strings.Repeat("done;", 30)},
		{"statements", "rm -rf /; " + strings.Repeat("{ ", 300) + "ls;" + strings.Repeat("};", 300)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := New().Read(Input{Text: c.text, Dialect: Bash, Dirs: []string{"/w"}})
			if len(got.Commands) == 0 || got.Commands[0].String() != "rm -rf /" {
				t.Errorf("the first command was not read")
			}
			if !asks(got, idLimit) {
				t.Errorf("no finding says that there is a limit: %v", got.Findings)
			}
		})
	}
}

func asks(got Reading, id string) bool {
	for _, f := range got.Findings {
		if f.ID == id && f.Decision >= policy.Ask {
			return true
		}
	}
	return false
}

// Reads that share a budget count together.
func TestBudget(t *testing.T) {
	b := NewBudget()
	rd := New()
	text := repeated(8<<10, "ls a b c;")
	for i := range 20 {
		if asks(rd.Read(Input{Text: text, Budget: b}), idLimit) {
			if i == 0 {
				t.Error("one text spends the whole budget")
			}
			return
		}
	}
	t.Error("20 texts of 8 KiB fit in one budget")
}

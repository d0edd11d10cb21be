//go:build unix

package gates

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// cost returns the processor time of the cheapest of three readings. On a
// busy machine the clock on the wall says little.
func cost(t *testing.T, read reader, text string) time.Duration {
	t.Helper()
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	best := time.Hour
	for range 3 {
		start := used()
		read(policy.Const(text), &match.Call{Name: "sqlite3"})
		best = min(best, used()-start)
	}
	return max(best, 100*time.Microsecond)
}

// Readers take time linear in their text.
func TestLinear(t *testing.T) {
	for _, r := range []struct {
		name   string
		read   reader
		pieces []string
	}{
		{"sed", sed, []string{"s/[/]/[/]/;", "[", "s/[[:", "\\", "{", "w x\n", "a\\\n", "1,", "y/a/b/;", "e x\n", "s/[^/][^/]", " ", "!"}},
		{"awk", awk, []string{"{", "(", "/[\\]", "/[a]/", "\"a\" | getline;", "print > \"x\";", "getline ", "a[", "\\\n", "x/", "getline < 1 ", "ENVIRON", "# x\n", " "}},
		{"jq", jq, []string{"{a,", "\"\\(", "env[\"", "$ENV.a ", "# \n", "[", ". ", "{a  ,"}},
		{"yq", yq, []string{"load(", "load(\"x", "load \"", "(", "env(", "a ( "}},
		{"sql", sql, []string{"SELECT (", "(", "'", "''", "/* */", "--\n", "a, f(", "[a]", "select 1;", "from 'a',", "\n.x", "/ ", "go ", "\ngo\n", "$a$", "`a`", "with a(x) as (select 1), ", "1 "}},
		{"perl", perl, []string{"print ", "(", "{", "s/a/b/;", "\"$x[1]", "$x", "sort { 1 } ", "# \n", "s{{", "1 + ", "/(", "@{"}},
		{"dc", dc, []string{"!", "[", "!<a", "?\n"}},
		{"gdb", gdb, []string{"thread apply all ", "bt "}},
		{"mongo", mongo, []string{"print(", "db.a", "[", "db.a.find();", "{a:", "db.a.find()\n"}},
	} {
		for _, piece := range r.pieces {
			small := cost(t, r.read, strings.Repeat(piece, 8<<10/len(piece)))
			large := cost(t, r.read, strings.Repeat(piece, 128<<10/len(piece)))
			if large > 100*small && large > 100*time.Millisecond { // 256 times if it were quadratic
				t.Errorf("%s on %q: 8 KiB take %v, 128 KiB %v", r.name, piece, small, large)
			}
		}
	}
}

package shell

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var updateRows = flag.Bool("update-rows", false, "rewrite testdata/rows.txt; review the difference")

// TestRows reads each construct of testdata/rows.txt:
//
//	# family
//	$ text in Go quotes
//	command as it was seen
//	!finding
func TestRows(t *testing.T) {
	f, err := os.Open("testdata/rows.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out, have strings.Builder
	rows := 0
	for in := bufio.NewScanner(f); in.Scan(); {
		line := in.Text()
		have.WriteString(line + "\n")
		switch {
		case strings.HasPrefix(line, "$ "):
			rows++
			var text string
			if _, err := fmt.Sscanf(line[2:], "%q", &text); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			out.WriteString(line + "\n" + seen(text))
		case line == "" || strings.HasPrefix(line, "# "):
			out.WriteString(line + "\n")
		}
	}
	if *updateRows {
		if err := os.WriteFile("testdata/rows.txt", []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if rows < 50 {
		t.Errorf("only %d rows", rows)
	}
	if d := cmp.Diff(have.String(), out.String()); d != "" {
		t.Errorf("(-want +got; -update-rows rewrites the rows)\n%s", d)
	}
}

// seen writes what the reader makes of a text in bash.
func seen(text string) string {
	rd := New().Read(Input{Text: text, Dialect: Bash, Dirs: []string{"/w"}, Home: "/home/u"})
	var b strings.Builder
	for i := range rd.Commands {
		c := &rd.Commands[i]
		if len(c.Via) > 0 {
			b.WriteString(strings.Join(c.Via, " ") + ": ")
		}
		b.WriteString(c.String())
		if len(c.Dirs) != 1 || c.Dirs[0] != "/w" {
			fmt.Fprintf(&b, "  in %v", c.Dirs)
		}
		if c.Uncalled != "" {
			b.WriteString("  uncalled " + c.Uncalled)
		}
		b.WriteByte('\n')
	}
	for _, f := range rd.Findings {
		b.WriteString("!" + f.ID + "\n")
	}
	if rd.Empty {
		b.WriteString("empty\n")
	}
	return b.String()
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"ls", "a=1; echo $a", "cat <<E\n$(x)\nE", "f() { f | f & }; f", "for i in *; do echo \"$i\"; done", "((a[$(x)]))", "\x00", "ls #\\\nx"} {
		f.Add(text, uint8(0))
	}
	rd := New()
	f.Fuzz(func(t *testing.T, text string, dialect uint8) {
		r := rd.Read(Input{Text: text, Dialect: Dialect(dialect % 4)})
		if r.Empty && len(r.Commands)+len(r.Findings) > 0 {
			t.Errorf("%q is empty and is not", text)
		}
		for i := range r.Commands {
			_ = r.Commands[i].String()
		}
	})
}

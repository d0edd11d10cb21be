package shell

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata/read")

// The families of testdata/read are rows: a text, then what was read from it,
// one line each, after a tab. A text that begins with a double quote is a Go
// string. A row in brackets names the dialect of those that follow.
//
//	cd web && FOO=1 git log >out
//		cd web
//		FOO=1 git log >out @/w/web
func TestRead(t *testing.T) {
	files, err := filepath.Glob("testdata/read/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no rows: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := readRows(t, string(data))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(strings.Split(string(data), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("rows differ (-want +got); go test -update rewrites them:\n%s", diff)
			}
		})
	}
}

// readRows reads every row of a file again and writes the file as it should be.
func readRows(t *testing.T, data string) string {
	var out strings.Builder
	rd := New()
	dialect := Bash
	for _, line := range strings.SplitAfter(data, "\n") {
		text := strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "\t"):
			continue
		case text == "" || strings.HasPrefix(text, "// "):
			out.WriteString(line)
			continue
		case strings.HasPrefix(text, "[dialect ") && strings.HasSuffix(text, "]"):
			out.WriteString(line)
			dialect = dialectOf(t, strings.TrimSuffix(strings.TrimPrefix(text, "[dialect "), "]"))
			continue
		case text[0] == '"':
			unquoted, err := strconv.Unquote(text)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			text = unquoted
		}
		out.WriteString(line)
		for _, l := range render(rd.Read(Input{
			Text: text, Dialect: dialect, Dirs: []string{"/w"}, Home: "/home/u", Prints: testPrints,
		})) {
			out.WriteString("\t" + l + "\n")
		}
	}
	return out.String()
}

func dialectOf(t *testing.T, name string) Dialect {
	i := slices.Index([]string{"any", "bash", "posix", "zsh"}, name)
	if i < 0 {
		t.Fatalf("no dialect %q", name)
	}
	return Dialect(i)
}

// testPrints knows two programs' output.
func testPrints(c *policy.Command) policy.Shape {
	switch name, _ := c.Program(); name {
	case "wc":
		return policy.ShapeNumber
	case "git":
		return policy.ShapeWord
	}
	return policy.ShapeAny
}

// render writes a reading line by line.
func render(got Reading) []string {
	var lines []string
	for i := range got.Commands {
		c := &got.Commands[i]
		line := c.String()
		if line == "" {
			line = "(nothing)"
		}
		if !slices.Equal(c.Dirs, []string{"/w"}) {
			line += " @" + strings.Join(c.Dirs, "|")
		}
		switch c.Stdin.Kind {
		case policy.InputText:
			line += " <text " + policy.Quote(c.Stdin.Text.Text)
		case policy.InputFile:
			line += " <file " + c.Stdin.Text.String()
		case policy.InputHole:
			line += " <hole"
		case policy.InputPipe:
			line += " <pipe"
			for _, n := range c.Stdin.From {
				line += " " + strconv.Itoa(n)
			}
		}
		line += [...]string{"", " >pipe", " >word", " >file"}[c.Stdout]
		for _, a := range c.Env {
			line += " env " + a.Name + "=" + a.Value.String()
		}
		if len(c.Via) > 0 {
			line += " via " + strings.Join(c.Via, ",")
		}
		if c.Uncalled != "" {
			line += " uncalled " + c.Uncalled
		}
		lines = append(lines, strings.ReplaceAll(line, "\n", `\n`))
	}
	for _, f := range got.Findings {
		lines = append(lines, strings.ReplaceAll("! "+f.Decision.String()+" "+f.ID+": "+f.Reason, "\n", `\n`))
	}
	if got.Empty {
		lines = append(lines, "(empty)")
	}
	return lines
}

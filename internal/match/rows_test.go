package match_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what is seen into testdata/rows; review the difference")

// TestRows judges the commands of testdata/rows/*.txtar by the rule file that
// stands above them. A row is a command and, after =>, what the gates say:
//
//	sort -o f g => ask sort.write | write f, read g
//
// "ask?" is a block that only may hold. What stands after | are the uses.
// Commands are written as the shell reads them, with 'quotes' around literal
// text, "$x" for a hole, $x for one that may split, and * ? for globs.
func TestRows(t *testing.T) {
	files, err := filepath.Glob("testdata/rows/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no rows:", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(archive.Files) != 2 || archive.Files[0].Name != "rules.toml" || archive.Files[1].Name != "rows" {
				t.Fatal("want the files rules.toml and rows")
			}
			programs := compile(t, string(archive.Files[0].Data))
			want := string(archive.Files[1].Data)
			got := rows(t, programs, want)
			if got == want {
				return
			}
			if !*update {
				t.Errorf("rows differ (-want +got), go test -run TestRows ./internal/match -update rewrites them:\n%s", cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
				return
			}
			archive.Files[1].Data = []byte(got)
			if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// rows judges each row and writes what comes out behind it.
func rows(t *testing.T, programs []*match.Program, text string) string {
	t.Helper()
	var b strings.Builder
	var call match.Call
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		command, _, _ := strings.Cut(line, " => ")
		command = strings.TrimSuffix(command, " =>")
		if command == "" || command[0] == '#' {
			b.WriteString(line + "\n")
			continue
		}
		c := parse(command)
		call.Reset()
		judge(&call, programs, c)
		fmt.Fprintf(&b, "%s => %s\n", command, describe(&call))
	}
	return b.String()
}

// places is a world in which a place is the directory of its name, and of which nothing
// else is known.
type places struct{}

func (places) Place(w policy.Word, place string, _ []string) policy.Tri {
	text, ok := w.Const()
	switch {
	case !ok:
		return policy.Maybe
	case strings.HasPrefix(text, "/"+place):
		return policy.Yes
	}
	return policy.No
}

func (places) InWorkspace([]string) policy.Tri         { return policy.Maybe }
func (places) InDirectory(string, []string) policy.Tri { return policy.Maybe }
func (places) Pushed(*match.Invocation) match.Push {
	return match.Push{Why: "it is not known where it sends to"}
}

// judge runs all tables for the command's program over it.
func judge(call *match.Call, programs []*match.Program, c *policy.Command) {
	call.Cmd = c
	call.Name, _ = c.Program()
	call.World = places{}
	for _, p := range programs {
		if p.Name == call.Name {
			call.Judge(p)
		}
	}
}

func compile(t testing.TB, text string) []*match.Program {
	t.Helper()
	gates, err := ruleset.Compile([]*ruleset.File{ruleset.Load("rules.toml", []byte(text), ruleset.User)}, ruleset.Known{Places: []string{"etc"}})
	if err != nil {
		t.Fatal(err)
	}
	return gates[0].Own
}

// describe writes what the call holds on one line.
func describe(c *match.Call) string {
	var said []string
	for _, h := range c.Held {
		mark := ""
		if h.Decision != h.Rule.Decision {
			mark = "?"
		}
		said = append(said, fmt.Sprintf("%v%s %s", h.Decision, mark, strings.TrimPrefix(h.Rule.ID, "user.")))
	}
	for _, u := range c.Unknowns {
		said = append(said, "unknown "+u.Decision.String())
	}
	text := strings.Join(said, ", ")
	if c.Objection != "" {
		text += " (" + c.Objection + ")"
	}
	var uses []string
	for i := range c.Uses {
		uses = append(uses, describeUse(&c.Uses[i]))
	}
	if len(uses) > 0 {
		text += " | " + strings.Join(uses, ", ")
	}
	return text
}

func describeUse(u *match.Use) string {
	words := []string{u.Kind.String()}
	if u.Lang != "" {
		words[0] += "." + u.Lang
	}
	if u.Kind == match.Command {
		words[0] += ":"
		for _, w := range u.Words {
			words = append(words, w.String())
		}
	} else {
		words = append(words, u.Word.String())
	}
	if u.FromStdin {
		words = append(words, "(input)")
	}
	for i, w := range u.Args {
		if i == 0 {
			words = append(words, "with")
		}
		words = append(words, w.String())
	}
	if u.Dirs != nil {
		words = append(words, "in", "["+strings.Join(u.Dirs, " ")+"]")
	}
	return strings.Join(words, " ")
}

// parse reads a row's command. It knows just enough of the shell for rows.
func parse(line string) *policy.Command {
	c := &policy.Command{Dirs: []string{"/w"}}
	for line = strings.TrimLeft(line, " "); line != ""; line = strings.TrimLeft(line, " ") {
		if rest, ok := strings.CutPrefix(line, "<<< "); ok {
			var w policy.Word
			w, line = parseWord(rest)
			c.Stdin = policy.Input{Kind: policy.InputText, Text: w}
			continue
		}
		if rest, ok := strings.CutPrefix(line, "< "); ok {
			var w policy.Word
			w, line = parseWord(rest)
			c.Stdin = policy.Input{Kind: policy.InputFile, Text: w}
			continue
		}
		var w policy.Word
		w, line = parseWord(line)
		c.Words = append(c.Words, w)
	}
	return c
}

func parseWord(line string) (policy.Word, string) {
	var parts []policy.Part
	lit := func(s string) {
		if n := len(parts); n > 0 && parts[n-1].Kind == policy.Lit {
			parts[n-1].Text += s
		} else {
			parts = append(parts, policy.Part{Text: s})
		}
	}
	i := 0
scan:
	for i < len(line) {
		switch line[i] {
		case ' ':
			break scan
		case '\'':
			end := strings.IndexByte(line[i+1:], '\'')
			if end < 0 {
				end = len(line) - i - 1
			}
			lit(line[i+1 : i+1+end])
			i = min(i+end+2, len(line))
		case '"':
			end := strings.IndexByte(line[i+1:], '"')
			if end < 0 {
				end = len(line) - i - 1
			}
			name, shape := shaped(line[i+1 : i+1+end])
			parts = append(parts, policy.Part{Kind: policy.Hole, Text: name, Shape: shape})
			i = min(i+end+2, len(line))
		case '$':
			end := i + 1
			for end < len(line) && (line[end] >= 'a' && line[end] <= 'z' || line[end] >= 'A' && line[end] <= 'Z' || line[end] == ':') {
				end++
			}
			name, shape := shaped(line[i:end])
			parts = append(parts, policy.Part{Kind: policy.Split, Text: name, Shape: shape})
			i = end
		case '*', '?':
			parts = append(parts, policy.Part{Kind: policy.Glob, Text: line[i : i+1]})
			i++
		default:
			lit(line[i : i+1])
			i++
		}
	}
	if len(parts) == 0 {
		parts = []policy.Part{{}}
	}
	if len(parts) == 1 && parts[0].Kind == policy.Lit {
		return policy.Const(parts[0].Text), line[i:]
	}
	return policy.Word{Parts: parts}, line[i:]
}

// shaped reads $name:W, :N or :P, which say that the value is one plain word,
// a number or an absolute path.
func shaped(text string) (string, policy.Shape) {
	name, shape, _ := strings.Cut(text, ":")
	switch shape {
	case "W":
		return name, policy.ShapeWord
	case "N":
		return name, policy.ShapeNumber
	case "P":
		return name, policy.ShapePath
	}
	return name, policy.ShapeAny
}

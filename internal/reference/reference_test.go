package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/cli"
)

const root = "../.."

func TestFresh(t *testing.T) {
	files, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if old, err := os.ReadFile(filepath.Join(root, name)); err != nil || !bytes.Equal(old, text) {
			t.Errorf("%s is not up to date\nrun: go generate ./...", name)
		}
	}
	pages, err := filepath.Glob(filepath.Join(root, "man/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range pages {
		if files["man/"+filepath.Base(path)] == nil {
			t.Errorf("%s is made from nothing", path)
		}
	}
}

// The programs that show pages find nothing wrong with them, and show all of the
// help.
func TestPages(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(root, "man/*"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("%q, %v", pages, err)
	}
	for _, path := range pages {
		for _, program := range [][]string{{"mandoc", "-T", "lint"}, {"groff", "-ww", "-man", "-Tutf8", "-z"}} {
			if _, err := exec.LookPath(program[0]); err != nil {
				t.Logf("SKIPPED: there is no %s to look at the pages", program[0])
				continue
			}
			c := exec.Command(program[0], append(program[1:], path)...)
			if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%s %s: %v\n%.2000s", program[0], path, err, out)
			}
		}
	}
	if _, err := exec.LookPath("mandoc"); err != nil {
		return
	}
	shown, err := exec.Command("mandoc", "-T", "utf8", "-O", "width=200", root+"/man/bashgate.1").Output()
	if err != nil {
		t.Fatal(err)
	}
	// Without what is printed over what: bold, underlined.
	var letters []rune
	for _, r := range string(shown) {
		if r == '\b' {
			letters = letters[:len(letters)-1]
			continue
		}
		letters = append(letters, r)
	}
	words := strings.Fields(string(letters))
	for _, page := range cli.Pages() {
		for word := range strings.FieldsSeq(page.Help) {
			if word = strings.TrimRight(word, ":"); !slices.Contains(words, word) && !slices.Contains(words, word+":") && word != "Usage" {
				t.Errorf("bashgate(1) does not show %q of %q", word, page.Name)
			}
		}
	}
}

// What Markdown the documents use is understood.
func TestMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"a `b c` **d** *e* [f](g.md#h)": `a \fBb c\fR \fBd\fR \fIe\fR f`,
		"x ([more](y.md))":              `x`,
		"a-b 'c' \\d ~/e":               `a\-b \(aqc\(aq \ed \(ti/e`,
		"2 * 3":                         `2 * 3`,
		"[`x`](y)":                      `\fBx\fR`,
		"a [b] c":                       `a [b] c`,
		"ü":                             `\[u00FC]`,
	} {
		if got := inline(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		".x y\n'z":                          "\\&.x y \\(aqz\n",
		"- a\n  b\n- c":                     ".IP \\(bu 2\na b\n.IP \\(bu 2\nc\n",
		"1. a\n2. b":                        ".IP 1. 4\na\n.IP 2. 4\nb\n",
		"```sh\n.a\n\nb\n```":               ".nf\n\\&.a\n\nb\n.fi\n",
		"| a | b |\n|---|---|\n| `x` | y |": ".TP\n\\fBx\\fR\ny\n",
		"| a | b | c |\n|---|---|---|\n| `x` | y\\|y | z |": ".TP\n\\fBx\\fR\nb: y|y\n.br\nz\n",
		"## S":            ".SH \"S\"\n",
		"<!-- c -->\n# T": "",
	} {
		var p page
		lines := strings.Split(text, "\n")
		for i := 0; i < len(lines); {
			i += p.block(lines[i:])
		}
		if got := p.out.String(); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

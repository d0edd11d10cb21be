package shell

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// seedTexts are the rows of testdata/read.
func seedTexts(f *testing.F) []string {
	files, err := filepath.Glob("testdata/read/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatalf("no rows: %v", err)
	}
	var texts []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSuffix(line, "\n")
			if line == "" || line[0] == '\t' || strings.HasPrefix(line, "//") {
				continue
			}
			if s, err := strconv.Unquote(line); err == nil {
				line = s
			}
			texts = append(texts, line)
		}
	}
	return texts
}

// FuzzRead reads any text in any dialect without a panic, and never says that
// there is nothing in a text that it asks about.
func FuzzRead(f *testing.F) {
	for _, s := range seedTexts(f) {
		for _, d := range []Dialect{Any, Bash, POSIX, Zsh} {
			f.Add(s, uint8(d))
		}
	}
	rd := New()
	f.Fuzz(func(t *testing.T, text string, dialect uint8) {
		in := Input{Text: text, Dialect: Dialect(dialect % 4), Dirs: []string{"/w"}, Home: "/home/u"}
		got := rd.Read(in)
		if got.Empty && (len(got.Commands) > 0 || len(got.Findings) > 0) {
			t.Errorf("empty, but %d commands and %d findings", len(got.Commands), len(got.Findings))
		}
		for _, finding := range got.Findings {
			if finding.Decision < policy.Ask || finding.Reason == "" {
				t.Errorf("finding without a decision or a reason: %+v", finding)
			}
		}
		for i := range got.Commands {
			c := &got.Commands[i]
			_ = c.String()
			for _, from := range c.Stdin.From {
				if from < 0 || from >= len(got.Commands) {
					t.Errorf("%s reads from command %d of %d", c, from, len(got.Commands))
				}
			}
		}
	})
}

package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the lines of rules into the help texts")

// Help texts and comments that show a rule name the line on which it stands.
func TestHelpNamesLines(t *testing.T) {
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`([a-z][a-z.-]*)( +)(rules/[a-z_]+\.toml):([0-9]+)`)
	count := 0
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		now := named.ReplaceAllFunc(text, func(found []byte) []byte {
			count++
			m := named.FindSubmatch(found)
			line, err := ruleLine(string(m[3]), string(m[1]))
			if err != nil {
				t.Errorf("%s: %s: %v", source, found, err)
				return found
			}
			right := fmt.Sprintf("%s%s%s:%d", m[1], m[2], m[3], line)
			if right != string(found) && !*update {
				t.Errorf("%s names %s, which is %s; write it with go test ./internal/cli -run HelpNamesLines -update, then go generate ./...", source, found, right)
			}
			return []byte(right)
		})
		if *update && string(now) != string(text) {
			if err := os.WriteFile(source, now, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if count < 8 {
		t.Errorf("%d rules are named", count)
	}
}

// ruleLine is the line of the table that has an id, or of a program's name.
func ruleLine(file, id string) (int, error) {
	text, err := os.ReadFile(filepath.Join("../..", file))
	if err != nil {
		return 0, err
	}
	lines := strings.Split(string(text), "\n")
	table := 0
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "["):
			table = i + 1
		case line == `id = "`+id+`"` || line == `name = "`+id+`"` && lines[table-1] != "[meta]":
			return table, nil
		}
	}
	return 0, fmt.Errorf("there is no such rule")
}

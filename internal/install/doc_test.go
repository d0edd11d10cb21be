package install

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// docRow is an agent's row in docs/hosts.md.
func docRow(a *Agent) string {
	var columns [2][]string
	closed := "no"
	for i := range a.Files {
		f := &a.Files[i]
		if f.shape.fixed {
			continue
		}
		path := "`" + strings.ReplaceAll(strings.TrimPrefix(f.Path, "./"), "$event", "EVENT") + "`"
		if f.If == f.Path && f.If != "" {
			path += ", if it is there"
		}
		columns[f.Scope] = append(columns[f.Scope], path)
		switch {
		case f.shape.form == text:
			closed = "yes"
		case f.shape.closed != "":
			closed = "`" + strings.TrimPrefix(f.shape.closed, ", ") + "`"
		case f.shape.shell:
			closed = "`" + strings.TrimSpace(orDeny) + "`, but not where it is late"
		}
	}
	rules := ""
	if a.Policy != "" {
		rules = "`" + a.Policy + "`"
	}
	closed = strings.ReplaceAll(closed, "|", `\|`)
	return fmt.Sprintf("| %s | `%s` | %s | %s | %s | %s |", a.Title, a.Host,
		strings.Join(columns[User], "<br>"), strings.Join(columns[Project], "<br>"), closed, rules)
}

// The documentation says where every agent's hooks are.
func TestDocs(t *testing.T) {
	doc, err := os.ReadFile("../../docs/hosts.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range Agents() {
		if row := docRow(a); !strings.Contains(string(doc), "\n"+row+"\n") {
			t.Errorf("docs/hosts.md lacks the row\n%s", row)
		}
	}
}

package host

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/gates"
)

// docRow is an agent's row in docs/hosts.md.
func docRow(h *Host) string {
	shells := ""
	for _, g := range gates.All {
		for i := range g.Shells {
			if r := &g.Shells[i]; shells == "" && r.Agent == h.Name && r.Other == "" {
				shells = "`" + strings.Join(r.Names, "`, `") + "`"
			}
		}
	}
	question := [...]string{Asks: "asked", Refuses: "denied", Silences: "denied; with `--prompts` left to the agent"}[h.Asking]
	if len(h.Unheard) > 0 {
		question += ", but denied at `" + strings.Join(h.Unheard, "`, `") + "`"
	}
	closed := h.Closed
	if closed == "" {
		closed = "no"
	}
	anchor := strings.ReplaceAll(strings.ToLower(h.Title), " ", "-")
	return fmt.Sprintf("| [%s](#%s) | `%s` | `%s` | %s | %s | %s |", h.Title, anchor, h.Name, h.EventName(BeforeToolUse), shells, question, closed)
}

// The documentation has a row for every agent, in the order of the table.
func TestDocs(t *testing.T) {
	doc, err := os.ReadFile("../../docs/hosts.md")
	if err != nil {
		t.Fatal(err)
	}
	rest := string(doc)
	for _, h := range hosts {
		row := docRow(h)
		before, after, ok := strings.Cut(rest, "\n"+row+"\n")
		if !ok {
			t.Errorf("docs/hosts.md lacks the row, or has it elsewhere:\n%s", row)
			continue
		}
		if strings.Contains(before, "\n## ") {
			t.Errorf("docs/hosts.md has the row of %s below its table", h.Name)
		}
		rest = "\n" + after
	}
}

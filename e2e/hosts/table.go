//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// What stands between these lines of docs/hosts.md is written here.
const (
	tableBegins = "<!-- e2e-hosts begins -->\n"
	tableEnds   = "<!-- e2e-hosts ends -->\n"
)

// version is the version that the agent's package.json pins.
func (a *agent) version() (string, error) {
	path := filepath.Join("e2e/hosts/packages", a.name, "package.json")
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	var p struct{ Dependencies map[string]string }
	if err := json.Unmarshal(data, &p); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	if len(p.Dependencies) != 1 {
		return "", fmt.Errorf("%s: %d dependencies, and one is the agent", path, len(p.Dependencies))
	}
	for _, version := range p.Dependencies {
		version = version[strings.LastIndexByte(version, '@')+1:] // npm:@openai/codex@0.169.0-linux-x64
		return strings.TrimSuffix(version, "-linux-x64"), nil
	}
	return "", nil
}

// writeTable writes what happened with some agents into a document, and leaves
// the lines about others.
func writeTable(path string, rows []row) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text, err := withRows(string(data), rows)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

func withRows(text string, rows []row) (string, error) {
	before, rest, ok := strings.Cut(text, tableBegins)
	old, after, closed := strings.Cut(rest, tableEnds)
	if !ok || !closed {
		return "", fmt.Errorf("no table: %q and %q are missing", strings.TrimSpace(tableBegins), strings.TrimSpace(tableEnds))
	}
	var b strings.Builder
	b.WriteString(before + tableBegins + "| agent | version | run |")
	for i := range cases {
		b.WriteString(" " + cases[i].title + " |")
	}
	b.WriteString("\n|" + strings.Repeat("---|", 3+len(cases)) + "\n")
	for i := range agents {
		b.WriteString(line(&agents[i], rows, old))
	}
	b.WriteString(tableEnds + after)
	return b.String(), nil
}

// line is an agent's line: the new one, or else the old one.
func line(a *agent, rows []row, old string) string {
	for i := range rows {
		if r := &rows[i]; r.agent == a {
			text := fmt.Sprintf("| %s | %s | %s |", a.title, r.version, r.date)
			for _, got := range r.got {
				text += " " + string(got) + " |"
			}
			return text + "\n"
		}
	}
	for l := range strings.Lines(old) {
		if strings.HasPrefix(l, "| "+a.title+" |") {
			return l
		}
	}
	return ""
}

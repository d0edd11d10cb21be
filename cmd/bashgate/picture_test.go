package main

import (
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The pictures of a terminal at the head of the README show what these commands
// print, for readers with a light and with a dark page.
var pictured = []string{
	`bashgate check "find . -name '*.go' | xargs grep -n TODO"`,
	`bashgate check 'find . -name "*.go" -"dele"te'`,
	`bashgate check 'tar xf release.tgz && rm -rf ~'`,
}

// colors of the terminal's page, frame, text, command lines, rule names and of each
// decision.
var pictures = map[string]map[string]string{
	"docs/terminal-light.svg": {"page": "#ffffff", "frame": "#d1d9e0", "text": "#1f2328", "typed": "#1f2328", "dim": "#59636e", "allow": "#1a7f37", "ask": "#9a6700", "block": "#cf222e"},
	"docs/terminal-dark.svg":  {"page": "#0d1117", "frame": "#3d444d", "text": "#d1d7e0", "typed": "#f0f6fc", "dim": "#9198a1", "allow": "#3fb950", "ask": "#d29922", "block": "#f85149"},
}

// TestPicture holds the pictures against what is printed today.
func TestPicture(t *testing.T) {
	var lines []string
	for _, command := range pictured {
		c := exec.Command("sh", "-c", command)
		c.Dir = t.TempDir()
		c.Env = []string{"HOME=/home/me", "PATH=" + os.Getenv("PATH"), "SHELL=/bin/bash"}
		out, _ := c.CombinedOutput() // the status is the decision
		lines = append(lines, "$ "+command)
		lines = append(lines, strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")...)
		lines = append(lines, "")
	}
	for name, colors := range pictures {
		drawn := draw(lines[:len(lines)-1], colors)
		if *update {
			if err := os.WriteFile("../../"+name, []byte(drawn), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if data, err := os.ReadFile("../../" + name); err != nil || string(data) != drawn {
			t.Errorf("%s is stale (%v): go test ./cmd/bashgate -run TestPicture -update", name, err)
		}
	}
}

// draw returns an SVG of lines as a terminal shows them, in cells of 8.4 by 20 pixels.
func draw(lines []string, colors map[string]string) string {
	const cell, row, margin = 8.4, 20, 20
	columns := 0
	for _, line := range lines {
		columns = max(columns, len([]rune(line)))
	}
	width, height := int(cell*float64(columns))+2*margin, row*len(lines)+2*margin
	var svg strings.Builder
	fmt.Fprintf(&svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %[1]d %[2]d\" role=\"img\">\n<title>", width, height)
	xml.EscapeText(&svg, []byte(strings.Join(lines, "; ")))
	fmt.Fprintf(&svg, "</title>\n<rect x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"8\" fill=\"%s\" stroke=\"%s\"/>\n", width-1, height-1, colors["page"], colors["frame"])
	svg.WriteString("<g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"14\">\n")
	for i, line := range lines {
		y := margin + row*i + 15
		x := 0
		for _, span := range spans(line) {
			if text := strings.TrimSpace(span.text); text != "" {
				lead := len(span.text) - len(strings.TrimLeft(span.text, " "))
				fmt.Fprintf(&svg, "<text x=\"%.1f\" y=\"%d\" textLength=\"%.1f\" fill=\"%s\"%s xml:space=\"preserve\">", margin+cell*float64(x+lead), y, cell*float64(len([]rune(text))), colors[span.color], span.style)
				xml.EscapeText(&svg, []byte(text))
				svg.WriteString("</text>\n")
			}
			x += len([]rune(span.text))
		}
	}
	svg.WriteString("</g>\n</svg>\n")
	return svg.String()
}

type span struct{ text, color, style string }

// spans colors a line: a command, a decision and its reason, or what decided.
func spans(line string) []span {
	if command, ok := strings.CutPrefix(line, "$ "); ok {
		return []span{{"$ ", "dim", ""}, {command, "typed", ""}}
	}
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "allow", "ask", "block":
		return []span{{word, word, ` font-weight="bold"`}, {" " + rest, "text", ""}}
	case "":
		return []span{{line, "dim", ""}}
	}
	return []span{{line, "text", ""}}
}

package main

import (
	"strings"

	"github.com/bashgate/bashgate/internal/cli"
)

// commandPage is bashgate(1): the help of bashgate, then that of each command.
func commandPage() []byte {
	p := &page{
		name: "bashgate", section: 1, from: "internal/cli",
		about: "decide allow, ask or block for every shell command of a coding agent",
		see:   []string{"bashgate-config(5)", "bashgate-rules(7)"},
	}
	p.begin()
	pages := cli.Pages()
	p.heading("SYNOPSIS")
	p.line(bold("bashgate") + " [\\fIcommand\\fR] [\\fIflags\\fR] [\\fIarguments\\fR]")
	p.heading("DESCRIPTION")
	p.help(pages[0].Help)
	p.heading("COMMANDS")
	for _, c := range pages[1:] {
		p.subheading(c.Name)
		p.help(c.Help)
	}
	p.heading("EXIT STATUS")
	for _, s := range cli.Statuses() {
		p.item(bold(s.Status), escape(s.Means))
	}
	return p.end()
}

// help writes a help text: paragraphs, and below titles either entries in two
// columns or lines as they stand.
func (p *page) help(text string) {
	title := ""
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		lines := strings.Split(block, "\n")
		if last := len(strings.TrimSuffix(lines[0], ":")); !strings.HasPrefix(lines[0], " ") && last < len(lines[0]) && len(lines) > 1 && strings.HasPrefix(lines[1], " ") {
			title, lines = lines[0][:last], lines[1:]
			if title != "Usage" {
				p.paragraph(bold(title + ":"))
			}
		} else if !strings.HasPrefix(lines[0], " ") {
			p.paragraph(escape(block))
			continue
		}
		entries, ok := columns(lines)
		if title == "Example" || !ok {
			for i := range lines {
				lines[i] = strings.TrimPrefix(lines[i], "  ")
			}
			p.literal(lines)
			continue
		}
		for _, e := range entries {
			p.item(bold(e[0]), escape(e[1]))
		}
	}
}

// columns reads lines that are entries, each with what it means in a second
// column. It reports false where they are none.
func columns(lines []string) (entries [][2]string, ok bool) {
	for _, line := range lines {
		text := strings.TrimPrefix(line, "  ")
		head, rest, apart := strings.Cut(text, "  ")
		switch {
		case strings.HasPrefix(text, " ") && len(entries) > 0: // goes on
			last := &entries[len(entries)-1]
			last[1] = strings.TrimSpace(last[1] + " " + strings.TrimSpace(text))
		case strings.HasPrefix(text, " "):
			return nil, false
		case apart:
			entries = append(entries, [2]string{head, strings.TrimSpace(rest)})
		default:
			entries = append(entries, [2]string{head, ""})
		}
	}
	for _, e := range entries {
		if e[1] == "" {
			return nil, false
		}
	}
	return entries, true
}

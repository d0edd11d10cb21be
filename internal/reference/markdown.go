package main

import (
	"strings"
)

// documentPage makes a page of a document in Markdown: what the project's own
// documents use of it.
func documentPage(text string, p page) []byte {
	p.begin()
	p.heading("DESCRIPTION")
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		i += p.block(lines[i:])
	}
	return p.end()
}

// block writes the block that lines begin with, and returns how many lines it has.
func (p *page) block(lines []string) int {
	line := lines[0]
	switch {
	case strings.TrimSpace(line) == "", strings.HasPrefix(line, "# "), strings.HasPrefix(line, "<!--"):
		return 1
	case strings.HasPrefix(line, "## "):
		p.heading(plain(line[3:]))
		return 1
	case strings.HasPrefix(line, "### "):
		p.subheading(plain(line[4:]))
		return 1
	case strings.HasPrefix(line, "```"):
		n := 1
		for n < len(lines) && !strings.HasPrefix(lines[n], "```") {
			n++
		}
		p.literal(lines[1:n])
		return n + 1
	case strings.HasPrefix(line, "|"):
		n := 0
		for n < len(lines) && strings.HasPrefix(lines[n], "|") {
			n++
		}
		p.table(lines[:n])
		return n
	}
	n := 1
	for n < len(lines) && !begins(lines[n]) {
		n++
	}
	text := strings.Join(lines[:n], "\n")
	switch mark, rest, ok := strings.Cut(line, " "); {
	case ok && mark == "-":
		p.out.WriteString(".IP \\(bu 2\n")
		p.line(inline(text[2:]))
	case ok && number(mark):
		p.out.WriteString(".IP " + mark + " 4\n")
		p.line(inline(rest + text[len(line):]))
	default:
		p.paragraph(inline(text))
	}
	return n
}

// begins reports whether a line begins a block of its own.
func begins(line string) bool {
	mark, _, _ := strings.Cut(line, " ")
	return strings.TrimSpace(line) == "" || mark == "-" || number(mark) || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "<!--")
}

// number reports whether a word numbers an item: "1."
func number(word string) bool {
	digits, ok := strings.CutSuffix(word, ".")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// table writes each row as an entry: the first cell, and what the others say.
func (p *page) table(rows []string) {
	head := cells(rows[0])
	for _, row := range rows[2:] {
		row := cells(row)
		var said []string
		for i, cell := range row[1:] {
			switch cell = inline(cell); {
			case cell == "":
			case len(row) > 2 && i+1 < len(head) && head[i+1] != "" && i+2 < len(row):
				said = append(said, escape(head[i+1])+": "+cell)
			default:
				said = append(said, cell)
			}
		}
		if len(said) == 0 {
			said = []string{`\&`}
		}
		p.item(inline("**"+strings.ReplaceAll(row[0], "`", "")+"**"), said...)
	}
}

// cells splits a row, in which \| is a bar.
func cells(row string) []string {
	row = strings.Trim(strings.TrimSpace(strings.ReplaceAll(row, `\|`, "\x00")), "|")
	list := strings.Split(row, "|")
	for i, cell := range list {
		list[i] = strings.ReplaceAll(strings.TrimSpace(cell), "\x00", "|")
	}
	return list
}

// inline writes the marks within a text: `code` and **strong** bold, *words* in
// italics, of a link its text.
func inline(text string) string {
	var b strings.Builder
	for text != "" {
		switch {
		case strings.HasPrefix(text, "`"):
			if code, rest, ok := strings.Cut(text[1:], "`"); ok {
				b.WriteString(bold(code))
				text = rest
				continue
			}
		case strings.HasPrefix(text, "**"):
			if strong, rest, ok := strings.Cut(text[2:], "**"); ok {
				b.WriteString(bold(plain(strong)))
				text = rest
				continue
			}
		case strings.HasPrefix(text, "*"):
			if word, rest, ok := strings.Cut(text[1:], "*"); ok && word != "" && !strings.ContainsAny(word, "\n") {
				b.WriteString(`\fI` + escape(plain(word)) + `\fR`)
				text = rest
				continue
			}
		case strings.HasPrefix(text, " ([more]("):
			if _, rest, ok := strings.Cut(text, "))"); ok {
				text = rest
				continue
			}
		case strings.HasPrefix(text, "["):
			if label, rest, ok := strings.Cut(text[1:], "]("); ok && !strings.Contains(label, "[") {
				if _, rest, ok := strings.Cut(rest, ")"); ok {
					b.WriteString(inline(label))
					text = rest
					continue
				}
			}
		}
		next := strings.IndexAny(text[1:], "`*[ ") + 1
		if next == 0 {
			next = len(text)
		}
		b.WriteString(escape(text[:next]))
		text = text[next:]
	}
	return b.String()
}

// plain is a text without its marks.
func plain(text string) string { return strings.NewReplacer("`", "", "**", "").Replace(text) }

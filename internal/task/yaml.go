package task

import (
	"fmt"
	"strconv"
	"strings"
)

// This file reads the YAML that Taskfiles and pnpm-workspace.yaml are written
// in: block mappings and lists, plain and quoted scalars, literal and folded
// texts, flow collections. Anchors, aliases, tags, complex keys and several
// documents are errors with their line, and so is what two parsers read
// differently (tabs, equal keys). The libraries for YAML build tables before
// main, for a third of a millisecond in every process.

// true reports whether a scalar is a true boolean.
func (n *node) true() bool {
	return n != nil && n.kind == nodeText && n.plain && strings.EqualFold(n.text, "true")
}

// parseYAML reads one document.
func parseYAML(text []byte) (root *node, err error) {
	p := yamlParser{lines: strings.Split(strings.ReplaceAll(strings.TrimPrefix(string(text), "\ufeff"), "\r\n", "\n"), "\n")}
	defer func() {
		if e, ok := recover().(*readError); ok {
			root, err = nil, e
		} else if e != nil {
			panic(e)
		}
	}()
	p.skip()
	if p.at < len(p.lines) && strings.TrimRight(p.lines[p.at], " ") == "---" {
		p.at++
		p.skip()
	}
	root = &node{line: 1}
	if p.at < len(p.lines) {
		root = p.block(p.indent(), 0)
	}
	if p.skip(); p.at < len(p.lines) {
		p.fail("is indented like nothing above it")
	}
	return root, nil
}

// yamlParser reads line by line. Mistakes are panics with a *readError.
type yamlParser struct {
	lines []string
	at    int
}

func (p *yamlParser) fail(format string, args ...any) {
	panic(&readError{min(p.at, len(p.lines)-1) + 1, fmt.Sprintf(format, args...)})
}

// skip passes blank lines and comments.
func (p *yamlParser) skip() {
	for p.at < len(p.lines) {
		line := strings.TrimLeft(p.lines[p.at], " ")
		if strings.TrimSpace(line) != "" && line[0] != '#' {
			if line[0] == '\t' {
				p.fail("is indented with a tab")
			}
			return
		}
		p.at++
	}
}

// indent is the number of blanks before the line at hand.
func (p *yamlParser) indent() int {
	line := p.lines[p.at]
	return len(line) - len(strings.TrimLeft(line, " "))
}

const maxYAMLDepth = 50

// block reads the value whose lines begin at an indentation.
func (p *yamlParser) block(indent, depth int) *node {
	if depth > maxYAMLDepth {
		p.fail("nests too deeply")
	}
	n := &node{line: p.at + 1}
	body := p.lines[p.at][indent:]
	switch {
	case body == "-" || strings.HasPrefix(body, "- "):
		n.kind = nodeList
		for p.at < len(p.lines) && p.indent() == indent {
			body := p.lines[p.at][indent:]
			if body != "-" && !strings.HasPrefix(body, "- ") {
				break
			}
			n.items = append(n.items, p.element(indent, depth))
			p.skip()
		}
	case yamlKey(body) >= 0:
		n.kind = nodeTable
		for p.at < len(p.lines) && p.indent() == indent {
			body := p.lines[p.at][indent:]
			end := yamlKey(body)
			if end < 0 {
				p.fail("wants a key and a colon")
			}
			key := p.key(strings.TrimRight(body[:end], " "))
			for _, k := range n.keys {
				if k == key {
					p.fail("the key %q stands there twice", key)
				}
			}
			n.keys = append(n.keys, key)
			n.items = append(n.items, p.value(body[end+1:], indent, depth, true))
			p.skip()
		}
	default:
		return p.scalar(body, indent-1)
	}
	if p.at < len(p.lines) && p.indent() > indent {
		p.fail("is indented like nothing above it")
	}
	return n
}

// element reads an element of a list, whose dash is at an indentation.
func (p *yamlParser) element(indent, depth int) *node {
	line := p.lines[p.at]
	rest := line[indent+1:]
	body := strings.TrimLeft(rest, " ")
	nested := body == "-" || strings.HasPrefix(body, "- ") || yamlKey(body) >= 0
	if !nested || body == "" || body[0] == '#' {
		return p.value(rest, indent, depth, false)
	}
	// What stands behind the dash begins a block of its own.
	inner := len(line) - len(body)
	p.lines[p.at] = strings.Repeat(" ", inner) + body
	return p.block(inner, depth+1)
}

// value reads what stands behind a colon or a dash at an indentation.
func (p *yamlParser) value(rest string, indent, depth int, inMap bool) *node {
	line := p.at + 1
	body := strings.TrimLeft(rest, " ")
	if body == "" || body[0] == '#' && len(body) < len(rest) {
		p.at++
		p.skip()
		if p.at < len(p.lines) {
			next := p.indent()
			isList := inMap && next == indent && strings.HasPrefix(p.lines[p.at][next:]+" ", "- ")
			if next > indent || isList {
				return p.block(next, depth+1)
			}
		}
		return &node{line: line}
	}
	return p.scalar(body, indent)
}

// yamlKey returns the index of the colon that ends a line's key, or -1.
func yamlKey(s string) int {
	if s == "" {
		return -1
	}
	i := 0
	if s[0] == '"' || s[0] == '\'' {
		if i = yamlQuoted(s); i < 0 {
			return -1
		}
		i += len(s[i:]) - len(strings.TrimLeft(s[i:], " "))
		if i < len(s) && s[i] == ':' && (i+1 == len(s) || s[i+1] == ' ') {
			return i
		}
		return -1
	}
	if strings.IndexByte("[{&*!|>%@`#?", s[0]) >= 0 && !(s[0] == '?' && len(s) > 1 && s[1] != ' ') {
		return -1
	}
	for ; i < len(s); i++ {
		switch {
		case s[i] == ':' && (i+1 == len(s) || s[i+1] == ' '):
			return i
		case s[i] == '#' && i > 0 && s[i-1] == ' ':
			return -1
		}
	}
	return -1
}

// yamlQuoted returns the index after a quoted text at the start of s, or -1
// if it does not end there.
func yamlQuoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[0] == '"' && s[i] == '\\':
			i++
		case s[i] == s[0] && s[0] == '\'' && i+1 < len(s) && s[i+1] == '\'':
			i++
		case s[i] == s[0]:
			return i + 1
		}
	}
	return -1
}

// key reads a key.
func (p *yamlParser) key(s string) string {
	switch {
	case s == "<<":
		p.fail("merges another mapping, which is not followed")
	case s != "" && (s[0] == '"' || s[0] == '\''):
		return p.unquote(s)
	}
	return s
}

// scalar reads a value that begins in the line at hand, and passes its lines.
// Those that go on with it are indented more than indent.
func (p *yamlParser) scalar(body string, indent int) *node {
	n := &node{line: p.at + 1, kind: nodeText}
	switch body[0] {
	case '&', '*', '!', '%', '@', '`':
		p.fail("uses a part of YAML that is not read here: %.20q", body)
	case '|', '>':
		n.text = p.literal(body, indent)
		return n
	case '"', '\'':
		for yamlQuoted(body) < 0 {
			// Lines of one text are joined by a blank; an empty line is
			// a line break, which task files have no use for.
			if p.at++; p.at >= len(p.lines) || strings.TrimSpace(p.lines[p.at]) == "" || p.indent() <= indent {
				p.at--
				p.fail("a quoted text that does not end")
			}
			if strings.HasSuffix(body, `\`) {
				p.fail("a quoted text goes on after a backslash")
			}
			body = strings.TrimRight(body, " ") + " " + strings.TrimLeft(p.lines[p.at], " ")
		}
		end := yamlQuoted(body)
		p.ended(body[end:])
		n.text = p.unquote(body[:end])
		p.at++
		return n
	case '[', '{':
		for {
			f := yamlFlow{p: p, s: body, line: n.line}
			value, ok := f.value(0)
			if ok {
				p.ended(f.s[f.at:])
				p.at++
				return value
			}
			if p.at++; p.at >= len(p.lines) || len(body) > 8<<10 {
				p.at--
				p.fail("a bracket that is not closed")
			}
			next := strings.TrimLeft(p.lines[p.at], " ")
			if strings.HasPrefix(next, "#") {
				continue
			}
			body = yamlComment(body) + " " + next
		}
	}
	n.plain = true
	var parts []string
	for {
		text := yamlComment(body)
		if strings.Contains(text+" ", ": ") && (len(parts) > 0 || yamlKey(text) >= 0) {
			p.fail("a colon in a text without quotes")
		}
		parts = append(parts, strings.TrimSpace(text))
		commented := len(text) < len(strings.TrimRight(body, " "))
		p.at++
		if commented || p.at >= len(p.lines) || strings.TrimSpace(p.lines[p.at]) == "" || p.indent() <= indent {
			break
		}
		if body = strings.TrimLeft(p.lines[p.at], " "); body[0] == '#' {
			break
		}
	}
	n.text = strings.Join(parts, " ")
	if n.text == "" || n.text == "~" || strings.EqualFold(n.text, "null") {
		n.kind = nodeNull
	}
	return n
}

// yamlComment cuts a comment off a plain text.
func yamlComment(s string) string {
	if i := strings.Index(s, " #"); i >= 0 {
		s = s[:i]
	}
	return strings.TrimRight(s, " \t")
}

// ended makes sure that nothing but a comment follows a value.
func (p *yamlParser) ended(rest string) {
	if trimmed := strings.TrimSpace(rest); trimmed != "" && (trimmed[0] != '#' || trimmed == rest) {
		p.fail("has more behind a value: %.20q", trimmed)
	}
}

// literal reads a text that a header such as ">-" begins.
func (p *yamlParser) literal(header string, indent int) string {
	folded := header[0] == '>'
	header = strings.TrimSpace(yamlComment(header[1:]))
	keep, strip := strings.Contains(header, "+"), strings.Contains(header, "-")
	digits := strings.Trim(header, "+-")
	inner := -1
	if digits != "" {
		n, err := strconv.Atoi(digits)
		if err != nil || n < 1 || n > 9 {
			p.fail("a header of a text that can't be read: %.20q", header)
		}
		inner = max(indent, 0) + n
	}
	p.at++
	var lines []string
	for ; p.at < len(p.lines); p.at++ {
		line := p.lines[p.at]
		if strings.Trim(line, " ") == "" {
			if inner >= 0 && len(line) > inner {
				line = line[inner:]
			} else {
				line = ""
			}
			lines = append(lines, line)
			continue
		}
		blanks := p.indent()
		if inner < 0 {
			if blanks <= indent {
				break
			}
			inner = blanks
		}
		if blanks < inner {
			break
		}
		lines = append(lines, line[inner:])
	}
	end := len(lines)
	for end > 0 && lines[end-1] == "" {
		end--
	}
	trailing := len(lines) - end
	lines = lines[:end]
	text := strings.Join(lines, "\n")
	if folded {
		text = fold(lines)
	}
	switch {
	case strip || text == "":
		return text
	case keep:
		return text + strings.Repeat("\n", trailing+1)
	}
	return text + "\n"
}

// fold joins the lines of a folded text: a line break is a blank, but beside
// lines that are indented or empty.
func fold(lines []string) string {
	var b strings.Builder
	deep := func(s string) bool { return s != "" && (s[0] == ' ' || s[0] == '\t') }
	for i, line := range lines {
		if i > 0 {
			previous := lines[i-1]
			switch {
			case line == "" || deep(line) || deep(previous):
				b.WriteByte('\n')
			case previous == "":
				// The empty lines before are its line breaks, one less
				// where an indented line came before them.
				for k := i - 1; k >= 0; k-- {
					if lines[k] != "" {
						if deep(lines[k]) {
							b.WriteByte('\n')
						}
						break
					}
				}
			default:
				b.WriteByte(' ')
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

// unquote reads a quoted text.
func (p *yamlParser) unquote(s string) string {
	if len(s) < 2 || yamlQuoted(s) != len(s) {
		p.fail("a quoted text that does not end")
	}
	inner := s[1 : len(s)-1]
	if s[0] == '\'' {
		return strings.ReplaceAll(inner, "''", "'")
	}
	if !strings.Contains(inner, `\`) {
		return inner
	}
	var b strings.Builder
	for i := 0; i < len(inner); i++ {
		if inner[i] != '\\' {
			b.WriteByte(inner[i])
			continue
		}
		i++
		switch c := inner[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 't', '\t':
			b.WriteByte('\t')
		case '0':
			b.WriteByte(0)
		case 'r':
			b.WriteByte('\r')
		case 'e':
			b.WriteByte(0x1b)
		case '"', '\\', '/', ' ':
			b.WriteByte(c)
		default:
			p.fail("an escape that is not read here: %q", `\`+string(rune(c)))
		}
	}
	return b.String()
}

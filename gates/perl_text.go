package gates

import "strings"

// quoteLike reads the rest of s///, m//, tr///, y///, q//, qq// and qw//.
func (p *perlProgram) quoteLike(word string) {
	for p.peek() == ' ' {
		p.at++
		if p.peek() == '#' {
			p.fail() // a comment
		}
	}
	switch word {
	case "q", "qw":
		p.delimited(false)
	case "qq":
		p.interpolates(p.delimited(false))
	case "m":
		p.pattern()
		p.flags("gimsxnodualpc")
	case "tr", "y":
		p.pair()
		p.flags("cdsr")
	case "s":
		pattern, text := p.pair()
		p.matches(pattern)
		p.interpolates(text)
		p.flags("gimsxnodualpcr") // no e, which runs the text
	}
}

// pattern reads a pattern between two signs.
func (p *perlProgram) pattern() { p.matches(p.delimited(true)) }

// flags reads the letters behind a pattern.
func (p *perlProgram) flags(letters string) {
	for isLetter(p.peek()) || '0' <= p.peek() && p.peek() <= '9' {
		if strings.IndexByte(letters, p.peek()) < 0 {
			p.fail()
			return
		}
		p.at++
	}
}

// quoted reads "..." or '...'.
func (p *perlProgram) quoted(interpolated bool) {
	if text := p.delimited(false); interpolated {
		p.interpolates(text)
	}
}

// closer is the sign that ends what another begins; 0 for one that is not read.
func closer(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	case '<':
		return '>'
	}
	if open != 0 && strings.IndexByte("/|!,;:~%@^\"#'", open) >= 0 {
		return open
	}
	return 0
}

// delimited reads a text between two signs, the next of which is the first. A backslash
// before one of them is not part of the text, so that qq{$x\{f()\}} is $x{f()}; between
// the brackets of a pattern it is.
func (p *perlProgram) delimited(pattern bool) string {
	open := p.peek()
	end := closer(open)
	if end == 0 {
		p.fail()
		return ""
	}
	keeps := pattern && open != end
	var text strings.Builder
	p.at++
	for depth := 0; p.at < len(p.text); p.at++ {
		c := p.text[p.at]
		switch {
		case c == '\\':
			p.at++
			if next := p.peek(); keeps || next != open && next != end {
				text.WriteByte(c)
			}
			c = p.peek()
		case c == end && depth == 0:
			p.at++
			return text.String()
		case c == end:
			depth--
		case c == open:
			depth++
		}
		text.WriteByte(c)
	}
	p.fail()
	return ""
}

// pair reads the two texts of s/a/b/, s{a}{b} and s(a) /b/.
func (p *perlProgram) pair() (first, second string) {
	open := p.peek()
	first = p.delimited(true)
	if p.failed {
		return "", ""
	}
	if closer(open) == open {
		p.at-- // the sign between them
	} else {
		for isSpace(p.peek()) {
			p.at++
			if p.peek() == '#' {
				p.fail()
			}
		}
	}
	return first, p.delimited(false)
}

// matches finds what runs code in a pattern: (?{...}), (??{...}), (*{...}), and what
// interpolates does.
func (p *perlProgram) matches(pattern string) {
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
			if i < len(pattern) && (pattern[i] == 'c' || pattern[i] == 'N' && strings.HasPrefix(pattern[i+1:], "{")) {
				p.fail() // what takes the next backslash, and a name that a module looks up
			}
		case '(':
			rest := strings.TrimLeft(pattern[i+1:], " \t\n")
			if strings.HasPrefix(rest, "#") || strings.HasPrefix(rest, "*") || strings.HasPrefix(rest, "?") && strings.IndexByte("{?p", (rest + " ")[1]) >= 0 {
				p.fail()
			}
		case '$', '@':
			i = p.interpolated(pattern, i, true)
		}
	}
}

// interpolates finds values in a text that are more than those of plain variables.
func (p *perlProgram) interpolates(text string) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
			if i < len(text) && (text[i] == 'N' || text[i] == 'c') {
				p.fail()
			}
		case '$', '@':
			i = p.interpolated(text, i, false)
		}
	}
}

// interpolated looks at one value in a text, and returns where it ends. In a pattern a
// dollar may be the end of a line, and what stands in brackets behind a name may be a
// class of characters.
func (p *perlProgram) interpolated(text string, i int, pattern bool) int {
	sigil, rest := text[i], text[i+1:]
	value := perlProgram{code: code{text: rest}}
	c := value.peek()
	switch {
	case sigil == '@' && !pattern && (c == '-' || c == '+'):
		p.fail() // where the groups of a match are
		return i
	case sigil == '@' && (c == 0 || !isLetter(c) && strings.IndexByte("${:'", c) < 0 && (c < '0' || c > '9') && c != number && c < 0x80):
		return i // a sign like others
	case sigil == '$' && pattern && (c == 0 || c == ')' || c == '|'):
		return i
	case sigil == '$' && c == '{', sigil == '@' && c == '{':
		name, _, closed := strings.Cut(rest[1:], "}")
		plain := perlProgram{code: code{text: name}}
		plain.name()
		group := strings.Trim(name, "123456789") == "" // ${1}
		if sigil == '@' || !closed || name == "" || !group && (plain.failed || plain.at < len(name)) {
			p.fail()
			return i
		}
		value.at = len(name) + 2
	case sigil == '$' && value.next() == "ARGV" && !strings.HasPrefix(rest, "ARGV[") && !strings.HasPrefix(rest, "ARGV{"):
		value.word() // the file that is read
	case isLetter(c):
		value.name()
	case sigil == '$' && '1' <= c && c <= '9':
		for '0' <= value.peek() && value.peek() <= '9' {
			value.at++
		}
	case sigil == '$' && !pattern && (c == '&' || c == '.' || c == '!'):
		value.at++
	default:
		p.fail()
		return i
	}
	p.failed = p.failed || value.failed
	rest = rest[value.at:]
	if !pattern {
		rest = rest[simpleSubscript(rest):]
	}
	if strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, "{") || strings.HasPrefix(rest, "->") || strings.HasPrefix(rest, "::") {
		p.fail()
	}
	return i + len(text[i+1:]) - len(rest)
}

// simpleSubscript returns how long a subscript is that is of numbers, a word or a plain
// variable, or 0.
func simpleSubscript(text string) int {
	if text == "" || text[0] != '[' && text[0] != '{' {
		return 0
	}
	end := strings.IndexByte(text, closer(text[0]))
	if end < 2 {
		return 0
	}
	inner, fits := text[1:end], "0123456789,.-"
	name, variable := strings.CutPrefix(inner, "$")
	if last, counts := strings.CutPrefix(name, "#"); variable && counts && last != "" && isLetter(last[0]) {
		name = last // the last of a list: $#F
	}
	if variable || text[0] == '{' {
		inner, fits = name, "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	}
	if inner == "" || strings.Trim(inner, fits) != "" {
		return 0
	}
	return end + 1
}

package python

import (
	"strings"
	"unicode/utf8"
)

// maxFormatted is how deep strings with fields and the formats of fields may
// stand in one another.
const maxFormatted = 20

// isPrefix says whether a word before a quote is part of the string.
func isPrefix(word string) bool {
	switch strings.ToLower(word) {
	case "r", "u", "b", "br", "rb", "f", "fr", "rf", "t", "tr", "rt":
		return true
	}
	return false
}

// hasPrefix says whether the prefix of a string has a letter, which is given
// in lower case.
func hasPrefix(prefix string, letter byte) bool {
	for i := range len(prefix) {
		if prefix[i]|0x20 == letter {
			return true
		}
	}
	return false
}

// str reads a string from its quote on; its prefix is read.
func (l *lexer) str(start int, at Position) {
	prefix := l.text[start:l.at]
	quote := l.text[l.at : l.at+1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(l.text[l.at:], long) {
		quote = long
	}
	l.at += len(quote)
	if hasPrefix(prefix, 'f') || hasPrefix(prefix, 't') {
		l.emit(opening, start, at)
		l.enter()
		l.middle(quote, hasPrefix(prefix, 'r'), false)
		l.formatted--
		end := l.position()
		l.at += len(quote)
		l.emit(closing, l.at-len(quote), end)
		return
	}
	for !strings.HasPrefix(l.text[l.at:], quote) {
		l.inString(quote, at)
	}
	l.at += len(quote)
	l.emit(literal, start, at)
}

// inString reads a character of a string, or a backslash and what is behind
// it.
func (l *lexer) inString(quote string, at Position) {
	if l.peek(0) == '\\' {
		l.at++
	} else if l.lineEnd() > 0 && len(quote) == 1 {
		l.fail("a string that does not end on its line")
	}
	switch {
	case l.at == len(l.text):
		panic(&SyntaxError{at, "a string that does not end"})
	case l.lineEnd() > 0:
		l.nextLine()
	default:
		l.at++
	}
}

func (l *lexer) enter() {
	if l.formatted++; l.formatted > maxFormatted {
		l.fail("too many strings with fields in one another")
	}
}

// middle reads a string with fields up to its closing quote, or the format of
// a field up to the brace that ends it.
func (l *lexer) middle(quote string, raw, format bool) {
	start, at := l.at, l.position()
	flush := func() {
		if l.at > start {
			l.emit(middle, start, at)
		}
	}
	for {
		switch c := l.peek(0); {
		case strings.HasPrefix(l.text[l.at:], quote):
			if format {
				l.fail("a field that does not end in its string")
			}
			flush()
			return
		case format && (c == '\\' || l.lineEnd() > 0):
			// Versions differ in what these mean.
			l.fail("a backslash or a line end in the format of a field")
		case c == '{' && (format || l.peek(1) != '{'):
			flush()
			l.field(quote, raw)
			start, at = l.at, l.position()
		case c == '}' && format:
			flush()
			return
		case c == '{', c == '}' && l.peek(1) == '}':
			l.at += 2
		case c == '}':
			l.fail("a } that ends no field")
		case c == '\\' && (l.peek(1) == '{' || l.peek(1) == '}'):
			l.at++ // The brace means what it means without a backslash.
		case c == '\\' && !raw && strings.HasPrefix(l.text[l.at:], `\N{`):
			l.at += 3 + len(characterName(l.text[l.at+3:]))
			if l.peek(0) != '}' {
				l.fail("a character without a name")
			}
			l.at++
		default:
			l.inString(quote, at)
		}
	}
}

// field reads a field with its braces, whose parts are separated by "!" and
// ":" outside of brackets.
func (l *lexer) field(quote string, raw bool) {
	brace := func() {
		l.at++
		l.emit(mark, l.at-1, Position{int32(l.at - 1), l.line, int32(l.at - l.lineStart)})
	}
	l.bracket('{')
	brace()
	level, comments := len(l.brackets), l.comments
	for {
		l.space()
		if l.at == len(l.text) {
			l.fail("a field that does not end")
		}
		c := l.text[l.at]
		if len(l.brackets) > level {
			l.token()
			continue
		}
		switch {
		case c == '}':
			if l.comments > comments {
				// What {x=} shows of them depends on the version.
				l.fail("a comment in a field")
			}
			l.bracket('}')
			brace()
			return
		case c == ':':
			brace()
			l.enter()
			l.middle(quote, raw, true)
			l.formatted--
		case c == '!' && l.peek(1) != '=':
			brace()
		default:
			l.token()
		}
	}
}

// characterName is the name of a character at the start of a text, as it may
// stand in \N{}. Which names there are is not known here.
func characterName(s string) string {
	n := 0
	for n < len(s) && (s[n] < 0x80 && isNameByte(s[n]) || s[n] == ' ' || s[n] == '-') {
		n++
	}
	return s[:n]
}

// unquote returns the value of a string without fields, or what is not right
// in it.
func unquote(t *token) (value string, isBytes, unknown bool, wrong string) {
	body := strings.TrimLeft(t.text, "rRuUbB")
	prefix := t.text[:len(t.text)-len(body)]
	n := 1
	if len(body) >= 6 && body[1] == body[0] {
		n = 3
	}
	isBytes = hasPrefix(prefix, 'b')
	d := decoder{bytes: isBytes, raw: hasPrefix(prefix, 'r')}
	value = d.decode(body[n : len(body)-n])
	return value, isBytes, d.unknown, d.wrong
}

// decoder makes the value of what stands between quotes.
type decoder struct {
	bytes   bool
	raw     bool
	braces  bool // are doubled
	unknown bool // there is a character that is given by its name
	wrong   string
	value   []byte
}

func (d *decoder) decode(s string) string {
	if d.bytes && !isASCII(s) {
		d.wrong = "bytes that are not ASCII"
	}
	// As the text of a file is read before it is understood.
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if !strings.ContainsAny(s, `\{}`) || d.raw && !d.braces {
		return s
	}
	d.value = make([]byte, 0, len(s))
	for s != "" {
		switch c := s[0]; {
		case d.braces && (c == '{' || c == '}'):
			d.value = append(d.value, c)
			s = s[2:]
		case c == '\\' && !d.raw && len(s) > 1:
			s = s[1+d.escape(s[1:]):]
		default:
			d.value = append(d.value, c)
			s = s[1:]
		}
	}
	return string(d.value)
}

// escape reads what stands behind a backslash and returns its length; that of
// the backslash alone is 0.
func (d *decoder) escape(s string) int {
	const simple, meaning = "\\'\"abfnrtv", "\\'\"\a\b\f\n\r\t\v"
	c := s[0]
	if i := strings.IndexByte(simple, c); i >= 0 {
		d.value = append(d.value, meaning[i])
		return 1
	}
	switch {
	case c == '\n':
		return 1
	case '0' <= c && c <= '7':
		n, r := 0, rune(0)
		for n < 3 && n < len(s) && '0' <= s[n] && s[n] <= '7' {
			r = r<<3 | rune(s[n]-'0')
			n++
		}
		d.character(r)
		return n
	case c == 'x':
		return d.hex(s, 2)
	case c == 'u' && !d.bytes:
		return d.hex(s, 4)
	case c == 'U' && !d.bytes:
		return d.hex(s, 8)
	case c == 'N' && !d.bytes:
		name := characterName(strings.TrimPrefix(s[1:], "{"))
		if n := len("N{") + len(name); name != "" && s[1] == '{' && n < len(s) && s[n] == '}' {
			d.unknown = true
			return n + 1
		}
		d.wrong = "a character without a name"
		return 1
	}
	d.value = append(d.value, '\\')
	return 0
}

// hex reads a letter and n digits behind it.
func (d *decoder) hex(s string, n int) int {
	if len(s) <= n {
		d.wrong = "too few digits behind a backslash"
		return 1
	}
	r := rune(0)
	for _, c := range []byte(s[1 : n+1]) {
		digit := strings.IndexByte("0123456789abcdef", c|0x20)
		if digit < 0 || c == 0x10 { // 0x10|0x20 is the digit 0
			d.wrong = "too few digits behind a backslash"
			return 1
		}
		if r > utf8.MaxRune {
			break
		}
		r = r<<4 | rune(digit)
	}
	if r > utf8.MaxRune {
		d.wrong = "no such character"
		return 1
	}
	d.character(r)
	return n + 1
}

// character adds a character, or a byte. A surrogate becomes the three bytes
// that UTF-8 would have for it.
func (d *decoder) character(r rune) {
	switch {
	case d.bytes:
		d.value = append(d.value, byte(r))
	case 0xD800 <= r && r <= 0xDFFF:
		d.value = append(d.value, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	default:
		d.value = utf8.AppendRune(d.value, r)
	}
}

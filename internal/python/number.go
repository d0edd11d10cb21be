package python

import "strings"

// maxDigits is how many digits an integer may have: Python refuses more, as
// reading them takes too long.
const maxDigits = 4300

// number reads a number, and sees that what follows is no part of it.
func (l *lexer) number() {
	start := l.at
	if l.peek(0) == '0' && strings.IndexByte("xXoObB", l.peek(1)) >= 0 && l.peek(1) != 0 {
		base := l.peek(1) | 0x20
		l.at += 2
		if l.peek(0) == '_' {
			l.at++
		}
		l.digits(base)
		l.endNumber()
		return
	}
	whole := true
	if l.peek(0) != '.' {
		l.digits('d')
	}
	integer := l.text[start:l.at]
	if l.peek(0) == '.' {
		whole = false
		l.at++
		if isDigit(l.peek(0)) {
			l.digits('d')
		}
	}
	if l.peek(0)|0x20 == 'e' {
		sign := 0
		if c := l.peek(1); c == '+' || c == '-' {
			sign = 1
		}
		if isDigit(l.peek(1 + sign)) {
			whole = false
			l.at += 1 + sign
			l.digits('d')
		}
	}
	if l.peek(0)|0x20 == 'j' {
		whole = false
		l.at++
	}
	if whole {
		if integer[0] == '0' && strings.Trim(integer, "0_") != "" {
			l.fail("a decimal number that begins with 0")
		}
		if len(integer) > maxDigits {
			l.fail("too many digits")
		}
	}
	l.endNumber()
}

// digits reads digits, between which single underscores may stand.
func (l *lexer) digits(base byte) {
	for {
		n := 0
		for isDigitOf(base, l.peek(n)) {
			n++
		}
		if n == 0 {
			l.fail("an invalid number")
		}
		l.at += n
		if l.peek(0) != '_' {
			return
		}
		l.at++
	}
}

func isDigitOf(base, c byte) bool {
	switch base {
	case 'x':
		return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f'
	case 'o':
		return '0' <= c && c <= '7'
	case 'b':
		return c == '0' || c == '1'
	}
	return isDigit(c)
}

// endNumber sees that no name follows a number, but perhaps a keyword.
func (l *lexer) endNumber() {
	end := l.at
	for end < len(l.text) && isNameByte(l.text[end]) {
		end++
	}
	switch l.text[l.at:end] {
	case "", "and", "else", "for", "if", "in", "is", "not", "or":
	default:
		l.fail("an invalid number")
	}
}

// numeral is the constant that a number stands for.
func numeral(t *token) Constant {
	text := strings.ReplaceAll(strings.ToLower(t.text), "_", "")
	c := Constant{expression: expression{t.Position}, Kind: Int, Text: text}
	switch {
	case strings.HasPrefix(text, "0x"), strings.HasPrefix(text, "0o"), strings.HasPrefix(text, "0b"):
	case strings.HasSuffix(text, "j"):
		c.Kind, c.Text = Complex, strings.TrimSuffix(text, "j")
	case strings.ContainsAny(text, ".e"):
		c.Kind = Float
	default:
		// Zeros only, or no zero in front.
		if c.Text = strings.TrimLeft(text, "0"); c.Text == "" {
			c.Text = "0"
		}
	}
	return c
}

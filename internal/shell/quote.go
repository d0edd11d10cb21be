package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// ansiC decodes the text of $'...'. It reports false for escapes that end the
// text, depend on the locale or mean something else in zsh.
func ansiC(s string, zsh bool) (string, bool) {
	if strings.IndexByte(s, '\\') < 0 {
		return s, true
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		c := s[i]
		if at := strings.IndexByte("abeEfnrtv\\'\"?", c); at >= 0 {
			b.WriteByte("\a\b\x1b\x1b\f\n\r\t\v\\'\"?"[at])
			continue
		}
		switch c {
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n, digits := number(s[i:], 3, 8)
			if n == 0 || n > 255 {
				return "", false
			}
			b.WriteByte(byte(n))
			i += digits - 1
		case 'x':
			n, digits := number(s[i+1:], 2, 16)
			if n == 0 {
				return "", false
			}
			b.WriteByte(byte(n))
			i += digits
		case 'u', 'U':
			width := 4
			if c == 'U' {
				width = 8
			}
			n, digits := number(s[i+1:], width, 16)
			if n == 0 || n >= utf8.RuneSelf {
				return "", false // what is not ASCII stays as it is where the locale does not have it
			}
			b.WriteByte(byte(n))
			i += digits
		case 'c', 'M', 'C':
			return "", false
		default:
			if zsh {
				return "", false
			}
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

// number reads up to width digits. It returns 0 if there is none.
func number(s string, width, base int) (n, digits int) {
	for digits < len(s) && digits < width {
		d, err := strconv.ParseUint(s[digits:digits+1], base, 8)
		if err != nil {
			break
		}
		n = n*base + int(d)
		digits++
	}
	return n, digits
}

// shellQuote is what ${x@Q} makes of a text, where it is the plain form.
func shellQuote(s string) (string, bool) {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= utf8.RuneSelf || s[i] == 0x7f || s[i] == '\'' {
			return "", false
		}
	}
	return "'" + s + "'", true
}

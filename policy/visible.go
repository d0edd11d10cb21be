package policy

import (
	"strings"
	"unicode/utf8"
)

// Visible returns s as one line that a terminal draws as it is: control
// characters, invisible ones, those that change the direction of text, and
// bytes that are not UTF-8 are shown as escapes. Messages that hold text of
// others go through it.
func Visible(s string) string {
	plain := func(r rune, size int) bool {
		return r >= 0x20 && r != 0x7f && !isInvisible(r) && !(r == utf8.RuneError && size == 1)
	}
	i := 0
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !plain(r, size) {
			break
		}
		i += size
	}
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:i])
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case plain(r, size):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case size == 1 && r == utf8.RuneError:
			writeHex(&b, `\x`, 2, rune(s[i]))
		case r < 0x100:
			writeHex(&b, `\x`, 2, r)
		case r > 0xffff:
			writeHex(&b, `\U`, 8, r)
		default:
			writeHex(&b, `\u`, 4, r)
		}
		i += size
	}
	return b.String()
}

// Clip cuts a text after at most n bytes, between two characters, and says so
// with three dots behind it. It looks at no more than that.
func Clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "..."
}

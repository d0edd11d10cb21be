package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isInvisible reports whether r is drawn as nothing, or changes how its
// neighbours are drawn: format characters (bidi controls, zero-width
// characters, soft hyphens), separators other than the space, and letters that have
// no shape (fillers, the empty Braille pattern).
func isInvisible(r rune) bool {
	return r > 0x7f && (unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) || unicode.Is(unicode.Zs, r) || r < 0xa0 ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || r == '\u2800' || r >= 0xe0000 && r < 0xe1000)
}

// ansiQuote writes s in the $'...' form.
func ansiQuote(s string) string {
	var b strings.Builder
	b.WriteString("$'")
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			writeHex(&b, `\x`, 2, rune(s[i]))
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			writeHex(&b, `\x`, 2, r)
		case isInvisible(r) && r > 0xffff:
			writeHex(&b, `\U`, 8, r)
		case isInvisible(r):
			writeHex(&b, `\u`, 4, r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	b.WriteByte('\'')
	return b.String()
}

// writeHex writes an escape with n hexadecimal digits.
func writeHex(b *strings.Builder, prefix string, n int, r rune) {
	b.WriteString(prefix)
	for n--; n >= 0; n-- {
		b.WriteByte("0123456789abcdef"[r>>(4*n)&15])
	}
}

package javascript

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// number reads a number or a big integer.
func (r *reader) number(data []byte) Expr {
	s := strings.ReplaceAll(string(data), "_", "")
	if strings.HasSuffix(s, "n") {
		return &BigInt{strings.TrimSuffix(s, "n")}
	}
	base := 10
	if len(s) > 2 && s[0] == '0' {
		switch s[1] {
		case 'x', 'X':
			base = 16
		case 'o', 'O':
			base = 8
		case 'b', 'B':
			base = 2
		}
	}
	if base != 10 {
		n, ok := new(big.Int).SetString(s[2:], base)
		if !ok {
			r.fail("a number that is not understood")
		}
		f, _ := new(big.Float).SetInt(n).Float64()
		return &Number{f}
	}
	// Go's own syntax has what JavaScript's has not: inf, 0x1p4, which the
	// parser takes for no numbers.
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		r.fail("a number that is not understood")
	}
	return &Number{f}
}

// numberName is a number as the name of a property.
func (r *reader) numberName(f float64) string {
	if f != 0 && (math.Abs(f) < 1e-6 || math.Abs(f) >= 1e21) {
		r.fail("a number as a name that is not understood")
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// unquote reads what stands between quotes or in a template.
func (r *reader) unquote(data []byte) string {
	var b strings.Builder
	for s := string(data); s != ""; {
		if s[0] != '\\' {
			i := strings.IndexByte(s, '\\')
			if i < 0 {
				i = len(s)
			}
			b.WriteString(s[:i])
			s = s[i:]
			continue
		}
		if len(s) == 1 {
			r.fail("a text that ends in a backslash")
		}
		c := s[1]
		s = s[2:]
		switch c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'v':
			b.WriteByte('\v')
		case '\n':
		case '\r':
			s = strings.TrimPrefix(s, "\n")
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			if c != '0' || s != "" && s[0] >= '0' && s[0] <= '9' {
				r.fail("an octal escape")
			}
			b.WriteByte(0)
		case 'x':
			n, rest := r.hex(s, 2)
			b.WriteRune(n)
			s = rest
		case 'u':
			n, rest := r.unicode(s)
			// A pair of halves is one character; a half alone is none that a
			// text can hold.
			if n >= 0xd800 && n < 0xdc00 && strings.HasPrefix(rest, `\u`) {
				low, after := r.unicode(rest[2:])
				if low >= 0xdc00 && low < 0xe000 {
					n, rest = 0x10000+(n-0xd800)<<10+(low-0xdc00), after
				}
			}
			if !utf8.ValidRune(n) {
				r.fail("half a character")
			}
			b.WriteRune(n)
			s = rest
		default:
			// Two characters beyond ASCII end lines too.
			if rest, ok := strings.CutPrefix(s, "\x80\xa8"); ok && c == 0xe2 {
				s = rest
			} else if rest, ok := strings.CutPrefix(s, "\x80\xa9"); ok && c == 0xe2 {
				s = rest
			} else {
				b.WriteByte(c)
			}
		}
	}
	return b.String()
}

// unicode reads what follows \u.
func (r *reader) unicode(s string) (rune, string) {
	if !strings.HasPrefix(s, "{") {
		return r.hex(s, 4)
	}
	end := strings.IndexByte(s, '}')
	if end < 2 || end > 16 {
		r.fail("an escape that is not understood")
	}
	n, err := strconv.ParseUint(s[1:end], 16, 32)
	if err != nil || n > utf8.MaxRune {
		r.fail("an escape that is not understood")
	}
	return rune(n), s[end+1:]
}

func (r *reader) hex(s string, digits int) (rune, string) {
	if len(s) < digits {
		r.fail("an escape that is not understood")
	}
	n, err := strconv.ParseUint(s[:digits], 16, 32)
	if err != nil {
		r.fail("an escape that is not understood")
	}
	return rune(n), s[digits:]
}

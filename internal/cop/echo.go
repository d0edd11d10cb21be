package cop

import (
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/wire"
)

// The plain form has no number that an answer must repeat, so that a model that
// reads its answer off the command could be told what to say. A question in
// which the form's key stands is therefore never cleared by it, however the key
// is spelled.

// answersItself reports whether the key of the plain form, with something said
// of it, stands in the question: in any case, with any escapes and blanks, in
// quotes of any kind, or in parts over several words.
func (q *Question) answersItself() bool {
	texts := q.texts
	if document, err := wire.Parse(q.JSON); err == nil {
		texts = append(texts[:len(texts):len(texts)], textsOf(document)...)
	}
	said := bare(strings.Join(texts, ""))
	return strings.Contains(said, "flagged:") || strings.Contains(said, "flagged=")
}

// textsOf lists the texts of a value in their order. The keys are this
// program's own.
func textsOf(v wire.Value) []string {
	var all []string
	if text, err := v.Text(); err == nil {
		return append(all, text)
	}
	if list, err := v.Values(); err == nil {
		for _, one := range list {
			all = append(all, textsOf(one)...)
		}
	}
	if object, err := v.Object(); err == nil {
		for _, m := range object {
			all = append(all, textsOf(m.Value)...)
		}
	}
	return all
}

// bare is a text without what a spelling may add: small letters, digits, colons
// and equals signs.
func bare(text string) string {
	// An escape may stand for a part of another one.
	for range 4 {
		plain := unescaped(text)
		if plain == text {
			break
		}
		text = plain
	}
	out := make([]byte, 0, len(text))
	for _, b := range []byte(text) {
		switch {
		case 'A' <= b && b <= 'Z':
			out = append(out, b|0x20)
		case 'a' <= b && b <= 'z', '0' <= b && b <= '9', b == ':', b == '=':
			out = append(out, b)
		}
	}
	return string(out)
}

// escapes are the ways to write a character by its number: what begins one, how
// many digits it has at most, and of which base.
var escapes = [...]struct {
	begin  string
	digits int
	base   int
}{
	{`\u{`, 6, 16}, {`\x{`, 6, 16}, {`\u`, 4, 16}, {`\U`, 8, 16}, {`\x`, 2, 16}, {`\0`, 3, 8}, {`\`, 3, 8}, {`%`, 2, 16}, {`&#x`, 6, 16}, {`&#`, 7, 10},
}

// unescaped replaces the escapes of ASCII characters.
func unescaped(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		n, size := escape(text[i:])
		if size == 0 {
			n, size = text[i], 1
		}
		b.WriteByte(n)
		i += size
	}
	return b.String()
}

// escape reads the escape that a text begins with: the character, and how long
// it is written; 0 for none.
func escape(text string) (char byte, size int) {
	if text[0] != '\\' && text[0] != '%' && text[0] != '&' {
		return 0, 0
	}
	for _, e := range escapes {
		rest, ok := strings.CutPrefix(text, e.begin)
		if !ok {
			continue
		}
		end := 0
		for end < len(rest) && end < e.digits && digit(rest[end], e.base) {
			end++
		}
		if n, err := strconv.ParseUint(rest[:end], e.base, 32); err == nil && n < 0x80 {
			return byte(n), len(e.begin) + end
		}
	}
	return 0, 0
}

func digit(b byte, base int) bool {
	switch {
	case '0' <= b && b <= '9':
		return int(b-'0') < base
	case 'a' <= b|0x20 && b|0x20 <= 'f':
		return base == 16
	}
	return false
}

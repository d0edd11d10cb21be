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
	all := strings.Join(texts, "")
	for _, said := range [...]string{bare(all, false), bare(all, true)} {
		if strings.Contains(said, "flagged:") || strings.Contains(said, "flagged=") {
			return true
		}
	}
	return false
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
// and equals signs. A letter after a backslash may be itself or a blank (\n).
func bare(text string, blanks bool) string {
	// An escape may stand for a part of another one.
	for range 4 {
		plain := unescaped(text, blanks)
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
// many digits of which base it has.
var escapes = [...]struct {
	begin       string
	least, most int
	base        int
}{
	{`\u{`, 1, 6, 16}, {`\x{`, 1, 6, 16}, {`\u`, 4, 4, 16}, {`\U`, 8, 8, 16}, {`\x`, 1, 2, 16}, {`\0`, 1, 3, 8}, {`\`, 1, 3, 8},
	{`%`, 2, 2, 16}, {`&#x`, 1, 6, 16}, {`&#`, 1, 7, 10},
}

// unescaped replaces the escapes of characters.
func unescaped(text string, blanks bool) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		char, size := escape(text[i:])
		switch {
		case size > 0:
		case blanks && text[i] == '\\' && i+1 < len(text) && strings.IndexByte("abefnrtv", text[i+1]) >= 0:
			char, size = ' ', 2
		default:
			char, size = text[i], 1
		}
		b.WriteByte(char)
		i += size
	}
	return b.String()
}

// escape reads the escape that a text begins with: the character, a blank for
// those beyond ASCII, and how long it is written; 0 for none.
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
		for end < len(rest) && end < e.most && digit(rest[end], e.base) {
			end++
		}
		if end < e.least {
			continue
		}
		if n, err := strconv.ParseUint(rest[:end], e.base, 32); err == nil {
			if n >= 0x80 {
				n = ' '
			}
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

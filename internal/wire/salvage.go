package wire

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The limits of Salvage: how many texts, how many bytes of each, and of all
// together.
const (
	maxSalvaged      = 64
	maxSalvagedText  = 128 << 10
	maxSalvagedBytes = 1 << 20
)

// Salvage lists the texts that some program could take for a value below one
// of the keys, in a document that Parse refuses or that is not what it should
// be: cut off, not UTF-8, with a key twice, with a list in a text's place. It
// errs towards too many: what has no key that can be read counts too, and the
// texts of a list count one by one and joined by blanks.
//
// It is for those who look for harm, and no substitute for reading: that a
// text is not among them says nothing. No text is listed twice; time is linear
// in the input.
func Salvage(data []byte, keys ...string) []string {
	s := salvager{data: data, keys: keys, stack: []nest{{wanted: true}}}
	if first := bytes.TrimLeft(data, " \t\r\n"); len(first) > 0 && strings.IndexByte("{[\"'", first[0]) < 0 {
		s.keep(string(first)) // no JSON at all
	}
	for s.at < len(s.data) {
		s.token()
	}
	for len(s.stack) > 1 {
		s.close()
	}
	s.value()
	return s.found
}

// salvager walks over the tokens of what may have been meant for JSON.
type salvager struct {
	data  []byte
	at    int
	keys  []string
	stack []nest // the objects and lists around, the document itself first
	deep  int    // how many more there are than the stack holds; what stands in them counts
	found []string
	bytes int

	pending bool // a text was read, of which it is not known whether it is a key
	text    string
	damaged bool // it is not all there, or had to be repaired
	end     int  // of it
	first   int  // where it begins; where several stand side by side, the first of them
	beside  bool // several do
}

// nest is an object or a list.
type nest struct {
	list   bool
	wanted bool // what stands in it without a key counts
	keyed  bool // a key was read, whose values count if hit is true
	hit    bool
	below  bool     // it stands below a key that was looked for
	texts  []string // of a list whose texts count
}

// counts reports whether a value that stands here counts.
func (n *nest) counts() bool {
	if n.keyed {
		return n.hit || n.below
	}
	return n.wanted
}

func (s *salvager) top() *nest { return &s.stack[len(s.stack)-1] }

// token reads one token.
func (s *salvager) token() {
	b := s.data[s.at]
	switch b {
	case ' ', '\t', '\n', '\r':
		s.at++
	case '"', '\'':
		s.next()
		s.quoted(b)
	case ':':
		s.at++
		s.key()
	case ',':
		s.at++
		s.value()
		if s.deep == 0 {
			s.top().keyed = false
		}
	case '{', '[':
		s.at++
		s.value()
		s.open(b == '[')
	case '}', ']':
		s.at++
		s.close()
	default:
		s.next()
		s.bare()
	}
}

// next begins a text. Where one stands before it with nothing between, a quote
// was left open or not escaped: all of them are one value.
func (s *salvager) next() {
	s.beside = s.pending
	switch {
	case !s.beside:
		s.first = s.at
	case s.wanted():
		s.keep(s.text)
	}
}

// key makes the text before a colon the key of what follows.
func (s *salvager) key() {
	if !s.pending {
		return
	}
	n := s.top()
	if s.deep > 0 || n.keyed || n.list { // no place for one
		s.value()
	}
	s.pending = false
	if s.deep > 0 {
		return
	}
	// A key that can't be read may be any.
	n.keyed = !s.damaged
	n.hit = slices.ContainsFunc(s.keys, func(key string) bool { return strings.EqualFold(key, s.text) })
}

// value keeps the text before, which is a value then, if it counts.
func (s *salvager) value() {
	if !s.pending {
		return
	}
	s.pending = false
	if !s.wanted() {
		return
	}
	s.keep(s.text)
	if s.beside {
		all := string(s.data[s.first:s.end])
		s.keep(all)
		if quote := all[:1]; quote == `"` || quote == "'" { // those in between were not escaped
			s.keep(strings.TrimSuffix(all[1:], quote))
		}
	}
	if n := s.top(); n.list && len(n.texts) < maxSalvaged {
		n.texts = append(n.texts, s.text)
	}
}

// wanted reports whether a value that stands here counts.
func (s *salvager) wanted() bool { return s.deep > 0 || s.top().counts() }

func (s *salvager) open(list bool) {
	if len(s.stack) == MaxDepth {
		s.deep++
		return
	}
	n := s.top()
	// In an object that is not damaged everything has a key.
	s.stack = append(s.stack, nest{list: list, wanted: !list || n.counts(), below: n.below || n.keyed && n.hit})
}

func (s *salvager) close() {
	s.value()
	switch {
	case s.deep > 0:
		s.deep--
	case len(s.stack) > 1:
		if n := s.top(); len(n.texts) > 1 {
			s.keep(strings.Join(n.texts, " "))
		}
		s.stack = s.stack[:len(s.stack)-1]
	}
}

// bare reads what stands outside of quotes, up to what JSON could go on with.
func (s *salvager) bare() {
	end := bytes.IndexAny(s.data[s.at:], "\"{}[],:")
	if end < 0 {
		end = len(s.data) - s.at
	}
	s.text = string(bytes.TrimSpace(s.data[s.at : s.at+end]))
	s.at += end
	s.end = s.at
	switch s.text {
	case "true", "false", "null":
		return
	}
	s.pending, s.damaged = strings.Trim(s.text, "0123456789.+-eE") != "", false
}

// quoted reads a text in quotes. What can't be decoded stays as it is.
func (s *salvager) quoted(quote byte) {
	start := s.at + 1
	end, plain := start, true
	for end < len(s.data) && s.data[end] != quote {
		if s.data[end] == '\\' && end+1 < len(s.data) {
			plain = false
			end++
		}
		end++
	}
	raw := s.data[start:end]
	s.at = min(end+1, len(s.data))
	s.end = s.at
	s.pending = true
	s.text = string(raw)
	if !plain {
		s.text = unescape(raw)
	}
	s.damaged = end == len(s.data) || strings.ContainsRune(s.text, utf8.RuneError)
}

// keep adds a text to the result, as far as the limits allow. Where it is not
// UTF-8, decoders differ: some put U+FFFD in the place of the bytes, some
// leave them out.
func (s *salvager) keep(text string) {
	if len(s.found) == maxSalvaged {
		return
	}
	if len(text) > maxSalvagedText {
		text = text[:maxSalvagedText]
	}
	for _, t := range [...]string{strings.ToValidUTF8(text, "\ufffd"), strings.ToValidUTF8(text, "")} {
		if t == "" || len(s.found) == maxSalvaged || s.bytes+len(t) > maxSalvagedBytes || slices.Contains(s.found, t) {
			continue
		}
		s.found = append(s.found, t)
		s.bytes += len(t)
	}
}

// unescape decodes the escapes of a text as far as they are some.
func unescape(raw []byte) string {
	var b strings.Builder
	b.Grow(len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			b.WriteByte(raw[i])
			continue
		}
		i++
		switch raw[i] {
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'u':
			r := hex4(raw[i+1:])
			if r < 0 {
				b.WriteByte('u')
				continue
			}
			i += 4
			if utf16.IsSurrogate(r) && len(raw) > i+2 && raw[i+1] == '\\' && raw[i+2] == 'u' {
				if full := utf16.DecodeRune(r, hex4(raw[i+3:])); full != utf8.RuneError {
					r = full
					i += 6
				}
			}
			if utf16.IsSurrogate(r) {
				b.WriteByte(0xff) // half a pair is no text: see keep
				continue
			}
			b.WriteRune(r)
		default:
			b.WriteByte(raw[i])
		}
	}
	return b.String()
}

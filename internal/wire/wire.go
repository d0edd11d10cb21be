// Package wire reads and writes the JSON that bashgate exchanges with other
// programs. It reads strictly: what two decoders could understand in two ways
// is an error, because the program that runs the command has a decoder of its
// own. Errors are
//
//   - anything RFC 8259 forbids, and bytes after the value,
//   - text that is not UTF-8, and escaped halves of surrogate pairs, which
//     other decoders silently replace,
//   - two keys of an object that are equal or differ only in case,
//   - nesting deeper than MaxDepth and objects of more than MaxMembers
//     members, where the object is looked into.
//
// Time and memory are linear in the input: a value is checked once and then
// kept as bytes; what nobody asks for is never decoded.
package wire

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth is how deep arrays and objects may nest.
const MaxDepth = 500

// MaxMembers is how many members an object may have that is looked into.
const MaxMembers = 200

// Error says where the input is not what it should be.
type Error struct {
	Offset int // in bytes from the start of the document
	What   string
}

func (e *Error) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.What) }

// Value is one JSON value, known to be well formed. The zero value is no
// value: its Kind is "nothing".
type Value struct {
	raw    []byte
	offset int
}

// Parse checks a document that holds one value. The value refers to data,
// which must not change. The error is an *Error.
func Parse(data []byte) (Value, error) {
	c := checker{data: data}
	c.blank()
	start := c.at
	if err := c.value(0); err != nil {
		return Value{}, err
	}
	end := c.at
	c.blank()
	if c.at < len(data) {
		return Value{}, c.fail("a second value after the first")
	}
	return Value{data[start:end], start}, nil
}

// JSON is the value as it stands in the document; nil where there is none.
func (v Value) JSON() []byte { return v.raw }

// Kind returns "object", "array", "string", "number", "boolean", "null" or
// "nothing".
func (v Value) Kind() string {
	if len(v.raw) == 0 {
		return "nothing"
	}
	switch v.raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

func (v Value) want(kind string) error {
	if v.Kind() == kind {
		return nil
	}
	return &Error{v.offset, "want " + withArticle(kind) + ", found " + withArticle(v.Kind())} // often asked for what is not there
}

func withArticle(kind string) string {
	switch kind {
	case "null", "nothing":
		return kind
	case "object", "array":
		return "an " + kind
	}
	return "a " + kind
}

// Errorf makes an *Error that points at the value.
func (v Value) Errorf(format string, args ...any) error {
	return &Error{v.offset, fmt.Sprintf(format, args...)}
}

// Text returns a string's value.
func (v Value) Text() (string, error) {
	if err := v.want("string"); err != nil {
		return "", err
	}
	return unquote(v.raw), nil
}

// Bool returns a boolean's value.
func (v Value) Bool() (bool, error) {
	if err := v.want("boolean"); err != nil {
		return false, err
	}
	return v.raw[0] == 't', nil
}

// Count returns a number's value if it is a whole one from 0 to 999,999,999.
func (v Value) Count() (int, error) {
	if err := v.want("number"); err != nil {
		return 0, err
	}
	n := 0
	for _, b := range v.raw {
		if b < '0' || b > '9' || len(v.raw) > 9 {
			return 0, v.Errorf("want a whole number that is not negative, found %.20s", v.raw)
		}
		n = n*10 + int(b-'0')
	}
	return n, nil
}

// Milliseconds returns a number's value if it is a whole one of at most 18
// digits that is not negative: what JavaScript's clocks say.
func (v Value) Milliseconds() (int64, error) {
	if err := v.want("number"); err != nil {
		return 0, err
	}
	n := int64(0)
	for _, b := range v.raw {
		if b < '0' || b > '9' || len(v.raw) > 18 {
			return 0, v.Errorf("want a whole number that is not negative, found %.20s", v.raw)
		}
		n = n*10 + int64(b-'0')
	}
	return n, nil
}

// Texts returns the values of an array of strings.
func (v Value) Texts() ([]string, error) {
	if err := v.want("array"); err != nil {
		return nil, err
	}
	s := skipper{v.raw, 1}
	texts := []string{}
	for s.next(']') {
		text, err := s.value(v.offset).Text()
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// Values returns the values of an array, without looking into them.
func (v Value) Values() ([]Value, error) {
	if err := v.want("array"); err != nil {
		return nil, err
	}
	s := skipper{v.raw, 1}
	values := []Value{}
	for s.next(']') {
		values = append(values, s.value(v.offset))
	}
	return values, nil
}

// Member is one key of an object and its value.
type Member struct {
	Key   string
	Value Value
}

// Object is an object's members in the order of the document.
type Object []Member

// Object returns an object's members, without looking into their values.
func (v Value) Object() (Object, error) {
	if err := v.want("object"); err != nil {
		return nil, err
	}
	members := make(Object, 0, 12) // more than most objects have
	s := skipper{v.raw, 1}
	for s.next('}') {
		key := s.value(v.offset)
		name := unquote(key.raw)
		if len(members) == MaxMembers {
			return nil, key.Errorf("an object of more than %d members", MaxMembers)
		}
		for _, m := range members {
			if m.Key == name {
				return nil, key.Errorf("key %.80q a second time", name)
			}
			if strings.EqualFold(m.Key, name) {
				return nil, key.Errorf("keys %.80q and %.80q differ only in case", m.Key, name)
			}
		}
		s.next(0) // the colon
		members = append(members, Member{name, s.value(v.offset)})
	}
	return members, nil
}

// Get returns a member's value; the zero Value if there is none.
func (o Object) Get(key string) Value {
	for _, m := range o {
		if m.Key == key {
			return m.Value
		}
	}
	return Value{}
}

// unquote decodes a well-formed string.
func unquote(raw []byte) string {
	raw = raw[1 : len(raw)-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw)
	}
	var b strings.Builder
	b.Grow(len(raw))
	for len(raw) > 0 {
		if raw[0] != '\\' {
			n := bytes.IndexByte(raw, '\\')
			if n < 0 {
				n = len(raw)
			}
			b.Write(raw[:n])
			raw = raw[n:]
			continue
		}
		n := 2
		switch raw[1] {
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
			n = 6
			r := hex4(raw[2:])
			if utf16.IsSurrogate(r) {
				n = 12
				r = utf16.DecodeRune(r, hex4(raw[8:]))
			}
			b.WriteRune(r)
		default: // \" \\ \/
			b.WriteByte(raw[1])
		}
		raw = raw[n:]
	}
	return b.String()
}

// hex4 reads four hexadecimal digits; -1 if they are not.
func hex4(b []byte) rune {
	if len(b) < 4 {
		return -1
	}
	var r rune
	for _, d := range b[:4] {
		switch {
		case '0' <= d && d <= '9':
			d -= '0'
		case 'a' <= d && d <= 'f':
			d -= 'a' - 10
		case 'A' <= d && d <= 'F':
			d -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(d)
	}
	return r
}

// AppendTexts appends a list of texts as a JSON array of strings.
func AppendTexts(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendText(dst, s)
	}
	return append(dst, ']')
}

// AppendText appends s as a JSON string. Bytes that are not UTF-8 become
// U+FFFD, for JSON can't say them. Of the rest it escapes what JSON demands,
// and U+2028, U+2029 and DEL for the sake of line-based readers and terminals.
func AppendText(dst []byte, s string) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	done := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= 0x20 && c != '"' && c != '\\' && c != 0x7f {
				i++
				continue
			}
			dst = append(dst, s[done:i]...)
			switch c {
			case '"', '\\':
				dst = append(dst, '\\', c)
			case '\n':
				dst = append(dst, '\\', 'n')
			case '\r':
				dst = append(dst, '\\', 'r')
			case '\t':
				dst = append(dst, '\\', 't')
			default:
				dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
			}
			i++
			done = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(append(dst, s[done:i]...), "\ufffd"...)
		case r == '\u2028' || r == '\u2029':
			dst = append(append(dst, s[done:i]...), '\\', 'u', '2', '0', '2', digits[r&15])
		default:
			i += size
			continue
		}
		i += size
		done = i
	}
	return append(append(dst, s[done:]...), '"')
}

package wire

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// checker reads a document once and accepts nothing that is not JSON.
type checker struct {
	data []byte
	at   int
}

func (c *checker) fail(what string) error { return &Error{c.at, what} }

func (c *checker) blank() {
	for c.at < len(c.data) {
		switch c.data[c.at] {
		case ' ', '\t', '\n', '\r':
			c.at++
		default:
			return
		}
	}
}

// peek returns the next byte; 0 at the end, which no grammar rule wants.
func (c *checker) peek() byte {
	if c.at < len(c.data) {
		return c.data[c.at]
	}
	return 0
}

func (c *checker) value(depth int) error {
	switch b := c.peek(); {
	case b == '{':
		return c.list(depth, '}', true)
	case b == '[':
		return c.list(depth, ']', false)
	case b == '"':
		return c.text()
	case b == '-' || '0' <= b && b <= '9':
		return c.number()
	case b == 't':
		return c.word("true")
	case b == 'f':
		return c.word("false")
	case b == 'n':
		return c.word("null")
	}
	return c.unexpected("a value")
}

func (c *checker) unexpected(wanted string) error {
	switch {
	case len(bytes.TrimLeft(c.data, " \t\r\n")) == 0:
		return c.fail("nothing to read")
	case c.at >= len(c.data):
		return c.fail("ends where " + wanted + " should be")
	}
	return c.fail("not JSON: want " + wanted)
}

func (c *checker) list(depth int, end byte, keys bool) error {
	if depth == MaxDepth {
		return c.fail("nested too deeply")
	}
	c.at++
	c.blank()
	if c.peek() == end {
		c.at++
		return nil
	}
	for {
		if keys {
			if c.peek() != '"' {
				return c.unexpected("a key")
			}
			if err := c.text(); err != nil {
				return err
			}
			c.blank()
			if c.peek() != ':' {
				return c.unexpected("a colon")
			}
			c.at++
			c.blank()
		}
		if err := c.value(depth + 1); err != nil {
			return err
		}
		c.blank()
		switch c.peek() {
		case ',':
			c.at++
			c.blank()
		case end:
			c.at++
			return nil
		default:
			return c.unexpected("a comma or the end of the list")
		}
	}
}

func (c *checker) word(word string) error {
	if !bytes.HasPrefix(c.data[c.at:], []byte(word)) {
		return c.fail("not JSON: want a value")
	}
	c.at += len(word)
	return nil
}

func (c *checker) number() error {
	digits := func() bool {
		start := c.at
		for b := c.peek(); '0' <= b && b <= '9'; b = c.peek() {
			c.at++
		}
		return c.at > start
	}
	if c.peek() == '-' {
		c.at++
	}
	if c.peek() == '0' {
		c.at++
	} else if !digits() {
		return c.unexpected("a digit")
	}
	if c.peek() == '.' {
		c.at++
		if !digits() {
			return c.unexpected("a digit")
		}
	}
	if b := c.peek(); b == 'e' || b == 'E' {
		c.at++
		if b := c.peek(); b == '+' || b == '-' {
			c.at++
		}
		if !digits() {
			return c.unexpected("a digit")
		}
	}
	return nil
}

func (c *checker) text() error {
	c.at++
	for c.at < len(c.data) {
		switch b := c.data[c.at]; {
		case b == '"':
			c.at++
			return nil
		case b == '\\':
			if err := c.escape(); err != nil {
				return err
			}
		case b < 0x20:
			return c.fail("a control character inside a string")
		case b < utf8.RuneSelf:
			c.at++
		default:
			r, size := utf8.DecodeRune(c.data[c.at:])
			if r == utf8.RuneError && size == 1 {
				return c.fail("not UTF-8")
			}
			c.at += size
		}
	}
	return c.fail("ends inside a string")
}

func (c *checker) escape() error {
	rest := c.data[c.at+1:]
	if len(rest) == 0 {
		return c.fail("ends inside a string")
	}
	switch rest[0] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		c.at += 2
		return nil
	case 'u':
		r := hex4(rest[1:])
		switch {
		case r < 0:
			return c.fail("not an escape: want four hexadecimal digits")
		case !utf16.IsSurrogate(r):
			c.at += 6
			return nil
		case len(rest) >= 11 && rest[5] == '\\' && rest[6] == 'u' && utf16.DecodeRune(r, hex4(rest[7:])) != utf8.RuneError:
			c.at += 12
			return nil
		}
		return c.fail("half of a surrogate pair")
	}
	return c.fail("not an escape")
}

// skipper walks over the values of a list that has been checked.
type skipper struct {
	raw []byte
	at  int
}

// next moves to the next value of the list that end closes and reports
// whether there is one. It steps over what can stand between two values.
func (s *skipper) next(end byte) bool {
	for {
		switch b := s.raw[s.at]; b {
		case ' ', '\t', '\n', '\r', ',', ':':
			s.at++
		default:
			return b != end
		}
	}
}

// value returns the value that begins here and moves behind it.
func (s *skipper) value(offset int) Value {
	start := s.at
	depth := 0
	for {
		switch s.raw[s.at] {
		case '"':
			s.text()
		case '{', '[':
			depth++
			s.at++
		case '}', ']':
			depth--
			s.at++
		case ' ', '\t', '\n', '\r', ',', ':':
			s.at++
			continue
		default:
			s.scalar()
		}
		if depth == 0 {
			return Value{s.raw[start:s.at], offset + start}
		}
	}
}

// text steps over a string: to the first quote with an even number of
// backslashes before it.
func (s *skipper) text() {
	s.at++
	for {
		s.at += bytes.IndexByte(s.raw[s.at:], '"') + 1
		slashes := 0
		for s.raw[s.at-2-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return
		}
	}
}

// scalar steps over a number, true, false or null.
func (s *skipper) scalar() {
	for s.at < len(s.raw) {
		switch s.raw[s.at] {
		case ' ', '\t', '\n', '\r', ',', ':', '}', ']':
			return
		}
		s.at++
	}
}

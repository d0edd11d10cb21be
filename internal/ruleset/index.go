package ruleset

import (
	"strings"
	"unicode/utf8"
)

// Span is a place in a rule file. The zero value means that the place is not
// known.
type Span struct {
	Line, Col int // counted from 1; columns in bytes
	Len       int // in bytes; at least 1 where the place is known
}

// before reports whether s begins before t in one file.
func (s Span) before(t Span) bool { return s.Line < t.Line || s.Line == t.Line && s.Col < t.Col }

// node mirrors one value of a TOML document and says where it was written.
// The TOML library knows lines for some errors only, so a small scanner of
// our own walks the text once more, after the library has found it valid.
type node struct {
	key   Span // the key, or the table's header
	value Span // the value; for a table written with a header, the header
	table map[string]*node
	items []*node
	array bool // written as [[name]]
}

// child returns the node of a key, or an empty one.
func (n *node) child(key string) *node {
	if n != nil {
		if c := n.table[key]; c != nil {
			return c
		}
	}
	return &node{}
}

// item returns the node of an array's element, or an empty one.
func (n *node) item(i int) *node {
	if n != nil && i < len(n.items) {
		return n.items[i]
	}
	return &node{}
}

func (n *node) enter(key string) *node {
	if n.table == nil {
		n.table = map[string]*node{}
	}
	c := n.table[key]
	if c == nil {
		c = &node{}
		n.table[key] = c
	}
	return c
}

// last is where keys below a header go: the newest element of an array of
// tables, or the table itself.
func (n *node) last() *node {
	if len(n.items) > 0 {
		return n.items[len(n.items)-1]
	}
	return n
}

// index scans a document that the TOML library accepts. It returns the tree
// of positions and the dotted keys in the order of the text, as
// toml.MetaData.Keys lists them; it reports false if it lost its way.
func index(text string) (root *node, keys [][]string, ok bool) {
	s := scanner{text: strings.TrimPrefix(text, "\ufeff"), line: 1}
	root = &node{}
	ok = s.document(root)
	return root, s.keys, ok
}

type scanner struct {
	text   string
	pos    int
	line   int
	start  int // offset of the line's first byte
	keys   [][]string
	prefix []string // of the table that is being read
	depth  int
}

// maxDepth bounds nesting of arrays and inline tables.
const maxDepth = 200

func (s *scanner) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

func (s *scanner) has(prefix string) bool { return strings.HasPrefix(s.text[s.pos:], prefix) }

func (s *scanner) here() Span { return Span{Line: s.line, Col: s.pos - s.start + 1, Len: 1} }

// upto completes a span that began at from; one that crosses lines ends with
// its first line.
func (s *scanner) upto(from Span, offset int) Span {
	s.pos = min(s.pos, len(s.text))
	n := s.pos - offset
	if i := strings.IndexByte(s.text[offset:s.pos], '\n'); i >= 0 {
		n = i
	}
	from.Len = max(n, 1)
	return from
}

func (s *scanner) newline() {
	s.pos++
	s.line++
	s.start = s.pos
}

// blanks skips spaces and tabs; lines also newlines and comments.
func (s *scanner) blanks() {
	for s.peek() == ' ' || s.peek() == '\t' || s.peek() == '\r' {
		s.pos++
	}
}

func (s *scanner) lines() {
	for s.pos < len(s.text) {
		switch s.peek() {
		case ' ', '\t', '\r':
			s.pos++
		case '\n':
			s.newline()
		case '#':
			for s.pos < len(s.text) && s.peek() != '\n' {
				s.pos++
			}
		default:
			return
		}
	}
}

func (s *scanner) document(root *node) bool {
	at := root
	for {
		s.lines()
		if s.pos >= len(s.text) {
			return true
		}
		if s.peek() == '[' {
			if at = s.header(root); at == nil {
				return false
			}
		} else if !s.keyValue(at) {
			return false
		}
		s.blanks()
		if c := s.peek(); s.pos < len(s.text) && c != '\n' && c != '#' {
			return false
		}
	}
}

// header reads [a.b] or [[a.b]] and returns the table it opens.
func (s *scanner) header(root *node) *node {
	from, offset := s.here(), s.pos
	array := s.has("[[")
	s.pos++
	if array {
		s.pos++
	}
	key, ok := s.key()
	if !ok {
		return nil
	}
	end := "]"
	if array {
		end = "]]"
	}
	if !s.has(end) {
		return nil
	}
	s.pos += len(end)
	span := s.upto(from, offset)
	s.keys = append(s.keys, key)
	s.prefix = key
	n := root
	for i, k := range key {
		n = n.enter(k)
		if i < len(key)-1 {
			n = n.last()
		}
	}
	if array {
		if n.key == (Span{}) {
			n.key, n.value, n.array = span, span, true
		}
		item := &node{key: span, value: span}
		n.items = append(n.items, item)
		return item
	}
	n.key, n.value = span, span
	return n
}

// keyValue reads one `key = value` of a table.
func (s *scanner) keyValue(at *node) bool {
	from, offset := s.here(), s.pos
	key, ok := s.key()
	if !ok || s.peek() != '=' {
		return false
	}
	span := from
	span.Len = max(len(strings.TrimRight(s.text[offset:s.pos], " \t\r")), 1)
	s.pos++
	s.blanks()
	outer := s.prefix
	full := append(append(make([]string, 0, len(outer)+len(key)), outer...), key...)
	s.keys = append(s.keys, full)
	n := at
	for _, k := range key {
		n = n.enter(k)
		if n.key == (Span{}) {
			n.key = span
		}
	}
	s.prefix = full
	ok = s.value(n)
	s.prefix = outer
	return ok
}

// key reads a dotted key and the blanks behind it.
func (s *scanner) key() ([]string, bool) {
	var key []string
	for {
		s.blanks()
		var part string
		switch c := s.peek(); {
		case c == '"' || c == '\'':
			text, ok := s.quoted()
			if !ok {
				return nil, false
			}
			part = text
		default:
			begin := s.pos
			for s.pos < len(s.text) && isBare(s.text[s.pos]) {
				s.pos++
			}
			if s.pos == begin {
				return nil, false
			}
			part = s.text[begin:s.pos]
		}
		key = append(key, part)
		s.blanks()
		if s.peek() != '.' {
			return key, true
		}
		s.pos++
	}
}

func isBare(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// quoted reads a string of any of the four forms and returns its value.
func (s *scanner) quoted() (string, bool) {
	quote := s.text[s.pos : s.pos+1]
	long := strings.Repeat(quote, 3)
	multi := s.has(long)
	if multi {
		quote = long
	}
	s.pos += len(quote)
	var b strings.Builder
	for s.pos < len(s.text) {
		switch c := s.peek(); {
		case s.has(quote):
			s.pos += len(quote)
			// Up to two quotes may stand right before the closing three.
			for multi && s.peek() == quote[0] {
				s.pos++
			}
			return b.String(), true
		case c == '\\' && quote[0] == '"':
			s.pos++
			if s.peek() == '\n' {
				s.newline()
				continue
			}
			s.escape(&b)
		case c == '\n':
			if !multi {
				return "", false
			}
			b.WriteByte(c)
			s.newline()
		default:
			b.WriteByte(c)
			s.pos++
		}
	}
	return "", false
}

// escape reads what follows a backslash. Keys are all that the value is
// needed for.
func (s *scanner) escape(b *strings.Builder) {
	if s.pos >= len(s.text) {
		return
	}
	c := s.peek()
	s.pos++
	digits := 0
	switch c {
	case 'b':
		b.WriteByte('\b')
	case 't':
		b.WriteByte('\t')
	case 'n':
		b.WriteByte('\n')
	case 'f':
		b.WriteByte('\f')
	case 'r':
		b.WriteByte('\r')
	case 'e':
		b.WriteByte(0x1b)
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		b.WriteByte(c)
	}
	var r rune
	for ; digits > 0 && s.pos < len(s.text); digits-- {
		r = r<<4 | rune(hexDigit(s.peek()))
		s.pos++
		if digits == 1 {
			b.Write(utf8.AppendRune(nil, r))
		}
	}
}

func hexDigit(c byte) byte {
	switch {
	case c >= 'a':
		return c - 'a' + 10
	case c >= 'A':
		return c - 'A' + 10
	}
	return c - '0'
}

// value reads a value and records where it and its elements stand.
func (s *scanner) value(n *node) bool {
	s.depth++
	defer func() { s.depth-- }()
	if s.depth > maxDepth {
		return false
	}
	from, offset := s.here(), s.pos
	ok := false
	switch s.peek() {
	case '[':
		ok = s.list(n)
	case '{':
		ok = s.inline(n)
	case '"', '\'':
		_, ok = s.quoted()
	default:
		for s.pos < len(s.text) && !strings.ContainsRune(",]}#\n", rune(s.text[s.pos])) {
			s.pos++
		}
		s.pos -= len(s.text[offset:s.pos]) - len(strings.TrimRight(s.text[offset:s.pos], " \t\r"))
		ok = s.pos > offset
	}
	n.value = s.upto(from, offset)
	return ok
}

func (s *scanner) list(n *node) bool {
	s.pos++
	for {
		s.lines()
		if s.peek() == ']' {
			s.pos++
			return true
		}
		item := &node{key: s.here()}
		if !s.value(item) {
			return false
		}
		item.key = item.value
		n.items = append(n.items, item)
		s.lines()
		switch s.peek() {
		case ',':
			s.pos++
		case ']':
		default:
			return false
		}
	}
}

func (s *scanner) inline(n *node) bool {
	s.pos++
	for {
		s.lines()
		if s.peek() == '}' {
			s.pos++
			return true
		}
		if !s.keyValue(n) {
			return false
		}
		s.lines()
		switch s.peek() {
		case ',':
			s.pos++
		case '}':
		default:
			return false
		}
	}
}

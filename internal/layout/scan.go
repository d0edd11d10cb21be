package layout

import (
	"slices"
	"strings"
)

// kind is what an entry is.
type kind uint8

const (
	comment kind = iota // in a line of its own
	key
	header
)

// entry is a line, or several lines that belong to one key.
type entry struct {
	kind  kind
	blank bool     // a blank line is above it
	text  string   // the comment, the key, the header
	path  []string // of a key or a header, without quotes
	value value
	gap   string // what is between it and the note
	note  string // the comment at its end, or ""
}

// value is what stands behind a key: a list that may be written otherwise, or
// any other text.
type value struct {
	raw   string
	items []item // nil: it stays as it is
}

// item is an element of a list, or a comment in it.
type item struct {
	comment bool
	fresh   bool // it begins a line
	blank   bool // a blank line is above it
	raw     string
}

// scanner reads a text that is known to be TOML.
type scanner struct {
	text     string
	at       int
	comments []string
}

func (s *scanner) more() bool { return s.at < len(s.text) }

func (s *scanner) next() byte {
	if !s.more() {
		return 0
	}
	return s.text[s.at]
}

// blanks skips what is neither a line end nor anything else.
func (s *scanner) blanks() string {
	from := s.at
	for s.more() && strings.IndexByte(" \t\r", s.next()) >= 0 {
		s.at++
	}
	return s.text[from:s.at]
}

// comment reads a comment to the end of its line.
func (s *scanner) comment() string {
	from := s.at
	if n := strings.IndexByte(s.text[from:], '\n'); n >= 0 {
		s.at += n
	} else {
		s.at = len(s.text)
	}
	text := strings.TrimRight(s.text[from:s.at], " \t\r")
	s.comments = append(s.comments, text)
	return text
}

// entries reads all of the text.
func (s *scanner) entries() []entry {
	var list []entry
	blank := false
	for {
		s.blanks()
		var e entry
		switch s.next() {
		case 0:
			return list
		case '\n':
			s.at++
			blank = true
			continue
		case '#':
			e = entry{kind: comment, text: s.comment()}
		case '[':
			e.kind = header
			brackets := "["
			if s.at++; s.next() == '[' {
				brackets, s.at = "[[", s.at+1
			}
			e.text, e.path = s.key()
			e.text = brackets + e.text + strings.Repeat("]", len(brackets))
			s.at += len(brackets)
		default:
			e.kind = key
			e.text, e.path = s.key()
			s.at++ // =
			s.blanks()
			e.value = s.value()
		}
		if e.gap = s.blanks(); s.next() == '#' {
			e.note = s.comment()
			if strings.Trim(e.gap, " ") != "" || e.gap == "" {
				e.gap = " "
			}
		} else {
			e.gap = ""
		}
		if s.more() {
			s.at++ // the line's end
		}
		e.blank = blank
		blank = false
		list = append(list, e)
	}
}

// key reads a key with its dots, and the blanks behind it.
func (s *scanner) key() (text string, path []string) {
	for {
		s.blanks()
		from := s.at
		if c := s.next(); c == '"' || c == '\'' {
			s.str()
		} else {
			for s.more() && strings.IndexByte(" \t\r\n.=]", s.next()) < 0 {
				s.at++
			}
		}
		part := s.text[from:s.at]
		text += part
		path = append(path, strings.Trim(part, `"'`))
		s.blanks()
		if s.next() != '.' {
			return text, path
		}
		text += "."
		s.at++
	}
}

// str skips a string of any of the four kinds.
func (s *scanner) str() {
	quote := s.text[s.at : s.at+1]
	long := strings.Repeat(quote, 3)
	escapes := quote == `"`
	if strings.HasPrefix(s.text[s.at:], long) {
		quote = long
	}
	for s.at += len(quote); s.more(); s.at++ {
		switch {
		case escapes && s.next() == '\\':
			s.at++
		case strings.HasPrefix(s.text[s.at:], quote):
			s.at += len(quote)
			// Up to two more belong to a long string's text.
			for n := 0; n < 2 && len(quote) == 3 && s.next() == quote[0]; n++ {
				s.at++
			}
			return
		}
	}
}

// value reads a value.
func (s *scanner) value() value {
	from := s.at
	switch s.next() {
	case '"', '\'':
		s.str()
	case '[':
		items := s.list()
		v := value{raw: s.text[from:s.at]}
		if !slices.ContainsFunc(items, func(i item) bool { return !i.comment && i.raw[0] == '{' }) {
			v.items = items
		}
		return v
	case '{':
		s.inline()
	default:
		for s.more() && strings.IndexByte(",]}#\n", s.next()) < 0 {
			s.at++
		}
		// A date may have a blank before its time.
		raw := strings.TrimRight(s.text[from:s.at], " \t\r")
		s.at = from + len(raw)
	}
	return value{raw: s.text[from:s.at]}
}

// list reads the elements of a list and the comments in it; never nil.
func (s *scanner) list() []item {
	items := []item{}
	s.at++ // [
	fresh, blank := false, false
	for s.more() {
		s.blanks()
		switch s.next() {
		case '\n':
			s.at++
			blank = fresh
			fresh = true
		case ',':
			s.at++
		case ']':
			s.at++
			return items
		case '#':
			items = append(items, item{comment: true, fresh: fresh, blank: blank, raw: s.comment()})
			fresh, blank = false, false
		default:
			i := item{fresh: fresh, blank: blank}
			i.raw = s.value().raw
			items = append(items, i)
			fresh, blank = false, false
		}
	}
	return items
}

// inline skips an inline table.
func (s *scanner) inline() {
	s.at++ // {
	for s.more() {
		s.blanks()
		switch s.next() {
		case '}':
			s.at++
			return
		case ',', '\n':
			s.at++
		case '#':
			s.comment()
		default:
			s.key()
			s.at++ // =
			s.blanks()
			s.value()
		}
	}
}

package toml

import (
	"bytes"
	"errors"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Parse reads a document. The value is its outermost table, never nil; the
// error is an *Error, and the value then holds what stands before it.
func Parse(text []byte) (*Value, error) {
	p := parser{text: bytes.TrimPrefix(text, []byte("\ufeff")), root: &Value{Kind: Table, opened: byHeader}}
	p.in = p.root
	p.lines = append(p.lines, 0)
	for i, b := range p.text {
		if b == '\n' {
			p.lines = append(p.lines, i+1)
		}
	}
	if i := invalid(p.text); i >= 0 {
		return p.root, p.errorf(p.span(i, i+1), "not UTF-8 text")
	}
	p.Reset(p.text)
	for p.NextExpression() {
		switch n := p.Expression(); n.Kind {
		case unstable.KeyValue:
			if err := p.keyValue(p.in, n); err != nil {
				return p.root, err
			}
		case unstable.Table, unstable.ArrayTable:
			at, err := p.header(n)
			if err != nil {
				return p.root, err
			}
			p.in = at
		}
	}
	if err := p.Error(); err != nil {
		e, ok := errors.AsType[*unstable.ParserError](err)
		if !ok {
			return p.root, p.errorf(Span{}, "%s", err)
		}
		r := p.Range(e.Highlight)
		return p.root, p.unread(int(r.Offset), int(r.Length), err.Error())
	}
	return p.root, nil
}

// invalid returns where the text stops to be UTF-8, and -1 if it does not.
func invalid(text []byte) int {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// opened says how a table came to be, which decides what may still be added.
type opened uint8

const (
	inPassing opened = iota // as a part of another table's header
	byHeader                // by its own header
	byKey                   // as a part of a dotted key
	closed                  // an inline table
)

// parser builds the tree. The library knows the grammar of one line; which
// keys and tables may follow which is here.
type parser struct {
	unstable.Parser
	text  []byte
	root  *Value
	lines []int // the offset of each line's first byte
	in    *Value
}

func (p *parser) errorf(at Span, format string, args ...any) error {
	return &Error{At: at, Msg: strings.TrimPrefix(fmt.Sprintf(format, args...), "toml: "), In: p.in}
}

// unread is the error that the library tells of so many bytes. It names the first of
// them, where a person sees a character, and knows nothing of what was meant.
func (p *parser) unread(from, length int, msg string) error {
	text := p.text[min(from, len(p.text)):]
	first, size := utf8.DecodeRune(text)
	hint := ""
	if size > 1 {
		msg = strings.Replace(msg, fmt.Sprintf("%#U", rune(text[0])), fmt.Sprintf("%#U", first), 1)
	}
	bare := bytes.IndexAny(text, " \t\r\n,]}#\"'=")
	switch {
	case strings.ContainsRune("“”„‘’«»", first):
		hint = `write straight quotes: "`
	case bare > 0 && (strings.HasSuffix(msg, "at start of value") || strings.Contains(msg, "expected keyword")):
		hint = fmt.Sprintf("a text stands in quotes: %q", text[:bare])
	}
	return &Error{p.span(from, from+max(length, size)), strings.TrimPrefix(msg, "toml: "), hint, p.in}
}

// span is the place between two offsets, as far as its first line goes.
func (p *parser) span(from, to int) Span {
	line := sort.SearchInts(p.lines, from+1)
	if line < len(p.lines) {
		to = min(to, p.lines[line]-1)
	}
	return Span{Line: line, Col: from - p.lines[line-1] + 1, Len: max(to-from, 1)}
}

// key returns the parts of a dotted key, and the offsets where it begins and
// ends.
func (p *parser) key(n *unstable.Node) (parts []string, from, to int) {
	for it := n.Key(); it.Next(); {
		part := it.Node()
		if parts == nil {
			from = int(part.Raw.Offset)
		}
		to = int(part.Raw.Offset + part.Raw.Length)
		parts = append(parts, string(part.Data))
	}
	return parts, from, to
}

// header reads [a.b] or [[a.b]] and returns the table it opens.
func (p *parser) header(n *unstable.Node) (*Value, error) {
	parts, from, to := p.key(n)
	from = bytes.LastIndexByte(p.text[:from], '[')
	to += bytes.IndexByte(p.text[to:], ']') + 1
	array := n.Kind == unstable.ArrayTable
	if array {
		from, to = from-1, to+1
	}
	at := p.span(from, to)
	v := p.root
	for _, part := range parts[:len(parts)-1] {
		next := v.Get(part)
		switch {
		case next == nil:
			next = v.add(part, &Value{Kind: Table, Key: at, At: at})
		case next.Tables:
			next = next.Items[len(next.Items)-1]
		case next.Kind != Table || next.opened == closed:
			return nil, p.errorf(at, "the key %q is %s already", part, next.Kind)
		}
		v = next
	}
	name := parts[len(parts)-1]
	old := v.Get(name)
	if array {
		if old == nil {
			old = v.add(name, &Value{Kind: List, Key: at, At: at, Tables: true})
		}
		if !old.Tables {
			return nil, p.errorf(at, "the key %q is %s already, and no list of tables", name, old.Kind)
		}
		item := &Value{Kind: Table, Key: at, At: at, opened: byHeader}
		old.Items = append(old.Items, item)
		return item, nil
	}
	switch {
	case old == nil:
		old = v.add(name, &Value{Kind: Table})
	case old.Tables:
		return nil, p.errorf(at, "the key %q is a list of tables already", name)
	case old.Kind != Table || old.opened == closed:
		return nil, p.errorf(at, "the key %q is %s already", name, old.Kind)
	case old.opened != inPassing:
		return nil, p.errorf(at, "the table %q is there already", name)
	}
	old.Key, old.At, old.opened = at, at, byHeader
	return old, nil
}

// keyValue reads one `key = value` into a table.
func (p *parser) keyValue(v *Value, n *unstable.Node) error {
	parts, from, to := p.key(n)
	key := p.span(from, to)
	for _, part := range parts[:len(parts)-1] {
		next := v.Get(part)
		switch {
		case next == nil:
			next = v.add(part, &Value{Kind: Table, Key: key, At: key, opened: byKey})
		case next.Kind != Table || next.opened != byKey:
			return p.errorf(key, "the key %q is defined already", part)
		}
		v = next
	}
	name := parts[len(parts)-1]
	if v.Get(name) != nil {
		return p.errorf(key, "the key %q is defined already", name)
	}
	for from = to; strings.IndexByte(" \t=", p.text[from]) >= 0; {
		from++
	}
	value, err := p.value(n.Value(), p.span(from, int(n.Raw.Offset+n.Raw.Length)))
	value.Key = key
	v.add(name, value)
	return err
}

// value reads a value. The library does not say where lists and inline tables
// stand: at is where this one does.
func (p *parser) value(n *unstable.Node, at Span) (*Value, error) {
	v := &Value{At: at, Text: string(n.Data)}
	switch n.Kind {
	case unstable.Array:
		v.Kind = List
		for it := n.Children(); it.Next(); {
			item, err := p.value(it.Node(), p.node(it.Node(), at))
			item.Key = item.At
			v.Items = append(v.Items, item)
			if err != nil {
				return v, err
			}
		}
	case unstable.InlineTable:
		v.Kind = Table
		v.opened = byKey
		for it := n.Children(); it.Next(); {
			if err := p.keyValue(v, it.Node()); err != nil {
				return v, err
			}
		}
		v.close()
	case unstable.String:
		v.Kind = String
	case unstable.Bool:
		v.Kind = Bool
	case unstable.Float:
		v.Kind = Float
	case unstable.Integer:
		v.Kind = Integer
		if _, ok := v.Int(); !ok {
			return v, p.errorf(at, "%s is no number of 64 bits", v.Text)
		}
	default:
		v.Kind = Date // its form is right; whether that day exists, nobody asks
	}
	return v, nil
}

// node is where a node stands; around is what holds it.
func (p *parser) node(n *unstable.Node, around Span) Span {
	if n.Raw.Length == 0 {
		return around
	}
	return p.span(int(n.Raw.Offset), int(n.Raw.Offset+n.Raw.Length))
}

// add puts a value into a table.
func (v *Value) add(key string, member *Value) *Value {
	if v.members == nil {
		v.members = map[string]*Value{}
	}
	v.keys = append(v.keys, key)
	v.members[key] = member
	return member
}

// close ends an inline table and the tables that its dotted keys made:
// nothing can be added to them.
func (v *Value) close() {
	v.opened = closed
	for _, m := range v.members {
		if m.Kind == Table {
			m.close()
		}
	}
}

package python

import (
	"slices"
	"strconv"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
)

// This file makes containers: those that are written as displays, [1, 2], and what
// calls and operators give. What is made at one place of the text is one box. Of a table
// that has more rows than are known one by one, rows that look alike are one box, too:
// nobody tells them apart.

// maxExact is how many items of a container are known one by one.
const maxExact = 1000

// mould is what rows of a table have in common that look alike.
type mould struct{ parts map[string]*mould }

// part is the mould of a row's item, or of a row; nil for what is no display, or none
// that can be seen to look like another. The look is made in buf.
func (m *mould) part(i int, e python.Expr, buf []byte) *mould {
	if m == nil {
		return nil
	}
	look := strconv.AppendInt(buf[:0], int64(i), 10)
	switch e := e.(type) {
	case *python.List:
		look = strconv.AppendInt(append(look, '['), int64(len(e.Elts)), 10)
	case *python.Tuple:
		look = strconv.AppendInt(append(look, '('), int64(len(e.Elts)), 10)
	case *python.Set:
		look = append(look, '<')
	case *python.Dict:
		look = append(look, '{')
		for _, k := range e.Keys {
			c, is := k.(*python.Constant)
			if !is || c.Kind != python.Str || c.Unknown {
				return nil
			}
			look = append(strconv.AppendInt(append(look, ' '), int64(len(c.Text)), 10), c.Text...)
		}
	default:
		return nil
	}
	p := m.parts[string(look)]
	if p == nil {
		if m.parts == nil {
			m.parts = map[string]*mould{}
		}
		p = &mould{}
		m.parts[string(look)] = p
	}
	return p
}

// poured is the mould of a display that is followed, and the place of its box. That of a
// table is found by the table.
func (in *reader) poured(e python.Expr, size int) (m *mould, at any) {
	m, in.mould = in.mould, nil
	switch {
	case m != nil:
		return m, m
	case size <= maxExact:
		return nil, e
	}
	if m = in.tables[e]; m == nil {
		if in.tables == nil {
			in.tables = map[python.Expr]*mould{}
		}
		m = &mould{}
		in.tables[e] = m
	}
	return m, e
}

// item follows an item of a display.
func (in *reader) item(m *mould, i int, e python.Expr) code.Value {
	in.mould = m.part(i, e, in.look[:])
	v := in.eval(e)
	in.mould = nil
	return v
}

// display is a list, tuple or set as it is written.
func (in *reader) display(name string, e python.Expr, elts []python.Expr) code.Value {
	stars := 0
	for _, e := range elts {
		if _, is := e.(*python.Starred); is {
			stars++
		}
	}
	m, at := in.poured(e, len(elts)-stars)
	if len(elts)-stars > maxExact {
		box := in.vague(at, name)
		for _, e := range elts {
			in.store(box, nil, in.item(m, 0, e)) // of a star: what it goes through
		}
		return code.Value{{Type: name, Box: box}}
	}
	items := make([]code.Value, 0, len(elts))
	exact := name != "set"
	for i, e := range elts {
		if star, is := e.(*python.Starred); is {
			v := in.eval(star.Value)
			if list, ok := in.exactItems(v); ok {
				items = append(items, list...)
			} else {
				exact = false
				items = append(items, in.items(v))
			}
			continue
		}
		items = append(items, in.item(m, i, e))
	}
	return in.container(name, at, nil, items, exact)
}

func (in *reader) dict(e *python.Dict) code.Value {
	stars := 0
	for _, k := range e.Keys {
		if k == nil {
			stars++
		}
	}
	m, at := in.poured(e, len(e.Keys)-stars)
	large := len(e.Keys)-stars > maxExact
	var box *code.Box
	var keys, items []code.Value
	if large {
		box = in.vague(at, "dict")
	} else {
		keys, items = make([]code.Value, 0, len(e.Keys)), make([]code.Value, 0, len(e.Keys))
	}
	for i, k := range e.Keys {
		row := i
		if large {
			row = 0 // they may look alike
		}
		var key, item code.Value
		if k == nil {
			v := in.eval(e.Values[i])
			key, item = in.keys(v), in.member(v, nil)
		} else {
			item = in.item(m, row, e.Values[i])
			key = in.eval(k)
		}
		if large {
			in.store(box, key, item)
		} else {
			keys, items = append(keys, key), append(items, item)
		}
	}
	if large {
		return code.Value{{Type: "dict", Box: box}}
	}
	return in.container("dict", at, keys, items, stars == 0 && differ(keys))
}

// differ reports whether keys are texts of which no two are the same.
func differ(keys []code.Value) bool {
	texts := make([]string, 0, 16)
	for _, k := range keys {
		text, known := k.Const("str")
		if !known {
			return false
		}
		texts = append(texts, text)
	}
	slices.Sort(texts)
	return len(slices.Compact(texts)) == len(keys)
}

// container makes a value that holds others. What is made at one place of the text,
// on one way, is one box.
func (in *reader) container(name string, at any, keys, items []code.Value, exact bool) code.Value {
	exact = exact && len(items) <= maxExact
	box, again := in.box(at, name)
	_, row := at.(*mould)
	switch {
	case !again && exact:
		box.Keys, box.Items, box.Exact = keys, items, true
	case !again || !box.Exact:
	case exact && row && len(items) == len(box.Items):
		in.pour(box, items)
	case !(exact && sameAll(box.Items, items) && sameAll(box.Keys, keys)):
		in.inexact(box)
	}
	for i, item := range items {
		var key code.Value
		if keys != nil {
			key = keys[i]
		}
		in.store(box, key, item)
	}
	return code.Value{{Type: name, Box: box}}
}

// pour adds a row to those that look alike: each item may be that of any of them.
func (in *reader) pour(box *code.Box, items []code.Value) {
	for i, item := range items {
		if joined := code.Join(box.Items[i], item); !code.Same(joined, box.Items[i]) {
			box.Items = slices.Clone(box.Items) // others may have them
			box.Items[i] = joined
			in.grown++
		}
	}
}

func sameAll(a, b []code.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !code.Same(a[i], b[i]) {
			return false
		}
	}
	return true
}

// box is the box of a place of the text, and whether it was there before.
func (in *reader) box(at any, what string) (box *code.Box, again bool) {
	key := site{at, in.way, what}
	if known, ok := in.sites[key]; ok {
		return known.(*code.Box), true
	}
	box = &code.Box{}
	in.sites[key] = box
	return box, false
}

// vague is the box of a place of the text, of which the items are not known one by one.
func (in *reader) vague(at any, what string) *code.Box {
	box, _ := in.box(at, what)
	in.inexact(box)
	return box
}

// list is a container of which any item may be any of a value. What was made there before
// may have been known item by item.
func (in *reader) list(name string, at any, item code.Value) code.Value {
	box := in.vague(at, name)
	in.store(box, nil, item)
	return code.Value{{Type: name, Box: box}}
}

func (in *reader) store(box *code.Box, key, item code.Value) {
	if box.Put(key, item) {
		in.grown++
	}
}

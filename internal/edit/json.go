package edit

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// JSON is a document that is being changed.
type JSON struct {
	name string // of the file, for errors
	bom  []byte
	text []byte // as it was parsed, for places
	root hujson.Value

	newline string // "\n", "\r\n"; "" where the document is one line
	unit    string // of indentation
}

// ParseJSON reads a document. An empty one is an empty object. The error says
// where: "settings.json:3:7: ...".
func ParseJSON(data []byte, name string) (*JSON, error) {
	d := &JSON{name: name, newline: "\n", unit: "  "}
	if rest, ok := bytes.CutPrefix(data, []byte("\ufeff")); ok {
		d.bom, data = data[:len(data)-len(rest)], rest
	}
	if len(bytes.TrimSpace(data)) == 0 {
		data = []byte("{}\n")
	}
	d.text = data
	var err error
	if d.root, err = hujson.Parse(data); err != nil {
		return nil, placed(name, err)
	}
	object, ok := d.root.Value.(*hujson.Object)
	if !ok {
		return nil, d.errorf(&d.root, "this is no object")
	}
	d.style(object)
	return d, nil
}

// placed turns "hujson: line 3, column 7: ..." into "name:3:7: ...".
func placed(name string, err error) error {
	text := strings.TrimPrefix(err.Error(), "hujson: ")
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		text = strings.Replace(rest, ", column ", ":", 1)
		return fmt.Errorf("%s:%s", name, text)
	}
	return fmt.Errorf("%s: %s", name, text)
}

// style finds out how the document is laid out, by its first member.
func (d *JSON) style(root *hujson.Object) {
	if bytes.Contains(d.text, []byte("\r\n")) {
		d.newline = "\r\n"
	}
	if len(root.Members) == 0 {
		return
	}
	before := string(root.Members[0].Name.BeforeExtra)
	at := strings.LastIndexByte(before, '\n')
	switch {
	case at < 0:
		d.newline, d.unit = "", ""
	case at+1 < len(before):
		d.unit = before[at+1:]
	}
}

func (d *JSON) indent(depth int) string {
	if d.newline == "" {
		return ""
	}
	return d.newline + strings.Repeat(d.unit, depth)
}

// errorf is an error about a value of the document as it was read.
func (d *JSON) errorf(v *hujson.Value, format string, args ...any) error {
	return fmt.Errorf("%s: %s", d.Place(v.StartOffset), fmt.Sprintf(format, args...))
}

// Place is where an offset of the document lies: "settings.json:3:7".
func (d *JSON) Place(offset int) string {
	before := d.text[:min(offset, len(d.text))]
	line := bytes.Count(before, []byte("\n")) + 1
	return d.name + ":" + strconv.Itoa(line) + ":" + strconv.Itoa(len(before)-bytes.LastIndexByte(before, '\n'))
}

// Bytes returns the document as it is now.
func (d *JSON) Bytes() []byte { return append(bytes.Clone(d.bom), d.root.Pack()...) }

// Root returns the document's value.
func (d *JSON) Root() Value { return Value{d, &d.root} }

// Value is a value of a document. The zero value is one that is not there.
type Value struct {
	d *JSON
	v *hujson.Value
}

// Get returns a member of an object. The last one of several counts, as it
// does for the programs that read such files.
func (v Value) Get(keys ...string) Value {
	for _, key := range keys {
		if v.v == nil {
			return Value{}
		}
		object, ok := v.v.Value.(*hujson.Object)
		v.v = nil
		if !ok {
			break
		}
		for i := range object.Members {
			if nameOf(&object.Members[i]) == key {
				v.v = &object.Members[i].Value
			}
		}
	}
	return v
}

// Keys lists the names of an object's members.
func (v Value) Keys() []string {
	var keys []string
	if v.v != nil {
		if object, ok := v.v.Value.(*hujson.Object); ok {
			for i := range object.Members {
				keys = append(keys, nameOf(&object.Members[i]))
			}
		}
	}
	return keys
}

// Items lists the elements of a list.
func (v Value) Items() []Value {
	var items []Value
	if v.v != nil {
		if list, ok := v.v.Value.(*hujson.Array); ok {
			for i := range list.Elements {
				items = append(items, Value{v.d, &list.Elements[i]})
			}
		}
	}
	return items
}

// Text is what a string says, or how another scalar is written; "" for others.
func (v Value) Text() string {
	if v.v != nil {
		if literal, ok := v.v.Value.(hujson.Literal); ok {
			return literal.String()
		}
	}
	return ""
}

// Compact is the value on one line without comments, its members in their
// order.
func (v Value) Compact() string {
	if v.v == nil {
		return ""
	}
	text, err := hujson.Minimize(v.v.Pack())
	if err != nil {
		return string(v.v.Pack()) // not reached: the value was parsed
	}
	return string(text)
}

// Is reports whether the value is there.
func (v Value) Is() bool { return v.v != nil }

// Place is where the value stands: "settings.json:3:7".
func (v Value) Place() string { return v.d.Place(v.v.StartOffset) }

// Append adds a value, given as JSON, at the end of the list that the keys lead
// to. What is missing on the way is made.
func (d *JSON) Append(value string, keys ...string) error {
	at, depth, err := d.walk(keys, "[]")
	if err != nil {
		return err
	}
	list, ok := at.Value.(*hujson.Array)
	if !ok {
		return d.errorf(at, "%q is no list", strings.Join(keys, "."))
	}
	v, err := d.laidOut(value, depth+1)
	if err != nil {
		return err
	}
	n := len(list.Elements)
	var last *hujson.Value
	if n > 0 {
		last = &list.Elements[n-1]
	}
	d.follow(last, &v, &v, &list.AfterExtra, depth)
	list.Elements = append(list.Elements, v)
	return nil
}

// Default gives a member a value, given as JSON, where it has none.
func (d *JSON) Default(value string, keys ...string) error {
	_, _, err := d.walk(keys, value)
	return err
}

// walk goes down the keys and returns the value there with its depth. Objects
// that are missing are made; the last value is made from a text.
func (d *JSON) walk(keys []string, missing string) (*hujson.Value, int, error) {
	at := &d.root
	for i, key := range keys {
		object, ok := at.Value.(*hujson.Object)
		if !ok {
			return nil, 0, d.errorf(at, "%q is no object", strings.Join(keys[:i], "."))
		}
		var found *hujson.Value
		for j := range object.Members {
			m := &object.Members[j]
			if nameOf(m) != key {
				continue
			}
			if found != nil {
				return nil, 0, d.errorf(&m.Name, "%q is here twice", key)
			}
			found = &m.Value
		}
		if found == nil {
			text := "{}"
			if i == len(keys)-1 {
				text = missing
			}
			v, err := d.laidOut(text, i+1)
			if err != nil {
				return nil, 0, err
			}
			name := hujson.Value{BeforeExtra: hujson.Extra(d.indent(i + 1)), Value: hujson.String(key)}
			v.BeforeExtra = nil
			if d.newline != "" || bytes.Contains(d.text, []byte(`": `)) {
				v.BeforeExtra = hujson.Extra(" ")
			}
			var last *hujson.Value
			if n := len(object.Members); n > 0 {
				last = &object.Members[n-1].Value
			}
			d.follow(last, &name, &v, &object.AfterExtra, i)
			object.Members = append(object.Members, hujson.ObjectMember{Name: name, Value: v})
			found = &object.Members[len(object.Members)-1].Value
		}
		at = found
	}
	return at, len(keys), nil
}

// follow prepares what surrounds a new last item of a list or an object at a
// depth: a comma at the end stays one, a comment behind the former last item
// stays behind it.
func (d *JSON) follow(last, begin, end *hujson.Value, after *hujson.Extra, depth int) {
	if last != nil && last.AfterExtra != nil {
		end.AfterExtra = hujson.Extra{}
	}
	if comment := bytes.TrimRight(*after, " \t\r\n"); len(comment) > 0 {
		newline := d.newline
		if newline == "" {
			newline = "\n" // or a comment to the end of the line would go on
		}
		begin.BeforeExtra = append(bytes.Clone(comment), newline+strings.Repeat(d.unit, depth+1)...)
		*after = hujson.Extra(newline + strings.Repeat(d.unit, depth))
	} else if last == nil {
		*after = hujson.Extra(d.indent(depth))
	}
}

// laidOut parses a text and lays it out as the document is, at a depth.
func (d *JSON) laidOut(text string, depth int) (hujson.Value, error) {
	v, err := hujson.Parse([]byte(text))
	if err != nil {
		return v, fmt.Errorf("writing %s: %w", text, err)
	}
	d.layOut(&v, depth)
	v.BeforeExtra = hujson.Extra(d.indent(depth))
	v.AfterExtra = nil
	return v, nil
}

func (d *JSON) layOut(v *hujson.Value, depth int) {
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			m := &c.Members[i]
			m.Name.BeforeExtra, m.Name.AfterExtra = hujson.Extra(d.indent(depth+1)), nil
			d.layOut(&m.Value, depth+1)
			m.Value.BeforeExtra, m.Value.AfterExtra = hujson.Extra(" "), nil
		}
		if c.AfterExtra = nil; len(c.Members) > 0 {
			c.AfterExtra = hujson.Extra(d.indent(depth))
		}
	case *hujson.Array:
		for i := range c.Elements {
			e := &c.Elements[i]
			d.layOut(e, depth+1)
			e.BeforeExtra, e.AfterExtra = hujson.Extra(d.indent(depth+1)), nil
		}
		if c.AfterExtra = nil; len(c.Elements) > 0 {
			c.AfterExtra = hujson.Extra(d.indent(depth))
		}
	}
}

// Item is one of a list's, or a member of an object.
type Item struct {
	Value
	Name string   // of the member; "" in a list
	Keys []string // those that lead to the list or the object
}

// Verdict says what Remove does with an item.
type Verdict uint8

// The verdicts. The zero value looks for items inside of it.
const (
	Look Verdict = iota
	Keep
	Drop
)

// Remove asks about all items, wherever they are, from the beginning to the end,
// and takes out what is to be dropped. What holds nothing else any more goes with it: an object in a list whose own list it
// was, and lists and objects with a name, unless keep has these too. A nil
// keep has none.
func (d *JSON) Remove(judge func(Item) Verdict, keep *JSON) (removed bool) {
	r := remover{d, judge}
	var held Value
	if keep != nil {
		held = keep.Root()
	}
	removed, _ = r.remove(&d.root, nil, held)
	return removed
}

type remover struct {
	d     *JSON
	judge func(Item) Verdict
}

// remove is Remove below a value. It reports also whether the value is empty
// now and may go.
func (r *remover) remove(v *hujson.Value, keys []string, held Value) (removed, empty bool) {
	switch c := v.Value.(type) {
	case *hujson.Array:
		for i := 0; i < len(c.Elements); i++ {
			e := &c.Elements[i]
			switch r.judge(Item{Value{r.d, e}, "", keys}) {
			case Keep:
				continue
			case Look:
				below, _ := r.remove(e, keys, Value{})
				removed = removed || below
				if !below || !hollow(e) {
					continue
				}
			}
			removed = true
			cut(e.BeforeExtra, e.AfterExtra, i, len(c.Elements), &c.AfterExtra,
				func(i int) (*hujson.Extra, *hujson.Extra) {
					return &c.Elements[i].BeforeExtra, &c.Elements[i].AfterExtra
				})
			c.Elements = append(c.Elements[:i], c.Elements[i+1:]...)
			i--
		}
		return removed, removed && len(c.Elements) == 0 && held.v == nil
	case *hujson.Object:
		for i := 0; i < len(c.Members); i++ {
			m := &c.Members[i]
			name := nameOf(m)
			switch r.judge(Item{Value{r.d, &m.Value}, name, keys}) {
			case Keep:
				continue
			case Look:
				below, gone := r.remove(&m.Value, append(keys[:len(keys):len(keys)], name), held.Get(name))
				removed = removed || below
				if !gone {
					continue
				}
			}
			removed = true
			cut(m.Name.BeforeExtra, m.Value.AfterExtra, i, len(c.Members), &c.AfterExtra,
				func(i int) (*hujson.Extra, *hujson.Extra) {
					return &c.Members[i].Name.BeforeExtra, &c.Members[i].Value.AfterExtra
				})
			c.Members = append(c.Members[:i], c.Members[i+1:]...)
			i--
		}
		return removed, removed && len(c.Members) == 0 && held.v == nil
	}
	return false, false
}

// hollow reports whether an item of a list, from which something was removed,
// holds no list and no object any more: a matcher without hooks.
func hollow(v *hujson.Value) bool {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return false
	}
	for i := range object.Members {
		if _, scalar := object.Members[i].Value.Value.(hujson.Literal); !scalar {
			return false
		}
	}
	return true
}

// cut mends what surrounds item i of n that goes: comments before it stay, and
// so does whether a comma ends the list.
func cut(before, after hujson.Extra, i, n int, end *hujson.Extra, item func(int) (before, after *hujson.Extra)) {
	if comment := bytes.TrimRight(before, " \t\r\n"); len(comment) > 0 {
		next := end
		if i+1 < n {
			next, _ = item(i + 1)
		}
		if !bytes.HasPrefix(bytes.TrimLeft(*next, " \t\r"), []byte("\n")) {
			comment = append(bytes.Clone(comment), '\n') // or a comment to the end of the line would go on
		}
		*next = append(bytes.Clone(comment), *next...)
	}
	if i+1 < n {
		if next, _ := item(i + 1); len(bytes.TrimSpace(before)) == 0 && len(bytes.TrimSpace(*next)) == 0 {
			*next = before
		}
		return
	}
	if i == 0 {
		if len(bytes.TrimSpace(*end)) == 0 {
			*end = nil
		}
		return
	}
	switch _, last := item(i - 1); {
	case after == nil && *last != nil:
		*end = append(bytes.Clone(*last), *end...)
		*last = nil
	case after != nil && *last == nil:
		*last = hujson.Extra{}
	}
}

// nameOf is what a member is called.
func nameOf(m *hujson.ObjectMember) string {
	if literal, ok := m.Name.Value.(hujson.Literal); ok {
		return literal.String()
	}
	return ""
}

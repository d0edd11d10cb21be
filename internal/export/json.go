package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// block is a run of values in a list, or of members in an object, somewhere in
// a JSON document. It stands between two marks that mean nothing to the
// target, so that a later export finds it again.
type block struct {
	path   []string // keys from the root: permissions, allow
	object bool     // the values are members: "key": value
	front  bool     // it stands before what others wrote
	values []string // as JSON
	begin  string   // the marks, as JSON; "" where the path itself is the target's own
	end    string
}

// set is a single member.
func set(value string, path ...string) block {
	return block{path: path[:len(path)-1], object: true, values: []string{quoteJSON(path[len(path)-1]) + ": " + value}}
}

// memberName is the name of a written member, with its quotes.
func memberName(member string) string {
	for i := 1; i < len(member); i++ {
		switch member[i] {
		case '\\':
			i++
		case '"':
			return member[:i+1]
		}
	}
	return member
}

func quoteJSON(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return `""` // not reached: a string can always be written
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// merge puts the blocks into a document, which may be empty, and returns it.
// Comments stay where they are.
func (w *writer) merge(existing []byte, header []string) ([]byte, error) {
	fresh := len(bytes.TrimSpace(existing)) == 0
	if fresh {
		existing = []byte("{}\n")
		if w.mark != "" {
			existing = []byte(w.mark + " " + strings.Join(header, "\n"+w.mark+" ") + "\n{}\n")
		}
	}
	root, err := hujson.Parse(existing)
	if err != nil {
		return nil, fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "hujson: "))
	}
	if fresh && w.mark == "" {
		// Where no comments are, a key that nobody reads has to do.
		w.json = append([]block{set(quoteJSON(strings.Join(header, " ")), "//")}, w.json...)
	}
	for i := range w.json {
		if err := w.json[i].put(&root); err != nil {
			return nil, err
		}
	}
	return root.Pack(), nil
}

// put adds the block's values in place of those of an earlier one.
func (b *block) put(root *hujson.Value) error {
	at, depth := root, 0
	for i, key := range b.path {
		object, ok := at.Value.(*hujson.Object)
		if !ok {
			return fmt.Errorf("%s is not an object", quoteJSON(strings.Join(b.path[:i], ".")))
		}
		depth++
		at = member(object, key, depth, b.object || i < len(b.path)-1)
	}
	if object, ok := at.Value.(*hujson.Object); ok && b.object {
		return b.members(object, depth+1)
	}
	list, ok := at.Value.(*hujson.Array)
	if !ok || b.object {
		return fmt.Errorf("%s is not what the agent wants there", quoteJSON(strings.Join(b.path, ".")))
	}
	kept, place := list.Elements[:0], -1
	ours := false
	for _, v := range list.Elements {
		switch text := packed(v); {
		case text == b.begin:
			ours, place = true, len(kept)
		case text == b.end:
			ours = false
		case !ours:
			kept = append(kept, v)
		}
	}
	if ours {
		return fmt.Errorf("%s: an earlier export begins and does not end", quoteJSON(strings.Join(b.path, ".")))
	}
	var added []hujson.Value
	for _, text := range b.marked() {
		v, err := parsed(text, depth+1)
		if err != nil {
			return err
		}
		added = append(added, v)
	}
	list.Elements = slices.Insert(kept, b.place(place, len(kept)), added...)
	if len(list.AfterExtra) == 0 {
		list.AfterExtra = hujson.Extra(indent(depth))
	}
	return nil
}

// members is put for an object.
func (b *block) members(object *hujson.Object, depth int) error {
	names := map[string]bool{}
	var added []hujson.ObjectMember
	for _, text := range b.marked() {
		v, err := parsed("{"+text+"}", depth)
		if err != nil {
			return err
		}
		m := v.Value.(*hujson.Object).Members[0]
		m.Name.BeforeExtra = hujson.Extra(indent(depth))
		names[packed(m.Name)] = true
		added = append(added, m)
	}
	if b.begin == "" {
		// Not a run: each has its own place.
		for _, m := range added {
			if old := slices.IndexFunc(object.Members, func(o hujson.ObjectMember) bool { return packed(o.Name) == packed(m.Name) }); old < 0 {
				object.Members = append(object.Members, m)
			} else if packed(object.Members[old].Value) != packed(m.Value) {
				object.Members[old].Value = m.Value
			}
		}
		return nil
	}
	begin, end := memberName(b.begin), memberName(b.end)
	kept, place := object.Members[:0], -1
	ours := false
	for _, m := range object.Members {
		switch name := packed(m.Name); {
		case name == begin:
			ours, place = true, len(kept)
		case name == end:
			ours = false
		case !ours && !names[name]:
			kept = append(kept, m)
		}
	}
	if ours {
		return fmt.Errorf("%s: an earlier export begins and does not end", quoteJSON(strings.Join(b.path, ".")))
	}
	object.Members = slices.Insert(kept, b.place(place, len(kept)), added...)
	if len(object.AfterExtra) == 0 {
		object.AfterExtra = hujson.Extra(indent(depth - 1))
	}
	return nil
}

// place is where the block goes: to where it was, or to the end it belongs to.
// What the user has put behind it stays there.
func (b *block) place(was, end int) int {
	switch {
	case was >= 0:
		return was
	case b.front:
		return 0
	}
	return end
}

func (b *block) marked() []string {
	if b.begin == "" {
		return b.values
	}
	return append(append([]string{b.begin}, b.values...), b.end)
}

// member returns the value of a key, an empty object or list where it is
// missing.
func member(object *hujson.Object, key string, depth int, isObject bool) *hujson.Value {
	for i := range object.Members {
		if packed(object.Members[i].Name) == quoteJSON(key) {
			return &object.Members[i].Value
		}
	}
	m := hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: hujson.Extra(indent(depth)), Value: hujson.Literal(quoteJSON(key))},
		Value: hujson.Value{BeforeExtra: hujson.Extra(" "), Value: &hujson.Array{}},
	}
	if isObject {
		m.Value.Value = &hujson.Object{}
	}
	object.Members = append(object.Members, m)
	if len(object.AfterExtra) == 0 {
		object.AfterExtra = hujson.Extra(indent(depth - 1))
	}
	return &object.Members[len(object.Members)-1].Value
}

// packed is a value without what stands around it.
func packed(v hujson.Value) string {
	v.BeforeExtra, v.AfterExtra = nil, nil
	return string(v.Pack())
}

func parsed(text string, depth int) (hujson.Value, error) {
	v, err := hujson.Parse([]byte(text))
	if err != nil {
		return v, fmt.Errorf("writing %s: %w", text, err)
	}
	v.BeforeExtra = hujson.Extra(indent(depth))
	return v, nil
}

func indent(depth int) string { return "\n" + strings.Repeat("  ", depth) }

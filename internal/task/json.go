package task

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// object is one object of a JSON file. Comments and trailing commas are
// tolerated, as the more lenient runners do; of equal keys the last counts.
type object struct {
	text  []byte
	value *hujson.Object
}

// maxNesting bounds what the parser may recurse into.
const maxNesting = 500

// parseJSON reads a file that holds an object.
func parseJSON(text []byte) (object, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if nesting(text) > maxNesting {
		return object{}, &readError{0, "nests too deeply"}
	}
	root, err := hujson.Parse(text)
	if err != nil {
		return object{}, jsonError(err)
	}
	value, ok := root.Value.(*hujson.Object)
	if !ok {
		return object{}, &readError{1, "is no object"}
	}
	return object{text, value}, nil
}

// nesting is how deep the brackets outside strings nest.
func nesting(text []byte) (deepest int) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{' || b == '[':
			depth++
			deepest = max(deepest, depth)
		case b == '}' || b == ']':
			depth = max(depth-1, 0)
		}
	}
	return deepest
}

// jsonError takes the place out of an error of the parser, which writes it in
// front: "hujson: line 3, column 7: ...".
func jsonError(err error) error {
	text := err.Error()
	text = strings.TrimPrefix(text, "hujson: ")
	after, _ := strings.CutPrefix(text, "line ")
	digits, _, _ := strings.Cut(after, ",")
	line, err := strconv.Atoi(digits)
	if err != nil {
		line = 0
	}
	return &readError{line, text}
}

// item is a value and the line it stands on. The zero item is no value.
type item struct {
	text  []byte
	value hujson.Value
	ok    bool
}

// get returns the value of a key.
func (o object) get(key string) item {
	if o.value == nil {
		return item{}
	}
	for i := len(o.value.Members) - 1; i >= 0; i-- {
		m := &o.value.Members[i]
		if name, ok := m.Name.Value.(hujson.Literal); ok && spells(name, key) {
			return item{o.text, m.Value, true}
		}
	}
	return item{}
}

// spells reports whether a literal stands for a text.
func spells(l hujson.Literal, text string) bool {
	if bytes.IndexByte(l, '\\') < 0 && len(l) >= 2 {
		return string(l[1:len(l)-1]) == text
	}
	return l.String() == text
}

// keys lists the keys in the order of the file; equal ones once.
func (o object) keys() []string {
	if o.value == nil {
		return nil
	}
	seen := make(map[string]bool, len(o.value.Members))
	var keys []string
	for i := range o.value.Members {
		if name, ok := o.value.Members[i].Name.Value.(hujson.Literal); ok && !seen[name.String()] {
			seen[name.String()] = true
			keys = append(keys, name.String())
		}
	}
	return keys
}

// line is the line that the value begins on.
func (i item) line() int {
	if !i.ok {
		return 0
	}
	return 1 + bytes.Count(i.text[:min(i.value.StartOffset, len(i.text))], []byte("\n"))
}

// string returns the value if it is text.
func (i item) string() (string, bool) {
	if l, ok := i.value.Value.(hujson.Literal); ok && i.ok && l.Kind() == '"' {
		return l.String(), true
	}
	return "", false
}

// scalar returns text, a number or a boolean as text.
func (i item) scalar() (string, bool) {
	l, ok := i.value.Value.(hujson.Literal)
	if !ok || !i.ok || l.Kind() == 'n' {
		return "", false
	}
	return l.String(), true
}

// object returns the value if it is an object.
func (i item) object() (object, bool) {
	o, ok := i.value.Value.(*hujson.Object)
	return object{i.text, o}, ok && i.ok
}

// list returns the elements if the value is an array.
func (i item) list() ([]item, bool) {
	a, ok := i.value.Value.(*hujson.Array)
	if !ok || !i.ok {
		return nil, false
	}
	items := make([]item, len(a.Elements))
	for k := range a.Elements {
		items[k] = item{i.text, a.Elements[k], true}
	}
	return items, true
}

// strings returns the texts of an array of strings.
func (i item) strings() ([]string, bool) {
	items, ok := i.list()
	if !ok {
		return nil, false
	}
	texts := make([]string, len(items))
	for k := range items {
		if texts[k], ok = items[k].string(); !ok {
			return nil, false
		}
	}
	return texts, true
}

package task

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/wire"
	"github.com/tailscale/hujson"
)

// object is one object of a JSON file. Comments and trailing commas are
// tolerated, as the more lenient runners do; of equal keys the last counts.
type object struct {
	members []member
}

type member struct {
	name  hujson.Literal
	value item
}

// maxNesting bounds what the parser may recurse into.
const maxNesting = 500

// parseJSON reads a file that holds an object.
func parseJSON(text []byte) (object, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if _, err := wire.Parse(text); err != nil {
		// The slow way: with comments, which become blanks.
		if nesting(text) > maxNesting {
			return object{}, &readError{0, "nests too deeply"}
		}
		plain, err := hujson.Standardize(bytes.Clone(text))
		if err != nil {
			return object{}, jsonError(err)
		}
		text = plain
	}
	root, ok := item{text, jsonBlank(text, 0), true}.object()
	if !ok {
		return object{}, &readError{1, "is no object"}
	}
	return root, nil
}

// jsonBlank returns the index of the first byte from i on that is no blank.
func jsonBlank(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	return i
}

// jsonEnd returns the index behind the value that begins at i, of a text that
// is known to be JSON.
func jsonEnd(text []byte, i int) int {
	for depth := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		case ',', ':', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return i
			}
			continue
		default:
			if depth > 0 || i+1 < len(text) && strings.IndexByte(",]} \t\n\r", text[i+1]) < 0 {
				continue
			}
		}
		if depth <= 0 {
			return min(i+1, len(text))
		}
	}
	return len(text)
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

// item is a value of a file. The zero item is no value.
type item struct {
	text []byte // of the file
	at   int    // where it begins
	ok   bool
}

// raw is the value as it is written.
func (i item) raw() hujson.Literal {
	if !i.ok || i.at >= len(i.text) {
		return nil
	}
	return hujson.Literal(i.text[i.at:jsonEnd(i.text, i.at)])
}

// begins reports whether the value begins with a byte.
func (i item) begins(b byte) bool { return i.ok && i.at < len(i.text) && i.text[i.at] == b }

// get returns the value of a key.
func (o object) get(key string) item {
	for i := len(o.members) - 1; i >= 0; i-- {
		if m := &o.members[i]; spells(m.name, key) {
			return m.value
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
	seen := make(map[string]bool, len(o.members))
	var keys []string
	for i := range o.members {
		if name := o.members[i].name.String(); !seen[name] {
			seen[name] = true
			keys = append(keys, name)
		}
	}
	return keys
}

// line is the line that the value begins on.
func (i item) line() int {
	if !i.ok {
		return 0
	}
	return 1 + bytes.Count(i.text[:min(i.at, len(i.text))], []byte("\n"))
}

// string returns the value if it is text.
func (i item) string() (string, bool) {
	if !i.begins('"') {
		return "", false
	}
	return i.raw().String(), true
}

// scalar returns text, a number or a boolean as text.
func (i item) scalar() (string, bool) {
	if !i.ok || i.begins('{') || i.begins('[') || i.begins('n') {
		return "", false
	}
	return i.raw().String(), true
}

// object returns the value if it is an object.
func (i item) object() (o object, ok bool) {
	if !i.begins('{') {
		return object{}, false
	}
	for at := jsonBlank(i.text, i.at+1); at < len(i.text) && i.text[at] == '"'; {
		end := jsonEnd(i.text, at)
		colon := jsonBlank(i.text, end)
		value := jsonBlank(i.text, colon+1)
		o.members = append(o.members, member{hujson.Literal(i.text[at:end]), item{i.text, value, true}})
		if at = jsonBlank(i.text, jsonEnd(i.text, value)); at < len(i.text) && i.text[at] == ',' {
			at = jsonBlank(i.text, at+1)
		}
	}
	return o, true
}

// list returns the elements if the value is an array.
func (i item) list() (items []item, ok bool) {
	if !i.begins('[') {
		return nil, false
	}
	for at := jsonBlank(i.text, i.at+1); at < len(i.text) && i.text[at] != ']'; {
		items = append(items, item{i.text, at, true})
		if at = jsonBlank(i.text, jsonEnd(i.text, at)); at < len(i.text) && i.text[at] == ',' {
			at = jsonBlank(i.text, at+1)
		}
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

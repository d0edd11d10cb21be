package task

import (
	"errors"
	"sort"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/toml"
)

// table is a TOML file, or a table of one. The zero table is none.
type table struct{ value *toml.Value }

// parseTOML reads a file.
func parseTOML(text []byte) (table, error) {
	root, err := toml.Parse(text)
	if at, ok := errors.AsType[*toml.Error](err); ok {
		return table{}, &readError{at.At.Line, at.Msg}
	}
	return table{root}, nil
}

// get returns the value of a key, or nil.
func (t table) get(key string) *toml.Value { return t.value.Get(key) }

// has reports whether a key is there.
func (t table) has(key string) bool { return t.get(key) != nil }

// keys lists the keys in the order of their names.
func (t table) keys() []string {
	keys := append([]string(nil), t.value.Keys()...)
	sort.Strings(keys)
	return keys
}

// line is the line of a key; that of the table where there is none, and 0
// without a table.
func (t table) line(key string) int {
	switch {
	case t.has(key):
		return t.get(key).Key.Line
	case t.value != nil:
		return t.value.Key.Line
	}
	return 0
}

// table returns the table of a key, and of a key in that; none if one is
// missing or something else.
func (t table) table(keys ...string) table {
	for _, key := range keys {
		t = asTable(t.get(key))
	}
	return t
}

// asTable returns a value that is a table; none for others.
func asTable(v *toml.Value) table {
	if v == nil || v.Kind != toml.Table {
		return table{}
	}
	return table{v}
}

// string returns the text of a key.
func (t table) string(key string) (string, bool) { return asText(t.get(key)) }

// asText returns what a string says, and reports whether it is one.
func asText(v *toml.Value) (string, bool) {
	if v == nil || v.Kind != toml.String {
		return "", false
	}
	return v.Text, true
}

// texts returns a list of texts; one text is a list of one. It reports false
// where the key holds anything else.
func (t table) texts(key string) ([]string, bool) { return asTexts(t.get(key)) }

// asTexts is what texts returns for a value.
func asTexts(v *toml.Value) ([]string, bool) {
	switch {
	case v == nil:
		return nil, true
	case v.Kind == toml.String:
		return []string{v.Text}, true
	case v.Kind != toml.List:
		return nil, false
	}
	texts := make([]string, len(v.Items))
	for i, item := range v.Items {
		var ok bool
		if texts[i], ok = asText(item); !ok {
			return nil, false
		}
	}
	return texts, true
}

// listed returns the items of a list; another value is a list of one, and
// none an empty one.
func listed(v *toml.Value) []*toml.Value {
	switch {
	case v == nil:
		return nil
	case v.Kind == toml.List:
		return v.Items
	}
	return []*toml.Value{v}
}

// scalar writes a text, a number or a boolean as text. It reports false for
// others, and for numbers that programs write in more than one way.
func scalar(v *toml.Value) (string, bool) {
	switch {
	case v == nil:
		return "", false
	case v.Kind == toml.String, v.Kind == toml.Bool:
		return v.Text, true
	case v.Kind == toml.Integer:
		i, ok := v.Int()
		return strconv.FormatInt(i, 10), ok
	case v.Kind == toml.Float:
		return v.Text, strings.Trim(v.Text, "0123456789.") == ""
	}
	return "", false
}

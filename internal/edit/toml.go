package edit

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/toml"
)

// List adds texts to a list of a TOML document, and takes others out of it. The
// list is that of a key of the document itself; where there is none it is made,
// below the comment that the document begins with. All else stays as it is. A
// list of nothing goes, with its key. It is an error where the key is no list of texts.
func List(text, key string, add, remove []string) (string, error) {
	old, v, err := list(text, key)
	if err != nil {
		return "", err
	}
	want := slices.DeleteFunc(slices.Clone(old), func(item string) bool { return slices.Contains(remove, item) })
	for _, item := range add {
		if !slices.Contains(want, item) {
			want = append(want, item)
		}
	}
	out := text
	for items := old; ; {
		i := slices.IndexFunc(items, func(item string) bool { return slices.Contains(remove, item) })
		if i < 0 {
			break
		}
		out = drop(out, v, i)
		if items, v, err = list(out, key); err != nil {
			return "", err
		}
	}
	if len(want) == 0 && v != nil {
		out = without(out, v)
	}
	for _, item := range want {
		if slices.Contains(old, item) {
			continue
		}
		if out, err = put(out, key, item); err != nil {
			return "", err
		}
	}
	if got, _, err := list(out, key); err != nil || !slices.Equal(got, want) {
		return "", errors.New("the list " + key + " is written in a way that can't be changed here: edit it by hand")
	}
	return out, nil
}

// without takes an empty list out, with its key and the line that they leave
// empty.
func without(text string, v *toml.Value) string {
	from, to := offset(text, v.Key), offset(text, v.At)+1
	for to < len(text) && text[to] != ']' {
		if text[to] == '#' {
			to += max(strings.IndexByte(text[to:], '\n'), 0)
		}
		to++
	}
	rest := text[min(to+1, len(text)):]
	if line, below, found := strings.Cut(rest, "\n"); strings.TrimSpace(line) == "" && found {
		rest = below
	}
	return text[:from] + strings.TrimLeft(rest, " \t")
}

// list reads the texts of a list; nil where the document has none.
func list(text, key string) ([]string, *toml.Value, error) {
	root, err := toml.Parse([]byte(text))
	if err != nil {
		return nil, nil, err
	}
	v := root.Get(key)
	if v == nil {
		return nil, nil, nil
	}
	var items []string
	for _, item := range v.Items {
		if item.Kind != toml.String {
			return nil, nil, errors.New(key + " is no list of texts")
		}
		items = append(items, item.Text)
	}
	if v.Kind != toml.List {
		return nil, nil, errors.New(key + " is no list")
	}
	return items, v, nil
}

// put appends one text to the list.
func put(text, key, item string) (string, error) {
	_, v, err := list(text, key)
	switch {
	case err != nil:
		return "", err
	case v == nil:
		at := 0
		for strings.HasPrefix(text[at:], "#") {
			line := strings.IndexByte(text[at:], '\n')
			if line < 0 {
				text += "\n"
				line = len(text[at:]) - 1
			}
			at += line + 1
		}
		return text[:at] + key + " = [" + strconv.Quote(item) + "]\n" + text[at:], nil
	case len(v.Items) == 0:
		at := offset(text, v.At) + 1
		return text[:at] + strconv.Quote(item) + text[at:], nil
	}
	last := v.Items[len(v.Items)-1].At
	at := offset(text, last) + last.Len
	return text[:at] + ", " + strconv.Quote(item) + text[at:], nil
}

// drop takes the text at an index out of the list, with the comma that
// separates it from the others.
func drop(text string, v *toml.Value, i int) string {
	from := offset(text, v.Items[i].At)
	to := from + v.Items[i].At.Len
	switch {
	case i+1 < len(v.Items):
		to = offset(text, v.Items[i+1].At)
	case i > 0:
		from = offset(text, v.Items[i-1].At) + v.Items[i-1].At.Len
	default:
		if rest := strings.TrimLeft(text[to:], " \t\r\n"); strings.HasPrefix(rest, ",") {
			to = len(text) - len(rest) + 1
		}
	}
	return text[:from] + text[to:]
}

// offset is where a place lies in a text, in bytes.
func offset(text string, at toml.Span) int {
	line := 0
	for n := 1; n < at.Line; n++ {
		line += strings.IndexByte(text[line:], '\n') + 1
	}
	return line + at.Col - 1
}

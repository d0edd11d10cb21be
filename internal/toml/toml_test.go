package toml

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	library "github.com/pelletier/go-toml/v2"
)

const positions = `# comment
[meta]
name = "x" # [not.a.table]
"quoted key" = 'y'

[[programs]]
name = """a
b"""
[[programs.options]]
multi = { "--arg" = ["data", "data"], '-x' = [ "data?", # comment
  "read" ] }
code.sed = ["-e"]
[programs.runs]
places = [
  "{}",
  "-I",
]
[[programs]]
name = "second"
n = 12
[ [a] ]
`

// text returns what a span marks.
func (s Span) text(doc string) string {
	line := strings.Split(doc, "\n")[s.Line-1]
	return line[s.Col-1 : s.Col-1+s.Len]
}

func TestPositions(t *testing.T) {
	doc := strings.TrimSuffix(positions, "[ [a] ]\n")
	root, err := Parse([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	programs := root.Get("programs").Items
	options := programs[0].Get("options").Items[0]
	runs := programs[0].Get("runs")
	for _, row := range []struct {
		what string
		span Span
		want string
		line int
	}{
		{"header", root.Get("meta").Key, "[meta]", 2},
		{"key", root.Get("meta").Get("name").Key, "name", 3},
		{"value", root.Get("meta").Get("name").At, `"x"`, 3},
		{"quoted key", root.Get("meta").Get("quoted key").Key, `"quoted key"`, 4},
		{"long value", programs[0].Get("name").At, `"""a`, 7},
		{"inline table", options.Get("multi").At, `{ "--arg" = ["data", "data"], '-x' = [ "data?", # comment`, 10},
		{"inline key", options.Get("multi").Get("--arg").Key, `"--arg"`, 10},
		{"inline list", options.Get("multi").Get("--arg").At, `["data", "data"]`, 10},
		{"inline item", options.Get("multi").Get("--arg").Items[1].At, `"data"`, 10},
		{"item behind a comment", options.Get("multi").Get("-x").Items[1].At, `"read"`, 11},
		{"dotted key", options.Get("code").Get("sed").Key, "code.sed", 12},
		{"dotted value", options.Get("code").Get("sed").Items[0].At, `"-e"`, 12},
		{"sub-table", runs.Key, "[programs.runs]", 13},
		{"item on its own line", runs.Get("places").Items[1].At, `"-I"`, 16},
		{"second element", programs[1].Key, "[[programs]]", 18},
		{"key of the second element", programs[1].Get("name").At, `"second"`, 19},
		{"number", programs[1].Get("n").At, "12", 20},
	} {
		if row.span.Line != row.line || row.span.text(doc) != row.want {
			t.Errorf("%s: line %d %q, want line %d %q", row.what, row.span.Line, row.span.text(doc), row.line, row.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for doc, want := range map[string]string{
		positions:                         "21:3: invalid character at start of key: U+005B '['",
		"a = 1\na = 2":                    `2:1: the key "a" is defined already`,
		"a.b = 1\na = 2":                  `2:1: the key "a" is defined already`,
		"a = 1\na.b = 2":                  `2:1: the key "a" is defined already`,
		"[a]\n[a]":                        `2:1: the table "a" is there already`,
		"[a]\n[[a]]":                      `2:1: the key "a" is a table already, and no list of tables`,
		"[[a]]\n[a]":                      `2:1: the key "a" is a list of tables already`,
		"a = 1\n[a]":                      `2:1: the key "a" is a number already`,
		"a = 1\n[a.b]":                    `2:1: the key "a" is a number already`,
		"a = {b = 1}\n[a.c]":              `2:1: the key "a" is a table already`,
		"a = {b.c = 1}\n[a.b.d]":          `2:1: the key "a" is a table already`,
		"a = []\n[[a]]":                   `2:1: the key "a" is a list already, and no list of tables`,
		"[a.b]\n[a]\nb.c = 1":             `3:1: the key "b" is defined already`,
		"[t]\na.b = 1\n[t.a]":             `3:1: the table "a" is there already`,
		"a = {b = 1, b = 2}":              `1:13: the key "b" is defined already`,
		"a = 99999999999999999999":        "1:5: 99999999999999999999 is no number of 64 bits",
		"a = \"\xff\"":                    "1:6: not UTF-8 text",
		"a = " + strings.Repeat("[", 1e5): "1:10005: arrays and inline tables are nested more than the maximum of 10000 levels deep",
	} {
		_, err := Parse([]byte(doc))
		if err == nil || err.Error() != want {
			t.Errorf("%.40q: %v, want %s", doc, err, want)
		}
	}
}

// plain turns a value into what the library's own decoder makes of it, with
// numbers and dates as the text has them left out.
func plain(v any) any {
	switch v := v.(type) {
	case *Value:
		switch v.Kind {
		case Table:
			m := map[string]any{}
			for _, k := range v.Keys() {
				m[k] = plain(v.Get(k))
			}
			return m
		case List:
			list := []any{}
			for _, item := range v.Items {
				list = append(list, plain(item))
			}
			return list
		case String, Bool:
			return v.Text
		case Integer:
			i, _ := v.Int()
			return i
		}
		return "scalar"
	case map[string]any:
		m := map[string]any{}
		for k, item := range v {
			m[k] = plain(item)
		}
		return m
	case []any:
		list := []any{}
		for _, item := range v {
			list = append(list, plain(item))
		}
		return list
	case string, int64:
		return v
	case bool:
		return fmt.Sprint(v)
	}
	return "scalar"
}

// FuzzParse holds the tree against the library's own decoder: the same values
// for the same documents, an error for the same ones, and a place for every
// value.
func FuzzParse(f *testing.F) {
	for _, doc := range []string{
		positions, "", "a=1", "a.b.c = [1, [2, {x = 3}], \"]\"]\n[t]\nk='''\n'''''\n", "\"\\u0041\" = 1\n[[a]]\n[[a.b]]\n[a.c]\n[[a]]\n[a.c]\n",
		"a = \"\"\"\\\n  b\"\"\"\r\nc = 2024-01-01 00:00:00\n", "a = {b = {c = [\n1,\n], d.e = 1}}\n[a.x]", "\ufeffa = 1\n", "'' = 1\n\"\" . x = 2",
		"a = 0x_1", "a = 0012", "a = +0x10\nb = -0\nc = 0b11\nd = 0o17\ne = 1_000\nf = -9223372036854775808\ng = 9223372036854775808",
		"a = 1e5\nb = inf\nc = -nan\nd = 12:30:01.5\ne = 1979-05-27T00:32:00.999999-07:00\nf = 1979-05-27 07:32:00z", "a = 25:00:00", "a = 2023-02-29",
		"[a.b]\n[a]\n[a.b.c]", "[t]\na.b = 1\n[t.a.c]", "a = []\n[a.b]", "[[a.b]]\n[a]\nc = 1\n[[a.b]]\n[a]", "a = \"\x01\"", "a = 'x\x00'", "a = 1 # \x7f", "a = \"\\ud800\"",
	} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		var want map[string]any
		theirs := library.Unmarshal(bytes.TrimPrefix(doc, []byte("\ufeff")), &want)
		got, ours := Parse(doc)
		if theirs != nil && ours == nil && dated(got) {
			return
		}
		if (ours == nil) != (theirs == nil) {
			t.Fatalf("%q: %v, the library says %v", doc, ours, theirs)
		}
		if ours != nil {
			return
		}
		if want == nil {
			want = map[string]any{}
		}
		if d := cmp.Diff(plain(want), plain(got)); d != "" {
			t.Fatalf("%q: %s", doc, d)
		}
		placed(t, got, "")
	})
}

// dated reports whether there is a date in a value: Parse does not look at the
// calendar.
func dated(v *Value) bool {
	for _, k := range v.Keys() {
		if dated(v.Get(k)) {
			return true
		}
	}
	return v.Kind == Date || slices.ContainsFunc(v.Items, dated)
}

// placed checks that every value has a place.
func placed(t *testing.T, v *Value, path string) {
	for _, k := range v.Keys() {
		m := v.Get(k)
		if m.Key.Line == 0 || m.At.Line == 0 || m.At.Before(m.Key) {
			t.Fatalf("no place for %s.%s: %+v", path, k, m)
		}
		placed(t, m, path+"."+k)
	}
	for i, item := range v.Items {
		if item.At.Line == 0 || item.Key != item.At {
			t.Fatalf("no place for %s[%d]", path, i)
		}
		placed(t, item, path+"[]")
	}
}

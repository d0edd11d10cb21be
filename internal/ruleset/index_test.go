package ruleset

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

const positions = `# comment
[meta]
name = "x" # [not.a.table]
"quoted key" = 'y'

[[programs]]
name = """a
b"""
[[programs.options]]
multi = { "--arg" = ["data", "data"], '-x' = [ "data?", # comment ]
  "read" ] }
code.sed = ["-e"]
[programs.runs]
places = [
  "{}",
  "-I",
]
[[programs]]
name = "second"
`

// text returns what a span marks.
func (s Span) text(doc string) string {
	line := strings.Split(doc, "\n")[s.Line-1]
	return line[s.Col-1 : s.Col-1+s.Len]
}

func TestIndex(t *testing.T) {
	root, _, ok := index(positions)
	if !ok {
		t.Fatal("not indexed")
	}
	programs := root.child("programs")
	options := programs.item(0).child("options").item(0)
	runs := programs.item(0).child("runs")
	for _, row := range []struct {
		what string
		span Span
		want string
		line int
	}{
		{"header", root.child("meta").key, "[meta]", 2},
		{"key", root.child("meta").child("name").key, "name", 3},
		{"value", root.child("meta").child("name").value, `"x"`, 3},
		{"quoted key", root.child("meta").child("quoted key").key, `"quoted key"`, 4},
		{"long value", programs.item(0).child("name").value, `"""a`, 7},
		{"inline key", options.child("multi").child("--arg").key, `"--arg"`, 10},
		{"inline item", options.child("multi").child("--arg").item(1).value, `"data"`, 10},
		{"item behind a comment", options.child("multi").child("-x").item(1).value, `"read"`, 11},
		{"dotted key", options.child("code").child("sed").key, "code.sed", 12},
		{"dotted value", options.child("code").child("sed").item(0).value, `"-e"`, 12},
		{"sub-table", runs.key, "[programs.runs]", 13},
		{"item on its own line", runs.child("places").item(1).value, `"-I"`, 16},
		{"second element", programs.item(1).key, "[[programs]]", 18},
		{"key of the second element", programs.item(1).child("name").value, `"second"`, 19},
	} {
		if row.span.Line != row.line || row.span.text(positions) != row.want {
			t.Errorf("%s: line %d %q, want line %d %q", row.what, row.span.Line, row.span.text(positions), row.line, row.want)
		}
	}
}

// FuzzIndex holds the scanner against the library: the same keys in the same
// order for every document that the library accepts.
func FuzzIndex(f *testing.F) {
	for _, doc := range []string{
		positions, "", "a=1", "a.b.c = [1, [2, {x = 3}], \"]\"]\n[t]\nk='''\n'''''\n", "\"\\u0041\\x41\" = 1\n[[a]]\n[[a.b]]\n[a.c]\n",
		"a = \"\"\"\\\n  b\"\"\"\r\nc = 2024-01-01 00:00:00\n", "a = {b = {c = [\n1,\n], # x\n}, d.e = 1}", "\ufeffa = 1\n", "'' = 1\n\"\" . x = 2",
	} {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		var values map[string]any
		meta, err := toml.Decode(doc, &values)
		root, keys, ok := index(doc)
		if err != nil {
			return
		}
		if !ok {
			t.Fatalf("the library reads it, the index does not: %q", doc)
		}
		if !sameKeys(keys, meta.Keys()) {
			t.Fatalf("index: %q, library: %q", keys, meta.Keys())
		}
		sameShape(t, values, root, "")
	})
}

// sameShape checks that every value has a place.
func sameShape(t *testing.T, v any, n *node, path string) {
	switch v := v.(type) {
	case map[string]any:
		for k, item := range v {
			c := n.child(k)
			if c.key.Line == 0 && c.table == nil && c.items == nil {
				t.Fatalf("no place for %s.%s", path, k)
			}
			sameShape(t, item, c, path+"."+k)
		}
	case []map[string]any:
		for i, item := range v {
			sameShape(t, item, n.item(i), path+"[]")
		}
	case []any:
		for i, item := range v {
			if n.item(i).value.Line == 0 {
				t.Fatalf("no place for %s[%d]", path, i)
			}
			sameShape(t, item, n.item(i), path+"[]")
		}
	}
}

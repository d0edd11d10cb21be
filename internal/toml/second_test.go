package toml

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	second "github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	library "github.com/pelletier/go-toml/v2"

	"github.com/bashgate/bashgate/internal/handbook"
)

// A reader of another family reads what Parse reads. It is written by others and
// shares no line with the library below Parse, so that what both take a document
// for is what it says.

// agree holds a document against the second reader: both read it, to the same
// keys, types and values, or neither does.
func agree(t *testing.T, name string, doc []byte) {
	t.Helper()
	var want map[string]any
	_, theirs := second.Decode(string(doc), &want)
	got, ours := Parse(doc)
	switch {
	case ours == nil && theirs != nil && dated(got):
		return // Parse does not look at the calendar
	case ours != nil && theirs == nil && library.Unmarshal(doc, new(map[string]any)) != nil:
		return // it lets [a.x] add to a = {}, which the language forbids: two against one
	case (ours == nil) != (theirs == nil):
		t.Errorf("%s: %v, the second reader says %v", name, ours, theirs)
	case ours == nil:
		if d := cmp.Diff(typed(want), typed(got), cmpopts.EquateNaNs()); d != "" {
			t.Errorf("%s: (-second reader +Parse)\n%s", name, d)
		}
	}
}

type date struct{}

// typed turns what either reader returns into one form; of a date the type alone.
func typed(v any) any {
	switch v := v.(type) {
	case *Value:
		switch v.Kind {
		case Table:
			m := map[string]any{}
			for _, k := range v.Keys() {
				m[k] = typed(v.Get(k))
			}
			return m
		case List:
			list := []any{}
			for _, item := range v.Items {
				list = append(list, typed(item))
			}
			return list
		case Integer:
			i, _ := v.Int()
			return i
		case Float:
			text := strings.ReplaceAll(v.Text, "_", "")
			if strings.HasSuffix(text, "nan") {
				return math.NaN()
			}
			f, err := strconv.ParseFloat(text, 64)
			if err != nil && !strings.HasSuffix(err.Error(), "out of range") {
				return err
			}
			return f
		case Bool:
			return v.Text == "true"
		case Date:
			return date{}
		}
		return v.Text
	case map[string]any:
		m := map[string]any{}
		for k, item := range v {
			m[k] = typed(item)
		}
		return m
	case []map[string]any:
		list := []any{}
		for _, item := range v {
			list = append(list, typed(item))
		}
		return list
	case []any:
		list := []any{}
		for _, item := range v {
			list = append(list, typed(item))
		}
		return list
	case time.Time:
		return date{}
	case nil:
		return map[string]any{}
	}
	return v
}

// TestSecondReader reads every rule and configuration file of the project a
// second time, those that stand in its pages among them.
func TestSecondReader(t *testing.T) {
	const root = "../.."
	files, blocks := 0, 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != root:
			return fs.SkipDir
		case filepath.Ext(path) == ".toml":
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			agree(t, path, text)
			files++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	pages, _ := filepath.Glob(root + "/docs/*.md")
	for _, path := range append(pages, root+"/README.md", root+"/rules/README.md") {
		page, err := handbook.Read(root, strings.TrimPrefix(filepath.ToSlash(path), root+"/"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range page.Blocks {
			if b := &page.Blocks[i]; b.Language == "toml" {
				agree(t, page.Name+":"+strconv.Itoa(b.Line), []byte(b.Text))
				blocks++
			}
		}
	}
	if files < 50 || blocks < 10 {
		t.Errorf("only %d files and %d blocks", files, blocks)
	}
}

// FuzzSecondReader looks for a document about which the two differ.
func FuzzSecondReader(f *testing.F) {
	for _, doc := range []string{
		positions, "", "a=1", "a.b.c = [1, [2, {x = 3}], \"]\"]\n[t]\nk='''\n'''''\n", "\"\\u0041\" = 1\n[[a]]\n[[a.b]]\n[a.c]\n[[a]]\n[a.c]\n",
		"a = \"\"\"\\\n  b\"\"\"\r\nc = 2024-01-01 00:00:00\n", "a = {b = {c = [\n1,\n], d.e = 1}}\n[a.x]", "'' = 1\n\"\" . x = 2",
		"a = 0x_1", "a = 0012", "a = +0x10\nb = -0\nc = 0b11\nd = 0o17\ne = 1_000", "a = 1e5\nb = inf\nc = -nan\nd = 12:30:01.5",
		"a = {b = 1,}", "a = {\nb = 1}", "a = \"\\e\\x41\"", "a = 12:30", "a = 1_.0", "a = 1._0", "a = .5", "a = 5.", "a = 1e1_0",
		"[a.b]\n[a]\n[a.b.c]", "[t]\na.b = 1\n[t.a.c]", "a = []\n[a.b]", "[[a.b]]\n[a]\nc = 1\n[[a.b]]\n[a]", "a = \"\x01\"", "a = \"\\ud800\"", "\ufeffa = 1",
	} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) { agree(t, "document", doc) })
}

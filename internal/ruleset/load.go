package ruleset

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// Layer says whose rules a file holds, which decides what it may do.
type Layer uint8

// The layers.
const (
	BuiltIn  Layer = iota // rules/*.toml: examples for every rule, closed allows, reasons and ids
	Profiles              // rules/profiles/*.toml: built-in, and one profile table
	Packs                 // rules/packs/*.toml: built-in, opted into
	User                  // the user's own: may lift asks, needs no ids and examples
	Project               // a project's: may only tighten
)

// File is one rule file as it was written. Load never returns nil: what is
// wrong with the text is kept and comes out of Compile with all that is wrong
// with its meaning.
type File struct {
	Name  string // "rules/git.toml", for messages and for the rules' positions
	Layer Layer
	document
	lines []string
	errs  Errors
}

// maxFile is the largest rule file, in bytes.
const maxFile = 4 << 20

// Load reads one file's text. The name is for messages.
func Load(name string, text []byte, layer Layer) *File {
	f := &File{Name: name, Layer: layer}
	if values, root, ok := f.parse(text); ok {
		(&decoder{file: f}).decode(values, root)
	}
	return f
}

// Decode reads a TOML document that is no rule file, as strictly as one and
// with the same messages. The document is a pointer to a struct that embeds
// Table and is tagged like the ones of this package; it is filled as far as
// the text makes sense. The error is of type Errors.
func Decode(name string, text []byte, document any) error {
	f := &File{Name: name}
	if values, root, ok := f.parse(text); ok {
		(&decoder{file: f}).table(values, root, "the file", reflect.ValueOf(document).Elem())
	}
	return f.errs.asError()
}

// parse reads the text as TOML and finds out where everything stands.
func (f *File) parse(text []byte) (values map[string]any, root *node, ok bool) {
	if len(text) > maxFile {
		f.errorf(Span{}, "split it", "the file is larger than %d MiB", maxFile>>20)
		return nil, nil, false
	}
	f.lines = strings.Split(string(text), "\n")
	if !utf8.Valid(text) {
		f.errorf(Span{}, "save it as UTF-8", "the file is not UTF-8 text")
		return nil, nil, false
	}
	meta, err := toml.Decode(string(text), &values)
	if err != nil {
		var at Span
		msg := err.Error()
		if p, ok := errors.AsType[toml.ParseError](err); ok {
			at = Span{p.Position.Line, max(p.Position.Col, 1), max(p.Position.Len, 1)}
			msg = p.Message
		}
		f.errorf(at, "", "not TOML: %s", msg)
		return nil, nil, false
	}
	root, keys, ok := index(string(text))
	if !ok || !sameKeys(keys, meta.Keys()) {
		// Errors without a place are better than with a wrong one.
		root = &node{}
	}
	return values, root, true
}

func sameKeys(a [][]string, b []toml.Key) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if toml.Key(a[i]).String() != b[i].String() {
			return false
		}
	}
	return true
}

// LoadDir reads all *.toml files of a directory, in the order of their names.
// A directory that does not exist holds none. The name of each file is
// prefix/file. The error is of reading, not of what the files say.
func LoadDir(fsys fs.FS, dir, prefix string, layer Layer) ([]*File, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var files []*File
	for _, e := range entries {
		if e.IsDir() || path.Ext(e.Name()) != ".toml" {
			continue
		}
		text, err := fs.ReadFile(fsys, path.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("reading rules: %w", err)
		}
		files = append(files, Load(path.Join(prefix, e.Name()), text, layer))
	}
	return files, nil
}

// Base returns the file's name without directory and suffix: "git".
func (f *File) Base() string { return strings.TrimSuffix(path.Base(f.Name), ".toml") }

func (f *File) line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	return f.lines[n-1]
}

// Priority orders files; 50 where the file does not say.
func (f *File) Priority() int {
	if f.Meta == nil || !f.Meta.Has("priority") {
		return 50
	}
	return f.Meta.Priority
}

// Title is the file's name for people.
func (f *File) Title() string {
	if f.Meta == nil || f.Meta.Name.Value == "" {
		return f.Base()
	}
	return f.Meta.Name.Value
}

// Description is what the file says of itself, "" if nothing.
func (f *File) Description() string {
	if f.Meta == nil {
		return ""
	}
	return f.Meta.Description.Value
}

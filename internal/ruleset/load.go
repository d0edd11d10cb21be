package ruleset

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/bashgate/bashgate/internal/toml"
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
	if root, ok := f.parse(text); ok {
		(&decoder{file: f}).decode(root)
	}
	return f
}

// Decode reads a TOML document that is no rule file, as strictly as one and
// with the same messages. The document is a pointer to a struct that embeds
// Table and is tagged like the ones of this package; it is filled as far as
// the text makes sense. The error is of type Errors.
func Decode(name string, text []byte, document any) error {
	f := &File{Name: name}
	if root, ok := f.parse(text); ok {
		(&decoder{file: f}).table(root, "the file", reflect.ValueOf(document).Elem())
	}
	return f.errs.asError()
}

// parse reads the text as TOML.
func (f *File) parse(text []byte) (root *toml.Value, ok bool) {
	if len(text) > maxFile {
		f.errorf(Span{}, "split it", "the file is larger than %d MiB", maxFile>>20)
		return nil, false
	}
	f.lines = strings.Split(string(text), "\n")
	if !utf8.Valid(text) {
		f.errorf(Span{}, "save it as UTF-8", "the file is not UTF-8 text")
		return nil, false
	}
	root, err := toml.Parse(text)
	if wrong, ok := errors.AsType[*toml.Error](err); ok {
		f.errorf(wrong.At, "", "not TOML: %s", wrong.Msg)
	}
	return root, err == nil
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

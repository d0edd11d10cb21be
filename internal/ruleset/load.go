package ruleset

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bashgate/bashgate/internal/toml"
)

// Layer says whose rules a file holds, which decides what it may do.
type Layer uint8

// The layers.
const (
	BuiltIn     Layer = iota // rules/*.toml: examples for every rule, closed allows, reasons and ids
	Profiles                 // rules/profiles/*.toml: built-in, and one profile table
	Packs                    // rules/packs/*.toml: built-in, opted into
	User                     // the user's own: may lift asks, needs no ids and examples
	Project                  // a project's: what does not tighten does nothing
	Managed                  // the administrator's: as the user's
	OwnProfiles              // the profiles of users: as Profiles, without the demands on built-in files
	Shared                   // packs of a team: needs no ids and examples; what does not tighten does nothing
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
	in    *Table      // where errors are being found
	keys  []string    // the file's key under which they are
	end   *toml.Value // of a text that is no TOML: the table that can't be read; otherwise nil
	tear  int         // the line of the error
	cut   bool        // it ends there without an end of the line: more may be lost
}

// maxFile is the largest rule file, in bytes.
const maxFile = 4 << 20

// Load reads one file's text. The name is for messages.
func Load(name string, text []byte, layer Layer) *File {
	f := &File{Name: name, Layer: layer}
	f.fill(text, theFile, &f.document)
	return f
}

// fill reads a text into a document. What stands before an error of TOML is
// read too; the table in which the error stands is not whole, and what else is
// wrong with it is not told.
func (f *File) fill(text []byte, name string, document any) {
	root := f.parse(text)
	if root == nil {
		return
	}
	first := f.errs
	f.errs = nil
	(&decoder{file: f}).table(root, name, reflect.ValueOf(document).Elem())
	f.keys = nil
	if f.end != nil {
		f.errs = slices.DeleteFunc(f.errs, func(e *Error) bool { return e.table.raw == f.end })
	}
	f.errs = append(first, f.errs...)
}

// Decode reads a TOML document that is no rule file, as strictly as one and
// with the same messages. The document is a pointer to a struct that embeds
// Table and is tagged like the ones of this package; it is filled as far as
// the text makes sense. The error is of type Errors.
func Decode(name string, text []byte, document any) error {
	f := &File{Name: name}
	f.fill(text, theFile, document)
	return f.errs.asError()
}

// parse reads the text as TOML. Of a text that is none it returns what stands
// before the error, and nil where that is nothing.
func (f *File) parse(text []byte) (root *toml.Value) {
	if len(text) > maxFile {
		f.errorf(Span{}, "split it", "the file is larger than %d MiB", maxFile>>20)
		return nil
	}
	f.lines = strings.Split(string(text), "\n")
	if !utf8.Valid(text) {
		f.errorf(Span{}, "save it as UTF-8", "the file is not UTF-8 text")
		return nil
	}
	root, err := toml.Parse(text)
	if wrong, ok := errors.AsType[*toml.Error](err); ok {
		f.end, f.tear = wrong.In, wrong.At.Line
		f.cut = wrong.At.Line >= len(f.lines) && f.lines[len(f.lines)-1] != ""
		if wrong.In != root && !f.cut {
			f.keys = bareKeys(f.lines[wrong.In.Key.Line-1:])
		}
		f.errorf(wrong.At, wrong.Hint, "not TOML: %s", wrong.Msg)
		f.keys = nil
	}
	return root
}

// bareKeys lists the keys, and the first ones of headers, with which lines
// begin.
func bareKeys(lines []string) []string {
	var keys []string
	for _, line := range lines {
		if key := bareKey(strings.TrimLeft(line, "[ \t")); key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
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

// Text returns the file as it was read; "" of one that is too large.
func (f *File) Text() string { return strings.Join(f.lines, "\n") }

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

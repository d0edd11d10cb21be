package rulegen

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// compiling are the directories and files of which it depends what rule files of
// others come to, beside the built-in rules: another text of theirs may give the same
// rule file another meaning, or pack it in another form.
var compiling = [...]string{
	"go.mod", "internal/match", "policy", "internal/ruleset", "internal/toml", "internal/config/kept.go",
	"internal/catalogue",
}

// compiler writes a constant that is another one where the compiler of rule files or
// the built-in rules are: tables are what was generated of those.
func compiler(fsys fs.FS, tables map[string][]byte) (string, error) {
	h := sha256.New()
	add := func(name string, text []byte) { fmt.Fprintf(h, "%s %d\n%s\n", name, len(text), text) }
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		add(name, tables[name])
	}
	for _, root := range compiling {
		err := fs.WalkDir(fsys, root, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && path.Base(name) == "testdata":
				return fs.SkipDir
			case entry.IsDir(), name != "go.mod" && path.Ext(name) != ".go", strings.HasSuffix(name, "_test.go"):
				return nil
			}
			text, err := fs.ReadFile(fsys, name)
			add(name, text)
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // rules alone are generated from in tests
			return "", err
		}
	}
	return header("the rules and their compiler") + `package gates

// Compiler tells the compiler of rule files, and the built-in rules, from all others.
const Compiler = "` + hex.EncodeToString(h.Sum(nil)) + "\"\n", nil
}

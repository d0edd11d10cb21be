package python

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pythons are the Pythons to compare with: python3, or those of
// BASHGATE_PYTHONS, separated by spaces.
func pythons() []string {
	if names := strings.Fields(os.Getenv("BASHGATE_PYTHONS")); len(names) > 0 {
		return names
	}
	return []string{"python3"}
}

// TestLibrary compares trees of a Python's standard library, with its tests
// where they are installed: all of them if BASHGATE_PYTHONS is set, and
// otherwise one in a hundred.
func TestLibrary(t *testing.T) {
	part := 100
	if os.Getenv("BASHGATE_PYTHONS") != "" {
		part = 1
	}
	for _, name := range pythons() {
		t.Run(filepath.Base(name), func(t *testing.T) {
			p := startPython(t, name)
			if p == nil {
				t.Skipf("NOT COMPARED: there is no %s", name)
			}
			var a agreement
			files := 0
			err := filepath.WalkDir(p.standard(), func(path string, d fs.DirEntry, err error) error {
				if err == nil && d.Name() == "site-packages" {
					return fs.SkipDir
				}
				if err != nil || d.IsDir() || filepath.Ext(path) != ".py" {
					return err
				}
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				if files++; files%part != 0 {
					return nil
				}
				a.compare(t, p, path, string(text))
				return nil
			})
			if err != nil || files < part {
				t.Fatalf("%d files: %v", files, err)
			}
			t.Logf("%d files: %s", files/part, &a)
		})
	}
}

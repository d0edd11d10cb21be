package python

import (
	"io/fs"
	"os"
	"os/exec"
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

// TestLibrary compares trees of a Python's whole standard library, with its
// tests where they are installed.
func TestLibrary(t *testing.T) {
	if os.Getenv("BASHGATE_PYTHONS") == "" {
		t.Skip("takes minutes: make python-syntax")
	}
	for _, name := range pythons() {
		t.Run(filepath.Base(name), func(t *testing.T) {
			p := startPython(t, name)
			if p == nil {
				t.Skipf("no %s to compare with", name)
			}
			out, err := exec.Command(name, "-I", "-c", "import os; print(os.path.dirname(os.__file__))").Output()
			if err != nil {
				t.Fatal(err)
			}
			var a agreement
			files := 0
			err = filepath.WalkDir(strings.TrimSpace(string(out)), func(path string, d fs.DirEntry, err error) error {
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
				files++
				a.compare(t, p, path, string(text), false)
				return nil
			})
			if err != nil || files == 0 {
				t.Fatalf("%d files: %v", files, err)
			}
			t.Logf("%d files: %s", files, &a)
		})
	}
}

package python

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the trees of testdata/*.txtar as Parse makes them")

// golden are the archives of testdata: texts, each with its tree behind it.
func golden(t testing.TB) map[string]*txtar.Archive {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no texts: %v", err)
	}
	archives := map[string]*txtar.Archive{}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		archives[file] = a
	}
	return archives
}

func goldenTexts(t testing.TB) []string {
	t.Helper()
	var list []string
	for _, a := range golden(t) {
		for _, f := range a.Files {
			if filepath.Ext(f.Name) == ".py" {
				list = append(list, string(f.Data))
			}
		}
	}
	return list
}

// TestTrees compares with trees that were compared with CPython's by
// TestMutations.
func TestTrees(t *testing.T) {
	for file, a := range golden(t) {
		var files []txtar.File
		for i, f := range a.Files {
			if filepath.Ext(f.Name) != ".py" {
				continue
			}
			m, err := Parse(string(f.Data))
			if err != nil {
				t.Errorf("%s: %s: %v", file, f.Name, err)
				continue
			}
			tree := txtar.File{Name: f.Name[:len(f.Name)-len(".py")] + ".tree", Data: []byte(dump(m, 14))}
			files = append(files, f, tree)
			if *update {
				continue
			}
			if i+1 == len(a.Files) || a.Files[i+1].Name != tree.Name {
				t.Errorf("%s: no %s behind %s", file, tree.Name, f.Name)
			} else if diff := cmp.Diff(string(a.Files[i+1].Data), string(tree.Data)); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", file, f.Name, diff)
			}
		}
		if *update {
			a.Files = files
			if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

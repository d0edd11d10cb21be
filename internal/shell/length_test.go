package shell

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// maxLines is how long a function may be: one that does more is several.
const maxLines = 80

// TestFunctionsAreShort holds that each function of the reader fits on a page.
func TestFunctionsAreShort(t *testing.T) {
	set := token.NewFileSet()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			seen++
			if from, to := set.Position(f.Pos()), set.Position(f.End()); to.Line-from.Line >= maxLines {
				t.Errorf("%s: %s has %d lines", from, f.Name.Name, to.Line-from.Line+1)
			}
		}
	}
	if seen < 300 {
		t.Errorf("only %d functions were seen", seen)
	}
}

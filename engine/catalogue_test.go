package engine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/catalogue"
)

// TestCatalogueIsWhole finds the ids that stand in the source of whoever gives
// reasons: first arguments of the functions that make one, fields called ID,
// and constants called idSomething.
func TestCatalogueIsWhole(t *testing.T) {
	makers := map[string]bool{"reason": true, "engineNode": true, "NewReason": true, "Tighten": true}
	found := 0
	check := func(e ast.Expr, at token.Position) {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return
		}
		id, err := strconv.Unquote(lit.Value)
		if err != nil || strings.TrimSpace(id) == "" || strings.HasSuffix(id, ".") {
			return
		}
		found++
		if catalogue.Described(id) == nil {
			t.Errorf("%s: nobody says what %q is", at, id)
		}
	}
	for _, dir := range []string{".", "../gates", "../internal/shell", "../internal/cop", "../internal/cli"} {
		names, err := filepath.Glob(dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					made := ""
					switch f := n.Fun.(type) {
					case *ast.SelectorExpr:
						made = f.Sel.Name
					case *ast.Ident:
						made = f.Name
					}
					for i := range min(2, len(n.Args)) {
						if makers[made] && (i == 0 || made == "Tighten") {
							check(n.Args[i], files.Position(n.Pos()))
						}
					}
				case *ast.KeyValueExpr:
					if key, ok := n.Key.(*ast.Ident); ok && key.Name == "ID" {
						check(n.Value, files.Position(n.Pos()))
					}
				case *ast.ValueSpec:
					for i, name := range n.Names {
						if strings.HasPrefix(name.Name, "id") && len(name.Name) > 2 && name.Name[2] <= 'Z' && i < len(n.Values) {
							check(n.Values[i], files.Position(n.Pos()))
						}
					}
				}
				return true
			})
		}
	}
	if found < 80 {
		t.Errorf("only %d ids were found", found)
	}
}

package shell

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// A function that does more than this is several.
const (
	maxLines      = 80
	maxComplexity = 25 // ways through it, counted as McCabe does
)

// complexity counts the ways through a function: one, and one more for each place
// where it may go on in two.
func complexity(f ast.Node) int {
	n := 1
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			n += min(1, len(node.List))
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

func TestComplexity(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "", `package p
func f(c chan int) {
	if a && b || c {
		for {
		}
	}
	for range d {
		switch {
		case e, f:
		default:
		}
	}
	func() {
		select {
		case <-c:
		default:
		}
	}()
}`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := complexity(file.Decls[0]); got != 8 {
		t.Errorf("counted %d ways, want 8", got)
	}
}

// TestFunctionsAreShort holds that each function of the reader fits on a page, and
// decides no more than can be kept in mind.
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
			if n := complexity(f); n > maxComplexity {
				t.Errorf("%s: there are %d ways through %s", set.Position(f.Pos()), n, f.Name.Name)
			}
		}
	}
	if seen < 300 {
		t.Errorf("only %d functions were seen", seen)
	}
}

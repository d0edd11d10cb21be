package shell

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// nodeSamples holds a text for every node type of mvdan's tree. Those that
// bash does not have are listed as "", and are never in a tree of bash.
var nodeSamples = map[string]string{
	"ArithmCmd":    "((1))",
	"ArithmExp":    "echo $((1))",
	"ArrayElem":    "a=(b)",
	"ArrayExpr":    "a=(b)",
	"Assign":       "a=b",
	"BinaryArithm": "((1+1))",
	"BinaryCmd":    "ls | ls",
	"BinaryTest":   "[[ a == b ]]",
	"Block":        "{ ls; }",
	"BraceExp":     "", // only made by mvdan's SplitBraces
	"CStyleLoop":   "for ((;;)); do ls; done",
	"CallExpr":     "ls",
	"CaseClause":   "case a in b) ls;; esac",
	"CaseItem":     "case a in b) ls;; esac",
	"CmdSubst":     "echo $(ls)",
	"Comment":      "# a",
	"CoprocClause": "coproc ls",
	"DblQuoted":    `echo "a"`,
	"DeclClause":   "declare a",
	"ExtGlob":      "echo @(a)",
	"File":         "ls",
	"FlagsArithm":  "",
	"ForClause":    "for a in b; do ls; done",
	"FuncDecl":     "f() { ls; }; f",
	"IfClause":     "if ls; then ls; fi",
	"LetClause":    "let 1",
	"Lit":          "ls",
	"ParamExp":     "echo $a",
	"ParenArithm":  "((1*(1)))",
	"ParenTest":    "[[ (a) ]]",
	"ProcSubst":    "cat <(ls)",
	"Redirect":     "ls >a",
	"SglQuoted":    "echo 'a'",
	"Stmt":         "ls",
	"Subshell":     "(ls)",
	"TestClause":   "[[ a ]]",
	"TestDecl":     "",
	"TimeClause":   "time ls",
	"UnaryArithm":  "((-1))",
	"UnaryTest":    "[[ -n a ]]",
	"WhileClause":  "while ls; do ls; done",
	"Word":         "ls",
	"WordIter":     "for a in b; do ls; done",
}

// A version of mvdan/sh with a node type that is not in nodeSamples fails
// here: the reader needs a case for it.
func TestNodesAreKnown(t *testing.T) {
	types := nodeTypes(t)
	if len(types) < 40 {
		t.Fatalf("only %d node types found: %v", len(types), types)
	}
	for _, name := range types {
		if _, ok := nodeSamples[name]; !ok {
			t.Errorf("no sample of syntax.%s", name)
		}
	}
	for name := range nodeSamples {
		if !slices.Contains(types, name) {
			t.Errorf("syntax.%s is no node type any more", name)
		}
	}
}

// Every node type is in its sample's tree, and is read without a finding that
// says it is not known.
func TestNodesAreRead(t *testing.T) {
	for name, text := range nodeSamples {
		if text == "" {
			continue
		}
		p := syntax.NewParser(syntax.KeepComments(true))
		file, err := p.Parse(strings.NewReader(text), "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		found := false
		walkNodes(reflect.ValueOf(file), func(typ string) { found = found || typ == name })
		if !found {
			t.Errorf("syntax.%s is not in the tree of %q", name, text)
		}
		for _, f := range New().Read(Input{Text: text, Dialect: Bash, Dirs: []string{"/w"}}).Findings {
			if f.ID == idNode && name != "CoprocClause" {
				t.Errorf("%s: %q: %s", name, text, f.Reason)
			}
		}
	}
}

// walkNodes calls f with the name of every struct of the tree.
func walkNodes(v reflect.Value, f func(string)) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			walkNodes(v.Elem(), f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walkNodes(v.Index(i), f)
		}
	case reflect.Struct:
		f(v.Type().Name())
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walkNodes(v.Field(i), f)
			}
		}
	}
}

// nodeTypes lists the types of package syntax that have the methods of a Node.
func nodeTypes(t *testing.T) []string {
	pkg, err := build.Import("mvdan.cc/sh/v3/syntax", ".", build.FindOnly)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(pkg.Dir, "nodes.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv == nil || f.Name.Name != "End" {
			continue
		}
		if star, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
			types = append(types, star.X.(*ast.Ident).Name)
		}
	}
	return types
}

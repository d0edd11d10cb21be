package main

import (
	"bytes"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"
)

// published are the packages that other modules may import.
var published = []string{"engine", "policy"}

// surface lists what those packages export, a line each, as it is written to use
// it:
//
//	engine func New(Options) *Engine
//	engine field Request.Command string
//	engine method Engine.Evaluate(Request) Verdict
//	policy const Allow Decision
//
// What has no name for others is told as well: types of internal packages that
// stand there, and that no published package has an alias of.
func surface(t *testing.T) (lines, nameless []string) {
	t.Helper()
	list := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, "./engine", "./policy")...)
	list.Dir = "../.."
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[name] = file
	}
	from := importer.ForCompiler(token.NewFileSet(), "gc", func(name string) (io.ReadCloser, error) {
		data, err := os.ReadFile(exports[name])
		return io.NopCloser(bytes.NewReader(data)), err
	})
	packages := map[string]*types.Package{}
	named := map[*types.TypeName]bool{} // what has a name for others
	for _, name := range published {
		p, err := from.Import(module + name)
		if err != nil {
			t.Fatal(err)
		}
		packages[name] = p
		for _, name := range p.Scope().Names() {
			if o, ok := p.Scope().Lookup(name).(*types.TypeName); ok && o.Exported() {
				named[o] = true
				if n, ok := types.Unalias(o.Type()).(*types.Named); ok {
					named[n.Obj()] = true
				}
			}
		}
	}
	for _, name := range published {
		p := packages[name]
		qualify := func(other *types.Package) string {
			if other == p {
				return ""
			}
			return other.Name()
		}
		add := func(line string, t types.Type) {
			line = name + " " + line
			lines = append(lines, line)
			for _, o := range namesIn(t) {
				if strings.HasPrefix(o.Pkg().Path(), module) && !named[o] {
					nameless = append(nameless, line+": "+path.Base(o.Pkg().Path())+"."+o.Name())
				}
			}
		}
		for _, member := range p.Scope().Names() {
			o := p.Scope().Lookup(member)
			if !o.Exported() {
				continue
			}
			typeName, isType := o.(*types.TypeName)
			switch {
			case isType:
				add("type "+member, nil)
			case types.IsInterface(o.Type()):
				add("var "+member, o.Type())
			default:
				kind := map[bool]string{true: "const ", false: "var "}[isConst(o)]
				if _, ok := o.(*types.Func); ok {
					add("func "+member+signature(o.Type(), qualify), o.Type())
				} else {
					add(kind+member+" "+types.TypeString(o.Type(), qualify), o.Type())
				}
			}
			if !isType {
				continue
			}
			if s, ok := typeName.Type().Underlying().(*types.Struct); ok {
				for f := range s.Fields() {
					if f.Exported() {
						add("field "+member+"."+f.Name()+" "+types.TypeString(f.Type(), qualify), f.Type())
					}
				}
			}
			methods := types.NewMethodSet(typeName.Type())
			if !types.IsInterface(typeName.Type()) {
				methods = types.NewMethodSet(types.NewPointer(typeName.Type()))
			}
			for s := range methods.Methods() {
				if s.Obj().Exported() && len(s.Index()) == 1 {
					add("method "+member+"."+s.Obj().Name()+signature(s.Type(), qualify), s.Type())
				}
			}
		}
	}
	return lines, nameless
}

// signature writes a function's type without the names of its parameters, which
// no caller writes.
func signature(t types.Type, qualify types.Qualifier) string {
	f := t.(*types.Signature)
	unnamed := func(vars *types.Tuple) *types.Tuple {
		var list []*types.Var
		for v := range vars.Variables() {
			list = append(list, types.NewParam(token.NoPos, nil, "", v.Type()))
		}
		return types.NewTuple(list...)
	}
	f = types.NewSignatureType(nil, nil, nil, unnamed(f.Params()), unnamed(f.Results()), f.Variadic())
	return strings.TrimPrefix(types.TypeString(f, qualify), "func")
}

func isConst(o types.Object) bool { _, ok := o.(*types.Const); return ok }

// namesIn lists the named types that a type is written with.
func namesIn(t types.Type) (all []*types.TypeName) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if t.Obj().Pkg() != nil {
			all = append(all, t.Obj())
		}
	case *types.Pointer:
		all = namesIn(t.Elem())
	case *types.Slice:
		all = namesIn(t.Elem())
	case *types.Array:
		all = namesIn(t.Elem())
	case *types.Map:
		all = append(namesIn(t.Key()), namesIn(t.Elem())...)
	case *types.Tuple:
		for v := range t.Variables() {
			all = append(all, namesIn(v.Type())...)
		}
	case *types.Signature:
		all = append(namesIn(t.Params()), namesIn(t.Results())...)
	}
	return all
}

// TestSurface holds that whoever imports the published packages can write down
// the type of all that they take and return.
func TestSurface(t *testing.T) {
	lines, nameless := surface(t)
	for _, line := range nameless {
		t.Errorf("%s has no name outside of this module\nhint: an alias in the package, or a function of an internal one", line)
	}
	if len(lines) < 100 {
		t.Errorf("only %d lines: the listing has lost some", len(lines))
	}
}

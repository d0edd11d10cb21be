package javascript

import (
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/javascript"
	"github.com/bashgate/bashgate/internal/match"
)

// Code of others, of the project and of packages, is loaded, told constants, and looked at
// from outside.

// resolves reports whether a call only looks for where a module lies.
func (s *sight) resolves(e *javascript.Call) bool {
	m, ok := e.F.(*javascript.Member)
	if !ok || m.Index != nil || m.Optional || m.Name != "resolve" || len(e.Args) != 1 || isSpread(e.Args[0]) {
		return false
	}
	n, ok := m.X.(*javascript.Name)
	return ok && n.Name == "require" && s.names["require"] == nil
}

// required is what a module gives: data, or code of the project.
func (s *sight) required(e *javascript.Call) sort {
	s.use(e.Args[0])
	what := sort{}
	for _, w := range s.value(e.Args[0], 0).Words("...") {
		name, known := w.Const()
		switch {
		case known && strings.HasSuffix(name, ".json") && (name[0] == '.' || name[0] == '/'), known && strings.HasSuffix(name, "/package.json"):
			s.tables = append(s.tables, name)
		case known && name != "" && (name[0] == '.' || name[0] == '/') && s.in.text.Find != nil && s.in.text.Find(name, nil) == code.Local:
			what.thing = project
			s.set(&s.project)
		case known && isPackage(name) && s.in.text.Find != nil && s.in.text.Find(name, nil) != code.Strange:
			what.thing = pack
			s.set(&s.project)
		default:
			s.refuse("a module that is neither Node's nor the project's")
		}
	}
	return what
}

// plainSigns are the signs of a path that mean nothing in an address.
const plainSigns = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-/"

// isLocal reports whether an import loads code of the project: a file by its whole name, which
// is looked for there alone.
func (s *sight) isLocal(name string) bool {
	relative := strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../")
	ending := strings.HasSuffix(name, ".js") || strings.HasSuffix(name, ".mjs") || strings.HasSuffix(name, ".cjs")
	return relative && ending && strings.Trim(name, plainSigns) == "" && s.in.text.Find != nil && s.in.text.Find(name, nil) == code.Local
}

// importLocal gives names to what code of the project has.
func (s *sight) importLocal(stmt *javascript.Import) {
	s.set(&s.project)
	what := sort{thing: project}
	for _, local := range [...]string{stmt.Default, stmt.All} {
		if local != "" {
			s.bind(local, nil, what, true)
		}
	}
	for _, a := range stmt.Names {
		if isForbidden(a.Name) {
			s.refuse("a member that all functions share")
		}
		s.bind(a.Local, nil, what, true)
	}
}

// importedLater is what import() gives: code of the project.
func (s *sight) importedLater(e *javascript.ImportCall) (sort, bool) {
	s.imports = true
	if len(e.Args) != 1 {
		return sort{}, false
	}
	name, ok := e.Args[0].(*javascript.String)
	if !ok || !s.isLocal(name.Value) {
		return sort{}, false
	}
	s.set(&s.project)
	return sort{thing: project}, true
}

// isPackage reports whether a name is one that packages have, with or without a path
// that stays in it.
func isPackage(name string) bool {
	return name != "" && name[0] != '.' && name[0] != '/' && !strings.Contains(name, "/.") && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789@/._-") == ""
}

// telling looks at what code of the project is called with: constants.
func (s *sight) telling(args []javascript.Expr) sort {
	for _, a := range args {
		if !s.constants(a) {
			s.refuse("code of the project that is told what no text shows")
			continue
		}
		s.tells(a)
	}
	return sort{thing: project}
}

// tells notes what the tree shows of an argument, of which who follows the text may
// have lost a part.
func (s *sight) tells(e javascript.Expr) {
	switch e := e.(type) {
	case *javascript.Array:
		list, _ := s.list(e)
		for _, item := range list {
			s.tells(item)
		}
		return
	case *javascript.Object:
		for i := range e.Props {
			s.tells(e.Props[i].Value)
		}
		return
	}
	for _, one := range s.value(e, 0) {
		if one.Word != nil && one.Type != "number" && !s.gather {
			s.in.report.Use(code.Effect{Use: match.Use{Kind: match.Arg, Word: *one.Word}, Line: s.in.line})
		}
	}
}

// toOthers looks at a call of code of others.
func (s *sight) toOthers(thing string, args []javascript.Expr) sort {
	if thing == project {
		return s.telling(args)
	}
	s.refuse("a call of what a package gives")
	s.arguments(args)
	return sort{}
}

// goesOn looks at functions that go on with what code of the project has promised, which
// is that code's, too. It reports whether all are such.
func (s *sight) goesOn(args []javascript.Expr) bool {
	for _, a := range args {
		f, ok := a.(*javascript.Function)
		if !ok && !s.prints(a) || ok && len(f.Params) > 1 {
			return false
		}
	}
	for _, a := range args {
		if f, ok := a.(*javascript.Function); ok {
			s.set(&s.catches)
			s.body(f, given{thing: project})
		}
	}
	return len(args) > 0
}

// makesOthers looks at new of a class of the project's, and reports whether it is one.
func (s *sight) makesOthers(e *javascript.New) bool {
	switch f := e.F.(type) {
	case *javascript.Name:
		n := s.names[f.Name]
		return n != nil && n.thing == project && s.inScope(f.Name)
	case *javascript.Member:
		if _, known := s.dotted(f); known || f.Index != nil || f.Optional || isForbidden(f.Name) {
			return false
		}
		x, ok := f.X.(*javascript.Name)
		if ok {
			n := s.names[x.Name]
			return n != nil && n.thing == project && s.inScope(x.Name)
		}
	}
	return false
}

// looksAt reports whether a function does no more with something of others than to print
// it, to compare it, or to make a text of it or its keys. A comparison that fails throws
// both sides: nobody may catch them.
func (s *sight) looksAt(callee string, args []javascript.Expr) bool {
	return shows(callee, args) || callee == "Object.keys" || callee == "Object.getOwnPropertyNames" || strings.HasPrefix(callee, "node:assert") && !s.catches
}

package javascript

import (
	"path"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/javascript"
)

// scope is the variables of a block, a function or the text. There is one for
// each place of the text, whatever the way to it.
type scope struct {
	parent *scope
	vars   map[string]*code.Value
}

func (in *reader) scopeOf(at any, parent *scope) *scope {
	s := in.scopes[at]
	if s == nil {
		s = &scope{parent, map[string]*code.Value{}}
		in.scopes[at] = s
	}
	return s
}

// within follows something in a scope of its own.
func (in *reader) within(at any, do func()) {
	outer := in.scope
	in.scope = in.scopeOf(at, outer)
	do()
	in.scope = outer
}

func (s *scope) declare(name string) *code.Value {
	v := s.vars[name]
	if v == nil {
		v = new(code.Value)
		s.vars[name] = v
	}
	return v
}

func (s *scope) find(name string) *code.Value {
	for ; s != nil; s = s.parent {
		if v := s.vars[name]; v != nil {
			return v
		}
	}
	return nil
}

// lookup is what a name stands for.
func (in *reader) lookup(name string) code.Value {
	if v := in.scope.find(name); v != nil {
		return *v
	}
	if name == "arguments" && in.fn != nil {
		return in.allArguments()
	}
	return in.global(name)
}

// global is what a name stands for that the text does not declare.
func (in *reader) global(name string) code.Value {
	switch name {
	case "undefined", "NaN", "Infinity":
		if name == "undefined" {
			return code.Of("none")
		}
		return code.Of("number")
	case "__dirname", "__filename":
		return in.ownPlace(name)
	case "require":
		return member("require")
	case "module", "exports", "globalThis", "global", "window", "self", "eval", "Function", "Proxy", "Reflect", "WebAssembly":
		return in.unknown(name)
	}
	for _, full := range [...]string{name, "node:" + name} {
		switch e := in.find(full); e.Kind {
		case code.Module, code.Class, code.Function, code.Asked:
			return code.Value{{Kind: code.Member, Type: full}}
		case code.Constant:
			return in.valueOf(e.Type, nil)
		}
	}
	return in.unknown(name)
}

// ownPlace is where a text stands. One of the line stands nowhere: to Node its directory is
// ".", to others that in which it runs.
func (in *reader) ownPlace(name string) code.Value {
	in.placed = true
	file, line := in.text.File, in.text.File == ""
	switch {
	case line && in.runtime == language && name == "__dirname":
		return literal("str", ".")
	case line && in.runtime == language:
		return code.Of("str")
	case line:
		file = "[eval]"
	}
	if !path.IsAbs(file) {
		if in.text.Dir == "" {
			return code.Of("Location")
		}
		file = path.Join(in.text.Dir, file)
	}
	dir := path.Dir(file)
	if in.text.Follow != nil {
		if !line {
			file = in.text.Follow(file)
		}
		dir = in.text.Follow(path.Dir(file))
	}
	if name == "__dirname" {
		return literal("str", dir)
	}
	return literal("str", path.Join(dir, path.Base(file)))
}

func member(name string) code.Value { return code.Value{{Kind: code.Member, Type: name}} }

// hoist declares what statements declare: in the function's scope what var and, in
// its top or a block, function declare, in the block's what let, const and class do.
func (in *reader) hoist(list []javascript.Stmt, s *scope, top bool) {
	for _, stmt := range list {
		in.hoistStmt(stmt, s, top)
	}
	if top {
		in.hoistVars(list, s)
	}
}

func (in *reader) hoistStmt(stmt javascript.Stmt, s *scope, top bool) {
	switch stmt := stmt.(type) {
	case *javascript.Var:
		if stmt.Kind != "var" {
			for _, d := range stmt.List {
				declarePattern(s, d.Target)
			}
		}
	case *javascript.FunctionStmt:
		v := s.declare(stmt.F.Name)
		outer := in.scope
		in.scope = s
		in.more(v, in.function(stmt.F))
		in.scope = outer
	case *javascript.ClassStmt:
		s.declare(stmt.C.Name)
	case *javascript.Label:
		in.hoistStmt(stmt.Body, s, top)
	case *javascript.Export:
		if stmt.Decl != nil {
			in.hoistStmt(stmt.Decl, s, top)
		}
	case *javascript.Import:
		for _, name := range [...]string{stmt.Default, stmt.All} {
			if name != "" {
				s.declare(name)
			}
		}
		for _, a := range stmt.Names {
			s.declare(a.Local)
		}
	}
}

// hoistVars declares what var declares anywhere in a function, and functions in its
// blocks, which are there outside of them as well.
func (in *reader) hoistVars(list []javascript.Stmt, s *scope) {
	for _, stmt := range list {
		in.hoistVar(stmt, s)
	}
}

func (in *reader) hoistVar(stmt javascript.Stmt, s *scope) {
	switch stmt := stmt.(type) {
	case *javascript.Var:
		if stmt.Kind == "var" {
			for _, d := range stmt.List {
				declarePattern(s, d.Target)
			}
		}
	case *javascript.FunctionStmt:
		s.declare(stmt.F.Name)
	case *javascript.Block:
		in.hoistVars(stmt.Body, s)
	case *javascript.If:
		in.hoistVar(stmt.Then, s)
		in.hoistVar(stmt.Else, s)
	case *javascript.For:
		in.hoistVar(stmt.Init, s)
		in.hoistVars(stmt.Body, s)
	case *javascript.ForEach:
		if stmt.Kind == "var" {
			declarePattern(s, stmt.Left)
		}
		in.hoistVars(stmt.Body, s)
	case *javascript.While:
		in.hoistVar(stmt.Body, s)
	case *javascript.Switch:
		for _, c := range stmt.Cases {
			in.hoistVars(c.Body, s)
		}
	case *javascript.Try:
		in.hoistVars(stmt.Body, s)
		if stmt.Catch != nil {
			in.hoistVars(stmt.Catch.Body, s)
		}
		if stmt.Finally != nil {
			in.hoistVars(stmt.Finally.Body, s)
		}
	case *javascript.Label:
		in.hoistVar(stmt.Body, s)
	case *javascript.Export:
		if stmt.Decl != nil {
			in.hoistVar(stmt.Decl, s)
		}
	}
}

func declarePattern(s *scope, p javascript.Pattern) {
	switch p := p.(type) {
	case *javascript.Name:
		s.declare(p.Name)
	case *javascript.ArrayPattern:
		for _, item := range p.Items {
			declarePattern(s, item.Target)
		}
	case *javascript.ObjectPattern:
		for _, item := range p.Props {
			declarePattern(s, item.Target)
		}
	}
}

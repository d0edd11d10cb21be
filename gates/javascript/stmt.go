package javascript

import (
	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/javascript"
)

func (in *reader) stmts(list []javascript.Stmt) {
	for _, s := range list {
		if !in.step() {
			return
		}
		in.stmt(s)
	}
}

// block follows statements with what they declare.
func (in *reader) block(at any, list []javascript.Stmt) {
	in.within(at, func() {
		in.hoist(list, in.scope, false)
		in.stmts(list)
	})
}

func (in *reader) stmt(s javascript.Stmt) {
	switch s := s.(type) {
	case nil, *javascript.Debugger, *javascript.Jump:
	case *javascript.Var:
		for _, d := range s.List {
			v := code.Of("none")
			if d.Init != nil {
				v = in.eval(d.Init)
			}
			in.bind(d.Target, v)
		}
	case *javascript.ExprStmt:
		v := in.eval(s.X)
		if in.fn == nil {
			in.escape(v) // -p prints it
		}
	case *javascript.Block:
		in.block(s, s.Body)
	case *javascript.If:
		in.eval(s.Test)
		in.stmt(s.Then)
		in.stmt(s.Else)
	case *javascript.For:
		in.within(s, func() {
			if v, ok := s.Init.(*javascript.Var); ok {
				in.hoistStmt(v, in.scope, false)
			}
			in.stmt(s.Init)
			in.again(round{in.scope, s.Init}, func() {
				in.eval(s.Test)
				in.eval(s.Step)
				in.hoist(s.Body, in.scope, false)
				in.stmts(s.Body)
			})
		})
	case *javascript.ForEach:
		over := in.eval(s.X)
		in.within(s, func() {
			if s.Kind != "" && s.Kind != "var" {
				declarePattern(in.scope, s.Left)
			}
			if s.Of {
				in.bind(s.Left, in.items(over))
			} else {
				in.bind(s.Left, in.keysIn(over))
			}
			in.again(round{scope: in.scope}, func() {
				in.hoist(s.Body, in.scope, false)
				in.stmts(s.Body)
			})
		})
	case *javascript.While:
		in.within(s, func() {
			in.again(round{scope: in.scope}, func() {
				in.eval(s.Test)
				in.stmt(s.Body)
			})
		})
	case *javascript.Switch:
		in.eval(s.X)
		in.within(s, func() {
			for _, c := range s.Cases {
				in.hoist(c.Body, in.scope, false)
			}
			for _, c := range s.Cases {
				in.eval(c.Test)
				in.stmts(c.Body)
			}
		})
	case *javascript.Return:
		v := code.Of("none")
		if s.X != nil {
			v = in.eval(s.X)
		}
		if in.fn != nil {
			in.more(&in.fn.result, v)
		}
	case *javascript.Throw:
		v := in.eval(s.X)
		in.escape(v)
		in.more(&in.thrown, v)
	case *javascript.Try:
		in.block(s, s.Body)
		if s.Catch != nil {
			in.within(s.Catch, func() {
				if s.Param != nil {
					declarePattern(in.scope, s.Param)
					in.bind(s.Param, code.Join(code.Plain(), in.thrown))
				}
				in.hoist(s.Catch.Body, in.scope, false)
				in.stmts(s.Catch.Body)
			})
		}
		if s.Finally != nil {
			in.block(s.Finally, s.Finally.Body)
		}
	case *javascript.Label:
		in.stmt(s.Body)
	case *javascript.FunctionStmt:
		in.hoistStmt(s, in.scope, false)
		// Outside of its block too.
		if v := in.scope.parent.find(s.F.Name); in.scope.parent != nil && v != nil {
			in.more(v, in.function(s.F))
		}
	case *javascript.ClassStmt:
		in.more(in.scope.declare(s.C.Name), in.class(s.C))
	case *javascript.Import:
		in.importStmt(s)
	case *javascript.Export:
		in.exportStmt(s)
	default:
		in.unknown("a statement")
	}
}

func (in *reader) exportStmt(s *javascript.Export) {
	if s.From {
		in.at(s.At)
		in.load(s.Module)
	}
	in.stmt(s.Decl)
	if s.Default != nil {
		in.escape(in.eval(s.Default))
	}
	if f, ok := s.Decl.(*javascript.FunctionStmt); ok {
		in.escape(in.function(f.F))
	}
	if !s.From {
		for _, a := range s.Names {
			in.escape(in.lookup(a.Local))
		}
	}
}

// bind gives a pattern a value.
func (in *reader) bind(p javascript.Pattern, v code.Value) {
	if !in.step() {
		return
	}
	switch p := p.(type) {
	case nil:
	case *javascript.Name:
		slot := in.scope.find(p.Name)
		if slot == nil {
			// A variable of everybody's, which may be what the language has made.
			in.at(p.At)
			root := in.scope
			for root.parent != nil {
				root = root.parent
			}
			if in.isGlobal(p.Name) {
				in.escape(v)
				in.unknown(p.Name + " =")
				return
			}
			slot = root.declare(p.Name)
		}
		in.more(slot, v)
	case *javascript.Member:
		object := in.object(p.X)
		if p.Index == nil {
			in.at(p.At)
			in.setMember(object, code.Const("str", p.Name), v, p)
			return
		}
		key := in.eval(p.Index)
		in.at(p.At)
		in.setMember(object, key, v, p)
	case *javascript.ArrayPattern:
		items, exact := in.exactItems(v)
		for i, item := range p.Items {
			switch {
			case item.Rest:
				in.bind(item.Target, in.list(item.Target, in.items(v)))
			case exact && i < len(items):
				in.bindParam(item, items[i])
			case exact:
				in.bindParam(item, code.Of("none"))
			default:
				in.bindParam(item, code.Join(in.items(v), code.Of("none")))
			}
		}
	case *javascript.ObjectPattern:
		for _, prop := range p.Props {
			switch {
			case prop.Rest:
				in.bind(prop.Target, in.rest(prop.Target, v))
			case prop.Computed != nil:
				in.bindParam(prop.Param, in.getMember(v, in.eval(prop.Computed), false))
			default:
				in.bindParam(prop.Param, in.getMember(v, code.Const("str", prop.Key), false))
			}
		}
	}
}

// isGlobal reports whether a name that the text does not declare has a meaning.
func (in *reader) isGlobal(name string) bool {
	switch name {
	case "require", "module", "exports", "globalThis", "global", "eval", "Function", "Proxy", "Reflect", "WebAssembly", "undefined", "NaN", "Infinity", "arguments":
		return true
	}
	return in.find(name).Kind != code.Nothing || in.find("node:"+name).Kind != code.Nothing
}

func (in *reader) bindParam(p javascript.Param, v code.Value) {
	if p.Default != nil {
		v = code.Join(v, in.eval(p.Default))
	}
	in.bind(p.Target, v)
}

// rest is what ...x takes of an object.
func (in *reader) rest(at any, v code.Value) code.Value {
	box := in.box(at)
	in.inexact(box)
	for i := range v {
		if s := &v[i]; s.Kind == code.Object {
			in.put(box, code.Of("str"), in.anyMember(*s))
		} else if s.Kind == code.Member {
			return in.unknown("... of " + s.Type)
		} else if s.Kind != code.Defined {
			return code.Value{*s}
		}
	}
	return code.Value{{Type: "dict", Box: box}}
}

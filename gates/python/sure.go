package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
)

// maxSure bounds how deep constants are looked for.
const maxSure = 40

// sure reports whether an expression has one value, whatever runs when.
func (s *sight) sure(e python.Expr, depth int) bool {
	s.looked++
	if depth++; depth > maxSure {
		return false
	}
	all := func(list ...python.Expr) bool {
		return !slices.ContainsFunc(list, func(e python.Expr) bool { return e != nil && !s.sure(e, depth) })
	}
	switch e := e.(type) {
	case *python.Constant:
		return true
	case *python.Name:
		return s.sureName(e.ID, depth)
	case *python.JoinedStr:
		return all(e.Values...)
	case *python.FormattedValue:
		return all(e.Value) && (e.FormatSpec == nil || s.sure(e.FormatSpec, depth))
	case *python.BinOp:
		return all(e.Left, e.Right)
	case *python.UnaryOp:
		return all(e.Operand)
	case *python.BoolOp:
		return all(e.Values...)
	case *python.IfExp:
		return all(e.Body, e.Orelse)
	case *python.List:
		return all(e.Elts...)
	case *python.Tuple:
		return all(e.Elts...)
	case *python.Dict:
		return !slices.Contains(e.Keys, nil) && all(e.Keys...) && all(e.Values...)
	case *python.Attribute:
		if full, ok := s.dotted(e); ok {
			return s.in.find(full).Kind != code.Nothing
		}
		return !s.attributes[e.Attr] && all(e.Value)
	case *python.Subscript:
		return elements(e.Value) == nil && all(e.Value, e.Slice)
	case *python.Slice:
		return all(e.Lower, e.Upper, e.Step)
	case *python.Call:
		return s.sureCall(e, depth)
	case *drawn:
		list, ok := s.drawn(e, depth)
		return ok && all(list...)
	case *piece:
		return all(e.Expr)
	}
	return false
}

// sureName is asked about a name over and over, and answers once: a name that is
// part of what it stands for is not sure.
func (s *sight) sureName(name string, depth int) bool {
	sure, known := s.once[name]
	if !known {
		if s.once == nil {
			s.once = map[string]bool{}
		}
		s.once[name] = false
		sure = s.oneValue(name, depth)
		s.once[name] = sure
	}
	return sure
}

func (s *sight) oneValue(name string, depth int) bool {
	values, bound := s.bindings[name]
	if !bound {
		_, imported := s.imports[name]
		return imported || name == "__file__" || name == "__name__" || s.in.find(name).Kind != code.Nothing
	}
	if _, imported := s.imports[name]; imported || strings.HasPrefix(name, "__") {
		return false
	}
	if len(values) > 1 { // files that are opened one behind the other are files
		return !slices.ContainsFunc(values, func(v python.Expr) bool { return !s.opens(v) })
	}
	switch v := values[0].(type) {
	case nil:
		return false
	case *parameter:
		return s.sureParameter(v, depth)
	case *python.List, *python.Dict, *python.Set:
		return s.loads[name] == s.shown[name] && s.sure(v, depth)
	default:
		return s.opens(v) || s.sure(v, depth) && (s.scalar(v, depth) || s.loads[name] == s.shown[name])
	}
}

// scalar reports whether what a sure expression gives can't be changed by whoever has
// it under another name, as a list can.
func (s *sight) scalar(e python.Expr, depth int) bool {
	if depth++; depth > maxSure {
		return false
	}
	switch e := e.(type) {
	case *python.Constant, *python.JoinedStr, *python.UnaryOp, *python.Compare:
		return true
	case *piece:
		return !e.walks
	case *drawn:
		list, ok := s.drawn(e, depth)
		written := elements(e.Expr) != nil // what a loop goes through is new where it is written there
		return ok && !slices.ContainsFunc(list, func(e python.Expr) bool { return !(written && isDisplay(e)) && !s.scalar(e, depth) })
	case *python.Tuple:
		return !slices.ContainsFunc(e.Elts, func(e python.Expr) bool {
			return !isDisplay(e) && !s.scalar(e, depth)
		})
	case *python.Name:
		values := s.bindings[e.ID]
		return len(values) == 1 && values[0] != nil && s.scalar(values[0], depth)
	case *parameter:
		return s.loads[e.name] == s.shown[e.name]
	case *python.BinOp:
		switch left, right := s.scalar(e.Left, depth), s.scalar(e.Right, depth); e.Op {
		case python.Add:
			return left || right
		case python.Div, python.Mod, python.Sub:
			return left
		default:
			return left && right
		}
	case *python.BoolOp:
		return !slices.ContainsFunc(e.Values, func(e python.Expr) bool { return !s.scalar(e, depth) })
	case *python.IfExp:
		return s.scalar(e.Body, depth) && s.scalar(e.Orelse, depth)
	case *python.Subscript:
		return s.scalar(e.Value, depth)
	case *python.Attribute:
		full, ok := s.dotted(e)
		return ok && s.scalarType(s.in.find(full).Type)
	case *python.Call:
		if full, ok := s.dotted(e.Func); ok {
			entry := s.in.find(full)
			return len(entry.Calls) > 0 && !slices.ContainsFunc(entry.Calls, func(sig code.Signature) bool { return !s.scalarType(sig.Result) })
		}
		a, is := e.Func.(*python.Attribute)
		return is && s.scalarMethod(a.Attr)
	}
	return false
}

// isDisplay reports whether an expression is a container as it is written that can be
// changed.
func isDisplay(e python.Expr) bool {
	switch e.(type) {
	case *python.List, *python.Dict, *python.Set:
		return true
	}
	return false
}

// scalarMethod reports whether a method gives such a value, whatever has it.
func (s *sight) scalarMethod(name string) bool {
	if scalar, known := s.scalars[name]; known {
		return scalar
	}
	found, scalar := false, true
	s.in.text.Facts.Owners(language, name, func(owner string) bool {
		if e := s.in.typeEntry(owner, name); e.Kind != code.Nothing {
			found = true
			scalar = scalar && !slices.ContainsFunc(e.Calls, func(sig code.Signature) bool { return !s.scalarType(sig.Result) })
		}
		return scalar
	})
	if s.scalars == nil {
		s.scalars = map[string]bool{}
	}
	s.scalars[name] = found && scalar
	return found && scalar
}

func (s *sight) scalarType(t code.Type) bool {
	return len(t) > 0 && !slices.ContainsFunc(t, func(one code.OneType) bool {
		switch one.Name {
		case "str", "bytes", "int", "float", "bool", "none":
			return one.Of != nil // or what it is given
		}
		return !strings.Contains(one.Name, ".") || isContainer(one.Name) || s.in.typeEntry(one.Name, "append").Kind != code.Nothing || s.in.typeEntry(one.Name, "update").Kind != code.Nothing
	})
}

// sureParameter reports whether a function is called by its name alone, and each
// time with something sure.
func (s *sight) sureParameter(p *parameter, depth int) bool {
	calls := s.called[p.function]
	if len(s.bindings[p.function]) != 1 || s.loads[p.function] != len(calls) {
		return false
	}
	for _, c := range calls {
		passed := p.Expr
		if p.index >= 0 && p.index < len(c.Args) {
			passed = c.Args[p.index]
		}
		if slices.ContainsFunc(c.Args, func(e python.Expr) bool { _, is := e.(*python.Starred); return is }) {
			return false
		}
		for _, k := range c.Keywords {
			if k.Name == "" {
				return false
			}
			if k.Name == p.name {
				passed = k.Value
			}
		}
		if passed == nil || !s.sure(passed, depth) {
			return false
		}
	}
	return true
}

// opens reports whether an expression opens a file.
func (s *sight) opens(e python.Expr) bool {
	c, is := e.(*python.Call)
	if !is {
		return false
	}
	if a, is := c.Func.(*python.Attribute); is && a.Attr == "open" && len(s.bindings["open"]) == 0 && !s.ownOpen {
		if _, ok := s.dotted(c.Func); !ok {
			return true
		}
	}
	return s.gives(c)
}

// gives reports whether an expression calls what facts know to give objects that are no
// data, and hold none: which, and of what type, depends on nothing else.
func (s *sight) gives(e python.Expr) bool {
	c, is := e.(*python.Call)
	if !is {
		return false
	}
	full, ok := s.dotted(c.Func)
	if !ok {
		return false
	}
	entry := s.in.find(full)
	return s.surelyPassed(c, 0) && len(entry.Calls) > 0 && !slices.ContainsFunc(entry.Calls, func(sig code.Signature) bool {
		return slices.ContainsFunc(sig.Result, func(t code.OneType) bool {
			holds := t.Of != nil || t.Items != nil || s.in.find(t.Name+".*").Kind != code.Nothing // which may be functions
			return holds || s.in.find(t.Name).Kind != code.Class || s.in.names(t.Name) || isBuiltin(t.Name)
		})
	})
}

// surelyPassed reports whether all that a call passes has one value.
func (s *sight) surelyPassed(c *python.Call, depth int) bool {
	return !slices.ContainsFunc(c.Args, func(e python.Expr) bool { return !s.sure(e, depth) }) &&
		!slices.ContainsFunc(c.Keywords, func(k python.Keyword) bool { return k.Name == "" || !s.sure(k.Value, depth) })
}

func (s *sight) sureCall(c *python.Call, depth int) bool {
	if !s.surelyPassed(c, depth) {
		return false
	}
	if full, ok := s.dotted(c.Func); ok {
		if full == "next" || full == "iter" {
			return false // each time something else
		}
		kind := s.in.find(full).Kind
		return (kind == code.Function || kind == code.Class) && !s.in.effects(full)
	}
	a, is := c.Func.(*python.Attribute)
	return is && !s.attributes[a.Attr] && s.sure(a.Value, depth)
}

// sureSelf reports whether what a call's method is taken of has one value.
func (s *sight) sureSelf(c *python.Call) bool {
	if c == nil {
		return false
	}
	a, is := c.Func.(*python.Attribute)
	return is && s.sure(a.Value, 0)
}

// strict is what a call passes as far as it is sure; what is not is a text of which
// nothing is known.
func (s *sight) strict(c *python.Call) *arguments {
	args := &arguments{at: c}
	unknown := code.Of("str")
	for _, a := range c.Args {
		if star, is := a.(*python.Starred); is || args.open {
			if list := s.spread(star); list != nil && !args.open {
				args.positional = append(args.positional, make([]code.Value, len(list))...) // as they were followed
			} else {
				args.open, args.more = true, unknown
			}
			continue
		}
		args.positional = append(args.positional, unknown)
		if s.sure(a, 0) || s.gives(a) {
			args.positional[len(args.positional)-1] = nil // as it was followed
		}
	}
	for _, k := range c.Keywords {
		switch {
		case k.Name == "":
			args.open, args.more, args.others = true, unknown, unknown
		case s.sure(k.Value, 0):
			args.named = append(args.named, named{k.Name, nil})
		default:
			args.named = append(args.named, named{k.Name, unknown})
		}
	}
	return args
}

// spread is what *list passes, where the tree shows it; nil where it does not.
func (s *sight) spread(star *python.Starred) []python.Expr {
	if star == nil || !s.sure(star.Value, 0) {
		return nil
	}
	list := elements(star.Value)
	if name, is := star.Value.(*python.Name); is && len(s.bindings[name.ID]) == 1 {
		if l, is := s.bindings[name.ID][0].(*python.List); is {
			list = l.Elts
		}
	}
	if slices.ContainsFunc(list, func(e python.Expr) bool { _, is := e.(*python.Starred); return is }) {
		return nil
	}
	return list
}

// isData reports whether an expression is a text, a number or a container of the
// language's own, whatever runs when: names and attributes of self that are given
// nothing else in the whole text.
func (s *sight) isData(e python.Expr, depth int) bool {
	if s.looked++; depth > maxSure {
		return false
	}
	depth++
	all := func(list []python.Expr) bool {
		return len(list) > 0 && !slices.ContainsFunc(list, func(e python.Expr) bool { return e == nil || !s.isData(e, depth) })
	}
	switch e := e.(type) {
	case *python.Constant, *python.JoinedStr, *python.List, *python.Dict, *python.Set, *python.ListComp, *python.SetComp, *python.DictComp:
		return true
	case *python.Tuple:
		return all(e.Elts)
	case *drawn:
		list, ok := s.drawn(e, depth)
		return ok && all(list)
	case *python.BoolOp:
		return all(e.Values)
	case *python.IfExp:
		return all([]python.Expr{e.Body, e.Orelse})
	case *python.Name:
		_, imported := s.imports[e.ID]
		return !imported && all(s.bindings[e.ID])
	case *python.Attribute:
		name, is := e.Value.(*python.Name)
		return is && s.isSelf(name.ID) && !s.attributes[e.Attr] && all(s.fields[e.Attr])
	case *python.Call:
		full, ok := s.dotted(e.Func)
		return ok && isContainer(full) && s.in.find(full).Kind == code.Class
	}
	return false
}

// isSelf reports whether a name is nothing but the object of a method, and what stands
// in such an object is what the text puts there: classes of others may put more.
func (s *sight) isSelf(name string) bool {
	if s.owners[name] == 0 || len(s.bindings[name]) != s.owners[name] {
		return false
	}
	for _, c := range s.defined {
		if len(c.Decorators) > 0 || slices.ContainsFunc(c.Bases, func(b python.Expr) bool {
			base, is := b.(*python.Name)
			return !is || !s.classes[base.ID]
		}) {
			return false
		}
	}
	return true
}

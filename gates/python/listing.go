package python

import (
	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
)

// What objects hold, as vars(x) or x.__dict__, is read where it is shown, counted or listed:
// nobody takes anything out of it then, as what Python itself keeps in a module.

// lists notes such expressions among the arguments of a call, or what it is called on.
func (s *sight) lists(c *python.Call) {
	for _, a := range c.Args {
		if isHolding(a) {
			s.listedBy(a, c.Func)
		}
	}
	if f, is := c.Func.(*python.Attribute); is && f.Attr == "keys" && isHolding(f.Value) {
		s.listedBy(f.Value, nil)
	}
}

// listedBy notes that an expression is shown or listed by a function; nil: by the language.
func (s *sight) listedBy(e, by python.Expr) {
	if s.listed == nil {
		s.listed = map[python.Expr]python.Expr{}
	}
	s.listed[e] = by
}

// isHolding reports whether an expression is what an object holds.
func isHolding(e python.Expr) bool {
	switch e := e.(type) {
	case *python.Attribute:
		return e.Attr == "__dict__"
	case *python.Call:
		name, is := e.Func.(*python.Name)
		return is && name.ID == "vars" && len(e.Args) == 1 && len(e.Keywords) == 0 && !hasStar(e.Args)
	}
	return false
}

// isListed reports whether what an object holds is shown or listed, and nothing else.
func (s *sight) isListed(e python.Expr) bool {
	by, noted := s.listed[e]
	if !noted || by == nil {
		return noted
	}
	switch full, ok := s.dotted(by); full {
	case "print", "len", "sorted", "list", "set", "repr", "str", "pprint.pprint":
		return ok
	}
	return false
}

// oddLists asks about vars where it is not that.
func (s *sight) oddLists() {
	for e := range s.listed {
		if c, is := e.(*python.Call); is && (!s.isListed(c) || !s.isNamed(c.Func, "vars") || s.bindings["vars"] != nil || s.imports["vars"] != "") {
			s.odd(c, "vars")
		}
	}
}

// listing is what an object holds, where it is shown or listed.
func (in *reader) listing(v code.Value) code.Value {
	for i := range v {
		s := &v[i]
		own, is := s.Own.(*instance)
		switch {
		case s.Kind == code.Project || s.Kind == code.Unknown:
		case is:
			for _, held := range own.attrs {
				in.show(held)
			}
		case s.Kind == code.Defined:
		case s.Kind == code.Object && (s.Type == "plain" || s.Type == "argparse.Namespace" || s.Type == "types.SimpleNamespace"):
		default:
			return in.unknown(".__dict__")
		}
	}
	return code.Plain()
}

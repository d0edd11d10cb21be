package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
)

// attribute notes that an attribute of something is set.
func (s *sight) attribute(a *python.Attribute) {
	s.tangled = true
	s.attributes[a.Attr] = true
	s.argv = s.argv || a.Attr == "argv"
	if isSpecial(a.Attr) || s.class {
		s.odd(a, "attributes that are set")
	}
	s.puts = append(s.puts, a)
}

// bindPuts gives names that may be set as attributes of the text itself, or of builtins,
// no value that is known: those of what the tree does not show to be something else.
func (s *sight) bindPuts() {
	for again := true; again; {
		again = false
		for i, a := range s.puts {
			if !s.bound[i] && !s.ofOwn(a) {
				s.bind(a.Attr, nil)
				s.bound[i], again = true, true
			}
		}
	}
}

// ofOwn reports whether the tree shows that an attribute is one of an object or a class of
// the text, or of a module of the project.
func (s *sight) ofOwn(a *python.Attribute) bool {
	name, is := a.Value.(*python.Name)
	if !is {
		return false
	}
	values := s.bindings[name.ID]
	if full, imported := s.imports[name.ID]; imported {
		return values == nil && s.ofProject(full) && slices.ContainsFunc(s.loading, func(l loading) bool { return l.module == full })
	}
	return s.ofPlainClass(a) || len(values) > 0 && !s.entered[name.ID] && !slices.ContainsFunc(values, func(v python.Expr) bool {
		c, is := v.(*python.Call)
		if !is {
			return true
		}
		class, is := c.Func.(*python.Name)
		if !is || !s.classes[class.ID] {
			return true
		}
		_, imported := s.imports[class.ID]
		return imported || len(s.bindings[class.ID]) != 1
	})
}

// ofPlain reports whether the tree shows that no fact is about an attribute: it is one of
// the text's own, or of what the project's code has, or has given. That may be a module
// of Python's library, but none of these has such an attribute.
func (s *sight) ofPlain(a *python.Attribute) bool {
	full, ok := s.dotted(a)
	return ok && isStream(full) || s.ofOwn(a) || !s.ofModules(a.Attr) && s.given(a.Value, 0)
}

// throughLibrary reports whether an attribute is set of what another one calls as a module
// of Python's own library is called: app.glob._glob1.
func throughLibrary(a *python.Attribute) bool {
	of, is := a.Value.(*python.Attribute)
	return is && IsStandard(strings.TrimPrefix(of.Attr, "_"))
}

// isStream reports whether an attribute of sys is what texts are printed to or read from:
// whatever is put there is handed to print. So are the arguments, which the project's code
// reads.
func isStream(full string) bool {
	return full == "sys.stdout" || full == "sys.stderr" || full == "sys.argv"
}

// given reports whether the tree shows that something comes from code of the project, by
// whatever attributes, calls and loops.
func (s *sight) given(e python.Expr, depth int) bool {
	if depth++; depth > maxSure {
		return false
	}
	switch e := e.(type) {
	case *python.Attribute:
		return s.given(e.Value, depth)
	case *python.Call:
		return s.given(e.Func, depth)
	case *python.Subscript:
		return s.given(e.Value, depth)
	case *drawn:
		return s.given(e.Expr, depth)
	case *python.Name:
		values := s.bindings[e.ID]
		if full, imported := s.imports[e.ID]; imported {
			return values == nil && s.ofProject(full)
		}
		return len(values) > 0 && !slices.ContainsFunc(values, func(v python.Expr) bool { return v == nil || !s.given(v, depth) })
	}
	return false
}

// ofProject reports whether what is imported under a full name is the project's, or of a
// package that is installed. What stands for others there does what it is told.
func (s *sight) ofProject(full string) bool {
	switch full {
	case "unittest.mock.Mock", "unittest.mock.MagicMock", "unittest.mock.AsyncMock":
		return true
	}
	return s.in.find(first(full)).Kind == code.Nothing && !IsStandard(first(full))
}

// computes reports whether a module of Python's library is one of which no other makes use
// where it works with files, programs or machines.
func computes(module string) bool {
	switch module {
	case "bisect", "calendar", "colorsys", "difflib", "fractions", "heapq", "html", "keyword", "math", "numbers", "statistics", "string", "textwrap", "unicodedata":
		return true
	}
	return false
}

// isText reports whether facts say of a constant of a module no more than that it is a text
// or a number, so that another one changes nothing that is believed.
func (s *sight) isText(full string) bool {
	e := s.in.find(full)
	_, known := pathText(full)
	return !known && e.Kind == code.Constant && !slices.ContainsFunc(e.Type, func(t code.OneType) bool {
		return t.Name != "str" && t.Name != "int" && t.Name != "float" && t.Name != "bool"
	})
}

// ofModules reports whether a module that facts know has something under a name.
func (s *sight) ofModules(name string) (known bool) {
	s.in.text.Facts.Owners(language, name, func(owner string) bool {
		known = s.in.find(owner).Kind != code.Class && !s.isText(owner+"."+name) && (s.gets[owner] || !computes(owner))
		return !known
	})
	return known || s.in.find(name).Kind != code.Nothing
}

// ofPlainClass reports whether an attribute is one of a class of the text that stands below
// no other.
func (s *sight) ofPlainClass(a *python.Attribute) bool {
	name, is := a.Value.(*python.Name)
	if !is || len(s.bindings[name.ID]) != 1 {
		return false
	}
	return slices.ContainsFunc(s.defined, func(c *python.ClassDef) bool { return c.Name == name.ID && len(c.Bases) == 0 })
}

// changesFacts reports whether something that facts know, and that the text may have,
// has an attribute of a name.
func (s *sight) changesFacts(name string) bool {
	known := s.gets["builtins"] && s.in.find(name).Kind != code.Nothing
	s.in.text.Facts.Owners(language, name, func(owner string) bool {
		known = known || s.in.find(owner).Kind != code.Class || s.in.comesBy(owner) && !s.isSettable(owner+"."+name)
		return !known
	})
	return known
}

// isSettable reports whether facts say of an attribute that it is there to be set, so that
// setting it does what they know.
func (s *sight) isSettable(full string) bool {
	t := s.in.find(full).Type
	return len(t) == 1 && t[0].Name == "settable"
}

// change puts what a call passes into the containers that it changes.
func (in *reader) change(v code.Value, args arguments) {
	for i := range v {
		if s := &v[i]; s.Box != nil {
			in.inexact(s.Box)
			for item := range args.all() {
				if !code.Same(item, v) {
					in.store(s.Box, nil, item)
					in.escapeStored(s.Box, item)
				}
			}
		} else if s.Kind == code.Object && isLoose(s.Type) {
			in.unknown("changing what is of the type " + s.Type)
		} else {
			in.escape(code.Value{*s})
			for item := range args.all() {
				in.escape(item)
			}
		}
	}
}

// arguments refuses changes of the arguments, which whatever is imported has, too.
func (s *sight) arguments(e python.Expr) {
	if a, is := e.(*python.Attribute); is && a.Attr == "argv" {
		s.odd(e, "arguments that are changed")
	}
}

package python

import (
	"slices"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
)

// attribute notes that an attribute of something is set.
func (s *sight) attribute(a *python.Attribute) {
	s.tangled = true
	s.attributes[a.Attr] = true
	s.bind(a.Attr, nil) // it may be a name of the text's, or of builtins
	if isSpecial(a.Attr) || s.class {
		s.odd(a, "attributes that are set")
	}
	s.puts = append(s.puts, a)
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
		known = known || s.in.find(owner).Kind != code.Class || s.in.comesBy(first(owner)) && !s.isSettable(owner+"."+name)
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
		} else {
			in.escape(code.Value{*s})
			for item := range args.all() {
				in.escape(item)
			}
		}
	}
}

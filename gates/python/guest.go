package python

import (
	"slices"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
)

// isGuest reports whether an expression is an attribute that objects of the text have, of
// an argument that nobody knows: other in __eq__(self, other). What has none fails, and
// nothing that facts know does more for that name than look.
func (in *reader) isGuest(e *python.Attribute) bool {
	name, is := e.Value.(*python.Name)
	fn := in.guest
	if !is || fn == nil || fn.class == nil || fn.args == nil || in.current().fn != fn || len(in.sight.fields[e.Attr]) == 0 || in.sight.methods[e.Attr] {
		return false
	}
	own := slices.ContainsFunc(fn.args.Args[min(1, len(fn.args.Args)):], func(a python.Arg) bool { return a.Name == name.ID })
	return own && !in.sight.assigns(name.ID) && !in.anyActs(e.Attr)
}

// fellows are the objects of the text that data of which nothing is known may be, and all
// else that is known.
func (in *reader) fellows(v code.Value) (out code.Value) {
	for _, s := range v {
		if s.Kind != code.Object || s.Type != "plain" {
			out = code.Join(out, code.Value{s})
		}
	}
	return code.Join(out, in.anyOf(in.guest.class))
}

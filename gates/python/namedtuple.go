package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
)

// replaces is the method of a named tuple that gives another one with other fields.
const replaces = "typing.NamedTuple._replace"

// replace notes the fields that an object gets which replaces another one.
func (in *reader) replace(self *code.Shape, args arguments) {
	own, is := self.Own.(*instance)
	if !is {
		return
	}
	for _, n := range args.named {
		in.setOwn(self, n.name, n.value)
	}
	for _, field := range own.class.allFields(0) {
		if args.open {
			in.setOwn(self, field, code.Join(args.more, args.others))
		}
	}
}

// namedTuple is a class whose objects have the fields that namedtuple is told.
func (in *reader) namedTuple(args arguments) (code.Value, bool) {
	if len(args.positional) != 2 || args.open {
		return nil, false
	}
	var fields []string
	if text, known := args.positional[1].Const("str"); known {
		fields = strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' })
	} else {
		list, exact := in.exactItems(args.positional[1])
		if !exact {
			return nil, false
		}
		for _, item := range list {
			field, known := item.Const("str")
			if !known {
				return nil, false
			}
			fields = append(fields, field)
		}
	}
	var defaults code.Value
	for _, n := range args.named {
		if n.name != "defaults" {
			return nil, false
		}
		defaults = in.items(n.value)
	}
	key := site{args.at, in.way, "class"}
	c, _ := in.sites[key].(*class)
	if c == nil {
		c = &class{name: "namedtuple", scope: &scope{kind: classScope, parent: in.module}, above: []string{"typing.NamedTuple"}}
		c.scope.class = c
		c.instance = &instance{class: c, attrs: map[string]code.Value{}}
		in.sites[key] = c
	}
	for _, field := range fields {
		if isSpecial(field) {
			return nil, false
		}
		if !slices.Contains(c.fields, field) {
			c.fields = append(c.fields, field)
		}
		if len(defaults) > 0 {
			in.setOwn(&code.Shape{Kind: code.Defined, Own: c.instance}, field, defaults)
		}
	}
	return code.Value{{Kind: code.Defined, Own: c}}, true
}

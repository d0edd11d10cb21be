package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
)

// plainTypes are those that plain data may be of.
var plainTypes = [...]string{"str", "dict", "list", "bytes", "int", "float", "tuple", "set"}

// attribute is v.name.
func (in *reader) attribute(v code.Value, name string) code.Value {
	if name == "__class__" {
		return in.typeOf(v)
	}
	var out code.Union
	for i := range v {
		out.Add(in.shapeAttribute(v[i:i+1:i+1], name))
	}
	return out.Value()
}

// shapeAttribute is attribute of a value of one shape.
func (in *reader) shapeAttribute(v code.Value, name string) code.Value {
	s := v[0]
	if len(name) > 4 && name[:2] == "__" && name[len(name)-2:] == "__" && !harmlessDunder(name) {
		if s.Kind != code.Unknown && !(s.Kind == code.Member && in.find(s.Type+"."+name).Kind != code.Nothing) && !(s.Kind == code.Object && s.Type != "plain" && in.typeEntry(s.Type, name).Kind == code.Function) &&
			!(s.Kind == code.Defined && (name == "__init__" || in.hasOwn(&s, name))) && !(s.Kind == code.Project && isOpen(name)) {
			return in.unknown("." + name)
		}
	}
	switch s.Kind {
	case code.Project:
		for _, owner := range [...]string{"project.", "project." + first(s.Type) + "."} {
			if e := in.find(owner + name); e.Kind == code.Asked {
				return in.asked(e)
			}
		}
		return v
	case code.Unknown:
		return v
	case code.Defined:
		return in.ownAttribute(&s, name)
	case code.Member:
		if s.Self == nil {
			return in.memberAttribute(s.Type, name)
		}
		return in.unknown(s.Type + "." + name)
	}
	return in.objectAttribute(s, name)
}

// harmlessDunder reports whether reading a special attribute tells nothing but
// texts.
func harmlessDunder(name string) bool {
	switch name {
	case "__name__", "__doc__", "__version__", "__file__", "__qualname__", "__module__":
		return true
	}
	return false
}

// isOpen reports whether a special attribute of code of the project leads to no more than
// its other attributes do: to its methods, its classes and where it lies, and not to what
// it has imported, or Python by itself.
func isOpen(name string) bool {
	switch name {
	case "__annotations__", "__bases__", "__base__", "__dataclass_fields__", "__mro__", "__slots__", "__all__", "__wrapped__":
		return true
	}
	return slices.Contains(plainSpecials[:], name)
}

// pathText is a constant of a module of which paths are put together.
func pathText(constant string) (text string, ok bool) {
	switch constant {
	case "os.sep", "os.path.sep", "posixpath.sep":
		return "/", true
	case "os.curdir", "os.path.curdir", "posixpath.curdir":
		return ".", true
	case "os.pardir", "os.path.pardir", "posixpath.pardir":
		return "..", true
	case "os.devnull":
		return "/dev/null", true
	}
	return "", false
}

// parents are the directories above a path that is known, as it is written: its parent,
// or all of them.
func (in *reader) parents(name string, s code.Shape) (code.Value, bool) {
	if !strings.HasPrefix(s.Type, "pathlib.") || s.Word == nil {
		return nil, false
	}
	text, ok := s.Word.Const()
	if !ok || !isPrintable(text) {
		return nil, false
	}
	switch name {
	case s.Type + ".parent":
		return code.Const(s.Type, parent(text)), true
	case s.Type + ".parents":
		var list []code.Value
		place := site{s.Type, 0, "parents " + text}
		for up := parent(text); len(list) == 0 || up != text; text, up = up, parent(up) {
			list = append(list, code.Const(s.Type, up))
		}
		return in.container("list", place, nil, list, true), true
	}
	return nil, false
}

// parent is what pathlib takes for the directory of a path: it looks at no link, and
// leaves .. as it is.
func parent(text string) string {
	names := strings.FieldsFunc(text, func(c rune) bool { return c == '/' })
	names = slices.DeleteFunc(names, func(name string) bool { return name == "." })
	up := strings.Join(names[:max(len(names)-1, 0)], "/")
	switch {
	case strings.HasPrefix(text, "//") && !strings.HasPrefix(text, "///"):
		return "//" + up
	case strings.HasPrefix(text, "/"):
		return "/" + up
	case up == "":
		return "."
	}
	return up
}

// memberAttribute is an attribute of a module, class or function.
func (in *reader) memberAttribute(owner, name string) code.Value {
	e := in.findIn(owner, name)
	if e.Kind == code.Nothing {
		if up := in.find(owner); up.Kind == code.Class {
			e = in.typeEntry(owner, name)
		} else if up.Kind == code.Asked {
			return in.asked(up)
		}
	}
	switch e.Kind {
	case code.Nothing:
		if harmlessDunder(name) {
			return code.Of("str")
		}
		return in.unknown(owner + "." + name)
	case code.Constant:
		if text, ok := pathText(e.Name); ok {
			return code.Const("str", text)
		}
		return in.valueOf(e.Type, nil, e.Name)
	case code.Asked:
		return in.asked(e)
	}
	return code.Value{{Kind: code.Member, Type: e.Name}}
}

// objectAttribute is an attribute of an object of a type that facts know. Plain data
// may be of any of the plain types, and whatever else was put among it.
func (in *reader) objectAttribute(s code.Shape, name string) code.Value {
	if harmlessDunder(name) {
		return code.Of("str")
	}
	if s.Type != "plain" {
		if s.Type == "none" {
			return nil // fails
		}
		e := in.typeEntry(s.Type, name)
		if e.Kind != code.Nothing || !isBuiltin(s.Type) {
			return in.entryOf(e, s, s.Type+"."+name)
		}
		// It fails, or facts say little of what gave it: other data, then.
	}
	var out code.Value
	found := false
	for _, t := range plainTypes {
		if e := in.typeEntry(t, name); e.Kind != code.Nothing {
			found = true
			out = code.Join(out, in.entryOf(e, code.Shape{Type: "plain"}, t+"."+name))
		}
	}
	if in.viewChanges(name) {
		return in.unknown("." + name + " of what Python itself may read")
	}
	for i := range in.loose {
		o := in.loose[i]
		switch {
		case o.Kind == code.Object && o.Type != "plain" && in.typeEntry(o.Type, name).Kind == code.Nothing:
		case o.Kind == code.Member && in.find(o.Type+"."+name).Kind == code.Nothing:
		case o.Kind == code.Defined && !in.hasOwn(&o, name):
		default:
			found = true
			out = code.Join(out, in.shapeAttribute(in.loose[i:i+1:i+1], name))
		}
	}
	if !found {
		if (name == "name" || name == "value") && in.sight.gets["enum"] { // a member stands as its value here
			return code.Plain()
		}
		return in.unknown("." + name + " of data")
	}
	return out
}

func (in *reader) entryOf(e *code.Entry, s code.Shape, name string) code.Value {
	switch e.Kind {
	case code.Function:
		m := &struct { // one piece of memory for all
			method, self [1]code.Shape
			on           code.Value
		}{self: [1]code.Shape{s}}
		m.on = m.self[:]
		m.method[0] = code.Shape{Kind: code.Member, Type: e.Name, Self: &m.on}
		return m.method[:]
	case code.Constant:
		if v, ok := in.parents(e.Name, s); ok {
			return v
		}
		return in.valueOf(e.Type, &s, e.Name)
	case code.Asked:
		return in.asked(e)
	}
	return in.unknown(name)
}

// setAttribute is v.name = value.
func (in *reader) setAttribute(v code.Value, name string, value code.Value) {
	for i := range v {
		switch s := &v[i]; {
		case s.Kind == code.Unknown:
		case strings.HasPrefix(name, "__") && s.Kind != code.Project && name != "__doc__" && name != "__name__":
			in.unknown("setting ." + name)
			in.escape(value)
		case s.Kind == code.Project:
			in.escape(value)
			in.tell(value)
		case s.Kind == code.Member && s.Self == nil && isStream(s.Type+"."+name):
			in.escape(value)
			if name == "argv" {
				in.tell(value)
			}
		case s.Kind == code.Defined && in.setOwn(s, name, value):
		case s.Kind == code.Object && in.typeEntry(s.Type, name).Kind == code.Constant && s.Type != "plain":
			in.escape(value)
		case s.Kind == code.Object && s.Type == "none": // fails
		default:
			in.unknown("setting ." + name)
			in.escape(value)
		}
	}
}

package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
)

// A class is taken for what it seems to be where nothing in it can run at a time, or
// give something, that the tree does not show. When its methods run does not matter:
// the effects of each count, with words that the tree makes sure. What matters is that
// no method of something else is taken for one of the text's: one that has effects is
// a question in a text with classes, unless the tree shows what it is called on.

// oddClasses asks about classes that are not read.
func (s *sight) oddClasses() {
	for _, c := range s.defined {
		if what := s.oddClass(c); what != "" {
			s.odd(c, what)
		}
	}
	for _, c := range s.defined {
		for _, m := range c.Body {
			switch m := m.(type) {
			case *python.FunctionDef:
				if s.attributes[m.Name] {
					s.odd(m, "a method that is also an attribute that is set")
				}
				s.fields[m.Name] = append(s.fields[m.Name], nil)
			case *python.Assign:
				for _, t := range m.Targets {
					if name, is := t.(*python.Name); is {
						s.fields[name.ID] = append(s.fields[name.ID], m.Value)
					}
				}
			case *python.AnnAssign:
				if name, is := m.Target.(*python.Name); is {
					s.fields[name.ID] = append(s.fields[name.ID], m.Value)
				}
			}
		}
	}
	for _, n := range s.changed {
		if len(s.bindings[n.ID]) != s.selves[n.ID] {
			s.odd(n, "attributes that are set of what means something else, too")
		}
	}
}

// oddClass tells what of a class is not read; empty for nothing.
func (s *sight) oddClass(n *python.ClassDef) string {
	if len(s.bindings[n.Name]) != 1 {
		return "a class of a name that means something else, too"
	}
	if len(n.Keywords) > 0 && !s.isTypedDict(n) || len(n.TypeParams) > 0 {
		return "a class of a special kind"
	}
	for _, d := range n.Decorators {
		if c, is := d.(*python.Call); is {
			d = c.Func
		}
		full, ok := s.dotted(d)
		if !ok || !slices.Contains(plainClassDecorators[:], full) {
			return "a class that is decorated"
		}
	}
	for _, b := range n.Bases {
		if !s.plainBase(b) {
			return "a class below one that is not plain"
		}
	}
	for _, m := range n.Body {
		if !s.plainMember(m) {
			return "a class with more than methods and values"
		}
	}
	return ""
}

// plainClassDecorators give the class that they are given.
var plainClassDecorators = [...]string{"dataclasses.dataclass", "functools.total_ordering", "enum.unique", "unittest.skip", "unittest.skipIf", "unittest.skipUnless"}

// plainBase reports whether a class adds nothing to those below it that the tree does
// not show: one of the text's, of the project's, or one of a few that facts know.
func (s *sight) plainBase(e python.Expr) bool {
	if name, is := e.(*python.Name); is && s.classes[name.ID] {
		return len(s.bindings[name.ID]) == 1
	}
	if sub, is := e.(*python.Subscript); is { // Generic[T] is Generic
		full, ok := s.dotted(sub.Value)
		return ok && (full == "typing.Generic" || full == "typing.Protocol")
	}
	full, ok := s.dotted(e)
	if !ok {
		return false
	}
	switch full {
	case "typing.NamedTuple", "typing.TypedDict", "typing.Generic", "typing.Protocol", "json.JSONEncoder", "types.SimpleNamespace",
		"object", "abc.ABC", "ast.NodeVisitor", "ast.NodeTransformer", "html.parser.HTMLParser", "unittest.TestCase", "unittest.IsolatedAsyncioTestCase", "enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag":
		return true
	}
	if !strings.Contains(full, ".") {
		return s.isException(full)
	}
	return s.in.find(first(full)).Kind == code.Nothing
}

// isException reports whether a built-in class is that of an exception.
func (s *sight) isException(name string) bool {
	for range 20 {
		if name == "Exception" {
			return true
		}
		entry := s.in.find(name)
		if len(entry.Type) == 0 {
			break
		}
		name = entry.Type[0].Name
	}
	return false
}

// isTypedDict reports whether a class only says what a table holds: class T(TypedDict,
// total=False).
func (s *sight) isTypedDict(n *python.ClassDef) bool {
	full, ok := "", false
	if len(n.Bases) == 1 {
		full, ok = s.dotted(n.Bases[0])
	}
	return ok && full == "typing.TypedDict" && len(n.Keywords) == 1 && n.Keywords[0].Name == "total"
}

// plainMember reports whether a statement of a class makes a method or a value.
func (s *sight) plainMember(n python.Stmt) bool {
	switch n := n.(type) {
	case *python.FunctionDef:
		return !isSpecial(n.Name) || slices.Contains(plainSpecials[:], n.Name)
	case *python.Assign:
		return !slices.ContainsFunc(n.Targets, func(t python.Expr) bool {
			name, is := t.(*python.Name)
			return !is || isSpecial(name.ID) && name.ID != "__slots__"
		})
	case *python.AnnAssign:
		name, is := n.Target.(*python.Name)
		return is && !isSpecial(name.ID)
	case *python.ExprStmt:
		_, is := n.Value.(*python.Constant)
		return is
	case *python.ClassDef: // which is looked at by itself
		return !isSpecial(n.Name)
	case *python.Pass:
		return true
	}
	return false
}

// plainSpecials are the special methods that change nothing of how the language looks
// for names.
var plainSpecials = [...]string{
	"__init__", "__post_init__", "__repr__", "__str__", "__len__", "__bool__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__",
	"__contains__", "__call__", "__enter__", "__exit__", "__aenter__", "__aexit__", "__iter__", "__next__", "__aiter__", "__anext__", "__reversed__", "__getitem__", "__setitem__", "__delitem__",
	"__add__", "__sub__", "__mul__", "__truediv__", "__floordiv__", "__mod__", "__pow__", "__matmul__", "__and__", "__or__", "__xor__",
	"__radd__", "__rsub__", "__rmul__", "__rtruediv__", "__iadd__", "__isub__", "__imul__", "__neg__", "__pos__", "__abs__", "__invert__", "__int__", "__float__", "__round__",
}

func isSpecial(name string) bool { return strings.HasPrefix(name, "__") }

// isPrivate reports whether a name is another one in a class: __x is _C__x in class C.
func isPrivate(name string) bool { return isSpecial(name) && !strings.HasSuffix(name, "__") }

// renames reports whether a text with classes has such names.
func (s *sight) renames() bool {
	if len(s.defined) == 0 {
		return false
	}
	private := s.private
	for name := range s.bindings {
		private = private || isPrivate(name)
	}
	for name := range s.imports {
		private = private || isPrivate(name)
	}
	for name := range s.loads {
		private = private || isPrivate(name)
	}
	return private
}

// plainDecorator reports whether a method has no decorator but one of the language's.
func (s *sight) plainDecorator(n *python.FunctionDef) bool {
	return s.isDecorated(n, "property") || s.isDecorated(n, "staticmethod") || s.isDecorated(n, "classmethod") || s.isDecorated(n, "abc.abstractmethod")
}

// isDecorated reports whether a function has one decorator, which is a name.
func (s *sight) isDecorated(n *python.FunctionDef, with string) bool {
	if len(n.Decorators) != 1 {
		return false
	}
	full, ok := s.dotted(n.Decorators[0])
	return ok && full == with
}

// mistakable asks about methods with effects that something may have which looks like
// an object of the text's, or that the reader has taken for something else because it
// mistook an order of things.
func (s *sight) mistakable() {
	if len(s.classes) == 0 && !s.tangled {
		return
	}
	for _, name := range [...]string{"property", "staticmethod", "classmethod", "object"} {
		if _, imported := s.imports[name]; imported || s.bindings[name] != nil {
			s.in.ask(0, "python.handed", "Python code that gives "+name+" another meaning")
		}
	}
	known := map[string]bool{}
	acts := func(a *python.Attribute) bool {
		is, asked := known[a.Attr]
		if !asked {
			is = s.in.anyActs(a.Attr)
			known[a.Attr] = is
		}
		return is && !s.ofModule(a)
	}
	for _, e := range s.values {
		if a, is := e.(*python.Attribute); is && (acts(a) || s.ofClass(a)) {
			s.in.ask(int(a.Pos().Line), "python.handed", "Python code that hands on ."+a.Attr)
		}
	}
	for _, c := range s.calls {
		if name, is := c.Func.(*python.Name); is && name.ID == "getattr" && !s.plainGetattr(c, acts) {
			s.in.ask(int(c.Pos().Line), "python.handed", "Python code that looks for a method of what may be anything")
		}
		a, is := c.Func.(*python.Attribute)
		if is && s.ofClass(a) {
			s.in.ask(int(c.Pos().Line), "python.handed", "Python code that calls a method of a class with any object")
		}
		if is && acts(a) && !s.sure(a.Value, 0) && !s.opens(a.Value) && !s.isData(a.Value, 0) && !(a.Attr == "replace" && len(c.Args) > 1) {
			s.in.ask(int(c.Pos().Line), "python.handed", "Python code that calls ."+a.Attr+" of what may be anything")
		}
	}
}

// plainGetattr reports whether getattr gives no method that would be asked about if it
// stood there as an attribute.
func (s *sight) plainGetattr(c *python.Call, acts func(*python.Attribute) bool) bool {
	if len(c.Args) < 2 {
		return false
	}
	name, is := c.Args[1].(*python.Constant)
	if !is || name.Kind != python.Str || s.methods[name.Text] {
		return false
	}
	return !acts(&python.Attribute{Value: c.Args[0], Attr: name.Text})
}

// ofClass reports whether an attribute is a method that is taken of its class.
func (s *sight) ofClass(a *python.Attribute) bool {
	if !s.methods[a.Attr] {
		return false
	}
	switch of := a.Value.(type) {
	case *python.Call:
		name, is := of.Func.(*python.Name)
		return is && name.ID == "type"
	case *python.Attribute:
		return of.Attr == "__class__"
	}
	name, is := a.Value.(*python.Name)
	return is && s.classes[name.ID]
}

// ofModule reports whether the tree shows the module that an attribute is of.
func (s *sight) ofModule(a *python.Attribute) bool {
	root := python.Expr(a)
	for {
		inner, is := root.(*python.Attribute)
		if !is {
			break
		}
		root = inner.Value
	}
	name, is := root.(*python.Name)
	if !is || s.bindings[name.ID] != nil {
		return false
	}
	_, imported := s.imports[name.ID]
	return imported
}

// anyActs reports whether facts know a type that has a method or an attribute of a
// name which does more than look, and that the text may come by.
func (in *reader) anyActs(name string) (found bool) {
	in.text.Facts.Owners(language, name, func(owner string) bool {
		if in.find(owner).Kind == code.Class && in.comesBy(owner) {
			found = in.find(owner+"."+name).Kind == code.Asked || in.effects(owner+"."+name)
		}
		return !found
	})
	return found
}

// comesBy reports whether a text may have an object of a type: it imports the module, or
// others may give one. What a package gives is told apart from what others give by the
// package alone: project.flask is what a text has of flask.
func (in *reader) comesBy(owner string) bool {
	module := first(owner)
	if pack, is := strings.CutPrefix(owner, "project."); is {
		return in.sight.gets[pack] || in.sight.gets["importlib"]
	}
	if in.find(module).Kind != code.Module || in.sight.gets[module] || in.sight.gets["importlib"] || in.sight.foreign {
		return true
	}
	return in.text.Facts.Names(language, module)
}

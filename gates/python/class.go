package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
)

// class is a class that the text defines.
type class struct {
	name     string
	scope    *scope
	bases    []*class
	above    []string // bases that facts know
	project  bool     // a base is code of the project
	instance *instance
	below    []*class // that are derived from it
	fields   []string // names with an annotation: what a dataclass is called with
	data     bool     // it is decorated: its __init__ may be another one, which sets the fields
}

// instance stands for all objects of a class.
type instance struct {
	class *class
	attrs map[string]code.Value
}

// class follows a class statement.
func (in *reader) defineClass(s *python.ClassDef) {
	var decorators []code.Value
	for _, d := range s.Decorators {
		decorators = append(decorators, in.eval(d))
	}
	key := site{defined{s, in.scope, in.way}, in.way, "class"}
	c, _ := in.sites[key].(*class)
	if c == nil {
		c = &class{name: s.Name, scope: &scope{kind: classScope, parent: in.scope}}
		c.scope.class = c
		c.instance = &instance{class: c, attrs: map[string]code.Value{}}
		in.sites[key] = c
		for _, b := range s.Bases {
			in.base(c, in.eval(b))
		}
	} else {
		for _, b := range s.Bases {
			in.eval(b)
		}
	}
	for _, k := range s.Keywords {
		v := in.eval(k.Value)
		if k.Name == "metaclass" && (len(v) != 1 || v[0].Kind != code.Member || v[0].Type != "abc.ABCMeta") {
			in.unknown("a metaclass")
		}
		if c.project {
			in.hands(k.Value, v)
		}
		in.escape(v)
	}
	c.data = len(decorators) > 0
	outer := in.scope
	in.scope = c.scope
	in.body(s.Body)
	in.scope = outer
	for _, v := range c.scope.vars.sorted() {
		if strings.HasPrefix(v.name, "__") && strings.HasSuffix(v.name, "__") && v.name != "__init__" {
			for i := range v.ever {
				if fn, is := v.ever[i].Own.(*function); is {
					in.enqueue(fn, nil)
				} else {
					in.deferAll(&v.ever[i])
				}
			}
		}
	}
	if len(c.above) > 0 || c.project {
		in.deferClass(c)
	}
	v := code.Value{{Kind: code.Defined, Own: c}}
	for i := len(decorators) - 1; i >= 0; i-- {
		v = in.decorate(decorators[i], v, s.Name, s.Decorators[i])
	}
	in.assign(in.owner(s.Name), s.Name, v)
}

// base adds a base of a class.
func (in *reader) base(c *class, v code.Value) {
	for i := range v {
		switch s := &v[i]; s.Kind {
		case code.Defined:
			if b, is := s.Own.(*class); is {
				c.bases = append(c.bases, b)
				b.below = append(b.below, c)
				continue
			}
			in.unknown("a base that is no class")
		case code.Member:
			switch e := in.find(s.Type); {
			case s.Type == "object":
			case e.Kind == code.Class:
				c.above = append(c.above, s.Type)
			case e.Kind == code.Asked:
				in.asked(e)
			default:
				in.unknown("a class below " + s.Type)
			}
		case code.Project:
			if !c.project {
				in.derived = append(in.derived, c)
			}
			c.project = true
		case code.Object:
			if s.Type != "type" {
				in.unknown("a base that is no class")
			}
		}
	}
}

// member is what a class or its bases have under a name.
func (c *class) member(name string, depth int) code.Value {
	if v := c.scope.vars.get(name); v != nil && len(v.ever) > 0 {
		return v.ever
	}
	if depth > maxDepth {
		return nil
	}
	var any code.Value // which base comes first depends on what they have in common
	for _, b := range c.bases {
		any = code.Join(any, b.member(name, depth+1))
	}
	return any
}

// beside adds what may come behind a class where super() looks on: its bases, and the
// other bases of the classes below it.
func (c *class) beside(bases []*class, depth int) []*class {
	for _, b := range c.bases {
		if !slices.Contains(bases, b) {
			bases = append(bases, b)
		}
	}
	if depth < maxDepth {
		for _, b := range c.below {
			bases = b.beside(bases, depth+1)
		}
	}
	return bases
}

// isData reports whether a class or one above it may have an __init__ that sets fields.
func (c *class) isData(depth int) bool {
	return c.data || depth < maxDepth && slices.ContainsFunc(c.bases, func(b *class) bool { return b.isData(depth + 1) })
}

// isBelow reports whether a class is another one, or derived from it.
func (c *class) isBelow(up *class, depth int) bool {
	return c == up || depth < maxDepth && slices.ContainsFunc(c.bases, func(b *class) bool { return b.isBelow(up, depth+1) })
}

// visits reports whether a class is one whose methods are called with what a syntax tree
// holds.
func (c *class) visits() bool {
	names, _ := c.known(0)
	return slices.Contains(names, "ast.NodeVisitor") || slices.Contains(names, "ast.NodeTransformer")
}

// allFields are the fields of a class and those above it.
func (c *class) allFields(depth int) (names []string) {
	if depth < maxDepth {
		for _, b := range c.bases {
			names = append(names, b.allFields(depth+1)...)
		}
	}
	return append(names, c.fields...)
}

// known are the types above a class that facts know.
func (c *class) known(depth int) (names []string, project bool) {
	names, project = c.above, c.project
	if depth < maxDepth {
		for _, b := range c.bases {
			n, p := b.known(depth + 1)
			names, project = append(names[:len(names):len(names)], n...), project || p
		}
	}
	return names, project
}

// instanceAttribute is what the objects of a class have under a name of their own: those
// of the classes above and below share what is set.
func (in *reader) instanceAttribute(c *class, name string) code.Value {
	if len(c.bases)+len(c.below) == 0 {
		if !in.step() {
			return nil
		}
		return c.instance.attrs[name]
	}
	return in.sharedAttribute(c, name, map[*class]bool{})
}

func (in *reader) sharedAttribute(c *class, name string, seen map[*class]bool) (out code.Value) {
	if seen[c] || !in.step() {
		return nil
	}
	seen[c] = true
	out = c.instance.attrs[name]
	for _, list := range [...][]*class{c.bases, c.below} {
		for _, o := range list {
			out = code.Join(out, in.sharedAttribute(o, name, seen))
		}
	}
	return out
}

// anyOf is any object of a class or of those below it.
func (in *reader) anyOf(c *class) code.Value {
	v := code.Value{{Kind: code.Defined, Own: c.instance}}
	for _, b := range c.below {
		if in.step() {
			v = code.Join(v, in.anyOf(b))
		}
	}
	return v
}

// deferClass notes that somebody may call any method of a class.
func (in *reader) deferClass(c *class) {
	if _, project := c.known(0); project {
		in.loosen(code.Shape{Kind: code.Project, Type: "project"})
	}
	for _, b := range c.bases {
		if in.step() {
			in.deferClass(b)
		}
	}
	vars := c.scope.vars.sorted()
	slices.SortStableFunc(vars, func(a, b *variable) int { return isFixture(b.name) - isFixture(a.name) }) // they set what others use
	for _, v := range vars {
		for i := range v.ever {
			if v.ever[i].Kind == code.Defined {
				if fn, is := v.ever[i].Own.(*function); is {
					in.enqueue(fn, nil)
				}
			}
		}
	}
}

// callDefined calls something that the text defines.
func (in *reader) callDefined(s *code.Shape, args arguments) code.Value {
	switch own := s.Own.(type) {
	case *function:
		return in.callFunction(own, args)
	case *class:
		self := code.Value{{Kind: code.Defined, Own: own.instance}}
		if make := own.member("__new__", 0); make != nil {
			inner := args
			inner.positional = append([]code.Value{{*s}}, args.positional...)
			self = code.Join(self, in.callValue(make, inner))
		}
		if init := own.member("__init__", 0); init != nil {
			inner := args
			inner.positional = append([]code.Value{self}, args.positional...)
			in.callValue(init, inner)
			if !own.isData(0) {
				return self
			}
		}
		names, project := own.known(0)
		for a := range args.all() {
			in.escape(a)
			if project {
				in.tell(a)
			}
		}
		for _, name := range names {
			if len(in.find(name).Calls) > 0 {
				in.callMember(&code.Shape{Kind: code.Member, Type: name}, args)
			}
		}
		// Which of the fields an argument is for depends on how each is declared.
		any := code.Join(args.more, args.others)
		for _, v := range args.positional {
			any = code.Join(any, v)
		}
		for _, name := range own.allFields(0) {
			if len(any) > 0 {
				in.setOwn(&self[0], name, any)
			}
		}
		for _, n := range args.named { // a dataclass, or the like
			in.setOwn(&self[0], n.name, n.value)
		}
		return self
	case *instance:
		if call := own.class.member("__call__", 0); call != nil {
			args.positional = append([]code.Value{{*s}}, args.positional...)
			return in.callValue(call, args)
		}
		names, project := own.class.known(0)
		for _, name := range names {
			if in.typeEntry(name, "__call__").Kind != code.Nothing {
				return in.unknown("calling an object")
			}
		}
		if !project {
			return nil // fails
		}
		for a := range args.all() {
			in.tell(a)
			in.escape(a)
		}
		return code.Value{{Kind: code.Project, Type: "project"}}
	}
	return in.unknown("calling an object")
}

// hasOwn reports whether something that the text defines has an attribute.
func (in *reader) hasOwn(s *code.Shape, name string) bool {
	switch own := s.Own.(type) {
	case *class:
		return own.member(name, 0) != nil
	case *instance:
		return own.class.member(name, 0) != nil || in.instanceAttribute(own.class, name) != nil
	}
	return false
}

// ownAttribute is an attribute of something that the text defines.
func (in *reader) ownAttribute(s *code.Shape, name string) code.Value {
	switch own := s.Own.(type) {
	case *function:
		if harmlessDunder(name) {
			return code.Of("str")
		}
		if own.kind == property && (name == "setter" || name == "getter" || name == "deleter") {
			return code.Value{*s}
		}
		return in.attributeOf(own, name)
	case *class:
		return in.classAttribute(s, own, name)
	case *instance:
		out := in.instanceAttribute(own.class, name)
		for _, hook := range [...]string{"__getattribute__", "__getattr__"} {
			if m := own.class.member(hook, 0); m != nil {
				out = code.Join(out, in.callValue(m, arguments{positional: []code.Value{{*s}, code.Const("str", name)}, at: own}))
			}
		}
		for _, m := range own.class.member(name, 0) {
			fn, is := m.Own.(*function)
			switch {
			case !is:
				out = code.Join(out, code.Value{m})
				if d, is := m.Own.(*instance); is {
					if get := d.class.member("__get__", 0); get != nil {
						out = code.Join(out, in.callValue(get, arguments{positional: []code.Value{{m}, {*s}, code.Plain()}, at: d}))
					}
				}
			case fn.kind == property:
				out = code.Join(out, in.callFunction(fn, arguments{positional: []code.Value{{*s}}, at: fn}))
			case fn.kind == static:
				out = code.Join(out, code.Value{m})
			case fn.kind == ofClass:
				out = code.Join(out, in.bound(fn, code.Value{{Kind: code.Defined, Own: own.class}}))
			default:
				out = code.Join(out, in.bound(fn, code.Value{*s}))
			}
		}
		return code.Join(out, in.inherited(own.class, name, len(out) > 0))
	}
	return in.unknown("." + name)
}

// attributeOf is an attribute that the text has given a function.
func (in *reader) attributeOf(fn *function, name string) code.Value {
	if v, ok := in.sites[site{fn, 0, "." + name}].(code.Value); ok {
		return v
	}
	if e := in.find("functools.cached." + name); e.Kind != code.Nothing {
		return in.entryOf(e, code.Shape{Type: "functools.cached"}, e.Name)
	}
	return in.unknown("." + name + " of a function")
}

func (in *reader) classAttribute(s *code.Shape, c *class, name string) code.Value {
	if harmlessDunder(name) {
		return code.Of("str")
	}
	v := c.member(name, 0)
	if v == nil {
		return in.inherited(c, name, false)
	}
	var out code.Value
	for _, m := range v {
		if fn, is := m.Own.(*function); is && fn.kind == ofClass {
			out = code.Join(out, in.bound(fn, code.Value{*s}))
			continue
		}
		out = code.Join(out, code.Value{m})
		if m.Kind == code.Object && c.isEnum(0) {
			out = code.Join(out, code.Value{{Kind: code.Defined, Own: c.instance}})
		}
	}
	return out
}

// isEnum reports whether the values of a class are objects of it.
func (c *class) isEnum(depth int) bool {
	names, _ := c.known(depth)
	return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, "enum.") })
}

// inherited is an attribute that a class has of bases which the text does not
// define.
func (in *reader) inherited(c *class, name string, found bool) code.Value {
	names, project := c.known(0)
	var out code.Value
	for _, n := range names {
		if e := in.typeEntry(n, name); e.Kind != code.Nothing {
			if found = true; e.Name == replaces { // which gives an object of the class
				out = code.Join(out, code.Value{{Kind: code.Member, Type: e.Name, Self: &code.Value{{Kind: code.Defined, Own: c.instance}}}})
				continue
			}
			out = code.Join(out, in.entryOf(e, code.Shape{Type: n}, n+"."+name))
		}
	}
	if project {
		return code.Join(out, code.Value{{Kind: code.Project, Type: "project"}})
	}
	if found {
		return out
	}
	if e := in.find("object." + name); e.Kind == code.Function {
		return in.entryOf(e, code.Shape{Type: "object"}, e.Name)
	}
	return in.unknown("." + name + " of " + c.name)
}

// bound is a method of an object.
func (in *reader) bound(fn *function, self code.Value) code.Value {
	key := method{fn, self[0].Own}
	b := in.methods[key]
	if b == nil {
		b = &function{name: fn.name, plain: fn, self: &self, class: fn.class}
		in.methods[key] = b
	}
	return code.Value{{Kind: code.Defined, Own: b}}
}

// setOwn sets an attribute of something that the text defines.
func (in *reader) setOwn(s *code.Shape, name string, value code.Value) bool {
	switch own := s.Own.(type) {
	case *instance:
		joined := code.Join(own.attrs[name], value)
		if !code.Same(joined, own.attrs[name]) {
			own.attrs[name] = joined
			in.grown++
		}
		names, project := own.class.known(0)
		if len(names) > 0 || project {
			in.escape(value)
		}
		if project {
			in.tell(value)
		}
		return true
	case *class:
		in.assign(own.scope, name, value)
		for i := range value {
			in.deferAll(&value[i])
		}
		return true
	case *function:
		key := site{own, 0, "." + name}
		old, _ := in.sites[key].(code.Value)
		joined := code.Join(old, value)
		if !code.Same(joined, old) {
			in.sites[key] = joined
			in.grown++
		}
		return true
	}
	return false
}

// ownMember is v[key] of an object of the text's.
func (in *reader) ownMember(s *code.Shape, key code.Value) code.Value {
	if c, is := s.Own.(*class); is {
		return code.Value{{Kind: code.Defined, Own: c}}
	}
	return in.callDunder(s, "__getitem__", key)
}

func (in *reader) ownItems(s *code.Shape) code.Value {
	if c, is := s.Own.(*class); is { // an enumeration
		return code.Value{{Kind: code.Defined, Own: c.instance}}
	}
	v := in.callDunder(s, "__iter__")
	var out code.Value
	for i := range v {
		if _, is := v[i].Own.(*instance); is {
			out = code.Join(out, in.callDunder(&v[i], "__next__"))
			continue
		}
		out = code.Join(out, in.items(code.Value{v[i]}))
	}
	return out
}

// callDunder calls a special method of an object of the text's, as the language
// does by itself.
func (in *reader) callDunder(s *code.Shape, name string, args ...code.Value) code.Value {
	own, is := s.Own.(*instance)
	if !is {
		return in.unknown(name)
	}
	if m := own.class.member(name, 0); m != nil {
		return in.callValue(m, arguments{positional: append([]code.Value{{*s}}, args...), at: own})
	}
	names, project := own.class.known(0)
	for _, n := range names {
		if e := in.typeEntry(n, name); e.Kind != code.Nothing {
			return in.dunder(&code.Shape{Type: n}, name, nil)
		}
	}
	if project {
		return code.Value{{Kind: code.Project, Type: "project"}}
	}
	return in.unknown(name + " of " + own.class.name)
}

// super is super() in a method.
func (in *reader) super() code.Value {
	fn := in.current().fn
	if fn == nil || fn.class == nil {
		return in.unknown("super() in no method")
	}
	c := fn.class
	bases := slices.DeleteFunc(c.beside(nil, 0), func(b *class) bool { return b.isBelow(c, 0) })
	up := &class{name: c.name, scope: &scope{kind: classScope, parent: c.scope.parent}, bases: bases, above: c.above, project: c.project}
	key := site{c, 0, "super"}
	if known, ok := in.sites[key].(*class); ok {
		up = known
		up.bases, up.above, up.project = bases, c.above, c.project
	} else {
		up.instance = &instance{class: up, attrs: c.instance.attrs}
		in.sites[key] = up
	}
	return code.Value{{Kind: code.Defined, Own: up.instance}}
}

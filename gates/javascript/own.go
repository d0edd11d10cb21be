package javascript

import (
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/javascript"
)

// Objects that the text writes with functions in them, and those of its classes, are
// things, as a stream is: they stand where they are made or under one name, and are
// nowhere a value. So their functions are called by their names alone, and nobody finds
// one by a key; what else they hold is data. this is the object itself, as nothing calls
// a function of its but o.f().

// own is what the text says of such objects.
type own struct {
	functions map[string]bool
	getters   map[string]bool // functions that a member's name calls
	setters   map[string]bool // functions that setting a member calls
	fields    map[string]bool // what a class itself holds; nil: it is no class
	error     bool            // its objects are errors, which hold data and nothing else
}

// ownThing is the type of what an object's or a class's place in the text makes.
func (s *sight) ownThing(at any) (thing string, o *own) {
	thing = s.places[at]
	if thing == "" {
		thing = "object " + strconv.Itoa(len(s.places)+1) + " of the text"
		s.places[at] = thing
		s.owns[thing] = &own{functions: map[string]bool{}, getters: map[string]bool{}, setters: map[string]bool{}}
	}
	return thing, s.owns[thing]
}

// hasFunctions reports whether an object is written with functions in it.
func hasFunctions(e *javascript.Object) bool {
	for i := range e.Props {
		if _, ok := e.Props[i].Value.(*javascript.Function); ok {
			return true
		}
	}
	return false
}

// ownObject looks at an object with functions.
func (s *sight) ownObject(e *javascript.Object) sort {
	thing, o := s.ownThing(e)
	seen := map[string]bool{}
	for i := range e.Props {
		p := &e.Props[i]
		if p.Kind != "" && p.Kind != "method" && p.Kind != "get" || p.Computed != nil || seen[p.Key] || !isOwnName(p.Key) {
			s.refuse("an object with functions of a special kind")
		}
		seen[p.Key] = true
		if _, ok := p.Value.(*javascript.Function); ok && p.Kind == "get" {
			o.getters[p.Key] = true
		} else if ok {
			o.functions[p.Key] = true
		}
	}
	for i := range e.Props {
		switch v := e.Props[i].Value.(type) {
		case *javascript.Function:
			s.ownBody(thing, v, false)
		default:
			s.held(v)
		}
	}
	return sort{thing: thing}
}

// class looks at a class that the text declares.
func (s *sight) class(c *javascript.Class) {
	s.bind(c.Name, c, sort{}, true)
	if s.once(c.Name) != c {
		s.refuse("a class under a name that means something else, too")
	}
	thing, o := s.ownThing(c)
	o.error = s.isError(c.Extends)
	if c.Extends != nil && !o.error {
		s.refuse("a class below another")
	}
	itself, class := s.ownThing(statics{c})
	class.fields = map[string]bool{}
	seen := map[memberPlace]bool{}
	for i := range c.Members {
		m := &c.Members[i]
		is := memberPlace{m.Key, m.Static, m.Kind == "set"}
		if m.Kind == "block" || o.error && m.Kind != "field" && m.Key != "constructor" || m.Computed != nil || seen[is] || !isOwnName(m.Key) && (m.Key != "constructor" || m.Kind != "method" || m.Static) || m.Static && !isStaticName(m.Key) {
			s.refuse("a class with members of a special kind")
		}
		seen[is] = true
		if other := (memberPlace{m.Key, m.Static, !is.set}); seen[other] && m.Kind != "get" && m.Kind != "set" {
			s.refuse("a class with members of a special kind")
		}
		of := o
		if m.Static {
			of = class
		}
		switch {
		case m.Kind == "get":
			of.getters[m.Key] = true
		case m.Kind == "set":
			of.setters[m.Key] = true
		case m.Kind == "field" && m.Static:
			of.fields[m.Key] = true
		case m.Kind == "method" && (m.Key != "constructor" || m.Static):
			of.functions[m.Key] = true
		}
	}
	for i := range c.Members {
		m := &c.Members[i]
		thing := thing
		if m.Static {
			thing = itself
		}
		if f, ok := m.Value.(*javascript.Function); ok && m.Kind != "field" {
			s.ownBody(thing, f, m.Key == "constructor")
		} else if m.Value != nil {
			was := s.this
			s.this = thing
			s.held(m.Value)
			s.this = was
		}
	}
}

// statics is what a class itself holds.
type statics struct{ *javascript.Class }

// memberPlace is a place for a member of a class: get and set share one under a name.
type memberPlace struct {
	name        string
	static, set bool
}

// isStaticName reports whether a class itself may have a member of a name: a function has
// others already.
func isStaticName(name string) bool {
	switch name {
	case "name", "length", "arguments", "constructor":
		return false
	}
	return true
}

// itself is what the class holds that an expression names; nil if it names none.
func (s *sight) itself(e javascript.Expr) *own {
	n, ok := e.(*javascript.Name)
	if !ok {
		return nil
	}
	c, ok := s.once(n.Name).(*javascript.Class)
	if !ok {
		return nil
	}
	_, o := s.ownThing(statics{c})
	return o
}

// isError reports whether an expression is a class of the language's for errors.
func (s *sight) isError(e javascript.Expr) bool {
	n, ok := e.(*javascript.Name)
	return ok && s.names[n.Name] == nil && strings.HasSuffix(n.Name, "Error") && s.in.find(n.Name).Kind == code.Class
}

// super looks at super(...), which makes an error, and reports whether it does.
func (s *sight) super(args []javascript.Expr) bool {
	o := s.owns[s.this]
	if o == nil || !o.error || !s.makes {
		return false
	}
	for _, a := range args {
		s.held(a) // what it is caused by
	}
	return true
}

// isClass reports whether a name means a class of the text.
func (s *sight) isClass(id string) bool {
	_, ok := s.once(id).(*javascript.Class)
	return ok
}

// isOwnName reports whether a member may be called so.
func isOwnName(name string) bool {
	return name != "" && name != "then" && name != "#constructor" && !isForbidden(name)
}

// ownBody looks at a function of an object's.
func (s *sight) ownBody(thing string, f *javascript.Function, makes bool) {
	if !f.Arrow {
		s.nextThis, s.nextMakes = thing, makes
	}
	s.body(f)
}

// newOwn looks at new C(...) of a class of the text's, and reports whether it is one.
func (s *sight) newOwn(e *javascript.New) (sort, bool) {
	n, ok := e.F.(*javascript.Name)
	if !ok {
		return sort{}, false
	}
	c, ok := s.once(n.Name).(*javascript.Class)
	if !ok {
		return sort{}, false
	}
	s.passed(e.Args)
	thing, o := s.ownThing(c)
	if o.error {
		return sort{}, true
	}
	return sort{thing: thing}, true
}

// ownKey is the name of a member of an object of the text's, as far as it is known.
func (s *sight) ownKey(m *javascript.Member) (string, bool) {
	name := m.Name
	if m.Index != nil {
		t, ok := m.Index.(*javascript.String)
		if !ok {
			return "", false
		}
		name = t.Value
	}
	return name, isOwnName(name) && !m.Optional
}

// ownMember is what a member of an object of the text's holds.
func (s *sight) ownMember(o *own, m *javascript.Member) sort {
	name, ok := s.ownKey(m)
	if !ok || o.functions[name] || o.setters[name] && !o.getters[name] || o.fields != nil && !o.fields[name] && !o.getters[name] {
		s.refuse("a member of an object with functions")
		return sort{}
	}
	if o.getters[name] {
		return sort{loose: s.flows || s.holds}
	}
	return sort{loose: s.holds || s.shared(name)}
}

// ownCall is what a function of an object of the text's gives.
func (s *sight) ownCall(o *own, m *javascript.Member, args []javascript.Expr) sort {
	if name, ok := s.ownKey(m); !ok || !o.functions[name] {
		s.refuse("a call of what an object of the text does not have")
	}
	return s.passed(args)
}

// ownAssigned looks at a member of an object of the text's that is set.
func (s *sight) ownAssigned(o *own, m *javascript.Member, what sort) {
	name, ok := s.ownKey(m)
	if !ok || o.functions[name] || o.getters[name] && !o.setters[name] || o.fields != nil && !o.fields[name] && !o.setters[name] || what.loose && s.called(name) {
		s.refuse("a member of an object with functions that is set")
	}
	if what.loose {
		s.set(&s.holds)
		s.set(&s.flows)
	}
}

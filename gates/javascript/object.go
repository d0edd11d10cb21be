package javascript

import (
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/javascript"
)

// plainTypes are those that plain data may be of.
var plainTypes = [...]string{"str", "list", "number", "bool", "dict"}

// object is the object of a member or a call.
func (in *reader) object(e javascript.Expr) code.Value {
	if _, ok := e.(*javascript.Super); ok {
		c := in.home()
		if c == nil {
			return in.unknown("super")
		}
		var out code.Value
		for i := range c.base {
			if up, ok := c.base[i].Own.(*class); ok {
				out = code.Join(out, code.Value{{Kind: code.Defined, Own: up.instance}})
			} else {
				out = code.Join(out, in.madeBy(c.base[i]))
			}
		}
		return out
	}
	return in.eval(e)
}

// madeBy is an object of a class that the text does not define.
func (in *reader) madeBy(s code.Shape) code.Value {
	if s.Kind == code.Member {
		return code.Of(s.Type)
	}
	return code.Value{s}
}

// member is x.name or x[key], where it is read.
func (in *reader) member(e *javascript.Member) code.Value {
	// What made an object is asked for its name.
	if up, ok := e.X.(*javascript.Member); ok && up.Index == nil && up.Name == "constructor" && e.Index == nil && e.Name == "name" {
		in.object(up.X)
		return code.Of("str")
	}
	v := in.object(e.X)
	key := code.Const("str", e.Name)
	if e.Index != nil {
		key = in.eval(e.Index)
	}
	in.at(e.At)
	out := in.getMember(v, key, false)
	if e.Optional {
		out = code.Join(out, code.Of("none"))
	}
	return out
}

// isForbidden reports whether a member leads to what all objects share, or runs
// code.
func isForbidden(name string) bool {
	switch name {
	case "constructor", "prototype", "__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "caller", "callee":
		return true
	}
	return false
}

// getMember is v[key].
func (in *reader) getMember(v, key code.Value, called bool) (out code.Value) {
	if len(key) == 0 {
		return nil
	}
	for i := range v {
		if !in.step() {
			return nil
		}
		out = code.Join(out, in.memberOf(v[i], key, called))
	}
	return out
}

func (in *reader) memberOf(s code.Shape, key code.Value, called bool) code.Value {
	name, known := constKey(key)
	if known && isForbidden(name) && s.Kind != code.Unknown {
		return in.unknown("." + name)
	}
	switch s.Kind {
	case code.Project, code.Unknown:
		return code.Value{s}
	case code.Member:
		switch {
		case s.Type == "process.env":
			in.variable(key)
			return code.Join(code.Of("str"), code.Of("none"))
		case !known:
			return in.unknown("a member of " + s.Type + " whose name is not known")
		}
		return in.memberAttribute(s.Type, name)
	case code.Defined:
		if !known {
			in.escape(code.Value{s})
			return in.unknown("a member whose name is not known")
		}
		return in.ownMember(s, name)
	}
	if s.Type == "none" {
		return nil // fails
	}
	in.cut = in.cut || !called && name != "length" && isPlace(s.Type)
	if !known {
		return in.anyMember(s)
	}
	if s.Box != nil {
		if v, ok := in.held(s, name); ok {
			if s.Box.Exact || !called && in.typeEntry(s.Type, name).Kind != code.Constant {
				return v
			}
			return code.Join(v, in.typeMember(s, name))
		}
		if s.Type == "dict" && in.typeEntry(s.Type, name).Kind == code.Nothing {
			return code.Of("none")
		}
		return in.typeMember(s, name)
	}
	if s.Type == "plain" {
		return in.plainMember(s, name, called)
	}
	if n, err := strconv.Atoi(name); err == nil {
		if s.Type == "str" && isConst(&s) && isASCII(s.Word.Text) && n >= 0 && n < len(s.Word.Text) {
			return literal("str", s.Word.Text[n:n+1])
		}
		return in.anyMember(s)
	}
	return in.typeMember(s, name)
}

// held is what a list or a table holds under a name.
func (in *reader) held(s code.Shape, name string) (code.Value, bool) {
	b := s.Box
	if s.Type == "list" {
		n, err := strconv.Atoi(name)
		if err != nil {
			return nil, false
		}
		if !b.Exact {
			return code.Join(b.Any, code.Of("none")), true
		}
		if n < 0 || n >= len(b.Items) {
			return code.Of("none"), true
		}
		return b.Items[n], true
	}
	if s.Type != "dict" {
		return nil, false
	}
	if !b.Exact {
		return code.Join(b.Any, code.Of("none")), true
	}
	for i, k := range b.Keys {
		if has, _ := constKey(k); has == name {
			return b.Items[i], true
		}
	}
	return nil, false
}

// plainMember is a member of plain data: data, or what data of some type can do.
func (in *reader) plainMember(s code.Shape, name string, called bool) (out code.Value) {
	if called {
		for _, t := range plainTypes {
			if e := in.typeEntry(t, name); e.Kind == code.Function {
				self := code.Value{s}
				out = code.Join(out, code.Value{{Kind: code.Member, Type: e.Name, Self: &self}})
			}
		}
	} else {
		out = ofKind("plain", s.Made)
	}
	for i := range in.loose {
		o := in.loose[i]
		switch {
		case o.Kind == code.Object && in.typeEntry(o.Type, name).Kind == code.Nothing:
		case o.Kind == code.Member && !in.hasMember(o.Type, name):
		case o.Kind == code.Defined && !in.hasOwn(o, name):
		default:
			out = code.Join(out, in.memberOf(o, code.Const("str", name), called))
		}
	}
	return out
}

// anyMember is any of what an object holds.
func (in *reader) anyMember(s code.Shape) code.Value {
	switch s.Kind {
	case code.Project, code.Unknown:
		return code.Value{s}
	case code.Defined:
		in.escape(code.Value{s})
		return in.unknown("all of an object")
	}
	switch {
	case s.Box != nil:
		return code.Join(s.Box.Any, code.Of("none"))
	case s.Type == "str", isPlace(s.Type):
		in.cut = in.cut || isPlace(s.Type)
		return ofKind("str", s.Made)
	case s.Type == "bytes":
		return ofKind("number", s.Made)
	case s.Type == "plain":
		return ofKind("plain", s.Made)
	case s.Type == "none", s.Type == "number", s.Type == "bool":
		return nil
	}
	if e := in.typeEntry(s.Type, "items"); e.Kind == code.Constant {
		return in.valueOf(e.Type, &s)
	}
	return in.unknown("any member of " + s.Type)
}

// typeMember is a member of an object of a type that facts know.
func (in *reader) typeMember(s code.Shape, name string) code.Value {
	switch e := in.typeEntry(s.Type, name); e.Kind {
	case code.Function:
		self := code.Value{s}
		return code.Value{{Kind: code.Member, Type: e.Name, Self: &self}}
	case code.Constant:
		return in.valueOf(e.Type, &s)
	case code.Asked:
		return in.asked(e)
	}
	if isData(s.Type) {
		return ofKind("plain", s.Made)
	}
	return in.unknown(s.Type + "." + name)
}

// isData reports whether objects of a type are nothing but data, whatever they can do
// with it.
func isData(name string) bool {
	switch name {
	case "str", "number", "bool", "dict", "list", "bytes", "RegExp", "Date", "Map", "Set", "Error", "URLSearchParams", "Cwd", "Location", "Printed", "plain":
		return true
	}
	return false
}

func (in *reader) hasMember(owner, name string) bool {
	return in.find(owner+"."+name).Kind != code.Nothing
}

// memberAttribute is a member of a module, a class or a function.
func (in *reader) memberAttribute(owner, name string) code.Value {
	up := in.find(owner)
	if up.Kind == code.Asked {
		return in.asked(up)
	}
	switch e := in.find(owner + "." + name); e.Kind {
	case code.Constant:
		if name == "sep" && strings.HasPrefix(owner, "node:path") {
			return code.Const("str", "/") // with which the path of any directory begins
		}
		if isArguments(e.Name) {
			return in.given(e.Type)
		}
		return in.valueOf(e.Type, nil)
	case code.Asked:
		return in.asked(e)
	case code.Nothing:
	default:
		if e.Methods {
			break // of its objects
		}
		return code.Value{{Kind: code.Member, Type: e.Name}}
	}
	if name == "default" && up.Kind == code.Module {
		return member(owner)
	}
	if up.Kind == code.Function && (name == "name" || name == "length") {
		return code.Of("str")
	}
	return in.unknown(owner + "." + name)
}

// hasOwn reports whether something that the text defines has a member.
func (in *reader) hasOwn(s code.Shape, name string) bool {
	switch own := s.Own.(type) {
	case *class:
		_, ok := in.held(code.Shape{Type: "dict", Box: own.static}, name)
		return ok
	case *instance:
		if own.class.lookup(name, false) != nil || own.class.lookup(name, true) != nil || len(own.class.above(0)) > 0 {
			return true
		}
		_, ok := in.held(code.Shape{Type: "dict", Box: own.box}, name)
		return ok
	}
	return false
}

// ownMember is a member of something that the text defines.
func (in *reader) ownMember(s code.Shape, name string) code.Value {
	switch own := s.Own.(type) {
	case *function:
		switch name {
		case "name", "length":
			return code.Of("str")
		case "call", "apply", "bind":
			self := code.Value{s}
			return code.Value{{Kind: code.Member, Type: "Function." + name, Self: &self}}
		}
		if box := in.boxes[own]; box != nil {
			if v, ok := in.held(code.Shape{Type: "dict", Box: box}, name); ok {
				return v
			}
		}
		return in.unknown("." + name + " of a function")
	case *class:
		if v, ok := in.held(code.Shape{Type: "dict", Box: own.static}, name); ok {
			return v
		}
		if name == "name" {
			return code.Of("str")
		}
		var out code.Value
		for i := range own.base {
			out = code.Join(out, in.memberOf(own.base[i], code.Const("str", name), false))
		}
		if out == nil {
			return in.unknown("." + name + " of a class")
		}
		return out
	case *instance:
		out := own.class.lookup(name, false)
		for _, g := range own.class.lookup(name, true) {
			out = code.Join(out, in.callValue(code.Value{g}, arguments{}, code.Value{s}))
		}
		if v, ok := in.held(code.Shape{Type: "dict", Box: own.class.instance.box}, name); ok {
			out = code.Join(out, v)
		}
		if len(out) > 0 {
			return out
		}
		for _, up := range own.class.above(0) {
			switch up.Kind {
			case code.Member:
				out = code.Join(out, in.typeMember(code.Shape{Type: up.Type}, name))
			default:
				out = code.Join(out, code.Value{up})
			}
		}
		if out == nil {
			return code.Of("none")
		}
		return out
	}
	return in.unknown("." + name)
}

// setMember is v[key] = value.
func (in *reader) setMember(v, key, value code.Value, at *javascript.Member) {
	name, known := constKey(key)
	// a[b][c] = d, where b is not known, may mean what all objects share.
	if up, ok := at.X.(*javascript.Member); ok && up.Index != nil {
		if k := in.eval(up.Index); !isNumberValue(k) {
			if _, known := constKey(k); !known {
				in.polluted = in.line
				for _, s := range value {
					if s.Kind != code.Object {
						in.unknown("a member of what is not known")
					}
				}
			}
		}
	}
	for i := range v {
		s := v[i]
		switch {
		case s.Kind == code.Unknown:
			in.escape(value)
		case s.Kind == code.Project:
			in.tell(value)
			in.escape(value)
		case known && isForbidden(name):
			in.escape(value)
			in.unknown("." + name + " =")
		case s.Kind == code.Member && s.Type == "process" && name == "exitCode":
		case s.Kind == code.Member:
			in.escape(value)
			in.unknown(s.Type + "." + name + " =")
		case s.Kind == code.Defined:
			in.setOwn(s, key, value)
		case s.Box != nil:
			in.own(value, code.Value{s})
			in.opens(value)
			if s.Type == "list" {
				in.inexact(s.Box)
				in.put(s.Box, nil, value)
				if known && name == "length" {
					break
				}
				break
			}
			in.setKey(s.Box, key, value)
		case s.Type == "plain":
			in.keep(value)
		case s.Type == "none", s.Type == "str", s.Type == "number", s.Type == "bool", s.Type == "bytes", s.Type == "RegExp", isPlace(s.Type):
			in.escape(value)
		case known && in.typeEntry(s.Type, name).Kind == code.Constant:
			in.keep(value)
		default:
			in.escape(value)
			in.unknown("setting a member of " + s.Type)
		}
	}
}

func isNumberValue(v code.Value) bool {
	for i := range v {
		if !isNumber(v[i]) {
			return false
		}
	}
	return len(v) > 0
}

// setOwn sets a member of something that the text defines.
func (in *reader) setOwn(s code.Shape, key, value code.Value) {
	in.own(value, code.Value{s})
	in.opens(value)
	var box *code.Box
	switch own := s.Own.(type) {
	case *instance:
		box = own.class.instance.box
		in.set(own.class, key, value)
		if len(own.class.above(0)) > 0 {
			in.escape(value)
		}
	case *class:
		box = own.static
		in.set(own, key, value)
	case *function:
		if in.boxes[own] == nil {
			in.boxes[own] = &code.Box{Exact: true}
		}
		box = in.boxes[own]
	}
	if box == nil {
		in.unknown("setting a member")
		return
	}
	in.setKey(box, key, value)
}

// set calls what a class has for setting a member.
func (in *reader) set(c *class, key, value code.Value) {
	name, known := constKey(key)
	if f := c.setters[name]; known && f != nil {
		in.callValue(f, arguments{positional: []code.Value{value}, at: c}, nil)
	}
}

// items is what going through a value gives.
func (in *reader) items(v code.Value) (out code.Value) {
	for i := range v {
		s := v[i]
		switch {
		case s.Kind == code.Project, s.Kind == code.Unknown:
			out = code.Join(out, code.Value{s})
		case s.Kind == code.Member:
			out = code.Join(out, in.unknown("going through "+s.Type))
		case s.Kind == code.Defined:
			in.escape(code.Value{s})
			out = code.Join(out, in.unknown("going through an object"))
		case s.Type == "dict":
			if s.Box != nil {
				in.escape(code.Value{s})
			}
			out = code.Join(out, code.Plain())
		case s.Box != nil:
			out = code.Join(out, s.Box.Any)
		default:
			out = code.Join(out, in.anyMember(s))
		}
	}
	return out
}

// exactItems lists the items of a list that are all known.
func (in *reader) exactItems(v code.Value) ([]code.Value, bool) {
	if len(v) == 1 && v[0].Kind == code.Object && v[0].Type == "list" && v[0].Box != nil && v[0].Box.Exact {
		return v[0].Box.Items, true
	}
	return nil, false
}

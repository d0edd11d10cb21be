package python

import (
	"slices"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/python"
	"github.com/bashgate/bashgate/policy"
)

// bind gives a target a value.
func (in *reader) bind(t python.Expr, v code.Value) {
	if !in.step() {
		return
	}
	switch t := t.(type) {
	case *python.Name:
		in.assign(in.owner(t.ID), t.ID, v)
	case *python.Attribute:
		of := in.eval(t.Value)
		in.handsItem(t, of, v)
		in.setAttribute(of, t.Attr, v)
	case *python.Subscript:
		of, key := in.eval(t.Value), in.eval(t.Slice)
		if in.handsItem(t, of, v) {
			in.hands(t.Slice, key)
		}
		in.setItem(of, key, v)
	case *python.Starred:
		in.bind(t.Value, in.list("list", t, in.items(v)))
	case *python.Tuple:
		in.unpack(t.Elts, v, in.bind)
	case *python.List:
		in.unpack(t.Elts, v, in.bind)
	}
}

// bindIn is bind for the names of a comprehension.
func (in *reader) bindIn(s *scope, t python.Expr, v code.Value) {
	switch t := t.(type) {
	case *python.Name:
		in.assign(s, t.ID, v)
	case *python.Tuple:
		in.unpack(t.Elts, v, func(t python.Expr, v code.Value) { in.bindIn(s, t, v) })
	case *python.List:
		in.unpack(t.Elts, v, func(t python.Expr, v code.Value) { in.bindIn(s, t, v) })
	case *python.Starred:
		in.bindIn(s, t.Value, in.list("list", t, in.items(v)))
	default:
		in.bind(t, v)
	}
}

// unpack gives several targets the items of a value.
func (in *reader) unpack(targets []python.Expr, v code.Value, bind func(python.Expr, code.Value)) {
	star := slices.ContainsFunc(targets, func(t python.Expr) bool { _, is := t.(*python.Starred); return is })
	parts := make([]code.Union, len(targets))
	known := len(v) > 0 && !star
	for i := range v { // whichever of them it is, each has its parts in the same order
		items, ok := in.exactItems(v[i : i+1])
		if known = known && ok && len(items) == len(targets); !known {
			break
		}
		for k := range parts {
			parts[k].Add(items[k])
		}
	}
	if known {
		for i, t := range targets {
			bind(t, parts[i].Value())
		}
		return
	}
	any := in.items(v)
	for _, t := range targets {
		if s, is := t.(*python.Starred); is {
			bind(s, v)
			continue
		}
		bind(t, any)
	}
}

// setItem is v[key] = value.
func (in *reader) setItem(v, key, value code.Value) {
	for i := range v {
		s := &v[i]
		switch {
		case s.Kind == code.Unknown:
		case s.Kind == code.Project:
			in.tell(key)
			in.tell(value)
			in.escape(value)
		case s.Kind == code.Defined:
			in.callDunder(s, "__setitem__", key, value)
		case s.Kind == code.Object && s.Box != nil:
			in.inexact(s.Box)
			in.store(s.Box, key, value)
			if s.Type != "dict" { // a slice takes the items
				in.store(s.Box, nil, in.items(value))
			}
			in.escapeStored(s.Box, key, value)
		case s.Kind == code.Object && s.Type == "plain":
			in.escape(key)
			in.escape(value)
			in.looseSet(key, value)
		case s.Kind == code.Object && (s.Type == "none" || isString(s.Type) || isNumber(s.Type)): // is refused
		case s.Kind == code.Object && s.Type == "os._Environ":
			in.setVariable(key, value)
		case s.Kind == code.Object:
			in.callFactNamed(s, "__setitem__", key, value)
		default:
			in.unknown("setting an item")
		}
	}
}

// setVariable sets a variable of the environment.
func (in *reader) setVariable(name, value code.Value) {
	if in.text.Home != "" { // which may be what is set
		in.text.Home = ""
		in.grown++
	}
	for _, n := range something(name) {
		for _, v := range something(value) {
			pair := code.Value{{Type: "str"}}
			if n.Word != nil {
				w := code.Concat(*n.Word, code.Concat(policy.Const("="), wordOf(&v)))
				pair[0].Word = &w
			}
			in.use(match.Env, "", pair, "os.environ[...]", nil)
		}
	}
}

// looseSet sets an item of whatever was put among plain data.
func (in *reader) looseSet(key, value code.Value) {
	in.looseView()
	for i := range in.loose {
		if s := &in.loose[i]; s.Kind == code.Object && in.typeEntry(s.Type, "__setitem__").Kind == code.Function {
			in.callFactNamed(s, "__setitem__", key, value)
		}
	}
}

func (in *reader) callFactNamed(s *code.Shape, name string, args ...code.Value) code.Value {
	e := in.typeEntry(s.Type, name)
	if e.Kind != code.Function && e.Kind != code.Asked {
		return in.unknown(s.Type + "." + name)
	}
	return in.callFact(e, nil, arguments{positional: args}, s)
}

// inexact notes that what a container holds is no longer known item by item.
func (in *reader) inexact(b *code.Box) {
	if b.Exact {
		b.Exact = false
		in.grown++
	}
}

// escapeStored lets out what is put into a container that is out of sight.
func (in *reader) escapeStored(b *code.Box, values ...code.Value) {
	if b.Out {
		for _, v := range values {
			in.escape(v)
		}
	}
}

// unbind is del.
func (in *reader) unbind(t python.Expr) {
	switch t := t.(type) {
	case *python.Name:
		in.put(in.owner(t.ID).variable(t.ID), nil, false)
	case *python.Tuple:
		for _, e := range t.Elts {
			in.unbind(e)
		}
	case *python.List:
		for _, e := range t.Elts {
			in.unbind(e)
		}
	case *python.Subscript:
		v := in.eval(t.Value)
		key := in.eval(t.Slice)
		in.handsPart(v, key, t.Slice)
		for i := range v {
			switch s := &v[i]; {
			case s.Box != nil:
				in.inexact(s.Box)
			case s.Kind == code.Object && s.Type == "plain":
				in.looseView()
			case s.Kind == code.Object:
				in.callFactNamed(s, "__delitem__", key)
			case s.Kind == code.Defined:
				in.callDunder(s, "__delitem__", key)
			}
		}
	case *python.Attribute:
		v := in.eval(t.Value)
		for i := range v {
			if s := &v[i]; s.Kind == code.Member || s.Kind == code.Object {
				in.unknown("del ." + t.Attr)
			}
		}
	}
}

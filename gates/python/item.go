package python

import (
	"strconv"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
)

// This file tells what is taken out of values: items, parts of texts, what a loop goes through.

// subscript is v[i].
func (in *reader) subscript(e *python.Subscript) code.Value {
	v := in.eval(e.Value)
	i := in.eval(e.Slice)
	in.handsPart(v, i, e.Slice)
	if slice, is := e.Slice.(*python.Slice); is {
		if text, known := v.Const("str"); known {
			if part, known := cut(text, slice); known {
				return code.Const("str", part)
			}
		}
		return in.part(v)
	}
	return in.member(v, i)
}

// maxCut is the longest text of which parts are known, in characters.
const maxCut = 1 << 12

// cut is a part of a text, where the numbers that bound it are written there.
func cut(text string, slice *python.Slice) (string, bool) {
	all := []rune(text)
	step, known := numeral(slice.Step, 1)
	if !known || step == 0 || len(all) > maxCut {
		return "", false
	}
	least, most := 0, len(all)
	if step < 0 {
		least, most = -1, len(all)-1
	}
	bound := func(e python.Expr, otherwise int) int {
		n, is := numeral(e, otherwise)
		known = known && is
		if n < 0 && e != nil {
			n += len(all)
		}
		return min(max(n, least), most)
	}
	from, to := bound(slice.Lower, least), bound(slice.Upper, most)
	if step < 0 {
		from, to = bound(slice.Lower, most), bound(slice.Upper, least)
	}
	var part []rune
	for i := from; step > 0 && i < to || step < 0 && i > to; i += step {
		part = append(part, all[i])
	}
	return string(part), known
}

// numeral is a number as it is written; the other one where nothing is.
func numeral(e python.Expr, otherwise int) (int, bool) {
	sign := 1
	if minus, is := e.(*python.UnaryOp); is && minus.Op == python.USub {
		sign, e = -1, minus.Operand
	}
	switch e := e.(type) {
	case nil:
		return otherwise, sign > 0
	case *python.Constant:
		if e.Kind == python.Int {
			n, err := strconv.Atoi(e.Text)
			return sign * n, err == nil && n < 1<<30
		}
	}
	return 0, false
}

// part is a slice of a value.
func (in *reader) part(v code.Value) code.Value {
	var out code.Union
	for _, s := range v {
		switch {
		case s.Kind == code.Object && (s.Type == "str" || s.Type == "bytes"):
			out.Add(code.Of(s.Type))
		case s.Kind == code.Object && s.Box != nil:
			out.Add(in.list(s.Type, s.Box, s.Box.Any))
		default:
			out.Add(in.member(code.Value{s}, nil))
		}
	}
	return out.Value()
}

// member is v[key]; a nil key stands for any.
func (in *reader) member(v, key code.Value) code.Value {
	var out code.Union
	for i := range v {
		s := &v[i]
		switch {
		case s.Kind == code.Project, s.Kind == code.Unknown:
			out.Add(code.Value{*s})
		case s.Kind == code.Member:
			if in.find(s.Type).Kind == code.Class {
				out.Add(code.Value{*s}) // list[str]
			} else if in.find(s.Type).Kind != code.Asked {
				out.Add(in.unknown(s.Type + "[...]"))
			}
		case s.Kind == code.Defined:
			out.Add(in.ownMember(s, key))
		case s.Box != nil:
			out.Add(in.held(s.Box, key))
		case s.Kind == code.Object && s.Type == "os._Environ" && len(key) == 0:
			in.environment()
			out.Add(code.Of("str"))
		default:
			out.Add(in.dunder(s, "__getitem__", key))
		}
	}
	return out.Value()
}

// held is what a container holds under a key.
func (in *reader) held(b *code.Box, key code.Value) code.Value {
	if !b.Exact {
		return b.Any
	}
	if text, ok := key.Const("int"); ok && b.Keys == nil {
		n, err := strconv.Atoi(text)
		if n < 0 {
			n += len(b.Items)
		}
		if err != nil || n < 0 || n >= len(b.Items) {
			return nil
		}
		return b.Items[n]
	}
	if text, ok := key.Const("str"); ok && b.Keys != nil {
		var found code.Value
		for i, k := range b.Keys {
			if name, known := k.Const("str"); !known {
				return b.Any
			} else if name == text {
				found = b.Items[i]
			}
		}
		return found
	}
	return b.Any
}

// items is what going through a value gives.
func (in *reader) items(v code.Value) code.Value {
	var out code.Union
	for i := range v {
		s := &v[i]
		switch {
		case s.Kind == code.Project, s.Kind == code.Unknown:
			out.Add(code.Value{*s})
		case s.Kind == code.Member:
			out.Add(in.unknown("going through " + s.Type))
		case s.Kind == code.Defined:
			out.Add(in.ownItems(s))
		case s.Box != nil && s.Type == "dict":
			out.Add(s.Box.Key)
		case s.Box != nil:
			out.Add(s.Box.Any)
		default:
			out.Add(in.dunder(s, "__iter__", nil))
		}
	}
	return out.Value()
}

// keys is what a mapping has as keys.
func (in *reader) keys(v code.Value) code.Value { return in.items(v) }

// dunder is what an object of a type that facts know gives for a question that the
// language asks it by itself.
func (in *reader) dunder(s *code.Shape, name string, arg code.Value) code.Value {
	if s.Type == "none" {
		return nil // fails
	}
	if s.Type == "plain" {
		return code.Join(code.Plain(), in.looseDunder(name, arg))
	}
	e := in.typeEntry(s.Type, name)
	switch e.Kind {
	case code.Constant:
		return in.valueOf(e.Type, s, e.Name)
	case code.Function:
		return in.callFact(e, code.Value{*s}, arguments{positional: []code.Value{arg}}, s)
	}
	if isBuiltin(s.Type) {
		return nil // fails
	}
	return in.unknown(s.Type + "." + name)
}

// looseDunder asks what was put among plain data.
func (in *reader) looseDunder(name string, arg code.Value) (out code.Value) {
	for i := range in.loose {
		switch s := &in.loose[i]; {
		case s.Kind == code.Project:
			out = code.Join(out, project)
		case s.Kind == code.Object && in.typeEntry(s.Type, name).Kind != code.Nothing:
			out = code.Join(out, in.dunder(s, name, arg))
		case s.Kind == code.Defined && in.hasOwn(s, name):
			out = code.Join(out, in.callDunder(s, name, arg))
		}
	}
	return out
}

package python

import "github.com/bashgate/bashgate/internal/code"

// This file holds what await, async with and async for ask of objects. The body of an
// async function may run at any time from its call on, as that of a generator (isLate):
// where it is awaited, or between any two steps of others.

// awaited is await v: what the body of an async function returns, or what facts say.
func (in *reader) awaited(v code.Value) code.Value { return in.answers(v, "__await__", false) }

// enterLater is what async with gives for a context.
func (in *reader) enterLater(v code.Value) code.Value {
	var out code.Union
	for i := range v {
		if v[i].Type == "async_generator" { // contextlib has made it a context
			out.Add(v[i].Box.Any)
		} else {
			out.Add(in.answers(v[i:i+1], "__aenter__", true))
		}
	}
	return out.Value()
}

// goesLater is what async for goes through, as something that for goes through.
func (in *reader) goesLater(v code.Value, at any) code.Value {
	var out code.Union
	for i := range v {
		if v[i].Box != nil {
			out.Add(v[i].Box.Any)
			continue
		}
		over := in.answers(v[i:i+1], "__aiter__", false)
		for k := range over {
			if over[k].Box != nil {
				out.Add(over[k].Box.Any)
			} else {
				out.Add(in.answers(over[k:k+1], "__anext__", true))
			}
		}
	}
	return in.list("iterator", at, out.Value())
}

// answers is what an object gives for a special method without arguments; awaited, if the
// language does that, too. Facts say what comes of it then.
func (in *reader) answers(v code.Value, name string, awaits bool) code.Value {
	var out code.Union
	for i := range v {
		s := &v[i]
		switch {
		case s.Kind == code.Project, s.Kind == code.Unknown:
			out.Add(code.Value{*s})
		case s.Kind == code.Member:
			out.Add(in.unknown(s.Type + "." + name))
		case s.Kind == code.Defined && awaits:
			out.Add(in.awaited(in.callDunder(s, name)))
		case s.Kind == code.Defined:
			out.Add(in.callDunder(s, name))
		case s.Type == "plain":
			out.Add(code.Plain())
			out.Add(in.answers(in.having(name), name, awaits))
		default:
			out.Add(in.dunder(s, name, nil))
		}
	}
	return out.Value()
}

// having is what was put among plain data and has a special method.
func (in *reader) having(name string) (v code.Value) {
	for _, s := range in.loose {
		switch {
		case s.Kind == code.Object && (s.Type == "plain" || in.typeEntry(s.Type, name).Kind == code.Nothing):
		case s.Kind == code.Defined && !in.hasOwn(&s, name):
		default:
			v = append(v, s)
		}
	}
	return v
}

package javascript

import (
	"strings"

	"github.com/bashgate/bashgate/internal/code"
)

// special calls what facts have no words for: what loads modules, puts texts
// together, and goes through functions.
func (in *reader) special(s *code.Shape, args arguments) (code.Value, bool) {
	if name, ok := pathFunction(s.Type); ok {
		return in.ofPaths(name, args)
	}
	switch s.Type {
	case "require", "node:process.getBuiltinModule", "process.getBuiltinModule":
		return in.loadValue(args.arg(0)), true
	case "resolve":
		if s.Self != nil {
			for _, box := range *s.Self {
				in.put(box.Box, nil, args.arg(0))
			}
		}
		return code.Of("none"), true
	case "Function.call", "Function.apply", "Function.bind":
		return in.functionMethod(s, args), true
	case "String":
		in.escape(args.arg(0))
		if !args.open && len(args.positional) == 1 {
			return textOf(args.arg(0)), true
		}
	case "Object.keys", "Object.getOwnPropertyNames", "Object.entries":
		return in.keysOf(s.Type, args)
	case "str.concat":
		if s.Self != nil && !args.open {
			out := *s.Self
			for _, v := range args.positional {
				in.escape(v)
				out = in.behind(textOf(out), textOf(v))
			}
			return out, true
		}
	case "Object.assign":
		in.assigned(args)
		return args.arg(0), true
	case "list.sort", "list.toSorted", "list.reverse", "list.toReversed", "list.pop", "list.shift",
		"list.fill", "list.splice", "list.toSpliced", "list.copyWithin", "list.with":
		in.reordered(s, args)
	case "list.push", "list.unshift":
		return in.grow(s, args), true
	case "list.join":
		return in.joined(s, args), true
	case "list.concat":
		return in.concatenated(s, args), true
	case "node:util.promisify":
		return in.promisify(args.arg(0)), true
	case "URL":
		in.escape(args.arg(0))
		if !args.open && len(args.positional) == 1 {
			var out code.Value
			for _, one := range args.positional[0] {
				out = code.Join(out, code.Value{{Type: "URL", Word: one.Word, Made: one.Made}})
			}
			return out, true
		}
	}
	return nil, false
}

// promisify is what util.promisify makes of functions.
func (in *reader) promisify(v code.Value) (out code.Value) {
	for _, s := range v {
		if full, ok := in.promisified(s.Type); s.Kind == code.Member && ok {
			s.Type = full
		}
		out = code.Join(out, code.Value{s})
	}
	return out
}

// functionMethod is f.call, f.apply and f.bind.
func (in *reader) functionMethod(s *code.Shape, args arguments) code.Value {
	fn, this := *s.Self, args.arg(0)
	if len(this) == 0 {
		this = code.Of("none")
	}
	switch s.Type {
	case "Function.call":
		if len(args.positional) > 0 {
			args.positional = args.positional[1:]
		}
		return in.callValue(fn, args, this)
	case "Function.apply":
		list := args.arg(1)
		inner := arguments{at: args.at}
		if items, ok := in.exactItems(list); ok {
			inner.positional = items
		} else {
			inner.open, inner.more = true, in.items(list)
		}
		return in.callValue(fn, inner, this)
	}
	// A bound one may be called any time.
	in.callValue(fn, arguments{open: true, more: code.Plain(), at: args.at}, this)
	in.escape(fn)
	return fn
}

// assigned is Object.assign.
func (in *reader) assigned(args arguments) {
	from := args.more
	if len(args.positional) > 1 {
		for _, v := range args.positional[1:] {
			from = code.Join(from, v)
		}
	}
	for _, s := range args.arg(0) {
		switch {
		case s.Kind == code.Object && s.Type == "dict" && s.Box != nil:
			in.spread(s.Box, from)
		case s.Kind == code.Object && isData(s.Type) && s.Box == nil:
			in.escape(from)
		default:
			in.escape(from)
			in.unknown("Object.assign to what is no table")
		}
	}
}

// reordered notes that a list holds the same, or more, in another order.
func (in *reader) reordered(s *code.Shape, args arguments) {
	if s.Self == nil {
		return
	}
	for _, self := range *s.Self {
		if self.Box == nil {
			continue
		}
		in.inexact(self.Box)
		for _, a := range args.all() {
			for _, one := range a {
				if _, is := one.Own.(*function); !is || !strings.HasSuffix(s.Type, "ort") && !strings.HasSuffix(s.Type, "orted") {
					in.put(self.Box, nil, code.Value{one})
				}
			}
		}
	}
}

// grow is push and unshift.
func (in *reader) grow(s *code.Shape, args arguments) code.Value {
	for _, self := range *s.Self {
		if self.Box == nil {
			for _, a := range args.all() {
				in.escape(a)
			}
			continue
		}
		in.inexact(self.Box)
		for _, a := range args.all() {
			in.put(self.Box, nil, a)
		}
	}
	return code.Of("number")
}

// joined is join.
func (in *reader) joined(s *code.Shape, args arguments) code.Value {
	separator := ","
	if len(args.positional) > 0 {
		text, ok := args.arg(0).Const("str")
		if !ok {
			return ofKind("str", isOwn(*s.Self) && isOwn(args.arg(0)))
		}
		separator = text
	}
	items, ok := in.exactItems(*s.Self)
	if !ok || len(items) > 64 {
		own := false
		for _, self := range *s.Self {
			in.opens(code.Value{self})
			in.cut = in.cut || code.Climbs(separator) || mayClimb(in.items(code.Value{self}))
			own = own || self.Box == nil && self.Made || self.Box != nil && joinedOwn(self.Box.Any)
		}
		return ofKind("str", own)
	}
	out := literal("str", "")
	for i, item := range items {
		in.opens(item)
		if i > 0 {
			out = in.behind(out, literal("str", separator))
		}
		out = in.behind(out, textOf(item))
	}
	return out
}

// concatenated is concat of lists.
func (in *reader) concatenated(s *code.Shape, args arguments) code.Value {
	var all []code.Value
	exact := !args.open
	for _, v := range append([]code.Value{*s.Self}, args.all()...) {
		if items, ok := in.exactItems(v); ok {
			all = append(all, items...)
			continue
		}
		for i := range v {
			exact = false
			if v[i].Type == "list" || v[i].Type == "plain" {
				all = append(all, in.items(code.Value{v[i]}))
			} else {
				all = append(all, code.Value{v[i]})
			}
		}
	}
	return in.exactList(args.at, all, exact)
}

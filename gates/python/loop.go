package python

import (
	"strconv"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
	"github.com/bashgate/bashgate/policy"
)

// This file holds what loops go through that is made of known items.

// goesThrough is what range, enumerate, zip and copies of lists give. What comes of the
// first three is known item by item only where it is made: later some may be taken.
func (in *reader) goesThrough(name string, args arguments) (code.Value, bool) {
	switch name {
	case "range":
		return in.numbers(args)
	case "enumerate":
		start, over := 0, args.written(0)
		for _, n := range args.named {
			args.positional = append(args.positional[:len(args.positional):len(args.positional)], n.value)
		}
		if len(args.positional) == 2 {
			n, known := whole(args.positional[1])
			if !known {
				return nil, false
			}
			start = n
		}
		if len(args.positional) == 0 {
			return nil, false
		}
		list, exact := in.turns(args.positional[0], over)
		if !exact {
			return nil, false
		}
		rows := make([]code.Value, len(list))
		for i, item := range list {
			rows[i] = in.row(args.at, i, []code.Value{code.Number(start + i), item})
		}
		return in.container("iterator", args.at, nil, rows, true), true
	case "zip":
		if len(args.named) > 0 {
			return nil, false
		}
		var rows []code.Value
		columns, exact := make([][]code.Value, len(args.positional)), len(args.positional) > 0
		for i, p := range args.positional {
			list, ok := in.turns(p, args.written(i))
			columns[i], exact = list, exact && ok
		}
		for n := 0; exact; n++ {
			row := make([]code.Value, 0, len(columns))
			for _, list := range columns {
				if n < len(list) {
					row = append(row, list[n])
				}
			}
			if len(row) < len(columns) {
				return in.container("iterator", args.at, nil, rows, true), true
			}
			rows = append(rows, in.row(args.at, n, row))
		}
		items := make([]code.Value, len(args.positional))
		for i, p := range args.positional {
			items[i] = in.items(p)
		}
		return in.list("iterator", args.at, in.row(args.at, -1, items)), true
	case "list", "tuple", "sorted", "reversed":
		return in.copied(name, args)
	}
	return nil, false
}

// row is a tuple of what is gone through.
func (in *reader) row(at any, i int, items []code.Value) code.Value {
	return in.container("tuple", site{at, i, "row"}, nil, items, true)
}

// numbers is range of few numbers.
func (in *reader) numbers(args arguments) (code.Value, bool) {
	from, to, step := 0, 0, 1
	bounds := make([]int, len(args.positional))
	for i, p := range args.positional {
		n, known := whole(p)
		if !known {
			return nil, false
		}
		bounds[i] = n
	}
	switch len(bounds) {
	case 1:
		to = bounds[0]
	case 2:
		from, to = bounds[0], bounds[1]
	case 3:
		from, to, step = bounds[0], bounds[1], bounds[2]
	default:
		return nil, false
	}
	var list []code.Value
	for n := from; step > 0 && n < to || step < 0 && n > to; n += step {
		if len(list) == maxUnrolled {
			return nil, false
		}
		list = append(list, code.Number(n))
	}
	return in.container("iterator", args.at, nil, list, step != 0), true
}

// whole is a number that is known, and not too large to reckon with.
func whole(v code.Value) (int, bool) {
	text, known := v.Const("int")
	if !known {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && -1<<30 < n && n < 1<<30
}

// turns lists what going through the value of an expression gives, one by one, where each
// is known. Of an iterator that was there before, some may have been taken: what is next
// then goes with another item of a list than the text shows.
func (in *reader) turns(v code.Value, e python.Expr) ([]code.Value, bool) {
	if len(v) == 1 && v[0].Box != nil && v[0].Box.Exact && v[0].Type == "iterator" {
		return v[0].Box.Items, in.untouched(e)
	}
	return in.exactItems(v)
}

// untouched reports whether nobody has taken any of the iterator that an expression gives:
// it makes it, or is the only one to name what does, where the text comes by once.
func (in *reader) untouched(e python.Expr) bool {
	switch e := e.(type) {
	case *python.GeneratorExp:
		return true
	case *python.Call:
		full, ok := in.sight.dotted(e.Func)
		return ok && handsOver(full)
	case *python.Name:
		values, once := in.sight.bindings[e.ID], in.scope == in.module && in.maybe == 0 && in.way == 0
		return once && len(values) == 1 && in.sight.loads[e.ID] == 1 && in.untouched(values[0])
	}
	return false
}

// written is what a call passes at a place, where it stands there in the text; nil where
// it does not.
func (a *arguments) written(i int) python.Expr {
	if a.call == nil || i >= len(a.positional) || len(a.call.Args) != len(a.positional) || hasStar(a.call.Args) {
		return nil
	}
	return a.call.Args[i]
}

// maxTurns is how often a place is followed by loops in each other that go through known
// items one by one.
const maxTurns = 256

// unroll goes through the items of an expression's value one by one, where these are known
// and few. It reports false where they are not.
func (in *reader) unroll(over code.Value, e python.Expr, at any, each func(item code.Value)) bool {
	items, known := in.turns(over, e)
	if !known || len(items) > maxUnrolled || len(items) > 1 && in.around*len(items) > maxTurns {
		return false
	}
	way, around := in.way, in.around
	in.around *= max(len(items), 1)
	for i, item := range items {
		if in.dead {
			break
		}
		in.way = in.turn(at, way, i)
		each(item)
	}
	in.way, in.around = way, around
	return true
}

// handsOver reports whether what a function is given has nobody but who has what it gives.
func handsOver(name string) bool {
	switch name {
	case "range", "enumerate", "zip", "sorted", "reversed", "list", "tuple":
		return true
	}
	return false
}

// copied is a new list of the items of a value; sorted, of which nobody knows the order.
func (in *reader) copied(name string, args arguments) (code.Value, bool) {
	if len(args.positional) != 1 {
		return nil, false
	}
	v := args.positional[0]
	items := in.items(v)
	switch name {
	case "sorted":
		if mayRun(items) {
			return nil, false
		}
		return in.list("list", args.at, items), true
	case "reversed":
		return in.list("iterator", args.at, items), true
	}
	if list, exact := in.turns(v, args.written(0)); exact {
		return in.container(name, args.at, nil, list, true), true
	}
	return in.list(name, args.at, items), true
}

// numeralOf is a text that a number is written as: it names no directory.
func numeralOf(kind string) code.Value {
	shape := policy.ShapeNumber
	if kind != "int" {
		shape = policy.ShapeAny // 1e-05, True
	}
	return code.OfWord("str", policy.Word{Parts: []policy.Part{{Kind: policy.Hole, Text: "...", Shape: shape, Match: "*"}}})
}

package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
)

// This file tells where texts come from that are put together, and what the tree shows to be a
// number or a list.

// operator is what an operator makes of two values.
func (o *origins) operator(e *python.BinOp) source {
	left, right := o.from(e.Left), o.from(e.Right)
	switch {
	case o.isNumber(e, 0):
		return given
	case e.Op == python.Div: // of paths
		return together(joined, left, right)
	case e.Op == python.Mod && isPlainFormat(e.Left):
		return together(joined, left, right)
	case e.Op == python.Mod:
		return together(made, left, right)
	case e.Op != python.Add: // numbers, items of sets, or a text several times, of which it is one
		return together(given, left, right)
	case o.isList(e.Left, 0) || o.isList(e.Right, 0):
		return o.held(e.Left, e.Right)
	}
	return together(joined, left, right)
}

// counts reports whether an expression puts nothing but whole numbers into a text, whatever
// it is given: 'net-%d' % n.
func counts(e python.Expr) bool {
	b, is := e.(*python.BinOp)
	if !is || b.Op != python.Mod || !isPlainFormat(b.Left) {
		return false
	}
	text := b.Left.(*python.Constant).Text
	return strings.Count(text, "%") == strings.Count(text, "%d")+strings.Count(text, "%i")
}

// isPlainFormat reports whether a format puts texts and numbers into another text, as they are.
func isPlainFormat(e python.Expr) bool {
	c, is := e.(*python.Constant)
	if !is || c.Kind != python.Str {
		return false
	}
	for _, field := range strings.Split(c.Text, "%")[1:] {
		field = strings.TrimLeft(field, "0123456789")
		if field == "" || field[0] != 's' && field[0] != 'd' && field[0] != 'i' {
			return false
		}
	}
	return true
}

// isNumber reports whether the tree shows that a value is a number.
func (o *origins) isNumber(e python.Expr, depth int) bool {
	if depth++; depth > maxSure {
		return false
	}
	switch e := e.(type) {
	case *python.Constant:
		return e.Kind == python.Int || e.Kind == python.Float
	case *python.BinOp:
		left, right := o.isNumber(e.Left, depth), o.isNumber(e.Right, depth)
		switch e.Op {
		case python.Add, python.Sub, python.Div, python.Pow: // with anything else they fail
			return left && right || (left || right) && !o.hasOperators()
		}
		return left && right
	case *python.Name:
		known, met := o.number[e.ID]
		if met {
			return known
		}
		o.number[e.ID] = false // where it depends on itself
		list := o.s.into[e.ID]
		known = len(list) > 0 && !slices.ContainsFunc(list, func(v python.Expr) bool {
			if b, is := v.(*python.BinOp); is { // i += 1
				if n, is := b.Left.(*python.Name); is && n.ID == e.ID {
					return !o.isNumber(b.Right, depth)
				}
			}
			return v == nil || !o.isNumber(v, depth)
		})
		o.number[e.ID] = known
		return known
	case *part:
		c, is := e.Expr.(*python.Call)
		if !is {
			return false
		}
		full, ok := o.s.dotted(c.Func)
		return ok && (full == "range" && e.at < 0 || full == "enumerate" && e.at == 0)
	case *python.Call:
		if full, ok := o.s.dotted(e.Func); ok {
			if full == "str" {
				return len(e.Args) == 1 && o.isNumber(e.Args[0], depth)
			}
			return o.givesNumber(full, e, depth)
		}
		a, is := e.Func.(*python.Attribute)
		if !is {
			return false
		}
		switch a.Attr {
		case "zfill":
			return o.isNumber(a.Value, depth)
		case "isoformat", "hexdigest":
			return true
		case "strftime":
			if len(e.Args) != 1 || len(e.Keywords) > 0 {
				return false
			}
			c, is := e.Args[0].(*python.Constant)
			return is && datesOnly(c.Text)
		}
	}
	return false
}

// hasOperators reports whether classes of the text say what operators mean.
func (o *origins) hasOperators() bool {
	return slices.ContainsFunc(o.special, func(name string) bool {
		return slices.ContainsFunc([]string{"add", "sub", "truediv", "pow"}, func(op string) bool { return strings.HasSuffix(name, op+"__") })
	})
}

// givesNumber reports whether facts say that a function gives a number, if it is given
// numbers where that matters.
func (o *origins) givesNumber(full string, c *python.Call, depth int) bool {
	e := o.s.in.find(full)
	return len(e.Calls) > 0 && !slices.ContainsFunc(e.Calls, func(sig code.Signature) bool {
		if len(sig.Result) != 1 || !isNumber(sig.Result[0].Name) {
			return true
		}
		return sig.Result[0].Of != nil && slices.ContainsFunc(c.Args, func(a python.Expr) bool { return !o.ofNumbers(a, depth) })
	})
}

// ofNumbers reports whether the tree shows that a value is a number, or is made of nothing else.
func (o *origins) ofNumbers(e python.Expr, depth int) bool {
	switch e := e.(type) {
	case *python.ListComp:
		return o.isNumber(e.Elt, depth)
	case *python.GeneratorExp:
		return o.isNumber(e.Elt, depth)
	case *python.List, *python.Tuple:
		return !slices.ContainsFunc(elements(e), func(e python.Expr) bool { return !o.isNumber(e, depth) })
	}
	return o.isNumber(e, depth)
}

// text is where what an f-string gives comes from.
func (o *origins) text(e *python.JoinedStr) source {
	parts := []source{given}
	for _, v := range e.Values {
		if f, is := v.(*python.FormattedValue); !is || !(o.isNumber(f.Value, 0) && isDigits(f.FormatSpec)) && !isDate(f.FormatSpec) { // of these no name is made
			parts = append(parts, o.from(v))
		}
	}
	return together(joined, parts...)
}

// isApart reports whether a text is put together of others with signs between them that stand in
// no name, so that no name is made of several.
func isApart(c *python.Call) bool {
	a, is := c.Func.(*python.Attribute)
	if !is || a.Attr != "join" || len(c.Args) != 1 {
		return false
	}
	if between, is := a.Value.(*python.Constant); !is || strings.ContainsAny(between.Text, noName) {
		return is
	}
	var each python.Expr
	switch e := c.Args[0].(type) {
	case *python.GeneratorExp:
		each = e.Elt
	case *python.ListComp:
		each = e.Elt
	}
	text, is := each.(*python.JoinedStr)
	return is && slices.ContainsFunc(text.Values, func(e python.Expr) bool {
		c, is := e.(*python.Constant)
		return is && strings.ContainsAny(c.Text, noName)
	})
}

// noName are signs that stand between names.
const noName = " \t\n,;|&<>"

// isDigits reports whether a format gives a number in the digits of 10: others are letters, and
// so may be what it fills with.
func isDigits(spec *python.JoinedStr) bool {
	if spec == nil || len(spec.Values) == 0 {
		return true
	}
	c, is := spec.Values[0].(*python.Constant)
	return is && len(spec.Values) == 1 && strings.Trim(c.Text, decimal) == ""
}

// decimal are the signs of formats that give numbers in the digits of 10.
const decimal = "0123456789<>+-, .dfFeEgG%"

// givesNumbers reports whether a function gives a list of numbers, or what goes through such.
func givesNumbers(e *code.Entry) bool {
	return len(e.Calls) > 0 && !slices.ContainsFunc(e.Calls, func(sig code.Signature) bool {
		return len(sig.Result) != 1 || len(sig.Result[0].Of) != 1 || !isNumber(sig.Result[0].Of[0].Name)
	})
}

// isDate reports whether a format gives the numbers of a date.
func isDate(spec *python.JoinedStr) bool {
	if spec == nil || len(spec.Values) != 1 {
		return false
	}
	c, is := spec.Values[0].(*python.Constant)
	return is && datesOnly(c.Text)
}

// datesOnly reports whether a format of strftime gives numbers and what stands between them.
func datesOnly(format string) bool {
	for i, field := range strings.Split(format, "%") {
		if i > 0 {
			if field == "" || !strings.Contains("YmdHMSjyfUWuw", field[:1]) {
				return false
			}
			field = field[1:]
		}
		if strings.Trim(field, "-_: T") != "" {
			return false
		}
	}
	return true
}

// isList reports whether the tree shows that a value is a list.
func (o *origins) isList(e python.Expr, depth int) bool {
	if depth++; depth > maxSure {
		return false
	}
	switch e := e.(type) {
	case *python.List, *python.Tuple, *python.Set, *python.Dict, *python.ListComp, *python.SetComp, *python.DictComp, *python.GeneratorExp:
		return true
	case *python.Starred:
		return o.isList(e.Value, depth)
	case *python.UnaryOp: // which is put into a container
		return true
	case *python.BinOp:
		return e.Op == python.Add && (o.isList(e.Left, depth) || o.isList(e.Right, depth))
	case *part:
		return o.holdsLists(e, depth)
	case *taken:
		return e.rest
	case *python.Subscript:
		_, part := e.Slice.(*python.Slice)
		return part && o.isList(e.Value, depth)
	case *python.Name:
		return o.isListName(e.ID, depth)
	case *python.Attribute:
		if full, ok := o.s.dotted(e); ok {
			return full == "sys.argv"
		}
		return o.isListName("."+e.Attr, depth)
	case *python.Call:
		if full, ok := o.s.dotted(e.Func); ok && !o.s.functions[full] {
			switch full[strings.LastIndexByte(full, '.')+1:] {
			case "dict", "reader", "DictReader", "parse_args":
				return true
			case "list", "tuple", "set", "sorted", "reversed", "iter", "enumerate", "filter", "chain", "islice", "cycle", "deque", "choices", "sample", "zip", "Counter", "product", "permutations", "combinations", "zip_longest", "pairwise":
				return !slices.ContainsFunc(e.Args, func(a python.Expr) bool {
					_, signs := a.(*python.Constant)
					return !signs && !o.isList(a, depth)
				})
			}
			return false
		}
		a, is := e.Func.(*python.Attribute)
		if !is {
			return false
		}
		switch a.Attr {
		case "split", "rsplit", "splitlines", "readlines", "items", "keys", "values", "partition", "rpartition":
			return true
		case "copy":
			return o.isList(a.Value, depth)
		}
	}
	return false
}

// isListName reports whether all that flows into a name is a list.
func (o *origins) isListName(name string, depth int) bool {
	known, met := o.list[name]
	if met {
		return known
	}
	o.list[name] = false // where it depends on itself
	list := o.s.into[name]
	known = len(list) > 0 && !slices.ContainsFunc(list, func(e python.Expr) bool { return e == nil || !o.isList(e, depth) })
	o.list[name] = known
	return known
}

// holdsLists reports whether the tree shows that what a loop gives a name is a list.
func (o *origins) holdsLists(p *part, depth int) bool {
	of := p.Expr
	if name, is := of.(*python.Name); is && len(o.s.into[name.ID]) == 1 {
		of = o.s.into[name.ID][0]
	}
	if c, is := of.(*python.Call); is && p.at < 0 {
		name := calledMethod(c)
		if full, ok := o.s.dotted(c.Func); ok {
			name = full[strings.LastIndexByte(full, '.')+1:]
		}
		switch name {
		case "reader", "DictReader", "items", "zip", "enumerate", "product", "permutations", "combinations", "zip_longest", "pairwise":
			return true
		}
	}
	list := elements(of)
	if p.at >= 0 || len(list) == 0 {
		return false
	}
	return !slices.ContainsFunc(list, func(e python.Expr) bool { return !o.isList(e, depth) })
}

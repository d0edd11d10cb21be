package python

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
	"github.com/bashgate/bashgate/policy"
)

// eval follows an expression and tells what it may be.
func (in *reader) eval(e python.Expr) code.Value {
	if e == nil || in.dead || !in.step() {
		return nil
	}
	if in.depth++; in.depth > 20*maxDepth {
		in.depth--
		return in.unknown("an expression that is nested too deeply")
	}
	line := in.line
	in.line = int(e.Pos().Line)
	v := in.expression(e)
	if in.sight.foreign && makes(e) {
		in.made(e, v)
	}
	in.depth, in.line = in.depth-1, line
	switch e.(type) {
	case *python.BinOp, *python.JoinedStr, *python.Call, *python.Subscript:
		in.compose(e, v)
	}
	return v
}

// composed are the texts that an expression has put together.
type composed struct {
	words []policy.Word
	lost  bool // there may be others
}

// maxComposed is how many texts of one expression are kept.
const maxComposed = 256

// compose notes a text that an expression puts together.
func (in *reader) compose(e python.Expr, v code.Value) {
	isText := func(s code.Shape) bool {
		return s.Kind == code.Object && (isString(s.Type) || isPathType(s.Type) || s.Type == "plain")
	}
	if !slices.ContainsFunc(v, isText) {
		return
	}
	c := in.composed[e]
	if c == nil {
		if in.composed == nil {
			in.composed = map[python.Expr]*composed{}
		}
		c = &composed{}
		in.composed[e] = c
	}
	for i := range v {
		s := &v[i]
		switch {
		case c.lost:
			return
		case s.Kind == code.Object && !isText(*s):
		case s.Kind != code.Object || s.Word == nil || len(c.words) == maxComposed:
			c.lost, c.words = true, nil
		case !slices.ContainsFunc(c.words, func(o policy.Word) bool { return o.Text == s.Word.Text && slices.Equal(o.Parts, s.Word.Parts) }):
			c.words = append(c.words, *s.Word)
		}
	}
}

func (in *reader) expression(e python.Expr) code.Value {
	switch e := e.(type) {
	case *python.Constant:
		return in.constant(e)
	case *python.Name:
		return in.lookup(e.ID)
	case *python.JoinedStr:
		return in.joined(e)
	case *python.Attribute:
		v := in.eval(e.Value)
		if (e.Attr == "query" || e.Attr == "load") && in.sight.isValue(e) {
			in.handsOn(e.Attr, v)
		}
		if e.Attr == "__dict__" && in.sight.isListed(e) {
			return in.listing(v)
		}
		if in.isGuest(e) {
			return code.Join(code.Plain(), in.attribute(in.fellows(v), e.Attr))
		}
		return in.attribute(v, e.Attr)
	case *python.Call:
		return in.callExpr(e)
	case *python.Subscript:
		return in.subscript(e)
	case *python.BinOp:
		left, right := in.eval(e.Left), in.eval(e.Right)
		in.handsPart(left, right, e.Right)
		in.handsPart(right, left, e.Left)
		return in.operate(e.Op, left, right, e)
	case *python.BoolOp:
		return in.boolean(e)
	case *python.UnaryOp:
		v := in.eval(e.Operand)
		if e.Op == python.Not {
			return code.Of("bool")
		}
		if text, ok := v.Const("int"); ok && e.Op == python.USub {
			if text == "0" {
				return v
			}
			if less, negative := strings.CutPrefix(text, "-"); negative {
				return code.Const("int", less)
			}
			return code.Const("int", "-"+text)
		}
		return in.operate(e.Op, v, v, e)
	case *python.Compare:
		return in.compare(e)
	case *python.IfExp:
		in.eval(e.Test)
		var a, b code.Value
		in.branches(func() { a = in.eval(e.Body) }, func() { b = in.eval(e.Orelse) })
		return either(a, b)
	case *python.NamedExpr:
		v := in.eval(e.Value)
		s := in.scope
		for s.kind == inlineScope {
			s = s.parent
		}
		if o := s.outer[e.Target.ID]; o != nil {
			s = o
		}
		in.assign(s, e.Target.ID, v)
		return v
	case *python.List:
		return in.display("list", e, e.Elts)
	case *python.Tuple:
		return in.display("tuple", e, e.Elts)
	case *python.Set:
		return in.display("set", e, e.Elts)
	case *python.Dict:
		return in.dict(e)
	case *python.ListComp:
		return in.comprehension("list", e, e.Generators, nil, e.Elt)
	case *python.SetComp:
		return in.comprehension("set", e, e.Generators, nil, e.Elt)
	case *python.DictComp:
		return in.comprehension("dict", e, e.Generators, e.Key, e.Value)
	case *python.GeneratorExp:
		in.deferExpression(e)
		return in.comprehension("iterator", e, e.Generators, nil, e.Elt)
	case *python.Lambda:
		return in.lambda(e)
	case *python.Starred:
		return in.items(in.eval(e.Value))
	case *python.Await:
		return in.awaited(in.eval(e.Value))
	case *python.Yield:
		v := code.Value{{Type: "none"}}
		if e.Value != nil {
			v = in.eval(e.Value)
		}
		in.yields(v)
		return code.Plain()
	case *python.YieldFrom:
		in.yields(in.items(in.eval(e.Value)))
		return code.Plain()
	case *python.Slice:
		in.eval(e.Lower)
		in.eval(e.Upper)
		in.eval(e.Step)
		return code.Of("slice")
	}
	return in.unknown("an expression")
}

// comparisons are the methods that comparisons call.
var comparisons = [...]string{"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"}

// compare is a comparison: true or false, but for objects that say something else.
func (in *reader) compare(e *python.Compare) code.Value {
	out := code.Of("bool")
	if asksForName(e) {
		return out
	}
	left := in.eval(e.Left)
	for i, c := range e.Comparators {
		var right code.Value
		if i == 0 {
			right = in.eval(c)
		} else {
			in.branches(func() { right = in.eval(c) }, func() {})
		}
		for _, side := range [...]code.Value{left, right} {
			for k := range side {
				s := &side[k]
				switch o, is := s.Own.(*instance); {
				case e.Ops[i] >= python.Is:
				case s.Kind == code.Project, s.Kind == code.Unknown:
					out = code.Join(out, code.Value{*s})
				case s.Type == "plain" && s.Kind == code.Object:
					for _, name := range comparisons {
						out = code.Join(out, in.looseDunder(name, code.Plain()))
					}
				case is:
					for _, name := range comparisons {
						if m := o.class.member(name, 0); m != nil {
							out = code.Join(out, in.callValue(m, arguments{positional: []code.Value{{*s}, code.Join(left, right)}, at: o}))
						}
					}
				}
			}
		}
		left = right
	}
	return out
}

// constant is the value of a constant. Those that look alike are one value.
func (in *reader) constant(c *python.Constant) code.Value {
	if c.Unknown {
		return code.Of("str")
	}
	v, known := in.constants[c.Kind][c.Text]
	if !known {
		if in.constants[c.Kind] == nil {
			in.constants[c.Kind] = map[string]code.Value{}
		}
		v = constantOf(c)
		in.constants[c.Kind][c.Text] = v
	}
	return v
}

func constantOf(c *python.Constant) code.Value {
	switch c.Kind {
	case python.None:
		return code.Of("none")
	case python.True:
		return code.Const("bool", "True")
	case python.False:
		return code.Const("bool", "False")
	case python.Str:
		return code.Const("str", c.Text)
	case python.Bytes:
		return code.Const("bytes", c.Text)
	case python.Int:
		if strings.HasPrefix(c.Text, "0") && c.Text != "0" { // 0x10 is 16 where it is made a text
			return code.Of("int")
		}
		return code.Const("int", c.Text)
	case python.Float, python.Complex:
		return code.Const("float", c.Text)
	}
	return code.Of("ellipsis")
}

// noText is the text that is empty.
var noText = code.Value{{Type: "str", Word: &policy.Word{}}}

// joined is an f-string.
func (in *reader) joined(e *python.JoinedStr) code.Value {
	texts := make([]code.Value, 0, len(e.Values)+1)
	for i, part := range e.Values {
		var piece code.Value
		switch part := part.(type) {
		case *python.FormattedValue:
			piece = in.eval(part.Value)
			in.show(piece)
			plain := part.Conversion == 0
			if spec := part.FormatSpec; spec != nil {
				in.handsPart(piece, in.joined(spec), spec)
				plain = plain && len(spec.Values) == 0
				if len(spec.Values) > 0 { // which may fill with any sign
					formatted, ok := formattedNumber(piece, spec)
					if !ok || part.Conversion != 0 {
						formatted = code.Of("str")
					}
					if i == 0 {
						texts = append(texts, noText)
					}
					texts = append(texts, formatted)
					continue
				}
			}
			piece = textOf(piece, plain)
		default:
			piece = in.eval(part)
		}
		if i == 0 && !isKnownText(piece) {
			texts = append(texts, noText)
		}
		texts = append(texts, piece)
	}
	if len(texts) == 0 {
		return noText
	}
	return concat(texts...)
}

// isKnownText reports whether something is known of each text that a value may be, and is
// no longer than what is kept of texts that are put together.
func isKnownText(v code.Value) bool {
	return len(v) > 0 && !slices.ContainsFunc(v, func(s code.Shape) bool { return s.Type != "str" || s.Word == nil || len(s.Word.Text) > code.MaxText })
}

// formattedNumber is a number by a format that is written there, :03d or :.2f.
func formattedNumber(v code.Value, spec *python.JoinedStr) (out code.Value, ok bool) {
	if len(spec.Values) != 1 || len(v) == 0 {
		return nil, false
	}
	c, is := spec.Values[0].(*python.Constant)
	if !is {
		return nil, false
	}
	return numberBy(v, c.Text)
}

// numberBy is a number by a format.
func numberBy(v code.Value, format string) (out code.Value, ok bool) {
	if len(v) == 0 || strings.Trim(format, "0123456789.+,_dxXobeEfFgG") != "" {
		return nil, false // another sign may be one to fill with
	}
	width := strings.TrimSuffix(format, "d")
	digits, err := strconv.Atoi(width)
	for _, s := range v {
		if s.Kind != code.Object || !isNumber(s.Type) {
			return nil, false
		}
		n, known := whole(code.Value{s})
		if known && n >= 0 && err == nil && digits < 20 && strings.HasPrefix(width, "0") && !strings.ContainsAny(width, "+_.") {
			out = code.Join(out, code.Const("str", fmt.Sprintf("%0*d", digits, n)))
			continue
		}
		kind := s.Type
		if !strings.HasSuffix(format, "d") {
			kind = "float"
		}
		out = code.Join(out, numeralOf(kind))
	}
	return out, true
}

// isText reports whether str of a value of a type is the text that is known of it.
func isText(name string) bool {
	switch name {
	case "str", "int", "bool", "pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath":
		return true
	}
	return false
}

func (in *reader) boolean(e *python.BoolOp) code.Value {
	v := in.eval(e.Values[0])
	for _, next := range e.Values[1:] {
		var b code.Value
		in.branches(func() { b = in.eval(next) }, func() {})
		v = either(v, b)
	}
	return v
}

// comprehension follows a comprehension.
func (in *reader) comprehension(name string, at python.Expr, generators []python.Comprehension, key, elt python.Expr) code.Value {
	outer := in.scope
	in.scope = in.scopeOf(inlineScope, at, outer)
	var keys, items []code.Value
	exact := name != "set"
	inner := in.scope
	in.scope = outer
	over := in.eval(generators[0].Iter) // names of a class are seen there, and nowhere else
	in.scope = inner
	in.maybe++
	defer func() { in.maybe-- }()
	in.generate(at, generators, over, &exact, func() {
		if key != nil {
			keys = append(keys, in.eval(key))
		}
		items = append(items, in.eval(elt))
	})
	in.scope = outer
	return in.container(name, at, keys, items, exact)
}

func (in *reader) generate(at python.Expr, generators []python.Comprehension, over code.Value, exact *bool, done func()) {
	g := &generators[0]
	if g.Async {
		over = in.goesLater(over, g)
	}
	bind := func(item code.Value) {
		in.bindIn(in.scope, g.Target, item)
		for _, test := range g.Ifs {
			in.eval(test)
			in.narrow(test, true)
		}
		if len(generators) == 1 {
			done()
			return
		}
		in.generate(at, generators[1:], in.eval(generators[1].Iter), exact, done)
	}
	turn := bind
	if in.sight.tangled { // names are set here that are known around it
		turn = func(item code.Value) { in.branches(func() { bind(item) }, func() {}) }
	}
	if len(g.Ifs) > 0 {
		*exact = false
	}
	if in.unroll(over, g.Iter, g, turn) {
		return
	}
	*exact = false
	if items := in.items(over); len(items) > 0 {
		told := in.told.news
		if turn(items); in.told.news != told {
			turn(items) // which may import what the first one wrote
		}
	}
}

// exactItems lists the items of a value that are all known.
func (in *reader) exactItems(v code.Value) ([]code.Value, bool) {
	if len(v) == 1 && v[0].Box != nil && v[0].Box.Exact && v[0].Type != "iterator" {
		if v[0].Type == "dict" {
			return v[0].Box.Keys, true
		}
		return v[0].Box.Items, true
	}
	return nil, false
}

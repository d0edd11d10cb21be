package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
	"github.com/bashgate/bashgate/policy"
)

// A text that goes through all files of a directory most often takes those that end in some
// way. Of a name that a pattern gives, what is tested at the way to a place is known there:
//
//	for f in os.listdir('.'):
//	    if f.endswith('.py'): open(f)

// narrow notes what is known of names where a test holds, or does not.
func (in *reader) narrow(test python.Expr, holds bool) {
	switch t := test.(type) {
	case *python.UnaryOp:
		if t.Op == python.Not {
			in.narrow(t.Operand, !holds)
		}
	case *python.BoolOp:
		if holds == (t.Op == python.And) {
			for _, v := range t.Values {
				in.narrow(v, holds)
			}
		}
	case *python.Call:
		a, is := t.Func.(*python.Attribute)
		if holds && is && a.Attr == "endswith" && len(t.Args) == 1 && len(t.Keywords) == 0 {
			in.endsIn(a.Value, t.Args[0])
		}
	case *python.Compare:
		a, is := t.Left.(*python.Attribute)
		if !holds || !is || a.Attr != "suffix" || len(t.Ops) != 1 {
			return
		}
		_, text := t.Comparators[0].(*python.Constant) // in a text is each part of it, and nothing
		if t.Ops[0] == python.Eq || t.Ops[0] == python.In && !text {
			in.endsIn(a.Value, t.Comparators[0])
		}
	}
}

// endsIn notes that a name, or the last one of a path, ends in one of some constants.
func (in *reader) endsIn(e, ends python.Expr) {
	if a, is := e.(*python.Attribute); is && a.Attr == "name" {
		e = a.Value
	}
	name, is := e.(*python.Name)
	if !is {
		return
	}
	v := in.scope.vars.get(name.ID)
	loops := func(e python.Expr) bool { _, is := e.(*drawn); return is }
	if v == nil || !v.set || v.wild || slices.ContainsFunc(in.sight.bindings[name.ID], func(e python.Expr) bool { return !loops(e) }) {
		return // a test may give it another value by :=, or what it calls
	}
	list := elements(ends)
	if set, is := ends.(*python.Set); is {
		list = set.Elts
	} else if list == nil {
		list = []python.Expr{ends}
	}
	var out code.Value
	for _, e := range list {
		end, is := e.(*python.Constant)
		if !is || end.Kind != python.Str || end.Text == "" || strings.Trim(end.Text, nameSigns) != "" {
			return
		}
		for i := range v.now {
			out = code.Join(out, ending(&v.now[i], end.Text))
		}
	}
	if code.Same(out, v.now) {
		return
	}
	for _, t := range in.tries { // its end is reached by the way on which the test did not hold, too
		if v.scope.since <= t.since {
			t.seen[v] = code.Join(t.seen[v], v.now)
		}
	}
	in.assign(in.scope, name.ID, out)
}

// nameSigns are the signs of endings that mean nothing in a pattern.
const nameSigns = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"

// ending is what a value is that ends in some way: of what matches a pattern with any ending,
// what matches the pattern with that one.
func ending(s *code.Shape, end string) code.Value {
	if s.Kind != code.Object || s.Type != "str" && !isPathType(s.Type) || s.Word == nil || s.Word.IsConst() {
		return code.Value{*s}
	}
	last := len(s.Word.Parts) - 1
	p := s.Word.Parts[last]
	if p.Kind != policy.Hole || p.Shape != policy.ShapeAny || !strings.HasSuffix(p.Match, "*") || strings.HasSuffix(p.Match, "**") {
		return code.Value{*s}
	}
	if strings.HasSuffix(p.Match, ".*") && (len(p.Match) == 2 || p.Match[len(p.Match)-3] == '/') {
		end = strings.TrimPrefix(end, ".") // which may be the one that the name begins with
	}
	p.Match += end
	p.Text += end
	return code.OfWord(s.Type, policy.Word{Parts: append(s.Word.Parts[:last:last], p)})
}

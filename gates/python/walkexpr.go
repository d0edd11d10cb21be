package python

import (
	"strings"

	"github.com/bashgate/bashgate/internal/python"
)

// This file goes through the expressions and patterns of a tree.

// value looks at an expression and all below it.
func (s *sight) value(e python.Expr) {
	switch e := e.(type) {
	case nil:
	case *python.Constant:
		if e.Kind == python.Str || e.Kind == python.Bytes {
			s.texts = append(s.texts, e.Text)
			s.constants = append(s.constants, e)
			s.ownOpen = s.ownOpen || e.Text == "open" // a key, or the name of an attribute
		}
	case *python.Name:
		s.loads[e.ID]++
		s.values = append(s.values, e)
		s.remark(e.ID, false)
		s.builtin(e)
	case *python.Attribute:
		s.values = append(s.values, e)
		s.named(e.Attr)
		s.base(e.Value)
	case *python.Call:
		s.call(e)
	case *python.Subscript:
		if a, is := e.Value.(*python.Attribute); is && a.Attr == "path" {
			s.asksPaths = true
		}
		s.base(e.Value)
		s.value(e.Slice)
	case *python.BinOp:
		if s.value(e.Left); e.Op == python.Add {
			s.between(e.Left, e.Right)
		}
		s.value(e.Right)
	case *python.BoolOp:
		s.list(e.Values)
	case *python.UnaryOp:
		s.value(e.Operand)
	case *python.Compare:
		if asksForName(e) {
			s.asks = e
			return
		}
		s.compared(e.Left)
		s.compared(e.Comparators...)
		s.value(e.Left)
		s.list(e.Comparators)
	case *python.IfExp:
		s.value(e.Test)
		s.value(e.Body)
		s.value(e.Orelse)
	case *python.List:
		s.list(e.Elts)
	case *python.Tuple:
		s.list(e.Elts)
	case *python.Set:
		s.list(e.Elts)
	case *python.Dict:
		s.list(e.Keys)
		s.list(e.Values)
	case *python.JoinedStr:
		s.between(e.Values...)
		s.list(e.Values)
	case *python.FormattedValue:
		if isHolding(e.Value) {
			s.listedBy(e.Value, nil)
		}
		s.value(e.Value)
		if e.FormatSpec != nil {
			s.list(e.FormatSpec.Values)
		}
	case *python.Starred:
		s.value(e.Value)
	case *python.Slice:
		s.value(e.Lower)
		s.value(e.Upper)
		s.value(e.Step)
	default:
		s.special(e)
	}
}

// special looks at expressions that have names of their own, or run at another time.
func (s *sight) special(e python.Expr) {
	switch e := e.(type) {
	case *python.ListComp:
		s.value(e.Elt)
		s.comprehensions(e.Generators)
	case *python.SetComp:
		s.value(e.Elt)
		s.comprehensions(e.Generators)
	case *python.DictComp:
		s.value(e.Key)
		s.value(e.Value)
		s.comprehensions(e.Generators)
	case *python.GeneratorExp:
		s.value(e.Elt)
		s.comprehensions(e.Generators)
	case *python.Lambda:
		for _, list := range [...][]python.Arg{e.Args.PosOnly, e.Args.Args, e.Args.KwOnly} {
			for _, a := range list {
				s.bind(a.Name, nil)
				s.value(a.Default)
			}
		}
		for _, a := range [...]*python.Arg{e.Args.Vararg, e.Args.Kwarg} {
			if a != nil {
				s.bind(a.Name, nil)
			}
		}
		s.takes(&e.Args, "", e, false)
		outer := s.yields
		s.yields = nil
		s.value(e.Body)
		s.yields = outer
	case *python.NamedExpr:
		s.value(e.Value)
		s.bind(e.Target.ID, e.Value)
		s.flow(e.Target.ID, e.Value)
		s.loads[e.Target.ID]++ // what stands around it has the value, too
		s.tangled = true
		if s.class {
			s.odd(e, "an assignment in an expression of a class")
		}
	case *python.Yield:
		s.yield(e)
		s.value(e.Value)
		s.result(e.Value)
	case *python.YieldFrom:
		s.yield(e)
		s.value(e.Value)
		s.result(e.Value)
	case *python.Await:
		s.tangled = true
		s.value(e.Value)
	case *python.TemplateStr:
		s.list(e.Values)
	case *python.Interpolation:
		s.value(e.Value)
		if e.FormatSpec != nil {
			s.list(e.FormatSpec.Values)
		}
	default:
		s.odd(e, "an expression")
	}
}

// yield notes that the function at hand is a generator.
func (s *sight) yield(e python.Expr) {
	if s.yields == nil {
		s.odd(e, "a generator that is no function")
		return
	}
	*s.yields = true
}

func (s *sight) comprehensions(list []python.Comprehension) {
	for _, c := range list {
		s.loop(c.Target, c.Iter, c.Async)
		s.list(c.Ifs)
	}
}

func (s *sight) pattern(p python.Pattern) {
	switch p := p.(type) {
	case *python.MatchValue:
		s.compared(p.Value)
		s.value(p.Value)
	case *python.MatchSequence:
		s.patterns(p.Patterns)
	case *python.MatchMapping:
		s.bind(p.Rest, nil)
		s.list(p.Keys)
		s.patterns(p.Patterns)
	case *python.MatchClass:
		s.value(p.Cls)
		for _, name := range p.KwdAttrs { // is looked for in what may be anything
			s.named(name)
			s.values = append(s.values, &python.Attribute{Attr: name})
		}
		s.patterns(p.Patterns)
		s.patterns(p.KwdPatterns)
	case *python.MatchStar:
		s.bind(p.Name, nil)
	case *python.MatchAs:
		s.bind(p.Name, nil)
		s.pattern(p.Pattern)
	case *python.MatchOr:
		s.patterns(p.Patterns)
	}
}

func (s *sight) patterns(list []python.Pattern) {
	for _, p := range list {
		s.pattern(p)
	}
}

// base looks at what an attribute is taken of.
func (s *sight) base(e python.Expr) {
	switch e := e.(type) {
	case *python.Name:
		s.loads[e.ID]++
	case *python.Attribute:
		s.named(e.Attr)
		if name, is := e.Value.(*python.Name); e.Attr == "path" && (!is || name.ID != "os") {
			s.foreign = true // sys.path, by whatever name: modules may come from elsewhere
		}
		s.base(e.Value)
	default:
		s.value(e)
	}
}

// named notes that the environment is named, and names that classes change.
func (s *sight) named(name string) {
	s.remark(name, true)
	s.private = s.private || isPrivate(name)
	s.environ = s.environ || strings.HasPrefix(name, "environ") || name == "putenv"
	s.foreign = s.foreign || name == "chdir"
	s.argv = s.argv || name == "argv"
}

func (s *sight) call(c *python.Call) {
	s.calls = append(s.calls, c)
	s.keys(c)
	s.lists(c)
	switch f := c.Func.(type) {
	case *python.Name:
		s.loads[f.ID]++
		s.remark(f.ID, false)
		s.called[f.ID] = append(s.called[f.ID], c)
		_, listed := s.listed[c]
		if listed || f.ID == "object" && len(c.Args)+len(c.Keywords) == 0 {
			break // which has nothing of its own
		}
		if f.ID != "super" || s.self == "" || len(c.Args)+len(c.Keywords) > 0 {
			s.builtin(f)
		}
	case *python.Attribute:
		s.named(f.Attr)
		s.base(f.Value)
		if name, is := f.Value.(*python.Name); is && (isView(f.Attr) || f.Attr == "sort" && len(c.Args)+len(c.Keywords) == 0) {
			s.shown[name.ID]++
		}
		s.tangled = s.tangled || f.Attr == "namedtuple"
		if f.Attr == "append" || f.Attr == "extend" || f.Attr == "insert" {
			s.arguments(f.Value)
		}
	default:
		s.value(f)
	}
	if a, is := c.Func.(*python.Attribute); is && (isMethod(c, cutting) || isMethod(c, pages)) {
		s.between(a.Value)
		s.between(c.Args...)
	}
	s.looksFor(c)
	s.cutsUp(c)
	for _, a := range c.Args {
		star, is := a.(*python.Starred)
		if is {
			a = star.Value
		}
		if name, is := a.(*python.Name); is {
			s.passed = append(s.passed, passed{name.ID, c.Func})
		}
		s.value(a)
	}
	for _, k := range c.Keywords {
		s.private = s.private || isPrivate(k.Name)
		s.ownOpen = s.ownOpen || k.Name == "open"
		if name, is := k.Value.(*python.Name); is && k.Name != "" {
			s.passed = append(s.passed, passed{name.ID, c.Func})
		}
		s.value(k.Value)
	}
}

// keys notes the names of arguments that become keys of a table: dict(a=1).
func (s *sight) keys(c *python.Call) {
	switch functionName(c.Func) {
	case "dict", "OrderedDict", "defaultdict", "Counter", "SimpleNamespace", "update":
		for _, k := range c.Keywords {
			s.texts = append(s.texts, k.Name)
		}
	}
}

// cutsUp notes what a call may cut into words: split, findall and their like, of what
// they are called on or given.
func (s *sight) cutsUp(c *python.Call) {
	a, is := c.Func.(*python.Attribute)
	if !is {
		return
	}
	switch a.Attr {
	case "split", "rsplit", "splitlines", "partition", "rpartition", "findall", "finditer":
		s.cuts = append(append(s.cuts, a.Value), c.Args...)
	}
}

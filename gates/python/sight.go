package python

import (
	"reflect"
	"slices"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/python"
)

// A text is looked at twice. The reader follows it, and knows what may stand in a
// name at some place; a mistake there, about an order of things, an alias or a
// special method, would be a path or a command taken for another one. So nothing
// that changes, runs or sends something is believed by that alone. This file looks
// at the tree only, whatever runs when:
//
//   - a word counts as known where it is made of constants and of names that the
//     whole text gives one value (sure);
//   - modules and functions that have effects are called where they stand, and
//     are not handed on under other names (handed);
//   - every call of the text has been followed (unfollowed).

// sight is what is seen of a text without following it.
type sight struct {
	in       *reader
	bindings map[string][]python.Expr // what a name is given; nil where that is no expression
	imports  map[string]string        // full names of what is imported
	modules  map[string]bool          // names under which something is imported, by import and from
	loads    map[string]int           // how often a name is read
	shown    map[string]int           // how often of that as an argument of a function that facts know, or in a loop
	calls    []*python.Call
	values   []python.Expr // names and attributes that are neither called nor the start of a longer one
	called   map[string][]*python.Call
	defs     []definition
	class    bool   // the statements of a class are looked at
	strange  string // what of the language stands in the text that is not read
	at       int32  // in which line
}

// definition is a function that is called by its name alone, if at all.
type definition struct {
	name     string
	from, to int // its calls
}

// parameter stands for what is passed to a function of the text.
type parameter struct {
	python.Expr // the default; nil: none
	function    string
	name        string
	index       int
}

// see looks at a tree.
func (in *reader) see(tree *python.Module) *sight {
	s := &sight{
		in: in, bindings: map[string][]python.Expr{}, imports: map[string]string{}, modules: map[string]bool{},
		loads: map[string]int{}, shown: map[string]int{}, called: map[string][]*python.Call{},
	}
	s.walk(reflect.ValueOf(tree.Body))
	return s
}

// walk goes through whatever is below a node.
func (s *sight) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return
		}
		if v.Kind() == reflect.Pointer {
			if s.node(v.Interface()) {
				return
			}
		}
		s.walk(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			s.walk(v.Index(i))
		}
	case reflect.Struct:
		switch part := v.Interface().(type) {
		case python.Arg:
			s.bind(part.Name, nil)
			s.value(part.Default)
			return
		case python.Comprehension:
			s.loop(part.Target, part.Iter)
			s.walk(reflect.ValueOf(part.Ifs))
			return
		case python.WithItem:
			s.value(part.Context)
			if part.Vars != nil {
				s.target(part.Vars, part.Context)
			}
			return
		case python.ExceptHandler:
			s.value(part.Type)
			s.bind(part.Name, nil)
			s.walk(reflect.ValueOf(part.Body))
			return
		case python.TypeParam:
			s.bind(part.Name, nil)
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); !f.IsExported() || f.Name == "Annotation" || f.Name == "Returns" {
				continue
			}
			switch v.Field(i).Kind() {
			case reflect.Interface, reflect.Pointer, reflect.Slice, reflect.Struct:
				s.walk(v.Field(i))
			}
		}
	}
}

// node looks at one node; it reports whether all below it has been looked at.
func (s *sight) node(n any) bool {
	switch n := n.(type) {
	case *python.Assign:
		s.value(n.Value)
		for _, t := range n.Targets {
			s.target(t, n.Value)
		}
		return true
	case *python.AnnAssign:
		s.value(n.Value)
		if n.Value != nil {
			s.target(n.Target, n.Value)
		}
		return true
	case *python.AugAssign:
		s.value(n.Value)
		s.target(n.Target, nil)
		s.value(n.Target)
		return true
	case *python.NamedExpr:
		s.value(n.Value)
		s.bind(n.Target.ID, nil)
		s.odd(n, "an assignment in an expression")
		return true
	case *python.Delete:
		for _, t := range n.Targets {
			s.target(t, nil)
		}
		return true
	case *python.For:
		s.loop(n.Target, n.Iter)
		s.walk(reflect.ValueOf(n.Body))
		s.walk(reflect.ValueOf(n.Orelse))
		return true
	case *python.FunctionDef:
		s.bind(n.Name, nil)
		if n.Async || len(n.Decorators) > 0 {
			s.odd(n, "a function of a special kind")
		}
		for _, d := range n.Decorators {
			if _, is := d.(*python.Call); is {
				s.value(d)
			}
		}
		plain := len(n.Decorators) == 0 && !n.Async && !s.class
		for _, list := range [...][]python.Arg{n.Args.PosOnly, n.Args.Args, n.Args.KwOnly} {
			for i, a := range list {
				s.value(a.Default)
				if !plain || len(n.Args.PosOnly) > 0 || n.Args.Vararg != nil || n.Args.Kwarg != nil {
					s.bind(a.Name, nil)
					continue
				}
				if len(n.Args.KwOnly) > 0 && &list[0] == &n.Args.KwOnly[0] {
					i = -1
				}
				s.bind(a.Name, &parameter{Expr: a.Default, function: n.Name, name: a.Name, index: i})
			}
		}
		for _, a := range [...]*python.Arg{n.Args.Vararg, n.Args.Kwarg} {
			if a != nil {
				s.bind(a.Name, nil)
			}
		}
		from, class := len(s.calls), s.class
		s.class = false
		s.walk(reflect.ValueOf(n.Body))
		s.class = class
		if plain {
			s.defs = append(s.defs, definition{n.Name, from, len(s.calls)})
		}
		return true
	case *python.ClassDef:
		s.bind(n.Name, nil)
		s.odd(n, "a class")
		for _, d := range n.Decorators {
			if _, is := d.(*python.Call); is {
				s.value(d)
			}
		}
		s.walk(reflect.ValueOf(n.Bases))
		s.walk(reflect.ValueOf(n.Keywords))
		class := s.class
		s.class = true
		s.walk(reflect.ValueOf(n.Body))
		s.class = class
		return true
	case *python.Global:
		s.rebound(n.Names)
		s.odd(n, "global names in functions")
	case *python.Nonlocal:
		s.rebound(n.Names)
		s.odd(n, "names of outer functions that are set")
	case *python.Yield:
		s.odd(n, "a generator")
	case *python.YieldFrom:
		s.odd(n, "a generator")
	case *python.Await:
		s.odd(n, "await")
	case *python.Match:
		s.odd(n, "match")
	case *python.Import:
		for _, a := range n.Names {
			if a.AsName != "" {
				s.imported(a.AsName, a.Name)
			} else {
				s.imported(first(a.Name), first(a.Name))
			}
		}
	case *python.ImportFrom:
		for _, a := range n.Names {
			name := a.AsName
			if name == "" {
				name = a.Name
			}
			s.imported(name, n.Module+"."+a.Name)
		}
	case *python.MatchStar:
		s.bind(n.Name, nil)
	case *python.MatchAs:
		s.bind(n.Name, nil)
	case *python.MatchMapping:
		s.bind(n.Rest, nil)
	case *python.TypeAlias:
		s.bind(n.Name.ID, nil)
	case *python.Call:
		s.call(n)
		return true
	case *python.Attribute:
		s.values = append(s.values, n)
		s.base(n.Value)
		return true
	case *python.Subscript:
		s.base(n.Value)
		s.value(n.Slice)
		return true
	case *python.Name:
		s.loads[n.ID]++
		s.values = append(s.values, n)
		s.builtin(n)
	}
	return false
}

// builtin looks for functions that make the language another one.
func (s *sight) builtin(n *python.Name) {
	switch n.ID {
	case "super", "property", "setattr", "delattr", "vars", "globals", "locals", "staticmethod", "classmethod", "object", "__builtins__", "iter", "next":
		s.odd(n, n.ID)
	}
}

// odd notes something that is not read.
func (s *sight) odd(n python.Node, what string) {
	if s.strange == "" {
		s.strange, s.at = what, n.Pos().Line
	}
}

// value looks at an expression.
func (s *sight) value(e python.Expr) {
	if e != nil {
		s.walk(reflect.ValueOf(e))
	}
}

// base looks at what an attribute is taken of.
func (s *sight) base(e python.Expr) {
	switch e := e.(type) {
	case *python.Name:
		s.loads[e.ID]++
	case *python.Attribute:
		s.base(e.Value)
	default:
		s.value(e)
	}
}

func (s *sight) call(c *python.Call) {
	s.calls = append(s.calls, c)
	switch f := c.Func.(type) {
	case *python.Name:
		s.loads[f.ID]++
		s.called[f.ID] = append(s.called[f.ID], c)
		s.builtin(f)
	case *python.Attribute:
		s.base(f.Value)
	default:
		s.value(f)
	}
	known := s.isShow(c.Func)
	for _, a := range c.Args {
		star, is := a.(*python.Starred)
		if is {
			a = star.Value
		}
		if name, is := a.(*python.Name); is && known {
			s.shown[name.ID]++
		}
		s.value(a)
	}
	for _, k := range c.Keywords {
		s.value(k.Value)
	}
}

// isShow reports whether a function leaves the lists alone that it is given.
func (s *sight) isShow(f python.Expr) bool {
	if a, is := f.(*python.Attribute); is {
		if c, is := a.Value.(*python.Constant); is && c.Kind == python.Str {
			return true // ' '.join(list)
		}
	}
	full, ok := s.dotted(f)
	if !ok {
		return false
	}
	e := s.in.find(full)
	return e.Kind == code.Function && !slices.ContainsFunc(e.Calls, func(sig code.Signature) bool {
		return slices.ContainsFunc(sig.Params, func(p code.Param) bool {
			return slices.ContainsFunc(p.Kinds, func(k code.Kind) bool { return k.Own == code.Changes || k.Own == code.Calls })
		})
	})
}

func (s *sight) bind(name string, value python.Expr) {
	if name != "" && name != "_" {
		s.bindings[name] = append(s.bindings[name], value)
	}
}

func (s *sight) rebound(names []string) {
	for _, name := range names {
		s.bind(name, nil)
	}
}

func (s *sight) imported(name, full string) {
	if old, known := s.imports[name]; known && old != full {
		s.bind(name, nil)
	}
	s.imports[name] = full
	if !slices.Contains(s.bindings[name], nil) && s.in.effects(full) {
		s.modules[name] = true
	}
}

// target looks at what is given a value.
func (s *sight) target(t python.Expr, value python.Expr) {
	switch t := t.(type) {
	case *python.Name:
		s.bind(t.ID, value)
	case *python.Tuple:
		for _, e := range t.Elts {
			s.target(e, nil)
		}
	case *python.List:
		for _, e := range t.Elts {
			s.target(e, nil)
		}
	case *python.Starred:
		s.target(t.Value, nil)
	case *python.Attribute:
		s.odd(t, "attributes that are set")
		s.base(t.Value)
	case *python.Subscript:
		s.base(t.Value)
		s.value(t.Slice)
	}
}

// loop looks at the target of a loop and what it goes over.
func (s *sight) loop(target, over python.Expr) {
	s.value(over)
	if name, is := over.(*python.Name); is {
		s.shown[name.ID]++
	}
	if list := elements(over); list != nil {
		if name, is := target.(*python.Name); is {
			s.bind(name.ID, &python.Tuple{Elts: list}) // one of them
			return
		}
	}
	s.target(target, nil)
}

// elements are those of a list or tuple as it is written; nil for others.
func elements(e python.Expr) []python.Expr {
	switch e := e.(type) {
	case *python.List:
		return e.Elts
	case *python.Tuple:
		return e.Elts
	}
	return nil
}

// dotted is the full name of an imported or built-in thing that an expression names,
// where nothing in the text gives that name another meaning.
func (s *sight) dotted(e python.Expr) (string, bool) {
	switch e := e.(type) {
	case *python.Name:
		if s.bindings[e.ID] != nil {
			return "", false
		}
		if full, ok := s.imports[e.ID]; ok {
			return full, true
		}
		return e.ID, true
	case *python.Attribute:
		base, ok := s.dotted(e.Value)
		return base + "." + e.Attr, ok
	}
	return "", false
}

// effects reports whether something that facts know does more than read.
func (in *reader) effects(full string) bool {
	switch e := in.find(full); e.Kind {
	case code.Module, code.Asked:
		return true
	default:
		return slices.ContainsFunc(e.Calls, func(sig code.Signature) bool { return slices.ContainsFunc(sig.Params, acts) })
	}
}

// acts reports whether what is passed for a parameter is more than read.
func acts(p code.Param) bool {
	return slices.ContainsFunc(p.Kinds, func(k code.Kind) bool { return !mild(k) })
}

// mild reports whether nothing but a reading comes of a kind.
func mild(k code.Kind) bool {
	switch k.Kind {
	case match.Flag, match.Data, match.Name, match.Path, match.Read:
		return true
	}
	return k.Own != code.NotOwn
}

// handed asks about modules and functions that have effects and are handed on, and
// about names of such that mean something else, too.
func (s *sight) handed() {
	if s.strange != "" {
		s.in.ask(int(s.at), "python.strange", "Python code with "+s.strange+", which the gate does not read yet")
	}
	for _, e := range s.values {
		full, ok := s.dotted(e)
		if !ok || full != "sys.path" && full != "os.environ" && !s.in.effects(full) {
			continue
		}
		s.in.ask(int(e.Pos().Line), "python.handed", "Python code that hands on "+full)
	}
	for name := range s.modules {
		if slices.ContainsFunc(s.bindings[name], func(v python.Expr) bool {
			c, is := v.(*python.Constant)
			return !is || c.Kind != python.None
		}) {
			s.in.ask(0, "python.handed", "Python code that gives "+name+" another meaning")
		}
	}
	if s.bindings["open"] != nil {
		s.in.ask(0, "python.handed", "Python code that gives open another meaning")
	}
}

// unfollowed asks about calls that were not followed.
func (s *sight) unfollowed() {
	for i, c := range s.calls {
		idle := slices.ContainsFunc(s.defs, func(d definition) bool { return d.from <= i && i < d.to && s.loads[d.name] == 0 })
		if !idle && !s.in.followed[c] {
			s.in.ask(int(c.Pos().Line), "python.unfollowed", "Python code that the gate did not follow to its end")
			return
		}
	}
}

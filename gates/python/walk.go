package python

import (
	"strings"

	"github.com/bashgate/bashgate/internal/python"
)

// This file goes through a tree, and notes for sight what stands in it.

func (s *sight) body(list []python.Stmt) {
	for _, n := range list {
		s.statement(n)
	}
}

func (s *sight) list(list []python.Expr) {
	for _, e := range list {
		s.value(e)
	}
}

// statement looks at a statement and all below it.
func (s *sight) statement(n python.Stmt) {
	switch n := n.(type) {
	case *python.ExprStmt:
		if c, is := n.Value.(*python.Constant); is && strings.ContainsAny(c.Text, " \n") { // documentation
			s.docs = append(s.docs, n.Value)
		}
		if c, is := n.Value.(*python.Call); is {
			s.dropped[c.Index] = true
		}
		s.value(n.Value)
	case *python.Assign:
		s.value(n.Value)
		for _, t := range n.Targets {
			s.target(t, n.Value)
			s.comes(t, n.Value)
		}
		if len(n.Targets) > 1 {
			s.chains = append(s.chains, chain(n.Targets))
		}
	case *python.AnnAssign:
		s.annotation(n.Annotation)
		s.value(n.Value)
		if n.Value != nil {
			s.target(n.Target, n.Value)
			s.comes(n.Target, n.Value)
		}
	case *python.AugAssign:
		s.comes(n.Target, &python.BinOp{Left: n.Target, Op: n.Op, Right: n.Value})
		s.value(n.Value)
		s.target(n.Target, nil)
		s.value(n.Target)
	case *python.Delete:
		for _, t := range n.Targets {
			s.target(t, nil)
		}
	case *python.Return:
		s.value(n.Value)
		s.result(n.Value)
	case *python.Raise:
		if c, is := n.Exc.(*python.Call); is {
			s.raised = append(s.raised, c)
		}
		s.value(n.Exc)
		s.flow(raised, n.Exc)
		s.value(n.Cause)
	case *python.Assert:
		s.value(n.Test)
		s.value(n.Msg)
	case *python.If:
		s.value(n.Test)
		s.body(n.Body)
		s.body(n.Orelse)
	case *python.While:
		s.value(n.Test)
		s.body(n.Body)
		s.body(n.Orelse)
	case *python.For:
		s.loop(n.Target, n.Iter, n.Async)
		s.body(n.Body)
		s.body(n.Orelse)
	case *python.With:
		for _, item := range n.Items {
			s.value(item.Context)
			if item.Vars != nil {
				s.comes(item.Vars, item.Context)
			}
			if item.Vars != nil && n.Async {
				s.target(item.Vars, nil)
			} else if item.Vars != nil {
				s.target(item.Vars, item.Context)
			}
			if name, is := item.Vars.(*python.Name); is {
				if s.entered == nil {
					s.entered = map[string]bool{}
				}
				s.entered[name.ID] = true
			}
		}
		s.body(n.Body)
	case *python.Try:
		s.body(n.Body)
		for _, h := range n.Handlers {
			s.value(h.Type)
			s.bind(h.Name, nil)
			s.caught = append(s.caught, h.Name)
			s.flow(h.Name, nil)
			s.flow(h.Name, &python.Name{ID: raised})
			s.body(h.Body)
		}
		s.body(n.Orelse)
		s.body(n.Finalbody)
	case *python.FunctionDef:
		s.function(n)
	case *python.ClassDef:
		s.classDef(n)
	default:
		s.rare(n)
	}
}

// rare looks at statements of which a text has few.
func (s *sight) rare(n python.Stmt) {
	switch n := n.(type) {
	case *python.Global:
		s.sets(n.Names)
	case *python.Nonlocal:
		s.sets(n.Names)
	case *python.Import:
		for _, a := range n.Names {
			s.loading = append(s.loading, loading{a.Name, n.Line})
			if a.AsName != "" {
				s.imported(a.AsName, a.Name)
			} else {
				s.imported(first(a.Name), first(a.Name))
			}
		}
	case *python.ImportFrom:
		if n.Level == 0 {
			s.loading = append(s.loading, loading{n.Module, n.Line})
		}
		for _, a := range n.Names {
			name := a.AsName
			if name == "" {
				name = a.Name
			}
			s.named(a.Name)
			s.imported(name, n.Module+"."+a.Name)
		}
	case *python.Match:
		s.tangled = true
		s.value(n.Subject)
		for _, c := range n.Cases {
			s.pattern(c.Pattern)
			s.captures(c.Pattern, n.Subject)
			s.value(c.Guard)
			s.body(c.Body)
		}
	case *python.TypeAlias:
		s.bind(n.Name.ID, nil)
		for _, p := range n.TypeParams {
			s.bind(p.Name, nil)
			s.value(p.Bound)
			s.value(p.Default)
		}
		s.value(n.Value)
	case *python.Pass, *python.Break, *python.Continue:
	default:
		s.odd(n, "a statement")
	}
}

// function looks at def.
func (s *sight) function(n *python.FunctionDef) {
	s.bind(n.Name, nil)
	if s.class {
		s.ownOpen = s.ownOpen || strings.HasPrefix(n.Name, "__getattr")
		s.methods[n.Name] = s.methods[n.Name] || !s.isDecorated(n, "staticmethod") && !s.isDecorated(n, "classmethod")
	}
	s.tangled = s.tangled || n.Async
	if !(s.class && s.plainDecorator(n)) {
		s.list(n.Decorators)
		for _, d := range n.Decorators {
			s.decorators = append(s.decorators, decorator{d, s.class})
		}
	}
	if !s.class {
		s.functions[n.Name] = true
	}
	plain := len(n.Decorators) == 0 && !s.class
	s.annotation(n.Returns)
	for _, list := range [...][]python.Arg{n.Args.PosOnly, n.Args.Args, n.Args.KwOnly} {
		for i, a := range list {
			s.annotation(a.Annotation)
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
			s.annotation(a.Annotation)
			s.bind(a.Name, nil)
		}
	}
	s.takes(&n.Args, n.Name, nil, s.class)
	for _, d := range n.Decorators {
		if name, is := d.(*python.Name); is && s.functions[name.ID] { // which may give something else in its place
			s.flow(n.Name+"()", &python.Call{Func: d})
		}
	}
	within := s.flows.function
	s.flows.function = n.Name
	from, class, self := len(s.calls), s.class, s.self
	s.class, s.self = false, ""
	if first := append(n.Args.PosOnly[:len(n.Args.PosOnly):len(n.Args.PosOnly)], n.Args.Args...); class && s.within == 1 && len(first) > 0 {
		s.self = first[0].Name
		s.selves[s.self]++
		if len(n.Decorators) > 0 && !s.isDecorated(n, "property") && !s.isDecorated(n, "abc.abstractmethod") {
			s.self = "" // it is passed something else, or a class
		} else {
			s.owners[s.self]++
		}
	}
	yields, outer := false, s.yields
	s.yields = &yields
	s.within++
	s.body(n.Body)
	s.within--
	s.class, s.self, s.yields = class, self, outer
	s.flows.function = within
	if yields {
		s.tangled, s.generators[n] = true, true
	}
	if plain {
		s.defs = append(s.defs, definition{n.Name, from, len(s.calls)})
	}
}

// sets notes names that functions set which are not their own.
func (s *sight) sets(names []string) {
	s.tangled = true
	s.rebound(names)
	s.outer = append(s.outer, names...)
}

func (s *sight) classDef(n *python.ClassDef) {
	s.bind(n.Name, nil)
	s.classes[n.Name] = true
	s.defined = append(s.defined, n)
	for _, d := range n.Decorators {
		if _, is := d.(*python.Call); is {
			s.value(d)
		}
	}
	for _, b := range n.Bases {
		if name, is := b.(*python.Name); is && name.ID == "object" {
			continue
		}
		s.value(b)
	}
	for _, k := range n.Keywords {
		s.value(k.Value)
	}
	class, self := s.class, s.self
	s.class, s.self = true, ""
	s.within++
	s.body(n.Body)
	s.within--
	s.class, s.self = class, self
}

// annotation looks at an annotation: a value like others, which objects keep.
func (s *sight) annotation(e python.Expr) {
	switch e := e.(type) {
	case *python.Name:
		if e.ID != "object" {
			s.value(e)
		}
	case *python.BinOp:
		s.annotation(e.Left)
		s.annotation(e.Right)
	case *python.Subscript:
		s.annotation(e.Value)
		s.annotation(e.Slice)
	case *python.Tuple:
		for _, e := range e.Elts {
			s.annotation(e)
		}
	default:
		s.value(e)
	}
}

// target looks at what is given a value.
func (s *sight) target(t python.Expr, value python.Expr) {
	switch t := t.(type) {
	case *python.Name:
		s.bind(t.ID, value)
		if s.class {
			s.members[t.ID] = true
		}
	case *python.Tuple:
		s.unpacked(t.Elts, value)
	case *python.List:
		s.unpacked(t.Elts, value)
	case *python.Starred:
		s.target(t.Value, nil)
	case *python.Attribute:
		if name, is := t.Value.(*python.Name); is && s.self != "" && name.ID == s.self && !isSpecial(t.Attr) {
			s.changed = append(s.changed, name)
			s.fields[t.Attr] = append(s.fields[t.Attr], value)
		} else {
			s.attribute(t)
		}
		s.base(t.Value)
	case *python.Subscript:
		s.base(t.Value)
		s.value(t.Slice)
		s.arguments(t.Value)
		s.prunes(t, value)
	}
}

// loop looks at the target of a loop and what it goes over.
func (s *sight) loop(target, over python.Expr, async bool) {
	s.value(over)
	s.goes(target, over)
	if async { // what comes of it the tree does not show
		s.tangled = true
		s.target(target, nil)
		return
	}
	if name, is := over.(*python.Name); is {
		s.shown[name.ID]++
	}
	s.draw(target, over)
}

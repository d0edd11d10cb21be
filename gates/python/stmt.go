package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
)

// body follows statements.
func (in *reader) body(list []python.Stmt) {
	for _, s := range list {
		if in.dead || !in.step() {
			return
		}
		in.line, in.stmt = int(s.Pos().Line), s.Pos().Offset
		in.statement(s)
	}
}

func (in *reader) statement(s python.Stmt) {
	switch s := s.(type) {
	case *python.ExprStmt:
		in.eval(s.Value)
	case *python.Assign:
		v := in.eval(s.Value)
		for _, t := range s.Targets {
			in.bind(t, v)
		}
	case *python.AnnAssign:
		in.annotation(s.Annotation)
		if name, is := s.Target.(*python.Name); is && in.scope.kind == classScope {
			if c := in.scope.class; c != nil && !slices.Contains(c.fields, name.ID) {
				c.fields = append(c.fields, name.ID)
			}
		}
		if s.Value != nil {
			in.bind(s.Target, in.eval(s.Value))
		}
	case *python.AugAssign:
		old := in.eval(s.Target)
		right := in.eval(s.Value)
		in.handsPart(old, right, s.Value)
		v := in.grow(s.Op, old, right)
		v = code.Join(in.operate(s.Op, old, right, s), v)
		if in.sight.foreign {
			in.made(s.Target, v)
		}
		in.bind(s.Target, v)
	case *python.If:
		in.eval(s.Test)
		in.branches(func() { in.narrow(s.Test, true); in.body(s.Body) }, func() { in.narrow(s.Test, false); in.body(s.Orelse) })
	case *python.For:
		in.forLoop(s)
	case *python.While:
		in.loop(func() bool { in.eval(s.Test); return true }, s.Body, s.Orelse, isTrue(s.Test))
	case *python.With:
		in.with(s)
	case *python.Try:
		in.try(s)
	case *python.Import:
		for _, a := range s.Names {
			in.importModule(a.Name, a.AsName)
		}
	case *python.ImportFrom:
		in.importFrom(s)
	case *python.FunctionDef:
		in.define(s)
	case *python.ClassDef:
		in.defineClass(s)
	case *python.Return:
		v := code.Value{{Type: "none"}}
		if s.Value != nil {
			v = in.eval(s.Value)
		}
		in.returns(v)
	case *python.Raise:
		if s.Exc != nil {
			in.raised(in.eval(s.Exc))
		}
		if s.Cause != nil {
			in.eval(s.Cause)
		}
		in.dead = true
	case *python.Assert:
		in.eval(s.Test)
		if s.Msg != nil {
			in.branches(func() { in.eval(s.Msg) }, func() {})
		}
	case *python.Delete:
		for _, t := range s.Targets {
			in.unbind(t)
		}
	case *python.Global:
		for _, name := range s.Names {
			in.declare(name, in.module)
		}
	case *python.Nonlocal:
		for _, name := range s.Names {
			o := in.scope.parent
			for o != nil && (o.kind != callScope || o.vars.get(name) == nil) {
				o = o.parent
			}
			if o == nil {
				in.unknown("nonlocal " + name)
				continue
			}
			in.declare(name, o)
		}
	case *python.Match:
		in.match(s)
	case *python.TypeAlias:
		in.assign(in.owner(s.Name.ID), s.Name.ID, code.Of("type"))
	case *python.Pass:
	case *python.Break:
		in.jump(true)
	case *python.Continue:
		in.jump(false)
	default:
		in.unknown("a statement")
	}
}

func (in *reader) declare(name string, s *scope) {
	if in.scope.outer == nil {
		in.scope.outer = map[string]*scope{}
	}
	if s != in.scope {
		in.scope.outer[name] = s
	}
}

// isTrue reports whether a test always holds.
func isTrue(e python.Expr) bool {
	c, ok := e.(*python.Constant)
	return ok && (c.Kind == python.True || c.Kind == python.Int && c.Text == "1")
}

// branches follows ways of which one is taken.
func (in *reader) branches(ways ...func()) {
	in.oneOf(len(ways), func(i int) { ways[i]() })
}

// oneOf follows n ways of which one is taken.
func (in *reader) oneOf(n int, follow func(i int)) {
	if in.dead {
		return
	}
	var few [4]way
	ends := few[:]
	if n > len(few) {
		ends = make([]way, n)
	}
	ends = ends[:n]
	for i := range ends {
		in.begin()
		in.maybe++
		follow(i)
		in.maybe--
		ends[i] = in.end()
		in.dead = false
	}
	in.merge(ends...)
}

// loopFrame is a loop that is being followed.
type loopFrame struct {
	breaks, continues exit
}

func (in *reader) forLoop(s *python.For) {
	over := in.eval(s.Iter)
	if s.Async {
		over = in.goesLater(over, s)
	}
	if !in.hasJumps(s.Body) && in.unroll(over, s.Iter, s, func(item code.Value) {
		in.bind(s.Target, item)
		in.body(s.Body)
	}) {
		in.body(s.Orelse)
		return
	}
	in.loop(func() bool {
		items := in.items(over)
		if len(items) == 0 {
			return false
		}
		in.bind(s.Target, items)
		return true
	}, s.Body, s.Orelse, false)
}

// turn is the way of one turn of something, on a way.
func (in *reader) turn(at any, way, n int) int {
	key := turn{at, way, n}
	if in.ways == nil {
		in.ways = map[turn]int{}
	}
	if in.ways[key] == 0 {
		in.ways[key] = len(in.ways) + 1
	}
	return in.ways[key]
}

// loop follows a body until nothing changes any more. The head is done before each
// turn, and reports false where there is none.
func (in *reader) loop(head func() bool, body, orelse []python.Stmt, endless bool) {
	frame := &loopFrame{}
	frame.breaks.journal, frame.continues.journal = len(in.journals), len(in.journals)
	in.current().loops = append(in.current().loops, frame)
	in.maybe++
	defer func() { in.maybe-- }()
	for round := 0; ; round++ {
		grown := in.grown
		in.begin()
		frame.continues.ways = nil
		if !head() {
			in.dead = true
		}
		in.body(body)
		end := in.end()
		in.dead = false
		ways := append([]way{{}, end}, frame.continues.ways...)
		if round >= 2 {
			for _, w := range ways {
				w.widen()
			}
		}
		changed := in.merge(ways...)
		if in.spent || !changed && grown == in.grown {
			break
		}
		if round == maxRounds {
			in.ask(in.line, "python.limit", "Python code with a loop that is too entangled to follow")
			break
		}
	}
	loops := &in.current().loops
	*loops = (*loops)[:len(*loops)-1]
	if endless {
		in.dead = true
	} else {
		in.body(orelse)
	}
	in.begin()
	after := in.end()
	in.merge(append(frame.breaks.ways, after)...)
}

// widen forgets what texts variables hold, so that a loop comes to an end.
func (w way) widen() {
	for i := range w {
		w[i].now = widened(w[i].now)
	}
}

// jump leaves a turn of the innermost loop, or all of it.
func (in *reader) jump(out bool) {
	loops := in.current().loops
	if len(loops) > 0 {
		frame := loops[len(loops)-1]
		if out {
			in.leave(&frame.breaks)
		} else {
			in.leave(&frame.continues)
		}
	}
	in.dead = true
}

// hasJumps reports whether a body may leave the loop around it.
func (in *reader) hasJumps(list []python.Stmt) bool {
	for _, s := range list {
		in.step()
		switch s := s.(type) {
		case *python.Break, *python.Continue:
			return true
		case *python.If:
			if in.hasJumps(s.Body) || in.hasJumps(s.Orelse) {
				return true
			}
		case *python.With:
			if in.hasJumps(s.Body) {
				return true
			}
		case *python.For:
			if in.hasJumps(s.Orelse) {
				return true
			}
		case *python.While:
			if in.hasJumps(s.Orelse) {
				return true
			}
		case *python.Try:
			if in.hasJumps(s.Body) || in.hasJumps(s.Orelse) || in.hasJumps(s.Finalbody) {
				return true
			}
			for _, h := range s.Handlers {
				if in.hasJumps(h.Body) {
					return true
				}
			}
		case *python.Match:
			for _, c := range s.Cases {
				if in.hasJumps(c.Body) {
					return true
				}
			}
		}
	}
	return false
}

// try follows a try statement. At any place of its body an exception may leave it:
// a handler finds whatever variables were there. What stands behind finally is
// followed from all of that, too.
func (in *reader) try(s *python.Try) {
	if in.binds(s.Finalbody) && in.hasJumps([]python.Stmt{s}) {
		in.unknown("a loop that ends in try, before finally") // which comes first, all the same
	}
	all, body := in.attempt(), in.attempt()
	in.begin()
	in.maybe++
	defer func() { in.maybe-- }()
	in.body(s.Body)
	in.tries = in.tries[:len(in.tries)-1]
	in.body(s.Orelse)
	ends := []way{in.end()}
	for i := range s.Handlers {
		h := &s.Handlers[i]
		in.dead = false
		in.begin()
		in.found(body)
		in.line = int(h.Line)
		v := code.Of("Exception")
		if h.Type != nil {
			v = in.caught(in.eval(h.Type))
		}
		if h.Name != "" {
			in.assign(in.owner(h.Name), h.Name, v)
		}
		in.body(h.Body)
		ends = append(ends, in.end())
	}
	in.tries = in.tries[:len(in.tries)-1]
	in.dead = false
	in.merge(ends...)
	if len(s.Finalbody) == 0 {
		return
	}
	dead := in.dead
	in.dead = false
	in.begin()
	in.found(all)
	in.body(s.Finalbody)
	in.end()
	in.dead = false
	in.body(s.Finalbody)
	in.dead = in.dead || dead
}

// binds reports whether statements may give variables a value: all but what a method of
// something does, and what is printed.
func (in *reader) binds(list []python.Stmt) bool {
	return slices.ContainsFunc(list, func(s python.Stmt) bool {
		switch s := s.(type) {
		case *python.Pass:
			return false
		case *python.If:
			return in.binds(s.Body) || in.binds(s.Orelse)
		case *python.ExprStmt:
			c, is := s.Value.(*python.Call)
			if !is {
				return true
			}
			if name, is := c.Func.(*python.Name); is {
				return name.ID != "print"
			}
			_, is = c.Func.(*python.Attribute)
			return !is
		}
		return true
	})
}

// found makes variables what they may have been in an attempt.
func (in *reader) found(a *attempt) {
	for v, value := range a.seen {
		now := v.now
		if !v.set {
			now = in.unset(v)
		}
		in.put(v, code.Join(now, value), true)
		in.step()
	}
}

// with follows a with statement. What suppresses exceptions may go on behind it from
// any place of its body.
func (in *reader) with(s *python.With) {
	suppresses := false
	for _, item := range s.Items {
		context := in.eval(item.Context)
		suppresses = suppresses || maySuppress(context)
		enter := in.enter
		if s.Async {
			enter = in.enterLater
		}
		if v := enter(context); item.Vars != nil {
			in.bind(item.Vars, v)
		}
	}
	if !suppresses {
		in.body(s.Body)
		return
	}
	body := in.attempt()
	in.begin()
	in.maybe++
	in.body(s.Body)
	in.maybe--
	end := in.end()
	in.tries = in.tries[:len(in.tries)-1]
	in.dead = false
	in.begin()
	in.found(body)
	in.merge(end, in.end())
}

// maySuppress reports whether leaving a context may swallow an exception.
func maySuppress(v code.Value) bool {
	for _, s := range v {
		if s.Kind != code.Object || strings.HasPrefix(s.Type, "contextlib.") || s.Type == "unittest.Context" || s.Type == "plain" || s.Type == "iterator" || s.Type == "async_generator" {
			return true
		}
	}
	return false
}

// match follows a match statement.
func (in *reader) match(s *python.Match) {
	subject := in.eval(s.Subject)
	ways := []func(){func() {}}
	for i := range s.Cases {
		c := &s.Cases[i]
		if c.Guard != nil { // what its pattern has set stays so where it does not hold
			in.branches(func() { in.pattern(c.Pattern, subject); in.eval(c.Guard) }, func() {})
		}
		ways = append(ways, func() {
			in.pattern(c.Pattern, subject)
			if c.Guard != nil {
				in.eval(c.Guard)
			}
			in.body(c.Body)
		})
	}
	in.branches(ways...)
}

func (in *reader) pattern(p python.Pattern, v code.Value) {
	if !in.step() {
		return
	}
	switch p := p.(type) {
	case *python.MatchValue:
		in.eval(p.Value)
	case *python.MatchSingleton:
	case *python.MatchSequence:
		for _, inner := range p.Patterns {
			in.pattern(inner, in.items(v))
		}
	case *python.MatchMapping:
		for _, k := range p.Keys {
			in.eval(k)
		}
		for _, inner := range p.Patterns {
			in.pattern(inner, in.member(v, nil))
		}
		if p.Rest != "" {
			in.assign(in.owner(p.Rest), p.Rest, v)
		}
	case *python.MatchStar:
		if p.Name != "" {
			in.assign(in.owner(p.Name), p.Name, in.list("list", p, v))
		}
	case *python.MatchAs:
		if p.Pattern != nil {
			in.pattern(p.Pattern, v)
		}
		if p.Name != "" {
			in.assign(in.owner(p.Name), p.Name, v)
		}
	case *python.MatchOr:
		for _, inner := range p.Patterns {
			in.pattern(inner, v)
		}
	case *python.MatchClass:
		cls := in.eval(p.Cls)
		for _, inner := range p.Patterns {
			if len(p.Patterns) > 1 || len(cls) != 1 || cls[0].Kind != code.Member || !isBuiltin(cls[0].Type) {
				v = in.unknown("a class pattern with positions")
			}
			in.pattern(inner, v) // int(x) is the number
		}
		for i, inner := range p.KwdPatterns {
			in.pattern(inner, in.attribute(v, p.KwdAttrs[i]))
		}
	}
}

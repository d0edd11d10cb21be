package javascript

import (
	"slices"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/javascript"
)

// use looks at an expression of which only a text, a number or a truth is taken.
func (s *sight) use(e javascript.Expr) {
	if what := s.expr(e); what.thing != "" && !isOthers(what.thing) {
		s.noThing(what)
	}
}

// data looks at an expression that has to be data.
func (s *sight) data(e javascript.Expr) sort {
	what := s.expr(e)
	s.noThing(what)
	return what
}

func (s *sight) noThing(what sort) {
	if what.thing != "" {
		s.refuse("an object of the type " + what.thing + " as a value")
	}
}

// expr looks at an expression wherever its value goes.
func (s *sight) expr(e javascript.Expr) (what sort) {
	if !s.in.step() { // what stands in others may be looked at for each of them
		return what
	}
	switch e := e.(type) {
	case nil, *javascript.String, *javascript.Number, *javascript.BigInt, *javascript.Bool, *javascript.Null, *javascript.Regexp:
	case *javascript.Name:
		s.in.at(e.At)
		return s.named(e)
	case *javascript.Template:
		s.in.at(e.At)
		if e.Tag != nil {
			s.refuse("a template with a function")
		}
		for _, x := range e.List {
			s.use(x)
		}
		s.noteValue(e)
	case *javascript.Array:
		for _, item := range e.Items {
			if item == nil {
				s.refuse("a list with holes")
			}
			s.held(item)
		}
	case *javascript.Object:
		return s.object(e)
	case *javascript.Unary:
		s.unary(e)
	case *javascript.Update:
		s.target(e.Target, e, sort{}, false)
	case *javascript.Binary:
		return s.binary(e)
	case *javascript.Assign:
		return s.assign(e)
	case *javascript.Cond:
		s.use(e.Test)
		a, b := s.data(e.Then), s.data(e.Else)
		return sort{loose: a.loose || b.loose}
	case *javascript.Call:
		s.in.at(e.At)
		return s.call(e)
	case *javascript.Yield:
		if e.X != nil {
			s.held(e.X)
		}
		what.loose = s.flows
	case *javascript.New:
		s.in.at(e.At)
		if s.promise(e) {
			return sort{loose: s.flows || s.holds}
		}
		if what, ok := s.newOwn(e); ok {
			return what
		}
		if s.makesOthers(e) {
			return s.telling(e.Args)
		}
		full, ok := s.dotted(e.F)
		if !ok {
			s.refuse("new of what facts do not know")
			s.arguments(e.Args)
			return what
		}
		what = s.known(e, s.in.find(full), e.Args)
		if s.effects[e] != "" && full != "Deno.Command" { // of which no function is made
			s.refuse("new of what has effects")
		}
		return what
	case *javascript.Member:
		return s.member(e)
	case *javascript.Sequence:
		for _, x := range e.List {
			what = s.data(x)
		}
	case *javascript.Await:
		what = s.expr(e.X)
		switch {
		case s.owns[what.thing] != nil:
			s.noThing(what)
		case what.thing == "Running": // the program is the promise's alone
			what.thing = ""
		}
		// What data holds under then may be called, and gives anything that it holds.
		what.loose = what.thing == "" && (what.loose || s.holds)
	case *javascript.Function:
		s.in.at(e.At)
		s.body(e)
		s.refuse("a function as a value")
	case *javascript.ImportCall:
		later, ok := s.importedLater(e)
		if !ok {
			s.refuse("import() of what is not Node's")
		}
		return later
	case *javascript.This:
		if s.this == "" {
			s.refuse("this of no object")
		}
		what.thing = s.this
	default:
		s.refuse("an expression of a special kind")
	}
	return what
}

// named is what a name is where it stands as a value.
func (s *sight) named(e *javascript.Name) sort {
	if full, ok := s.dotted(e); ok {
		return s.constant(full)
	}
	n := s.names[e.Name]
	switch {
	case n == nil:
		switch e.Name {
		case "undefined", "NaN", "Infinity", "__dirname", "__filename":
		default:
			s.refuse("the name " + e.Name)
		}
		return sort{}
	case !s.inScope(e.Name):
		s.refuse("the name " + e.Name + ", which may mean a module")
	case slices.ContainsFunc(n.values, isFunction):
		s.refuse("a function as a value: " + e.Name)
	}
	return sort{n.loose || n.rooted, n.thing}
}

// isFunction reports whether an expression is a function or a class of the text: what a name
// may be among others, it is nowhere as a value.
func isFunction(e javascript.Expr) bool {
	switch e.(type) {
	case *javascript.Function, *javascript.Class:
		return true
	}
	return false
}

// constant is what a full name of the facts is as a value.
func (s *sight) constant(full string) sort {
	e := s.in.find(full)
	if e.Kind != code.Constant {
		s.refuse("something that facts know as a value: " + full)
	}
	return s.sortOf(e.Type)
}

// held looks at what is put in a list or an object, and reports whether it is loose.
func (s *sight) held(e javascript.Expr) bool {
	if spread, ok := e.(*javascript.Spread); ok {
		e = spread.X
	}
	loose := s.data(e).loose
	if loose {
		s.set(&s.holds)
		s.set(&s.flows)
	}
	return loose
}

// object looks at an object, which is loose if what stands in it may be called as if
// it were what all data can do.
func (s *sight) object(e *javascript.Object) (what sort) {
	if hasFunctions(e) {
		return s.ownObject(e)
	}
	for i := range e.Props {
		p := &e.Props[i]
		if p.Kind != "" && p.Kind != "spread" || isForbidden(p.Key) {
			s.refuse("an object with functions")
		}
		if p.Computed != nil {
			s.use(p.Computed)
		}
		if s.held(p.Value) && (p.Kind == "spread" || p.Computed != nil || s.called(p.Key)) {
			what.loose = true
		}
	}
	return what
}

func (s *sight) unary(e *javascript.Unary) {
	n, name := e.X.(*javascript.Name)
	switch {
	case e.Op == "typeof" && (name && s.names[n.Name] == nil || s.isOfAll(e.X)):
	case e.Op == "delete":
		m, ok := e.X.(*javascript.Member)
		if !ok {
			s.refuse("delete")
			return
		}
		s.assigned(m, sort{})
	default:
		s.use(e.X)
	}
}

func (s *sight) binary(e *javascript.Binary) (what sort) {
	switch e.Op {
	case "&&", "||", "??":
		a, b := s.data(e.X), s.data(e.Y)
		what.loose = a.loose || b.loose
	case "===", "==", "!==", "!=":
		if !s.isMain(e.X) || !s.isMain(e.Y) {
			s.use(e.X)
			s.use(e.Y)
		}
	case "instanceof":
		s.use(e.X)
		if n, ok := e.Y.(*javascript.Name); !ok || !s.isClass(n.Name) && (s.names[n.Name] != nil || s.in.find(n.Name).Kind == code.Nothing) {
			s.refuse("instanceof")
		}
	default:
		s.use(e.X)
		s.use(e.Y)
		if e.Op == "+" {
			s.noteValue(e)
		}
	}
	return what
}

// isOfAll reports whether an expression is a member of the global object, of which is asked
// what type it has.
func (s *sight) isOfAll(e javascript.Expr) bool {
	m, ok := e.(*javascript.Member)
	if !ok || m.Index != nil || m.Optional || isForbidden(m.Name) {
		return false
	}
	n, ok := m.X.(*javascript.Name)
	return ok && n.Name == "globalThis" && s.names[n.Name] == nil
}

// isMain reports whether an expression is a side of require.main === module, which tells
// whether the text is run or loaded.
func (s *sight) isMain(e javascript.Expr) bool {
	name := func(e javascript.Expr, is string) bool {
		n, ok := e.(*javascript.Name)
		return ok && n.Name == is && s.names[is] == nil
	}
	m, ok := e.(*javascript.Member)
	return name(e, "module") || ok && m.Index == nil && !m.Optional && m.Name == "main" && name(m.X, "require")
}

func (s *sight) assign(e *javascript.Assign) (what sort) {
	value := e.Y
	if to, rest := again(e); to != nil && !s.expr(to.Index).loose {
		what = s.data(rest)
		s.target(to, value, what, false)
		what.loose = s.data(to).loose || what.loose
		return what
	}
	switch e.Op {
	case "=":
		what = s.data(e.Y)
	case "&&=", "||=", "??=":
		what = s.data(e.Y)
		s.target(e.Target, value, what, false)
		if old, ok := e.Target.(javascript.Expr); ok {
			what.loose = s.data(old).loose || what.loose
		}
		return what
	case "+=":
		s.use(e.Y)
	default:
		s.use(e.Y)
		value = &javascript.Update{}
	}
	s.target(e.Target, value, what, false)
	return what
}

// again is b where a[k] = a[k] || b is assigned, which gives a nothing else than it has;
// nil for anything else.
func again(e *javascript.Assign) (to *javascript.Member, b javascript.Expr) {
	or, ok := e.Y.(*javascript.Binary)
	if !ok || e.Op != "=" || or.Op != "||" && or.Op != "??" {
		return nil, nil
	}
	to, is := e.Target.(*javascript.Member)
	from, also := or.X.(*javascript.Member)
	if !is || !also || to.Index == nil || from.Index == nil || !sameName(to.X, from.X) || !sameName(to.Index, from.Index) {
		return nil, nil
	}
	return to, or.Y
}

// sameName reports whether two expressions are the same name, or the same member of it.
func sameName(a, b javascript.Expr) bool {
	switch a := a.(type) {
	case *javascript.Name:
		b, ok := b.(*javascript.Name)
		return ok && a.Name == b.Name
	case *javascript.Member:
		b, ok := b.(*javascript.Member)
		return ok && a.Index == nil && b.Index == nil && a.Name == b.Name && sameName(a.X, b.X)
	}
	return false
}

// member is what x.name or x[key] is.
func (s *sight) member(e *javascript.Member) (what sort) {
	s.in.at(e.At)
	if base, ok := s.dotted(e.X); ok && base == "process.env" {
		key, known := e.Index.(*javascript.String)
		if e.Index != nil && !known || e.Optional {
			s.refuse("a variable of the environment that no text shows")
			return what
		}
		if known {
			s.vars = append(s.vars, text(key.Value))
		} else {
			s.vars = append(s.vars, text(e.Name))
		}
		return what
	}
	if full, ok := s.dotted(e); ok {
		return s.constant(full)
	}
	if _, ok := e.X.(*javascript.ImportMeta); ok && e.Index == nil && !e.Optional {
		if entry := s.in.typeEntry("ImportMeta", e.Name); entry.Kind == code.Constant {
			return s.sortOf(entry.Type)
		}
	}
	if o := s.itself(e.X); o != nil {
		return s.ownMember(o, e)
	}
	base := s.expr(e.X)
	if o := s.owns[base.thing]; o != nil {
		return s.ownMember(o, e)
	}
	switch {
	case isOthers(base.thing) && e.Index == nil && !isForbidden(e.Name):
		return base
	case base.thing != "":
		entry := s.in.typeEntry(base.thing, e.Name)
		if e.Index != nil || len(entry.Type) == 0 {
			s.refuse("a member of the type " + base.thing)
			return what
		}
		return s.sortOf(entry.Type)
	case e.Index == nil:
		if isForbidden(e.Name) || e.Name[0] == '#' {
			s.refuse("the member " + e.Name)
		}
		shared := s.shared(e.Name)
		if shared && base.loose {
			s.refuse("a function of what is not known as a value")
		}
		what.loose = s.holds || shared
	case s.numeric(e.Index, 0):
		s.use(e.Index)
		what.loose = s.holds || s.flows
	default:
		if what.loose = s.key(e.Index); what.loose && base.loose {
			s.refuse("a key that is not known of what is not known")
		}
		what.loose = what.loose || s.holds
	}
	return what
}

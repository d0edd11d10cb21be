package javascript

import (
	"slices"

	"github.com/bashgate/bashgate/internal/javascript"
)

// target looks at what is given a value; value is nil where the tree does not tell it.
func (s *sight) target(p javascript.Pattern, value javascript.Expr, what sort, fixed bool) {
	switch p := p.(type) {
	case nil:
	case *javascript.Name:
		s.in.at(p.At)
		s.bind(p.Name, value, what, fixed)
		if !s.inScope(p.Name) {
			s.refuse("the name " + p.Name + ", which it does not declare")
		}
	case *javascript.Member:
		s.assigned(p, what)
	case *javascript.ArrayPattern:
		s.noThing(what)
		o, _ := value.(*oneOf)
		for i, item := range p.Items {
			s.piece(item, o, i, "", sort{loose: s.flows || s.holds}, fixed)
		}
	case *javascript.ObjectPattern:
		if isOthers(what.thing) && fixed {
			s.parts(p, what)
			return
		}
		s.noThing(what)
		o, _ := value.(*oneOf)
		for _, prop := range p.Props {
			shared := s.shared(prop.Key) && !prop.Rest
			if prop.Computed != nil || isForbidden(prop.Key) || shared && what.loose {
				s.refuse("a pattern with a key that is not known")
			}
			s.piece(prop.Param, o, -1, prop.Key, sort{loose: s.holds || shared}, fixed)
		}
	default:
		s.refuse("a pattern")
	}
}

// piece looks at a part of a pattern, which gets what stands under a place or a key of
// the items of a list that the text writes.
func (s *sight) piece(p javascript.Param, o *oneOf, at int, key string, what sort, fixed bool) {
	if n, ok := p.Target.(*javascript.Name); ok && o != nil && fixed && p.Default == nil && !p.Rest {
		if parts := o.part(at, key); parts != nil {
			s.bind(n.Name, parts, what, true)
			return
		}
	}
	s.param(p, what, fixed)
}

// parts looks at a pattern that gives names to what code of others has.
func (s *sight) parts(p *javascript.ObjectPattern, what sort) {
	for _, prop := range p.Props {
		n, ok := prop.Target.(*javascript.Name)
		if !ok || !isPlain(prop) || isForbidden(prop.Key) {
			s.refuse("code of others in a pattern")
			return
		}
		s.bind(n.Name, nil, what, true)
	}
}

func (s *sight) param(p javascript.Param, what sort, fixed bool) {
	if p.Default != nil {
		what.loose = s.data(p.Default).loose || what.loose
	}
	s.target(p.Target, nil, what, fixed)
}

// isPlain reports whether a property of a pattern gives a name what is under a key, and
// does no more.
func isPlain(prop javascript.PatternProperty) bool {
	_, name := prop.Target.(*javascript.Name)
	return name && !prop.Rest && prop.Computed == nil && prop.Default == nil
}

// assigned looks at a member that is set.
func (s *sight) assigned(m *javascript.Member, what sort) {
	s.in.at(m.At)
	s.noThing(what)
	if full, ok := s.dotted(m.X); ok {
		if full != "process" || m.Index != nil || m.Name != "exitCode" || what.loose {
			s.refuse("what is set in " + full)
		}
		return
	}
	if o := s.itself(m.X); o != nil {
		s.ownAssigned(o, m, what)
		return
	}
	base := s.expr(m.X)
	if o := s.owns[base.thing]; o != nil {
		s.ownAssigned(o, m, what)
		return
	}
	s.noThing(base)
	if n, ok := m.X.(*javascript.Name); ok && s.names[n.Name] != nil {
		base.loose = s.names[n.Name].loose // what it holds doesn't matter
	}
	if base.loose || m.Optional || len(m.Name) > 0 && m.Name[0] == '#' || isForbidden(m.Name) {
		s.refuse("a member of what is not known that is set")
	}
	s.change(m.X)
	name, unknown := m.Name, false
	if t, ok := m.Index.(*javascript.String); ok {
		name = t.Value
	}
	if m.Index != nil {
		unknown = s.key(m.Index)
	}
	if what.loose {
		s.set(&s.holds)
		s.set(&s.flows)
		if unknown || s.called(name) {
			s.root(m.X)
		}
	}
}

// root notes that an object may be below something loose, or hold it under a name that
// is called: it is loose itself wherever it goes then. Where it may have gone before, it
// is not read.
func (s *sight) root(e javascript.Expr) {
	if x, ok := e.(*javascript.Name); ok && s.names[x.Name] != nil && s.inScope(x.Name) {
		n := s.names[x.Name]
		if !slices.ContainsFunc(n.values, func(v javascript.Expr) bool { return !s.fresh(v) }) {
			s.set(&n.rooted)
			return
		}
	}
	s.refuse("what is not known under a key that is not known")
}

// fresh reports whether an expression gives an object that nothing else knows.
func (s *sight) fresh(e javascript.Expr) bool {
	switch e := e.(type) {
	case *javascript.Object, *javascript.Array:
		return true
	case *javascript.Call:
		full, ok := s.dotted(e.F)
		return ok && full == "JSON.parse" && len(e.Args) == 1
	}
	return false
}

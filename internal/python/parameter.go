package python

// parameters reads those of a function up to what ends them, which is not
// read.
func (p *parser) parameters(end string, annotated bool) Arguments {
	var a Arguments
	var slash, star, bare, defaults bool
	for !p.at(end) {
		switch {
		case p.at("/"):
			if slash || star || len(a.Args) == 0 {
				p.fail("a / out of place")
			}
			p.next++
			slash = true
			a.PosOnly, a.Args = a.Args, nil
		case p.take("**"):
			kwarg := p.parameter(annotated, false)
			a.Kwarg = &kwarg
			p.take(",")
			if !p.at(end) {
				p.fail("a parameter behind **")
			}
			continue
		case p.at("*"):
			if star {
				p.fail("a second *")
			}
			p.next++
			star = true
			if bare = p.at(","); !bare {
				vararg := p.parameter(annotated, true)
				a.Vararg = &vararg
			}
		default:
			arg := p.parameter(annotated, false)
			if p.take("=") {
				arg.Default = p.expression()
			}
			if star {
				a.KwOnly = append(a.KwOnly, arg)
				break
			}
			if defaults && arg.Default == nil {
				p.failAt(arg.Position, "a parameter without a default behind one with a default")
			}
			defaults = arg.Default != nil
			a.Args = append(a.Args, arg)
		}
		if !p.take(",") {
			break
		}
	}
	if bare && len(a.KwOnly) == 0 {
		p.fail("no name behind *")
	}
	return a
}

// parameter reads a name and its annotation, which may be starred.
func (p *parser) parameter(annotated, starred bool) Arg {
	t := p.read(name)
	arg := Arg{Position: t.Position, Name: t.text}
	if annotated && p.take(":") {
		if at := p.token().Position; starred && p.take("*") {
			arg.Annotation = &Starred{expression{at}, p.binary(lowest)}
		} else {
			arg.Annotation = p.expression()
		}
	}
	return arg
}

// typeParams reads [T, *Ts, **P], if it comes next.
func (p *parser) typeParams() []TypeParam {
	if !p.take("[") {
		return nil
	}
	var list []TypeParam
	defaults := false
	for {
		t := TypeParam{Position: p.token().Position}
		switch {
		case p.take("*"):
			t.Kind = TypeVarTuple
		case p.take("**"):
			t.Kind = ParamSpec
		}
		t.Name = p.read(name).text
		if t.Kind == TypeVar && p.take(":") {
			t.Bound = p.expression()
		}
		if p.take("=") {
			if t.Kind == TypeVarTuple {
				t.Default = p.starOr(p.expression)
			} else {
				t.Default = p.expression()
			}
		}
		if defaults && t.Default == nil {
			p.failAt(t.Position, "a parameter without a default behind one with a default")
		}
		defaults = t.Default != nil
		list = append(list, t)
		if !p.take(",") || p.at("]") {
			break
		}
	}
	p.expect("]")
	return list
}

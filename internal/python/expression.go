package python

// yieldOrStars reads what may stand behind "=": it may be yield or a tuple
// without parentheses.
func (p *parser) yieldOrStars() Expr {
	if p.at("yield") {
		return p.yield()
	}
	return p.stars()
}

// yield reads yield, yield x and yield from x.
func (p *parser) yield() Expr {
	p.enter()
	defer p.leave()
	at := p.token().Position
	p.expect("yield")
	if p.take("from") {
		return &YieldFrom{expression{at}, p.expression()}
	}
	y := &Yield{expression: expression{at}}
	if p.beginsExpression() || p.at("*") {
		y.Value = p.stars()
	}
	return y
}

// stars reads an expression, or several that make a tuple, of which some may
// be starred. One alone may not.
func (p *parser) stars() Expr { return p.tuple(p.expression) }

// tuple reads what one reads, or several of these that make a tuple.
func (p *parser) tuple(one func() Expr) Expr {
	at := p.token().Position
	first := p.starOr(one)
	if !p.at(",") {
		if _, starred := first.(*Starred); starred {
			p.failAt(at, "a star outside of brackets")
		}
		return first
	}
	t := &Tuple{expression{at}, []Expr{first}}
	for p.take(",") && (p.beginsExpression() || p.at("*")) {
		t.Elts = append(t.Elts, p.starOr(one))
	}
	return t
}

// starOr reads *x, or what other reads.
func (p *parser) starOr(other func() Expr) Expr {
	at := p.token().Position
	if p.take("*") {
		return &Starred{expression{at}, p.binary(lowest)}
	}
	return other()
}

// beginsExpression says whether an expression may come next.
func (p *parser) beginsExpression() bool {
	switch t := p.token(); t.kind {
	case name, number, literal, opening:
		return true
	case mark:
		switch t.text {
		case "(", "[", "{", "-", "+", "~", "...", "None", "True", "False", "not", "lambda", "await":
			return true
		}
	}
	return false
}

// named reads an expression, or (name := value) without its parentheses.
func (p *parser) named() Expr {
	if p.is(name) && p.after().is(":=") {
		at := p.token().Position
		target := p.name()
		p.next++
		return &NamedExpr{expression{at}, target, p.expression()}
	}
	return p.expression()
}

func (p *parser) name() *Name {
	t := p.read(name)
	return p.newName.add(Name{expression{t.Position}, t.text})
}

// expression reads what has neither commas nor stars.
func (p *parser) expression() Expr {
	p.enter()
	defer p.leave()
	if p.standsAlone() {
		return p.atom()
	}
	at := p.token().Position
	if p.at("lambda") {
		return p.lambda()
	}
	e := p.disjunction()
	if p.take("if") {
		test := p.disjunction()
		p.expect("else")
		return &IfExp{expression{at}, test, e, p.expression()}
	}
	return e
}

// standsAlone says whether a name, a number or a string comes next, and behind it the end
// of an expression: most expressions are that, and hold none of what else is looked for.
func (p *parser) standsAlone() bool {
	switch p.token().kind {
	case name, number, literal:
	default:
		return false
	}
	switch t := p.after(); t.kind {
	case newline:
		return true
	case mark:
		switch t.text {
		case ",", ")", "]", "}", ":", "=":
			return true
		}
	}
	return false
}

func (p *parser) lambda() Expr {
	at := p.token().Position
	p.expect("lambda")
	args := p.parameters(":", false)
	p.expect(":")
	return &Lambda{expression{at}, args, p.expression()}
}

func (p *parser) disjunction() Expr {
	return p.boolean("or", Or, func() Expr { return p.boolean("and", And, p.inversion) })
}

// boolean reads what operand reads, or several with an operator between them.
func (p *parser) boolean(word string, op Operator, operand func() Expr) Expr {
	at := p.token().Position
	first := operand()
	if !p.at(word) {
		return first
	}
	b := &BoolOp{expression{at}, op, []Expr{first}}
	for p.take(word) {
		b.Values = append(b.Values, operand())
	}
	return b
}

func (p *parser) inversion() Expr {
	at := p.token().Position
	if p.take("not") {
		p.enter()
		defer p.leave()
		return &UnaryOp{expression{at}, Not, p.inversion()}
	}
	return p.comparison()
}

func (p *parser) comparison() Expr {
	at := p.token().Position
	left := p.binary(lowest)
	op, ok := p.comparator()
	if !ok {
		return left
	}
	c := &Compare{expression: expression{at}, Left: left}
	for ; ok; op, ok = p.comparator() {
		c.Ops = append(c.Ops, op)
		c.Comparators = append(c.Comparators, p.binary(lowest))
	}
	return c
}

// binary reads operands and the operators between them that bind at least that
// strongly.
func (p *parser) binary(weakest int) Expr {
	at := p.token().Position
	outer := p.rise()
	left := p.factor()
	for {
		op, strength := operation(p.token())
		if strength < weakest || strength == 0 {
			break
		}
		p.next++
		left = &BinOp{expression{at}, left, op, p.binary(strength + 1)}
		p.grow()
	}
	p.settle(outer)
	return left
}

func (p *parser) factor() Expr {
	at := p.token().Position
	var op Operator
	switch {
	case p.at("+"):
		op = UAdd
	case p.at("-"):
		op = USub
	case p.at("~"):
		op = Invert
	default:
		return p.power()
	}
	p.enter()
	defer p.leave()
	p.next++
	return &UnaryOp{expression{at}, op, p.factor()}
}

func (p *parser) power() Expr {
	at := p.token().Position
	var base Expr
	if p.take("await") {
		base = &Await{expression{at}, p.primary()}
	} else {
		base = p.primary()
	}
	if p.take("**") {
		p.enter()
		defer p.leave()
		return &BinOp{expression{at}, base, Pow, p.factor()}
	}
	return base
}

// primary reads an atom with the attributes, calls and subscripts behind it.
func (p *parser) primary() Expr {
	at := expression{p.token().Position}
	outer := p.rise()
	e := p.atom()
	for {
		switch {
		case p.take("."):
			e = p.newAttribute.add(Attribute{at, e, p.read(name).text})
		case p.at("("):
			call := p.newCall.add(Call{expression: at, Index: p.calls, Func: e})
			p.calls++
			call.Args, call.Keywords = p.arguments()
			e = call
		case p.take("["):
			e = &Subscript{at, e, p.slices()}
			p.expect("]")
		default:
			p.settle(outer)
			return e
		}
		p.grow()
	}
}

// slices reads what stands in the brackets of a subscript.
func (p *parser) slices() Expr {
	at := p.token().Position
	first := p.slice()
	if _, starred := first.(*Starred); !starred && !p.at(",") {
		return first
	}
	t := &Tuple{expression{at}, []Expr{first}}
	for p.take(",") && !p.at("]") {
		t.Elts = append(t.Elts, p.slice())
	}
	return t
}

// slice reads an index, a part a:b:c, or *x.
func (p *parser) slice() Expr {
	at := expression{p.token().Position}
	if p.take("*") {
		return &Starred{at, p.expression()}
	}
	if p.is(name) && p.after().is(":=") {
		return p.named()
	}
	bound := func() Expr {
		if p.at(":") || p.at(",") || p.at("]") {
			return nil
		}
		return p.expression()
	}
	lower := bound()
	if lower != nil && !p.at(":") {
		return lower
	}
	p.expect(":")
	s := &Slice{expression: at, Lower: lower, Upper: bound()}
	if p.take(":") {
		s.Step = bound()
	}
	return s
}

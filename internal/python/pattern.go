package python

// beginsMatch says whether a match statement comes next: only one that begins
// with this name has ":" at the end of its line.
func (p *parser) beginsMatch() bool {
	if !p.token().isName("match") || p.after().is(":") {
		return false
	}
	return p.tokens.at(p.tokens.count - 2).is(":") // The last is the end of the line.
}

func (p *parser) match() Stmt {
	m := &Match{statement: statement{p.token().Position}}
	p.next++
	m.Subject = p.tuple(p.named)
	p.expect(":")
	p.enter()
	defer p.leave()
	p.endLine()
	p.read(indent)
	for !p.is(dedent) {
		if !p.token().isName("case") {
			p.fail("expected case")
		}
		p.next++
		c := MatchCase{Pattern: p.openPattern()}
		if p.take("if") {
			c.Guard = p.named()
		}
		c.Body = p.block()
		m.Cases = append(m.Cases, c)
	}
	p.next++
	return m
}

// openPattern reads a pattern, or several that make a sequence without
// brackets.
func (p *parser) openPattern() Pattern {
	at := casing{p.token().Position}
	first := p.starPattern()
	if _, starred := first.(*MatchStar); !starred && !p.at(",") {
		return first
	}
	s := &MatchSequence{at, []Pattern{first}}
	if !p.at(",") {
		p.fail("a star outside of a sequence")
	}
	for p.take(",") && !p.at(":") && !p.at("if") {
		s.Patterns = append(s.Patterns, p.starPattern())
	}
	return s
}

// starPattern reads *name, or a pattern.
func (p *parser) starPattern() Pattern {
	at := casing{p.token().Position}
	if p.take("*") {
		return &MatchStar{at, p.capture()}
	}
	return p.pattern()
}

// capture reads a name, which is empty if it is _.
func (p *parser) capture() string {
	if s := p.read(name).text; s != "_" {
		return s
	}
	return ""
}

// pattern reads a pattern that has no commas, with its as.
func (p *parser) pattern() Pattern {
	p.enter()
	defer p.leave()
	at := casing{p.token().Position}
	first := p.closedPattern()
	if p.at("|") {
		or := &MatchOr{at, []Pattern{first}}
		for p.take("|") {
			or.Patterns = append(or.Patterns, p.closedPattern())
		}
		first = or
	}
	if !p.take("as") {
		return first
	}
	target := p.capture()
	if target == "" {
		p.fail("a pattern as _")
	}
	return &MatchAs{at, first, target}
}

func (p *parser) closedPattern() Pattern {
	t := p.token()
	at := casing{t.Position}
	if t.kind == name {
		return p.namePattern()
	}
	switch {
	case p.take("("):
		list, comma := p.patterns(")")
		if len(list) == 1 && !comma {
			if _, starred := list[0].(*MatchStar); starred {
				p.failAt(t.Position, "a star outside of a sequence")
			}
			return list[0]
		}
		return &MatchSequence{at, list}
	case p.take("["):
		list, _ := p.patterns("]")
		return &MatchSequence{at, list}
	case p.at("{"):
		return p.mapping()
	case t.kind == mark && t.text != "...":
		if k, ok := constant(t.text); ok {
			p.next++
			return &MatchSingleton{at, k}
		}
	}
	return &MatchValue{at, p.literal()}
}

// patterns reads those of a sequence up to its bracket, and says whether a
// comma is the last.
func (p *parser) patterns(end string) (list []Pattern, comma bool) {
	for !p.at(end) {
		list = append(list, p.starPattern())
		if comma = p.take(","); !comma {
			break
		}
	}
	p.expect(end)
	return list, comma
}

// literal reads a string, or a number with its sign and its imaginary part.
func (p *parser) literal() Expr {
	at := expression{p.token().Position}
	if p.is(literal) || p.is(opening) {
		s := p.strings()
		if _, ok := s.(*Constant); !ok {
			p.failAt(at.Position, "a pattern with fields")
		}
		return s
	}
	var e Expr
	real := p.take("-")
	c := p.newConstant.add(numeral(p.read(number)))
	if e = c; real {
		e = &UnaryOp{at, USub, c}
	}
	if !p.at("+") && !p.at("-") {
		return e
	}
	op := Add
	if p.at("-") {
		op = Sub
	}
	p.next++
	imaginary := p.newConstant.add(numeral(p.read(number)))
	if c.Kind == Complex || imaginary.Kind != Complex {
		p.failAt(at.Position, "a pattern that computes")
	}
	return &BinOp{at, e, op, imaginary}
}

// namePattern reads a name to be captured, _, the value of an attribute, or a
// class with patterns for what it holds.
func (p *parser) namePattern() Pattern {
	at := casing{p.token().Position}
	if !p.after().is(".") && !p.after().is("(") {
		return &MatchAs{at, nil, p.capture()}
	}
	value := p.attribute()
	if !p.take("(") {
		return &MatchValue{at, value}
	}
	m := &MatchClass{casing: at, Cls: value}
	for !p.at(")") {
		if p.is(name) && p.after().is("=") {
			m.KwdAttrs = append(m.KwdAttrs, p.name().ID)
			p.next++
			m.KwdPatterns = append(m.KwdPatterns, p.pattern())
		} else if len(m.KwdAttrs) > 0 {
			p.fail("a pattern without a name behind one with a name")
		} else {
			m.Patterns = append(m.Patterns, p.pattern())
		}
		if !p.take(",") {
			break
		}
	}
	p.expect(")")
	return m
}

// attribute reads a name with dots in it.
func (p *parser) attribute() Expr {
	at := expression{p.token().Position}
	outer := p.rise()
	var e Expr = p.name()
	for p.take(".") {
		e = &Attribute{at, e, p.read(name).text}
		p.grow()
	}
	p.settle(outer)
	return e
}

func (p *parser) mapping() Pattern {
	m := &MatchMapping{casing: casing{p.token().Position}}
	p.expect("{")
	for !p.at("}") {
		if p.take("**") {
			if m.Rest = p.capture(); m.Rest == "" {
				p.fail("**_ in a pattern")
			}
			p.take(",")
			break
		}
		m.Keys = append(m.Keys, p.key())
		p.expect(":")
		m.Patterns = append(m.Patterns, p.pattern())
		if !p.take(",") {
			break
		}
	}
	p.expect("}")
	return m
}

// key reads that of a mapping: a literal or an attribute.
func (p *parser) key() Expr {
	t := p.token()
	if t.kind == name {
		if !p.after().is(".") {
			p.fail("a name alone is no key")
		}
		return p.attribute()
	}
	if k, ok := constant(t.text); ok && t.kind == mark && t.text != "..." {
		p.next++
		return &Constant{expression: expression{t.Position}, Kind: k}
	}
	return p.literal()
}

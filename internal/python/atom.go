package python

// atom reads a name, a literal, or what stands in brackets of its own.
func (p *parser) atom() Expr {
	t := p.token()
	switch t.kind {
	case name:
		return p.name()
	case number:
		p.next++
		return p.newConstant.add(numeral(t))
	case literal, opening:
		return p.strings()
	case mark:
		switch t.text {
		case "(":
			return p.parentheses()
		case "[":
			return p.list()
		case "{":
			return p.braces()
		}
		if k, ok := constant(t.text); ok {
			p.next++
			return p.newConstant.add(Constant{expression: expression{t.Position}, Kind: k})
		}
	}
	p.fail("expected an expression")
	return nil
}

// constant is what a keyword, or "...", is the value of.
func constant(word string) (k ConstantKind, ok bool) {
	switch word {
	case "None":
		return None, true
	case "True":
		return True, true
	case "False":
		return False, true
	case "...":
		return Ellipsis, true
	}
	return 0, false
}

// parentheses reads a tuple, a generator, or an expression that only stands in
// parentheses.
func (p *parser) parentheses() Expr {
	at := expression{p.token().Position}
	p.expect("(")
	if p.take(")") {
		return &Tuple{expression: at}
	}
	if p.at("yield") {
		y := p.yield()
		p.expect(")")
		return y
	}
	first := p.starOr(p.named)
	_, starred := first.(*Starred)
	switch {
	case p.at(","):
		return &Tuple{at, p.elements(first, ")")}
	case starred:
		p.fail("a star outside of a tuple")
	case p.beginsFor():
		g := &GeneratorExp{at, first, p.comprehensions()}
		p.expect(")")
		return g
	}
	p.expect(")")
	return first
}

// elements reads what follows a first element, up to the closing bracket.
func (p *parser) elements(first Expr, end string) []Expr {
	list := []Expr{first}
	for p.take(",") && !p.at(end) {
		list = append(list, p.starOr(p.named))
	}
	p.expect(end)
	return list
}

func (p *parser) list() Expr {
	at := expression{p.token().Position}
	p.expect("[")
	if p.take("]") {
		return &List{expression: at}
	}
	first := p.starOr(p.named)
	if p.beginsFor() {
		p.unstarred(first)
		c := &ListComp{at, first, p.comprehensions()}
		p.expect("]")
		return c
	}
	return &List{at, p.elements(first, "]")}
}

func (p *parser) unstarred(e Expr) {
	if _, starred := e.(*Starred); starred {
		p.failAt(e.Pos(), "a star in a comprehension")
	}
}

// braces reads a dictionary or a set.
func (p *parser) braces() Expr {
	at := expression{p.token().Position}
	p.expect("{")
	if p.at("}") || p.at("**") {
		return p.dict(&Dict{expression: at})
	}
	bare := p.is(name) && p.after().is(":=")
	first := p.starOr(p.named)
	_, starred := first.(*Starred)
	switch {
	case p.at(":") && !starred && !bare:
		p.next++
		value := p.expression()
		if p.beginsFor() {
			c := &DictComp{at, first, value, p.comprehensions()}
			p.expect("}")
			return c
		}
		d := &Dict{at, []Expr{first}, []Expr{value}}
		if !p.at("}") {
			p.expect(",")
		}
		return p.dict(d)
	case p.beginsFor():
		p.unstarred(first)
		c := &SetComp{at, first, p.comprehensions()}
		p.expect("}")
		return c
	}
	return &Set{at, p.elements(first, "}")}
}

// dict reads what follows in a dictionary.
func (p *parser) dict(d *Dict) Expr {
	for !p.at("}") {
		if p.take("**") {
			d.Keys = append(d.Keys, nil)
			d.Values = append(d.Values, p.binary(lowest))
		} else {
			d.Keys = append(d.Keys, p.expression())
			p.expect(":")
			d.Values = append(d.Values, p.expression())
		}
		if !p.take(",") {
			break
		}
	}
	p.expect("}")
	return d
}

func (p *parser) beginsFor() bool { return p.at("for") || p.at("async") }

func (p *parser) comprehensions() []Comprehension {
	var list []Comprehension
	for p.beginsFor() {
		c := Comprehension{Async: p.take("async")}
		p.expect("for")
		c.Target = p.targets()
		p.expect("in")
		c.Iter = p.disjunction()
		for p.take("if") {
			c.Ifs = append(c.Ifs, p.disjunction())
		}
		list = append(list, c)
	}
	return list
}

// arguments reads those of a call, with their parentheses.
func (p *parser) arguments() (args []Expr, keywords []Keyword) {
	opened := p.token().Position
	p.expect("(")
	unpacked := false // by **
	for !p.at(")") {
		at := p.token().Position
		switch {
		case p.take("**"):
			keywords = append(keywords, Keyword{at, "", p.expression()})
			unpacked = true
		case p.take("*"):
			if unpacked {
				p.failAt(at, "* behind **")
			}
			args = append(args, &Starred{expression{at}, p.expression()})
		case p.is(name) && p.after().is("="):
			word := p.name().ID
			p.next++
			keywords = append(keywords, Keyword{at, word, p.expression()})
		default:
			e := p.named()
			if p.beginsFor() {
				g := &GeneratorExp{expression{opened}, e, p.comprehensions()}
				if len(args)+len(keywords) > 0 || !p.at(")") {
					p.failAt(at, "a generator among arguments that stands in no parentheses")
				}
				e = g
			}
			if len(keywords) > 0 {
				p.failAt(at, "an argument without a name behind one with a name")
			}
			args = append(args, e)
		}
		if !p.take(",") {
			break
		}
	}
	p.expect(")")
	return args, keywords
}

package python

// compound reads a statement that holds others, or returns nil.
func (p *parser) compound() Stmt {
	t := p.token()
	if p.beginsMatch() {
		return p.match()
	}
	if t.kind != mark {
		return nil
	}
	at := statement{t.Position}
	switch t.text {
	case "if":
		return p.ifs()
	case "while":
		p.next++
		return &While{at, p.named(), p.block(), p.orelse()}
	case "for":
		return p.loop(at, false)
	case "with":
		return p.with(at, false)
	case "try":
		return p.try()
	case "def":
		return p.function(at, false, nil)
	case "class":
		return p.class(nil)
	case "@":
		return p.decorated()
	case "async":
		p.next++
		switch {
		case p.at("for"):
			return p.loop(at, true)
		case p.at("with"):
			return p.with(at, true)
		}
		return p.function(at, true, nil)
	}
	return nil
}

// block reads ":" and the statements behind it, on the same line or indented
// below it.
func (p *parser) block() []Stmt {
	p.expect(":")
	p.enter()
	defer p.leave()
	if !p.is(newline) {
		return p.simples(nil)
	}
	p.endLine()
	p.read(indent)
	var list []Stmt
	for !p.is(dedent) {
		list = p.statement(list)
	}
	p.next++
	return list
}

func (p *parser) orelse() []Stmt {
	if p.take("else") {
		return p.block()
	}
	return nil
}

// ifs reads an if with all its elifs, each of which stands in the one before.
func (p *parser) ifs() Stmt {
	outer := p.rise()
	first := &If{statement: statement{p.token().Position}}
	p.expect("if")
	first.Test, first.Body = p.named(), p.block()
	last := first
	for p.at("elif") {
		i := &If{statement: statement{p.token().Position}}
		p.next++
		i.Test, i.Body = p.named(), p.block()
		last.Orelse = []Stmt{i}
		last = i
		p.grow()
	}
	last.Orelse = p.orelse()
	p.settle(outer)
	return first
}

func (p *parser) loop(at statement, async bool) Stmt {
	f := &For{statement: at, Async: async}
	p.expect("for")
	f.Target = p.targets()
	p.expect("in")
	f.Iter = p.stars()
	f.Body = p.block()
	f.Orelse = p.orelse()
	return f
}

func (p *parser) with(at statement, async bool) Stmt {
	w := &With{statement: at, Async: async}
	p.expect("with")
	end := ":"
	if p.itemsInParentheses() {
		p.next++
		end = ")"
	}
	for {
		item := WithItem{Context: p.expression()}
		if p.take("as") {
			item.Vars = p.primary()
			p.assignable(item.Vars, true)
		}
		w.Items = append(w.Items, item)
		if !p.take(",") || end == ")" && p.at(end) {
			break
		}
	}
	if end == ")" {
		p.expect(end)
	}
	w.Body = p.block()
	return w
}

// itemsInParentheses says whether the items of a with statement stand in
// parentheses, `with (a as b, c):`, which may also be those of a tuple. To
// Python 3.8, which knows no such items, with (a, b): is a tuple: it evaluates
// the same, and then fails, as a tuple cannot be entered.
func (p *parser) itemsInParentheses() bool {
	if !p.at("(") {
		return false
	}
	depth := 0
	var names, commas, lambdas, tuple bool
	for i := p.next; ; i++ {
		t := p.tokens.at(i)
		if t.kind == newline {
			return false
		}
		if t.kind != mark {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		if depth == 0 {
			if tuple && lambdas {
				p.fail("a lambda in parentheses behind with")
			}
			return names || commas && !tuple && p.tokens.at(i+1).is(":")
		}
		if depth > 1 {
			continue
		}
		switch t.text {
		case "as":
			names = true
		case ",":
			commas = true
			tuple = tuple || p.tokens.at(i+1).is("*")
		case "lambda":
			lambdas = true
		case "(":
			tuple = tuple || p.tokens.at(i+1).is("*") || p.tokens.at(i+1).is("yield")
		case ":=", "for":
			tuple = true
		}
	}
}

func (p *parser) try() Stmt {
	t := &Try{statement: statement{p.token().Position}}
	p.expect("try")
	t.Body = p.block()
	for p.at("except") {
		p.handler(t)
	}
	if len(t.Handlers) > 0 {
		t.Orelse = p.orelse()
	}
	if p.take("finally") {
		t.Finalbody = p.block()
	} else if len(t.Handlers) == 0 {
		p.fail("expected except or finally")
	}
	return t
}

// handler reads one of the handlers of a try statement.
func (p *parser) handler(t *Try) {
	h := ExceptHandler{Position: p.token().Position}
	p.expect("except")
	star := p.take("*")
	if len(t.Handlers) > 0 && t.Star != star {
		p.fail("except beside except*")
	}
	t.Star = star
	if star || !p.at(":") {
		at := p.token().Position
		h.Type = p.expression()
		switch {
		case p.take("as"):
			h.Name = p.read(name).text
		case p.at(","):
			// As since Python 3.14; what Python 2 meant by it, none here does.
			types := &Tuple{expression{at}, []Expr{h.Type}}
			for p.take(",") && !p.at(":") {
				types.Elts = append(types.Elts, p.expression())
			}
			h.Type = types
		}
	}
	h.Body = p.block()
	t.Handlers = append(t.Handlers, h)
}

func (p *parser) decorated() Stmt {
	var list []Expr
	for p.take("@") {
		list = append(list, p.named())
		p.endLine()
	}
	at := statement{p.token().Position}
	switch {
	case p.at("class"):
		return p.class(list)
	case p.take("async"):
		return p.function(at, true, list)
	}
	return p.function(at, false, list)
}

func (p *parser) function(at statement, async bool, decorators []Expr) Stmt {
	f := &FunctionDef{statement: at, Async: async, Decorators: decorators}
	p.expect("def")
	f.Name = p.read(name).text
	f.TypeParams = p.typeParams()
	p.expect("(")
	f.Args = p.parameters(")", true)
	p.expect(")")
	if p.take("->") {
		f.Returns = p.expression()
	}
	f.Body = p.block()
	return f
}

func (p *parser) class(decorators []Expr) Stmt {
	c := &ClassDef{statement: statement{p.token().Position}, Decorators: decorators}
	p.expect("class")
	c.Name = p.read(name).text
	c.TypeParams = p.typeParams()
	if p.at("(") {
		at := p.token().Position
		c.Bases, c.Keywords = p.arguments()
		if len(c.Bases) == 1 {
			if g, ok := c.Bases[0].(*GeneratorExp); ok && g.Position == at {
				p.failAt(at, "a generator is no base of a class")
			}
		}
	}
	c.Body = p.block()
	return c
}

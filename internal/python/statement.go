package python

import "strings"

// statement reads a compound statement, or a line of simple ones, and adds
// them to a list.
func (p *parser) statement(list []Stmt) []Stmt {
	if s := p.compound(); s != nil {
		return append(list, s)
	}
	return p.simples(list)
}

// simples reads a line of statements that hold no others.
func (p *parser) simples(list []Stmt) []Stmt {
	for {
		list = append(list, p.simple())
		if !p.take(";") || p.is(newline) {
			break
		}
	}
	p.endLine()
	return list
}

func (p *parser) simple() Stmt {
	t := p.token()
	at := statement{t.Position}
	if t.isName("type") && p.after().kind == name {
		return p.typeAlias()
	}
	if t.kind != mark {
		return p.assignment()
	}
	switch t.text {
	case "pass":
		p.next++
		return &Pass{at}
	case "break":
		p.next++
		return &Break{at}
	case "continue":
		p.next++
		return &Continue{at}
	case "return":
		p.next++
		r := &Return{statement: at}
		if !p.endsSimple() {
			r.Value = p.stars()
		}
		return r
	case "raise":
		p.next++
		r := &Raise{statement: at}
		if !p.endsSimple() {
			r.Exc = p.expression()
			if p.take("from") {
				r.Cause = p.expression()
			}
		}
		return r
	case "assert":
		p.next++
		a := &Assert{statement: at, Test: p.expression()}
		if p.take(",") {
			a.Msg = p.expression()
		}
		return a
	case "del":
		return p.del()
	case "global":
		p.next++
		return &Global{at, p.names()}
	case "nonlocal":
		p.next++
		return &Nonlocal{at, p.names()}
	case "import":
		return p.imports()
	case "from":
		return p.importFrom()
	}
	return p.assignment()
}

func (p *parser) endsSimple() bool { return p.is(newline) || p.at(";") }

func (p *parser) names() []string {
	list := []string{p.read(name).text}
	for p.take(",") {
		list = append(list, p.read(name).text)
	}
	return list
}

// assignment reads an assignment of any kind, or an expression.
func (p *parser) assignment() Stmt {
	t := p.token()
	at := statement{t.Position}
	first := p.yieldOrStars()
	switch op, augmented := augmented(p.token()); {
	case augmented:
		p.single(first)
		p.next++
		return &AugAssign{at, first, op, p.yieldOrStars()}
	case p.take(":"):
		p.single(first)
		_, simple := first.(*Name)
		a := &AnnAssign{statement: at, Target: first, Simple: simple && !t.is("("), Annotation: p.expression()}
		if p.take("=") {
			a.Value = p.yieldOrStars()
		}
		return a
	case !p.at("="):
		return &ExprStmt{at, first}
	}
	a := &Assign{statement: at, Value: first}
	for p.take("=") {
		p.assignable(a.Value, true)
		a.Targets = append(a.Targets, a.Value)
		a.Value = p.yieldOrStars()
	}
	return a
}

// single sees that an expression is a target that stands for one value.
func (p *parser) single(e Expr) {
	switch e.(type) {
	case *Name, *Attribute, *Subscript:
	default:
		p.failAt(e.Pos(), "not assignable here")
	}
}

// assignable sees that an expression can be assigned to, or deleted; then
// nothing in it may be starred.
func (p *parser) assignable(e Expr, stars bool) {
	var elements []Expr
	switch e := e.(type) {
	case *Tuple:
		elements = e.Elts
	case *List:
		elements = e.Elts
	default:
		p.single(e)
	}
	for _, e := range elements {
		if s, ok := e.(*Starred); ok && stars {
			e = s.Value
		}
		p.assignable(e, stars)
	}
}

// targets reads what is assigned to in front of "in".
func (p *parser) targets() Expr {
	e := p.tuple(p.primary)
	p.assignable(e, true)
	return e
}

func (p *parser) del() Stmt {
	d := &Delete{statement: statement{p.token().Position}}
	p.expect("del")
	for {
		e := p.primary()
		p.assignable(e, false)
		d.Targets = append(d.Targets, e)
		if !p.take(",") || p.endsSimple() {
			return d
		}
	}
}

func (p *parser) typeAlias() Stmt {
	a := &TypeAlias{statement: statement{p.token().Position}}
	p.next++
	a.Name = p.name()
	a.TypeParams = p.typeParams()
	p.expect("=")
	a.Value = p.expression()
	return a
}

// dotted reads a name with dots in it.
func (p *parser) dotted() string {
	parts := []string{p.read(name).text}
	for p.take(".") {
		parts = append(parts, p.read(name).text)
	}
	return strings.Join(parts, ".")
}

func (p *parser) imports() Stmt {
	i := &Import{statement: statement{p.token().Position}}
	p.expect("import")
	for {
		i.Names = append(i.Names, p.alias(p.dotted))
		if !p.take(",") {
			return i
		}
	}
}

func (p *parser) importFrom() Stmt {
	i := &ImportFrom{statement: statement{p.token().Position}}
	p.expect("from")
	for p.at(".") || p.at("...") {
		i.Level += len(p.token().text)
		p.next++
	}
	if i.Level == 0 || p.is(name) {
		i.Module = p.dotted()
	}
	p.expect("import")
	if at := p.token().Position; p.take("*") {
		i.Names = []Alias{{Position: at, Name: "*"}}
		return i
	}
	one := func() string { return p.read(name).text }
	open := p.take("(")
	for {
		a := p.alias(one)
		if i.Module == "__future__" && a.Name == "barry_as_FLUFL" {
			p.failAt(a.Position, "another syntax from __future__")
		}
		i.Names = append(i.Names, a)
		if !p.take(",") || open && p.at(")") {
			break
		}
	}
	if open {
		p.expect(")")
	}
	return i
}

// alias reads what read reads, perhaps with another name.
func (p *parser) alias(read func() string) Alias {
	a := Alias{Position: p.token().Position, Name: read()}
	if p.take("as") {
		a.AsName = p.read(name).text
	}
	return a
}

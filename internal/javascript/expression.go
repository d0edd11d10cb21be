package javascript

import (
	"bytes"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

func (r *reader) optionalExpr(e js.IExpr) Expr {
	if e == nil {
		return nil
	}
	return r.expr(e)
}

func (r *reader) expr(e js.IExpr) Expr {
	switch e := e.(type) {
	case *js.GroupExpr:
		var x Expr
		r.apart(func() { x = r.expr(e.X) })
		return x
	case *js.Var:
		return r.variable(e)
	case *js.LiteralExpr:
		return r.literal(*e)
	case *js.TemplateExpr:
		return r.template(e)
	case *js.ArrayExpr:
		a := &Array{}
		r.apart(func() {
			for _, item := range e.List {
				x := r.optionalExpr(item.Value)
				if item.Spread {
					x = &Spread{x}
				}
				a.Items = append(a.Items, x)
			}
		})
		return a
	case *js.ObjectExpr:
		var o Expr
		r.apart(func() { o = r.object(e) })
		return o
	case *js.FuncDecl:
		return r.function(e)
	case *js.ArrowFunc:
		f := &Function{At: r.at, Arrow: true, Async: e.Async}
		r.called(func() {
			r.apart(func() { f.Params = r.params(e.Params) })
			if len(e.Body.List) == 1 {
				if back, ok := e.Body.List[0].(*js.ReturnStmt); ok { // which is how a => b is told
					f.Body = []Stmt{&Return{r.optionalExpr(back.Value)}}
					return
				}
			}
			f.Body = r.stmts(e.Body.List)
		})
		return f
	case *js.ClassDecl:
		var c Expr
		r.apart(func() { c = r.class(e) })
		return c
	case *js.UnaryExpr:
		return r.unary(e)
	case *js.BinaryExpr:
		return r.binary(e)
	case *js.CondExpr:
		// (a) : b => c behind ? may be an arrow with the type of its result.
		if _, ok := e.Y.(*js.ArrowFunc); ok {
			if _, ok := e.X.(*js.GroupExpr); ok {
				r.fail("read in another way where there are types")
			}
		}
		c := &Cond{Test: r.expr(e.Cond)}
		r.open = false
		c.Then = r.expr(e.X)
		r.open = false
		c.Else = r.expr(e.Y)
		return c
	case *js.CallExpr:
		if l, ok := e.X.(*js.LiteralExpr); ok && l.TokenType == js.ImportToken {
			at := r.move(l.Data)
			return &ImportCall{at, r.args(&e.Args)}
		}
		f := r.callee(e.X)
		at := r.at
		return &Call{at, f, r.args(&e.Args), e.Optional}
	case *js.NewExpr:
		f := r.expr(e.X)
		if _, ok := f.(*Super); ok {
			r.fail("new super")
		}
		at := r.at
		return &New{at, f, r.args(e.Args)}
	case *js.DotExpr:
		m := &Member{X: r.callee(e.X), Optional: e.Optional}
		switch y := e.Y.(type) {
		case js.LiteralExpr:
			r.move(y.Data)
			m.Name = r.property(r.word(y.Data))
		case *js.LiteralExpr:
			r.move(y.Data)
			m.Name = r.property(r.word(y.Data))
		case *js.Var:
			r.move(y.Name())
			m.Name = r.word(y.Name())
		default:
			r.fail("a member that is not understood")
		}
		m.At = r.at
		return m
	case *js.IndexExpr:
		m := &Member{X: r.callee(e.X), Optional: e.Optional}
		r.apart(func() { m.Index = r.expr(e.Y) })
		m.At = r.at
		return m
	case *js.CommaExpr:
		s := &Sequence{}
		for _, x := range e.List {
			s.List = append(s.List, r.expr(x))
		}
		return s
	case *js.YieldExpr:
		if e.X != nil {
			r.unambiguous("yield", e.X)
		}
		return &Yield{r.optionalExpr(e.X), e.Generator}
	case *js.NewTargetExpr:
		return &NewTarget{}
	case *js.ImportMetaExpr:
		r.program.Module = true
		return &ImportMeta{}
	}
	r.fail("an expression that is not understood")
	return nil
}

// callee reads what may be super as well.
func (r *reader) callee(e js.IExpr) Expr {
	if l, ok := e.(*js.LiteralExpr); ok && l.TokenType == js.SuperToken {
		r.move(l.Data)
		return &Super{}
	}
	return r.expr(e)
}

func (r *reader) args(args *js.Args) []Expr {
	if args == nil {
		return nil
	}
	var list []Expr
	r.apart(func() {
		for _, a := range args.List {
			x := r.expr(a.Value)
			if a.Rest {
				x = &Spread{x}
			}
			list = append(list, x)
		}
	})
	return list
}

func (r *reader) literal(l js.LiteralExpr) Expr {
	r.move(l.Data)
	switch l.TokenType {
	case js.StringToken:
		return r.string(l.Data)
	case js.ThisToken:
		return &This{}
	case js.NullToken:
		return &Null{}
	case js.TrueToken, js.FalseToken:
		return &Bool{l.TokenType == js.TrueToken}
	case js.DecimalToken, js.BinaryToken, js.OctalToken, js.HexadecimalToken, js.IntegerToken:
		return r.number(l.Data)
	case js.RegExpToken:
		if end := bytes.LastIndexByte(l.Data, '/'); end > 0 {
			e := &Regexp{string(l.Data[1:end]), string(l.Data[end+1:])}
			r.says(e.Pattern)
			r.says(strings.ReplaceAll(e.Pattern, `\`, ""))
			return e
		}
	}
	r.fail("a literal that is not understood")
	return nil
}

func (r *reader) string(data []byte) *String {
	at := r.move(data)
	if len(data) < 2 {
		r.fail("a text without quotes")
	}
	s := &String{at, r.unquote(data[1 : len(data)-1])}
	r.says(s.Value)
	return s
}

func (r *reader) template(e *js.TemplateExpr) Expr {
	t := &Template{}
	if e.Tag != nil {
		t.Tag = r.callee(e.Tag)
	}
	t.At = r.at
	text := func(data []byte, end int) {
		r.move(data)
		if len(data) < 1+end {
			r.fail("a template that is not understood")
		}
		// Ends of lines are one character in templates.
		data = bytes.ReplaceAll(bytes.ReplaceAll(data[1:len(data)-end], []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
		t.Texts = append(t.Texts, r.unquote(data))
		r.says(t.Texts[len(t.Texts)-1])
		t.Raw = append(t.Raw, string(data))
	}
	for _, part := range e.List {
		text(part.Value, len("${"))
		r.apart(func() { t.List = append(t.List, r.expr(part.Expr)) })
	}
	text(e.Tail, len("`"))
	return t
}

func (r *reader) object(e *js.ObjectExpr) Expr {
	o := &Object{}
	for _, item := range e.List {
		p := Property{}
		if m, ok := item.Value.(*js.MethodDecl); ok && item.Name == nil && !item.Spread {
			p.Kind, p.Key, p.Computed, p.Value = r.method(m)
			o.Props = append(o.Props, p)
			continue
		}
		switch {
		case item.Init != nil:
			r.fail("a default in an object")
		case item.Spread:
			p.Kind = "spread"
		case item.Name == nil:
			r.fail("a property without a name")
		default:
			p.Key, p.Computed = r.key(*item.Name)
		}
		p.Value = r.expr(item.Value)
		o.Props = append(o.Props, p)
	}
	return o
}

// method reads a method's kind, name and function.
func (r *reader) method(m *js.MethodDecl) (kind, key string, computed Expr, f *Function) {
	kind = "method"
	switch {
	case m.Get:
		kind = "get"
	case m.Set:
		kind = "set"
	}
	if v := m.Name.Private; v != nil {
		r.move(v.Name())
		key = r.word(v.Name())
	} else {
		key, computed = r.key(m.Name.PropertyName)
	}
	f = &Function{At: r.at, Async: m.Async, Generator: m.Generator}
	r.called(func() {
		f.Params = r.params(m.Params)
		f.Body = r.stmts(m.Body.List)
	})
	return kind, key, computed, f
}

func (r *reader) function(e *js.FuncDecl) *Function {
	f := &Function{At: r.at, Async: e.Async, Generator: e.Generator}
	if e.Name != nil {
		n := r.variable(e.Name)
		f.At, f.Name = n.At, n.Name
	}
	r.called(func() {
		r.apart(func() { f.Params = r.params(e.Params) })
		f.Body = r.stmts(e.Body.List)
	})
	return f
}

func (r *reader) class(e *js.ClassDecl) *Class {
	c := &Class{}
	if e.Name != nil {
		c.Name = r.variable(e.Name).Name
	}
	c.Extends = r.optionalExpr(e.Extends)
	for _, item := range e.List {
		m := ClassMember{}
		switch {
		case item.StaticBlock != nil:
			m.Kind, m.Static = "block", true
			r.called(func() { m.Body = r.stmts(item.StaticBlock.List) })
		case item.Method != nil:
			m.Static = item.Method.Static
			m.Kind, m.Key, m.Computed, m.Value = r.classMethod(item.Method)
		default:
			m.Kind, m.Static = "field", item.Static
			if v := item.Name.Private; v != nil {
				r.move(v.Name())
				m.Key = r.word(v.Name())
			} else {
				m.Key, m.Computed = r.key(item.Name.PropertyName)
			}
			if item.Init != nil {
				r.called(func() { m.Value = r.expr(item.Init) })
			}
		}
		c.Members = append(c.Members, m)
	}
	return c
}

func (r *reader) classMethod(m *js.MethodDecl) (string, string, Expr, Expr) {
	kind, key, computed, f := r.method(m)
	return kind, key, computed, f
}

func (r *reader) unary(e *js.UnaryExpr) Expr {
	switch e.Op {
	case js.AwaitToken:
		r.unambiguous("await", e.X)
		if r.calls == 0 {
			r.program.Module = true
		}
		return &Await{r.expr(e.X)}
	case js.PreIncrToken, js.PreDecrToken, js.PostIncrToken, js.PostDecrToken:
		u := &Update{Op: "++", Prefix: e.Op == js.PreIncrToken || e.Op == js.PreDecrToken}
		if e.Op == js.PreDecrToken || e.Op == js.PostDecrToken {
			u.Op = "--"
		}
		switch e.X.(type) {
		case *js.ArrayExpr, *js.ObjectExpr:
			r.fail("counted what is no variable")
		}
		u.Target = r.target(e.X)
		return u
	case js.PosToken:
		return &Unary{"+", r.expr(e.X)}
	case js.NegToken:
		return &Unary{"-", r.expr(e.X)}
	case js.NotToken, js.BitNotToken, js.TypeofToken, js.VoidToken, js.DeleteToken:
		return &Unary{e.Op.String(), r.expr(e.X)}
	}
	r.fail("an operator that is not understood")
	return nil
}

// unambiguous fails where a word is an operator in one kind of text and a name
// in another, and what follows means something else behind a name:
// typeof await /f()/g
func (r *reader) unambiguous(word string, e js.IExpr) {
	for {
		switch x := e.(type) {
		case *js.LiteralExpr:
			if x.TokenType != js.RegExpToken {
				return
			}
		case *js.UnaryExpr:
			switch x.Op {
			case js.PosToken, js.NegToken, js.PreIncrToken, js.PreDecrToken:
			case js.PostIncrToken, js.PostDecrToken:
				e = x.X
				continue
			default:
				return
			}
		case *js.BinaryExpr:
			e = x.X
			continue
		case *js.CondExpr:
			e = x.Cond
			continue
		case *js.CommaExpr:
			e = x.List[0]
			continue
		case *js.CallExpr:
			e = x.X
			continue
		case *js.DotExpr:
			e = x.X
			continue
		case *js.IndexExpr:
			e = x.X
			continue
		case *js.TemplateExpr:
			if x.Tag == nil {
				return
			}
			e = x.Tag
			continue
		default:
			return
		}
		r.fail(word + " may be a name here")
	}
}

func (r *reader) binary(e *js.BinaryExpr) Expr {
	switch e.Op {
	case js.EqToken:
		target := r.target(e.X)
		r.open = false
		return &Assign{"=", target, r.expr(e.Y)}
	case js.MulEqToken, js.DivEqToken, js.ModEqToken, js.ExpEqToken, js.AddEqToken, js.SubEqToken,
		js.LtLtEqToken, js.GtGtEqToken, js.GtGtGtEqToken, js.BitAndEqToken, js.BitXorEqToken, js.BitOrEqToken,
		js.AndEqToken, js.OrEqToken, js.NullishEqToken:
		switch e.X.(type) {
		case *js.ArrayExpr, *js.ObjectExpr:
			r.fail("assigned to what is no variable")
		}
		target := r.target(e.X)
		r.open = false
		return &Assign{e.Op.String(), target, r.expr(e.Y)}
	}
	start := r.at
	x := r.expr(e.X)
	r.operator(e, start)
	return &Binary{e.Op.String(), x, r.expr(e.Y)}
}

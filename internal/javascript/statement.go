package javascript

import (
	"github.com/tdewolff/parse/v2/js"
)

func (r *reader) stmts(list []js.IStmt) []Stmt {
	var out []Stmt
	for _, s := range list {
		if s := r.stmt(s); s != nil {
			out = append(out, s)
		}
	}
	return out
}

// stmt returns nil for what says nothing: comments, lone semicolons.
func (r *reader) stmt(s js.IStmt) (out Stmt) {
	r.apart(func() { out = r.statement(s) })
	return out
}

func (r *reader) statement(s js.IStmt) Stmt {
	switch s := s.(type) {
	case *js.Comment, *js.EmptyStmt:
		return nil
	case *js.DebuggerStmt:
		return &Debugger{}
	case *js.DirectivePrologueStmt:
		return &ExprStmt{r.string(s.Value)}
	case *js.ExprStmt:
		return &ExprStmt{r.expr(s.Value)}
	case *js.VarDecl:
		return r.variables(s)
	case *js.FuncDecl:
		return &FunctionStmt{r.function(s)}
	case *js.ClassDecl:
		return &ClassStmt{r.class(s)}
	case *js.BlockStmt:
		return r.block(s)
	case *js.IfStmt:
		return &If{r.expr(s.Cond), r.stmt(s.Body), r.optionalStmt(s.Else)}
	case *js.WhileStmt:
		return &While{Test: r.expr(s.Cond), Body: r.stmt(s.Body)}
	case *js.DoWhileStmt:
		body := r.stmt(s.Body)
		return &While{Test: r.expr(s.Cond), Body: body, Do: true}
	case *js.ForStmt:
		f := &For{}
		if v, ok := s.Init.(*js.VarDecl); ok {
			if len(v.List) > 0 {
				f.Init = r.variables(v)
			}
		} else if s.Init != nil {
			f.Init = &ExprStmt{r.expr(s.Init)}
		}
		f.Test, f.Step = r.optionalExpr(s.Cond), r.optionalExpr(s.Post)
		f.Body = r.stmts(s.Body.List)
		return f
	case *js.ForInStmt:
		return r.each(&ForEach{}, s.Init, s.Value, s.Body)
	case *js.ForOfStmt:
		if s.Await && r.calls == 0 {
			r.program.Module = true
		}
		return r.each(&ForEach{Of: true, Await: s.Await}, s.Init, s.Value, s.Body)
	case *js.SwitchStmt:
		w := &Switch{X: r.expr(s.Init)}
		for _, c := range s.List {
			test := r.optionalExpr(c.Cond)
			w.Cases = append(w.Cases, Case{test, r.stmts(c.List)})
		}
		return w
	case *js.ReturnStmt:
		return &Return{r.optionalExpr(s.Value)}
	case *js.BranchStmt:
		j := &Jump{Continue: s.Type == js.ContinueToken}
		if s.Label != nil {
			j.Label = r.name(s.Label)
		}
		return j
	case *js.ThrowStmt:
		return &Throw{r.expr(s.Value)}
	case *js.TryStmt:
		t := &Try{Body: r.stmts(s.Body.List)}
		if s.Binding != nil {
			t.Param = r.binding(s.Binding)
		}
		if s.Catch != nil {
			t.Catch = r.block(s.Catch)
		}
		if s.Finally != nil {
			t.Finally = r.block(s.Finally)
		}
		return t
	case *js.LabelledStmt:
		return &Label{r.name(s.Label), r.stmt(s.Value)}
	case *js.ImportStmt:
		return r.imports(s)
	case *js.ExportStmt:
		return r.export(s)
	case *js.WithStmt:
		r.fail("with")
	}
	r.fail("a statement that is not understood")
	return nil
}

func (r *reader) optionalStmt(s js.IStmt) Stmt {
	if s == nil {
		return nil
	}
	if s := r.stmt(s); s != nil {
		return s
	}
	return &Block{}
}

func (r *reader) block(b *js.BlockStmt) *Block { return &Block{r.stmts(b.List)} }

func (r *reader) variables(v *js.VarDecl) *Var {
	out := &Var{Kind: v.TokenType.String()}
	for _, e := range v.List {
		p := r.param(e)
		out.List = append(out.List, Declarator{p.Target, p.Default})
	}
	return out
}

func (r *reader) each(f *ForEach, left, x js.IExpr, body *js.BlockStmt) Stmt {
	if v, ok := left.(*js.VarDecl); ok {
		if len(v.List) != 1 || v.List[0].Default != nil {
			r.fail("a loop that is not understood")
		}
		f.Kind, f.Left = v.TokenType.String(), r.binding(v.List[0].Binding)
	} else {
		f.Left = r.target(left)
	}
	f.X = r.expr(x)
	f.Body = r.stmts(body.List)
	return f
}

// alias reads a name of an import or an export, which may be a text.
func (r *reader) alias(data []byte) string {
	if len(data) > 1 && (data[0] == '"' || data[0] == '\'') {
		return r.unquote(data[1 : len(data)-1])
	}
	return r.word(data)
}

func (r *reader) imports(s *js.ImportStmt) Stmt {
	r.program.Module = true
	i := &Import{}
	if s.Default != nil {
		r.move(s.Default)
		i.Default = r.name(s.Default)
	}
	for _, a := range s.List {
		switch {
		case a.Binding == nil: // behind the last comma
		case string(a.Name) == "*":
			i.All = r.name(a.Binding)
		case a.Name == nil:
			i.Names = append(i.Names, Alias{r.name(a.Binding), r.name(a.Binding)})
		default:
			i.Names = append(i.Names, Alias{r.alias(a.Name), r.name(a.Binding)})
		}
	}
	i.Module = r.string(s.Module).Value
	i.At = r.at
	return i
}

func (r *reader) export(s *js.ExportStmt) Stmt {
	r.program.Module = true
	e := &Export{At: r.at}
	for _, a := range s.List {
		switch {
		case a.Binding == nil:
		case a.Name == nil:
			e.Names = append(e.Names, Alias{r.alias(a.Binding), r.alias(a.Binding)})
		default:
			// Written: what is here, as what it is there.
			e.Names = append(e.Names, Alias{r.alias(a.Binding), r.alias(a.Name)})
		}
	}
	if s.Module != nil {
		e.Module, e.From = r.string(s.Module).Value, true
	}
	switch d := s.Decl.(type) {
	case nil:
	case *js.VarDecl:
		e.Decl = r.variables(d)
	case *js.FuncDecl:
		e.Decl = &FunctionStmt{r.function(d)}
	case *js.ClassDecl:
		e.Decl = &ClassStmt{r.class(d)}
	default:
		e.Default = r.expr(d)
	}
	return e
}

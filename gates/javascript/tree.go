package javascript

import (
	"strings"

	"slices"

	"github.com/bashgate/bashgate/internal/javascript"
)

func (s *sight) stmts(list []javascript.Stmt) {
	for _, stmt := range list {
		s.stmt(stmt)
	}
}

// block looks at statements that may declare names of their own.
func (s *sight) block(list []javascript.Stmt) {
	names := map[string]bool{}
	for _, stmt := range list {
		declared(stmt, names)
	}
	s.within(names, func() { s.stmts(list) })
}

// declared adds the names that a statement declares in the block where it stands.
func declared(stmt javascript.Stmt, names map[string]bool) {
	switch stmt := stmt.(type) {
	case *javascript.Var:
		if stmt.Kind != "var" {
			for _, d := range stmt.List {
				patternNames(d.Target, names)
			}
		}
	case *javascript.FunctionStmt:
		names[stmt.F.Name] = true
	case *javascript.ClassStmt:
		names[stmt.C.Name] = true
	case *javascript.Import:
		names[stmt.Default], names[stmt.All] = true, true
		for _, a := range stmt.Names {
			names[a.Local] = true
		}
	}
}

// declaredAll adds the names that statements of a function or of the text declare in it.
func declaredAll(list []javascript.Stmt, names map[string]bool) {
	for _, stmt := range list {
		declared(stmt, names)
	}
	hoisted(list, names)
}

// hoisted adds what var declares in statements, however deep.
func hoisted(list []javascript.Stmt, names map[string]bool) {
	one := func(stmt javascript.Stmt) { hoisted([]javascript.Stmt{stmt}, names) }
	for _, stmt := range list {
		switch stmt := stmt.(type) {
		case *javascript.Var:
			if stmt.Kind == "var" {
				for _, d := range stmt.List {
					patternNames(d.Target, names)
				}
			}
		case *javascript.Block:
			hoisted(stmt.Body, names)
		case *javascript.If:
			one(stmt.Then)
			one(stmt.Else)
		case *javascript.For:
			one(stmt.Init)
			hoisted(stmt.Body, names)
		case *javascript.ForEach:
			if stmt.Kind == "var" {
				patternNames(stmt.Left, names)
			}
			hoisted(stmt.Body, names)
		case *javascript.While:
			one(stmt.Body)
		case *javascript.Label:
			one(stmt.Body)
		case *javascript.Switch:
			for _, c := range stmt.Cases {
				hoisted(c.Body, names)
			}
		case *javascript.Try:
			hoisted(stmt.Body, names)
			if stmt.Catch != nil {
				hoisted(stmt.Catch.Body, names)
			}
			if stmt.Finally != nil {
				hoisted(stmt.Finally.Body, names)
			}
		}
	}
}

func patternNames(p javascript.Pattern, names map[string]bool) {
	switch p := p.(type) {
	case *javascript.Name:
		names[p.Name] = true
	case *javascript.ArrayPattern:
		for _, item := range p.Items {
			patternNames(item.Target, names)
		}
	case *javascript.ObjectPattern:
		for _, item := range p.Props {
			patternNames(item.Target, names)
		}
	}
}

func (s *sight) stmt(stmt javascript.Stmt) {
	switch stmt := stmt.(type) {
	case nil:
	case *javascript.Var:
		for _, d := range stmt.List {
			s.declarator(d, stmt.Kind != "var")
		}
	case *javascript.ExprStmt:
		s.expr(stmt.X)
	case *javascript.Block:
		s.block(stmt.Body)
	case *javascript.If:
		s.use(stmt.Test)
		s.block([]javascript.Stmt{stmt.Then})
		s.block([]javascript.Stmt{stmt.Else})
	case *javascript.For:
		names := map[string]bool{}
		if stmt.Init != nil {
			declared(stmt.Init, names)
		}
		s.within(names, func() {
			s.stmt(stmt.Init)
			s.use(stmt.Test)
			s.use(stmt.Step)
			s.block(stmt.Body)
		})
	case *javascript.ForEach:
		s.forEach(stmt)
	case *javascript.While:
		s.use(stmt.Test)
		s.block([]javascript.Stmt{stmt.Body})
	case *javascript.Switch:
		s.use(stmt.X)
		var all []javascript.Stmt
		for _, c := range stmt.Cases {
			s.use(c.Test)
			all = append(all, c.Body...)
		}
		s.block(all)
	case *javascript.Return:
		if s.data(stmt.X).loose {
			s.set(&s.flows)
		}
		if s.makes && stmt.X != nil {
			s.refuse("a constructor that returns something")
		}
	case *javascript.Jump:
	case *javascript.Label:
		s.block([]javascript.Stmt{stmt.Body})
	case *javascript.Throw:
		if s.data(stmt.X).loose {
			s.set(&s.flows)
			s.set(&s.holds)
		}
	case *javascript.Try:
		s.block(stmt.Body)
		if stmt.Catch != nil {
			s.set(&s.catches)
			names := map[string]bool{}
			patternNames(stmt.Param, names)
			s.within(names, func() {
				s.target(stmt.Param, nil, sort{loose: s.flows}, false)
				s.block(stmt.Catch.Body)
			})
		}
		if stmt.Finally != nil {
			s.block(stmt.Finally.Body)
		}
	case *javascript.FunctionStmt:
		s.functions[stmt.F] = stmt.F.Name
		s.bind(stmt.F.Name, stmt.F, sort{}, true)
		s.inside(stmt.F)
	case *javascript.ClassStmt:
		s.class(stmt.C)
	case *javascript.Import:
		s.imported(stmt)
	default:
		s.refuse("statements of a special kind")
	}
}

func (s *sight) forEach(stmt *javascript.ForEach) {
	s.through(stmt)
	names := map[string]bool{}
	if stmt.Kind != "" && stmt.Kind != "var" {
		patternNames(stmt.Left, names)
	}
	s.within(names, func() {
		var one javascript.Expr
		item := sort{}
		if stmt.Of {
			s.goes(stmt.X)
			item.loose = s.flows || s.holds
			if list, ok := s.list(stmt.X); ok && stmt.Kind == "const" {
				one = &oneOf{list: list, shared: s.isShared(stmt.X)}
			}
		}
		s.target(stmt.Left, one, item, stmt.Kind == "const")
		s.block(stmt.Body)
	})
}

// goes counts how often a name stands where what it holds is only gone through.
func (s *sight) goes(e javascript.Expr) {
	if n, is := e.(*javascript.Name); is && !s.walked[n] {
		s.walked[n] = true
		s.gone[n.Name]++
	}
}

// through looks at what is gone through: data, or what facts know to give texts.
func (s *sight) through(stmt *javascript.ForEach) {
	what := s.expr(stmt.X)
	if !stmt.Await || what.thing == "" {
		s.noThing(what)
		return
	}
	if items := s.in.typeEntry(what.thing, "items"); !isScalar(items.Type) || len(items.Type) == 0 {
		s.noThing(what)
	}
}

// members are what Object.entries and the like give of an object, as the text writes it:
// there, or where its only name is declared, if that is mentioned nowhere else.
func (s *sight) members(c *javascript.Call) ([]javascript.Expr, bool) {
	full, _ := s.dotted(c.F)
	if full != "Object.entries" && full != "Object.keys" && full != "Object.values" || len(c.Args) != 1 {
		return nil, false
	}
	e := c.Args[0]
	if n, is := e.(*javascript.Name); is && s.in.program.Mentions[n.Name] == 2 {
		e = s.once(n.Name)
	}
	o, ok := e.(*javascript.Object)
	if !ok || hasFunctions(o) {
		return nil, false
	}
	if list, known := s.written[c]; known {
		return list, true
	}
	var list []javascript.Expr
	seen := map[string]bool{}
	for i := range o.Props {
		p := &o.Props[i]
		if p.Kind != "" || p.Computed != nil || isForbidden(p.Key) || seen[p.Key] {
			return nil, false
		}
		seen[p.Key] = true
		switch key := (&javascript.String{Value: p.Key}); full {
		case "Object.keys":
			list = append(list, key)
		case "Object.values":
			list = append(list, p.Value)
		default:
			list = append(list, &javascript.Array{Items: []javascript.Expr{key, p.Value}})
		}
	}
	s.written[c] = list
	return list, true
}

// isShared reports whether a list stands under a name that is mentioned more than once
// beside its declaration.
func (s *sight) isShared(e javascript.Expr) bool {
	n, is := e.(*javascript.Name)
	return is && s.in.program.Mentions[n.Name] != 2
}

// list is the list that an expression is, as the text writes it: there, or where its
// only name is declared, if nothing is done with that but to go through it.
func (s *sight) list(e javascript.Expr) ([]javascript.Expr, bool) {
	if n, is := e.(*javascript.Name); is && (s.gather || s.in.program.Mentions[n.Name] == 1+s.gone[n.Name]) {
		e = s.once(n.Name)
	}
	if c, ok := e.(*javascript.Call); ok {
		return s.members(c)
	}
	a, ok := e.(*javascript.Array)
	if !ok {
		return nil, false
	}
	for _, item := range a.Items {
		if _, spread := item.(*javascript.Spread); spread || item == nil {
			return nil, false
		}
	}
	return a.Items, true
}

func (s *sight) imported(stmt *javascript.Import) {
	s.in.at(stmt.At)
	s.imports, s.bare = true, s.bare || !strings.HasPrefix(stmt.Module, "node:")
	full, ok := s.builtin(stmt.Module)
	if !ok && s.isLocal(stmt.Module) {
		s.importLocal(stmt)
		return
	}
	if !ok {
		s.refuse("import of a module that is not Node's")
		return
	}
	for _, local := range [...]string{stmt.Default, stmt.All} {
		if local != "" {
			s.bind(local, &module{full: full}, sort{}, true)
		}
	}
	for _, a := range stmt.Names {
		s.bind(a.Local, &javascript.Member{At: stmt.At, X: &module{full: full}, Name: a.Name}, sort{}, true)
		if _, ok := s.dotted(&javascript.Name{Name: a.Local}); !ok {
			s.refuse("what facts do not know of " + full)
		}
	}
}

// declarator looks at one variable of a declaration.
func (s *sight) declarator(d javascript.Declarator, fixed bool) {
	if f, ok := d.Init.(*javascript.Function); ok {
		n, ok := d.Target.(*javascript.Name)
		if !ok || f.Name != "" || !fixed {
			s.refuse("a function as a value")
			return
		}
		s.functions[f] = n.Name
		s.bind(n.Name, f, sort{}, fixed)
		if s.function(n.Name) == nil {
			s.refuse("a function under a name that means something else, too")
		}
		s.body(f)
		return
	}
	if full, ok := s.dotted(d.Init); ok && !s.isData(full) || s.gather && ok {
		s.module(d, fixed)
		return
	}
	var what sort
	if d.Init != nil {
		what = s.expr(d.Init)
	}
	s.target(d.Target, d.Init, what, fixed)
}

// module looks at a declaration that gives names to a module or what is in it.
func (s *sight) module(d javascript.Declarator, fixed bool) {
	switch p := d.Target.(type) {
	case *javascript.Name:
		s.bind(p.Name, d.Init, sort{}, true)
		if _, ok := s.dotted(p); !ok {
			s.refuse("a module under a name that means something else, too")
		}
	case *javascript.ObjectPattern:
		if s.gather && slices.ContainsFunc(p.Props, func(prop javascript.PatternProperty) bool { return !isPlain(prop) }) {
			s.target(p, nil, sort{}, fixed) // it may be data
			return
		}
		for _, prop := range p.Props {
			n, ok := prop.Target.(*javascript.Name)
			if !ok || !isPlain(prop) {
				s.refuse("a module in a pattern")
				return
			}
			s.bind(n.Name, &javascript.Member{At: n.At, X: d.Init, Name: prop.Key}, sort{}, true)
			if _, ok := s.dotted(n); !ok {
				s.refuse("a module under a name that means something else, too")
			}
		}
	default:
		s.refuse("a module in a pattern")
		if s.gather { // it may be data
			s.target(d.Target, nil, sort{}, fixed)
		}
	}
}

// called reports whether what data holds under a name may be called: by the text, as
// if it were what all data can do, or by the language.
func (s *sight) called(name string) bool {
	return name == "then" || name == "catch" || name == "finally" || s.methodEntries(name) != nil
}

// key looks at a key, and reports whether it may be a name that is not known.
func (s *sight) key(e javascript.Expr) bool {
	if t, ok := e.(*javascript.String); ok {
		if isForbidden(t.Value) {
			s.refuse("the member " + t.Value)
		}
		return s.shared(t.Value)
	}
	s.use(e)
	if s.numeric(e, 0) {
		return false
	}
	s.set(&s.keyed)
	return true
}

// numeric reports whether an expression is surely a number.
func (s *sight) numeric(e javascript.Expr, depth int) bool {
	if depth++; depth > maxSure {
		return false
	}
	switch e := e.(type) {
	case *javascript.Number, *javascript.Update:
		return true
	case *javascript.Unary:
		return e.Op == "-" || e.Op == "+" || e.Op == "~"
	case *javascript.Binary:
		switch e.Op {
		case "-", "*", "/", "%", "**", "|", "&", "^", "<<", ">>", ">>>":
			return true
		case "+":
			return s.numeric(e.X, depth) && s.numeric(e.Y, depth)
		}
	case *javascript.Name:
		n := s.names[e.Name]
		if n == nil || !s.inScope(e.Name) {
			return false
		}
		for _, v := range n.values {
			if v == nil || !s.numeric(v, depth) {
				return false
			}
		}
		return true
	}
	return false
}

// body looks at a function that is no declaration. first is what its first parameters
// are, where that is told. One with a name may call itself with something else, and on
// another object.
func (s *sight) body(f *javascript.Function, first ...javascript.Expr) {
	if f.Name != "" {
		s.in.at(f.At)
		s.nextThis, s.nextMakes = "", false
		for i := range first {
			if _, list := first[i].(*oneOf); first[i] != nil && !list {
				s.refuse("what a function is handed that has a name of its own")
			}
		}
		first = nil
	}
	s.inside(f, first...)
}

// inside looks at what a function does.
func (s *sight) inside(f *javascript.Function, first ...javascript.Expr) {
	s.in.at(f.At)
	void := s.void
	s.void = false
	this, makes := s.this, s.makes
	if !f.Arrow {
		s.this = s.nextThis
	}
	s.makes, s.nextThis, s.nextMakes = s.nextMakes, "", false
	s.around = append(s.around, f)
	defer func() { s.this, s.makes, s.around = this, makes, s.around[:len(s.around)-1] }()
	names := map[string]bool{}
	if f.Name != "" {
		names[f.Name] = true
		s.bind(f.Name, f, sort{}, true)
	}
	for _, p := range f.Params {
		patternNames(p.Target, names)
	}
	s.within(names, func() {
		for i, p := range f.Params {
			if i >= len(first) || first[i] == nil {
				if n, ok := p.Target.(*javascript.Name); ok && p.Default == nil && !p.Rest && s.functions[f] != "" {
					s.bind(n.Name, param{f: f, at: i}, sort{loose: s.flows}, true)
				} else {
					s.param(p, sort{loose: s.flows}, false)
				}
				continue
			}
			what := sort{loose: s.flows}
			switch x := first[i].(type) {
			case given:
				what = sort{thing: x.thing}
			case *javascript.Function, *module:
				what = sort{}
			}
			s.handed(p, first[i], what)
		}
		own := map[string]bool{}
		declaredAll(f.Body, own)
		s.within(own, func() {
			if r, ok := concise(f); ok && void {
				s.expr(r)
				return
			}
			s.stmts(f.Body)
		})
	})
}

// concise is the body of a function that is one expression.
func concise(f *javascript.Function) (javascript.Expr, bool) {
	if len(f.Body) != 1 {
		return nil, false
	}
	r, ok := f.Body[0].(*javascript.Return)
	if !ok {
		return nil, false
	}
	return r.X, true
}

// handed looks at a parameter of which is told what it is. What is no data stands under
// a name of its own.
func (s *sight) handed(p javascript.Param, value javascript.Expr, what sort) {
	n, ok := p.Target.(*javascript.Name)
	_, list := value.(*oneOf)
	switch {
	case ok && p.Default == nil && !p.Rest && isOthers(what.thing):
		s.bind(n.Name, nil, what, false) // before it is known whose it is, it is anything
	case ok && p.Default == nil && !p.Rest:
		s.bind(n.Name, value, what, true)
		if !list && s.once(n.Name) == nil {
			s.refuse("what a function is handed under a name that means something else, too")
		}
	case list && p.Default == nil && !p.Rest:
		s.target(p.Target, value, what, true)
	case list:
		s.param(p, what, false)
	default:
		s.refuse("what a function is handed in a pattern")
		s.param(p, sort{}, false)
	}
}

package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/python"
)

// This file tells which constants of a text go to functions alone that facts know, and that keep
// nothing of them.

// goesTo is how the constants of a text go to functions that facts know.
type goesTo struct {
	s     *sight
	alone map[python.Expr]bool
	uses  map[string]int // of names, by such functions

	forgotten bool // nobody looks at what is raised
	logged    bool // somebody may look at what is logged
}

// saysEqual reports whether the text says what comparing with its objects means.
func (s *sight) saysEqual() bool {
	return s.methods["__eq__"] || s.methods["__ne__"] || s.methods["__contains__"] || s.methods["__hash__"] ||
		s.methods["__lt__"] || s.methods["__le__"] || s.methods["__gt__"] || s.methods["__ge__"]
}

// alone are the expressions that go to functions which facts know, and nowhere else: what
// stands as an argument, and what a name stands for that is nothing but such arguments.
func (s *sight) alone() map[python.Expr]bool {
	names := map[string]bool{} // those that may be
	for name := range s.bindings {
		names[name] = s.loads[name] > 0 && !s.members[name]
	}
	var to goesTo
	for round := 0; ; round++ {
		to = s.going(names)
		fewer := false
		for name, may := range names {
			if may && (s.loads[name] != to.uses[name] || round > maxRounds) {
				names[name], fewer = false, true
			}
		}
		if !fewer {
			break
		}
	}
	// What has two names goes where either goes.
	others := goesTo{s: s, alone: map[python.Expr]bool{}, uses: map[string]int{}}
	for name, values := range s.bindings {
		for _, e := range values {
			if !names[name] {
				others.bound(e)
			}
		}
	}
	for e := range others.alone {
		delete(to.alone, e)
	}
	return to.alone
}

// going notes what goes to such functions, if names of some do.
func (s *sight) going(names map[string]bool) goesTo {
	to := goesTo{s: s, alone: map[python.Expr]bool{}, uses: map[string]int{}}
	for _, e := range s.aside {
		to.goes(e)
	}
	if !s.saysEqual() {
		for _, e := range s.compares {
			to.goes(e)
		}
	}
	for i, e := range s.docs {
		if !s.asksDocs && (i > 0 || s.loads["__doc__"] == 0) {
			to.goes(e)
		}
	}
	to.forgotten = !s.asksRaised && !s.methods["__exit__"] && !s.methods["__aexit__"] &&
		!slices.ContainsFunc(s.caught, func(name string) bool { return s.loads[name] > 0 && !names[name] })
	to.logged = s.prints() || s.logs || slices.ContainsFunc(s.calls, func(c *python.Call) bool {
		return functionName(c.Func) == "basicConfig" && slices.ContainsFunc(c.Keywords, func(k python.Keyword) bool { return k.Name == "" || k.Name == "stream" || k.Name == "handlers" })
	})
	for _, c := range s.calls {
		to.call(c)
	}
	for name, may := range names {
		for _, e := range s.bindings[name] {
			if may {
				to.bound(e)
			}
		}
	}
	if to.forgotten {
		for _, e := range s.raised { // and printed, if caught
			if full, ok := s.dotted(e.Func); ok && s.in.find(full).Kind != code.Nothing {
				for _, a := range e.Args {
					to.goes(a)
				}
			}
		}
	}
	return to
}

// bound notes what a name stands for.
func (to *goesTo) bound(e python.Expr) {
	switch e := e.(type) {
	case *parameter:
		to.goes(e.Expr)
		if calls := to.s.called[e.function]; to.s.loads[e.function] == len(calls) {
			for _, c := range calls {
				to.passes(c, e)
			}
		}
	case *drawn:
		to.goes(e.Expr) // a name of a list, or what lists
		if len(e.at) == 0 {
			for _, item := range elements(e.Expr) {
				to.goes(item)
			}
		}
	case *python.List, *python.Tuple:
		for _, item := range elements(e) {
			to.goes(item)
		}
	case *python.Set:
		for _, item := range e.Elts {
			to.goes(item)
		}
	default:
		to.goes(e)
	}
}

// passes notes what a call of a function of the text passes for a parameter.
func (to *goesTo) passes(c *python.Call, p *parameter) {
	if hasStar(c.Args) {
		return
	}
	if 0 <= p.index && p.index < len(c.Args) {
		to.goes(c.Args[p.index])
	}
	for _, k := range c.Keywords {
		if k.Name == p.name {
			to.goes(k.Value)
		}
	}
}

// goes notes a text, the pieces of which it is put together, and the names in it.
func (to *goesTo) goes(e python.Expr) {
	if e == nil || to.alone[e] {
		return
	}
	to.alone[e] = true
	switch e := e.(type) {
	case *python.Name:
		to.uses[e.ID]++
	case *python.JoinedStr:
		for _, v := range e.Values {
			to.goes(v)
		}
	case *python.FormattedValue:
		if e.FormatSpec == nil {
			to.goes(e.Value)
		}
	case *python.BinOp:
		if e.Op == python.Add || e.Op == python.Div {
			to.goes(e.Left)
			to.goes(e.Right)
		}
	case *python.IfExp:
		to.goes(e.Body)
		to.goes(e.Orelse)
	case *python.Attribute: // Path('a').name
		if to.s.typed(e.Value, 0) == "pathlib.Path" {
			to.goes(e.Value)
		}
	case *python.Call:
		to.through(e)
	}
}

// through notes what a call puts into what it gives, which goes somewhere: the pieces of a
// path, what is listed or sorted.
func (to *goesTo) through(c *python.Call) {
	full, ok := to.s.dotted(c.Func)
	if a, is := c.Func.(*python.Attribute); !ok && is && to.s.typed(a.Value, 0) == "pathlib.Path" {
		if full = "pathlib.Path." + a.Attr; asksPlace(to.s.in.find(full)) {
			return
		}
		to.goes(a.Value)
	} else if !ok {
		return
	}
	switch e := to.s.in.find(full); full {
	case "sorted", "list", "tuple", "set", "reversed", "str", "len", "glob.glob", "glob.iglob", "os.walk", "os.scandir":
	default:
		if t := onlyType(e); t == "bool" || t == "int" || t == "float" || !strings.HasPrefix(full, "os.path.") && !strings.HasPrefix(full, "pathlib.Path") {
			return
		}
	}
	for _, a := range c.Args {
		to.goes(a)
	}
}

// typed is the type of an expression that the tree shows to be what facts give; "" of
// others.
func (s *sight) typed(e python.Expr, depth int) string {
	if depth++; depth > maxSure {
		return ""
	}
	switch e := e.(type) {
	case *python.Name:
		if values := s.bindings[e.ID]; len(values) == 1 && s.imports[e.ID] == "" {
			if d, is := values[0].(*drawn); is && len(d.at) == 0 {
				return s.itemType(d.Expr, depth)
			}
			return s.typed(values[0], depth)
		}
	case *python.BinOp:
		if e.Op == python.Div && s.typed(e.Left, depth) == "pathlib.Path" {
			return "pathlib.Path"
		}
	case *python.Call:
		if full, ok := s.dotted(e.Func); ok {
			return onlyType(s.in.find(full))
		}
		if a, is := e.Func.(*python.Attribute); is {
			if of := s.typed(a.Value, depth); of != "" {
				return onlyType(s.in.typeEntry(of, a.Attr))
			}
		}
	}
	return ""
}

// itemType is the type of each of what an expression gives.
func (s *sight) itemType(e python.Expr, depth int) string {
	c, is := e.(*python.Call)
	if !is {
		return ""
	}
	if full, ok := s.dotted(c.Func); ok && (full == "sorted" || full == "list") && len(c.Args) > 0 {
		return s.itemType(c.Args[0], depth)
	}
	a, is := c.Func.(*python.Attribute)
	if !is || s.typed(a.Value, depth) != "pathlib.Path" || !looksForFiles("pathlib.Path."+a.Attr) || a.Attr == "walk" {
		return ""
	}
	return "pathlib.Path"
}

// onlyType is the type of what a function always gives; "" where there are several.
func onlyType(e *code.Entry) (name string) {
	for _, sig := range e.Calls {
		if len(sig.Result) != 1 || name != "" && sig.Result[0].Name != name {
			return ""
		}
		name = sig.Result[0].Name
	}
	return name
}

// call notes the arguments of a call that a function which facts know looks at by itself:
// places, machines and commands, which are judged there, and what it prints.
func (to *goesTo) call(c *python.Call) {
	s := to.s
	if s.in.starred || hasStar(c.Args) || slices.ContainsFunc(c.Keywords, func(k python.Keyword) bool { return k.Name == "" }) {
		return
	}
	e, full := to.callee(c)
	switch full {
	case "sys.path.insert", "sys.path.append": // where modules are looked for
		if !s.asksPaths {
			for _, a := range c.Args {
				to.goes(a)
			}
		}
		return
	case "sys.exit", "exit", "quit", "SystemExit":
		for _, a := range c.Args {
			if to.forgotten {
				to.goes(a)
			}
		}
		return
	}
	logs := strings.HasPrefix(full, "logging.") || full == "warnings.warn"
	if len(e.Calls) == 0 || full == "print" && s.prints() || logs && to.logged || s.asksFiles || !s.forgets(e, full) {
		return
	}
	var list []python.Expr
	note := func(a python.Expr, at int, name string) {
		switch kind := s.looksAt(e, at, name); {
		case kind == argSeen, at == 0 && strings.HasPrefix(full, "re."): // a pattern
			list = append(list, a)
		case kind == argStarted:
			if list = append(list, a); elements(a) != nil {
				list = append(list, elements(a)...)
			}
		}
	}
	for i, a := range c.Args {
		note(a, i, "")
	}
	for _, k := range c.Keywords {
		if full, ok := s.dotted(k.Value); (k.Name == "file" || k.Name == "opener") && !(ok && isStream(full)) && s.looksAt(e, -1, k.Name) == argKept {
			return // which is handed the rest
		}
		note(k.Value, -1, k.Name)
	}
	for _, a := range list {
		to.goes(a)
	}
}

// callee is what facts say of what is called, and notes a path that is asked for what lies
// there.
func (to *goesTo) callee(c *python.Call) (e *code.Entry, full string) {
	e = &code.Entry{}
	s := to.s
	if full, ok := s.dotted(c.Func); ok {
		return s.in.find(full), full
	}
	a, is := c.Func.(*python.Attribute)
	if !is {
		return &code.Entry{}, ""
	}
	of := s.typed(a.Value, 0)
	if name, is := a.Value.(*python.Name); is && name.ID == "self" && strings.HasPrefix(a.Attr, "assert") {
		of = "unittest.TestCase"
	}
	switch {
	case a.Attr == "startswith", a.Attr == "endswith", a.Attr == "removeprefix", a.Attr == "removesuffix":
		for _, arg := range c.Args {
			to.goes(arg)
		}
	case of == "", s.attributes[a.Attr], s.methods[a.Attr]:
	default:
		if e = s.in.typeEntry(of, a.Attr); of == "pathlib.Path" && asksPlace(e) {
			to.goes(a.Value)
		}
	}
	return e, of + "." + a.Attr
}

// What a function does with an argument.
const (
	argKept    = iota
	argSeen    // looks at it
	argStarted // starts it as a command
)

// looksAt tells whether a function that facts know looks at an argument as at a place, or
// prints it, in each way in which it is called.
func (s *sight) looksAt(e *code.Entry, at int, name string) int {
	kind := argKept
	for _, sig := range e.Calls {
		params, i := sig.Params, at
		for len(params) > 0 && params[0].Name == "self" {
			params = params[1:]
		}
		if name != "" {
			i = slices.IndexFunc(params, func(p code.Param) bool { return p.Name == name })
		} else if rest := slices.IndexFunc(params, func(p code.Param) bool { return p.Rest }); rest >= 0 && rest < i {
			i = rest
		}
		if i < 0 || i >= len(params) {
			return argKept
		}
		for _, k := range params[i].Kinds {
			switch {
			case (k.Kind == match.Command || k.Kind == match.Script) && k.Own == code.NotOwn:
				kind = argStarted
			case isPlaceKind(k) || k.Own == code.Shown:
				kind = max(kind, argSeen)
			default:
				return argKept
			}
		}
	}
	return kind
}

// isPlaceKind reports whether an argument is a place or a machine, judged where it stands.
func isPlaceKind(k code.Kind) bool {
	switch k.Kind {
	case match.Path, match.Dir, match.Read, match.Write, match.Target, match.Delete, match.Move, match.URL, match.Host:
		return k.Own == code.NotOwn
	}
	return k.Own == code.Variable
}

// forgets reports whether what a function gives tells nobody what it was given: a number,
// names in a directory, what a program prints or a pattern finds, or something opened where
// nothing asks it for its name.
func (s *sight) forgets(e *code.Entry, full string) bool {
	if full == "os.listdir" || strings.HasPrefix(full, "subprocess.") && !s.asksName {
		return true
	}
	if strings.HasPrefix(full, "re.") {
		return !s.asksPattern
	}
	return !slices.ContainsFunc(e.Calls, func(sig code.Signature) bool {
		return slices.ContainsFunc(sig.Result, func(t code.OneType) bool {
			switch t.Name {
			case "none", "bool", "int", "float":
				return false
			}
			return s.asksName || s.in.names(t.Name) || t.Name != "file" && !strings.Contains(t.Name, ".")
		})
	})
}

// asksPlace reports whether a method of a path looks at its place, and gives nothing of its
// name.
func asksPlace(e *code.Entry) bool {
	return len(e.Calls) > 0 && !slices.ContainsFunc(e.Calls, func(sig code.Signature) bool {
		return len(sig.Params) == 0 || sig.Params[0].Name != "self" || slices.ContainsFunc(sig.Params[0].Kinds, func(k code.Kind) bool { return !isPlaceKind(k) }) ||
			slices.ContainsFunc(sig.Result, func(t code.OneType) bool {
				return t.Name != "none" && t.Name != "os.stat_result" && !isNumber(t.Name) && !isString(t.Name)
			})
	})
}

// prints reports whether what is printed may go to code of the project.
func (s *sight) prints() bool {
	return s.attributes["stdout"] || s.attributes["stderr"] || s.redirects
}

package python

import (
	"maps"
	"slices"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
	"github.com/bashgate/bashgate/policy"
)

// A constant is told wherever it stands (told.go). What a text computes of its constants is no
// constant: this file notes where it goes to code of the project, as far as the reader sees
// that, and asks the tree where it comes from, as for names of files (own.go).

// hands notes that code of the project is told what an expression gives, if that may hold a
// text of which something is not known.
func (in *reader) hands(e python.Expr, v code.Value) { in.handsAs(e, handed{Expr: e, v: v}) }

// handsPart is hands for what the language itself passes, with an operator or in a format,
// whatever is done with the result.
func (in *reader) handsPart(to, v code.Value, e python.Expr) {
	if slices.ContainsFunc(to, isProject) {
		in.handsAs(e, handed{Expr: e, v: v, part: true})
	}
}

// handsAs is hands for what stands at a place.
func (in *reader) handsAs(e python.Expr, h handed) {
	if e == nil || !in.sight.foreign || !in.maySay(h.v, 0) {
		return
	}
	at, known := in.handed[e]
	if !known {
		if in.handed == nil {
			in.handed = map[python.Expr]int{}
		}
		at = len(in.hand)
		in.handed[e] = at
		in.hand = append(in.hand, h)
	}
	in.hand[at].v = code.Join(in.hand[at].v, h.v)
}

// handed is what code of the project is told.
type handed struct {
	python.Expr
	v    code.Value // what is known of it
	part bool       // by the language itself
}

// gives stands for what a function or a method of some name gives.
type gives struct {
	python.Expr
	function string
}

// handsClass notes what the objects of a class have that code of the project has, and what
// their methods give.
func (in *reader) handsClass(c *class) {
	if in.classes[c] {
		return
	}
	if in.classes == nil {
		in.classes = map[*class]bool{}
	}
	in.classes[c] = true
	for _, b := range slices.Concat(c.bases, c.below) {
		in.handsClass(b)
	}
	for _, v := range c.scope.vars.list {
		if slices.ContainsFunc(v.ever, func(s code.Shape) bool { f, is := s.Own.(*function); return is && f.expr == nil }) {
			in.hands(&gives{&python.Name{ID: v.name}, v.name}, v.ever)
			continue
		}
		for _, e := range in.sight.into[v.name] {
			in.hands(e, v.ever)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.instance.attrs)) {
		for _, e := range in.sight.into["."+name] {
			in.hands(e, c.instance.attrs[name])
		}
	}
}

// handsArguments notes what a call passes to code of the project.
func (in *reader) handsArguments(c *python.Call, fn code.Value, args *arguments) {
	if in.sight.foreign && in.involves(fn, args) {
		in.handsAll(c, args)
	}
}

// handsAll is handsArguments for a call of which that is known.
func (in *reader) handsAll(c *python.Call, args *arguments) {
	if c == nil {
		return
	}
	aligned := !hasStar(c.Args)
	for i, a := range c.Args {
		if v := code.Plain(); aligned {
			in.hands(a, args.positional[i])
		} else {
			in.hands(a, v)
		}
	}
	for _, k := range c.Keywords {
		v := code.Plain()
		if i := slices.IndexFunc(args.named, func(n named) bool { return n.name == k.Name }); i >= 0 {
			v = args.named[i].value
		}
		in.hands(k.Value, v)
	}
}

// handsItem notes what an attribute or an item is given, and reports whether that is one of
// the project's.
func (in *reader) handsItem(t python.Expr, of, v code.Value) bool {
	if !slices.ContainsFunc(of, isProject) && !slices.ContainsFunc(of, isShared) {
		return false
	}
	for _, e := range in.sight.set[t] {
		in.hands(e, v)
	}
	return true
}

// isShared reports whether something is a container that others have, too.
func isShared(s code.Shape) bool { return s.Box != nil && s.Box.Out }

// involves reports whether a call may tell code of the project what it passes: it calls such
// code, or data, or puts it into what others have, or a function that calls what it is handed, or writes to it.
func (in *reader) involves(fn code.Value, args *arguments) bool {
	handed := false
	for v := range args.all() {
		handed = handed || slices.ContainsFunc(v, isProject)
	}
	return slices.ContainsFunc(fn, func(s code.Shape) bool {
		if s.Self != nil && slices.ContainsFunc(*s.Self, isShared) {
			return true
		}
		switch own := s.Own.(type) {
		case *class:
			_, project := own.known(0)
			return project
		case *instance:
			_, project := own.class.known(0)
			return project
		}
		switch s.Kind {
		case code.Project, code.Object:
			return true
		case code.Member:
			if e := in.find(s.Type); s.Type == "print" && in.sight.prints() || slices.ContainsFunc(e.Calls, givesProject) {
				return true
			}
			return handed && slices.ContainsFunc(in.find(s.Type).Calls, func(sig code.Signature) bool {
				calls := func(p code.Param) bool {
					return slices.ContainsFunc(p.Kinds, func(k code.Kind) bool { return k.Own == code.Calls })
				}
				return slices.ContainsFunc(sig.Params, calls) || len(sig.Result) == 1 && sig.Result[0].Name == "none"
			})
		}
		return false
	})
}

// givesProject reports whether what a function gives is as code of the project, which does what
// it was told.
func givesProject(sig code.Signature) bool {
	return slices.ContainsFunc(sig.Result, func(t code.OneType) bool { return t.Name == "project" })
}

// maySay reports whether a value may be a text of which something is not known, or hold one.
func (in *reader) maySay(v code.Value, depth int) bool {
	if depth++; depth > maxHeld || !in.step() {
		return true
	}
	any := func(list []code.Value) bool {
		return slices.ContainsFunc(list, func(v code.Value) bool { return in.maySay(v, depth) })
	}
	return slices.ContainsFunc(v, func(s code.Shape) bool {
		switch own := s.Own.(type) {
		case *function:
			if own.plain != nil {
				own = own.plain
			}
			return !in.settled || in.maySay(own.result, depth) || own.items != nil && in.maySay(own.items.Any, depth)
		case *class, *instance:
			return true
		}
		switch {
		case s.Kind != code.Object:
			return s.Self != nil && in.maySay(*s.Self, depth)
		case s.Box != nil && s.Box.Exact:
			return any(s.Box.Items) || any(s.Box.Keys)
		case s.Box != nil:
			out := s.Box.Out // anything may have been put into it, by the project
			may := func(s code.Shape) bool {
				return (!out || s.Type != "plain") && in.maySay(code.Value{s}, depth)
			}
			return slices.ContainsFunc(s.Box.Any, may) || slices.ContainsFunc(s.Box.Key, may)
		case s.Word != nil:
			return hasUnknown(s.Word)
		}
		return !isNumber(s.Type) && s.Type != "none" && s.Type != "ellipsis" && s.Type != "slice" && s.Type != "file" && !isTime(s.Type)
	})
}

// isFunctions reports whether a value is nothing but functions of the text.
func isFunctions(v code.Value) bool {
	return !slices.ContainsFunc(v, func(s code.Shape) bool { _, is := s.Own.(*function); return !is })
}

// looksInto tells the text's classes that something is, or is an object of, or holds, and
// whether it is or holds a pattern, which tells its text.
func (in *reader) looksInto(v code.Value, depth int) (classes []*class, pattern bool) {
	if depth++; depth > maxHeld || !in.step() {
		return nil, true
	}
	for i := range v {
		switch own := v[i].Own.(type) {
		case *class:
			classes = append(classes, own)
		case *instance:
			classes = append(classes, own.class)
		}
		pattern = pattern || v[i].Type == "re.Pattern" || v[i].Type == "re.Match"
		if box := v[i].Box; box != nil {
			for _, held := range [...]code.Value{box.Any, box.Key} {
				more, is := in.looksInto(held, depth)
				classes, pattern = append(classes, more...), pattern || is
			}
		}
	}
	return classes, pattern
}

// maxHeld bounds how deep a text may lie in what is told.
const maxHeld = 6

// isTime reports whether an object of a type is a time, of which a name would have to be made.
func isTime(name string) bool {
	return first(name) == "datetime"
}

// unfolds notes what objects have and functions give that code of the project has, when the
// text was followed to its end, and whether it has patterns.
func (in *reader) unfolds() {
	in.settled = true
	for _, c := range in.derived {
		in.handsClass(c)
	}
	for i := 0; i < len(in.hand); i++ { // which get more
		classes, pattern := in.looksInto(in.hand[i].v, 0)
		for _, c := range classes {
			in.handsClass(c)
		}
		for k := range in.hand[i].v { // who has a function may ask it for its defaults
			if fn, is := in.hand[i].v[k].Own.(*function); is && fn.defaults != nil {
				in.handsDefaults(fn)
			}
		}
		in.sight.asksPattern = in.sight.asksPattern || pattern
	}
}

// handsDefaults notes what a function takes where it is passed nothing.
func (in *reader) handsDefaults(fn *function) {
	at := 0
	for _, list := range [...][]python.Arg{fn.args.PosOnly, fn.args.Args, fn.args.KwOnly} {
		for i := range list {
			in.hands(list[i].Default, fn.defaults[at])
			at++
		}
	}
}

// handsOver asks about what code of the project is told that the text computes of its own
// constants, and tells what it may be that is put together of others.
func (s *sight) handsOver(alone map[python.Expr]bool, tell func(policy.Word, int)) {
	in := s.in
	var list []python.Expr
	for _, h := range in.hand {
		if (!alone[h.Expr] || h.part) && !(isFunctions(h.v) && !in.maySay(h.v, 0)) {
			list = append(list, h.Expr)
		}
	}
	if len(list) == 0 {
		return
	}
	hidden := s.hides()
	o := s.origins()
	o.telling = true
	o.solve(list)
	joins := false
	for _, e := range list {
		from := o.from(e)
		if hidden {
			from |= made
		}
		if from&made != 0 {
			in.ask(int(e.Pos().Line), "python.computed", "Python code that tells code of the project a text that it computes")
		}
		joins = joins || from&joined != 0
	}
	if !joins {
		return
	}
	line := int(list[0].Pos().Line)
	filled, many := o.filled(s.names())
	if many != nil {
		in.ask(line, "python.computed", "Python code that tells code of the project a text that it puts together of very many others")
	}
	slices.Sort(filled)
	for _, text := range slices.Compact(filled) {
		tell(policy.Const(text), line)
	}
}

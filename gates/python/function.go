package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
)

// function is a function that the text defines.
type function struct {
	name     string
	args     *python.Arguments
	body     []python.Stmt
	expr     python.Expr  // of a lambda
	params   []string     // the names of its parameters, those that take more behind the others
	scope    *scope       // in which it is defined
	class    *class       // whose method it is
	defaults []code.Value // of params
	kind     functionKind
	self     *code.Value // of a method of an object
	plain    *function   // of a bound one: the method itself

	followed bool
	open     int        // how many calls of it are being followed
	result   code.Value // of all calls
	pending  []code.Value
	async    bool         // a call of it gives what is awaited
	yields   bool         // it is a generator
	given    []code.Value // what it has been called with
	items    *code.Box    // what it yields, or gives who awaits it
}

type functionKind uint8

const (
	ordinary functionKind = iota
	property
	static
	ofClass
)

// define is def.
func (in *reader) define(s *python.FunctionDef) {
	var decorators []code.Value
	for _, d := range s.Decorators {
		decorators = append(decorators, in.eval(d))
	}
	fn := in.function(s, s.Name, &s.Args, s.Body, nil)
	fn.async, fn.yields = s.Async, in.sight.generators[s]
	in.annotation(s.Returns)
	v := code.Value{{Kind: code.Defined, Own: fn}}
	for i := len(decorators) - 1; i >= 0; i-- {
		v = in.decorate(decorators[i], v, s.Name, s.Decorators[i])
	}
	in.assign(in.owner(s.Name), s.Name, v)
}

func (in *reader) lambda(e *python.Lambda) code.Value {
	return code.Value{{Kind: code.Defined, Own: in.function(e, "<lambda>", &e.Args, nil, e.Body)}}
}

// function is the function of a place of the text, as it is defined in the scope at
// hand.
func (in *reader) function(at any, name string, args *python.Arguments, body []python.Stmt, expr python.Expr) *function {
	key := defined{at, in.scope, in.way}
	fn := in.defined[key]
	if fn == nil {
		fn = &function{name: name, args: args, body: body, expr: expr, params: names(args), scope: in.scope, class: in.scope.class}
		in.defined[key] = fn
		in.functions = append(in.functions, fn)
	}
	n := 0 // which of params it is
	for _, list := range [...][]python.Arg{args.PosOnly, args.Args, args.KwOnly} {
		for i := range list {
			in.annotation(list[i].Annotation)
			if list[i].Default != nil {
				if fn.defaults == nil {
					fn.defaults = make([]code.Value, len(fn.params))
				}
				fn.defaults[n] = code.Join(fn.defaults[n], in.eval(list[i].Default))
			}
			n++
		}
	}
	for _, a := range [...]*python.Arg{args.Vararg, args.Kwarg} {
		if a != nil {
			in.annotation(a.Annotation)
		}
	}
	return fn
}

// annotation follows an annotation, which is an expression like others.
func (in *reader) annotation(e python.Expr) {
	switch e := e.(type) {
	case nil, *python.Constant:
	case *python.Starred:
		in.annotation(e.Value)
	case *python.BinOp: // int | None
		in.annotation(e.Left)
		in.annotation(e.Right)
	default:
		in.eval(e)
	}
}

// decorate applies a decorator.
func (in *reader) decorate(d, v code.Value, name string, at any) code.Value {
	if len(d) == 1 && d[0].Kind == code.Member {
		kind := ordinary
		switch d[0].Type {
		case "property", "functools.cached_property":
			kind = property
		case "staticmethod":
			kind = static
		case "classmethod":
			kind = ofClass
		}
		if fn, is := onlyFunction(v); is && kind != ordinary {
			fn.kind = kind
			return v
		}
	}
	if fn, is := onlyFunction(d); is && fn.kind == property { // @x.setter
		in.deferAll(&v[0])
		return d
	}
	args := arguments{positional: []code.Value{v}, at: at}
	if e, is := at.(python.Expr); is && in.involves(d, &args) {
		in.handsAs(e, handed{Expr: &gives{e, name}, v: v})
	}
	return in.callValue(d, args)
}

func onlyFunction(v code.Value) (*function, bool) {
	if len(v) != 1 || v[0].Kind != code.Defined {
		return nil, false
	}
	fn, is := v[0].Own.(*function)
	return fn, is
}

// callFunction follows a function with arguments.
func (in *reader) callFunction(fn *function, args arguments) code.Value {
	if fn.plain != nil {
		args.positional = append([]code.Value{*fn.self}, args.positional...)
		fn = fn.plain
	}
	if !in.step() {
		return nil
	}
	bound := in.bindArguments(fn, args)
	if fn.isLate() {
		in.runsLater(fn, bound)
	}
	if fn.open > 0 || len(in.calls) > maxDepth {
		// It calls itself: it is followed once more with whatever it is called with
		// here, until nothing is new.
		if fn.pending == nil {
			fn.pending = make([]code.Value, len(bound))
			in.deep = append(in.deep, fn)
			in.grown++
		}
		for i, v := range bound {
			if joined := code.Join(fn.pending[i], widened(v)); !code.Same(joined, fn.pending[i]) {
				fn.pending[i] = joined
				in.grown++
			}
		}
		return fn.result
	}
	outer, way := in.scope, in.way
	later := in.later
	defer func() { in.scope, in.way, in.later = outer, way, later }()
	in.way = in.turn(args.at, way, len(in.calls))
	for round := 0; ; round++ {
		grown := in.grown
		result := in.followCall(fn, bound, args)
		if joined := code.Join(fn.result, result); !code.Same(joined, fn.result) {
			fn.result = joined
			if fn.pending != nil {
				in.grown++
			}
		}
		if fn.pending == nil {
			return result
		}
		for i := range bound {
			bound[i] = code.Join(bound[i], fn.pending[i])
		}
		if round > 0 && in.grown == grown || in.spent {
			return fn.result
		}
		if round == maxRounds {
			in.ask(in.line, "python.limit", "Python code with a function that is too entangled to follow")
			return fn.result
		}
	}
}

func widened(v code.Value) code.Value {
	if !slices.ContainsFunc(v, func(s code.Shape) bool { return s.Word != nil }) {
		return v
	}
	var wide code.Union
	for _, s := range v {
		s.Word = nil
		wide.Add(code.Value{s})
	}
	return wide.Value()
}

// followCall follows a function's body once.
func (in *reader) followCall(fn *function, bound []code.Value, args arguments) code.Value {
	c := &call{fn: fn, scope: in.scopeOf(callScope, fn, fn.scope)}
	c.exits.journal = len(in.journals)
	in.calls = append(in.calls, c)
	fn.open++
	fn.followed = true
	before := in.scope
	in.scope = c.scope
	if fn.isLate() {
		in.maybe++
	}
	in.begin()
	c.scope.since = len(in.journals) // nobody goes on with what is the call's own
	for i, name := range fn.params {
		in.assign(c.scope, name, bound[i])
	}
	if fn.expr != nil {
		in.returns(in.eval(fn.expr))
	} else {
		in.body(fn.body)
		if !in.dead {
			in.returns(code.Value{{Type: "none"}})
		}
	}
	in.end()
	in.dead = false
	if fn.isLate() {
		c.exits.ways = append(c.exits.ways, way{}) // it may run later
	}
	in.merge(c.exits.ways...)
	in.scope = before
	fn.open--
	in.calls = in.calls[:len(in.calls)-1]
	if fn.isLate() {
		in.maybe--
		return in.promised(fn, c)
	}
	return c.result
}

// returns leaves the function at hand.
func (in *reader) returns(v code.Value) {
	c := in.current()
	c.result = code.Join(c.result, v)
	in.leave(&c.exits)
	in.dead = true
}

func (in *reader) yields(v code.Value) {
	c := in.current()
	c.yielded = code.Join(c.yielded, v)
}

// isLate reports whether a function's body runs not where it is called, but where
// somebody asks for what it yields, or awaits it.
func (fn *function) isLate() bool { return fn.async || fn.yields }

// promised is what a call of such a function gives. Whenever its body runs, what it
// yields, or gives who awaits it, comes into the same box; what a generator returns comes
// out of an exception, or of yield from.
func (in *reader) promised(fn *function, c *call) code.Value {
	if fn.items == nil {
		fn.items = &code.Box{}
	}
	if !fn.yields {
		in.store(fn.items, nil, c.result)
		return code.Value{{Type: "coroutine", Box: fn.items}}
	}
	in.store(fn.items, nil, c.yielded)
	in.escape(c.result)
	if fn.async {
		return code.Value{{Type: "async_generator", Box: fn.items}}
	}
	return code.Value{{Type: "iterator", Box: fn.items}}
}

// runsLater notes that the body of a function may run at any time after a call.
func (in *reader) runsLater(fn *function, bound []code.Value) {
	if fn.given == nil {
		fn.given = make([]code.Value, len(bound))
	}
	for i, v := range bound {
		if joined := code.Join(fn.given[i], v); !code.Same(joined, fn.given[i]) {
			fn.given[i] = joined
			in.grown++
		}
	}
	in.queueUp(deferred{fn: fn, late: true})
}

// names lists parameters.
func names(args *python.Arguments) (list []string) {
	for _, args := range [...][]python.Arg{args.PosOnly, args.Args, args.KwOnly} {
		for i := range args {
			list = append(list, args[i].Name)
		}
	}
	for _, a := range [...]*python.Arg{args.Vararg, args.Kwarg} {
		if a != nil {
			list = append(list, a.Name)
		}
	}
	return list
}

// bindArguments tells what the parameters of a function are, in the order of names.
func (in *reader) bindArguments(fn *function, args arguments) []code.Value {
	bound := in.values(len(fn.params))[:0]
	positional := args.positional
	var used []string
	for k, list := range [...][]python.Arg{fn.args.PosOnly, fn.args.Args, fn.args.KwOnly} {
		for i := range list {
			var v code.Value
			name := list[i].Name
			given := false
			if k < 2 && len(positional) > 0 {
				v, positional, given = positional[0], positional[1:], true
			} else if k < 2 && args.open {
				v = args.more
			}
			for _, n := range args.named {
				if n.name == name && k > 0 {
					v, given = n.value, true
					used = append(used, name)
				}
			}
			if !given {
				v = code.Join(v, args.others)
				if fn.defaults != nil {
					v = code.Join(v, fn.defaults[len(bound)])
				}
			}
			bound = append(bound, v)
		}
	}
	if fn.args.Vararg != nil {
		if args.open {
			rest := args.more
			for _, v := range positional {
				rest = code.Join(rest, v)
			}
			bound = append(bound, in.list("tuple", site{fn, in.way, "*"}, rest))
		} else {
			bound = append(bound, in.container("tuple", site{fn, in.way, "*"}, nil, positional, true))
		}
	}
	if fn.args.Kwarg != nil {
		var keys, items []code.Value
		for _, n := range args.named {
			if !slices.Contains(used, n.name) {
				keys, items = append(keys, code.Const("str", n.name)), append(items, n.value)
			}
		}
		exact := len(args.others) == 0
		if !exact {
			keys, items = append(keys, code.Of("str")), append(items, args.others)
		}
		bound = append(bound, in.container("dict", site{fn, in.way, "**"}, keys, items, exact))
	}
	return bound
}

// deferCall notes that somebody may call a function at any time.
func (in *reader) deferCall(s *code.Shape, args []code.Value) {
	fn, is := s.Own.(*function)
	if !is {
		in.deferAll(s)
		return
	}
	in.handOn(fn)
	in.enqueue(fn, args)
}

// handOn asks about methods that are handed on without their object: it may be any.
func (in *reader) handOn(fn *function) {
	if fn.class != nil && fn.plain == nil && fn.kind == ordinary && len(fn.params) > 0 {
		in.unknown("a method that is handed on without its object")
	}
}

func (in *reader) enqueue(fn *function, args []code.Value) {
	in.queueUp(deferred{fn: fn, args: args})
}

func (in *reader) queueUp(d deferred) {
	type key struct {
		fn         *function
		some, late bool
	}
	if in.queued == nil {
		in.queued = map[any]bool{}
	}
	if k := (key{d.fn, d.args != nil, d.late}); !in.queued[k] {
		in.queued[k] = true
		in.queue = append(in.queue, d)
	}
}

// deferAll notes that somebody may call whatever is behind a shape.
func (in *reader) deferAll(s *code.Shape) {
	switch own := s.Own.(type) {
	case *function:
		in.handOn(own)
		in.enqueue(own, nil)
	case *class:
		in.deferClass(own)
	case *instance:
		in.deferClass(own.class)
	}
}

// callLater follows a function that somebody may call at any time.
func (in *reader) callLater(d deferred) {
	if d.late {
		way := in.way
		in.way = in.turn(d.fn, way, 0)
		in.followCall(d.fn, d.fn.given, arguments{at: d.fn})
		in.way = way
		return
	}
	any := code.Plain()
	if d.fn.class != nil && d.fn.class.visits() && strings.HasPrefix(d.fn.name, "visit") {
		any = code.Of("ast.AST")
	}
	args := arguments{at: d.fn, positional: d.args}
	if d.args == nil {
		guest := in.guest
		in.guest = d.fn
		defer func() { in.guest = guest }()
		args.open, args.more, args.others = true, any, any
		if d.fn.class != nil && d.fn.plain == nil && d.fn.kind != static {
			args.positional = []code.Value{in.anyOf(d.fn.class)}
			if d.fn.kind == ofClass {
				args.positional = []code.Value{{{Kind: code.Defined, Own: d.fn.class}}}
			}
		}
	}
	in.escape(in.callFunction(d.fn, args))
}

// deferExpression notes that a generator expression runs later, when the names in
// it may mean something else.
func (in *reader) deferExpression(e *python.GeneratorExp) {
	key := site{e, in.way, "later"}
	fn, _ := in.sites[key].(*function)
	if fn == nil {
		fn = &function{name: "<generator>", args: &python.Arguments{}, expr: &python.ListComp{Elt: e.Elt, Generators: e.Generators}, scope: in.scope}
		in.sites[key] = fn
	}
	in.enqueue(fn, []code.Value{})
}

package javascript

import (
	"slices"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/javascript"
)

// function is a function that the text defines.
type function struct {
	node   *javascript.Function
	parent *scope    // in which it is defined
	outer  *function // in whose body; nil: none
	home   *class    // whose method it is
	static bool      // the class's own, and not its objects'

	params  []code.Value // all that has been passed, by position
	extra   code.Value   // behind the last parameter
	this    code.Value
	result  code.Value
	yielded code.Value

	called bool
	open   bool // somebody else may call it
	pass   int  // in which it was followed last
}

// function is the function of a place of the text.
func (in *reader) function(e *javascript.Function) code.Value {
	fn := in.functions[e]
	if fn == nil {
		fn = &function{node: e, parent: in.scope, outer: in.fn, params: make([]code.Value, len(e.Params))}
		in.functions[e] = fn
		in.order = append(in.order, fn)
		in.grew = true
	}
	return code.Value{{Kind: code.Defined, Own: fn}}
}

// this is this.
func (in *reader) this() code.Value {
	fn := in.fn
	for fn != nil && fn.node.Arrow {
		fn = fn.outer
	}
	switch {
	case fn == nil:
		return in.unknown("this")
	case fn.home != nil:
		if fn.static {
			return code.Value{{Kind: code.Defined, Own: fn.home}}
		}
		return code.Value{{Kind: code.Defined, Own: fn.home.instance}}
	case len(fn.this) == 0:
		return in.unknown("this")
	}
	return fn.this
}

// allArguments is arguments.
func (in *reader) allArguments() code.Value {
	fn := in.fn
	for fn.node.Arrow && fn.outer != nil {
		fn = fn.outer
	}
	all := fn.extra
	for _, p := range fn.params {
		all = code.Join(all, p)
	}
	if fn.open {
		all = code.Join(all, code.Plain())
	}
	return in.list(fn, all)
}

// callFunction follows a function with arguments.
func (in *reader) callFunction(fn *function, args arguments, this code.Value) code.Value {
	if !fn.called {
		fn.called, in.grew = true, true
	}
	in.more(&fn.this, this)
	for i, v := range args.positional {
		if i < len(fn.params) && !fn.node.Params[i].Rest {
			in.more(&fn.params[i], v)
		} else {
			in.more(&fn.extra, v)
		}
	}
	for i := len(args.positional); i < len(fn.params); i++ {
		if !fn.node.Params[i].Rest {
			in.more(&fn.params[i], code.Join(code.Of("none"), args.more))
		}
	}
	in.more(&fn.extra, args.more)
	in.follow(fn)
	if fn.node.Generator {
		return in.list(&fn.yielded, fn.yielded)
	}
	return fn.result
}

// follow goes through a function's body, once in each pass.
func (in *reader) follow(fn *function) {
	if fn.pass == in.pass || !in.step() {
		return
	}
	if in.depth++; in.depth > maxDepth {
		in.depth--
		in.ask(in.line, "javascript.limit", "JavaScript that is too entangled to follow")
		return
	}
	fn.pass = in.pass
	scope, current, line := in.scope, in.fn, in.line
	in.fn, in.scope = fn, in.scopeOf(fn.node, fn.parent)
	if name := fn.node.Name; name != "" && fn.parent.find(name) == nil {
		in.more(in.scope.declare(name), code.Value{{Kind: code.Defined, Own: fn}})
	}
	for i, p := range fn.node.Params {
		declarePattern(in.scope, p.Target)
		v := fn.params[i]
		if fn.open {
			v = code.Join(v, code.Plain())
		}
		if p.Rest {
			in.bind(p.Target, in.list(p.Target, code.Join(v, fn.extra)))
			continue
		}
		in.bindParam(p, v)
	}
	in.again(round{scope: in.scope}, func() {
		in.hoist(fn.node.Body, in.scope, true)
		in.stmts(fn.node.Body)
	})
	if !fn.node.Arrow || len(fn.result) == 0 {
		in.more(&fn.result, code.Of("none"))
	}
	in.scope, in.fn, in.line = scope, current, line
	in.depth--
}

// opened lets somebody else call a function.
func (in *reader) opened(fn *function) {
	if !fn.open {
		fn.open, in.grew = true, true
	}
}

// class is a class that the text defines.
type class struct {
	name     string
	base     code.Value
	below    []*class // that are derived from it
	static   *code.Box
	methods  map[string]code.Value
	getters  map[string]code.Value
	setters  map[string]code.Value
	instance *instance
	made     *function // its constructor; nil: none
}

// instance stands for all objects of a class.
type instance struct {
	class *class
	box   *code.Box
}

// class follows a class.
func (in *reader) class(e *javascript.Class) code.Value {
	c := in.classes[e]
	if c == nil {
		c = &class{name: e.Name, static: &code.Box{Exact: true}, methods: map[string]code.Value{}, getters: map[string]code.Value{}, setters: map[string]code.Value{}}
		c.instance = &instance{c, &code.Box{Exact: true}}
		in.classes[e] = c
		in.grew = true
	}
	v := code.Value{{Kind: code.Defined, Own: c}}
	in.within(e, func() {
		if e.Name != "" {
			in.more(in.scope.declare(e.Name), v)
		}
		if e.Extends != nil {
			base := in.eval(e.Extends)
			in.derive(c, base)
			in.checkBase(base)
		}
		for i := range e.Members {
			in.classMember(c, &e.Members[i])
		}
	})
	return v
}

// derive puts a class below others. Their objects hold what its own hold.
func (in *reader) derive(c *class, base code.Value) {
	for i := range base {
		up, ok := base[i].Own.(*class)
		if !ok || up == c || slices.Contains(up.below, c) {
			continue
		}
		up.below = append(up.below, c)
		if len(c.base) > 0 || c.over(up, 0) {
			in.unknown("a class below several")
		}
		c.instance.box = up.instance.box
		in.grew = true
	}
	in.more(&c.base, base)
}

// over reports whether another class is derived from one.
func (c *class) over(other *class, depth int) bool {
	return depth > 50 || slices.ContainsFunc(c.below, func(b *class) bool { return b == other || b.over(other, depth+1) })
}

// checkBase asks about a class below something that is not known to be harmless.
func (in *reader) checkBase(base code.Value) {
	for i := range base {
		switch s := &base[i]; s.Kind {
		case code.Defined:
			if _, ok := s.Own.(*class); !ok {
				in.unknown("a class below a function")
			}
		case code.Member:
			if e := in.find(s.Type); e.Kind == code.Asked {
				in.asked(e)
			} else if e.Kind != code.Class {
				in.unknown("a class below " + s.Type)
			}
		case code.Object:
			in.unknown("a class below data")
		}
	}
}

func (in *reader) classMember(c *class, m *javascript.ClassMember) {
	if m.Kind == "block" {
		in.unknown("a static block")
		return
	}
	name, known := m.Key, true
	if m.Computed != nil {
		name, known = constKey(in.eval(m.Computed))
	}
	if name == "prototype" || name == "__proto__" {
		known = false
	}
	if m.Kind == "field" {
		v := code.Of("none")
		if m.Value != nil {
			// A field's value is made in a method of its own.
			outer := in.fn
			in.fn = &function{node: &javascript.Function{}, home: c, static: m.Static}
			v = in.eval(m.Value)
			in.fn = outer
		}
		box := c.instance.box
		if m.Static {
			box = c.static
		}
		key := code.Of("str")
		if known {
			key = code.Const("str", name)
		}
		in.setKey(box, key, v)
		in.opens(v)
		return
	}
	v := in.function(m.Value.(*javascript.Function))
	fn := v[0].Own.(*function)
	fn.home, fn.static = c, m.Static
	switch {
	case !known:
		in.unknown("a method whose name is not known")
	case m.Kind == "set":
		c.setters[name] = v
		in.escape(v)
	case m.Kind == "get":
		c.getters[name] = v
		in.escape(v)
		if m.Static {
			in.setKey(c.static, code.Const("str", name), in.callValue(v, arguments{at: m.Value}, nil))
		}
	case m.Static:
		in.setKey(c.static, code.Const("str", name), v)
	case name == "constructor":
		c.made = fn
	default:
		c.methods[name] = v
		switch name {
		case "toString", "valueOf", "toJSON", "then", "inspect":
			in.escape(v)
		}
	}
	if m.Computed != nil {
		in.escape(v)
	}
	if len(c.base) > 0 {
		in.escape(v) // who is above may call it
	}
}

// lookup finds a member of a class's objects in it and the classes above, or else
// and as well in those below.
func (c *class) lookup(name string, getters bool) (found code.Value) {
	for up, depth := c, 0; up != nil && found == nil && depth < 50; depth++ {
		list := up.methods
		if getters {
			list = up.getters
		}
		found = list[name]
		var next *class
		for i := range up.base {
			if b, ok := up.base[i].Own.(*class); ok {
				next = b
			}
		}
		up = next
	}
	return code.Join(found, c.lookBelow(name, getters, 0))
}

func (c *class) lookBelow(name string, getters bool, depth int) (found code.Value) {
	if depth > 50 {
		return nil
	}
	for _, b := range c.below {
		list := b.methods
		if getters {
			list = b.getters
		}
		found = code.Join(found, code.Join(list[name], b.lookBelow(name, getters, depth+1)))
	}
	return found
}

// above are the things above a class that the text does not define.
func (c *class) above(depth int) (out code.Value) {
	for i := range c.base {
		if up, ok := c.base[i].Own.(*class); ok && depth < 50 {
			out = code.Join(out, up.above(depth+1))
		} else if !ok {
			out = code.Join(out, code.Value{c.base[i]})
		}
	}
	return out
}

// newObject is new C(...).
func (in *reader) newObject(c *class, args arguments, depth int) code.Value {
	if c.made != nil {
		in.callFunction(c.made, args, nil)
	} else {
		for i := range c.base {
			switch up, ok := c.base[i].Own.(*class); {
			case ok && depth < 50:
				in.newObject(up, args, depth+1)
			case !ok:
				in.construct(code.Value{c.base[i]}, args)
			}
		}
	}
	return code.Value{{Kind: code.Defined, Own: c.instance}}
}

// superCall is super(...).
func (in *reader) superCall(args arguments) code.Value {
	c := in.home()
	if c == nil {
		return in.unknown("super")
	}
	for i := range c.base {
		if up, ok := c.base[i].Own.(*class); ok {
			in.newObject(up, args, 0)
		} else {
			in.construct(code.Value{c.base[i]}, args)
		}
	}
	return code.Of("none")
}

// home is the class in whose method the text is.
func (in *reader) home() *class {
	fn := in.fn
	for fn != nil && fn.home == nil && fn.node.Arrow {
		fn = fn.outer
	}
	if fn == nil {
		return nil
	}
	return fn.home
}

package javascript

import (
	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/javascript"
	"github.com/bashgate/bashgate/internal/match"
)

// arguments are what a call passes.
type arguments struct {
	positional []code.Value
	more       code.Value // what further positions may hold, where their number is not known
	open       bool       // there may be such
	at         any        // the call
}

// all lists every value that is passed.
func (a *arguments) all() []code.Value {
	return append(a.positional[:len(a.positional):len(a.positional)], a.more)
}

// arg is one of the arguments, nil where it is not passed.
func (a *arguments) arg(n int) code.Value {
	if n < len(a.positional) {
		return a.positional[n]
	}
	return a.more
}

func (in *reader) arguments(at any, list []javascript.Expr) arguments {
	args := arguments{at: at}
	for _, e := range list {
		spread, is := e.(*javascript.Spread)
		if !is {
			v := in.eval(e)
			if args.open {
				args.more = code.Join(args.more, v)
			} else {
				args.positional = append(args.positional, v)
			}
			continue
		}
		v := in.eval(spread.X)
		if items, ok := in.exactItems(v); ok && !args.open {
			args.positional = append(args.positional, items...)
		} else {
			args.open = true
			args.more = code.Join(args.more, in.items(v))
		}
	}
	return args
}

// call follows a call.
func (in *reader) call(e *javascript.Call) code.Value {
	if in.sight.shows(e) {
		return in.sight.follow(e, e.At, e.Args)
	}
	var out code.Value
	switch f := e.F.(type) {
	case *javascript.Super:
		args := in.arguments(e, e.Args)
		in.at(e.At)
		return in.superCall(args)
	case *javascript.Member:
		self := in.object(f.X)
		key := code.Const("str", f.Name)
		if f.Index != nil {
			key = in.eval(f.Index)
		}
		args := in.arguments(e, e.Args)
		in.at(e.At)
		out = in.callMethod(self, key, args)
		if f.Optional {
			out = code.Join(out, code.Of("none"))
		}
	default:
		fn := in.eval(f)
		args := in.arguments(e, e.Args)
		in.at(e.At)
		out = in.callValue(fn, args, nil)
	}
	if e.Optional {
		out = code.Join(out, code.Of("none"))
	}
	return out
}

// callMethod is v[key](args).
func (in *reader) callMethod(v, key code.Value, args arguments) (out code.Value) {
	name, known := constKey(key)
	for i := range v {
		if !in.step() {
			return nil
		}
		s := v[i]
		if s.Kind == code.Object && !known {
			out = code.Join(out, in.callUnknownMethod(s, args))
			continue
		}
		module := s.Kind == code.Member && in.find(s.Type).Kind == code.Module && len(in.find(s.Type).Calls) == 0 // of import()
		if known && (s.Kind == code.Object || s.Kind == code.Defined || s.Kind == code.Project || module) {
			if v, ok := in.promised(s, name, args); ok {
				out = code.Join(out, v)
				continue
			}
		}
		if s.Kind == code.Object && isData(s.Type) && !isForbidden(name) && !in.callable(s, name) {
			// Something else that data can do, or nothing.
			for _, a := range args.all() {
				in.keep(a)
				if s.Box != nil && isOwn(a) {
					in.put(s.Box, nil, a)
				}
			}
			in.escape(code.Value{s})
			out = code.Join(out, code.Plain())
			if s.Box != nil {
				in.inexact(s.Box)
				in.put(s.Box, nil, code.Plain())
				out = code.Join(out, s.Box.Any)
			}
			continue
		}
		fn := in.memberOf(s, key, true)
		out = code.Join(out, in.callValue(fn, args, code.Value{s}))
	}
	return out
}

// callable reports whether an object of data holds something under a name, or can do
// something of which facts tell.
func (in *reader) callable(s code.Shape, name string) bool {
	if s.Type == "plain" {
		return len(in.plainMember(s, name, true)) > 0
	}
	if s.Box != nil {
		if _, ok := in.held(s, name); ok {
			return true
		}
	}
	return in.typeEntry(s.Type, name).Kind != code.Nothing
}

// callUnknownMethod calls a method of data whose name is not known: one that data
// has, or one that the text has put there.
func (in *reader) callUnknownMethod(s code.Shape, args arguments) code.Value {
	in.cut = in.cut || isPlace(s.Type)
	for _, a := range args.all() {
		in.keep(a)
	}
	var out code.Value
	in.escape(code.Value{s})
	if s.Box != nil {
		in.inexact(s.Box)
		in.put(s.Box, nil, code.Plain())
		for _, m := range s.Box.Any {
			if m.Kind != code.Object {
				out = code.Join(out, in.callShape(m, args, code.Value{s}))
			}
		}
	}
	if s.Box == nil && s.Type != "str" && !isPlace(s.Type) && s.Type != "plain" || len(in.loose) > 0 {
		return code.Join(out, in.unknown("a method whose name is not known"))
	}
	return code.Join(out, code.Plain())
}

// promised is then, catch and finally: what a promise gives is its value here.
func (in *reader) promised(s code.Shape, name string, args arguments) (code.Value, bool) {
	v := code.Value{s}
	if own, ok := s.Own.(*instance); ok && own.class.lookup(name, false) != nil {
		return nil, false
	}
	if s.Box != nil && s.Type == "dict" {
		if _, ok := in.held(s, name); ok {
			return nil, false
		}
	}
	switch name {
	case "then":
		out := in.callBack(args.arg(0), []code.Value{v}, args.at)
		if len(args.positional) > 1 {
			out = code.Join(out, in.callBack(args.arg(1), []code.Value{in.refused(v)}, args.at))
		}
		return out, true
	case "catch":
		return code.Join(v, in.callBack(args.arg(0), []code.Value{in.refused(v)}, args.at)), true
	case "finally":
		in.callBack(args.arg(0), nil, args.at)
		return v, true
	}
	return nil, false
}

// refused is what is caught of a promise, which may have been refused with what it would give.
func (in *reader) refused(v code.Value) code.Value {
	out := in.failure()
	for i := range v {
		if holdsOwn(&v[i], 0) {
			out = code.Join(out, v[i:i+1:i+1])
		}
	}
	return out
}

// failure is what is caught.
func (in *reader) failure() code.Value { return code.Join(code.Plain(), in.thrown) }

// callValue calls whatever a value may be.
func (in *reader) callValue(fn code.Value, args arguments, this code.Value) (out code.Value) {
	for i := range fn {
		if !in.step() {
			return nil
		}
		out = code.Join(out, in.callShape(fn[i], args, this))
	}
	return out
}

func (in *reader) callShape(s code.Shape, args arguments, this code.Value) code.Value {
	switch s.Kind {
	case code.Member:
		if v, ok := in.special(&s, args); ok {
			return v
		}
		return in.callMember(&s, args)
	case code.Defined:
		if fn, ok := s.Own.(*function); ok {
			return in.callFunction(fn, args, this)
		}
		return in.unknown("calling an object")
	case code.Project:
		for _, a := range args.all() {
			in.tell(a)
			in.escape(a)
		}
		return code.Value{s}
	case code.Unknown:
		for _, a := range args.all() {
			in.escape(a)
		}
		return code.Value{s}
	}
	if s.Type == "none" {
		return nil // fails
	}
	if s.Type == "Noop" {
		for _, a := range args.all() {
			in.escape(a)
		}
		return code.Of("none")
	}
	for _, a := range args.all() {
		in.escape(a)
	}
	return in.unknown("calling data")
}

// construct is new f(args).
func (in *reader) construct(f code.Value, args arguments) (out code.Value) {
	for i := range f {
		s := f[i]
		switch {
		case s.Kind == code.Defined:
			switch own := s.Own.(type) {
			case *class:
				out = code.Join(out, in.newObject(own, args, 0))
			default:
				in.escape(code.Value{s})
				out = code.Join(out, in.unknown("new of a function"))
			}
		case s.Kind == code.Member && s.Type == "Promise":
			out = code.Join(out, in.newPromise(args))
		case s.Kind == code.Member:
			if v, ok := in.special(&s, args); ok {
				out = code.Join(out, v)
				continue
			}
			out = code.Join(out, in.callMember(&s, args))
		default:
			out = code.Join(out, in.callShape(s, args, nil))
		}
	}
	return out
}

// newPromise is new Promise((resolve, reject) => ...): what is resolved is its
// value.
func (in *reader) newPromise(args arguments) code.Value {
	box := in.box(args.at)
	self := code.Value{{Type: "list", Box: box}}
	resolve := code.Value{{Kind: code.Member, Type: "resolve", Self: &self}}
	in.callBack(args.arg(0), []code.Value{resolve, resolve}, args.at)
	return code.Join(code.Of("none"), box.Any)
}

// callBack calls a function as a library calls it, with some arguments.
func (in *reader) callBack(v code.Value, list []code.Value, at any) (out code.Value) {
	for i := range v {
		s := v[i]
		switch {
		case s.Kind == code.Object && (s.Type == "none" || s.Type == "dict" && s.Box != nil):
			// Nothing, or options; what functions these hold may be called too.
			in.escape(code.Value{s})
		case s.Kind == code.Member && len(in.find(s.Type).Calls) == 0 && in.find(s.Type).Kind == code.Module:
			out = code.Join(out, in.unknown("calling "+s.Type))
		default:
			out = code.Join(out, in.callShape(s, arguments{positional: list, at: at}, code.Of("none")))
		}
	}
	return out
}

// tell notes what code of the project is told.
func (in *reader) tell(v code.Value) { in.tellDeep(v, 0) }

func (in *reader) tellDeep(v code.Value, depth int) {
	for i := range v {
		s := &v[i]
		switch {
		case s.Kind == code.Member && s.Type == "process.env":
			in.environment()
		case s.Kind != code.Object || !in.step():
		case depth > 10:
			in.ask(in.line, "javascript.limit", "JavaScript with values that hold each other")
			return
		case s.Box != nil && s.Box.Exact: // of many nothing is left together
			for _, item := range s.Box.Items {
				in.tellDeep(item, depth+1)
			}
			for _, key := range s.Box.Keys {
				in.tellDeep(key, depth+1)
			}
		case s.Box != nil:
			in.tellDeep(s.Box.Any, depth+1)
			in.tellDeep(s.Box.Key, depth+1)
		case s.Word != nil && (s.Type == "str" || s.Type == "URL" || isPlace(s.Type)):
			in.report.Use(code.Effect{Use: match.Use{Kind: match.Arg, Word: *s.Word}, Line: in.line})
		}
	}
}

// escape lets a value out of sight: somebody may keep it, hand it on, or give it
// back later as what the gate calls data. Functions may be called then.
func (in *reader) escape(v code.Value) {
	for i := range v {
		s := v[i]
		switch s.Kind {
		case code.Object:
			if s.Box != nil {
				in.escapeBox(s.Box)
			} else if isLoose(s.Type) {
				in.loosen(s)
			}
		case code.Defined:
			in.loosen(s)
			switch own := s.Own.(type) {
			case *function:
				in.opened(own)
			case *class:
				in.escapeClass(own)
			case *instance:
				in.escapeClass(own.class)
				in.escapeBox(own.class.instance.box)
			}
		case code.Member:
			if s.Type == "process.env" {
				in.environment()
				continue
			}
			if in.loosen(s) && len(in.find(s.Type).Calls) > 0 {
				in.callBack(code.Value{s}, []code.Value{code.Plain(), code.Plain(), code.Plain()}, s.Type)
			}
		case code.Project:
			in.loosen(code.Shape{Kind: code.Project, Type: "project"})
		}
	}
}

func (in *reader) escapeBox(b *code.Box) {
	if b.Out {
		return
	}
	b.Out, in.grew = true, true
	in.escape(b.Any)
	in.escape(b.Key)
}

func (in *reader) escapeClass(c *class) {
	for _, m := range c.methods {
		in.escapeFunctions(m)
	}
	in.escapeBox(c.static)
	if c.made != nil {
		in.opened(c.made)
	}
}

func (in *reader) escapeFunctions(v code.Value) {
	for i := range v {
		if fn, ok := v[i].Own.(*function); ok {
			in.opened(fn)
		}
	}
}

// isLoose reports whether an object of a type is told apart where it comes back out
// of data.
func isLoose(name string) bool {
	switch name {
	case "plain", "none", "str", "bytes", "number", "bool", "list", "dict", "RegExp", "Date", "Noop", "Cwd", "Location", "Printed", "URL":
		return false
	}
	return true
}

// loosen puts something among what data may be. It reports whether that is news.
func (in *reader) loosen(s code.Shape) bool {
	s.Word, s.Self = nil, nil
	joined := code.Join(in.loose, code.Value{s})
	if code.Same(joined, in.loose) {
		return false
	}
	in.loose = joined
	in.grew = true
	return true
}

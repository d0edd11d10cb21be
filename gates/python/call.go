package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/python"
	"github.com/bashgate/bashgate/policy"
)

// call is a function that is being followed, or the module.
type call struct {
	fn      *function // nil: the module, or a class body
	scope   *scope
	loops   []*loopFrame
	exits   exit
	result  code.Value
	yielded code.Value
}

// current is the innermost call.
func (in *reader) current() *call {
	if len(in.calls) == 0 {
		in.calls = append(in.calls, &call{scope: in.module})
	}
	return in.calls[len(in.calls)-1]
}

// callExpr follows a call.
func (in *reader) callExpr(e *python.Call) code.Value {
	if in.setsDefault(e) {
		args := in.arguments(e)
		in.line = int(e.Pos().Line)
		in.followed[e.Index] = in.followed[e.Index] || !in.dead
		in.setVariable(args.positional[0], args.positional[1])
		if !in.sight.dropped[e.Index] { // what it was set to before
			in.argument(code.Kind{Own: code.Variable}, args.positional[0], "os.environ.setdefault", nil, args)
		}
		return code.Of("str")
	}
	if in.sight.isListed(e) {
		in.followed[e.Index] = in.followed[e.Index] || !in.dead
		return in.listing(in.eval(e.Args[0]))
	}
	fn := in.eval(e.Func)
	args := in.arguments(e)
	in.line = int(e.Pos().Line)
	args.call = e
	in.allowsPickles(args)
	if len(fn) > 0 && !in.dead {
		in.followed[e.Index] = true
	}
	in.handsArguments(e, fn, &args)
	outer := in.within
	in.within = e
	v := in.callValue(fn, args)
	in.within = outer
	return v
}

// setsDefault reports whether a call is os.environ.setdefault(name, value), which may set
// a variable as an assignment does. Nowhere else is the method known, so that nobody is
// handed it.
func (in *reader) setsDefault(e *python.Call) bool {
	if a, is := e.Func.(*python.Attribute); !is || a.Attr != "setdefault" || len(e.Args) != 2 || len(e.Keywords) > 0 {
		return false
	}
	full, ok := in.sight.dotted(e.Func)
	return ok && full == "os.environ.setdefault" &&
		!slices.ContainsFunc(e.Args, func(a python.Expr) bool { _, is := a.(*python.Starred); return is })
}

func (in *reader) arguments(e *python.Call) arguments {
	args := arguments{at: e}
	if len(e.Args) > 0 {
		args.positional = in.values(len(e.Args))[:0]
	}
	for _, a := range e.Args {
		star, is := a.(*python.Starred)
		if !is {
			v := in.eval(a)
			if args.open {
				args.more = code.Join(args.more, v)
			} else {
				args.positional = append(args.positional, v)
			}
			continue
		}
		v := in.eval(star.Value)
		if items, ok := in.exactItems(v); ok && !args.open {
			args.positional = append(args.positional, items...)
		} else {
			args.open = true
			args.more = code.Join(args.more, in.items(v))
		}
	}
	for _, k := range e.Keywords {
		v := in.eval(k.Value)
		if k.Name != "" {
			args.named = append(args.named, named{k.Name, v})
			continue
		}
		for i := range v {
			if v[i].Kind == code.Defined {
				in.escape(code.Value{v[i]})
			}
		}
		if len(v) == 1 && v[0].Box != nil && v[0].Box.Exact && v[0].Box.Keys != nil {
			for i, key := range v[0].Box.Keys {
				if name, ok := key.Const("str"); ok {
					args.named = append(args.named, named{name, v[0].Box.Items[i]})
				} else {
					args.open = true
					args.others = code.Join(args.others, v[0].Box.Items[i])
				}
			}
			continue
		}
		args.open = true
		args.others = code.Join(args.others, in.member(v, nil))
	}
	return args
}

// project is something of the project's code.
var project = code.Value{{Kind: code.Project, Type: "project"}}

// callValue calls whatever a value may be.
func (in *reader) callValue(fn code.Value, args arguments) code.Value {
	switch len(fn) {
	case 0:
		return nil
	case 1:
		return in.callShape(&fn[0], args)
	}
	return in.callAny(fn, args)
}

// callAny calls one of several things.
func (in *reader) callAny(fn code.Value, args arguments) (out code.Value) {
	in.oneOf(len(fn), func(i int) { out = code.Join(out, in.callShape(&fn[i], args)) })
	return out
}

func (in *reader) callShape(s *code.Shape, args arguments) code.Value {
	if in.depth++; in.depth > 20*maxDepth || !in.step() {
		in.depth--
		in.ask(in.line, "python.limit", "Python code with calls that call each other")
		return nil
	}
	defer func() { in.depth-- }()
	switch s.Kind {
	case code.Member:
		if v, ok := in.special(s.Type, args); ok {
			return v
		}
		return in.callMember(s, args)
	case code.Defined:
		return in.callDefined(s, args)
	case code.Project:
		in.tellsPackage(s, args)
		in.loosen(project[0])
		cuts, asks := isMethod(args.call, cutting), isMethod(args.call, pages)
		for a := range args.all() {
			switch {
			case (cuts || asks && !isMethod(args.call, deletes)) && isSeparator(a):
			case asks && isRoute(a):
				in.emit(code.Effect{Use: match.Use{Kind: match.Arg, Word: *a[0].Word}, Line: in.line, Route: true})
			default:
				in.tell(a)
			}
			in.escape(a)
		}
		return code.Value{*s}
	case code.Unknown:
		for a := range args.all() {
			in.escape(a)
		}
		return code.Value{*s}
	}
	if isBuiltin(s.Type) {
		return nil // fails
	}
	if s.Type == "plain" {
		var out code.Value
		called := false
		for i := range in.loose {
			if o := &in.loose[i]; o.Kind != code.Object {
				called = true
				out = code.Join(out, in.callShape(o, args))
			}
		}
		if called {
			return out
		}
	}
	if e := in.typeEntry(s.Type, "__call__"); e.Kind == code.Function {
		return in.callFact(e, nil, args, s)
	}
	return in.unknown("calling data")
}

// Methods, between blanks.
const (
	cutting = " endswith join lstrip partition removeprefix removesuffix replace rfind rindex rpartition rsplit rstrip split startswith strip " // texts are cut and searched, and these take no places
	pages   = " add_url_rule delete get head options patch post put route "                                                                     // the pages of a web application are asked for, and named
	deletes = " delete patch put "                                                                                                              // of these: by which a whole tree may go
)

// isMethod reports whether a call is of one of some methods.
func isMethod(c *python.Call, names string) bool {
	if c == nil {
		return false
	}
	a, is := c.Func.(*python.Attribute)
	return is && strings.Contains(names, " "+a.Attr+" ")
}

// isRoute reports whether a value is a text like the address of a page: /a/b.
func isRoute(v code.Value) bool {
	text, ok := v.Const("str")
	return ok && strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//")
}

// isSeparator reports whether a value is the sign between the names of a path, which is a
// directory where it is told alone.
func isSeparator(v code.Value) bool {
	text, ok := v.Const("str")
	return ok && text == "/"
}

// tell notes what code of the project is told.
func (in *reader) tell(v code.Value) {
	if in.depth++; in.depth > 20*maxDepth {
		in.depth--
		in.ask(in.line, "python.limit", "Python code with values that hold each other")
		return
	}
	defer func() { in.depth-- }()
	for i := range v {
		if !in.step() {
			return
		}
		s := &v[i]
		switch {
		case s.Kind != code.Object:
		case s.Box != nil && s.Box.Exact: // of many nothing is left together
			for _, item := range s.Box.Items {
				in.tell(item)
			}
			for _, key := range s.Box.Keys {
				in.tell(key)
			}
		case s.Box != nil:
			in.tell(s.Box.Any)
			in.tell(s.Box.Key)
		case s.Word != nil && (s.Type == "str" || s.Type == "bytes" || in.names(s.Type)):
			in.emit(code.Effect{Use: match.Use{Kind: match.Arg, Word: *s.Word}, Line: in.line})
			in.toldAny = in.toldAny || slices.ContainsFunc(s.Word.Parts, func(p policy.Part) bool { return p.Kind != policy.Lit && p.Match == "" })
		case s.Type == "str" || in.names(s.Type) && s.Type != "plain":
			in.toldAny = true
		case s.Type == "os._Environ":
			in.environment()
		}
	}
}

// environment notes that the whole environment is read.
func (in *reader) environment() {
	in.emit(code.Effect{Use: match.Use{Kind: match.Command, Words: []policy.Word{policy.Const("printenv")}}, Line: in.line})
}

// callBack calls a function as a library may call it: at any time, with arguments of
// some types, or of which nothing is known.
func (in *reader) callBack(v code.Value, types []code.Type) {
	args := arguments{open: true, more: code.Plain(), others: code.Plain()}
	if types != nil {
		args = arguments{}
		for _, t := range types {
			args.positional = append(args.positional, in.valueOf(t, nil, "callback"))
		}
	}
	for i := range v {
		switch s := &v[i]; s.Kind {
		case code.Defined:
			in.deferCall(s, args.positional)
			if types != nil {
				in.branches(func() { in.escape(in.callShape(s, args)) }, func() {})
			}
		case code.Member:
			if in.find(s.Type).Kind != code.Module {
				in.branches(func() { in.escape(in.callShape(s, args)) }, func() {})
			}
		case code.Object:
			if s.Type != "none" {
				in.branches(func() { in.escape(in.callShape(s, args)) }, func() {})
			}
		}
	}
}

// escape lets a value out of sight: a library may keep it, hand it on, or give it
// back later as what it calls data. Functions may be called then.
func (in *reader) escape(v code.Value) {
	for i := range v {
		s := &v[i]
		switch s.Kind {
		case code.Object:
			if s.Box != nil {
				in.escapeBox(s)
			} else if isLoose(s.Type) {
				in.loosen(*s)
			}
			if write := in.typeEntry(s.Type, "write").Name; write != "" && in.effects(write) {
				in.unknown("handing on what writes the file that it is told") // to what takes it for a file
			}
			if s.Type == "os._Environ" {
				in.environment()
			}
		case code.Defined:
			in.loosen(*s)
			in.deferAll(s)
		case code.Member:
			if e := in.find(s.Type); in.loosen(*s) && len(e.Calls) > 0 {
				in.callBack(code.Value{*s}, nil)
			}
		case code.Project:
			in.loosen(code.Shape{Kind: code.Project, Type: "project"})
		}
	}
}

func (in *reader) escapeBox(s *code.Shape) {
	key := site{s.Box, len(s.Box.Any)<<16 | len(s.Box.Key), "escaped"}
	if _, known := in.sites[key]; known {
		return
	}
	in.sites[key] = true
	s.Box.Out = true
	in.inexact(s.Box)
	in.store(s.Box, code.Plain(), code.Plain())
	in.escape(s.Box.Any)
	in.escape(s.Box.Key)
}

// isLoose reports whether an object of a type is told apart where it comes back out
// of data.
func isLoose(name string) bool {
	switch name {
	case "plain", "none", "ellipsis", "slice", "iterator", "str", "bytes", "int", "float", "bool", "list", "dict", "set", "tuple":
		return false
	}
	return true
}

// loosen puts something among what data may be.
func (in *reader) loosen(s code.Shape) bool {
	s.Word = nil
	joined := code.Join(in.loose, code.Value{s})
	if code.Same(joined, in.loose) {
		return false
	}
	in.loose = joined
	in.grown++
	return true
}

package javascript

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Facts are written for calls as they stand in a text. A parameter with a name is a
// property of an object of options, which a call may have once, at any place; without
// a name it is one of the arguments in their order.

// callMember calls what facts describe.
func (in *reader) callMember(s *code.Shape, args arguments) code.Value {
	e := in.callee(s.Type)
	switch {
	case e.Kind == code.Asked:
		return in.asked(e)
	case len(e.Calls) == 0:
		for _, a := range args.all() {
			in.escape(a)
		}
		return in.unknown(s.Type + "()")
	case e.Methods && s.Self == nil:
		return in.unknown(s.Type + "() without an object")
	}
	var self *code.Shape
	if s.Self != nil && len(*s.Self) > 0 {
		self = &(*s.Self)[0]
	}
	for i := range e.Calls {
		if passed, ok := in.fits(&e.Calls[i], args); ok {
			in.making = makes(&e.Calls[i], self, args)
			called := in.means(&e.Calls[i], passed, self, args, e.Name)
			in.mayCut(e, &e.Calls[i], self, args)
			if v, ok := in.computed(e.Name, self, args); ok {
				return v
			}
			in.making = makes(&e.Calls[i], self, args) || hidesText(called)
			out := in.result(e.Calls[i].Result, args, self, called, e.Name)
			in.making = false
			return out
		}
	}
	for _, a := range args.all() {
		in.escape(a)
	}
	return in.unknown(e.Name + "() with such arguments")
}

// asked notes the question that a fact asks.
func (in *reader) asked(e *code.Entry) code.Value {
	in.report.Question(e.Ask, in.line)
	return code.Anything()
}

// fits tells what is passed for each parameter of a signature.
func (in *reader) fits(sig *code.Signature, args arguments) (passed []code.Value, ok bool) {
	passed = make([]code.Value, len(sig.Params))
	named := slices.ContainsFunc(sig.Params, func(p code.Param) bool { return p.Name != "" && p.Name != "self" })
	next := 0
	skip := func() {
		for next < len(sig.Params) && sig.Params[next].Name != "" {
			next++
		}
	}
	given := false
	for _, v := range args.positional {
		if len(v) == 0 {
			v = code.Of("none") // not known yet
		}
		if skip(); named && isOptions(v) {
			behind := behindNamed(sig, next)
			if given || behind < 0 || !in.options(sig, passed, v[0].Box) {
				return nil, false
			}
			given, next = true, behind
			continue
		}
		if next == len(sig.Params) {
			if code.IsNone(v) {
				continue
			}
			return nil, false
		}
		passed[next] = code.Join(passed[next], v)
		if !sig.Params[next].Rest {
			next++
		}
	}
	if args.open {
		if named {
			return nil, false
		}
		for i := next; i < len(sig.Params); i++ {
			passed[i] = code.Join(passed[i], args.more)
		}
	}
	return passed, sig.Takes(passed, args.open)
}

// behindNamed is the parameter behind those that an object of options names, where such an
// object may stand in a place: what stands before it may be missing, and is left out for
// good. It is -1 where it may not, for what stands behind it was passed.
func behindNamed(sig *code.Signature, next int) int {
	isNamed := func(p code.Param) bool { return p.Name != "" && p.Name != "self" }
	first := slices.IndexFunc(sig.Params, isNamed)
	last := first
	for last < len(sig.Params) && isNamed(sig.Params[last]) {
		last++
	}
	for i := next; i < first; i++ {
		if !sig.Params[i].Optional && !sig.Params[i].Rest {
			return -1
		}
	}
	if next > last {
		return -1
	}
	return last
}

func isOptions(v code.Value) bool {
	return len(v) == 1 && v[0].Kind == code.Object && v[0].Type == "dict" && v[0].Box != nil
}

// options puts an object's properties to the parameters of their names.
func (in *reader) options(sig *code.Signature, passed []code.Value, b *code.Box) bool {
	if !b.Exact {
		return false
	}
	for k, key := range b.Keys {
		name, _ := constKey(key)
		i := slices.IndexFunc(sig.Params, func(p code.Param) bool { return p.Name == name && name != "self" })
		if i < 0 {
			return false
		}
		passed[i] = code.Join(passed[i], b.Items[k])
	}
	return true
}

// means notes what the arguments of a call do, and tells what functions among them
// give.
func (in *reader) means(sig *code.Signature, passed []code.Value, self *code.Shape, args arguments, name string) (called code.Value) {
	var dir *policy.Word
	var words []code.Value
	first := true
	for i := range sig.Params {
		p := &sig.Params[i]
		if p.Kinds[0].Own != code.NotOwn || passed[i] == nil {
			continue
		}
		switch p.Kinds[0].Kind {
		case match.Dir:
			if p.Name != "" && !code.IsNone(passed[i]) {
				w := policy.Unknown(name)
				if list := passed[i].Words(name); len(list) == 1 {
					w = list[0]
				}
				dir = &w
			}
		case match.Command:
			words = append(words, passed[i])
		}
	}
	if len(words) > 0 {
		in.command(words, name, dir)
	}
	for i := range sig.Params {
		p := &sig.Params[i]
		v := passed[i]
		if p.Name == "self" {
			if self == nil {
				continue
			}
			v = code.Value{*self}
		}
		if len(v) == 0 {
			continue
		}
		for _, k := range p.Kinds {
			switch {
			case k.Own == code.Calls:
				called = code.Join(called, in.callBack(v, in.callArgs(k.Args, args, self, in.returned(v), first), args.at))
				first = false
			case k.Own == code.Variable:
				in.variable(v)
			default:
				in.escape(v)
				if k.Kind != match.Data && k.Kind != match.Command {
					for _, s := range v {
						in.argument(k, s, name, dir)
					}
				}
			}
		}
	}
	return called
}

// returned is what functions of the text have given before, which reduce passes on.
func (in *reader) returned(v code.Value) (out code.Value) {
	for i := range v {
		if fn, ok := v[i].Own.(*function); ok {
			out = code.Join(out, fn.result)
		}
	}
	return out
}

// callArgs are what a library calls a function with.
func (in *reader) callArgs(types []code.Type, args arguments, self *code.Shape, called code.Value, first bool) (list []code.Value) {
	if types == nil {
		any := ofKind("plain", in.making)
		in.making = false
		return []code.Value{any, any, any}
	}
	for _, t := range types {
		list = append(list, in.result(t, args, self, called, ""))
	}
	in.making = false
	return list
}

// argument notes what one argument does.
func (in *reader) argument(k code.Kind, s code.Shape, name string, dir *policy.Word) {
	switch {
	case s.Kind == code.Object && (s.Type == "none" || s.Type == "number" || s.Type == "bool"):
		// Nothing, or a descriptor that was opened before.
	case s.Kind == code.Object && s.Box != nil:
		in.use(k.Kind, k.Lang, s.Box.Any, name+"(...)", dir)
	case s.Kind == code.Object && s.Type == "Cwd":
		in.use(k.Kind, k.Lang, code.Const("str", "."), name+"(...)", dir)
	case s.Kind == code.Object && s.Type == "URL" && k.Kind != match.URL:
		in.use(k.Kind, k.Lang, filePath(s), name+"(...)", dir)
	case s.Kind == code.Object && !isName(s.Type):
		// What was opened before.
	default:
		in.use(k.Kind, k.Lang, code.Value{s}, name+"(...)", dir)
	}
}

// filePath is the file that an address names.
func filePath(s code.Shape) code.Value {
	if s.Word != nil {
		if text, ok := s.Word.Const(); ok && strings.HasPrefix(text, "file:///") && !strings.ContainsAny(text, "%?#") {
			return code.Const("str", strings.TrimPrefix(text, "file://"))
		}
	}
	return code.Of("str")
}

// isName reports whether objects of a type are names of files and the like.
func isName(name string) bool {
	return name == "str" || name == "bytes" || name == "plain" || name == "URL" || isPlace(name)
}

// command notes a command: a program, and the list of its arguments.
func (in *reader) command(parts []code.Value, name string, dir *policy.Word) {
	hole := policy.UnknownWords(name + "(...)")
	if len(parts) == 1 && isExactList(parts[0]) { // the program is the first of a list
		items := parts[0][0].Box.Items
		parts = []code.Value{items[0], {{Type: "list", Box: &code.Box{Exact: true, Items: items[1:]}}}}
	}
	var tails [][]policy.Word
	for _, s := range parts[min(1, len(parts)-1)] {
		switch {
		case len(parts) == 1, s.Kind == code.Object && s.Type == "none":
			tails = append(tails, nil)
		case s.Box != nil && s.Box.Exact && s.Type == "list":
			tails = append(tails, eachOf(s.Box.Items, name+"(...)")...)
		default:
			tails = append(tails, []policy.Word{hole})
		}
		if len(parts) == 1 {
			break
		}
	}
	for _, program := range parts[0].Words(name + "(...)") {
		for _, tail := range tails {
			in.report.Use(code.Effect{Use: match.Use{Kind: match.Command, Words: append([]policy.Word{program}, tail...)}, In: dir, Line: in.line})
		}
	}
}

// maxTails bounds how many lists of arguments are told apart that a call may pass.
const maxTails = 16

// eachOf are the lists of words that a list of values may be. Where there are too many,
// the words that may be several are not known.
func eachOf(items []code.Value, source string) [][]policy.Word {
	lists := [][]policy.Word{nil}
	for _, item := range items {
		words := item.Words(source)
		if len(words) == 0 || len(words)*len(lists) > maxTails {
			words = []policy.Word{policy.Unknown(source)}
		}
		longer := make([][]policy.Word, 0, len(lists)*len(words))
		for _, list := range lists {
			for _, w := range words {
				longer = append(longer, append(list[:len(list):len(list)], w))
			}
		}
		lists = longer
	}
	return lists
}

// isExactList reports whether a value is one list of which all items are known, and that
// has some.
func isExactList(v code.Value) bool {
	return len(v) == 1 && v[0].Type == "list" && v[0].Box != nil && v[0].Box.Exact && len(v[0].Box.Items) > 0
}

// result is what a call gives.
func (in *reader) result(t code.Type, args arguments, self *code.Shape, called code.Value, name string) (out code.Value) {
	for _, one := range t {
		switch one.Name {
		case "self":
			if self != nil {
				out = code.Join(out, code.Value{*self})
			}
		case "arg":
			out = code.Join(out, args.arg(0))
		case "second":
			out = code.Join(out, args.arg(1))
		case "args": // any of them
			for _, v := range args.all() {
				out = code.Join(out, v)
			}
		case "item": // of the object, or of the argument
			v := args.arg(0)
			if self != nil {
				v = code.Value{*self}
			}
			out = code.Join(out, in.items(v))
		case "value": // what an object holds
			v := args.arg(0)
			if self != nil {
				v = code.Value{*self}
			}
			for _, s := range v {
				if s.Kind == code.Object && s.Box != nil {
					out = code.Join(out, s.Box.Any)
				} else {
					out = code.Join(out, in.anyMember(s))
				}
			}
		case "called":
			out = code.Join(out, called)
		case "calleditem":
			for _, s := range called {
				if s.Type == "list" {
					out = code.Join(out, in.items(code.Value{s}))
				} else {
					out = code.Join(out, code.Value{s})
				}
			}
		case "any": // whatever it was given
			for _, v := range args.all() {
				in.escape(v)
			}
			if self != nil {
				in.escape(code.Value{*self})
			}
			out = code.Join(out, ofKind("plain", in.making))
		case "project":
			out = code.Join(out, code.Value{{Kind: code.Project, Type: name}})
		case "module": // what is described elsewhere under a name
			for _, m := range one.Of {
				out = code.Join(out, member(m.Name))
			}
		default:
			in.placed = in.placed || isPlace(one.Name)
			if one.Of == nil {
				out = code.Join(out, ofKind(one.Name, in.making))
				continue
			}
			type made struct {
				at    any
				name  string
				depth int
			}
			at := args.at
			if at == nil {
				at = name
			}
			out = code.Join(out, in.list(made{at, one.Name, len(one.Of)}, in.result(one.Of, args, self, called, name)))
		}
	}
	return out
}

// valueOf is a value of a type that depends on no arguments.
func (in *reader) valueOf(t code.Type, self *code.Shape) code.Value {
	in.making = self != nil && holdsOwn(self, 0)
	defer func() { in.making = false }()
	if self != nil && self.Box != nil {
		return in.result(t, arguments{at: self.Box}, self, nil, "")
	}
	name := ""
	if self != nil {
		name = self.Type
	}
	return in.result(t, arguments{at: "value of " + name}, self, nil, "")
}

// typeEntry is what facts say of a member of a type, or of the types above it.
func (in *reader) typeEntry(name, member string) *code.Entry {
	for range 20 {
		if e := in.find(name + "." + member); e.Kind != code.Nothing {
			return e
		}
		e := in.find(name)
		if len(e.Type) == 0 {
			break
		}
		name = e.Type[0].Name
	}
	return &code.None
}

package python

import (
	"iter"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/python"
	"github.com/bashgate/bashgate/policy"
)

// arguments are what a call passes.
type arguments struct {
	positional []code.Value
	named      []named
	more       code.Value   // what further positions may hold, where their number is not known
	others     code.Value   // what further names may hold
	open       bool         // there may be such
	at         any          // the call
	call       *python.Call // as it stands in the text, which says what of that is sure; nil: nothing is
}

type named struct {
	name  string
	value code.Value
}

// all goes through every value that is passed.
func (a *arguments) all() iter.Seq[code.Value] {
	return func(yield func(code.Value) bool) {
		for _, v := range a.positional {
			if !yield(v) {
				return
			}
		}
		for i := range a.named {
			if !yield(a.named[i].value) {
				return
			}
		}
		_ = yield(a.more) && yield(a.others)
	}
}

// strictly is what is passed as far as it is sure.
func (in *reader) strictly(a *arguments) arguments {
	unknown := code.Of("str")
	strict := arguments{at: a.at, open: a.open, positional: make([]code.Value, len(a.positional)), named: slices.Clone(a.named)}
	if strict.open {
		strict.more = unknown
	}
	if len(a.others) > 0 {
		strict.others = unknown
	}
	var s *arguments
	if a.call != nil {
		s = in.sight.strict(a.call)
	}
	if s != nil && (s.open != a.open || len(s.positional) != len(a.positional) || len(s.named) != len(a.named)) {
		s = nil // other arguments than the call's
	}
	for i := range a.positional {
		strict.positional[i] = unknown
		if s != nil && s.positional[i] == nil {
			strict.positional[i] = a.positional[i]
		}
	}
	for i := range a.named {
		strict.named[i].value = unknown
		if s != nil && s.named[i].value == nil && s.named[i].name == a.named[i].name {
			strict.named[i].value = a.named[i].value
		}
	}
	return strict
}

// callMember calls what facts describe.
func (in *reader) callMember(s *code.Shape, args arguments) code.Value {
	e := in.find(s.Type)
	switch {
	case e.Kind == code.Asked:
		return in.asked(e)
	case len(e.Calls) == 0:
		return in.unknown(s.Type + "()")
	}
	var self *code.Shape
	if s.Self != nil && len(*s.Self) > 0 {
		self = &(*s.Self)[0]
	} else if e.Methods {
		// str.upper(x): what it is called on comes first.
		if len(args.positional) == 0 {
			return in.unknown(s.Type + "() without an object")
		}
		var out code.Value
		for i := range args.positional[0] {
			inner := args
			inner.positional, inner.call = args.positional[1:], nil
			self := args.positional[0][i]
			if self.Kind != code.Object {
				in.escape(code.Value{self})
				self = code.Shape{Type: "plain"}
			}
			if owner, method, _ := strings.Cut(e.Name, "."); isContainer(owner) && isLoose(self.Type) {
				own := in.typeEntry(self.Type, method)
				if own.Kind == code.Nothing {
					return in.unknown(s.Type + "() of what is of the type " + self.Type)
				}
				out = code.Join(out, in.callFact(own, nil, inner, &self))
				continue
			}
			out = code.Join(out, in.callFact(e, nil, inner, &self))
		}
		return out
	}
	return in.callFact(e, nil, args, self)
}

// asked notes the question that a fact asks.
func (in *reader) asked(e *code.Entry) code.Value {
	in.report.Question(e.Ask, in.line)
	return code.Anything()
}

// callFact calls a function that facts describe: the first of its signatures that
// fits says what the arguments mean.
func (in *reader) callFact(e *code.Entry, _ code.Value, args arguments, self *code.Shape) code.Value {
	if e.Kind == code.Asked {
		return in.asked(e)
	}
	if strings.HasPrefix(e.Name, "subprocess.") && len(args.positional) > 1 {
		return in.unknown(e.Name + "() with arguments by position")
	}
	if e.Name == "pathlib.Path.replace" && len(args.positional) > 1 {
		return nil // fails: what it is called on is a text, then
	}
	if e.Name == replaces && self != nil {
		in.replace(self, args)
	}
	if e.Name == "str.format" || e.Name == "str.format_map" { // '{0.__globals__}' looks into what it is given
		if text, ok := constOf(self); !ok || opensFields(text) {
			for a := range args.all() {
				in.escape(a)
			}
			return in.unknown(e.Name + "() with fields of what it is given")
		}
	}
	for i := range e.Calls {
		params, ok := in.fits(&e.Calls[i], args)
		if !ok {
			continue
		}
		sure, fits := params, true
		if decides(&e.Calls[i]) {
			sure, fits = in.fits(&e.Calls[i], in.strictly(&args))
		}
		if fits {
			if v, ok := in.fold(e.Name, args, self); ok {
				if (self != nil || !handsOver(e.Name)) && e.Name != "str.join" { // which keeps none of its texts
					for a := range args.all() {
						in.escape(a)
					}
				}
				return v
			}
			in.means(&e.Calls[i], params, sure, self, args, e.Name)
			if v, ok := in.lookedFor(e.Name, args, self); ok {
				return v
			}
			return in.variable(&e.Calls[i], params, in.result(e.Calls[i].Result, args, self, e.Name))
		}
	}
	for a := range args.all() {
		in.escape(a)
	}
	return in.unknown(e.Name + "() with such arguments")
}

// variable is what a call gives, where that asks for a variable of the environment which
// holds the home directory unless something has set another one.
func (in *reader) variable(sig *code.Signature, passed []code.Value, result code.Value) code.Value {
	for i := range sig.Params {
		isVariable := slices.ContainsFunc(sig.Params[i].Kinds, func(k code.Kind) bool { return k.Own == code.Variable })
		if name, ok := passed[i].Const("str"); ok && isVariable && name == "HOME" && in.text.Home != "" {
			return beside(result, code.Const("str", in.text.Home))
		}
	}
	return result
}

// decides reports whether it matters for a signature which of what is passed is sure.
func decides(sig *code.Signature) bool {
	return slices.ContainsFunc(sig.Params, func(p code.Param) bool {
		return p.Globs != nil || acts(p) || slices.ContainsFunc(p.Kinds, isRead)
	})
}

func isRead(k code.Kind) bool { return k.Kind == match.Read && k.Own == code.NotOwn }

// opensFields reports whether a format has a field that is an attribute or an item.
func opensFields(format string) bool {
	for _, field := range strings.Split(format, "{")[1:] {
		name, _, _ := strings.Cut(field, "}")
		name, _, _ = strings.Cut(name, ":")
		if strings.ContainsAny(name, ".[") {
			return true
		}
	}
	return false
}

// something is what is passed where it seems that nothing can be: what gives it fails, or
// facts do not say all that it may be.
func something(v code.Value) code.Value {
	if len(v) == 0 {
		return code.Plain()
	}
	return v
}

// isWords reports whether a parameter takes all further arguments, as the words of a command.
func isWords(p *code.Param) bool {
	return p.Rest && p.Kinds[0].Kind == match.Command && p.Kinds[0].Own == code.NotOwn
}

// fits tells what is passed for each parameter of a signature.
func (in *reader) fits(sig *code.Signature, args arguments) (passed []code.Value, ok bool) {
	passed = in.values(len(sig.Params))
	var words []code.Value
	next := 0
	for next < len(sig.Params) && sig.Params[next].Name == "self" {
		next++
	}
	for _, v := range args.positional {
		for next < len(sig.Params) && sig.Params[next].Name != "" && slices.ContainsFunc(args.named, func(n named) bool { return n.name == sig.Params[next].Name }) {
			next++
		}
		if next == len(sig.Params) {
			return nil, false
		}
		if isWords(&sig.Params[next]) {
			words = append(words, something(v))
			continue
		}
		passed[next] = code.Join(passed[next], something(v))
		if !sig.Params[next].Rest {
			next++
		}
	}
	if words != nil {
		passed[next] = code.Value{{Type: "list", Box: &code.Box{Items: words, Exact: !args.open}}} // nobody keeps it
	}
	if args.open {
		for i := next; i < len(sig.Params); i++ {
			passed[i] = code.Join(passed[i], args.more)
		}
	}
	for _, n := range args.named {
		i := slices.IndexFunc(sig.Params, func(p code.Param) bool { return p.Name == n.name })
		if i < 0 {
			i = slices.IndexFunc(sig.Params, func(p code.Param) bool {
				return p.Rest && p.Name == "" && p.Kinds[0].Kind == match.Data && p.Kinds[0].Own == code.NotOwn
			})
		}
		if i < 0 {
			return nil, false
		}
		passed[i] = code.Join(passed[i], something(n.value))
	}
	if len(args.others) > 0 {
		if args.call != nil && !slices.ContainsFunc(sig.Params, func(p code.Param) bool { return p.Rest }) {
			return nil, false // a name that it does not have may be among them
		}
		for i, p := range sig.Params {
			if p.Name != "" && p.Name != "self" {
				passed[i] = code.Join(passed[i], args.others)
			}
		}
	}
	return passed, sig.Takes(passed, args.open)
}

// means notes what the arguments of a call do.
func (in *reader) means(sig *code.Signature, passed, sure []code.Value, self *code.Shape, args arguments, name string) {
	var dir *policy.Word
	for i := range sig.Params {
		if p := &sig.Params[i]; p.Kinds[0].Kind == match.Dir && p.Kinds[0].Own == code.NotOwn && sure[i] != nil && !code.IsNone(sure[i]) {
			w := sure[i].Words(name)[0]
			if len(sure[i]) > 1 {
				w = policy.Unknown(name)
			}
			dir = &w
		}
	}
	moved := in.movesTo(sig)
	for i := range sig.Params {
		p := &sig.Params[i]
		v := passed[i]
		if p.Name == "self" {
			if self == nil {
				continue
			}
			v = code.Value{*self}
		}
		if moved >= 0 && (i == moved || i == moved-1) {
			if i == moved {
				from := sure[i-1]
				if sig.Params[i-1].Name == "self" {
					if from = code.Of("str"); self != nil && in.sight.sureSelf(args.call) {
						from = code.Value{*self}
					}
				}
				in.move(from, sure[i], name)
			}
			continue
		}
		for _, k := range p.Kinds {
			if !mild(k) && k.Own == code.NotOwn {
				if k.Kind == match.Command {
					in.unnames(in.opened(v), name, about{sig, i, &args}, true)
				}
				switch {
				case p.Name != "self":
					in.argument(k, sure[i], name, dir, args)
					continue
				case !in.sight.sureSelf(args.call):
					in.argument(k, code.Of("str"), name, dir, args)
					continue
				}
			}
			if isRead(k) && in.doubt == 0 && len(v) > 0 && (p.Name == "self" && !in.sight.sureSelf(args.call) || p.Name != "self" && !code.Same(v, sure[i])) {
				in.doubt = max(in.line, 1)
			}
			if isRead(k) {
				in.unnames(in.opened(v), name, about{sig, i, &args}, false)
			}
			in.argument(k, v, name, dir, args)
		}
	}
}

// opened is what of a value is the name of a file, and no file that was opened before.
func (in *reader) opened(v code.Value) (out code.Value) {
	for i := range v {
		switch s := &v[i]; {
		case s.Kind == code.Object && (s.Type == "none" || s.Type == "int" || s.Type == "bool" || s.Word == nil && in.isFile(s.Type)):
		case s.Box != nil:
			out = append(out, s.Box.Any...)
		default:
			out = append(out, *s)
		}
	}
	return out
}

// argument notes what one argument does.
func (in *reader) argument(k code.Kind, v code.Value, name string, dir *policy.Word, args arguments) {
	if len(v) == 0 {
		return
	}
	switch {
	case k.Own == code.Calls:
		in.callBack(v, k.Args)
		return
	case k.Own == code.Variable:
		for _, w := range v.Words(name) {
			in.emit(code.Effect{Use: match.Use{Kind: match.Command, Words: []policy.Word{policy.Const("printenv"), w}}, Line: in.line})
		}
		return
	}
	if k.Own == code.Changes {
		in.change(v, args)
		return
	}
	if k.Own == code.Shown {
		in.show(v)
		return
	}
	if k.Kind == match.Command {
		in.command(v, name, dir) // its words are not kept
		return
	}
	in.escape(v)
	switch k.Kind {
	case match.Data:
	default:
		for _, s := range v {
			in.argumentShape(k, s, name, dir)
		}
	}
}

// show notes that a value is made a text. The special methods of the text's own classes
// are followed where these are defined; what an environment holds is told.
func (in *reader) show(v code.Value) {
	for i := range v {
		switch s := &v[i]; {
		case s.Kind == code.Object && s.Box != nil && s.Type == "iterator":
			in.escape(code.Value{*s})
		case s.Kind == code.Object && s.Box != nil:
			if key := (site{s.Box, len(s.Box.Any), "shown"}); in.sites[key] == nil {
				in.sites[key] = true
				in.show(s.Box.Any)
			}
		case s.Kind == code.Object && s.Type == "os._Environ":
			in.environment()
		}
	}
}

func (in *reader) argumentShape(k code.Kind, s code.Shape, name string, dir *policy.Word) {
	v := code.Value{s}
	switch {
	case s.Kind == code.Object && s.Type == "none":
		return // nothing
	case s.Kind == code.Object && (s.Type == "int" || s.Type == "bool") && takesDescriptor(k.Kind):
		return // what was opened before
	case s.Box != nil:
		v = s.Box.Any
	case s.Kind == code.Object && s.Word == nil && (k.Kind == match.Read || k.Kind == match.Write) && in.isFile(s.Type):
		return // what was opened before
	}
	if k.Kind == match.Read && !looksForFiles(name) {
		in.blind = in.blind || slices.ContainsFunc(v.Words(name), func(w policy.Word) bool { return hasUnknown(&w) })
	}
	in.use(k.Kind, k.Lang, v, name+"(...)", dir)
}

// isFile reports whether objects of a type are read or written themselves.
func (in *reader) isFile(name string) bool {
	if in.names(name) {
		return false
	}
	return slices.ContainsFunc([]string{"read", "write"}, func(member string) bool { return in.typeEntry(name, member).Kind != code.Nothing })
}

// names reports whether objects of a type are names of files and the like.
func (in *reader) names(name string) bool {
	switch name {
	case "str", "bytes", "plain", "os.DirEntry", "sys.Executable":
		return true
	}
	return strings.HasPrefix(name, "pathlib.")
}

// result is what a call gives.
func (in *reader) result(t code.Type, args arguments, self *code.Shape, name string) (out code.Value) {
	first := func() code.Value {
		if len(args.positional) > 0 {
			return args.positional[0]
		}
		if len(args.named) > 0 {
			return args.named[0].value
		}
		return args.more
	}
	for _, one := range t {
		switch one.Name {
		case "self":
			if self != nil {
				s := *self
				s.Word = nil
				out = code.Join(out, code.Value{s})
			}
		case "arg":
			out = code.Join(out, first())
			if args.open {
				out = code.Join(out, args.more)
			}
		case "args": // any of them
			for v := range args.all() {
				out = code.Join(out, v)
			}
			if args.open { // which may be one alone
				out = code.Join(out, in.items(args.more))
			}
		case "argsitem":
			for v := range args.all() {
				out = code.Join(out, in.items(v))
			}
		case "second":
			if len(args.positional) > 1 {
				out = code.Join(out, in.items(args.positional[1]))
			}
			if args.open {
				out = code.Join(out, code.Join(args.more, in.items(args.more)))
			}
		case "rest": // what it gives where it finds nothing
			for _, v := range args.positional[min(1, len(args.positional)):] {
				out = beside(out, v)
			}
			for _, n := range args.named {
				out = beside(out, n.value)
			}
			if args.open {
				out = code.Join(out, code.Join(args.more, args.others))
			}
		case "item":
			v := first()
			if self != nil {
				v = code.Value{*self}
			}
			out = code.Join(out, in.items(v))
		case "value":
			if self != nil && self.Box != nil {
				out = code.Join(out, self.Box.Any)
			} else {
				out = code.Join(out, code.Plain())
			}
		case "called":
			var item []code.Value
			for _, a := range args.positional[min(1, len(args.positional)):] {
				item = append(item, in.items(a))
			}
			in.maybe++ // of nothing it calls nothing
			out = code.Join(out, in.callValue(first(), arguments{positional: item, at: args.at}))
			in.maybe--
		case "project":
			out = code.Join(out, code.Value{{Kind: code.Project, Type: name}})
		case "none":
			out = code.Join(out, code.Of("none"))
		default:
			out = code.Join(out, in.valueOf1(one, args, self, name))
		}
	}
	return out
}

// valueOf1 makes a value of a type with what it holds.
func (in *reader) valueOf1(one code.OneType, args arguments, self *code.Shape, name string) code.Value {
	at := args.at
	if at == nil {
		at = name
	}
	if one.Items != nil {
		var items []code.Value
		for i, t := range one.Items {
			args.at = site{at, i, "item"}
			items = append(items, in.result(t, args, self, name))
		}
		return in.container(one.Name, site{at, 0, "result"}, nil, items, true)
	}
	if one.Of == nil {
		return code.Of(one.Name)
	}
	if one.Of[0].Name == ofNumbers {
		if args.numbers() && (self == nil || self.Kind == code.Object) {
			return code.Of(one.Name)
		}
		return code.Plain()
	}
	args.at = site{at, 0, "of"}
	return in.list(one.Name, at, in.result(one.Of, args, self, name))
}

// valueOf is a value of a type that depends on no arguments.
func (in *reader) valueOf(t code.Type, self *code.Shape, name string) code.Value {
	return in.result(t, arguments{at: name}, self, name)
}

// ofType is a member of a type.
type ofType struct{ name, member string }

// typeEntry is what facts say of a member of a type, or of the types above it.
func (in *reader) typeEntry(name, member string) *code.Entry {
	key := ofType{name, member}
	e, known := in.members[key]
	if !known {
		e = in.findMember(name, member)
		in.members[key] = e
	}
	return e
}

func (in *reader) findMember(name, member string) *code.Entry {
	for range 20 {
		if e := in.findIn(name, member); e.Kind != code.Nothing {
			return e
		}
		if e := in.find(name + ".*"); e.Kind != code.Nothing && !strings.HasPrefix(member, "__") {
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

package javascript

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/javascript"
)

// call is what a call gives.
func (s *sight) call(e *javascript.Call) sort {
	if e.Optional {
		s.refuse("a call of what may be there")
	}
	if isRequire(e) && s.names["require"] == nil {
		return s.required(e)
	}
	if s.resolves(e) {
		s.use(e.Args[0])
		return sort{}
	}
	switch f := e.F.(type) {
	case *javascript.Super:
		if s.super(e.Args) {
			return sort{}
		}
	case *javascript.Function:
		s.body(f)
		return s.passed(e.Args)
	case *javascript.Name:
		if own := s.function(f.Name); own != nil {
			s.passes(e, own)
			return s.passed(e.Args)
		}
		if n := s.names[f.Name]; n != nil && isOthers(n.thing) && s.inScope(f.Name) {
			return s.toOthers(n.thing, e.Args)
		}
	}
	if full, ok := s.dotted(e.F); ok {
		return s.known(e, s.in.callee(full), e.Args)
	}
	m, ok := e.F.(*javascript.Member)
	if ok && isString(m.Index) && s.itself(m.X) == nil {
		if o := s.owns[s.expr(m.X).thing]; o != nil {
			return s.ownCall(o, m, e.Args)
		}
	}
	if ok {
		if o := s.itself(m.X); o != nil {
			return s.ownCall(o, m, e.Args)
		}
	}
	if !ok || m.Index != nil {
		s.refuse("a call of what facts do not know")
		s.arguments(e.Args)
		return sort{}
	}
	if load, ok := m.X.(*javascript.ImportCall); ok && m.Name == "then" {
		return s.importThen(load, e.Args)
	}
	base := s.expr(m.X)
	if m.Name == "pipe" && isStream(base) && s.streams(e.Args) {
		return sort{thing: "Stream"}
	}
	if o := s.owns[base.thing]; o != nil {
		return s.ownCall(o, m, e.Args)
	}
	switch base.thing {
	case "":
		return s.method(m, base, e.Args)
	case project, pack:
		if isForbidden(m.Name) { // lib.f.constructor makes a function of a text
			s.refuse("a member that all functions share")
		}
		if base.thing == project && (m.Name == "then" || m.Name == "catch") && s.goesOn(e.Args) {
			return base
		}
		return s.toOthers(base.thing, e.Args)
	}
	if base.thing == "Response" && m.Name == "then" && len(e.Args) == 1 {
		f, ok := e.Args[0].(*javascript.Function)
		if !ok || len(f.Params) != 1 {
			s.refuse("what is done with a response")
			return sort{}
		}
		s.body(f, given{thing: base.thing})
		return sort{loose: s.flows}
	}
	if base.thing == "Running" && (m.Name == "then" || m.Name == "catch" || m.Name == "finally") {
		return s.method(m, sort{}, e.Args)
	}
	entry := s.in.typeEntry(base.thing, m.Name)
	what := s.known(e, entry, e.Args)
	if what.thing == "self" {
		return base
	}
	return what
}

func isString(e javascript.Expr) bool {
	_, ok := e.(*javascript.String)
	return ok
}

// promise looks at new Promise((resolve, reject) => ...), and reports whether it is one.
// What is settled is data, as all that is passed to a function of the text.
func (s *sight) promise(e *javascript.New) bool {
	n, ok := e.F.(*javascript.Name)
	if !ok || n.Name != "Promise" || s.names["Promise"] != nil || len(e.Args) != 1 {
		return false
	}
	f, ok := e.Args[0].(*javascript.Function)
	if !ok {
		return false
	}
	s.void = true // what it returns is nobody's
	s.body(f, settles, settles)
	return true
}

// importThen looks at import('fs').then(fs => ...).
func (s *sight) importThen(load *javascript.ImportCall, args []javascript.Expr) sort {
	full, ok := s.dotted(load)
	if what, is := s.importedLater(load); is && !ok && s.goesOn(args) {
		return what
	}
	if !ok || len(args) == 0 || len(args) > 1 {
		s.refuse("import() of what is not Node's")
		s.arguments(args)
		return sort{}
	}
	f, ok := args[0].(*javascript.Function)
	if !ok {
		s.refuse("what is done with a module")
		return sort{}
	}
	s.body(f, &module{full: full})
	return sort{loose: s.flows}
}

// passed looks at what is passed to a function of the text.
func (s *sight) passed(args []javascript.Expr) sort {
	for _, a := range args {
		if spread, ok := a.(*javascript.Spread); ok {
			a = spread.X
		}
		if s.data(a).loose {
			s.set(&s.flows)
		}
	}
	return sort{loose: s.flows}
}

// method is what data gives where it is called.
func (s *sight) method(m *javascript.Member, base sort, args []javascript.Expr) sort {
	switch m.Name {
	case "concat":
		s.noteValue(append([]javascript.Expr{m.X}, args...)...)
	case "split", "match", "matchAll", "exec":
		// What is cut at blanks, or as an expression says, may be words.
		if by, ok := firstOf(args).(*javascript.String); !ok || strings.Contains(by.Value, " ") {
			s.set(&s.cuts)
		}
	}
	changes := isChange(m.Name)
	if changes {
		s.change(m.X)
	}
	entries := s.methodEntries(m.Name)
	promise := m.Name == "then" || m.Name == "catch" || m.Name == "finally"
	if promise && (m.Name == "catch" || len(args) > 1) {
		s.set(&s.catches)
	}
	if entries == nil && !promise || isForbidden(m.Name) {
		s.refuse("the method " + m.Name)
		s.arguments(args)
		return sort{}
	}
	scalar := entries != nil
	for _, e := range entries {
		for _, sig := range e.Calls {
			scalar = scalar && isScalar(sig.Result)
		}
	}
	if base.loose && changes {
		s.set(&s.mutable)
	}
	loose := make([]bool, len(args))
	for i, a := range args {
		at := takes(entries, i) || promise && i < 2
		f, function := a.(*javascript.Function)
		if function && at {
			s.body(f, s.first(m, f))
		}
		if at && (function || s.harmless(a)) {
			if base.loose { // which is passed, too
				s.set(&s.flows)
			}
			continue
		}
		if loose[i] = s.item(a).loose; loose[i] {
			s.set(&s.flows)
			s.set(&s.holds)
			if at && m.Name != "replace" && m.Name != "replaceAll" {
				s.refuse("a function that is not known, handed to " + m.Name)
			}
		}
	}
	if base.loose && s.holds && another(args, loose) {
		s.refuse("what may be another function than " + m.Name)
	}
	if scalar && !s.holds {
		return sort{}
	}
	return sort{loose: s.flows || s.holds || base.loose && (m.Name == "valueOf" || m.Name == "concat")}
}

// another reports whether arguments may be a function and an object on which another
// function calls it: what data holds under a method's name may be forEach.
func another(args []javascript.Expr, loose []bool) bool {
	for i, a := range args {
		switch a.(type) {
		case *javascript.Spread:
			return true
		case *javascript.String, *javascript.Number, *javascript.Template, *javascript.Bool, *javascript.Null, *javascript.Regexp, *javascript.Function:
			continue
		}
		if i > 0 && loose[0] && !loose[i] {
			return true
		}
	}
	return false
}

// first is what the first parameter of a function is that goes through a list as the
// text writes it. A function that gets the list, too, may change it.
func (s *sight) first(m *javascript.Member, f *javascript.Function) javascript.Expr {
	if m.Name != "forEach" && m.Name != "map" || len(f.Params) > 2 || slices.ContainsFunc(f.Params, func(p javascript.Param) bool { return p.Rest }) {
		return nil
	}
	if f.Arrow { // others have arguments
		s.goes(m.X)
	}
	if list, ok := s.list(m.X); ok {
		return &oneOf{list: list, shared: s.isShared(m.X)}
	}
	return nil
}

// arguments looks at what is passed to what is not known, for the names in it.
func (s *sight) arguments(args []javascript.Expr) {
	for _, a := range args {
		if f, ok := a.(*javascript.Function); ok {
			s.body(f)
		} else {
			s.item(a)
		}
	}
}

// isNull reports whether an expression is null or undefined, as it stands there.
func (s *sight) isNull(e javascript.Expr) bool {
	if n, ok := e.(*javascript.Name); ok {
		return n.Name == "undefined" && !s.inScope(n.Name)
	}
	_, is := e.(*javascript.Null)
	return is
}

// takes reports whether one of several functions calls what is passed at a place, and
// does nothing else with it.
func takes(entries []*code.Entry, i int) bool {
	return slices.ContainsFunc(entries, func(e *code.Entry) bool {
		return slices.ContainsFunc(e.Calls, func(sig code.Signature) bool {
			p := positional(&sig, i)
			return p != nil && p.Kinds[0].Own == code.Calls
		})
	})
}

// item looks at an argument, which may be spread.
func (s *sight) item(a javascript.Expr) sort {
	if spread, ok := a.(*javascript.Spread); ok {
		a = spread.X
	}
	return s.data(a)
}

// harmless reports whether a function that is handed on may be called with anything.
func (s *sight) harmless(e javascript.Expr) bool {
	if n, ok := e.(*javascript.Name); ok && s.function(n.Name) != nil {
		return true
	}
	full, ok := s.dotted(e)
	if !ok {
		return false
	}
	entry := s.in.find(full)
	return len(entry.Calls) > 0 && !slices.ContainsFunc(entry.Calls, func(sig code.Signature) bool {
		return !isScalar(sig.Result) && full != "JSON.parse" && full != "Object.keys" ||
			slices.ContainsFunc(sig.Params, acts)
	})
}

// isBag reports whether an argument is an object of options where, without it, a
// function would stand: exec("ls", {cwd: "a"}, f).
func isBag(entry *code.Entry, at int, a javascript.Expr) bool {
	if _, is := a.(*javascript.Object); !is {
		return false
	}
	named := false
	for i := range entry.Calls {
		sig := &entry.Calls[i]
		if p := positional(sig, at); p != nil && p.Kinds[0].Own != code.Calls {
			return false
		}
		named = named || slices.ContainsFunc(sig.Params, func(p code.Param) bool { return p.Name != "" })
	}
	return named
}

// acts reports whether what is passed for a parameter is more than data.
func acts(p code.Param) bool {
	return slices.ContainsFunc(p.Kinds, func(k code.Kind) bool {
		return k.Own != code.NotOwn && k.Own != code.Calls || k.Own == code.NotOwn && k.Kind != dataKind
	})
}

// known is what something gives that facts know.
func (s *sight) known(at any, entry *code.Entry, args []javascript.Expr) (what sort) {
	if len(entry.Calls) == 0 {
		s.refuse("a call of " + entry.Name)
		s.arguments(args)
		return what
	}
	if strings.HasSuffix(entry.Name, ".pipeline") && len(args) > 1 {
		last := args[len(args)-1]
		if f, ok := last.(*javascript.Function); ok && entry.Name == "node:stream.pipeline" {
			s.body(f)
			args = args[:len(args)-1]
		}
		if s.streams(args) {
			return what
		}
	}
	switch entry.Name[strings.LastIndexByte(entry.Name, '.')+1:] {
	case "on", "once", "addListener", "prependListener", "allSettled", "throws", "rejects":
		s.set(&s.catches)
	}
	if s.odd(entry.Name, args) {
		s.refuse("such a call of " + entry.Name)
	}
	scalar, effect := true, false
	for i, sig := range entry.Calls {
		for _, p := range sig.Params {
			effect = effect || acts(p)
		}
		scalar = scalar && isScalar(sig.Result)
		if got := s.resultOf(sig.Result); i == 0 || got == what {
			what = got
		} else {
			s.refuse("what " + entry.Name + " gives")
		}
	}
	loose, calls := false, false
	options := 0 // objects of options, which stand between what has a place
	for k, a := range args {
		i, before := k-options, args[:k]
		at := takes([]*code.Entry{entry}, i)
		if f, ok := a.(*javascript.Function); ok && at {
			s.body(f, s.told(entry, i, before)...)
			calls, loose = true, loose || s.flows
			continue
		}
		if n, ok := a.(*javascript.Name); ok && at && s.function(n.Name) != nil {
			for _, x := range s.told(entry, i, before) {
				if _, ok := x.(given); ok {
					s.refuse("a function of the text that gets what is no data")
				}
			}
			calls, loose = true, loose || s.flows
			continue
		}
		if at && s.prints(a) && !slices.ContainsFunc(s.told(entry, i, before), func(x javascript.Expr) bool { return x != nil }) {
			continue
		}
		if isBag(entry, i, a) {
			options++
		} else if at && !s.isNull(a) && !slices.ContainsFunc(entry.Calls, func(sig code.Signature) bool {
			p := positional(&sig, i)
			return p != nil && p.Kinds[0].Own != code.Calls
		}) {
			s.refuse("what stands for a function, and is none") // Deno's timers run its text
		}
		if o, ok := a.(*javascript.Object); ok && strings.HasSuffix(entry.Name, ".createInterface") {
			a = s.withoutStreams(o)
		}
		loose = s.argument(entry.Name, args, a) || loose
	}
	if effect {
		s.effect(at, entry, args)
	}
	if entry.Name == "Object.fromEntries" && s.holds {
		loose = true
	}
	if loose && (calls || !inert(entry.Name)) {
		s.set(&s.flows)
		s.set(&s.holds)
		what.loose = what.thing == "" && !scalar
	}
	return what
}

// isStream reports whether something is a stream from which others may be fed.
func isStream(what sort) bool { return what.thing == "Stream" || what.thing == "Message" }

// streams looks at streams that feed each other: where they lead was said where they
// were made. It reports whether all are streams.
func (s *sight) streams(args []javascript.Expr) bool {
	all := len(args) > 0
	for _, a := range args {
		all = isStream(s.expr(a)) && all
	}
	return all
}

// prints reports whether an expression is a function of console's that prints what it is
// called with.
func (s *sight) prints(e javascript.Expr) bool {
	full, ok := s.dotted(e)
	return ok && isPrinter(full)
}

// told is what something that facts know calls a function with that it is passed at a
// place, as far as that is no data.
func (s *sight) told(entry *code.Entry, at int, before []javascript.Expr) (first []javascript.Expr) {
	for _, sig := range entry.Calls {
		p := positional(&sig, at)
		if p == nil || p.Kinds[0].Own != code.Calls {
			continue
		}
		for i, t := range p.Kinds[0].Args {
			if i == len(first) {
				first = append(first, nil)
			}
			what := s.sortOf(t)
			if what.thing == "" {
				continue
			}
			if first[i] != nil && first[i] != (given{thing: what.thing}) || slices.ContainsFunc(before, isSpread) {
				s.noThing(what)
			}
			first[i] = given{thing: what.thing}
		}
	}
	return first
}

func isSpread(e javascript.Expr) bool {
	_, ok := e.(*javascript.Spread)
	return ok
}

// withoutStreams is an object of options but for those that are streams by rights.
func (s *sight) withoutStreams(o *javascript.Object) *javascript.Object {
	rest := &javascript.Object{}
	for _, p := range o.Props {
		if p.Kind != "" || p.Computed != nil || p.Key != "input" && p.Key != "output" || s.expr(p.Value).thing != "Stream" {
			rest.Props = append(rest.Props, p)
		}
	}
	return rest
}

// inert reports whether a function keeps nothing of what it is passed, and gives
// nothing of it but texts, numbers and truths.
func inert(name string) bool {
	switch name {
	case "console.log", "console.error", "console.warn", "console.info", "JSON.stringify", "String", "Number", "Boolean", "parseInt", "parseFloat", "isNaN", "Array.isArray", "Object.keys":
		return true
	}
	return false
}

// argument looks at one of the arguments that are passed to something that facts know,
// and reports whether it is loose.
func (s *sight) argument(callee string, args []javascript.Expr, a javascript.Expr) bool {
	_, spread := a.(*javascript.Spread)
	if spread {
		a = a.(*javascript.Spread).X
	}
	what := s.expr(a)
	switch {
	case isOthers(what.thing) && !spread && s.looksAt(callee, args):
	case s.owns[what.thing] != nil && !spread && shows(callee, args):
	case what.thing == "Timer" && !spread && strings.HasPrefix(callee[strings.LastIndexByte(callee, '.')+1:], "clear"):
	default:
		s.noThing(what)
	}
	return what.loose
}

// shows reports whether a function does no more with an object of the text's than to
// make a text of it, for which it may call toString and toJSON.
func shows(callee string, args []javascript.Expr) bool {
	if callee == "JSON.stringify" {
		_, null := args[min(1, len(args)-1)].(*javascript.Null)
		return len(args) == 1 || null
	}
	return isPrinter(callee)
}

// isPrinter reports whether a function prints what it is called with.
func isPrinter(name string) bool {
	switch name {
	case "console.log", "console.error", "console.warn", "console.info", "console.debug":
		return true
	}
	return false
}

// resultOf is what a call gives; self is the object.
func (s *sight) resultOf(t code.Type) sort {
	if len(t) == 1 && t[0].Name == "self" {
		return sort{thing: "self"}
	}
	return s.sortOf(t)
}

// odd reports whether a call of something that is harmless else may be more than it
// looks like.
func (s *sight) odd(callee string, args []javascript.Expr) bool {
	switch callee {
	case "Symbol", "Symbol.for", "node:util.promisify", "process.setUncaughtExceptionCaptureCallback", "node:process.setUncaughtExceptionCaptureCallback":
		return true
	case "Object.assign", "Object.freeze", "Object.seal", "Object.preventExtensions", "Object":
		// Of an object of the text's own: what all share may be changed.
		if len(args) == 0 {
			return true
		}
		_, spread := args[0].(*javascript.Spread)
		s.change(args[0])
		// What it is assigned may be what it is below, too.
		return spread || s.expr(args[0]).loose || callee == "Object.assign" && s.holds
	case "Stream.pipe", "EventEmitter.listeners":
		return true
	case "Bun.file", "Bun.write":
		return len(args) == 0 || s.mayBeAddress(args[0])
	}
	if method := callee[strings.LastIndexByte(callee, '.')+1:]; method == "on" || method == "once" || method == "addListener" || method == "prependListener" {
		// What others are called with may be functions, sockets and streams.
		if len(args) == 0 {
			return true
		}
		event, ok := args[0].(*javascript.String)
		return !ok || !slices.Contains(events, event.Value)
	}
	return false
}

// mayBeAddress reports whether a name of a file may be an address instead: s3://bucket/x.
func (s *sight) mayBeAddress(e javascript.Expr) bool {
	return slices.ContainsFunc(s.value(e, 0), func(one code.Shape) bool {
		if one.Word == nil {
			return one.Type != "Cwd"
		}
		text, known := one.Word.Const()
		if !known {
			text, _, known = strings.Cut(one.Word.Prefix(), "/")
		}
		return !known || strings.Contains(text, ":")
	})
}

// events are those whose functions are called with data.
var events = []string{"data", "end", "close", "error", "finish", "readable", "line", "exit", "spawn", "beforeExit", "uncaughtException", "unhandledRejection", "SIGINT", "SIGTERM"}

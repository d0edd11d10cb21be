package python

import (
	"maps"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
	"github.com/bashgate/bashgate/policy"
)

// A text may compute the name of a file from its own constants, in more ways than the reader
// follows: ''.join(reversed('vne.')). This file asks the tree where a value comes from. What
// functions make of nothing but the text's constants and the words of the line is the text's
// own; what comes from a file, a program, the time or the environment is not, nor is what is
// put together with such. A constant itself, and what is only cut out of one, is among the
// names that the text may mean (guessed).

// source tells where a value comes from. It may be one of several: each of outside, given and
// made then stands for some of what it may be.
type source uint8

const (
	outside source = 1 << iota // from where no text shows it
	given                      // a constant of the text, a word of the line, or a part of these
	joined                     // several such one behind the other
	made                       // what functions make of such
	mixed                      // it holds things of the text's own and others together
)

// own are the sources that are the text's own.
const own = given | joined | made

// together is what comes of several values that are taken as the text's own by a source: what
// does not know the names that it has is no less than that.
func together(by source, parts ...source) (out source) {
	all := len(parts) > 0
	for _, p := range parts {
		out |= p & outside
		by = max(by, p&(joined|made))
		all = all && p&mixed == 0 && p&own != 0
	}
	switch {
	case !all:
	case by&made != 0:
		out |= made
	case by&joined != 0:
		out |= joined
	default:
		out |= given
	}
	return out
}

// origins tells where values come from.
type origins struct {
	s       *sight
	known   map[string]source // of names, as flows has them
	open    []string          // these names, in the order in which they were met
	signs   []string          // of which the text goes through, one by one
	joins   []python.Expr     // what puts texts together, as the reader knows
	joining map[python.Expr]bool
	putting map[*python.Call]bool // calls that put texts together themselves
	telling bool                  // it is asked what code of the project is told
	builtin bool                  // it is asked what the language's own library makes alone
	number  map[string]bool       // whether a name is a number
	list    map[string]bool       // whether it is a list

	handed   map[*python.Lambda]*python.Call // calls that lambdas are handed to
	standing map[*python.Lambda]*python.Call // calls of lambdas where these stand
	tells    map[string][]*python.Call       // calls that are handed a function, by its name
	calls    map[string][]*python.Call       // calls of what is called so, function or method
	loose    []*python.Call                  // calls of what has no name
	makes    []*python.Call                  // calls of the text's classes
	aliases  map[string][]string             // other names that functions and methods have
	special  []string                        // special methods of the text's classes
}

// origins are those of the text, of which nothing was asked so far.
func (s *sight) origins() *origins {
	if s.own == nil {
		s.own = newOrigins(s)
	}
	o := s.own
	o.known, o.joining, o.putting = map[string]source{}, map[python.Expr]bool{}, map[*python.Call]bool{}
	o.open, o.signs, o.joins, o.telling, o.builtin = nil, nil, nil, false, false
	return o
}

// hides reports whether the text computes something of nothing but its own constants, by
// what the reader does not follow. A name of which nothing is known may be that, for there
// are more ways for a value to go than this file knows: through objects, functions in lists,
// what is raised and what is written into a buffer.
func (s *sight) hides() bool {
	o := s.origins()
	o.builtin = true
	var list []python.Expr
	for _, c := range s.calls {
		if t := s.in.composed[c]; t != nil && (t.lost || slices.ContainsFunc(t.words, func(w policy.Word) bool { return !w.IsConst() })) {
			list = append(list, c) // it gives a text that is not known
		}
	}
	o.solve(list)
	return slices.ContainsFunc(list, func(e python.Expr) bool {
		c := e.(*python.Call)
		if a, is := c.Func.(*python.Attribute); is && a.Attr == "join" && o.any(c.Args...)&made == 0 {
			if between, is := a.Value.(*python.Constant); is && strings.Contains(between.Text, "/") {
				return false // of which each part is known
			}
		}
		v := o.look(e)
		return v&made != 0 && v&(outside|mixed) == 0
	})
}

func newOrigins(s *sight) *origins {
	o := &origins{
		s: s, number: map[string]bool{}, list: map[string]bool{}, handed: map[*python.Lambda]*python.Call{},
		standing: map[*python.Lambda]*python.Call{}, tells: map[string][]*python.Call{}, calls: map[string][]*python.Call{}, aliases: map[string][]string{},
	}
	for _, c := range s.calls {
		o.puts(c)
		switch f := c.Func.(type) {
		case *python.Name:
			o.calls[f.ID] = append(o.calls[f.ID], c)
			if s.classes[f.ID] {
				o.makes = append(o.makes, c)
			}
		case *python.Attribute:
			o.calls[f.Attr] = append(o.calls[f.Attr], c)
		case *python.Lambda:
			o.standing[f] = c
		default:
			o.loose = append(o.loose, c)
		}
		for _, a := range c.Args {
			o.tell(a, c)
		}
		for _, k := range c.Keywords {
			o.tell(k.Value, c)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.into)) {
		for _, e := range s.into[name] {
			if of := functionName(e); of != "" {
				o.aliases[of] = append(o.aliases[of], strings.TrimPrefix(name, "."))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.methods)) {
		if isSpecial(name) {
			o.special = append(o.special, name)
		}
	}
	return o
}

// tell notes what may be a function among what a call is given.
func (o *origins) tell(e python.Expr, c *python.Call) {
	if l, is := e.(*python.Lambda); is {
		o.handed[l] = c
	} else if name := functionName(e); name != "" {
		o.tells[name] = append(o.tells[name], c)
	}
}

// functionName is the name of what an expression may mean that is a function or a method.
func functionName(e python.Expr) string {
	switch e := e.(type) {
	case *python.Name:
		return e.ID
	case *python.Attribute:
		return e.Attr
	}
	return ""
}

// puts notes what a call puts into what it is called on: a method that gives nothing, or whose
// result nobody takes, does so with what it is given, and a function that changes a container.
func (o *origins) puts(c *python.Call) {
	if full, ok := o.s.dotted(c.Func); ok {
		e := o.s.in.find(full)
		for _, k := range c.Keywords {
			if full == "print" && k.Name == "file" {
				for _, a := range c.Args {
					o.s.put(k.Value, &python.UnaryOp{Op: python.Invert, Operand: a})
				}
			}
		}
		if !slices.ContainsFunc(e.Calls, func(sig code.Signature) bool { return slices.ContainsFunc(sig.Params, changes) }) {
			return
		}
		for i := range c.Args {
			for k := range c.Args {
				if i != k {
					o.s.put(c.Args[i], c.Args[k])
				}
			}
		}
		return
	}
	a, is := c.Func.(*python.Attribute)
	if !is || o.s.in.find("str."+a.Attr).Kind != code.Nothing || !o.s.dropped[c.Index] && !o.fills(a.Attr) {
		return // a text is never changed
	}
	if of := o.s.typed(a.Value, 0); of != "" && shows(o.s.in.typeEntry(of, a.Attr)) {
		return
	}
	put := func(e python.Expr) {
		if !holds(a.Attr) {
			if o.s.given(a.Value, 0) {
				return // what the project's code makes of it comes from there
			}
			e = &python.UnaryOp{Op: python.Invert, Operand: e}
		}
		o.s.put(a.Value, e)
	}
	for _, e := range c.Args {
		put(e)
	}
	for _, k := range c.Keywords {
		put(k.Value)
	}
}

// shows reports whether a method shows what it is given, and gives nothing.
func shows(e *code.Entry) bool {
	return len(e.Calls) > 0 && !slices.ContainsFunc(e.Calls, func(sig code.Signature) bool {
		return len(sig.Result) != 1 || sig.Result[0].Name != "none" || !slices.ContainsFunc(sig.Params, func(p code.Param) bool { return p.Kinds[0].Own == code.Shown })
	})
}

// holds reports whether what a method of some name puts into something may be taken out of it
// as it was: others put texts together, or read them.
func holds(name string) bool {
	switch name {
	case "append", "appendleft", "extend", "extendleft", "insert", "add", "update", "setdefault", "put", "put_nowait", "add_argument", "set_defaults":
		return true
	}
	return false
}

func changes(p code.Param) bool {
	return slices.ContainsFunc(p.Kinds, func(k code.Kind) bool { return k.Own == code.Changes })
}

// fills reports whether a method of some name may be one that puts something into what it is
// called on: it gives nothing that is known, or what it has put there.
func (o *origins) fills(name string) (fills bool) {
	if keeps(name) { // it takes out
		return name == "setdefault"
	}
	o.s.in.text.Facts.Owners(language, name, func(owner string) bool {
		fills = slices.ContainsFunc(o.s.in.find(owner+"."+name).Calls, func(sig code.Signature) bool {
			return len(sig.Result) == 1 && (sig.Result[0].Name == "none" || sig.Result[0].Name == "plain")
		})
		return !fills
	})
	return fills
}

// solve settles for all names on which some expressions depend where they come from: first
// whether that is outside, and then what of the rest is the text's own.
func (o *origins) solve(list []python.Expr) {
	met := len(o.open)
	for _, e := range list {
		o.from(e)
	}
	for i := 0; i < len(o.open); i++ { // which get more
		o.named(o.open[i])
	}
	if len(o.open) == met {
		return
	}
	for o.settle() {
	}
	for name := range o.known {
		o.known[name] &= outside | mixed
	}
	for o.settle() {
	}
}

// settle looks once at all names, and reports whether anything was news. What names depend on
// was met behind them, most often.
func (o *origins) settle() (news bool) {
	met := len(o.open)
	for _, name := range slices.Backward(o.open) {
		if now := o.known[name] | o.named(name); now != o.known[name] {
			o.known[name], news = now, true
		}
	}
	return (news || len(o.open) > met) && o.s.in.step()
}

// name is what is known so far of what stands under a name.
func (o *origins) name(name string) source {
	v, known := o.known[name]
	if !known {
		o.known[name] = 0
		o.open = append(o.open, name)
	}
	return v
}

// named is where what flows into a name comes from.
func (o *origins) named(name string) (out source) {
	for _, e := range o.s.into[name] {
		if e == nil {
			out |= outside
		} else {
			out |= o.from(e)
		}
	}
	held := o.any(o.s.holds[name]...)
	if held&outside != 0 {
		out |= mixed
	}
	return out | held
}

// any is one of several.
func (o *origins) any(list ...python.Expr) (out source) {
	for _, e := range list {
		if e != nil {
			out |= o.from(e)
		}
	}
	return out
}

// held is what is put into one container.
func (o *origins) held(list ...python.Expr) source {
	var out source
	others := false // something of it is no text's own
	for _, e := range list {
		if e != nil {
			v := o.from(e)
			out, others = out|v, others || v&own == 0
		}
	}
	switch {
	case out == 0:
		return given // nothing
	case others && out&own != 0:
		out |= mixed
	}
	return out
}

// from is where an expression's value comes from, as far as it is known of names. What the
// reader has followed is known: it is what it puts together.
func (o *origins) from(e python.Expr) source {
	if !o.s.in.step() {
		return outside
	}
	v := o.look(e)
	if v&(joined|made) == 0 {
		return v
	}
	switch e.(type) {
	case *python.BinOp, *python.JoinedStr, *python.Call, *python.Subscript:
	default:
		return v
	}
	c := o.s.in.composed[e]
	call, is := e.(*python.Call)
	switch {
	case c == nil && is && o.s.in.followed[call.Index]: // it gives no text
		return v
	case is && o.telling && v&made == 0 && !o.putting[call]: // it gives what was put together before
		return v
	case (c == nil || c.lost) && counts(e):
		return v&^made | joined
	case c == nil || c.lost:
		return v&^joined | made
	case v&made != 0 && slices.ContainsFunc(c.words, func(w policy.Word) bool { return !w.IsConst() }):
		return v
	case !o.joining[e]:
		o.joining[e] = true
		o.joins = append(o.joins, e)
	}
	return v&^made | joined
}

func (o *origins) look(e python.Expr) source {
	switch e := e.(type) {
	case *python.Constant:
		if e.Unknown {
			return made
		}
		return given
	case *python.Name:
		return o.ofName(e.ID)
	case *python.Attribute:
		return o.attribute(e)
	case *python.Call:
		return o.call(e)
	case *python.Subscript:
		switch key := e.Slice.(type) {
		case *python.Constant:
			if key.Kind == python.Str {
				return o.from(e.Value) &^ mixed
			}
		case *python.Slice:
			v := o.from(e.Value)
			if v&own != 0 && !o.isList(e.Value, 0) {
				v = v&^own | made
			}
			return v
		}
		return o.item(e.Value)
	case *python.BinOp:
		return o.operator(e)
	case *python.JoinedStr:
		return o.text(e)
	case *python.FormattedValue:
		if e.FormatSpec != nil && len(e.FormatSpec.Values) > 0 {
			return together(made, o.from(e.Value))
		}
		return o.from(e.Value)
	case *python.BoolOp:
		return o.any(e.Values...)
	case *python.IfExp:
		return o.any(e.Body, e.Orelse)
	case *python.NamedExpr:
		return o.from(e.Value)
	case *python.UnaryOp:
		if e.Op == python.Invert {
			return together(made, o.from(e.Operand))
		}
		return o.from(e.Operand)
	case *python.Compare:
		return given
	case *python.List:
		return o.held(e.Elts...)
	case *python.Tuple:
		return o.held(e.Elts...)
	case *python.Set:
		return o.held(e.Elts...)
	case *python.Dict:
		return o.held(append(e.Keys[:len(e.Keys):len(e.Keys)], e.Values...)...)
	case *python.ListComp:
		return o.from(e.Elt)
	case *python.SetComp:
		return o.from(e.Elt)
	case *python.GeneratorExp:
		return o.from(e.Elt)
	case *python.DictComp:
		return o.held(e.Key, e.Value)
	case *python.Starred:
		return o.from(e.Value)
	case *python.Await:
		return o.from(e.Value)
	case *python.Lambda:
		return o.from(e.Body)
	case *taken:
		return o.taken(e)
	case *part:
		return o.part(e)
	case *gives:
		return o.name(e.function + "()")
	}
	return outside
}

// part is where what stands in a row at a place comes from.
func (o *origins) part(p *part) source {
	if o.isNumber(p, 0) {
		return given
	}
	c, is := p.Expr.(*python.Call)
	if !is {
		return o.item(p.Expr)
	}
	switch full, ok := o.s.dotted(c.Func); {
	case ok && full == "enumerate" && p.at == 0:
		return given
	case ok && full == "enumerate" && p.at > 0 && len(c.Args) > 0:
		return o.item(c.Args[0])
	case ok && full == "zip" && p.at >= 0 && p.at < len(c.Args) && !hasStar(c.Args):
		return o.item(c.Args[p.at])
	}
	return o.item(c)
}

// item is one of what a value holds. That of a text is a sign of it, of which names are made.
func (o *origins) item(e python.Expr) source {
	v := o.from(e) &^ mixed
	if c, is := e.(*python.Constant); is && c.Kind == python.Str { // the signs of a text
		for _, sign := range c.Text {
			if !slices.Contains(o.signs, string(sign)) {
				o.signs = append(o.signs, string(sign))
			}
		}
		return given
	}
	if v&own != 0 && !o.isList(e, 0) {
		v = v&^own | made
	}
	return v
}

// ofName is where what a name stands for comes from.
func (o *origins) ofName(name string) source {
	switch {
	case o.s.into[name] != nil:
		return o.name(name)
	case o.s.functions[name]: // what it gives
		return o.name(name + "()")
	case o.s.classes[name]:
		return given
	case o.s.bindings[name] != nil || name == "__file__":
		return outside
	}
	full := name
	if imported, is := o.s.imports[name]; is {
		full = imported
	}
	return o.member(full)
}

// member is where a constant of a module comes from, and what a function gives.
func (o *origins) member(full string) source {
	e := o.s.in.find(full)
	switch {
	case full == "sys.argv": // the words of the line
		return given
	case e.Kind == code.Constant:
		if _, path := pathText(full); path || !reachesOut(full) {
			return given
		}
		return outside
	case e.Kind == code.Nothing && o.s.ofProject(full):
		return outside
	case e.Kind == code.Function && (reachesOut(full) || o.s.in.reads(e)):
		return outside
	}
	return given
}

func (o *origins) attribute(e *python.Attribute) source {
	if full, ok := o.s.dotted(e); ok {
		return o.member(full)
	}
	switch name, is := e.Value.(*python.Name); {
	case e.Attr == "__name__" || e.Attr == "__qualname__": // of what the text names or comes from elsewhere
		return o.from(e.Value)&outside | given
	case o.s.into["."+e.Attr] != nil:
		return o.name("." + e.Attr)
	case o.s.methods[e.Attr]: // a property, or what it gives
		return o.name(e.Attr + "()")
	case is && o.s.classes[name.ID] && o.s.into[e.Attr] != nil: // C.a
		return o.name(e.Attr)
	}
	return o.from(e.Value) &^ mixed
}

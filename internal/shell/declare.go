package shell

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// declaration is one call of declare, export, local, readonly or typeset.
type declaration struct {
	add, drop attrs
	functions bool // -f, -F: the names are functions
	prints    bool // -p
	locals    bool // in a function and without -g
	nameref   bool
	doubtful  bool // it may be an error, or be about another variable of the name
	named     bool // it has told a name, behind which no option stands
	misplaced bool // what looks like one stood there
	name      string
	node      syntax.Node
	vars      []policy.Assign
}

// declClause interprets a declaration that the parser knows as one.
func (r *run) declClause(c *syntax.DeclClause, s *syntax.Stmt) outcome {
	name := c.Variant.Value
	in := invocation{node: s, pos: r.at(s.Pos()), words: []policy.Word{{Text: name, Pos: r.at(c.Variant.Pos())}}}
	for _, a := range c.Args {
		if a.Name == nil {
			r.zshBraces([]*syntax.Word{a.Value})
		}
	}
	return r.redirected(s.Redirs, func(red redirected) outcome {
		in.list, in.did = red.list, r.plain()
		if red.fed {
			r.input("", policy.Input{Kind: policy.InputHole}) // see assignedBeside
		}
		if r.funcs[name] == nil && name != "nameref" {
			r.declares(c, &in)
			return r.plain()
		}
		// The words are those of an ordinary command.
		for _, a := range c.Args {
			in.words = append(in.words, r.declWords(a)...)
		}
		if name == "nameref" {
			r.find(idNode, s, "nameref is no command of bash")
		}
		return r.invoke(&in)
	})
}

// declares does a declaration that the parser knows as one.
func (r *run) declares(c *syntax.DeclClause, in *invocation) {
	name := c.Variant.Value
	m := r.mark()
	d := r.newDeclaration(name, in.node)
	if hidesOption(c.Args) {
		r.find(idEvaluates, c, "an option in quotes, which bash does not know of when it calculates the subscripts of the array")
	}
	// All words are expanded before the first is assigned; only the elements
	// of arrays are expanded where they stand.
	expanded := make([][]policy.Word, len(c.Args))
	for i, a := range c.Args {
		switch {
		case a.Name == nil:
			expanded[i] = r.word(nil, a.Value)
		case a.Value != nil:
			v := r.assigned(a.Value)
			r.bracesInQuotes(a.Value)
			if r.bracesDeclared(a) {
				// export x={a,b} is export x=a x=b, for the words of a
				// command are expanded before it knows assignments.
				v = policy.Unknown(r.source(a.Value))
			}
			expanded[i] = []policy.Word{v}
		}
	}
	r.arraysFirst(c)
	for i, a := range c.Args {
		r.declArg(d, a, expanded[i], in)
	}
	r.emitDeclaration(d, in)
	r.keep(m, name != "local" || len(r.calls) > 0) // an error outside a function
}

// hidesOption reports whether an option in quotes stands beside an array, which bash
// reads before it knows of the option: declare "-A" m=(a).
func hidesOption(args []*syntax.Assign) bool {
	quoted := func(a *syntax.Assign) bool {
		if a.Name != nil || a.Value == nil || len(a.Value.Parts) == 0 {
			return false
		}
		l, plain := a.Value.Parts[0].(*syntax.Lit)
		return !plain || len(a.Value.Parts) > 1 || strings.Contains(l.Value, `\`)
	}
	return slices.ContainsFunc(args, quoted) && slices.ContainsFunc(args, func(a *syntax.Assign) bool { return a.Array != nil })
}

// bracesDeclared reports whether a value of a declaration may become several
// words.
func (r *run) bracesDeclared(a *syntax.Assign) bool {
	return a.Value != nil && mayBrace(a.Value) && r.may(earlyBraces)
}

// bracedWords are the words that a declared value with braces becomes.
func (r *run) bracedWords(assignee policy.Word, value *syntax.Word) []policy.Word {
	var words []policy.Word
	all, _ := r.braces(value)
	if r.may(lateBraces) || all == nil || unquotedHole(value) { // text to zsh, and split by bash
		words = append(words, policy.UnknownWords(r.source(value)))
		words[0].Parts = append([]policy.Part{{Kind: policy.Lit, Text: assignee.Text}}, words[0].Parts...)
	} else {
		for _, parts := range all {
			words = append(words, concat(assignee, r.assigned(&syntax.Word{Parts: parts})))
		}
	}
	for i := range words {
		words[i].Pos = r.at(value.Pos())
	}
	return words
}

// arraysFirst finds arrays that have to do with a value before them in the same
// declaration: bash assigns the arrays first, zsh all from left to right.
func (r *run) arraysFirst(c *syntax.DeclClause) {
	for i, a := range c.Args {
		if a.Array == nil || a.Name == nil {
			continue
		}
		text := r.source(a.Array)
		for _, b := range c.Args[:i] {
			if b.Name != nil && b.Value != nil && (b.Name.Value == a.Name.Value || mentions(text, b.Name.Value)) {
				r.find(idGuard, a, "an array after a value that it may depend on, which bash assigns first")
				return
			}
		}
	}
}

// mentions reports whether a text holds a name that is not part of another.
func mentions(text, name string) bool {
	for from := 0; ; from++ {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return false
		}
		from += at
		end := from + len(name)
		if (from == 0 || !isNameByte(text[from-1])) && (end == len(text) || !isNameByte(text[end])) {
			return true
		}
	}
}

func (r *run) newDeclaration(name string, n syntax.Node) *declaration {
	r.posixOnly(name == "declare" || name == "typeset", n, name+" is a program in sh")
	d := &declaration{node: n, name: name, locals: len(r.calls) > 0}
	switch name {
	case "export":
		d.add, d.locals = exported, false
	case "readonly":
		d.add, d.locals = readonly, false
		d.doubtful = len(r.calls) > 0 && r.may(typedValues) // local to zsh
	case "local":
		d.locals = true
	}
	return d
}

// declWords are the words that an argument of a declaration would be for
// another command.
func (r *run) declWords(a *syntax.Assign) []policy.Word {
	if a.Name == nil {
		return r.word(nil, a.Value)
	}
	if a.Naked && a.Index == nil {
		return []policy.Word{policy.Const(a.Name.Value)}
	}
	if a.Value != nil {
		r.assigned(a.Value)
	}
	return []policy.Word{{Parts: []policy.Part{{Kind: policy.Lit, Text: a.Name.Value}, {Kind: policy.Split, Text: r.source(a)}}}}
}

// declArg does one argument and adds the words that it is. expanded holds
// them, or the value that is assigned.
func (r *run) declArg(d *declaration, a *syntax.Assign, expanded []policy.Word, in *invocation) {
	pos := r.at(a.Pos())
	switch {
	case a.Name == nil:
		in.words = append(in.words, expanded...)
		for _, w := range expanded {
			r.declWord(d, w)
		}
		return
	case a.Naked && a.Index == nil:
		name := r.unmap(a.Name.Value)
		in.words = append(in.words, policy.Word{Text: name, Pos: pos})
		r.declName(d, name)
	case a.Naked:
		r.subscriptQuotes(r.get(a.Name.Value), a.Index)
		r.subscript(r.get(a.Name.Value), a.Index)
		in.words = append(in.words, policy.Word{Text: r.source(a), Pos: pos})
		r.implicitElement(a, a.Name.Value)
	default:
		name := r.unmap(a.Name.Value)
		if r.may(plainOnly) && a.Value != nil && unquotedHole(a.Value) {
			r.find(idPOSIX, a, "sh may split the value into further assignments")
		}
		if a.Index != nil && !r.plainIndex(r.get(name), a.Index) {
			r.find(idEvaluates, a, "declares an element whose subscript is not known; it may run a command")
		}
		value := policy.Word{}
		if len(expanded) > 0 {
			value = expanded[0]
		}
		x := r.assignment(a, &declaring{add: d.add, value: value, open: func() { r.declOpen(d, name) }})
		r.declAttrs(d, name, true)
		r.declValue(d, name, x.Value, a)
		r.declDoubt(d, name)
		d.vars = append(d.vars, x)
		w := policy.Const(name + "=")
		switch {
		case r.bracesDeclared(a):
			in.words = append(in.words, r.bracedWords(w, a.Value)...)
			return
		case a.Index == nil && a.Array == nil:
			w = concat(w, x.Value)
		default:
			w = concat(w, policy.Unknown(policy.Clip(r.source(a), maxSource)))
		}
		w.Pos = pos
		in.words = append(in.words, w)
	}
	d.named = true
}

func unquotedHole(w *syntax.Word) bool {
	for _, p := range w.Parts {
		switch p.(type) {
		case *syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted:
		default:
			return true
		}
	}
	return false
}

// declareWords interprets a declaration that is an ordinary command's words.
func (r *run) declareWords(in *invocation, args []policy.Word) {
	name := in.own.name
	d := r.newDeclaration(name, in.node)
	d.doubtful = d.doubtful || len(in.assigns) > 0 // bash does not split its words
	r.assignedPlaces(args)
	m := r.mark()
	for _, w := range args {
		r.declWord(d, w)
	}
	r.keep(m, name != "local" || len(r.calls) > 0) // an error outside a function
	r.emitDeclaration(d, in)
}

// assignedPlaces puts what is not known in place of values that zsh and sh expand as if
// they were assigned, whatever names the command: "export" x=~/a:=ls.
func (r *run) assignedPlaces(words []policy.Word) {
	if !r.may(namedPlaces | plainOnly) {
		return
	}
	for i, w := range words {
		text := w.Prefix()
		n := assignee(text)
		if n == 0 {
			continue
		}
		if hasPlaces(policy.Const(":" + text[n:])) {
			words[i] = policy.Word{Parts: []policy.Part{{Kind: policy.Lit, Text: text[:n]}, {Kind: policy.Hole, Text: text[n:]}}, Pos: w.Pos}
		}
	}
}

// hasPlaces reports whether a word holds what an assignment expands behind a colon.
func hasPlaces(w policy.Word) bool {
	in := func(s string) bool { return strings.Contains(s, ":~") || strings.Contains(s, ":=") }
	return in(w.Text) || slices.ContainsFunc(w.Parts, func(p policy.Part) bool { return in(p.Text) })
}

func (r *run) emitDeclaration(d *declaration, in *invocation) {
	r.emitCall(in)
	if len(d.vars) > 0 {
		for i := range d.vars {
			d.vars[i].Exported = d.vars[i].Exported || d.add&exported != 0
		}
		r.emit(policy.Command{Assigns: d.vars, Pos: in.pos})
	}
	in.did.printer = -1
}

// declWord does an option, a name or an assignment.
func (r *run) declWord(d *declaration, w policy.Word) {
	s, ok := w.Const()
	if !ok {
		prefix := w.Prefix()
		name, _, assigns := strings.Cut(prefix, "=")
		name, plus := strings.CutSuffix(name, "+")
		if assigns && isName(name) && !w.MaySplit() {
			// export FOO="$x" behind command, or "FOO=$x"
			v := policy.Word{Parts: append([]policy.Part(nil), w.Parts...), Pos: w.Pos}
			v.Parts[0].Text = strings.TrimPrefix(v.Parts[0].Text, prefix[:strings.IndexByte(prefix, '=')+1])
			if v.Parts[0].Text == "" {
				v.Parts = v.Parts[1:]
			}
			r.declAssign(d, policy.Assign{Name: name, Value: v, Pos: w.Pos}, plus)
			return
		}
		r.find(idEvaluates, d.node, "declares a variable whose name or attributes are not known")
		return
	}
	if len(s) > 1 && (s[0] == '-' || s[0] == '+') && !d.prints {
		if d.named { // it is no option then, and no name
			d.doubtful, d.misplaced = true, true
			r.find(idEvaluates, d.node, "an option behind a name, which shells take for a name")
		}
		r.declOption(d, s)
		return
	}
	d.named = true
	name, value, assigns := strings.Cut(s, "=")
	name, plus := strings.CutSuffix(name, "+")
	if base, index, ok := strings.Cut(name, "["); ok {
		index, closed := strings.CutSuffix(index, "]")
		if !closed || !isName(base) || !r.plainSubscript(r.get(base), index) {
			r.find(idEvaluates, d.node, "declares "+policy.Quote(s)+", whose subscript may run a command")
			return
		}
		r.implicitElement(d.node, base)
		return
	}
	switch {
	case !isName(name): // an error
	case assigns:
		r.declAssign(d, policy.Assign{Name: name, Value: policy.Const(value), Pos: r.at(d.node.Pos())}, plus)
	default:
		r.declName(d, name)
	}
}

// declAssign does an assignment, or += if plus says so.
func (r *run) declAssign(d *declaration, a policy.Assign, plus bool) {
	r.declOpen(d, a.Name)
	r.declValue(d, a.Name, a.Value, d.node)
	if plus {
		a.Value = r.appended(d.node, a.Name, a.Value)
	}
	r.assign(d.node, a.Name, a.Value)
	r.declAttrs(d, a.Name, true)
	r.declDoubt(d, a.Name)
	d.vars = append(d.vars, a)
}

// declDoubt takes back what is known of a variable that a declaration may not
// have assigned.
func (r *run) declDoubt(d *declaration, name string) {
	if d.doubtful {
		v := blurred(r.get(name), policy.ShapeAny)
		v.sure = 0
		r.hold(name, v)
	}
}

// attrLetters are the options that give attributes, in the order of these.
const attrLetters = "xriluaA"

// declOption reads -x and +x.
func (r *run) declOption(d *declaration, s string) {
	for _, c := range s[1:] {
		r.declDialects(d, c)
		var a attrs
		switch at := strings.IndexRune(attrLetters, c); {
		case at >= 0:
			a = exported << at
		case c == 'g':
			d.locals = false
		case c == 'f', c == 'F':
			d.functions = true
			if c == 'F' && r.may(typedValues) {
				a = integer // a number with digits behind the point
			}
		case c == 'p':
			d.prints = true
		case c == 't', c == '-':
		case c == 'n' && d.unexports():
			d.drop |= exported
		case c == 'n':
			d.nameref = true
			if s[0] == '-' {
				r.find(idEvaluates, d.node, "declares a reference to another variable")
			}
		default:
			r.find(idEvaluates, d.node, "declares a variable with an attribute that is not known")
		}
		if s[0] == '-' {
			d.add |= a
		} else {
			d.drop |= a
		}
	}
}

// declDialects notes options that shells do not have alike.
func (r *run) declDialects(d *declaration, c rune) {
	switch {
	case d.name == "export", d.name == "readonly":
		d.doubtful = d.doubtful || c != 'a' && c != 'A' || d.name == "export"
	case strings.ContainsRune("pfFg", c):
		d.doubtful = d.doubtful || c != 'g' || len(r.calls) > 0
	}
	if r.may(typedValues) && strings.ContainsRune("ELRZT", c) {
		r.find(idZsh, d.node, "declares a number or a form of its own in zsh")
	}
	if r.old() && strings.ContainsRune("Agluc", c) {
		d.doubtful = true // it assigns nothing then
	}
	r.oldOnly(c == 'A', d.node, "an array whose subscripts bash 3.2 calculates, which has no other ones")
}

// unexports reports whether -n takes the export attribute away.
func (d *declaration) unexports() bool {
	return d.name == "export" && d.add == exported && !d.nameref
}

// declName does a name without a value.
func (r *run) declName(d *declaration, name string) {
	if d.functions {
		if d.add&integer != 0 {
			r.declAttrs(d, name, false)
		}
		if d.add&readonly != 0 {
			r.find(idEvaluates, d.node, "keeps a function from being changed")
		}
		if d.add&exported != 0 {
			if f := r.funcs[name]; f != nil {
				for _, body := range f.bodies {
					body.forced = true
				}
			}
		}
		return
	}
	if d.prints && d.add&^exported == 0 && d.name != "export" { // bash exports what it is told beside -p
		return
	}
	r.declTaken(d, name)
	r.declAttrs(d, name, false)
	if d.add&exported == 0 || d.drop&exported != 0 && !r.keepsExport(d) {
		return
	}
	value := hole(policy.ShapeAny)
	if v := r.get(name); v != nil && d.drop&exported == 0 {
		value = r.exportValue(v)
	}
	r.export(name, value)
}

// declTaken tells what becomes of the value of a name that is declared without
// one. A local variable hides it, and so does a declaration that is none of a
// function's, to some shells; an array is not exported, and a new form of text
// or number changes what is there. Only export leaves it as it is.
func (r *run) declTaken(d *declaration, name string) {
	switch {
	case d.add&(integer|lower|upper) != 0:
		r.changed(d.node, policy.Assign{Name: name, Value: hole(policy.ShapeAny)})
	case d.name != "export" || d.drop&exported != 0:
		r.taken(d.node, name)
	}
}

// declAttrs gives a variable attributes. fresh says that it is assigned next.
func (r *run) declAttrs(d *declaration, name string, fresh bool) {
	if d.locals && len(r.calls) > 0 && !r.isLocal(name) {
		r.localize(d, name, fresh)
	}
	if d.add&^local == 0 && d.drop == 0 {
		return
	}
	if r.in.Caller != nil && !d.locals && d.add&(integer|lower|upper|readonly) != 0 {
		r.find(idEvaluates, d.node, "leaves a variable in the shell whose attributes change what is assigned to it later")
	}
	v := r.get(name)
	was := v.attrsOr(0)
	n := &variable{set: policy.Maybe, value: hole(policy.ShapeAny)}
	if v != nil {
		*n = *v
	} else if fresh {
		n.set, n.value = policy.No, policy.Word{}
	}
	if d.add&arrayAttrs != 0 && was&arrayAttrs == 0 {
		r.becomeArray(n)
	}
	if d.add&integer != 0 && n.sure&integer == 0 && n.set != policy.No && !fresh && !r.numericVar(name, 0) {
		r.find(idEvaluates, d.node, reasonArith)
	}
	n.attrs = (was | d.add) &^ (d.drop &^ readonly)
	if !d.doubtful {
		n.sure |= d.add & (integer | lower | upper)
	}
	n.sure &^= d.drop
	r.declExport(d, name, n, was)
	if was&indexed != 0 && d.add&assoc != 0 || was&assoc != 0 && d.add&indexed != 0 {
		d.doubtful = true // bash does not convert it
	}
	if was&indexed != 0 && n.attrs&assoc != 0 {
		n.attrs = calculated(n.attrs)
	}
	r.set(name, n)
}

// localize makes a variable one of the function that is interpreted.
func (r *run) localize(d *declaration, name string, fresh bool) {
	v := r.get(name)
	r.calls[len(r.calls)-1].local(savedLocal{name, v, r.exportedAs(name)})
	// Bash can't make one that the shell may not change a function's own.
	n := &variable{set: policy.No, attrs: local | v.attrsOr(0)&(exported|lent|readonly)}
	if r.may(typedValues) && (n.attrs&exported != 0 || is(name, inherited)) {
		n.attrs |= lent // zsh hides it from programs
		r.export(name, hole(policy.ShapeAny))
	}
	if !fresh || d.doubtful || v != nil {
		// The value that the call put before the function's name, in bash; the
		// outer one, in dash; empty, in zsh. What is assigned may be calculated
		// with it, or be put behind it.
		n.set, n.value = policy.Maybe, hole(policy.ShapeAny)
	}
	r.set(name, n)
}

// becomeArray makes the value of a variable the first element of an array.
func (r *run) becomeArray(v *variable) {
	v.blur = v.set == policy.Maybe || v.set == policy.Yes && r.may(typedValues) // which drops the value
	if v.set == policy.Yes {
		v.elems = []element{{"0", v.value}}
	}
}

func (r *run) isLocal(name string) bool {
	if len(r.calls) == 0 {
		return false
	}
	return r.calls[len(r.calls)-1].isLocal[name]
}

// declOpen gives a variable its attributes before it is assigned, but for the
// one that would keep it from being assigned.
func (r *run) declOpen(d *declaration, name string) {
	before := r.get(name).attrsOr(0)
	r.declAttrs(d, name, true)
	if v := r.get(name); v != nil && v.attrs&readonly&^before != 0 {
		open := *v
		open.attrs &^= readonly
		r.set(name, &open)
	}
}

// declValue finds values that a declaration reads as the text of an array:
// declare -a 'x=($(cmd))' runs cmd.
func (r *run) declValue(d *declaration, name string, v policy.Word, n syntax.Node) {
	if a, ok := n.(*syntax.Assign); ok && a.Array != nil {
		return
	}
	s, known := v.Const()
	old := r.get(name)
	array := d.add&arrayAttrs != 0 || old != nil && old.attrs&arrayAttrs != 0
	switch {
	case known && strings.HasPrefix(s, "(") && (array || strings.ContainsAny(s, "$`")):
		r.find(idEvaluates, d.node, "declares an array from a text, which may run a command")
	case !known && array && shapeOf(v) == policy.ShapeAny:
		r.find(idEvaluates, d.node, "declares an array from a value that is not known, which may run a command")
	}
}

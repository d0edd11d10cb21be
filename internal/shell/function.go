package shell

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// function is what a name may mean as one. It is not changed once it is in
// the state.
type function struct {
	bodies []*funcBody
	maybe  bool // the name may mean no function
}

// funcBody is one definition.
type funcBody struct {
	name   string
	stmt   *syntax.Stmt
	src    source
	judged bool // it was called
	bomb   bool // it was found to multiply
	forced bool // it may be called in ways that are not seen: exported
}

// activation is a call being interpreted.
type activation struct {
	body       *funcBody
	wide       bool
	spawning   int
	background int
	again      []syntax.Node // calls of itself in a pipeline
	locals     []savedLocal
	isLocal    map[string]bool // their names
}

func (a *activation) local(l savedLocal) {
	if a.isLocal == nil {
		a.isLocal = make(map[string]bool)
	}
	a.isLocal[l.name] = true
	a.locals = append(a.locals, l)
}

type savedLocal struct {
	name string
	old  *variable
	env  *policy.Assign // what commands had in their environment; nil for nothing
}

func joinFunc(a, b *function) *function {
	switch {
	case a == b:
		return a
	case a == nil:
		return &function{bodies: b.bodies, maybe: true}
	case b == nil:
		return &function{bodies: a.bodies, maybe: true}
	}
	f := &function{bodies: slices.Clone(a.bodies), maybe: a.maybe || b.maybe}
	for _, body := range b.bodies {
		if !slices.Contains(f.bodies, body) {
			f.bodies = append(f.bodies, body)
		}
	}
	return f
}

// hoist takes what follows a function out of its body. The parser has &&, ||
// and | after f() { ...; } as part of the body, where to shells the list goes
// on after the definition.
func hoist(d *syntax.FuncDecl) syntax.Command {
	list, ok := d.Body.Cmd.(*syntax.BinaryCmd)
	if !ok {
		return d
	}
	// The tree leans to the left, and may be deep.
	top := *list
	at := &top
	for {
		left, ok := at.X.Cmd.(*syntax.BinaryCmd)
		if !ok {
			break
		}
		inner, stmt := *left, *at.X
		stmt.Cmd = &inner
		at.X, at = &stmt, &inner
	}
	definition, stmt := *d, *at.X
	definition.Body = at.X
	stmt.Cmd, stmt.Redirs = &definition, nil
	at.X = &stmt
	return &top
}

// define interprets f() { ... }. The body is read when it is called, and at the
// end if it never is.
func (r *run) define(d *syntax.FuncDecl) outcome {
	if d.Name == nil {
		r.find(idZsh, d, "a function without a name, or with several")
		return r.stmt(d.Body)
	}
	r.posixOnly(d.RsrvWord, d, "function is a program in sh")
	if r.hook(d.Name.Value) {
		r.find(idZsh, d, "zsh calls "+d.Name.Value+" by itself")
	}
	if r.may(moreWords) && isA(d.Name.Value, reserved) {
		r.find(idZsh, d, "the name is a word of the language to zsh, which no function hides")
	}
	if !compound(d.Body.Cmd) || d.Body.Negated {
		r.find(idParse, d, "a function's body that is a command of its own to some shells")
	}
	body := &funcBody{name: r.unmap(d.Name.Value), stmt: d.Body, src: r.src}
	body.src.span = 0
	r.spend(len(r.defined) / 16)
	known := slices.IndexFunc(r.defined, func(old *funcBody) bool {
		return old.stmt.Pos() == d.Body.Pos() && old.src == body.src // a text that is read again has other nodes
	})
	if known >= 0 {
		body = r.defined[known]
	} else {
		r.defined = append(r.defined, body)
	}
	r.setFunc(body.name, &function{bodies: []*funcBody{body}})
	r.handlesAnew()
	return r.plain()
}

// operand finds a definition with more of a list behind it where the list is
// not the whole statement: what is behind belongs further out.
func (r *run) operand(s *syntax.Stmt) {
	if d, ok := s.Cmd.(*syntax.FuncDecl); ok {
		if _, ok := d.Body.Cmd.(*syntax.BinaryCmd); ok {
			r.find(idNode, d, "a list that goes on after a function")
		}
	}
}

// compound reports whether a command may be a function's body.
func compound(c syntax.Command) bool {
	switch c.(type) {
	case *syntax.Block, *syntax.Subshell, *syntax.IfClause, *syntax.WhileClause, *syntax.ForClause,
		*syntax.CaseClause, *syntax.ArithmCmd, *syntax.TestClause:
		return true
	}
	return false
}

// callFunction interprets a call.
func (r *run) callFunction(f *function, in *invocation) outcome {
	if len(in.assigns) > 0 || len(in.list) > 0 {
		r.emit(policy.Command{Assigns: in.assigns, Redirects: in.list, Pos: in.pos})
	}
	if r.may(moreRedirects) && slices.ContainsFunc(f.bodies, func(b *funcBody) bool { return r.joinsRedirects(b.stmt, len(in.list) > 0) }) {
		r.find(idZsh, in.node, "zsh joins what a function is given with what its body has")
	}
	args := in.words[1:]
	r.tell("", args...)
	if slices.ContainsFunc(args, policy.Word.MaySplit) {
		args = nil
	}
	if len(f.bodies) == 1 && !f.maybe {
		return r.callBody(f.bodies[0], args, in.node)
	}
	var branches []branch
	for _, body := range f.bodies {
		if !r.spend(1) {
			break // as many as there are definitions: each call of each of them
		}
		m := r.mark()
		r.callBody(body, args, in.node)
		branches = append(branches, r.takeBack(m))
	}
	if f.maybe && !r.limited {
		m := r.mark()
		plain := *in
		plain.assigns, plain.list = nil, nil
		plain.noFuncs = true
		r.invoke(&plain)
		branches = append(branches, r.takeBack(m))
	}
	r.join(branches)
	return r.plain()
}

// joinsRedirects reports whether redirects of a function's body may add to those of its
// call, or to a pipe.
func (r *run) joinsRedirects(body *syntax.Stmt, given bool) bool {
	piped := r.f.stdin.Kind == policy.InputPipe || r.f.stdin.Kind == policy.InputText
	return slices.ContainsFunc(body.Redirs, func(rd *syntax.Redirect) bool { return given || piped && feeds(rd) })
}

// callBody interprets a function's body with its arguments; nil for those that are
// not known.
func (r *run) callBody(body *funcBody, args []policy.Word, n syntax.Node) (o outcome) {
	depth, wide := 0, false
	for _, a := range r.calls {
		if a.body == body {
			depth++
			wide = wide || a.wide
			r.bomb(a, body, n)
		}
	}
	switch {
	case wide:
		r.loseCalls()
		return r.plain()
	case len(r.calls) >= maxNested:
		r.find(idLimit, n, "functions call each other too deep to follow")
		return r.plain()
	case !r.spend(4):
		return r.plain()
	}
	r.interrupt()
	body.judged = true
	a := &activation{body: body, spawning: r.spawning, background: r.background}
	m := r.mark()
	if depth >= maxCalls {
		// It may call itself any number of times: one reading in which
		// nothing is known stands for all further ones.
		a.wide = true
		r.loseCalls()
		args = nil
	}
	saved, sets := r.f.arguments, r.argSets
	r.f.args, r.f.argsKnown = args, args != nil
	switch {
	case r.surely(functionNames):
		r.f.arg0 = policy.Const(body.name)
	case r.may(functionNames):
		r.f.arg0 = unknownArg0
		if text := body.src.text[body.stmt.Pos().Offset():body.stmt.End().Offset()]; strings.ContainsAny(body.name, "-./~") && (strings.Contains(text, "$0") || strings.Contains(text, "${0")) {
			r.find(idZsh, n, "$0 is the name of the function to zsh")
		}
	}
	around := r.surroundings
	around.src, around.calls = body.src, append(around.calls, a)
	r.inside(around, func() {
		for again := true; again && !r.limited; {
			known := len(r.defined)
			x := r.within(ofFunction, func() { o = r.stmt(body.stmt) })
			if x.f != nil {
				r.blurChanges(m)
				o = r.joinExits(x, o)
			}
			if again = a.wide && len(r.defined) > known; again {
				r.loseCalls() // one that it defines may be meant where it was not yet
			}
		}
	})
	for _, l := range slices.Backward(a.locals) {
		r.mean(symbol{name: l.name}, meaning{v: joinVar(l.old, r.vars[l.name])})
		if now := r.exportedAs(l.name); now != nil && (l.env == nil || !sameValue(now.Value, l.env.Value)) {
			r.export(l.name, hole(policy.ShapeAny))
		}
	}
	r.f.arguments, r.argSets = saved, sets
	r.release(m)
	o.printer = -1
	return o
}

// loseCalls makes nothing known of what any number of calls of a function by itself
// may change.
func (r *run) loseCalls() {
	r.blurAll()
	r.f.arg0 = unknownArg0
	r.spend(len(r.defined) / 8)
	for _, body := range r.defined {
		f := &function{bodies: []*funcBody{body}, maybe: r.unsetFunc}
		r.setFunc(body.name, joinFunc(r.funcs[body.name], f))
	}
}

// bomb finds a function that multiplies: it calls itself in the background, or
// twice in a pipeline.
func (r *run) bomb(a *activation, body *funcBody, n syntax.Node) {
	if r.spawning == a.spawning || body.bomb {
		return
	}
	if !slices.Contains(a.again, n) {
		a.again = append(a.again, n)
	}
	if r.background > a.background || len(a.again) > 1 {
		body.bomb = true
		r.report(policy.Finding{
			ID:       idForkBomb,
			Decision: policy.Block,
			Reason:   "the function " + policy.Quote(body.name) + " starts copies of itself without end",
			Source:   policy.Clip(r.source(body.stmt), maxSource),
			Pos:      r.at(n.Pos()),
		})
	}
}

// hook reports whether the shell calls a function of that name by itself.
func (r *run) hook(name string) bool {
	if !r.may(hooks) {
		return false
	}
	switch name {
	case "chpwd", "precmd", "preexec", "periodic", "zshaddhistory", "zshexit", "zsh_directory_name", "command_not_found_handler":
		return true
	}
	return strings.HasPrefix(name, "TRAP")
}

package shell

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// invocation is a simple command on its way to what runs it.
type invocation struct {
	words   []policy.Word
	assigns []policy.Assign
	list    []policy.Redirect
	node    syntax.Node
	pos     policy.Pos
	noFuncs bool     // behind command, builtin: functions are passed over
	own     *builtin // what it is to the shell
	fed     bool     // its own redirect gives it its standard input
	did     outcome  // what has come of it
}

// newInvocation is one in memory that an earlier command has given back.
func (r *run) newInvocation(node syntax.Node) *invocation {
	rd := r.reader
	if len(rd.spare) == 0 {
		rd.spare = append(rd.spare, new(invocation))
	}
	last := len(rd.spare) - 1
	in := rd.spare[last]
	rd.spare = rd.spare[:last]
	in.node, in.pos = node, r.at(node.Pos())
	return in
}

// free takes an invocation back that nothing needs any more.
func (r *run) free(in *invocation) {
	*in = invocation{}
	r.reader.spare = append(r.reader.spare, in)
}

// call interprets a simple command. c is nil for redirects without one.
func (r *run) call(c *syntax.CallExpr, s *syntax.Stmt) outcome {
	in := r.newInvocation(s)
	defer r.free(in)
	if c != nil {
		r.zshBraces(c.Args)
		in.words = r.words(c.Args)
		if len(c.Assigns) > 0 && len(in.words) > 0 && isA(in.words[0].Text, declares) {
			r.declaredBehind(c, in)
		}
	}
	env := r.f.env
	return r.redirected(s.Redirs, func(red redirected) outcome {
		in.list, in.fed, in.did = red.list, red.fed, r.plain()
		switch {
		case len(in.words) == 0:
			return r.bare(c, s, in)
		case c != nil && len(c.Assigns) > 0:
			return r.assigning(c, in, env)
		}
		return r.invoke(in)
	})
}

// assigning interprets a command with assignments before it; env is what was
// exported before.
func (r *run) assigning(c *syntax.CallExpr, in *invocation, env []policy.Assign) outcome {
	given := r.assignBefore(c, in, env)
	o := r.invoke(in)
	if given && !r.may(keepsBefore) {
		r.takeBackGiven(env, in.assigns)
	}
	for _, a := range in.assigns {
		// The shell takes the assignments back, or keeps them (POSIX).
		if v := r.get(a.Name); v != nil {
			r.hold(a.Name, blurred(v, policy.ShapeAny))
		}
	}
	return o
}

// bare does the assignments and redirects of a statement without a command.
func (r *run) bare(c *syntax.CallExpr, s *syntax.Stmt, in *invocation) outcome {
	if c != nil && len(c.Assigns) > 0 {
		r.assignedTargets(c, s)
		in.assigns = r.assignedBeside(c, in.fed)
	}
	r.zshRedirect(c, s)
	if len(in.assigns) > 0 || len(in.list) > 0 {
		r.emit(policy.Command{Assigns: in.assigns, Redirects: in.list, Pos: in.pos})
	}
	return r.plain()
}

// assignedBeside does the assignments of a command. Where it is given an input, too, what
// runs in them has that or the one before: bash opens it behind them.
func (r *run) assignedBeside(c *syntax.CallExpr, fed bool) []policy.Assign {
	stdin := r.f.stdin
	if fed {
		r.input("", policy.Input{Kind: policy.InputHole})
	}
	assigns := make([]policy.Assign, 0, len(c.Assigns))
	for _, a := range c.Assigns {
		assigns = append(assigns, r.assignmentAfter(assigns, a, len(c.Args) > 0))
	}
	r.f.stdin = stdin
	return assigns
}

// assignmentAfter does an assignment that stands behind others. What runs in one
// before a command has those before it in its environment.
func (r *run) assignmentAfter(before []policy.Assign, a *syntax.Assign, temporary bool) policy.Assign {
	if !temporary || len(before) == 0 || !runsSomething(a) {
		return r.assignment(a, nil)
	}
	env := r.f.env
	given := make([]policy.Assign, len(before))
	for i, b := range before {
		given[i] = r.temporary(b, before[i+1:])
		if r.exportedAs(b.Name) != nil || is(b.Name, inherited) {
			given[i].Value = hole(policy.ShapeAny) // in a pipeline it is the one before to bash
		}
	}
	r.giveOn(given)
	out := r.assignment(a, nil)
	r.takeBackGiven(env, given)
	return out
}

// runsSomething reports whether a substitution stands in an assignment.
func runsSomething(a *syntax.Assign) bool {
	found := false
	syntax.Walk(a, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			found = true
		}
		return !found
	})
	return found
}

// temporary is an assignment before a command, as the command is given it, where
// others stand behind it.
func (r *run) temporary(a policy.Assign, behind []policy.Assign) policy.Assign {
	a.Exported = true
	again := slices.ContainsFunc(behind, func(b policy.Assign) bool { return a.Name == b.Name })
	if !r.assignable(a.Name) || r.volatile(a.Name) || !again && r.transforms(&a) {
		a.Value = hole(policy.ShapeAny) // what the shell makes of it, or what it was
	}
	return a
}

// assignBefore does the assignments before a command. It reports whether they are
// given on to what the command runs. What is no command of the shell's own does
// not see them; env is what was exported before.
func (r *run) assignBefore(c *syntax.CallExpr, in *invocation, env []policy.Assign) (given bool) {
	temporary := r.mark()
	in.assigns = r.assignedBeside(c, in.fed)
	for i := range in.assigns {
		in.assigns[i] = r.temporary(in.assigns[i], in.assigns[i+1:])
	}
	if given = r.givesOn(in); given {
		r.giveOn(in.assigns)
	}
	if !r.isOwn(in) {
		f := r.f
		r.revert(temporary)
		r.f = f
		r.f.env = env
	} else {
		r.release(temporary)
	}
	return given
}

// declaredBehind puts what is not known in place of values that are declared behind
// an assignment: x= export y=$z. Bash does not split them there, dash does.
func (r *run) declaredBehind(c *syntax.CallExpr, in *invocation) {
	if !slices.ContainsFunc(c.Args, func(w *syntax.Word) bool { return unquotedHole(w) && isAssignment(w) }) {
		return
	}
	in.words = in.words[:1]
	for _, w := range c.Args[1:] {
		if s, ok := simple(w); ok {
			in.words = append(in.words, policy.Const(s))
		} else {
			in.words = append(in.words, policy.UnknownWords(r.source(w)))
		}
	}
}

// isAssignment reports whether a word begins as an assignment does.
func isAssignment(w *syntax.Word) bool {
	l, ok := w.Parts[0].(*syntax.Lit)
	return ok && assignee(l.Value) > 0
}

// transforms reports whether a variable does not hold the text that it was given.
func (r *run) transforms(a *policy.Assign) bool {
	v := r.get(a.Name)
	text, known := a.Value.Const()
	if v == nil || v.attrs&arrayAttrs != 0 || !known {
		return false
	}
	held, same := v.value.Const()
	return !same || held != text
}

// givesOn reports whether commands that a command runs in this shell have what is
// assigned before it in their environment: a function's, those of a text, and all
// further ones behind a special builtin of sh.
func (r *run) givesOn(in *invocation) bool {
	name, ok := in.words[0].Const()
	switch {
	case !ok:
		return false
	case r.funcs[name] != nil, r.may(keepsBefore) && isA(name, special):
		return true
	}
	return name == "eval" || name == "." || name == "source"
}

// giveOn exports what is assigned before a command.
func (r *run) giveOn(as []policy.Assign) {
	for _, a := range as {
		if v := r.vars[a.Name]; v != nil {
			given := *v
			given.attrs |= exported | lent
			r.set(a.Name, &given)
		}
		r.export(a.Name, a.Value)
	}
}

// takeBackGiven ends what giveOn does. What was exported before is so still, and so
// may be what the command assigned.
func (r *run) takeBackGiven(before, as []policy.Assign) {
	for _, a := range as {
		is := func(e policy.Assign) bool { return e.Name == a.Name }
		if slices.ContainsFunc(before, is) {
			continue
		}
		if v := r.vars[a.Name]; v != nil {
			if v.attrs&confirmed != 0 { // which ends with the command, or not
				r.hold(a.Name, blurred(v, policy.ShapeAny))
				continue
			}
			own := *v
			own.attrs &^= exported | lent
			r.set(a.Name, &own)
		}
		if i := slices.IndexFunc(r.f.env, is); i >= 0 && sameValue(r.f.env[i].Value, a.Value) {
			r.unexport(a.Name)
		}
	}
}

// isOwn reports whether the shell itself runs a command, so that assignments
// before it are seen by what it interprets.
func (r *run) isOwn(in *invocation) bool {
	name, ok := in.words[0].Const()
	if !ok {
		return true
	}
	return r.funcs[name] != nil || isA(name, sees) || r.may(keepsBefore) && isA(name, special)
}

// declaring is what a declaration adds to an assignment.
type declaring struct {
	add   attrs
	value policy.Word // expanded already, but for an array's
	open  func()      // done between the expansion and the assignment
}

// assignment does one assignment and returns it. d is nil outside
// declarations.
func (r *run) assignment(a *syntax.Assign, d *declaring) policy.Assign {
	name := r.unmap(a.Name.Value)
	out := policy.Assign{Name: name, Pos: r.at(a.Pos())}
	old := r.get(name)
	switch {
	case a.Array != nil:
		r.posixOnly(true, a, "an array is a syntax error in sh")
		extra := attrs(0)
		if d != nil {
			extra = d.add
		}
		v := r.array(a.Array, name, old, extra, a.Append)
		if old != nil && old.attrs&readonly != 0 {
			v.blur = true
		}
		if d != nil {
			d.open()
			v.attrs |= r.get(name).attrsOr(0)
			v.blur = v.blur || v.attrs&integer != 0
		}
		v.blur = v.blur || r.volatile(name)
		r.hold(name, v)
		out.Value = policy.Unknown(policy.Clip(r.source(a.Array), maxSource))
	case a.Index != nil:
		r.posixOnly(true, a, "an assignment to an array's element is a program's name in sh")
		r.subscriptQuotes(old, a.Index)
		key, known := "", false
		if wholeArray(a.Index) != 0 {
			r.find(idEvaluates, a, "assigns to all elements of an array at once")
		} else {
			key, known = r.subscript(old, a.Index)
		}
		if !known || strings.HasPrefix(key, "-") {
			r.abort()
		}
		v := r.assignedIn(a.Value, d)
		r.setElement(a, name, key, known, v, a.Append)
		out.Value = policy.Unknown(policy.Clip(r.source(a), maxSource))
	default:
		r.posixOnly(a.Append, a, "+= is part of a program's name in sh")
		v := r.assignedIn(a.Value, d)
		if a.Append {
			v = r.appended(a, name, v)
		}
		r.assign(a, name, v)
		out.Value = v
	}
	if v := r.get(name); v != nil && v.attrs&exported != 0 || is(name, inherited) {
		out.Exported = true
	}
	return out
}

// assignedIn resolves an assigned value, if its declaration has not done so.
func (r *run) assignedIn(w *syntax.Word, d *declaring) policy.Word {
	if d == nil {
		return r.assigned(w)
	}
	d.open()
	return d.value
}

// appended is the value of a variable after +=.
func (r *run) appended(n syntax.Node, name string, v policy.Word) policy.Word {
	old := r.lookup(name)
	if old.list || len(old.vals) == 0 {
		return hole(policy.ShapeAny)
	}
	o := old.vals[0]
	if cur := r.get(name); cur != nil && cur.attrs&integer != 0 {
		if !r.numericValue(v, 0) || !r.numericVar(name, 0) {
			r.find(idEvaluates, n, reasonArith)
		}
		return hole(policy.ShapeNumber)
	}
	if old.set == policy.Maybe && o.IsConst() {
		o = hole(policy.ShapeAny)
	}
	return concat(o, v)
}

func concat(a, b policy.Word) policy.Word {
	if a.Parts == nil && b.Parts == nil {
		if len(a.Text)+len(b.Text) > maxConst {
			return hole(policy.ShapeAny)
		}
		return policy.Word{Text: a.Text + b.Text, Pos: b.Pos}
	}
	var w builder
	w.value(a, "")
	w.value(b, "")
	if len(w.parts) > 64 {
		return hole(policy.ShapeAny)
	}
	return w.word()
}

// invoke runs words as bash would: a function, a builtin, or a program.
func (r *run) invoke(in *invocation) outcome {
	in.did.printer = -1
	name, ok := in.words[0].Const()
	if !ok {
		return r.hidden(in)
	}
	if f := r.funcs[name]; f != nil && !in.noFuncs {
		return r.callFunction(f, in)
	}
	return r.builtin(name, in)
}

// hidden is a command whose program is not known.
func (r *run) hidden(in *invocation) outcome {
	w := in.words[0]
	reason := "runs a program whose name is not known"
	if !w.HasHole() {
		reason = "runs a program that a pattern names"
	}
	r.find(idHole, in.node, reason)
	r.emitCall(in)
	if len(in.words) > 1 && w.MayVanish() {
		rest := *in
		rest.words = in.words[1:]
		in.did = r.invoke(&rest)
	}
	in.did.printer = -1
	return in.did
}

// emitCall emits a command as it is.
func (r *run) emitCall(in *invocation) {
	in.did.printer = r.emit(policy.Command{Words: in.words, Assigns: in.assigns, Redirects: in.list, Pos: in.pos})
}

// passed is what the text exports to a program. What it may not have exported has
// the value that the text itself was given, which nobody compares here.
func (r *run) passed() []policy.Assign {
	if len(r.in.Vars) == 0 {
		return r.f.env
	}
	env := r.f.env
	for i, a := range env {
		v := r.get(a.Name)
		if !a.Value.IsConst() || v == nil || v.set == policy.Yes && sameValue(v.value, a.Value) {
			continue
		}
		if &env[0] == &r.f.env[0] {
			env = slices.Clone(env)
		}
		env[i].Value = hole(policy.ShapeAny)
	}
	return env
}

// emit adds a command with the state that it runs in, and returns its index,
// or -1.
func (r *run) emit(c policy.Command) int {
	if r.limited {
		return -1
	}
	// Whoever judges what flows looks at each command that may write to another.
	if writers := len(r.f.stdin.From); writers > 16 && !r.spend(writers/16) {
		return -1
	}
	if r.budget.emitted++; r.budget.emitted > maxEmitted {
		r.exhausted("the command line holds too many commands")
		return -1
	}
	c.Dirs = r.f.dirs
	c.Env = r.passed()
	c.Via = r.via
	c.Stdin = r.f.stdin.rest()
	if len(c.Words) > 0 && draws(&c) {
		r.f.streams.draw()
	}
	c.Stdout = r.f.stdout
	c.Open = r.f.open
	c.Uncalled = r.uncalled
	c.Aside = r.background > 0
	c.Again = r.looping > 0 || c.Aside
	r.out.Commands = append(r.out.Commands, c)
	return len(r.out.Commands) - 1
}

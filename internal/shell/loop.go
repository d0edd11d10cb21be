package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// Loops. A loop's body runs in states that its earlier runs have changed. What
// it changes is found in a trial run whose commands are thrown away; then the
// body is read once in a state in which all of that holds every value it can
// have. If the second reading changes more than the trial did, it is widened
// and repeated.

// loop is what is known of a loop's body.
type loop struct {
	changed map[string]carried   // variables
	defined map[string]*function // functions: all that a name may mean behind a run
	moves   bool                 // it changes the directory
	dirs    []string             // to one of these; nil: not known
	old     []string             // and $OLDPWD
	execs   bool                 // it redirects the shell itself
	also    frameChanges         // what else it changes
	wide    int                  // how often it was widened
}

// frameChanges says what of a frame was changed, beside where the shell is and what
// it reads from.
type frameChanges struct {
	args, arg0, stack, allExport, foreign bool
}

// changesOf compares two frames.
func changesOf(before, after *frame) frameChanges {
	return frameChanges{
		args:      before.argsKnown != after.argsKnown || !slices.EqualFunc(before.args, after.args, sameValue),
		arg0:      before.arg0.Text != after.arg0.Text || !slices.Equal(before.arg0.Parts, after.arg0.Parts),
		stack:     !before.sameStack(&after.location),
		allExport: before.allExport != after.allExport,
		foreign:   before.foreign != after.foreign,
	}
}

func (c frameChanges) or(o frameChanges) frameChanges {
	return frameChanges{c.args || o.args, c.arg0 || o.arg0, c.stack || o.stack, c.allExport || o.allExport, c.foreign || o.foreign}
}

// carried is what all that a variable holds from one run to the next has in
// common.
type carried struct {
	shape policy.Shape
	attrs attrs // those that it may have
	sure  attrs // those that it keeps
}

func (c carried) join(o carried) carried {
	return carried{joinShape(c.shape, o.shape), c.attrs | o.attrs, c.sure & o.sure}
}

func carriedBy(v *variable) carried {
	if v == nil {
		return carried{shape: policy.ShapeAny}
	}
	return carried{shapeOfVar(v), v.attrs, v.sure}
}

// widen adds what a reading of the body changed and reports whether that was
// more than known before. x holds the ways out of the body but its end.
func (l *loop) widen(r *run, m mark, x *exits) bool {
	more := false
	for name, c := range r.carried(m) {
		old, ok := l.changed[name]
		if ok {
			c = old.join(c)
			if old == c {
				continue
			}
		}
		if l.changed == nil {
			l.changed = make(map[string]carried)
		}
		if l.wide > 1 {
			c.shape, c.sure = policy.ShapeAny, 0
		}
		l.changed[name] = c
		more = true
	}
	more = l.defines(r, m) || more
	ends := [...]*frame{&r.f, x.f}
	n := 1
	if x.f != nil {
		n = 2
	}
	for _, f := range ends[:n] {
		more = l.goes(&m.f, f) || more
		if !l.execs && m.f.execs != f.execs {
			l.execs, more = true, true
		}
		if also := l.also.or(changesOf(&m.f, f)); also != l.also {
			l.also, more = also, true
		}
	}
	l.wide++
	return more
}

// defines adds what names meant as functions since a mark and reports whether that
// is more than before.
func (l *loop) defines(r *run, m mark) bool {
	more := false
	add := func(name string, f *function) {
		old, ok := l.defined[name]
		if ok {
			f = joinFunc(old, f)
			if f == old || f != nil && old != nil && f.maybe == old.maybe && len(f.bodies) == len(old.bodies) {
				return
			}
		}
		if l.defined == nil {
			l.defined = make(map[string]*function)
		}
		l.defined[name], more = f, true
	}
	for _, e := range r.log[m.log:] {
		if e.fn {
			add(e.name, e.f)
			add(e.name, r.funcs[e.name])
		}
	}
	return more
}

// goes adds the directories of a way out of the body and reports whether they
// are more than before.
func (l *loop) goes(before, after *frame) bool {
	if slices.Equal(before.dirs, after.dirs) && slices.Equal(before.old, after.old) && !l.moves {
		return false
	}
	if !l.moves {
		l.moves, l.dirs, l.old = true, after.dirs, after.old
		return true
	}
	dirs, old := joinDirs(l.dirs, after.dirs), joinDirs(l.old, after.old)
	if len(dirs) == len(l.dirs) && len(old) == len(l.old) {
		return false
	}
	if l.wide > 1 {
		dirs, old = nil, nil
	}
	l.dirs, l.old = dirs, old
	return true
}

// carried is what the values of each variable that was changed since a mark have
// in common, the one that it had there included.
func (r *run) carried(m mark) map[string]carried {
	if len(r.log) == m.log {
		return nil
	}
	r.spend((len(r.log) - m.log) / 2)
	all := make(map[string]carried)
	for i := m.log; i < len(r.log); i++ {
		e := &r.log[i]
		if e.fn {
			continue
		}
		c, ok := all[e.name]
		if !ok {
			c = carriedBy(r.vars[e.name])
		}
		all[e.name] = c.join(carriedBy(e.v))
	}
	return all
}

func shapeOfVar(v *variable) policy.Shape {
	if v == nil || v.set != policy.Yes || v.attrs&arrayAttrs != 0 {
		return policy.ShapeAny
	}
	return shapeOf(v.value)
}

// apply puts the state in which any number of runs may have left it.
func (l *loop) apply(r *run) {
	for name, c := range l.changed {
		r.hold(name, blurred(r.vars[name], c.shape).carry(c)) // an earlier run may have exported it
	}
	if l.moves {
		r.f.dirs, r.f.old = joinDirs(r.f.dirs, l.dirs), joinDirs(r.f.old, l.old)
	}
	if l.execs {
		r.loseStreams()
	}
	for name, f := range l.defined {
		r.setFunc(name, joinFunc(r.funcs[name], f))
	}
	if l.also.args {
		r.f.loseArgs()
	}
	if l.also.arg0 {
		r.f.arg0 = unknownArg0
	}
	if l.also.stack {
		r.loseStack()
	}
	r.f.allExport = r.f.allExport || l.also.allExport
	r.f.foreign = r.f.foreign || l.also.foreign
}

// carry gives a variable that is blurred the attributes that it may have had
// since. One that may have been an array is one of which no element is known.
func (v *variable) carry(c carried) *variable {
	if c.shape != policy.ShapeAny {
		v.set = policy.Yes
	}
	if (v.attrs^c.attrs)&assoc != 0 {
		v.attrs = calculated(v.attrs | c.attrs)
	}
	v.attrs |= c.attrs
	v.sure &= c.sure
	v.blur = v.blur || v.attrs&arrayAttrs != 0
	return v
}

// repeat interprets a body that runs any number of times.
func (r *run) repeat(n syntax.Node, body func()) {
	around := r.surroundings
	around.looping++
	switch {
	case r.limited:
	case around.looping > maxLoops:
		r.find(idLimit, n, "loops within loops too deep to follow")
	case r.scouting:
		r.inside(around, func() { r.scout(n, body) })
	default:
		r.inside(around, func() { r.anyTimes(n, body) })
	}
}

// scout interprets a loop's body within the trial run of an outer one's.
func (r *run) scout(n syntax.Node, body func()) {
	m := r.mark()
	x := r.within(ofLoop, body)
	l := r.loops[n]
	if l == nil {
		l = r.newLoop(n)
	}
	l.widen(r, m, x)
	r.either(m)
	r.joinExits(x, outcome{})
}

// anyTimes interprets a loop's body in a state in which it may have run.
func (r *run) anyTimes(n syntax.Node, body func()) {
	l := r.loops[n]
	if l == nil {
		l = r.newLoop(n)
		around := r.surroundings
		around.scouting = true
		r.inside(around, func() {
			r.trial(func(m mark) { l.widen(r, m, r.within(ofLoop, body)) })
		})
	}
	const rounds = 5
	for i := range rounds {
		commands, findings := len(r.out.Commands), len(r.out.Findings)
		m := r.mark()
		l.apply(r)
		x := r.within(ofLoop, body)
		more := l.widen(r, m, x) && !r.limited
		if more && i < rounds-1 {
			r.revert(m)
			r.truncate(commands, findings)
			continue
		}
		if more {
			r.find(idLimit, n, "a loop that changes too much to follow")
		}
		r.either(m)
		r.joinExits(x, outcome{})
		break
	}
	l.apply(r)
}

func (r *run) newLoop(n syntax.Node) *loop {
	if r.loops == nil {
		r.loops = make(map[syntax.Node]*loop)
	}
	l := new(loop)
	r.loops[n] = l
	return l
}

// trial interprets something and takes all of it back.
func (r *run) trial(f func(m mark)) {
	commands, findings := len(r.out.Commands), len(r.out.Findings)
	deferred := len(r.deferred)
	m := r.mark()
	f(m)
	r.revert(m)
	r.truncate(commands, findings)
	r.deferred = r.deferred[:deferred]
}

// truncate throws away what was emitted since. Findings that block stay.
func (r *run) truncate(commands, findings int) {
	r.budget.emitted -= len(r.out.Commands) - commands
	r.out.Commands = r.out.Commands[:commands]
	kept := r.out.Findings[:findings]
	for _, f := range r.out.Findings[findings:] {
		if f.Decision == policy.Block || f.ID == idLimit || f.ID == idGuard {
			kept = append(kept, f)
		}
	}
	r.out.Findings = kept
}

func (r *run) while(c *syntax.WhileClause) {
	r.repeat(c, func() {
		cond := r.list(c.Cond)
		if c.Until {
			cond = cond.not()
		}
		r.leavesBy(ofLoop, cond.fail)
		r.enter(cond.ok)
		r.stmts(c.Do)
	})
}

func (r *run) forClause(c *syntax.ForClause) {
	switch l := c.Loop.(type) {
	case *syntax.CStyleLoop:
		r.posixOnly(true, l, "(( )) is arithmetic to bash and runs commands in sh")
		if l.Init != nil {
			r.calculate(l.Init)
		}
		r.repeat(c, func() {
			if l.Cond != nil {
				r.calculate(l.Cond)
			}
			r.stmts(c.Do)
			if l.Post != nil {
				r.calculate(l.Post)
			}
		})
	case *syntax.WordIter:
		r.forWords(c, l)
	default:
		r.find(idNode, c, "a kind of loop that is not known")
	}
}

func (r *run) forWords(c *syntax.ForClause, l *syntax.WordIter) {
	name := l.Name.Value
	var items []policy.Word
	from, counted := len(r.out.Commands), false
	if l.InPos.IsValid() {
		items = r.words(l.Items)
		if len(l.Items) == 1 && len(r.out.Commands) == from+1 {
			var numbers []policy.Word
			if numbers, counted = r.countedBy(l.Items[0], &r.out.Commands[from]); numbers != nil {
				items = numbers
			}
		}
	} else if r.f.argsKnown {
		items = r.f.args
	} else {
		items = []policy.Word{policy.UnknownWords("$@")}
	}
	r.tell(name, items...)
	if c.Select {
		r.posixOnly(true, c, "select is a program in sh")
		r.repeat(c, func() {
			r.f.stdin.draw() // it reads the answer
			r.assign(l, "REPLY", hole(policy.ShapeAny))
			r.assignItem(l, name, joinValue(policy.Word{}, oneOf(items))) // nothing for an answer that is no number
			r.stmts(c.Do)
		})
		return
	}
	if r.mayUnroll(items) && r.assignable(name) && r.get(name).attrsOr(0)&integer == 0 {
		m := r.mark()
		r.unroll(c, l, name, items)
		r.keep(m, !counted) // who counts may fail
		return
	}
	value := oneOf(items)
	if counted || len(l.Items) == 1 && !r.may(plainOnly) && onlyNumbers(l.Items[0]) {
		value = hole(policy.ShapeNumber)
	}
	r.repeat(c, func() {
		r.assignItem(l, name, value)
		r.stmts(c.Do)
	})
}

// countedBy reports whether a loop's only word is the output of a program that counts,
// as seq does, and returns the numbers if they are known and few.
func (r *run) countedBy(w *syntax.Word, c *policy.Command) ([]policy.Word, bool) {
	if len(w.Parts) != 1 || r.get("IFS") != nil || c.Stdout != policy.OutputCaptured || len(c.Assigns)+len(c.Redirects) > 0 {
		return nil, false
	}
	cs, ok := w.Parts[0].(*syntax.CmdSubst)
	if !ok || len(cs.Stmts) != 1 || !isSimple(cs.Stmts[0].Cmd) || len(c.Words) < 2 || len(c.Words) > 4 {
		return nil, false
	}
	if r.in.Prints == nil || r.in.Prints(c) != policy.ShapeNumbers {
		return nil, false
	}
	var ends []int
	for _, w := range c.Words[1:] {
		s, known := w.Const()
		n, number := atoi(strings.TrimPrefix(s, "-"))
		switch {
		case !known && len(w.Parts) == 1 && w.Parts[0].Shape.Numeric():
		case known && number:
			if s[0] != '-' {
				ends = append(ends, n)
			}
		default:
			return nil, false
		}
	}
	if len(ends) < len(c.Words)-1 || len(ends) > 2 {
		return nil, true
	}
	first, last := 1, ends[len(ends)-1]
	if len(ends) == 2 {
		first = ends[0]
	}
	var numbers []policy.Word
	if last-first < maxUnroll {
		for n := first; n <= last; n++ {
			numbers = append(numbers, policy.Const(strconv.Itoa(n)))
		}
	}
	return numbers, true
}

// assignItem gives a loop's variable a value. A name that can't be assigned
// makes the loop fail in every shell, before its body runs.
func (r *run) assignItem(n syntax.Node, name string, v policy.Word) {
	r.positional(n, name)
	if !isName(name) {
		return
	}
	r.implicit(n, name, v)
}

// oneOf is what is known of a value that is any of the words.
func oneOf(items []policy.Word) policy.Word {
	if len(items) == 0 {
		return hole(policy.ShapeAny)
	}
	v := items[0]
	if len(items) == 1 && v.MaySplit() {
		return itemOf(v)
	}
	v = itemOf(v)
	for _, w := range items[1:] {
		v = joinValue(v, itemOf(w))
	}
	if v.Parts != nil && len(items) > 1 {
		if p, ok := commonPrefix(items); ok {
			return policy.Word{Parts: []policy.Part{{Kind: policy.Lit, Text: p}, {Kind: policy.Hole}}}
		}
	}
	return v
}

// itemOf is one word that a word becomes: a file name for a pattern.
func itemOf(w policy.Word) policy.Word {
	if w.Parts == nil {
		return w
	}
	only := w.Parts[0]
	switch {
	case len(w.Parts) == 1 && only.Kind == policy.Split:
		return hole(only.Shape)
	case len(w.Parts) > 1 && !w.HasHole(), !w.MaySplit(), len(w.Parts) == 1 && only.Kind == policy.Glob:
		return kept(w) // src/*.go: all of them begin and end alike
	}
	return hole(policy.ShapeAny)
}

// kept is the word with what is not known of it kept inside.
func kept(w policy.Word) policy.Word {
	parts := make([]policy.Part, len(w.Parts))
	for i, p := range w.Parts {
		switch p.Kind {
		case policy.Split:
			p.Kind = policy.Hole
		case policy.Glob:
			p = policy.Part{Kind: policy.Hole, Match: p.Text}
		}
		parts[i] = p
	}
	return policy.Word{Parts: parts}
}

// commonPrefix is the known text, a directory at least, that all words begin
// with.
func commonPrefix(items []policy.Word) (string, bool) {
	p := items[0].Prefix()
	for _, w := range items[1:] {
		if w.HasHole() {
			return "", false
		}
		q := w.Prefix()
		n := 0
		for n < len(p) && n < len(q) && p[n] == q[n] {
			n++
		}
		p = p[:n]
	}
	if items[0].HasHole() || p == "" {
		return "", false
	}
	return p, true
}

// mayUnroll reports whether a loop is over few enough known words.
func (r *run) mayUnroll(items []policy.Word) bool {
	if len(items) == 0 || len(items) > maxUnroll || len(items)*r.unrolled > maxUnrolls {
		return false
	}
	return !slices.ContainsFunc(items, func(w policy.Word) bool { return !w.IsConst() })
}

// unroll interprets a loop over known words.
func (r *run) unroll(c *syntax.ForClause, l *syntax.WordIter, name string, items []policy.Word) {
	around := r.surroundings
	around.unrolled *= len(items)
	r.inside(around, func() {
		all := r.mark()
		x := r.within(ofLoop, func() {
			x := r.exits[len(r.exits)-1]
			for _, v := range items {
				r.assignItem(l, name, v)
				r.stmts(c.Do)
				if x.f != nil {
					// The next run may begin where this one was left.
					r.blurChanges(all)
					r.joinExits(x, outcome{})
				}
			}
		})
		r.joinExits(x, outcome{})
		r.release(all)
	})
}

// blurChanges makes holes of what changed since a mark, which stays.
func (r *run) blurChanges(m mark) {
	r.joinFuncs(m)
	for name, c := range r.carried(m) {
		r.set(name, blurred(r.vars[name], policy.ShapeAny).carry(carried{attrs: c.attrs, sure: c.sure}))
	}
	if r.argSets != m.argSets {
		r.f.loseArgs()
	}
}

// joinFuncs makes each function that was defined or undefined since a mark any
// of those that it was.
func (r *run) joinFuncs(m mark) {
	for _, e := range slices.Clone(r.log[m.log:]) {
		if e.fn {
			r.setFunc(e.name, joinFunc(e.f, r.funcs[e.name]))
		}
	}
}

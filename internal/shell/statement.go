package shell

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// lines interprets the statements of a text. Bash reads a text line by line,
// and an expansion that fails gives up on the rest of its line only; of a text
// that the line itself evaluates on the rest of that text, and the line goes on.
func (r *run) lines(stmts []*syntax.Stmt) (o outcome) {
	for i := 0; i < len(stmts); {
		j := i + 1
		for j < len(stmts) && r.oneLine(stmts[j-1], stmts[j]) {
			j++
		}
		if j == len(stmts) && !r.src.nested {
			return r.stmts(stmts[i:])
		}
		m := r.mark()
		x := r.within(ofLine, func() {
			r.erring = r.erring || r.src.nested && r.may(failing) && !(len(stmts) == 1 && isOwnCommand(stmts[0]))
			o = r.stmts(stmts[i:j])
		})
		if x.f != nil {
			r.blurChanges(m)
			o = r.joinExits(x, o)
		}
		r.release(m)
		i = j
	}
	return o
}

// oneLine reports whether two statements, one behind the other, stand in one line, or in two
// that are joined.
func (r *run) oneLine(a, b *syntax.Stmt) bool {
	if a.End().Line() == b.Pos().Line() {
		return true
	}
	between := r.between(a.End(), b.Pos())
	return between != "" && strings.Count(between, "\n") == strings.Count(between, "\\\n")
}

// isOwnCommand reports whether a statement is one command of the shell's own, or
// assignments: of these it is known whether they may be an error.
func isOwnCommand(s *syntax.Stmt) bool {
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		return len(c.Args) == 0 || builtinOf(c.Args[0].Lit()) != nil
	case *syntax.DeclClause:
		return true
	}
	return false
}

// stmts interprets a list of statements, and goes on in what they leave.
func (r *run) stmts(stmts []*syntax.Stmt) outcome {
	o := r.list(stmts)
	r.enter(o.end())
	return o
}

// list interprets a list of statements and returns the outcome of the last one.
func (r *run) list(stmts []*syntax.Stmt) outcome {
	o := r.plain()
	for i, s := range stmts {
		if i > 0 {
			r.enter(o.end())
		}
		o = r.stmt(s)
	}
	if len(stmts) > 1 {
		o.printer = -1
	}
	return o
}

func (r *run) stmt(s *syntax.Stmt) (o outcome) {
	if s == nil || !r.spend(1) {
		return r.plain()
	}
	if r.depth >= maxStmts {
		r.find(idLimit, s, "commands within commands too deep to follow")
		return r.plain()
	}
	if s.Coprocess || s.Disown {
		r.find(idNode, s, "a job control sign that bash does not have")
	}
	if r.erring {
		escapes := r.escapes
		r.leaves(ofLine)    // to zsh what stood before it may have been an error
		r.escapes = escapes // which ends a handler, and not what that interrupts
	}
	around := r.surroundings
	around.depth++
	if s.Background {
		around.spawning++
		around.background++
		r.inside(around, func() { o = r.job(s) })
	} else {
		r.inside(around, func() { o = r.foreground(s) })
	}
	return o
}

// job interprets a statement in the background.
func (r *run) job(s *syntax.Stmt) outcome {
	m := r.mark()
	r.f.streams.draw() // what follows may read before it does
	r.within(ofShell, func() { r.foreground(s) })
	if !r.may(ownProcesses) || !isAndOr(s) {
		r.revert(m)
		return r.plain()
	}
	// All but the last pipeline of the list runs in this shell.
	r.blurChanges(m)
	r.either(m)
	if r.moves != m.moves {
		r.loseDirs()
	}
	if r.f.execs != m.f.execs {
		r.loseStreams()
	}
	return r.plain()
}

// isAndOr reports whether a statement is a list of several pipelines.
func isAndOr(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.BinaryCmd)
	return ok && c.Op != syntax.Pipe && c.Op != syntax.PipeAll
}

func (r *run) foreground(s *syntax.Stmt) (o outcome) {
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		o = r.call(c, s)
	case *syntax.DeclClause:
		o = r.declClause(c, s)
	case nil:
		o = r.call(nil, s)
	default:
		o = r.compound(c, s)
	}
	if s.Negated {
		return o.not()
	}
	return o
}

// compound interprets a command that has others inside, with its redirects.
func (r *run) compound(c syntax.Command, s *syntax.Stmt) outcome {
	if len(s.Redirs) == 0 {
		r.interrupt()
		return r.command(c, s)
	}
	return r.redirected(s.Redirs, func(red redirected) outcome {
		if len(red.list) > 0 {
			r.emit(policy.Command{Redirects: red.list, Pos: r.at(s.Pos())})
		}
		r.interrupt()
		return r.command(c, s)
	})
}

func (r *run) command(c syntax.Command, s *syntax.Stmt) outcome {
	switch c := c.(type) {
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			return r.pipeline(c)
		}
		return r.andOr(c)
	case *syntax.Block:
		return r.list(c.Stmts)
	case *syntax.Subshell:
		m := r.mark()
		r.within(ofShell, func() { r.stmts(c.Stmts) })
		r.revert(m)
	case *syntax.IfClause:
		r.ifClause(c)
	case *syntax.WhileClause:
		r.while(c)
	case *syntax.ForClause:
		r.forClause(c)
	case *syntax.CaseClause:
		r.caseClause(c)
	case *syntax.FuncDecl:
		if _, ok := c.Body.Cmd.(*syntax.BinaryCmd); !ok {
			return r.define(c)
		}
		if s.Negated {
			r.operand(s)
		}
		return r.command(hoist(c), s)
	case *syntax.ArithmCmd:
		r.posixOnly(true, c, "(( )) is arithmetic to bash and runs commands in sh")
		r.calculate(c.X)
		r.tested = true
	case *syntax.TestClause:
		r.posixOnly(true, c, "[[ ]] is no test to every sh")
		r.testExpr(c.X)
		r.tested = true
	case *syntax.LetClause:
		r.let(c)
	case *syntax.TimeClause:
		return r.time(c)
	case *syntax.CoprocClause:
		r.coproc(c)
	case *syntax.CallExpr, *syntax.DeclClause:
		// They bring their own redirects; see foreground.
		return r.stmt(&syntax.Stmt{Cmd: c, Position: s.Position})
	default:
		r.find(idNode, c, "a kind of command that is not known")
	}
	return r.plain()
}

// link is a statement of a list or a pipeline, and the operator before it.
type link struct {
	op syntax.BinCmdOperator
	s  *syntax.Stmt
}

// chain returns the statements that one of two operators joins, from left to right.
// The tree leans to the left and can be as long as the text.
func chain(c *syntax.BinaryCmd, one, other syntax.BinCmdOperator) []link {
	links := make([]link, 0, 4)
	for {
		links = append(links, link{c.Op, c.Y})
		left, ok := c.X.Cmd.(*syntax.BinaryCmd)
		if !ok || left.Op != one && left.Op != other || c.X.Negated || c.X.Background || len(c.X.Redirs) > 0 {
			break
		}
		c = left
	}
	links = append(links, link{s: c.X})
	slices.Reverse(links)
	return links
}

// andOr interprets a && b || c.
func (r *run) andOr(c *syntax.BinaryCmd) (o outcome) {
	for i, l := range chain(c, syntax.AndStmt, syntax.OrStmt) {
		if i == 0 {
			o = r.stmt(l.s)
			continue
		}
		r.operand(l.s)
		m := r.mark()
		if l.op == syntax.AndStmt {
			r.enter(o.ok)
			surely := o.fail.dead // true && b: b runs
			o = o.and(r.stmt(l.s))
			r.keep(m, surely)
			continue
		}
		r.enter(o.fail)
		next := r.stmt(l.s)
		if next.dead() && r.left == m.left {
			// a || exit: what follows runs only if a succeeded.
			r.revert(m)
			r.enter(o.ok)
		} else {
			r.keep(m, o.ok.dead)
		}
		o = o.or(next)
	}
	return o
}

// pipeline interprets a | b | c. Every element runs in a shell of its own, but
// the last one may run in this one (lastpipe, zsh).
func (r *run) pipeline(c *syntax.BinaryCmd) (o outcome) {
	elements := chain(c, syntax.Pipe, syntax.PipeAll)
	last := len(elements) - 1
	both := func(l link) bool { return l.op == syntax.PipeAll }
	r.posixOnly(slices.ContainsFunc(elements[1:], both), c, "|& is no pipe to every sh")
	for _, e := range elements[1:] {
		r.operand(e.s)
		if t, ok := e.s.Cmd.(*syntax.TimeClause); ok {
			r.find(idNode, t, "after a pipe, time is a program and not a word of the shell")
		}
	}
	in := r.f.stdin
	r.f.drawOthers() // all of them run at once
	around := r.surroundings
	around.spawning++
	for i, e := range elements {
		from := len(r.out.Commands)
		m := r.mark()
		r.f.stdin = in
		if i > 0 && len(e.s.Redirs) > 0 {
			around.piped = e.s.Redirs[0]
		}
		if i == last {
			r.inside(around, func() { o = r.stmt(e.s) })
			if r.f.execs == m.f.execs {
				r.f.streams = m.f.streams
			}
			r.either(m)
			break
		}
		r.f.stdout = policy.OutputPipe
		if both(elements[i+1]) {
			r.output("2", policy.OutputPipe)
		}
		r.inside(around, func() {
			r.within(ofShell, func() { o = r.stmt(e.s) })
		})
		r.revert(m)
		in = r.newInput(r.pipeFrom(from, o.printer, e.s))
	}
	return outcome{ok: r.here(), fail: r.here(), printer: o.printer}
}

// alone reports whether no other command since one writes to the pipe that a command
// writes to, as one in >(...) does behind it.
func (r *run) alone(from, printer int) bool {
	for i := from; i < len(r.out.Commands); i++ {
		if i != printer && r.out.Commands[i].Stdout == policy.OutputPipe && len(r.out.Commands[i].Words) > 0 {
			return false
		}
	}
	return true
}

// pipeFrom is the input of a pipe whose writers are the commands since from.
func (r *run) pipeFrom(from, printer int, s *syntax.Stmt) policy.Input {
	both := r.may(moreRedirects) && slices.ContainsFunc(s.Redirs, redirectsOutput) // zsh writes to the pipe as well
	if printer >= from && isSimple(s.Cmd) && !s.Negated && !both && r.alone(from, printer) {
		if text, ok := r.printed(&r.out.Commands[printer]); ok {
			return policy.Input{Kind: policy.InputText, Text: policy.Const(text), From: []int{printer}}
		}
	}
	in := policy.Input{Kind: policy.InputPipe}
	for i := from; i < len(r.out.Commands); i++ {
		if both && r.out.Commands[i].Stdout != policy.OutputCaptured {
			r.out.Commands[i].Stdout = policy.OutputPipe
		}
		if r.out.Commands[i].Stdout == policy.OutputPipe && len(r.out.Commands[i].Words) > 0 {
			in.From = append(in.From, i)
		}
	}
	return in
}

func (r *run) ifClause(c *syntax.IfClause) {
	cond := r.list(c.Cond)
	var branches []branch
	depth := 0
	var marks []mark
	for {
		// The branch taken if the condition holds.
		m := r.mark()
		r.enter(cond.ok)
		branches = append(branches, r.branch(m, c.Then))
		if c.Else == nil {
			b := branch{f: r.f}
			b.leave(cond.fail)
			branches = append(branches, b)
			break
		}
		c = c.Else
		r.enter(cond.fail)
		if len(c.Cond) == 0 { // else
			branches = append(branches, r.branch(r.mark(), c.Then))
			break
		}
		// An elif's condition runs whether or not its branch is taken: what
		// it changes stays for the rest of the chain.
		m = r.mark()
		marks = append(marks, m)
		depth++
		cond = r.list(c.Cond)
	}
	r.join(alive(branches))
	for i := depth - 1; i >= 0; i-- {
		r.either(marks[i])
	}
}

// branch interprets a list that is one way of several, since a mark, and takes it
// back. One that ends in exit but may have been left before is followed.
func (r *run) branch(m mark, stmts []*syntax.Stmt) branch {
	end := r.list(stmts).end()
	b := r.takeBack(m)
	b.leave(end)
	b.dead = b.dead && r.left == m.left
	return b
}

// leave makes a branch leave by an ending.
func (b *branch) leave(e ending) {
	b.dead = e.dead
	if !e.dead {
		b.f.location = e.location
	}
}

// alive drops the branches that end in exit, unless all do.
func alive(branches []branch) []branch {
	n := 0
	for i := range branches {
		if !branches[i].dead {
			n++
		}
	}
	if n == 0 || n == len(branches) {
		return branches
	}
	return slices.DeleteFunc(branches, func(b branch) bool { return b.dead })
}

func (r *run) caseClause(c *syntax.CaseClause) {
	r.single(c.Word)
	branches := make([]branch, 0, len(c.Items)+1)
	always := false
	for _, item := range c.Items {
		for _, w := range item.Patterns {
			p := r.pattern(w, bare)
			if len(p.Parts) == 1 && p.Parts[0].Kind == policy.Glob && p.Parts[0].Text == "*" {
				always = true
			}
		}
		if item.Op != syntax.Break {
			if item.Op == syntax.ResumeKorn {
				r.find(idNode, c, "a case ending that bash does not have")
			}
			r.fallsThrough(c)
			return
		}
		branches = append(branches, r.branch(r.mark(), item.Stmts))
	}
	if !always {
		branches = append(branches, branch{f: r.f})
	}
	r.join(alive(branches))
}

// fallsThrough interprets a case of which an item goes on with the next one:
// every item may follow every other.
func (r *run) fallsThrough(c *syntax.CaseClause) {
	for _, item := range c.Items {
		for _, w := range item.Patterns {
			r.pattern(w, bare)
		}
		m := r.mark()
		r.stmts(item.Stmts)
		r.either(m)
	}
}

// timesAgain reports whether something within a statement is timed, too.
func timesAgain(s *syntax.Stmt) (again bool) {
	syntax.Walk(s, func(n syntax.Node) bool {
		_, is := n.(*syntax.TimeClause)
		again = again || is
		return !again
	})
	return again
}

func (r *run) time(c *syntax.TimeClause) outcome {
	r.posixOnly(true, c, "time is a program in sh")
	if c.Stmt == nil {
		return r.plain()
	}
	r.operand(c.Stmt)
	if r.may(moreWords) && timesAgain(c.Stmt) {
		r.find(idZsh, c, "the second time may be a program to zsh")
	}
	if call, ok := c.Stmt.Cmd.(*syntax.CallExpr); ok && len(call.Args) == 0 && r.may(moreWords) {
		r.find(idZsh, c, "time without a command may be a program to zsh")
	}
	if call, ok := c.Stmt.Cmd.(*syntax.CallExpr); ok && len(call.Assigns) == 0 && len(call.Args) > 1 && call.Args[0].Lit() == "--" {
		// time -- cmd
		s := *c.Stmt
		inner := *call
		inner.Args = call.Args[1:]
		s.Cmd = &inner
		return r.stmt(&s)
	}
	m := r.mark()
	o := r.stmt(c.Stmt)
	r.keep(m, !r.may(ownProcesses)) // zsh may run it in a process of its own
	return o
}

// coproc interprets a command with pipes of its own. What the parser takes
// for the name of a simple command's coprocess is the command.
func (r *run) coproc(c *syntax.CoprocClause) {
	r.find(idNode, c, "starts a coprocess")
	name := "COPROC"
	m := r.mark()
	r.f.stdin = input{Input: policy.Input{Kind: policy.InputHole}}
	r.f.stdout = policy.OutputPipe
	command := c.Stmt
	if c.Name != nil && c.Stmt != nil && (c.Stmt.Cmd == nil || isSimple(c.Stmt.Cmd)) {
		s := *c.Stmt
		call := &syntax.CallExpr{Args: []*syntax.Word{c.Name}}
		if inner, ok := c.Stmt.Cmd.(*syntax.CallExpr); ok {
			call.Args = append(call.Args, inner.Args...)
		}
		s.Cmd = call
		s.Position = c.Pos()
		command = &s
	} else if c.Name != nil {
		if s, ok := r.single(c.Name).Const(); ok && isName(s) {
			name = s
		}
	}
	around := r.surroundings
	around.spawning++
	r.inside(around, func() { r.stmt(command) })
	r.revert(m)
	r.loseElement(c, name)
}

func isSimple(c syntax.Command) bool {
	_, ok := c.(*syntax.CallExpr)
	return ok
}

package shell

import (
	"slices"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// flow says in which directories a statement leaves the shell when it
// succeeded and when it failed.
type flow struct {
	ok, fail ending
}

// ending is one way out of a statement.
type ending struct {
	dirs []string
	old  []string // $OLDPWD
	dead bool     // nobody leaves this way: the shell has exited
}

func (r *run) here() ending { return ending{dirs: r.f.dirs, old: r.f.old} }

// plainFlow is that of a command that does not change the directory.
func (r *run) plainFlow() flow { return flow{r.here(), r.here()} }

func joinEnding(a, b ending) ending {
	switch {
	case a.dead:
		return b
	case b.dead:
		return a
	}
	return ending{dirs: joinDirs(a.dirs, b.dirs), old: joinDirs(a.old, b.old)}
}

// enter continues in the directories of an ending. One that nobody leaves by
// is followed all the same.
func (r *run) enter(e ending) {
	if !e.dead {
		r.f.dirs, r.f.old = e.dirs, e.old
	}
}

// lines interprets the statements of a text. Bash reads a text line by line,
// and an expansion that fails gives up on the rest of its line only.
func (r *run) lines(stmts []*syntax.Stmt) {
	saved := r.aborted
	for i := 0; i < len(stmts); {
		j := i + 1
		for j < len(stmts) && stmts[j].Pos().Line() == stmts[j-1].End().Line() {
			j++
		}
		if j == len(stmts) {
			r.stmts(stmts[i:])
			break
		}
		r.aborted = false
		m := r.mark()
		x := r.within(ofLine, func() { r.stmts(stmts[i:j]) })
		if r.aborted {
			r.blurChanges(m)
			r.joinExits(x)
		}
		r.release(m)
		i = j
	}
	r.aborted = saved || r.aborted
}

// stmts interprets a list of statements, and goes on in what they leave.
func (r *run) stmts(stmts []*syntax.Stmt) {
	r.list(stmts)
	if len(stmts) > 0 {
		r.enter(joinEnding(r.flow.ok, r.flow.fail))
	}
}

// list interprets a list of statements and leaves the flow of the last one.
func (r *run) list(stmts []*syntax.Stmt) {
	for i, s := range stmts {
		r.stmt(s)
		if i < len(stmts)-1 {
			r.enter(joinEnding(r.flow.ok, r.flow.fail))
		}
	}
	if len(stmts) == 0 {
		r.flow = r.plainFlow()
	}
}

func (r *run) stmt(s *syntax.Stmt) {
	if s == nil || !r.spend(1) {
		r.flow = r.plainFlow()
		return
	}
	if r.depth >= maxStmts {
		r.find(idLimit, s, "commands within commands too deep to follow")
		r.flow = r.plainFlow()
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	if s.Coprocess || s.Disown {
		r.find(idNode, s, "a job control sign that bash does not have")
	}
	if s.Background {
		m, moves := r.mark(), r.moves
		r.spawning++
		r.background++
		r.within(ofShell, func() { r.foreground(s) })
		r.background--
		r.spawning--
		if r.may(ownProcesses) && isAndOr(s) {
			// All but the last pipeline of the list runs in this shell.
			r.blurChanges(m)
			r.either(m)
			if r.moves != moves {
				r.loseDirs()
			}
			if r.f.execs != m.f.execs {
				r.loseStreams()
			}
		} else {
			r.revert(m)
		}
		r.flow = r.plainFlow()
		return
	}
	r.foreground(s)
}

// isAndOr reports whether a statement is a list of several pipelines.
func isAndOr(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.BinaryCmd)
	return ok && c.Op != syntax.Pipe && c.Op != syntax.PipeAll
}

func (r *run) foreground(s *syntax.Stmt) {
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		r.call(c, s)
	case *syntax.DeclClause:
		r.declClause(c, s)
	case nil:
		r.call(nil, s)
	default:
		r.compound(c, s)
	}
	if s.Negated {
		r.flow.ok, r.flow.fail = r.flow.fail, r.flow.ok
	}
}

// compound interprets a command that has others inside, with its redirects.
func (r *run) compound(c syntax.Command, s *syntax.Stmt) {
	if len(s.Redirs) == 0 {
		r.command(c, s)
		return
	}
	saved := r.f
	red := r.redirects(s.Redirs)
	if len(red.list) > 0 {
		r.emit(policy.Command{Redirects: red.list, Pos: r.at(s.Pos()), Stdin: policy.Input{}})
	}
	var m mark
	if red.mayFail {
		m = r.mark()
		m.f = saved
	}
	r.command(c, s)
	r.restoreStreams(&saved, s.Redirs)
	if red.mayFail {
		r.either(m)
		r.flow.fail = joinEnding(r.flow.fail, ending{dirs: saved.dirs, old: saved.old})
	}
}

func (r *run) command(c syntax.Command, s *syntax.Stmt) {
	switch c := c.(type) {
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			r.pipeline(c)
		} else {
			r.andOr(c)
		}
	case *syntax.Block:
		r.list(c.Stmts)
	case *syntax.Subshell:
		m := r.mark()
		r.within(ofShell, func() { r.stmts(c.Stmts) })
		r.revert(m)
		r.flow = r.plainFlow()
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
			r.define(c)
			break
		}
		if s.Negated {
			r.operand(s)
		}
		r.command(hoist(c), s)
	case *syntax.ArithmCmd:
		r.posixOnly(true, c, "(( )) is arithmetic to bash and runs commands in sh")
		r.calculate(c.X)
		r.tested = true
		r.flow = r.plainFlow()
	case *syntax.TestClause:
		r.posixOnly(true, c, "[[ ]] is no test to every sh")
		r.testExpr(c.X)
		r.tested = true
		r.flow = r.plainFlow()
	case *syntax.LetClause:
		r.let(c)
		r.flow = r.plainFlow()
	case *syntax.TimeClause:
		r.time(c)
	case *syntax.CoprocClause:
		r.coproc(c)
	case *syntax.CallExpr, *syntax.DeclClause:
		// They bring their own redirects; see foreground.
		r.stmt(&syntax.Stmt{Cmd: c, Position: s.Position})
	default:
		r.find(idNode, c, "a kind of command that is not known")
		r.flow = r.plainFlow()
	}
}

// andOr interprets a && b || c. The tree leans to the left and can be as long
// as the text, so it is unrolled first.
func (r *run) andOr(c *syntax.BinaryCmd) {
	type link struct {
		op syntax.BinCmdOperator
		s  *syntax.Stmt
	}
	links := make([]link, 0, 4)
	first := c.X
	links = append(links, link{c.Op, c.Y})
	for {
		b, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || b.Op == syntax.Pipe || b.Op == syntax.PipeAll || first.Negated || first.Background || len(first.Redirs) > 0 {
			break
		}
		links = append(links, link{b.Op, b.Y})
		first = b.X
	}
	r.stmt(first)
	for _, l := range slices.Backward(links) {
		r.operand(l.s)
		before, left := r.flow, r.left
		m := r.mark()
		if l.op == syntax.AndStmt {
			r.enter(before.ok)
			r.stmt(l.s)
			r.flow.fail = joinEnding(before.fail, r.flow.fail)
		} else {
			r.enter(before.fail)
			r.stmt(l.s)
			if r.flow.ok.dead && r.flow.fail.dead && r.left == left {
				// a || exit: what follows runs only if a succeeded.
				r.revert(m)
				r.enter(before.ok)
				r.flow = flow{before.ok, ending{dead: true}}
				continue
			}
			r.flow.ok = joinEnding(before.ok, r.flow.ok)
		}
		r.keep(m, l.op == syntax.AndStmt && before.fail.dead || l.op == syntax.OrStmt && before.ok.dead) // true && b: b runs
	}
}

// pipeline interprets a | b | c. Every element runs in a shell of its own, but
// the last one may run in this one (lastpipe, zsh).
func (r *run) pipeline(c *syntax.BinaryCmd) {
	type element struct {
		all bool // |&
		s   *syntax.Stmt
	}
	elements := make([]element, 0, 4)
	elements = append(elements, element{s: c.Y})
	first := c
	for {
		elements = append(elements, element{all: first.Op == syntax.PipeAll, s: first.X})
		b, ok := first.X.Cmd.(*syntax.BinaryCmd)
		if !ok || b.Op != syntax.Pipe && b.Op != syntax.PipeAll || first.X.Negated || first.X.Background || len(first.X.Redirs) > 0 {
			break
		}
		elements[len(elements)-1].s = b.Y
		first = b
	}
	r.posixOnly(hasPipeAll(c), c, "|& is no pipe to every sh")
	slices.Reverse(elements)
	// elements now holds a, b, c with the operator after each.
	for _, e := range elements[1:] {
		r.operand(e.s)
		if t, ok := e.s.Cmd.(*syntax.TimeClause); ok {
			r.find(idNode, t, "after a pipe, time is a program and not a word of the shell")
		}
	}
	stdin, stdout := r.f.stdin, r.f.stdout
	in := r.f.stdin
	r.spawning++
	for i, e := range elements {
		last := i == len(elements)-1
		r.f.stdin = in
		r.f.stdout = policy.OutputPipe
		if last {
			r.f.stdout = stdout
		}
		from := len(r.out.Commands)
		m := r.mark()
		if e.all {
			r.output("2", policy.OutputPipe)
		}
		r.direct = -1
		if i > 0 && len(e.s.Redirs) > 0 {
			r.piped = e.s.Redirs[0]
		}
		if last {
			r.stmt(e.s)
			m.f.stdin, m.f.stdout = stdin, stdout
			if r.f.execs == m.f.execs {
				r.f.stdin, r.f.stdout = stdin, stdout
			}
			r.either(m)
			stdin, stdout = r.f.stdin, r.f.stdout
			break
		}
		r.within(ofShell, func() { r.stmt(e.s) })
		direct := r.direct
		r.revert(m)
		in = newInput(r.pipeFrom(from, direct, e.s))
	}
	r.spawning--
	r.f.stdin, r.f.stdout = stdin, stdout
	r.flow = r.plainFlow()
}

func hasPipeAll(c *syntax.BinaryCmd) bool {
	for {
		if c.Op == syntax.PipeAll {
			return true
		}
		b, ok := c.X.Cmd.(*syntax.BinaryCmd)
		if !ok {
			return false
		}
		c = b
	}
}

// pipeFrom is the input of a pipe whose writers are the commands since from.
func (r *run) pipeFrom(from, direct int, s *syntax.Stmt) policy.Input {
	if direct >= from && direct < len(r.out.Commands) {
		if _, ok := s.Cmd.(*syntax.CallExpr); ok && !s.Negated {
			if text, ok := r.printed(&r.out.Commands[direct]); ok {
				return policy.Input{Kind: policy.InputText, Text: policy.Const(text), From: []int{direct}}
			}
		}
	}
	in := policy.Input{Kind: policy.InputPipe}
	both := r.may(moreRedirects) && slices.ContainsFunc(s.Redirs, redirectsOutput) // zsh writes to the pipe as well
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
	r.list(c.Cond)
	cond := r.flow
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
		r.list(c.Cond)
		cond = r.flow
	}
	r.join(alive(branches))
	for i := depth - 1; i >= 0; i-- {
		r.either(marks[i])
	}
	r.flow = r.plainFlow()
}

// branch interprets a list that is one way of several, since a mark, and takes it
// back. One that ends in exit but may have been left before is followed.
func (r *run) branch(m mark, stmts []*syntax.Stmt) branch {
	left := r.left
	r.list(stmts)
	f := joinEnding(r.flow.ok, r.flow.fail)
	b := r.takeBack(m)
	b.leave(f)
	b.dead = b.dead && r.left == left
	return b
}

// leave makes a branch leave by an ending.
func (b *branch) leave(e ending) {
	b.dead = e.dead
	if !e.dead {
		b.f.dirs, b.f.old = e.dirs, e.old
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
	r.flow = r.plainFlow()
}

// fallsThrough interprets a case of which an item goes on with the next one:
// every item may follow every other.
func (r *run) fallsThrough(c *syntax.CaseClause) {
	for _, item := range c.Items {
		for _, w := range item.Patterns {
			r.pattern(w, bare)
		}
		m := r.mark()
		r.list(item.Stmts)
		r.enter(joinEnding(r.flow.ok, r.flow.fail))
		r.either(m)
	}
	r.flow = r.plainFlow()
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

func (r *run) time(c *syntax.TimeClause) {
	r.posixOnly(true, c, "time is a program in sh")
	if c.Stmt == nil {
		r.flow = r.plainFlow()
		return
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
		r.stmt(&s)
		return
	}
	if r.may(ownProcesses) {
		m := r.mark()
		r.stmt(c.Stmt)
		r.either(m) // zsh may run it in a process of its own
		return
	}
	r.stmt(c.Stmt)
}

// coproc interprets a command with pipes of its own. What the parser takes
// for the name of a simple command's coprocess is the command.
func (r *run) coproc(c *syntax.CoprocClause) {
	r.find(idNode, c, "starts a coprocess")
	name := "COPROC"
	m := r.mark()
	r.f.stdin = input{Input: policy.Input{Kind: policy.InputHole}}
	r.f.stdout = policy.OutputPipe
	r.spawning++
	if c.Name != nil && c.Stmt != nil && (c.Stmt.Cmd == nil || isSimple(c.Stmt.Cmd)) {
		s := *c.Stmt
		call := &syntax.CallExpr{Args: []*syntax.Word{c.Name}}
		if inner, ok := c.Stmt.Cmd.(*syntax.CallExpr); ok {
			call.Args = append(call.Args, inner.Args...)
		}
		s.Cmd = call
		s.Position = c.Pos()
		r.stmt(&s)
	} else {
		if c.Name != nil {
			if s, ok := r.single(c.Name).Const(); ok && isName(s) {
				name = s
			}
		}
		r.stmt(c.Stmt)
	}
	r.spawning--
	r.revert(m)
	r.loseElement(c, name)
	r.flow = r.plainFlow()
}

func isSimple(c syntax.Command) bool {
	_, ok := c.(*syntax.CallExpr)
	return ok
}

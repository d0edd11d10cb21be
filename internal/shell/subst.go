package shell

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// substitute interprets the inside of a substitution that ends at a place, in a
// shell of its own whose state the caller takes back. It reports whether an expansion
// in it may have given up, after which nothing is printed.
func (r *run) substitute(stmts []*syntax.Stmt, end syntax.Pos, inside func()) (gaveUp bool) {
	around := r.surroundings
	around.src.span, around.reads = int(end.Offset()), nil
	if len(stmts) == 1 {
		around.reads = stmts[0]
	}
	outer := r.gaveUp
	r.gaveUp = false
	r.inside(around, func() { r.within(ofShell, inside) })
	gaveUp, r.gaveUp = r.gaveUp, outer
	return gaveUp
}

// cmdSubst interprets $(...) and `...` and adds what is known of the output.
func (r *run) cmdSubst(b *builder, cs *syntax.CmdSubst, ctx context) {
	src := r.source(cs)
	if cs.TempFile || cs.ReplyVar {
		r.find(idNode, cs, "a substitution that runs in this shell, or is an error")
	}
	r.oldSubst(cs)
	from := len(r.out.Commands)
	m := r.mark()
	r.f.stdout = policy.OutputCaptured
	text, escaped := r.backquoted(cs)
	if escaped && strings.Contains(text, `\"`) && (b.nested || ctx == heredoc) {
		r.find(idGuard, cs, "backquotes with quotes after backslashes, which shells read in different ways")
	}
	var o outcome
	gaveUp := r.substitute(cs.Stmts, cs.Right, func() {
		if escaped {
			// The text between is read again as bash does: without its
			// backslashes.
			r.nested(r.unmap(unescape(text, ctx == quoted)), cs, "")
		} else {
			o = r.stmts(cs.Stmts)
		}
	})
	value := hole(policy.ShapeAny)
	switch {
	case escaped:
	case len(cs.Stmts) == 0:
		value = policy.Word{}
	case len(cs.Stmts) == 1 && !gaveUp:
		value = r.captured(cs.Stmts[0], o, from)
	}
	r.revert(m)
	r.add(b, value, ctx, src)
}

// captured is what is known of the output of a statement whose commands are those
// since one.
func (r *run) captured(s *syntax.Stmt, o outcome, from int) policy.Word {
	if o.printer < from || !isTail(s) {
		return hole(policy.ShapeAny)
	}
	c := &r.out.Commands[o.printer]
	text, known := r.printed(c)
	known = known && isSimple(s.Cmd)
	switch {
	case c.Stdout != policy.OutputCaptured, !known && joinsErrors(s), known && o.silent:
		return hole(policy.ShapeAny)
	case known:
		return policy.Const(strings.TrimRight(text, "\n"))
	}
	if r.errtrace && r.onError { // what the handler prints is in it, if the command fails
		return hole(policy.ShapeAny)
	}
	return hole(r.shape(c))
}

// isTail reports whether a statement prints what its last simple command does.
func isTail(s *syntax.Stmt) bool {
	if s.Background {
		return false
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		return true
	case *syntax.BinaryCmd:
		return c.Op == syntax.Pipe && isSimple(c.Y.Cmd)
	}
	return false
}

// joinsErrors reports whether something else than what a command prints may be in
// its output: a message of an error, which names files, if a redirect is any but one
// that throws messages away or gives input.
func joinsErrors(s *syntax.Stmt) bool {
	if pipe, ok := s.Cmd.(*syntax.BinaryCmd); ok && joinsErrors(pipe.Y) {
		return true
	}
	for _, rd := range s.Redirs {
		input := rd.Op == syntax.RdrIn || rd.Op == syntax.Hdoc || rd.Op == syntax.DashHdoc || rd.Op == syntax.WordHdoc
		away := rd.Op == syntax.RdrOut && rd.N != nil && rd.N.Value == "2" && rd.Word.Lit() == "/dev/null"
		if !input && !away {
			return true
		}
	}
	return false
}

// shape is what is known of a command's output.
func (r *run) shape(c *policy.Command) policy.Shape {
	if name, _ := c.Program(); name == "pwd" && len(c.Words) == 1 {
		return policy.ShapePath
	}
	if r.in.Prints == nil {
		return policy.ShapeAny
	}
	if shape := r.in.Prints(c); shape != policy.ShapeNumbers {
		return shape
	}
	return policy.ShapeAny // it counts for loops; see countedBy
}

// procSubst interprets <(...) and >(...) and returns the indexes of the
// commands that write to it.
func (r *run) procSubst(ps *syntax.ProcSubst) []int {
	r.posixOnly(true, ps, "a process substitution is a syntax error in sh")
	if ps.Op != syntax.CmdIn && ps.Op != syntax.CmdOut {
		r.find(idZsh, ps, "a process substitution that bash does not have")
	}
	if text := r.source(ps); r.may(reprinting) && strings.HasPrefix(text[1:], "((") && strings.Contains(text, "\\\n") {
		r.find(idGuard, ps, "a backslash before a new line behind two parentheses, which bash takes away in quotes, too")
	}
	from := len(r.out.Commands)
	m := r.mark()
	r.f.streams.draw() // it reads while others do
	if ps.Op == syntax.CmdOut {
		r.f.stdin = input{Input: policy.Input{Kind: policy.InputHole}}
	} else {
		r.f.stdout = policy.OutputPipe
	}
	around := r.surroundings
	around.spawning++
	r.inside(around, func() {
		r.substitute(ps.Stmts, ps.Rparen, func() { r.stmts(ps.Stmts) })
	})
	r.revert(m)
	var writers []int
	for i := from; i < len(r.out.Commands); i++ {
		if r.out.Commands[i].Stdout == policy.OutputPipe {
			writers = append(writers, i)
		}
	}
	return writers
}

// nested reads a text that the line itself evaluates, in the present state.
func (r *run) nested(text string, n syntax.Node, via string) (o outcome) {
	if r.budget.nested >= maxNested || !r.spend(1+len(text)/8) {
		r.find(idLimit, n, "texts within texts too deep to follow")
		return r.plain()
	}
	r.interrupt()
	around := r.surroundings
	if via != "" {
		around = around.through(via)
	}
	r.budget.nested++
	r.inside(around, func() { o, _ = r.text(source{text: text, base: r.at(n.Pos()), nested: true}) })
	r.budget.nested--
	o.printer = -1
	return o
}

// unresolved writes words as a text for a shell, so that what is known of it
// can be read for what must be blocked. It reports false if nothing is.
func unresolved(ws ...policy.Word) (text string, known bool) {
	var b strings.Builder
	for i, w := range ws {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Unresolved())
		known = known || w.IsConst() || slices.ContainsFunc(w.Parts, func(p policy.Part) bool {
			return (p.Kind == policy.Lit || p.Kind == policy.Glob) && strings.TrimSpace(p.Text) != ""
		})
	}
	return b.String(), known
}

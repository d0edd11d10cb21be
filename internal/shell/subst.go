package shell

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// substitution is what is known of the one at hand, or of the text outside of all.
type substitution struct {
	reads   *syntax.Stmt // all that it holds, where that is one statement
	aborted bool         // an expansion may have given up on the rest of its line
	ended   bool         // an expansion may have ended its shell, which printed nothing then
	broken  bool         // a word may be an error to zsh, after which nothing is printed
}

// substitute interprets the inside of a substitution that ends at a place, in a
// shell of its own whose state the caller takes back, and returns what came of it.
func (r *run) substitute(stmts []*syntax.Stmt, end syntax.Pos, inside func()) substitution {
	outer, flow, span := r.substitution, r.flow, r.src.span
	r.substitution, r.src.span = substitution{}, int(end.Offset())
	if len(stmts) == 1 {
		r.reads = stmts[0]
	}
	r.within(ofShell, inside)
	inner := r.substitution
	r.substitution, r.flow, r.src.span = outer, flow, span
	return inner
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
	r.direct = -1
	text, escaped := r.backquoted(cs)
	if escaped && strings.Contains(text, `\"`) && (b.nested || ctx == heredoc) {
		r.find(idGuard, cs, "backquotes with quotes after backslashes, which shells read in different ways")
	}
	inner := r.substitute(cs.Stmts, cs.Right, func() {
		if escaped {
			// The text between is read again as bash does: without its
			// backslashes.
			r.nested(r.unmap(unescape(text, ctx == quoted)), cs, "")
		} else {
			r.stmts(cs.Stmts)
		}
	})
	value := hole(policy.ShapeAny)
	switch {
	case escaped:
	case len(cs.Stmts) == 0:
		value = policy.Word{}
	case len(cs.Stmts) == 1 && !inner.aborted && !inner.ended && !(inner.broken && r.may(failing)):
		value = r.captured(cs.Stmts[0], from)
	}
	r.direct = -1
	r.revert(m)
	r.add(b, value, ctx, src)
}

// captured is what is known of the output of a statement whose commands are those
// since one.
func (r *run) captured(s *syntax.Stmt, from int) policy.Word {
	if r.direct < from || r.direct >= len(r.out.Commands) || !isTail(s) {
		return hole(policy.ShapeAny)
	}
	c := &r.out.Commands[r.direct]
	text, known := r.printed(c)
	known = known && isSimple(s.Cmd)
	switch {
	case c.Stdout != policy.OutputCaptured, !known && joinsErrors(s), known && r.silent:
		return hole(policy.ShapeAny)
	case known:
		return policy.Const(strings.TrimRight(text, "\n"))
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
	return r.in.Prints(c)
}

// procSubst interprets <(...) and >(...) and returns the indexes of the
// commands that write to it.
func (r *run) procSubst(ps *syntax.ProcSubst) []int {
	r.posixOnly(true, ps, "a process substitution is a syntax error in sh")
	if ps.Op != syntax.CmdIn && ps.Op != syntax.CmdOut {
		r.find(idZsh, ps, "a process substitution that bash does not have")
	}
	from := len(r.out.Commands)
	m := r.mark()
	direct := r.direct
	if ps.Op == syntax.CmdOut {
		r.f.stdin = input{Input: policy.Input{Kind: policy.InputHole}}
	} else {
		r.f.stdout = policy.OutputPipe
	}
	r.spawning++
	r.substitute(ps.Stmts, ps.Rparen, func() { r.stmts(ps.Stmts) })
	r.spawning--
	r.direct = direct
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
func (r *run) nested(text string, n syntax.Node, via string) {
	if r.budget.nested >= maxNested || !r.spend(1+len(text)/8) {
		r.find(idLimit, n, "texts within texts too deep to follow")
		return
	}
	r.budget.nested++
	saved, direct := r.f.via, r.direct
	if via != "" {
		r.f.via = append(saved[:len(saved):len(saved)], via)
	}
	r.flow = r.plainFlow()
	r.text(text, source{base: r.at(n.Pos()), nested: true})
	r.f.via, r.direct = saved, direct
	r.budget.nested--
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

package shell

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// cmdSubst interprets $(...) and `...` and adds what is known of the output.
func (r *run) cmdSubst(b *builder, cs *syntax.CmdSubst, ctx context) {
	src := r.source(cs)
	broken := r.broken
	r.broken = false
	if cs.TempFile || cs.ReplyVar {
		r.find(idNode, cs, "a substitution that runs in this shell, or is an error")
	}
	r.oldSubst(cs)
	from := len(r.out.Commands)
	m := r.mark()
	span, flowed, aborted, ended := r.spanEnd, r.flow, r.aborted, r.ended
	r.aborted, r.ended = false, false
	r.f.stdout = policy.OutputCaptured
	r.f.args, r.f.argsKnown = m.f.args, m.f.argsKnown
	r.direct = -1
	r.spanEnd = int(cs.Right.Offset())
	reads := r.reads
	r.reads = nil
	if len(cs.Stmts) == 1 {
		r.reads = cs.Stmts[0]
	}
	inner, escaped := "", false
	if cs.Backquotes {
		ok := false
		if inner, ok = r.backquoted(cs); !ok {
			r.find(idGuard, cs, "backquotes that end where the parser did not see it")
		}
		escaped = ok && strings.IndexByte(inner, '\\') >= 0
	}
	if escaped {
		// The text between is read again as bash does: without its
		// backslashes.
		if strings.Contains(inner, `\"`) && (b.nested || ctx == heredoc) {
			r.find(idGuard, cs, "backquotes with quotes after backslashes, which shells read in different ways")
		}
		r.within(ofShell, func() { r.nested(r.unmap(unescape(inner, ctx == quoted)), cs, "") })
	} else {
		r.within(ofShell, func() { r.stmts(cs.Stmts) })
	}
	failed := r.aborted || r.ended
	r.spanEnd, r.flow, r.aborted, r.ended = span, flowed, aborted, ended
	value := hole(policy.ShapeAny)
	if direct := r.direct; !failed && direct >= from && direct < len(r.out.Commands) && len(cs.Stmts) == 1 && !escaped {
		c := &r.out.Commands[direct]
		if isTail(cs.Stmts[0]) && c.Stdout == policy.OutputCaptured {
			s, ok := r.printed(c)
			switch ok = ok && isSimple(cs.Stmts[0].Cmd); {
			case !ok && joinsErrors(cs.Stmts[0]):
				value = hole(policy.ShapeAny)
			case !ok:
				value = hole(r.shape(c))
			case !r.silent:
				value = policy.Const(strings.TrimRight(s, "\n"))
			}
		}
	}
	if r.broken && r.may(failing) {
		value = hole(policy.ShapeAny)
	}
	r.broken, r.reads = broken, reads
	r.direct = -1
	r.revert(m)
	if len(cs.Stmts) == 0 && !escaped {
		value = policy.Word{}
	}
	r.add(b, value, ctx, src)
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
	span, flowed, aborted, direct := r.spanEnd, r.flow, r.aborted, r.direct
	if ps.Op == syntax.CmdOut {
		r.f.stdin = input{Input: policy.Input{Kind: policy.InputHole}}
	} else {
		r.f.stdout = policy.OutputPipe
	}
	r.spanEnd = int(ps.Rparen.Offset())
	r.spawning++
	r.within(ofShell, func() { r.stmts(ps.Stmts) })
	r.spawning--
	r.spanEnd, r.flow, r.aborted, r.direct = span, flowed, aborted, direct
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
	saved, span, direct := r.f.via, r.spanEnd, r.direct
	if via != "" {
		r.f.via = append(saved[:len(saved):len(saved)], via)
	}
	r.spanEnd = 0
	r.flow = r.plainFlow()
	r.text(text, source{base: r.at(n.Pos()), nested: true})
	r.f.via, r.spanEnd, r.direct = saved, span, direct
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

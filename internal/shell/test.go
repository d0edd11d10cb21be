package shell

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

const reasonTestV = "tests a variable whose name is not known; a name can hold a command substitution"

// testExpr interprets [[ ... ]].
func (r *run) testExpr(x syntax.TestExpr) {
	for x != nil && r.spend(1) {
		switch e := x.(type) {
		case *syntax.Word:
			r.single(e)
			return
		case *syntax.ParenTest:
			x = e.X
		case *syntax.UnaryTest:
			switch e.Op {
			case syntax.TsNot, syntax.TsParen:
				x = e.X
				continue
			case syntax.TsFdTerm:
				if w, ok := e.X.(*syntax.Word); ok {
					r.zshCalculates(e, r.single(w))
				}
				return
			case syntax.TsVarSet, syntax.TsRefVar:
				if w, ok := e.X.(*syntax.Word); ok && !r.plainVariable(r.single(w)) {
					r.find(idEvaluates, e, reasonTestV)
				}
				return
			}
			x = e.X
		case *syntax.BinaryTest:
			switch e.Op {
			case syntax.AndTest, syntax.OrTest:
				r.testExpr(e.X)
				x = e.Y
				continue
			case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
				r.testNumber(e.X)
				r.testNumber(e.Y)
				return
			case syntax.TsMatch, syntax.TsMatchShort, syntax.TsNoMatch:
				r.testExpr(e.X)
				if w, ok := e.Y.(*syntax.Word); ok {
					r.pattern(w, bare)
				}
				return
			case syntax.TsReMatch:
				if w, ok := e.X.(*syntax.Word); ok {
					r.tell("", r.single(w))
				}
				r.testExpr(e.Y)
				r.hold("BASH_REMATCH", arrayOf(nil))
				return
			}
			r.testExpr(e.X)
			x = e.Y
		default:
			r.find(idNode, x, "a kind of test that is not known")
			return
		}
	}
}

// testNumber reads an operand that is calculated.
func (r *run) testNumber(x syntax.TestExpr) {
	w, ok := x.(*syntax.Word)
	if !ok {
		r.testExpr(x)
		return
	}
	if !r.numericValue(r.single(w), 0) {
		r.find(idEvaluates, w, reasonArith)
	}
}

// plainVariable reports whether a text names a variable and nothing else.
func (r *run) plainVariable(w policy.Word) bool {
	s, ok := w.Const()
	if !ok {
		return shapeOf(w).Numeric()
	}
	if isName(s) || isDigits(s) {
		return true
	}
	base, index, ok := strings.Cut(s, "[")
	if !ok || !isName(base) {
		return !strings.ContainsAny(s, "[$`")
	}
	index, closed := strings.CutSuffix(index, "]")
	return closed && r.plainSubscript(r.get(base), index)
}

// test reads the operands of test and [. Bash tells operators from operands by
// their number and place, so an operand that is not known may be an operator:
// -v evaluates a subscript.
func (r *run) test(in *invocation, args []policy.Word) {
	for _, w := range args {
		if w.MaySplit() && mayBeTestV(w) {
			r.find(idEvaluates, in.node, "tests an unquoted value that is not known; it may become an operator that runs a command")
			return
		}
	}
	for i, w := range args {
		if s, ok := w.Const(); ok && (s == "-v" || s == "-R") && i+1 < len(args) && !r.plainVariable(args[i+1]) {
			r.find(idEvaluates, in.node, reasonTestV)
			return
		}
	}
	for i, w := range args {
		if s, _ := w.Const(); s == "-t" && i+1 < len(args) {
			r.zshCalculates(in.node, args[i+1])
		}
	}
	for i, w := range args {
		if s, _ := w.Const(); i > 0 && i+1 < len(args) && comparesNumbers(s) && (r.subscripted(args[i-1]) || r.subscripted(args[i+1])) {
			r.find(idEvaluates, in.node, "compares a value that is an error to most shells, and is calculated by some")
			return
		}
	}
	open := func(i int) bool { return i < len(args) && !args[i].IsConst() && mayBeTestV(args[i]) }
	is := func(i int, ops ...string) bool {
		s, ok := args[i].Const()
		if !ok {
			return false
		}
		for _, op := range ops {
			if s == op {
				return true
			}
		}
		return false
	}
	if len(args) > 2 && is(0, "!") {
		args = args[1:]
	}
	switch len(args) {
	case 0, 1:
		return
	case 2:
		if !open(0) || r.plainVariable(args[1]) {
			return
		}
	case 3:
		if isBinaryTest(args[1]) || !open(0) && !open(1) {
			return
		}
		if s, ok := args[1].Const(); ok && !strings.HasPrefix(s, "-") {
			return
		}
	default:
		if r.testChain(args) {
			return
		}
	}
	r.find(idEvaluates, in.node, "tests a value that is not known where it may be taken for an operator that runs a command")
}

// testChain reports whether a longer test is made of parts that bash can read
// in one way only: simple tests joined by -a and -o, whose unknown values
// cannot be operators.
func (r *run) testChain(args []policy.Word) bool {
	for _, w := range args {
		if !w.IsConst() && mayBeTestV(w) {
			return false
		}
	}
	return true
}

// mayBeTestV reports whether a word that is not known may be, or hold, -v.
func mayBeTestV(w policy.Word) bool {
	if w.Parts == nil {
		return false
	}
	if p := w.Parts[0]; p.Kind == policy.Lit && p.Text != "" && !strings.HasPrefix("-v", p.Text) && !strings.HasPrefix("-R", p.Text) &&
		!strings.HasPrefix("!", p.Text) && !strings.HasPrefix("(", p.Text) {
		for _, q := range w.Parts {
			if q.Kind == policy.Split && q.Shape == policy.ShapeAny || q.Kind == policy.Glob && !w.HasHole() && p.Text == "" {
				return true
			}
		}
		return false
	}
	if len(w.Parts) == 1 && w.Parts[0].Shape != policy.ShapeAny {
		return false
	}
	if p := w.Parts[len(w.Parts)-1]; p.Kind == policy.Lit && p.Text != "" && !w.HasHole() &&
		!strings.HasSuffix("-v", p.Text) && !strings.HasSuffix("-R", p.Text) {
		return false // *.go
	}
	return true
}

func comparesNumbers(s string) bool {
	switch s {
	case "-eq", "-ne", "-lt", "-le", "-gt", "-ge":
		return true
	}
	return false
}

// subscripted reports whether a known text has a subscript that calculating it
// would evaluate.
func (r *run) subscripted(w policy.Word) bool {
	s, ok := w.Const()
	return ok && strings.Contains(s, "[") && !r.numericText(s, 0)
}

func isBinaryTest(w policy.Word) bool {
	s, ok := w.Const()
	if !ok {
		return false
	}
	switch s {
	case "=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef", "-a", "-o":
		return true
	}
	return false
}

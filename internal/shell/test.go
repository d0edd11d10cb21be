package shell

import (
	"slices"
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
	if slices.ContainsFunc(args, func(w policy.Word) bool { return w.MaySplit() && mayBeTestV(w) }) {
		r.find(idEvaluates, in.node, "tests an unquoted value that is not known; it may become an operator that runs a command")
		return
	}
	if slices.ContainsFunc(behind(args, "-v", "-R"), func(w policy.Word) bool { return !r.plainVariable(w) }) {
		r.find(idEvaluates, in.node, reasonTestV)
		return
	}
	for _, w := range behind(args, "-t") {
		r.zshCalculates(in.node, w)
	}
	if r.comparesSubscript(args) {
		r.find(idEvaluates, in.node, "compares a value that is an error to most shells, and is calculated by some")
		return
	}
	if r.mayTestV(args) {
		r.find(idEvaluates, in.node, "tests a value that is not known where it may be taken for an operator that runs a command")
	}
}

// behind returns the words that follow one of some others.
func behind(args []policy.Word, operators ...string) (operands []policy.Word) {
	for i := 1; i < len(args); i++ {
		if s, known := args[i-1].Const(); known && slices.Contains(operators, s) {
			operands = append(operands, args[i])
		}
	}
	return operands
}

// comparesSubscript reports whether a value beside -eq or the like has a subscript.
func (r *run) comparesSubscript(args []policy.Word) bool {
	for i := 1; i+1 < len(args); i++ {
		if s, _ := args[i].Const(); comparesNumbers(s) && (r.subscripted(args[i-1]) || r.subscripted(args[i+1])) {
			return true
		}
	}
	return false
}

// mayTestV reports whether bash may take a value that is not known for -v. Two and
// three words it reads by their number; longer tests are certain only where no
// value can be an operator.
func (r *run) mayTestV(args []policy.Word) bool {
	if len(args) > 2 {
		if s, _ := args[0].Const(); s == "!" {
			args = args[1:]
		}
	}
	switch len(args) {
	case 0, 1:
		return false
	case 2:
		return mayBeTestV(args[0]) && !r.plainVariable(args[1])
	case 3:
		s, known := args[1].Const()
		surely := isBinaryTest(s) || known && !strings.HasPrefix(s, "-")
		return !surely && (mayBeTestV(args[0]) || mayBeTestV(args[1]))
	}
	return slices.ContainsFunc(args, mayBeTestV)
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

func isBinaryTest(s string) bool {
	switch s {
	case "=", "==", "!=", "<", ">", "-nt", "-ot", "-ef", "-a", "-o":
		return true
	}
	return comparesNumbers(s)
}

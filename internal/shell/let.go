package shell

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// let, which calculates each of its operands. It is syntax where the parser
// knows it, and an ordinary builtin elsewhere.

func (r *run) let(c *syntax.LetClause) {
	if r.funcs["let"] != nil {
		r.find(idEvaluates, c, "let is a function of the line")
	}
	r.posixOnly(true, c, "let is a program in sh")
	words := []policy.Word{{Text: "let", Pos: r.at(c.Pos())}}
	sure := true
	for _, x := range c.Exprs {
		if r.may(lateBraces) && strings.HasSuffix(r.source(x), "}") {
			r.find(idZsh, x, "a brace that begins or ends a block in zsh")
		}
		sure = r.operandOfLet(sure, func() bool { return r.letExpr(x) })
		words = append(words, operandWord(r.source(x), r.at(x.Pos())))
	}
	r.emit(policy.Command{Words: words, Pos: r.at(c.Pos())})
}

// operandWord is the word that an operand of let is given as, of which a value without
// quotes may leave nothing.
func operandWord(source string, at policy.Pos) policy.Word {
	kind := policy.Hole
	if strings.ContainsAny(source, "$`") {
		kind = policy.Split
	}
	return policy.Word{Parts: []policy.Part{{Kind: kind, Text: source, Shape: policy.ShapeAny}}, Pos: at}
}

// operandOfLet reads one operand of let, which stops at the first that fails.
// sure says that none before it can. The operand says the same of itself.
func (r *run) operandOfLet(sure bool, operand func() bool) bool {
	m := r.mark()
	can := operand()
	r.keep(m, sure)
	return sure && can
}

// letExpr reads one operand of let. Quotes are removed before it is evaluated.
// It reports whether the operand can't fail.
func (r *run) letExpr(x syntax.ArithmExpr) bool {
	w, ok := x.(*syntax.Word)
	if !ok {
		sure := r.calculates(x)
		r.letQuotes(x)
		r.calculate(x)
		return sure
	}
	if len(w.Parts) == 1 {
		if p, ok := w.Parts[0].(*syntax.ParamExp); ok && !p.Dollar.IsValid() {
			r.arithWord(w) // let x[1]
			return false
		}
	}
	return r.letWord(w, r.single(w))
}

// letQuotes finds quotes in an operand of let, which hide operators.
func (r *run) letQuotes(x syntax.ArithmExpr) {
	r.operands(x, func(w *syntax.Word) {
		if slices.ContainsFunc(w.Parts, isQuoted) && !r.numericValue(r.single(w), 0) {
			r.find(idEvaluates, w, reasonArith)
		}
	})
}

func isQuoted(p syntax.WordPart) bool {
	switch p.(type) {
	case *syntax.SglQuoted, *syntax.DblQuoted:
		return true
	}
	return false
}

// letWord evaluates one operand of let that is not syntax. It reports whether
// the operand can't fail.
func (r *run) letWord(n syntax.Node, w policy.Word) bool {
	s, ok := w.Const()
	if ok {
		name, value, assigns := assignmentText(s)
		if assigns && r.numericText(value, 0) {
			sure := plainNumber(value) && r.assignable(name) && strings.HasPrefix(s, name+"=")
			r.calculated(n, name, sure)
			return sure
		}
		if name := trimStep(s); isName(name) && r.numericVar(name, 0) {
			sure := r.plainVar(name) && r.assignable(name)
			r.calculated(n, name, sure)
			return sure
		}
	}
	if !r.numericValue(w, 0) {
		r.find(idEvaluates, n, reasonArith)
	}
	return ok && plainNumber(s)
}

// assignmentText splits the arithmetic text x=1+2.
func assignmentText(s string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(s, "=")
	name = strings.TrimRight(strings.TrimSpace(name), "+-*/%")
	return name, value, ok && isName(name) && !strings.Contains(value, "=")
}

// trimStep removes ++ and -- from an arithmetic text.
func trimStep(s string) string {
	for _, op := range [...]string{"++", "--"} {
		if t, ok := strings.CutPrefix(s, op); ok {
			return t
		}
		if t, ok := strings.CutSuffix(s, op); ok {
			return t
		}
	}
	return ""
}

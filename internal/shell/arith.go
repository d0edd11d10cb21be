package shell

import (
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// Arithmetic evaluates the values of the variables it names as arithmetic
// again, and an array's subscript in such a value may hold a command
// substitution:
//
//	x='a[$(cmd)]'; echo $((x))
//
// So a calculation is harmless only with values that are known to be numbers,
// or known to be names of such.

const reasonArith = "calculates with a value that is not known to be a number; such a value may run a command"

// calculate does a command that calculates: (( )), let, the parts of a for.
func (r *run) calculate(x syntax.ArithmExpr) { r.expression(x, r.calculates(x)) }

// arith does the arithmetic in a word, which may not be expanded at all.
func (r *run) arith(x syntax.ArithmExpr) { r.expression(x, false) }

// expression reads an arithmetic expression and does its assignments. certain says
// that all of them are done.
func (r *run) expression(x syntax.ArithmExpr, certain bool) {
	for x != nil {
		if !r.spend(1) {
			return
		}
		switch e := x.(type) {
		case *syntax.Word:
			r.arithWord(e)
			return
		case *syntax.ParenArithm:
			x = e.X
		case *syntax.UnaryArithm:
			if e.Op == syntax.Inc || e.Op == syntax.Dec {
				r.expression(e.X, certain)
				r.arithAssign(e.X, certain)
				return
			}
			x = e.X
		case *syntax.BinaryArithm:
			switch e.Op {
			case syntax.Assgn:
				r.expression(e.Y, certain)
				r.arithTarget(e.X)
				r.arithAssign(e.X, certain)
				return
			case syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn, syntax.RemAssgn, syntax.AndAssgn,
				syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn:
				r.expression(e.X, certain)
				r.expression(e.Y, certain)
				r.arithAssign(e.X, certain)
				return
			case syntax.AndBoolAssgn, syntax.OrBoolAssgn, syntax.XorBoolAssgn, syntax.PowAssgn:
				r.find(idNode, e, "an operator that bash does not have")
				return
			}
			// The left side is the long one.
			r.expression(e.Y, certain)
			x = e.X
		case *syntax.FlagsArithm:
			r.find(idNode, e, "a subscript that bash does not have")
			return
		default:
			r.find(idNode, x, "a kind of arithmetic that is not known")
			return
		}
	}
}

// calculated makes a variable a number. Where that is not certain, because the
// calculation may fail or leave the assignment out, it may be what it was.
func (r *run) calculated(n syntax.Node, name string, certain bool) {
	m := r.mark()
	if v := r.get(name); r.may(calculating) && (v == nil || v.set != policy.Yes || v.attrs&arrayAttrs != 0) {
		// To zsh it is an integer for good, unless it is text already.
		integral := blurred(v, policy.ShapeAny)
		integral.attrs |= counted
		r.set(name, integral)
	}
	r.implicit(n, name, hole(policy.ShapeNumber))
	r.keep(m, certain)
}

// calculates reports whether an expression assigns all that it holds and can't
// fail.
func (r *run) calculates(x syntax.ArithmExpr) bool {
	switch e := x.(type) {
	case *syntax.Word:
		return r.plainOperand(e)
	case *syntax.ParenArithm:
		return r.calculates(e.X)
	case *syntax.UnaryArithm:
		if w, ok := e.X.(*syntax.Word); (e.Op == syntax.Inc || e.Op == syntax.Dec) && (!ok || !r.assignable(w.Lit())) {
			return false
		}
		return r.calculates(e.X)
	case *syntax.BinaryArithm:
		switch e.Op {
		case syntax.Assgn:
			w, ok := e.X.(*syntax.Word)
			return ok && r.assignable(w.Lit()) && r.calculates(e.Y)
		case syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn:
			w, ok := e.X.(*syntax.Word)
			return ok && r.assignable(w.Lit()) && r.calculates(e.X) && r.calculates(e.Y)
		case syntax.Add, syntax.Sub, syntax.Mul, syntax.Eql, syntax.Neq, syntax.Lss, syntax.Gtr, syntax.Leq, syntax.Geq, syntax.Comma:
			return r.calculates(e.X) && r.calculates(e.Y)
		}
	}
	return false
}

// plainOperand reports whether an operand is known to be a number that arithmetic
// reads as it is.
func (r *run) plainOperand(w *syntax.Word) bool {
	if len(w.Parts) != 1 {
		return false
	}
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		return plainNumber(p.Value) || isName(p.Value) && r.plainVar(p.Value)
	case *syntax.ParamExp:
		if !p.Dollar.IsValid() || p.Param == nil {
			return false // a subscript may be an error
		}
		return p.Length && p.Index == nil || isPlainParam(p) && (strings.Contains("#?$", p.Param.Value) || r.plainVar(p.Param.Value))
	}
	return false
}

// plainVar reports whether a variable is known to hold a number that
// arithmetic reads as it is.
func (r *run) plainVar(name string) bool {
	v := r.get(name)
	if v == nil || v.attrs&arrayAttrs != 0 {
		return v == nil && r.counts(name)
	}
	if s, ok := v.value.Const(); ok {
		return v.set == policy.No || s == "" || plainNumber(s)
	}
	return shapeOf(v.value) == policy.ShapeNumber
}

// arithTarget reads the subscript of what is assigned to.
func (r *run) arithTarget(x syntax.ArithmExpr) {
	w, ok := x.(*syntax.Word)
	if !ok {
		return
	}
	for _, p := range w.Parts {
		if pe, ok := p.(*syntax.ParamExp); ok && pe.Index != nil && pe.Param != nil {
			r.arithSubscript(r.get(pe.Param.Value), pe.Index)
		} else if _, ok := p.(*syntax.Lit); !ok {
			r.arithWord(w)
			return
		}
	}
}

// arithAssign makes the variable that an expression assigns to a number.
func (r *run) arithAssign(x syntax.ArithmExpr, certain bool) {
	w, ok := x.(*syntax.Word)
	if !ok || len(w.Parts) != 1 {
		r.find(idEvaluates, x, "assigns to a variable whose name is not known")
		return
	}
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		if isName(p.Value) {
			r.calculated(p, p.Value, certain)
			return
		}
	case *syntax.ParamExp:
		if !p.Dollar.IsValid() && p.Param != nil && isName(p.Param.Value) {
			r.implicitElement(p, p.Param.Value)
			return
		}
	}
	r.find(idEvaluates, x, "assigns to a variable whose name is not known")
}

// arrayOf is an array of which no element is known.
func arrayOf(v *variable) *variable {
	return &variable{set: policy.Maybe, blur: true, attrs: v.array().attrs}
}

// arithWord reads one operand.
func (r *run) arithWord(w *syntax.Word) {
	if len(w.Parts) == 1 {
		switch p := w.Parts[0].(type) {
		case *syntax.Lit:
			if !r.numericText(p.Value, 0) {
				r.find(idEvaluates, w, reasonArith)
			}
			return
		case *syntax.ParamExp:
			if !p.Dollar.IsValid() && p.Param != nil {
				if !r.numericElements(p) {
					r.find(idEvaluates, w, reasonArith)
				}
				return
			}
		}
	}
	for _, p := range w.Parts {
		if q, ok := p.(*syntax.SglQuoted); ok && (q.Dollar || strings.ContainsAny(q.Value, "$`\\[\"")) {
			r.find(idGuard, q, "single quotes that quote nothing, because they stand in arithmetic")
		}
	}
	v := r.single(w)
	if !r.numericValue(v, 0) {
		r.find(idEvaluates, w, reasonArith)
	}
}

// arithWords reads the words of an expression that is not calculated.
func (r *run) arithWords(x syntax.ArithmExpr) {
	r.operands(x, func(w *syntax.Word) { r.single(w) })
}

// operands does something with each operand of an expression.
func (r *run) operands(x syntax.ArithmExpr, does func(*syntax.Word)) {
	switch e := x.(type) {
	case *syntax.Word:
		does(e)
	case *syntax.ParenArithm:
		r.operands(e.X, does)
	case *syntax.UnaryArithm:
		r.operands(e.X, does)
	case *syntax.BinaryArithm:
		r.operands(e.X, does)
		r.operands(e.Y, does)
	case *syntax.FlagsArithm:
		r.find(idNode, e, "a subscript that bash does not have")
	}
}

// numericElements reads a[i] in arithmetic and reports whether its value is
// known to be a number.
func (r *run) numericElements(pe *syntax.ParamExp) bool {
	v := r.get(pe.Param.Value)
	if pe.Index != nil && wholeArray(pe.Index) == 0 {
		r.arithSubscript(v, pe.Index)
	}
	return r.numericVar(pe.Param.Value, 0)
}

// arithSubscript reads a subscript in arithmetic, which expands the keys of an
// associative array a second time.
func (r *run) arithSubscript(v *variable, x syntax.ArithmExpr) {
	if v == nil || v.attrs&assoc == 0 {
		r.subscript(v, x)
		return
	}
	if !r.plainIndex(v, x) {
		r.find(idEvaluates, x, "calculates with an element whose subscript is not known; it may run a command")
	}
}

// plainIndex reads a subscript and reports whether it is known and harmless to
// expand again.
func (r *run) plainIndex(v *variable, x syntax.ArithmExpr) bool {
	w, ok := x.(*syntax.Word)
	if !ok {
		r.arithWords(x)
		_, known := r.constant(x)
		return known
	}
	value := r.single(w)
	s, ok := value.Const()
	return ok && r.plainSubscript(v, s) || shapeOf(value).Numeric()
}

// numericValue reports whether a value is known to be a number or a harmless
// expression.
func (r *run) numericValue(v policy.Word, depth int) bool {
	if v.Parts == nil {
		return r.numericText(v.Text, depth)
	}
	for i, p := range v.Parts {
		switch {
		case p.Kind == policy.Lit && i == 0:
			if !r.numericText(p.Text, depth) || i+1 < len(v.Parts) && endsInName(p.Text) {
				return false
			}
		case p.Kind == policy.Lit:
			// A name may begin in the number before it: 10#x is a number.
			if !isHarmlessArith(p.Text) {
				return false
			}
		case !p.Shape.Numeric():
			return false
		}
	}
	return true
}

// endsInName reports whether a text ends in a name, which what follows may make
// another one: a$# may be a0.
func endsInName(s string) bool {
	word := s[len(strings.TrimRightFunc(s, func(c rune) bool { return c < 0x80 && isNameByte(byte(c)) })):]
	return word != "" && !(word[0] >= '0' && word[0] <= '9')
}

// isHarmlessArith reports whether a text has digits and operators only.
func isHarmlessArith(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && strings.IndexByte(" +-*/%()<>&|^~,:?!", c) < 0 {
			return false
		}
	}
	return true
}

// numericText reports whether evaluating a text as arithmetic can do nothing
// but calculate.
func (r *run) numericText(s string, depth int) bool {
	if depth > 4 || len(s) > 256 {
		return false
	}
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			for i < len(s) && (isNameByte(s[i]) || s[i] == '#' || s[i] == '@' || s[i] == '.') {
				i++
			}
		case isNameByte(c):
			j := i
			for j < len(s) && isNameByte(s[j]) {
				j++
			}
			if !r.numericVar(s[i:j], depth+1) {
				return false
			}
			i = j
		case c == '=':
			if i+1 < len(s) && s[i+1] == '=' {
				i += 2
			} else if i > 0 && strings.IndexByte("<>!", s[i-1]) >= 0 {
				i++
			} else {
				return false
			}
		case (c == '+' || c == '-') && i+1 < len(s) && s[i+1] == c:
			return false // changes a variable
		case strings.IndexByte(" \t\n+-*/%()<>&|^~,:?!", c) >= 0:
			i++
		default:
			return false
		}
	}
	return true
}

// numericVar reports whether a variable's value is known to be harmless in
// arithmetic.
func (r *run) numericVar(name string, depth int) bool {
	v := r.get(name)
	switch {
	case v == nil:
		return shapeOf(r.environment(name)) == policy.ShapeNumber
	case v.set == policy.No, v.sure&integer != 0 && r.surely(calculating): // which calculates what is there already
		return true
	case v.attrs&arrayAttrs != 0:
		if v.blur {
			return false
		}
		for _, e := range v.elems {
			if s, ok := e.value.Const(); ok && !r.numericText(s, depth) || !ok && !shapeOf(e.value).Numeric() {
				return false
			}
		}
		return true
	}
	if s, ok := v.value.Const(); ok {
		return r.numericText(s, depth)
	}
	return r.numericValue(v.value, depth)
}

// plainSubscript reports whether the text of a subscript that bash evaluates
// later can do nothing but name an element.
func (r *run) plainSubscript(v *variable, s string) bool {
	if s == "@" || s == "*" || policy.IsNumber(s) {
		return true
	}
	if strings.ContainsAny(s, "$`\\'\"[]") {
		return false
	}
	if v != nil && v.attrs&assoc != 0 {
		return true
	}
	return r.numericText(s, 0)
}

// constant calculates what it can of an expression.
func (r *run) constant(x syntax.ArithmExpr) (int, bool) {
	switch e := x.(type) {
	case *syntax.Word:
		if len(e.Parts) != 1 {
			return 0, false
		}
		switch p := e.Parts[0].(type) {
		case *syntax.Lit:
			if isName(p.Value) {
				return r.constantVar(p.Value)
			}
			return atoi(p.Value)
		case *syntax.ParamExp:
			if p.Dollar.IsValid() && p.Param != nil && isPlainParam(p) {
				return r.constantVar(p.Param.Value)
			}
		case *syntax.ArithmExp:
			return r.constant(p.X)
		case *syntax.DblQuoted:
			if len(p.Parts) == 1 {
				return r.constant(&syntax.Word{Parts: p.Parts})
			}
		}
	case *syntax.ParenArithm:
		return r.constant(e.X)
	case *syntax.UnaryArithm:
		n, ok := r.constant(e.X)
		switch e.Op {
		case syntax.Minus:
			return -n, ok
		case syntax.Plus:
			return n, ok
		}
	case *syntax.BinaryArithm:
		const limit = 1 << 20
		a, ok1 := r.constant(e.X)
		b, ok2 := r.constant(e.Y)
		if !ok1 || !ok2 || max(a, -a, b, -b) > limit {
			return 0, false
		}
		switch e.Op {
		case syntax.Add:
			return a + b, true
		case syntax.Sub:
			return a - b, true
		case syntax.Mul:
			return a * b, true
		}
	}
	return 0, false
}

// isPlainParam reports whether an expansion is $x, or ${x} and no more.
func isPlainParam(p *syntax.ParamExp) bool {
	return p.Short || !p.Excl && !p.Length && p.Index == nil && p.Slice == nil && p.Repl == nil && p.Exp == nil && p.Names == 0 && p.Flags == nil
}

func (r *run) constantVar(name string) (int, bool) {
	p := r.lookup(name)
	if p.list || p.set != policy.Yes {
		return 0, false
	}
	s, ok := p.vals[0].Const()
	if !ok {
		return 0, false
	}
	return atoi(s)
}

// atoi reads a decimal number that no shell takes for an octal one.
func atoi(s string) (int, bool) {
	if len(s) > 1 && s[0] == '0' || len(s) > 9 {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && s[0] != '+'
}

// calculable reports whether an expression cannot fail. One that fails makes
// bash give up on the rest of the line.
func (r *run) calculable(x syntax.ArithmExpr) bool {
	switch e := x.(type) {
	case *syntax.Word:
		return r.plainOperand(e)
	case *syntax.ParenArithm:
		return r.calculable(e.X)
	case *syntax.UnaryArithm:
		return r.calculable(e.X)
	case *syntax.BinaryArithm:
		switch e.Op {
		case syntax.Add, syntax.Sub, syntax.Mul, syntax.Eql, syntax.Neq, syntax.Lss, syntax.Gtr, syntax.Leq, syntax.Geq,
			syntax.AndArit, syntax.OrArit:
			return r.calculable(e.Y) && r.calculable(e.X)
		case syntax.Quo, syntax.Rem:
			if w, ok := e.Y.(*syntax.Word); ok && len(w.Parts) == 1 {
				if l, ok := w.Parts[0].(*syntax.Lit); ok {
					n, ok := atoi(l.Value)
					return ok && n != 0 && r.calculable(e.X)
				}
			}
		}
	}
	return false
}

// plainNumber reports whether arithmetic gives a number back as it is written.
func plainNumber(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	return isDigits(digits) && len(digits) <= 18 && (digits[0] != '0' || s == "0")
}

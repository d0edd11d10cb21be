package python

// Operator is what stands between or before operands.
type Operator uint8

const (
	Add Operator = iota
	Sub
	Mult
	MatMult
	Div
	Mod
	Pow
	LShift
	RShift
	BitOr
	BitXor
	BitAnd
	FloorDiv

	And
	Or

	Invert
	Not
	UAdd
	USub

	Eq
	NotEq
	Lt
	LtE
	Gt
	GtE
	Is
	IsNot
	In
	NotIn
)

// lowest binds its operands the least of the operators between two operands.
const lowest = 1

// operation says what an operator between two operands is, and how strongly
// it binds them; 0 is none. Pow is not among them, as it binds to the right.
func operation(t *token) (op Operator, strength int) {
	if t.kind == mark {
		switch t.text {
		case "|":
			return BitOr, lowest
		case "^":
			return BitXor, 2
		case "&":
			return BitAnd, 3
		case "<<":
			return LShift, 4
		case ">>":
			return RShift, 4
		case "+":
			return Add, 5
		case "-":
			return Sub, 5
		case "*":
			return Mult, 6
		case "/":
			return Div, 6
		case "//":
			return FloorDiv, 6
		case "%":
			return Mod, 6
		case "@":
			return MatMult, 6
		}
	}
	return 0, 0
}

// comparator reads an operator that compares, if one comes next.
func (p *parser) comparator() (op Operator, ok bool) {
	t := p.token()
	if t.kind != mark {
		return 0, false
	}
	switch t.text {
	case "==":
		op = Eq
	case "!=":
		op = NotEq
	case "<":
		op = Lt
	case "<=":
		op = LtE
	case ">":
		op = Gt
	case ">=":
		op = GtE
	case "in":
		op = In
	case "is":
		op = Is
		if p.after().is("not") {
			p.next++
			op = IsNot
		}
	case "not":
		if !p.after().is("in") {
			return 0, false
		}
		p.next++
		op = NotIn
	default:
		return 0, false
	}
	p.next++
	return op, true
}

// augmented is the operator of an assignment like +=, if the token is one.
func augmented(t *token) (op Operator, ok bool) {
	n := len(t.text) - 1
	if t.kind != mark || n < 1 || t.text[n] != '=' {
		return 0, false
	}
	operator := token{kind: mark, text: t.text[:n]}
	if operator.text == "**" {
		return Pow, true
	}
	op, strength := operation(&operator)
	return op, strength > 0
}

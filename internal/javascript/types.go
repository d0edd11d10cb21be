package javascript

import (
	"bytes"

	"github.com/tdewolff/parse/v2/js"
)

// The same text may be run with types and without: Node reads types in files that end
// so, where --input-type says so, and where it can't make anything else of a text;
// Bun and Deno read them always. Nearly all JavaScript is the same for both. What is
// not has < and > around what may be a type, and behind that what may follow one:
//
//	f<a, b>(c)
//
// Between such signs stands no operator that types do not have, and no bracket is
// opened or closed alone. A text that has them is one that means two things.

// apart reads what stands in brackets, or by itself: signs in it and around it are none
// of a pair.
func (r *reader) apart(read func()) {
	open := r.open
	r.open = false
	read()
	r.open = open
}

// operator looks at the operator of an expression of which the left side was read, and
// which begins at start or behind it.
func (r *reader) operator(e *js.BinaryExpr, start int) {
	switch e.Op {
	case js.LtToken, js.LtLtToken:
		r.open = true
	case js.GtToken, js.GtGtToken, js.GtGtGtToken, js.GtEqToken:
		if r.open && (e.Op == js.GtEqToken || !beginsPlainly(e.Y) || endsLine(r.source[start:])) {
			r.fail("read in another way where there are types")
		}
	case js.BitOrToken, js.BitAndToken: // types have these
	default:
		r.open = false
	}
}

// beginsPlainly reports whether the first word of an expression is a name, a number or a
// text, which do not follow types in the same line.
func beginsPlainly(e js.IExpr) bool {
	switch e := e.(type) {
	case *js.Var:
		return true
	case *js.LiteralExpr:
		return e.TokenType != js.RegExpToken
	case *js.BinaryExpr:
		return beginsPlainly(e.X)
	case *js.CondExpr:
		return beginsPlainly(e.Cond)
	case *js.CallExpr:
		return beginsPlainly(e.X)
	case *js.DotExpr:
		return beginsPlainly(e.X)
	case *js.IndexExpr:
		return beginsPlainly(e.X)
	case *js.TemplateExpr:
		return e.Tag != nil && beginsPlainly(e.Tag)
	}
	return false
}

// endsLine reports whether a > stands at the end of a line, or before a comment, in which
// a line may end.
func endsLine(text []byte) bool {
	for {
		_, rest, found := bytes.Cut(text, []byte(">"))
		if !found {
			return false
		}
		if next := bytes.TrimLeft(rest, "> \t\v\f"); len(next) > 0 && (next[0] == '\n' || next[0] == '\r' || next[0] == '/' || next[0] >= 0x80) {
			return true
		}
		text = rest
	}
}

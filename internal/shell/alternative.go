package shell

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// defaults expands ${x:-word} and its kin. The word is read even where it does
// not count.
func (r *run) defaults(b *builder, pe *syntax.ParamExp, p param, ctx context, src string) {
	op, word := pe.Exp.Op, pe.Exp.Word
	inner := ctx.ofWord()
	has := p.set
	switch op {
	case syntax.DefaultUnsetOrNull, syntax.AlternateUnsetOrNull, syntax.AssignUnsetOrNull, syntax.ErrorUnsetOrNull:
		has = notEmpty(p)
	}
	alternate := isAlternate(op)
	if op == syntax.ErrorUnset || op == syntax.ErrorUnsetOrNull {
		r.required(b, pe, p, has, ctx, src)
		return
	}
	if inner == defaulted && r.zshDefault(word) {
		r.discard(word, inner)
		b.part(policy.Part{Kind: policy.Split, Text: src})
		if isAssigning(op) {
			r.assignTo(pe, hole(policy.ShapeAny))
		}
		return
	}
	switch {
	case has == policy.Maybe:
		r.mayTake(b, pe, p, ctx, src)
	case alternate == (has == policy.Yes):
		r.takes(b, pe, ctx, src)
	default:
		r.discard(word, inner)
		if !alternate {
			r.addParam(b, p, ctx, src)
		}
	}
}

// isAlternate reports whether an expansion is ${x+word} or ${x:+word}.
func isAlternate(op syntax.ParExpOperator) bool {
	return op == syntax.AlternateUnset || op == syntax.AlternateUnsetOrNull
}

// isAssigning reports whether an expansion is ${x=word} or ${x:=word}.
func isAssigning(op syntax.ParExpOperator) bool {
	return op == syntax.AssignUnset || op == syntax.AssignUnsetOrNull
}

// mayTake puts what is known of the parameter and of the word in the place of an
// expansion.
func (r *run) mayTake(b *builder, pe *syntax.ParamExp, p param, ctx context, src string) {
	word := pe.Exp.Word
	v := r.defaultValue(word, ctx.ofWord())
	if isAssigning(pe.Exp.Op) {
		m := r.mark()
		r.assignTo(pe, v)
		r.either(m)
	}
	if p.list || listed(word) {
		b.part(policy.Part{Kind: policy.Split, Text: src})
		return
	}
	shape := policy.ShapeAny
	if !isAlternate(pe.Exp.Op) {
		shape = joinShape(shapeOf(p.vals[0]), shapeOf(v))
	}
	value := hole(shape)
	if text, known := v.Const(); known && text != "" && !strings.ContainsAny(text, "*?[]{}()\\|!~") {
		value.Parts[0].Match = text // one of the values that it may have
	}
	r.add(b, value, ctx, src)
}

// takes puts the word of an expansion in its place.
func (r *run) takes(b *builder, pe *syntax.ParamExp, ctx context, src string) {
	word, inner := pe.Exp.Word, ctx.ofWord()
	if isAssigning(pe.Exp.Op) {
		// The word that the expansion stands in may not be expanded.
		v := r.defaultValue(word, inner)
		m := r.mark()
		r.assignTo(pe, v)
		r.either(m)
		r.add(b, v, ctx, src)
		return
	}
	if listed(word) {
		r.defaultValue(word, inner)
		b.part(policy.Part{Kind: policy.Split, Text: src})
		return
	}
	if word != nil {
		nested := b.nested
		b.nested = inner == quoted
		r.parts(b, word.Parts, inner)
		b.nested = nested
		if inner == quoted {
			b.open = true
		}
	}
}

// required expands ${x?word}, which gives up where there is no value.
func (r *run) required(b *builder, pe *syntax.ParamExp, p param, has policy.Tri, ctx context, src string) {
	r.discard(pe.Exp.Word, ctx.ofWord())
	if has != policy.Yes {
		r.abort()
	}
	if has == policy.No {
		r.add(b, hole(policy.ShapeAny), ctx, src)
	} else {
		r.addParam(b, p, ctx, src)
	}
}

// listed reports whether a word may be several in quotes, for it holds a list.
func listed(w *syntax.Word) bool {
	if w == nil {
		return false
	}
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.ParamExp:
			if isList(p) || p.Exp != nil && listed(p.Exp.Word) {
				return true
			}
		case *syntax.DblQuoted:
			if listed(&syntax.Word{Parts: p.Parts}) {
				return true
			}
		}
	}
	return false
}

// notEmpty reports whether a parameter is set and not empty.
func notEmpty(p param) policy.Tri {
	if p.set == policy.No {
		return policy.No
	}
	if p.list {
		return policy.Maybe
	}
	v := p.vals[0]
	if s, ok := v.Const(); ok {
		if s == "" {
			return policy.No
		}
		return p.set
	}
	for _, part := range v.Parts {
		if part.Kind == policy.Lit || part.Shape != policy.ShapeAny {
			return p.set
		}
	}
	return policy.Maybe
}

// defaultValue resolves the word of an expansion to one value.
func (r *run) defaultValue(w *syntax.Word, ctx context) policy.Word {
	if w == nil {
		return policy.Word{}
	}
	b := r.builder(w)
	b.nested = ctx == quoted
	r.parts(&b, w.Parts, ctx)
	return b.word()
}

// discard reads a word whose value does not count: it may not be expanded.
func (r *run) discard(w *syntax.Word, ctx context) {
	m := r.mark()
	r.defaultValue(w, ctx)
	r.either(m)
}

func (r *run) assignTo(pe *syntax.ParamExp, v policy.Word) {
	name := pe.Param.Value
	if pe.Index != nil || !isName(name) || isDigits(name) {
		r.abort()
		if isName(name) {
			r.changed(pe, policy.Assign{Name: name, Value: hole(policy.ShapeAny)})
			if !r.numericValue(v, 0) {
				v = hole(policy.ShapeAny)
			}
			r.given(pe, name, v, true)
			r.hold(name, blurred(r.get(name), policy.ShapeAny))
		}
		return
	}
	r.implicit(pe, name, v)
}

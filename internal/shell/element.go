package shell

import (
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// This file holds the elements of arrays, and the parameters that another one
// names.

// element returns what ${name[index]} holds.
func (r *run) element(pe *syntax.ParamExp, name string) param {
	v := r.get(name)
	if sign := wholeArray(pe.Index); sign != 0 {
		p := unknownList()
		switch {
		case v == nil || v.blur:
		case v.attrs&arrayAttrs == 0:
			if v.set == policy.Yes {
				p = param{vals: []policy.Word{v.value}, list: true, set: policy.Yes}
			}
		case v.attrs&assoc != 0 && len(v.elems) > 1: // in an order of its own
		default:
			p = param{list: true, set: policy.No}
			if len(v.elems) > 0 {
				p.set = policy.Yes
			}
			for _, e := range v.elems {
				p.vals = append(p.vals, e.value)
			}
		}
		p.star = sign == '*'
		return p
	}
	key, known := r.subscript(v, pe.Index)
	if !known || strings.HasPrefix(key, "-") {
		r.abort()
	}
	switch {
	case r.may(oneBased), v == nil, v.blur, !known:
		return unknown()
	case v.attrs&arrayAttrs == 0:
		if key == "0" && v.set == policy.Yes {
			return scalar(v.value, policy.Yes)
		}
		return unknown()
	}
	if v.attrs&assoc == 0 && strings.HasPrefix(key, "-") {
		n, _ := strconv.Atoi(key)
		if len(v.elems) > 0 {
			last, _ := strconv.Atoi(v.elems[len(v.elems)-1].key)
			key = strconv.Itoa(last + 1 + n)
		}
	}
	return v.element(key)
}

// keys returns what ${!name[@]} is.
func (r *run) keys(name string) param {
	v := r.get(name)
	if v == nil || v.blur || v.attrs&arrayAttrs == 0 {
		return unknownList()
	}
	p := param{list: true, set: policy.Yes}
	for _, e := range v.elems {
		p.vals = append(p.vals, policy.Const(e.key))
	}
	if v.attrs&assoc != 0 && len(p.vals) > 1 {
		return unknownList() // in an order of its own
	}
	return p
}

// subscript evaluates the index of an array's element.
func (r *run) subscript(v *variable, x syntax.ArithmExpr) (key string, known bool) {
	if v != nil && v.attrs&assoc != 0 && !r.may(oneBased) {
		if w, ok := x.(*syntax.Word); ok {
			return r.mapKey(w)
		}
		r.arithWords(x)
		return "", false
	}
	r.arith(x)
	n, ok := r.constant(x)
	if !ok {
		return "", false
	}
	return strconv.Itoa(n), true
}

// mapKey is the key of a table's element. Blanks before and behind it, which the parser
// drops, are part of it.
func (r *run) mapKey(w *syntax.Word) (key string, known bool) {
	key, known = r.single(w).Const()
	from, to := int(w.Pos().Offset()), int(w.End().Offset())
	bare := from > 0 && to < len(r.src.text) && r.src.text[from-1] == '[' && r.src.text[to] == ']'
	return key, known && bare
}

// indirect returns what ${!x} is.
func (r *run) indirect(pe *syntax.ParamExp) param {
	name := pe.Param.Value
	if name == "#" && !r.surely(shellNumbers) {
		return unknown() // ${!#} is $! to other shells than bash, with an operator
	}
	var p param
	if pe.Index != nil {
		p = r.element(pe, name)
	} else {
		p = r.lookup(name)
	}
	r.abort()
	if p.list || p.lost {
		r.find(idEvaluates, pe, "expands a variable whose name is not known")
		return unknownList()
	}
	target, ok := p.vals[0].Const()
	switch {
	case !ok && shapeOf(p.vals[0]) == policy.ShapeNumber:
		return unknown()
	case !ok:
		r.find(idEvaluates, pe, "expands a variable whose name is not known; a name can hold a command substitution")
		return unknownList()
	case isName(target) || isDigits(target):
		return r.lookup(target)
	}
	base, index, ok := strings.Cut(target, "[")
	index, closed := strings.CutSuffix(index, "]")
	if !ok || !closed || !isName(base) || !r.plainSubscript(r.get(base), index) {
		r.find(idEvaluates, pe, "expands "+policy.Quote(target)+", which may run a command")
		return unknownList()
	}
	v := r.get(base)
	if v != nil && !v.blur && v.attrs&arrayAttrs != 0 {
		if value, set := v.at(index); set {
			return scalar(value, policy.Yes)
		}
	}
	return unknownList()
}

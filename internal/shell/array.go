package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// This file holds the values of arrays as texts write them.

// array reads (a b [3]=c). What is right behind the parenthesis makes it one
// word, which is no array, to bash.
func (r *run) array(x *syntax.ArrayExpr, name string, old *variable, extra attrs, add bool) *variable {
	rest := r.src.text[x.End().Offset():]
	if rest != "" && !strings.ContainsRune(" \t\n;&|<>)`", rune(rest[0])) {
		r.find(idGuard, x, "text right after an array, with which it is one word to bash and no array")
	}
	r.zshAssign(x, name)
	v := r.newArray(old, extra, add)
	isMap := v.attrs&assoc != 0
	next := 0
	if n := len(v.elems); n > 0 && !isMap {
		last, _ := strconv.Atoi(v.elems[n-1].key)
		next = last + 1
	}
	r.spend(len(v.elems) / 4)
	pending := "" // the key of a map's next value: (key value key value)
	paired, keyed := false, false
	for _, e := range x.Elems {
		r.arrayPattern(e)
		if e.Index != nil {
			next, keyed = r.keyedElement(v, name, e, next), true
			continue
		}
		if e.Value == nil {
			continue
		}
		for _, w := range r.wordIn(nil, e.Value, true) {
			r.elementValue(v, name, e, w)
			if r.may(namedPlaces) && hasPlaces(w) {
				w = hole(policy.ShapeAny) // zsh expands (:~) as if it were assigned
			}
			if w.MaySplit() || isMap && mayBrace(e.Value) || r.may(unsplit) && !w.IsConst() && unquotedHole(e.Value) { // which is no element to zsh, if it is empty; bash expands no braces in a map
				v.blur = true
				r.tell(name, w)
				continue
			}
			if isMap {
				w = r.mapValue(name, e.Value, w)
				s, known := w.Const()
				if paired {
					v.elems = putElement(v.elems, pending, w, true)
				} else if !known {
					v.blur = true
				}
				pending, paired = s, !paired
				continue
			}
			w.Pos = policy.Pos{}
			switch {
			case keyed:
				v.elems = putElement(v.elems, strconv.Itoa(next), w, false)
			case len(v.elems) <= maxElems:
				v.elems = append(v.elems, element{strconv.Itoa(next), w})
			}
			next++
		}
	}
	if len(v.elems) > maxElems {
		v.elems, v.blur = nil, true
	}
	v.blur = v.blur || paired // the last key has an empty value, or is an error to older versions
	return v
}

// newArray is the array before its elements: empty, or what += adds to.
func (r *run) newArray(old *variable, extra attrs, add bool) *variable {
	was := old.array()
	v := &variable{set: policy.Yes, attrs: was.attrs}
	wasIndexed := old != nil && old.attrs&indexed != 0
	if extra&assoc != 0 {
		v.attrs = v.attrs&^indexed | assoc
	}
	v.attrs |= extra
	if wasIndexed {
		v.attrs = calculated(v.attrs) // bash does not convert it
	}
	if r.f.allExport {
		v.attrs |= exported
	}
	if add {
		v.elems, v.blur = slices.Clone(was.elems), was.blur
	}
	return v
}

// array is a variable as the array that an element is put into: a text is its first
// element.
func (v *variable) array() *variable {
	if v == nil {
		return &variable{set: policy.Yes, attrs: indexed, blur: true} // the environment may have it
	}
	a := *v
	a.set = policy.Yes
	if v.attrs&arrayAttrs == 0 {
		a.attrs, a.blur = v.attrs|indexed, v.set == policy.Maybe
		if v.set == policy.Yes {
			a.elems = []element{{"0", v.value}}
		}
	}
	return &a
}

// keyedElement reads [key]=value and returns the place of the element after it.
func (r *run) keyedElement(v *variable, name string, e *syntax.ArrayElem, next int) int {
	if e.Value != nil && !strings.HasSuffix(r.src.text[:min(int(e.Value.Pos().Offset()), len(r.src.text))], "=") {
		r.find(idGuard, e, "an element after a blank, which may be one of its own")
	}
	key, known := "", false
	isMap := v.attrs&assoc != 0
	word, isWord := e.Index.(*syntax.Word)
	switch {
	case isMap && isWord && !r.may(oneBased):
		key, known = r.mapKey(word)
	case isMap && !r.may(oneBased):
		r.arithWords(e.Index)
	default:
		r.subscriptQuotes(nil, e.Index)
		r.arith(e.Index)
		if !isMap {
			var n int
			n, known = r.constant(e.Index)
			known = known && n >= 0 // from the end otherwise
			key, next = strconv.Itoa(n), n+1
			known = known && !r.may(oneBased) // which fills what is between
		}
	}
	var value policy.Word
	if isMap {
		value = r.mapValue(name, e.Value, r.single(e.Value))
	} else {
		value = r.assigned(e.Value)
	}
	r.elementValue(v, name, e, value)
	if e.Value != nil && mayBrace(e.Value) && r.may(earlyBraces) {
		v.blur = true // ([1]={a,b}) are two words to bash, and no [1]
	} else if known {
		v.elems = putElement(v.elems, key, value, isMap)
	} else {
		v.blur = true
	}
	return next
}

// mapValue is a value of a map, in which "~" is a home to some versions only.
func (r *run) mapValue(name string, w *syntax.Word, value policy.Word) policy.Word {
	if w == nil || !strings.HasPrefix(r.source(w), "~") {
		return value
	}
	r.tell(name, value)
	return hole(policy.ShapeAny)
}

// arrayPattern finds a pattern like @(a|b) as an array's element when lines
// follow. Where extglob is off it is a syntax error, and this is the one place
// where bash does not give up then: it drops the line and reads on from the
// next one, which may be within quotes to us.
func (r *run) arrayPattern(e *syntax.ArrayElem) {
	if e.Value == nil {
		return
	}
	for _, p := range e.Value.Parts {
		if _, ok := p.(*syntax.ExtGlob); ok && strings.Contains(r.src.text[e.Value.Pos().Offset():], "\n") {
			r.find(idGuard, e.Value, "a pattern in an array, after which bash may read the next line on its own")
			return
		}
	}
}

// elementValue checks a value for the attributes of its array.
func (r *run) elementValue(v *variable, name string, n syntax.Node, value policy.Word) {
	r.given(n, name, value, true)
	if v.attrs&integer != 0 && !r.numericValue(value, 0) {
		r.find(idEvaluates, n, reasonArith)
	}
	if v.attrs&(lower|upper|integer) != 0 {
		v.blur = true
	}
}

// putElement puts a value at a key, in order for an indexed array.
func putElement(elems []element, key string, value policy.Word, isMap bool) []element {
	if len(elems) > maxElems {
		return elems // too many to be known; see array and setElement
	}
	value.Pos = policy.Pos{}
	out := make([]element, 0, len(elems)+1)
	done := false
	n, _ := strconv.Atoi(key)
	for _, e := range elems {
		if e.key == key {
			e.value, done = value, true
		} else if !isMap && !done {
			if i, _ := strconv.Atoi(e.key); i > n {
				out = append(out, element{key, value})
				done = true
			}
		}
		out = append(out, e)
	}
	if !done {
		out = append(out, element{key, value})
	}
	return out
}

// setElement assigns to one element of an array.
func (r *run) setElement(n syntax.Node, name, key string, known bool, value policy.Word, add bool) {
	r.given(n, name, value, true)
	old := r.get(name)
	v := old.array()
	if old == nil && r.surely(newArrays) {
		v.blur = false
	}
	if v.attrs&readonly != 0 {
		r.abort()
		v.blur = true
	}
	if v.attrs&(integer|counted|lower|upper) != 0 || strings.HasPrefix(key, "-") && v.attrs&assoc == 0 {
		known = false
	}
	if known && add {
		cur, _ := v.at(key)
		value = concat(cur, value)
	}
	if r.may(oneBased) && v.attrs&assoc == 0 || r.volatile(name) {
		known = false // zsh counts from 1, and changes characters of a string
	}
	if !known || v.blur || len(v.elems) > maxElems {
		v.blur, v.elems = true, nil
	} else {
		v.elems = putElement(v.elems, key, value, v.attrs&assoc != 0)
	}
	r.hold(name, v)
}

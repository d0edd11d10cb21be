package javascript

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/javascript"
	"github.com/bashgate/bashgate/policy"
)

// What functions and operators make of nothing but constants of the text, and words of its
// line, is the text's own. As long as it is known it may be the name of a file, as any other
// constant. Else, where the text reads by such a name, a person is asked.
//
// A constant that stands in the text is noted as a name, so that one of many of them, of
// which it is not known which one, hides nothing. So it is with the digits of numbers.

// literal is a constant of the text.
func literal(kind, text string) code.Value {
	v := code.Const(kind, text)
	v[0].Made = true
	return v
}

// made is something of a type that the text makes, of which no more is known.
func made(kind string) code.Value { return code.Value{{Type: kind, Made: true}} }

// ofKind is something of a type, made by the text or not.
func ofKind(kind string, own bool) code.Value {
	if own && !isPlace(kind) && kind != "none" {
		return made(kind)
	}
	return code.Of(kind)
}

// behindOwn reports whether a text that is put together of two, and of which more is known
// or not, has something in it that is the text's own.
func behindOwn(a, b *code.Shape, known bool) bool {
	if known {
		return a.Made || b.Made
	}
	return a.Hides() || b.Hides() || a.IsWhole() && b.IsWhole()
}

func isConst(s *code.Shape) bool { return s.Word != nil && s.Word.IsConst() && s.Type != "Cwd" }

// joinedTo is what is put together of two texts.
func joinedTo(v code.Value, a, b *code.Shape) code.Value {
	v = slices.Clone(v)
	for i := range v {
		v[i].Made = v[i].Kind == code.Object && v[i].Box == nil && v[i].Type != "Cwd" && behindOwn(a, b, v[i].Word != nil)
	}
	return v
}

// isOwn reports whether something that a value may be is the text's own, or holds that.
func isOwn(v code.Value) bool {
	return slices.ContainsFunc(v, func(s code.Shape) bool { return holdsOwn(&s, 0) })
}

func holdsOwn(s *code.Shape, depth int) bool {
	if s.Kind != code.Object {
		return false
	}
	if s.Box == nil || s.Made {
		return s.IsWhole()
	}
	return depth < 4 && slices.ContainsFunc(s.Box.Any, func(item code.Shape) bool { return holdsOwn(&item, depth+1) })
}

// isNothing reports whether a value has no text of which a function could make one.
func isNothing(v code.Value) bool {
	return !slices.ContainsFunc(v, func(s code.Shape) bool {
		return s.Kind == code.Object && s.Type != "none" && s.Type != "bool" && !isEmpty(&s)
	})
}

// makes reports whether a call that facts describe makes something of the text's own
// constants alone: it does nothing else, and nothing else goes into it.
func makes(sig *code.Signature, self *code.Shape, args arguments) bool {
	if slices.ContainsFunc(sig.Params, acts) {
		return false
	}
	if slices.ContainsFunc(args.all(), hidesText) {
		return true // whatever else goes into it
	}
	some := false
	if self != nil && !isTool(self.Type) {
		own := code.Value{*self}
		if !isOwn(own) {
			return false
		}
		some = !isNothing(own)
	}
	for _, v := range args.all() {
		if isNothing(v) {
			continue
		}
		if !isOwn(v) {
			return false
		}
		some = true
	}
	return some
}

// hidesText reports whether a value may be a text that the text of the program hides.
func hidesText(v code.Value) bool {
	return slices.ContainsFunc(v, func(s code.Shape) bool {
		return s.Hides() && (s.Type == "str" || s.Type == "bytes" || s.Type == "plain" || s.Type == "URL")
	})
}

// isTool reports whether objects of a type make texts of what their functions are passed,
// then or before.
func isTool(name string) bool { return name == "TextCoder" || name == "URLSearchParams" }

// made keeps what the text has made as names, as far as it is known.
func (in *reader) made(v code.Value) code.Value {
	note := func(text string) {
		if len(text) <= maxMade && !strings.ContainsAny(text, " \t\n") {
			in.sight.note(text)
		}
	}
	for i := range v {
		switch s := &v[i]; {
		case !s.Made || s.Word == nil || in.sight == nil:
		case isConst(s):
			note(s.Word.Text)
		default:
			for _, p := range s.Word.Parts {
				if p.Kind == policy.Lit && len(p.Text) >= shortestMade {
					note(strings.Trim(p.Text, "/"))
				}
			}
		}
	}
	return v
}

// behind is one text behind another, each of which is kept that the text makes so.
func (in *reader) behind(a, b code.Value) (out code.Value) {
	for i := range a {
		for k := range b {
			if !in.step() {
				return out
			}
			out = code.Join(out, in.made(concat(a[i:i+1:i+1], b[k:k+1:k+1])))
		}
	}
	return out
}

// shortestMade is how long a piece of a text is that may be a name, in bytes.
const shortestMade = 4

// maxMade is the longest text that is made and may be a name, in bytes.
const maxMade = 256

// joinedOwn reports whether any items of a list, one behind the other, are the text's own:
// they are if all are, or several that the text tells may stand beside each other.
func joinedOwn(items code.Value) bool {
	own, others := 0, false
	for i := range items {
		switch s := &items[i]; {
		case s.Hides():
			return true
		case s.IsWhole() && s.Type != "number":
			own++
			if s.Word != nil && !s.Word.IsConst() {
				own++ // any of many
			}
		default:
			others = true
		}
	}
	return own > 0 && !others || own > 1
}

// numberText is the text of a number that the text makes.
func numberText() code.Value {
	w := policy.Unknown(code.Digits)
	return code.Value{{Type: "str", Word: &w, Made: true}}
}

// round is what may happen again and again: a loop, or a function. The zero value is the
// text itself, which happens once.
type round struct {
	scope   *scope // of what is new each time
	carried javascript.Stmt
}

// isNew reports whether a variable is one of its own each time.
func (r *round) isNew(name string, from *scope) bool {
	if r.scope == nil {
		return true
	}
	if v, ok := r.carried.(*javascript.Var); ok && slices.ContainsFunc(v.List, func(d javascript.Declarator) bool { n, ok := d.Target.(*javascript.Name); return !ok || n.Name == name }) {
		return false
	}
	for s := from; s != nil; s = s.parent {
		switch {
		case s.vars[name] != nil:
			return true
		case s == r.scope:
			return false
		}
	}
	return false
}

// again follows what may happen again and again.
func (in *reader) again(r round, do func()) {
	outer := in.round
	in.round = r
	do()
	in.round = outer
}

// appended is what a variable has behind v += w. Where that happens once it is what the text
// has given the variable before; else any number of such texts.
func (in *reader) appended(e *javascript.Assign, old, v code.Value) code.Value {
	if n, ok := e.Target.(*javascript.Name); ok && in.round.isNew(n.Name, in.scope) {
		if first := in.firsts[e]; first != nil {
			old = first
		} else {
			in.firsts[e] = old
		}
		return in.add(old, v)
	}
	var out code.Value
	for _, s := range code.Join(v, in.add(old, v)) {
		if isEmpty(&s) {
			continue // there it begins
		}
		s.Word, s.Made = nil, s.Type == "number" && s.Made || s.Hides() || s.Type != "number" && isOwn(v)
		out = code.Join(out, code.Value{s})
	}
	return out
}

// keysOf are the names of what objects hold, or these and what lies under them.
func (in *reader) keysOf(function string, args arguments) (code.Value, bool) {
	objects := args.arg(0)
	if args.open || len(objects) == 0 || slices.ContainsFunc(objects, func(s code.Shape) bool { return s.Type != "dict" || s.Box == nil }) {
		return nil, false
	}
	in.escape(objects)
	in.cut = in.cut || holdsPlace(objects, 0)
	type pair struct {
		at any
		n  int
	}
	var items []code.Value
	exact := len(objects) == 1 && objects[0].Box.Exact
	for i := range objects {
		b := objects[i].Box
		keys, values := b.Keys, b.Items
		if !exact {
			keys, values = []code.Value{b.Key}, []code.Value{b.Any}
		}
		for k, key := range keys {
			if function == "Object.entries" {
				key = in.exactList(pair{args.at, len(items)}, []code.Value{key, values[k]}, true)
			}
			items = append(items, key)
		}
	}
	return in.exactList(args.at, items, exact), true
}

// keysIn are the names that a loop goes through of what objects hold.
func (in *reader) keysIn(v code.Value) (out code.Value) {
	for i := range v {
		switch s := &v[i]; {
		case s.Kind == code.Object && s.Box != nil && s.Type == "list":
			out = code.Join(out, numberText())
		case s.Kind == code.Object && s.Box != nil && len(s.Box.Key) > 0:
			out = code.Join(out, s.Box.Key)
		default:
			out = code.Join(out, ofKind("str", holdsOwn(s, 0)))
		}
	}
	return code.Join(out, nil)
}

// isArguments reports whether a full name is that of the list of the words of the line.
func isArguments(full string) bool {
	switch full {
	case "process.argv", "node:process.argv", "Bun.argv", "Deno.args":
		return true
	}
	return false
}

// given is that list: of which word is where nothing is known.
func (in *reader) given(t code.Type) code.Value {
	v := in.valueOf(t, nil)
	for i := range v {
		if v[i].Box == nil {
			continue
		}
		for _, word := range in.text.Words {
			in.put(v[i].Box, nil, in.made(literal("str", word)))
		}
	}
	return v
}

package javascript

import (
	"math"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/javascript"
	"github.com/bashgate/bashgate/policy"
)

// eval follows an expression and tells what it may be.
func (in *reader) eval(e javascript.Expr) code.Value {
	if e == nil || !in.step() {
		return nil
	}
	switch e := e.(type) {
	case *javascript.Name:
		in.at(e.At)
		return in.lookup(e.Name)
	case *javascript.String:
		in.at(e.At)
		return literal("str", e.Value)
	case *javascript.Number:
		if e.Value == math.Trunc(e.Value) && math.Abs(e.Value) < 1<<53 {
			return literal("number", strconv.FormatFloat(e.Value, 'f', -1, 64))
		}
		return made("number")
	case *javascript.BigInt:
		return made("number")
	case *javascript.Bool:
		return literal("bool", strconv.FormatBool(e.Value))
	case *javascript.Null:
		return code.Of("none")
	case *javascript.Regexp:
		return literal("RegExp", "/"+e.Pattern+"/"+e.Flags)
	case *javascript.Template:
		return in.template(e)
	case *javascript.Array:
		return in.array(e)
	case *javascript.Object:
		return in.objectLiteral(e)
	case *javascript.Function:
		return in.function(e)
	case *javascript.Class:
		v := in.class(e)
		return v
	case *javascript.Unary:
		return in.unary(e)
	case *javascript.Update:
		number := ofKind("number", isOwn(in.evalTarget(e.Target)))
		in.bind(e.Target, number)
		return number
	case *javascript.Binary:
		return in.binary(e)
	case *javascript.Assign:
		return in.assign(e)
	case *javascript.Cond:
		in.eval(e.Test)
		return code.Join(in.eval(e.Then), in.eval(e.Else))
	case *javascript.Call:
		return in.call(e)
	case *javascript.New:
		if in.sight.shows(e) {
			return in.sight.follow(e, e.At, e.Args)
		}
		f := in.eval(e.F)
		args := in.arguments(e, e.Args)
		in.at(e.At)
		return in.construct(f, args)
	case *javascript.Member:
		return in.member(e)
	case *javascript.Sequence:
		var v code.Value
		for _, x := range e.List {
			v = in.eval(x)
		}
		return v
	case *javascript.Await:
		return in.eval(e.X)
	case *javascript.Yield:
		v := code.Of("none")
		if e.X != nil {
			v = in.eval(e.X)
		}
		if e.Each {
			v = in.items(v)
		}
		if in.fn != nil {
			in.more(&in.fn.yielded, v)
		}
		return code.Plain()
	case *javascript.ImportCall:
		in.at(e.At)
		if len(e.Args) != 1 {
			return in.unknown("import() with options")
		}
		return in.loadValue(in.eval(e.Args[0]))
	case *javascript.This:
		return in.this()
	case *javascript.ImportMeta:
		return code.Of("ImportMeta")
	}
	return in.unknown("an expression")
}

func (in *reader) template(e *javascript.Template) code.Value {
	in.at(e.At)
	values := make([]code.Value, len(e.List))
	for i, x := range e.List {
		values[i] = in.eval(x)
	}
	if e.Tag == nil {
		text := literal("str", e.Texts[0])
		for i, v := range values {
			in.escape(v)
			text = in.behind(in.behind(text, textOf(v)), literal("str", e.Texts[i+1]))
		}
		return text
	}
	in.at(e.At)
	texts := make([]code.Value, len(e.Texts))
	for i, t := range e.Texts {
		texts[i] = literal("str", t)
	}
	args := arguments{positional: append([]code.Value{in.list(e, code.Of("str"))}, values...), at: e}
	if m, ok := e.Tag.(*javascript.Member); ok && m.Index == nil {
		return in.callMethod(in.object(m.X), code.Const("str", m.Name), args)
	}
	return in.callValue(in.eval(e.Tag), args, nil)
}

func (in *reader) array(e *javascript.Array) code.Value {
	items := make([]code.Value, 0, len(e.Items))
	exact := true
	for _, item := range e.Items {
		switch item := item.(type) {
		case nil:
			items = append(items, code.Of("none"))
		case *javascript.Spread:
			v := in.eval(item.X)
			if list, ok := in.exactItems(v); ok {
				items = append(items, list...)
			} else {
				exact = false
				items = append(items, in.items(v))
			}
		default:
			items = append(items, in.eval(item))
		}
	}
	return in.exactList(e, items, exact)
}

// exactList is a list of which all items are known, or some that may be anywhere.
func (in *reader) exactList(at any, items []code.Value, exact bool) code.Value {
	known := in.boxes[at] != nil
	box := in.box(at)
	switch {
	case !exact:
		in.inexact(box)
	case !known:
		box.Exact, box.Items = true, make([]code.Value, len(items))
	case box.Exact && len(box.Items) != len(items):
		in.inexact(box)
	}
	for i, item := range items {
		if box.Exact {
			in.more(&box.Items[i], item)
		}
		in.put(box, nil, item)
	}
	return code.Value{{Type: "list", Box: box}}
}

// list is a list of which any item may be any of a value.
func (in *reader) list(at any, item code.Value) code.Value {
	return in.exactList(at, []code.Value{item}, false)
}

// box is what a place of the text makes that holds others.
func (in *reader) box(at any) *code.Box {
	b := in.boxes[at]
	if b == nil {
		b = &code.Box{}
		in.boxes[at] = b
	}
	return b
}

func (in *reader) put(b *code.Box, key, item code.Value) {
	in.more(&b.Any, item)
	in.more(&b.Key, key)
	if b.Out {
		in.escape(item)
	}
}

func (in *reader) inexact(b *code.Box) {
	if b.Exact {
		b.Exact = false
		in.grew = true
	}
}

func (in *reader) objectLiteral(e *javascript.Object) code.Value {
	known := in.boxes[e] != nil
	box := in.box(e)
	if !known {
		box.Exact = true
	}
	object := code.Value{{Type: "dict", Box: box}}
	for i := range e.Props {
		p := &e.Props[i]
		key := literal("str", p.Key)
		if p.Computed != nil {
			key = in.eval(p.Computed)
		}
		switch p.Kind {
		case "spread":
			in.spread(box, in.eval(p.Value))
			continue
		case "get":
			v := in.function(p.Value.(*javascript.Function))
			in.own(v, object)
			in.setKey(box, key, in.callValue(v, arguments{at: p.Value}, object))
			continue
		case "set":
			v := in.function(p.Value.(*javascript.Function))
			in.own(v, object)
			in.escape(v)
			continue
		}
		v := in.eval(p.Value)
		in.own(v, object)
		in.setKey(box, key, v)
	}
	return object
}

// own says on what functions are called that are an object's.
func (in *reader) own(v, object code.Value) {
	for i := range v {
		if fn, ok := v[i].Own.(*function); ok && !fn.node.Arrow {
			in.more(&fn.this, object)
		}
	}
}

// spread puts what an object holds into another.
func (in *reader) spread(box *code.Box, v code.Value) {
	for i := range v {
		s := &v[i]
		switch {
		case s.Kind == code.Object && s.Box != nil && s.Box.Exact && s.Type == "dict":
			for k, key := range s.Box.Keys {
				in.setKey(box, key, s.Box.Items[k])
			}
		case s.Kind == code.Object && s.Type == "none":
		case s.Kind == code.Member && s.Type == "process.env":
			in.environment()
			in.setKey(box, code.Of("str"), code.Of("str"))
		case s.Kind == code.Object:
			in.setKey(box, code.Of("str"), in.anyMember(*s))
		case s.Kind == code.Member:
			in.setKey(box, code.Of("str"), in.unknown("... of "+s.Type))
		default:
			in.setKey(box, code.Of("str"), in.anyMember(*s))
		}
	}
}

// setKey puts a value under a key.
func (in *reader) setKey(b *code.Box, key, v code.Value) {
	name, known := constKey(key)
	if known {
		key = literal("str", name)
	}
	in.put(b, key, v)
	in.cut = in.cut || holdsPlace(key, 0) // it comes back as what nobody knows
	if !known {
		in.inexact(b)
		return
	}
	if !b.Exact {
		return
	}
	for i, k := range b.Keys {
		if has, _ := constKey(k); has == name {
			in.more(&b.Items[i], v)
			return
		}
	}
	in.grew = true
	b.Keys, b.Items = append(b.Keys, literal("str", name)), append(b.Items, v)
}

// constKey is a key that is surely one text or number.
func constKey(key code.Value) (string, bool) {
	if s, ok := key.Const("str"); ok {
		return s, true
	}
	return key.Const("number")
}

func (in *reader) unary(e *javascript.Unary) code.Value {
	switch e.Op {
	case "typeof":
		if n, ok := e.X.(*javascript.Name); (!ok || in.scope.find(n.Name) != nil) && !in.sight.isOfAll(e.X) {
			in.eval(e.X)
		}
		return made("str")
	case "delete":
		if m, ok := e.X.(*javascript.Member); ok {
			in.remove(m)
			return code.Of("bool")
		}
		in.eval(e.X)
		return code.Of("bool")
	case "void":
		in.eval(e.X)
		return code.Of("none")
	}
	v := in.eval(e.X)
	in.escape(v)
	if e.Op == "!" {
		return made("bool")
	}
	if n, ok := v.Const("number"); ok && e.Op == "-" && n != "0" {
		return literal("number", "-"+n)
	}
	return ofKind("number", isOwn(v))
}

// remove is delete x.y.
func (in *reader) remove(m *javascript.Member) {
	v := in.object(m.X)
	in.eval(m.Index)
	in.at(m.At)
	for i := range v {
		switch s := &v[i]; {
		case s.Kind == code.Object && s.Box != nil:
			in.inexact(s.Box)
			in.put(s.Box, nil, code.Of("none"))
		case s.Kind == code.Member, s.Kind == code.Defined:
			in.unknown("delete")
		}
	}
}

func (in *reader) binary(e *javascript.Binary) code.Value {
	if in.sight.isMain(e.X) && in.sight.isMain(e.Y) {
		return code.Of("bool")
	}
	var a code.Value
	if n, ok := e.X.(*javascript.Name); !ok || n.Name[0] != '#' {
		a = in.eval(e.X)
	}
	b := in.eval(e.Y)
	switch e.Op {
	case "&&", "||", "??":
		return code.Join(a, b)
	case "==", "!=", "===", "!==", "<", ">", "<=", ">=", "in", "instanceof":
		in.opens(a)
		in.opens(b)
		return made("bool")
	case "+":
		in.opens(a)
		in.opens(b)
		return in.add(a, b)
	}
	in.opens(a)
	in.opens(b)
	return ofKind("number", isOwn(a) && isOwn(b))
}

// opens lets what is turned into a text or a number run its own functions.
func (in *reader) opens(v code.Value) {
	for i := range v {
		if s := &v[i]; s.Kind == code.Defined || s.Box != nil {
			in.escape(code.Value{*s})
		}
	}
}

// add is a + b.
func (in *reader) add(a, b code.Value) (out code.Value) {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	for i := range a {
		for k := range b {
			if !in.step() {
				return nil
			}
			x, y := code.Value{a[i]}, code.Value{b[k]}
			switch number, other := isNumber(a[i]), isNumber(b[k]); {
			case number && other:
				out = code.Join(out, ofKind("number", a[i].Made && b[k].Made))
			case isSurelyText(a[i]) || isSurelyText(b[k]):
				out = code.Join(out, in.made(concat(textOf(x), textOf(y))))
			default:
				own := isOwn(x) && isOwn(y)
				out = code.Join(out, code.Join(ofKind("str", own), ofKind("number", own)))
			}
		}
	}
	return out
}

func isNumber(s code.Shape) bool {
	return s.Kind == code.Object && (s.Type == "number" || s.Type == "bool" || s.Type == "none")
}

func isSurelyText(s code.Shape) bool {
	return s.Kind == code.Object && (s.Type == "str" || s.Type == "list" || s.Type == "dict" || s.Type == "bytes" || isPlace(s.Type))
}

func (in *reader) evalTarget(p javascript.Pattern) code.Value {
	if e, ok := p.(javascript.Expr); ok {
		return in.eval(e)
	}
	return nil
}

func (in *reader) assign(e *javascript.Assign) code.Value {
	if e.Op == "=" {
		v := in.eval(e.Y)
		in.bind(e.Target, v)
		return v
	}
	old := in.evalTarget(e.Target)
	v := in.eval(e.Y)
	switch e.Op {
	case "&&=", "||=", "??=":
		v = code.Join(old, v)
	case "+=":
		in.opens(old)
		in.opens(v)
		v = in.appended(e, old, v)
	default:
		v = ofKind("number", isOwn(old) && isOwn(v))
	}
	in.bind(e.Target, v)
	return v
}

// concat is one text behind another.
func concat(a, b code.Value) (out code.Value) {
	for _, x := range a {
		for _, y := range b {
			switch {
			case x.Type == "Cwd" && y.Word != nil && len(y.Word.Prefix()) > 0 && y.Word.Prefix()[0] == '/':
				w := code.Concat(policy.Const("."), *y.Word)
				out = code.Join(out, code.Value{{Type: "str", Word: &w, Made: y.Made}})
			case x.Type == "Cwd" && isEmpty(&y):
				out = code.Join(out, code.Value{x})
			case y.Type == "Cwd" && isEmpty(&x):
				out = code.Join(out, code.Value{y})
			case isPlace(y.Type) && y.Word != nil && isAbsolute(&y) && !strings.HasPrefix(y.Word.Prefix(), "/") && !isEmpty(&x):
				w := code.Concat(wordOf(&x), policy.Unknown("...")) // the whole way stands there
				out = code.Join(out, code.Value{{Type: placed(&x, &y), Word: &w, Made: x.Made || y.Made}})
			case x.Word == nil && y.Word == nil:
				out = code.Join(out, joinedTo(code.Of(placed(&x, &y)), &x, &y))
			default:
				w := code.Concat(wordOf(&x), wordOf(&y))
				out = code.Join(out, code.Value{{Type: placed(&x, &y), Word: &w, Made: x.Made || y.Made}})
			}
		}
	}
	return out
}

// isEmpty reports whether a text is surely empty.
func isEmpty(s *code.Shape) bool { return s.Word != nil && s.Word.Text == "" && s.Word.Parts == nil }

func wordOf(s *code.Shape) policy.Word {
	if s.Word != nil && s.Type != "Cwd" {
		return *s.Word
	}
	if s.Made {
		return policy.Unknown(code.Hidden)
	}
	return policy.Unknown("...")
}

// textOf is what String makes of a value.
func textOf(v code.Value) (out code.Value) {
	for _, s := range v {
		switch {
		case s.Kind == code.Object && isPlace(s.Type):
			out = code.Join(out, code.Value{s})
		case s.Kind == code.Object && s.Word != nil && (s.Type == "str" || s.Type == "number" || s.Type == "bool"):
			if s.Type == "number" && s.Made && !isConst(&s) {
				out = code.Join(out, numberText())
				continue
			}
			out = code.Join(out, code.Value{{Type: "str", Word: s.Word, Made: s.Made}})
		case s.Kind == code.Object && s.Type == "number" && s.Made:
			out = code.Join(out, numberText())
		default:
			out = code.Join(out, ofKind("str", holdsOwn(&s, 0)))
		}
	}
	return out
}

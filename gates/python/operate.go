package python

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
	"github.com/bashgate/bashgate/policy"
)

// operate is what an operator makes of two values.
func (in *reader) operate(op python.Operator, a, b code.Value, at any) code.Value {
	var out code.Union
	for i := range a {
		for k := range b {
			if in.step() {
				out.Add(in.operateShapes(op, &a[i], &b[k], at))
			}
		}
	}
	return out.Value()
}

func (in *reader) operateShapes(op python.Operator, a, b *code.Shape, at any) code.Value {
	for _, s := range [...]*code.Shape{a, b} {
		if s.Kind == code.Unknown || s.Kind == code.Project {
			if other := b; s.Kind == code.Project {
				if s == b {
					other = a
				}
				if op != python.Add || !isSeparator(code.Value{*other}) {
					in.tell(code.Value{*other})
				}
				in.escape(code.Value{*other})
			}
			return code.Value{*s}
		}
	}
	for _, side := range [...]struct {
		self, other *code.Shape
		prefix      string
	}{{a, b, "__"}, {b, a, "__r"}} {
		if side.self.Kind != code.Defined {
			continue
		}
		if o, is := side.self.Own.(*instance); is {
			if m := o.class.member(side.prefix+dunderOf(op), 0); m != nil {
				return in.callValue(m, arguments{positional: []code.Value{{*side.self}, {*side.other}}, at: at})
			}
			if names, project := o.class.known(0); len(names) > 0 || project {
				return in.unknown("an operator of " + o.class.name)
			}
		} else if _, is := side.self.Own.(*class); is && op == python.BitOr {
			return code.Of("type")
		}
		return nil // fails
	}
	if a.Kind == code.Member || b.Kind == code.Member {
		if op == python.BitOr {
			return code.Of("type")
		}
		return in.unknown("an operator between functions")
	}
	return in.operateObjects(op, a, b, at)
}

func dunderOf(op python.Operator) string {
	switch op {
	case python.Add:
		return "add__"
	case python.Sub:
		return "sub__"
	case python.Mult:
		return "mul__"
	case python.Div:
		return "truediv__"
	case python.FloorDiv:
		return "floordiv__"
	case python.Mod:
		return "mod__"
	case python.Pow:
		return "pow__"
	case python.BitOr:
		return "or__"
	case python.BitAnd:
		return "and__"
	case python.BitXor:
		return "xor__"
	case python.LShift:
		return "lshift__"
	case python.RShift:
		return "rshift__"
	case python.MatMult:
		return "matmul__"
	case python.USub:
		return "neg__"
	case python.UAdd:
		return "pos__"
	}
	return "invert__"
}

func (in *reader) operateObjects(op python.Operator, a, b *code.Shape, at any) code.Value {
	switch {
	case isPathType(a.Type) && op == python.Div:
		return joinPath(a, b)
	case isPathType(b.Type) && op == python.Div:
		return joinPath(&code.Shape{Type: b.Type}, &code.Shape{Type: "str"})
	case isString(a.Type) && op == python.Add && b.Type == a.Type:
		return concat(code.Value{*a}, code.Value{*b})
	case isString(a.Type) && op == python.Mod:
		if values, exact := in.exactItems(code.Value{*b}); exact && b.Type == "tuple" { // itself it does not get out of sight
			for _, v := range values {
				in.escape(v)
			}
		} else {
			in.escape(code.Value{*b})
		}
		return formatted(a, b)
	case isString(a.Type) && op == python.Mult:
		return repeated(a, b)
	case isContainer(a.Type) && isContainer(b.Type):
		return in.together(op, a, b, at)
	case isContainer(a.Type) && op == python.Mult:
		return in.list(a.Type, at, in.items(code.Value{*a}))
	case isNumber(a.Type) && isNumber(b.Type):
		if a.Type == "float" || b.Type == "float" || op == python.Div || op == python.Pow {
			return code.Of("float")
		}
		return code.Of("int")
	case isNumber(a.Type) && op == python.Mult && (isContainer(b.Type) || isString(b.Type)):
		return in.operateObjects(op, b, a, at)
	}
	var out code.Value
	known := false
	for _, s := range [...]*code.Shape{a, b} {
		if s.Type == "plain" {
			known = true
			switch text := isString(a.Type) || isString(b.Type); {
			case text && op == python.Add && s == b: // a text, or it fails
				out = code.Join(out, concat(code.Value{*a}, code.Of(a.Type)))
			case text && op == python.Add:
				out = code.Join(out, concat(code.Of(b.Type), code.Value{*b}))
			default:
				out = code.Join(out, code.Plain())
			}
			out = code.Join(out, in.looseDunder("__op__", nil))
			for _, prefix := range [...]string{"__", "__r"} {
				out = code.Join(out, in.looseDunder(prefix+dunderOf(op), code.Plain()))
			}
			continue
		}
		if e := in.typeEntry(s.Type, "__op__"); e.Kind == code.Constant {
			known = true
			out = code.Join(out, in.valueOf(e.Type, s, e.Name))
		}
	}
	switch {
	case known:
		in.escape(code.Value{*a})
		in.escape(code.Value{*b})
		return out
	case isBuiltin(a.Type) && isBuiltin(b.Type):
		return nil // fails
	}
	return in.unknown("an operator between " + a.Type + " and " + b.Type)
}

func isString(name string) bool { return name == "str" || name == "bytes" }
func isNumber(name string) bool { return name == "int" || name == "float" || name == "bool" }
func isContainer(name string) bool {
	return name == "list" || name == "tuple" || name == "set" || name == "dict"
}

func isBuiltin(name string) bool {
	return isString(name) || isNumber(name) || isContainer(name) || name == "none"
}

// together is list + list, set | set and the like.
func (in *reader) together(op python.Operator, a, b *code.Shape, at any) code.Value {
	x, ok := in.exactItems(code.Value{*a})
	y, also := in.exactItems(code.Value{*b})
	if ok && also && op == python.Add && a.Type != "dict" && a.Type == b.Type {
		return in.container(a.Type, at, nil, append(x[:len(x):len(x)], y...), true)
	}
	var keys code.Value
	items := code.Value(nil)
	for _, s := range [...]*code.Shape{a, b} {
		if s.Box != nil {
			keys, items = code.Join(keys, s.Box.Key), code.Join(items, s.Box.Any)
		} else {
			items = code.Join(items, code.Plain())
			keys = code.Join(keys, code.Plain())
		}
	}
	box := in.vague(at, a.Type)
	in.store(box, keys, items)
	return code.Value{{Type: a.Type, Box: box}}
}

// grow is what an operator before = does to the value itself: a list gets longer.
func (in *reader) grow(op python.Operator, old, right code.Value) (out code.Value) {
	for i := range old {
		if o, is := old[i].Own.(*instance); is {
			if m := o.class.member("__i"+dunderOf(op), 0); m != nil {
				out = code.Join(out, in.callValue(m, arguments{positional: []code.Value{{old[i]}, right}, at: o}))
			}
		}
		if s := &old[i]; s.Kind == code.Object && s.Box != nil {
			in.inexact(s.Box)
			in.store(s.Box, nil, in.items(right))
			if s.Type == "dict" {
				in.store(s.Box, in.items(right), in.member(right, nil))
			}
			in.escapeStored(s.Box, right)
			out = code.Join(out, code.Value{old[i]}) // others have it, too
		} else if s.Kind == code.Object && s.Type == "plain" {
			in.looseView()
		} else if s.Kind == code.Object && s.Type == view {
			in.unknown("changing what Python itself reads")
		}
	}
	return out
}

// beside is what is one value or a text that is known: nothing that is known of the first
// stands for that.
func beside(v, known code.Value) code.Value { return code.Join(holesIn(v, known), known) }

// either is what is one of two values, each of which is beside the other.
func either(a, b code.Value) code.Value { return code.Join(holesIn(a, b), holesIn(b, a)) }

// holesIn is a value whose texts, where nothing is known of them, do not stand for others that
// are known.
func holesIn(v, known code.Value) (out code.Value) {
	for _, s := range v {
		if s.Kind == code.Object && isString(s.Type) && s.Word == nil && slices.ContainsFunc(known, func(o code.Shape) bool { return o.Type == s.Type && o.Word != nil }) {
			s.Word = &nothingKnown
		}
		out = code.Join(out, code.Value{s})
	}
	return out
}

// repeated is a text so many times.
func repeated(a, b *code.Shape) code.Value {
	times, err := 0, error(nil)
	text, known := "", a.Word != nil && b.Word != nil && b.Type == "int"
	if known {
		text, known = a.Word.Const()
	}
	if known {
		number, _ := b.Word.Const()
		times, err = strconv.Atoi(number)
	}
	if times = max(times, 0); !known || err != nil || times > 0 && len(text) > code.MaxText/times {
		return code.Of(a.Type)
	}
	return code.Const(a.Type, strings.Repeat(text, times))
}

// concat is texts one behind the other. What each may be goes with what any other may
// be.
func concat(texts ...code.Value) code.Value {
	text, rest := texts[0], texts[1:]
	for len(rest) > 0 {
		one := 0 // how many there are that are one text each
		for one < len(rest) && len(rest[one]) == 1 {
			one++
		}
		if one == 0 {
			var out code.Union
			for i := range text {
				for k := range rest[0] {
					if !out.HasAny(text[i].Type) {
						out.Add(behind(&text[i], rest[0][k:k+1]))
					}
				}
			}
			text, rest = out.Value(), rest[1:]
			continue
		}
		if len(text) == 1 {
			text = behind(&text[0], rest[:one]...)
		} else {
			var out code.Union
			for i := range text {
				if !out.HasAny(text[i].Type) {
					out.Add(behind(&text[i], rest[:one]...))
				}
			}
			text = out.Value()
		}
		rest = rest[one:]
	}
	return text
}

// behind is a text with others behind it, which are one text each.
func behind(s *code.Shape, texts ...code.Value) code.Value {
	if s.Word == nil { // nor is anything known of those that follow, up to one
		for len(texts) > 0 && texts[0][0].Word == nil {
			texts = texts[1:]
		}
		if len(texts) == 0 {
			return code.Of(s.Type)
		}
	}
	var few [8]policy.Word
	words := append(few[:0], wordOf(s))
	for i := range texts {
		words = append(words, wordOf(&texts[i][0]))
	}
	return code.OfWord(s.Type, code.Concat(words...))
}

func wordOf(s *code.Shape) policy.Word {
	if s.Word != nil {
		return *s.Word
	}
	return nothingKnown
}

// nothingKnown is a text of which nothing is known.
var nothingKnown = policy.Word{Parts: []policy.Part{{Kind: policy.Hole, Text: "..."}}}

// formatted is format % values, where it puts one text into another.
func formatted(a, b *code.Shape) code.Value {
	format, ok := code.Value{*a}.Const("str")
	if !ok {
		return code.Of(a.Type)
	}
	values := []code.Value{{*b}}
	if b.Type == "tuple" {
		if b.Box == nil || !b.Box.Exact {
			return code.Of(a.Type)
		}
		values = b.Box.Items
	}
	pieces := strings.Split(format, "%")
	if len(pieces) != len(values)+1 {
		return code.Of(a.Type)
	}
	texts := []code.Value{code.Const("str", pieces[0])}
	for i, v := range values {
		field, rest := numberField(pieces[i+1])
		if field == "" && strings.HasPrefix(rest, "s") {
			texts = append(texts, textOf(v, true), code.Const("str", rest[1:]))
			continue
		}
		number, ok := numberBy(v, field+"d")
		if !ok || rest == "" || rest[0] != 'd' && rest[0] != 'i' {
			return code.Of(a.Type)
		}
		texts = append(texts, number, code.Const("str", rest[1:]))
	}
	return concat(texts...)
}

// numberField is how a format begins that puts a number into a text: its digits.
func numberField(format string) (field, rest string) {
	rest = strings.TrimLeft(format, "0123456789")
	return format[:len(format)-len(rest)], rest
}

// textOf is what str makes of a value, if it is written plainly.
func textOf(v code.Value, plain bool) code.Value {
	if plain && len(v) == 1 && v[0].Type == "str" && v[0].Word != nil {
		return v
	}
	var out, unknown code.Value
	for _, s := range v {
		switch {
		case s.Word != nil && plain && isText(s.Type):
			out = code.Join(out, code.Value{{Type: "str", Word: s.Word}})
		case s.Kind == code.Object && isNumber(s.Type):
			out = code.Join(out, numeralOf(s.Type))
		default:
			unknown = code.Of("str")
		}
	}
	return beside(unknown, out)
}

func isPathType(name string) bool {
	return name == "pathlib.Path" || name == "pathlib.PurePath" || name == "pathlib.PosixPath"
}

// joinPath is one path below another.
func joinPath(a, b *code.Shape) code.Value {
	if b.Word == nil && a.Word == nil {
		return code.Of(a.Type)
	}
	return paths(pathsJoined(a, b, a.Type))
}

// asPath is what the text of a Path is: without elements that say nothing, so that ./-f
// is -f.
func asPath(w policy.Word) policy.Word {
	text, known := w.Const()
	if !known {
		if strings.HasPrefix(w.Prefix(), "./") || strings.Contains(w.Prefix(), "/./") || strings.Contains(w.Prefix(), "//") {
			return policy.Unknown("...")
		}
		return w
	}
	root := ""
	if strings.HasPrefix(text, "/") {
		root = "/"
		if strings.HasPrefix(text, "//") && !strings.HasPrefix(text, "///") {
			root = "//"
		}
	}
	kept := slices.DeleteFunc(strings.Split(text, "/"), func(part string) bool { return part == "" || part == "." })
	if root == "" && len(kept) == 0 {
		return policy.Const(".")
	}
	return policy.Const(root + strings.Join(kept, "/"))
}

// pathsJoined is one path below another: what stands below may be absolute, where that is
// not known, and is then all of it.
func pathsJoined(a, b *code.Shape, kind string) code.Value {
	dir, below := wordOf(a), wordOf(b)
	v := code.OfWord(kind, pathJoin(dir, below))
	if below.IsConst() || below.Prefix() != "" || isBelow(below) || saysNothing(dir) {
		return v
	}
	between := policy.Const("/")
	if text, known := dir.Const(); known && strings.HasSuffix(text, "/") {
		between = policy.Word{}
	}
	return append(v, code.OfWord(kind, code.Concat(dir, between, below))...)
}

// saysNothing reports whether a directory tells nothing of what is below it.
func saysNothing(dir policy.Word) bool {
	return dir.IsConst() && dir.Text == "" || len(dir.Parts) == 1 && isUnknown(&dir.Parts[0])
}

// isUnknown reports whether a part of a word may be any text.
func isUnknown(p *policy.Part) bool {
	return p.Kind != policy.Lit && p.Match == "" && !p.Shape.Numeric()
}

// pathJoin is what os.path.join makes of two words.
func pathJoin(a, b policy.Word) policy.Word {
	right, left := b.Prefix(), a.Prefix()
	_, whole := b.Const()
	_, known := a.Const()
	switch {
	case strings.HasPrefix(right, "/"):
		return b
	case right == "" && !whole && !isBelow(b):
		return policy.Unknown("...") // it may be absolute
	case known && left == "":
		return b
	case known && strings.HasSuffix(left, "/"):
		return code.Concat(a, b)
	}
	return code.Concat(a, code.Concat(policy.Const("/"), b))
}

// isBelow reports whether what a word stands for is surely no absolute path: the match of
// a pattern that is none, a number.
func isBelow(w policy.Word) bool {
	first := w.Parts[0]
	return first.Kind == policy.Hole && first.Match != "" && first.Match[0] != '/'
}

package code

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// Value is what an expression may be: one of several shapes. Nil is no value at
// all: of code that is not reached, or that fails.
type Value []Shape

// Shape is one thing that a value may be.
type Shape struct {
	Kind ShapeKind
	Made bool         // Object: made by the text of its own constants alone
	Type string       // Object: its type, "str"; Member: its full name, "os.path.join"
	Word *policy.Word // Object: its text, as far as it is known; of a number, its digits; nil: nothing is known
	Box  *Box         // Object: what it holds; nil: plain data, or nothing
	Self *Value       // Member: the object that it is called on; nil: none
	Own  any          // Defined: the language's own; compared by identity
}

// ShapeKind tells shapes apart.
type ShapeKind uint8

// The kinds of shapes.
const (
	Object  ShapeKind = iota // a value of a type that facts know
	Member                   // a module, function, method or class that facts know
	Defined                  // a function, class or object that the text defines
	Project                  // something of the project's code, or of a package it has installed
	Unknown                  // anything; whoever made it has asked about the text
)

// Box is what a container holds. All that may hold the same container hold the
// same box: what is put in by one is there for all.
type Box struct {
	Items []Value // in their order, where Exact
	Keys  []Value // of Items, of a container with keys
	Exact bool    // it holds these and no others
	Any   Value   // what any of the items may be
	Key   Value   // what any of the keys may be
	Out   bool    // somebody out of sight has it, and may look into it at any time

	any, keys *Union // of which Any and Key are the values, once they have many shapes
}

// Plain is data of which nothing is known but that it is plain: texts, numbers,
// and lists and tables of them.
func Plain() Value { return plain[:] }

// Of is a value of a type of which nothing else is known.
func Of(name string) Value {
	for i := range common {
		if common[i].Type == name {
			return common[i : i+1 : i+1]
		}
	}
	return Value{{Type: name}}
}

// Values do not change, so that these are made once.
var (
	plain  = [...]Shape{{Type: "plain"}}
	common = [...]Shape{{Type: "str"}, {Type: "bool"}, {Type: "int"}, {Type: "none"}, {Type: "file"}}
)

// Const is a value of a type whose text is known.
func Const(name, text string) Value { return OfWord(name, policy.Const(text)) }

// OfWord is a value of a type whose text is known as far as a word tells.
func OfWord(name string, w policy.Word) Value {
	k := &struct { // one piece of memory for both
		shapes [1]Shape
		word   policy.Word
	}{word: w}
	k.shapes[0] = Shape{Type: name, Word: &k.word}
	return k.shapes[:]
}

// Number is a whole number.
func Number(n int) Value { return Const("int", strconv.Itoa(n)) }

// Anything is a value about which nothing is known.
func Anything() Value { return Value{{Kind: Unknown}} }

// Join is what is one value or the other.
func Join(a, b Value) Value {
	if len(a) == 0 {
		return b
	}
	u := Union{value: a}
	u.Add(b)
	return u.value
}

// Equal reports whether two shapes are the same.
func (s *Shape) Equal(o *Shape) bool {
	if s.Kind != o.Kind || s.Type != o.Type || s.Box != o.Box || s.Own != o.Own || s.Made != o.Made || (s.Word == nil) != (o.Word == nil) || (s.Self == nil) != (o.Self == nil) {
		return false
	}
	if s.Word != o.Word && (s.Word.Text != o.Word.Text || !slices.Equal(s.Word.Parts, o.Word.Parts)) {
		return false
	}
	return s.Self == nil || s.Self == o.Self || Same(*s.Self, *o.Self)
}

// Same reports whether two values have the same shapes, in any order.
func Same(a, b Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Equal(&b[i]) && !slices.ContainsFunc(b, func(o Shape) bool { return a[i].Equal(&o) }) {
			return false
		}
	}
	return true
}

// Const returns the text of a value that is surely one of a type.
func (v Value) Const(name string) (string, bool) {
	if len(v) == 1 && v[0].Kind == Object && v[0].Type == name && v[0].Word != nil {
		return v[0].Word.Const()
	}
	return "", false
}

// IsNone reports whether a value is surely none.
func IsNone(v Value) bool { return len(v) == 1 && v[0].Kind == Object && v[0].Type == "none" }

// matches reports whether all that a value may be matches one of several globs;
// <type> stands for anything of a type, None for none, <known> for what is known whole:
// texts, numbers, and lists and tables of them.
func (v Value) matches(globs []string) bool {
	for i := range v {
		s := &v[i]
		if s.Kind != Object {
			return false
		}
		if slices.Contains(globs, "<"+s.Type+">") || s.Type == "none" && slices.Contains(globs, "None") || slices.Contains(globs, "<known>") && s.known(0) {
			continue
		}
		if s.Word == nil {
			return false
		}
		text, known := s.Word.Const()
		if !known || !slices.ContainsFunc(globs, func(g string) bool { ok, _ := path.Match(g, text); return ok }) {
			return false
		}
	}
	return true
}

// maxKnown bounds how deep what is known lies in lists and tables.
const maxKnown = 8

// known reports whether a shape is one text or number, or holds nothing else.
func (s *Shape) known(depth int) bool {
	if s.Kind != Object || depth > maxKnown {
		return false
	}
	if s.Box == nil {
		return s.Type == "none" || s.Word != nil && s.Word.IsConst()
	}
	all := func(list []Value) bool {
		return !slices.ContainsFunc(list, func(v Value) bool { return len(v) != 1 || !v[0].known(depth+1) })
	}
	return s.Box.Exact && all(s.Box.Items) && all(s.Box.Keys)
}

// Words lists what a value may be as a word: one for each shape. What is not
// known is a hole, named as source says.
func (v Value) Words(source string) []policy.Word {
	var words []policy.Word
	for i := range v {
		if v[i].Kind == Object && v[i].Word != nil {
			words = append(words, *v[i].Word)
		} else {
			words = append(words, policy.Unknown(source))
		}
	}
	return words
}

// Concat is words one behind the other.
func Concat(words ...policy.Word) policy.Word {
	size, count, known := 0, 0, 0 // of known text, of parts, and how many words are known before any that is not
	for i := range words {
		if text, ok := words[i].Const(); ok {
			size += len(text)
			count += max(1, len(words[i].Parts))
			if known == i {
				known++
			}
		} else {
			count += len(words[i].Parts)
		}
	}
	if size > MaxText || count > maxParts && known < len(words) {
		w := words[0]
		for i := range words[1:] {
			w = behind(w, words[1+i])
		}
		return w
	}
	text := ""
	switch known {
	case 0:
	case 1:
		text, _ = words[0].Const()
	default:
		var joined strings.Builder
		joined.Grow(size)
		for i := range words[:known] {
			text, _ := words[i].Const()
			joined.WriteString(text)
		}
		text = joined.String()
	}
	if known == len(words) {
		return policy.Const(text)
	}
	parts := make([]policy.Part, 0, count)
	if text != "" {
		parts = append(parts, policy.Part{Text: text})
	}
	for i := range words[known:] {
		parts = appendParts(parts, &words[known+i])
	}
	return policy.Word{Parts: parts}
}

// behind is one word behind another, within the limits of both text and parts.
func behind(a, b policy.Word) policy.Word {
	x, known := a.Const()
	y, also := b.Const()
	if len(x)+len(y) > MaxText {
		return policy.Unknown("...")
	}
	if known && also {
		return policy.Const(x + y)
	}
	parts := appendParts(appendParts(nil, &a), &b)
	if len(parts) > maxParts {
		return policy.Word{Parts: append(parts[:maxParts:maxParts], policy.Part{Kind: policy.Hole, Text: "..."})}
	}
	return policy.Word{Parts: parts}
}

func appendParts(parts []policy.Part, w *policy.Word) []policy.Part {
	if w.Parts != nil {
		return append(parts, w.Parts...)
	}
	if w.Text != "" {
		parts = append(parts, policy.Part{Text: w.Text})
	}
	return parts
}

// MaxText is the longest text that is kept, in bytes.
const MaxText = 64 << 10

// maxParts bounds how many pieces of a text are told apart.
const maxParts = 64

// Put adds an item. It reports whether that was news: the box never forgets.
func (b *Box) Put(key, item Value) bool {
	items, keys := b.Any, b.Key
	b.Any, b.Key = grown(&b.any, items, item), grown(&b.keys, keys, key)
	return !Same(b.Any, items) || !Same(b.Key, keys) // a wider one may have as many shapes
}

// grown is Join for a value that gets more over and over, by a union once it has many
// shapes.
func grown(u **Union, v, more Value) Value {
	if len(v) < manyShapes {
		return Join(v, more)
	}
	if *u == nil || len((*u).value) != len(v) {
		*u = &Union{value: v}
	}
	(*u).Add(more)
	return (*u).value
}

package code

import (
	"path"
	"slices"
	"strconv"

	"github.com/bashgate/bashgate/policy"
)

// Value is what an expression may be: one of several shapes. Nil is no value at
// all: of code that is not reached, or that fails.
type Value []Shape

// Shape is one thing that a value may be.
type Shape struct {
	Kind ShapeKind
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

	own bool // Any was made here: what lies behind its end is the box's
}

// maxShapes is how many shapes of one kind and type a value has before nothing
// but the type is left.
const maxShapes = 8

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
func Const(name, text string) Value {
	w := policy.Const(text)
	return Value{{Type: name, Word: &w}}
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
	joined := a
	for _, s := range b {
		joined = joined.with(s)
	}
	return joined
}

// with adds a shape. The value itself does not change.
func (v Value) with(s Shape) Value {
	switch v.takes(&s) {
	case nothing:
		return v
	case another:
		return append(v[:len(v):len(v)], s)
	}
	return v.widened(s)
}

// news is what a shape brings to a value.
type news uint8

const (
	nothing news = iota
	another      // shape, beside those that are there
	tooMuch      // is known: of its type nothing but the type is left
)

// takes tells what a shape brings to a value.
func (v Value) takes(s *Shape) news {
	same := 0
	for i := range v {
		o := &v[i]
		if o.Box != s.Box || o.Kind != s.Kind {
			continue
		}
		if o.Equal(s) {
			return nothing
		}
		if o.Kind == Object && o.Type == s.Type && o.Box == nil {
			if o.Word == nil {
				return nothing // any of them
			}
			same++
		}
	}
	if s.Kind != Object || s.Box != nil || s.Word != nil && same < maxShapes {
		return another
	}
	return tooMuch
}

// widened adds a shape of whose type nothing but the type is left.
func (v Value) widened(s Shape) Value {
	s.Word = nil
	kept := slices.DeleteFunc(slices.Clone(v), func(o Shape) bool { return o.Kind == Object && o.Type == s.Type && o.Box == nil })
	return append(kept, s)
}

// Equal reports whether two shapes are the same.
func (s *Shape) Equal(o *Shape) bool {
	if s.Kind != o.Kind || s.Type != o.Type || s.Box != o.Box || s.Own != o.Own || (s.Word == nil) != (o.Word == nil) || (s.Self == nil) != (o.Self == nil) {
		return false
	}
	if s.Word != nil && (s.Word.Text != o.Word.Text || !slices.Equal(s.Word.Parts, o.Word.Parts)) {
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

// Concat is one word behind another.
func Concat(a, b policy.Word) policy.Word {
	x, known := a.Const()
	y, also := b.Const()
	if len(x)+len(y) > MaxText {
		return policy.Unknown("...")
	}
	if known && also {
		return policy.Const(x + y)
	}
	var parts []policy.Part
	for _, w := range [...]policy.Word{a, b} {
		if w.Parts == nil {
			if w.Text != "" {
				parts = append(parts, policy.Part{Text: w.Text})
			}
			continue
		}
		parts = append(parts, w.Parts...)
	}
	if len(parts) > maxParts {
		return policy.Word{Parts: append(parts[:maxParts:maxParts], policy.Part{Kind: policy.Hole, Text: "..."})}
	}
	return policy.Word{Parts: parts}
}

// MaxText is the longest text that is kept, in bytes.
const MaxText = 64 << 10

// maxParts bounds how many pieces of a text are told apart.
const maxParts = 64

// Put adds an item. It reports whether that was news: the box never forgets.
func (b *Box) Put(key, item Value) bool {
	n, k := len(b.Any), len(b.Key)
	b.putItem(item)
	b.Key = Join(b.Key, key)
	return len(b.Any) != n || len(b.Key) != k
}

// putItem is Join for the items, which may be many: it makes room for more of them.
func (b *Box) putItem(item Value) {
	if len(b.Any) == 0 {
		b.Any, b.own = item, false
		return
	}
	for i := range item {
		switch b.Any.takes(&item[i]) {
		case another:
			if !b.own {
				b.Any, b.own = slices.Clip(b.Any), true // others may have what lies behind its end
			}
			b.Any = append(b.Any, item[i])
		case tooMuch:
			b.Any, b.own = b.Any.widened(item[i]), true
		}
	}
}

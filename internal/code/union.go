package code

import "slices"

// Union is a value that is put together of several, in time that grows with the number
// of their shapes. The zero value is nothing so far.
type Union struct {
	value Value
	own   bool // value was made here: what lies behind its end is the union's

	// Where a value has many shapes, those that may be the same as another one are found
	// by what identifies them: the last of each in found, that before it in before.
	found  map[identity]int
	before []int
}

// manyShapes is how many shapes a value has before they are looked up.
const manyShapes = 24

// maxShapes is how many shapes of one kind and type a value has before nothing
// but the type is left.
const maxShapes = 8

// Value is what was added so far. It does not change any more.
func (u *Union) Value() Value { return u.value }

// HasAny reports whether anything of a type is among what was added: no text of the type
// is news any more.
func (u *Union) HasAny(name string) bool {
	return slices.ContainsFunc(u.value, func(s Shape) bool { return s.Kind == Object && s.Type == name && s.Box == nil && s.Word == nil })
}

// Add adds a value. What Value has returned before stays as it was.
func (u *Union) Add(v Value) {
	if len(u.value) == 0 {
		u.value, u.own = v, false
		return
	}
	for i := range v {
		switch u.takes(&v[i]) {
		case another:
			if !u.own {
				u.value, u.own = append(make(Value, 0, len(u.value)+len(v)-i), u.value...), true
			}
			u.value = append(u.value, v[i])
		case tooMuch:
			u.widen(v[i])
		}
	}
}

// news is what a shape brings to a value.
type news uint8

const (
	nothing news = iota
	another      // shape, beside those that are there
	tooMuch      // is known: of its type nothing but the type is left
)

// takes tells what a shape brings to the value.
func (u *Union) takes(s *Shape) news {
	same := 0
	if len(u.value) < manyShapes {
		for i := range u.value {
			if o := &u.value[i]; o.covers(s, &same) {
				return nothing
			}
		}
	} else {
		u.index()
		for at := u.found[s.identity()] - 1; at >= 0; at = u.before[at] - 1 {
			if u.value[at].covers(s, &same) {
				return nothing
			}
		}
	}
	if s.Kind != Object || s.Box != nil || s.Word != nil && same < maxShapes {
		return another
	}
	return tooMuch
}

// covers reports whether a shape brings nothing to a value that has this one. It counts
// those of the same type of which more is known than the type.
func (s *Shape) covers(o *Shape, same *int) bool {
	if s.Box != o.Box || s.Kind != o.Kind {
		return false
	}
	if s.Equal(o) {
		return true
	}
	if s.Kind == Object && s.Type == o.Type && s.Box == nil && s.Made == o.Made {
		if s.Word == nil || s.coversMade(o) {
			return true // any of them
		}
		*same++
	}
	return false
}

// widen adds a shape of whose type nothing but the type is left.
func (u *Union) widen(s Shape) {
	all := make(Value, 0, len(u.value)+1) // those that stay, the new one, those that go
	for i := range u.value {
		if !s.replaces(&u.value[i]) {
			all = append(all, u.value[i])
		}
	}
	at := len(all)
	all = append(all, s)
	if s.Made {
		for i := range u.value {
			if s.replaces(&u.value[i]) {
				all = append(all, u.value[i])
			}
		}
		all[at].Word = several(all[at:])
	} else {
		all[at].Word = nil
	}
	*u = Union{value: all[:at+1], own: true}
}

// replaces reports whether a shape of which nothing but the type is left stands for
// another one, too.
func (s *Shape) replaces(o *Shape) bool {
	return o.Kind == Object && o.Type == s.Type && o.Box == nil && o.Made == s.Made
}

// identity is what shapes have in common that may be the same, or of which one may make
// the other superfluous.
type identity struct {
	kind ShapeKind
	name string
	box  *Box
	own  any
	self selfIdentity
}

// selfIdentity is the identity of what a function is called on.
type selfIdentity struct {
	box  *Box
	own  any
	text string
}

func (s *Shape) identity() identity {
	if s.Kind == Object && s.Box == nil {
		return identity{name: s.Type}
	}
	id := identity{kind: s.Kind, name: s.Type, box: s.Box, own: s.Own}
	if s.Self != nil && len(*s.Self) == 1 {
		self := &(*s.Self)[0]
		id.self = selfIdentity{box: self.Box, own: self.Own}
		if self.Word != nil {
			id.self.text = self.Word.Text
		}
	}
	return id
}

// index notes where the shapes stand of which that is not noted yet.
func (u *Union) index() {
	if u.found == nil {
		u.found = make(map[identity]int, 2*len(u.value))
	}
	for at := len(u.before); at < len(u.value); at++ {
		id := u.value[at].identity()
		u.before = append(u.before, u.found[id])
		u.found[id] = at + 1
	}
}

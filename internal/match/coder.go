package match

import (
	"encoding/binary"
	"slices"
)

// coder writes values as bytes, or reads them: one description of a type serves
// both, so that they can't differ. A struct is a mask of the fields that are not
// zero or nil, and those fields in their order; a number is a uvarint; a text is
// twice its length and its bytes, or, where the same bytes stand before, twice the
// place and one.
//
// What is written is gone through twice: first for the masks alone, which stand
// before the fields.
type coder struct {
	text string // what is read
	at   int    // how far
	bad  bool   // it is not what a coder wrote

	writing   bool
	measuring bool // the first time
	out       []byte
	masks     []uint64 // in the order in which the structs begin
	next      int
	texts     map[string]int // where a text stands in out

	mask uint64 // of the struct that is gone through
	bit  int    // the next field
	slot int    // of its mask in masks

	tables  []*Table // of the program that is written
	later   []int    // where those of the one stand that is read
	origins []*Origin

	ruleEntries []byte // of the program that is written, see rules
	rulesAt     int    // where those of the one stand that is read
}

// frame is the struct that another one stands in.
type frame struct {
	mask      uint64
	bit, slot int
}

// open begins a struct of at most 64 fields, and returns the one around it for
// close.
func (x *coder) open() frame {
	f := frame{x.mask, x.bit, x.slot}
	x.bit = 0
	switch {
	case !x.writing:
		x.mask = x.uint()
	case x.measuring:
		x.slot = len(x.masks)
		x.masks = append(x.masks, 0)
	default:
		x.mask = x.masks[x.next]
		x.next++
		x.putUint(x.mask)
	}
	return f
}

func (x *coder) close(f frame) { x.mask, x.bit, x.slot = f.mask, f.bit, f.slot }

// has reports whether the next field is there; where it is written, whether its
// value is not zero says that.
func (x *coder) has(value bool) bool {
	bit := uint64(1) << x.bit
	x.bit++
	if !x.measuring {
		return x.mask&bit != 0
	}
	if value {
		x.masks[x.slot] |= bit
	}
	return value
}

func (x *coder) flag(b *bool) {
	if x.has(*b) {
		*b = true
	}
}

func (x *coder) str(s *string) {
	if x.has(*s != "") {
		x.bare(s)
	}
}

func (x *coder) strs(list *[]string) { each(x, list, (*coder).bare) }

func (x *coder) int(n *int) {
	if x.has(*n != 0) {
		v := uint64(*n)<<1 ^ uint64(*n>>63)
		x.number(&v)
		*n = int(v>>1) ^ -int(v&1)
	}
}

// num is a field of a small type.
func num[T ~uint8 | ~uint16](x *coder, n *T) {
	if x.has(*n != 0) {
		v := uint64(*n)
		x.number(&v)
		*n = T(v)
	}
}

// each is a field that is a list. An empty list is not the same as none: wrappers = []
// is no wrapper, and without it any may be.
func each[T any](x *coder, list *[]T, one func(*coder, *T)) {
	if !x.has(*list != nil) {
		return
	}
	n := uint64(len(*list))
	x.number(&n)
	if !x.writing {
		if n > uint64(len(x.text)-x.at) { // each takes a byte at least
			x.bad = true
			return
		}
		*list = make([]T, n)
	}
	for i := range *list {
		one(x, &(*list)[i])
	}
}

// pointer is a field that leads to one value, or to none.
func pointer[T any](x *coder, p **T, one func(*coder, *T)) {
	if !x.has(*p != nil) {
		return
	}
	if !x.writing {
		*p = new(T)
	}
	one(x, *p)
}

func (x *coder) number(v *uint64) {
	if x.writing {
		x.putUint(*v)
	} else {
		*v = x.uint()
	}
}

func (x *coder) putUint(v uint64) {
	if !x.measuring {
		x.out = binary.AppendUvarint(x.out, v)
	}
}

func (x *coder) uint() uint64 {
	var v uint64
	for shift := 0; x.at < len(x.text) && shift < 64; shift += 7 {
		b := x.text[x.at]
		x.at++
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
	x.bad = true
	return 0
}

// shortText is the length up to which a text is written anew each time.
const shortText = 2

// bare is a text that is no field.
func (x *coder) bare(s *string) {
	switch {
	case x.measuring:
	case x.writing:
		if at, ok := x.texts[*s]; ok {
			x.putUint(uint64(at)<<1 | 1)
			return
		}
		if len(*s) > shortText {
			x.texts[*s] = len(x.out)
		}
		x.putUint(uint64(len(*s)) << 1)
		x.out = append(x.out, *s...)
	default:
		n := x.uint()
		if n&1 == 0 {
			*s = x.bytes(n >> 1)
			return
		}
		back := coder{text: x.text, at: int(min(n>>1, uint64(len(x.text))))}
		if n = back.uint(); n&1 == 0 {
			*s = back.bytes(n >> 1)
		} else {
			back.bad = true
		}
		x.bad = x.bad || back.bad
	}
}

// bytes takes the next n bytes.
func (x *coder) bytes(n uint64) string {
	if n > uint64(len(x.text)-x.at) {
		x.bad = true
		return ""
	}
	s := x.text[x.at : x.at+int(n)]
	x.at += int(n)
	return s
}

// tablesAt says where the tables of a program stand, which follows.
func (x *coder) tablesAt(places []int) {
	n := uint64(len(places))
	x.number(&n)
	if x.writing {
		for _, at := range places {
			x.putUint(uint64(at))
		}
		return
	}
	if n > uint64(len(x.text)-x.at) {
		x.bad = true
		return
	}
	x.later = make([]int, n)
	for i := range x.later {
		x.later[i] = int(min(x.uint(), uint64(len(x.text))))
	}
}

// allOrigins are those of a program's rules.
func (x *coder) allOrigins() {
	n := uint64(len(x.origins))
	if x.number(&n); !x.writing {
		if n > uint64(len(x.text)-x.at) {
			x.bad = true
			return
		}
		x.origins = make([]*Origin, n)
		for i := range x.origins {
			x.origins[i] = new(Origin)
		}
	}
	for _, o := range x.origins {
		x.bare(&o.Program)
		x.bare(&o.File)
	}
}

// ruleEntry is the length of what is said of a rule beside the rule, in bytes:
// where it stands, and the mark of the first word of its subcommands; zero: they
// have several, or it is about any.
const ruleEntry = 2 * word

// rules are entries of rules. Those themselves are read when they are asked for.
func (x *coder) rules(list *[]Rule) {
	if !x.has(*list != nil) {
		return
	}
	n := uint64(len(*list))
	x.number(&n)
	switch {
	case x.measuring:
	case x.writing:
		x.out = append(x.out, x.ruleEntries...)
	case n > uint64(len(x.text)-x.at)/ruleEntry:
		x.bad = true
	default:
		*list = make([]Rule, n)
		x.rulesAt, x.at = x.at, x.at+int(n)*ruleEntry
	}
}

// sharedTable is one of the program's tables, by its number from one; none is
// NoOptions. It is read when it is asked for.
func (x *coder) sharedTable(l *Level) {
	n := 0
	if x.writing {
		n = slices.Index(x.tables, l.Table) + 1
	}
	if x.int(&n); x.writing {
		return
	}
	switch {
	case n == 0:
		l.Table = &NoOptions
	case n > 0 && n <= len(x.later):
		l.number = n - 1
	default:
		x.bad = true
	}
}

// places are those of a table's spellings, four bytes each.
func (x *coder) places(list *[]uint32) {
	each(x, list, func(x *coder, n *uint32) {
		switch {
		case x.measuring:
		case x.writing:
			x.out = binary.LittleEndian.AppendUint32(x.out, *n)
		default:
			if s := x.bytes(4); !x.bad {
				*n = uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
			}
		}
	})
}

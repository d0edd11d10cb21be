// Package toml reads TOML documents (toml.io, version 1.0) and remembers where
// everything stands, so that whoever finds fault with a value can point at it.
package toml

import "strconv"

// Span is a place in a document. The zero value means that the place is not
// known.
type Span struct {
	Line, Col int // counted from 1; columns in bytes
	Len       int // in bytes, on the first line; at least 1 where the place is known
}

// Before reports whether s begins before t in one document.
func (s Span) Before(t Span) bool { return s.Line < t.Line || s.Line == t.Line && s.Col < t.Col }

// Kind is what a value is.
type Kind uint8

// The kinds. None is that of a value that is not there.
const (
	None Kind = iota
	String
	Integer
	Float
	Bool
	Date // with a time, or a time alone
	List
	Table
)

// String says it for people: "a string".
func (k Kind) String() string {
	return [...]string{"nothing", "a string", "a number", "a number", "true or false", "a date", "a list", "a table"}[k]
}

// Value is one value of a document. A nil Value is none: its methods return
// what a table without keys would.
type Value struct {
	Kind  Kind
	Text  string // what a string says; how another scalar is written
	Key   Span   // the key, or the header of a table; of a list's item, the item
	At    Span   // the value; of a table that has a header, the header
	Items []*Value

	// Tables is set for a list that was written as [[name]].
	Tables bool

	keys    []string // in the order of the text
	members map[string]*Value
	opened  opened
}

// Get returns a table's value of a key, and nil if there is none.
func (v *Value) Get(key string) *Value {
	if v == nil {
		return nil
	}
	return v.members[key]
}

// Keys lists a table's keys in the order of the text.
func (v *Value) Keys() []string {
	if v == nil {
		return nil
	}
	return v.keys
}

// Int returns the value of an integer, and false for everything else.
func (v *Value) Int() (int64, bool) {
	if v == nil || v.Kind != Integer {
		return 0, false
	}
	i, err := strconv.ParseInt(v.Text, 0, 64)
	return i, err == nil
}

// Error says what is wrong with a document, and where. Msg is in lower case,
// without a full stop.
type Error struct {
	At   Span
	Msg  string
	Hint string // what to write instead; "" where that is not known
	In   *Value // the table that was being read; never nil
}

// Error implements error: "3:7: message".
func (e *Error) Error() string {
	if e.At.Line == 0 {
		return e.Msg
	}
	return strconv.Itoa(e.At.Line) + ":" + strconv.Itoa(e.At.Col) + ": " + e.Msg
}

package match

// Tri is how far a condition holds. The zero value is No; the weaker of two
// is the smaller.
type Tri uint8

// The answers.
const (
	No    Tri = iota
	Maybe     // a word is not known, or it is not known how it is read
	Yes
)

// String returns the word used in messages.
func (t Tri) String() string { return [...]string{"no", "maybe", "yes"}[t] }

// not turns a condition round.
func (t Tri) not() Tri { return Yes - t }

func yes(b bool) Tri {
	if b {
		return Yes
	}
	return No
}

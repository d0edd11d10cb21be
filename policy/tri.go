package policy

// Tri is an answer that may not be known: whether a condition holds, whether a
// variable is set. The zero value is No; the weaker of two is the smaller.
type Tri uint8

// The answers.
const (
	No    Tri = iota
	Maybe     // a word is not known, or it is not known how it is read
	Yes
)

// String returns the word used in messages.
func (t Tri) String() string { return [...]string{"no", "maybe", "yes"}[t] }

// Not turns an answer round.
func (t Tri) Not() Tri { return Yes - t }

// Either is what is known where one of two answers is the right one.
func (t Tri) Either(o Tri) Tri {
	if t == o {
		return t
	}
	return Maybe
}

// Sure is Yes or No.
func Sure(b bool) Tri {
	if b {
		return Yes
	}
	return No
}

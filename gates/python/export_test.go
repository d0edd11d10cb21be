package python

import "github.com/bashgate/bashgate/internal/code"

// Work is how many steps a text is followed by, and how many expressions the second
// look takes.
func Work(text code.Text) (steps, looked int) {
	in := read(text)
	return fewestSteps + stepsPerByte*len(text.Code) - in.budget, in.sight.looked
}

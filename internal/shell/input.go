package shell

import "github.com/bashgate/bashgate/policy"

// input is where a descriptor reads from. Commands that share it read one after
// the other, whichever shells they run in: what the second finds is what the
// first has left.
type input struct {
	policy.Input
	drawn *bool // somebody may have read from it; nil: it makes no difference
}

func newInput(in policy.Input) input {
	if in.Kind == policy.InputText || in.Kind == policy.InputHole && in.Text.Parts != nil {
		return input{in, new(bool)}
	}
	return input{Input: in}
}

// rest is what somebody who reads now finds.
func (in *input) rest() policy.Input {
	switch {
	case in.drawn == nil || !*in.drawn:
		return in.Input
	case in.From != nil:
		return policy.Input{Kind: policy.InputPipe, From: in.From}
	}
	return policy.Input{Kind: policy.InputHole}
}

// draw notes that somebody may read.
func (in *input) draw() {
	if in.drawn != nil {
		*in.drawn = true
	}
}

// draws reports whether a command may read its standard input: all do but the
// shell's own that have no use for it.
func draws(c *policy.Command) bool {
	name, known := c.Program()
	if !known {
		return len(c.Words) > 0
	}
	return !isA(name, idle)
}

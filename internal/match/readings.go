package match

import (
	"slices"

	"github.com/bashgate/bashgate/policy"
)

// A program whose options nobody declared can be read in several ways: each
// option may take the word after it, or not.
//
//	acme -p x destroy     x is the subcommand, or destroy is
//
// A rule that asks or blocks holds if it does in one of these readings; an
// allow about a subcommand only if no reading has another word in its place.

// maxReadings bounds how many there may be. With more, the subcommand is not
// known.
const maxReadings = 32

// readAgain reads the command in all ways, the first one among them.
func (c *Call) readAgain() {
	queue := [][]int{nil}
	for len(queue) > 0 {
		takes := queue[0]
		queue = queue[1:]
		if len(c.others) == maxReadings {
			c.others, c.anyPath = nil, true
			c.defeated(nearPath, takes[0], "")
			return
		}
		other := &Call{Cmd: c.Cmd, Name: c.Name, World: c.World}
		other.takes, other.exactly = takes, true
		other.begin(c.p)
		other.words()
		c.others = append(c.others, other)
		for _, i := range other.optional {
			if len(takes) == 0 || i > takes[len(takes)-1] {
				queue = append(queue, append(takes[:len(takes):len(takes)], i))
			}
		}
	}
}

// mayTake notes an undeclared option that may take the word after it, where
// that makes a difference for the subcommand. It reports whether it does in
// this reading.
func (c *Call) mayTake(i int) bool {
	if slices.Contains(c.takes, i) {
		return true
	}
	if c.growing && !c.ended && i+1 < len(c.Cmd.Words) && c.deeper() {
		if next := c.Cmd.Words[i+1]; next.Parts != nil || next.Text == "" || next.Text[0] != '-' {
			c.optional = append(c.optional, i)
		}
	}
	return false
}

// inReadings is how far a rule holds, h by the first reading, where there are
// others, and the reading in which it does.
func (c *Call) inReadings(r *Rule, h holding) (holding, *Call) {
	if r.Decision == policy.Allow {
		for _, other := range c.others {
			if h.tri == policy.Yes && other.onPath(r, true) < policy.Yes && len(other.path)+len(other.operands) > 0 {
				if n := len(other.takes); n > 0 {
					return c.missed(r, nearReading, other.takes[n-1], ""), c
				}
				return holding{}, c
			}
		}
		return h, c
	}
	in := c
	for _, other := range c.others {
		if h.tri == policy.Yes {
			break
		}
		o := other.holds(r)
		for _, i := range other.takes {
			if c.Cmd.Words[i+1].MaySplit() {
				o.and(policy.Maybe, false) // it may take nothing, or more than it
			}
		}
		if o.tri > h.tri {
			h, in = o, other
		}
	}
	return h, in
}

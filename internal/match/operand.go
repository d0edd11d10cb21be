package match

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// maxPattern is how many places an operand pattern may have.
const maxPattern = 16

// absorbs reports whether a place takes any number of operands.
func (o *Operand) absorbs() bool { return o.Max < 0 || o.Kind == Command }

// place tells which places of the pattern each operand may have. It returns
// whether the operands fit: Maybe where their number is not known and only
// some numbers fit, or a value is not known.
//
// c.placed then holds two bits for each place of each operand: bit k says
// that the operand may have place k, bit 16+k that it may be the first there.
func (c *Call) place(pattern []Operand) policy.Tri {
	c.placed = c.placed[:0]
	wilds, patterns := 0, 0
	for i := range c.operands {
		c.placed = append(c.placed, 0)
		if o := &c.operands[i]; o.wild {
			wilds++
			if o.some {
				patterns++
			}
		}
	}
	if len(pattern) > maxPattern {
		return policy.Maybe // no allow holds then
	}
	sure := len(c.operands) - wilds
	last := sure
	if wilds > 0 {
		last += len(pattern) + 1
	}
	fits, misfits := false, false
	for n := sure; n <= last; n++ {
		var counts [maxPattern]int
		if !c.share(pattern, n, &counts) {
			// A pattern of file names stays as it is where it matches none,
			// but in a shell with nullglob set: it counts as one at least.
			misfits = misfits || n >= sure+patterns
			continue
		}
		fits = true
		c.spread(counts[:len(pattern)], n-sure, wilds)
	}
	switch {
	case !fits:
		return policy.No
	case misfits:
		return min(policy.Maybe, c.suit(pattern))
	}
	return c.suit(pattern)
}

// placeAnywhere gives every operand every place of a pattern of so many places
// that the operands don't fit.
func (c *Call) placeAnywhere(places int) {
	for i := range c.placed {
		c.placed[i] = 1<<places - 1
		if i == 0 {
			c.placed[i] |= c.placed[i] << 16
		}
	}
}

// share says how many of n operands each place takes: its minimum, then what
// is left from left to right. It reports false if n is too few or too many.
func (c *Call) share(pattern []Operand, n int, counts *[maxPattern]int) bool {
	for i := range pattern {
		n -= pattern[i].Min
		counts[i] = pattern[i].Min
	}
	if n < 0 {
		return false
	}
	at := 0
	for i := range pattern {
		switch o := &pattern[i]; {
		case o.Kind == Env && o.Max < 0 && i+1 < len(pattern):
			// NAME=VALUE words end where they no longer look so.
			for at+counts[i] < len(c.operands) && isAssign(c.operands[at+counts[i]].word) == policy.Yes {
				if n == 0 {
					return false
				}
				counts[i]++
				n--
			}
		case o.absorbs():
			counts[i] += n
			n = 0
		case counts[i] == 0 && n > 0:
			counts[i]++
			n--
		}
		at += counts[i]
	}
	return n == 0
}

// spread notes the places of all operands when those of unknown number are
// extra in all.
func (c *Call) spread(counts []int, extra, wilds int) {
	place, start := 0, 0 // the place of the operand number lo, and its first operand
	before, wildBefore := 0, 0
	for i := range c.operands {
		lo, hi := before, before
		if c.operands[i].wild {
			wildBefore++
			if extra == 0 {
				continue
			}
			hi = before + extra - 1
		} else {
			before++
			if wildBefore > 0 {
				hi += extra
			}
			if wildBefore == wilds {
				lo = hi
			}
		}
		if wilds > 0 {
			place, start = 0, 0
		}
		for place < len(counts) && start+counts[place] <= lo {
			start += counts[place]
			place++
		}
		for k, s := place, start; k < len(counts) && s <= hi; k++ {
			if counts[k] > 0 {
				c.placed[i] |= 1 << k
				if s >= lo {
					c.placed[i] |= 1 << (16 + k)
				}
			}
			s += counts[k]
		}
	}
}

// suit tells whether each operand may have the values of its place.
func (c *Call) suit(pattern []Operand) policy.Tri {
	all := policy.Yes
	for i := range c.operands {
		some, every := policy.No, policy.Yes
		for k := range pattern {
			if c.placed[i]&(1<<k) == 0 {
				continue
			}
			if pattern[k].Kind == Command && c.placed[i]&(1<<(16+k)) == 0 {
				some = policy.Yes // values are about the program, not about its arguments
				continue
			}
			t := pattern[k].suits(c.operands[i].word)
			some, every = max(some, t), min(every, t)
		}
		if c.placed[i] != 0 && every != policy.Yes {
			if c.operands[i].wild {
				some = max(some, policy.Maybe)
			}
			all = min(all, min(some, policy.Maybe))
		}
	}
	return all
}

func (o *Operand) suits(w policy.Word) policy.Tri {
	if o.Kind == Env {
		if t := isAssign(w); t != policy.Yes {
			return t
		}
	}
	if o.Values == nil {
		return policy.Yes
	}
	t := anyGlobWord(o.Values, w)
	if w.MaySplit() && w.HasHole() {
		t = min(t, policy.Maybe) // a pattern becomes files that it matches
	}
	return t
}

// isAssign reports whether a word is NAME=VALUE.
func isAssign(w policy.Word) policy.Tri {
	text := w.Prefix()
	name, _, ok := strings.Cut(text, "=")
	for i := range len(name) {
		if b := name[i]; b != '_' && !isLetter(b) && (i == 0 || !isDigit(b)) {
			return policy.No
		}
	}
	switch {
	case ok && name != "" && !w.MaySplit():
		return policy.Yes
	case w.Parts != nil && (!ok || name != ""):
		return policy.Maybe
	}
	return policy.No
}

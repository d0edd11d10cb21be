package match

import (
	"slices"

	"github.com/bashgate/bashgate/policy"
)

// implied adds what a pattern's places mean where no operand surely has them:
// rg without a path reads the current directory, and is judged as rg of ".".
// place has been called for the pattern last.
func (c *Call) implied(pattern []Operand, r *Rule) {
	for k := range min(len(pattern), maxPattern) {
		p := &pattern[k]
		if p.Default == "" || c.surelyPlaced(k) || p.Input && c.Cmd.Stdin.Kind != policy.InputHost || !c.some(p.With) {
			continue
		}
		u := Use{Kind: p.Kind, Lang: p.Lang, Word: policy.Const(p.Default), Rule: r}
		known := slices.ContainsFunc(c.Uses[min(c.fromUses, len(c.Uses)):], func(have Use) bool {
			text, ok := have.Word.Const()
			return ok && text == p.Default && have.Kind == p.Kind && have.Option == ""
		})
		if !known {
			c.use(u)
		}
	}
}

// some reports whether one of the options may be there; where none are named it
// does not matter. Holes rarely are options.
func (c *Call) some(tests []FlagTest) bool {
	return tests == nil || slices.ContainsFunc(tests, func(t FlagTest) bool {
		is, byHole := c.present(&t, false)
		return is > policy.No && !byHole
	})
}

// surelyPlaced reports whether an operand is certain to have the place k.
func (c *Call) surelyPlaced(k int) bool {
	for i := range c.operands {
		if !c.operands[i].wild && c.placed[i] == c.placed[i]&(1<<k|1<<(16+k)) && c.placed[i] != 0 {
			return true
		}
	}
	return false
}

// describedImplied is implied for a use of which no rule that holds says what
// its operands mean.
func (c *Call) describedImplied() {
	for i := c.from; i < len(c.Held); i++ {
		if c.Held[i].Rule.HasOperands {
			return
		}
	}
	if pattern := c.described(); pattern != nil && c.place(pattern) > policy.No {
		c.implied(pattern, nil)
	}
}

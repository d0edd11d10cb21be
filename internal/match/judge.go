package match

import (
	"slices"

	"github.com/bashgate/bashgate/policy"
)

// Judge judges the command by a program's table and adds what it says to the
// call.
func (c *Call) Judge(p *Program) {
	c.read(p)
	if p.packed == nil || c.anyPath || len(c.others) > 0 {
		for i := range p.Rules {
			c.try(p.rule(i))
		}
	} else {
		var mark uint32
		if len(c.path) > 0 {
			mark = markOf(c.path[0])
		}
		for i := range p.Rules {
			if !p.packed.elsewhere(i, mark) {
				c.try(p.rule(i))
			}
		}
	}
	c.finish()
}

// try adds the rule if it holds.
func (c *Call) try(r *Rule) {
	if r.Otherwise {
		c.later = append(c.later, r)
		return
	}
	c.hold(r)
}

// unsure sums up the rules that may hold if a hole turns out so.
type unsure struct {
	any     bool
	effects policy.Effects
	reach   policy.Reach
}

// adds reports whether they say more than the rules that hold.
func (u *unsure) adds(held []Held) bool {
	for i := range held {
		if held[i].Decision >= policy.Ask && held[i].Rule.Reach >= u.reach {
			return false
		}
	}
	return true
}

// hold adds the rule if it holds: an allow if it surely does, an ask also if
// it may; a block that only may hold asks. Rules that hang on what a hole
// turns out to be are not told one by one.
func (c *Call) hold(r *Rule) {
	h := c.holds(r)
	in := c
	if len(c.others) > 0 && len(r.Paths) > 0 {
		h, in = c.inReadings(r, h)
	}
	if h.tri == policy.No || r.Decision == policy.Allow && h.tri == policy.Maybe {
		return
	}
	if h.tri == policy.Maybe && h.hole {
		c.unsure.any = true
		c.unsure.effects |= r.Effects
		c.unsure.reach = max(c.unsure.reach, r.Reach)
		return
	}
	d := r.Decision
	if h.tri == policy.Maybe {
		d = min(d, policy.Ask)
	}
	c.Held = append(c.Held, Held{Rule: r, Decision: d, Layer: c.Layer, Sure: !h.doubt, If: h.on})
	in.ruleUses(r)
	if in != c {
		c.Uses = append(c.Uses, in.Uses...)
		in.Uses = in.Uses[:0]
	}
}

// finish tries the rules that hold only where no other does, and adds the
// program's own answer where none did.
func (c *Call) finish() {
	none := len(c.Held) == c.from
	if none && c.Objection == "" {
		c.Objection = c.objection()
	}
	if none && !c.unsure.any {
		for _, r := range c.later {
			c.hold(r)
		}
		none = len(c.Held) == c.from
		c.later = c.later[:0]
	}
	if none && c.missing != nil && c.p.Unknown >= policy.Ask {
		c.place(c.missing.Operands)
		c.operandUses(c.missing.Operands, c.missing)
	}
	if none || c.anyPath || c.unsure.any && c.unsure.adds(c.Held[c.from:]) {
		u := Undecided{Program: c.p, Layer: c.Layer, Reach: max(c.p.Reach, c.unsure.reach), Effects: c.unsure.effects}
		if none {
			u.Decision = c.p.Unknown
		}
		if c.unsure.any || c.anyPath {
			u.Decision = max(u.Decision, policy.Ask)
		}
		c.Unknowns = append(c.Unknowns, u)
	}
	if !none {
		c.behind()
	}
	if c.p.Own && c.close != nil && !c.allows() {
		c.Nearly = append(c.Nearly, Nearly{Rule: c.close, Why: c.objection()})
	}
	c.facts()
	c.describedUses()
	c.stdinUse()
}

// allows reports whether an allow of the program holds.
func (c *Call) allows() bool {
	for i := c.from; i < len(c.Held); i++ {
		if c.Held[i].Decision == policy.Allow {
			return true
		}
	}
	return false
}

// behind notes what the rules that hold, asks among them, leave open: what no
// closed allow passes, options that act and that none of them names, and the
// rules that hold only where no other does.
func (c *Call) behind() {
	if !slices.ContainsFunc(c.Held[c.from:], func(h Held) bool { return h.Decision == policy.Ask }) {
		return
	}
	b := Behind{Program: c.p, Reach: max(c.p.Reach, c.unsure.reach), Effects: c.unsure.effects}
	allowed := c.allows()
	switch {
	case allowed && !c.unsure.any && !c.anyPath:
		return
	case c.unsure.any || c.anyPath || c.defeat.stage != nearNone && !c.p.Open:
		b.Why = c.say(c.open())
	}
	if !allowed {
		b.Acts, b.Told = c.unnamed(false), c.unnamed(true)
		for _, r := range c.later {
			if r.Decision == policy.Ask && c.holds(r).tri > policy.No {
				b.Rules = append(b.Rules, r)
			}
		}
	}
	if b.Why != "" || b.Acts != "" || b.Rules != nil {
		c.Behind = append(c.Behind, b)
	}
}

// unnamed returns an option that acts and that no rule which holds names, with a value if
// told says so; "" for none.
func (c *Call) unnamed(told bool) string {
	for i := range c.flags {
		f := &c.flags[i]
		if f.opt == nil || !f.acts() || told && !f.has {
			continue
		}
		named := false
		for k := c.from; k < len(c.Held) && !named; k++ {
			r := c.Held[k].Rule
			named = f.admitted(r.Any) || f.admitted(r.All) || f.admitted(r.Only)
		}
		if !named {
			return "option " + f.name + " is not harmless"
		}
	}
	return ""
}

package match

import "strings"

// Push is which branches a command changes in another repository, or in the one
// at hand, as far as that can be known.
type Push struct {
	Remote   string   // its name in the configuration; "" is not known, an address, or none
	Branches []string // those that it changes there
	All      bool     // these are all that it changes, and it neither forces nor deletes
	Why      string   // what is not known or beyond branches, for messages
}

// pushes tells whether a command sends to one of a rule's remotes, and changes
// one of its branches there. An allow needs both for certain, and nothing else
// to be changed; an ask or block holds where one branch is meant.
func (c *Call) pushes(r *Rule, allow bool) (t Tri, why string) {
	if c.Pushed == nil {
		return Maybe, "it is not known where it sends to"
	}
	if c.push == nil {
		push := c.Pushed(c.invocation(r))
		c.push = &push
	}
	p := c.push
	t = Yes
	if len(r.Bounds.Remote) > 0 {
		switch {
		case p.Remote == "":
			t, why = Maybe, p.Why
		case !AnyGlob(r.Bounds.Remote, p.Remote):
			return No, "it sends to " + p.Remote + ", which is not one of " + strings.Join(r.Bounds.Remote, ", ")
		}
	}
	if len(r.Bounds.Branch) == 0 {
		return t, why
	}
	if !allow {
		return min(t, c.oneBranch(r)), ""
	}
	for _, branch := range p.Branches {
		if !AnyGlob(r.Bounds.Branch, branch) {
			return No, "it changes " + branch + ", which is not one of " + strings.Join(r.Bounds.Branch, ", ")
		}
	}
	if !p.All || len(p.Branches) == 0 {
		t, why = Maybe, p.Why
	}
	return t, why
}

// oneBranch tells whether one of the branches that a command changes is one of
// a rule's.
func (c *Call) oneBranch(r *Rule) Tri {
	for _, branch := range c.push.Branches {
		if AnyGlob(r.Bounds.Branch, branch) {
			return Yes
		}
	}
	if c.push.All {
		return No
	}
	return Maybe
}

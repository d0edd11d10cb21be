package match

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

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
func (c *Call) pushes(r *Rule, allow bool) (t policy.Tri, why string) {
	if c.World == nil {
		return policy.Maybe, "it is not known where it sends to"
	}
	if c.push == nil {
		push := c.World.Pushed(c.invocation(r))
		c.push = &push
	}
	p := c.push
	t = policy.Yes
	if len(r.Bounds.Remote) > 0 {
		switch {
		case p.Remote == "":
			t, why = policy.Maybe, p.Why
		case !AnyGlob(r.Bounds.Remote, p.Remote):
			return policy.No, "it sends to " + p.Remote + ", which is not one of " + strings.Join(r.Bounds.Remote, ", ")
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
			return policy.No, "it changes " + branch + ", which is not one of " + strings.Join(r.Bounds.Branch, ", ")
		}
	}
	if !p.All || len(p.Branches) == 0 {
		t, why = policy.Maybe, p.Why
	}
	return t, why
}

// oneBranch tells whether one of the branches that a command changes is one of
// a rule's.
func (c *Call) oneBranch(r *Rule) policy.Tri {
	for _, branch := range c.push.Branches {
		if AnyGlob(r.Bounds.Branch, branch) {
			return policy.Yes
		}
	}
	if c.push.All {
		return policy.No
	}
	return policy.Maybe
}

package engine

import (
	"cmp"
	"slices"

	"github.com/bashgate/bashgate/policy"
)

// verdict sums up what was said about a line.
func (j *judge) verdict(nodes []Node) Verdict {
	nodes = append(nodes, j.notes()...)
	j.decide(nodes, context{})
	v := Verdict{Decision: policy.Allow, Reach: policy.ReachLocal, Tree: nodes}
	count := 0
	for i := range nodes {
		n := &nodes[i]
		v.Decision = max(v.Decision, n.Decision)
		v.Reach = max(v.Reach, n.Reach)
		v.Effects |= n.Effects
		count += countReasons(n)
	}
	reasons := make([]*Reason, 0, count) // they are large
	for i := range nodes {
		reasons = appendReasons(reasons, &nodes[i])
	}
	slices.SortStableFunc(reasons, func(a, b *Reason) int {
		return cmp.Or(Graver(a, b), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	v.Reasons = make([]Reason, count)
	for i, r := range reasons {
		v.Reasons[i] = *r
	}
	if v.Decision > policy.Allow && len(v.Reasons) > 0 {
		v.Reason = v.Reasons[0].Text()
	}
	j.mode(&v)
	j.profileAnswer(&v)
	return v
}

// Graver orders reasons: the strictest first, and of those that count alike the
// gravest, for many read the first alone.
func Graver(a, b *Reason) int {
	return cmp.Or(cmp.Compare(b.Counts(), a.Counts()), cmp.Compare(b.gravity(), a.gravity()))
}

// OnlyUnknown reports whether nothing is asked about but programs that no rule
// knows.
func (v *Verdict) OnlyUnknown() bool {
	return v.Decision == policy.Ask && !slices.ContainsFunc(v.Reasons, func(r Reason) bool {
		return r.Counts() > policy.Allow && r.ID != "unknown-command"
	})
}

// Tighten puts a reason that no rule gave before those that are as strict, and
// makes the verdict as strict as it. A question that would reach nobody is a block.
func (v *Verdict) Tighten(r *Request, id string, d policy.Decision, text string) {
	add := func(id string, d policy.Decision, text string) {
		at := slices.IndexFunc(v.Reasons, func(r Reason) bool { return r.Counts() <= d })
		if at < 0 {
			at = len(v.Reasons)
		}
		v.Reasons = slices.Insert(v.Reasons, at, NewReason(id, d, text, r.Command))
	}
	add(id, d, text)
	if d < v.Decision {
		return
	}
	v.Decision, v.Reason = d, text
	switch {
	case d != policy.Ask:
	case v.Silent:
		add("profile.asks", policy.Block, silence)
		v.Decision, v.Reason = policy.Block, text+"; "+silence
	case !r.CanAsk():
		add("mode.unattended", policy.Block, "nobody can be asked here")
		v.Decision, v.Reason = policy.Block, text+"; nobody can be asked here"
	}
}

// silence is said where a profile asks nobody.
const silence = "this profile asks nobody"

func countReasons(n *Node) int {
	count := len(n.Reasons)
	for i := range n.Children {
		count += countReasons(&n.Children[i])
	}
	return count
}

func appendReasons(to []*Reason, n *Node) []*Reason {
	for i := range n.Reasons {
		to = append(to, &n.Reasons[i])
	}
	for i := range n.Children {
		to = appendReasons(to, &n.Children[i])
	}
	return to
}

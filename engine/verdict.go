package engine

import (
	"cmp"
	"slices"

	"github.com/bashgate/bashgate/internal/policy"
)

// verdict sums up what was said about a line.
func (j *judge) verdict(nodes []Node) Verdict {
	for i := range j.engine.opts.Notes {
		nodes = append(nodes, findingNode(&j.engine.opts.Notes[i]))
	}
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
	v.Reasons = make([]Reason, 0, count)
	for i := range nodes {
		v.Reasons = appendReasons(v.Reasons, &nodes[i])
	}
	slices.SortStableFunc(v.Reasons, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(b.Counts(), a.Counts()), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	if v.Decision > policy.Allow && len(v.Reasons) > 0 {
		v.Reason = v.Reasons[0].Text()
	}
	j.still(&v)
	j.mode(&v)
	return v
}

func countReasons(n *Node) int {
	count := len(n.Reasons)
	for i := range n.Children {
		count += countReasons(&n.Children[i])
	}
	return count
}

func appendReasons(to []Reason, n *Node) []Reason {
	to = append(to, n.Reasons...)
	for i := range n.Children {
		to = appendReasons(to, &n.Children[i])
	}
	return to
}

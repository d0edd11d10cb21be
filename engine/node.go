package engine

import "github.com/bashgate/bashgate/policy"

// reason adds one of the engine's own reasons to a node.
func (n *Node) reason(id string, d policy.Decision, text string, effects policy.Effects, reach policy.Reach) {
	n.Reasons = append(n.Reasons, Reason{
		ID: id, Decision: d, Pos: n.Pos, Effects: effects, Reach: reach,
		text: text, source: n.source, command: n.command,
	})
	n.Effects |= effects
	n.Reach = max(n.Reach, reach)
	if reach > policy.ReachLocal {
		n.code, n.daemon = false, false // what is found out after its words, of how it stands among others
		if n.settled {
			n.alone = max(n.alone, reach)
		}
	}
}

// ruled adds a reason that a rule of a file gives.
func (j *judge) ruled(n *Node, id string, d policy.Decision, text, file string, line int, effects policy.Effects, reach policy.Reach) {
	n.reason(id, d, text, effects, reach)
	r := n.last()
	r.File, r.Line, r.layer = file, line, j.engine.owners()[file]
}

func (n *Node) last() *Reason { return &n.Reasons[len(n.Reasons)-1] }

// settle sums up a node: the strictest of its own reasons and its children.
// A command that nothing was said about is one that only assigns, redirects
// or reads what it may.
func (n *Node) settle() {
	n.Decision = policy.Allow
	if !n.settled {
		n.alone, n.settled = max(n.alone, n.Reach), true
	}
	for i := range n.Reasons {
		n.Decision = max(n.Decision, n.Reasons[i].Counts())
	}
	for i := range n.Children {
		n.Decision = max(n.Decision, n.Children[i].Decision)
		n.Reach = max(n.Reach, n.Children[i].Reach)
		n.Effects |= n.Children[i].Effects
	}
}

// engineNode is a node for a text that could not be read.
func engineNode(id string, d policy.Decision, text, source string) Node {
	n := Node{source: policy.Clip(source, maxShown)}
	n.reason(id, d, text, 0, policy.ReachUnknown)
	n.settle()
	return n
}

func findingNode(f *policy.Finding) Node {
	n := Node{source: f.Source, Pos: f.Pos}
	reach := f.Reach
	if reach == policy.ReachUnset {
		reach = policy.ReachUnknown
	}
	n.reason(f.ID, max(f.Decision, policy.Ask), sentence(f.Reason), f.Effects, reach)
	n.settle()
	return n
}

// sentence begins a reason as the rules' reasons begin.
func sentence(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}

// maxShown is how much of a text is shown, in bytes.
const maxShown = 200

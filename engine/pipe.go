package engine

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
)

// pipes judges what flows from command to command.
func (j *judge) pipes(commands []policy.Command, nodes []Node) {
	for i := range commands {
		if commands[i].Stdin.Kind != policy.InputPipe {
			continue
		}
		for _, from := range commands[i].Stdin.From {
			if from >= 0 && from < len(nodes) {
				j.pipe(&nodes[from], &nodes[i])
			}
		}
	}
	j.receives(nodes)
}

func (j *judge) pipe(from, to *Node) {
	j.touch(policy.Pipes)
	for g := range j.allGates() {
		for i := range g.Pipes {
			rule := &g.Pipes[i]
			if !j.pipeEnd(&rule.From, from) || !j.pipeEnd(&rule.To, to) {
				continue
			}
			j.ruled(to, rule.ID, rule.Decision, rule.Reason, rule.File, rule.Line, rule.Effects, policy.ReachUnset)
			to.last().class = aboutInput
			to.settle()
		}
	}
}

// pipeEnd reports whether a command, or one that it runs, is what a rule says.
func (j *judge) pipeEnd(end *match.PipeEnd, n *Node) bool {
	if len(end.Programs) == 0 && end.Effects == 0 && end.Stdin == "" {
		return true
	}
	if n.command != nil && j.isEnd(end, n) {
		return true
	}
	for i := range n.Children {
		if j.pipeEnd(end, &n.Children[i]) {
			return true
		}
	}
	return false
}

func (j *judge) isEnd(end *match.PipeEnd, n *Node) bool {
	if end.Effects != 0 && n.Effects&end.Effects == 0 {
		return false
	}
	if len(end.Programs) > 0 {
		if len(n.command.Words) == 0 {
			return false
		}
		name, ok := j.callName(n.command)
		if !ok || !match.AnyGlob(end.Programs, name) {
			return false
		}
	}
	return end.Stdin == "" || j.takesOrders(n.command, end.Stdin)
}

// takesOrders reports whether a command runs what it reads as a text of the
// kind: "script", or "code" for any language.
func (j *judge) takesOrders(c *policy.Command, kind string) bool {
	if len(c.Words) == 0 {
		return false
	}
	name, ok := j.callName(c)
	if !ok {
		return false
	}
	call := j.newCall(c, name)
	defer j.free(call)
	j.gates(call)
	for i := range call.Uses {
		u := &call.Uses[i]
		if !u.FromStdin {
			continue
		}
		if u.Kind == match.Script && kind == "script" || u.Kind == match.Code && (kind == "code" || strings.HasSuffix(kind, u.Lang)) {
			return true
		}
	}
	return false
}

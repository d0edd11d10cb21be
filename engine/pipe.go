package engine

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// pipes judges what flows from command to command.
func (j *judge) pipes(commands []policy.Command, nodes []Node) {
	flows := 0
	for i := range commands {
		flows += len(commands[i].Stdin.From)
	}
	var ends pipeEnds
	if flows > manyFlows {
		ends = j.pipeEnds(len(nodes))
	}
	for i := range commands {
		if commands[i].Stdin.Kind != policy.InputPipe {
			continue
		}
		for _, from := range commands[i].Stdin.From {
			if from >= 0 && from < len(nodes) {
				j.pipe(&ends, nodes, from, i)
			}
		}
	}
	j.receives(nodes)
}

// manyFlows is how many flows a text has at most where nothing is remembered of
// their ends. One command may read from thousands that others read from, too.
const manyFlows = 16

// pipeEnds remembers which commands are an end of which rules about pipes: of
// each command an answer a rule, 0 as long as nobody has asked.
type pipeEnds struct {
	rules    int
	from, to []pipeAnswer
	told     []uint8 // how often a rule was given as a reason of a command
}

// maxTellings is how often a command is told one rule about what flows into it:
// once for each that writes to it, and no more often than that.
const maxTellings = 16

type pipeAnswer uint8

const (
	noEnd pipeAnswer = 1 + iota
	isEnd
)

func (j *judge) pipeEnds(nodes int) (e pipeEnds) {
	for g := range j.allGates() {
		e.rules += len(g.Pipes)
	}
	n := nodes * e.rules
	e.from, e.to, e.told = make([]pipeAnswer, n), make([]pipeAnswer, n), make([]uint8, n)
	return e
}

func (j *judge) pipe(ends *pipeEnds, nodes []Node, from, to int) {
	j.touch(policy.Pipes)
	at, n := 0, &nodes[to]
	for g := range j.allGates() {
		for i := range g.Pipes {
			rule := &g.Pipes[i]
			k := at
			at++
			if !j.remembered(ends, ends.from, from, k, &rule.From, &nodes[from]) || !j.remembered(ends, ends.to, to, k, &rule.To, n) {
				continue
			}
			if ends.rules > 0 {
				if told := &ends.told[to*ends.rules+k]; *told < maxTellings {
					*told++
				} else {
					continue // in the same words as before
				}
			}
			j.ruled(n, rule.ID, rule.Decision, rule.Reason, rule.File, rule.Line, rule.Effects, policy.ReachUnset)
			n.last().class = aboutInput
			effects := n.Effects
			n.settle()
			if ends.rules > 0 && (rule.Effects != 0 || n.Effects != effects) {
				clear(ends.from[to*ends.rules:][:ends.rules]) // rules may speak of these
				clear(ends.to[to*ends.rules:][:ends.rules])
			}
		}
	}
}

// remembered is pipeEnd for the rule at index k of one side of a command.
func (j *judge) remembered(ends *pipeEnds, side []pipeAnswer, command, k int, end *match.PipeEnd, n *Node) bool {
	if ends.rules == 0 {
		return j.pipeEnd(end, n)
	}
	answer := &side[command*ends.rules+k]
	if *answer == 0 {
		*answer = noEnd
		if j.pipeEnd(end, n) {
			*answer = isEnd
		}
	}
	return *answer == isEnd
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

package engine

import (
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// host judges a machine or an address that a command talks to.
func (j *judge) host(n *Node, u *match.Use) {
	n.Effects |= policy.Network
	n.Reach = max(n.Reach, policy.ReachNetwork)
	j.networkSource(n, u.Word, u.Kind)
	text, ok := u.Word.Const()
	if !ok {
		n.reason("shell.hole", policy.Ask, "Sends what is not known over the network: "+u.Word.String(), policy.Network, policy.ReachNetwork)
		text = u.Word.Prefix()
	}
	named := hostNames(text)
	if named.unclear && ok && u.Kind != match.Sent {
		n.hostUnclear(u.Word)
	}
	for _, name := range named.hosts {
		j.agentHost(n, u.Word, name)
		j.machine(n, name)
	}
}

// machine judges one machine by the rows about hosts.
func (j *judge) machine(n *Node, name string) {
	if name == "" {
		return
	}
	j.touch(policy.Machines)
	for g := range j.allGates() {
		for i := range g.Hosts {
			rule := &g.Hosts[i]
			if rule.Decision > policy.Allow && match.AnyGlob(rule.Globs, name) {
				j.ruled(n, rule.ID, rule.Decision, rule.Reason+": "+name, rule.File, rule.Line, rule.Effects, policy.ReachNetwork)
			}
		}
	}
}

// hostName is the machine that an address names to the program that it was
// written for, or "".
func hostName(text string) string { return hostNames(text).hosts[0] }

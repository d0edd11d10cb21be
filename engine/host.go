package engine

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
)

// host judges a machine or an address that a command talks to.
func (j *judge) host(n *Node, u *match.Use) {
	n.Effects |= policy.Network
	n.Reach = max(n.Reach, policy.ReachNetwork)
	j.heard(n, u.Word)
	text, ok := u.Word.Const()
	if !ok {
		n.reason("shell.hole", policy.Ask, "Sends what is not known over the network: "+u.Word.String(), policy.Network, policy.ReachNetwork)
		text = u.Word.Prefix()
	}
	name := hostName(text)
	j.agentHost(n, u.Word, name)
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

// hostName is the machine that a URL or an address names, in lower case, with
// numeric spellings of an address written out: http://0xA9FEA9FE/ is
// 169.254.169.254.
func hostName(text string) string {
	if _, rest, ok := strings.Cut(text, "://"); ok {
		text = rest
	}
	text = strings.TrimPrefix(text, "//")
	if i := strings.IndexAny(text, "/?#\\"); i >= 0 {
		text = text[:i]
	}
	if i := strings.LastIndexByte(text, '@'); i >= 0 {
		text = text[i+1:]
	}
	text = strings.ToLower(text)
	if strings.HasPrefix(text, "[") {
		text, _, _ = strings.Cut(text[1:], "]")
		if addr, ok := hostAddress(text); ok {
			return addr
		}
		return text
	}
	if strings.Count(text, ":") == 1 {
		text, _, _ = strings.Cut(text, ":")
	}
	text = strings.TrimSuffix(text, ".")
	if addr, ok := hostAddress(text); ok {
		return addr
	}
	return text
}

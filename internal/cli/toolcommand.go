package cli

import (
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// ranBy decides about a tool that runs commands as about the shell: the
// session's taint and the reviewer have their say about these. What nobody
// asks about is left to the agent, as it is of every tool.
func (g *gate) ranBy(r *engine.Request, v engine.Verdict) engine.Verdict {
	r.Command = strings.Join(v.Commands, "\n")
	decision, reach := v.Decision, v.Reach
	v.Reach = v.CommandReach
	v = g.settle(r, v)
	v.Reach = max(v.Reach, reach)
	if v.Decision == policy.Allow && decision != policy.Allow && g.request == nil {
		v.Decision = policy.Skip // a reviewer's clearance is about the command, not about the tool
	}
	return v
}

package cli

import (
	"github.com/bashgate/bashgate/internal/doctor"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/install"
	"github.com/bashgate/bashgate/policy"
)

// configChange answers where the agent's settings have changed while it runs. A
// change by which the agent would not ask bashgate any more holds from the next
// session on: this one goes on with the settings that it began with. An
// administrator's change can't be kept out (Claude Code's documentation), and what
// can't be read says nothing.
func (g *gate) configChange(agent *host.Host) (policy.Decision, string) {
	q := g.question
	a := install.Find(agent.Name)
	switch q.Source {
	case "user_settings", "project_settings", "local_settings":
	default:
		a = nil
	}
	d, reason := policy.Skip, ""
	if a != nil {
		m := doctor.Machine{Place: install.Place{Home: q.Request.Home, Workspace: q.Request.Workspace, Getenv: g.process.Getenv}}
		if why := m.Without(a, agent); why != "" {
			d, reason = policy.Block, "bashgate: the change takes bashgate's hook out of this session; it holds from the next one on: "+policy.Visible(why)
		}
	}
	g.log(&q.Request, nil, d)
	return d, reason
}

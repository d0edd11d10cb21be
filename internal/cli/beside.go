package cli

import (
	"cmp"
	"os"
	"os/signal"
	"syscall"

	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/policy"
)

// beside waits for a person who answers elsewhere while the agent's dialog is open.
// Whoever answers first settles it; where nobody does, nothing is said, and the
// dialog stands. What would be asked now is looked at without doing anything, for
// the use of the tool was an event of its own.
func (g *gate) beside() (policy.Decision, string) {
	p, q := g.process, *g.question
	c := &g.judge.config.Approvals
	view := newLook(p, &q, nil)
	r := q.Request
	v, _, _ := view.decide(&r)
	if c.Off || v.Silent || g.judge.setup.NoLifts || v.Decision == policy.Block {
		return policy.Skip, ""
	}
	queue, err := p.Requests()
	if err != nil {
		return policy.Skip, ""
	}
	bound, err := view.bound(&r, &v)
	if err != nil {
		return policy.Skip, ""
	}
	request := approval.Request{
		Bound: bound, ID: r.Session, Mode: r.Mode, Shell: r.Shell, Why: whys(&v),
		Life: min(g.patient, cmp.Or(c.Life, approval.RequestLife)),
	}
	if len(request.Why) == 0 {
		request.Why = []approval.Why{{ID: "agent.asks", Text: "The agent asks, by its own settings", Source: "(" + r.Host + ")"}}
	}
	asked, fresh, err := queue.Ask(request)
	if err != nil {
		return policy.Skip, ""
	}
	if fresh {
		p.announce(&g.judge.config.Notify, asked)
	}
	gone, stop := signalled()
	defer stop()
	now, err := await(gone, queue, asked, g.patient)
	if err != nil {
		return policy.Skip, ""
	}
	switch now.State {
	case approval.Approved:
		// It is used for what the same is by now: while it waited, a script may have
		// become another one, and the session may have seen more.
		if bound, still := g.beheld(); !still {
			return policy.Skip, ""
		} else if used, err := queue.Use(&bound); err == nil && used != nil {
			return policy.Allow, "bashgate: approved by " + policy.Visible(policy.Clip(used.By, 100))
		}
	case approval.Denied:
		return policy.Block, deniedBy(now)
	}
	return policy.Skip, ""
}

// beheld is what an answer to the question holds for at this moment, unless it is
// blocked by now.
func (g *gate) beheld() (b approval.Bound, still bool) {
	q := *g.question
	view := newLook(g.process, &q, nil)
	r := q.Request
	v, _, _ := view.decide(&r)
	b, err := view.bound(&r, &v)
	return b, err == nil && !v.Silent && v.Decision != policy.Block
}

// signalled returns a channel that is closed once somebody wants the process to end.
func signalled() (gone <-chan struct{}, stop func()) {
	signals, ended := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		if _, ok := <-signals; ok {
			close(ended)
		}
	}()
	return ended, func() {
		signal.Stop(signals)
		close(signals)
	}
}

// ended makes what waited for an answer about a tool's use expire, for agents whose
// dialog is open beside it: somebody has answered there.
func (g *gate) ended() {
	agent, err := host.Named(g.question.Request.Host)
	if err != nil || !agent.Beside || g.look != nil {
		return
	}
	queue, err := g.process.Requests()
	if err != nil {
		return
	}
	command, err := g.given(&g.question.Request)
	if err != nil {
		return
	}
	q := g.question
	use := approval.Bound{Host: q.Request.Host, Session: g.name, Workspace: q.Request.Workspace, Command: command, Cwd: q.Request.Cwd, Asker: g.process.Asker}
	if !q.Shell || q.Aside {
		use.Tool = q.Tool.Name
	}
	err = queue.End(&use, approval.Answer{State: approval.Expired, By: q.Request.Host, Channel: "agent", Reason: "it was answered there"})
	if err != nil {
		g.process.complain("a request: "+policy.Visible(err.Error()), "")
	}
}

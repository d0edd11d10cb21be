package cli

import (
	"path/filepath"
	"time"

	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/policy"
)

// Reply is what an event of an agent comes to.
type Reply struct {
	Decision policy.Decision // Skip where the event asks nothing
	Reason   string          // one line
	Code     string          // of the request that waits, or has waited, for a person; "" = none does
	Local    bool            // an allow of what neither leaves the machine nor shows anything that counts
	Failed   bool            // what a session has seen could not be written down
}

// Decide handles an event as the hook does, for programs that live longer than one
// event. Where nobody can be asked and a person may answer elsewhere, it waits for
// the answer, no longer than wait (0 = not at all), and decides again: the settings,
// the session and the answer are those of the moment. Of the agent's environment
// nothing is known but what the question says.
func (p *Process) Decide(q *host.Question, wait time.Duration) Reply {
	return p.DecideFor(nil, q, wait)
}

// DecideFor is Decide for somebody who may go away: once gone is closed, what
// waits for them expires.
func (p *Process) DecideFor(gone <-chan struct{}, q *host.Question, wait time.Duration) Reply {
	for end := time.Now().Add(wait); ; {
		event := *q
		g := newGate(p, &event, time.Now())
		event.Request.Getenv = q.Request.Getenv // and not this process's own
		if q.Event != host.BeforeToolUse {
			return Reply{Failed: g.after() != exitOK}
		}
		reply := Reply{}
		reply.Decision, reply.Reason = g.before()
		if g.request == nil {
			return reply
		}
		reply.Code = g.request.Code
		if g.request.State == approval.Used || g.request.State == approval.Denied {
			return reply
		}
		left := time.Until(end)
		if left <= 0 {
			return reply
		}
		queue, err := p.Requests()
		if err != nil {
			return reply
		}
		now, err := await(gone, queue, g.request, left)
		switch {
		case err != nil:
			reply.Reason += "; " + policy.Visible(err.Error())
			return reply
		case now.State == approval.Approved:
			continue
		case now.State == approval.Denied:
			reply.Decision, reply.Reason = policy.Block, deniedBy(now)
		}
		return reply
	}
}

// await waits for a person's answer. Once gone is closed the request expires.
func await(gone <-chan struct{}, queue approval.Queue, r *approval.Request, patience time.Duration) (*approval.Request, error) {
	answered := make(chan struct{})
	defer close(answered)
	go func() {
		select {
		case <-answered:
		case <-gone:
			queue.Answer(r.Code, approval.Answer{State: approval.Expired, Reason: "whoever asked is gone"})
		}
	}()
	return queue.Wait(r, patience)
}

// deniedBy says who has said no, and why.
func deniedBy(r *approval.Request) string {
	reason := "bashgate: denied by " + policy.Visible(policy.Clip(r.By, 100))
	if r.Reason != "" {
		reason += ": " + policy.Visible(policy.Clip(r.Reason, 300))
	}
	return reason
}

// Requests is where questions wait for a person.
func (p *Process) Requests() (approval.Queue, error) {
	store, err := session.Open(p.Getenv)
	return approval.Queue{Store: approval.Store{Dir: filepath.Join(store.Dir, "requests")}}, err
}

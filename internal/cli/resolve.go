package cli

import (
	"fmt"
	"time"

	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/audit"
	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/policy"
)

// ErrNothingToTrust is Resolve's where a request has nothing that a person could
// vouch for.
const ErrNothingToTrust = constantError("what the session has seen did not cause the question, or its record can't be trusted")

// constantError is an error that is there before the program starts.
type constantError string

func (e constantError) Error() string { return string(e) }

// Resolve gives the request that has a code its answer, and logs that. With trust,
// what the session had seen when it asked counts no more in that session. The
// errors, for errors.Is: approval.ErrUnknown, approval.ErrEnded, approval.ErrOther
// and ErrNothingToTrust; nothing has happened then. With any other error beside a
// request, that is answered, and the rest is not done.
func (p *Process) Resolve(code string, a approval.Answer, trust bool) (*approval.Request, error) {
	queue, err := p.Requests()
	if err != nil {
		return nil, err
	}
	if trust {
		r, err := queue.Request(code)
		switch {
		case err != nil:
			return nil, err
		case a.State != approval.Approved || !trustable(r):
			return nil, ErrNothingToTrust
		case a.Sum == "":
			a.Sum = r.Sum() // what is vouched for is what is approved
		}
	}
	r, err := queue.Answer(code, a)
	if err != nil {
		return nil, err
	}
	p.logAnswer(r)
	if !trust {
		return r, nil
	}
	store, err := session.Open(p.Getenv)
	if err == nil {
		err = store.Trust(r.Session, a.By, r.Labels)
	}
	if err != nil {
		return r, fmt.Errorf("%s is approved, but what the session has seen counts as before: %w", r.Code, err)
	}
	return r, nil
}

// trustable reports whether a person can vouch for what the session had seen, and
// whether that would save a question.
func trustable(r *approval.Request) bool {
	caused := false
	for i := range r.Why {
		caused = caused || ofTaint(r.Why[i].ID)
	}
	return caused && r.Session != "" && session.Trustable(r.Labels)
}

// logAnswer writes the decision log, unless there shall be none. An answer that
// can't be logged stands.
func (p *Process) logAnswer(r *approval.Request) {
	c := p.setup().Audit
	if c.Off {
		return
	}
	line := audit.Line{
		Time: time.Now(), Event: "approval", Host: r.Host, Session: r.ID, Tool: r.Tool, Cwd: r.Cwd, Workspace: r.Workspace,
		Mode: r.Mode, Shell: r.Shell, Decision: r.State.String(), Code: r.Code, By: r.By,
	}
	for i := range r.Why {
		line.Rules = append(line.Rules, r.Why[i].ID)
	}
	if c.Commands != "off" {
		line.Reason = policy.Visible(audit.Text(r.Reason))
	}
	if c.Commands != "off" && c.Commands != "names" && r.Tool == "" {
		line.Command = r.Command
	}
	l, err := p.auditLog(&c)
	if err != nil {
		p.complain("the decision log: "+policy.Visible(err.Error()), logOffHint)
		return
	}
	p.writeLog(l, &line)
}

package cli

import (
	"cmp"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/folder"
	"github.com/bashgate/bashgate/policy"
)

// In a container nobody can be asked, and its own rules know only what lies there.
// What they don't allow for certain, a server on the machine around it decides about,
// through a directory that both share.

// containerTime is longer than any server waits for a person.
const containerTime = 25 * time.Hour

// containerFlag reports a directory that hangs on where the agent works.
func containerFlag(dir string) error {
	if dir != "" && !filepath.IsAbs(dir) {
		return usagef("--ipc /run/bashgate", "--ipc takes an absolute path, found %q: what lies in a project is anybody's", dir)
	}
	return nil
}

// handOn decides about a tool's use in a container. What the rules here block stays
// blocked; what neither leaves the machine nor shows anything that counts is decided
// here, and costs no file. All else is what comes through the directory: whatever
// goes wrong there is a denial.
func (g *gate) handOn(dir string) (policy.Decision, string) {
	if !g.question.Shell {
		return g.before()
	}
	r := g.question.Request
	r.Settings = agentSettings(&r)
	attended := r
	attended.Unattended = false // a question is none of the reasons to block
	v := g.judge.evaluate(attended)
	if v.Decision == policy.Block || g.stays(&v) {
		return g.before()
	}
	g.checkers(&r, &v, g.start.Add(g.process.patience()/2))
	if v.Decision == policy.Block {
		reason := reasonLine(&v)
		g.log(&r, &v, policy.Block)
		return policy.Block, reason
	}
	taint := g.session().Taint(g.judge.taintRules().From)
	q := folder.Question{
		Command: r.Command, Cwd: r.Cwd, Workspace: r.Workspace, Session: r.Session, Shell: r.Shell,
		Corruption: taint.Corruption, Secret: taint.Secret, Damaged: taint.Damaged,
	}
	if v.Decision == policy.Ask {
		q.Asks = cmp.Or(v.Reason, "it is not allowed")
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
	a, err := folder.Ask(dir, q, time.Until(g.start.Add(g.process.patience()-answerTime)), stop)
	signal.Stop(stop)
	d, reason := policy.Block, policy.Visible(policy.Clip(cmp.Or(a.Reason, "bashgate: no reason is known"), 1000))
	switch {
	case err != nil:
		reason = "bashgate: error: " + policy.Visible(err.Error())
	case a.Allow:
		d, v.Decision = policy.Allow, policy.Allow
		g.remembered(&r, &v, g.seen(&v), g.writes(&v))
		if v.Decision == policy.Block { // what it shows can't be written down
			d, reason = policy.Block, reasonLine(&v)
		}
	}
	g.log(&r, &v, d)
	return d, reason
}

// stays reports whether a line is allowed, and neither leaves the machine nor shows
// anything that counts.
func (g *gate) stays(v *engine.Verdict) bool {
	return v.Decision == policy.Allow && v.Reach == policy.ReachLocal && v.Beyond(false) == policy.ReachLocal && len(g.seen(v)) == 0
}

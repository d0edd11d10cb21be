package cli

import (
	"errors"
	"slices"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/learn"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// What a person has answered for a session, or once. It is looked for only where
// something would be asked, and nothing of it makes a block anything else.

// bySession judges a line again with the rules of the session, if it has some.
func (g *gate) bySession(r *engine.Request, v *engine.Verdict) {
	if g.alone || g.name == "" || !unanswered(v) {
		return
	}
	store, err := g.process.answers()
	if err != nil {
		return
	}
	text, err := store.Session(g.name)
	if err != nil {
		g.process.complain("the answers of this session: "+policy.Visible(err.Error()), "")
	}
	if text == nil {
		return
	}
	c := ruleset.CompileEach([]*ruleset.File{ruleset.Load("(answers of this session)", text, ruleset.User)}, catalogue.Known())[0]
	if err := c.Err(); err != nil {
		g.process.complain("the answers of this session: "+policy.Visible(g.process.firstLine(err)), "")
		return
	}
	q, notices := g.judge.configured(*r)
	options := g.judge.made
	options.User = join(options.User, []*interp.Rules{interp.New([]*match.Gate{c.Gate})})
	answered := engine.New(options).Evaluate(q)
	notify(&answered, notices)
	*v = answered
}

// unanswered reports whether a verdict is a question, or is a block for no other
// reason than that the agent's hooks can't ask.
func unanswered(v *engine.Verdict) bool {
	return v.Decision == policy.Ask || v.Decision == policy.Block && !slices.ContainsFunc(v.Reasons, func(r engine.Reason) bool {
		return r.Counts() == policy.Block && r.ID != "mode.unattended"
	})
}

// once lets a command pass for which a person has given a ticket, which it uses
// up: whatever asks about it, the rules, what the session has seen, or a reviewer.
func (g *gate) once(r *engine.Request, v *engine.Verdict) {
	if g.look != nil || !g.question.Shell || v.Silent || g.judge.setup.NoLifts || !unanswered(v) || v.Decision == policy.Block && !g.unreached(r, v) || g.leaves(r.Mode, v) {
		return
	}
	store, err := g.process.answers()
	if err != nil {
		return
	}
	find := store.Use
	if g.look != nil {
		find = store.See
	}
	ticket, err := find(approval.Ticket{Command: r.Command, Cwd: r.Cwd, Workspace: r.Workspace, Session: g.name})
	if err != nil {
		g.process.complain("a ticket: "+policy.Visible(err.Error()), "")
	}
	if ticket == nil {
		return
	}
	pass(r, v, "answer.once", "allowed once by "+ticket.By)
}

// pass lets a command run for which a person has given an answer.
func pass(r *engine.Request, v *engine.Verdict, id, text string) {
	by := engine.Lift{By: id, Text: text, To: policy.Allow}
	v.Clear(by)
	for i := range v.Reasons {
		if r := &v.Reasons[i]; reachesNobody(r.ID) {
			r.Lift = &by
		}
	}
	v.Human = false
	v.Reasons = append(v.Reasons, engine.NewReason(id, policy.Allow, text, r.Command))
}

// reachesNobody reports whether a block stands in the place of a question that
// reaches nobody: that of the mode, or of a reviewer's flag.
func reachesNobody(id string) bool { return id == "mode.unattended" || id == "cop.flag" }

// forgetAnswers ends what was answered for the session.
func (g *gate) forgetAnswers() {
	if g.name == "" {
		return
	}
	store, err := g.process.answers()
	if err == nil {
		err = store.SetSession(g.name, nil)
	}
	if err != nil {
		g.process.complain("the answers of this session: "+policy.Visible(err.Error()), "")
	}
}

// hint is what stands behind a question: how a person answers it for good, or, where
// no rule can, once.
func (g *gate) hint(r *engine.Request, v *engine.Verdict) string {
	c := &g.judge.config
	asks := func(r engine.Reason) bool { return r.Counts() == policy.Ask }
	switch {
	case c.NoHint, !g.question.Shell, g.judge.setup.NoLifts, !unanswered(v), v.Decision == policy.Block && g.unasked == "", !slices.ContainsFunc(v.Reasons, asks):
		return ""
	}
	refusal, refused := errors.AsType[*learn.Refusal](learn.Refused(*r, v))
	switch {
	case refused && !refusal.Once():
		return ""
	case refused || holdsSecret(r.Command):
		return "; " + config.DefaultHint + " --once"
	case c.Hint != "":
		return "; " + policy.Visible(c.Hint)
	}
	return "; " + config.DefaultHint
}

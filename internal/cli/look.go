package cli

import (
	"strings"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/audit"
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/policy"
)

// look is a gate of which somebody wants to see what it would answer: it decides
// as for an agent, but nothing is remembered or logged, no checker is run and no
// reviewer is asked.
type look struct {
	then     *audit.Line // the situation is that of a logged event; nil: of the session as it is now
	reviewer string      // who would be asked, "" = nobody
	checkers []string    // programs that would be run, and may tighten the answer
}

// newLook makes a gate to look at. The line is the one that was logged of the
// event, nil if there is none.
func newLook(p *Process, q *host.Question, then *audit.Line) *gate {
	g := newGateOf(p, newJudge(p), q, time.Now())
	g.look = &look{then: then}
	if then != nil {
		g.store.Until = then.Started()
	}
	return g
}

// append writes down what has happened in the session.
func (g *gate) append(events ...session.Event) error {
	if g.look != nil {
		return nil
	}
	return g.store.Append(g.name, events...)
}

// recall puts in what counted of the session when the event was logged.
func (g *gate) recall(r *engine.Request) {
	if g.look != nil && g.look.then != nil {
		l := g.look.then
		r.Taint = engine.Taint{Corruption: l.Corruption, Secret: l.Secret, Damaged: l.Damaged, Untouched: l.Untouched}
	}
}

// checkers asks the user's checkers.
func (g *gate) checkers(r *engine.Request, v *engine.Verdict, deadline time.Time) {
	if g.look == nil {
		g.judge.checkers(g.question, r, v, deadline)
		return
	}
	for i := range g.judge.config.Checkers {
		if c := &g.judge.config.Checkers[i]; v.Decision != policy.Block && asksAbout(c, g.question) {
			g.look.checkers = append(g.look.checkers, c.Command[0])
		}
	}
}

// reviewed decides by what the session has seen.
func (g *gate) reviewed(r *engine.Request, v *engine.Verdict) cop.Outcome {
	j := g.judge
	if g.look == nil {
		return j.review(r, v, g.labels, g.changed, g.moving)
	}
	t := j.table()
	said := g.said()
	if said.Kind == cop.NotAsked && j.config.Cop.Provider != "" && t.When != cop.Never && t.Next(r, v, true).Calls() {
		if said = j.call(r, v, true, g.labels, g.changed, g.moving); said.Kind == cop.NotAsked {
			g.look.reviewer = strings.TrimSuffix(j.config.Cop.Provider+", "+j.config.Cop.Model, ", ")
			return cop.Outcome{}
		}
	}
	if said.Kind == cop.NotAsked {
		return t.Decide(r, v, nil)
	}
	return t.Decide(r, v, func(*engine.Request, *engine.Verdict) cop.Outcome { return said })
}

// said is what a reviewer said when the event was logged.
func (g *gate) said() cop.Outcome {
	l := g.look.then
	if l == nil {
		return cop.Outcome{}
	}
	kind, reviewed := cop.ParseKind(l.Cop)
	if !reviewed {
		return cop.Outcome{}
	}
	return cop.Outcome{Kind: kind, Code: l.CopCode, Text: l.CopText, Risk: cop.ParseRisk(l.CopRisk), Cached: l.CopCached}
}

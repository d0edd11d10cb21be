package cli

import (
	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/policy"
)

// Sessions that go on with what others have seen, and questions that a person
// refused: what the agent does not say by an event of its own.

// leaves reports whether a question is left to the agent.
func (g *gate) leaves(mode string, v *engine.Verdict) bool {
	return v.Decision == policy.Ask && !v.Human && !g.uncleared() && g.defers(mode, v)
}

// asked marks the labels of a use about which a person is asked, if the agent
// tells how the uses of that tool end.
func (g *gate) asked(events []session.Event) []session.Event {
	if !g.asks || g.question.Use == "" || !g.question.EndTold {
		return events
	}
	for i := range events {
		events[i].Asked = true
	}
	return events
}

// refusals is what is noted when a person says something new: what that person
// was asked about and what has not ended did not run. A tool that is at work
// all the same brings its labels back by its end. Of agents that don't tell how
// uses end nothing is marked as asked, and so nothing counts as refused.
func (g *gate) refusals() []session.Event {
	if !g.tracks() || g.homeless != nil || g.name == "" {
		return nil
	}
	return g.session().Refusals()
}

// inherited begins the record of a session that is a copy of others.
func (g *gate) inherited() []session.Event {
	if events, _ := g.store.Inherit(g.name, g.question.Request.Host, g.question.Transcript, ""); len(events) > 0 {
		return events
	}
	return []session.Event{{Kind: session.Resumed, What: session.Forked}}
}

// resolve finds out what a session is a copy of as soon as the agent has written
// it down, which it may do only after the session's beginning.
func (g *gate) resolve(s *session.State) {
	q := g.question
	if !s.Fork || q.Event != host.BeforeToolUse || q.Transcript == "" || q.PromptID == "" {
		return
	}
	events, whole := g.store.Inherit(g.name, q.Request.Host, q.Transcript, q.PromptID)
	switch {
	case !whole:
		return
	case len(events) == 0:
		events = []session.Event{{Kind: session.Resumed, What: "a copy of an unknown one"}}
	}
	if g.look != nil {
		*s = g.store.ReadWith(g.name, events)
		return
	}
	if err := g.store.Append(g.name, events...); err != nil {
		g.process.complain("remembering what the session goes on with: "+err.Error(), "")
		return
	}
	*s = g.store.Read(g.name)
}

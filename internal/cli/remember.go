package cli

import (
	"errors"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/policy"
)

// remembered writes down what the session will have seen, and which files it
// writes with that. What can't be written down must not happen: a line or a tool
// that would show something then is blocked, asked about or not, for a person's
// yes would run it and nobody would know.
func (g *gate) remembered(r *engine.Request, v *engine.Verdict, events []session.Event, writes []engine.Node) {
	if v.Decision == policy.Block {
		return
	}
	if err := g.remember(events, writes); err != nil {
		g.fresh = nil
		v.Tighten(r, "record.unwritten", policy.Block, unwritten(err))
	}
}

// remember returns why not all is written down that has to be.
func (g *gate) remember(events []session.Event, writes []engine.Node) error {
	if g.alone || len(events)+len(writes) == 0 {
		return nil
	}
	switch {
	case g.homeless != nil && len(events) > 0:
		return g.homeless
	case g.homeless != nil, g.name == "":
		return nil // of a session without a name everything counts as seen
	}
	state, from := g.session(), g.judge.taintRules().From
	g.fresh = g.asked(state.New(events))
	if g.look != nil {
		if state.Unwritable && len(g.fresh)+len(writes) > 0 {
			return errors.New(state.Damage)
		}
		return nil
	}
	err := g.store.Append(g.name, g.fresh...)
	before := also(state.Taint(from), g.question.Seen)
	// While nothing can be written a session sees nothing either: its files
	// hold no more than its record says.
	before.Damaged = before.Damaged && !state.Unwritable
	if keepErr := g.store.Keep(writes, before, from, g.name); err == nil {
		err = keepErr
	}
	return err
}

// unwritten says why something does not run, and what to do.
func unwritten(err error) string {
	what, _, _ := strings.Cut(err.Error(), "\n")
	return "What this shows could not be remembered, so it does not run: " + policy.Visible(policy.Clip(what, 200)) +
		". Make room there, or let bashgate write to it, and try again; XDG_STATE_HOME names another directory"
}

// forgotten tells that an event without an answer could not be written down,
// and returns the exit status. A prompt that names files can still be stopped.
func (g *gate) forgotten(err error) int {
	if g.question.Event == host.PromptSubmit {
		g.process.complain(unwritten(err), "")
		return exitUsage
	}
	g.process.complain("remembering what the session has seen: "+err.Error(), "")
	return exitOK
}

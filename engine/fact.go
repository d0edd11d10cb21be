package engine

import (
	"slices"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
)

// Facts say what a use does whatever the rules think of it: that a program
// runs code of the directory it stands in even where it only shows its help,
// that a command does not end by itself.

// facts notes what the facts of a command say. A command that something else
// ends is not endless: a time limit, a reader that stops, or that nobody waits
// for it.
func (j *judge) facts(n *Node, c *match.Call) {
	for _, r := range c.Facts {
		n.Reach = max(n.Reach, r.Reach)
		if s := r.Fact; s != nil && s.Corruption|s.Secret != 0 && !n.hushed {
			n.told = max(n.told, s.Corruption)
			n.sight(Sight{Corruption: s.Corruption, Secret: s.Secret, What: n.label(n.hosts), Why: r.Reason, Brought: true})
		}
		n.Effects |= r.Effects
	}
	if obeysProject(c) {
		n.Effects |= policy.Executes
		n.Reach = max(n.Reach, policy.ReachUnknown)
	}
	if n.Effects&policy.Endless != 0 && j.ended() {
		n.Effects &^= policy.Endless
	}
}

// obeysProject reports whether a fact says that a command runs code of the
// directory it stands in.
func obeysProject(c *match.Call) bool {
	return c.Project || slices.ContainsFunc(c.Facts, func(r *match.Rule) bool { return r.Effects&policy.Executes != 0 })
}

// runsProject reports whether a command runs code of the project: a rule or a
// fact says so.
func runsProject(c *match.Call) bool {
	if obeysProject(c) {
		return true
	}
	for i := range c.Held {
		if (c.Held[i].Decision == policy.Allow || c.Held[i].Known) && c.Held[i].Rule.Effects&policy.Executes != 0 {
			return true
		}
	}
	return false
}

// standsIn is a command of a text that is being judged.
type standsIn struct {
	commands []policy.Command // the text's
	at       int
}

// ended reports whether what is being judged is ended by something else.
func (j *judge) ended() bool {
	return j.limits > 0 || slices.ContainsFunc(j.above, func(s standsIn) bool { return j.cut(s.commands, s.at, len(s.commands)) })
}

// cut reports whether what a command writes is read by one that stops, through
// at most so many others.
func (j *judge) cut(commands []policy.Command, at, most int) bool {
	for i := range commands {
		in := &commands[i].Stdin
		if most > 0 && in.Kind == policy.InputPipe && slices.Contains(in.From, at) && (j.stops(&commands[i]) || j.cut(commands, i, most-1)) {
			return true
		}
	}
	return false
}

// stops reports whether a program surely ends what writes to its input.
func (j *judge) stops(c *policy.Command) bool {
	if len(c.Words) == 0 {
		return false
	}
	name, ok := j.identify(c.Words[0], c.Where)
	if !ok {
		return false
	}
	call := j.newCall(c, name)
	defer j.free(call)
	gates.Judge(call)
	return call.Ends == match.EndsInput
}

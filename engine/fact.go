package engine

import (
	"slices"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
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
	text *readText
	at   int
}

// readText is a text's commands, and what was found out about them together: which
// of them write to one that stops, through however many others.
type readText struct {
	commands []policy.Command
	given    []policy.Assign     // what its variables are given
	handed   map[string][]handed // the secret files that it names, by where they are seen from
	cut      []bool              // nil: nobody has asked yet
}

// ended reports whether what is being judged is ended by something else.
func (j *judge) ended() bool {
	return j.limits > 0 || slices.ContainsFunc(j.above, func(s standsIn) bool { return j.cut(s.text)[s.at] })
}

// cut tells of each command whether what it writes is read by one that stops.
func (j *judge) cut(t *readText) []bool {
	if t.cut != nil {
		return t.cut
	}
	t.cut = make([]bool, len(t.commands))
	var next []int
	writers := func(i int) {
		if in := &t.commands[i].Stdin; in.Kind == policy.InputPipe {
			for _, from := range in.From {
				if from >= 0 && from < len(t.cut) && !t.cut[from] {
					t.cut[from] = true
					next = append(next, from)
				}
			}
		}
	}
	for i := range t.commands {
		if t.commands[i].Stdin.Kind == policy.InputPipe && j.stops(&t.commands[i]) {
			writers(i)
		}
	}
	for len(next) > 0 {
		i := next[len(next)-1]
		next = next[:len(next)-1]
		writers(i)
	}
	return t.cut
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

package engine

import (
	"path"
	"slices"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Note is something that went wrong while settings and rules were loaded. It
// joins the verdict of every request that it may be about, as a reason to ask:
// what could not be read might have held something stricter.
type Note struct {
	policy.Finding
	Scope policy.Scope
}

// touch notes that a request asks what the rows about a subject say.
func (j *judge) touch(s policy.Subjects) { j.touched |= s }

// name notes that a request asks what the rules of a program say. A file counts
// as the program of its name in any directory.
func (j *judge) name(program string) {
	notes := j.engine.opts.Notes
	for i := range notes {
		if !slices.ContainsFunc(notes[i].Scope.Programs, func(glob string) bool { return match.Glob(glob, path.Base(program)) }) {
			continue
		}
		if j.named == nil {
			j.named = make([]bool, len(notes))
		}
		j.named[i] = true
	}
}

// notes lists what went wrong while loading and may be about what was asked of
// the rules so far.
func (j *judge) notes() []Node {
	var nodes []Node
	for i := range j.engine.opts.Notes {
		n := &j.engine.opts.Notes[i]
		if n.Scope.All || n.Scope.About&j.touched != 0 || j.named != nil && j.named[i] {
			nodes = append(nodes, findingNode(&n.Finding))
		}
	}
	return slices.Clip(nodes)
}

package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// input is where a descriptor reads from. Commands that share it read one after
// the other, whichever shells they run in: what the second finds is what the
// first has left.
type input struct {
	policy.Input
	drawn *bool // somebody may have read from it; nil: it makes no difference
}

// newInput is an input that a construct opens.
func (r *run) newInput(in policy.Input) input {
	if in.Kind == policy.InputText || in.Kind == policy.InputHole && in.Text.Parts != nil {
		drawn := new(bool)
		r.inputs = append(r.inputs, drawn)
		return input{in, drawn}
	}
	return input{Input: in}
}

// rest is what somebody who reads now finds.
func (in *input) rest() policy.Input {
	switch {
	case in.drawn == nil || !*in.drawn:
		return in.Input
	case in.From != nil:
		return policy.Input{Kind: policy.InputPipe, From: in.From}
	}
	return policy.Input{Kind: policy.InputHole}
}

// draw notes that somebody may read.
func (in *input) draw() {
	if in.drawn != nil {
		*in.drawn = true
	}
}

// draw notes that somebody may read what he is given, from any descriptor.
func (s *streams) draw() {
	s.stdin.draw()
	s.drawOthers()
}

// drawOthers is draw for all but standard input.
func (s *streams) drawOthers() {
	for i := range s.fds {
		s.fds[i].input.draw()
	}
}

// draws reports whether a command may read its standard input: all do but the
// shell's own that have no use for it, and exec where it runs nothing.
func draws(c *policy.Command) bool {
	name, known := c.Program()
	if !known {
		return len(c.Words) > 0
	}
	return !isA(name, idle) && (name != "exec" || len(c.Words) > 1)
}

// handles notes what a handler may read, which runs at a moment that is not known.
// One that runs when a shell exits reads what that shell has open; after the
// outermost one nobody reads.
func (r *run) handles(d *deferredText, n syntax.Node) {
	if r.probing { // one that a handler sets
		r.within(ofShell, func() { r.nested(d.text, n, "") })
		return
	}
	within := r.spawning > 0 || slices.ContainsFunc(r.exits, func(x *exits) bool { return x.of == ofShell })
	if d.last && !within || r.interrupted || !r.mayRead(d.text, n) {
		return
	}
	for _, drawn := range r.inputs {
		*drawn = true
	}
	r.interrupted = !d.last
}

// handlesAnew is handles for the handlers that are set, where a name that they may
// call means something else from now on.
func (r *run) handlesAnew() {
	for i := 0; i < len(r.deferred) && !r.interrupted && !r.probing; i++ {
		d := r.deferred[i]
		r.handles(&d, place(d.pos))
	}
}

// mayRead reports whether a text may read from a descriptor that it is given.
func (r *run) mayRead(text string, n syntax.Node) bool {
	drawn := false
	probe := input{policy.Input{Kind: policy.InputHole}, &drawn}
	r.trial(func(mark) {
		r.f.streams = streams{stdin: probe}
		for fd := '3'; fd <= '9'; fd++ {
			r.f.fds = append(r.f.fds, descriptor{string(fd), probe})
		}
		around := r.surroundings
		around.probing = true
		r.inside(around, func() {
			r.within(ofShell, func() { r.nested(text, n, "") })
		})
	})
	return drawn
}

// interrupt notes that a handler may read what is open from now on to several
// commands. One that has an input of its own has all of it.
func (r *run) interrupt() {
	if r.interrupted {
		r.f.streams.draw()
	}
}

// mayBeDescriptor reports whether a file that is opened may be a descriptor by its
// name: /dev/stdin, /proc/self/fd/3.
func (r *run) mayBeDescriptor(w policy.Word) bool {
	s, known := w.Const()
	if !known || !path.IsAbs(s) && len(r.f.dirs) == 0 {
		return true
	}
	is := func(p string) bool {
		return p != "/dev/null" && (strings.HasPrefix(p, "/dev/") || strings.HasPrefix(p, "/proc/"))
	}
	if path.IsAbs(s) {
		return is(path.Clean(s))
	}
	return slices.ContainsFunc(r.f.dirs, func(dir string) bool { return is(path.Join(dir, s)) })
}

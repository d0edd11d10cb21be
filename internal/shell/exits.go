package shell

// Break, continue and return, a condition that ends a loop, and an expansion that
// fails leave a construct before its end, in whatever state the shell is then.
// What that did to variables is in the log; this file joins the rest, so that
// what follows a construct begins with the join of all ways out of it.

// reach says what a way out leaves.
type reach uint8

const (
	ofLine     reach = iota // of a text: the line that an expansion gave up
	ofLoop                  // break, continue
	ofFunction              // return
	ofShell                 // a subshell: nothing leaves it but by its end
)

// exits is the join of the ways out of one construct.
type exits struct {
	of      reach
	f       *frame  // nil: there is none but its end
	streams streams // before it, which come back
	execs   int     // how often exec had redirected the shell by then
}

// within interprets the inside of a construct and returns its ways out.
func (r *run) within(of reach, body func()) *exits {
	x := &exits{of: of, streams: r.f.streams, execs: r.f.execs}
	around := r.surroundings
	around.exits = append(around.exits, x)
	r.inside(around, body)
	return x
}

// leaves notes that the present state may be the one after the innermost
// construct of a kind. Break leaves the function that it stands in, too, where a
// shell lets a function leave its caller's loop. What is not found is around the
// text, where a handler may have interrupted anything.
func (r *run) leaves(of reach) {
	for i := len(r.exits) - 1; i >= 0; i-- {
		x := r.exits[i]
		if x.of == ofShell {
			return
		}
		if x.of == of || of == ofLoop && x.of == ofFunction {
			x.add(&r.f)
			r.left++
		}
		if x.of == of && of != ofLine {
			return
		}
	}
	r.escapes++
}

// leavesBy is leaves for a way out of a statement.
func (r *run) leavesBy(of reach, e ending) {
	if !e.dead {
		f := r.f
		r.enter(e)
		r.leaves(of)
		r.f = f
	}
}

func (x *exits) add(f *frame) {
	g := *f // what follows may be left out, and what it changed stays
	if g.execs == x.execs {
		g.streams = x.streams
	}
	if x.f != nil {
		g = joinFrame(x.f, &g)
	}
	x.f = &g
}

// joinExits makes the state the join of the present one and of the ways out, and
// the outcome one of them.
func (r *run) joinExits(x *exits, o outcome) outcome {
	if x.f == nil {
		return o
	}
	r.f = joinFrame(x.f, &r.f)
	return always(x.f.ending()).join(o)
}

// abort notes that an expansion may give up on the rest of its line.
func (r *run) abort() {
	r.gaveUp = true
	r.leaves(ofLine)
}

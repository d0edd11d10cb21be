package shell

// outcome is what comes of a statement, and of what it is made of: a list, a
// compound command, a simple one, a function's body. All that reads one returns it,
// and what follows begins where it ends.
type outcome struct {
	ok, fail ending // where it leaves the shell if it succeeded, and if it failed
	printer  int    // the command whose output is its own, by its index; -1: none, or several
	silent   bool   // it may not have run at all, and so printed nothing
	kept     bool   // exec redirected the shell itself: the streams stay as they are
	stays    bool   // it is that of a command which goes nowhere, until it is found to
}

// ending is one way out of a statement.
type ending struct {
	location
	dead bool // nobody leaves this way: the shell has exited
}

// join returns what is known where either way may have been taken.
func (e ending) join(o ending) ending {
	switch {
	case e.dead:
		return o
	case o.dead:
		return e
	}
	return ending{location: e.location.join(o.location)}
}

// join returns what is known where either outcome may be the one.
func (o outcome) join(p outcome) outcome {
	j := outcome{ok: o.ok.join(p.ok), fail: o.fail.join(p.fail), printer: o.printer, silent: o.silent || p.silent, kept: o.kept || p.kept}
	if o.printer != p.printer {
		j.printer = -1
	}
	return j
}

// end is where it leaves the shell, whichever way.
func (o outcome) end() ending { return o.ok.join(o.fail) }

// dead reports whether nothing follows it.
func (o outcome) dead() bool { return o.ok.dead && o.fail.dead }

// and is the outcome of o && p, or that of o || p.
func (o outcome) and(p outcome) outcome {
	return outcome{ok: p.ok, fail: o.fail.join(p.fail), printer: -1}
}
func (o outcome) or(p outcome) outcome {
	return outcome{ok: o.ok.join(p.ok), fail: p.fail, printer: -1}
}

// not is the outcome behind an exclamation mark.
func (o outcome) not() outcome {
	o.ok, o.fail = o.fail, o.ok
	return o
}

// unless is the outcome of what fails where it is if it can't run.
func (o outcome) unless(e ending) outcome {
	o.fail, o.silent = o.fail.join(e), true
	return o
}

// always is the outcome that is always the same.
func always(e ending) outcome { return outcome{ok: e, fail: e, printer: -1} }

// here is the ending in the present state.
func (r *run) here() ending { return r.f.ending() }

func (f *frame) ending() ending { return ending{location: f.location} }

// plain is the outcome of a command that leaves the shell where it is.
func (r *run) plain() outcome { return always(r.here()) }

// enter continues in the directories of an ending. One that nobody leaves by
// is followed all the same.
func (r *run) enter(e ending) {
	if !e.dead {
		r.f.location = e.location
	}
}

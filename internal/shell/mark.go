package shell

// What was done since a mark can be taken back, or joined with what was before: each
// change of a variable or a function is in the log while a mark is open.

// symbol is a name, of a variable or of a function.
type symbol struct {
	name string
	fn   bool
}

// meaning is what a symbol is; nil for what the text neither sets nor defines.
type meaning struct {
	v *variable
	f *function
}

// undo is what a symbol meant before a change, or in a branch behind one.
type undo struct {
	symbol
	meaning
}

// join returns what is known where a symbol means either. One side is nil for the
// other kind of symbols.
func (m meaning) join(o meaning) meaning { return meaning{joinVar(m.v, o.v), joinFunc(m.f, o.f)} }

// means returns what a symbol is in the present state.
func (r *run) means(s symbol) meaning {
	if s.fn {
		return meaning{f: r.funcs[s.name]}
	}
	return meaning{v: r.vars[s.name]}
}

// mean gives a symbol a meaning.
func (r *run) mean(s symbol, m meaning) {
	switch {
	case s.fn:
		r.setFunc(s.name, m.f)
	case m.v == nil:
		r.forget(s.name)
	default:
		r.set(s.name, m.v)
	}
}

// note keeps what a symbol means for the marks that are open.
func (r *run) note(s symbol) {
	if r.logging > 0 {
		r.log = append(r.log, undo{s, r.means(s)})
	}
}

// mark is a state to come back to.
type mark struct {
	log int
	f   frame
	tally
}

func (r *run) mark() mark {
	r.logging++
	return mark{len(r.log), r.f, r.tally}
}

// release ends a mark and keeps the state. Only the innermost mark may be
// ended.
func (r *run) release(m mark) {
	r.logging--
	if r.logging == 0 {
		r.log = r.log[:0]
	}
}

// revert ends a mark and goes back to its state.
func (r *run) revert(m mark) {
	for i := len(r.log) - 1; i >= m.log; i-- {
		r.restore(&r.log[i])
	}
	r.log = r.log[:m.log]
	r.f = m.f
	r.release(m)
}

func (r *run) restore(u *undo) {
	switch {
	case u.f != nil:
		r.funcs[u.name] = u.f
	case u.v != nil:
		r.vars[u.name] = u.v
	case u.fn:
		delete(r.funcs, u.name)
	default:
		delete(r.vars, u.name)
	}
}

// changes lists the first log entry of each name since a mark: what the name
// meant there.
func (r *run) changes(m mark) []undo {
	entries := r.log[m.log:]
	switch len(entries) {
	case 0:
		return nil
	case 1:
		return []undo{entries[0]}
	}
	if !r.spend(len(entries) / 2) {
		return nil // nothing is read any more, whatever the state
	}
	firsts := make([]undo, 0, min(len(entries), 64))
	if len(entries) <= 16 {
	next:
		for i := range entries {
			for j := range firsts {
				if firsts[j].symbol == entries[i].symbol {
					continue next
				}
			}
			firsts = append(firsts, entries[i])
		}
		return firsts
	}
	seen := make(map[symbol]bool, len(entries))
	for _, e := range entries {
		if !seen[e.symbol] {
			seen[e.symbol] = true
			firsts = append(firsts, e)
		}
	}
	return firsts
}

// either ends a mark: the state may be the mark's or the present one.
func (r *run) either(m mark) {
	for _, e := range r.changes(m) {
		r.mean(e.symbol, e.join(r.means(e.symbol)))
	}
	r.f = joinFrame(&m.f, &r.f)
	r.release(m)
}

// keep ends a mark: the present state is certain, or may be that of the mark.
func (r *run) keep(m mark, certain bool) {
	if certain {
		r.release(m)
	} else {
		r.either(m)
	}
}

// branch is one way out of several, taken back.
type branch struct {
	dead    bool   // it ends in exit
	changes []undo // what each changed name means in the branch
	f       frame
}

// takeBack ends a mark, goes back to its state, and returns what was done.
func (r *run) takeBack(m mark) branch {
	b := branch{changes: r.changes(m), f: r.f}
	for i := range b.changes {
		c := &b.changes[i]
		c.meaning = r.means(c.symbol)
	}
	r.revert(m)
	return b
}

// join makes the state the join of branches that all started in the present
// one.
func (r *run) join(branches []branch) {
	if len(branches) == 0 {
		return
	}
	type merged struct {
		meaning
		n int // branches that changed it
	}
	var all map[symbol]*merged
	f := branches[0].f
	for i := range branches {
		if i > 0 {
			f = joinFrame(&f, &branches[i].f)
		}
		for _, c := range branches[i].changes {
			if all == nil {
				all = make(map[symbol]*merged)
			}
			m := all[c.symbol]
			if m == nil {
				all[c.symbol] = &merged{c.meaning, 1}
				continue
			}
			m.meaning = m.join(c.meaning)
			m.n++
		}
	}
	for s, m := range all {
		if m.n < len(branches) {
			m.meaning = r.means(s).join(m.meaning)
		}
		r.mean(s, m.meaning)
	}
	r.f = f
}

package shell

import (
	"maps"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// deferredText is what the shell runs at a moment that is not known: a trap's
// handler, an alias, a prompt.
type deferredText struct {
	text string
	pos  policy.Pos
	via  string
	last bool // it runs when the shell exits, and changes nothing for others

	funcs map[string]*function // the functions when it was set
}

// deferText keeps a text to be read when the rest has been.
func (r *run) deferText(text string, n syntax.Node, via string) {
	r.deferUntil(text, n, via, false)
}

func (r *run) deferUntil(text string, n syntax.Node, via string, last bool) {
	d := deferredText{text: text, pos: r.at(n.Pos()), via: via, last: last, funcs: maps.Clone(r.funcs)}
	r.handles(&d, n)
	if r.probing {
		return // it is set when the handler runs
	}
	for i := range r.deferred {
		if old := &r.deferred[i]; old.text == d.text && old.pos == d.pos && old.via == d.via && old.last == d.last {
			old.funcs = nil // set twice, perhaps with other functions
			return
		}
	}
	r.deferred = append(r.deferred, d)
}

// promptText keeps the substitutions of a text that is expanded as a prompt.
func (r *run) promptText(s string, n syntax.Node) {
	// Backslashes are prompt escapes first: \$ is a dollar sign there.
	s = strings.NewReplacer(`\\`, `\\`, `\$`, "$", "\\`", "`", `\"`, `"`).Replace(s)
	if decoded, ok := ansiC(s, r.may(moreEscapes)); ok {
		s = decoded
	}
	s = strings.ReplaceAll(s, `"`, `\"`)
	r.deferText(`: "`+s+`"`, n, "")
}

// finish reads what may run at any time, in a state in which every variable is
// a hole and every function ever defined may be meant; and so the functions
// that were never called.
func (r *run) finish() {
	for t, f := 0, 0; t < len(r.deferred) || f < len(r.defined); {
		if r.limited {
			return
		}
		var defined map[string]*function
		if t < len(r.deferred) {
			defined = r.deferred[t].funcs
		}
		r.forgetAll(defined)
		if t < len(r.deferred) {
			d := r.deferred[t]
			t++
			m := r.mark()
			r.nested(d.text, place(d.pos), d.via)
			if !d.last && r.alters(m) {
				r.report(policy.Finding{
					ID:     idEvaluates,
					Reason: "changes the shell's state at a moment that is not known",
					Source: policy.Clip(d.text, maxSource),
					Pos:    d.pos,
				})
			}
			r.release(m)
			continue
		}
		body := r.defined[f]
		f++
		if !body.judged || body.forced {
			around := r.surroundings
			around.src = body.src
			if !body.forced {
				around.uncalled = body.name
			}
			r.inside(around, func() { r.callBody(body, nil, body.stmt) })
		}
	}
}

// alters reports whether what was done since a mark may change what is known of the
// shell at a moment when nothing is: what is not known on both sides is told by the
// tally.
func (r *run) alters(m mark) bool {
	did := r.tally
	did.left = m.left // what left a construct of its own
	return did != m.tally || len(r.changes(m)) > 0 || r.f.execs != m.f.execs || changesOf(&m.f, &r.f) != frameChanges{}
}

// forgetAll makes the state one of which nothing is known but what outlives
// every change: attributes, and the functions that may be meant. Those that
// were defined when the text was set are so when it runs, though perhaps anew.
func (r *run) forgetAll(defined map[string]*function) {
	r.vars = nil
	for name, v := range r.seeds {
		r.set(name, v)
	}
	r.funcs = nil
	if !r.spend(len(r.defined)) {
		return
	}
	r.funcs = r.ever.functions(r.defined, defined, r.unsetFunc)
	dirs := r.f.dirs
	if r.moves > 0 || r.in.Caller != nil || !slices.Equal(dirs, r.in.Dirs) {
		dirs = nil
	}
	r.f = frame{
		location:  location{dirs: dirs, stackLost: true},
		foreign:   r.foreign,
		arguments: arguments{arg0: unknownArg0},
		streams:   streams{stdin: input{Input: policy.Input{Kind: policy.InputHole}}},
		env:       r.exports, // by a subshell too, which a handler may end
	}
}

// everDefined is what names mean as functions at a moment that is not known: all
// that is ever defined by the name. It is kept for the next such moment, of
// which a text has as many as it has functions.
type everDefined struct {
	of    int // so many definitions
	funcs map[string]*function
}

// functions returns a state's functions. Those of defined are so for certain.
func (e *everDefined) functions(all []*funcBody, defined map[string]*function, unset bool) map[string]*function {
	if len(all) == 0 {
		return nil
	}
	if defined == nil && e.of == len(all) {
		return maps.Clone(e.funcs)
	}
	funcs := make(map[string]*function, len(all))
	for _, body := range all {
		f := funcs[body.name]
		if f == nil {
			d := defined[body.name]
			f = &function{maybe: d == nil || d.maybe || unset}
			funcs[body.name] = f
		}
		f.bodies = append(f.bodies, body)
	}
	if defined == nil {
		e.of, e.funcs = len(all), maps.Clone(funcs)
	}
	return funcs
}

// seed keeps what a variable's attributes mean for texts that are read last, and
// that what is presumed of a variable may not hold for them.
func (r *run) seed(name string, v *variable) {
	if v.attrs&^(exported|local) == 0 && !is(name, presumed) {
		return
	}
	if r.seeds == nil {
		r.seeds = make(map[string]*variable)
	}
	s := blurred(v, policy.ShapeAny)
	if old := r.seeds[name]; old != nil {
		s.attrs |= old.attrs
	}
	s.attrs, s.sure = calculated(s.attrs&^local), 0
	r.seeds[name] = s
}

// place is a node at a known place of the outermost text.
func place(p policy.Pos) syntax.Node {
	return &syntax.Lit{ValuePos: syntax.NewPos(0, uint(p.Line), uint(p.Col))}
}

package engine

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// What a user's files allow drops asks: a lift is a record of who drops which
// ones. It acts on the asks of one simple command only, neither on those of
// the commands that it runs nor on its neighbours', and never on a block. What
// the command does and how far it reaches stays as it is.
//
//	[[programs]] allow, lifts     the ids that it names, where the allow holds
//	[[paths]]    write = "allow"  asks about ordinary files, where they surely lie there
//	[[env]]      set = "allow"    env.NAME, for these values
//	[[hosts]]    decision, lifts  the ids that it names, where all machines are these

// lift drops asks about one simple command.
type lift struct {
	ids   []string // globs
	by    Lift
	layer layer
	what  string // only reasons about this, "write build/log"; "": whatever they are about
	mild  bool   // not what can't be undone
	held  bool   // by a rule that holds for the command's own words, not by a row
	edits bool   // by a row about places, of what changes there
}

// drops reports whether a lift drops a reason.
func (l *lift) drops(r *Reason) bool {
	return r.Decision == policy.Ask && l.layer >= r.layer && (l.what == "" || l.what == r.about) && l.names(r.ID)
}

// ruleOf says whose rule a lift is.
func ruleOf(l layer) string {
	if l == ofProfile {
		return "a rule of the profile"
	}
	return "a rule of yours"
}

func (l *lift) names(id string) bool {
	return slices.ContainsFunc(l.ids, func(glob string) bool { return glob == id || match.IsGlob(glob) && match.Glob(glob, id) })
}

// lifts collects what drops asks about a command: beside the rows about its
// paths and variables, which were noted as these were judged, the rules that
// hold and the rows about the machines that it talks to.
func (j *judge) lifts(n *Node, c *match.Call) []lift {
	all := n.lifts
	for i := range c.Held {
		if r := c.Held[i].Rule; c.Held[i].Decision == policy.Allow && len(r.Lifts()) > 0 {
			all = append(all, lift{
				ids: r.Lifts(), layer: layer(c.Held[i].Layer), held: true,
				by: Lift{By: r.ID, Text: ruleOf(layer(c.Held[i].Layer)), File: r.File, Line: r.Line, To: policy.Allow},
			})
		}
	}
	if len(n.talks) > 0 {
		for _, own := range j.engine.lenient().hosts {
			if row := own.row; talksTo(n.talks, row.Globs) && onPorts(n.talks, row.NotPorts) {
				all = append(all, own.lift(row.ID, row.Lifts, row.File, row.Line, ""))
			}
		}
	}
	if by := n.placed; by != nil && n.changed == 0 {
		for i := range c.Held {
			if r := c.Held[i].Rule; c.Held[i].Decision == policy.Ask && (r.ByPlace || r.AcceptEdits) && !(by.mild && r.Irreversible) {
				all = append(all, lift{ids: []string{r.ID}, by: by.by, layer: by.layer, held: true, edits: true})
			}
		}
	}
	return all
}

// rest asks what is left to ask about the places of a command where the
// strictest rows about them are lifted.
func (j *judge) rest(n *Node) {
	if len(n.lifts) == 0 {
		return
	}
	for i := 0; i < len(n.rows); i++ {
		a := &n.rows[i]
		r := Reason{ID: a.rule.ID, Decision: policy.Ask, about: a.op.about(a.word)}
		for l := range n.liftsOf(r.about) {
			if l.drops(&r) {
				j.nextRow(n, a)
				break
			}
		}
	}
}

// askingRow is a row that asks about a word of a command, the strictest of
// those about it.
type askingRow struct {
	rule   *match.PathRule
	op     op
	word   policy.Word
	places []target // all that the word may mean
}

// nextRow asks what the next strictest row asks about a word, where the ones
// before are dropped.
func (j *judge) nextRow(n *Node, a *askingRow) {
	var next *match.PathRule
	given := func(rule *match.PathRule) bool { return n.gives(rule.ID, a.op, a.word.String()) }
	for _, t := range a.places {
		forms := j.spellings(t)
		for g := range j.allGates() {
			for i := range g.Paths {
				rule := &g.Paths[i]
				if d := ruleDecision(rule, a.op); d > policy.Allow && (next == nil || d > ruleDecision(next, a.op)) &&
					asksAbout(rule, forms, t.pattern, a.op) && !given(rule) {
					next = rule
				}
			}
		}
	}
	if next == nil {
		return
	}
	n.beneath(func() { j.pathReason(n, next, ruleDecision(next, a.op), a.op, a.word) })
	n.rows = append(n.rows, askingRow{next, a.op, a.word, a.places})
}

// asksAbout reports whether a row is about one of the spellings of a path, or
// about what lies below it for a program that walks directories.
func asksAbout(rule *match.PathRule, forms []string, pattern bool, o op) bool {
	if meets(rule, forms, pattern) {
		return true
	}
	return !pattern && (rule.Tree && o == opRead || rule.Own && o == opDelete) && slices.ContainsFunc(forms, func(form string) bool {
		return slices.ContainsFunc(rule.Globs, func(glob string) bool { return glob[0] != '!' && isAbove(form, glob) })
	})
}

// liftedAsk reports whether something drops what a rule asks about a command's
// words, whether that is a rule that holds for them, and whether it is the place that the
// command edits.
func (n *Node) liftedAsk(id string) (lifted, held, placed bool) {
	for i := range n.lifts {
		if l := &n.lifts[i]; l.what == "" && l.names(id) {
			lifted, held, placed = true, held || l.held && !l.edits, placed || l.edits
		}
	}
	return lifted, held, placed
}

// behind adds what the asks hide that something drops: the rules that hold
// where no other does, and what no rule understands.
func (j *judge) behind(n *Node, c *match.Call) {
	edits := j.request.Mode == ModeAcceptEdits
	if len(n.lifts) == 0 && !edits {
		return
	}
	for i := range c.Behind {
		b := &c.Behind[i]
		dropped, named, byPlace, byMode := false, false, false, false
		for k := range c.Held {
			h := &c.Held[k]
			if h.Decision != policy.Ask || h.Rule.File != b.Program.File || h.Rule.Program != b.Program.Name {
				continue
			}
			lifted, held, placed := n.liftedAsk(h.Rule.ID)
			mode := edits && h.Rule.AcceptEdits && layer(h.Layer) != ofProject
			if !lifted && !mode {
				dropped = false
				break
			}
			dropped, named, byPlace = true, named || held, byPlace || placed
			// What the mode lifts anyway is not uncovered by a profile's row.
			byMode = byMode || mode && (!lifted || n.placed != nil && n.placed.layer == ofProfile)
		}
		if !dropped {
			continue
		}
		for _, r := range b.Rules {
			if byMode {
				break // it answers for the edits that the rule speaks of
			}
			n.beneath(func() {
				j.ruled(n, r.ID, policy.Ask, match.Fill(r.Reason, j.request.PackSettings), r.File, r.Line, r.Effects, r.Reach)
			})
			n.last().Irreversible, n.last().class = r.Irreversible, aboutUse
		}
		why := b.Why
		switch {
		case why != "":
		case byMode, byPlace && !named: // edits, and not what an option names beside them
			why = b.Told
		case !named:
			why = b.Acts
		}
		if why != "" {
			n.beneath(func() {
				j.ruled(n, "unknown-use", policy.Ask, "No rule covers this use of "+b.Program.Name+": "+why, b.Program.File, b.Program.Line, b.Effects, b.Reach)
			})
			n.last().class = aboutUse
		}
	}
}

// beneath adds a reason that is asked only because what stood above it was
// lifted. A lift changes no facts, and so does what it uncovers.
func (n *Node) beneath(add func()) {
	effects, reach := n.Effects, n.Reach
	add()
	n.Effects, n.Reach = effects, reach
	n.last().beneath = true
}

// near notes the rules of users, projects and administrators that one
// condition kept from holding.
func (n *Node) near(c *match.Call) {
	for i := range c.Nearly {
		if r := c.Nearly[i].Rule; c.Nearly[i].Why != "" {
			n.Near = append(n.Near, Near{r.ID, r.File, r.Line, c.Nearly[i].Why})
		}
	}
}

// lenient are the rows of users' files that drop asks, and the built-in ones
// about this machine.
type lenient struct {
	paths []own[match.PathRule]
	hosts []own[match.HostRule]
	env   []own[match.EnvRule]
}

// own is a row of somebody's.
type own[Row any] struct {
	row   *Row
	layer layer
}

func (o own[Row]) lift(id string, ids []string, file string, line int, what string) lift {
	text := "a row of yours"
	switch o.layer {
	case builtIn:
		text = "a machine that is this one"
	case ofProfile:
		text = "a row of the profile"
	}
	return lift{ids: ids, by: Lift{By: id, Text: text, File: file, Line: line, To: policy.Allow}, layer: o.layer, what: what}
}

// loosening finds the rows that drop asks. Those of a project never do.
func (e *Engine) loosening() *lenient {
	var l lenient
	for _, g := range gates.All {
		for i := range g.Hosts {
			if len(g.Hosts[i].Lifts) > 0 {
				l.hosts = append(l.hosts, own[match.HostRule]{&g.Hosts[i], builtIn})
			}
		}
	}
	for _, owner := range e.layers() {
		if owner.layer == ofProject {
			continue
		}
		for _, rules := range owner.rules {
			for _, g := range interp.Gates(rules) {
				for i := range g.Paths {
					if len(g.Paths[i].Lifts) > 0 {
						l.paths = append(l.paths, own[match.PathRule]{&g.Paths[i], owner.layer})
					}
				}
				for i := range g.Hosts {
					if len(g.Hosts[i].Lifts) > 0 {
						l.hosts = append(l.hosts, own[match.HostRule]{&g.Hosts[i], owner.layer})
					}
				}
				for i := range g.Env {
					if len(g.Env[i].Lifts) > 0 {
						l.env = append(l.env, own[match.EnvRule]{&g.Env[i], owner.layer})
					}
				}
			}
		}
	}
	return &l
}

// talksTo reports whether all machines that a command talks to are surely ones
// that globs mean.
func talksTo(talks []policy.Word, globs []string) bool {
	for _, w := range talks {
		text, known := w.Const()
		if !known || !plainAddress(text) {
			return false
		}
		named := hostNames(text)
		name := named.hosts[0]
		if len(named.hosts) > 1 || !namesHost(globs, name, name+"/"+strings.Trim(remotePathOf(text), "/")) {
			return false
		}
	}
	return len(talks) > 0
}

// onPorts reports whether addresses surely name none of the ports; with any, all
// must be written plainly: localhost:3000/x, http://127.0.0.1/.
func onPorts(talks []policy.Word, not []string) bool {
	if len(not) == 0 {
		return true
	}
	for _, w := range talks {
		text := strings.TrimPrefix(strings.TrimPrefix(w.Text, "http://"), "https://")
		if i := strings.IndexByte(text, '/'); i >= 0 {
			text = text[:i]
		}
		host, port, has := strings.Cut(text, ":")
		if strings.Trim(host, "abcdefghijklmnopqrstuvwxyz.0123456789-") != "" || strings.Trim(host, "0123456789.") == "" && strings.Count(host, ".") != 3 ||
			has && (port == "" || port[0] == '0' || strings.Trim(port, "0123456789") != "" || slices.Contains(not, port)) {
			return false
		}
	}
	return true
}

// plainAddress reports whether programs can't disagree about the machine that
// an address names: no user in it, no pattern, no escape before the path.
func plainAddress(text string) bool {
	if scheme, rest, ok := strings.Cut(text, "://"); ok {
		if !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
			return false
		}
		text = rest
	}
	if strings.ContainsAny(text, "{}[]\\") {
		return false
	}
	if i := strings.IndexAny(text, "/?#"); i >= 0 {
		text = text[:i]
	}
	host, port, _ := strings.Cut(text, ":")
	for _, c := range []byte(host) {
		if !(c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '-') {
			return false
		}
	}
	return host != "" && strings.Trim(port, "0123456789") == ""
}

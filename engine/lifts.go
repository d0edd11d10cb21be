package engine

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
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

// origin is the rule or row that a lift comes from.
type origin struct {
	id, file string
	line     int
}

// lift drops asks about one simple command.
type lift struct {
	ids  []string // globs
	by   origin
	what string // only reasons about this, "write build/log"; "": whatever they are about
	held bool   // by a rule that holds for the command's own words, not by a row
}

// drops reports whether a lift drops a reason.
func (l *lift) drops(r *Reason) bool {
	return r.Decision == policy.Ask && (l.what == "" || l.what == r.about) && l.names(r.ID)
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
		if r := c.Held[i].Rule; c.Held[i].Decision == policy.Allow && len(r.Lifts) > 0 {
			all = append(all, lift{ids: r.Lifts, by: origin{r.ID, r.File, r.Line}, held: true})
		}
	}
	if len(n.talks) > 0 {
		for _, row := range j.engine.lenient().hosts {
			if talksTo(n.talks, row.Globs) {
				all = append(all, lift{ids: row.Lifts, by: origin{row.ID, row.File, row.Line}})
			}
		}
	}
	if by := n.granted; by != nil && n.changed == 0 {
		for i := range c.Held {
			if r := c.Held[i].Rule; c.Held[i].Decision == policy.Ask && (r.ByPlace || r.AcceptEdits) {
				all = append(all, lift{ids: []string{r.ID}, by: *by, held: true})
			}
		}
	}
	return all
}

// applied drops the asks of a command that something lifts.
func (j *judge) applied(n *Node) {
	if len(n.lifts) == 0 {
		return
	}
	drops := func(r *Reason) bool {
		return slices.ContainsFunc(n.lifts, func(l lift) bool { return l.drops(r) })
	}
	for i := 0; i < len(n.rows); i++ {
		a := &n.rows[i]
		if r := (Reason{ID: a.rule.ID, Decision: policy.Ask, about: a.op.about(a.word)}); drops(&r) {
			j.nextRow(n, a)
		}
	}
	for i := range n.Reasons {
		if r := &n.Reasons[i]; drops(r) {
			r.Decision = policy.Allow
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
	given := func(rule *match.PathRule) bool {
		return slices.ContainsFunc(n.rows, func(b askingRow) bool {
			return b.rule.ID == rule.ID && b.op == a.op && b.word.String() == a.word.String()
		})
	}
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
	j.pathReason(n, next, ruleDecision(next, a.op), a.op, a.word)
	n.rows = append(n.rows, askingRow{next, a.op, a.word, a.places})
}

// asksAbout reports whether a row is about one of the spellings of a path, or
// about what lies below it for a program that walks directories.
func asksAbout(rule *match.PathRule, forms []string, pattern bool, o op) bool {
	if meets(rule, forms, pattern) {
		return true
	}
	return !pattern && rule.Tree && o == opRead && slices.ContainsFunc(forms, func(form string) bool {
		return slices.ContainsFunc(rule.Globs, func(glob string) bool { return glob[0] != '!' && isAbove(form, glob) })
	})
}

// liftedAsk reports whether something drops what a rule asks about a command's
// words, and whether that is a rule that holds for them.
func (n *Node) liftedAsk(id string) (lifted, held bool) {
	for i := range n.lifts {
		if l := &n.lifts[i]; l.what == "" && l.names(id) {
			lifted, held = true, held || l.held
		}
	}
	return lifted, held
}

// behind adds what the asks hide that something drops: the rules that hold
// where no other does, and what no rule understands.
func (j *judge) behind(n *Node, c *match.Call) {
	if len(n.lifts) == 0 {
		return
	}
	for i := range c.Behind {
		b := &c.Behind[i]
		dropped, named := false, false
		for k := range c.Held {
			h := &c.Held[k]
			if h.Decision != policy.Ask || h.Rule.File != b.Program.File || h.Rule.Program != b.Program.Name {
				continue
			}
			lifted, held := n.liftedAsk(h.Rule.ID)
			if !lifted {
				dropped = false
				break
			}
			dropped, named = true, named || held
		}
		if !dropped {
			continue
		}
		for _, r := range b.Rules {
			n.ruled(r.ID, policy.Ask, match.Fill(r.Reason, j.request.PackSettings), r.File, r.Line, r.Effects, r.Reach)
			n.last().Irreversible = r.Irreversible
		}
		why := b.Why
		if why == "" && !named {
			why = b.Acts
		}
		if why != "" {
			n.ruled("unknown-use", policy.Ask, "No rule covers this use of "+b.Program.Name+": "+why, b.Program.File, b.Program.Line, b.Effects, b.Reach)
		}
	}
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

// lenient are the rows of users' files that drop asks.
type lenient struct {
	paths []*match.PathRule
	hosts []*match.HostRule
	env   []*match.EnvRule
}

// loosening finds the rows that drop asks.
func loosening(gates func(func(*match.Gate) bool)) *lenient {
	var l lenient
	for g := range gates {
		for i := range g.Paths {
			if len(g.Paths[i].Lifts) > 0 {
				l.paths = append(l.paths, &g.Paths[i])
			}
		}
		for i := range g.Hosts {
			if len(g.Hosts[i].Lifts) > 0 {
				l.hosts = append(l.hosts, &g.Hosts[i])
			}
		}
		for i := range g.Env {
			if len(g.Env[i].Lifts) > 0 {
				l.env = append(l.env, &g.Env[i])
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
		name := hostName(text)
		if !namesHost(globs, name, name+"/"+strings.Trim(remotePathOf(text), "/")) {
			return false
		}
	}
	return len(talks) > 0
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

// overridden turns the blocks of a command that a user overrides into asks.
func (j *judge) overridden(n *Node) {
	if !j.engine.overrides() {
		return
	}
	name := ""
	if n.command != nil && len(n.command.Words) > 0 {
		name, _ = identify(n.command.Words[0])
	}
	for i := range n.Reasons {
		r := &n.Reasons[i]
		if r.Decision != policy.Block {
			continue
		}
		for g := range j.allGates() {
			for k := range g.Overrides {
				if o := &g.Overrides[k]; match.AnyGlob(o.IDs, r.ID) && (len(o.Programs) == 0 || slices.Contains(o.Programs, name)) {
					r.Decision, r.Hint = policy.Ask, "a rule of yours makes this block a question: "+o.Reason
				}
			}
		}
	}
}

package ruleset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// This file finds what is said in vain: an allow that answers no ask, a
// condition that nobody can judge, an id that no rule has, a lift where what
// it lifts is never asked.

// builtInKnows reports whether the built-in rules have opinions of a program
// beside those of a user's file. A profile's file is judged alone.
func (c *compiler) builtInKnows(name string) bool {
	return c.ofPerson() && c.Profile == nil && c.known.Program != nil && c.known.Program(name) != nil
}

// effective finds fields of a rule that can't matter, and an allow that
// changes nothing.
func (c *compiler) effective(r *Rule, m *match.Rule) {
	for _, key := range [...]string{"remote", "branch"} {
		if r.Has(key) && c.program.Refs == match.NoRefs {
			c.errorf(r.Key(key), "only programs with refs know it: git", "nobody knows the %s of %q", key, m.Program)
		}
	}
	if m.Decision == policy.Allow && m.Bounds != nil && len(m.Bounds.Branch) > 0 && len(m.Bounds.Remote) == 0 {
		c.errorf(r.Key("branch"), `add remote = ["origin"]`, "the allow would hold for every address there is")
	}
	if m.Into != match.IntoNothing && !c.changesFiles(m) {
		c.errorf(r.Key("into"), "", "nothing of the rule is of a kind that changes files: write, delete, move, target")
	}
	if m.ByPlace && !c.changesFiles(m) {
		c.errorf(r.Key("by_place"), "", "nothing of the rule is of a kind that changes files: write, delete, move, target")
	}
	for _, t := range r.Lifts {
		about := ref{id: t, table: "allow", rule: m, in: c.in}
		if c.known.Program != nil {
			if p := c.known.Program(m.Program); p != nil {
				about.known, about.own = p.Name, !c.program.Inherits
			}
		}
		c.refers = append(c.refers, about)
	}
	if m.Decision == policy.Allow && len(m.Lifts()) == 0 && !m.AcceptEdits && c.builtInKnows(m.Program) {
		c.errorf(r.At, `name the asks that it answers, as bashgate explain shows them: lifts = ["git.push"], or lifts = ["unknown-use"] where no rule covers the use`,
			"the allow changes nothing: the built-in rules know %q, and what they ask it does not lift", m.Program)
	}
}

// changesFiles reports whether something of a rule or of the program's options
// is a place that is changed.
func (c *compiler) changesFiles(m *match.Rule) bool {
	changes := func(k match.Kind) bool {
		return k == match.Write || k == match.Delete || k == match.Move || k == match.Target
	}
	if len(m.Writes) > 0 || slices.ContainsFunc(m.Operands, func(o match.Operand) bool { return changes(o.Kind) }) {
		return true
	}
	for i := range c.program.Levels {
		for k := range c.program.Levels[i].Options {
			if changes(c.program.Levels[i].Options[k].Kind) {
				return true
			}
		}
	}
	return false
}

// naming looks up the ids that a file names.
type naming struct {
	*compiler
	gates []*match.Gate // of all layers
	layer []*match.Gate // of this one
	ids   []string      // of all rules, and the engine's own
	plain []string      // those that are no globs
	globs []string
}

// later reports whether an id is one of a layer that is read later.
func later(id string) bool {
	return strings.HasPrefix(id, "project.")
}

func (n *naming) check(r *ref) {
	id := r.id.Value
	if later(id) {
		return
	}
	ids := n.ids
	if !match.IsGlob(id) {
		ids = n.globs // of the others, one is the same at most
	}
	if !slices.Contains(n.plain, id) && !slices.ContainsFunc(ids, func(have string) bool { return same(id, have) }) {
		n.errorf(r.id.At, DidYouMean(id, n.plain), "no rule has the id %q", id)
		return
	}
	if match.IsGlob(id) {
		return
	}
	rules := n.rules(id)
	switch {
	case r.table == "override":
		if d, known := n.strictest(id, rules); known && d < policy.Block {
			n.errorf(r.id.At, fmt.Sprintf("an allow answers it: lifts = [%q]", id), "%q does not block", id)
		}
		return
	case len(rules) == 0:
		if r.table == "paths" && !n.aboutPaths(id) {
			n.errorf(r.id.At, "lift it in an allow of the program", "%q does not ask about paths", id)
		}
		return
	case !slices.ContainsFunc(rules, func(o *match.Rule) bool { return o.Decision != policy.Allow }):
		n.errorf(r.id.At, "", "%q is an allow, which needs no lifting", id)
		return
	case !slices.ContainsFunc(rules, func(o *match.Rule) bool { return o.Decision != policy.Block }):
		n.errorf(r.id.At, fmt.Sprintf("[[override]] with ids = [%q] and a reason makes it a question", id), "%q blocks, and no file lifts a block", id)
		return
	}
	switch r.table {
	case "paths":
		if !slices.ContainsFunc(rules, func(o *match.Rule) bool { return o.ByPlace || o.AcceptEdits }) {
			n.errorf(r.id.At, "lift it in an allow of the program", "%q does not ask about paths", id)
		}
	case "allow":
		var why, hint string
		for _, o := range rules {
			if why, hint = n.misses(r, o); why == "" {
				return
			}
		}
		n.errorf(r.id.At, hint, "the lift has no effect: %s", why)
	}
}

// same reports whether an id, or a glob over ids, means one that exists. That
// one may be a glob itself, which stands for all ids that it matches.
func same(id, have string) bool {
	return id == have || match.IsGlob(id) && match.Glob(id, have) || match.IsGlob(have) && (match.Glob(have, id) || strings.HasPrefix(id, strings.TrimRight(have, "*")))
}

// rules lists the rules of programs that have an id: those of other layers, then of
// this one.
func (n *naming) rules(id string) []*match.Rule {
	list := slices.Clip(n.byID()[id])
	for _, g := range n.layer {
		for _, p := range g.Programs() {
			for i := range p.Rules {
				if p.Rules[i].ID == id {
					list = append(list, &p.Rules[i])
				}
			}
		}
	}
	return list
}

// rulesByID finds the rules of programs in other layers, which are many.
func (k *Known) rulesByID() map[string][]*match.Rule {
	if k.Gates == nil {
		return nil
	}
	all := map[string][]*match.Rule{}
	for _, g := range k.Gates() {
		for _, p := range g.Programs() {
			for i := range p.Rules {
				all[p.Rules[i].ID] = append(all[p.Rules[i].ID], &p.Rules[i])
			}
		}
	}
	return all
}

// strictest is the strictest answer under an id, and whether anybody knows.
func (n *naming) strictest(id string, rules []*match.Rule) (d policy.Decision, known bool) {
	for _, r := range rules {
		d, known = max(d, r.Decision), true
	}
	for _, g := range n.gates {
		for i := range g.Paths {
			if r := &g.Paths[i]; r.ID == id {
				d, known = max(d, r.Read, r.Write, r.Delete), true
			}
		}
		for i := range g.Hosts {
			if r := &g.Hosts[i]; r.ID == id {
				d, known = max(d, r.Decision), true
			}
		}
		for i := range g.Pipes {
			if r := &g.Pipes[i]; r.ID == id {
				d, known = max(d, r.Decision), true
			}
		}
	}
	return d, known
}

// aboutPaths reports whether an id is a row's of paths, or the engine's about
// ordinary files.
func (n *naming) aboutPaths(id string) bool {
	if strings.HasPrefix(id, "path.") || strings.HasPrefix(id, "redirect.") {
		return true
	}
	for _, g := range n.gates {
		if slices.ContainsFunc(g.Paths, func(r match.PathRule) bool { return r.ID == id }) {
			return true
		}
	}
	return false
}

// misses says why an allow never holds where a rule asks that it lifts, or "".
// Only what the words of both show is found.
func (n *naming) misses(by *ref, o *match.Rule) (why, hint string) {
	a := by.rule
	if o.Program != a.Program && o.Program != by.known && !n.calls(o, a.Program) {
		return fmt.Sprintf("%q is a rule of %s, and an allow of %s lifts only what is asked about %s itself", o.ID, o.Program, a.Program, a.Program),
			fmt.Sprintf("write it in an allow of [[programs]] name = %q", o.Program)
	}
	if by.own {
		return "", "" // what is an operand to one grammar may be a subcommand to the other
	}
	if len(o.Paths) > 0 {
		if len(a.Paths) == 0 && len(a.Any)+len(a.All) == 0 {
			return fmt.Sprintf("%q asks about the subcommand %q, and an allow without a subcommand holds where there is none", o.ID, o.Paths[0]), fmt.Sprintf("subcommand = %q", o.Paths[0])
		}
		if len(a.Paths) > 0 && !slices.ContainsFunc(a.Paths, func(path string) bool { return reachesInto(o.Paths, path) }) {
			return fmt.Sprintf("%q asks about the subcommand %q, not about %q", o.ID, o.Paths[0], a.Paths[0]), fmt.Sprintf("subcommand = %q", o.Paths[0])
		}
	}
	excluded := func(t match.FlagTest) bool {
		if slices.ContainsFunc(a.Unless, func(u match.FlagTest) bool { return u.Values == nil && n.spelledAlike(a, u.Spelling, t.Spelling) }) {
			return true
		}
		named := slices.ContainsFunc(slices.Concat(a.Only, a.Any, a.All), func(u match.FlagTest) bool { return n.spelledAlike(a, u.Spelling, t.Spelling) })
		return a.HasOnly && !named
	}
	if len(o.Any) > 0 && !slices.ContainsFunc(o.Any, func(t match.FlagTest) bool { return !excluded(t) }) {
		return fmt.Sprintf("%q asks only with options that the allow excludes: %s", o.ID, o.Any[0].Spelling), "take it out of unless_flags, or name it in only_flags"
	}
	for _, t := range o.All {
		if excluded(t) {
			return fmt.Sprintf("%q asks only with %s, which the allow excludes", o.ID, t.Spelling), "take it out of unless_flags, or name it in only_flags"
		}
	}
	wanted := slices.Clone(a.All)
	if len(a.Any) == 1 {
		wanted = append(wanted, a.Any[0])
	}
	for _, t := range wanted {
		if t.Values == nil && slices.ContainsFunc(o.Unless, func(u match.FlagTest) bool { return u.Values == nil && n.spelledAlike(a, u.Spelling, t.Spelling) }) {
			return fmt.Sprintf("%q does not ask with %s, which the allow wants", o.ID, t.Spelling), ""
		}
	}
	if a.HasOperands && len(a.Operands) == 0 && (len(o.Args) > 0 || slices.ContainsFunc(o.Operands, func(p match.Operand) bool { return p.Min > 0 })) {
		return fmt.Sprintf("%q asks about operands, and the allow takes none", o.ID), ""
	}
	return "", ""
}

// calls reports whether the table of a rule is about a program of a name.
func (n *naming) calls(o *match.Rule, name string) bool {
	for _, g := range n.gates {
		if g.File != o.File {
			continue
		}
		for _, p := range g.Programs() {
			if p.Name == o.Program && (p.Name == name || slices.Contains(p.Aliases, name)) {
				return true
			}
		}
	}
	return false
}

// spelledAlike reports whether two spellings name one option of the program
// that an allow is about.
func (n *naming) spelledAlike(a *match.Rule, x, y string) bool {
	for _, g := range n.gates {
		if g.File != a.File {
			continue
		}
		for _, p := range g.Programs() {
			if p.Name == a.Program {
				return sameSpelling(p, x, y)
			}
		}
	}
	return x == y
}

// reachesInto reports whether an ask about some paths may hold where an allow
// about one does: the ask's are the beginning of it.
func reachesInto(asks []string, allow string) bool {
	b := strings.Fields(allow)
	return slices.ContainsFunc(asks, func(ask string) bool {
		a := strings.Fields(ask)
		if len(a) > len(b) {
			return false
		}
		for i := range a {
			if !mayMatch(a[i], b[i]) {
				return false
			}
		}
		return true
	})
}

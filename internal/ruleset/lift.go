package ruleset

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// The files of users loosen: an allow, a row of paths, hosts or env drops asks
// by their ids, an override turns blocks into asks. This file reads what they
// drop; what would drop nothing is an error (effect.go).

// ofPerson reports whether the file is one of a person's who may drop what
// others ask.
func (f *File) ofPerson() bool { return !f.builtIn() && !f.onlyTightens() }

// rowID returns the written id of a row, or derives one from what it is about.
func (c *compiler) rowID(t *Table, table string, id Text, about Texts) string {
	switch {
	case id.Value != "":
		return id.Value
	case c.builtIn():
		if !t.Has("id") {
			c.errorf(t.At, "id: a stable name", "[[%s]] has no \"id\"", table)
		}
		return ""
	case len(about) == 0:
		return ""
	}
	return c.freshID(table+"."+idName(about[0].Value), t.At)
}

// mayLift checks that a table may drop asks at all.
func (c *compiler) mayLift(t *Table) bool {
	switch {
	case !t.Has("lifts"):
		return false
	case c.Layer == BuiltIn || c.Layer == Packs:
		c.errorf(t.Key("lifts"), "change the rule itself", "lifts in a built-in file")
		return false
	}
	return c.mayLoosen(t.Key("lifts"), "lifts")
}

// pathLifts are the asks that the allows of a row answer: those about ordinary
// files, and those that it names.
func (c *compiler) pathLifts(r *PathRow, m *match.PathRule) []string {
	var lifts []string
	if c.mayLift(&r.Table) {
		if m.Read != policy.Allow && m.Write != policy.Allow && m.Delete != policy.Allow {
			c.errorf(r.Key("lifts"), `add read = "allow", write = "allow" or delete = "allow"`, "the row allows nothing, so that it lifts nothing")
		}
		c.refer(r.Lifts, "paths")
		lifts = values(r.Lifts)
	}
	if !c.ofPerson() && c.Layer != Profiles || c.tightens {
		return lifts
	}
	if m.Read == policy.Allow && len(r.Lifts) == 0 {
		c.errorf(r.Read.At, `name the asks that it answers: lifts = ["paths.secret-env"]`, "read = \"allow\" changes nothing: only rows ask about reading")
	}
	if m.Write == policy.Allow {
		lifts = append(lifts, "path.write", "redirect.write")
	}
	if m.Delete == policy.Allow {
		lifts = append(lifts, "path.delete")
	}
	return lifts
}

// hostLifts are the asks that a row's allow answers.
func (c *compiler) hostLifts(r *HostRow, m *match.HostRule) []string {
	lifts := c.builtIn() && r.Has("lifts") || c.mayLift(&r.Table)
	switch {
	case lifts && m.Decision != policy.Allow:
		c.errorf(r.Key("lifts"), `write decision = "allow"`, "the row allows nothing, so that it lifts nothing")
	case !lifts && m.Decision == policy.Allow && c.ofPerson() && !r.Has("lifts"):
		c.errorf(r.Decision.At, `name the asks that it answers: lifts = ["curl.send"]`, "the row changes nothing: a machine that no row names is allowed")
	case lifts:
		c.refer(r.Lifts, "hosts")
		return values(r.Lifts)
	}
	return nil
}

// envLifts are the asks that a row's allows answer.
func (c *compiler) envLifts(m *match.EnvRule) []string {
	if !c.ofPerson() || c.tightens {
		return nil
	}
	var lifts []string
	if m.Set == policy.Allow {
		for _, n := range m.Names {
			if id := "env." + n.Glob; !slices.Contains(lifts, id) {
				lifts = append(lifts, id)
			}
		}
	}
	if m.Read == policy.Allow {
		lifts = append(lifts, "env.read")
	}
	return lifts
}

// override reads blocks that are questions for the user.
func (c *compiler) override(r *Override) match.Override {
	m := match.Override{IDs: values(r.IDs), Programs: values(r.Programs), Reason: r.Reason.Value, File: c.Name, Line: r.At.Line}
	if c.builtIn() {
		c.errorf(r.At, "change the rule itself", "an override in a built-in file")
	}
	for _, t := range r.IDs {
		if strings.Trim(t.Value, "*") == "" {
			c.errorf(t.At, "name the blocks that are questions", "%q is every block there is", t.Value)
		}
	}
	c.refer(r.IDs, "override")
	return m
}

// ref is an id that a file names to drop or soften what it stands for.
type ref struct {
	id    Text
	table string      // "allow", "paths", "hosts", "override" or "profile"
	rule  *match.Rule // of an allow
	in    *Table      // where it stands
	known string      // the built-in program that the allow is about, "" where there is none
	own   bool        // and the allow's table reads the words in its own way
}

func (c *compiler) refer(ids []Text, table string) {
	for _, t := range ids {
		c.refers = append(c.refers, ref{id: t, table: table, in: c.in})
	}
}

// named checks the ids that the file names, once all files of the layer are
// read.
func (c *compiler) named(layer []*match.Gate) {
	if c.known.IDs == nil || len(c.refers) == 0 {
		return
	}
	var all []*match.Gate
	if c.known.Gates != nil {
		all = append(all, c.known.Gates()...)
	}
	others := len(all)
	for _, g := range layer {
		if g != nil {
			all = append(all, g)
		}
	}
	n := naming{compiler: c, gates: all, layer: all[others:], ids: slices.Clip(c.known.IDs())} // the list is everybody's
	for id := range c.ids {
		n.ids = append(n.ids, id)
	}
	for _, id := range n.ids {
		if match.IsGlob(id) {
			n.globs = append(n.globs, id)
		} else {
			n.plain = append(n.plain, id)
		}
	}
	for i := range c.refers {
		c.in = c.refers[i].in
		n.check(&c.refers[i])
	}
	c.in = nil
}

package ruleset

import (
	"slices"
	"sort"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// tables reads the rows that are about no single program.
func (c *compiler) tables(g *match.Gate) {
	for i := range c.Paths {
		if r := &c.Paths[i]; c.begin(&r.Table) {
			g.Paths = append(g.Paths, c.pathRow(r))
		}
	}
	for i := range c.Hosts {
		if r := &c.Hosts[i]; c.begin(&r.Table) {
			g.Hosts = append(g.Hosts, c.hostRow(r))
		}
	}
	for i := range c.Env {
		if r := &c.Env[i]; c.begin(&r.Table) {
			m := c.envRow(r)
			if r.Has("otherwise") {
				g.Env = append(g.Env, c.otherValues(r, &m))
			}
			g.Env = append(g.Env, m)
		}
	}
	for i := range c.Pipes {
		if r := &c.Pipes[i]; c.begin(&r.Table) {
			if m := c.pipeRow(r); m.Decision != policy.Skip {
				g.Pipes = append(g.Pipes, m)
			}
		}
	}
	for i := range c.Tools {
		if r := &c.Tools[i]; c.begin(&r.Table) {
			g.Tools = append(g.Tools, c.toolRow(r))
		}
	}
	for i := range c.Servers {
		if r := &c.Servers[i]; c.begin(&r.Table) {
			g.Servers = append(g.Servers, c.serverRow(r))
		}
	}
	for i := range c.Sources {
		if r := &c.Sources[i]; c.begin(&r.Table) {
			if m := c.sourceRow(r); c.mayLoosen(r.At, "[[sources]]") {
				g.Sources = append(g.Sources, m)
			}
		}
	}
	for i := range c.Shells {
		if r := &c.Shells[i]; c.begin(&r.Table) {
			g.Shells = append(g.Shells, c.shellRow(r))
		}
	}
	for i := range c.Override {
		if r := &c.Override[i]; c.begin(&r.Table) && c.mayLoosen(r.At, "[[override]]") {
			g.Overrides = append(g.Overrides, c.override(r))
		}
	}
	if c.Profile != nil && c.begin(&c.Profile.Table) {
		g.Profile = c.profile(c.Profile)
	}
	c.in = nil
}

// begin reports whether a table counts. From then on errors are found in it.
func (c *compiler) begin(t *Table) bool {
	c.in = t
	return !c.drop[t]
}

// answer reads a decision; absent is Skip.
func (c *compiler) answer(t Text) policy.Decision {
	if t.Value == "" {
		return policy.Skip
	}
	d, _ := policy.ParseDecision(t.Value)
	if d == policy.Allow && !c.mayLoosen(t.At, `"allow"`) {
		return policy.Skip
	}
	return d
}

// row checks what rows with an id and a reason share.
func (c *compiler) row(t *Table, name string, id, reason Text, strictest policy.Decision) {
	if id.Value != "" {
		c.checkID(id)
		c.take(c.ids, id.Value, id.At, "id")
	}
	if strictest >= policy.Ask && reason.Value == "" && !t.Has("reason") {
		c.errorf(t.At, `reason = "what it does, for the person who is asked"`, "[[%s]] has no \"reason\"", name)
	}
	if strings.HasSuffix(reason.Value, ".") || len(reason.Value) > 250 {
		c.errorf(reason.At, "a phrase of at most 250 characters without a full stop", "the reason is a sentence")
	}
}

func (c *compiler) pathRow(r *PathRow) match.PathRule {
	m := match.PathRule{
		ID: r.ID.Value, Place: r.Place.Value, Globs: values(r.Path), Tree: r.Tree, Own: r.Own, Fixed: r.Fixed,
		Read: c.answer(r.Read), Write: c.answer(r.Write), Delete: c.answer(r.Delete),
		Effects: effects(r.Effects), Reason: r.Reason.Value, File: c.Name, Line: r.At.Line,
		Corruption: c.weight(&r.Table, "corruption", r.Corruption, 1), Secret: c.weight(&r.Table, "secret", r.Secret, 1),
	}
	for _, t := range r.Path {
		c.placeGlob(t)
	}
	if !r.Has("read") && !r.Has("write") && !r.Has("delete") && !r.Has("place") && !r.Has("corruption") && !r.Has("secret") {
		c.errorf(r.At, "", "the row says nothing: it has neither read, write, delete, place, corruption nor secret")
	}
	switch m.Place {
	case match.Outside, match.Workspace, match.File, match.Known:
		c.errorf(r.Place.At, "give the place another name", "@%s has a meaning already", m.Place)
	}
	for _, key := range [...]string{"own", "fixed"} {
		if r.Has(key) && !c.builtIn() {
			c.errorf(r.Key(key), `write = "block", which the agent can't change`, "%s is for built-in files", key)
		}
	}
	m.ID = c.rowID(&r.Table, "paths", r.ID, r.Path)
	if m.Place != "" && c.onlyTightens() {
		m.Place = projectPlace(m.Place)
	}
	c.seen(&r.Table, "paths", r.Reason)
	c.row(&r.Table, "paths", r.ID, r.Reason, max(m.Read, m.Write, m.Delete))
	m.Lifts = c.pathLifts(r, &m)
	return m
}

// placeGlob checks that a glob says where its places are.
func (c *compiler) placeGlob(t Text) {
	g := strings.TrimPrefix(t.Value, "!")
	if !strings.HasPrefix(g, "/") && g != "~" && g != "." && !strings.HasPrefix(g, "~/") && !strings.HasPrefix(g, "**") && !strings.HasPrefix(g, "./") {
		c.errorf(t.At, `begin it with /, ~/, ./ (the workspace) or **/`, "%q is not absolute", t.Value)
	}
}

func (c *compiler) hostRow(r *HostRow) match.HostRule {
	m := match.HostRule{
		ID: r.ID.Value, Globs: values(r.Host), Decision: c.answer(r.Decision), Trusted: r.Trusted, Known: r.Known, NotPorts: values(r.NotPorts),
		Effects: effects(r.Effects), Reason: r.Reason.Value, File: c.Name, Line: r.At.Line,
	}
	if !r.Has("decision") && !r.Trusted && !r.Known && !r.Local {
		c.errorf(r.At, `decision = "ask", trusted = true, or known = true`, "[[hosts]] has no opinion")
	}
	m.Trusted = m.Trusted && c.mayLoosen(r.Key("trusted"), "trusted")
	m.Known = m.Known && c.mayLoosen(r.Key("known"), "known")
	m.Local = r.Local && c.mayLoosen(r.Key("local"), "local")
	m.ID = c.rowID(&r.Table, "hosts", r.ID, r.Host)
	c.row(&r.Table, "hosts", r.ID, r.Reason, m.Decision)
	m.Lifts = c.hostLifts(r, &m)
	return m
}

func (c *compiler) envRow(r *EnvRow) match.EnvRule {
	m := match.EnvRule{
		Set: c.answer(r.Set), Unset: c.answer(r.Unset), Steers: values(r.Steers), Read: c.answer(r.Read), Untold: values(r.Untold), Effects: effects(r.Effects),
		Project: r.Project, Writes: r.Writes, Reason: r.Reason.Value, File: c.Name, Line: r.At.Line,
	}
	if r.Project && r.Set.Value != "allow" {
		c.errorf(r.Key("project"), `set = "allow"`, "project is for rows that allow")
	}
	if r.Writes && !r.Project {
		c.errorf(r.Key("writes"), "project = true", "writes is for rows about the project's variables")
	}
	for _, t := range r.Name {
		if strings.HasPrefix(t.Value, "!") && !r.Project {
			c.errorf(t.At, "exclude names in rows with project = true", "%q excludes a name", t.Value)
		}
		name, list, has := strings.Cut(t.Value, "=")
		if name == "" {
			c.errorf(t.At, `write it like "PAGER=cat|less"`, "%q names no variable", t.Value)
		}
		e, places := match.EnvName{Glob: name}, match.EnvName{Glob: name, Places: true}
		if has {
			for _, value := range globs(list) {
				if strings.HasPrefix(value, "./") {
					places.Values = append(places.Values, value)
				} else {
					e.Values = append(e.Values, value)
				}
			}
		}
		if places.Values != nil {
			if r.Set.Value != "allow" {
				c.errorf(t.At, "name the variable alone: it asks or blocks whatever the value is", "paths of the workspace as a value belong in a row with set = \"allow\"")
			}
			m.Names = append(m.Names, places)
		}
		if !has || e.Values != nil {
			m.Names = append(m.Names, e)
		}
	}
	m.Lifts = c.envLifts(&m)
	if !r.Has("set") && !r.Has("unset") && !r.Has("read") {
		c.errorf(r.At, `set = "ask", or read = "ask"`, "[[env]] has no opinion")
	}
	if m.Unset == policy.Allow {
		c.errorf(r.Unset.At, `set = "allow" answers both`, "unset = \"allow\" changes nothing: only rows ask about taking a variable away")
	}
	others := c.answer(r.Others)
	c.row(&r.Table, "env", Text{}, r.Reason, max(m.Set, m.Unset, m.Read, others))
	return m
}

// otherValues is the row about the values that a row which allows some does not
// name. What the row says beside allowing is about these.
func (c *compiler) otherValues(r *EnvRow, allows *match.EnvRule) match.EnvRule {
	others := *allows
	others.Set = c.answer(r.Others)
	others.Read, others.Untold, others.Names, others.Lifts = policy.Skip, nil, nil, nil
	if r.Set.Value != "allow" || r.Has("read") {
		c.errorf(r.Key("otherwise"), `set = "allow" beside it, and read in a row of its own`, "the row allows no values")
	}
	for _, name := range allows.Names {
		if name.Values == nil || name.Places {
			c.errorf(r.At, "name the values that are allowed: PAGER=cat|less", "%q has no other values", name.Glob)
			continue
		}
		values := []string{"*"}
		for _, v := range name.Values {
			if strings.HasPrefix(v, "!") {
				c.errorf(r.At, "name what is allowed", "an excluded value of %q beside otherwise", name.Glob)
				continue
			}
			values = append(values, "!"+v)
		}
		others.Names = append(others.Names, match.EnvName{Glob: name.Glob, Values: values})
	}
	allows.Steers, allows.Effects, allows.Reason = nil, 0, ""
	return others
}

func (c *compiler) pipeRow(r *PipeRow) match.PipeRule {
	m := match.PipeRule{
		ID: r.ID.Value, Decision: c.answer(r.Decision), Effects: effects(r.Effects),
		Reason: r.Reason.Value, File: c.Name, Line: r.At.Line,
	}
	end := func(e *PipeEnd) match.PipeEnd {
		if e == nil {
			return match.PipeEnd{}
		}
		if e.Stdin.Value != "" && e.Stdin.Value != "script" && e.Stdin.Value != "code" {
			c.errorf(e.Stdin.At, "one of script, code", "%q says nothing about input", e.Stdin.Value)
		}
		return match.PipeEnd{Programs: values(e.Programs), Effects: effects(e.Effects), Stdin: e.Stdin.Value}
	}
	m.From, m.To = end(r.From), end(r.To)
	if r.From == nil && r.To == nil {
		c.errorf(r.At, "", "the row takes every pipe")
	}
	if r.From != nil && r.From.Stdin.Value != "" {
		c.errorf(r.From.Stdin.At, "", "stdin of the command that writes")
	}
	if c.builtIn() && !r.Has("examples") {
		c.errorf(r.At, `examples = ["a command for which it holds"]`, "[[pipes]] has no \"examples\"")
	}
	if m.Decision == policy.Allow && c.ofPerson() {
		c.errorf(r.Decision.At, `drop the ask by its id in an allow of the program that reads: lifts = ["pipe.x"]`, "the row changes nothing: a pipe that no row names is allowed")
	}
	c.row(&r.Table, "pipes", r.ID, r.Reason, m.Decision)
	return m
}

func (c *compiler) sourceRow(r *SourceRow) match.SourceRule {
	return match.SourceRule{
		Rules: values(r.Rules), Corruption: c.weight(&r.Table, "corruption", r.Corruption, 0),
		File: c.Name, Line: r.At.Line,
	}
}

// weight checks how much something counts.
func (c *compiler) weight(t *Table, key string, n, least int) int {
	if t.Has(key) && (n < least || n > 3) {
		c.errorf(t.Key(key), "1 is weak, 2 is ordinary, 3 is certain", "%s is a level from %d to 3, not %d", key, least, n)
		return 0
	}
	return n
}

// seen checks that a person can be told what a session has seen.
func (c *compiler) seen(t *Table, name string, reason Text) {
	if (t.Has("corruption") || t.Has("secret")) && reason.Value == "" && !t.Has("reason") {
		c.errorf(t.At, `reason = "what it holds, for the person who is told"`, "[[%s]] has no \"reason\"", name)
	}
}

func (c *compiler) profile(p *Profile) *match.Profile {
	m := &match.Profile{
		Name: c.Base(), Extends: p.Extends.Value, GrammarOnly: p.Base.Value == "grammar",
		Unlisted: c.answer(p.Unlisted), NotUnderstood: c.answer(p.NotUnderstood), StillAsks: c.answer(p.StillAsks),
		OutsideRead: c.answer(p.OutsideRead), OutsideWrite: c.answer(p.OutsideWrite),
		Lifts: values(p.Lifts), Blocks: values(p.Blocks), Families: values(p.Families), File: c.Name, Line: p.At.Line,
	}
	for _, t := range p.Lifts {
		c.refers = append(c.refers, ref{id: t, table: "profile", in: c.in})
	}
	c.extends(p)
	for _, pair := range p.Effects {
		e, ok := policy.ParseEffect(pair.Key)
		if !ok {
			c.errorf(pair.At, DidYouMean(pair.Key, names(Effects())), "%q is no effect", pair.Key)
			continue
		}
		m.Effects = append(m.Effects, match.EffectDecision{Effect: e, Decision: c.answer(pair.Word)})
	}
	sort.SliceStable(m.Effects, func(i, k int) bool { return m.Effects[i].Effect < m.Effects[k].Effect })
	return m
}

// extends checks which profile another one extends. That the built-in ones are
// there is for their tests to know.
func (c *compiler) extends(p *Profile) {
	if c.Layer == OwnProfiles && slices.Contains(c.known.Profiles, c.Base()) {
		c.errorf(p.At, "give the file another name", "%q is a built-in profile", c.Base())
	}
	seen := []string{c.Base()}
	for next := p.Extends; next.Value != ""; {
		name := next.Value
		if name == c.Base() {
			what := "the profile extends itself"
			if len(seen) > 1 {
				what += ", by way of " + strings.Join(seen[1:], ", ")
			}
			c.errorf(p.Extends.At, "", "%s", what)
		}
		if slices.Contains(seen, name) {
			return
		}
		seen = append(seen, name)
		own := slices.IndexFunc(c.siblings, func(f *File) bool { return f.Base() == name })
		switch {
		case c.Layer != OwnProfiles, slices.Contains(c.known.Profiles, name):
			return
		case own < 0:
			names := slices.Clone(c.known.Profiles)
			for _, f := range c.siblings {
				names = append(names, f.Base())
			}
			if name == p.Extends.Value {
				c.errorf(p.Extends.At, DidYouMean(name, names), "no profile is called %q", name)
			}
			return
		case c.siblings[own].Profile == nil:
			return
		}
		next = c.siblings[own].Profile.Extends
	}
}

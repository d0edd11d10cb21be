package ruleset

import (
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Known is what files of other layers may refer to.
type Known struct {
	// Program returns the built-in program of a name, whose grammar a table
	// without options inherits, or nil. A nil function knows none.
	Program func(name string) *match.Program
	// Places are the names of places, for @place.
	Places []string
	// IDs are the ids that lifts and overrides may name: those of all rules,
	// and the engine's own, where a glob stands for many ("env.*"). With a nil
	// function they are not checked.
	IDs func() []string
	// Gates are the files whose rules these are. It is only called with IDs.
	Gates func() []*match.Gate
	// Profiles are the names of the built-in profiles.
	Profiles []string
}

// KnownFrom is what the files of other layers may refer to in some gates.
func KnownFrom(gates []*match.Gate) Known {
	programs := map[string]*match.Program{}
	known := Known{
		Program: func(name string) *match.Program { return programs[name] },
		Gates:   func() []*match.Gate { return gates },
	}
	for _, g := range gates {
		for _, p := range g.Programs() {
			programs[p.Name] = p
			for _, alias := range p.Aliases {
				programs[alias] = p
			}
		}
		for i := range g.Paths {
			if place := g.Paths[i].Place; place != "" {
				known.Places = append(known.Places, place)
			}
		}
	}
	return known
}

// place is where a name was taken.
type place struct {
	file string
	line int
}

// compiler turns one written file into what it means.
type compiler struct {
	*File
	known    Known
	places   []string
	own      []string // the places that files of the layer name
	ids      map[string]place
	programs map[string]place
	refers   []ref                           // ids that the file names
	siblings []*File                         // all files of the layer
	meant    map[*File]*match.Gate           // what they come to, whatever is wrong with them, as far as it was asked for
	byID     func() map[string][]*match.Rule // the rules of programs in other layers
	tightens bool                            // what loosens is left out
	drop     map[*Table]bool
	inert    Errors // what was left out because of the layer

	// of the program that is being read
	program  *match.Program
	origin   *match.Origin
	sets     map[string][]entry
	usedSets map[string]bool
	path     []string // of the rule that is being read
}

func (f *File) builtIn() bool { return f.Layer <= Packs }

func (c *compiler) gate() *match.Gate {
	g := &match.Gate{Name: c.Base(), File: c.Name}
	if c.builtIn() && len(c.errs) == 0 && c.Meta == nil {
		c.errorf(Span{}, `write [meta] and name = "..."`, "the file has no [meta]")
	}
	g.Copies = c.copies()
	g.Origins = c.origins()
	if c.Meta != nil {
		g.Workspaces = c.workspaces(c.Meta.Workspace, true)
	}
	handlers := c.handlers()
	for i := range c.Programs {
		if p := &c.Programs[i]; !c.drop[&p.Table] {
			g.Own = append(g.Own, c.programTables(p, handlers)...)
		}
	}
	for _, h := range c.Handlers {
		if !slices.ContainsFunc(g.Own, func(p *match.Program) bool { return p.Name == h.Program.Value }) && len(c.errs) == 0 {
			c.errorf(h.Program.At, "add [[programs]] with this name", "no program %q in this file", h.Program.Value)
		}
	}
	sort.SliceStable(g.Own, func(i, k int) bool { return g.Own[i].Name < g.Own[k].Name })
	c.tables(g)
	g.Code = c.code()
	switch {
	case c.Profile != nil && !c.ofProfile():
		leave := c.within(&c.Profile.Table)
		c.errorf(c.Profile.At, c.whereProfiles(), "a profile in a file of rules")
		leave()
	case c.Profile == nil && c.ofProfile() && len(c.errs) == 0:
		c.errorf(Span{}, "write [profile]", "the file has no [profile]")
	}
	return g
}

// onlyTightens reports whether nothing that loosens counts in the file.
func (f *File) onlyTightens() bool { return f.Layer == Project || f.Layer == Shared }

// ofProfile reports whether the file is a profile.
func (f *File) ofProfile() bool { return f.Layer == Profiles || f.Layer == OwnProfiles }

// whereProfiles says where a profile belongs.
func (f *File) whereProfiles() string {
	switch {
	case f.builtIn():
		return "profiles are files of their own"
	case f.onlyTightens():
		return "whoever works in a project chooses the way: ~/.config/bashgate/profiles/" + f.Base() + ".toml"
	}
	return "move the file to " + path.Join(path.Dir(path.Dir(f.Name)), "profiles", f.Base()+".toml") + ", beside rules"
}

// mayLoosen reports whether what stands at a place counts although it loosens.
// In the file of a project or a team it does not, and that is noted.
func (c *compiler) mayLoosen(at Span, what string) bool {
	switch c.Layer {
	case Project:
		c.inert = append(c.inert, c.mistake(at, "say it in your own rules, or see bashgate trust --help", "%s does nothing: a project's rules only tighten", what))
	case Shared:
		c.inert = append(c.inert, c.mistake(at, "say it in your own rules", "%s does nothing: a pack only tightens", what))
	}
	return !c.tightens
}

// copies are the globs of the file's [meta].
func (c *compiler) copies() (globs []string) {
	if c.Meta == nil {
		return nil
	}
	defer c.within(&c.Meta.Table)()
	for _, glob := range c.Meta.Copies {
		switch {
		case !strings.HasPrefix(glob.Value, "*/"):
			c.errorf(glob.At, `begin it with "*/"`, "%q names a place outside of workspaces", glob.Value)
		}
		globs = append(globs, glob.Value)
	}
	if len(globs) > 0 && !c.mayLoosen(c.Meta.Key("copies"), "copies") {
		return nil
	}
	return globs
}

// origins are the globs of the file's [meta] over what copies may be links to.
func (c *compiler) origins() (globs []string) {
	if c.Meta == nil {
		return nil
	}
	defer c.within(&c.Meta.Table)()
	for _, glob := range c.Meta.Origins {
		if !strings.HasPrefix(glob.Value, "~/") && !strings.HasPrefix(glob.Value, "/") {
			c.errorf(glob.At, `begin it with "~/" or "/"`, "%q is not absolute", glob.Value)
		}
		globs = append(globs, glob.Value)
	}
	if len(globs) > 0 && !c.mayLoosen(c.Meta.Key("origins"), "origins") {
		return nil
	}
	return globs
}

func (c *compiler) handlers() map[string]string {
	m := map[string]string{}
	for i := range c.Handlers {
		h := &c.Handlers[i]
		leave := c.within(&h.Table)
		if !c.builtIn() {
			c.errorf(h.At, "", "a handler in a file that is not built in")
		}
		if h.Handler.Value != "" && !isGoName(h.Handler.Value) {
			c.errorf(h.Handler.At, "", "%q is no name of a Go function", h.Handler.Value)
		}
		if _, ok := m[h.Program.Value]; ok {
			c.errorf(h.Program.At, "", "a second handler of %q", h.Program.Value)
		}
		m[h.Program.Value] = h.Handler.Value
		leave()
	}
	return m
}

func isGoName(s string) bool {
	for i, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || i > 0 && r >= '0' && r <= '9') {
			return false
		}
	}
	return s != ""
}

// take notes a name, and complains if it is taken.
func (c *compiler) take(names map[string]place, name string, at Span, what string) {
	if old, ok := names[name]; ok {
		c.errorf(at, "", "a second %s %q (the first is at %s:%d)", what, name, old.file, old.line)
		return
	}
	names[name] = place{c.Name, at.Line}
}

// programTables reads one [[programs]]: one program, or one for each of its
// names.
func (c *compiler) programTables(p *Program, handlers map[string]string) []*match.Program {
	defer c.within(&p.Table)()
	list := p.Names
	switch {
	case p.Has("name") && p.Has("names"):
		c.errorf(p.Key("names"), `other names of the same program are its aliases`, "both name and names")
	case p.Has("name"):
		list = []Text{p.Name}
	case !p.Has("names"):
		c.errorf(p.At, "", "[[programs]] has no \"name\"")
		list = []Text{{At: p.At}}
	case p.Has("aliases"):
		c.errorf(p.Key("aliases"), "", "aliases of several programs")
	}
	if len(list) == 0 {
		return nil // names is no list, which is an error already
	}
	for _, n := range slices.Concat(list, p.Aliases) {
		if n.Value == "" {
			continue
		}
		c.programName(n)
		// Files of users may say more about a program that another table has;
		// the built-in ones keep all of a program in one table.
		if c.Layer == BuiltIn {
			c.take(c.programs, n.Value, n.At, "table for the program")
		}
	}
	if len(p.Allow)+len(p.Ask)+len(p.Block)+len(p.Options) == 0 && !slices.ContainsFunc([]string{"unknown_action", "allow", "ask", "block", "options", "fact", "about"}, p.Has) &&
		!slices.ContainsFunc(list, func(n Text) bool { return handlers[n.Value] != "" }) {
		c.errorf(p.At, "say what is allowed, or give unknown_action", "nothing is said about %q", list[0].Value)
	}
	// Files are one table, whatever they are called: a link from one to the
	// other is still one of them.
	bare, files := split(list)
	aliases, more := split(p.Aliases)
	files = append(files, more...)
	var out []*match.Program
	// Several programs with a grammar of their own are one table; each of
	// several that inherit theirs has its own.
	if len(bare) > 0 && (len(p.Options) > 0 || c.Layer == BuiltIn) {
		m := c.oneProgram(p, bare[0], handlers[bare[0]])
		m.Aliases = slices.Concat(bare[1:], aliases)
		out, bare = append(out, c.opinionated(p, m)...), nil
	}
	for i, name := range bare {
		// What the first one's grammar does not know is an error; the others
		// may have fewer options.
		before := len(c.errs)
		noted := len(c.inert)
		m := c.oneProgram(p, name, handlers[name])
		m.Aliases = aliases
		out = append(out, c.opinionated(p, m)...)
		if i > 0 {
			c.errs, c.inert = c.errs[:before], c.inert[:noted]
		}
	}
	if len(files) > 0 {
		m := c.oneProgram(p, files[0], "")
		m.Aliases = files[1:]
		out = append(out, m)
	}
	return out
}

// opinionated leaves out a table of which nothing is left.
func (c *compiler) opinionated(p *Program, m *match.Program) []*match.Program {
	if c.tightens && len(m.Rules)+len(m.Facts) == 0 && len(p.Options) == 0 && (!p.Has("unknown_action") || p.Unknown.Value == "allow") {
		return nil
	}
	return []*match.Program{m}
}

func (c *compiler) oneProgram(p *Program, name, handler string) *match.Program {
	m := &match.Program{
		Name: name, File: c.Name, Line: p.At.Line, Own: !c.builtIn(),
		Unsteered: p.Unsteered, Repository: p.Repository, Project: p.Project, Handler: handler,
		Daemon: values(p.Daemon), ArgFiles: p.ArgFiles, Abbreviate: p.Abbreviate,
		Unknown: c.unknown(p, name),
	}
	m.Reach, _ = policy.ParseReach(p.Reach.Value)
	if c.Meta != nil {
		m.Dashes = dashes(c.Meta.Dashes)
	}
	c.program = m
	c.origin = &match.Origin{Program: name, File: c.Name}
	c.sets, c.usedSets = nil, map[string]bool{}
	var inherited *match.Program
	if len(p.Options) == 0 && c.Layer != BuiltIn && c.known.Program != nil {
		inherited = c.known.Program(name)
	}
	switch {
	case len(p.Options) > 0:
		m.Levels = c.grammar(p)
	case inherited != nil:
		m.Inherits = true
		m.Levels, m.Runs = slices.Clone(inherited.Levels), inherited.Runs
		m.Dashes = inherited.Dashes
		if m.Reach == policy.ReachUnset {
			m.Reach = policy.ReachLocal // the table whose grammar it is says how far the use reaches
		}
		m.Unsteered = m.Unsteered || inherited.Unsteered
		m.Repository = m.Repository || inherited.Repository
		m.Project, m.ArgFiles, m.Abbreviate = m.Project || inherited.Project, m.ArgFiles || inherited.ArgFiles, m.Abbreviate || inherited.Abbreviate
		m.Refs = inherited.Refs
		m.Open = !c.builtIn()
	default:
		m.Levels, m.Open = []match.Level{{Table: &match.NoOptions}}, true
	}
	if p.Dashes.Value != "" {
		m.Dashes = dashes(p.Dashes)
	}
	if p.Refs.Value == "git" {
		m.Refs = match.GitRefs
	}
	m.Makes = makes(p.Makes)
	if p.Runs != nil {
		m.Runs = c.runs(p.Runs)
	}
	if m.Reach == policy.ReachUnset {
		m.Reach = policy.ReachUnknown
	}
	for _, kind := range []struct {
		decision policy.Decision
		rules    []Rule
	}{{policy.Allow, p.Allow}, {policy.Ask, p.Ask}, {policy.Block, p.Block}} {
		for i := range kind.rules {
			w := &kind.rules[i]
			if c.drop[&w.Table] {
				continue
			}
			rule := c.rule(w, kind.decision)
			if kind.decision != policy.Allow || c.mayLoosen(w.At, "[[programs.allow]]") {
				m.Rules = append(m.Rules, rule)
			}
		}
	}
	if len(p.About) > 0 && c.mayLoosen(p.Key("about"), "about") {
		m.Rules = append(m.Rules, c.about(p))
	}
	sort.SliceStable(m.Rules, func(i, k int) bool { return m.Rules[i].Line < m.Rules[k].Line })
	for i := range p.Facts {
		m.Facts = append(m.Facts, c.fact(p, &p.Facts[i]))
	}
	c.abbreviations(p)
	c.unusedParts(p)
	c.unreachable(p)
	m.Prepare()
	return m
}

// unknown is the answer when no rule holds. Outside the built-in files it is
// no opinion where the built-in files have one, so that one rule of a user
// does not turn all that git does into questions.
func (c *compiler) unknown(p *Program, name string) policy.Decision {
	byDefault := policy.Skip
	switch {
	case c.Layer == BuiltIn, c.ofProfile() && c.Profile != nil && c.Profile.Base.Value == "grammar":
		byDefault = policy.Ask
	case !c.ofProfile() && (c.known.Program == nil || c.known.Program(name) == nil):
		byDefault = policy.Ask
	}
	if p.Unknown.Value == "" {
		return byDefault
	}
	d, _ := policy.ParseDecision(p.Unknown.Value)
	if d == policy.Allow && c.builtIn() && !c.ofProfile() {
		c.errorf(p.Unknown.At, `write an allow that says what is known, or one with operands = ["data*"] and any_flags = "why"`, "an open program in a built-in file")
	}
	if d == policy.Allow && !c.mayLoosen(p.Unknown.At, `unknown_action = "allow"`) {
		return byDefault
	}
	if d == policy.Allow && c.builtInKnows(name) {
		c.errorf(p.Unknown.At, `write an allow that names what it answers: lifts = ["unknown-use"], and the ids that bashgate explain shows`,
			"unknown_action changes nothing: the built-in rules know %q, and ask by themselves", name)
	}
	return d
}

func (c *compiler) runs(r *Runs) match.Runs {
	out := match.Runs{Exact: values(r.Exact), Places: values(r.Places), Stdin: r.Stdin.Value, Instead: values(r.Instead)}
	switch r.Where.Value {
	case "remote":
		out.Where = policy.Remote
	case "container":
		out.Where = policy.Container
	}
	switch r.Adds.Value {
	case "path":
		out.Adds = match.Path
	case "none":
		out.Adds = match.Data
	}
	if s := r.Stdin; s.Value != "" && s.Value != "script" {
		if lang, ok := strings.CutPrefix(s.Value, "code."); !ok || !isIdent(lang) {
			c.errorf(s.At, "one of script, code.LANG", "%q says nothing about input", s.Value)
		}
	}
	if len(r.Instead) > 0 && r.Stdin.Value == "" {
		c.errorf(r.Key("instead"), "", "instead where stdin says nothing")
	}
	for _, t := range slices.Concat(r.Exact, r.Places, r.Instead) {
		if strings.HasPrefix(t.Value, "-") {
			c.knownOption(t.Value, t)
		}
	}
	if len(r.Exact) > 0 && out.Adds == match.Data {
		c.errorf(r.Key("exact"), "", `exact where adds = "none"`)
	}
	return out
}

// unusedParts finds what was written and can't have an effect.
func (c *compiler) unusedParts(p *Program) {
	for _, name := range sortedKeys(c.sets) {
		if !c.usedSets[name] {
			for i := range p.Options {
				if p.Options[i].Set.Value == name {
					c.errorf(p.Options[i].Set.At, "", "no table uses the set %q", name)
				}
			}
		}
	}
	runs := func(k match.Kind) bool {
		return k == match.Command || k == match.Script || k == match.Code || k == match.Run
	}
	nested := false
	for _, l := range c.program.Levels {
		for _, o := range l.Options {
			nested = nested || runs(o.Kind)
			for _, v := range o.Cases() {
				nested = nested || runs(v.Kind)
			}
			for _, v := range o.Multi() {
				nested = nested || runs(v.Kind)
			}
		}
	}
	for i := range c.program.Rules {
		r := &c.program.Rules[i]
		for _, o := range r.Operands {
			nested = nested || runs(o.Kind)
		}
		for _, o := range r.Only {
			nested = nested || runs(o.Kind)
		}
	}
	if p.Runs != nil && !nested && p.Runs.Stdin.Value == "" {
		c.errorf(p.Runs.At, "", "nothing of %q is of a kind that runs: command, script, code, run", c.program.Name)
	}
	if p.Has("unknown_action") && c.program.Unknown != policy.Skip {
		for i := range c.program.Rules {
			if r := &c.program.Rules[i]; r.Otherwise && unconditional(r) {
				c.errorf(p.Key("unknown_action"), "", "unknown_action is never used: the rule at line %d holds otherwise", r.Line)
			}
		}
	}
}

func unconditional(r *match.Rule) bool {
	return r.Paths == nil && len(r.Any)+len(r.All)+len(r.Unless)+len(r.Only)+len(r.Args) == 0 && !r.HasOperands && !r.HasOnly
}

// unreachable finds rules that say again what another says.
func (c *compiler) unreachable(p *Program) {
	rules := c.program.Rules
	for i := range rules {
		for j := range rules[:i] {
			a, b := &rules[j], &rules[i]
			if a.Decision == b.Decision && sameConditions(a, b) {
				leave := c.within(p.rule(b.Line))
				c.errorf(Span{Line: b.Line, Col: 1, Len: len(c.line(b.Line))}, "join the two", "the rule at line %d has the same conditions", a.Line)
				leave()
			}
		}
	}
}

// rule is the table of the rule at a line.
func (p *Program) rule(line int) *Table {
	for _, rules := range [...][]Rule{p.Allow, p.Ask, p.Block} {
		for i := range rules {
			if rules[i].At.Line == line {
				return &rules[i].Table
			}
		}
	}
	return &p.Table
}

func sameConditions(a, b *match.Rule) bool {
	key := func(r *match.Rule) string {
		bounds := match.Bounds{}
		if r.Bounds != nil {
			bounds = *r.Bounds
		}
		return fmt.Sprint(r.Paths, r.Any, r.All, r.Unless, r.Only, r.HasOnly, r.Operands, r.HasOperands, r.Args, r.Otherwise, bounds, r.Named)
	}
	return key(a) == key(b)
}

// knownOption complains about an option that the program's grammar does not
// declare at a place where the rule could meet it.
func (c *compiler) knownOption(spelling string, t Text) {
	if c.program.Open && len(c.program.Levels) <= 1 && len(c.program.Levels[0].Options) == 0 {
		return
	}
	var all []string
	for i := range c.program.Levels {
		l := &c.program.Levels[i]
		if !c.meets(l.Path) {
			continue
		}
		if l.Traits&match.BSD != 0 || l.Traits&match.Number != 0 && isNumber(spelling) {
			return
		}
		for _, o := range l.Options {
			for s := range strings.FieldsSeq(o.Spellings) {
				if s == spelling {
					return
				}
				if ok, _ := path.Match(s, spelling); ok {
					return
				}
				if l.Traits&match.Negate != 0 && strings.HasPrefix(s, "--") && spelling == "--no-"+s[2:] {
					return
				}
				all = append(all, s)
			}
		}
	}
	hint := "declare it in [[programs.options]]"
	if w := nearest(spelling, all); w != "" {
		hint = fmt.Sprintf("did you mean %q?", w)
	}
	c.errorf(t.At, hint, "no option table that counts here declares %q", spelling)
}

func isNumber(s string) bool {
	return len(s) > 1 && strings.Trim(s[1:], "0123456789") == ""
}

// meets reports whether options declared for a path can stand in a command
// of the rule that is being read.
func (c *compiler) meets(path string) bool {
	if path == "" || len(c.path) == 0 {
		return true
	}
	level := strings.Fields(path)
	for _, path := range c.path {
		ok, p := true, strings.Fields(path)
		for i := range min(len(p), len(level)) {
			if !mayMatch(p[i], level[i]) {
				ok = false
			}
		}
		if ok {
			return true
		}
	}
	return false
}

// mayMatch reports whether a word could match both globs.
func mayMatch(a, b string) bool {
	if strings.ContainsAny(a, "*?[") && strings.ContainsAny(b, "*?[") {
		return true
	}
	x, _ := path.Match(a, b)
	y, _ := path.Match(b, a)
	return a == b || x || y
}

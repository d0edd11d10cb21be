package ruleset

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// fact reads one fact of a program: a rule without an opinion.
func (c *compiler) fact(p *Program, w *Fact) match.Rule {
	defer c.within(&w.Table)()
	m := match.Rule{
		Decision: policy.Skip, Line: w.At.Line, Origin: c.origin, Conditions: &match.Conditions{},
		ID: idName(c.program.Name) + ".fact", HasOperands: w.Has("operands"), Effects: effects(w.Effects),
	}
	m.Reach, _ = policy.ParseReach(w.Reach.Value)
	m.Paths = c.paths(w.Subcommand)
	for i, path := range m.Paths {
		if !c.knowsPath(path) {
			c.errorf(w.Subcommand[min(i, len(w.Subcommand)-1)].At, "if_args_contain names operands", "neither an option table nor a rule has the subcommand %q", path)
		}
	}
	c.path = m.Paths
	defer func() { c.path = nil }()
	m.Any, m.All, m.Unless = c.flagTests(w.Any, false), c.flagTests(w.All, false), c.flagTests(w.Unless, false)
	m.Operands, m.Args = c.operands(w.Operands), c.args(w.Args)
	for _, t := range w.Programs {
		if !slices.ContainsFunc(slices.Concat([]Text{p.Name}, p.Names, p.Aliases), func(n Text) bool { return n.Value == t.Value }) {
			c.errorf(t.At, "", "the table is not about %q", t.Value)
		}
	}
	m.Fact, m.Reason = c.says(w), w.Reason.Value
	if says := m.Effects != 0 || w.Has("reach") || w.Has("effects") || w.Has("ends") || w.Has("shows") || w.Has("talks"); !says && (m.Fact == nil || silent(m.Fact)) {
		c.errorf(w.At, `effects = ["endless"], or ends = "input"`, "the fact says nothing")
	}
	if c.builtIn() && !w.Has("examples") {
		c.errorf(w.At, `examples = ["a command for which it holds"]`, "[[programs.fact]] has no \"examples\"")
	}
	return m
}

// says is what a fact says beside its effects, or nil.
func (c *compiler) says(w *Fact) *match.Fact {
	f := match.Fact{
		Programs:   values(w.Programs),
		Corruption: c.weight(&w.Table, "corruption", w.Corruption, 1), Secret: c.weight(&w.Table, "secret", w.Secret, 1),
		Walks:  walks(w.Walks),
		Hushed: w.Shows.Value == "nothing" && c.mayLoosen(w.Key("shows"), "shows"),
		Named:  w.Talks.Value == "named" && c.mayLoosen(w.Key("talks"), "talks"),
		Words:  w.Talks.Value == "words",
		Alters: w.Alters,
		Files:  values(w.Files),
	}
	if w.Ends.Value != "" && c.mayLoosen(w.Key("ends"), "ends") {
		f.Ends = map[string]match.Ends{"command": match.EndsCommand, "input": match.EndsInput}[w.Ends.Value]
	}
	for _, t := range w.Files {
		c.placeGlob(t)
	}
	c.seen(&w.Table, "programs.fact", w.Reason)
	if f.Programs == nil && silent(&f) {
		return nil
	}
	return &f
}

// silent reports whether a fact says nothing but which programs it is about.
func silent(f *match.Fact) bool {
	return f.Corruption|f.Secret == 0 && f.Walks == match.WalksNone && !f.Hushed && !f.Named && !f.Words && !f.Alters && f.Ends == match.EndsNothing
}

// walks reads which files below a directory are read.
func walks(t Text) match.Walks {
	switch t.Value {
	case "all":
		return match.WalksAll
	case "unignored":
		return match.WalksHidden
	case "unhidden":
		return match.WalksIgnored
	case "visible":
		return match.WalksVisible
	}
	return match.WalksNone
}

// about is the allow of uses that only tell about the program.
func (c *compiler) about(p *Program) match.Rule {
	return match.Rule{
		Decision: policy.Allow, Line: p.Key("about").Line, Origin: c.origin, Reach: policy.ReachLocal,
		ID:         c.freshID(idName(c.program.Name)+".about", p.Key("about")),
		Conditions: &match.Conditions{Any: c.flagTests(p.About, false)},
	}
}

// knowsPath reports whether a word of the program is read as a subcommand: what
// facts say must not change how words are read.
func (c *compiler) knowsPath(path string) bool {
	for i := range c.program.Levels {
		if c.program.Levels[i].Path == path {
			return true
		}
	}
	return slices.ContainsFunc(c.program.Rules, func(r match.Rule) bool {
		return slices.ContainsFunc(r.Paths, func(p string) bool { return p == path || strings.HasPrefix(p, path+" ") })
	})
}

// abbreviations finds allows of a program that takes abbreviations whose path
// may be one of a subcommand that an ask or block is about.
func (c *compiler) abbreviations(p *Program) {
	if !c.program.Abbreviate {
		return
	}
	for i := range p.Allow {
		w := &p.Allow[i]
		for _, t := range w.Subcommand {
			for k := range c.program.Rules {
				r := &c.program.Rules[k]
				if r.Decision == policy.Allow {
					continue
				}
				for _, path := range r.Paths {
					if abbreviates(t.Value, path) {
						c.errorf(t.At, "write a longer beginning of the subcommand that is meant", "%q may be short for %q, which %s is about", t.Value, path, r.ID)
					}
				}
			}
		}
	}
}

// abbreviates reports whether each word of a path is the beginning of the word
// in its place of another one, and one behind the first is not all of it: a
// first word is a short name that the program documents, hg st.
func abbreviates(short, long string) bool {
	a, b := strings.Fields(short), strings.Fields(long)
	if len(a) < len(b) {
		return false
	}
	shorter := false
	for i := range b {
		if !strings.HasPrefix(b[i], a[i]) {
			return false
		}
		shorter = shorter || i > 0 && len(a[i]) < len(b[i])
	}
	return shorter
}

package ruleset

import (
	"maps"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// level gathers what all option tables say of one subcommand path.
type level struct {
	path      string
	style     Text
	traits    match.Traits
	dashes    Text
	until     []string
	entries   []entry
	operands  []match.Operand // nil: not said
	described Text            // where they are said
	bare      bool            // nothing is said but them
	at        Span
}

// grammar reads a program's option tables.
func (c *compiler) grammar(p *Program) []match.Level {
	c.sets = map[string][]entry{}
	c.usedSets = map[string]bool{}
	for i := range p.Options {
		if o := &p.Options[i]; o.Set.Value != "" {
			if _, ok := c.sets[o.Set.Value]; ok {
				c.errorf(o.Set.At, "", "a second set %q", o.Set.Value)
			}
			for _, key := range []string{"subcommand", "style", "traits", "dashes", "until", "operands"} {
				if o.Has(key) {
					c.errorf(o.Key(key), "it belongs in the table that uses the set", "%q has no meaning in a set", key)
				}
			}
			c.sets[o.Set.Value] = c.entries(o)
		}
	}
	levels := []*level{{at: p.At, bare: true}}
	for i := range p.Options {
		o := &p.Options[i]
		if o.Set.Value != "" || o.Has("set") {
			continue
		}
		targets := levels[:1]
		if o.Has("subcommand") {
			targets = nil
			for _, path := range c.paths(o.Subcommand) {
				j := slices.IndexFunc(levels, func(l *level) bool { return l.path == path })
				if j < 0 {
					j = len(levels)
					levels = append(levels, &level{path: path, at: o.At, bare: true})
				}
				targets = append(targets, levels[j])
			}
		} else if o.Has("dashes") {
			c.errorf(o.Dashes.At, "write it in [[programs]], for all of the program", "dashes without a subcommand")
		}
		if !o.Has("subcommand") && len(levels[0].entries) == 0 {
			levels[0].at = o.At
		}
		entries := c.entries(o)
		var traits match.Traits
		for _, t := range o.Traits {
			for _, w := range traitWords {
				if w.name == t.Value {
					traits |= w.trait
				}
			}
		}
		if o.Has("until") && !slices.ContainsFunc(entries, func(e entry) bool { return e.kind == match.Command }) {
			c.errorf(o.Key("until"), "", "until without an option of kind command")
		}
		facts := c.facts(o)
		for _, l := range targets {
			if facts != nil && l.operands != nil {
				c.errorf(o.Key("operands"), "", "the operands are described already (line %d)", l.described.At.Line)
			} else if facts != nil {
				l.operands, l.described = facts, Text{At: o.Key("operands")}
			}
			l.bare = l.bare && len(o.Kinds)+len(o.Multi)+len(o.Use)+len(o.Traits) == 0 && o.Style.Value == "" && o.Dashes.Value == ""
			if l.style.Value != "" && o.Style.Value != "" && l.style.Value != o.Style.Value {
				c.errorf(o.Style.At, "", "the options are of style %q already", l.style.Value)
			}
			if o.Style.Value != "" {
				l.style = o.Style
			}
			if o.Has("dashes") {
				if l.dashes.Value != "" && l.dashes.Value != o.Dashes.Value {
					c.errorf(o.Dashes.At, "", "-- is %q here already (line %d)", l.dashes.Value, l.dashes.At.Line)
				}
				l.dashes = o.Dashes
			}
			l.traits |= traits
			l.until = append(l.until, values(o.Until)...)
			l.entries = append(l.entries, entries...)
		}
	}
	out := make([]match.Level, 0, len(levels))
	for _, l := range levels {
		out = append(out, c.level(l))
	}
	return out
}

// dashes reads what -- means.
func dashes(t Text) match.Dashes {
	switch t.Value {
	case "end":
		return match.DashesEnd
	case "skip":
		return match.DashesSkip
	case "unknown":
		return match.DashesUnknown
	}
	return match.DashesUnsaid
}

// makes reads what a program leaves behind it; 0 if nothing is said.
func makes(list []Text) (m match.Makes) {
	for _, t := range list {
		switch t.Value {
		case "files":
			m |= match.MakesFiles
		case "directories":
			m |= match.MakesDirectories
		case "links":
			m |= match.MakesLinks
		case "nothing":
			m |= match.MakesNothing
		}
	}
	return m
}

// facts reads what a table says of its operands; nil if it says nothing. An
// empty list says that there are none: what stands there means nothing.
func (c *compiler) facts(o *Options) []match.Operand {
	if !o.Has("operands") {
		return nil
	}
	facts := c.operands(o.Operands)
	if len(facts) == 0 {
		facts = []match.Operand{{Kind: match.Data, Max: -1}}
	}
	for i := range facts {
		if facts[i].Values != nil || facts[i].With != nil {
			c.errorf(o.Operands[min(i, len(o.Operands)-1)].At, "name values in the rules", "a value in what the grammar says of all operands")
		}
	}
	return facts
}

// entries reads the kinds of one table and of the sets it uses.
func (c *compiler) entries(o *Options) []entry {
	var entries []entry
	for _, k := range o.Kinds {
		name, lang, _ := strings.Cut(k.Kind, ".")
		kind, bare := match.Code, match.Value
		if lang == "" {
			w, _ := findKind(name)
			kind, bare = w.kind, w.bare
		} else if !isIdent(lang) {
			c.errorf(k.At, "a language is small letters and digits", "%q names no language", k.Kind)
			continue
		}
		for _, t := range k.Entries {
			if e, ok := c.entry(t, kind, lang, bare); ok {
				entries = append(entries, e)
			}
		}
	}
	for _, m := range o.Multi {
		e := entry{spellings: strings.Fields(m.Spellings.Value), arity: match.Value, kind: match.Data, at: m.Spellings.At}
		e.multi = c.operands(m.Values)
		if len(e.multi) == 0 || len(e.spellings) == 0 {
			continue
		}
		e.kind, e.lang = e.multi[0].Kind, e.multi[0].Lang
		entries = append(entries, e)
	}
	for _, t := range o.Use {
		set, ok := c.sets[t.Value]
		if !ok {
			c.errorf(t.At, DidYouMean(t.Value, sortedKeys(c.sets)), "no option table above has set = %q", t.Value)
			continue
		}
		c.usedSets[t.Value] = true
		entries = append(entries, set...)
	}
	sort.SliceStable(entries, func(i, k int) bool { return entries[i].at.Before(entries[k].at) })
	return entries
}

// level joins the entries of one path: kinds by value go to the option whose
// other values the bare entry describes.
func (c *compiler) level(l *level) match.Level {
	out := &match.Table{Traits: l.traits, Until: l.until, Operands: l.operands, Dashes: dashes(l.dashes)}
	for _, w := range styleWords {
		if w.name == l.style.Value {
			out.Style = w.style
		}
	}
	var options []option
	owner := map[string]int{} // spelling to index in options
	for _, e := range l.entries {
		if e.values != nil {
			continue
		}
		fresh := true
		for _, s := range e.spellings {
			c.spelling(out.Style, out.Traits, s, e)
			if i, ok := owner[s]; ok {
				o := &options[i]
				c.errorf(e.at, "an option has one kind; give kinds to single values with -x=glob", "%q is declared as %s already (line %d)", s, KindName(o.kind, o.more.Lang), o.at.Line)
				fresh = false
				break
			}
		}
		if !fresh {
			continue
		}
		for _, s := range e.spellings {
			owner[s] = len(options)
		}
		options = append(options, option{e, match.More{Lang: e.lang, Multi: e.multi}})
	}
	for _, e := range l.entries {
		if e.values == nil {
			continue
		}
		at, ok := owner[e.spellings[0]]
		if !ok {
			c.errorf(e.at, `add "`+strings.Join(e.spellings, " ")+`=" to the kind of all other values, acts if in doubt`, "no kind for the other values of %q", e.spellings[0])
			continue
		}
		o := &options[at]
		for _, s := range e.spellings[1:] {
			if i, ok := owner[s]; !ok || i != at {
				c.errorf(e.at, "", "%q and %q are not the same option", e.spellings[0], s)
			}
		}
		switch {
		case o.arity == match.NoValue:
			c.errorf(e.at, `write "`+strings.Join(o.spellings, " ")+`=" there, or "?" for a value that is only glued`, "%q has values here, but line %d says that it takes none", e.spellings[0], o.at.Line)
		case o.multi != nil:
			c.errorf(e.at, "", "%q has several values (line %d)", e.spellings[0], o.at.Line)
		}
		o.more.Cases = append(o.more.Cases, match.ValueKind{Values: e.values, Kind: e.kind, Lang: e.lang})
	}
	c.globs(options)
	out.Options = joined(options)
	return match.Level{Path: l.path, Table: out, PathOnly: l.bare && l.path != ""}
}

// option is an entry together with the kinds by value that others give it.
type option struct {
	entry
	more match.More
}

// joined makes one of all options that are read alike.
func joined(options []option) []match.Option {
	var out []match.Option
	for i := range options {
		o := &options[i]
		spellings := strings.Join(o.spellings, " ")
		if o.more.Lang != "" || o.more.Cases != nil || o.more.Multi != nil {
			out = append(out, match.Option{Spellings: spellings, Arity: o.arity, Kind: o.kind, More: &o.more})
			continue
		}
		at := slices.IndexFunc(out, func(m match.Option) bool {
			return m.More == nil && m.Arity == o.arity && m.Kind == o.kind && len(m.Spellings)+len(spellings) < 1<<15
		})
		if at < 0 {
			out = append(out, match.Option{Spellings: spellings, Arity: o.arity, Kind: o.kind})
		} else {
			out[at].Spellings += "\n" + spellings
		}
	}
	return out
}

// spelling checks that the style can read it.
func (c *compiler) spelling(style match.Style, traits match.Traits, s string, e entry) {
	switch style {
	case match.GNU:
		switch {
		case strings.HasPrefix(s, "--"):
		case strings.HasPrefix(s, "+") && traits&match.Plus != 0:
		case strings.HasPrefix(s, "+"):
			c.errorf(e.at, `add the trait "plus"`, "%q begins with +", s)
		case len(s) == 1 && traits&match.BSD != 0: // a letter of ps aux
		case !strings.HasPrefix(s, "-"):
			c.errorf(e.at, `write the dash, or set style = "long" or "keys"`, "the option %q has no dash", s)
		case len(s) > 2 && !strings.ContainsAny(s, "*?["):
			c.errorf(e.at, `set style = "long" for options like -name; clusters like -vv need no spelling of their own`, "%q would be read as a cluster of letters", s)
		}
	case match.Plain:
		c.errorf(e.at, "", `an option where style = "none" says that there are none`)
	}
	if _, err := path.Match(s, ""); err != nil {
		c.errorf(e.at, "write the bracket as [[]", "a broken glob in %q", s)
	}
}

// globs checks that no glob spelling takes what another option declares.
func (c *compiler) globs(options []option) {
	for i := range options {
		for _, g := range options[i].spellings {
			if !strings.ContainsAny(g, "*?[") {
				continue
			}
			for j := range options {
				for _, s := range options[j].spellings {
					if ok, _ := path.Match(g, s); ok && i != j {
						c.errorf(options[i].at, "narrow the glob", "the glob %q takes %q, which line %d declares", g, s, options[j].at.Line)
					}
				}
			}
		}
	}
}

func values(texts []Text) []string {
	var list []string
	for _, t := range texts {
		if t.Value != "" {
			list = append(list, t.Value)
		}
	}
	return list
}

package match

import (
	"slices"
	"sort"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// Prepare puts a program's tables in the order that reading relies on: levels
// by path, one for every prefix of a path that a level or a rule names,
// spellings by name. No two levels may have one path. The compiler of rule
// files calls it once; generated programs are printed prepared.
func (p *Program) Prepare() {
	p.Levels = slices.Clone(p.Levels) // they may be another program's, whose grammar this one inherits
	if len(p.Levels) == 0 || len(p.Levels[0].Path) > 0 {
		p.Levels = slices.Insert(p.Levels, 0, Level{Table: &NoOptions, PathOnly: !p.Open})
	}
	p.addPaths()
	sort.SliceStable(p.Levels, func(i, k int) bool {
		a, b := p.Levels[i].Path, p.Levels[k].Path
		if rank(a) != rank(b) {
			return rank(a) < rank(b)
		}
		return a < b
	})
	p.Fixed = 0
	for p.Fixed < len(p.Levels) && rank(p.Levels[p.Fixed].Path) == 0 {
		p.Fixed++
	}
	for i := range p.Levels {
		if l := &p.Levels[i]; l.Table == nil {
			l.Table = &NoOptions
		} else {
			l.index()
		}
	}
	for i := range p.Levels {
		l := &p.Levels[i]
		rules := p.reaching(l.Path)
		l.Risky = slices.ContainsFunc(l.Options, func(o Option) bool { return risky(rules, &o) })
	}
}

// rank puts paths with wildcards last.
func rank(path string) int {
	if IsGlob(path) {
		return 1
	}
	return 0
}

// addPaths makes a level for each path, and each beginning of one, that has
// none. Paths of "*" alone never make an operand a subcommand.
func (p *Program) addPaths() {
	var paths []string
	for i := range p.Levels {
		paths = append(paths, p.Levels[i].Path)
	}
	for i := range p.Rules {
		paths = append(paths, p.Rules[i].Paths...)
	}
	known := map[string]bool{}
	for i := range p.Levels {
		known[p.Levels[i].Path] = true
	}
	for _, path := range paths {
		if strings.Trim(path, "* ") == "" {
			continue
		}
		for n := range len(path) + 1 {
			if (n == len(path) || path[n] == ' ') && !known[path[:n]] {
				known[path[:n]] = true
				p.Levels = append(p.Levels, Level{Path: path[:n], Table: &NoOptions, PathOnly: true})
			}
		}
	}
}

// index sorts the spellings.
func (l *Table) index() {
	if l.Index != nil || l.Globs != nil {
		return // compiled in, or shared
	}
	for i := range l.Options {
		all := l.Options[i].Spellings
		for j := 0; j < len(all); j++ {
			s := upto(all[j:])
			if i > 0xffff || j > 0xffff || s == "" {
				continue // undeclared then, which asks
			}
			at := uint32(i)<<16 | uint32(j)
			j += len(s)
			if IsGlob(s) {
				l.Globs = append(l.Globs, at)
			} else {
				l.Index = append(l.Index, at)
			}
			if s[0] != '-' && s[0] != '+' {
				l.Bare = true
			}
		}
	}
	sort.SliceStable(l.Index, func(i, k int) bool { return l.spelling(l.Index[i]) < l.spelling(l.Index[k]) })
}

func (t *Table) spelling(at uint32) string {
	return upto(t.Options[at>>16].Spellings[at&0xffff:])
}

// upto returns the spelling that a text begins with.
func upto(s string) string {
	for i := range len(s) {
		if s[i] <= ' ' {
			return s[:i]
		}
	}
	return s
}

// risky reports whether an option may do harm where a hole turns out to be
// it: by its kind, or because a rule's answer hangs on it.
func risky(rules []*Rule, o *Option) bool {
	for _, v := range o.values() {
		if !v.Kind.harmless() {
			return true
		}
	}
	for line := range strings.SplitSeq(o.Spellings, "\n") {
		if decisive(rules, line) {
			return true
		}
	}
	return false
}

// decisive reports whether a rule's answer hangs on an option, given by its
// line of spellings.
func decisive(rules []*Rule, o string) bool {
	excluded, admitted := false, false
	for _, r := range rules {
		if r.Decision != policy.Allow {
			if named(r.Any, o) || named(r.All, o) {
				return true
			}
			continue
		}
		excluded = excluded || named(r.Unless, o)
		if named(r.Any, o) || named(r.All, o) {
			if !r.harmless() {
				return true
			}
			admitted = true
		}
		admitted = admitted || named(r.Only, o)
	}
	// An allow that excludes the option is made up for by one that names it:
	// the two forms of grep, with and without -e.
	return excluded && !admitted
}

// harmless reports whether what an allow takes the operands for is harmless
// whatever they are, and nothing more happens.
func (r *Rule) harmless() bool {
	for i := range r.Operands {
		if !r.Operands[i].Kind.harmless() {
			return false
		}
	}
	return len(r.Writes) == 0 && r.Effects&^policy.Reads == 0
}

// reaching lists the rules that may hold for a command whose subcommand path
// is a level's.
func (p *Program) reaching(path string) []*Rule {
	var rules []*Rule
	for i := range p.Rules {
		if r := &p.Rules[i]; r.reaches(path) {
			rules = append(rules, r)
		}
	}
	return rules
}

// reaches reports whether the rule may hold for a command whose subcommand
// path is the level's.
func (r *Rule) reaches(path string) bool {
	words := strings.Fields(path)
	for _, p := range r.Paths {
		if pathMatches(p, words, false) || pathMatches(path, strings.Fields(p), false) {
			return true
		}
	}
	return r.Paths == nil
}

// named reports whether one of the tests names the option with these
// spellings.
func named(tests []FlagTest, o string) bool {
	for i := range tests {
		if spells(o, tests[i].Spelling) {
			return true
		}
	}
	return false
}

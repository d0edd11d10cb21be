package engine

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
)

// placeIndex finds the rows of the paths tables in force that may be about a
// path: those of the built-in files, whose index was made with them, and those
// of the others.
type placeIndex struct{ parts []placePart }

// placePart is an index of some gates' rows, and where these stand among all.
type placePart struct {
	*match.Places
	gates  []*match.Gate
	before int // so many of its rows are counted as they are
	shift  int // so much further on the others stand
}

// newPlaceIndex is about the built-in rows, with the gates that stand before
// and behind them.
func newPlaceIndex(before, behind []*match.Gate) *placeIndex {
	built := placePart{Places: &gates.Places, gates: gates.All[:]}
	x := &placeIndex{parts: []placePart{built}}
	others := placePart{gates: slices.Concat(before, behind)}
	if others.Places = match.NewPlaces(others.gates); len(others.Rows) == 0 {
		return x
	}
	for _, g := range before {
		others.before += len(g.Paths)
	}
	x.parts[0].shift, others.shift = others.before, len(built.Rows)
	x.parts = append(x.parts, others)
	return x
}

// rule is the row that a glob belongs to.
func (p *placePart) rule(ref *match.PlaceRef) *match.PathRule {
	row := &p.Rows[ref.Row]
	return &p.gates[row.Gate].Paths[row.Row]
}

func (p *placePart) glob(ref *match.PlaceRef) string { return p.rule(ref).Globs[ref.Glob] }

// order is where a row stands among all.
func (p *placePart) order(ref *match.PlaceRef) int {
	if row := int(ref.Row); row < p.before {
		return row
	}
	return int(ref.Row) + p.shift
}

// fits reports whether a name begins and ends as a glob of Rest does.
func (p *placePart) fits(ref *match.PlaceRef, name string) bool {
	glob := p.glob(ref)
	return strings.HasSuffix(name, glob[len(glob)-int(ref.Tail):]) && strings.HasPrefix(name, glob[len("**/"):len("**/")+int(ref.Head)])
}

// isAbove reports whether a directory holds what a glob names, at any depth.
func isAbove(form, glob string) bool {
	if glob[0] == '~' && slices.Contains(match.AboveHome[:], form) {
		return true
	}
	if !strings.HasPrefix(glob, form) {
		return leadsTo(form, glob, false) && match.WildDirs(glob)
	}
	dir := match.Holds(glob)
	return dir != "" && within(dir, form)
}

// leadsTo reports whether a directory, or a pattern of some, is one above what
// a glob names. A star alone is any name, of which few are directories.
func leadsTo(form, glob string, pattern bool) bool {
	for {
		name, below, more := strings.Cut(form, "/")
		part, rest, deeper := strings.Cut(glob, "/")
		switch {
		case !deeper, part == "**":
			return false
		case pattern && !partMayMatch(name, part), !pattern && (part == "*" || !match.PathGlob(part, name)):
			return false
		case !more:
			return true
		}
		form, glob = below, rest
	}
}

// tryAll is what strictest finds, without an index: for a few rows. The path
// holds no wildcards.
func tryAll(gates func(func(*match.Gate) bool), forms []string, o op) *match.PathRule {
	s := search{op: o}
	for g := range gates {
		for i := range g.Paths {
			rule := &g.Paths[i]
			for _, glob := range rule.Globs {
				if ruleDecision(rule, o) <= s.best {
					break
				}
				for _, form := range forms {
					switch {
					case glob[0] == '!', form[0] == '~' && glob[0] == '*':
					case (rule.Tree && o == opRead || rule.Own && o == opDelete) && isAbove(form, glob), match.PathGlob(glob, form) && !excluded(rule, form):
						s.found, s.best = rule, ruleDecision(rule, o)
					}
				}
			}
		}
	}
	return s.found
}

// search is one look for the strictest row about a path.
type search struct {
	op      op
	pattern bool // the path holds wildcards
	lures   bool // only rows that show a session something, as they are about files
	found   *match.PathRule
	best    policy.Decision
	row     int
}

// decision is what a row says of what is looked for.
func (s *search) decision(rule *match.PathRule) policy.Decision {
	if !s.lures {
		return ruleDecision(rule, s.op)
	}
	if !isLure(rule) {
		return policy.Skip
	}
	return max(rule.Read, policy.Ask)
}

// strictest returns the row with the strictest opinion, among those about one
// of the spellings of a path.
func (x *placeIndex) strictest(forms []string, pattern bool, o op) *match.PathRule {
	s := search{op: o, pattern: pattern}
	for i := range x.parts {
		s.look(&x.parts[i], forms)
	}
	return s.found
}

func (s *search) look(p *placePart, forms []string) {
	for _, form := range forms {
		key := match.FirstDir(form)
		s.try(p, p.Find(p.Dirs, key), form)
		s.try(p, p.Find(p.Dirs, form[:1]), form)
		if s.pattern {
			if strings.ContainsAny(key, "*?[({") {
				for i := range p.Dirs {
					if name := p.Dirs[i].Text; name[0] == key[0] && len(name) > 1 {
						s.try(p, p.Of(&p.Dirs[i]), form)
					}
				}
			}
		} else if s.op == opRead && !s.lures {
			s.take(p, p.Find(p.Above, form))
		}
		for i := range p.Own {
			if s.op == opDelete && !s.pattern && isAbove(form, p.glob(&p.Own[i])) {
				s.take(p, p.Own[i:i+1])
			}
		}
		for i := range p.Wild {
			if s.op == opRead && !s.lures && leadsTo(form, p.glob(&p.Wild[i]), s.pattern) {
				s.take(p, p.Wild[i:i+1])
			}
		}
		if form[0] != '~' {
			s.anywhere(p, form)
		}
	}
}

// anywhere tries the globs that begin with **/.
func (s *search) anywhere(p *placePart, form string) {
	slash := strings.LastIndexByte(form, '/')
	name := form[slash+1:]
	switch {
	case !strings.ContainsAny(name, "*?[({"):
		s.try(p, p.Find(p.Names, name), form)
	case name[0] != '*': // a star never stands for the names that are listed
		for i := range p.Names {
			if mayBegin(name, p.Names[i].Text) {
				s.try(p, p.Of(&p.Names[i]), form)
			}
		}
	}
	for dirs := form[1:]; ; {
		dir, rest, ok := strings.Cut(dirs, "/")
		if !ok {
			break
		}
		if !s.pattern || !strings.ContainsAny(dir, "*?[({") {
			s.try(p, p.Find(p.Inner, dir), form)
		} else if dir[0] != '*' {
			for i := range p.Inner {
				if mayBegin(dir, p.Inner[i].Text) {
					s.try(p, p.Of(&p.Inner[i]), form)
				}
			}
		}
		dirs = rest
	}
	for i := range p.Rest {
		if s.pattern || p.fits(&p.Rest[i], name) {
			s.try(p, p.Rest[i:i+1], form)
		}
	}
}

// try takes those of the rows that are about a spelling of the path.
func (s *search) try(p *placePart, refs []match.PlaceRef, form string) {
	for i := range refs {
		ref := &refs[i]
		rule := p.rule(ref)
		if !s.beats(p, ref, rule) || s.pattern && rule.Own {
			continue // of patterns ownRow knows more
		}
		if glob := rule.Globs[ref.Glob]; s.pattern && mayMatch(form, glob) || !s.pattern && match.PathGlob(glob, form) && !excluded(rule, form) {
			s.take(p, refs[i:i+1])
		}
	}
}

// take keeps the strictest of rows that are about the path.
func (s *search) take(p *placePart, refs []match.PlaceRef) {
	for i := range refs {
		if rule := p.rule(&refs[i]); s.beats(p, &refs[i], rule) {
			s.found, s.best, s.row = rule, s.decision(rule), p.order(&refs[i])
		}
	}
}

// beats reports whether a row counts more than what was found.
func (s *search) beats(p *placePart, ref *match.PlaceRef, rule *match.PathRule) bool {
	d := s.decision(rule)
	return d > s.best || d == s.best && s.found != nil && p.order(ref) < s.row
}

func excluded(rule *match.PathRule, form string) bool {
	for _, glob := range rule.Globs {
		if exclude, ok := strings.CutPrefix(glob, "!"); ok && match.PathGlob(exclude, form) {
			return true
		}
	}
	return false
}

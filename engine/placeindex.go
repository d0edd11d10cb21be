package engine

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
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

// fits reports whether a name begins and ends as a glob of Ends or Heads does.
func fits(ref *match.PlaceRef, glob, name string) bool {
	glob = match.AnyDepth(glob)
	return strings.HasSuffix(name, glob[len(glob)-int(ref.Tail):]) && strings.HasPrefix(name, glob[:ref.Head])
}

// mayLieIn reports whether some name in a path begins and ends with the bytes of the first
// name of a glob of any depth, as far as these are no wildcards.
func mayLieIn(form, glob string) bool {
	name, _, _ := cutName(match.AnyDepth(glob))
	if name == "" {
		return true
	}
	first, last := name[:1], name[len(name)-1:]
	if special[first[0]] {
		first = ""
	}
	if special[last[0]] {
		last = ""
	}
	for more := true; more; {
		var in string
		if in, form, more = cutName(form); strings.HasPrefix(in, first) && strings.HasSuffix(in, last) {
			return true
		}
	}
	return false
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
		name, below, more := cutName(form)
		part, rest, deeper := cutName(glob)
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

// search is one look for the strictest row about a path, or for all of them.
type search struct {
	op      op
	pattern bool // the path holds wildcards
	lures   bool // only rows that show a session something, as they are about files
	own     bool // only rows of the gate itself
	found   *match.PathRule
	best    policy.Decision
	row     int

	every bool // all rows with a glob that names the path are looked for
	all   []aboutPath
}

// aboutPath is a row that is about a path, and where it stands among all.
type aboutPath struct {
	rule *match.PathRule
	row  int
}

// decision is what a row says of what is looked for.
func (s *search) decision(rule *match.PathRule) policy.Decision {
	switch {
	case s.own && !rule.Own, s.lures && !isLure(rule):
		return policy.Skip
	case s.lures:
		return max(rule.Read, policy.Ask)
	}
	return ruleDecision(rule, s.op)
}

// own returns the strictest row about one of the spellings of a path among the
// gate's own, if it asks or blocks.
func (x *placeIndex) own(forms []string, o op) *match.PathRule {
	s := search{op: o, own: true, best: policy.Allow}
	s.look(&x.parts[0], forms)
	s.lookBelow(&x.parts[0], forms)
	return s.found
}

// strictest returns the row with the strictest opinion, among those about one
// of the spellings of a path.
func (x *placeIndex) strictest(forms []string, pattern bool, o op) *match.PathRule {
	return x.strictestOf(x.about(forms, pattern), forms, pattern, o)
}

// about lists the rows with a glob that names one of the spellings of a path, in
// their order.
func (x *placeIndex) about(forms []string, pattern bool) []aboutPath {
	s := search{pattern: pattern, every: true}
	for i := range x.parts {
		s.look(&x.parts[i], forms)
	}
	slices.SortFunc(s.all, func(a, b aboutPath) int { return a.row - b.row })
	return s.all
}

// strictestOf is strictest where the rows that name the path are known.
func (x *placeIndex) strictestOf(all []aboutPath, forms []string, pattern bool, o op) *match.PathRule {
	s := search{op: o, pattern: pattern}
	for _, a := range all {
		if d := s.decision(a.rule); d > s.best && !(pattern && a.rule.Own) { // of patterns ownRow knows more
			s.found, s.best, s.row = a.rule, d, a.row
		}
	}
	for i := range x.parts {
		s.lookBelow(&x.parts[i], forms)
	}
	return s.found
}

// look tries the globs that may name one of the spellings of a path.
func (s *search) look(p *placePart, forms []string) {
	for _, form := range forms {
		key := match.FirstDir(form)
		s.try(p, p.Find(p.Dirs, key), form)
		s.try(p, p.Find(p.Dirs, form[:1]), form)
		if s.pattern && isWild(key) {
			for i := range p.Dirs {
				if name := p.Dirs[i].Text; name[0] == key[0] && len(name) > 1 && partMayMatch(lastName(key), lastName(name)) {
					s.try(p, p.Of(&p.Dirs[i]), form)
				}
			}
		}
		if form[0] != '~' {
			s.anywhere(p, form)
		}
	}
}

// meets returns the strictest row that says where a place is which a pattern may
// name: ~/.config/gh/*.yml may be hosts.yml.
func (x *placeIndex) meets(form string, o op) *match.PathRule {
	s := search{op: o}
	key := match.FirstDir(form)
	for i := range x.parts {
		p := &x.parts[i]
		s.tryMet(p, p.Find(p.Dirs, key), form)
		s.tryMet(p, p.Find(p.Dirs, form[:1]), form)
		if isWild(key) {
			for i := range p.Dirs {
				if name := p.Dirs[i].Text; len(name) > 1 && meet(key, name) {
					s.tryMet(p, p.Of(&p.Dirs[i]), form)
				}
			}
		}
		if o == opRead {
			s.take(p, p.Find(p.Above, form))
		}
	}
	return s.found
}

// tryMet takes those of the rows that a pattern may meet.
func (s *search) tryMet(p *placePart, refs []match.PlaceRef, form string) {
	for i := range refs {
		if rule := p.rule(&refs[i]); s.beats(p, &refs[i], rule) && meet(form, p.glob(&refs[i])) && !excluded(rule, form) {
			s.take(p, refs[i:i+1])
		}
	}
}

// lastName is what follows the last slash of a path.
func lastName(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

// lookBelow takes the rows about what is read or removed with a directory.
func (s *search) lookBelow(p *placePart, forms []string) {
	if s.op == opWrite {
		return
	}
	for _, form := range forms {
		if s.op == opRead {
			s.lookWild(p, form)
		}
		if s.pattern {
			continue
		}
		if s.op == opRead {
			s.take(p, p.Find(p.Above, form))
			continue
		}
		s.take(p, p.Find(p.AboveOwn, form))
		for i := range p.WildOwn {
			if isAbove(form, p.glob(&p.WildOwn[i])) {
				s.take(p, p.WildOwn[i:i+1])
			}
		}
	}
}

// lookWild takes the rows whose directories are patterns, of which the path may
// be one.
func (s *search) lookWild(p *placePart, form string) {
	key := match.FirstDir(form)
	for i := range p.Wild {
		k := &p.Wild[i]
		if len(k.Text) > 1 && len(key) > 1 && k.Text != key && !(s.pattern && isWild(key)) {
			continue // "~" is above all of them
		}
		refs := p.Of(k)
		for i := range refs {
			if leadsTo(form, p.glob(&refs[i]), s.pattern) {
				s.take(p, refs[i:i+1])
			}
		}
	}
}

// wildAt is where the first character stands that makes a name of the line a pattern; -1:
// none does.
func wildAt(name string) int {
	for i := range len(name) {
		switch name[i] {
		case '*', '?', '[', '(', '{':
			return i
		}
	}
	return -1
}

func isWild(name string) bool { return wildAt(name) >= 0 }

// anywhere tries the globs that begin with **/ or ./**/.
func (s *search) anywhere(p *placePart, form string) {
	slash := strings.LastIndexByte(form, '/')
	name := form[slash+1:]
	switch {
	case !s.pattern || !isWild(name):
		s.try(p, p.Find(p.Names, name), form)
	case name[0] != '*': // a star never stands for the names that are listed
		s.tryBegun(p, p.Names, name, form)
	}
	for dirs := form[1:]; ; {
		dir, rest, ok := cutName(dirs)
		if !ok {
			break
		}
		if !s.pattern || !isWild(dir) {
			s.try(p, p.Find(p.Inner, dir), form)
		} else if dir[0] != '*' {
			s.tryBegun(p, p.Inner, dir, form)
		}
		dirs = rest
	}
	if s.pattern && name != "" && name[0] == '*' {
		if end := strings.TrimLeft(name, "*"); end == "" || strings.ContainsAny(end, "*?[") {
			s.deep(p, form)
			return
		}
	}
	s.shaped(p, p.Find(p.Heads, ""), name, form)
	if name == "" {
		return
	}
	every := s.pattern && strings.ContainsAny(name, bracketed)
	s.byByte(p, p.Heads, name[:1], every, name, form)
	s.byByte(p, p.Ends, name[len(name)-1:], every, name, form)
}

// byByte tries the globs of a key that is the first or last byte of a name, and
// those of all such keys where a pattern has no certain one.
func (s *search) byByte(p *placePart, keys []match.PlaceKey, key string, every bool, name, form string) {
	if !every && (!s.pattern || !special[key[0]]) {
		s.shaped(p, p.Find(keys, key), name, form)
		return
	}
	for i := range keys {
		if keys[i].Text != "" {
			s.shaped(p, p.Of(&keys[i]), name, form)
		}
	}
}

// deep tries the globs that a star may name: those about what lies in
// directories, and a star.
func (s *search) deep(p *placePart, form string) {
	refs := p.Find(p.Heads, "")
	for i := range refs {
		if refs[i].Deep || refs[i].Head == 0 {
			s.try(p, refs[i:i+1], form)
		}
	}
}

// tryBegun tries the globs of the keys that begin as a pattern does.
func (s *search) tryBegun(p *placePart, keys []match.PlaceKey, pattern, form string) {
	head := pattern[:strings.IndexFunc(pattern, func(c rune) bool { return c < 256 && special[c] })]
	for i := range keys {
		if strings.HasPrefix(keys[i].Text, head) {
			s.try(p, p.Of(&keys[i]), form)
		}
	}
}

// shaped tries globs of names that hold wildcards.
func (s *search) shaped(p *placePart, refs []match.PlaceRef, name, form string) {
	for i := range refs {
		ref := &refs[i]
		rule := p.rule(ref)
		glob := rule.Globs[ref.Glob]
		switch {
		case glob[0] == '.' && form[0] != '.': // it is about the workspace
		case s.pattern && !ref.Deep: // the glob is about the last name alone
			if (glob[0] != '.' || strings.HasPrefix(form, "./")) && s.beats(p, ref, rule) && partMayMatch(name, match.AnyDepth(glob)) {
				s.take(p, refs[i:i+1])
			}
		case s.pattern, ref.Deep && mayLieIn(form, glob), !ref.Deep && fits(ref, glob, name):
			s.try(p, refs[i:i+1], form)
		}
	}
}

// try takes those of the rows that are about a spelling of the path.
func (s *search) try(p *placePart, refs []match.PlaceRef, form string) {
	for i := range refs {
		ref := &refs[i]
		rule := p.rule(ref)
		if !s.beats(p, ref, rule) {
			continue
		}
		if glob := rule.Globs[ref.Glob]; s.pattern && mayMatch(form, glob) || !s.pattern && match.PathGlob(glob, form) && !excluded(rule, form) {
			s.take(p, refs[i:i+1])
		}
	}
}

// take keeps the strictest of rows that are about the path.
func (s *search) take(p *placePart, refs []match.PlaceRef) {
	for i := range refs {
		if rule := p.rule(&refs[i]); s.every {
			s.all = append(s.all, aboutPath{rule, p.order(&refs[i])})
		} else if s.beats(p, &refs[i], rule) {
			s.found, s.best, s.row = rule, s.decision(rule), p.order(&refs[i])
		}
	}
}

// beats reports whether a row counts more than what was found, or is not among
// all that was.
func (s *search) beats(p *placePart, ref *match.PlaceRef, rule *match.PathRule) bool {
	if s.every {
		return !slices.ContainsFunc(s.all, func(a aboutPath) bool { return a.rule == rule })
	}
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

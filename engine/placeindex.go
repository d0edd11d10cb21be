package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
)

// placeIndex finds the rows of the paths tables that may be about a path
// without trying hundreds of globs. Building it takes as long as trying them
// all for dozens of paths, so that it is for those who judge many.
type placeIndex struct {
	dirs  map[string][]placeRef // globs with a fixed beginning, by firstDir
	names map[string][]placeRef // **/NAME, by NAME
	inner map[string][]placeRef // **/DIR/..., by DIR
	rest  []placeRef            // **/*.pem and the like
	above map[string][]placeRef // for tree rules: the directories above a glob's
	own   []placeRef            // those of the gate itself, which are removed with a directory above
	wild  []placeRef            // tree rules with wildcards in directories: /proc/[0-9]*/environ
}

// placeRef is one glob of one row.
type placeRef struct {
	rule *match.PathRule
	row  int // among all rows: of two that are as strict, the first one counts
	glob string
	head string // in rest: what the name begins with
	tail string // in rest: what the name ends with
}

func newPlaceIndex(gates func(func(*match.Gate) bool)) *placeIndex {
	x := &placeIndex{
		dirs:  make(map[string][]placeRef),
		names: make(map[string][]placeRef),
		inner: make(map[string][]placeRef),
		above: make(map[string][]placeRef),
	}
	row := 0
	for g := range gates {
		for i := range g.Paths {
			rule := &g.Paths[i]
			row++
			for _, glob := range rule.Globs {
				if !strings.HasPrefix(glob, "!") {
					x.add(placeRef{rule: rule, row: row, glob: glob})
				}
			}
		}
	}
	return x
}

// wildcards are the characters that make a glob more than a text.
const wildcards = `*?[\`

func (x *placeIndex) add(ref placeRef) {
	if name, ok := strings.CutPrefix(ref.glob, "**/"); ok {
		dir, _, deep := strings.Cut(name, "/")
		switch {
		case !deep && !strings.ContainsAny(name, wildcards):
			x.names[name] = append(x.names[name], ref)
		case deep && !strings.ContainsAny(dir, wildcards):
			x.inner[dir] = append(x.inner[dir], ref)
		default:
			if !deep {
				ref.head = name[:strings.IndexAny(name, wildcards)]
				ref.tail = name[strings.LastIndexAny(name, wildcards+"]")+1:]
			}
			x.rest = append(x.rest, ref)
		}
		return
	}
	key := firstDir(ref.glob)
	if strings.ContainsAny(key, wildcards) {
		key = key[:1] // "/" or "~": wildcards in the first name
	}
	x.dirs[key] = append(x.dirs[key], ref)
	if ref.rule.Own {
		x.own = append(x.own, ref)
	}
	if !ref.rule.Tree {
		return
	}
	if wildDirs(ref.glob) {
		x.wild = append(x.wild, ref)
	}
	if dir := holds(ref.glob); dir != "" {
		for ; ; dir = path.Dir(dir) {
			x.above[dir] = append(x.above[dir], ref)
			if dir == "." || dir == "/" || dir == "~" {
				break
			}
		}
		if strings.HasPrefix(ref.glob, "~") {
			for _, dir := range aboveHome {
				x.above[dir] = append(x.above[dir], ref)
			}
		}
	}
}

// holds returns the directory that holds all that a glob names, or "".
func holds(glob string) string {
	fixed := fixedDir(glob)
	if fixed != "" && fixed == glob {
		return path.Dir(fixed)
	}
	return fixed
}

// aboveHome are the directories above any home directory.
var aboveHome = [...]string{"/", "/home", "/Users", "/private"}

// isAbove reports whether a directory holds what a glob names, at any depth.
func isAbove(form, glob string) bool {
	if glob[0] == '~' && slices.Contains(aboveHome[:], form) {
		return true
	}
	if !strings.HasPrefix(glob, form) {
		return wildDirs(glob) && leadsTo(form, glob, false)
	}
	dir := holds(glob)
	return dir != "" && within(dir, form)
}

// wildDirs reports whether wildcards stand in a glob's directories.
func wildDirs(glob string) bool {
	dir := path.Dir(strings.TrimSuffix(strings.TrimSuffix(glob, "**"), "/"))
	return !strings.HasPrefix(glob, "**") && strings.ContainsAny(dir, wildcards)
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

// tryAll is what strictest finds, without an index. The path holds no
// wildcards.
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

// firstDir is the beginning of a path by which it is found: its first name,
// below a home directory the first two.
func firstDir(p string) string {
	from := 1
	if strings.HasPrefix(p, "~/") {
		from = 2
	}
	if len(p) <= from {
		return p
	}
	if i := strings.IndexByte(p[from:], '/'); i >= 0 {
		return p[:from+i]
	}
	return p
}

// search is one look for the strictest row about a path.
type search struct {
	op      op
	pattern bool // the path holds wildcards
	found   *match.PathRule
	best    policy.Decision
	row     int
}

// beats reports whether a row counts more than what was found.
func (s *search) beats(ref *placeRef) bool {
	d := ruleDecision(ref.rule, s.op)
	return d > s.best || d == s.best && s.found != nil && ref.row < s.row
}

// strictest returns the row with the strictest opinion, among those about one
// of the spellings of a path.
func (x *placeIndex) strictest(forms []string, pattern bool, o op) *match.PathRule {
	s := search{op: o, pattern: pattern}
	for _, form := range forms {
		key := firstDir(form)
		s.try(x.dirs[key], form)
		s.try(x.dirs[form[:1]], form)
		if pattern {
			if strings.ContainsAny(key, "*?[({") {
				for name, refs := range x.dirs {
					if name[0] == key[0] && len(name) > 1 {
						s.try(refs, form)
					}
				}
			}
		} else if o == opRead {
			s.take(x.above[form])
		}
		for i := range x.own {
			if glob := x.own[i].glob; o == opDelete && !pattern && isAbove(form, glob) {
				s.take(x.own[i : i+1])
			}
		}
		for i := range x.wild {
			if o == opRead && leadsTo(form, x.wild[i].glob, pattern) {
				s.take(x.wild[i : i+1])
			}
		}
		if form[0] != '~' {
			x.anywhere(&s, form)
		}
	}
	return s.found
}

// anywhere tries the globs that begin with **/.
func (x *placeIndex) anywhere(s *search, form string) {
	slash := strings.LastIndexByte(form, '/')
	name := form[slash+1:]
	switch {
	case !strings.ContainsAny(name, "*?[({"):
		s.try(x.names[name], form)
	case name[0] != '*': // a star never stands for the names that are listed
		for _, refs := range x.names {
			s.try(refs, form)
		}
	}
	for dirs := form[1:]; ; {
		dir, rest, ok := strings.Cut(dirs, "/")
		if !ok {
			break
		}
		if !s.pattern || !strings.ContainsAny(dir, "*?[({") {
			s.try(x.inner[dir], form)
		} else if dir[0] != '*' {
			for _, refs := range x.inner {
				s.try(refs, form)
			}
		}
		dirs = rest
	}
	for i := range x.rest {
		ref := &x.rest[i]
		if s.pattern || strings.HasSuffix(name, ref.tail) && strings.HasPrefix(name, ref.head) {
			s.try(x.rest[i:i+1], form)
		}
	}
}

// try takes those of the rows that are about a spelling of the path.
func (s *search) try(refs []placeRef, form string) {
	for i := range refs {
		ref := &refs[i]
		if !s.beats(ref) || s.pattern && ref.rule.Own {
			continue // of patterns ownRow knows more
		}
		if s.pattern && mayMatch(form, ref.glob) || !s.pattern && match.PathGlob(ref.glob, form) && !excluded(ref.rule, form) {
			s.take(refs[i : i+1])
		}
	}
}

// take keeps the strictest of rows that are about the path.
func (s *search) take(refs []placeRef) {
	for i := range refs {
		if ref := &refs[i]; s.beats(ref) {
			s.found, s.best, s.row = ref.rule, ruleDecision(ref.rule, s.op), ref.row
		}
	}
}

func excluded(rule *match.PathRule, form string) bool {
	for _, glob := range rule.Globs {
		if exclude, ok := strings.CutPrefix(glob, "!"); ok && match.PathGlob(exclude, form) {
			return true
		}
	}
	return false
}

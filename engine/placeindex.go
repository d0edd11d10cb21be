package engine

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
)

// placeIndex finds the rows of the paths tables that may be about a path
// without trying hundreds of globs. It is built when the first path is judged.
type placeIndex struct {
	dirs  map[string][]placeRef // globs with a fixed beginning, by firstDir
	names map[string][]placeRef // **/NAME, by NAME
	rest  []placeRef            // all others
	above map[string][]placeRef // for tree rules: the directories above a glob's
}

// placeRef is one glob of one row.
type placeRef struct {
	rule *match.PathRule
	glob string
}

func newPlaceIndex(gates func(func(*match.Gate) bool)) *placeIndex {
	x := &placeIndex{
		dirs:  make(map[string][]placeRef),
		names: make(map[string][]placeRef),
		above: make(map[string][]placeRef),
	}
	for g := range gates {
		for i := range g.Paths {
			rule := &g.Paths[i]
			for _, glob := range rule.Globs {
				if !strings.HasPrefix(glob, "!") {
					x.add(placeRef{rule, glob})
				}
			}
		}
	}
	return x
}

func (x *placeIndex) add(ref placeRef) {
	if name, ok := strings.CutPrefix(ref.glob, "**/"); ok {
		if !strings.ContainsAny(name, `/*?[\`) {
			x.names[name] = append(x.names[name], ref)
		} else {
			x.rest = append(x.rest, ref)
		}
		return
	}
	key := firstDir(ref.glob)
	if strings.ContainsAny(key, `*?[\`) {
		key = key[:1] // "/" or "~": wildcards in the first name
	}
	x.dirs[key] = append(x.dirs[key], ref)
	if !ref.rule.Tree {
		return
	}
	if fixed := fixedDir(ref.glob); fixed != "" {
		for dir := path.Dir(fixed); ; dir = path.Dir(dir) {
			x.above[dir] = append(x.above[dir], ref)
			if dir == "." || dir == "/" {
				break
			}
		}
		if strings.HasPrefix(fixed, "~") {
			for _, dir := range [...]string{"/", "/home", "/Users", "/private"} {
				x.above[dir] = append(x.above[dir], ref)
			}
		}
	}
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

// strictest returns the row with the strictest opinion, among those about one
// of the spellings of a path.
func (x *placeIndex) strictest(forms []string, pattern bool, o op) *match.PathRule {
	var found *match.PathRule
	best := policy.Skip
	try := func(refs []placeRef, form string, above bool) {
		for _, ref := range refs {
			d := ruleDecision(ref.rule, o)
			if d <= best {
				continue
			}
			switch {
			case above:
			case pattern:
				if !mayMatch(form, ref.glob) {
					continue
				}
			case !match.PathGlob(ref.glob, form) || excluded(ref.rule, form):
				continue
			}
			found, best = ref.rule, d
		}
	}
	for _, form := range forms {
		try(x.dirs[firstDir(form)], form, false)
		try(x.dirs[form[:1]], form, false)
		if pattern {
			// Wildcards may stand for a first name, too.
			x.tryPattern(form, try)
		}
		if o == opRead && !pattern {
			try(x.above[form], form, true)
		}
		if form[0] == '~' {
			continue // the absolute form was tried with what follows
		}
		if pattern {
			for _, refs := range x.names {
				try(refs, form, false)
			}
		} else {
			try(x.names[form[strings.LastIndexByte(form, '/')+1:]], form, false)
		}
		try(x.rest, form, false)
	}
	return found
}

// tryPattern tries the globs of all first names that a pattern's own first
// name may stand for.
func (x *placeIndex) tryPattern(form string, try func([]placeRef, string, bool)) {
	key := firstDir(form)
	if !strings.ContainsAny(key, "*?[({") {
		return
	}
	for name, refs := range x.dirs {
		if name[0] == key[0] && name != form[:1] {
			try(refs, form, false)
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

package engine

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// isLure reports whether a row is about places that show a session a secret, or
// what is as untrusted as counts.
func isLure(r *match.PathRule) bool {
	return r.Read > policy.Allow && r.Effects&policy.Secret != 0 || r.Secret >= ordinary || r.Corruption >= ordinary
}

// lure returns the strictest such row about one of the spellings of a file.
func (x *placeIndex) lure(forms []string) *match.PathRule {
	s := search{op: opRead, lures: true}
	for i := range x.parts {
		s.look(&x.parts[i], forms)
	}
	return s.found
}

// near are the lures that may be about a file in one directory, in a form in
// which thousands of names are held against them.
type near struct {
	index *placeIndex
	any   bool // some are about the directory, whatever the file is called
}

func (x *placeIndex) near(j *judge, dir string) near {
	n := near{index: x}
	for _, form := range j.spellings(target{path: dir, real: dir, known: true}) {
		for i := range x.parts {
			n.any = n.any || x.parts[i].inDir(form)
		}
	}
	return n
}

// inDir reports whether a lure is about a directory, or about all that is in it.
func (p *placePart) inDir(form string) bool {
	dir := strings.TrimSuffix(form, "/")
	about := func(refs []match.PlaceRef) bool {
		return slices.ContainsFunc(refs, func(ref match.PlaceRef) bool {
			rule := p.rule(&ref)
			glob := rule.Globs[ref.Glob]
			above := glob[:max(0, strings.LastIndexByte(glob, '/'))]
			return isLure(rule) && (match.PathGlob(glob, dir+"/x") || match.PathGlob(above, dir) || match.PathGlob(strings.TrimSuffix(above, "/**"), dir))
		})
	}
	key := match.FirstDir(dir + "/x")
	if about(p.Find(p.Dirs, key)) || about(p.Find(p.Dirs, form[:1])) {
		return true
	}
	if len(key) > len(dir) { // the names in it are part of the keys: ~/.netrc, ./notes.txt
		for i := range p.Dirs {
			if strings.HasPrefix(p.Dirs[i].Text, dir+"/") && about(p.Of(&p.Dirs[i])) {
				return true
			}
		}
	}
	for _, ref := range p.Find(p.Heads, "") {
		if ref.Deep && about([]match.PlaceRef{ref}) {
			return true
		}
	}
	for name := range strings.SplitSeq(form, "/") {
		if about(p.Find(p.Inner, name)) {
			return true
		}
	}
	return false
}

// mayBe reports whether a row may be about a file of the directory that is
// called so.
func (n near) mayBe(name string) bool {
	return n.any || n.index.named(name) || n.index.named(strings.ToLower(name))
}

// named reports whether a lure may be about files called so, wherever they lie.
func (x *placeIndex) named(name string) bool {
	for i := range x.parts {
		p := &x.parts[i]
		isLure := func(ref match.PlaceRef) bool { return isLure(p.rule(&ref)) }
		ends := func(ref match.PlaceRef) bool { return !ref.Deep && fits(&ref, p.glob(&ref), name) && isLure(ref) }
		if slices.ContainsFunc(p.Find(p.Names, name), isLure) || slices.ContainsFunc(p.Find(p.Heads, ""), ends) ||
			name != "" && (slices.ContainsFunc(p.Find(p.Heads, name[:1]), ends) || slices.ContainsFunc(p.Find(p.Ends, name[len(name)-1:]), ends)) {
			return true
		}
	}
	return false
}

package engine

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
)

// lures are the rows about places that show a session a secret, or what is as
// untrusted as counts, in a form in which thousands of files are held against
// them.
type lures struct{ index *placeIndex }

// lures returns those of the rows in force.
func (j *judge) lures() lures {
	if len(j.packs) == 0 && len(j.profiles) == 0 {
		return j.engine.lures()
	}
	return newLures(j.allGates())
}

func newLures(gates func(func(*match.Gate) bool)) lures {
	var all match.Gate
	gates(func(g *match.Gate) bool {
		for i := range g.Paths {
			r := &g.Paths[i]
			if secret := r.Read > policy.Allow && r.Effects&policy.Secret != 0; secret || r.Secret >= ordinary || r.Corruption >= ordinary {
				lure := *r
				lure.Tree = false // it is about files
				if !secret {
					lure.Effects &^= policy.Secret
				}
				lure.Read = max(lure.Read, policy.Ask)
				all.Paths = append(all.Paths, lure)
			}
		}
		return true
	})
	return lures{newPlaceIndex(func(yield func(*match.Gate) bool) { yield(&all) })}
}

// near are the lures that may be about a file in one directory.
type near struct {
	index *placeIndex
	any   bool // some are about the directory, whatever the file is called
}

func (l lures) near(j *judge, dir string) near {
	n := near{index: l.index}
	about := func(refs []placeRef, form string) bool {
		return slices.ContainsFunc(refs, func(ref placeRef) bool {
			return match.PathGlob(ref.glob, form+"/x") || match.PathGlob(ref.glob[:max(0, strings.LastIndexByte(ref.glob, '/'))], form)
		})
	}
	for _, form := range j.spellings(target{path: dir, real: dir, known: true}) {
		n.any = n.any || about(l.index.dirs[firstDir(form+"/x")], form) || about(l.index.dirs[form[:1]], form)
		for i := range l.index.rest {
			n.any = n.any || l.index.rest[i].deep() && about(l.index.rest[i:i+1], form)
		}
		for name := range strings.SplitSeq(form, "/") {
			n.any = n.any || about(l.index.inner[name], form)
		}
	}
	return n
}

// mayBe reports whether a row may be about a file of the directory that is
// called so.
func (n near) mayBe(name string) bool {
	return n.any || n.index.named(name) || n.index.named(strings.ToLower(name))
}

// named reports whether a row may be about files called so, wherever they lie.
func (x *placeIndex) named(name string) bool {
	return x.names[name] != nil || slices.ContainsFunc(x.rest, func(ref placeRef) bool {
		return !ref.deep() && strings.HasSuffix(name, ref.tail) && strings.HasPrefix(name, ref.head)
	})
}

// deep reports whether a glob that begins with **/ names directories too.
func (ref *placeRef) deep() bool { return strings.Contains(strings.TrimPrefix(ref.glob, "**/"), "/") }

package catalogue

import (
	"maps"
	"slices"
	"sync"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
)

// Known is what the rule files of others may refer to: the built-in programs,
// places, profiles and ids. Its lists are made when they are first asked for.
func Known() ruleset.Known {
	var ids []string
	var once sync.Once
	known := ruleset.Known{
		Program: gates.Program,
		IDs: func() []string {
			once.Do(func() { ids = liftable() })
			return ids
		},
		Gates:    BuiltIn,
		Profiles: gates.Profiles[:],
	}
	for _, g := range gates.All {
		for i := range g.Paths {
			if place := g.Paths[i].Place; place != "" {
				known.Places = append(known.Places, place)
			}
		}
	}
	return known
}

// BuiltIn lists the built-in files, packs and profiles among them.
func BuiltIn() []*match.Gate {
	all := append([]*match.Gate(nil), gates.All[:]...)
	for _, name := range gates.Packs {
		all = append(all, gates.Pack(name))
	}
	for _, name := range gates.Profiles {
		all = append(all, gates.Profile(name))
	}
	return all
}

// liftable lists the ids that a lift may name.
func liftable() []string {
	ids := map[string]bool{}
	for _, g := range BuiltIn() {
		AddIDs(ids, g)
	}
	for i := range Opinions {
		if !Opinions[i].Fixed {
			ids[Opinions[i].ID] = true
		}
	}
	return slices.Sorted(maps.Keys(ids))
}

// AddIDs adds the ids of a gate's rules and rows.
func AddIDs(ids map[string]bool, g *match.Gate) {
	for _, p := range g.Programs() {
		for i := range p.Rules {
			ids[p.Rules[i].ID] = true
		}
	}
	for i := range g.Paths {
		ids[g.Paths[i].ID] = true
	}
	for i := range g.Hosts {
		ids[g.Hosts[i].ID] = true
	}
	for i := range g.Pipes {
		ids[g.Pipes[i].ID] = true
	}
	for i := range g.Tools {
		ids[g.Tools[i].ID] = true
	}
}

package cli

import (
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
)

// builtIn is what the files of users and projects may refer to.
func builtIn() ruleset.Known {
	known := ruleset.Known{Program: gates.Program, IDs: knownIDs, Gates: allBuiltIn, Profiles: gates.Profiles[:]}
	for _, g := range gates.All {
		for i := range g.Paths {
			if place := g.Paths[i].Place; place != "" {
				known.Places = append(known.Places, place)
			}
		}
	}
	return known
}

// allBuiltIn lists the built-in files, packs and profiles among them.
func allBuiltIn() []*match.Gate {
	all := append([]*match.Gate(nil), gates.All[:]...)
	for _, name := range gates.Packs {
		all = append(all, gates.Pack(name))
	}
	for _, name := range gates.Profiles {
		all = append(all, gates.Profile(name))
	}
	return all
}

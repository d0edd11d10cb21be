// Package interp runs rule files without compiling them: the files of users
// and projects, and all files while their gates are being generated. What a
// rule means is package match's; interp only finds the programs by name.
package interp

import (
	"sort"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
)

// Rules is what a set of rule files says, ready to judge. It is not changed
// by judging and safe for concurrent use. A nil Rules says nothing. Programs
// that import the engine hold some, so that it shows nothing of itself: what it
// tells is told by functions of this package.
type Rules struct {
	gates    []*match.Gate
	files    []*match.Program
	programs []match.Entry // by name, those of one name in the order of gates
	packed   bool          // some are packed: programs is empty, and each of gates is asked
}

// New makes Rules of gates that were compiled, to which it gives an index of names
// where they have none, or unpacked. Gates that have one may be judging meanwhile.
func New(gates []*match.Gate) *Rules {
	r := &Rules{gates: gates}
	for _, g := range gates {
		switch {
		case g.Packed != nil:
			r.packed = true
		case g.Index == nil && len(g.Own) > 0:
			g.Index = index(g.Own)
		}
		r.files = append(r.files, g.Files()...)
	}
	if r.packed {
		return r
	}
	for _, g := range gates {
		r.programs = append(r.programs, g.Index...)
	}
	byName(r.programs)
	return r
}

// Gates returns the rules file by file, in the order in which they judge.
func Gates(r *Rules) []*match.Gate {
	if r == nil {
		return nil
	}
	return r.gates
}

// Files returns the programs that are named by a path, in the order of Gates.
func Files(r *Rules) []*match.Program {
	if r == nil {
		return nil
	}
	return r.files
}

// Judge adds what the rules say of the command to the call.
func Judge(r *Rules, c *match.Call) {
	switch {
	case r == nil:
	case r.packed:
		for _, g := range r.gates {
			g.Judge(c)
		}
	default:
		c.Lookup(r.programs)
	}
}

// Program returns the first table for a name, or nil.
func Program(r *Rules, name string) *match.Program {
	switch {
	case r == nil:
		return nil
	case r.packed:
		for _, g := range r.gates {
			if p := g.Find(name); p != nil {
				return p
			}
		}
		return nil
	}
	return match.Find(r.programs, name)
}

func index(programs []*match.Program) []match.Entry {
	var entries []match.Entry
	for _, p := range programs {
		if strings.Contains(p.Name, "/") {
			continue // found by the engine, which knows where a path leads
		}
		entries = append(entries, match.Entry{Name: p.Name, Program: p})
		for _, alias := range p.Aliases {
			entries = append(entries, match.Entry{Name: alias, Program: p})
		}
	}
	byName(entries)
	return entries
}

func byName(entries []match.Entry) {
	sort.SliceStable(entries, func(i, k int) bool { return entries[i].Name < entries[k].Name })
}

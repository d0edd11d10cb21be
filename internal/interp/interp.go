// Package interp runs rule files without compiling them: the files of users
// and projects, and all files while their gates are being generated. What a
// rule means is package match's; interp only finds the programs by name.
package interp

import (
	"slices"
	"sort"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
)

// Rules is what a set of rule files says, ready to judge. It is not changed
// by judging and safe for concurrent use. A nil Rules says nothing.
type Rules struct {
	Gates    []*match.Gate    // in the order in which they judge
	Files    []*match.Program // those that are named by a path, in the order of Gates
	programs []entry          // by name, those of one name in the order of Gates
}

type entry struct {
	name    string
	program *match.Program
}

// New makes Rules of compiled gates, and gives each gate that has none its
// Judge function.
func New(gates []*match.Gate) *Rules {
	r := &Rules{Gates: gates}
	for _, g := range gates {
		own := index(g.Programs)
		if g.Judge == nil {
			g.Judge = func(c *match.Call) { judge(own, c) }
		}
		r.programs = append(r.programs, own...)
		for _, p := range g.Programs {
			if strings.Contains(p.Name, "/") {
				r.Files = append(r.Files, p)
			}
		}
	}
	byName(r.programs)
	return r
}

// Judge adds what the rules say of the command to the call.
func (r *Rules) Judge(c *match.Call) {
	if r != nil {
		judge(r.programs, c)
	}
}

// Program returns the first table for a name, or nil.
func (r *Rules) Program(name string) *match.Program {
	if r == nil {
		return nil
	}
	if i, ok := find(r.programs, name); ok {
		return r.programs[i].program
	}
	return nil
}

func index(programs []*match.Program) []entry {
	var entries []entry
	for _, p := range programs {
		if strings.Contains(p.Name, "/") {
			continue // found by the engine, which knows where a path leads
		}
		entries = append(entries, entry{p.Name, p})
		for _, alias := range p.Aliases {
			entries = append(entries, entry{alias, p})
		}
	}
	byName(entries)
	return entries
}

func byName(entries []entry) {
	sort.SliceStable(entries, func(i, k int) bool { return entries[i].name < entries[k].name })
}

func find(entries []entry, name string) (int, bool) {
	return slices.BinarySearchFunc(entries, name, func(e entry, name string) int { return strings.Compare(e.name, name) })
}

func judge(entries []entry, c *match.Call) {
	i, _ := find(entries, c.Name)
	for ; i < len(entries) && entries[i].name == c.Name; i++ {
		c.Judge(entries[i].program)
	}
}

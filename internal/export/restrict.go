package export

import (
	"slices"
	"sort"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
)

// Restriction is an ask or a block that a target can be told: all lines that
// begin with one of the names and one of the paths. It may say more than the
// rule, for no Form begins so.
type Restriction struct {
	Names []string // sorted
	Paths []string // "" for the program alone
	Flags []string // one of these words must follow, somewhere; nil: none need
	Words []string // one of these words follows, somewhere; globs
	Block bool
	Rule  *match.Rule
}

// restrictions finds what the rules of a program ask about and block. begins
// reports whether a Form begins with some words.
func restrictions(tables []*match.Program, names []string, begins func(start string) bool, places map[string][]string) []Restriction {
	var found []Restriction
	for _, p := range tables {
		for i := range p.Rules {
			r := &p.Rules[i]
			if r.Decision < policy.Ask {
				continue
			}
			x := Restriction{Names: names, Rule: r, Block: r.Decision == policy.Block && plainBlock(r)}
			ok := true
			if x.Block {
				ok = x.conditions(r, places)
			}
			paths := r.Paths
			if paths == nil {
				paths = []string{""}
			}
			for _, path := range paths {
				if match.IsGlob(path) || !plainWords(path) {
					continue
				}
				// What is allowed below must not be asked about, and what is
				// blocked under a condition need not be.
				free := !slices.ContainsFunc(names, func(name string) bool { return begins(strings.TrimSpace(name + " " + path)) })
				if ok && (free || x.Block && (x.Flags != nil || x.Words != nil)) {
					x.Paths = append(x.Paths, path)
				}
			}
			if x.Paths != nil {
				slices.Sort(x.Paths)
				found = append(found, x)
			}
		}
	}
	return found
}

// plainBlock reports whether a block can be told without saying much more
// than it does. Others are told as asks.
func plainBlock(r *match.Rule) bool {
	return len(r.Unless) == 0 && !r.HasOnly && (!r.HasOperands || len(r.Operands) == 1 && len(r.Operands[0].Values) > 0) && len(r.All) == 0
}

// conditions adds the words that a block needs. It reports false where they
// can't be told.
func (x *Restriction) conditions(r *match.Rule, places map[string][]string) bool {
	for i := range r.Any {
		if r.Any[i].Values != nil || !plainOption(r.Any[i].Spelling) {
			return false
		}
		x.Flags = append(x.Flags, r.Any[i].Spelling)
	}
	for _, glob := range r.Args {
		if place, ok := strings.CutPrefix(glob, "@"); ok {
			x.Words = append(x.Words, places[place]...)
		} else {
			x.Words = append(x.Words, glob)
		}
	}
	if r.HasOperands {
		x.Words = append(x.Words, r.Operands[0].Values...)
	}
	return len(r.Args) == 0 && !r.HasOperands || x.Words != nil
}

// placesOf lists the plain paths of each named place, and under "" those that
// may never be deleted.
func placesOf(gates []*match.Gate) map[string][]string {
	places := map[string][]string{}
	add := func(place, glob string) {
		if !match.IsGlob(glob) && !strings.HasPrefix(glob, "!") && !strings.Contains(glob, " ") && !slices.Contains(places[place], glob) {
			places[place] = append(places[place], glob)
		}
	}
	for _, g := range gates {
		for i := range g.Paths {
			for _, glob := range g.Paths[i].Globs {
				if g.Paths[i].Place != "" {
					add(g.Paths[i].Place, glob)
				}
				if g.Paths[i].Delete == policy.Block {
					add("", glob)
				}
			}
		}
	}
	for place := range places {
		sort.Strings(places[place])
	}
	return places
}

// deletion is the block of whole system directories, for the programs that
// delete their operands.
func deletion(tables []*match.Program, names []string, places map[string][]string) []Restriction {
	for _, p := range tables {
		for i := range p.Rules {
			r := &p.Rules[i]
			if r.Decision != policy.Allow && len(r.Any)+len(r.All) == 0 && r.Paths == nil && places[""] != nil &&
				slices.ContainsFunc(r.Operands, func(o match.Operand) bool { return o.Kind == match.Delete }) {
				return []Restriction{{Names: names, Paths: []string{""}, Words: places[""], Block: true, Rule: r}}
			}
		}
	}
	return nil
}

// starts tells whether some Form begins with some words.
type starts []string

func newStarts(forms []Form) starts {
	var s starts
	for i := range forms {
		for _, name := range forms[i].Names {
			s = append(s, forms[i].start(name)+" ")
		}
	}
	slices.Sort(s)
	return slices.Compact(s)
}

func (s starts) begins(start string) bool {
	i, _ := slices.BinarySearch(s, start+" ")
	return i < len(s) && strings.HasPrefix(s[i], start+" ")
}

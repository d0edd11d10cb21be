package export

import (
	"fmt"
	"slices"
	"strings"
)

// group is a Form for several subcommands that are alike.
type group struct {
	Form
	paths []string // "" or "remote -v"
	forms int
}

// merged puts together Forms that differ in their path only, and those that
// differ in their names only.
func merged(forms []Form) []group {
	var groups []group
	at := map[string]int{}
	for _, f := range forms {
		key := strings.Join(f.Names, " ") + "\n" + f.shape()
		path := strings.Join(f.Path, " ")
		if i, ok := at[key]; ok {
			groups[i].paths = append(groups[i].paths, path)
			groups[i].forms++
			continue
		}
		at[key] = len(groups)
		groups = append(groups, group{Form: f, paths: []string{path}, forms: 1})
	}
	clear(at)
	kept := groups[:0]
	for _, g := range groups {
		slices.Sort(g.paths)
		g.paths = slices.Compact(g.paths)
		key := strings.Join(g.paths, "\n") + "\n\n" + g.shape()
		if i, ok := at[key]; ok {
			kept[i].Names = append(slices.Clone(kept[i].Names), g.Names...)
			kept[i].forms += g.forms
			continue
		}
		at[key] = len(kept)
		kept = append(kept, g)
	}
	for i := range kept {
		slices.Sort(kept[i].Names)
		kept[i].Names = slices.Compact(kept[i].Names)
	}
	return kept
}

// shape is all of a Form but its names and path.
func (f *Form) shape() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %s %t %t %d %d %t %t %t %q", f.Required, f.Letters, f.Number, f.Any, f.Min, f.Max, f.Reads, f.Globs, f.Alone, f.Except)
	for i := range f.Options {
		o := &f.Options[i]
		fmt.Fprintf(&b, " %s%t%t%t", o.Spelling, o.Bare, o.Glued, o.Apart)
	}
	return b.String()
}

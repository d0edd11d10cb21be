package export

import (
	"slices"
	"strconv"
	"strings"
)

// group is a Form for several subcommands that are alike.
type group struct {
	Form
	paths []string // "" or "remote -v"
	forms int
	files []string // of the rules, one for each Form
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
			groups[i].files = append(groups[i].files, f.Rule.File)
			continue
		}
		at[key] = len(groups)
		groups = append(groups, group{Form: f, paths: []string{path}, forms: 1, files: []string{f.Rule.File}})
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
			kept[i].files = append(kept[i].files, g.files...)
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

// shape is all of a Form but its names and path, as a key.
func (f *Form) shape() string {
	b := make([]byte, 0, 1024)
	texts := func(list []string) {
		for _, s := range list {
			b = append(append(b, s...), '\n')
		}
		b = append(b, '\r')
	}
	flags := func(list ...bool) {
		for _, is := range list {
			if is {
				b = append(b, '1')
			} else {
				b = append(b, '0')
			}
		}
	}
	for _, group := range f.Required {
		texts(group)
	}
	if f.Script != nil {
		texts([]string{f.Script.pattern})
	}
	texts(f.Except)
	b = append(append(b, f.Letters...), '\r')
	b = strconv.AppendInt(append(strconv.AppendInt(b, int64(f.Min), 10), ' '), int64(f.Max), 10)
	flags(f.Number, f.Any, f.Reads, f.Alone)
	for i := range f.Options {
		o := &f.Options[i]
		b = append(append(b, ' '), o.Spelling...)
		flags(o.Bare, o.Glued, o.Apart)
	}
	return string(b)
}

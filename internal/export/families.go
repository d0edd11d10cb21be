package export

import (
	"slices"
	"sort"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
)

// family is the names of programs that the same tables judge.
type family struct {
	tables []*match.Program
	names  []string // sorted
	tapes  *tapes
}

// familiesOf lists the families of some files, sorted by their first names. Names that
// can't be written without quotes are missing, and those of files.
func familiesOf(gates []*match.Gate) []*family {
	names := map[string][]*match.Program{}
	for _, g := range gates {
		for _, p := range g.Programs() {
			names[p.Name] = append(names[p.Name], p)
			for _, alias := range p.Aliases {
				names[alias] = append(names[alias], p)
			}
		}
	}
	sorted := make([]string, 0, len(names))
	for name := range names {
		sorted = append(sorted, name)
	}
	sort.Strings(sorted)

	var families []*family
	byFirst := map[*match.Program][]*family{}
	for _, name := range sorted {
		if !plainWords(name) || strings.ContainsAny(name, " /") {
			continue
		}
		tables := names[name]
		var found *family
		for _, f := range byFirst[tables[0]] {
			if slices.Equal(f.tables, tables) {
				found = f
			}
		}
		if found == nil {
			found = &family{tables: tables, tapes: new(tapes)}
			families = append(families, found)
			byFirst[tables[0]] = append(byFirst[tables[0]], found)
		}
		found.names = append(found.names, name)
	}
	return families
}

package ruleset

import (
	"maps"
	"slices"
	"sync"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Compiled is what one rule file comes to.
type Compiled struct {
	*File
	Gate   *match.Gate // of a file with faults, what is whole and tightens; nil if nothing is left
	Faults []Fault     // what is wrong, table by table
	Inert  Errors      // what the file's layer may not do, and so does nothing
}

// Fault is what is wrong with one table of a file, or with its text.
type Fault struct {
	Errors Errors       // one at least
	Scope  policy.Scope // what may have been said there
}

// Err returns all that is wrong with the file: nil, or Errors.
func (c *Compiled) Err() error {
	var all Errors
	for i := range c.Faults {
		all = append(all, c.Faults[i].Errors...)
	}
	return all.asError()
}

// Compile says what the files of one layer mean, one gate a file, without
// their Judge functions. A file with an error has no gate. The error is of
// type Errors and holds all errors of all files, by file and position.
func Compile(files []*File, known Known) ([]*match.Gate, error) {
	var gates []*match.Gate
	var all Errors
	for _, c := range CompileEach(files, known) {
		if c.Faults == nil {
			gates = append(gates, c.Gate)
		}
		if errs, ok := c.Err().(Errors); ok {
			all = append(all, errs...)
		}
	}
	return gates, all.asError()
}

// CompileEach says what each file of a layer means, and of broken files what
// is left: tables that are whole, as far as they tighten.
func CompileEach(files []*File, known Known) []Compiled {
	shared := compiler{known: known, ids: map[string]place{}, programs: map[string]place{}, siblings: files, meant: map[*File]*match.Gate{}}
	shared.byID = sync.OnceValue(known.rulesByID)
	shared.places = append(slices.Clone(known.Places), match.Outside, match.Workspace, match.File, match.Known)
	for _, f := range files {
		for _, p := range f.Paths {
			shared.places = append(shared.places, p.Place.Value)
			shared.own = append(shared.own, p.Place.Value)
		}
	}
	var out []Compiled
	for _, f := range files {
		out = append(out, shared.file(f))
	}
	return out
}

// file compiles one file.
func (shared compiler) file(f *File) Compiled {
	loaded, owners := len(f.errs), f.owners()
	c := shared
	c.File, c.tightens, c.drop = f, f.onlyTightens(), map[*Table]bool{}
	if own := f.tornOwner(owners); own.unit != nil {
		c.drop[own.unit] = true // it is not all there
	}
	// Should the file turn out to be broken, it is read once more, and its rules
	// get the ids that they would have had.
	ids, programs := maps.Clone(c.ids), maps.Clone(c.programs)
	out := Compiled{File: f, Gate: c.gate()}
	if c.known.IDs != nil && len(c.refers) > 0 {
		c.named(append(shared.others(f), out.Gate))
	}
	out.Faults = f.faults(owners)
	if len(out.Faults) > 0 {
		for _, e := range f.errs {
			if own := owners[e.table]; own.unit != nil {
				c.drop[own.unit] = true
			}
		}
		again := c
		again.ids, again.programs, again.tightens, again.inert = ids, programs, true, nil
		if out.Gate = again.gate(); saysNothing(out.Gate) {
			out.Gate = nil
		}
	}
	f.errs = f.errs[:loaded]
	out.Inert = c.inert
	return out
}

// others are what the other files of the layer come to, whatever is wrong with
// them: the ids that a file names may stand there.
func (shared compiler) others(f *File) []*match.Gate {
	var gates []*match.Gate
	for _, sibling := range shared.siblings {
		if sibling == f {
			continue
		}
		if shared.meant[sibling] == nil {
			c, loaded := shared, len(sibling.errs)
			c.File, c.drop = sibling, map[*Table]bool{}
			c.ids, c.programs = map[string]place{}, map[string]place{}
			shared.meant[sibling] = c.gate()
			sibling.errs = sibling.errs[:loaded]
		}
		gates = append(gates, shared.meant[sibling])
	}
	return gates
}

// tornOwner is what the table belongs to in which the text stops to be TOML.
func (f *File) tornOwner(owners map[*Table]owner) owner {
	for t, own := range owners {
		if f.end != nil && t.raw == f.end {
			return own
		}
	}
	return owner{}
}

// faults sorts the errors of the file by the table in which they were found.
func (f *File) faults(owners map[*Table]owner) []Fault {
	var list []Fault
	units := map[*Table]int{} // the fault of each
	last := f.lastUnit(owners)
	for _, e := range unique(f.errs) {
		own := owners[e.table]
		if i, ok := units[own.unit]; ok && e.table != nil {
			list[i].Errors = append(list[i].Errors, e)
			list[i].Scope.Join(f.scope(own, e.table))
			continue
		}
		fault := Fault{Errors: Errors{e}}
		switch {
		case e.table != nil:
			fault.Scope = f.scope(own, e.table)
		case f.end != nil:
			own := f.tornOwner(owners)
			fault.Scope = f.torn(own, f.end.Key.Line)
		default:
			fault.Scope = policy.Scope{All: true}
		}
		if own.unit != nil && own.unit == last {
			fault.Scope.All = true
		}
		if _, ok := units[own.unit]; !ok {
			units[own.unit] = len(list)
		}
		list = append(list, fault)
	}
	return list
}

// lastUnit is what the last table of a text belongs to that does not end with
// a line: more may have followed, if the disk was full. Otherwise it is nil.
func (f *File) lastUnit(owners map[*Table]owner) *Table {
	if len(f.lines) == 0 || f.lines[len(f.lines)-1] == "" {
		return nil
	}
	var at Span
	var last *Table
	for t, own := range owners {
		if at.Before(t.At) {
			at, last = t.At, own.unit
		}
	}
	return last
}

func saysNothing(g *match.Gate) bool {
	return len(g.Own)+len(g.Paths)+len(g.Hosts)+len(g.Env)+len(g.Pipes)+len(g.Tools)+len(g.Servers)+len(g.Code) == 0
}

// unique drops repeated errors: a set is read once for each table using it.
func unique(errs Errors) Errors {
	type said struct {
		at  Span
		msg string
	}
	var out Errors
	known := map[said]bool{}
	for _, e := range errs {
		if key := (said{e.At, e.Msg}); !known[key] {
			known[key] = true
			out = append(out, e)
		}
	}
	return out
}

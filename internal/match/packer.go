package match

import (
	"encoding/binary"
	"slices"
	"strings"
)

// Packer makes the text of a Packed. The zero value is ready.
type Packer struct {
	x        coder
	programs []int // where they stand
	names    []packedName
	files    []packedFile
	tables   map[string]int // where a table stands, by what it is written as alone
}

// packedName is an entry of the directory.
type packedName struct {
	name        string
	at, program int
}

// packedFile is an entry of the directory.
type packedFile struct{ name, rows, first, programs, names, named int }

// Head puts a text before everything. Nothing may have been packed yet.
func (w *Packer) Head(text string) { w.x.out = append(w.x.out, text...) }

// Add packs files whose programs are looked up together. No two files may have one
// name.
func (w *Packer) Add(gates ...*Gate) {
	first, added := len(w.names), len(w.files)
	var names []packedName
	for _, g := range gates {
		f := packedFile{name: w.text(g.File), first: len(w.programs), names: first}
		for _, p := range g.Programs() {
			for _, name := range append([]string{p.Name}, p.Aliases...) {
				names = append(names, packedName{name, w.text(name), len(w.programs)})
			}
			w.program(p)
		}
		f.programs = len(w.programs) - f.first
		f.rows = w.put(func(x *coder) { x.gate(g) })
		w.files = append(w.files, f)
	}
	slices.SortStableFunc(names, func(a, b packedName) int { return bySum(a.name, b.name) })
	w.names = append(w.names, names...)
	for i := range w.files[added:] {
		w.files[added+i].named = len(names)
	}
}

// put writes a value and tells where it stands.
func (w *Packer) put(value func(*coder)) (at int) {
	x := &w.x
	x.writing, x.measuring, x.masks = true, true, x.masks[:0]
	value(x)
	x.measuring, x.next = false, 0
	if x.texts == nil {
		x.texts = map[string]int{}
	}
	at = len(x.out)
	value(x)
	return at
}

func (w *Packer) text(s string) (at int) {
	return w.put(func(x *coder) { x.bare(&s) })
}

// program packs a program, behind its rules and those of its tables that no other
// one has.
func (w *Packer) program(p *Program) {
	var places []int
	w.x.tables = nil
	for i := range p.Levels {
		t := p.Levels[i].Table
		if t == nil || t == &NoOptions || slices.Contains(w.x.tables, t) {
			continue
		}
		var alone Packer
		alone.put(func(x *coder) { x.table(t) })
		at, ok := w.tables[string(alone.x.out)]
		if !ok {
			if w.tables == nil {
				w.tables = map[string]int{}
			}
			at = w.put(func(x *coder) { x.table(t) })
			w.tables[string(alone.x.out)] = at
		}
		w.x.tables, places = append(w.x.tables, t), append(places, at)
	}
	w.rules(p)
	w.programs = append(w.programs, w.put(func(x *coder) {
		x.tablesAt(places)
		x.allOrigins()
		x.program(p)
	}))
}

// rules packs a program's rules, and makes the entries that its own place for them
// holds.
func (w *Packer) rules(p *Program) {
	x := &w.x
	x.origins, x.ruleEntries = nil, nil
	for _, list := range [...][]Rule{p.Rules, p.Facts} {
		for i := range list {
			if o := list[i].Origin; !slices.ContainsFunc(x.origins, func(known *Origin) bool { return *known == *o }) {
				x.origins = append(x.origins, o)
			}
		}
	}
	for i := range p.Rules {
		r := &p.Rules[i]
		place := w.put(func(x *coder) { x.rule(r) })
		x.ruleEntries = binary.LittleEndian.AppendUint32(x.ruleEntries, uint32(place))
		x.ruleEntries = binary.LittleEndian.AppendUint32(x.ruleEntries, markOf(firstWord(r.Paths)))
	}
}

// firstWord is the one that all paths begin with, or "".
func firstWord(paths []string) (first string) {
	for i, path := range paths {
		word, _, _ := strings.Cut(path, " ")
		if i > 0 && word != first {
			return ""
		}
		first = word
	}
	return first
}

// String is what was packed. Nothing may be added behind it.
func (w *Packer) String() string {
	start := len(w.x.out)
	put := func(numbers ...int) {
		for _, n := range numbers {
			w.x.out = binary.LittleEndian.AppendUint32(w.x.out, uint32(n))
		}
	}
	put(len(w.programs))
	put(w.programs...)
	put(len(w.names))
	for _, n := range w.names {
		put(int(sumOf(n.name)), n.at, n.program)
	}
	put(len(w.files))
	for _, f := range w.files {
		put(f.name, f.rows, f.first, f.programs, f.names, f.named)
	}
	put(start)
	return string(w.x.out)
}

package match

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Packed is what rule files say, as one text: no pointer of it has to be known
// to the garbage collector, or is expanded when the process starts, and of its
// programs those alone are unpacked that are looked up.
//
// Behind the values stands the directory, of numbers of four bytes, the least
// significant first: how many programs there are, and where each stands; how many
// names, and of each its sum, where it stands and the number of its program; how many files, and
// for each where its name and its rows stand, its first program and how many it
// has, the first of the names that it is looked up by and how many there are. These are
// in the order of their sums, so that looking one up touches no text but its own. The
// last four bytes of the text say where the directory begins.
type Packed struct {
	Text     *string
	Unpacked []atomic.Pointer[Program] // as long as there are programs
}

// The lengths of the directory's entries, in bytes.
const (
	word      = 4
	nameEntry = 3 * word
	fileEntry = 6 * word
)

// at is the number that stands somewhere in the text.
func (p *Packed) at(i int) int { return at(*p.Text, i) }

func at(text string, i int) int {
	s := text[i : i+word]
	return int(uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24)
}

// directory tells where the entries of the three lists begin.
func (p *Packed) directory() (programs, names, files int) {
	programs = p.at(len(*p.Text)-word) + word
	names = programs + p.at(programs-word)*word + word
	files = names + p.at(names-word)*nameEntry + word
	return programs, names, files
}

// string is the text that stands somewhere.
func (p *Packed) string(at int) (s string) {
	x := coder{text: *p.Text, at: at}
	x.bare(&s)
	return s
}

// file is the directory's entry of a file, or of the first one for "".
func (p *Packed) file(name string) (entry int) {
	_, _, entry = p.directory()
	for range p.at(entry - word) {
		if name == "" || p.string(p.at(entry)) == name {
			return entry
		}
		entry += fileEntry
	}
	panic("match: " + name + " is not packed")
}

// named are the entries of a name among those of a file.
func (p *Packed) named(file, name string) (lo, end int) {
	entry := p.file(file)
	_, names, _ := p.directory()
	lo = p.at(entry + 4*word)
	hi := lo + p.at(entry+5*word)
	last := hi
	sum := sumOf(name)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if uint32(p.at(names+mid*nameEntry)) < sum {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	is := func(i int) bool {
		entry := names + i*nameEntry
		return i < last && uint32(p.at(entry)) == sum && p.string(p.at(entry+word)) == name
	}
	for lo < last && uint32(p.at(names+lo*nameEntry)) == sum && !is(lo) {
		lo++ // another name with the same sum
	}
	for end = lo; is(end); end++ {
	}
	return names + lo*nameEntry, names + end*nameEntry
}

// programOf is the number of the program that an entry of a name leads to.
func (p *Packed) programOf(entry int) int { return p.at(entry + 2*word) }

// Judge judges a command by the programs of its name that a file is looked up with:
// one of rules/*.toml with all of them, for which "" stands; another one with its
// own. A table about a file is looked up by nobody: see Gate.Files.
func (p *Packed) Judge(file string, c *Call) {
	if strings.Contains(c.Name, "/") {
		return
	}
	for entry, end := p.named(file, c.Name); entry < end; entry += nameEntry {
		c.Judge(p.program(p.programOf(entry)))
	}
}

// Find returns the first table of a name among those that a file is looked up
// with, or nil.
func (p *Packed) Find(file, name string) *Program {
	if strings.Contains(name, "/") {
		return nil
	}
	if entry, end := p.named(file, name); entry < end {
		return p.whole(p.programOf(entry))
	}
	return nil
}

// of lists the programs of a name that a file has itself.
func (p *Packed) of(file, name string) (list []*Program) {
	f := p.file(file)
	first, n := p.at(f+2*word), p.at(f+3*word)
	for entry, end := p.named(file, name); entry < end; entry += nameEntry {
		if i := p.programOf(entry); i >= first && i < first+n {
			list = append(list, p.whole(i))
		}
	}
	return list
}

// has reports whether a file has a program of a name.
func (p *Packed) has(file, name string) bool {
	f := p.file(file)
	first, n := p.at(f+2*word), p.at(f+3*word)
	for entry, end := p.named(file, name); entry < end; entry += nameEntry {
		if i := p.programOf(entry); i >= first && i < first+n {
			return true
		}
	}
	return false
}

// files lists the programs that a file has itself and that are named by a path.
func (p *Packed) files(file string) (list []*Program) {
	f := p.file(file)
	_, names, _ := p.directory()
	var numbers []int
	for i := range p.at(f + 5*word) {
		entry := names + (p.at(f+4*word)+i)*nameEntry
		if strings.Contains(p.string(p.at(entry+word)), "/") {
			numbers = append(numbers, p.programOf(entry))
		}
	}
	slices.Sort(numbers)
	for _, i := range slices.Compact(numbers) {
		list = append(list, p.whole(i))
	}
	return list
}

// programs unpacks all programs of a file.
func (p *Packed) programs(file string) []*Program {
	f := p.file(file)
	list := make([]*Program, p.at(f+3*word))
	for i := range list {
		list[i] = p.whole(p.at(f+2*word) + i)
	}
	return list
}

// program unpacks a program, once: all but its rules and the tables of its levels.
func (p *Packed) program(i int) *Program {
	if known := p.Unpacked[i].Load(); known != nil {
		return known
	}
	offsets, _, _ := p.directory()
	x := coder{text: *p.Text, at: p.at(offsets + i*word)}
	program := new(Program)
	x.tablesAt(nil)
	x.allOrigins()
	x.program(program)
	if x.bad {
		panic("match: what was packed of a program can't be read")
	}
	program.packed = &packedParts{
		text: p.Text, tablesAt: x.later, tables: make([]atomic.Pointer[Table], len(x.later)),
		rulesAt: x.rulesAt, origins: x.origins, ready: make([]atomic.Bool, len(program.Rules)),
	}
	if !p.Unpacked[i].CompareAndSwap(nil, program) {
		return p.Unpacked[i].Load() // another judge was faster: rules are compared by their address
	}
	return program
}

// whole is a program with all of its parts: for those who don't look them up by
// Program.level and Program.rule.
func (p *Packed) whole(i int) *Program {
	program := p.program(i)
	t := program.packed
	t.once.Do(func() {
		for i := range program.Rules {
			program.rule(i)
		}
		t.whole = *program
		t.whole.packed = nil
		t.whole.Levels = slices.Clone(program.Levels)
		for i := range t.whole.Levels {
			t.whole.Levels[i] = program.level(i)
		}
	})
	return &t.whole
}

// packedParts are the tables and the rules of a program, of which a command needs
// few.
type packedParts struct {
	text     *string
	tablesAt []int // where each stands
	tables   []atomic.Pointer[Table]

	rulesAt int // where their entries stand
	origins []*Origin
	ready   []atomic.Bool // which of the program's rules are unpacked
	unpacks sync.Mutex    // held by who unpacks one

	once  sync.Once
	whole Program
}

// level is a level with its table.
func (p *Program) level(i int) Level {
	l := p.Levels[i]
	if l.Table == nil && p.packed != nil {
		l.Table, l.number = p.packed.table(l.number), 0
	}
	return l
}

func (p *packedParts) table(i int) *Table {
	if known := p.tables[i].Load(); known != nil {
		return known
	}
	x := coder{text: *p.text, at: p.tablesAt[i]}
	t := new(Table)
	if x.table(t); x.bad {
		panic("match: what was packed of a table can't be read")
	}
	if !p.tables[i].CompareAndSwap(nil, t) {
		return p.tables[i].Load() // options are compared by their address
	}
	return t
}

// rule is one of the rules. It has one place, for rules are compared by their
// address.
func (p *Program) rule(i int) *Rule {
	r := &p.Rules[i]
	if t := p.packed; t != nil && !t.ready[i].Load() {
		t.unpack(i, r)
	}
	return r
}

func (p *packedParts) unpack(i int, r *Rule) {
	p.unpacks.Lock()
	defer p.unpacks.Unlock()
	if p.ready[i].Load() {
		return // another judge was faster
	}
	x := coder{text: *p.text, at: min(at(*p.text, p.rulesAt+i*ruleEntry), len(*p.text)), origins: p.origins}
	if x.rule(r); x.bad {
		panic("match: what was packed of a rule can't be read")
	}
	p.ready[i].Store(true)
}

// elsewhere reports whether a rule is surely about another subcommand than the
// one that begins with the word of a mark.
func (p *packedParts) elsewhere(i int, mark uint32) bool {
	of := uint32(at(*p.text, p.rulesAt+i*ruleEntry+word))
	return of != 0 && of != mark
}

// markOf tells the first words of subcommands apart, mostly. It is zero for none,
// and for one that may be any of several.
func markOf(first string) uint32 {
	if first == "" || IsGlob(first) {
		return 0
	}
	return max(sumOf(first), 1)
}

// sumOf is a text's sum by FNV-1a.
func sumOf(text string) uint32 {
	sum := uint32(2166136261)
	for i := range len(text) {
		sum = (sum ^ uint32(text[i])) * 16777619
	}
	return sum
}

// bySum is an order of texts in which one is found by its sum.
func bySum(a, b string) int {
	return cmp.Or(cmp.Compare(sumOf(a), sumOf(b)), cmp.Compare(a, b))
}

// rows unpacks what a file says beside its programs. It reports false where that
// can't be read.
func (p *Packed) rows(file string, g *Gate) bool {
	x := coder{text: *p.Text, at: p.at(p.file(file) + word)}
	x.gate(g)
	return !x.bad
}

// Pack writes all that a gate says as one text, for Unpack.
func (g *Gate) Pack() string {
	var w Packer
	w.Add(g)
	return w.String()
}

// Unpack reads what Pack has written. Programs are unpacked when they are looked
// up: that they can be is for the caller to know, by a sum of the text, say. Of a
// text whose directory or rows nobody has packed it returns nil.
func Unpack(text string) *Gate {
	p := &Packed{Text: &text}
	programs := p.sound()
	if programs < 0 {
		return nil
	}
	p.Unpacked = make([]atomic.Pointer[Program], programs)
	g := &Gate{}
	if !p.rows("", g) || p.string(p.at(p.file(""))) != g.File {
		return nil
	}
	g.Packed = p
	return g
}

// sound returns how many programs are packed of one file; -1 where the directory
// leads out of the text, or has other files.
func (p *Packed) sound() int {
	end := len(*p.Text) - word // of the directory
	if end < 0 {
		return -1
	}
	start := p.at(end)
	// list takes one of the directory's lists: each entry is some numbers, of which
	// the marked ones are places of the text.
	at := start
	list := func(entry int, places ...bool) (n int) {
		if at < 0 || at > end-word {
			return -1
		}
		n, at = p.at(at), at+word
		if n < 0 || n > (end-at)/entry {
			return -1
		}
		for i := range n * len(places) {
			if place := p.at(at + i*word); places[i%len(places)] && (place < 0 || place >= start) {
				return -1
			}
		}
		at += n * entry
		return n
	}
	programs := list(word, true)
	if programs < 0 {
		return -1
	}
	first := at + word
	names := list(nameEntry, false, true, false)
	for i := range max(names, 0) {
		if n := p.programOf(first + i*nameEntry); n < 0 || n >= programs {
			return -1
		}
	}
	file := at + word
	if names < 0 || list(fileEntry, true, true, false, false, false, false) != 1 || at != end {
		return -1
	}
	for i, want := range [...]int{0, programs, 0, names} {
		if p.at(file+(2+i)*word) != want {
			return -1
		}
	}
	return programs
}

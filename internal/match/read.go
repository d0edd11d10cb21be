package match

import (
	"math"
	"slices"

	"github.com/bashgate/bashgate/policy"
)

// reading is the argument vector as the current program's table reads it.
type reading struct {
	buffers
	p      *Program
	plain  int // how many of its words tables name as they are
	length int // of its words, joined by blanks
	here   int // how many belong to the path itself
	lo, hi int // p.Levels[lo:hi] have plain paths that begin with path
	style  Style
	traits Traits
	until  []string

	growing bool // the next operand may be a subcommand
	either  bool // a second reading of the words, which holds as well as the first
	unended int  // from this word on options may have ended or not, or 0
	ended   bool // no more options
	anyPath bool // the subcommand is not known

	takes   []int   // those that do, in this reading
	exactly bool    // no others do
	dashes  bool    // a subcommand may stand behind --
	others  []*Call // all readings, where there are several
	push    *Push   // what it changes in another repository, once that was looked up

	doubt     int  // from the word after this one on, it is not sure what words are
	loose     int  // the last undeclared option that may take the word after it
	firstHole int  // the first and the last word that may turn out to be an
	lastHole  int  // option, or 0
	shadows   int  // commands that may be hidden in a command
	hides     bool // the value at hand may be an option that no table knows

	from     int   // len(Held) when the table began
	fromUses int   // len(Uses)
	defeat   near  // what defeated the closed allows
	near     near  // why the closest allow did not hold
	close    *Rule // the closest allow
	missing  *Rule // an allow that almost holds; see nearly
	unsure   unsure
	moved    bool     // an option changed the directory
	inside   []string // the directories it changed to, for what the command runs
	around   []string // those and the ones before, for its other words
}

// buffers are the lists of a reading, whose memory serves the next one.
type buffers struct {
	path     []string // the subcommand
	tables   []Level  // the options in force, those of the path itself first
	flags    []flag
	operands []operand
	optional []int    // undeclared options before the subcommand that may take the word after them
	later    []*Rule  // otherwise rules
	placed   []uint32 // see place
}

// flag is one option that is present.
type flag struct {
	opt   *Option // nil: not declared
	name  string  // as the table spells it; as written where it is not declared
	line  string  // all its spellings, if it is declared
	value policy.Word
	words []policy.Word // a command's vector, or the values after the first
	has   bool          // it has a value
	glued bool          // and the value stands in the same word
	many  bool          // the command ended with a plus sign: many values at once
	neg   bool          // --no-x
	// shadow says that the word is another option's value, if the table is
	// right about that one. It counts against a command, never for it.
	shadow bool
	at     int // index in Cmd.Words
}

// operand is one word that is no option.
type operand struct {
	word policy.Word
	at   int    // index in Cmd.Words
	wild bool   // it may be any number of operands
	some bool   // but one at least
	used uint32 // bit k: a use of kind k was made of it
	told bool   // a rule that holds says what it is
}

func (b *buffers) emptied() buffers {
	return buffers{
		path:     b.path[:0],
		tables:   b.tables[:0],
		flags:    b.flags[:0],
		operands: b.operands[:0],
		later:    b.later[:0],
		placed:   b.placed[:0],
		optional: b.optional[:0],
	}
}

// read reads the command by a program's table.
func (c *Call) read(p *Program) {
	c.begin(p)
	c.Unsteered = p.Unsteered && (c.Unsteered || !c.Known)
	c.Known = true
	c.Repository = c.Repository || p.Repository
	c.Project = c.Project || p.Project
	if c.Daemon == nil {
		c.Daemon = p.Daemon
	}
	if p.Handler != "" {
		c.Handlers = append(c.Handlers, p.Handler)
	}
	c.from, c.fromUses = len(c.Held), len(c.Uses)
	c.words()
	if p.Open && (len(c.optional) > 0 || c.dashes) {
		c.readAgain()
	}
	if len(c.Path) == 0 && !c.anyPath {
		c.Path = append(c.Path, c.path[:min(c.plain, len(c.path))]...)
	}
	if p.Refs != NoRefs {
		c.Refs, c.Sub = p.Refs, c.Sub[:0]
		if !c.anyPath && len(c.others) < 2 {
			c.Sub = append(c.Sub, c.path...)
		}
	}
	c.directories()
	c.optionUses()
}

// begin puts a program's table in force. Which words are read otherwise stays
// as it is.
func (c *Call) begin(p *Program) {
	takes, exactly, buffers := c.takes, c.exactly, c.buffers.emptied()
	c.reading = reading{}
	c.takes, c.exactly, c.buffers = takes, exactly, buffers
	c.p = p
	c.doubt = math.MaxInt
	c.loose = -1
	own := p.level(0)
	c.tables = append(c.tables, own)
	c.here = 1
	c.hi = p.Fixed
	c.style, c.traits, c.until = own.Style, own.Traits, own.Until
	c.growing = len(p.Levels) > 1
}

// words reads all of them.
func (c *Call) words() {
	if c.p.ArgFiles {
		c.argFiles()
	}
	for i := 1; i < len(c.Cmd.Words); {
		i = c.word(i)
	}
}

// word reads the ith word and returns the index of the next.
func (c *Call) word(i int) int {
	w := c.Cmd.Words[i]
	if c.ended || c.style == Plain {
		if c.unended > 0 && i >= c.unended {
			c.perhapsOption(i, w)
			return i + 1
		}
		c.operand(i, w)
		return i + 1
	}
	if w.Parts != nil {
		return c.holed(i, w)
	}
	if next := c.option(i, w.Text, false); next > 0 {
		return next
	}
	c.operand(i, w)
	return i + 1
}

// option reads a constant word as an option. It returns the index of the word
// after it and its values, or 0 if the word is none.
func (c *Call) option(i int, text string, shadow bool) int {
	if text == "" {
		return 0
	}
	if c.style == Keys && text[0] != '-' {
		return c.key(i, text, shadow)
	}
	if text[0] != '-' && text[0] != '+' {
		if c.bare() {
			if o, s := c.find(text); o != nil {
				return c.take(i, flag{opt: o, name: s, at: i, shadow: shadow}, i+1)
			}
		}
		if c.traits&BSD != 0 && isLetter(text[0]) {
			return c.cluster(i, c.Cmd.Words[i], text, 0, 0, shadow)
		}
		if c.traits&Bundle != 0 && i == 1 && !shadow && isLetter(text[0]) {
			return c.bundle(i, text)
		}
		return 0
	}
	if text[0] == '+' {
		if c.traits&Plus == 0 || text == "+" {
			return 0
		}
		return c.plus(i, text, shadow)
	}
	switch {
	case text == "-":
		if o, s := c.find(text); o != nil {
			return c.take(i, flag{opt: o, name: s, at: i, shadow: shadow}, i+1)
		}
		return 0
	case text == "--":
		if !shadow {
			c.endOptions(i)
		}
		return i + 1
	case c.style == Long:
		return c.dashed(i, text, shadow)
	case text[1] == '-':
		return c.long(i, text, shadow)
	}
	return c.cluster(i, c.Cmd.Words[i], text, 1, '-', shadow)
}

func (c *Call) bare() bool {
	for _, l := range c.tables {
		if l.Bare {
			return true
		}
	}
	return false
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// take adds an option and its values. next is where values of their own
// begin; the index after them is returned.
func (c *Call) take(i int, f flag, next int) int {
	words := c.Cmd.Words
	o := f.opt
	if o.Kind == Command && o.Arity != NoValue && len(o.Multi()) == 0 {
		if f.shadow {
			if c.shadows++; c.shadows > maxShadows {
				c.defeated(nearHole, i, "")
				return next
			}
		}
		f.words, next = c.untilEnd(next, f.shadow)
		f.many = next > i+1 && next <= len(words) && words[next-1].Text == "+"
		if f.has {
			f.words = append([]policy.Word{f.value}, f.words...)
		}
		c.add(f)
		return next
	}
	value := o.Arity == Value
	if o.Arity == Next && !f.has && next < len(words) {
		text, known := words[next].Const()
		value = !known || text == "" || text[0] != '-'
		if value && words[next].MayBeOption() {
			c.defeated(nearHole, next, "")
		}
	}
	if !value || f.neg {
		if f.has && (o.Arity == Next || (o.Arity == NoValue || f.neg) && !IsGlob(f.name) && !isSwitch(f.value)) {
			c.defeated(nearValue, i, f.name) // the program refuses it, or the table is wrong about it
		}
		c.add(f)
		if o.Arity == Loose && !f.has && !f.neg {
			c.perhapsValue(f, next)
		}
		return next
	}
	var split []int
	if !f.has && next < len(words) {
		f.value, f.has = words[next], true
		if words[next].MaySplit() {
			split = append(split, next)
		}
		next++
	}
	if more := len(o.Multi()) - 1; more > 0 && f.has {
		end := min(next+more, len(words))
		f.words = words[next:end]
		for k := next; k < end; k++ {
			if words[k].MaySplit() {
				split = append(split, k)
			}
		}
		next = end
	}
	c.add(f)
	if f.shadow {
		if c.either {
			c.doubted(&f, next)
		}
		return next
	}
	for k := i + 1; k < next; k++ {
		// The table may be wrong about a value; what it would hide then is
		// read as well.
		if words[k].Parts == nil {
			c.hides = f.name != "-e" && f.name != "--regexp" // which are there for values with a dash
			c.shadowed(k)
			c.hides = false
		}
	}
	for _, k := range split {
		c.leftover(k, false)
	}
	return next
}

// maxStarts is how many places of a command are taken for the beginning of one
// that it runs, where holes leave more than one possible. It asks then anyway.
const maxStarts = 8

// maxShadows is how many values that look like options with a command of
// their own are followed. With more, no closed allow holds.
const maxShadows = 2

// add appends an option; a shadow only where it may do harm.
func (c *Call) add(f flag) {
	if f.shadow && (f.opt == nil || !c.either && f.harmless()) {
		return
	}
	if f.opt != nil {
		f.line = c.line(f.opt, f.name)
	}
	c.flags = append(c.flags, f)
}

// shadowed reads a word that is a value as if it were an option.
func (c *Call) shadowed(k int) {
	text := c.Cmd.Words[k].Text
	if len(text) > 1 && (text[0] == '-' && text != "--" || text[0] == '+' || c.bare()) {
		c.option(k, text, true)
	}
}

// leftover notes that a value may be several words, of which all but the
// first are options or operands. glued says that the value stands in the
// option's own word: a glob then repeats the option.
func (c *Call) leftover(k int, glued bool) {
	w := c.Cmd.Words[k]
	for _, p := range w.Parts {
		if p.Kind == policy.Split {
			c.holeOption(k)
			c.operand(k, policy.Word{Parts: []policy.Part{{Kind: policy.Split, Text: p.Text}}, Pos: w.Pos})
			return
		}
	}
	if !glued {
		if w.MayBeOption() {
			c.holeOption(k)
		}
		before := len(c.operands)
		c.operand(k, w)
		if len(c.operands) > before {
			c.operands[before].some = false // the one may be the value
		}
	}
}

// untilEnd returns the argument vector that begins at the word i, and the
// index after it and the word that ends it.
func (c *Call) untilEnd(i int, shadow bool) ([]policy.Word, int) {
	words := c.Cmd.Words
	if len(c.until) == 0 {
		return words[min(i, len(words)):], len(words)
	}
	maybeEnded := 0 // the first word that may be the end
	for j := i; j < len(words); j++ {
		w := words[j]
		if w.Parts != nil {
			if shadow {
				continue
			}
			if w.MaySplit() {
				c.holeOption(j)
			}
			if maybeEnded == 0 && w.Prefix() == "" && w.HasHole() {
				maybeEnded = j
			}
			continue
		}
		if slices.Contains(c.until, w.Text) {
			// As POSIX has it, a plus sign ends a command of find only
			// after a placeholder.
			if w.Text != "+" || len(c.p.Runs.Places) == 0 || j > i && slices.Contains(c.p.Runs.Places, words[j-1].Text) {
				return words[i:j], j + 1
			}
		}
		if maybeEnded > 0 && !shadow {
			c.shadowed(j)
		}
	}
	if maybeEnded > 0 {
		c.holeOption(maybeEnded) // it runs nothing, unless that is the end
	}
	return words[min(i, len(words)):], len(words)
}

// rest is the ith word without its first n bytes, which are known.
func (c *Call) rest(i, n int) policy.Word {
	w := c.Cmd.Words[i]
	if w.Parts == nil {
		return policy.Word{Text: w.Text[n:], Pos: w.Pos}
	}
	parts := make([]policy.Part, 0, len(w.Parts))
	for k, p := range w.Parts {
		if p.Kind == policy.Lit && n > 0 {
			cut := min(n, len(p.Text))
			p.Text = p.Text[cut:]
			n -= cut
			if p.Text == "" && n > 0 {
				continue
			}
		}
		if p.Kind == policy.Lit && p.Text == "" {
			continue
		}
		if p.Kind != policy.Lit {
			parts = append(parts, w.Parts[k:]...)
			break
		}
		parts = append(parts, p)
	}
	return policy.Word{Parts: parts, Pos: w.Pos}
}

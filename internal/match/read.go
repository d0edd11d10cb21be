package match

import (
	"math"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/policy"
)

// AnySub is what Read returns where it is not known which subcommand a
// command has.
const AnySub = "*"

// reading is the argument vector as the current program's table reads it.
type reading struct {
	p      *Program
	path   []string // the subcommand
	tables []*Level // the options in force, those of the path itself first
	here   int      // how many belong to the path itself
	lo, hi int      // p.Levels[lo:hi] have plain paths that begin with path
	style  Style
	traits Traits
	until  []string

	flags    []flag
	operands []operand
	growing  bool // the next operand may be a subcommand
	ended    bool // no more options
	anyPath  bool // the subcommand is not known

	doubt     int // from the word after this one on, it is not sure what words are
	loose     int // the last undeclared option that may take the word after it
	firstHole int // the first and the last word that may turn out to be an
	lastHole  int // option, or 0
	shadows   int // commands that may be hidden in a command

	from     int      // len(Held) when the table began
	fromUses int      // len(Uses)
	later    []*Rule  // otherwise rules
	placed   []uint32 // see place
	defeat   near     // what defeated the closed allows
	near     near     // why the closest allow did not hold
	missing  *Rule    // an allow that almost holds; see nearly
	unsure   unsure
	moved    bool     // an option changed the directory
	inside   []string // the directories it changed to, for what the command runs
	around   []string // those and the ones before, for its other words
}

// flag is one option that is present.
type flag struct {
	opt   *Option // nil: not declared
	name  string  // as the table spells it; as written where it is not declared
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
}

func (r *reading) emptied() reading {
	return reading{
		path:     r.path[:0],
		tables:   r.tables[:0],
		flags:    r.flags[:0],
		operands: r.operands[:0],
		later:    r.later[:0],
		placed:   r.placed[:0],
	}
}

// Read reads the command by a program's table. It returns the first word of
// the subcommand, "" if there is none, or AnySub. Try and Finish follow.
func (c *Call) Read(p *Program) string {
	c.reading = c.reading.emptied()
	c.p = p
	c.Unsteered = p.Unsteered && (c.Unsteered || !c.Known)
	c.Known = true
	c.Repository = c.Repository || p.Repository
	if p.Handler != "" {
		c.Handlers = append(c.Handlers, p.Handler)
	}
	c.from, c.fromUses = len(c.Held), len(c.Uses)
	c.doubt = math.MaxInt
	c.loose = -1
	c.tables = append(c.tables, &p.Levels[0])
	c.here = 1
	c.hi = p.Fixed
	c.style, c.traits, c.until = p.Levels[0].Style, p.Levels[0].Traits, p.Levels[0].Until
	c.growing = len(p.Levels) > 1
	for i := 1; i < len(c.Cmd.Words); {
		i = c.word(i)
	}
	c.directories()
	c.optionUses()
	switch {
	case c.anyPath:
		return AnySub
	case len(c.path) > 0:
		return c.path[0]
	}
	return ""
}

// word reads the ith word and returns the index of the next.
func (c *Call) word(i int) int {
	w := c.Cmd.Words[i]
	if c.ended || c.style == Plain {
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
			c.ended = true
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

// key reads key=value, as dd does.
func (c *Call) key(i int, text string, shadow bool) int {
	name, _, ok := strings.Cut(text, "=")
	if !ok {
		return 0
	}
	o, s := c.find(name)
	if o == nil {
		return c.undeclared(i, text, true, shadow)
	}
	return c.take(i, flag{opt: o, name: s, value: c.rest(i, len(name)+1), has: true, glued: true, at: i, shadow: shadow}, i+1)
}

// long reads --name and --name=value.
func (c *Call) long(i int, text string, shadow bool) int {
	name, _, eq := strings.Cut(text, "=")
	f := flag{at: i, shadow: shadow, has: eq, glued: eq}
	if eq {
		f.value = c.rest(i, len(name)+1)
	}
	var ambiguous bool
	f.opt, f.name, f.neg, ambiguous = c.findLong(name)
	if f.opt == nil {
		if o, s, glued := c.findGlob(name); o != nil {
			if f.opt, f.name = o, s; glued < len(name) {
				f.value, f.has, f.glued = c.rest(i, glued), true, true
			}
		}
	}
	if f.opt != nil {
		return c.take(i, f, i+1)
	}
	if ambiguous {
		// The program refuses it, unless our table knows an option too many.
		for _, l := range c.tables {
			for o, s := range l.beginning(name) {
				c.take(i, flag{opt: o, name: s, value: f.value, has: eq, glued: eq, at: i, shadow: true}, i+1)
			}
		}
	}
	return c.undeclared(i, name, eq, shadow)
}

// dashed reads an option of the style with one dash and no clusters.
func (c *Call) dashed(i int, text string, shadow bool) int {
	for _, t := range [2]string{text, text[1:]} {
		if len(t) < 2 || t[0] != '-' {
			break // the second time round: -name may be written --name
		}
		skipped := len(text) - len(t)
		if o, s := c.find(t); o != nil {
			return c.take(i, flag{opt: o, name: s, at: i, shadow: shadow}, i+1)
		}
		name, _, eq := strings.Cut(t, "=")
		if eq {
			if o, s := c.find(name); o != nil {
				return c.take(i, flag{opt: o, name: s, value: c.rest(i, skipped+len(name)+1), has: true, glued: true, at: i, shadow: shadow}, i+1)
			}
		}
		if o, s, glued := c.findGlob(t); o != nil {
			f := flag{opt: o, name: s, at: i, shadow: shadow}
			if glued < len(t) {
				f.value, f.has, f.glued = c.rest(i, skipped+glued), true, true
			}
			return c.take(i, f, i+1)
		}
	}
	if c.traits&Number != 0 && strings.Trim(text[1:], "0123456789") == "" {
		return i + 1
	}
	return c.undeclared(i, text, strings.Contains(text, "="), shadow)
}

// plus reads +x.
func (c *Call) plus(i int, text string, shadow bool) int {
	if o, s := c.find(text); o != nil {
		return c.take(i, flag{opt: o, name: s, at: i, shadow: shadow}, i+1)
	}
	if o, s, glued := c.findGlob(text); o != nil {
		f := flag{opt: o, name: s, at: i, shadow: shadow}
		if glued < len(text) {
			f.value, f.has, f.glued = c.rest(i, glued), true, true
		}
		return c.take(i, f, i+1)
	}
	if o, s := c.find("+"); o != nil && o.Arity != NoValue {
		return c.take(i, flag{opt: o, name: s, value: c.rest(i, 1), has: true, glued: true, at: i, shadow: shadow}, i+1)
	}
	return c.cluster(i, c.Cmd.Words[i], text, 1, '+', shadow)
}

// cluster reads the letters of w from the byte at on: options without values,
// then at most one with the rest of the word, or the next one, as its value.
// lead is what their spellings begin with, 0 for nothing; text is the part of
// w that is known.
func (c *Call) cluster(i int, w policy.Word, text string, at int, lead byte, shadow bool) int {
	if c.p.Open && c.tables[0].Table == &NoOptions && w.Parts == nil {
		name, _, eq := strings.Cut(text, "=")
		return c.undeclared(i, name, eq, shadow)
	}
	if lead == '-' && w.Parts == nil && len(text) > 2 {
		if next := c.wholeShort(i, text, shadow); next > 0 {
			return next
		}
	}
	for j := at; j < len(text); j++ {
		o, s := c.find(shortName(lead, text[j]))
		if o == nil {
			if c.traits&Number != 0 && isDigit(text[j]) {
				continue
			}
			return c.undeclared(i, shortName(lead, text[j]), false, shadow)
		}
		f := flag{opt: o, name: s, at: i, shadow: shadow}
		more := j+1 < len(text) || w.Parts != nil
		if o.Arity == NoValue {
			if j+1 < len(text) && text[j+1] == '=' && c.traits&Exact != 0 {
				f.value, f.has, f.glued = c.rest(i, j+2), true, true
				return c.take(i, f, i+1)
			}
			c.take(i, f, i+1)
			continue
		}
		if more {
			f.value, f.has, f.glued = c.rest(i, j+1), true, true
			if j+1 < len(text) && text[j+1] == '=' {
				// Some parsers drop the sign, others keep it.
				g := f
				g.value = c.rest(i, j+2)
				g.shadow = true
				c.take(i, g, i+1)
			}
		}
		return c.take(i, f, i+1)
	}
	if w.Parts != nil && !shadow {
		c.holeOption(i)
	}
	return i + 1
}

// wholeShort reads -name as one option where a table spells it so.
func (c *Call) wholeShort(i int, text string, shadow bool) int {
	if o, s := c.find(text); o != nil {
		return c.take(i, flag{opt: o, name: s, at: i, shadow: shadow}, i+1)
	}
	if name, _, eq := strings.Cut(text, "="); eq && len(name) > 2 {
		if o, s := c.find(name); o != nil {
			return c.take(i, flag{opt: o, name: s, value: c.rest(i, len(name)+1), has: true, glued: true, at: i, shadow: shadow}, i+1)
		}
	}
	if o, s, glued := c.findGlob(text); o != nil {
		f := flag{opt: o, name: s, at: i, shadow: shadow}
		if glued < len(text) {
			f.value, f.has, f.glued = c.rest(i, glued), true, true
		}
		return c.take(i, f, i+1)
	}
	return 0
}

// bundle reads the first word of the old style of tar: letters whose values
// are the words that follow, in order.
func (c *Call) bundle(i int, text string) int {
	next := i + 1
	for j := range len(text) {
		o, s := c.find(shortName('-', text[j]))
		if o == nil {
			c.undeclared(i, shortName('-', text[j]), false, false)
			continue
		}
		next = c.take(i, flag{opt: o, name: s, at: i}, next)
	}
	return next
}

// undeclared notes an option that the table does not know and returns the
// next index.
func (c *Call) undeclared(i int, name string, glued, shadow bool) int {
	if shadow {
		return i + 1
	}
	f := flag{name: name, at: i, has: glued, glued: glued}
	if glued {
		_, value, _ := strings.Cut(c.Cmd.Words[i].Prefix(), "=")
		f.value = policy.Const(value)
		if c.Cmd.Words[i].Parts != nil {
			f.value = c.Cmd.Words[i]
		}
	} else {
		c.loose = i
	}
	c.flags = append(c.flags, f)
	if !c.p.Open {
		c.defeated(nearUnknown, i, name)
		if !glued {
			c.doubt = min(c.doubt, i)
		}
	}
	return i + 1
}

// take adds an option and its values. next is where values of their own
// begin; the index after them is returned.
func (c *Call) take(i int, f flag, next int) int {
	words := c.Cmd.Words
	o := f.opt
	if o.Kind == Command && o.Arity != NoValue && len(o.Multi()) == 0 {
		if f.shadow {
			if c.shadows++; c.shadows > maxStarts {
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
	if o.Arity != Value || f.neg {
		c.add(f)
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
		return next
	}
	for k := i + 1; k < next; k++ {
		// The table may be wrong about a value; what it would hide then is
		// read as well.
		if words[k].Parts == nil {
			c.shadowed(k)
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

// add appends an option; a shadow only where it may do harm.
func (c *Call) add(f flag) {
	if !f.shadow || f.opt != nil && !f.harmless() {
		c.flags = append(c.flags, f)
	}
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
	maybeEnded := false
	for j := i; j < len(words); j++ {
		w := words[j]
		if w.Parts != nil {
			if shadow {
				continue
			}
			if w.MaySplit() {
				c.holeOption(j)
			}
			maybeEnded = maybeEnded || w.Prefix() == "" && w.HasHole()
			continue
		}
		if slices.Contains(c.until, w.Text) {
			// As POSIX has it, a plus sign ends a command of find only
			// after a placeholder.
			if w.Text != "+" || len(c.p.Runs.Places) == 0 || j > i && slices.Contains(c.p.Runs.Places, words[j-1].Text) {
				return words[i:j], j + 1
			}
		}
		if maybeEnded && !shadow {
			c.shadowed(j)
		}
	}
	return words[min(i, len(words)):], len(words)
}

// holed reads a word that is not all known.
func (c *Call) holed(i int, w policy.Word) int {
	prefix := w.Prefix()
	if c.style == Keys {
		if strings.Contains(prefix, "=") {
			next := c.key(i, prefix, false)
			if w.MaySplit() {
				c.leftover(i, true)
			}
			return next
		}
	} else if len(prefix) > 0 && prefix[0] == '-' {
		return c.holedOption(i, w, prefix)
	} else if len(prefix) > 0 && (c.traits&BSD != 0 && isLetter(prefix[0]) ||
		c.traits&Bundle != 0 && i == 1 || c.traits&Plus != 0 && prefix[0] == '+') {
		c.holeOption(i)
		c.operand(i, w)
		return i + 1
	}
	if w.MayBeOption() && !c.onlyNumber(w) || c.bare() && prefix == "" {
		c.holeOption(i)
	}
	c.operand(i, w)
	return i + 1
}

// holedOption reads a word that is not all known and begins with a dash.
func (c *Call) holedOption(i int, w policy.Word, prefix string) int {
	next := i + 1
	if o, s, glued := c.findGlob(prefix); o != nil && o.Arity != NoValue && glued <= len(prefix) && !c.begins(prefix) {
		next = c.take(i, flag{opt: o, name: s, value: c.rest(i, glued), has: true, glued: true, at: i}, i+1)
		if w.MaySplit() {
			c.leftover(i, true)
		}
		return next
	}
	switch {
	case strings.Contains(prefix, "=") && (prefix[1:2] == "-" || c.style == Long):
		if c.style == Long {
			next = c.dashed(i, prefix, false)
		} else {
			next = c.long(i, prefix, false)
		}
	case c.style == Long || prefix == "-" || prefix[1] == '-':
		if c.traits&Number == 0 || prefix != "-" || !isNumber(w.Parts[1:]) {
			c.holeOption(i)
			c.operands = append(c.operands, operand{word: w, at: i, wild: true})
		}
		return next
	default:
		next = c.cluster(i, w, prefix, 1, '-', false)
	}
	if w.MaySplit() {
		c.leftover(i, true)
	}
	return next
}

// begins reports whether some spelling begins with the text.
func (c *Call) begins(text string) bool {
	for _, l := range c.tables {
		if i := l.search(text); i < len(l.Index) && strings.HasPrefix(l.spelling(l.Index[i]), text) {
			return true
		}
	}
	return false
}

// onlyNumber reports whether the word can only be digits, with or without a
// sign, and no option of the program's is a digit that may do harm.
func (c *Call) onlyNumber(w policy.Word) bool {
	if !isNumber(w.Parts) {
		return false
	}
	for d := byte('0'); d <= '9'; d++ {
		if o, _ := c.find(shortName('-', d)); o != nil {
			return false
		}
	}
	return true
}

func isNumber(parts []policy.Part) bool {
	for _, p := range parts {
		if p.Kind != policy.Hole && p.Kind != policy.Split || p.Shape != policy.ShapeNumber {
			return false
		}
	}
	return len(parts) > 0
}

// holeOption notes that the word i may turn out to be an option.
func (c *Call) holeOption(i int) {
	if c.firstHole == 0 {
		c.firstHole = i
	}
	c.lastHole = i
	if c.risky() {
		c.defeated(nearHole, i, "")
		c.doubt = min(c.doubt, i)
	}
}

// risky reports whether some option that may stand here is not harmless, or
// no table says which options there are.
func (c *Call) risky() bool {
	if c.p.Open {
		return false
	}
	unknown := true
	for i, l := range c.tables {
		if l.Risky {
			return true
		}
		if i < c.here && !l.PathOnly {
			unknown = false
		}
	}
	return unknown
}

// operand adds a word that is no option, or makes it part of the subcommand.
func (c *Call) operand(i int, w policy.Word) {
	if c.growing {
		deeper := c.deeper()
		if deeper && (w.Parts != nil && c.mayGrow(w) || c.ended || c.doubt < i) {
			c.anyPath = true
			c.defeated(nearPath, i, "")
		}
		if w.Parts == nil && c.grow(w.Text) {
			return
		}
		if deeper && c.p.Open && c.loose == i-1 {
			c.anyPath = true // the word may be the option's value
		}
		c.growing = false
	}
	o := operand{word: w, at: i, wild: w.MaySplit() || c.doubt < i}
	o.some = o.wild && c.doubt >= i && !w.HasHole()
	c.operands = append(c.operands, o)
	if c.traits&Stop != 0 {
		c.ended = true
	}
}

// deeper reports whether some path goes on from here.
func (c *Call) deeper() bool {
	for i := c.lo; i < c.hi; i++ {
		if len(c.p.Levels[i].Path) > len(c.path) {
			return true
		}
	}
	for i := c.p.Fixed; i < len(c.p.Levels); i++ {
		l := &c.p.Levels[i]
		if len(l.Path) > len(c.path) && pathMatches(l.Path[:len(c.path)], c.path, true) {
			return true
		}
	}
	return false
}

// mayGrow reports whether a word that is not all known may be the next word
// of some path.
func (c *Call) mayGrow(w policy.Word) bool {
	pattern := wordPattern(w)
	levels := c.p.Levels
	for i := c.lo; i < len(levels); i++ {
		if i == c.hi {
			i = c.p.Fixed // past the plain paths that begin otherwise
			if i == len(levels) {
				break
			}
		}
		p := levels[i].Path
		if len(p) <= len(c.path) || i >= c.p.Fixed && !pathMatches(p[:len(c.path)], c.path, true) {
			continue
		}
		if next := p[len(c.path)]; IsGlob(next) || Glob(pattern, next) {
			return true
		}
	}
	return false
}

// wordPattern is a glob that matches all that a word may be.
func wordPattern(w policy.Word) string {
	var b strings.Builder
	for _, p := range w.Parts {
		switch {
		case p.Kind == policy.Lit:
			for i := range len(p.Text) {
				if strings.IndexByte(`*?[\`, p.Text[i]) >= 0 {
					b.WriteByte('\\')
				}
				b.WriteByte(p.Text[i])
			}
		case p.Kind == policy.Glob && !strings.ContainsAny(p.Text, "()|\\"):
			b.WriteString(p.Text)
		default:
			b.WriteByte('*')
		}
	}
	return b.String()
}

// grow makes the word part of the subcommand if a path goes on with it.
func (c *Call) grow(word string) bool {
	levels, depth := c.p.Levels, len(c.path)
	lo, hi := c.lo, c.hi
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if p := levels[mid].Path; len(p) <= depth || p[depth] < word {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	first := lo
	for lo < c.hi && levels[lo].Path[depth] == word {
		lo++
	}
	c.path = append(c.path, word)
	globs := 0
	for i := c.p.Fixed; i < len(levels); i++ {
		if p := levels[i].Path; len(p) > depth && pathMatches(p[:depth+1], c.path, true) {
			globs++
		}
	}
	if first == lo && globs == 0 {
		c.path = c.path[:depth]
		return false
	}
	c.lo, c.hi = first, lo
	c.enter()
	return true
}

// enter puts the tables of the path in force.
func (c *Call) enter() {
	levels := c.p.Levels
	kept := c.tables[:0]
	var outer [8]*Level
	n := 0
	for _, l := range c.tables {
		if l.Traits&Anywhere != 0 && n < len(outer) {
			outer[n] = l
			n++
		}
	}
	if c.lo < c.hi && len(levels[c.lo].Path) == len(c.path) {
		kept = append(kept, &levels[c.lo])
	}
	for i := c.p.Fixed; i < len(levels); i++ {
		if pathMatches(levels[i].Path, c.path, true) {
			kept = append(kept, &levels[i])
		}
	}
	c.here = len(kept)
	c.tables = append(kept, outer[:n]...)
	c.traits &^= Stop | Bundle
	for _, l := range c.tables[:c.here] {
		if !l.PathOnly {
			c.style, c.traits, c.until = l.Style, l.Traits, l.Until
			break
		}
	}
}

// pathMatches reports whether the words of a rule's path, which may be globs,
// match the subcommand: all of it, or its beginning.
func pathMatches(pattern, path []string, whole bool) bool {
	if len(pattern) > len(path) || whole && len(pattern) != len(path) {
		return false
	}
	for i, w := range pattern {
		if !wordMatches(w, path[i]) {
			return false
		}
	}
	return true
}

// wordMatches is Glob for words that hardly ever hold wildcards: most differ
// in their first byte.
func wordMatches(pattern, word string) bool {
	i := 0
	for i < len(pattern) {
		switch c := pattern[i]; {
		case c == '*' || c == '?' || c == '[':
			return Glob(pattern[i:], word[i:])
		case i == len(word) || c != word[i]:
			return false
		}
		i++
	}
	return i == len(word)
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

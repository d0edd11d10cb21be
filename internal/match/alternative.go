package match

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// Where the table does not say how a program reads a word, the word is read in
// both ways, and the stricter one holds:
//
//	tidy -- -m a.html     -m is an operand, or an option
//	p -io f               "o" is the value of -i, or -o is an option
//
// The options of the second reading are shadows: they count against a command
// and never for it. Other shadows stand for a table that may be wrong, and
// count only where they do harm; those of the second reading always count.

// doubted notes what an option of a second reading leaves open beside what it
// does: next is the word behind it and its values.
func (c *Call) doubted(f *flag, next int) {
	if f.opt.Kind == Dir {
		c.defeated(nearHole, f.at, "") // what paths are relative to is not known
	}
	if next > f.at+1 {
		c.doubt = min(c.doubt, f.at) // the values are operands in the first one
	}
}

// Dashes is what the word -- means to a program.
type Dashes uint8

// The meanings.
const (
	DashesUnsaid  Dashes = iota // see the level above; at last it is not known
	DashesEnd                   // the words behind it are operands
	DashesSkip                  // nothing: options go on behind it
	DashesUnknown               // not known, whatever the level above says
)

// alternative begins a second reading. What it returns ends it. Of a word that
// is an option only if the table is wrong it stays that.
func (c *Call) alternative(shadow bool) (leave func()) {
	before := c.either
	c.either = before || !shadow
	return func() { c.either = before }
}

// dashDash is what -- means here.
func (c *Call) dashDash() Dashes {
	for _, l := range c.tables[:c.here] {
		if l.Dashes != DashesUnsaid {
			return l.Dashes
		}
	}
	return c.p.Dashes
}

// endOptions reads the ith word, which is --.
func (c *Call) endOptions(i int) {
	switch c.dashDash() {
	case DashesEnd:
		c.ended = true
	case DashesSkip:
	default:
		c.ended, c.unended = true, i+1
	}
}

// perhapsOption reads a word behind a -- of which it is not known whether it
// ends the options.
func (c *Call) perhapsOption(i int, w policy.Word) {
	doubtful := false
	switch {
	case w.Parts == nil:
		leave := c.alternative(false)
		next := 0
		if w.Text != "--" {
			next = c.option(i, w.Text, true)
		}
		leave()
		if doubtful = next > 0; doubtful {
			c.unended = next // the values of an option are none
		} else if c.traits&Stop != 0 {
			c.unended = 0
		}
	case w.MayBeOption(), strings.HasPrefix(w.Prefix(), "-"), c.mayBeBare(i, w, w.Prefix()):
		c.defeated(nearHole, i, "")
		doubtful = true
	}
	before := len(c.operands)
	c.operand(i, w)
	if doubtful {
		if len(c.operands) > before {
			c.operands[before].wild, c.operands[before].some = true, false
		}
		c.doubt = min(c.doubt, i)
	}
}

// perhapsValue reads the word after an option as its value too, where the
// program takes it for one.
func (c *Call) perhapsValue(f flag, next int) {
	if next == len(c.Cmd.Words) || f.harmless() {
		return
	}
	shadow := f.shadow
	w := c.Cmd.Words[next]
	if w.Parts == nil && strings.HasPrefix(w.Text, "-") && w.Text != "-" {
		return
	}
	f.value, f.has, f.shadow = w, true, true
	leave := c.alternative(shadow)
	c.add(f)
	c.doubted(&f, next+1)
	leave()
}

// perhapsLetters reports whether what stands behind a letter, as far as it is
// known, may be more letters instead of its value.
func (c *Call) perhapsLetters(o *Option, rest string) bool {
	if rest != "" && rest[0] == '=' {
		return false
	}
	switch o.Arity {
	case Optional, Loose:
		return true
	case Value, Glued:
		// One parser reads all subcommands: the program's own table says it.
		return (c.traits|c.p.level(0).Traits)&Apart != 0 && (rest == "" || isLetter(rest[0]))
	}
	return false
}

// pastDigits returns where letters may go on in a text behind one that may
// have a value: digits are that value, unless the first is an option.
func (c *Call) pastDigits(text string, at int, lead byte) int {
	if at < len(text) && isDigit(text[at]) {
		if o, _ := c.find(shortName(lead, text[at])); o == nil {
			for at < len(text) && isDigit(text[at]) {
				at++
			}
		}
	}
	return at
}

// digits returns how many digits of a text are the value of the letter before
// it, the text being the known part of the ith word: 0 if none are, and -1 if
// all the word is.
func (c *Call) digits(i int, w policy.Word, text string) int {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	if w.Parts == nil || n < len(text) {
		return n
	}
	for k, p := range w.Parts {
		if p.Kind != policy.Lit {
			if onlyNumbers(w.Parts[k:], true) {
				return -1
			}
			break
		}
	}
	return n
}

// isSwitch reports whether a value is one that an option without values may
// have: the flags of many libraries are switched on and off by it.
func isSwitch(w policy.Word) bool {
	text, ok := w.Const()
	if !ok {
		return false
	}
	switch strings.ToLower(text) {
	case "true", "false", "t", "f", "yes", "no", "y", "n", "on", "off", "1", "0":
		return true
	}
	return false
}

package match

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// holed reads a word that is not all known.
func (c *Call) holed(i int, w policy.Word) int {
	prefix := w.Prefix()
	switch {
	case c.style == Keys && strings.Contains(prefix, "="):
		next := c.key(i, prefix, false)
		if w.MaySplit() {
			c.leftover(i, true)
		}
		return next
	case len(prefix) > 0 && prefix[0] == '-' && c.style != Keys:
		return c.holedOption(i, w, prefix)
	case c.onlyNumber(w):
	case w.MayBeOption(), c.mayBeBare(i, w, prefix):
		c.holeOption(i)
		if c.traits&Stop != 0 {
			// As an option it ends nothing, and may take the next word: where
			// a command begins is not known.
			c.operand(i, w)
			c.operands[len(c.operands)-1].wild = true
			return i + 1
		}
	}
	c.operand(i, w)
	return i + 1
}

// mayBeBare reports whether a word may be an option that begins with no dash.
func (c *Call) mayBeBare(i int, w policy.Word, prefix string) bool {
	bare := c.bare()
	if c.style != Keys && c.traits&(Plus|BSD) == 0 && (c.traits&Bundle == 0 || i > 1) && !bare {
		return false
	}
	if prefix == "" {
		if w.Parts[0].Kind == policy.Hole && w.Parts[0].Shape == policy.ShapePath {
			return false // no option begins with a slash
		}
		return c.style == Keys || c.traits&(Plus|BSD) != 0 || c.traits&Bundle != 0 && i == 1 || c.bareRisk()
	}
	switch {
	case c.style == Keys:
		return true
	case c.traits&Plus != 0 && prefix[0] == '+':
		return true
	case c.traits&BSD != 0 && isLetter(prefix[0]):
		return true
	case c.traits&Bundle != 0 && i == 1 && isLetter(prefix[0]):
		return true
	}
	return bare && c.begins(prefix)
}

// bareRisk reports whether an option that begins with no dash is not harmless.
// Those of find, which only join its tests, are.
func (c *Call) bareRisk() bool {
	for _, l := range c.tables {
		for i := range l.Options {
			o := &l.Options[i]
			if (&flag{opt: o}).harmless() {
				continue
			}
			for line := range strings.SplitSeq(o.Spellings, "\n") {
				if line[0] != '-' {
					return true
				}
			}
		}
	}
	return false
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
		if c.traits&Number == 0 || prefix != "-" || !onlyNumbers(w.Parts[1:], false) {
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
	if !onlyNumbers(w.Parts, true) {
		return false
	}
	for d := byte('0'); d <= '9'; d++ {
		if o, _ := c.find(shortName('-', d)); o != nil {
			return false
		}
	}
	return true
}

// onlyNumbers reports whether the parts are numbers, which may be missing where
// that makes no difference.
func onlyNumbers(parts []policy.Part, missing bool) bool {
	for _, p := range parts {
		if p.Kind != policy.Hole && p.Kind != policy.Split || p.Shape != policy.ShapeNumber && (!missing || p.Shape != policy.ShapeCount) {
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
		case p.Kind == policy.Glob && p.Text != "[" && !strings.ContainsAny(p.Text, "()|\\"):
			b.WriteString(p.Text)
		default:
			b.WriteByte('*')
		}
	}
	return b.String()
}

package match

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

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
	return c.letters(i, w, text, at, lead, shadow)
}

// letters reads what no table spells as one option.
func (c *Call) letters(i int, w policy.Word, text string, at int, lead byte, shadow bool) int {
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
		if o.Arity == Signed || o.Arity == NoValue {
			if j+1 < len(text) && text[j+1] == '=' && (c.traits&Exact != 0 || o.Arity == Signed) {
				f.value, f.has, f.glued = c.rest(i, j+2), true, true
				return c.take(i, f, i+1)
			}
			c.take(i, f, i+1)
			continue
		}
		if o.Arity == Digits {
			if n := c.digits(i, w, text[j+1:]); n != 0 {
				f.value, f.has, f.glued = c.rest(i, j+1), true, true
				if n < 0 {
					return c.take(i, f, i+1)
				}
				f.value = policy.Word{Text: text[j+1 : j+1+n], Pos: w.Pos}
				j += n
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
		next := c.take(i, f, i+1)
		if more && c.perhapsLetters(o, text[j+1:]) {
			leave := c.alternative(shadow)
			c.letters(i, w, text, c.pastDigits(text, j+1, lead), lead, true)
			leave()
		}
		return next
	}
	if w.Parts != nil {
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

// isOption reports whether a word looks like an option and like nothing else.
func isOption(s string) bool {
	name := strings.TrimLeft(s, "-")
	return len(name) < len(s) && name != "" && isLetter(name[0]) && !strings.ContainsAny(s, " \t\n")
}

// undeclared notes an option that the table does not know and returns the
// next index.
func (c *Call) undeclared(i int, name string, glued, shadow bool) int {
	if shadow && c.either {
		if c.p.Open {
			c.flags = append(c.flags, flag{name: name, at: i, shadow: true})
		} else {
			c.defeated(nearUnknown, i, name)
		}
		return i + 1
	}
	if shadow {
		// An option of which the table says wrongly that it takes a value
		// would hide this one.
		if text := c.Cmd.Words[i].Text; c.hides && !c.p.Open && isOption(text) {
			c.defeated(nearHidden, i, text)
		}
		return i + 1
	}
	f := flag{name: name, at: i, has: glued, glued: glued}
	if glued {
		_, value, _ := strings.Cut(c.Cmd.Words[i].Prefix(), "=")
		f.value = policy.Const(value)
		if c.Cmd.Words[i].Parts != nil {
			f.value = c.Cmd.Words[i]
		}
	} else if c.p.Open && c.mayTake(i) {
		f.value, f.has = c.Cmd.Words[i+1], true
		c.flags = append(c.flags, f)
		return i + 2
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

package match

import (
	"strings"
)

// find returns the option that is spelled so, and its spelling in the table.
// The tables of the subcommand come before those of its parents.
func (c *Call) find(name string) (*Option, string) {
	for _, l := range c.tables {
		if o, s := l.find(name); o != nil {
			return o, s
		}
	}
	return nil, ""
}

func (l *Level) find(name string) (*Option, string) {
	if i := l.search(name); i < len(l.Index) && l.compare(l.Index[i], name) == 0 {
		return &l.Options[l.Index[i]>>16], l.spelling(l.Index[i])
	}
	return nil, ""
}

// line returns all spellings of the option that has one.
func (c *Call) line(o *Option, spelling string) string {
	for _, l := range c.tables {
		if i := l.search(spelling); i < len(l.Index) && l.compare(l.Index[i], spelling) == 0 && &l.Options[l.Index[i]>>16] == o {
			at := int(l.Index[i] & 0xffff)
			return wholeLine(o.Spellings, at)
		}
		for _, g := range l.Globs {
			if &l.Options[g>>16] == o && l.spelling(g) == spelling {
				return wholeLine(o.Spellings, int(g&0xffff))
			}
		}
	}
	return spelling
}

func wholeLine(text string, at int) string {
	start := strings.LastIndexByte(text[:at], '\n') + 1
	if end := strings.IndexByte(text[at:], '\n'); end >= 0 {
		return text[start : at+end]
	}
	return text[start:]
}

// search returns the first place in Index whose spelling is not before name.
func (t *Table) search(name string) int {
	lo, hi := 0, len(t.Index)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if t.compare(t.Index[mid], name) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// compare tells whether a spelling sorts before name (-1), is it (0), or sorts
// behind it.
func (t *Table) compare(at uint32, name string) int {
	s := t.Options[at>>16].Spellings[at&0xffff:]
	for i := range len(name) {
		switch {
		case i == len(s) || s[i] <= ' ' || s[i] < name[i]:
			return -1
		case s[i] > name[i]:
			return 1
		}
	}
	if len(s) == len(name) || s[len(name)] <= ' ' {
		return 0
	}
	return 1
}

// findGlob returns the option one of whose wildcard spellings matches the
// word. Of a spelling that ends in a star, such as -I*, the matching text is
// the value: glued is where it begins.
func (c *Call) findGlob(word string) (o *Option, spelling string, glued int) {
	for _, l := range c.tables {
		for _, at := range l.Globs {
			s := l.spelling(at)
			if !Glob(s, word) {
				continue
			}
			o := &l.Options[at>>16]
			head, isHead := strings.CutSuffix(s, "*")
			if o.Arity != NoValue && isHead && !IsGlob(head) {
				return o, s, len(head)
			}
			return o, s, len(word)
		}
	}
	return nil, "", 0
}

// findLong returns the option that a long name means: itself, a negated one,
// or one that it is the unique beginning of. More than one such beginning is
// ambiguous, unless all belong to one option.
func (c *Call) findLong(name string) (o *Option, spelling string, negated, ambiguous bool) {
	if o, s := c.find(name); o != nil {
		return o, s, false, false
	}
	rest, no := strings.CutPrefix(name, "--no-")
	for _, l := range c.tables {
		if l.Traits&Negate == 0 {
			continue
		}
		if no {
			if o, s := l.find("--" + rest); o != nil {
				return o, s, true, false
			}
		} else if o, s := l.find("--no-" + name[2:]); o != nil {
			return o, s, true, false
		}
	}
	for _, l := range c.tables {
		if l.Traits&Exact != 0 {
			continue
		}
		for o2, s := range l.beginning(name) {
			if o != nil && (o != o2 || !o.Same(spelling, s)) {
				return nil, "", false, true
			}
			o, spelling = o2, s
		}
		if l.Traits&Negate == 0 || !no || rest == "" {
			continue
		}
		for o2, s := range l.beginning("--" + rest) {
			if o != nil && (o != o2 || !o.Same(spelling, s)) {
				return nil, "", false, true
			}
			o, spelling, negated = o2, s, true
		}
	}
	return o, spelling, negated, false
}

// beginning lists the options with a spelling that name is the beginning of.
func (l *Level) beginning(name string) func(yield func(*Option, string) bool) {
	return func(yield func(*Option, string) bool) {
		if len(name) < 3 {
			return
		}
		for i := l.search(name); i < len(l.Index); i++ {
			s := l.spelling(l.Index[i])
			if !strings.HasPrefix(s, name) || !yield(&l.Options[l.Index[i]>>16], s) {
				return
			}
		}
	}
}

// asciiPairs holds "-" and "+" before every printable letter, so that the
// names of short options need no memory of their own.
const asciiPairs = "-!-\"-#-$-%-&-'-(-)-*-+-,---.-/-0-1-2-3-4-5-6-7-8-9-:-;-<-=->-?-@" +
	"-A-B-C-D-E-F-G-H-I-J-K-L-M-N-O-P-Q-R-S-T-U-V-W-X-Y-Z-[-\\-]-^-_-`" +
	"-a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-q-r-s-t-u-v-w-x-y-z-{-|-}-~"

// shortName is the spelling of one letter of a cluster.
func shortName(lead, letter byte) string {
	if lead == '-' && letter > ' ' && letter < 0x7f {
		at := 2 * int(letter-'!')
		return asciiPairs[at : at+2]
	}
	if lead == 0 {
		return string(letter)
	}
	return string([]byte{lead, letter})
}

package match

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// operand adds a word that is no option, or makes it part of the subcommand.
func (c *Call) operand(i int, w policy.Word) {
	if c.growing {
		deeper := c.deeper()
		if deeper && c.ended && c.p.Open {
			c.dashes = true // whether it is one then is the program's affair
		}
		if deeper && (w.Parts != nil && c.mayGrow(w) || c.ended && !c.exactly || c.doubt < i) {
			c.anyPath = true
			c.defeated(nearPath, i, "")
		}
		if w.Parts == nil && c.grow(w.Text) {
			return
		}
		if deeper && c.p.Open && c.loose == i-1 && !c.exactly {
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
		if len(c.p.Levels[i].Path) > c.length {
			return true
		}
	}
	for i := c.p.Fixed; i < len(c.p.Levels); i++ {
		if _, ok := nextWord(c.p.Levels[i].Path, c.path); ok {
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
		if next, ok := nextWord(levels[i].Path, c.path); ok && (IsGlob(next) || Glob(pattern, next)) {
			return true
		}
	}
	return false
}

// grow makes the word part of the subcommand if a path goes on with it.
func (c *Call) grow(word string) bool {
	levels, depth := c.p.Levels, len(c.path)
	lo, hi := c.lo, c.hi
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if wordAt(levels[mid].Path, c.length) < word {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	first := lo
	for lo < c.hi && wordAt(levels[lo].Path, c.length) == word {
		lo++
	}
	c.path = append(c.path, word)
	globs := 0
	for i := c.p.Fixed; i < len(levels); i++ {
		if next, ok := nextWord(levels[i].Path, c.path[:depth]); ok && wordMatches(next, word) {
			globs++
		}
	}
	if first == lo && globs == 0 {
		c.path = c.path[:depth]
		return c.p.Abbreviate && c.abbreviated(word)
	}
	if first < lo {
		c.plain = len(c.path)
	}
	c.lo, c.hi = first, lo
	if c.length > 0 {
		c.length++ // the blank
	}
	c.length += len(word)
	c.enter()
	return true
}

// enter puts the tables of the path in force.
func (c *Call) enter() {
	levels := c.p.Levels
	kept := c.tables[:0]
	var outer [8]Level
	n := 0
	for _, l := range c.tables {
		if l.Traits&Anywhere != 0 && n < len(outer) {
			outer[n] = l
			n++
		}
	}
	if c.lo < c.hi && len(levels[c.lo].Path) == c.length {
		kept = append(kept, c.p.level(c.lo))
	}
	for i := c.p.Fixed; i < len(levels); i++ {
		if pathMatches(levels[i].Path, c.path, true) {
			kept = append(kept, c.p.level(i))
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
func pathMatches(pattern string, path []string, whole bool) bool {
	for _, word := range path {
		if pattern == "" {
			return !whole
		}
		if word != "" && pattern[0] != word[0] && pattern[0] != ' ' && !isWildcard(pattern[0]) {
			return false // mostly
		}
		var next string
		if next, pattern = cutWord(pattern); !wordMatches(next, word) {
			return false
		}
	}
	return pattern == ""
}

// nextWord returns the word with which a path goes on where its beginning
// matches the subcommand so far.
func nextWord(pattern string, path []string) (string, bool) {
	for _, word := range path {
		var next string
		if next, pattern = cutWord(pattern); next == "" || !wordMatches(next, word) {
			return "", false
		}
	}
	next, _ := cutWord(pattern)
	return next, next != ""
}

// cutWord cuts a path behind its first word.
func cutWord(path string) (word, rest string) {
	if i := strings.IndexByte(path, ' '); i >= 0 {
		return path[:i], path[i+1:]
	}
	return path, ""
}

// wordAt returns the word of a plain path behind its first length bytes, which
// end a word; "" if there is none.
func wordAt(path string, length int) string {
	if length > 0 {
		length++
	}
	if length >= len(path) {
		return ""
	}
	next, _, _ := strings.Cut(path[length:], " ")
	return next
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

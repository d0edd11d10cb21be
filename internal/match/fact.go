package match

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// This file holds what a table says of a program beside its rules: facts about
// single uses, words that a file holds, subcommands that may be abbreviated.

// facts notes the facts that hold. One that only may hold counts as well, but
// not where it would end something.
func (c *Call) facts() {
	for i := range c.p.Facts {
		r := &c.p.Facts[i]
		switch {
		case r.Fact != nil && r.Fact.Programs != nil && !slices.Contains(r.Fact.Programs, c.Name):
			continue
		case r.Paths == nil && r.HasOperands && len(c.path) > 0 && !c.anyPath:
			continue // its operands are those of the program alone
		}
		t := c.holds(r).tri
		if t == policy.No || t == policy.Maybe && r.mustHold() {
			continue
		}
		c.Facts = append(c.Facts, r)
		if r.Fact != nil && r.Fact.Ends != EndsNothing {
			c.Ends = r.Fact.Ends
		}
	}
}

// mustHold reports whether a fact counts only where it surely holds: one that
// makes less of what a use does.
func (r *Rule) mustHold() bool {
	return r.Fact != nil && (r.Fact.Ends != EndsNothing || r.Fact.Hushed || r.Fact.Named)
}

// argFiles notes a word in whose place the program reads others from a file:
// those may be anything. What is not known may be
// such a word.
func (c *Call) argFiles() {
	for i := 1; i < len(c.Cmd.Words); i++ {
		w := c.Cmd.Words[i]
		if prefix := w.Prefix(); strings.HasPrefix(prefix, "@") || prefix == "" && w.HasHole() && w.MayBeOption() {
			c.defeated(nearFile, i, "")
		}
	}
}

// abbreviated reads a word that goes on with no path as it stands as the
// beginning of a subcommand that an ask or block is about: of the only one,
// else it is not known of which. No allow holds then.
func (c *Call) abbreviated(word string) bool {
	if word == "" {
		return false
	}
	found, exact, several := "", false, false
	for i := range c.p.Rules {
		r := c.p.rule(i)
		if r.Decision == policy.Allow {
			continue
		}
		for _, p := range r.Paths {
			full := c.completed(p, word)
			own := beginsPath(full, strings.Join(c.path, " ")) // all that is short is the word
			switch {
			case full == "" || full == found || exact && !own:
			case own && !exact:
				found, exact, several = full, true, false
			default:
				several = several || found != ""
				found = full
			}
		}
	}
	if found == "" {
		return false
	}
	c.defeated(nearPath, c.lastPlace(word), "")
	if several {
		c.anyPath = true
		return false
	}
	c.path, c.length = append(c.path[:0], strings.Split(found, " ")...), len(found)
	for c.lo = 0; c.lo < c.p.Fixed && !beginsPath(c.p.Levels[c.lo].Path, found); c.lo++ {
	}
	for c.hi = c.lo; c.hi < c.p.Fixed && beginsPath(c.p.Levels[c.hi].Path, found); c.hi++ {
	}
	c.enter()
	return true
}

// completed is the beginning of a path that the subcommand so far and a word
// are short for, or "".
func (c *Call) completed(path, word string) string {
	rest := path
	for i := range len(c.path) + 1 {
		short := word
		if i < len(c.path) {
			short = c.path[i]
		}
		var next string
		if next, rest, _ = strings.Cut(rest, " "); IsGlob(next) || !strings.HasPrefix(next, short) {
			return ""
		}
	}
	return strings.TrimSuffix(strings.TrimSuffix(path, rest), " ")
}

// beginsPath reports whether the words of start are the first of a path.
func beginsPath(path, start string) bool {
	rest, ok := strings.CutPrefix(path, start)
	return ok && (rest == "" || rest[0] == ' ')
}

// lastPlace is where a word stands last in the command.
func (c *Call) lastPlace(word string) int {
	for i := len(c.Cmd.Words) - 1; i > 0; i-- {
		if s, ok := c.Cmd.Words[i].Const(); ok && s == word {
			return i
		}
	}
	return 0
}

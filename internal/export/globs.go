package export

import "strings"

// Engines of globs know one star, for any text, and no sets: that words don't
// begin with a dash can't be said, nor which options are meant. What can be is
// a line as a whole.

// exact are the lines of a group that need no star: what is required, alone.
func (g *group) exact() []string {
	if g.Min > 0 || g.Script != nil {
		return nil
	}
	return g.lines(maxLines)
}

// maxLines bounds the lines that are written for one group.
const maxLines = 400

// secretGlobs are the guards' pieces as globs over lines, in lower case.
func secretGlobs(g *guards) []string {
	var all []string
	for i := range g.secrets {
		all = append(all, "*"+strings.Join(g.secrets[i].parts, "*")+"*")
	}
	return all
}

package export

import "strings"

// Engines of globs know one star, for any text, and no sets: that words don't
// begin with a dash can't be said, nor which options are meant. What can be is
// a line as a whole, with at most one option.

// exact are the lines of a group that need no star: what is required, alone
// and with one option.
func (g *group) exact(options int) []string {
	var all []string
	if g.Min > 0 || g.Script != nil {
		return nil
	}
	for _, line := range g.lines(maxLines) {
		all = append(all, line)
		n := 0
		for i := range g.Options {
			if o := &g.Options[i]; o.Bare && n < options {
				all = append(all, line+" "+o.Spelling)
				n++
			}
		}
	}
	return all
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

// open are the lines of a group that any operands may follow, patterns of file
// names among them, or nil.
func (g *group) open() []string {
	if g.Any || g.Reads || !g.Globs || g.Max >= 0 && g.Max != 1 || g.Min > 1 {
		return nil
	}
	return g.lines(maxLines)
}

// closing are the globs of what may not follow an open line after all.
func (g *group) closing(line string) []string {
	all := []string{line + " -*", line + " * -*", line + " +*", line + " * +*"}
	if g.Max == 1 {
		all = append(all, line+" * *")
	}
	if g.Min == 1 {
		all = append(all, line)
	}
	for _, glob := range g.Except {
		all = append(all, line+" *"+strings.NewReplacer("[!est]", "?", "[", "", "]", "").Replace(glob))
	}
	return all
}

package match

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// Denied is an entry of a list of commands that never run:
//
//	docker          a program, in whatever directory it lies
//	npm*            programs, by a glob
//	git push        a subcommand; the options before it don't matter
//	/usr/bin/nc     one file; of a directory of the system also by its name
//	./deploy.sh     a file of the workspace
type Denied struct {
	Program string   // a glob over names, or over paths where it holds a slash
	Words   []string // globs over the first words that are no options
}

// ParseDenied reads an entry. One that could never match is refused: what says
// why, and hint what to write instead.
func ParseDenied(entry string) (d Denied, what, hint string) {
	words := strings.Fields(entry)
	if len(words) == 0 {
		return d, "an empty entry denies nothing", ""
	}
	d = Denied{words[0], words[1:]}
	if i := strings.IndexAny(entry, "|&;<>()$`\\\"'#{}"); i >= 0 {
		return d, policy.Quote(entry) + " never matches: an entry is a program and words of its subcommand", "leave out the " + entry[i:i+1]
	}
	for i, word := range words {
		switch {
		case strings.HasPrefix(word, "!"):
			return d, policy.Quote(entry) + " never matches: an entry excludes nothing", ""
		case brokenGlob(word):
			return d, policy.Quote(entry) + " never matches: a [ without its ]", ""
		case word[0] == '-' && i == 0:
			return d, policy.Quote(entry) + " never matches: no program is called so", ""
		case word[0] == '-':
			return d, policy.Quote(entry) + " never matches: options are passed over", "write a rule: [[programs.block]] with if_flags_any"
		}
	}
	slash := strings.IndexByte(d.Program, '/')
	switch {
	case strings.Contains(d.Program, "=") && slash < 0:
		return d, policy.Quote(entry) + " never matches: it sets a variable", "write a rule: an [[env]] table"
	case d.Program == "~" || strings.HasSuffix(d.Program, "/"):
		return d, policy.Quote(entry) + " never matches: a directory is no program", "write " + strings.TrimRight(d.Program, "/") + "/*"
	case slash > 0 && !strings.HasPrefix(d.Program, "./") && !strings.HasPrefix(d.Program, "~/") && !strings.HasPrefix(d.Program, "*"):
		return d, policy.Quote(entry) + " never matches: the path begins nowhere", `begin it with "/", "~/" or "./", the workspace`
	case strings.Contains("/"+d.Program+"/", "/../"):
		return d, policy.Quote(entry) + " never matches: paths are compared without ..", ""
	}
	for _, word := range [...]string{"if", "then", "else", "elif", "fi", "for", "in", "do", "done", "while", "until", "case", "esac", "select", "function", "[[", "]]", "coproc"} {
		if d.Program == word {
			return d, policy.Quote(entry) + " never matches: it is a word of the shell and no program", ""
		}
	}
	return d, "", ""
}

// brokenGlob reports whether a set is begun and not ended; a single bracket is
// a name.
func brokenGlob(word string) bool {
	if word == "[" || word == "[[" || word == "]]" {
		return false
	}
	i := strings.IndexByte(word, '[')
	return i >= 0 && strings.IndexByte(word[i+1:], ']') < 1
}

// Denies tells whether an entry's words are the first ones of the command that
// are no options, as the last table read them. Where it is not sure which words
// are options, each that follows one may be its value.
func (c *Call) Denies(d *Denied) policy.Tri {
	if len(d.Words) == 0 {
		return policy.Yes
	}
	best := policy.No
	if c.p != nil && !c.anyPath {
		words := make([]policy.Word, 0, len(c.path)+len(c.operands))
		for _, w := range c.path {
			words = append(words, policy.Const(w))
		}
		for i := range c.operands {
			words = append(words, c.operands[i].word)
		}
		best = beginsWith(words, d.Words)
		if c.sure() {
			return best
		}
	}
	return max(best, c.mayBegin(d.Words))
}

// sure reports whether the table knows what every word is.
func (c *Call) sure() bool {
	open := c.p.Open && len(c.p.Levels) <= 1 && len(c.p.level(0).Options) == 0
	if open || c.firstHole > 0 || c.doubt < len(c.Cmd.Words) {
		return false
	}
	for i := range c.flags {
		if c.flags[i].opt == nil {
			return false
		}
	}
	return true
}

func beginsWith(words []policy.Word, globs []string) policy.Tri {
	tri := policy.Yes
	for i, glob := range globs {
		if i == len(words) {
			return policy.No
		}
		if tri = min(tri, globWord(glob, words[i])); tri == policy.No || words[i].MaySplit() && tri == policy.Yes {
			return min(tri, policy.Maybe)
		}
	}
	return tri
}

// mayBegin tells whether globs match the command's first words, where words
// with a dash are options, and the word behind one may be its value.
func (c *Call) mayBegin(globs []string) policy.Tri {
	found := policy.No
	matched := make([]policy.Tri, len(globs)) // whether so many globs match the words so far
	matched[0] = policy.Yes
	behind := false
	for _, w := range c.Cmd.Words[1:] {
		if prefix := w.Prefix(); strings.HasPrefix(prefix, "-") && prefix != "-" {
			behind = prefix != "--"
			continue
		}
		alive := false
		for k := len(globs) - 1; k >= 0; k-- {
			was := matched[k]
			if was == policy.No {
				continue
			}
			if w.MaySplit() || w.MayBeOption() {
				found = max(found, policy.Maybe)
			}
			if !behind {
				matched[k] = policy.No
			}
			to := min(was, globWord(globs[k], w))
			if k+1 == len(globs) {
				found = max(found, to)
			} else if to > policy.No {
				matched[k+1] = max(matched[k+1], to)
			}
			alive = alive || behind || to > policy.No
		}
		if !alive || found == policy.Yes {
			break
		}
		behind = false
	}
	return found
}

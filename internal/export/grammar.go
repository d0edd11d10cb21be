package export

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// grammar is how a program's options are written at one subcommand.
type grammar struct {
	levels   []*match.Level
	number   bool
	clusters bool            // options of one letter may share a word
	apart    bool            // and what stands behind one may be letters, where it takes a value
	switches map[string]bool // options that have no value
}

// newGrammar collects the options that are read at a path. It need not find
// all: a Form holds only those that it lists.
func newGrammar(p *match.Program, path string) *grammar {
	g := &grammar{clusters: true, switches: map[string]bool{}}
	g.apart = len(p.Levels) > 0 && p.Levels[0].Traits&match.Apart != 0
	for i := range p.Levels {
		l := &p.Levels[i]
		switch {
		case l.Path == path:
			g.number = l.Traits&match.Number != 0
			if l.Style != match.GNU || l.Traits&(match.Bundle|match.BSD) != 0 {
				g.clusters = false
			}
		case l.Traits&match.Anywhere != 0 && (l.Path == "" || strings.HasPrefix(path, l.Path+" ")):
		default:
			continue
		}
		g.levels = append(g.levels, l)
	}
	for _, l := range g.levels {
		for i := range l.Options {
			for s := range strings.FieldsSeq(l.Options[i].Spellings) {
				if len(s) > 2 && s[0] == '-' && s[1] != '-' || match.IsGlob(s) {
					g.clusters = false
				}
			}
		}
	}
	return g
}

// options lists the options that an allow may take.
func (g *grammar) options(r *match.Rule) []Option {
	most := 0
	for _, l := range g.levels {
		for i := range l.Options {
			most += 1 + strings.Count(l.Options[i].Spellings, " ") + strings.Count(l.Options[i].Spellings, "\n")
		}
	}
	found := make([]Option, 0, most)
	seen := make(map[string]bool, most)
	for _, l := range g.levels {
		for i := range l.Options {
			o := &l.Options[i]
			for line := range strings.SplitSeq(o.Spellings, "\n") {
				if r.HasOnly && test(r.Only, line) == nil && test(r.Any, line) == nil && test(r.All, line) == nil {
					continue
				}
				if test(r.Unless, line) != nil {
					continue
				}
				for s := range strings.FieldsSeq(line) {
					if !plainOption(s) || seen[s] {
						continue
					}
					seen[s] = true
					found = append(found, g.option(o, s, line, r)...)
				}
			}
		}
	}
	return found
}

// plainOption reports whether a spelling is one that patterns can hold as it
// is.
func plainOption(s string) bool {
	if len(s) < 2 || s[0] != '-' || s == "--" {
		return false
	}
	for i := range len(s) {
		if b := s[i]; !isAlnum(b) && b != '-' && b != '_' && b != '.' {
			return false
		}
	}
	return true
}

// option says how an option may be written, if it is harmless.
func (g *grammar) option(o *match.Option, spelling, line string, r *match.Rule) []Option {
	kind := o.Kind
	if kind == match.Acts || !harmless(kind) {
		t := test(r.Only, line)
		switch {
		case t == nil || t.Values != nil:
			kind = match.Acts
		case t.Kind != match.Flag:
			kind = t.Kind
		case kind == match.Acts:
			kind = match.Data
		}
	}
	if len(o.Multi()) > 0 {
		return nil
	}
	if kind == match.Read && r.Effects&policy.Executes != 0 {
		return nil // a configuration from elsewhere is code from elsewhere
	}
	var found []Option
	reads := false // some values of it are files
	for _, c := range o.Cases() {
		reads = reads || c.Kind == match.Read
		if !harmless(c.Kind) {
			if kind != match.Acts {
				return nil // some values of it are not
			}
			continue
		}
		if kind != match.Acts || len(spelling) == 2 {
			continue
		}
		for _, v := range c.Values {
			if !match.IsGlob(v) && v != "" && plainWords(v) && !strings.ContainsAny(v, " ") {
				found = append(found, Option{Spelling: spelling + "=" + v, Bare: true, line: line})
			}
		}
	}
	if !harmless(kind) {
		return found
	}
	if kind == match.Read && r.Effects&policy.Executes != 0 {
		return found // it is code of the project, which a file from elsewhere is not
	}
	is := Option{Spelling: spelling, line: line, Reads: kind == match.Read || reads}
	switch o.Arity {
	case match.NoValue:
		is.Bare, is.Reads = true, false
		g.switches[spelling] = true
	case match.Optional, match.Glued, match.Signed, match.Loose, match.Digits:
		is.Bare = true
		is.Glued = !is.Reads && (len(spelling) > 2 || g.clusters && !g.apart && o.Arity == match.Glued)
	case match.Value, match.Next:
		is.Bare = o.Arity == match.Next
		is.Apart = true
		is.Glued = len(spelling) > 2 || g.clusters && !g.apart && !is.Reads
	}
	return []Option{is}
}

// test returns the test that is about an option, given by its spellings.
func test(tests []match.FlagTest, line string) *match.FlagTest {
	for i := range tests {
		for s := range strings.FieldsSeq(line) {
			if s == tests[i].Spelling {
				return &tests[i]
			}
		}
	}
	return nil
}

// required lists the options that an allow needs: one of each group. It
// reports false where they can't be written as single words.
func (g *grammar) required(r *match.Rule) (groups [][]string, ok bool) {
	for i := range r.All {
		words := g.needed(&r.All[i])
		if words == nil {
			return nil, false
		}
		groups = append(groups, words)
	}
	var any []string
	for i := range r.Any {
		any = append(any, g.needed(&r.Any[i])...)
	}
	if len(r.Any) > 0 && any == nil {
		return nil, false
	}
	if any != nil {
		groups = append(groups, any)
	}
	return groups, true
}

// needed lists the words that meet a test.
func (g *grammar) needed(t *match.FlagTest) []string {
	for _, l := range g.levels {
		for i := range l.Options {
			o := &l.Options[i]
			for line := range strings.SplitSeq(o.Spellings, "\n") {
				if !slices.Contains(strings.Fields(line), t.Spelling) {
					continue
				}
				var words []string
				for s := range strings.FieldsSeq(line) {
					switch {
					case !plainOption(s):
					case t.Values == nil && o.Arity != match.Value:
						words = append(words, s)
					case len(s) > 2 && len(o.Multi()) == 0 && o.Arity != match.NoValue:
						for _, v := range t.Values {
							if !match.IsGlob(v) && v != "" && v[0] != '!' && plainWords(v) && !strings.Contains(v, " ") {
								words = append(words, s+"="+v)
							}
						}
					}
				}
				return words
			}
		}
	}
	if t.Values == nil && plainOption(t.Spelling) {
		return []string{t.Spelling} // of a program whose options are not declared
	}
	return nil
}

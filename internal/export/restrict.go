package export

import (
	"slices"
	"sort"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Restriction is an ask or a block that a target can be told: all lines that
// begin with one of the names and one of the paths. It may say more than the
// rule, for no Form begins so.
type Restriction struct {
	Names []string // sorted
	Paths []string // "" for the program alone
	Flags []string // one of these words must follow, somewhere; nil: none need
	Words []string // one of these words follows, somewhere; globs
	Block bool
	Rule  *match.Rule

	// Of blocks alone, which must not be about what is allowed.

	Behind    *behind  // what stands behind the beginning; nil: anything
	First     bool     // the one of Words is the first operand, and the last
	Letters   string   // those of Flags that have one, and may share a word with others
	Switches  []string // options that may stand before the one of Words
	Lead      []string // options that may stand before the path
	LeadValue []string // likewise, with a value
	Usual     []string // what mostly stands for one of Words, for engines of first words
}

// restrictions finds what the rules of a program ask about and block. begins
// reports whether a Form begins with some words.
func (s *Source) restrictions(tables []*match.Program, names []string, begins func(start string) bool, places map[string][]string) []Restriction {
	var found []Restriction
	for _, p := range tables {
		for i := range p.Rules {
			r := &p.Rules[i]
			if r.Decision < policy.Ask {
				continue
			}
			// What is allowed below must not be asked about.
			var plain, free []string
			for _, path := range pathsOf(r) {
				if match.IsGlob(path) || !plainWords(path) {
					continue
				}
				plain = append(plain, path)
				if !slices.ContainsFunc(names, func(name string) bool { return begins(strings.TrimSpace(name + " " + path)) }) {
					free = append(free, path)
				}
			}
			slices.Sort(plain)
			slices.Sort(free)
			if r.Decision == policy.Block && plain != nil {
				denied := s.denials(p, r, names, plain, places)
				found = append(found, denied...)
				if slices.ContainsFunc(denied, func(x Restriction) bool { return x.whole() }) {
					continue
				}
			}
			if free != nil {
				found = append(found, Restriction{Names: names, Paths: free, Rule: r})
			}
		}
	}
	return found
}

// pathsOf lists the subcommands of a rule.
func pathsOf(r *match.Rule) []string {
	if r.Paths == nil {
		return []string{""}
	}
	return r.Paths
}

// whole reports whether a restriction is about all lines with its beginning.
func (x *Restriction) whole() bool { return x.Flags == nil && x.Words == nil && x.Behind == nil }

// conditions adds the words that a block needs. It reports false where they
// can't be told.
func (x *Restriction) conditions(p *match.Program, r *match.Rule, places map[string][]string) bool {
	for i := range r.Any {
		if r.Any[i].Values != nil || !plainOption(r.Any[i].Spelling) {
			return false
		}
		for _, name := range optionNames(p, r.Any[i].Spelling) {
			x.Flags = append(x.Flags, name)
			if len(name) == 2 {
				x.Letters += name[1:]
			}
		}
	}
	for _, glob := range r.Args {
		if place, ok := strings.CutPrefix(glob, "@"); ok {
			x.Words = append(x.Words, places[place]...)
		} else {
			x.Words = append(x.Words, glob)
		}
	}
	if r.HasOperands {
		x.Words = append(x.Words, r.Operands[0].Values...)
		x.First = len(r.Args) == 0 && r.Operands[0].Max == 1
	}
	return len(r.Args) == 0 && !r.HasOperands || x.Words != nil
}

// placesOf lists the plain paths of each named place, and under "" those that
// may never be deleted.
func placesOf(gates []*match.Gate) map[string][]string {
	places := map[string][]string{}
	add := func(place, glob string) {
		if !match.IsGlob(glob) && !strings.HasPrefix(glob, "!") && !strings.Contains(glob, " ") && !slices.Contains(places[place], glob) {
			places[place] = append(places[place], glob)
		}
	}
	for _, g := range gates {
		for i := range g.Paths {
			for _, glob := range g.Paths[i].Globs {
				if g.Paths[i].Place != "" {
					add(g.Paths[i].Place, glob)
				}
				if g.Paths[i].Delete == policy.Block {
					add("", glob)
				}
			}
		}
	}
	for place := range places {
		sort.Strings(places[place])
	}
	return places
}

// deletion is the block of whole system directories, for the programs that
// delete their operands.
func (s *Source) deletion(tables []*match.Program, names []string, places map[string][]string) []Restriction {
	if places[""] == nil {
		return nil
	}
	for _, p := range tables {
		for i := range p.Rules {
			r := &p.Rules[i]
			if r.Paths == nil && slices.ContainsFunc(r.Operands, func(o match.Operand) bool { return o.Kind == match.Delete }) ||
				i == 0 && slices.ContainsFunc(p.Levels, func(l match.Level) bool {
					return l.Path == "" && slices.ContainsFunc(l.Operands, func(o match.Operand) bool { return o.Kind == match.Delete })
				}) {
				if s.asker.says(names[0]+" "+places[""][0]) != policy.Block {
					return nil
				}
				r := &match.Rule{Reason: "Removes a directory of the system", Conditions: &match.NoConditions, Decision: policy.Block}
				return []Restriction{{Names: names, Paths: []string{""}, Words: places[""], Block: true, Rule: r, Switches: s.switches(names[0], places[""][0])}}
			}
		}
	}
	return nil
}

// overwriting are the blocks of paths that may not be written, of disks above
// all, for the programs that are told by a key where to write: "dd of=/dev/sda".
func (s *Source) overwriting(tables []*match.Program, names []string) []Restriction {
	var found []Restriction
	for _, p := range tables {
		var reads, writes []string // keys
		for i := range p.Levels {
			if l := &p.Levels[i]; l.Path == "" {
				reads, writes = append(reads, keys(l, match.Read)...), append(writes, keys(l, match.Write)...)
			}
		}
		for _, key := range writes {
			for _, g := range s.Gates {
				for i := range g.Paths {
					if x := s.overwritten(&g.Paths[i], names, key, reads); x.Words != nil {
						found = append(found, x)
					}
				}
			}
		}
	}
	return found
}

// overwritten is the block of writing what a rule of paths is about.
func (s *Source) overwritten(rule *match.PathRule, names []string, key string, reads []string) Restriction {
	x := Restriction{
		Names: names, Paths: []string{""}, Block: true,
		Rule: &match.Rule{Reason: rule.Reason, Conditions: &match.NoConditions, Decision: policy.Block},
	}
	if rule.Write < policy.Block {
		return x
	}
	blocks := func(words string) bool { return s.asker.says(names[0]+" "+words) == policy.Block }
	for _, glob := range rule.Globs {
		word := key + "=" + strings.ReplaceAll(glob, "**", "*")
		if strings.HasPrefix(glob, "/") && blocks(strings.ReplaceAll(word, "*", "x")) {
			x.Words = append(x.Words, word)
		}
	}
	for _, device := range usualDevices() {
		if word := key + "=" + device; match.AnyGlob(x.Words, word) {
			x.Usual = append(x.Usual, word)
		}
	}
	for _, from := range reads {
		for _, source := range [...]string{"/dev/zero", "/dev/urandom", "/dev/random"} {
			if word := from + "=" + source; x.Usual != nil && blocks(word+" "+x.Usual[0]) {
				x.Switches = append(x.Switches, word)
			}
		}
	}
	return x
}

// keys lists the options of a kind that are written "key=value", without "=".
func keys(l *match.Level, kind match.Kind) []string {
	var all []string
	for i := range l.Options {
		for spelling := range strings.FieldsSeq(l.Options[i].Spellings) {
			if l.Options[i].Kind == kind && isAlnum(spelling[0]) && plainWords(spelling) {
				all = append(all, spelling)
			}
		}
	}
	return all
}

// switches lists the ways to say that directories go too with which a program
// that deletes a place is blocked.
func (s *Source) switches(name, place string) []string {
	ways := []string{"-r", "-R", "-f", "-rf", "-fr", "-Rf", "-fR", "--recursive"}
	return slices.DeleteFunc(ways, func(o string) bool { return s.asker.says(name+" "+o+" "+place) != policy.Block })
}

// starts tells whether some Form begins with some words: their paths, by name.
type starts map[string][][]string

func newStarts(forms []Form) starts {
	s := starts{}
	for i := range forms {
		for _, name := range forms[i].Names {
			s[name] = append(s[name], forms[i].Path)
		}
	}
	return s
}

func (s starts) begins(start string) bool {
	name, path, _ := strings.Cut(start, " ")
	words := strings.Fields(path)
	return slices.ContainsFunc(s[name], func(path []string) bool {
		return len(path) >= len(words) && slices.Equal(path[:len(words)], words)
	})
}

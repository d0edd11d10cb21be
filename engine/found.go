package engine

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Words that a command finds or passes on are holes to whoever gets them, but
// not everything is unknown about them: what find gives to cat lies below the
// directories that find walks, and has the names that it looks for.

// maxFound is how many such places are looked at; a line names a few. More of
// them count as any hidden file.
const maxFound = 128

// firstFound are those of the places that are looked at.
func firstFound(words []policy.Word) []policy.Word {
	if len(words) <= maxFound {
		return words
	}
	return append(words[:maxFound:maxFound], globbed("", ".*"))
}

// filesFound judges the files that a command finds and lets another one read.
//
//	find ~/.ssh -name 'id_*' -exec cat {} +
func (j *judge) filesFound(n *Node, c *match.Call) {
	passes := false
	for i := range c.Uses {
		u := &c.Uses[i]
		passes = passes || u.Passes && u.Option != ""
		n.fed = n.fed || u.Passes && u.Option == ""
		n.holed = n.holed || u.Kind == match.Read && u.Word.HasHole()
	}
	for i := range n.Children {
		n.fed = n.fed || n.Children[i].fed
		n.holed = n.holed || n.Children[i].holed
	}
	n.fed = n.fed && childReads(n)
	if text, ok := n.command.Stdin.Text.Const(); ok && n.fed && n.command.Stdin.Kind == policy.InputText {
		for name := range strings.FieldsSeq(text) {
			j.read(n, &match.Use{Kind: match.Read, Word: policy.Const(name)})
		}
	}
	passes = passes && childReads(n)
	if passes || n.command.Stdout == policy.OutputPipe || n.command.Stdout == policy.OutputCaptured {
		n.found = append(found(n.command, c), j.filtered(n.command)...)
		n.listing = listing(n.command, c)
	}
	if passes {
		j.readFound(n, n.found)
	}
}

// receives judges the files that a command reads because their names come
// through a pipe, or from a command in the same text.
//
//	find . -name .env | head -1 | xargs cat
//	cat $(find ~/.ssh -type f)
func (j *judge) receives(nodes []Node) {
	var secrets []policy.Word // what captured output may name and may not be read
	var walkers []*Node       // whose captured output names what they walk
	flows := 0
	for i := range nodes {
		if n := &nodes[i]; n.command != nil && n.command.Stdout == policy.OutputCaptured {
			if len(n.walks) > 0 {
				walkers = append(walkers, n)
			}
			for _, w := range firstFound(n.found) {
				if len(secrets) < maxSecrets && j.maySecret(n, w) {
					secrets = append(secrets, w)
				}
			}
		}
	}
	for i := range nodes {
		n := &nodes[i]
		if !n.fed && !n.holed || n.command == nil {
			continue
		}
		reasons := len(n.Reasons)
		if n.holed {
			j.readFound(n, secrets)
			for _, from := range walkers {
				if flows++; flows > maxPassed {
					j.manyPassed(n)
					break
				}
				j.passed(from, n)
			}
		}
		if n.command.Stdin.Kind == policy.InputPipe {
			j.upstream(nodes, n, &flows)
		}
		for k := reasons; k < len(n.Reasons); k++ {
			if r := &n.Reasons[k]; r.class == aboutWord {
				r.class = aboutInput
			}
		}
		if len(n.Reasons) > reasons {
			j.rest(n)
			n.settle()
		}
	}
}

// maxPassed is how often a text is looked at for what one command passes on to
// another one: each to each that reads from it. More of it counts as any hidden
// file, and as a secret.
const maxPassed = 1 << 14

func (j *judge) manyPassed(n *Node) {
	j.read(n, &match.Use{Kind: match.Read, Word: globbed("", ".*")})
	n.sight(Sight{Secret: ordinary, What: walker(n) + " reads what other commands find", Why: "More files than were looked at"})
}

// maxSecrets is how many of those are named as reasons.
const maxSecrets = 4

// maySecret reports whether reading a file that a word names is asked about.
func (j *judge) maySecret(n *Node, w policy.Word) bool {
	for _, t := range j.resolve(w, n.command.Dirs) {
		if rule := j.pathRule(t, opRead); rule != nil && rule.Read > policy.Allow {
			return true
		}
		if rule, _ := j.forbidden(t, opRead); rule != nil {
			return true
		}
	}
	return false
}

// upstream judges what the commands before a pipe may name.
func (j *judge) upstream(nodes []Node, to *Node, flows *int) {
	seen := make(map[int]bool)
	next := to.command.Stdin.From
	filtered := false // a command in between lets only some names pass
	for len(next) > 0 {
		var further []int
		passing := filtered
		for _, from := range next {
			if from < 0 || from >= len(nodes) || seen[from] || nodes[from].command == nil {
				continue
			}
			seen[from] = true
			if *flows++; *flows > maxPassed {
				j.manyPassed(to)
				return
			}
			j.readFound(to, nodes[from].found)
			j.passed(&nodes[from], to)
			if !filtered {
				j.readFound(to, nodes[from].listing)
			}
			names, _ := picks(nodes[from].command)
			passing = passing || len(names) > 0
			further = append(further, nodes[from].command.Stdin.From...)
		}
		next, filtered = further, passing
	}
}

func (j *judge) readFound(n *Node, words []policy.Word) {
	for _, w := range firstFound(words) {
		j.read(n, &match.Use{Kind: match.Read, Word: w})
	}
}

// childReads reports whether a command that a node runs reads files.
func childReads(n *Node) bool {
	for i := range n.Children {
		if child := &n.Children[i]; child.Effects&policy.Reads != 0 || childReads(child) {
			return true
		}
	}
	return false
}

// found lists the places that a command's output, or what it passes on, may
// name: those that it looks at by name, or else its words as they are. A
// command that reads files prints what they hold.
func found(cmd *policy.Command, c *match.Call) []policy.Word {
	var roots []policy.Word
	var names []string
	all := false // any name will do
	negated := negations(cmd.Words)
	for i := range c.Uses {
		switch u := &c.Uses[i]; u.Kind {
		case match.Path:
			roots = append(roots, u.Word)
		case match.Name:
			name, ok := u.Word.Const()
			if !ok || strings.Trim(name, "*.^$") == "" {
				all = true
			} else if !negated(name) {
				names = append(names, name)
			}
		case match.Read:
			return nil
		}
	}
	if roots == nil && names == nil && !all {
		for _, w := range cmd.Words[1:] {
			if s, ok := w.Const(); ok && s != "" && s[0] != '-' {
				roots = append(roots, globbed("", s))
			} else if w.HasGlob() {
				roots = append(roots, w)
			}
		}
		return roots
	}
	for i := range cmd.Words {
		s, _ := cmd.Words[i].Const()
		all = all || s == "-o" || s == "-or" || s == ","
	}
	if roots == nil {
		roots = []policy.Word{policy.Const(".")}
	}
	if all || len(names) == 0 {
		return append(roots, below(roots, names)...)
	}
	return below(roots, names)
}

// negations is negated for the names of one command. For a few names its words
// are looked through, for more they are put in order first.
func negations(words []policy.Word) func(name string) bool {
	const few = 8
	asked := 0
	var only map[string]bool // whether nothing else is said of a name
	return func(name string) bool {
		if asked++; asked <= few {
			return negated(words, name)
		}
		if only == nil {
			only = make(map[string]bool)
			for i := 2; i < len(words); i++ {
				if s, ok := words[i].Const(); ok {
					before, _ := words[i-2].Const()
					others, told := only[s]
					only[s] = (others || !told) && (before == "!" || before == "-not")
				}
			}
		}
		return only[name]
	}
}

// negated reports whether all that is said of a name is that files don't have
// it: ! -name x.
func negated(words []policy.Word, name string) bool {
	is := false
	for i := 2; i < len(words); i++ {
		if s, ok := words[i].Const(); !ok || s != name {
			continue
		}
		switch s, _ := words[i-2].Const(); s {
		case "!", "-not":
			is = true
		default:
			return false
		}
	}
	return is
}

// below lists files of the names below the roots. A name is a pattern of
// file names, of whole paths, or a regular expression.
func below(roots []policy.Word, names []string) []policy.Word {
	var out []policy.Word
	for _, name := range names {
		name = strings.TrimSuffix(strings.TrimPrefix(name, "^"), "$")
		name = strings.ReplaceAll(strings.ReplaceAll(name, ".*", "*"), `\`, "")
		before := "*." // fd env, fd -e env
		if rest := strings.TrimLeft(name, "*"); rest != name || strings.Contains(name, ".") {
			name, before = strings.TrimLeft(rest, "*/"), "*"
		}
		for _, root := range roots {
			dir, ok := root.Const()
			if !ok {
				dir = "*"
			}
			out = append(out, globbed(dir+"/", name), globbed(dir+"/"+before, name))
			if before == "*" && name != "" && name[0] != '.' {
				// To find a star is any text, a dot and a slash among it.
				out = append(out, globbed(dir+"/.", name), globbed(dir+"/.", name+"/*"))
			}
		}
	}
	return out
}

// globbed is a word for a path that ends in a pattern.
func globbed(dir, pattern string) policy.Word {
	if !match.IsGlob(dir) && !match.IsGlob(pattern) {
		return policy.Const(dir + pattern)
	}
	return policy.Word{Parts: []policy.Part{{Text: dir}, {Kind: policy.Glob, Text: pattern}}}
}

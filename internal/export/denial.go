package export

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// A denial must hold for every line that the rule's examples are like, and may
// hold for no line that is allowed: nobody can answer it. A rule that blocks
// whatever follows a beginning is such a denial as it stands. Most others are
// about all uses of a program but a few ("mkfs --help"), and few engines can
// say "but". So such a denial says what stands behind the beginning: nothing,
// a word that is no option, or one of the options. What each of these does to
// the answer is not concluded from the rule, but asked of the judge.

// behind is what the word behind a denial's beginning is.
type behind struct {
	nothing bool     // there is none
	word    bool     // it does not begin with a dash; any words follow
	last    bool     // likewise, and no word follows
	device  bool     // such a word is the name of a place, "/dev/sda" or "/mnt"
	options []string // it is one of these; any words follow
	leading []string // likewise, and no word follows, or one that does not begin with a dash
	letters string   // those of leading with one letter, and letters that nobody declared: several may share a word
	through bool     // a place at the end of the line makes it one, whatever stands between
}

func (b *behind) empty() bool {
	return !b.nothing && !b.word && !b.last && b.options == nil && b.leading == nil && b.letters == ""
}

// denials are the block of a rule at some of its paths, as Restrictions.
func (s *Source) denials(p *match.Program, r *match.Rule, names, paths []string, places map[string][]string) []Restriction {
	x := Restriction{Names: names, Rule: r, Block: true}
	switch {
	case len(r.All) > 0 || r.HasOnly || r.Bounds != nil:
		return nil
	case len(r.Unless) > 0 || r.HasOperands && !valued(r):
		return s.limited(p, &x, paths)
	case !x.conditions(p, r, places):
		return nil
	}
	x.Paths = paths
	g := newGrammar(p, "")
	if paths[0] != "" {
		x.lead(s, p, g)
	}
	return []Restriction{x}
}

// valued reports whether all that a rule says of operands is one's value.
func valued(r *match.Rule) bool { return len(r.Operands) == 1 && len(r.Operands[0].Values) > 0 }

// limited makes denials of what may stand behind the beginning of a line, one
// for each path.
func (s *Source) limited(p *match.Program, x *Restriction, paths []string) []Restriction {
	var found []Restriction
	for _, path := range paths {
		y := *x
		y.Paths = []string{path}
		y.Behind = s.behind(p, x.Rule, strings.TrimSpace(x.Names[0]+" "+path), path)
		if !y.Behind.empty() {
			found = append(found, y)
		}
	}
	return found
}

// behind finds what may stand behind the beginning of a line so that it is
// blocked, and allowed with no further word.
func (s *Source) behind(p *match.Program, r *match.Rule, start, path string) *behind {
	var spellings []string // of the options that are read here
	b := &behind{}
	for _, l := range newGrammar(p, path).levels {
		for i := range l.Options {
			for spelling := range strings.FieldsSeq(l.Options[i].Spellings) {
				if plainOption(spelling) {
					spellings = append(spellings, spelling)
				}
			}
		}
	}
	// What an option is allowed for is mostly itself: to show the version.
	harmless := slices.DeleteFunc(append(slices.Clone(spellings), "--help", "--version"), func(o string) bool { return !s.asker.allows(p, start+" "+o) })
	never := func(line string) bool {
		for _, tail := range [...]string{"", " x", " x y"} {
			if s.asker.allows(p, line+tail) {
				return false
			}
			for _, o := range harmless {
				if s.asker.allows(p, line+tail+" "+o) {
					return false
				}
			}
		}
		return true
	}
	blocks := func(line string) bool { return s.asker.says(line) == policy.Block }
	b.nothing = blocks(start)
	b.device = devices(p, path)
	word := "x"
	if b.device {
		word = "/dev/sda"
	}
	if blocks(start + " " + word) {
		b.word = never(start+" "+word) && blocks(start+" "+word+" x")
		b.last = !b.word
	}
	if r.HasOperands && !valued(r) && !slices.ContainsFunc(r.Operands, func(o match.Operand) bool { return o.Max < 0 }) {
		return b // which words follow an option counts
	}
	kind := func(o string) *[]string {
		line := start + " " + o
		switch {
		case !blocks(line) && !blocks(line+" "+word) && !blocks(line+" x "+word):
		case never(line) && never(line+" "+word):
			return &b.options
		case !s.asker.allows(p, line) && never(line+" "+word):
			return &b.leading
		}
		return nil
	}
	for _, o := range spellings {
		if list := kind(o); list != nil {
			*list = append(*list, o)
		}
	}
	for c := 'A'; c <= 'z'; c++ {
		if o := "-" + string(c); isAlnum(byte(c)) && kind(o) != nil {
			b.letters += string(c)
		}
	}
	b.through = b.device && !slices.ContainsFunc(harmless, func(o string) bool { return s.asker.allows(p, start+" "+o+" "+word) })
	for _, list := range [...]*[]string{&b.options, &b.leading} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return b
}

// asker tells whether lines of plain words are allowed, for denials. Most lines are
// asked about by the program's own table, which is quickly seen; what the judge says,
// which takes its time, is kept.
type asker struct {
	judge func(command string) policy.Decision
	said  map[string]policy.Decision
	of    *match.Program
	asked map[string]bool // by the table of that program
	tape  *tape           // what is known of the family at hand
	plain bool            // nothing drops what a table asks
	call  match.Call
	words []policy.Word
}

func (s *Source) newAsker() *asker {
	return &asker{judge: s.Judge, said: map[string]policy.Decision{}, asked: map[string]bool{}, plain: !s.ByName && !slices.ContainsFunc(s.Gates, lifts)}
}

// lifts reports whether a file may drop what others ask. The built-in ones, which are
// packed, drop nothing that a table asks.
func lifts(g *match.Gate) bool {
	return g.Packed == nil && (len(g.Overrides) > 0 ||
		slices.ContainsFunc(g.Own, func(p *match.Program) bool {
			return slices.ContainsFunc(p.Rules, func(r match.Rule) bool { return r.Bounds != nil && len(r.Bounds.Lifts) > 0 })
		}) ||
		slices.ContainsFunc(g.Paths, func(r match.PathRule) bool { return len(r.Lifts) > 0 }) ||
		slices.ContainsFunc(g.Hosts, func(r match.HostRule) bool { return len(r.Lifts) > 0 }) ||
		slices.ContainsFunc(g.Env, func(r match.EnvRule) bool { return len(r.Lifts) > 0 }))
}

// says is the judge's answer.
func (a *asker) says(line string) policy.Decision {
	if answer, ok := a.tape.next(); ok {
		return policy.Decision(answer - says)
	}
	d := a.judged(line)
	a.tape.note(says + byte(d))
	return d
}

// judged is says, without what is known.
func (a *asker) judged(line string) policy.Decision {
	d, known := a.said[line]
	if !known {
		d = a.judge(line)
		a.said[line] = d
	}
	return d
}

// allows reports whether a line for a program is allowed.
func (a *asker) allows(p *match.Program, line string) bool {
	if answer, ok := a.tape.next(); ok {
		return answer == yes
	}
	allows := !(a.plain && a.asks(p, line)) && a.judged(line) == policy.Allow
	a.tape.note(reply(allows))
	return allows
}

// asks reports whether the table of a program asks about a line or blocks it, wherever
// that is.
func (a *asker) asks(p *match.Program, line string) bool {
	if known, ok := a.asked[line]; ok && p == a.of {
		return known
	}
	if a.of != p {
		a.of = p
		clear(a.asked)
	}
	a.words = a.words[:0]
	for word := range strings.SplitSeq(line, " ") {
		a.words = append(a.words, policy.Const(word))
	}
	c := &a.call
	c.Reset()
	c.Cmd, c.Name = &policy.Command{Words: a.words, Dirs: workspace[:]}, a.words[0].Text
	c.Judge(p)
	asks := len(c.Handlers) == 0 && (slices.ContainsFunc(c.Held, func(h match.Held) bool {
		return h.Decision > policy.Allow && !h.Rule.ByPlace && !h.Rule.AcceptEdits
	}) || slices.ContainsFunc(c.Unknowns, func(u match.Undecided) bool { return u.Decision > policy.Allow }))
	a.asked[line] = asks
	return asks
}

// devices reports whether a program's operands are paths, whatever rule holds.
func devices(p *match.Program, path string) bool {
	paths := func(list []match.Operand) bool {
		return len(list) > 0 && !slices.ContainsFunc(list, func(o match.Operand) bool {
			return o.Kind != match.Path && o.Kind != match.Read && o.Kind != match.Write && o.Kind != match.Delete
		})
	}
	for i := range p.Levels {
		if l := &p.Levels[i]; (l.Path == path || l.Path == "") && paths(l.Operands) {
			return true
		}
	}
	return slices.ContainsFunc(p.Rules, func(r match.Rule) bool { return r.Decision == policy.Block && paths(r.Operands) })
}

// lead finds the program's own options with which the lines are blocked too
// when they stand before the subcommand.
func (x *Restriction) lead(s *Source, p *match.Program, g *grammar) {
	rest := " " + x.Paths[0]
	if len(x.Words) > 0 {
		rest += " " + strings.TrimRight(x.Words[0], "*")
	}
	if len(x.Flags) > 0 {
		rest += " " + x.Flags[0]
	}
	for _, l := range g.levels {
		for i := range l.Options {
			o := &l.Options[i]
			for spelling := range strings.FieldsSeq(o.Spellings) {
				switch {
				case !plainOption(spelling):
				case o.Arity == match.NoValue && s.asker.says(x.Names[0]+" "+spelling+rest) == policy.Block:
					x.Lead = append(x.Lead, spelling)
				case o.Arity == match.Value && s.asker.says(x.Names[0]+" "+spelling+" x"+rest) == policy.Block:
					x.LeadValue = append(x.LeadValue, spelling)
				}
			}
		}
	}
}

// optionNames lists all spellings of the option that one of them names.
func optionNames(p *match.Program, spelling string) []string {
	for i := range p.Levels {
		for k := range p.Levels[i].Options {
			for line := range strings.SplitSeq(p.Levels[i].Options[k].Spellings, "\n") {
				if all := strings.Fields(line); slices.Contains(all, spelling) {
					return slices.DeleteFunc(all, func(s string) bool { return !plainOption(s) })
				}
			}
		}
	}
	return []string{spelling}
}

// pattern writes what stands behind the beginning of a denial. any stands for
// any text, end for what ends a word, close for the end of the line.
func (b *behind) pattern(end, close string) string {
	var ways []string
	if b.nothing {
		ways = append(ways, close)
	}
	if b.options != nil {
		ways = append(ways, " "+oneOf(b.options, escape)+end)
	}
	if b.letters != "" {
		ways = append(ways, ` -[`+b.letters+`]+(?: [`+plainFirst+`]|`+close+`)`)
	}
	if b.leading != nil {
		ways = append(ways, ` `+oneOf(b.leading, escape)+`(?:=[`+plainSet+`]+|)(?: [`+plainFirst+`]|`+close+`)`)
	}
	switch {
	case b.word:
		ways = append(ways, ` [`+plainFirst+`]`)
	case b.last:
		ways = append(ways, ` [`+plainFirst+`][`+plainSet+`]*`+close)
	}
	if len(ways) == 1 {
		return ways[0]
	}
	return "(?:" + strings.Join(ways, "|") + ")"
}

// heads are how words begin, for engines that know no sets. Those of paths
// are rooted: a device, a mount point.
func (b *behind) heads() []string {
	if b.device {
		return []string{"/"}
	}
	return strings.Split("abcdefghijklmnopqrstuvwxyz0123456789/._", "")
}

// beginning writes names and paths as a pattern, with the options that may
// stand between.
func (x *Restriction) beginning() string {
	text := names(x.Names)
	switch {
	case x.Lead != nil && x.LeadValue != nil:
		text += `(?: (?:` + oneOf(x.Lead, escape) + `|` + oneOf(x.LeadValue, escape) + `[ =][` + plainSet + `]+)|)`
	case x.Lead != nil:
		text += `(?: ` + oneOf(x.Lead, escape) + `|)`
	case x.LeadValue != nil:
		text += `(?: ` + oneOf(x.LeadValue, escape) + `[ =][` + plainSet + `]+|)`
	}
	return text + paths(x.Paths)
}

// flagPattern matches one of the options that a denial needs, or a word of
// options of one letter that holds one.
func (x *Restriction) flagPattern(end string) string {
	text := oneOf(x.Flags, escape)
	if x.Letters != "" {
		text = `(?:` + text + `|-[A-Za-z]*[` + x.Letters + `][A-Za-z]*)`
	}
	return text + end
}

// stars is what an engine's globs mean. All of them know one star, for any
// text, and are about the whole line.
type stars struct {
	exact bool // without a star they are about one line, and not about what begins so
	open  bool // a blank and a star at the end may be nothing
	dear  bool // all but those at the end, behind a blank, cost the engine time
}

// globs are the lines of a denial.
func (x *Restriction) globs(engine stars) []string {
	var all []string
	for _, start := range x.starts() {
		add := func(globs ...string) {
			for _, g := range globs {
				all = append(all, start+g)
			}
		}
		switch {
		case x.Behind != nil:
			if x.Behind.nothing && engine.exact {
				add("")
			}
			switch {
			case x.Behind.word && engine.dear && !x.Behind.device:
				for _, word := range x.usualWords() {
					add(" " + word + " *")
				}
			case x.Behind.word:
				for _, head := range x.Behind.heads() {
					add(" " + head + "*")
				}
			}
			// Without its place a line does nothing, and one star for all options
			// of many programs is a short list.
			short := x.Behind.through && len(x.Names) > 4
			if x.Behind.through {
				add(" -* /*")
			}
			for _, o := range x.Behind.options {
				if short {
					break
				}
				if add(" " + o + " *"); !engine.open {
					add(" " + o)
				}
			}
			for _, o := range x.Behind.leading {
				if short {
					break
				}
				if engine.exact {
					add(" " + o)
				}
				if !x.Behind.through && (x.Behind.device || !engine.dear) {
					add(" " + o + " /*")
				}
			}
			if x.Behind.last && x.Behind.device && engine.exact {
				for _, device := range usualDevices() {
					add(" " + device)
				}
			}
		case x.Flags != nil && x.Words != nil:
			for _, flag := range x.Flags {
				for _, word := range x.Words {
					if !engine.dear || worst(word) {
						add(" "+flag+" * "+word, " * "+flag+" * "+word)
					}
				}
			}
		case x.Flags != nil:
			for _, flag := range x.Flags {
				add(" "+flag, " "+flag+" *", " * "+flag, " * "+flag+" *")
			}
		case x.First:
			for _, word := range x.Words {
				add(" " + word)
			}
		case x.Words != nil:
			for _, word := range x.Words {
				place := strings.HasPrefix(word, "/") || strings.HasPrefix(word, "~")
				if strings.Contains(word, "[") {
					continue
				}
				if add(" " + word); engine.dear && place && !worst(word) {
					for _, o := range x.usualSwitches() {
						add(" " + o + " " + word)
					}
					continue
				}
				add(" * " + word)
				if !place && !strings.HasSuffix(word, "*") {
					add(" "+word+" *", " * "+word+" *")
				}
			}
		case engine.dear && engine.open:
			add(" *")
		default:
			add("", " *")
		}
	}
	return all
}

// worst reports whether a place is denied whatever stands before it, by an
// engine that pays for that: all of the disk, all of a person's files.
func worst(place string) bool { return place == "/" || place == "~" }

// usualSwitches are those of the ways to say that directories go too which
// people and agents write, for the program that mostly gets one.
func (x *Restriction) usualSwitches() []string {
	if !slices.Contains(x.Names, "rm") {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(x.Switches), func(o string) bool { return o != "-r" && o != "-rf" && o != "-fr" })
}

// usualWords are the first words that mostly stand behind a program, where any
// may: times, for the one that needs no more to end all work.
func (x *Restriction) usualWords() []string {
	if !slices.Contains(x.Names, "shutdown") {
		return nil
	}
	return []string{"now", "0", "+0", "1", "+1", "5", "+5", "10", "+10"}
}

// prefixes are a restriction's lines for engines that know a line's first
// words and nothing else: each element is a list of alternatives for one word.
func (x *Restriction) prefixes() [][][]string {
	if x.whole() {
		return append(x.beginnings(), x.leads()...)
	}
	var all [][][]string
	for _, path := range x.Paths {
		start := [][]string{x.Names}
		for _, word := range strings.Fields(path) {
			start = append(start, []string{word})
		}
		add := func(from [][]string, more ...[]string) {
			all = append(all, append(from[:len(from):len(from)], more...))
		}
		plain := slices.DeleteFunc(slices.Clone(x.Words), func(w string) bool { return match.IsGlob(w) || strings.HasPrefix(w, "~") })
		switch {
		case x.Behind != nil:
			if x.Behind.options != nil {
				add(start, x.Behind.options)
			}
			if x.Behind.word && x.Behind.device {
				add(start, usualDevices())
			}
			if x.Behind.leading != nil && x.Behind.device {
				add(start, x.Behind.leading, usualDevices())
			}
		case x.Flags != nil && x.Words != nil:
		case x.Flags != nil:
			add(start, x.Flags)
		case len(plain)+len(x.Usual) > 0:
			plain = append(plain, x.Usual...)
			add(start, plain)
			if x.Switches != nil {
				add(start, x.Switches, plain)
			}
			if slices.Contains(plain, "/") && x.Switches != nil {
				add(start, x.Switches, append(x.Switches[:len(x.Switches):len(x.Switches)], "--force", "--no-preserve-root"), []string{"/"})
			}
		}
	}
	return all
}

// beginnings are the names and the paths behind them. Alternatives stand for
// one word each: paths of one word share a line, longer ones have their own.
func (x *Restriction) beginnings() [][][]string {
	var all [][][]string
	var single []string
	for _, path := range x.Paths {
		words := strings.Fields(path)
		if len(words) == 1 {
			single = append(single, path)
			continue
		}
		line := [][]string{x.Names}
		for _, word := range words {
			line = append(line, []string{word})
		}
		all = append(all, line)
	}
	if single != nil {
		all = append(all, [][]string{x.Names, single})
	}
	return all
}

// first is the line of the first alternatives.
func first(words [][]string) string {
	line := make([]string, len(words))
	for i, alternatives := range words {
		line[i] = alternatives[0]
	}
	return strings.Join(line, " ")
}

// leads are the lines of a denial with an option before the subcommand.
func (x *Restriction) leads() [][][]string {
	if x.Lead == nil {
		return nil
	}
	var all [][][]string
	for _, path := range x.Paths {
		line := [][]string{x.Names, x.Lead}
		for _, word := range strings.Fields(path) {
			line = append(line, []string{word})
		}
		all = append(all, line)
	}
	return all
}

// usualDevices are the names that disks and their first partitions mostly
// have.
func usualDevices() []string {
	var all []string
	for _, disk := range [...]string{"sda", "sdb", "vda", "nvme0n1", "mmcblk0"} {
		part := disk
		if strings.HasSuffix(disk, "1") || strings.HasSuffix(disk, "0") {
			part += "p"
		}
		all = append(all, "/dev/"+disk, "/dev/"+part+"1", "/dev/"+part+"2", "/dev/"+part+"3")
	}
	return all
}

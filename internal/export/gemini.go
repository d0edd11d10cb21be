package export

import (
	"slices"
	"strings"
)

// Gemini's policy engine tests a rule's argsPattern against the tool's
// arguments as JSON, each between NUL bytes:
//
//	{\0"command":"git log -3"\0,\0"dir_path":"src"\0}
//
// The rule with the highest priority decides. A pattern may have 2,048
// characters, and no group may be repeated. Each rule costs about half a
// microsecond a command whatever it says, so that what can stand in one
// pattern does.
const (
	geminiPattern = 2048
	geminiCommand = `\x00"command":"`
	geminiStart   = `^\{` + geminiCommand // no argument before it, as one that asks for more permissions
	geminiEnd     = `"\x00`
	geminiText    = `[^\x00]*` // any part of the command

	priorityBlock = 900
	priorityAlone = 301
	priorityLine  = 300
	priorityGuard = 299
	priorityAllow = 200
	priorityClear = 150
	priorityRead  = 100
	priorityRest  = 1
)

// Words as they stand in JSON. What is quoted is not read: single quotes end
// at the next one, double quotes too where none is behind a backslash.
const (
	geminiSingle = `\x27[^\x27\x00]*\x27`
	geminiDouble = `\\"[^"$` + "\\x60" + `\x00]*\\"`
	geminiSlash  = `(?!` + geminiText + `(?:[^\\]\\[bfru]|\\\\\\["nbfru]))` // no control character, and no backslash before a quote or a line's end
	geminiPlain  = `[` + plainFirst + `][` + plainSet + `]*`
	geminiQuoted = `(?:\x27(?![+~ ])[^\x27\x00]+\x27|\\"(?![+~ ])[^"$` + "\\x60" + `\x00]+\\")`
)

// geminiAllow writes a group of Forms as patterns behind the beginning of the
// command. What is too long is cut in two; options that then stand in
// different patterns can't be used together.
func geminiAllow(g *group) []string {
	if text := geminiForm(g); len(geminiStart)+len(text) <= geminiPattern {
		return []string{text}
	}
	half := func(change func(part *group, first bool)) []string {
		var all []string
		for _, first := range [...]bool{true, false} {
			part := *g
			change(&part, first)
			all = append(all, geminiAllow(&part)...)
		}
		return all
	}
	switch {
	case len(names(g.Names)) > 300 && len(g.Names) > 1:
		return half(func(part *group, first bool) { part.Names = cut(g.Names, first) })
	case len(paths(g.paths)) > 300 && len(g.paths) > 1:
		return half(func(part *group, first bool) { part.paths = cut(g.paths, first) })
	case len(g.Options) > 1:
		return half(func(part *group, first bool) { part.Options = cut(g.Options, first) })
	}
	return nil
}

// joined puts patterns together into as few as may be.
func joined(head string, patterns []string, tail string) []string {
	var all, some []string
	length := 0
	end := func() {
		switch len(some) {
		case 0:
		case 1:
			all = append(all, head+some[0]+tail)
		default:
			all = append(all, head+`(?:`+strings.Join(some, "|")+`)`+tail)
		}
		some, length = nil, 0
	}
	for _, p := range patterns {
		if len(head)+len(tail)+len(`(?:)`)+length+len(p) > geminiPattern {
			end()
		}
		some = append(some, p)
		length += len(p) + len(`|`)
	}
	end()
	return all
}

func cut[T any](list []T, first bool) []T {
	if first {
		return list[:len(list)/2]
	}
	return list[len(list)/2:]
}

// geminiForm writes a group of Forms as one pattern.
func geminiForm(g *group) string {
	var b strings.Builder
	b.WriteString(names(g.Names) + paths(g.paths) + required(g.Required))
	if g.Script != nil {
		b.WriteString(" " + strings.NewReplacer(`'`, `\x27`, `"`, `\\"`).Replace(g.Script.pattern))
	}
	b.WriteString(`(?=[ "])`)
	if g.Any {
		return b.String()
	}
	apart := g.apart()
	if g.Max >= 0 || g.Min > 1 {
		apart = nil // whether a word is a value or an operand can't be told
	}
	// No word may begin with a dash but the options.
	b.WriteString(`(?!` + geminiText + ` (?:\x27|\\"|)-` + geminiOptions(&g.Form, apart != nil) + `)`)
	if g.Max >= 0 {
		b.WriteString(`(?!` + strings.Repeat(geminiText+` [^-]`, g.Max+1) + `)`)
	}
	if g.Min > 0 {
		b.WriteString(`(?=` + geminiText + strings.Repeat(` (?:`+geminiPlain+`|`+geminiQuoted+`)`, g.Min) + geminiEnd + `)`)
		if len(apart) > 0 {
			b.WriteString(`(?!` + geminiText + ` ` + oneOf(apart, escape) + ` (?:[^ ]*|` + geminiSingle + `|` + geminiDouble + `)` + geminiEnd + `)`)
		}
	}
	for _, glob := range g.Except {
		b.WriteString(`(?!` + geminiText + globPattern(glob, geminiText, `[ \x27"=]`, `[ \x27"\\]`) + `)`)
	}
	return b.String()
}

// geminiOptions is a look-ahead behind a dash that fails for the options of a
// Form.
func geminiOptions(f *Form, apart bool) string {
	var whole, open []string
	for i := range f.Options {
		o := &f.Options[i]
		s := o.Spelling[1:]
		if len(s) == 1 && !o.Glued && strings.Contains(f.Letters, s) {
			continue
		}
		if o.Bare || o.Apart && apart {
			whole = append(whole, s)
		}
		if o.Glued {
			open = append(open, s+o.sign())
		}
	}
	var ways []string
	if len(whole) > 0 {
		ways = append(ways, oneOf(whole, escape)+`[ "]`)
	}
	if f.Letters != "" {
		ways = append(ways, `[`+f.Letters+`]+[ "]`)
	}
	if f.Number {
		ways = append(ways, `[0-9]+[ "]`)
	}
	if len(open) > 0 {
		ways = append(ways, oneOf(open, escape))
	}
	if ways == nil {
		return ""
	}
	return `(?!` + strings.Join(ways, "|") + `)`
}

// geminiWords matches every command that is not made of plain and quoted words
// alone: any number of plain ones, or up to n words some of which are quoted.
// Groups may not be repeated, so it is written out.
func geminiWords() string {
	const n = 11
	tail := `"`
	for range n {
		tail = `(?:"| (?:[-` + plainFirst + `][` + plainSet + `]*|(?:-[-a-z]+=|)` + geminiQuoted + `)` + tail + `)`
	}
	// No plain word may begin with what a shell or a program might make
	// something of.
	return geminiStart + `(?!` + geminiSlash + `[` + plainFirst + `](?:(?!` + geminiText + ` [ "=^+])[ ` + plainRest + `]*"|[` + plainSet + `]*` + tail + `)\x00)`
}

// geminiLines matches lines of several commands, and of commands whose output
// goes nowhere. Gemini takes a line apart and puts each command to the rules
// once more, so that such a line is allowed if all of its commands are. What
// holds for the line as a whole is said here: that nothing is written, no
// variable set and no directory entered between the commands, and that bash
// finds the commands that Gemini's parser finds.
func geminiLines() []string {
	const (
		word     = `[-\w.\/:@%,+=^ ]*`
		quoted   = geminiSingle + `|` + geminiDouble
		operator = `(?:&&|\|\|?|;|\\n) ?(?=[\w.\/])`
		// To Gemini's parser words behind a redirect are no words of the command.
		nowhere = `(?<= )(?:[12&]?>\/dev\/null(?: 2>&1|)|2>&1)(?= ?(?:[;&|"]|\\n))`
	)
	first := ""
	for range 3 {
		first = `(?:(?:` + quoted + `)` + word + first + `|)`
	}
	// At the beginning of a command these are no words.
	special := `(?:` + oneOf([]string{"if", "for", "while", "until", "case", "select", "function", "coproc", "time", "cd", "pushd", "popd"}, escape) + `[ "]|[A-Za-z_]\w*\+?=)`
	begin := geminiStart + `(?=[\w.\/])(?!(?:` + geminiText + `(?:[;&|]|\\n)|) *` + special + `)` + geminiSlash + word + first
	var all []string
	for _, between := range [...]string{operator, operator + `|` + nowhere} {
		line, rest := "", geminiEnd
		for text := rest; len(text) <= geminiPattern; text = begin + `(?:` + between + `)` + word + rest {
			line, rest = text, `(?:`+geminiEnd+`|(?:`+quoted+`|`+between+`)`+word+rest+`)`
		}
		all = append(all, line)
	}
	return all
}

// geminiAlone matches lines of several commands with one that may not be
// joined with others.
func geminiAlone(groups []group) []string {
	var all []string
	for i := range groups {
		if groups[i].Alone {
			all = append(all, groups[i].Names...)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	const operator = `(?:[;&|]|\\n)`
	var patterns []string
	for len(all) > 0 {
		n := min(len(all), 100)
		patterns = append(patterns, geminiStart+`(?=`+geminiText+operator+`)(?:`+geminiText+operator+` *|)`+names(all[:n])+`(?:[ "\\;&|]|2>)`)
		all = all[n:]
	}
	return patterns
}

// geminiUnclear matches words that may lead to a file that may not be read.
func geminiUnclear(g *guards) string {
	return geminiStart + geminiText + `(?:` + strings.Join([]string{
		`\.\.`, `\/\/`, `\/\.`, `~`,
		`[^A-Za-z0-9_.-](?:\/|` + above(g, `[^\/ "]+`) + `\/?)[^A-Za-z0-9_.\/-]`,
	}, "|") + `)`
}

// above writes the directories that no word may be.
func above(g *guards, name string) string {
	var homeForms []string
	for _, home := range homes[1:] {
		homeForms = append(homeForms, strings.ReplaceAll(home, "*", "\x01"))
	}
	write := func(s string) string { return strings.ReplaceAll(fold(s), "\x01", name) }
	dirs := slices.DeleteFunc(slices.Clone(g.above), func(dir string) bool { return dir == "" })
	return `(?:(?:\/[pP][rR][iI][vV][aA][tT][eE]|)` + oneOf(dirs, write) + `|` + oneOf(homeForms, write) + oneOf(g.home, write) + `)`
}

// geminiSecrets writes the guards' pieces as patterns of a bearable length.
func geminiSecrets(g *guards) []string {
	pieces := make([]string, len(g.secrets))
	for i := range g.secrets {
		pieces[i] = g.secrets[i].pattern(geminiText)
	}
	return joined(geminiStart+geminiText, pieces, "")
}

// pattern writes a piece; any stands for any text.
func (p *piece) pattern(any string) string {
	var b strings.Builder
	if p.begin {
		b.WriteString(`[^A-Za-z0-9_.-]`)
	}
	for i, part := range p.parts {
		if i > 0 {
			b.WriteString(any)
		}
		b.WriteString(fold(part))
	}
	if p.end {
		b.WriteString(`[^A-Za-z0-9_.-]`)
	}
	return b.String()
}

// geminiRestriction writes an ask or a block.
func geminiRestriction(x *Restriction) []string {
	var b strings.Builder
	b.WriteString(geminiCommand + x.beginning())
	if x.Flags != nil {
		b.WriteString(`(?: ` + geminiText + `|) ` + x.flagPattern(`[ ="\\]`))
	}
	switch {
	case x.Behind != nil:
		b.WriteString(x.Behind.pattern(`[ ="\\]`, geminiEnd))
	case x.Words != nil:
		ways := make([]string, len(x.Words))
		for i, glob := range x.Words {
			ways[i] = wordPattern(glob)
		}
		if x.First {
			b.WriteString(` (?:` + strings.Join(ways, "|") + `)` + geminiEnd)
			break
		}
		if x.Flags == nil {
			b.WriteString(` (?:` + geminiText + `[ \x27"]|[\x27"\\]*)`)
		} else {
			b.WriteString(`(?:` + geminiText + `[ \x27"]|)`)
		}
		b.WriteString(`(?:` + strings.Join(ways, "|") + `)(?:\/|)(?:\*|)[ \x27"\\]`)
	case x.Flags == nil:
		b.WriteString(`[ ="\\]`)
	}
	if b.Len() <= geminiPattern {
		return []string{b.String()}
	}
	var all []string
	for _, first := range [...]bool{true, false} {
		part := *x
		switch {
		case len(x.Names) > 1:
			part.Names = cut(x.Names, first)
		case len(x.Paths) > 1:
			part.Paths = cut(x.Paths, first)
		case len(x.Words) > 1:
			part.Words = cut(x.Words, first)
		case x.Behind != nil && len(x.Behind.options) > 1:
			b := behind{options: cut(x.Behind.options, first)}
			if first {
				b.nothing, b.word, b.last, b.letters, b.leading = x.Behind.nothing, x.Behind.word, x.Behind.last, x.Behind.letters, x.Behind.leading
			}
			part.Behind = &b
		default:
			return nil
		}
		all = append(all, geminiRestriction(&part)...)
	}
	return all
}

func gemini() *Target {
	return &Target{
		Name: "gemini", Title: "Gemini CLI", Tested: "0.61.0",
		Place:  "~/.gemini/policies/bashgate.toml",
		Remove: "delete the file",
		Judged: true,
		write:  geminiPolicy,
		check:  checkGemini,
	}
}

// geminiPolicy writes a policy file.
func geminiPolicy(r *Rules, w *writer) {
	rule := func(decision string, priority int, pattern, more string) {
		w.printf("\n[[rule]]\ntoolName = \"run_shell_command\"\nargsPattern = '%s'\ndecision = %q\npriority = %d\n%s", pattern, decision, priority, more)
		w.rules++
	}
	w.section("Blocked")
	for i := range r.Restrictions {
		if x := &r.Restrictions[i]; x.Block {
			for _, pattern := range geminiRestriction(x) {
				rule("deny", priorityBlock, pattern, "denyMessage = "+tomlString(x.Rule.Reason)+"\n")
			}
		}
	}
	w.section("Asked about whatever else is said: another directory, what no pattern below can vouch for, names of secrets")
	const modes = "modes = [\"default\", \"autoEdit\", \"yolo\"]\n"
	rule("ask_user", priorityAlone, `\x00"dir_path":`, "")
	groups := r.sortedGroups()
	if len(groups) > 0 {
		for _, pattern := range geminiAlone(groups) {
			rule("ask_user", priorityAlone, pattern, "")
		}
		for _, pattern := range geminiLines() {
			rule("allow", priorityLine, pattern, modes+"allowRedirection = true\n")
		}
	}
	rule("ask_user", priorityGuard, geminiWords(), "")
	for _, pattern := range geminiSecrets(r.guards) {
		rule("ask_user", priorityGuard, pattern, "")
	}
	var lists [2][]string // without words that are read, with them
	for i := range groups {
		patterns := geminiAllow(&groups[i])
		if patterns == nil {
			w.lose("too long for one pattern", &groups[i])
			continue
		}
		list := &lists[0]
		if groups[i].Reads {
			list = &lists[1]
		}
		*list = append(*list, patterns...)
		w.keep(&groups[i])
	}
	w.section("Allowed")
	for _, pattern := range joined(geminiStart, lists[0], "") {
		rule("allow", priorityAllow, pattern, modes)
	}
	w.section("Allowed where no word may lead to a file that may not be read")
	rule("ask_user", priorityClear, geminiUnclear(r.guards), "")
	for _, pattern := range joined(geminiStart, lists[1], "") {
		rule("allow", priorityRead, pattern, modes)
	}
	w.section("All else: a question, or a denial where nobody can be asked")
	rule("ask_user", priorityRest, `"command":`, "interactive = true\n")
	rule("deny", priorityRest, `"command":`, "interactive = false\ndenyMessage = \"bashgate: nobody can be asked\"\n")
}

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
// characters, and no group may be repeated.
const (
	geminiPattern = 2048
	geminiStart   = `\x00"command":"`
	geminiEnd     = `"\x00`
	geminiText    = `[^\x00]*` // any part of the command

	priorityBlock = 900
	priorityGuard = 299
	priorityAsk   = 200
	priorityAllow = 100
	priorityRest  = 1
)

// geminiAllow writes a group of Forms as patterns. What is too long is cut in
// two; options that then stand in different rules can't be used together.
func geminiAllow(g *group, guard string) []string {
	if text := geminiForm(g, guard); len(text) <= geminiPattern {
		return []string{text}
	}
	half := func(change func(part *group, first bool)) []string {
		var all []string
		for _, first := range [...]bool{true, false} {
			part := *g
			change(&part, first)
			all = append(all, geminiAllow(&part, guard)...)
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

func cut[T any](list []T, first bool) []T {
	if first {
		return list[:len(list)/2]
	}
	return list[len(list)/2:]
}

// geminiForm writes a group of Forms as one pattern.
func geminiForm(g *group, guard string) string {
	var b strings.Builder
	b.WriteString(geminiStart + names(g.Names) + paths(g.paths) + required(g.Required))
	b.WriteString(`(?=[ "])`)
	if g.Any {
		return b.String()
	}
	apart := g.apart()
	if g.Max >= 0 || g.Min > 1 {
		apart = nil // whether a word is a value or an operand can't be told
	}
	// No word may begin with a dash but the options, and none with what a
	// shell or a program might make something of.
	b.WriteString(`(?!` + geminiText + ` -` + geminiOptions(&g.Form, apart != nil) + `)`)
	if g.Max >= 0 {
		b.WriteString(`(?!` + strings.Repeat(geminiText+` [^-]`, g.Max+1) + `)`)
	}
	if g.Min > 0 {
		word := ` (?:[` + plainFirst + `][` + plainSet + `]*|\x27[` + singleSet + `]+\x27|\\"[` + doubleSet + `]+\\")`
		b.WriteString(`(?=` + geminiText + strings.Repeat(word, g.Min) + geminiEnd + `)`)
		if len(apart) > 0 {
			b.WriteString(`(?!` + geminiText + ` ` + oneOf(apart, escape) + ` (?:[^ ]*|\x27[^\x27]*\x27|\\"[^\\]*\\")` + geminiEnd + `)`)
		}
	}
	for _, glob := range g.Except {
		b.WriteString(`(?!` + geminiText + globPattern(glob, geminiText, `[ \x27"=]`, `[ \x27"\\]`) + `)`)
	}
	if g.Reads {
		b.WriteString(guard)
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
	const n = 12
	quoted := `(?:\x27[` + singleSet + `]+\x27|\\"[` + doubleSet + `]+\\")`
	plain := `[` + plainSet + `]+`
	tail := `"`
	for range n {
		tail = `(?:"| (?:` + plain + `|(?:-[-a-z]+=|)` + quoted + `)` + tail + `)`
	}
	// No word may begin with what a shell or a program might make something of.
	odd := `(?!` + geminiText + ` (?:[ "=^+]|(?:\x27|\\")[-+=~ ]))`
	return geminiStart + `(?!` + odd + `[` + plainFirst + `](?:[ ` + plainRest + `]*"|[` + plainSet + `]*` + tail + `)\x00)`
}

// geminiGuard is a look-ahead that fails for words which may lead to a file
// that may not be read.
func geminiGuard(g *guards) string {
	return `(?!` + geminiText + `(?:` + strings.Join([]string{
		`\.\.`, `\/\/`, `\/\.`, `~`,
		`[^A-Za-z0-9_.-](?:\/|` + above(g, `[^\/ "]+`) + `\/?)[^A-Za-z0-9_.\/-]`,
	}, "|") + `))`
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
	var all []string
	head := geminiStart + geminiText + `(?:`
	line := head
	for i := range g.secrets {
		p := g.secrets[i].pattern(geminiText)
		if len(line)+len(p)+2 > geminiPattern {
			all = append(all, strings.TrimSuffix(line, "|")+")")
			line = head
		}
		line += p + "|"
	}
	if line != head {
		all = append(all, strings.TrimSuffix(line, "|")+")")
	}
	return all
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
	b.WriteString(geminiStart + x.beginning())
	if x.Flags != nil {
		b.WriteString(`(?:` + geminiText + `|) ` + x.flagPattern(`[ ="\\]`))
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
	w.section("Asked about whatever else is said: what no pattern below can vouch for, and names of secrets")
	rule("ask_user", priorityGuard, `\x00"dir_path":`, "")
	rule("ask_user", priorityGuard, geminiWords(), "")
	for _, pattern := range geminiSecrets(r.guards) {
		rule("ask_user", priorityGuard, pattern, "")
	}
	w.section("Asked about")
	for i := range r.Restrictions {
		if x := &r.Restrictions[i]; !x.Block {
			for _, pattern := range geminiRestriction(x) {
				rule("ask_user", priorityAsk, pattern, "")
			}
		}
	}
	w.section("Allowed")
	guard := geminiGuard(r.guards)
	groups := r.sortedGroups()
	for i := range groups {
		patterns := geminiAllow(&groups[i], guard)
		if patterns == nil {
			w.lose("too long for one pattern", &groups[i])
			continue
		}
		for _, pattern := range patterns {
			rule("allow", priorityAllow, pattern, "modes = [\"default\", \"autoEdit\"]\n")
		}
		w.keep(&groups[i])
	}
	w.section("All else: a question, or a denial where nobody can be asked")
	rule("ask_user", priorityRest, `"command":`, "interactive = true\n")
	rule("deny", priorityRest, `"command":`, "interactive = false\ndenyMessage = \"bashgate: nobody can be asked\"\n")
}

package ruleset

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Note is something in a rule file that is right but deserves a look.
type Note struct {
	Check string // which check found it: "open-allow"
	*Error
}

// Checks lists what Lint looks for.
func Checks() []Word {
	return []Word{
		{"open-allow", "an allow that holds whatever undeclared options follow"},
		{"no-grammar", "a program without option tables"},
		{"no-option", "a word among options, of a program without option tables"},
		{"admits-acts", "an allow that admits an option of kind acts"},
		{"group-verb", "an allow with open operands above a subcommand that another rule asks about"},
		{"hidden-allow", "an allow that an ask always accompanies"},
		{"judged-twice", "an ask about an option that its kind judges already"},
		{"one-form", "an allow that excludes an option which no other allow takes"},
		{"escape", "an option declared harmless whose name is that of one that runs or writes"},
		{"example-option", "an example with an option that the grammar does not know"},
		{"no-example", "a rule without an example"},
	}
}

// Lint looks at a file and what it was compiled to. The notes come in the
// order of the text.
func Lint(f *File, g *match.Gate) []Note {
	l := linter{file: f, rules: map[int]*Rule{}}
	for i := range f.Programs {
		p := &f.Programs[i]
		for _, rules := range [...][]Rule{p.Allow, p.Ask, p.Block} {
			for k := range rules {
				l.rules[rules[k].At.Line] = &rules[k]
			}
		}
	}
	for i := range f.Programs {
		l.escapes(&f.Programs[i])
	}
	seen := map[int]bool{}
	for _, p := range g.Programs() {
		if !seen[p.Line] {
			seen[p.Line] = true
			l.program(p)
		}
	}
	sort.SliceStable(l.notes, func(i, k int) bool { return l.notes[i].At.Before(l.notes[k].At) })
	return l.notes
}

type linter struct {
	file  *File
	rules map[int]*Rule // by line
	notes []Note
}

func (l *linter) note(check string, at Span, format string, args ...any) {
	if at.Line > 0 && at.Len == 0 {
		at.Col, at.Len = 1, max(1, len(strings.TrimRight(l.file.line(at.Line), " \t\r")))
	}
	l.notes = append(l.notes, Note{check, &Error{File: l.file.Name, At: at, Msg: fmt.Sprintf(format, args...), Line: l.file.line(at.Line)}})
}

func (l *linter) program(p *match.Program) {
	if p.Unknown == policy.Allow {
		l.note("open-allow", Span{Line: p.Line}, "every use of %s is allowed that no ask or block holds for", p.Name)
	}
	if p.Open && !p.Inherits && len(p.Rules) > 0 && p.Unknown != policy.Allow {
		l.note("no-grammar", Span{Line: p.Line}, "%s has no option tables", p.Name)
	}
	for i := range p.Rules {
		r := &p.Rules[i]
		w := l.rules[r.Line]
		if w == nil {
			continue
		}
		if len(w.Examples) == 0 && !p.Open {
			l.note("no-example", w.At, "%s has no example", r.ID)
		}
		if p.Open && !p.Inherits {
			l.words(r, w)
		}
		l.examples(p, w)
		if r.Decision == policy.Allow {
			l.allow(p, r, w)
		} else {
			l.ask(p, r, w)
		}
	}
}

// words notes words where options are meant. Only option tables can say that what
// begins with neither - nor + is an option.
func (l *linter) words(r *match.Rule, w *Rule) {
	for _, list := range [...]struct {
		key   string
		tests []match.FlagTest
	}{{"if_flags_any", r.Any}, {"if_flags_all", r.All}, {"unless_flags", r.Unless}, {"only_flags", r.Only}} {
		for _, t := range list.tests {
			if t.Spelling != "" && t.Spelling[0] != '-' && t.Spelling[0] != '+' {
				l.note("no-option", w.Key(list.key), "%q is never an option of a program without option tables: name words in subcommand or operands", t.Spelling)
			}
		}
	}
}

func (l *linter) allow(p *match.Program, r *match.Rule, w *Rule) {
	switch {
	case r.AnyFlags:
		l.note("open-allow", w.Key("any_flags"), "%s is open: %s", r.ID, w.AnyFlags.Value)
	case p.Open && !p.Inherits:
		l.note("open-allow", w.At, "%s is open: nobody said which options %s has", r.ID, p.Name)
	}
	var admitted []string
	for _, t := range slices.Concat(r.Any, r.All, r.Only) {
		if o := findOption(p, r, t.Spelling); o != nil && o.Kind == match.Acts && t.Kind == match.Flag && bare(o, t) && !slices.Contains(admitted, t.Spelling) {
			admitted = append(admitted, t.Spelling)
		}
	}
	if len(admitted) > 0 {
		l.note("admits-acts", w.At, "%s admits %s", r.ID, strings.Join(admitted, ", "))
	}
	if open := slices.IndexFunc(r.Operands, func(o match.Operand) bool { return o.Max < 0 && o.Kind == match.Data && o.Values == nil }); open >= 0 && len(r.Any)+len(r.All) == 0 {
		for i := range p.Rules {
			o := &p.Rules[i]
			if o.Decision > policy.Allow && !o.Otherwise && below(o.Paths, r.Paths) {
				l.note("group-verb", w.Key("operands"), "the operands of %s take what %s asks about as a subcommand; declare its other subcommands too", r.ID, o.ID)
				break
			}
		}
	}
	for _, t := range r.Unless {
		o := findOption(p, r, t.Spelling)
		twin := o != nil && (o.Kind == match.Acts || o.Kind == match.Run) // for no allow to take
		for i := range p.Rules {
			o := &p.Rules[i]
			if o == r || o.Decision == policy.Block {
				continue
			}
			for _, test := range slices.Concat(o.Any, o.All, o.Only) {
				twin = twin || sameSpelling(p, test.Spelling, t.Spelling)
			}
			twin = twin || o.Otherwise
		}
		if !twin {
			l.note("one-form", w.Key("unless_flags"), "%s excludes %s, and no other rule names it", r.ID, t.Spelling)
		}
	}
}

// bare reports whether no value that the test wants has a harmless
// kind of its own.
func bare(o *match.Option, t match.FlagTest) bool {
	if t.Values == nil {
		return true
	}
	for _, c := range o.Cases() {
		for _, v := range t.Values {
			if slices.Contains(c.Values, v) {
				return false
			}
		}
	}
	return true
}

func (l *linter) ask(p *match.Program, r *match.Rule, w *Rule) {
	if len(r.Any) > 0 && len(r.All)+len(r.Unless)+len(r.Only)+len(r.Args) == 0 && !r.HasOperands {
		for _, t := range r.Any {
			if o := findOption(p, r, t.Spelling); o != nil && t.Values == nil && judged(o.Kind) && r.Effects == 0 && r.Decision == policy.Ask {
				l.note("judged-twice", w.Key("if_flags_any"), "%s asks about every %s; its kind %s is judged by itself, and harmless values pass", r.ID, t.Spelling, KindName(o.Kind, o.Lang()))
			}
		}
	}
	if r.Otherwise || len(r.Any)+len(r.All)+len(r.Unless)+len(r.Only)+len(r.Args) > 0 || r.HasOperands {
		return
	}
	for i := range p.Rules {
		a := &p.Rules[i]
		if a.Decision == policy.Allow && len(a.Paths) > 0 && len(r.Paths) > 0 && (below(a.Paths, r.Paths) || samePaths(a.Paths, r.Paths)) {
			l.note("hidden-allow", w.At, "%s holds wherever %s (line %d) does; otherwise = true would let it pass", r.ID, a.ID, a.Line)
		}
	}
}

func judged(k match.Kind) bool {
	switch k {
	case match.Flag, match.Data, match.Acts, match.Name, match.Path, match.Dir, match.Run, match.Code:
		return false
	}
	return true
}

// escapeNames are parts of the names that options which run programs, load
// code or write files have in the tools of published escapes.
var escapeNames = [...]string{
	"exec", "command", "-cmd", "shell", "pager", "editor", "browser", "script", "eval", "plugin", "preload", "library", "module",
	"hook", "-rsh", "proxycommand", "to-command", "compress-program", "checkpoint-action", "pre-cmd", "post-cmd", "filter-command",
	"output", "outfile", "out-file", "log-file", "logfile", "dump", "write", "save", "in-place", "inplace", "init-file", "rcfile", "startup",
}

// escapes finds options declared harmless whose name says otherwise.
func (l *linter) escapes(w *Program) {
	if len(w.Allow) == 0 {
		return
	}
	for i := range w.Options {
		for _, k := range w.Options[i].Kinds {
			if k.Kind != "data" && k.Kind != "flag" {
				continue
			}
			for _, t := range k.Entries {
				spellings, values, takes := strings.Cut(t.Value, "=")
				if values != "" || k.Kind == "flag" && !takes && !strings.HasSuffix(spellings, "?") {
					continue // only these values, or none at all
				}
				for s := range strings.FieldsSeq(strings.TrimSuffix(spellings, "?")) {
					if len(s) >= 4 && !harmlessName(s) && slices.ContainsFunc(escapeNames[:], func(part string) bool { return strings.Contains(s, part) }) {
						l.note("escape", t.At, "%s is declared harmless", s)
						break
					}
				}
			}
		}
	}
}

// harmlessName knows the common options that only sound like an escape.
func harmlessName(s string) bool {
	for _, part := range [...]string{"output-format", "output-style", "output-color", "output-indicator", "-format", "color", "no-", "output-mode", "output-type", "output-delimiter", "output-separator", "modules-only", "subcommand"} {
		if strings.Contains(s, part) {
			return true
		}
	}
	return s == "--output" || s == "--no-pager"
}

// examples finds options in examples that no table of the program declares.
// Words are cut at blanks, which is enough to see a misspelt option.
func (l *linter) examples(p *match.Program, w *Rule) {
	if p.Open || p.Levels[0].Style == match.Plain || slices.ContainsFunc(p.Rules, func(r match.Rule) bool { return r.AnyFlags }) {
		return
	}
	for _, t := range w.Examples {
		words := strings.Fields(t.Value)
		at := slices.Index(words, p.Name)
		if at < 0 || strings.ContainsAny(t.Value, "'\"`$|&;<>(){}\\") {
			continue
		}
		for _, word := range words[at+1:] {
			if word == "--" {
				break
			}
			name, _, _ := strings.Cut(word, "=")
			if strings.HasPrefix(name, "--") && len(name) > 2 && !declares(p, name) {
				l.note("example-option", t.At, "no table of %s declares %s", p.Name, name)
			}
		}
	}
}

// declares reports whether some table of the program, or of a command that it
// runs, may read the option.
func declares(p *match.Program, name string) bool {
	if p.Runs.Stdin != "" || len(p.Runs.Places) > 0 {
		return true
	}
	for i := range p.Rules {
		if slices.ContainsFunc(p.Rules[i].Operands, func(o match.Operand) bool { return o.Kind == match.Command }) {
			return true
		}
	}
	for i := range p.Levels {
		l := &p.Levels[i]
		for k := range l.Options {
			if l.Options[k].Kind == match.Command {
				return true
			}
			for s := range strings.FieldsSeq(l.Options[k].Spellings) {
				if s == name || match.IsGlob(s) && match.Glob(s, name) || l.Traits&match.Exact == 0 && strings.HasPrefix(s, name) ||
					l.Traits&match.Negate != 0 && (name == "--no-"+strings.TrimPrefix(s, "--") || s == "--no-"+strings.TrimPrefix(name, "--")) {
					return true
				}
			}
		}
	}
	return false
}

// findOption returns the option that a rule means by a spelling, or nil.
func findOption(p *match.Program, r *match.Rule, spelling string) *match.Option {
	for i := len(p.Levels) - 1; i >= 0; i-- {
		l := &p.Levels[i]
		if l.Path != "" && len(r.Paths) > 0 && !below([]string{l.Path}, r.Paths) && !samePaths([]string{l.Path}, r.Paths) && !below(r.Paths, []string{l.Path}) {
			continue
		}
		for k := range l.Options {
			if l.Options[k].Same(spelling, spelling) {
				return &l.Options[k]
			}
		}
	}
	return nil
}

func sameSpelling(p *match.Program, a, b string) bool {
	if a == b {
		return true
	}
	for i := range p.Levels {
		for k := range p.Levels[i].Options {
			if o := &p.Levels[i].Options[k]; o.Same(a, b) {
				return true
			}
		}
	}
	return false
}

// below reports whether one of the deep paths goes on where one of the short
// ones ends.
func below(deep, short []string) bool {
	for _, d := range deep {
		for _, s := range short {
			if strings.HasPrefix(d, s+" ") {
				return true
			}
		}
	}
	return false
}

func samePaths(a, b []string) bool {
	return slices.ContainsFunc(a, func(p string) bool { return slices.Contains(b, p) })
}

package task

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// mak finds targets of makefiles, as GNU make reads them.
//
//	make -C sub test V=1
//
// A target's recipe is a step for each of its lines, after those of its
// prerequisites, whether or not they are up to date. Variables are expanded as
// far as the makefiles say, with the default that ?= gives; one that nothing
// sets may come from the environment and is a variable of the shell in the
// text. What runs a program
// while the makefile is read ($(shell), !=) is a step too, and a problem: its
// output may become anything. So are $(eval), $(file) and what make would
// build by its own implicit rules.
// Source: the GNU make manual.
func mak(s *search) {
	names := []string{"GNUmakefile", "makefile", "Makefile"}
	if files, known := s.options("-f"); len(files) > 0 {
		if !known {
			return
		}
		names = files
		s.Covered = append(s.Covered, "-f")
	} else if file := s.first(s.Dir, names...); file != "" {
		names = []string{file}
	} else {
		return
	}
	m := &makeSearch{search: s, vars: map[string]*makeVar{}}
	m.defaults()
	var goals []string
	for _, w := range s.Call.Operands {
		text, ok := w.Const()
		name, value, assigns := strings.Cut(text, "=")
		switch {
		case !ok:
			s.File = join(s.Dir, names[0])
			s.problem(s.File, 0, "Makes a target whose name is not known: %s", w)
			return
		case assigns:
			m.override(strings.TrimRight(name, ":?+!"), value)
		case strings.Trim(text, "0123456789.") == "" && (s.set("-j") || s.set("-l")):
			// the number of jobs
		default:
			goals = append(goals, strings.TrimPrefix(text, "./"))
		}
	}
	for _, name := range names {
		file := join(s.Dir, name)
		if s.File == "" {
			s.File = file
		}
		if !s.inside(file) {
			s.problem(file, 0, "A makefile outside the workspace")
			return
		}
		m.include(file, true)
	}
	m.exported()
	m.endings()
	if len(goals) == 0 {
		if goal := m.goal(); goal != "" {
			goals = []string{goal}
		} else {
			s.missing(s.File, "The makefile has no target")
		}
	}
	for _, goal := range goals {
		m.visit(policy.Const(goal), nil, true)
	}
	m.remake()
}

// maxChain is how often a pattern may follow on itself. make itself takes each
// once in a chain of targets that nothing mentions.
const maxChain = 4

// enoughSteps are looked at where the makefiles ask anyway: in what a target
// runs, a block may still be found.
const enoughSteps = 50

// makeSearch is what the makefiles say so far.
type makeSearch struct {
	*search
	vars      map[string]*makeVar
	rules     []*makeRule
	files     []string // the makefiles that are read, and those that may be made first
	overrides []string // variables of the command line, NAME=VALUE quoted
	exports   []string
	exportAll bool
	phony     map[string]bool
	oneShell  bool
	suffixes  []policy.Word
	vpath     bool // prerequisites may lie in other directories
	first     string
	env       []policy.Assign
	lists     map[string]map[string]bool // of directories; nil for one that can't be listed
	seen      map[string]bool            // targets that were visited, with their variables

	at    makePlace
	depth int
	nest  int // expansions within expansions
	work  int // expansions
}

// makePlace is the line at hand.
type makePlace struct {
	file string
	line int
}

// makeRule is one rule, or the variables of a target.
type makeRule struct {
	targets  []policy.Word
	form     string        // the pattern that gives each target its stem; "" without one
	prereqs  []policy.Word // a nil list with unknown is not known
	unknown  bool
	recipe   []makeLine
	pattern  bool
	dot      string   // the target of a rule for endings as it stands there: ".c.o"
	endings  bool     // make knows these endings
	variable *makeVar // target: VAR = value
	name     string   // of the variable
	active   int      // how often it is being applied
	at       makePlace
}

// makeLine is one line of a recipe.
type makeLine struct {
	text string
	line int
}

// scope is the variables of a target and of those that it is made for.
type scope struct {
	up   *scope
	name string
	v    *makeVar
}

func (m *makeSearch) trouble(format string, args ...any) {
	m.problem(m.at.file, m.at.line, format, args...)
}

// goal is the target that is made when none is asked for.
func (m *makeSearch) goal() string {
	if v := m.vars[".DEFAULT_GOAL"]; v != nil {
		if text, known := m.expandVar(".DEFAULT_GOAL", nil).Const(); known {
			return strings.TrimSpace(text)
		}
		m.problem(m.File, 0, "The default goal is not known")
	}
	return m.first
}

// remake visits the makefiles themselves: make brings them up to date before
// anything else.
func (m *makeSearch) remake() {
	for _, file := range m.files {
		steps := len(m.Steps)
		for _, name := range [...]string{file, strings.TrimPrefix(file, m.Dir+"/")} {
			m.visit(policy.Const(name), nil, false)
		}
		if len(m.Steps) > steps {
			m.problem(file, 0, "A makefile that make makes again before it reads it")
		}
	}
}

// visit adds what making a target runs. asked says that it must exist.
func (m *makeSearch) visit(target policy.Word, sc *scope, asked bool) {
	if m.seen == nil {
		m.seen = map[string]bool{}
	}
	if len(m.Steps) > maxSteps || len(m.Steps) > enoughSteps && len(m.Problems) > 0 {
		return // a problem says so, or says enough
	}
	if len(m.seen) > 10*maxSteps || m.depth > 200 {
		m.problem(m.File, 0, "Makes more targets than can be followed")
		return
	}
	for _, r := range m.rules {
		if r.variable != nil && r.makes(target) {
			sc = &scope{sc, r.name, r.variable}
		}
	}
	key := target.String() + sc.key()
	if m.seen[key] {
		return
	}
	m.seen[key] = true
	m.depth++
	defer func() { m.depth-- }()

	found, cooked := false, false
	var explicit, patterns []*makeRule
	for _, r := range m.rules {
		if r.variable != nil || !r.makes(target) {
			continue
		}
		if r.pattern && target.Text != r.dot {
			patterns = append(patterns, r)
		} else {
			explicit = append(explicit, r)
			cooked = cooked || len(r.recipe) > 0
		}
	}
	for _, r := range explicit {
		found = true
		m.apply(r, target, sc, explicit)
	}
	name, known := target.Const()
	if !cooked && !m.phony[name] {
		for _, r := range patterns {
			found = true
			if r.active >= maxChain {
				m.problem(r.at.file, r.at.line, "A rule that leads to itself: %s", policy.Quote(rendered(r.targets[0])))
				continue
			}
			r.active++
			m.apply(r, target, sc, explicit)
			r.active--
		}
		if len(patterns) == 0 && known {
			if file := m.implicit(name); file != "" {
				found = true
				m.problem(m.File, 0, "make's own rules build %s from %s", policy.Quote(name), file)
			}
		}
	}
	if found || known && m.exists(join(m.Dir, name)) {
		return
	}
	for _, r := range m.rules {
		if len(r.recipe) > 0 && slices.ContainsFunc(r.targets, func(w policy.Word) bool { return w.Text == ".DEFAULT" }) {
			m.apply(r, target, sc, nil)
			found = true
		}
	}
	if asked && !found {
		m.missing(m.File, "No target is called %s", policy.Quote(name))
	}
}

// endings works out which targets with dots are rules for endings.
func (m *makeSearch) endings() {
	known := func(ending string) bool {
		switch ending {
		case "out", "a", "ln", "o", "c", "cc", "C", "cpp", "p", "f", "F", "m", "r", "y", "l", "ym", "yl", "s", "S", "mod", "sym", "def", "h", "info", "dvi", "tex",
			"texinfo", "texi", "txinfo", "w", "ch", "web", "sh", "elc", "el":
			return true
		}
		return slices.ContainsFunc(m.suffixes, func(w policy.Word) bool { return w.Text == "."+ending || !w.IsConst() })
	}
	for _, r := range m.rules {
		r.endings = r.dot != "" && !slices.ContainsFunc(strings.Split(r.dot[1:], "."), func(ending string) bool { return !known(ending) })
	}
}

// key tells scopes apart.
func (sc *scope) key() string {
	text := ""
	for ; sc != nil; sc = sc.up {
		text += "\x00" + sc.name + "=" + sc.v.text.String()
	}
	return text
}

// makes reports whether a rule makes a target.
func (r *makeRule) makes(target policy.Word) bool {
	_, ok := r.stemOf(target)
	return ok
}

// stemOf returns the stem with which a rule makes a target; empty without one.
// It reports false if it does not.
func (r *makeRule) stemOf(target policy.Word) (stem policy.Word, ok bool) {
	name, known := target.Const()
	switch {
	case r.dot != "" && name == r.dot:
		return policy.Word{}, true
	case r.dot != "" && !r.endings:
		return policy.Word{}, false
	}
	for _, t := range r.targets {
		text, plain := t.Const()
		switch {
		case !plain && (!known || mayBe(t, name)), plain && known && text == name:
			before, after, _ := strings.Cut(r.form, "%")
			if stem, ok = stemIn(target, before, after); r.form == "" {
				stem = policy.Word{}
			} else if !ok {
				stem = someWords("unknown")
			}
			return stem, true
		case plain && r.pattern && hasStem(t):
			before, after, _ := strings.Cut(text, "%")
			if stem, ok := stemIn(target, before, after); ok {
				return stem, true
			}
		}
	}
	return policy.Word{}, false
}

func hasStem(w policy.Word) bool {
	return strings.Contains(w.Text, "%") || slices.ContainsFunc(w.Parts, func(p policy.Part) bool { return strings.Contains(p.Text, "%") })
}

// stemIn is a name without its start and its end. It reports false for one that
// begins or ends otherwise.
func stemIn(w policy.Word, before, after string) (stem policy.Word, ok bool) {
	if text, known := w.Const(); known {
		ok = len(text) >= len(before)+len(after) && strings.HasPrefix(text, before) && strings.HasSuffix(text, after)
		if !ok {
			return policy.Word{}, false
		}
		return policy.Const(text[len(before) : len(text)-len(after)]), true
	}
	parts := slices.Clone(w.Parts)
	first, last := &parts[0], &parts[len(parts)-1]
	if before != "" && (first.Kind != policy.Lit || !strings.HasPrefix(first.Text, before)) || after != "" && (last.Kind != policy.Lit || !strings.HasSuffix(last.Text, after)) {
		return policy.Word{}, false
	}
	first.Text = strings.TrimPrefix(first.Text, before)
	last.Text = strings.TrimSuffix(last.Text, after)
	return policy.Word{Parts: parts}, true
}

// withStem is a name with a stem in the place of "%".
func withStem(w, stem policy.Word) policy.Word {
	pieces := splitText(w, "%")
	if len(pieces) == 1 {
		return w
	}
	return concat(pieces[0], stem, joinTexts(pieces[1:], "%"))
}

// mayBe reports whether a target of which some is not known may be one of a
// name.
func mayBe(w policy.Word, name string) bool {
	before, after := w.Prefix(), ""
	if last := w.Parts[len(w.Parts)-1]; last.Kind == policy.Lit {
		after = last.Text[strings.LastIndexByte(last.Text, '%')+1:]
	}
	before, _, _ = strings.Cut(before, "%")
	return len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after)
}

// apply adds the prerequisites and the recipe of a rule for a target. all are
// the explicit rules of the target, whose prerequisites join.
func (m *makeSearch) apply(r *makeRule, target policy.Word, sc *scope, all []*makeRule) {
	stem, _ := r.stemOf(target)
	prereqs := r.prerequisites(stem)
	if r.unknown {
		m.problem(r.at.file, r.at.line, "The prerequisites of %s are not known", policy.Quote(rendered(target)))
	}
	for _, p := range prereqs {
		m.visit(p, sc, false)
	}
	if len(r.recipe) == 0 {
		return
	}
	for _, other := range all {
		if other != r {
			prereqs = append(prereqs, other.prerequisites(stem)...)
		}
	}
	list, first := joinTexts(prereqs, " "), policy.Word{}
	if len(prereqs) > 0 {
		first = prereqs[0]
	}
	for _, v := range [...]struct {
		name  string
		value policy.Word
	}{{"@", target}, {"*", stem}, {"<", first}, {"^", list}, {"+", list}, {"?", list}, {"|", policy.Word{}}} {
		sc = &scope{sc, v.name, &makeVar{text: v.value, simple: true}}
	}
	lines := r.recipe
	if m.oneShell {
		text := ""
		for _, l := range lines {
			text += strings.TrimLeft(l.text, "@+- \t") + "\n"
		}
		lines = []makeLine{{text, lines[0].line}}
	}
	for _, l := range lines {
		m.at = makePlace{r.at.file, l.line}
		for _, line := range recipeLines(m.expand(l.text, sc)) {
			m.recipe(target, line, sc)
		}
	}
}

// recipeLines splits what a line of a recipe expands to, but for lines that go
// on after a backslash.
func recipeLines(text policy.Word) []policy.Word {
	var lines []policy.Word
	for _, line := range splitText(text, "\n") {
		if n := len(lines); n > 0 && policy.Escapes(lastText(lines[n-1])) {
			lines[n-1] = concat(lines[n-1], policy.Const("\n"), line)
			continue
		}
		lines = append(lines, line)
	}
	return lines
}

// lastText is the known text at the end of one.
func lastText(w policy.Word) string {
	if n := len(w.Parts); n > 0 {
		if w.Parts[n-1].Kind != policy.Lit {
			return ""
		}
		return w.Parts[n-1].Text
	}
	return w.Text
}

// recipe adds one line of a recipe, for the shell that the makefile wants.
func (m *makeSearch) recipe(target, text policy.Word, sc *scope) {
	text = trimStart(text, "@+- \t")
	if len(textFields(text)) == 0 {
		return
	}
	if p := text.Parts; len(p) > 1 && p[0].Kind != policy.Lit && !strings.HasPrefix(p[1].Text, " ") {
		// What stands there may also be "@".
		m.trouble("What the line runs is not known: %s", policy.Quote(rendered(text)))
	}
	m.made(Step{Name: rendered(target), File: m.at.file, Line: m.at.line, Shell: m.shellOf(sc), Dir: m.Dir, Env: m.scoped(sc)}, text)
}

// shellOf is the shell that runs recipes.
func (m *makeSearch) shellOf(sc *scope) string {
	flags := strings.Fields(rendered(m.expandVar(".SHELLFLAGS", sc)))
	for i, flag := range flags {
		if flag == "-o" && i+1 < len(flags) || i > 0 && (flags[i-1] == "-o" || strings.HasSuffix(flags[i-1], "o")) && (flag == "pipefail" || flag == "errexit" || flag == "nounset") {
			continue
		}
		if !strings.HasPrefix(flag, "-") || strings.Trim(flag, "-euxoc") != "" {
			m.trouble("Runs its shell with %s", policy.Quote(flag))
		}
	}
	words := strings.Fields(rendered(m.expandVar("SHELL", sc)))
	if len(words) == 2 && path.Base(words[0]) == "env" {
		words = words[1:]
	}
	if len(words) == 1 && isShell(path.Base(words[0])) {
		if dir, name := path.Split(words[0]); dir == "" || policy.SystemDir(strings.TrimSuffix(dir, "/")) {
			return name
		}
	}
	m.trouble("Runs its lines by %s", policy.Quote(strings.Join(words, " ")))
	return ""
}

// exported works out the variables that recipes see in their environment.
func (m *makeSearch) exported() {
	names := m.exports
	if m.exportAll {
		for name := range m.vars {
			if isName(name) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
	}
	for _, name := range names {
		if v := m.vars[name]; v == nil || v.builtin {
			continue // passed on as it is
		}
		m.env = append(m.env, assigned(name, m.expandVar(name, nil)))
	}
}

// scoped is the environment of a target's recipe.
func (m *makeSearch) scoped(sc *scope) []policy.Assign {
	env := m.env
	for s := sc; s != nil; s = s.up {
		if s.v.export || slices.Contains(m.exports, s.name) {
			env = append(env[:len(env):len(env)], assigned(s.name, m.expandVar(s.name, sc)))
		}
	}
	return env
}

// prerequisites are a rule's, with the stem in the place of "%".
func (r *makeRule) prerequisites(stem policy.Word) []policy.Word {
	out := slices.Clone(r.prereqs)
	if r.pattern || r.form != "" {
		for i := range out {
			out[i] = withStem(out[i], stem)
		}
	}
	return out
}

// implicit returns the file from which make's built-in rules would make a
// target, or "": one that is there, or that a rule of the makefile makes.
func (m *makeSearch) implicit(target string) string {
	if m.set("-r") || m.set("-R") || target == "" || strings.HasPrefix(target, "/") && !strings.HasPrefix(target, m.Dir+"/") {
		return ""
	}
	dir, base := path.Split(target)
	stems := []string{base}
	if ext := path.Ext(base); ext != "" {
		stems = append(stems, strings.TrimSuffix(base, ext))
	}
	var from []string
	for i, stem := range stems {
		for _, ext := range [...]string{".c", ".cc", ".cpp", ".C", ".o", ".s", ".S", ".y", ".l", ".f", ".F", ".p", ".r", ".m", ".mod", ".sym", ".def", ".sh", ".tex", ".texi", ".texinfo", ".txinfo", ".web", ".w", ".ch", ".h"} {
			if i == 0 && ext == ".h" || i > 0 && (stem+ext == base || !builtFrom(path.Ext(base))) {
				continue
			}
			from = append(from, stem+ext)
		}
	}
	from = append(from, base+",v", "RCS/"+base+",v", "RCS/"+base, "s."+base, "SCCS/s."+base)
	for _, name := range from {
		if m.listed(join(m.Dir, dir+name)) || m.ruled(dir+name) {
			return dir + name
		}
	}
	if (m.vpath || m.vars["VPATH"] != nil) && !m.exists(join(m.Dir, target)) {
		return "a directory of VPATH"
	}
	return ""
}

// listed is exists by the list of the directory, which is read once.
func (m *makeSearch) listed(file string) bool {
	dir, base := path.Split(file)
	names, ok := m.lists[dir]
	if !ok {
		list, err := m.Files.ReadDir(path.Clean(dir), maxNames)
		if err == nil || absent(err) {
			names = make(map[string]bool, len(list))
			for _, name := range list {
				names[name] = true
			}
		}
		if m.lists == nil {
			m.lists = make(map[string]map[string]bool)
		}
		m.lists[dir] = names
	}
	if names == nil {
		return m.exists(file)
	}
	return names[base]
}

// ruled reports whether a rule makes a file.
func (m *makeSearch) ruled(file string) bool {
	target := policy.Const(file)
	return slices.ContainsFunc(m.rules, func(r *makeRule) bool { return r.variable == nil && r.makes(target) })
}

// builtFrom reports whether make has built-in rules for files of an ending.
func builtFrom(ext string) bool {
	switch ext {
	case ".o", ".a", ".c", ".s", ".r", ".f", ".p", ".ln", ".tex", ".dvi", ".info", ".i", ".sym", ".mod", ".out", ".elc":
		return true
	}
	return false
}

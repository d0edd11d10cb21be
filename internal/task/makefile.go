package task

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// include reads a makefile. must says that it has to be there.
func (m *makeSearch) include(file string, must bool) {
	if !slices.Contains(m.files, file) {
		m.files = append(m.files, file)
	}
	data, err := m.text(file)
	if err != nil {
		if must || !absent(err) {
			m.unreadable(file, err)
		}
		return
	}
	if m.depth++; m.depth > 20 {
		m.problem(file, 0, "Makefiles include each other too deeply")
		return
	}
	saved := m.at
	p := makeParser{makeSearch: m, file: file, lines: strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n"), secret: strings.HasPrefix(path.Base(file), ".env")}
	p.all()
	m.at = saved
	m.depth--
}

// makeParser reads one makefile.
type makeParser struct {
	*makeSearch
	file   string
	lines  []string
	next   int
	rule   *makeRule // to which lines that begin with a tab belong
	conds  []makeCond
	secret bool // the values are nobody's business
}

// makeCond is one conditional that is open.
type makeCond struct {
	taken policy.Tri // whether the branch at hand is
	done  policy.Tri // whether an earlier one was
}

// live tells whether lines count here.
func (p *makeParser) live() policy.Tri {
	live := policy.Yes
	for _, c := range p.conds {
		live = min(live, c.taken)
	}
	return live
}

func (p *makeParser) all() {
	for p.next < len(p.lines) {
		p.at = makePlace{p.file, p.next + 1}
		line := p.lines[p.next]
		if strings.HasPrefix(line, "\t") && p.rule != nil {
			p.recipeLine()
			continue
		}
		line = p.logical()
		text := strings.TrimSpace(withoutComment(line))
		if text == "" {
			continue
		}
		if p.conditional(text) || p.live() == policy.No {
			if word, _ := firstWord(text); word == "define" && p.live() == policy.No {
				p.define(text)
			}
			continue
		}
		p.statement(text, line)
	}
	if len(p.conds) > 0 {
		p.trouble("A conditional that is not closed")
	}
}

// logical returns the line at hand joined with those that it goes on in.
func (p *makeParser) logical() string {
	line := p.lines[p.next]
	p.next++
	for policy.Escapes(line) && p.next < len(p.lines) {
		line = strings.TrimRight(line[:len(line)-1], " \t") + " " + strings.TrimLeft(p.lines[p.next], " \t")
		p.next++
	}
	return line
}

// recipeLine adds a line to the rule at hand, with those that it goes on in.
func (p *makeParser) recipeLine() {
	start := p.next
	line := p.lines[p.next][1:]
	p.next++
	for policy.Escapes(line) && p.next < len(p.lines) {
		line += "\n" + strings.TrimPrefix(p.lines[p.next], "\t")
		p.next++
	}
	if p.live() != policy.No && p.rule.at.line > 0 {
		p.rule.recipe = append(p.rule.recipe, makeLine{line, start + 1})
	}
}

// withoutComment cuts a comment off a line that is no recipe.
func withoutComment(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] == '#' {
			if i > 0 && s[i-1] == '\\' {
				s = s[:i-1] + s[i:]
				continue
			}
			return s[:i]
		}
	}
	return s
}

func firstWord(s string) (word, rest string) {
	i := strings.IndexAny(s, " \t")
	if i < 0 {
		return s, ""
	}
	return s[:i], strings.TrimSpace(s[i:])
}

// conditional reads ifeq, else, endif. It reports false for other lines.
func (p *makeParser) conditional(text string) bool {
	word, rest := firstWord(text)
	if i := strings.IndexAny(word, "(\"'"); i > 0 { // ifeq(a,b)
		word, rest = word[:i], strings.TrimSpace(text[i:])
	}
	switch word {
	case "ifeq", "ifneq", "ifdef", "ifndef":
		taken := policy.No
		if p.live() != policy.No {
			taken = p.condition(word, rest)
		}
		p.conds = append(p.conds, makeCond{taken, taken})
		return true
	case "else":
		if len(p.conds) == 0 {
			p.trouble("An else without a condition")
			return true
		}
		c := &p.conds[len(p.conds)-1]
		before := c.done
		c.taken = policy.Yes - before
		if next, more := firstWord(rest); strings.HasPrefix(next, "if") {
			c.taken = policy.No // while the condition is looked at
			outer := (&makeParser{conds: p.conds[:len(p.conds)-1]}).live()
			if outer != policy.No && before != policy.Yes {
				c.taken = min(policy.Yes-before, p.condition(next, more))
			}
		}
		c.done = max(c.done, c.taken)
		return true
	case "endif":
		if len(p.conds) == 0 {
			p.trouble("An endif without a condition")
			return true
		}
		p.conds = p.conds[:len(p.conds)-1]
		return true
	}
	return false
}

// condition tells whether a conditional's lines count.
func (p *makeParser) condition(word, rest string) policy.Tri {
	if word == "ifdef" || word == "ifndef" {
		name, known := p.expand(rest, nil).Const()
		v := p.vars[strings.TrimSpace(name)]
		switch {
		case !known || v == nil || !v.text.IsConst():
			return policy.Maybe
		case (v.text.Text != "") == (word == "ifdef"):
			return policy.Yes
		}
		return policy.No
	}
	var a, b string
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(rest, "(") && strings.HasSuffix(rest, ")") {
		inner := rest[1 : len(rest)-1]
		i := outside(inner, ",")
		if i < 0 {
			p.trouble("A condition that can't be read")
			return policy.Maybe
		}
		a, b = inner[:i], inner[i+1:]
	} else {
		parts := make([]string, 0, 2)
		for rest != "" && (rest[0] == '"' || rest[0] == '\'') {
			end := strings.IndexByte(rest[1:], rest[0])
			if end < 0 {
				break
			}
			parts = append(parts, rest[1:end+1])
			rest = strings.TrimSpace(rest[end+2:])
		}
		if len(parts) != 2 {
			p.trouble("A condition that can't be read")
			return policy.Maybe
		}
		a, b = parts[0], parts[1]
	}
	left, known := p.expand(a, nil).Const()
	right, also := p.expand(b, nil).Const()
	switch {
	case !known || !also:
		return policy.Maybe
	case (strings.TrimSpace(left) == strings.TrimSpace(right)) == (word == "ifeq"):
		return policy.Yes
	}
	return policy.No
}

// outside returns where one of the bytes stands outside of references.
func outside(s, bytes string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '$' && i+1 < len(s) && (s[i+1] == '(' || s[i+1] == '{'):
			depth++
			i++
		case depth > 0 && (c == '(' || c == '{'):
			depth++
		case depth > 0 && (c == ')' || c == '}'):
			depth--
		case depth == 0 && strings.IndexByte(bytes, c) >= 0:
			return i
		}
	}
	return -1
}

// statement reads a line that is neither a recipe nor a conditional.
func (p *makeParser) statement(text, line string) {
	word, rest := firstWord(text)
	switch word {
	case "include", "-include", "sinclude":
		p.rule = nil
		p.includes(rest, word == "include")
		return
	case "define":
		p.rule = nil
		p.define(text)
		return
	case "vpath":
		p.vpath = p.vpath || rest != ""
		return
	case "undefine":
		delete(p.vars, strings.TrimSpace(rest))
		return
	case "load", "-load":
		p.trouble("Loads a program into make")
		return
	case "export", "unexport", "override", "private":
		if assignment(rest) < 0 {
			p.rule = nil
			p.exporting(word, rest)
			return
		}
	}
	if body, words := modifiers(text); assignment(body) >= 0 {
		p.rule = nil
		if name := p.assign(body, slices.Contains(words, "override"), nil); name != "" && slices.Contains(words, "export") {
			p.exports = append(p.exports, name)
		}
		return
	}
	if colon := outside(text, ":"); colon >= 0 {
		p.ruleLine(line)
		return
	}
	if len(textFields(p.expand(text, nil))) > 0 {
		p.trouble("A line that is neither a rule nor an assignment")
	}
}

// modifiers are the words before an assignment.
func modifiers(text string) (assigned string, words []string) {
	for {
		word, rest := firstWord(text)
		if word != "export" && word != "override" && word != "private" || assignment(rest) < 0 {
			return text, words
		}
		text, words = rest, append(words, word)
	}
}

func (p *makeParser) exporting(word, rest string) {
	var names []string
	for _, w := range textFields(p.expand(rest, nil)) {
		names = append(names, w.Text) // "" where it is not known
	}
	switch {
	case word == "unexport":
		p.exports = slices.DeleteFunc(p.exports, func(n string) bool { return p.live() == policy.Yes && slices.Contains(names, n) })
	case word != "export":
		p.trouble("A line that can't be read")
	case len(names) == 0:
		p.exportAll = true
	default:
		p.exports = append(p.exports, names...)
	}
}

// assignment returns the index of the operator of an assignment, or -1 for a
// line that is none.
func assignment(text string) int {
	at := 0
	for {
		i := outside(text[at:], ":=?+!")
		if i < 0 {
			return -1
		}
		i += at
		switch c := text[i]; {
		case c == '=':
			return i
		case c == ':' && (strings.HasPrefix(text[i:], ":=") || strings.HasPrefix(text[i:], "::=") || strings.HasPrefix(text[i:], ":::=")):
			return i
		case c == ':':
			return -1
		case i+1 < len(text) && text[i+1] == '=':
			return i
		}
		at = i + 1
	}
}

// includes reads other makefiles.
func (p *makeParser) includes(rest string, must bool) {
	text, known := p.expand(rest, nil).Const()
	if !known {
		p.trouble("Includes a makefile whose name is not known")
		return
	}
	for _, word := range strings.Fields(text) {
		files := []string{word}
		if strings.ContainsAny(word, "*?[") {
			found, ok := p.glob(word)
			if !ok {
				p.trouble("Includes makefiles that are not known")
				return
			}
			files = found
		}
		for _, file := range files {
			file = join(p.Dir, file)
			if !p.inside(file) {
				p.trouble("Includes a makefile outside the workspace")
				return
			}
			if must && !p.exists(file) {
				p.makeSearch.files = append(p.makeSearch.files, file) // it may be made
				continue
			}
			p.include(file, false)
		}
	}
}

// ruleLine reads a rule's first line.
func (p *makeParser) ruleLine(line string) {
	r := &makeRule{at: p.at}
	p.rule = r
	text := withoutComment(line)
	colon := outside(text, ":")
	head, rest := text[:colon], strings.TrimPrefix(text[colon+1:], ":")
	head = strings.TrimSuffix(strings.TrimSpace(head), "&")
	targets := p.expand(head, nil)
	r.targets = p.names(targets)
	if isOpen(targets) {
		p.trouble("A rule for targets that are not known: %s", policy.Quote(rendered(targets)))
	}
	r.pattern = slices.ContainsFunc(r.targets, hasStem)
	if body, words := modifiers(strings.TrimSpace(rest)); assignment(body) >= 0 {
		p.rule = nil
		if p.assign(body, true, r); r.variable != nil {
			r.variable.export = slices.Contains(words, "export")
		}
		return
	}
	if semi := outside(rest, ";"); semi >= 0 {
		if full := outside(line, ";"); full >= 0 { // a recipe keeps its "#"
			r.recipe = append(r.recipe, makeLine{strings.TrimLeft(line[full+1:], " \t"), p.at.line})
		}
		rest = rest[:semi]
	}
	special := p.special(r, rest)
	if i := outside(rest, ":"); i >= 0 { // targets: pattern: prerequisites
		form, known := p.expand(rest[:i], nil).Const()
		r.form, r.pattern = strings.TrimSpace(form), false
		r.unknown = !known || slices.ContainsFunc(r.targets, policy.Word.HasHole)
		rest = rest[i+1:]
	}
	prereqs := p.expand(rest, nil)
	r.unknown = r.unknown || !prereqs.IsConst()
	for _, w := range p.names(prereqs) {
		if w.Text != "|" && w.Text != ".WAIT" {
			r.prereqs = append(r.prereqs, w)
		}
	}
	if special {
		return
	}
	p.add(r)
}

// add keeps a rule, and notes the first target.
func (p *makeParser) add(r *makeRule) {
	p.rules = append(p.rules, r)
	if p.makeSearch.first == "" && !r.pattern {
		for _, t := range r.targets {
			if text, known := t.Const(); known && (!strings.HasPrefix(text, ".") || strings.Contains(text, "/")) {
				p.makeSearch.first = text
				break
			}
		}
	}
}

// special reads the targets that mean something to make. It reports whether
// the rule is only that.
func (p *makeParser) special(r *makeRule, rest string) bool {
	if len(r.targets) != 1 {
		return false
	}
	switch target := r.targets[0].Text; target {
	case ".PHONY":
		if p.phony == nil {
			p.phony = map[string]bool{}
		}
		for _, name := range p.names(p.expand(rest, nil)) {
			if text, known := name.Const(); known {
				p.phony[text] = true
			}
		}
	case ".ONESHELL":
		p.oneShell = true
	case ".EXPORT_ALL_VARIABLES":
		p.exportAll = true
	case ".SECONDEXPANSION":
		p.trouble("Expands prerequisites twice")
	case ".SILENT", ".IGNORE", ".PRECIOUS", ".INTERMEDIATE", ".SECONDARY", ".NOTINTERMEDIATE", ".DELETE_ON_ERROR", ".LOW_RESOLUTION_TIME", ".NOTPARALLEL", ".POSIX", ".WAIT":
	case ".SUFFIXES":
		p.suffixes = append(p.suffixes, p.names(p.expand(rest, nil))...)
	default:
		if strings.HasPrefix(target, ".") && !strings.Contains(target, "/") && strings.Count(target, ".") <= 2 && strings.TrimSpace(rest) == "" && target != ".DEFAULT" {
			// .c.o: a rule for endings, in the old way, if make knows them
			from, to, two := strings.Cut(target[1:], ".")
			r.pattern, r.dot = true, target
			if r.targets[0] = policy.Const("%." + to); !two {
				r.targets[0] = policy.Const("%")
			}
			r.prereqs = []policy.Word{policy.Const("%." + from)}
		}
		return false
	}
	return true
}

// names splits a list of targets, with the files that patterns match.
func (p *makeParser) names(list policy.Word) []policy.Word {
	var names []policy.Word
	for _, w := range textFields(list) {
		if text, known := w.Const(); known && strings.ContainsAny(text, "*?[") {
			if found, ok := p.glob(text); ok {
				for _, name := range found {
					names = append(names, policy.Const(name))
				}
				continue
			}
			p.trouble("A pattern that matches too many files: %s", policy.Quote(text))
		}
		if strings.HasPrefix(w.Prefix(), "./") {
			w, _ = stemIn(w, "./", "")
		}
		names = append(names, w)
	}
	return names
}

// glob lists the files that a pattern matches. It reports false if there are
// too many.
func (m *makeSearch) glob(pattern string) ([]string, bool) {
	dirs := []string{""}
	parts := strings.Split(pattern, "/")
	for i, part := range parts {
		var next []string
		for _, dir := range dirs {
			if !strings.ContainsAny(part, "*?[") {
				if i < len(parts)-1 || m.exists(join(m.Dir, dir+part)) {
					next = append(next, dir+part)
				}
				continue
			}
			list, err := m.Files.ReadDir(join(m.Dir, dir+"."), maxNames)
			if err != nil {
				if absent(err) {
					continue
				}
				return nil, false
			}
			for _, name := range list {
				if ok, err := path.Match(part, name); ok && err == nil && (name[0] != '.' || part[0] == '.') {
					next = append(next, dir+name)
				}
			}
			if len(next) > maxNames {
				return nil, false
			}
		}
		dirs = next
		if i < len(parts)-1 {
			for k := range dirs {
				dirs[k] += "/"
			}
		}
	}
	return dirs, true
}

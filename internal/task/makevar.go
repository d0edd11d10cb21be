package task

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// makeVar is one variable.
type makeVar struct {
	text    policy.Word
	simple  bool // expanded already
	fixed   bool // the command line's: only override changes it
	builtin bool
	export  bool
	at      makePlace
}

// defaults sets what make knows before it reads anything.
func (m *makeSearch) defaults() {
	for _, v := range [...][2]string{
		{"CC", "cc"}, {"CXX", "g++"}, {"CPP", "$(CC) -E"}, {"AR", "ar"}, {"ARFLAGS", "rv"}, {"AS", "as"}, {"LD", "ld"}, {"FC", "f77"}, {"RM", "rm -f"},
		{"LEX", "lex"}, {"YACC", "yacc"}, {"SHELL", "/bin/sh"}, {".SHELLFLAGS", "-c"}, {"CURDIR", m.Dir}, {"MAKE_VERSION", "4.4"},
		{"MAKELEVEL", "0"}, {"MAKEFLAGS", ""}, {"MFLAGS", ""}, {"PWD", m.Dir}, {"OS", ""}, {"ComSpec", ""}, {"COMSPEC", ""}, {"SystemRoot", ""},
	} {
		m.vars[v[0]] = &makeVar{text: policy.Const(v[1]), builtin: true}
	}
	for _, name := range [...]string{"MAKEFILE_LIST", "MAKECMDGOALS"} {
		m.vars[name] = &makeVar{text: someWords(name), builtin: true}
	}
	for _, a := range m.search.Env {
		if a.Name == "" || a.Name == "SHELL" {
			continue
		}
		v := &makeVar{text: someWords(a.Name), builtin: true}
		if a.Value.IsConst() {
			v.text = a.Value // make expands it, too
		}
		m.vars[a.Name] = v
	}
}

// override sets a variable of the command line.
func (m *makeSearch) override(name, value string) {
	m.vars[name] = &makeVar{text: policy.Const(value), fixed: true}
	m.overrides = append(m.overrides, policy.Quote(name+"="+value))
	m.exports = append(m.exports, name)
}

// maxWork bounds the expansions for one call, and maxText the length of one.
const (
	maxWork = 50000
	maxText = 64 << 10
)

// lookup returns a variable as a target sees it, or nil.
func (m *makeSearch) lookup(name string, sc *scope) *makeVar {
	global := m.vars[name]
	if global != nil && global.fixed {
		return global
	}
	for ; sc != nil; sc = sc.up {
		if sc.name == name {
			return sc.v
		}
	}
	return global
}

// expandVar is the value of a variable.
func (m *makeSearch) expandVar(name string, sc *scope) policy.Word {
	switch name {
	case "MAKE", "MAKE_COMMAND":
		if v := m.vars[name]; v == nil {
			return policy.Const(strings.Join(append([]string{"make"}, m.overrides...), " "))
		}
	case "MAKEFILES", "MAKEOVERRIDES", "-*-command-variables-*-":
		return anyText(name)
	}
	v := m.lookup(name, sc)
	if v == nil {
		if strings.ContainsAny(name, "@<^+?*|%") && len(name) <= 3 {
			return policy.Word{}
		}
		return someWords(name)
	}
	if v.simple {
		return v.text
	}
	if m.work++; m.work > maxWork || m.nest > 100 {
		m.overworked()
		return someWords(name)
	}
	m.nest++
	at := m.at
	text := m.expandText(v.text, sc)
	m.at = at
	m.nest--
	return text
}

func (m *makeSearch) overworked() {
	const text = "The makefile's variables are too many to follow"
	for i := range m.Problems {
		if m.Problems[i].Text == text {
			return
		}
	}
	m.trouble("%s", text)
}

// expandText is expand for a text of which some is not known.
func (m *makeSearch) expandText(w policy.Word, sc *scope) policy.Word {
	if w.Parts == nil {
		return m.expand(w.Text, sc)
	}
	var b textBuilder
	for _, p := range w.Parts {
		if p.Kind == policy.Lit {
			b.word(m.expand(p.Text, sc))
		} else {
			b.part(p)
		}
	}
	return b.done()
}

// expand replaces references.
func (m *makeSearch) expand(text string, sc *scope) policy.Word {
	if !strings.Contains(text, "$") {
		return policy.Const(text)
	}
	if m.work++; m.work > maxWork {
		m.overworked()
		return someWords("unknown")
	}
	var b textBuilder
	for {
		i := strings.IndexByte(text, '$')
		if i < 0 || i+1 == len(text) {
			b.string(text)
			return b.done()
		}
		b.string(text[:i])
		text = text[i+1:]
		end := 0
		switch c := text[0]; c {
		case '$':
			b.string("$")
		case '(', '{':
			if end = closing(text, 0); end < 0 {
				m.trouble("A reference that is not closed")
				b.word(someWords("unknown"))
				return b.done()
			}
			b.word(m.reference(text[1:end], sc))
		default:
			b.word(m.expandVar(string(c), sc))
		}
		text = text[end+1:]
		if b.size > maxText || len(b.parts) > maxText {
			m.overworked()
			return someWords("unknown")
		}
	}
}

// closing returns the index of the bracket that closes the one at i, or -1.
func closing(text string, i int) int {
	open, end := text[i], byte(')')
	if open == '{' {
		end = '}'
	}
	depth := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// reference is what stands for $(inner).
func (m *makeSearch) reference(inner string, sc *scope) policy.Word {
	if m.nest > 100 {
		m.overworked()
		return someWords("unknown")
	}
	m.nest++
	defer func() { m.nest-- }()
	if i := strings.IndexAny(inner, " \t"); i > 0 && isFunction(inner[:i]) {
		return m.function(inner[:i], strings.TrimLeft(inner[i:], " \t"), sc)
	}
	if i := outside(inner, ":"); i > 0 { // $(VAR:.c=.o)
		if from, to, ok := strings.Cut(inner[i+1:], "="); ok {
			value := anyText("unknown") // any of the makefile's variables
			if name, known := m.expand(inner[:i], sc).Const(); known {
				value = m.expandVar(strings.TrimSpace(name), sc)
			}
			a, b := m.expand(from, sc), m.expand(to, sc)
			if text, known := a.Const(); !known || !strings.Contains(text, "%") {
				a, b = concat(policy.Const("%"), a), concat(policy.Const("%"), b)
			}
			return m.pure("patsubst", []policy.Word{a, b, value})
		}
	}
	name, known := m.expand(inner, sc).Const()
	if !known {
		return anyText("unknown") // any of the makefile's variables
	}
	if len(name) == 2 && (name[1] == 'D' || name[1] == 'F') && strings.IndexByte("@<^+?*", name[0]) >= 0 {
		value := m.expandVar(name[:1], sc)
		if name[1] == 'F' {
			return m.pure("notdir", []policy.Word{value})
		}
		dir := m.pure("dir", []policy.Word{value})
		dir.Text = strings.TrimSuffix(dir.Text, "/")
		return dir
	}
	return m.expandVar(name, sc)
}

func isFunction(name string) bool {
	switch name {
	case "subst", "patsubst", "strip", "findstring", "filter", "filter-out", "sort", "word", "words", "wordlist", "firstword", "lastword", "dir", "notdir", "suffix",
		"basename", "addsuffix", "addprefix", "join", "wildcard", "realpath", "abspath", "if", "or", "and", "intcmp", "foreach", "let", "file", "call", "value", "eval",
		"origin", "flavor", "shell", "guile", "error", "warning", "info":
		return true
	}
	return false
}

// function is the value of a function of make.
func (m *makeSearch) function(name, rest string, sc *scope) policy.Word {
	args := arguments(rest)
	arg := func(i int) policy.Word {
		if i < len(args) {
			return m.expand(args[i], sc)
		}
		return policy.Word{}
	}
	switch name {
	case "shell":
		return m.run(m.expand(rest, sc))
	case "eval", "file", "guile", "let", "intcmp":
		m.trouble("Uses $(%s)", name)
		m.expand(rest, sc)
		return someWords(name)
	case "error", "warning", "info":
		m.expand(rest, sc)
		return policy.Word{}
	case "origin", "flavor":
		return someWords(name)
	case "value":
		if variable, known := arg(0).Const(); known {
			if v := m.lookup(strings.TrimSpace(variable), sc); v != nil {
				return v.text
			}
		}
		return someWords(name)
	case "if":
		switch cond, known := arg(0).Const(); {
		case !known:
			a, b := arg(1), arg(2)
			if sameText(a, b) {
				return a
			}
			return opaque(a, b)
		case strings.TrimSpace(cond) != "":
			return arg(1)
		}
		return arg(2)
	case "or", "and":
		return m.either(name, len(args), arg)
	case "foreach":
		return m.foreach(args, arg, sc)
	case "call":
		return m.call(args, arg, sc)
	}
	values := make([]policy.Word, len(args))
	for i := range args {
		values[i] = arg(i)
	}
	return m.pure(name, values)
}

// either is the value of $(or ...), or of $(and ...).
func (m *makeSearch) either(name string, n int, arg func(int) policy.Word) policy.Word {
	last := ""
	for i := range n {
		text, known := arg(i).Const()
		if !known {
			var all []policy.Word
			for i := range n {
				all = append(all, arg(i))
			}
			return opaque(all...)
		}
		last = strings.TrimSpace(text)
		if (last != "") == (name == "or") {
			break
		}
	}
	return policy.Const(last)
}

// foreach is the value of $(foreach variable,list,text).
func (m *makeSearch) foreach(args []string, arg func(int) policy.Word, sc *scope) policy.Word {
	if len(args) < 3 {
		return policy.Word{}
	}
	variable, known := arg(0).Const()
	if !known {
		return anyText("unknown")
	}
	list := textFields(arg(1))
	for i, word := range list {
		list[i] = m.expand(strings.Join(args[2:], ","), &scope{sc, strings.TrimSpace(variable), &makeVar{text: word, simple: true}})
	}
	return joinTexts(list, " ")
}

// call is the value of $(call variable,arguments).
func (m *makeSearch) call(args []string, arg func(int) policy.Word, sc *scope) policy.Word {
	name, known := arg(0).Const()
	name = strings.TrimSpace(name)
	inner := sc
	for i := range args {
		inner = &scope{inner, strconv.Itoa(i), &makeVar{text: arg(i), simple: true}}
	}
	if known && isFunction(name) {
		return m.function(name, strings.Join(args[1:], ","), sc)
	}
	if !known {
		return anyText("unknown")
	}
	v := m.lookup(name, sc)
	if v == nil {
		return someWords("unknown")
	}
	if m.work++; m.work > maxWork {
		m.overworked()
		return someWords("unknown")
	}
	if v.simple {
		return v.text
	}
	return m.expandText(v.text, inner)
}

// arguments splits a function's arguments at commas.
func arguments(rest string) []string {
	var args []string
	depth, start := 0, 0
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '(', '{':
			depth++
		case ')', '}':
			depth--
		case ',':
			if depth == 0 {
				args = append(args, rest[start:i])
				start = i + 1
			}
		}
	}
	return append(args, rest[start:])
}

// pure is the value of a function of its arguments alone.
func (m *makeSearch) pure(name string, args []policy.Word) policy.Word {
	texts := make([]string, max(len(args), 3))
	known := true
	for i, a := range args {
		text, ok := a.Const()
		texts[i], known = text, known && ok
	}
	each := func(list policy.Word, f func(policy.Word) policy.Word) policy.Word {
		words := textFields(list)
		for i := range words {
			words[i] = f(words[i])
		}
		return joinTexts(words, " ")
	}
	switch {
	case known:
		if value, ok := m.ofTexts(name, texts, len(args)); ok {
			return policy.Const(value)
		}
		if name == "realpath" {
			return someWords(name)
		}
		return anyText("unknown") // files may be called anything
	case name == "strip":
		return joinTexts(textFields(args[0]), " ")
	case name == "addsuffix" && len(args) > 1:
		return each(args[1], func(w policy.Word) policy.Word { return concat(w, args[0]) })
	case name == "addprefix" && len(args) > 1:
		return each(args[1], func(w policy.Word) policy.Word { return concat(args[0], w) })
	case name == "patsubst" && len(args) > 2 && args[0].IsConst() && args[1].IsConst():
		return each(args[2], func(w policy.Word) policy.Word {
			if !w.IsConst() {
				return opaque(w, args[1])
			}
			return policy.Const(patsubst(texts[0], texts[1], w.Text))
		})
	}
	return opaque(args...)
}

// patsubst is a word with the replacement of a pattern that it matches.
func patsubst(from, to, word string) string {
	from, to = strings.TrimSpace(from), strings.TrimSpace(to)
	switch stem, ok := stemOf(from, word); {
	case !ok:
		return word
	case !strings.Contains(from, "%"):
		return to
	default:
		return strings.Replace(to, "%", stem, 1)
	}
}

// stemOf is what "%" stands for where a pattern matches a word. A pattern
// without one matches itself.
func stemOf(pattern, word string) (stem string, ok bool) {
	before, after, wild := strings.Cut(pattern, "%")
	if !wild || len(word) < len(before)+len(after) || !strings.HasPrefix(word, before) || !strings.HasSuffix(word, after) {
		return "", pattern == word
	}
	return word[len(before) : len(word)-len(after)], true
}

// ofTexts is the value of a function of known texts, of which there are n, and
// empty ones behind them. It reports false where that is not known.
func (m *makeSearch) ofTexts(name string, args []string, n int) (value string, ok bool) {
	each := func(list string, f func(string) string) (string, bool) {
		words := strings.Fields(list)
		for i := range words {
			words[i] = f(words[i])
		}
		return strings.Join(words, " "), true
	}
	switch name {
	case "strip":
		return strings.Join(strings.Fields(args[0]), " "), true
	case "subst":
		if args[0] == "" {
			return args[2] + args[1], true
		}
		return strings.ReplaceAll(args[2], args[0], args[1]), true
	case "patsubst":
		return each(args[2], func(w string) string { return patsubst(args[0], args[1], w) })
	case "findstring":
		if strings.Contains(args[1], args[0]) {
			return args[0], true
		}
		return "", true
	case "filter", "filter-out":
		patterns := strings.Fields(args[0])
		return strings.Join(slices.DeleteFunc(strings.Fields(args[1]), func(w string) bool {
			hit := slices.ContainsFunc(patterns, func(p string) bool { _, ok := stemOf(p, w); return ok })
			return hit != (name == "filter")
		}), " "), true
	case "sort":
		words := strings.Fields(args[0])
		slices.Sort(words)
		return strings.Join(slices.Compact(words), " "), true
	case "words":
		return strconv.Itoa(len(strings.Fields(args[0]))), true
	case "word", "wordlist", "firstword", "lastword":
		list := strings.Fields(args[n-1])
		from, to := 1, len(list)
		switch name {
		case "word":
			from = number(args[0])
			to = from
		case "wordlist":
			from, to = number(args[0]), number(args[1])
		case "firstword":
			to = 1
		case "lastword":
			from = len(list)
		}
		from, to = max(from, 1), min(to, len(list))
		if from > to {
			return "", true
		}
		return strings.Join(list[from-1:to], " "), true
	case "dir":
		return each(args[0], func(w string) string {
			if i := strings.LastIndexByte(w, '/'); i >= 0 {
				return w[:i+1]
			}
			return "./"
		})
	case "notdir":
		return each(args[0], func(w string) string { return w[strings.LastIndexByte(w, '/')+1:] })
	case "suffix":
		list, _ := each(args[0], path.Ext)
		return strings.Join(strings.Fields(list), " "), true
	case "basename":
		list, _ := each(args[0], func(w string) string { return strings.TrimSuffix(w, path.Ext(w)) })
		return strings.Join(strings.Fields(list), " "), true
	case "addsuffix":
		return each(args[1], func(w string) string { return w + args[0] })
	case "addprefix":
		return each(args[1], func(w string) string { return args[0] + w })
	case "join":
		a, b := strings.Fields(args[0]), strings.Fields(args[1])
		long := a
		if len(b) > len(a) {
			long = b
		}
		out := slices.Clone(long)
		for i := range min(len(a), len(b)) {
			out[i] = a[i] + b[i]
		}
		return strings.Join(out, " "), true
	case "abspath":
		return each(args[0], func(w string) string { return join(m.Dir, w) })
	case "wildcard":
		var out []string
		for _, w := range strings.Fields(args[0]) {
			found, ok := m.glob(w)
			if !ok {
				return "", false
			}
			out = append(out, found...)
		}
		return strings.Join(out, " "), true
	}
	return "", false
}

func number(s string) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		return 0
	}
	return n
}

// run is the output of a program that make runs while it expands a text: a
// step, a problem, and a value that is not known.
func (m *makeSearch) run(text policy.Word) policy.Word {
	m.trouble("Runs a program for its output: $(shell %s)", strings.TrimSpace(rendered(text)))
	m.made(Step{Name: "$(shell)", File: m.at.file, Line: m.at.line, Shell: "sh", Dir: m.Dir}, text)
	return someWords("unknown")
}

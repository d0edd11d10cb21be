package task

import (
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// makeVar is one variable. In its text and in all that is expanded, what is
// not known is a name between two marks; recipes hold a shell variable there.
type makeVar struct {
	text    string
	simple  bool // expanded already
	fixed   bool // the command line's: only override changes it
	builtin bool
	export  bool
	at      makePlace
}

// unixUnset reports whether a variable that makefiles ask for is known not to
// be set where there is a POSIX shell.
func unixUnset(name string) bool {
	return name == "OS" || name == "ComSpec" || name == "COMSPEC" || name == "SystemRoot"
}

// defaults sets what make knows before it reads anything.
func (m *makeSearch) defaults() {
	for _, v := range [...][2]string{
		{"CC", "cc"}, {"CXX", "g++"}, {"CPP", "$(CC) -E"}, {"AR", "ar"}, {"ARFLAGS", "rv"}, {"AS", "as"}, {"LD", "ld"}, {"FC", "f77"}, {"RM", "rm -f"},
		{"LEX", "lex"}, {"YACC", "yacc"}, {"SHELL", "/bin/sh"}, {".SHELLFLAGS", "-c"}, {"CURDIR", m.Dir}, {"MAKE_VERSION", "4.4"},
		{"MAKEFILE_LIST", unknownText("MAKEFILE_LIST")}, {"MAKELEVEL", "0"}, {"MAKEFLAGS", ""}, {"MFLAGS", ""}, {"MAKECMDGOALS", unknownText("MAKECMDGOALS")},
		{"PWD", m.Dir},
	} {
		m.vars[v[0]] = &makeVar{text: v[1], builtin: true}
	}
	for _, name := range [...]string{"OS", "ComSpec", "COMSPEC", "SystemRoot"} {
		m.vars[name] = &makeVar{builtin: true}
	}
	for _, a := range m.search.Env {
		if a.Name == "" || a.Name == "SHELL" {
			continue
		}
		v := &makeVar{text: unknownText(a.Name), simple: true, builtin: true}
		if text, ok := a.Value.Const(); ok {
			v.text = strings.ReplaceAll(text, "$", "$$")
			v.simple = false
		}
		m.vars[a.Name] = v
	}
}

// override sets a variable of the command line.
func (m *makeSearch) override(name, value string) {
	m.vars[name] = &makeVar{text: value, fixed: true}
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
func (m *makeSearch) expandVar(name string, sc *scope) string {
	switch name {
	case "MAKE", "MAKE_COMMAND":
		if v := m.vars[name]; v == nil {
			return strings.Join(append([]string{"make"}, m.overrides...), " ")
		}
	case "MAKEFILES", "MAKEOVERRIDES", "-*-command-variables-*-":
		return openText(name)
	}
	v := m.lookup(name, sc)
	if v == nil {
		if strings.ContainsAny(name, "@<^+?*|%") && len(name) <= 3 {
			return ""
		}
		return unknownText(name)
	}
	if v.simple {
		return v.text
	}
	if m.work++; m.work > maxWork || m.nest > 100 {
		m.overworked()
		return unknownText(name)
	}
	m.nest++
	at := m.at
	text := m.expand(v.text, sc)
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

// expand replaces references. What is not known is marked.
func (m *makeSearch) expand(text string, sc *scope) string {
	if !strings.Contains(text, "$") {
		return text
	}
	if m.work++; m.work > maxWork {
		m.overworked()
		return unknownText("unknown")
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '$' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		switch c := text[i]; c {
		case '$':
			b.WriteByte('$')
		case '(', '{':
			end := closing(text, i)
			if end < 0 {
				m.trouble("A reference that is not closed")
				return b.String() + unknownText("unknown")
			}
			b.WriteString(m.reference(text[i+1:end], sc))
			i = end
		default:
			b.WriteString(m.expandVar(string(c), sc))
		}
		if b.Len() > maxText {
			m.overworked()
			return unknownText("unknown")
		}
	}
	return b.String()
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
func (m *makeSearch) reference(inner string, sc *scope) string {
	if m.nest > 100 {
		m.overworked()
		return unknownText("unknown")
	}
	m.nest++
	defer func() { m.nest-- }()
	if i := strings.IndexAny(inner, " \t"); i > 0 && isFunction(inner[:i]) {
		return m.function(inner[:i], strings.TrimLeft(inner[i:], " \t"), sc)
	}
	if i := outside(inner, ":"); i > 0 { // $(VAR:.c=.o)
		if from, to, ok := strings.Cut(inner[i+1:], "="); ok {
			value := m.expandVar(strings.TrimSpace(m.expand(inner[:i], sc)), sc)
			from, to = m.expand(from, sc), m.expand(to, sc)
			if !strings.Contains(from, "%") {
				from, to = "%"+from, "%"+to
			}
			return m.pure("patsubst", []string{from, to, value}, sc)
		}
	}
	name := m.expand(inner, sc)
	if unsure(name) {
		return openText("unknown") // any of the makefile's variables
	}
	if len(name) == 2 && (name[1] == 'D' || name[1] == 'F') && strings.IndexByte("@<^+?*", name[0]) >= 0 {
		value := m.expandVar(name[:1], sc)
		if name[1] == 'D' {
			return strings.TrimSuffix(m.pure("dir", []string{value}, sc), "/")
		}
		return m.pure("notdir", []string{value}, sc)
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
func (m *makeSearch) function(name, rest string, sc *scope) string {
	args := arguments(rest)
	arg := func(i int) string {
		if i < len(args) {
			return m.expand(args[i], sc)
		}
		return ""
	}
	switch name {
	case "shell":
		return m.run(m.expand(rest, sc))
	case "eval", "file", "guile", "let", "intcmp":
		m.trouble("Uses $(%s)", name)
		m.expand(rest, sc)
		return unknownText(name)
	case "error", "warning", "info":
		m.expand(rest, sc)
		return ""
	case "origin", "flavor":
		return unknownText(name)
	case "value":
		if v := m.lookup(strings.TrimSpace(arg(0)), sc); v != nil {
			return v.text
		}
		return unknownText(name)
	case "if":
		cond := strings.TrimSpace(arg(0))
		switch {
		case unsure(cond):
			a, b := arg(1), arg(2)
			if a == b {
				return a
			}
			return opaque(a, b)
		case cond != "":
			return arg(1)
		}
		return arg(2)
	case "or", "and":
		last := ""
		for i := range args {
			last = strings.TrimSpace(arg(i))
			if unsure(last) {
				rest := []string{last}
				for i := range args {
					rest = append(rest, arg(i))
				}
				return opaque(rest...)
			}
			if (last != "") == (name == "or") {
				return last
			}
		}
		return last
	case "foreach":
		if len(args) < 3 {
			return ""
		}
		variable, list := strings.TrimSpace(arg(0)), arg(1)
		if unsure(variable) {
			return openText("unknown")
		}
		var out []string
		for _, word := range makeFields(list) {
			out = append(out, m.expand(strings.Join(args[2:], ","), &scope{sc, variable, &makeVar{text: word, simple: true}}))
		}
		return strings.Join(out, " ")
	case "call":
		function := strings.TrimSpace(arg(0))
		inner := sc
		for i := range args {
			inner = &scope{inner, strconv.Itoa(i), &makeVar{text: arg(i), simple: true}}
		}
		if isFunction(function) {
			return m.function(function, strings.Join(args[1:], ","), sc)
		}
		v := m.lookup(function, sc)
		if unsure(function) {
			return openText("unknown")
		}
		if v == nil {
			return unknownText("unknown")
		}
		if m.work++; m.work > maxWork {
			m.overworked()
			return unknownText("unknown")
		}
		return m.expand(v.text, inner)
	}
	values := make([]string, len(args))
	for i := range args {
		values[i] = arg(i)
	}
	return m.pure(name, values, sc)
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

// makeFields splits words; a mark keeps what is in it together.
func makeFields(text string) []string { return strings.Fields(text) }

// pure is the value of a function of its arguments alone.
func (m *makeSearch) pure(name string, args []string, sc *scope) string {
	for _, a := range args {
		if unsure(a) && name != "strip" && name != "patsubst" && name != "addprefix" && name != "addsuffix" {
			return opaque(args...)
		}
	}
	arg := func(i int) string {
		if i < len(args) {
			return args[i]
		}
		return ""
	}
	each := func(list string, f func(string) string) string {
		words := makeFields(list)
		for i := range words {
			words[i] = f(words[i])
		}
		return strings.Join(words, " ")
	}
	switch name {
	case "strip":
		return strings.Join(makeFields(arg(0)), " ")
	case "subst":
		if arg(0) == "" {
			return arg(2) + arg(1)
		}
		return strings.ReplaceAll(arg(2), arg(0), arg(1))
	case "patsubst":
		if unsure(arg(0)) || unsure(arg(1)) {
			return opaque(args...)
		}
		from, to := strings.TrimSpace(arg(0)), strings.TrimSpace(arg(1))
		return each(arg(2), func(w string) string {
			if unsure(w) {
				return opaque(w, to)
			}
			before, after, wild := strings.Cut(from, "%")
			switch {
			case !wild && w == from:
				return to
			case !wild || len(w) < len(before)+len(after) || !strings.HasPrefix(w, before) || !strings.HasSuffix(w, after):
				return w
			}
			return strings.Replace(to, "%", w[len(before):len(w)-len(after)], 1)
		})
	case "findstring":
		if strings.Contains(arg(1), arg(0)) {
			return arg(0)
		}
		return ""
	case "filter", "filter-out":
		var kept []string
		patterns := makeFields(arg(0))
		for _, w := range makeFields(arg(1)) {
			hit := slices.ContainsFunc(patterns, func(p string) bool {
				before, after, wild := strings.Cut(p, "%")
				return p == w || wild && len(w) >= len(before)+len(after) && strings.HasPrefix(w, before) && strings.HasSuffix(w, after)
			})
			if hit == (name == "filter") {
				kept = append(kept, w)
			}
		}
		return strings.Join(kept, " ")
	case "sort":
		words := makeFields(arg(0))
		sort.Strings(words)
		return strings.Join(slices.Compact(words), " ")
	case "words":
		return strconv.Itoa(len(makeFields(arg(0))))
	case "word", "wordlist", "firstword", "lastword":
		list := makeFields(arg(len(args) - 1))
		from, to := 1, len(list)
		switch name {
		case "word":
			from = number(arg(0))
			to = from
		case "wordlist":
			from, to = number(arg(0)), number(arg(1))
		case "firstword":
			to = 1
		case "lastword":
			from = len(list)
		}
		from, to = max(from, 1), min(to, len(list))
		if from > to {
			return ""
		}
		return strings.Join(list[from-1:to], " ")
	case "dir":
		return each(arg(0), func(w string) string {
			if i := strings.LastIndexByte(w, '/'); i >= 0 {
				return w[:i+1]
			}
			return "./"
		})
	case "notdir":
		return each(arg(0), func(w string) string { return w[strings.LastIndexByte(w, '/')+1:] })
	case "suffix", "basename":
		return strings.Join(makeFields(each(arg(0), func(w string) string {
			ext := path.Ext(w)
			if name == "suffix" {
				return ext
			}
			return strings.TrimSuffix(w, ext)
		})), " ")
	case "addsuffix":
		return each(arg(1), func(w string) string { return w + arg(0) })
	case "addprefix":
		return each(arg(1), func(w string) string { return arg(0) + w })
	case "join":
		a, b := makeFields(arg(0)), makeFields(arg(1))
		var out []string
		for i := range max(len(a), len(b)) {
			w := ""
			if i < len(a) {
				w = a[i]
			}
			if i < len(b) {
				w += b[i]
			}
			out = append(out, w)
		}
		return strings.Join(out, " ")
	case "abspath":
		return each(arg(0), func(w string) string { return join(m.Dir, w) })
	case "wildcard":
		var out []string
		for _, w := range makeFields(arg(0)) {
			found, ok := m.glob(w)
			if !ok {
				return openText("unknown") // files may be called anything
			}
			out = append(out, found...)
		}
		return strings.Join(out, " ")
	}
	return unknownText(name)
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
func (m *makeSearch) run(text string) string {
	m.trouble("Runs a program for its output: $(shell %s)", strings.TrimSpace(rendered(text)))
	m.made(Step{Name: "$(shell)", File: m.at.file, Line: m.at.line, Text: text, Shell: "sh", Dir: m.Dir})
	return unknownText("unknown")
}

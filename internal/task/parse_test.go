package task

import (
	"strconv"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
	"github.com/google/go-cmp/cmp"
)

// TestRunners: the rule language names the runners that there are, and no
// others.
func TestRunners(t *testing.T) {
	readers := map[string]bool{}
	for _, r := range Runners {
		readers[r.Name] = true
	}
	for _, w := range ruleset.Tasks() {
		if !readers[w.Name] {
			t.Errorf("rules may say task = %q, which nothing reads", w.Name)
		}
		delete(readers, w.Name)
	}
	for name := range readers {
		t.Errorf("no rule may say task = %q", name)
	}
}

// text is one with the variables in <angle brackets> for what is not known, and
// those in <!these> for what may be anything.
func text(s string) policy.Word {
	var words []policy.Word
	for s != "" {
		before, rest, _ := strings.Cut(s, "<")
		name, after, found := strings.Cut(rest, ">")
		words = append(words, policy.Const(before))
		if open := strings.TrimPrefix(name, "!"); open != name {
			words = append(words, anyText(open))
		} else if found {
			words = append(words, someWords(name))
		}
		s = after
	}
	return concat(words...)
}

func TestRendered(t *testing.T) {
	for in, want := range map[string]string{
		"ls":                   "ls",
		"ls <x>":               "ls ${x}",
		"ls <!x>":              "ls ${x}",
		"ls <x>/<x>":           "ls ${x}/${x}",
		"'a<x>b'":              `'a'"${x}"'b'`,
		`"a<x>b"`:              `"a${x}b"`,
		`"it's <x>"`:           `"it's ${x}"`,
		`a\<x>`:                `a${x}`,
		`a\\<x>`:               `a\\${x}`,
		`a\'<x>`:               `a\'${x}`,
		"# it's\nls '<x>'":     "\nls ''\"${x}\"''",
		"# it's <x>\nls '<x>'": "\nls ''\"${x}\"''",
		"a#'<x>'":              `a#''"${x}"''`,
		"<x>#'<x>'":            `${x}#''"${x}"''`,
		`"$(cat '<x>')"`:       `"$(cat ''"${x}"'')"`,
		"ls <a b>;":            "ls ${unknown};",
	} {
		if got := rendered(text(in)); got != want {
			t.Errorf("rendered(%q)\n = %q, want\n   %q", in, got, want)
		}
	}
}

func TestTextFields(t *testing.T) {
	for in, want := range map[string]string{
		"":               "",
		" \t\n":          "",
		" a\tb  c ":      "a|b|c",
		"<x>":            "${x}",
		" a<x>b <y><z> ": "a${x}b|${y}${z}",
	} {
		var got []string
		for _, w := range textFields(text(in)) {
			got = append(got, rendered(w))
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("textFields(%q) = %q, want %q", in, s, want)
		}
	}
}

// TestFill: a name alone is a reference, all else that stands in a template may
// be anything.
func TestFill(t *testing.T) {
	value := func(inner string) (policy.Word, bool) {
		switch inner {
		case "a":
			return policy.Const("A b"), true
		case "x":
			return someWords("x"), true
		}
		return policy.Word{}, false
	}
	for in, want := range map[string]string{
		"ls":              "ls",
		"{{a}} {{ a }}":   "A b A b",
		"ls {{x}}/y":      "ls <x>/y",
		"{{ a | x }}":     "<!unknown>",
		"{{- a -}}":       "<!unknown>",
		"{{}}":            "<!unknown>",
		"ls {{a":          "ls <!unknown>",
		"{% a %}{# a #}b": "<!unknown><!unknown>b",
		"}} a":            "}} a",
	} {
		if got := fill(in, teraMarks, value); !sameText(got, text(want)) {
			t.Errorf("fill(%q) = %v, want %s", in, got, want)
		}
	}
	if got := fill("{{{{a}} {{a}}", justMarks, value); !sameText(got, text("{{a}} A b")) {
		t.Errorf("an escaped template is %v", got)
	}
}

func TestStem(t *testing.T) {
	for _, row := range []struct{ in, before, after, want string }{
		{"a.c", "", ".c", "a"},
		{"a.c", "", ".o", "no"},
		{"ab", "ab", "b", "no"},
		{"<x>.c", "", ".c", "<x>"},
		{"d/<x>.c", "d/", ".c", "<x>"},
		{"<x>.c", "d/", ".c", "no"},
		{"d/<x>", "d/", ".c", "no"},
		{"<x>", "", "", "<x>"},
	} {
		want := row.want != "no"
		if stem, ok := stemIn(text(row.in), row.before, row.after); ok != want || ok && rendered(stem) != rendered(text(row.want)) {
			t.Errorf("%+v: %v, %v", row, stem, ok)
		}
	}
}

func TestOpaque(t *testing.T) {
	for _, row := range []struct {
		texts []string
		open  bool
	}{
		{nil, false},
		{[]string{"", "a-b/c.d=e,f@1:2 ~x"}, false},
		{[]string{"a", "<x>.o"}, false},
		{[]string{"a;b"}, true},
		{[]string{"$(ls)"}, true},
		{[]string{"a\nb"}, true},
		{[]string{"'"}, true},
		{[]string{"$x"}, true},
		{[]string{"<x>", ";"}, true},
		{[]string{"a", "<!x>"}, true},
	} {
		var texts []policy.Word
		for _, s := range row.texts {
			texts = append(texts, text(s))
		}
		if got := isOpen(opaque(texts...)); got != row.open {
			t.Errorf("opaque(%q) is open: %v", row.texts, got)
		}
	}
}

func TestFields(t *testing.T) {
	for in, want := range map[string]string{
		"":                   "",
		"  a  b\t'c d' ":     "a b 'c d'",
		`a"b c"d e\ f ''`:    "'ab cd' 'e f' ''",
		`"a\"b\c" '\'`:       `'a"b\c' '\'`,
		`$x "$x" '$x' a${y}`: `$x "$x" '$x' a${y}`,
		"*.md '*' a?":        "*.md '*' a?",
		"a;b|c":              "'a;b|c'",
		"'a":                 "error",
		`a\`:                 "error",
	} {
		words, ok := fields(in, true)
		var texts []string
		for _, w := range words {
			texts = append(texts, w.String())
		}
		got := strings.Join(texts, " ")
		if !ok {
			got = "error"
		}
		if got != want {
			t.Errorf("fields(%q) = %s, want %s", in, got, want)
		}
	}
	if words, _ := fields("$x *", false); len(words) != 2 || !words[0].IsConst() || !words[1].IsConst() {
		t.Errorf("where nothing is expanded, %q is not constant", words)
	}
}

// flat writes a YAML value in one line.
func flat(n *node) string {
	switch {
	case n == nil || n.kind == nodeNull:
		return "null"
	case n.kind == nodeText:
		return policy.Quote(n.text)
	}
	var parts []string
	for i, item := range n.items {
		text := flat(item)
		if n.kind == nodeTable {
			text = n.keys[i] + ": " + text
		}
		parts = append(parts, text)
	}
	if n.kind == nodeTable {
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// TestYAML: values as the YAML specification has them, and what is refused
// with the line that it stands on.
func TestYAML(t *testing.T) {
	for _, row := range []struct{ in, want string }{
		{"", "null"},
		{"# nothing\n", "null"},
		{"a: b", "{a: b}"},
		{"---\na: b\n", "{a: b}"},
		{"a: b # c\n", "{a: b}"},
		{"a: b#c\n", "{a: 'b#c'}"},
		{"a:\n  b: c\n  d:\n", "{a: {b: c, d: null}}"},
		{"a:\n- b\n- c\n", "{a: [b, c]}"},
		{"a:\n  - b\n  -\n    c: d\n  - e: f\n    g: h\n", "{a: [b, {c: d}, {e: f, g: h}]}"},
		{"- - a\n  - b\n- c\n", "[[a, b], c]"},
		{"a: 'it''s'\nb: \"x\\ty\\n\"\n", "{a: 'it'\\''s', b: $'x\\ty\\n'}"},
		{"'a b': c\n\"d: e\": f\n", "{a b: c, d: e: f}"},
		{"a: b\n   c\n", "{a: 'b c'}"},
		{"a: |\n  b\n    c\n\n  d\n\ne: f\n", "{a: $'b\\n  c\\n\\nd\\n', e: f}"},
		{"a: |-\n  b\n", "{a: b}"},
		{"a: >\n  b\n  c\n\n  d\n", "{a: $'b c\\nd\\n'}"},
		{"a: >-\n  b\n    c\n  d\n", "{a: $'b\\n  c\\nd'}"},
		{"a: |2\n   b\n", "{a: $' b\\n'}"},
		{"a: [b, 'c, d', {e: f}]\n", "{a: [b, 'c, d', {e: f}]}"},
		{"a: [b,\n    c]\n", "{a: [b, c]}"},
		{"a: {}\nb: []\n", "{a: {}, b: []}"},
		{"a: ~\nb: null\nc: 'null'\n", "{a: null, b: null, c: null}"},
		{"a: http://x/y:z\n", "{a: http://x/y:z}"},
		{"a: echo \"x\"\n", `{a: 'echo "x"'}`},
		{"a:\r\n  b: c\r\n", "{a: {b: c}}"},

		{"a: b\na: c\n", "2"},
		{"a: &x b\n", "1"},
		{"a: *x\n", "1"},
		{"a: !!str b\n", "1"},
		{"a: b\n\tc: d\n", "2"},
		{"a: b: c\n", "1"},
		{"a:\n  <<: b\n", "2"},
		{"a: b\n c: d\n", "2"},
		{"a: 'b\n", "1"},
		{"a: [b\n", "2"},
		{"a: {b: c, b: d}\n", "1"},
		{"? a\n: b\n", "2"},
		{"a: b\n---\nc: d\n", "2"},
		{"a: \"\\x01\"\n", "1"},
		{"a: @b\n", "1"},
		{"a\nb: c\n", "2"},
	} {
		root, err := parseYAML([]byte(row.in))
		got := flat(root)
		if e, ok := err.(*readError); ok {
			got = strconv.Itoa(e.line)
		}
		if got != row.want {
			t.Errorf("%q\n = %s (%v), want\n   %s", row.in, got, err, row.want)
		}
	}
}

func TestGitConfig(t *testing.T) {
	got, err := parseGitConfig([]byte(`# comment
[core]
	bare
	editor = "vi \"x\"" ; comment
[Alias]
	lg = log --oneline   # comment
	sh = "!f() { ls; }; f"
	two = log \
		--all
[remote "O.r"] url = a b	c
[branch.Main]
	x-y=1`))
	if err != nil {
		t.Fatal(err)
	}
	want := []gitEntry{
		{"core", "", "bare", "true", 3},
		{"core", "", "editor", `vi "x"`, 4},
		{"alias", "", "lg", "log --oneline", 6},
		{"alias", "", "sh", "!f() { ls; }; f", 7},
		{"alias", "", "two", "log \t\t--all", 8},
		{"remote", "O.r", "url", "a b\tc", 10},
		{"branch", "main", "x-y", "1", 12},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(gitEntry{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, text := range []string{"x = y", "[a", "[a]\n= b", "[a]\nb = \"c", "[a]\nb = c\\q", "[a]\nb c", "[a \"b\nc\"]"} {
		if got, err := parseGitConfig([]byte(text)); err == nil {
			t.Errorf("%q = %v", text, got)
		}
	}
}

func TestInterpreter(t *testing.T) {
	for line, want := range map[string]string{
		"":                          "sh",
		"ls":                        "sh",
		"#!/bin/sh":                 "sh",
		"#! /bin/bash -eu":          "bash",
		"#!/usr/bin/env bash":       "bash",
		"#!/usr/bin/env -S bash -e": "bash",
		"#!/usr/bin/env python3":    "python3",
		"#!/opt/homebrew/bin/zsh":   "zsh",
		"#!/usr/bin/env A=b bash":   "?",
		"#!/tmp/bash":               "?",
		"#!bash":                    "?",
		"#!/bin/bash --rcfile":      "?",
		"#!/bin/bash -c x":          "?",
		"#!/usr/bin/env -S ./bash":  "?",
	} {
		got, ok := interpreter(line)
		if !ok {
			got = "?"
		}
		if got != want {
			t.Errorf("%q is run by %s, want %s", line, got, want)
		}
	}
}

// TestKeyLines: messages name the line on which a task begins.
func TestKeyLines(t *testing.T) {
	text := "a = 1\n[tasks]\nb = '''\nc = 2\n'''\n\"d e\" = 3\n[tasks.f.\"g.h\"]\ni = 4\n[[j]]\nk.l = 5\n"
	got, err := parseTOML([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		table *node
		key   string
		want  int
	}{
		{got, "a", 1},
		{got.get("tasks"), "b", 3},
		{got.get("tasks"), "d e", 6},
		{got.get("tasks", "f"), "g.h", 7},
		{got.get("tasks", "f", "g.h"), "i", 8},
		{got.get("tasks"), "nothing", 2},
	} {
		if got := row.table.lineOf(row.key); got != row.want {
			t.Errorf("%q is on line %d, want %d", row.key, got, row.want)
		}
	}
}

package task

import (
	"encoding/json"
	"path"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// call is an invocation as its program's table reads it: program, subcommand,
// operands.
func call(program, sub string, operands ...string) *match.Invocation {
	v := &match.Invocation{Program: program, Words: []policy.Word{policy.Const(program)}, Dirs: []string{"/w"}, Sure: true}
	if sub != "" {
		v.Path = strings.Fields(sub)
		for _, word := range v.Path {
			v.Words = append(v.Words, policy.Const(word))
		}
	}
	for _, o := range operands {
		w := policy.Const(o)
		if strings.HasPrefix(o, "$") {
			w = policy.Unknown(o)
		}
		v.Words, v.Operands = append(v.Words, w), append(v.Operands, w)
	}
	return v
}

// fuzzed feeds one file to a runner, whatever it holds. The reader neither
// panics nor hangs, says the same twice, and what it says is well formed.
func fuzzed(f *testing.F, runner, name string, calls ...*match.Invocation) {
	f.Fuzz(func(t *testing.T, text string) {
		files := new(disk.Memory)
		files.Mkdir("/home/u")
		files.WriteFile("/w/"+name, text)
		for _, c := range calls {
			q := Query{Files: files, Call: c, Dir: "/w", Home: "/home/u"}
			start := time.Now()
			a := Find(runner, q)
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("%s of %d bytes takes %v", name, len(text), took)
			}
			if b := Find(runner, q); !reflect.DeepEqual(a, b) {
				t.Errorf("two answers: %+v, %+v", a, b)
			}
			if len(a.Steps) > 0 && a.File == "" {
				t.Errorf("steps of no file: %+v", a)
			}
			if len(a.Steps) > maxSteps+1 {
				t.Errorf("%d steps", len(a.Steps))
			}
			for _, s := range a.Steps {
				if !path.IsAbs(s.File) || !path.IsAbs(s.Dir) || s.Line < 0 || s.Line > 1+strings.Count(text, "\n") {
					t.Errorf("a step of %s:%d in %s", s.File, s.Line, s.Dir)
				}
			}
			for _, p := range a.Problems {
				if p.Text == "" || p.File != "" && !path.IsAbs(p.File) {
					t.Errorf("a problem without words or place: %+v", p)
				}
			}
		}
	})
}

func FuzzPackageJSON(f *testing.F) {
	f.Add(`{"name": "x", "scripts": {"pretest": "ls", "test": "echo $npm_package_name", "a": "npm run b", "b": 3}, "workspaces": ["p/*"]}`)
	f.Add("\ufeff{// comment\n\"scripts\": {\"test\": \"a\", \"test\": \"b\",},}")
	f.Add(`{"scripts": {"test": "\u0001x\u0002"`)
	fuzzed(f, "npm", "package.json", call("npm", "test"), call("pnpm", "", "a", "x y"), call("npm", "restart"))
}

// FuzzJSON: a file of plain JSON holds what the standard library reads in it.
func FuzzJSON(f *testing.F) {
	f.Add(`{"a": "b", "c\u0064": {"e": [1, -2.5e3, true, null, "\"]}"]}, "f": {}, "g":[]}`)
	f.Add(" {\n\t\"a\" :\r\n\"b\\\\\" , \"a\":{\"b\":\"}\"}}\n")
	f.Add("{\"a\": 1, // x\n /* } */ \"b\": [2,],}")
	f.Fuzz(func(t *testing.T, text string) {
		root, err := parseJSON([]byte(text))
		var want map[string]any
		if json.Unmarshal([]byte(text), &want) != nil || want == nil || !utf8.ValidString(text) || strings.Contains(text, `\u`) {
			return
		}
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got := flatJSON(root); !reflect.DeepEqual(got, want) {
			t.Errorf("%q\n = %v, want\n   %v", text, got, want)
		}
	})
}

// flatJSON is a value as the standard library has it.
func flatJSON(n *node) any {
	switch n.kind {
	case nodeTable:
		m := map[string]any{}
		for _, key := range n.names() {
			m[key] = flatJSON(n.get(key))
		}
		return m
	case nodeList:
		list := make([]any, len(n.items))
		for i, item := range n.items {
			list[i] = flatJSON(item)
		}
		return list
	case nodeText:
		return n.text
	}
	var v any
	if json.Unmarshal([]byte(n.text), &v) != nil {
		return "no value: " + n.text
	}
	return v
}

func FuzzMakefile(f *testing.F) {
	f.Add("A := $(subst a,b,$(B))\nB ?= c\ninclude Makefile\nall: x; ls $(A) $$y\nx: ; @-+$(MAKE) all\n%.o: %.c\n\tcc $< $(if $(B),,$(C))\n")
	f.Add("define f\nls $(1)\nendef\nifeq ($(A),b)\nall: ; $(call f,$@)\nelse\nall:\n\t$(foreach i,1 2,$(call f,$i);)\nendif\n.ONESHELL:\n")
	f.Add("a = $(a)\nall:\n\techo '$(X)' \\$(Y) \"$(shell ls)\"\n")
	fuzzed(f, "make", "Makefile", call("make", "", "all"), call("make", ""), call("make", "", "x", "A=$B"))
}

func FuzzJustfile(f *testing.F) {
	f.Add("\\\n")
	f.Add("set shell := ['bash', '-c']\nx := 'a' + \"b\\n\" / `ls`\n[private]\n@all p='1' *r: (dep p) && all\n  -echo {{p}} {{{{ {{quote(r)}} \\\n  b\ndep q:\n  #!/bin/sh\n  ls\n")
	f.Add("alias a := all\nall:\n echo {{ if x == 'y' { `ls` } else { env('z', '') } }}\nimport 'justfile'\nmod m\n")
	fuzzed(f, "just", "justfile", call("just", "", "all", "$x"), call("just", ""), call("just", "", "x=1", "a", "b c"))
}

func FuzzTaskfile(f *testing.F) {
	f.Add("version: '3'\nvars:\n  A: {sh: ls}\nincludes: {b: ./Taskfile.yml}\ntasks:\n  default: [a]\n  all:\n    deps: [all]\n    cmds:\n      - for: [1, 2]\n        cmd: echo {{.ITEM}} {{.CLI_ARGS}}\n      - task: b:all\n      - |\n        ls\n")
	f.Add("tasks:\n  all: >-\n    a\n\n     b\n  default: \"x \\\n   y\"\n")
	fuzzed(f, "task", "Taskfile.yml", call("task", "", "all"), call("task", ""))
}

func FuzzMise(f *testing.F) {
	f.Add("[tasks.all]\nrun = ['ls {{config_root}}', {task = 'b'}]\ndepends = ['b x']\ndir = '{{cwd}}'\nenv = {A = '{{env.B}}'}\n[tasks]\nb = 'echo {{vars.c}}'\n[vars]\nc = '{{vars.c}}'\n[env]\n_.file = '.env'\n")
	f.Add("tasks.all.run = \"\\u0001x\\u0002\"\n[task_config]\nincludes = ['mise.toml']\n")
	fuzzed(f, "mise", "mise.toml", call("mise", "run", "all", "a"), call("mise", "", "b"))
}

func FuzzDeno(f *testing.F) {
	f.Add(`{"tasks": {"all": {"command": "ls", "dependencies": ["all", "b"]}, "b": "deno task all",}}`)
	fuzzed(f, "deno", "deno.jsonc", call("deno", "task", "all", "x"), call("deno", "task", "*"))
}

func FuzzComposer(f *testing.F) {
	f.Add(`{"scripts": {"all": ["ls", "@all", "@php x", "@putenv A=b", "A\\B::c", "echo \"@additional_args\""]}}`)
	fuzzed(f, "composer", "composer.json", call("composer", "run", "all", "x"), call("composer", "", "all", "$x"))
}

func FuzzPyproject(f *testing.F) {
	f.Add("[tool.poe.tasks]\nall = ['b', {cmd = 'ls $X *'}]\nb = {shell = 'ls', deps = ['all'], env = {A = 'b'}}\n")
	f.Add("[tool.pdm.scripts]\nall = {composite = ['b x', 'ls']}\nb = 'ls'\npre_all = {cmd = ['a']}\n_ = {env = {A = '$B'}}\n")
	f.Add("[tool.hatch.envs.default]\nscripts.all = ['b', 'echo {args:x} {root} {env:A}']\nscripts.b = 'all {args}'\n[project.scripts]\nall = 'x:y'\n")
	f.Fuzz(func(t *testing.T, text string) {
		files := new(disk.Memory)
		files.WriteFile("/w/pyproject.toml", text)
		for _, row := range []struct{ runner, sub string }{{"poe", ""}, {"pdm", "run"}, {"hatch", "run"}, {"uv", "run"}} {
			a := Find(row.runner, Query{Files: files, Call: call(row.runner, row.sub, "all", "$x"), Dir: "/w"})
			for _, s := range a.Steps {
				if s.Text == "" && s.Words == nil && row.runner != "poe" && row.runner != "pdm" && row.runner != "hatch" || !path.IsAbs(s.Dir) || s.File != "/w/pyproject.toml" {
					t.Errorf("%s: %+v", row.runner, s)
				}
			}
		}
	})
}

func FuzzCargoConfig(f *testing.F) {
	f.Add("[alias]\nall = 'test --lib'\nb = ['a', 'b']\n")
	fuzzed(f, "cargo", ".cargo/config.toml", call("cargo", "", "all", "x"), call("cargo", "b"))
}

func FuzzGitConfig(f *testing.F) {
	f.Add("[alias]\n\tall = \"!ls \\\"x\\\"\" # c\n\tb = log \\\n --all\n[include]\npath = config\n[alias \"all\"] command = log\n")
	fuzzed(f, "git", ".git/config", call("git", "", "all", "x"), call("git", "", "b"))
}

func FuzzScript(f *testing.F) {
	f.Add("#!/usr/bin/env -S bash -eu\nls\n")
	f.Add("#! /bin/sh\x00")
	fuzzed(f, "shell", "x.sh", call("", "", "./x.sh", "$a"), call("bash", "", "x.sh"), call(".", "", "./x.sh"))
}

// FuzzRendered: in the place of each unknown part of a text stands a variable,
// but for one in a comment.
func FuzzRendered(f *testing.F) {
	f.Add("cat '", "' \"", "\" # it's ", "\n")
	f.Add("\\", "\"$(", "'", "')\"")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		text := concat(policy.Const(a), someWords("xx"), policy.Const(b), anyText("yy"), policy.Const(c), someWords("z z"), policy.Const(d))
		if got := rendered(text); !strings.Contains(a+b+c, "#") && (!strings.Contains(got, "${xx}") || !strings.Contains(got, "${yy}") || !strings.Contains(got, "${unknown}")) {
			t.Errorf("rendered(%q) = %q: an unknown part is gone", text, got)
		}
	})
}

// FuzzFields: quoting undoes splitting.
func FuzzFields(f *testing.F) {
	f.Add("a 'b c' \"d\\\"e\" f\\ g")
	f.Fuzz(func(t *testing.T, text string) {
		fields(text, true)
		words, ok := fields(text, false)
		if !ok {
			return
		}
		var again []string
		for _, w := range words {
			text, constant := w.Const()
			if !constant {
				t.Fatalf("%q: not constant", w)
			}
			again = append(again, "'"+strings.ReplaceAll(text, "'", `'\''`)+"'")
		}
		same, ok := fields(strings.Join(again, " "), false)
		if !ok || len(same) != len(words) {
			t.Fatalf("%q: %q, then %q", text, words, same)
		}
		for i := range words {
			if words[i].Text != same[i].Text {
				t.Errorf("%q: %q, then %q", text, words[i].Text, same[i].Text)
			}
		}
	})
}

// FuzzYAML: what is read has as many keys as values, and nothing panics.
func FuzzYAML(f *testing.F) {
	f.Add("a: [1, {b: c}]\nd: |-\n  x\n  y\n- e: 'f'\n  \"g\": h # i\n")
	f.Add("---\na:\n- b\n- - c\n  - d:\n    e\n")
	f.Add("a: >+\n\n x\n\n  y\n z\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		root, err := parseYAML([]byte(text))
		if (root == nil) == (err == nil) {
			t.Fatalf("%v, %v", root, err)
		}
		var visit func(n *node)
		visit = func(n *node) {
			if n.kind == nodeTable && len(n.keys) != len(n.items) {
				t.Errorf("%d keys, %d values", len(n.keys), len(n.items))
			}
			if n.line < 1 || n.line > 1+strings.Count(text, "\n") {
				t.Errorf("line %d", n.line)
			}
			for _, item := range n.items {
				visit(item)
			}
		}
		if root != nil {
			visit(root)
		}
	})
}

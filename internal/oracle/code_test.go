//go:build linux

package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/trap"
	"github.com/bashgate/bashgate/policy"
)

// codeJail is a jail for code, and the languages that run in it.
func codeJail(t *testing.T) (*jail, []string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: the jail needs root and name spaces")
	}
	langs := runnable("python,javascript")
	if len(langs) == 0 {
		t.Skip("SKIPPED: neither python3 nor node is installed")
	}
	stub, err := buildStub(t.TempDir())
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	j, err := newJail(stub, coding())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.close)
	return j, langs
}

// effects are texts of which it is known what they do: what the kernel or a stub
// must tell, and by what a verdict that does not know it must be found out.
var effects = []struct {
	lang, text  string
	kind        trap.Kind
	path, finds string
}{
	{"python", "open('x', 'w')", trap.Write, jailWork + "/x", "wrote " + jailWork + "/x"},
	{"python", "open('/etc/passwd', 'r+')", trap.Write, "/etc/passwd", "wrote /etc/passwd"},
	{"python", "import os; os.chdir('/tmp'); os.mkdir('x')", trap.Write, "/tmp/x", "wrote /tmp/x"},
	{"python", "import os; os.symlink('/etc', 'l'); open('l/x', 'w')", trap.Write, "/etc/x", "wrote"},
	{"python", "import os; os.remove('a.txt')", trap.Delete, jailWork + "/a.txt", "deleted " + jailWork + "/a.txt"},
	{"python", "import os; os.rename('a.txt', 'src/b')", trap.Delete, jailWork + "/a.txt", "deleted"},
	{"python", "import os; os.rename('a.txt', 'src/b')", trap.Write, jailWork + "/src/b", "deleted"},
	{"python", "import shutil; shutil.rmtree('src')", trap.Delete, jailWork + "/src/x.go", "deleted"},
	{"python", "import os; os.chmod('a.txt', 0)", trap.Write, jailWork + "/a.txt", "wrote"},
	{"python", "import sqlite3; sqlite3.connect('x.db')", trap.Write, jailWork + "/x.db", "wrote"},
	{"python", "open('/home/user/.ssh/id_rsa').read()", trap.Read, jailHome + "/.ssh/id_rsa", "read"},
	{"python", "import os; os.system('jq .')", trap.Run, "", "ran"},
	{"python", "import subprocess; subprocess.run(['nothing-there'])", trap.Run, "", "ran"},
	{"python", "import os; os.execv('/usr/lib/x', ['x'])", trap.Run, "/usr/lib/x", "ran"},
	{"python", "import os, ctypes; ctypes.CDLL(None).unlink(b'a.txt')", trap.Delete, jailWork + "/a.txt", "deleted"},
	{"python", "import socket; socket.create_connection(('127.0.0.1', 9), 1)", trap.Talk, "127.0.0.1:9", "talked"},
	{"python", "import socket; socket.socket(2, 2).sendto(b'x', ('127.0.0.1', 9))", trap.Talk, "127.0.0.1:9", "talked"},
	{"python", "import socket; socket.getaddrinfo('example.invalid', 80)", trap.Talk, "", "talked"},
	{"python", "import os; os.kill(1, 15)", trap.Signal, "1", "signalled"},
	{"python", "import threading; threading.Thread(target=open, args=('x', 'w')).start()", trap.Write, jailWork + "/x", "wrote"},
	{"python", "import os\nif os.fork() == 0:\n    open('x', 'w')", trap.Write, jailWork + "/x", "wrote"},
	{"python", "import atexit; atexit.register(open, 'x', 'w')", trap.Write, jailWork + "/x", "wrote"},
	{"python", "class C:\n    def __del__(self):\n        open('x', 'w')\nC()", trap.Write, jailWork + "/x", "wrote"},
	{"python", "import sys; sys.path.insert(0, 'shadow'); import json", trap.Read, jailWork + "/shadow/json.py", "executed code"},
	{"python", "import sys; sys.path.insert(0, '/tmp'); import elsewhere", trap.Write, "/tmp/stranger", ""},
	{"javascript", "require('fs').writeFileSync('x', 'y')", trap.Write, jailWork + "/x", "wrote"},
	{"javascript", "require('fs').promises.rm('a.txt')", trap.Delete, jailWork + "/a.txt", "deleted"},
	{"javascript", "require('child_process').execSync('jq .')", trap.Run, "", "ran"},
	{"javascript", "fetch('http://127.0.0.1:8080')", trap.Talk, "127.0.0.1:8080", "talked"},
	{"javascript", "require('dns').lookup('example.invalid', () => {})", trap.Talk, "", "talked"},
	{"javascript", "new (require('worker_threads').Worker)('require(`fs`).unlinkSync(`a.txt`)', { eval: true })", trap.Delete, jailWork + "/a.txt", "deleted"},
	{"javascript", "process.on('exit', () => require('fs').mkdirSync('x'))", trap.Write, jailWork + "/x", "wrote"},
}

// TestEffects runs texts of which it is known what they do, as a word, from
// standard input, and in a line of bash. A verdict that allows them and knows
// nothing of it is found out.
func TestEffects(t *testing.T) {
	j, langs := codeJail(t)
	for _, row := range effects {
		if !slices.Contains(langs, row.lang) {
			continue
		}
		for i, f := range spellings[row.lang] {
			if i != 0 && i != 2 && i != len(spellings[row.lang])-1 {
				continue // they run like these
			}
			line, code := f.spell(text{row.lang, row.text})
			happened, err := j.run(task{Shell: "bash", Line: line, Code: code, Trap: true})
			if err != nil {
				t.Fatal(err)
			}
			if row.kind == trap.Run && row.path == "" {
				if len(happened.Runs) == 0 && !slices.ContainsFunc(happened.Calls, func(c trap.Call) bool { return c.Kind == trap.Run }) {
					t.Errorf("%q: no program was started", line)
				}
			} else if !slices.ContainsFunc(happened.Calls, func(c trap.Call) bool { return c.Kind == row.kind && (row.path == "" || c.Path == row.path) }) {
				t.Errorf("%q: no %s of %q in %v", line, row.kind, row.path, happened.Calls)
			}
			blind := engine.Verdict{Decision: policy.Allow}
			if what := escaped(blind, happened); code != nil && !strings.HasPrefix(what, row.finds) || what == "" {
				t.Errorf("%q: found %q, want %q", line, what, row.finds)
			}
		}
	}
}

// TestHarmless runs what is felt nowhere: a verdict that says nothing is right.
func TestHarmless(t *testing.T) {
	j, langs := codeJail(t)
	for _, lang := range langs {
		for _, s := range languages[lang].options["work"] {
			if strings.Contains(s, "«") || strings.Contains(s, "subprocess") || strings.Contains(s, "child_process") {
				continue
			}
			g := newTexts(lang, 1, 1)
			if lang == "python" {
				s = g.imports(s)
			}
			happened, err := j.run(task{Code: &snippet{Lang: lang, Text: s}, Trap: true})
			if err != nil {
				t.Fatal(err)
			}
			blind := engine.Verdict{Decision: policy.Allow, Effects: policy.Executes}
			if what := escaped(blind, happened); what != "" {
				t.Errorf("%q: %s", s, what)
			}
		}
	}
}

// TestTold holds that what a tree tells is no find.
func TestTold(t *testing.T) {
	happened := truth{Calls: []trap.Call{
		{Kind: trap.Write, Path: "/w/a"}, {Kind: trap.Delete, Path: "/w/src/b"}, {Kind: trap.Write, Path: "/tmp/tmp123/c"}, {Kind: trap.Read, Path: "/etc/motd"}, {Kind: trap.Talk, Path: "127.0.0.1:9"},
	}}
	v := engine.Verdict{Decision: policy.Allow, Effects: policy.Network, Tree: []engine.Node{
		{Writes: []engine.Place{{Path: "/w/a"}, {Path: "/w/src"}}, Reads: []engine.Place{{Path: "/etc/motd"}}},
		{Children: []engine.Node{{Writes: []engine.Place{{Path: "/tmp/tmp*", Pattern: true}}}}},
	}}
	if what := escaped(v, happened); what != "" {
		t.Error(what)
	}
	for i := range happened.Calls {
		less := v
		less.Tree, less.Effects = nil, 0
		if what := escaped(less, truth{Calls: happened.Calls[i : i+1]}); what == "" {
			t.Errorf("%v is not told, and not found", happened.Calls[i])
		}
	}
}

// TestOptions holds that the grammars of languages are whole, and that a seed
// means the same texts.
func TestOptions(t *testing.T) {
	for lang, l := range languages {
		usedNames := map[string]bool{"snippet": true}
		for name, options := range l.options {
			if len(options) == 0 {
				t.Errorf("%s: %s has no options", lang, name)
			}
			for _, option := range options {
				for _, piece := range strings.Split(option, "«")[1:] {
					name, _, ok := strings.Cut(piece, "»")
					if !ok {
						t.Errorf("%s: %q ends in a name", lang, option)
					}
					usedNames[strings.TrimRight(name, `">`)] = true
				}
			}
		}
		for name := range usedNames {
			if l.options[name] == nil {
				t.Errorf("%s has no %s", lang, name)
			}
		}
		for name := range l.options {
			if !usedNames[name] {
				t.Errorf("%s: nothing uses %s", lang, name)
			}
		}
		for name := range l.ends {
			if l.options[name] == nil {
				t.Errorf("%s ends %s, which it does not have", lang, name)
			}
		}
		a, b, other, same := newTexts(lang, 1, 2), newTexts(lang, 1, 2), newTexts(lang, 1, 3), 0
		for range 500 {
			s := a.text(lang)
			if b.text(lang) != s {
				t.Fatalf("%s: one seed makes two texts", lang)
			}
			if other.text(lang) == s {
				same++
			}
		}
		if same > 100 {
			t.Errorf("%s: two streams share %d of 500 texts", lang, same)
		}
	}
}

// TestCode runs the lines that once did something unseen. Those of want "open"
// do so still.
func TestCode(t *testing.T) {
	j, langs := codeJail(t)
	judge := newJudge(codeFiles)
	all := rows(t, "testdata/code.jsonl")
	closed := 0
	for i, row := range all {
		lang := "python"
		if strings.Contains(row.Line, "node") {
			lang = "javascript"
		}
		if !slices.Contains(langs, lang) {
			t.Logf("SKIPPED: nothing runs %q", row.Line)
			continue
		}
		happened, err := j.run(task{Shell: "bash", Line: row.Line, Trap: true})
		if err != nil {
			t.Fatal(err)
		}
		switch what := escaped(judge.codeVerdict(row.Line), happened); {
		case row.Want == "open" && what == "":
			t.Logf("closed: %q", row.Line)
			all[i].Want = "seen"
			closed++
		case row.Want == "seen" && what != "":
			t.Errorf("%q (%s): %s", row.Line, row.Note, what)
		case row.Want != "seen" && row.Want != "open":
			t.Errorf("%q wants %q", row.Line, row.Want)
		}
	}
	switch {
	case closed > 0 && *update:
		write(t, "testdata/code.jsonl", all)
	case closed > 0:
		t.Errorf("%d lines of testdata/code.jsonl are closed\nhint: go test ./internal/oracle -run '^TestCode$' -update says so there", closed)
	}
}

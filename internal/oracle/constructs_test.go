//go:build linux

package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

var update = flag.Bool("update", false, "write docs/grammar.md")

// said is what a shell prints, in an environment of nothing.
func said(t *testing.T, words ...string) string {
	t.Helper()
	if _, err := exec.LookPath(words[0]); err != nil {
		t.Skipf("SKIPPED: %s is not installed", words[0])
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C"}
	out, err := cmd.Output()
	if err != nil && len(out) == 0 {
		t.Fatalf("%q: %v", words, err)
	}
	return string(out)
}

// firsts are the first words of lines that a pattern matches.
func firsts(text, pattern string) (names []string) {
	for _, m := range regexp.MustCompile("(?m)"+pattern).FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

// TestConstructsComplete holds that what the installed shells list is in the
// table.
func TestConstructsComplete(t *testing.T) {
	has := map[string]bool{}
	for _, c := range constructs {
		has[c.kind+" "+c.shell+" "+c.name] = true
	}
	for _, row := range []struct {
		kind, shell string
		least       int
		list        func(*testing.T) []string
	}{
		{"builtin", "bash", 55, func(t *testing.T) []string { return strings.Fields(said(t, "bash", "-c", "compgen -b")) }},
		{"keyword", "bash", 20, func(t *testing.T) []string { return strings.Fields(said(t, "bash", "-c", "compgen -k")) }},
		{"variable", "bash", 35, func(t *testing.T) []string { return strings.Fields(said(t, "bash", "-c", "compgen -v")) }},
		{"shopt", "bash", 45, func(t *testing.T) []string { return firsts(said(t, "bash", "-c", "shopt"), `^(\S+)`) }},
		{"set", "bash", 25, func(t *testing.T) []string { return firsts(said(t, "bash", "-c", "set -o"), `^(\S+)`) }},
		{"set", "dash", 15, func(t *testing.T) []string { return firsts(said(t, "dash", "-c", "set -o"), `^(\S+) +o[nf]`) }},
		{"builtin", "zsh", 95, func(t *testing.T) []string { return strings.Fields(said(t, "zsh", "-fc", "print ${(k)builtins}")) }},
		{"keyword", "zsh", 25, func(t *testing.T) []string { return strings.Fields(said(t, "zsh", "-fc", "print ${(k)reswords}")) }},
		{"setopt", "zsh", 180, func(t *testing.T) []string { return strings.Fields(said(t, "zsh", "-fc", "print ${(k)options}")) }},
		{"variable", "zsh", 90, func(t *testing.T) []string {
			return firsts(said(t, "zsh", "-fc", "print -l ${(k)parameters}"), `^([A-Za-z_]\w*)$`)
		}},
		{"builtin", "dash", 30, func(t *testing.T) (names []string) { // which lists none by itself
			for _, c := range constructs {
				if c.kind == "builtin" && strings.Contains(said(t, "dash", "-c", `type "$1"; :`, "dash", c.name), "shell builtin") && !slices.Contains(names, c.name) {
					names = append(names, c.name)
				}
			}
			return names
		}},
		{"option", "bash", 150, func(t *testing.T) (names []string) {
			for _, b := range strings.Fields(said(t, "bash", "-c", "compgen -b")) {
				if b == "echo" || b == "times" {
					continue // their help says what they print
				}
				help := said(t, "bash", "-c", `help -s "$1"; :`, "bash", b)
				for _, letters := range firsts(help, `\[-([A-Za-z]+)`) {
					for _, letter := range letters {
						names = append(names, b+" -"+string(letter))
					}
				}
			}
			return slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, "caller ") })
		}},
	} {
		t.Run(row.kind+" "+row.shell, func(t *testing.T) {
			names := row.list(t)
			if len(names) < row.least {
				t.Errorf("only %d names: %q", len(names), names)
			}
			for _, name := range names {
				if !has[row.kind+" "+row.shell+" "+name] {
					t.Errorf("constructs.txt has no %s of %s: %s", row.kind, row.shell, name)
				}
			}
		})
	}
}

// TestKeywords holds that each keyword stands in a line of its shell.
func TestKeywords(t *testing.T) {
	for _, c := range constructs {
		if c.kind == "keyword" && !slices.ContainsFunc(constructs, func(d construct) bool {
			return d.shell == c.shell && d.kind != "builtin" && slices.Contains(strings.FieldsFunc(d.line, func(r rune) bool { return strings.ContainsRune(" ;\n", r) }), c.name)
		}) {
			t.Errorf("no line of %s uses %s", c.shell, c.name)
		}
	}
}

// page is docs/grammar.md.
func page() string {
	var b strings.Builder
	b.WriteString(`# What of the shells' grammar is tried

Every construct of the manuals of bash 5.2 and 5.3, zsh 5.9 and dash: its line is judged and, where it is allowed, run by the [oracle](security.md), alone and among others. *Asked on sight* means that its line, with nothing else around it, is a question; the hunt tries these too, for what becomes of them elsewhere. *Not reached* is what a shell that is given its command line never comes to. The page is made from ` + "`internal/oracle/constructs.txt`" + `; a test holds that it has whatever the shells list by themselves (` + "`compgen -b`, `shopt`, `set -o`, `${(k)builtins}`, `${(k)options}`, `${(k)parameters}`" + `), and ` + "`go test ./internal/oracle -run GrammarPage -update`" + ` writes it.

| kind | shell | generated | asked on sight | not reached |
|---|---|---|---|---|
`)
	j := newJudge(fixture)
	type key struct{ kind, shell string }
	var order []key
	lists := map[key]*[3][]string{}
	for _, c := range constructs {
		k := key{c.kind, c.shell}
		if lists[k] == nil {
			lists[k] = new([3][]string)
			order = append(order, k)
		}
		status := 0
		switch {
		case c.line == "" && c.kind != "keyword":
			status = 2
		case c.line != "" && j.verdict(c.line, c.shell).Decision > policy.Allow:
			status = 1
		}
		lists[k][status] = append(lists[k][status], asCode(c.name))
	}
	slices.SortStableFunc(order, func(a, b key) int { return strings.Compare(a.shell, b.shell) })
	total := [3]int{}
	for _, k := range order {
		fmt.Fprintf(&b, "| %s | %s |", k.kind, k.shell)
		for i, names := range lists[k] {
			total[i] += len(names)
			fmt.Fprintf(&b, " %s |", strings.Join(names, " "))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\n%d constructs are generated, %d asked on sight, %d not reached.\n", total[0], total[1], total[2])
	return b.String()
}

// asCode is a name as code in a table.
func asCode(name string) string {
	name = strings.ReplaceAll(name, "|", `\|`)
	if strings.Contains(name, "`") {
		return "`` " + name + " ``"
	}
	return "`" + name + "`"
}

func TestGrammarPage(t *testing.T) {
	const file = "../../docs/grammar.md"
	want := page()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/grammar.md is not what the constructs come to\nhint: go test ./internal/oracle -run GrammarPage -update")
	}
}

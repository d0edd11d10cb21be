package acceptance

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// The archives of testdata/user_rules are what users write first: a rule file
// of theirs, and what it must come to.
//
//	rules.toml   the user's rules
//	lines        what is said about commands, in order:
//
//	allow|ask|block COMMAND    what must be decided
//	cd DIR                     where the next ones run, seen from the workspace
//	file PATH TEXT             a file of the workspace, or an absolute path; \n and \t are meant
//	link PATH TARGET           a symbolic link
//	dir PATH
//
// At most three lines stand beside the headers of the tables. Without the file
// none of the allowed lines is allowed, and all commands do and reach the same.
func TestUserRules(t *testing.T) {
	names, err := filepath.Glob("testdata/user_rules/*.txtar")
	if err != nil || len(names) < 9 {
		t.Fatal(len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Files) != 2 || a.Files[0].Name != "rules.toml" || a.Files[1].Name != "lines" {
				t.Fatal("the archive is not rules.toml and lines")
			}
			rules := string(a.Files[0].Data)
			if !strings.Contains(string(a.Comment), "# More") {
				short(t, rules)
			}
			userRules(t, rules, string(a.Files[1].Data))
		})
	}
}

// short counts the lines of a rule file beside the headers of its tables.
func short(t *testing.T, rules string) {
	n := 0
	for line := range strings.Lines(rules) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '[' && line[0] != '#' {
			n++
		}
	}
	if n > 3 {
		t.Errorf("%d lines beside the headers", n)
	}
}

func userRules(t *testing.T, rules, lines string) {
	t.Helper()
	known := ruleset.KnownFrom(gates.All[:])
	known.IDs = func() []string {
		ids := []string{"unknown-use", "run.file", "path.write", "path.delete", "redirect.write", "env.*"}
		for _, g := range gates.All {
			for _, p := range g.Programs() {
				for i := range p.Rules {
					ids = append(ids, p.Rules[i].ID)
				}
			}
			for i := range g.Paths {
				ids = append(ids, g.Paths[i].ID)
			}
		}
		return ids
	}
	compiled, err := ruleset.Compile([]*ruleset.File{ruleset.Load("user/rules.toml", []byte(rules), ruleset.User)}, known)
	if err != nil {
		t.Fatal(err)
	}
	m := files()
	with := engine.New(engine.Options{Files: m, User: []*interp.Rules{interp.New(compiled)}})
	without := engine.New(engine.Options{Files: m})
	cwd := workspace
	n := 0
	for line := range strings.Lines(lines) {
		n++
		line = strings.TrimSuffix(line, "\n")
		word, rest, _ := strings.Cut(line, " ")
		rest = strings.TrimSpace(rest)
		switch word {
		case "", "#":
		case "cd":
			cwd = path.Join(workspace, rest)
			if strings.HasPrefix(rest, "/") {
				cwd = rest
			}
		case "file", "link", "dir":
			change(m, word, rest)
		case "allow", "ask", "block":
			q := engine.Request{Command: rest, Cwd: cwd, Workspace: workspace, Home: home, Mode: "default", Shell: "bash"}
			v, before := with.Evaluate(q), without.Evaluate(q)
			if v.Decision.String() != word {
				t.Errorf("lines:%d: %s\n  %v, want %s: %s%s", n, rest, v.Decision, word, reasons(&v), near(v.Tree))
			}
			if word == "allow" && before.Decision == policy.Allow {
				t.Errorf("lines:%d: %s\n  is allowed without the rules, too", n, rest)
			}
			if word != "allow" && v.Decision < before.Decision {
				t.Errorf("lines:%d: %s\n  %v, and %v without the rules", n, rest, v.Decision, before.Decision)
			}
			if v.Effects&before.Effects != before.Effects {
				t.Errorf("lines:%d: %s\n  does %v, and %v without the rules", n, rest, v.Effects.Names(), before.Effects.Names())
			}
			if v.Reach < before.Reach {
				t.Errorf("lines:%d: %s\n  reaches %v, and %v without the rules", n, rest, v.Reach, before.Reach)
			}
		default:
			t.Fatalf("lines:%d: %q", n, line)
		}
	}
}

// change makes a file, a directory or a link.
func change(m *disk.Memory, what, text string) {
	name, rest, _ := strings.Cut(text, " ")
	if !strings.HasPrefix(name, "/") {
		name = workspace + "/" + name
	}
	switch what {
	case "file":
		m.WriteFile(name, strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(rest))
	case "link":
		m.Symlink(rest, name)
	case "dir":
		m.Mkdir(name)
	}
}

func near(nodes []engine.Node) string {
	text := ""
	for i := range nodes {
		for _, r := range nodes[i].Near {
			text += fmt.Sprintf("; %s nearly held: %s", r.ID, r.Why)
		}
		text += near(nodes[i].Children)
	}
	return text
}

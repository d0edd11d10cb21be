//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/race"
	"github.com/bashgate/bashgate/internal/ruleset"
)

// ruleTexts are the texts of rule files that lie around here: the built-in ones,
// and those of tests.
func ruleTexts(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"../../rules/*.toml", "../../rules/packs/*.toml", "../../rules/profiles/*.toml", "../export/testdata/*.toml"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			texts[name] = string(text)
		}
	}
	for _, pattern := range []string{"../acceptance/testdata/user_rules/*.txtar", "../../cmd/bashgate/testdata/script/*.txtar", "../ruleset/testdata/*/*.txtar"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range archive.Files {
				if strings.HasSuffix(f.Name, ".toml") {
					texts[name+":"+f.Name] = string(f.Data)
				}
			}
		}
	}
	texts["none and any"] = `[[programs]]
name = "git"
[[programs.allow]]
subcommand = "push"
lifts = ["git.push", "unknown-use"]
wrappers = []
[[programs.allow]]
subcommand = "fetch"
operands = []
only_flags = []
`
	return texts
}

// acceptanceLines are the lines that rows of internal/acceptance are about.
func acceptanceLines(t *testing.T) (lines []string) {
	t.Helper()
	names, _ := filepath.Glob("../acceptance/testdata/*.jsonl")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for rows := bufio.NewScanner(bytes.NewReader(text)); rows.Scan(); {
			var row struct{ Cmd string }
			if json.Unmarshal(rows.Bytes(), &row) == nil && row.Cmd != "" && !strings.Contains(row.Cmd, "/proc") { // processes come and go
				lines = append(lines, row.Cmd)
			}
		}
	}
	return lines
}

// TestKeptSaysTheSame: a verdict is the same, with all reasons, whether rules are
// compiled, compiled and kept, or were kept.
func TestKeptSaysTheSame(t *testing.T) {
	race.Sequential(t)
	p, _, _ := process(t, nil)
	home := p.Getenv("HOME")
	lines, texts := acceptanceLines(t), ruleTexts(t)
	if len(lines) < 1000 || len(texts) < 200 {
		t.Fatalf("%d lines, %d rule files", len(lines), len(texts))
	}
	next, kept, whole := 0, 0, 0
	try := func(what, text, file string, r engine.Request, load func(*config.Setup) []*config.Rules) {
		t.Helper()
		putFile(t, file, text)
		defer os.Remove(file)
		if err := os.RemoveAll(p.kept().Dir); err != nil {
			t.Fatal(err)
		}
		var judges []*judge
		var gates [][]*match.Gate
		for _, setup := range []*config.Setup{p.setup(), p.setup().Keeping(p.kept()), p.setup().Keeping(p.kept())} {
			judges = append(judges, newJudgeOf(p, setup))
			var all []*match.Gate
			for _, rules := range load(setup) {
				for i := range rules.Files {
					all = append(all, rules.Files[i].Gate)
				}
			}
			gates = append(gates, all)
		}
		if len(gates[0]) == 0 {
			t.Fatalf("%s: no file", what)
		}
		for i, g := range gates[2] {
			switch {
			case g == nil:
			case g.Packed == nil:
				whole++ // some fault
			default:
				kept++
				if !sameGate(gates[0][i], g) || !sameGate(gates[1][i], g) && gates[1][i].Packed == nil {
					t.Errorf("%s: compiled and kept are not the same", what)
				}
			}
		}
		about := []string{"x", "ls | x y", "./x"}
		for _, g := range gates[0] {
			if g == nil {
				continue
			}
			for i := range min(3, len(g.Programs())) {
				for k := range min(3, len(g.Own[i].Rules)) {
					path := ""
					if paths := g.Own[i].Rules[k].Paths; paths != nil {
						path = paths[0]
					}
					about = append(about, g.Own[i].Name+" "+path+" a -x", "sudo "+g.Own[i].Name+" "+path)
				}
			}
		}
		for range 12 {
			about = append(about, lines[next%len(lines)])
			next++
		}
		for _, line := range about {
			r.Command, r.Home = line, home
			want := judges[0].evaluate(r)
			for i, name := range []string{"compiled and kept", "kept"} {
				if got := judges[1+i].evaluate(r); !reflect.DeepEqual(want, got) {
					t.Errorf("%s: %q is %v (%s) where it is %s, and %v (%s) compiled", what, line, got.Decision, got.Reason, name, want.Decision, want.Reason)
				}
			}
		}
	}
	putFile(t, home+"/.config/bashgate/config.toml", "packs_dir = [\"~/packs\"]\n")
	n := 0
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		text := texts[name]
		r := engine.Request{Cwd: "/srv/project", Workspace: "/srv/project"}
		if strings.Contains(text, "[profile]") {
			r.Profile = "mine"
			try(name, text, home+"/.config/bashgate/profiles/mine.toml", r, func(s *config.Setup) []*config.Rules {
				return []*config.Rules{s.Profiles(catalogue.Known)}
			})
			continue
		}
		try(name, text, home+"/.config/bashgate/rules/mine.toml", r, func(s *config.Setup) []*config.Rules {
			return []*config.Rules{s.UserRules(catalogue.Known)}
		})
		if n++; n%4 > 0 {
			continue
		}
		r.Cwd, r.Workspace = home+"/project", home+"/project"
		try(name, text, home+"/project/.bashgate/rules/mine.toml", r, func(s *config.Setup) []*config.Rules {
			return s.Project([]string{home + "/project"}, catalogue.Known).Rules
		})
		r.Packs = []string{"mine"}
		try(name, text, home+"/packs/mine.toml", r, func(s *config.Setup) []*config.Rules {
			rules, _ := s.SharedPacks(r.Packs, r.Workspace, catalogue.Known)
			return []*config.Rules{rules}
		})
	}
	if t.Logf("%d kept, %d not", kept, whole); kept < 100 {
		t.Errorf("only %d were kept", kept)
	}
}

// sameGate reports whether a gate that was compiled says what an unpacked one says.
func sameGate(compiled, unpacked *match.Gate) bool {
	a, b := *compiled, *unpacked
	b.Own, b.Packed = append([]*match.Program(nil), b.Programs()...), nil
	a.Own, a.Index = append([]*match.Program(nil), a.Own...), nil
	return reflect.DeepEqual(a, b)
}

// TestKeptByHooks: hooks keep what the user's rules come to; looking at what they
// would answer keeps nothing.
func TestKeptByHooks(t *testing.T) {
	p, out, _ := process(t, nil)
	putFile(t, p.Getenv("HOME")+"/.config/bashgate/rules/a.toml", "[[programs]]\nname = \"acme\"\n[[programs.allow]]\nsubcommand = \"list\"\n")
	some := func() int {
		entries, _ := os.ReadDir(p.kept().Dir)
		return len(entries)
	}
	for _, args := range [][]string{{"check", "acme list"}, {"explain", "acme list"}, {"explain", "--session", "s1", "acme list"}, {"rules", "lint"}, {"config", "show"}} {
		p.Args = args
		if Run(p); some() > 0 {
			t.Errorf("%q keeps rules", args)
		}
	}
	p.Args = []string{"hook", "claude"}
	for range 2 {
		out.Reset()
		p.Stdin = strings.NewReader(payload("acme list"))
		if Run(p); some() != 1 {
			t.Errorf("%d are kept", some())
		}
		if d, why := decisionOf(t, out.Bytes()); d != "allow" {
			t.Errorf("%s: %s", d, why)
		}
	}
	rules := p.setup().Keeping(p.kept()).UserRules(func() ruleset.Known { t.Error("compiled"); return catalogue.Known() })
	if len(rules.Files) != 1 || rules.Files[0].Gate.Packed == nil {
		t.Error("the hook's are not kept")
	}
}

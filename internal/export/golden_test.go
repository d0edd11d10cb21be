package export

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

var update = flag.Bool("update", false, "rewrite testdata and the counts in docs/exports.md")

// small is the rules of testdata/small.toml alone.
func small(t testing.TB) *Source {
	t.Helper()
	text, err := os.ReadFile("testdata/small.toml")
	if err != nil {
		t.Fatal(err)
	}
	gates, err := ruleset.Compile([]*ruleset.File{ruleset.Load("small.toml", text, ruleset.User)}, ruleset.Known{Program: func(string) *match.Program { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Options{User: []*interp.Rules{interp.New(gates)}})
	return &Source{
		Gates: gates,
		Judge: func(command string) policy.Decision {
			return e.Evaluate(engine.Request{Command: command, Cwd: "/home/user/project", Workspace: "/home/user/project", Home: "/home/user"}).Decision
		},
	}
}

// goldens are the files and the options that they are written with.
var goldens = []struct {
	target  string
	file    string
	options Options
}{
	{"gemini", "gemini.toml", Options{}},
	{"gemini", "gemini-strict.toml", Options{Strict: true}},
	{"codex", "codex.rules", Options{}},
	{"claude", "claude.json", Options{}},
	{"claude", "claude-sandbox.json", Options{Sandbox: true}},
	{"opencode", "opencode.json", Options{}},
	{"qwen", "qwen.json", Options{}},
	{"amp", "amp.json", Options{}},
	{"zed", "zed.json", Options{}},
	{"vscode", "vscode.json", Options{}},
	{"copilot", "copilot.sh", Options{}},
	{"cursor", "cursor.json", Options{}},
	{"droid", "droid.json", Options{}},
	{"agy", "agy.json", Options{}},
}

// TestGolden compares what the small rules become with what was looked at. To
// look again: go test ./internal/export -run Golden -update
func TestGolden(t *testing.T) {
	s := small(t)
	targets := map[string]bool{}
	for _, g := range goldens {
		targets[g.target] = true
		t.Run(g.file, func(t *testing.T) {
			g.options.Version = "v0.0.0"
			text := Find(g.target).Export(Collect(s, g.options.Strict), g.options).Text
			path := filepath.Join("testdata/golden", g.file)
			if *update {
				if err := os.WriteFile(path, text, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(text)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", g.file, diff)
			}
			if err := Find(g.target).Check(text, g.file); err != nil {
				t.Error(err)
			}
		})
	}
	for _, target := range Targets() {
		if !targets[target.Name] {
			t.Errorf("%s has no golden file", target.Name)
		}
	}
}

// TestUnjudged holds that a file which no engine has judged allows nothing: it
// is the same without the Forms.
func TestUnjudged(t *testing.T) {
	rules := Collect(small(t), false)
	if len(rules.Forms) == 0 {
		t.Fatal("no Forms")
	}
	for _, target := range Targets() {
		with, without := target.Export(rules, Options{}), target.Export(rules.Tightening(), Options{})
		switch same := string(with.Text) == string(without.Text); {
		case target.Judged:
		case !same:
			t.Errorf("%s writes Forms", target.Name)
		case with.Stats.Kept > 0 || len(with.Stats.Lost) == 0:
			t.Errorf("%s counts Forms as written", target.Name)
		}
	}
}

package history

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/internal/install"
)

var update = flag.Bool("update", false, "write what was read into testdata")

// collected is what a reader found and left out.
type collected struct {
	commands []Command
	skipped  []Skipped
}

func env(name string) string {
	if name == "SHELL" {
		return "/bin/bash"
	}
	return ""
}

func (c *collected) reader() *Reader {
	return &Reader{
		Getenv:  env,
		Found:   func(found Command) { c.commands = append(c.commands, found) },
		Skipped: func(s Skipped) { c.skipped = append(c.skipped, s) },
	}
}

func open(t *testing.T, path string) *collected {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	c := &collected{}
	sources, err := Open(path, func(s Skipped) { c.skipped = append(c.skipped, s) })
	if err != nil {
		t.Fatal(err)
	}
	r := c.reader()
	for _, s := range sources {
		r.From(s)
	}
	return c
}

// text is all of what was read, for golden files.
func (c *collected) text(dir string) string {
	var b strings.Builder
	for _, f := range c.commands {
		when := "-"
		if !f.Time.IsZero() {
			when = f.Time.Format(time.RFC3339Nano)
		}
		fmt.Fprintf(&b, "%q\n  host %s, session %q, time %s, outcome %d\n  cwd %q, workspace %q, mode %q, shell %q\n", f.Text, f.Host, f.Session, when, f.Outcome, f.Cwd, f.Workspace, f.Mode, f.Shell)
		if f.Rules != nil || f.Masked {
			fmt.Fprintf(&b, "  %s, rules %q, masked %t\n", f.Decision, f.Rules, f.Masked)
		}
	}
	for _, s := range c.skipped {
		fmt.Fprintf(&b, "left out: %s: %s, from line %d, %d\n", strings.TrimPrefix(s.Path, dir), s.Why, s.Line, s.Count)
	}
	return b.String()
}

// What agents and shells have written is read as it was meant. Those with a
// version are recorded of that version (go run ./e2e/hosts -sessions DIR), and made
// smaller.
func TestRecorded(t *testing.T) {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	tested := 0
	for _, entry := range all {
		name := entry.Name()
		if strings.HasSuffix(name, ".golden") || strings.HasSuffix(name, "-wal") || name == "fuzz" {
			continue
		}
		tested++
		t.Run(name, func(t *testing.T) {
			got := open(t, filepath.Join(dir, name)).text(dir)
			golden := filepath.Join(dir, name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if tested < 14 {
		t.Errorf("only %d recordings", tested)
	}
}

// The three commands of e2e/hosts -sessions: one that ran, one that bashgate
// denied, one that ran and failed.
func TestOutcomes(t *testing.T) {
	for _, name := range [...]string{"claude-2.1.329.jsonl", "codex-0.169.0.jsonl", "gemini-0.61.0", "qwen-0.24.4.jsonl", "opencode-1.18.33.db", "pi-0.73.1.jsonl"} {
		var got []string
		for _, c := range open(t, filepath.Join("testdata", name)).commands {
			got = append(got, fmt.Sprint(c.Text, " ", c.Outcome, " ", c.Cwd))
		}
		want := []string{"seq -s- 3 7 1 /home/dev/project", "touch trace 2 /home/dev/project", "cat missing.txt 1 /home/dev/project"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A session that goes on in another file begins with a copy of the first.
func TestCopiesCountOnce(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile("testdata/claude-2.1.329.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range [...]string{"a.jsonl", "b.jsonl"} {
		write(t, filepath.Join(dir, name), text)
	}
	if got := len(open(t, dir).commands); got != 3 {
		t.Errorf("%d commands of a session and its copy, want 3", got)
	}
}

// Of a session that its agent has kept nothing is read from the decision log.
func TestLogAfterSessions(t *testing.T) {
	dir := t.TempDir()
	for from, to := range map[string]string{"testdata/claude-2.1.329.jsonl": "s.jsonl", "testdata/audit.log": "audit.log"} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.ReplaceAll(text, []byte(`"session":"s1"`), []byte(`"session":"095e56d5-13d3-461c-8bcf-c0bf76239a04"`))
		write(t, filepath.Join(dir, to), text)
	}
	var got []string
	for _, c := range open(t, dir).commands {
		got = append(got, c.Text)
	}
	if diff := cmp.Diff([]string{"seq -s- 3 7", "touch trace", "cat missing.txt", "rm -rf /"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func write(t testing.TB, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Histories are found where agents and shells keep them, and where variables say.
func TestFind(t *testing.T) {
	home := t.TempDir()
	for path, from := range map[string]string{
		".claude/projects/-home-dev-project/1.jsonl":             "claude-2.1.329.jsonl",
		".claude/projects/-home-dev-project/1/subagents/2.jsonl": "claude-2.1.329.jsonl",
		"codex/sessions/2026/11/23/rollout-1.jsonl":              "codex-0.169.0.jsonl",
		".gemini/tmp/project/chats/session-1.jsonl":              "gemini-0.61.0/chats/session-2026-11-23T21-37-89e1cf64.jsonl",
		".gemini/tmp/project/.project_root":                      "gemini-0.61.0/.project_root",
		".qwen/projects/-home-dev-project/chats/1.jsonl":         "qwen-0.24.4.jsonl",
		"data/opencode/opencode.db":                              "opencode-1.18.33.db",
		"data/opencode/snapshot/1/2/3/4/5/6/7/8/9/opencode.db":   "opencode-1.18.33.db", // something else
		"data/opencode/storage/part/msg_1/prt_1.json":            "opencode-older/storage/part/msg_1/prt_1.json",
		"data/opencode/opencode.db-wal":                          "opencode-1.18.33.db-wal",
		".pi/agent/sessions/--home--/1.jsonl":                    "pi-0.73.1.jsonl",
		".bash_history":                                          "bash_history",
		".zsh_history":                                           "zsh_history",
		"data/fish/fish_history":                                 "fish_history",
		"state/audit.log":                                        "audit.log",
		"state/audit.log.20261101T000000.000000000":              "audit.log",
		"state/audit.log.head":                                   "fish_history", // not of the log's lines
	} {
		text, err := os.ReadFile(filepath.Join("testdata", from))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(home, path), text)
	}
	vars := map[string]string{"CODEX_HOME": home + "/codex", "XDG_DATA_HOME": home + "/data", "HISTFILE": home + "/.bash_history"}
	at := install.Place{Home: home, Getenv: func(name string) string { return vars[name] }}
	got := map[string]int{}
	var c collected
	r := c.reader()
	for _, place := range Where(at, home+"/state/audit.log") {
		for _, s := range Find(place, func(s Skipped) { t.Errorf("left out: %+v", s) }) {
			got[s.Kind]++
			r.From(s)
		}
	}
	want := map[string]int{"claude": 2, "codex": 1, "gemini": 1, "qwen": 1, "opencode": 2, "pi": 1, "bash": 1, "zsh": 1, "fish": 1, "bashgate": 2}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
	hosts := map[string]int{}
	for _, c := range c.commands {
		hosts[c.Host]++
	}
	// The claude and gemini of the log are sessions that no file is of.
	if diff := cmp.Diff(map[string]int{"claude": 5, "codex": 3, "gemini": 5, "qwen": 3, "opencode": 4, "pi": 3, "bash": 3, "zsh": 4, "fish": 3}, hosts); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}

// An agent that numbers the uses of each turn anew runs each of them.
func TestUsesWithOneID(t *testing.T) {
	var text strings.Builder
	for i, command := range []string{"git push", "acme build", "acme build"} {
		fmt.Fprintf(&text, `{"type":"assistant","uuid":"u","sessionId":"s","cwd":"/p","timestamp":"2026-11-23T10:0%d:00Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"call_0","name":"Bash","input":{"command":%q}}]}}`+"\n", i, command)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := open(t, path); len(got.commands) != 3 {
		t.Errorf("%d commands:\n%s", len(got.commands), got.text(""))
	}
}

// A copy of a session of Codex has the times of copying.
func TestCopyWithOtherTimes(t *testing.T) {
	old, err := os.ReadFile("testdata/codex-0.169.0.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"rollout-a.jsonl": string(old), "rollout-b.jsonl": strings.ReplaceAll(string(old), "2026-11-23T21:", "2026-11-23T22:")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := open(t, dir); len(got.commands) != 3 {
		t.Errorf("%d commands:\n%s", len(got.commands), got.text(dir))
	}
}

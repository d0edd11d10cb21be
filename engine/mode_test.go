package engine

import (
	"testing"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/settings"
	"github.com/bashgate/bashgate/policy"
)

// TestAutoPlaces is about where something has to lie to be gone for ever.
func TestAutoPlaces(t *testing.T) {
	files := new(disk.Memory)
	files.WriteFile("/w/a.txt", "x")
	files.WriteFile("/w/docs/b.md", "x")
	files.WriteFile("/other/c.txt", "x")
	files.Symlink("/other", "/w/link")
	e := New(Options{Files: files})
	bare := New(Options{})
	for _, row := range []struct {
		line        string
		want, blind policy.Decision // with and without a disk
	}{
		{"rm -rf docs", policy.Ask, policy.Ask},
		{"rm -rf /w/docs ./x", policy.Ask, policy.Ask},
		{"rm -rf docs/../a", policy.Ask, policy.Ask},
		{"rm -rf docs/../../other", policy.Block, policy.Block},
		{"rm -rf link/c", policy.Block, policy.Ask},
		{"rm -rf /lib2/x", policy.Ask, policy.Ask},
		{"rm -rf /lib2", policy.Block, policy.Block},
		{"rm -rf /scratch/x", policy.Allow, policy.Allow},
		{"cp -a a /scratch/x; rm -rf /scratch/x/y", policy.Ask, policy.Allow},
		{"rm -rf /tmp/x", policy.Block, policy.Block},
		{"rm -rf ~/x", policy.Block, policy.Block},
		{"rm -rf .", policy.Block, policy.Block},
		{"rm -rf *", policy.Block, policy.Block},
		{"rm -rf docs/*", policy.Ask, policy.Ask},
		{"rm -rf .git", policy.Block, policy.Block},
		{"rm -rf docs/.git", policy.Block, policy.Block},
		{"rm -rf .gitignore.d", policy.Ask, policy.Ask},
		{"cd /other && rm -rf x", policy.Block, policy.Block},
		{"cd \"$x\" && rm -rf y", policy.Block, policy.Block},
		{"rm -rf \"docs/$x\"", policy.Block, policy.Block},
		{"rm /other/c.txt", policy.Ask, policy.Ask},
		{"git checkout a.txt", policy.Block, policy.Ask},
		{"git checkout docs", policy.Block, policy.Ask},
		{"git checkout no.txt", policy.Ask, policy.Ask},
		{"git checkout main", policy.Ask, policy.Ask},
		{"git checkout *.txt", policy.Block, policy.Ask},
		{"git -C docs checkout b.md", policy.Block, policy.Ask},
		{"cd docs && git checkout b.md", policy.Block, policy.Ask},
		{"git checkout \"$x\"", policy.Ask, policy.Ask},
		{"git push origin \"$x\"", policy.Ask, policy.Ask},
		{"git push --force origin \"$x\"", policy.Block, policy.Block},
		{"gh api -X \"$x\" repos/o/r", policy.Ask, policy.Ask},
		{"find docs -delete", policy.Ask, policy.Ask},
		{"find . -name '*.o' -delete", policy.Ask, policy.Ask},
		{"find . -type f -delete", policy.Block, policy.Block},
		{"find /other -name '*.o' -delete", policy.Block, policy.Block},
		{"sqlite3 a.db 'drop table t'", policy.Ask, policy.Ask},
		{"psql -c 'drop table t'", policy.Block, policy.Block},
		{"psql -c 'drop index i'", policy.Ask, policy.Ask},
		{"mongosh --eval 'db.users.insertOne({a: 1})'", policy.Ask, policy.Ask},
		{"mongosh --eval 'db.users.drop()'", policy.Block, policy.Block},
		{"ssh h rm -rf /data", policy.Block, policy.Block},
	} {
		r := Request{
			Command: row.line, Mode: ModeAuto, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash",
			AdditionalDirs: []string{"/lib2"}, ScratchDirs: []string{"/scratch"},
		}
		if v := e.Evaluate(r); v.Decision != row.want {
			t.Errorf("%s: %v (%s), want %v", row.line, v.Decision, v.Reason, row.want)
		}
		if v := bare.Evaluate(r); v.Decision != row.blind {
			t.Errorf("%s, without a disk: %v (%s), want %v", row.line, v.Decision, v.Reason, row.blind)
		}
	}
}

// TestAutoLifted lets the agent's settings lift what auto mode blocks: the
// user's own do, those that come with a clone don't.
func TestAutoLifted(t *testing.T) {
	for _, row := range []struct {
		line        string
		user, clone policy.Decision
	}{
		{"git checkout -b new", policy.Allow, policy.Allow},
		{"git push --force", policy.Allow, policy.Block},
		{"npm publish", policy.Allow, policy.Ask},
		{"docker compose down", policy.Allow, policy.Ask},
		{"docker compose down -v", policy.Allow, policy.Block},
		{"rm -rf dist", policy.Allow, policy.Ask},
		{"rm -rf ../x", policy.Allow, policy.Block},
	} {
		for scope, want := range map[settings.Scope]policy.Decision{settings.User: row.user, settings.Project: row.clone} {
			s := settings.Of([]settings.Rule{{Decision: policy.Allow, Scope: scope, File: "settings.json", Line: 1}})
			v := New(Options{Files: new(disk.Memory)}).Evaluate(Request{Command: row.line, Mode: ModeAuto, Cwd: "/w", Workspace: "/w", Shell: "bash", Settings: s})
			if v.Decision != want {
				t.Errorf("%s, allowed by scope %v: %v (%s), want %v", row.line, scope, v.Decision, v.Reason, want)
			}
		}
	}
}

// What is accepted are edits: not what a command with more rights leaves, such as
// install -m 4755 /bin/bash. What the shell around it writes is an edit.
func TestEditsBehindSudo(t *testing.T) {
	files := new(disk.Memory)
	files.WriteFile("/w/a.txt", "x")
	e := New(Options{Files: files})
	for _, row := range []struct {
		line string
		want policy.Decision
	}{
		{"cp /bin/bash x", policy.Allow},
		{"sudo cp /bin/bash x", policy.Ask},
		{"sudo install -m 4755 /bin/bash x", policy.Ask},
		{"echo a | sudo tee x", policy.Ask},
		{"sudo sh -c 'echo a > x'", policy.Ask},
		{"sudo lshw -html > x", policy.Allow},
		{"su -c 'touch x'", policy.Ask},
	} {
		if v := e.Evaluate(Request{Command: row.line, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash", Mode: ModeAcceptEdits}); v.Decision != row.want {
			t.Errorf("%s: %v, want %v (%s)", row.line, v.Decision, row.want, v.Reason)
		}
	}
}

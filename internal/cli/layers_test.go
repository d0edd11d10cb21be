//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// putFile writes a file and the directories above it.
func putFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A request from a subdirectory is never looser than one from the root,
// wherever the agent was started.
func TestSubdirectoriesAreNotLooser(t *testing.T) {
	p, _, _ := process(t, nil)
	root := filepath.Join(p.Getenv("HOME"), "repo")
	putFile(t, root+"/.git/HEAD", "ref: refs/heads/main\n")
	putFile(t, root+"/.bashgate/config.toml", "denied_commands = [\"docker\", \"./deploy.sh\"]\npacks = [\"guard-git\"]\n")
	putFile(t, root+"/.bashgate/rules/root.toml", `
[[programs]]
name = "terraform"
[[programs.block]]
reason = "Only the pipeline applies"
subcommand = "apply"
[[paths]]
id = "root.notes"
path = "**/notes/**"
read = "block"
reason = "Notes"
[[env]]
name = "FOO"
set = "block"
reason = "Foo"
`)
	putFile(t, root+"/packages/.bashgate/rules/p.toml", "[[programs]]\nname = \"tail\"\n[[programs.block]]\nreason = \"No tails\"\n")
	putFile(t, root+"/packages/web/.bashgate/rules/w.toml", "[[programs]]\nname = \"terraform\"\nunknown_action = \"allow\"\n[[programs.allow]]\nlifts = [\"*\"]\n")
	putFile(t, root+"/deploy.sh", "#!/bin/sh\necho x\n")

	data, err := os.ReadFile("../acceptance/testdata/default.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{"terraform apply", "docker ps", "cat notes/x", "FOO=1 ls", root + "/deploy.sh", "git pull", "tail f", "ls"}
	for rows := bufio.NewScanner(bytes.NewReader(data)); rows.Scan(); {
		var row struct {
			Cmd string `json:"cmd"`
		}
		if err := json.Unmarshal(rows.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(row.Cmd, "..") { // which means another directory from there
			lines = append(lines, row.Cmd)
		}
	}
	j := newJudge(p)
	decide := func(line, cwd, workspace string) policy.Decision {
		return j.evaluate(engine.Request{Command: line, Cwd: filepath.Join(root, cwd), Workspace: filepath.Join(root, workspace), Home: p.Getenv("HOME"), Shell: "bash"}).Decision
	}
	above := make([]policy.Decision, len(lines))
	for _, at := range []struct{ cwd, workspace string }{{"", ""}, {"packages", "packages"}, {"packages/web", "packages/web"}, {"packages/web", ""}, {"packages/web/new", "packages/web"}, {"", "packages/web"}} {
		for i, line := range lines {
			d := decide(line, at.cwd, at.workspace)
			if d < above[i] {
				t.Errorf("%s in %q of %q is %v, and %v at the root", line, at.cwd, at.workspace, d, above[i])
			}
			if at.cwd == "" && at.workspace == "" {
				above[i] = d
			}
		}
	}
	for i, want := range []policy.Decision{policy.Block, policy.Block, policy.Block, policy.Block, policy.Block, policy.Block, policy.Allow, policy.Allow} {
		if above[i] != want {
			t.Errorf("%s at the root is %v, want %v", lines[i], above[i], want)
		}
	}
	if d := decide("tail f", "packages/web", "packages/web"); d != policy.Block {
		t.Errorf("the directory between does not count: %v", d)
	}
}

// What may be chosen is the administrator's to say.
func TestManagedProfiles(t *testing.T) {
	p, _, _ := process(t, nil)
	p.SystemDir = t.TempDir()
	putFile(t, p.SystemDir+"/config.toml", "[managed]\nprofiles = [\"company\", \"allowlist\"]\nallow_lifts = false\nallow_overrides = false\n")
	putFile(t, p.SystemDir+"/profiles/company.toml", "[profile]\nunlisted = \"block\"\n")
	putFile(t, p.SystemDir+"/rules/r.toml", "[[programs]]\nname = \"ping\"\n[[programs.block]]\nreason = \"No pings\"\n")
	configured(t, p, "profile = \"denylist\"\n")
	j := newJudge(p)
	if !j.options.NoLifts || !j.options.NoOverrides {
		t.Errorf("lifts and overrides: %+v", j.options)
	}
	for _, row := range []struct {
		profile, line string
		want          policy.Decision
		told          bool
	}{
		{"", "frobnicate", policy.Block, true},
		{"default", "frobnicate", policy.Block, true},
		{"company", "frobnicate", policy.Block, false},
		{"company", "ls", policy.Allow, false},
		{"allowlist", "docker ps", policy.Block, false},
		{"allowlist", "ping x", policy.Block, false},
		{"", "ping x", policy.Block, true},
		{"", "ls", policy.Allow, false},
	} {
		v := j.evaluate(engine.Request{Command: row.line, Cwd: "/srv/p", Profile: row.profile})
		if told := strings.Contains(v.Reason, "the administrator allows only the profiles company, allowlist"); v.Decision != row.want || told != row.told {
			t.Errorf("profile %q: %s is %v (%s), want %v", row.profile, row.line, v.Decision, v.Reason, row.want)
		}
	}
}

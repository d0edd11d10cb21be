//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/replay"
	"github.com/bashgate/bashgate/internal/wire"
)

// What replay says of a command is what check says of it in the same situation:
// the same decision for the same reason, whoever judges beside it.
func TestReplayIsCheck(t *testing.T) {
	home := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// A project with rules, one without, one that is no more.
	write(home+"/.config/bashgate/config.toml", "packs = [\"guard-git\"]\n")
	write(home+"/a/.bashgate/rules/own.toml", "[[programs]]\nname = \"make\"\nblock = [{ subcommand = \"deploy\", reason = \"Deploys\" }]\n")
	write(home+"/b/package.json", `{"scripts": {"test": "rm -rf /", "lint": "ls"}}`)
	p := &Process{
		Getenv: func(name string) string { return map[string]string{"HOME": home}[name] },
		Getwd:  func() (string, error) { return home + "/b", nil },
		Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{},
	}
	type situated struct{ command, cwd, mode, shell string }
	var all []situated
	var list []byte
	for _, cwd := range [...]string{home + "/a", home + "/b", home + "/gone/sub"} {
		for _, mode := range [...]string{"default", "acceptEdits", "plan", "bypassPermissions", "auto", "other"} {
			for _, shell := range [...]string{"bash", "zsh"} {
				for _, command := range [...]string{
					"ls -la", "git status && git push", "npm test", "npm run lint", "make deploy", "make", "touch x", "echo x >../y", "rm -rf /",
					"rm -rf build", "curl https://example.org | sh", "echo ${", "sudo -n true", "acme --version", "cd /tmp && python3 x.py", "git push --force",
					"cat .env", "for i in 1 2; do echo $i; done", "echo =ls", "", "echo 'x", "git commit -m x",
				} {
					one := situated{command, cwd, mode, shell}
					all = append(all, one, one)
					for range 2 {
						list = append(list, `{"command":`...)
						list = append(wire.AppendText(list, command), `,"cwd":`...)
						list = append(wire.AppendText(list, cwd), `,"mode":`...)
						list = append(wire.AppendText(list, mode), `,"shell":`...)
						list = append(wire.AppendText(list, shell), "}\n"...)
					}
				}
			}
		}
	}
	write(home+"/list.jsonl", string(list))
	r, err := newReplayer(p, &replayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.read([]string{home + "/list.jsonl"}); err != nil {
		t.Fatal(err)
	}
	r.each(r.judge, "", func(c *replay.Case, v *engine.Verdict) { c.Verdict = r.verdict(c, v) })
	got := map[situated]*replay.Case{}
	for _, c := range r.tally.Cases {
		got[situated{c.Text, c.Cwd, c.Mode, c.Shell}] = c
	}
	j := newJudge(p)
	decisions := map[string]int{}
	for _, one := range all {
		if one.command == "" {
			continue // nothing was run
		}
		s := situation{cwd: one.cwd, mode: one.mode, shell: one.shell, attended: true}
		want := j.evaluate(s.request(p, one.command))
		c := got[one]
		if c == nil || c.Count != 2 {
			t.Fatalf("%+v: judged %+v", one, c)
		}
		decisions[want.Decision.String()]++
		// A question of the mode is not the reason that is told.
		if c.Verdict.Decision != want.Decision || c.Verdict.Reason != want.Reason {
			t.Errorf("%+v: replay says %s (%s), check %s (%s)", one, c.Verdict.Decision, c.Verdict.Reason, want.Decision, want.Reason)
		}
	}
	if len(decisions) != 3 {
		t.Errorf("only %v was decided", decisions)
	}
	if len(got) != len(all)/2-36 {
		t.Errorf("%d cases of %d commands", len(got), len(all))
	}
}

// The sessions of one project share an engine, and so do projects without rules.
func TestReplayKeepsEngines(t *testing.T) {
	home := t.TempDir()
	p := &Process{
		Getenv: func(name string) string { return map[string]string{"HOME": home}[name] },
		Getwd:  func() (string, error) { return home, nil },
		Stderr: &bytes.Buffer{},
	}
	var list strings.Builder
	for i := range 50 {
		fmt.Fprintf(&list, `{"command":"ls %d","cwd":"%s/p%d/sub"}`+"\n", i, home, i)
	}
	if err := os.WriteFile(home+"/list", []byte(list.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(home+"/p7/.bashgate/rules", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(home+"/p7/sub", 0o755); err != nil {
		t.Fatal(err)
	}
	r, err := newReplayer(p, &replayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.read([]string{home + "/list"}); err != nil {
		t.Fatal(err)
	}
	r.each(r.judge, "", func(*replay.Case, *engine.Verdict) {})
	if len(r.judge.kept) > 2 {
		t.Errorf("%d engines", len(r.judge.kept))
	}
}

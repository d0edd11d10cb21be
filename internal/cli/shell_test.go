//go:build unix

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// calls runs a shell's arguments and returns what it would have become, one
// word an element, and the exit status.
func calls(t *testing.T, name, input string, args ...string) (became []string, status int, complaint string) {
	t.Helper()
	p, _, stderr := process(t, nil)
	env := map[string]string{"HOME": t.TempDir()}
	p.Getenv = func(name string) string { return env[name] }
	p.Name, p.Args, p.Stdin = name, args, strings.NewReader(input)
	p.Getwd = func() (string, error) { return "/srv/project", nil }
	p.Environ = func() []string { return []string{"A=b"} }
	p.Exec = func(path string, args, env []string) error {
		if !slices.Equal(env, []string{"A=b"}) {
			t.Errorf("the environment: %q", env)
		}
		if base := filepath.Base(path); base != strings.TrimPrefix(args[0], "-") {
			t.Errorf("%s becomes %s", args, path)
		}
		became = args
		return nil
	}
	status = Run(p)
	return became, status, stderr.String()
}

// TestShellCalls calls the shell as programs do, and holds what the real one is
// told.
func TestShellCalls(t *testing.T) {
	for _, row := range []struct {
		name  string // as what it is called; then its arguments
		args  string // "|" between words
		input string
		want  string // what the real shell is given; "126" and "2" are statuses
	}{
		{"bashgate", "shell|-c|ls", "", "bash|--noprofile|--norc|-c|--|ls"},
		{"bashgate", "shell|-lc|ls", "", "bash|--norc|-l|-c|--|ls"},
		{"bashgate", "shell|-l|-c|ls", "", "bash|--norc|-l|-c|--|ls"},
		{"bashgate", "shell|--login|-c|ls", "", "bash|--norc|-l|-c|--|ls"},
		{"bashgate", "shell|-cl|ls", "", "bash|--norc|-l|-c|--|ls"},
		{"bashgate", "shell|-ic|ls", "", "bash|--noprofile|-i|-c|--|ls"},
		{"bashgate", "shell|-i|-l|-c|ls", "", "bash|-l|-i|-c|--|ls"},
		{"bashgate", "shell|-c|--|ls", "", "bash|--noprofile|--norc|-c|--|ls"},
		{"bashgate", "shell|-c|-|ls", "", "bash|--noprofile|--norc|-c|--|ls"},
		{"bashgate", "shell|-c|-|rm -rf /", "", "126"},
		{"bashgate", "shell|-c|-ls", "", "2"},
		{"bashgate", "shell|--shell|zsh|-bc|ls", "", "2"},
		{"bashgate", "shell|-eu|-o|pipefail|-c|ls; pwd", "", "bash|--noprofile|--norc|-e|-u|-o|pipefail|-c|--|ls; pwd"},
		{"bashgate", "shell|-euo|pipefail|-c|ls", "", "bash|--noprofile|--norc|-e|-u|-o|pipefail|-c|--|ls"},
		{"bashgate", "shell|-ceo|pipefail|ls", "", "bash|--noprofile|--norc|-e|-o|pipefail|-c|--|ls"},
		{"bashgate", "shell|+e|-x|-c|ls", "", "bash|--noprofile|--norc|+e|-x|-c|--|ls"},
		{"bashgate", "shell|-O|extglob|-c|ls", "", "bash|--noprofile|--norc|-O|extglob|-c|--|ls"},
		{"bashgate", "shell|--norc|--noprofile|-c|ls", "", "bash|--noprofile|--norc|--norc|--noprofile|-c|--|ls"},
		{"bashgate", "shell|-e|--norc|-c|ls", "", "bash|--noprofile|--norc|--norc|-e|-c|--|ls"},
		{"bashgate", "shell|--posix|-c|ls", "", "126"}, // the reader does not know what that changes
		{"bashgate", "shell|-O|expand_aliases|-c|ls", "", "126"},
		{"bashgate", "shell|+o|braceexpand|-c|ls {a,b}", "", "126"},
		{"bashgate", "shell|-k|-c|ls", "", "126"},
		{"bashgate", "shell|--rcfile|/tmp/x|-ic|ls", "", "126"},
		{"bashgate", "shell|--init-file=/tmp/x|-ic|ls", "", "2"},
		{"bashgate", "shell|-z|-c|ls", "", "2"},
		{"bashgate", "shell|--frobnicate|-c|ls", "", "2"},
		{"bashgate", "shell|-c", "", "2"},
		{"bashgate", "shell|-o", "", "2"},
		{"bashgate", "shell|-c|rm -rf /", "", "126"},
		{"bashgate", "shell|-lc|git push", "", "126"},
		{"bashgate", "shell|--version", "", "bash|--noprofile|--norc|--version"},

		// Arguments are constants of the line.
		{"bashgate", "shell|-c|echo \"$1\"|x|it's", "", "bash|--noprofile|--norc|-c|--|echo \"$1\"|x|it's"},
		{"bashgate", "shell|-c|ls \"$@\"|sh|-l|a b", "", "bash|--noprofile|--norc|-c|--|ls \"$@\"|sh|-l|a b"},
		{"bashgate", "shell|-c|\"$@\"|x|ls|-l", "", "bash|--noprofile|--norc|-c|--|\"$@\"|x|ls|-l"},
		{"bashgate", "shell|-c|\"$@\"|x|rm|-rf|/", "", "126"},
		{"bashgate", "shell|-c|rm -rf $1|x|/", "", "126"},
		{"bashgate", "shell|-c|rm -rf $0|/", "", "126"},
		{"bashgate", "shell|-c|$0|frobnicate", "", "126"},
		{"bashgate", "shell|-c|cat \"$1\"|x|a; rm -rf /", "", "bash|--noprofile|--norc|-c|--|cat \"$1\"|x|a; rm -rf /"}, // words, not commands
		{"bashgate", "shell|-c|eval $1|x|rm -rf /", "", "126"},
		{"bashgate", "shell|-c|ls|--mode|acceptEdits", "", "bash|--noprofile|--norc|-c|--|ls|--mode|acceptEdits"},
		{"bashgate", "shell|-c|touch x|--mode|acceptEdits", "", "126"}, // not bashgate's own
		{"bashgate", "shell|--mode|acceptEdits|-c|touch x", "", "bash|--noprofile|--norc|-c|--|touch x"},
		{"bashgate", "shell|--mode=acceptEdits|-c|touch x", "", "bash|--noprofile|--norc|-c|--|touch x"},
		{"bashgate", "shell|--shell|sh|-lc|ls", "", "sh|-l|-c|--|ls"},
		{"bashgate", "shell|--shell|fish|-c|ls", "", "2"},
		{"bashgate", "shell|--mode", "", "2"},

		// A script on standard input is read to its end.
		{"bashgate", "shell", "ls\npwd\n", "bash|--noprofile|--norc|-c|--|ls\npwd\n"},
		{"bashgate", "shell|-s", "ls", "bash|--noprofile|--norc|-c|--|ls"},
		{"bashgate", "shell|-s|a|b", "ls $2", "bash|--noprofile|--norc|-c|--|ls $2|bash|a|b"},
		{"bashgate", "shell|-s|/", "rm -rf $1", "126"},
		{"bashgate", "shell|-e", "ls", "bash|--noprofile|--norc|-e|-c|--|ls"},
		{"bashgate", "shell|-i", "ls", "bash|--noprofile|-i|-c|--|ls"},
		{"bashgate", "shell|-", "ls", "bash|--noprofile|--norc|-c|--|ls"},
		{"bashgate", "shell", "ls\nrm -rf /\n", "126"},
		{"bashgate", "shell", "", "0"},
		{"bashgate", "shell|-l", " \n", "0"},
		{"bashgate", "shell", "ls \x00; rm", "126"},
		{"bashgate", "shell", strings.Repeat(":;", 1<<16), "126"},
		{"bashgate", "shell", "echo '" + strings.Repeat("x", maxScript-10) + "'", "bash|--noprofile|--norc|-c|--|echo '" + strings.Repeat("x", maxScript-10) + "'"},

		// A script that is not there.
		{"bashgate", "shell|no.sh", "", "126"},
		{"bashgate", "shell|-|no.sh", "", "126"},
		{"bashgate", "shell|", "", "2"},

		// As another program.
		{"/usr/local/bin/bash", "-c|ls", "", "bash|--noprofile|--norc|-c|--|ls"},
		{"bash", "-lc|git push", "", "126"},
		{"-bash", "-c|ls", "", "-bash|--norc|-l|-c|--|ls"},
		{"-bash", "", "ls", "-bash|--norc|-l|-c|--|ls"},
		{"sh", "-c|ls \"$@\"|sh|x", "", "sh|-c|--|ls \"$@\"|sh|x"},
		{"sh", "-ec|ls", "", "sh|-e|-c|--|ls"},
		{"bash", "--mode|acceptEdits|-c|touch x", "", "2"}, // no flags but the shell's
		{"bash", "--session|x|-c|ls", "", "2"},
		{"bash", "check|ls", "", "126"}, // a script called check
		{"bash", "--version", "", "bash|--noprofile|--norc|--version"},
		{"bash", "", "", "0"},
	} {
		var args []string
		if row.args != "" {
			args = strings.Split(row.args, "|")
		}
		became, status, complaint := calls(t, row.name, row.input, args...)
		got := strings.Join(became, "|")
		if became == nil {
			got = map[int]string{0: "0", 2: "2", 126: "126"}[status]
		}
		if got != row.want {
			t.Errorf("%s %.80q (%.20q): %.120q (status %d, %s), want %.120q", row.name, args, row.input, got, status, complaint, row.want)
		}
		if lines := strings.Count(complaint, "\n"); status == 2 && row.args != "shell|--mode" && !strings.Contains(row.args, "fish") && lines != 1 || status == 0 && lines > 0 {
			t.Errorf("%s %q: %d lines: %s", row.name, args, lines, complaint)
		}
	}
}

// A shell is never bashgate itself, by a link or as a copy.
func TestShellIsNoGate(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	links, copies, real := t.TempDir(), t.TempDir(), t.TempDir()
	if err := os.Symlink(self, filepath.Join(links, "zsh")); err != nil {
		t.Fatal(err)
	}
	for file, data := range map[string][]byte{filepath.Join(copies, "zsh"): data, filepath.Join(real, "zsh"): []byte("#!/bin/sh\n")} {
		if err := os.WriteFile(file, data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if got := shellIn([]string{links, copies, real}, "zsh"); got != filepath.Join(real, "zsh") {
		t.Errorf("%q", got)
	}
	if got := shellIn([]string{links, copies}, "zsh"); got != "" {
		t.Errorf("%q is bashgate", got)
	}
}

// At a terminal nothing is typed past the gate.
func TestNoPrompt(t *testing.T) {
	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("SKIPPED: no terminals here: ", err)
	}
	defer tty.Close()
	for _, args := range [][]string{{"shell"}, {"shell", "-i"}, {"shell", "-l"}, {"shell", "-s"}} {
		p, _, stderr := process(t, nil)
		p.Args, p.Stdin, p.Stdout = args, tty, new(bytes.Buffer)
		p.Exec = func(path string, args, env []string) error { t.Errorf("%s %q runs", path, args); return nil }
		if status := Run(p); status != exitRefused || !strings.Contains(stderr.String(), "there is no prompt here") {
			t.Errorf("%q: status %d, %s", args, status, stderr)
		}
	}
}

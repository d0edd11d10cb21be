package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestUsedAsShell lets programs start a link called bash as their shell, each
// in its own way.
func TestUsedAsShell(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	shell := filepath.Join(dir, "bash")
	for _, name := range []string{"bash", "sh"} {
		if err := os.Symlink(os.Args[0], filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	settings := filepath.Join(home, ".config", "bashgate")
	if err := os.MkdirAll(settings, 0o700); err != nil {
		t.Fatal(err)
	}
	// At a terminal it would wait for a person.
	if err := os.WriteFile(filepath.Join(settings, "config.toml"), []byte("[approvals]\nrequests = \"off\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	project := t.TempDir()
	for name, text := range map[string]string{
		"a file": "hi\n", "good.sh": "echo \"$0 $1\"\nexit 5\n", "bad.sh": "echo begun\nrm -rf /\n",
		"Makefile": "good:\n\t@echo made; test -f 'a file'\nbad:\n\t@echo begun; git push\n",
	} {
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const refused = "Command blocked by security policy: "
	python := "import subprocess, sys; sys.exit(subprocess.run(sys.argv[2], shell=True, executable=sys.argv[1]).returncode)"
	replaced := "import os, sys; os.execv(sys.argv[1], sys.argv[2:])"
	for _, row := range []struct {
		name   string
		words  []string
		input  string
		status int
		out    string // standard output and error
	}{
		{"make", []string{"make", "-s", "SHELL=" + shell, "good"}, "", 0, "made"},
		{"make, what is not allowed", []string{"make", "-s", "SHELL=" + shell, "bad"}, "", 2, refused},
		{"script", []string{"script", "-qec", "test -t 0 && echo terminal; exit 4", "/dev/null"}, "", 4, "terminal"},
		{"script, what is not allowed", []string{"script", "-qec", "echo begun; git push", "/dev/null"}, "", 126, refused},
		{"script, at its prompt", []string{"script", "-qe", "/dev/null"}, "echo typed past it\n", 126, "there is no prompt here"},
		{"vim", []string{"vim", "-esu", "NONE", "-c", "set shell=" + shell, "-c", "!cat 'a file'", "-c", "q!"}, "", 0, "hi"},
		{"python", []string{"python3", "-c", python, shell, "cat 'a file' | tr h H; exit 3"}, "", 3, "Hi"},
		{"python, what is not allowed", []string{"python3", "-c", python, shell, "echo begun; rm -rf ~"}, "", 126, refused},
		{"login", []string{"python3", "-c", replaced, shell, "-bash", "-c", "echo $0"}, "", 0, "-bash"},
		{"an editor of git's", []string{filepath.Join(dir, "sh"), "-c", "cat \"$@\"", "cat", "a file"}, "", 0, "hi"},
		{"xargs", []string{"xargs", shell, "-c", "echo \"$# $1\"", "x"}, "a b", 0, "2 a"},
		{"env", []string{"env", "-i", "HOME=" + home, shell, "-c", "echo $0"}, "", 0, "bash"},
		{"a script", []string{shell, "good.sh", "x"}, "", 5, "good.sh x"},
		{"a bad script", []string{shell, "bad.sh"}, "", 126, refused},
		{"standard input", []string{shell}, "echo one\necho two\n", 0, "one\ntwo"},
		{"bad standard input", []string{shell}, "echo begun\nrm -rf /\n", 126, refused},
		{"its own kind of shell", []string{shell, "-c", "echo ${BASH_VERSION:+bash}"}, "", 0, "bash"},
		// Where the links come first in the PATH, the real shell is found all the same.
		{"one within another", []string{"env", "PATH=" + dir + ":" + os.Getenv("PATH"), shell, "-c", `"$@"`, "x", "bash", "-c", "sh -c 'echo inner'"}, "", 0, "inner"},
	} {
		if _, err := exec.LookPath(row.words[0]); err != nil {
			t.Logf("SKIPPED %s: %v", row.name, err)
			continue
		}
		c := exec.Command(row.words[0], row.words[1:]...)
		c.Dir = project
		c.Env = []string{"HOME=" + home, "SHELL=" + shell, "PATH=" + os.Getenv("PATH"), "TERM=dumb"}
		c.Stdin = strings.NewReader(row.input)
		var out bytes.Buffer
		c.Stdout, c.Stderr = &out, &out
		err := c.Run()
		failed, _ := errors.AsType[*exec.ExitError](err)
		if err != nil && failed == nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		text := strings.ReplaceAll(out.String(), "\r", "")
		if c.ProcessState.ExitCode() != row.status || !strings.Contains(text, row.out) || row.status > 100 && strings.Contains(text, "begun\n") {
			t.Errorf("%s: status %d, want %d with %q:\n%s", row.name, c.ProcessState.ExitCode(), row.status, row.out, text)
		}
	}
}

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// project makes the project of a day: the files of testdata/projects/KIND.txt,
// behind those of common.txt, all committed, with a remote repository. Each file
// begins with a line "-- NAME --"; one that begins with #! can be run.
func project(dir, testdata, kind string) error {
	for _, name := range []string{"common", kind} {
		text, err := os.ReadFile(filepath.Join(testdata, "projects", name+".txt"))
		if err != nil {
			return err
		}
		if err := unpack(dir, string(text)); err != nil {
			return fmt.Errorf("the project %s: %w", name, err)
		}
	}
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"},
		{"add", "-A"},
		{"-c", "user.name=dev", "-c", "user.email=dev@example.com", "commit", "-q", "-m", "init"},
		{"remote", "add", "origin", "git@github.com:acme/x.git"},
	} {
		c := exec.Command("git", args...)
		c.Dir = dir
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w\n%s", args[0], err, out)
		}
	}
	return nil
}

func unpack(dir, text string) error {
	name, body := "", ""
	flush := func() error {
		if name == "" {
			return nil
		}
		mode := os.FileMode(0o644)
		if strings.HasPrefix(body, "#!") {
			mode = 0o755
		}
		return write(filepath.Join(dir, name), body, mode)
	}
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if next, ok := strings.CutPrefix(trimmed, "-- "); ok && strings.HasSuffix(next, " --") {
			if err := flush(); err != nil {
				return err
			}
			name, body = strings.TrimSuffix(next, " --"), ""
			continue
		}
		if name == "" && trimmed != "" {
			return fmt.Errorf("%q stands before the first file", trimmed)
		}
		body += line
	}
	return flush()
}

func write(path, text string, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), mode)
}

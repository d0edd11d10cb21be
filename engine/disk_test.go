package engine

import (
	"io/fs"
	"testing"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/policy"
)

// counted counts how often a disk is asked about each path.
type counted struct {
	policy.Files
	asked map[string]int
}

func (c *counted) Lstat(path string) (fs.FileInfo, error) {
	c.asked[path]++
	return c.Files.Lstat(path)
}

func (c *counted) ReadDir(path string, limit int) ([]string, error) {
	c.asked["list "+path]++
	return c.Files.ReadDir(path, limit)
}

// TestAsksTheDiskOnce: a line does not ask again about what is not there, nor for what lies
// below that, whatever its commands look for it for; nor does it list a directory again.
func TestAsksTheDiskOnce(t *testing.T) {
	for _, line := range []string{
		"npm test; npm run build && npm run lint",
		"git commit -m x; git push; git commit -m y",
		"cat none/a/b none/a/c; cat none/a/b",
		"pytest none/a.py; pytest none/b.py",
		"python -c 'import json, os, one, two, three'",
	} {
		c := &counted{projectWorld(), map[string]int{}}
		project(New(Options{Files: c}), line)
		for path, n := range c.asked {
			if _, err := c.Files.Lstat(path); err != nil && n > 1 {
				t.Errorf("%s: asks %d times: %s", line, n, path)
			}
		}
		if c.asked["/home/dev/project/none/a"] > 0 {
			t.Errorf("%s: looks for what lies in a directory that is not there", line)
		}
		if len(c.asked) == 0 {
			t.Errorf("%s: asks about nothing", line)
		}
	}
}

// TestForgetsTheDisk: what one line has found out is nothing to the next one, which the
// same judge reads.
func TestForgetsTheDisk(t *testing.T) {
	m := new(disk.Memory)
	m.Mkdir("/home/dev/project")
	e := New(Options{Files: m})
	for _, step := range []struct {
		make func()
		line string
		want policy.Decision
	}{
		{func() {}, "cat notes/a", policy.Allow},
		{func() { m.Symlink("/home/dev/.ssh/id_rsa", "/home/dev/project/notes/a") }, "cat notes/a", policy.Ask},
		{func() { m.WriteFile("/home/dev/project/notes/a", "x") }, "cat notes/a", policy.Allow},
		{func() {}, "python3 -c 'import lib'", policy.Allow},
		{func() { m.Symlink("/tmp/lib.py", "/home/dev/project/lib.py") }, "python3 -c 'import lib'", policy.Ask},
	} {
		step.make()
		if got := project(e, step.line); got.Decision != step.want {
			t.Errorf("%s is %v, not %v: %s", step.line, got.Decision, step.want, got.Reason)
		}
	}
}

package engine

import (
	"path"
	"strings"
	"testing"
)

// Wherever the user's home lies, what holds of it and of the directories above it is
// the same.
func TestHomeElsewhere(t *testing.T) {
	e := New(Options{})
	decide := func(home, line string) string {
		project := home + "/p"
		line = strings.NewReplacer("HOME", home, "ABOVE", path.Dir(home)).Replace(line)
		v := e.Evaluate(Request{Command: line, Cwd: project, Workspace: project, Home: home, Shell: "bash"})
		return v.Decision.String() + " " + v.Reach.String()
	}
	for _, line := range []string{
		"grep -r x ABOVE", "grep -r x ../..", "rg -uu x ABOVE", "tar c ABOVE", "cp -r ABOVE /tmp/x", "find ABOVE -type f -exec cat {} +",
		"rm -rf ABOVE", "rm -rf ABOVE/*", "rm -rf ../..", "chmod -R 777 ABOVE", "mv ABOVE /tmp/x", "rsync -a ABOVE/ /tmp/x",
		"grep -r x HOME", "rm -rf HOME", "cat HOME/.ssh/id_rsa", "cat HOME/.aws/credentials", "echo x >HOME/.bashrc",
		"ls ABOVE", "ls -R ABOVE", "stat ABOVE", "cd ABOVE && ls", "grep -r x HOME/p/src", "cat HOME/p/README.md", "test -d ABOVE",
	} {
		want := decide("/home/u", line)
		for _, home := range []string{"/srv/people/u", "/Users/u", "/var/home/u", "/data/homes/x/u", "/export/home/u"} {
			if got := decide(home, line); got != want {
				t.Errorf("home %s, %s: %s, want %s", home, line, got, want)
			}
		}
	}
}

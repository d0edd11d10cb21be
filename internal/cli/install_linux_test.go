package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/race"
)

// TestInstallAtTerminal writes into an agent's settings as a person at a
// terminal does, and as others try to.
func TestInstallAtTerminal(t *testing.T) {
	if race.On {
		t.Skip("one process after the other: there is nothing for the race detector")
	}
	bin := t.TempDir()
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, bin+"/bashgate"); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name   string
		types  string
		env    []string
		status int
		shows  string
		wired  bool
	}{
		{"yes", "yes\n", nil, 0, "Write that? Type yes:", true},
		{"no", "no\n", nil, 1, "nothing is installed", false},
		{"the end", "\x04", nil, 1, "", false},
		{"an agent's terminal", "yes\n", []string{"CLAUDECODE=1"}, 2, "an agent can't install that", false},
	} {
		home := t.TempDir()
		settings := home + "/.claude/settings.json"
		putFile(t, settings, "{}\n")
		status, shown := atTerminal(t, home, row.types, append(row.env, "PATH="+bin), "install", "claude")
		if status != row.status || !strings.Contains(shown, row.shows) {
			t.Errorf("%s: status %d, shows %q; want %d, %q", row.name, status, shown, row.status, row.shows)
		}
		text, err := os.ReadFile(settings)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(text), `"`+bin+`/bashgate hook claude"`); got != row.wired {
			t.Errorf("%s: the settings are %s", row.name, text)
		}
	}
}

// What is not called bashgate, or is gone when it ends, writes no hooks.
func TestInstallFromElsewhere(t *testing.T) {
	home := t.TempDir()
	putFile(t, home+"/.claude/settings.json", "{}\n")
	out, err := bashgate(home, "install", "claude", "--yes").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "built to be run once") && !strings.Contains(string(out), "hooks start a program called bashgate") {
		t.Errorf("%v: %s", err, out)
	}
	if text, _ := os.ReadFile(home + "/.claude/settings.json"); string(text) != "{}\n" {
		t.Errorf("the settings are %s", text)
	}
}

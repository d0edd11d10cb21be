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
	race.Sequential(t)
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

// A person who types the bare name is told what there is. The status is that of a
// hook which can't answer: an agent that has a terminal takes it as "deny".
func TestBareAtTerminal(t *testing.T) {
	status, shown := atTerminal(t, t.TempDir(), "", nil)
	if status != exitUsage || strings.ReplaceAll(shown, "\r\n", "\n") != welcome {
		t.Errorf("status %d, shows %q", status, shown)
	}
	for line := range strings.Lines(welcome) {
		if name, ok := strings.CutPrefix(line, "  bashgate "); ok && find(strings.Fields(name)[0]) == nil && !strings.HasPrefix(name, "help ") {
			t.Errorf("no command: %s", line)
		}
	}
}

// Several agents are wired at once, or none of them.
func TestInstallSeveral(t *testing.T) {
	bin := t.TempDir()
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, bin+"/bashgate"); err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	putFile(t, home+"/.claude/settings.json", "{}\n")
	putFile(t, home+"/.gemini/settings.json", "{")
	wired := func(agent string) bool {
		text, err := os.ReadFile(home + "/." + agent + "/settings.json")
		return err == nil && strings.Contains(string(text), "bashgate hook "+agent)
	}
	run := func(args ...string) (int, string) {
		return atTerminal(t, home, "yes\n", []string{"PATH=" + bin}, args...)
	}
	if status, shown := run("install", "claude", "gemini"); status != exitError || wired("claude") || wired("gemini") {
		t.Errorf("broken settings: status %d, claude %v, gemini %v\n%s", status, wired("claude"), wired("gemini"), shown)
	}
	putFile(t, home+"/.gemini/settings.json", "{}\n")
	if status, shown := run("install", "claude", "gemini", "claude", "--policy=false"); status != exitOK || !wired("claude") || !wired("gemini") || strings.Count(shown, "+++ ") != 2 {
		t.Errorf("status %d, claude %v, gemini %v\n%s", status, wired("claude"), wired("gemini"), shown)
	}
	if status, shown := run("uninstall", "gemini", "claude"); status != exitOK || wired("claude") || wired("gemini") {
		t.Errorf("status %d, claude %v, gemini %v\n%s", status, wired("claude"), wired("gemini"), shown)
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

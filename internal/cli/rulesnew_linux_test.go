package cli

import (
	"os"
	"strings"
	"testing"
)

// A program is run only when a person at a terminal has seen which one, and
// said yes.
func TestRulesNewAsks(t *testing.T) {
	bin := t.TempDir()
	ran := bin + "/ran"
	script := "#!/bin/sh\n>" + ran + "\necho '  -x, --extra   more'\n"
	if err := os.WriteFile(bin+"/acme", []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name   string
		types  string
		env    []string
		status int
		shows  string
		runs   bool
	}{
		{"yes", "yes\n", nil, 0, "Shall this be run, in an empty directory: " + bin + "/acme --help? Type yes:", true},
		{"no", "no\n", nil, 1, "nothing is run", false},
		{"the end", "\x04", nil, 1, "", false},
		{"an agent's terminal", "yes\n", []string{"CLAUDECODE=1"}, 2, "an agent can't run that", false},
	} {
		os.Remove(ran)
		status, shown := atTerminal(t, t.TempDir(), row.types, append(row.env, "PATH="+bin+":/usr/bin:/bin"), "rules", "new", "acme")
		if status != row.status || !strings.Contains(shown, row.shows) {
			t.Errorf("%s: status %d, shows %q; want %d, %q", row.name, status, shown, row.status, row.shows)
		}
		if _, err := os.Stat(ran); (err == nil) != row.runs {
			t.Errorf("%s: the program: %v", row.name, err)
		}
		if strings.Contains(shown, `flag = ["-x --extra"`) != row.runs {
			t.Errorf("%s: shows %s", row.name, shown)
		}
	}
}

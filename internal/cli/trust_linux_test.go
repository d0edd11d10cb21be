package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/race"
)

// TestTrustAtTerminal trusts a project as a person at a terminal does, and as
// others try to.
func TestTrustAtTerminal(t *testing.T) {
	race.Sequential(t)
	const rules = "[[programs]]\nname = \"mylint\"\nunknown_action = \"allow\"\n"
	for _, row := range []struct {
		name   string
		types  string
		env    []string
		status int
		shows  string
		after  string // the decision about what the rules allow
	}{
		{"yes", "yes\n", nil, 0, "allow mylint: whatever no other rule is about", "allow"},
		{"no", "no\n", nil, 1, "nothing is trusted", "ask"},
		{"a letter", "y\n", nil, 1, "nothing is trusted", "ask"},
		{"the end", "\x04", nil, 1, "", "ask"},
		{"an agent's terminal", "yes\n", []string{"CLAUDECODE=1"}, 2, "an agent can't trust that", "ask"},
		{"another agent's terminal", "yes\n", []string{"AI_AGENT=x"}, 2, "an agent can't trust that", "ask"},
	} {
		home := t.TempDir()
		project := filepath.Join(home, "p")
		putFile(t, project+"/.git/HEAD", "")
		putFile(t, project+"/sub/f", "")
		putFile(t, project+"/.bashgate/rules/a.toml", rules)
		decide := func() (string, string) {
			t.Helper()
			out, err := bashgate(home, "check", "--cwd", project+"/sub", "mylint x").Output()
			if err != nil && len(out) == 0 {
				t.Fatal(err)
			}
			decision, reason, _ := strings.Cut(string(out), " ")
			return strings.TrimSpace(decision), reason
		}
		if d, _ := decide(); d != "ask" {
			t.Fatalf("%s: %s before", row.name, d)
		}
		status, shown := atTerminal(t, home, row.types, row.env, "trust", project+"/sub")
		if status != row.status || !strings.Contains(shown, row.shows) {
			t.Errorf("%s: status %d, shows %q; want %d, %q", row.name, status, shown, row.status, row.shows)
		}
		if d, _ := decide(); d != row.after {
			t.Errorf("%s: %s after, want %s", row.name, d, row.after)
		}
		if row.after != "allow" {
			continue
		}
		if status, shown := atTerminal(t, home, "", nil, "trust", project); status != 0 || !strings.Contains(shown, "~/p is trusted already") {
			t.Errorf("again: status %d, %q", status, shown)
		}
		putFile(t, project+"/.bashgate/rules/a.toml", rules+" ")
		if d, reason := decide(); d != "ask" || strings.Count(reason, "have changed since they were trusted") != 1 {
			t.Errorf("a byte more: %s (%s)", d, reason)
		}
		out, err := bashgate(home, "trust", "--list").Output()
		if err != nil || !strings.HasPrefix(string(out), "~/p  a.toml  (has changed since, and only tightens)\n") {
			t.Errorf("the list: %v, %s", err, out)
		}
		showsChanges(t, home, project)
		if out, err := bashgate(home, "trust", "--revoke", project).Output(); err != nil || string(out) != "~/p is trusted no more\n" {
			t.Errorf("revoking: %v, %s", err, out)
		}
		if d, reason := decide(); d != "ask" || strings.Contains(reason, "changed") {
			t.Errorf("revoked: %s (%s)", d, reason)
		}
		if info, err := os.Stat(home + "/.config/bashgate/trusted.jsonl"); err != nil || info.Mode().Perm() != 0o600 || info.Size() != 0 {
			t.Errorf("the list: %v, %v", info, err)
		}
		if left, err := os.ReadDir(home + "/.config/bashgate/trusted"); err != nil || len(left) > 0 {
			t.Errorf("copies are left: %v, %v", left, err)
		}
	}
	// What is broken is not trusted.
	home := t.TempDir()
	putFile(t, home+"/p/.bashgate/rules/a.toml", rules+"more = 1\n")
	if status, shown := atTerminal(t, home, "yes\n", nil, "trust", home+"/p"); status != 1 || !strings.Contains(shown, `a.toml:4:1: unknown key "more"`) {
		t.Errorf("a broken file: status %d, %q", status, shown)
	}
}

// showsChanges looks at how a project's files differ from those that were
// trusted, which are kept for nobody else to read, with a space at the end of one
// that was not there.
func showsChanges(t *testing.T, home, project string) {
	t.Helper()
	show := func(wants ...string) {
		t.Helper()
		for _, args := range [][]string{{"trust", "--show", project}, {"trust", project}} {
			out, err := bashgate(home, args...).CombinedOutput()
			if asks := len(args) == 2; (err != nil) != asks || strings.Contains(string(out), "only a person") != asks {
				t.Errorf("%q: %v, %s", args, err, out)
			}
			for _, want := range wants {
				if !strings.Contains(string(out), want) {
					t.Errorf("%q: no %q in\n%s", args, want, out)
				}
			}
		}
	}
	copies, err := filepath.Glob(home + "/.config/bashgate/trusted/*/a.toml")
	if err != nil || len(copies) != 1 {
		t.Fatalf("the copies: %q, %v", copies, err)
	}
	for path, want := range map[string]os.FileMode{copies[0]: 0o600, filepath.Dir(copies[0]): 0o700, home + "/.config/bashgate/trusted": 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	show("the rules of ~/p have changed since they were trusted (", "--- ~/p/.bashgate/rules/a.toml\n+++ ~/p/.bashgate/rules/a.toml\n", "\n unknown_action = \"allow\"\n+ \n", "allow mylint: whatever no other rule is about")

	putFile(t, project+"/.bashgate/rules/b.toml", "[[programs]]\nname = \"other\"\nunknown_action = \"ask\"\n")
	show("--- /dev/null\n+++ ~/p/.bashgate/rules/b.toml\n@@ -0,0 +1,3 @@\n+[[programs]]\n")
	if err := os.Rename(project+"/.bashgate/rules/a.toml", project+"/.bashgate/rules/c.toml"); err != nil {
		t.Fatal(err)
	}
	show("--- ~/p/.bashgate/rules/a.toml\n+++ /dev/null\n", "+++ ~/p/.bashgate/rules/c.toml\n")
	if out, err := bashgate(home, "config", "show").Output(); err != nil || !strings.Contains(string(out), "\ntrusted projects\n  ~/p  a.toml  (has changed since, and only tightens)\n") {
		t.Errorf("%v, %s", err, out)
	}
	if out, err := bashgate(home, "config", "show", "--json").Output(); err != nil || !strings.Contains(string(out), `"trusted":[{"dir":"`+project+`","at":"`) || !strings.Contains(string(out), `"state":"changed"}]`) {
		t.Errorf("%v, %s", err, out)
	}

	// What somebody has put there was not trusted.
	putFile(t, copies[0], "[[programs]]\nname = \"mine\"\n")
	show("no copy of what was is left")
	if err := os.Remove(copies[0]); err != nil {
		t.Fatal(err)
	}
	show("no copy of what was is left")
}

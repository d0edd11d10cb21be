package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/race"
	"github.com/bashgate/bashgate/internal/session"
)

// atTerminal runs bashgate as somebody at a terminal does who types an answer.
func atTerminal(t *testing.T, home, types string, env []string, args ...string) (status int, shown string) {
	t.Helper()
	screen, programs := terminal(t)
	c := bashgate(home, args...)
	c.Env = append(c.Env, env...)
	c.Stdin, c.Stdout, c.Stderr = programs, programs, programs
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
	if _, err := io.WriteString(screen, types); err != nil {
		t.Fatal(err)
	}
	text := make(chan string)
	go func() {
		var all strings.Builder
		io.Copy(&all, screen) // ends with an error when nobody holds the other end
		text <- all.String()
	}()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	programs.Close()
	late := time.AfterFunc(20*time.Second, func() { c.Process.Kill() })
	defer late.Stop()
	c.Wait() // its status is looked at
	return c.ProcessState.ExitCode(), <-text
}

// TestClear clears as a person at a terminal does, and as others try to.
func TestClear(t *testing.T) {
	race.Sequential(t)
	for _, row := range []struct {
		name   string
		types  string
		env    []string
		args   []string
		status int
		shows  string
		left   string // what the session has seen then
		files  int    // that tainted sessions have written
	}{
		{"yes", "yes\n", nil, []string{"s"}, 0, "Does nothing of this matter any more? Type yes: ", "", 1},
		{"no", "no\n", nil, []string{"s"}, 1, "nothing is cleared", "corruption secret", 1},
		{"a letter", "y\n", nil, []string{"s"}, 1, "nothing is cleared", "corruption secret", 1},
		{"nothing", "\n", nil, []string{"s"}, 1, "nothing is cleared", "corruption secret", 1},
		{"the end", "\x04", nil, []string{"s"}, 1, "", "corruption secret", 1},
		{"an agent's terminal", "yes\n", []string{"CLAUDECODE=1"}, []string{"s"}, 2, "an agent can't clear that", "corruption secret", 1},
		{"another agent's terminal", "yes\n", []string{"AI_AGENT=x"}, []string{"s"}, 2, "an agent can't clear that", "corruption secret", 1},
		{"files", "yes\n", nil, []string{"--files"}, 0, "Can all files be trusted and read by everybody? Type yes: ", "corruption secret", 0},
		{"a directory", "yes\n", nil, []string{"--files", "/srv/project"}, 0, "Can /srv/project and all below it be trusted", "corruption secret", 0},
		{"another directory", "yes\n", nil, []string{"--files", "/srv/proj"}, 0, "Can /srv/proj and all below it be trusted", "corruption secret", 1},
		{"no files", "no\n", nil, []string{"--files"}, 1, "nothing is cleared", "corruption secret", 1},
	} {
		a := newAgent(t, "")
		a.event("s", "SessionStart", fields{"source": "startup"})
		a.tool("s", "WebFetch", "url", "https://example.org/")
		a.tool("s", "Read", "file_path", "/srv/project/.env")
		a.tool("s", "Write", "file_path", "/srv/project/notes.md", "content", "x")
		status, shown := atTerminal(t, a.env["HOME"], row.types, row.env, append([]string{"taint", "clear"}, row.args...)...)
		if status != row.status || !strings.Contains(shown, row.shows) {
			t.Errorf("%s: status %d, shows %q; want %d, %q", row.name, status, shown, row.status, row.shows)
		}
		written, damage := a.store().Files()
		if got := a.counts("s"); got != row.left || len(written) != row.files || damage != "" {
			t.Errorf("%s: %q and %d files (%s); want %q and %d", row.name, got, len(written), damage, row.left, row.files)
		}
	}

	// Without a terminal there is nobody to ask, whatever standard input is.
	a := newAgent(t, "")
	a.tool("s", "WebFetch", "url", "https://example.org/")
	_, programs := terminal(t)
	for name, in := range map[string]io.Reader{"a text": strings.NewReader("yes\n"), "a terminal that is not its own": programs} {
		c := bashgate(a.env["HOME"], "taint", "clear", "s")
		c.Stdin = in
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		out, err := c.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "only a person at a terminal can clear that") || a.counts("s") != "corruption" {
			t.Errorf("%s: %v, %s", name, err, out)
		}
	}
}

// TestClearDamaged makes a session usable again whose record is damaged or
// lost.
func TestClearDamaged(t *testing.T) {
	race.Sequential(t)
	for _, damage := range []func(path string) error{
		func(path string) error { return os.Truncate(path, 10) },
		func(path string) error { return os.Remove(path) },
		func(path string) error { return os.Remove(strings.TrimSuffix(path, ".log") + ".seal") },
		func(path string) error { return os.Chmod(path, 0o400) },
	} {
		a := newAgent(t, "")
		a.event("s", "SessionStart", fields{"source": "startup"})
		a.tool("s", "WebFetch", "url", "https://example.org/")
		path := filepath.Join(a.store().Dir, "sessions", session.Name("claude", "s")+".log")
		if err := damage(path); err != nil {
			t.Fatal(err)
		}
		before := a.counts("s")
		if status, shown := atTerminal(t, a.env["HOME"], "yes\n", nil, "taint", "clear", "s"); status != 0 || before == "" || a.counts("s") != "" {
			t.Errorf("%q before, %q after; %s", before, a.counts("s"), shown)
		}
		if decision, reason := a.bash("s", "curl -s https://example.com"); decision != "allow" {
			t.Errorf("%s (%s)", decision, reason)
		}
	}
}

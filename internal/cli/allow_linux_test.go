package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// answering runs bashgate as somebody at a terminal does who reads the word of the
// question and types what answer makes of it.
func answering(t *testing.T, home, dir string, env []string, answer func(word string) string, args ...string) (status int, shown string) {
	t.Helper()
	screen, programs := terminal(t)
	c := bashgate(home, args...)
	c.Dir = dir
	c.Env = append(c.Env, env...)
	c.Stdin, c.Stdout, c.Stderr = programs, programs, programs
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
	text := make(chan string)
	go func() {
		var all strings.Builder
		buffer := make([]byte, 4096)
		answered := false
		for {
			n, err := screen.Read(buffer)
			all.Write(buffer[:n])
			if _, question, ok := strings.Cut(all.String(), "Type "); ok && !answered && strings.HasSuffix(question, ": ") {
				answered = true
				question = strings.TrimPrefix(question, "the number and ")
				word, _, _ := strings.Cut(question, " ")
				io.WriteString(screen, answer(word))
			}
			if err != nil {
				text <- strings.ReplaceAll(all.String(), "\r\n", "\n")
				return
			}
		}
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

// person is a home with a project, and what is decided there.
type person struct {
	*testing.T
	home, project string
}

func newPerson(t *testing.T) *person {
	home := t.TempDir()
	p := &person{t, home, filepath.Join(home, "p")}
	putFile(t, p.project+"/.git/HEAD", "ref: refs/heads/main\n")
	putFile(t, p.project+"/.git/config", "[remote \"origin\"]\n\turl = https://github.com/acme/p.git\n")
	putFile(t, p.project+"/src/a.go", "package a\n")
	return p
}

func (p *person) decides(command string) string {
	p.Helper()
	out, err := bashgate(p.home, "check", "--cwd", p.project, command).Output()
	if err != nil && len(out) == 0 {
		p.Fatal(err)
	}
	decision, _, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	return decision
}

func (p *person) answers(answer string, args ...string) (int, string) {
	p.Helper()
	return answering(p.T, p.home, p.project, nil, func(word string) string {
		return strings.ReplaceAll(answer, "WORD", word) + "\n"
	}, args...)
}

func (p *person) learned() string {
	text, _ := os.ReadFile(p.home + "/.config/bashgate/rules/learned.toml")
	return string(text)
}

// TestAllowAtTerminal answers questions as a person at a terminal does, and as
// others try to.
func TestAllowAtTerminal(t *testing.T) {
	const push = "git push origin feature/x"
	for _, row := range []struct {
		name   string
		answer string
		env    []string
		args   []string
		status int
		shows  string
		after  string // what is decided about the push
		other  string // about another branch of feature/
	}{
		{"the first", "1 WORD", nil, nil, 0, ": written to ~/.config/bashgate/rules/learned.toml", "allow", "ask"},
		{"the second", "2 WORD", nil, nil, 0, "branches feature/*", "allow", "allow"},
		{"picked", "WORD", nil, []string{"--pick", "2"}, 0, "branches feature/*", "allow", "allow"},
		{"no word", "1", nil, nil, 1, "nothing is allowed", "ask", "ask"},
		{"yes", "yes", nil, nil, 1, "nothing is allowed", "ask", "ask"},
		{"no number", "WORD", nil, nil, 1, "nothing is allowed", "ask", "ask"},
		{"no such number", "3 WORD", nil, nil, 1, "nothing is allowed", "ask", "ask"},
		{"the end", "\x04", nil, nil, 1, "", "ask", "ask"},
		{"shown", "", nil, []string{"--dry-run"}, 0, "the branch feature/x", "ask", "ask"},
		{"an agent's terminal", "1 WORD", []string{"CLAUDECODE=1"}, nil, 2, "an agent can't allow that", "ask", "ask"},
		{"another agent's terminal", "1 WORD", []string{"AI_AGENT=x"}, nil, 2, "an agent can't allow that", "ask", "ask"},
	} {
		p := newPerson(t)
		if d := p.decides(push); d != "ask" {
			t.Fatalf("%s: %s before", row.name, d)
		}
		status, shown := answering(t, p.home, p.project, row.env, func(word string) string {
			return strings.ReplaceAll(row.answer, "WORD", word) + "\n"
		}, append([]string{"allow", push}, row.args...)...)
		if status != row.status || !strings.Contains(shown, row.shows) {
			t.Errorf("%s: status %d, shows\n%s\nwant %d, %q", row.name, status, shown, row.status, row.shows)
		}
		if d := p.decides(push); d != row.after {
			t.Errorf("%s: %s after, want %s", row.name, d, row.after)
		}
		if d := p.decides("git push origin feature/y"); d != row.other {
			t.Errorf("%s: another branch: %s, want %s", row.name, d, row.other)
		}
		if d := p.decides("git push origin main"); d != "ask" {
			t.Errorf("%s: main: %s", row.name, d)
		}
		if row.after != "allow" {
			if text := p.learned(); text != "" {
				t.Errorf("%s: written:\n%s", row.name, text)
			}
			continue
		}
		if info, err := os.Stat(p.home + "/.config/bashgate/rules/learned.toml"); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", row.name, info, err)
		}
		if out, err := bashgate(p.home, "rules", "lint").CombinedOutput(); err != nil || string(out) != "1 file, no errors\n" {
			t.Errorf("%s: %v, %s", row.name, err, out)
		}
	}
}

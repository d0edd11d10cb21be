package cli

import (
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/race"
)

// conversing runs bashgate as somebody at a terminal does who answers each
// question, a line that ends with ": ".
func conversing(t *testing.T, home, dir string, env []string, answer func(question string) string, args ...string) (status int, shown string) {
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
		for {
			n, err := screen.Read(buffer)
			all.Write(buffer[:n])
			now := all.String()
			if question := now[strings.LastIndexByte(now, '\n')+1:]; n > 0 && strings.HasSuffix(question, ": ") {
				io.WriteString(screen, answer(question))
			}
			if err != nil {
				text <- strings.ReplaceAll(now, "\r\n", "\n")
				return
			}
		}
	}()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	programs.Close()
	late := time.AfterFunc(30*time.Second, func() { c.Process.Kill() })
	defer late.Stop()
	c.Wait() // its status is looked at
	return c.ProcessState.ExitCode(), <-text
}

// TestSuggestAtTerminal keeps and skips rules as a person at a terminal does, and
// as others try to.
func TestSuggestAtTerminal(t *testing.T) {
	race.Sequential(t)
	const history = "acme lint src/a.go\nacme lint src/a.go\nacme lint src/a.go\nacme lint src/a.go\ngit push origin feature/x\ngit push origin feature/y\ngit push origin feature/z\nrm -rf /\n"
	for _, row := range []struct {
		name      string
		keeps     string // the answers, one a rule
		word      string
		env       []string
		args      []string
		status    int
		shows     string
		lint, put string // what is decided about acme lint and a push afterwards
	}{
		{"both", "yy", "WORD", nil, nil, 0, "2 rules would leave 0 of 7 prompts", "allow", "allow"},
		{"the second", "ny", "WORD", nil, nil, 0, "1 rule would leave 4 of 7 prompts", "ask", "allow"},
		{"the first, and no more", "yq", "WORD", nil, nil, 0, "1 rule would leave 3 of 7 prompts", "allow", "ask"},
		{"none", "nn", "WORD", nil, nil, 1, "nothing is written", "ask", "ask"},
		{"something else", "ja", "WORD", nil, nil, 1, "nothing is written", "ask", "ask"},
		{"another word", "yy", "yes", nil, nil, 1, "nothing is written", "ask", "ask"},
		{"no word", "yy", "", nil, nil, 1, "nothing is written", "ask", "ask"},
		{"only shown", "yy", "WORD", nil, []string{"--print"}, 0, "2 rules would leave 0 of 7 prompts", "ask", "ask"},
		{"an agent's terminal", "yy", "WORD", []string{"CLAUDECODE=1"}, nil, 0, "2 rules would leave 0 of 7 prompts", "ask", "ask"},
		{"another agent's terminal", "yy", "WORD", []string{"AI_AGENT=x"}, nil, 0, "2 rules would leave 0 of 7 prompts", "ask", "ask"},
	} {
		p := newPerson(t)
		putFile(t, p.project+"/history", history)
		asked := 0
		status, shown := conversing(t, p.home, p.project, row.env, func(question string) string {
			if word, ok := strings.CutPrefix(question, "Type "); ok {
				word, _, _ = strings.Cut(word, " ")
				return strings.ReplaceAll(row.word, "WORD", word) + "\n"
			}
			asked++
			return row.keeps[asked-1:asked] + "\n"
		}, append([]string{"suggest", "history"}, row.args...)...)
		if status != row.status || !strings.Contains(shown, row.shows) {
			t.Errorf("%s: status %d, shows\n%s\nwant %d, %q", row.name, status, shown, row.status, row.shows)
		}
		if lint, put := p.decides("acme lint src/a.go"), p.decides("git push origin feature/new"); lint != row.lint || put != row.put {
			t.Errorf("%s: %s and %s after, want %s and %s", row.name, lint, put, row.lint, row.put)
		}
		if d := p.decides("git push origin main"); d != "ask" {
			t.Errorf("%s: main: %s", row.name, d)
		}
		if wrote := p.learned() != ""; wrote != (row.lint == "allow" || row.put == "allow") {
			t.Errorf("%s: written:\n%s", row.name, p.learned())
		}
		if p.learned() == "" {
			continue
		}
		if out, err := bashgate(p.home, "rules", "lint").CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "1 file, no errors\n") {
			t.Errorf("%s: %v, %s", row.name, err, out)
		}
		// What is answered is suggested no more.
		if _, again := conversing(t, p.home, p.project, nil, func(string) string { return "n\n" }, "suggest", "history"); row.lint == "allow" && strings.Contains(again, "acme lint") {
			t.Errorf("%s: suggested again:\n%s", row.name, again)
		}
	}
}

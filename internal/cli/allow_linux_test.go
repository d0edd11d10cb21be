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
)

// answering runs bashgate as somebody at a terminal does who reads the word of the
// question and types what answer makes of it. At a second question they go.
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
		answered := 0
		for {
			n, err := screen.Read(buffer)
			all.Write(buffer[:n])
			questions := strings.Split(all.String(), "Type ")[1:]
			if len(questions) > answered && strings.HasSuffix(questions[answered], ": ") {
				word, _, _ := strings.Cut(strings.TrimPrefix(questions[answered], "the number and "), " ")
				if answered++; answered == 1 {
					io.WriteString(screen, answer(word))
				} else {
					io.WriteString(screen, "\x04")
				}
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
	race.Sequential(t)
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

// in is what an agent is told about a command that it wants to run in the project.
func (p *person) in(a *agent, session, command string) string {
	p.Helper()
	decision, _ := a.in(p.project, session, command)
	return decision
}

// agent is one that works at the person's.
func (p *person) agent() *agent {
	a := newAgent(p.T, "")
	a.env["HOME"] = p.home
	return a
}

// A ticket counts once, whatever asks, and for this command in this session alone.
func TestOnceAtTerminal(t *testing.T) {
	race.Sequential(t)
	const push = "git push -f origin main"
	p := newPerson(t)
	a := p.agent()
	if d := p.in(a, "s", push); d != "ask" {
		t.Fatal(d)
	}
	status, shown := p.answers("WORD", "allow", "--once")
	if status != 0 || !strings.Contains(shown, push) || !strings.Contains(shown, ": allowed once, within 10 minutes") {
		t.Fatalf("%d, %s", status, shown)
	}
	for _, row := range []struct{ session, command, want string }{
		{"s", push + " ", "ask"},
		{"other", push, "ask"},
		{"s", push, "allow"},
		{"s", push, "ask"},
	} {
		if d := p.in(a, row.session, row.command); d != row.want {
			t.Errorf("%s %q: %s, want %s", row.session, row.command, d, row.want)
		}
	}
	// What a session has seen asks, too.
	a.reads(p.project, "seen", true)
	const send = "curl -d a=b https://api.example.com/x"
	if d, reason := a.in(p.project, "seen", send); d != "ask" || !strings.Contains(reason, "seen:") || strings.HasSuffix(reason, "; bashgate allow") {
		t.Errorf("%s (%s)", d, reason)
	}
	if status, shown := p.answers("WORD", "allow", "--once"); status != 0 {
		t.Fatalf("%d, %s", status, shown)
	}
	if d := p.in(a, "seen", send); d != "allow" {
		t.Errorf("tainted: %s", d)
	}
	// A block stands, also one that was none when the ticket was given.
	if status, shown := p.answers("WORD", "allow", "--once", "rm -rf /"); status != 2 || !strings.Contains(shown, "a block stands") {
		t.Errorf("%d, %s", status, shown)
	}
	if status, shown := p.answers("WORD", "allow", "--once", push); status != 0 {
		t.Errorf("%d, %s", status, shown)
	}
	if status, shown := p.answers("WORD", "block", push, "--reason", "No"); status != 0 {
		t.Errorf("%d, %s", status, shown)
	}
	if d := p.in(a, "s", push); d != "deny" {
		t.Errorf("blocked since: %s", d)
	}
}

// A rule of a session counts until it ends, and for this session alone.
func TestSessionAtTerminal(t *testing.T) {
	race.Sequential(t)
	const line = "acme lint src/a.go"
	p := newPerson(t)
	a := p.agent()
	if d, reason := a.in(p.project, "s", line); d != "ask" || !strings.HasSuffix(reason, "; bashgate allow") {
		t.Fatal(d, reason)
	}
	status, shown := p.answers("2 WORD", "allow", "--session")
	if status != 0 || !strings.Contains(shown, "counts until the session claude-s ends") {
		t.Fatalf("%d, %s", status, shown)
	}
	for _, row := range []struct{ session, command, want string }{
		{"s", line, "allow"},
		{"s", "acme lint src/b.go", "allow"},
		{"s", "acme fix src/a.go", "ask"},
		{"s", "sudo acme lint src/a.go", "ask"},
		{"other", line, "ask"},
		{"s", line + " && rm -rf /", "deny"},
	} {
		if d := p.in(a, row.session, row.command); d != row.want {
			t.Errorf("%s %q: %s, want %s", row.session, row.command, d, row.want)
		}
	}
	file := p.home + "/.local/state/bashgate/answers/session-claude-s.toml"
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	if d, _, complaint := a.says("s", "PreToolUse", fields{"cwd": p.project, "tool_name": "Bash", "tool_input": fields{"command": line}}); d != "ask" || !strings.Contains(complaint, "open to others") {
		t.Errorf("a file that others may read: %s, %s", d, complaint)
	}
	os.Chmod(file, 0o600)
	if d := p.in(a, "s", line); d != "allow" {
		t.Errorf("closed again: %s", d)
	}
	a.event("s", "SessionEnd", fields{"cwd": p.project, "reason": "exit"})
	if d := p.in(a, "s", line); d != "ask" {
		t.Errorf("after its end: %s", d)
	}
}

// A project's answers count where its rules did, or where there were none.
func TestProjectAtTerminal(t *testing.T) {
	race.Sequential(t)
	const line = "acme lint src/a.go"
	for _, row := range []struct {
		name, rules string
		trust       bool
		shows       string
		after       string
	}{
		{"no rules before", "", false, "written to ~/p/.bashgate/rules/learned.toml", "allow"},
		{"trusted rules", "[[programs]]\nname = \"x\"\nunknown_action = \"allow\"\n", true, "written to", "allow"},
		{"untrusted rules", "[[programs]]\nname = \"x\"\nunknown_action = \"allow\"\n", false, "bashgate trust", "ask"},
	} {
		p := newPerson(t)
		if row.rules != "" {
			putFile(t, p.project+"/.bashgate/rules/own.toml", row.rules)
		}
		if row.trust {
			if status, shown := atTerminal(t, p.home, "yes\n", nil, "trust", p.project); status != 0 {
				t.Fatal(shown)
			}
		}
		status, shown := p.answers("1 WORD", "allow", line, "--project")
		if status != 0 || !strings.Contains(shown, row.shows) {
			t.Errorf("%s: %d, %s", row.name, status, shown)
		}
		if d := p.decides(line); d != row.after {
			t.Errorf("%s: %s, want %s", row.name, d, row.after)
		}
		if text := p.learned(); text != "" {
			t.Errorf("%s: the user's file has\n%s", row.name, text)
		}
	}
}

// What was answered can be taken back, and a broken file is not touched.
func TestForgetAtTerminal(t *testing.T) {
	race.Sequential(t)
	p := newPerson(t)
	const own = "# mine\n[[programs]]\nname = \"x\"\nunknown_action = \"allow\"\n"
	putFile(t, p.home+"/.config/bashgate/rules/learned.toml", own)
	_, shown := p.answers("WORD", "allow", "acme one")
	id, _, ok := strings.Cut(shown[strings.LastIndex(shown, "acme-"):], ":")
	if !ok || p.decides("acme one") != "allow" {
		t.Fatal(shown)
	}
	if _, shown := p.answers("WORD", "block", "acme two", "--reason", "Not on this machine"); !strings.Contains(shown, ": written to") {
		t.Error(shown)
	}
	if d := p.decides("acme two three"); d != "block" {
		t.Error(d)
	}
	if d := p.decides("acme one"); d != "allow" {
		t.Error(d)
	}
	out, err := bashgate(p.home, "allow", "--list").Output()
	if err != nil || !strings.Contains(string(out), "~/.config/bashgate/rules/learned.toml\n  "+id+"  ") || !strings.Contains(string(out), "  no-acme-two-") {
		t.Errorf("%v, %s", err, out)
	}
	if status, shown := atTerminal(t, p.home, "no\n", nil, "forget", id); status != 1 || p.decides("acme one") != "allow" {
		t.Errorf("%d, %s", status, shown)
	}
	if status, shown := atTerminal(t, p.home, "yes\n", []string{"CLAUDECODE=1"}, "forget", id); status != 2 || p.decides("acme one") != "allow" {
		t.Errorf("%d, %s", status, shown)
	}
	if status, shown := atTerminal(t, p.home, "yes\n", nil, "forget", id); status != 0 || p.decides("acme one") != "ask" || p.decides("acme two") != "block" {
		t.Errorf("%d, %s", status, shown)
	}
	if !strings.HasPrefix(p.learned(), own) {
		t.Errorf("%s", p.learned())
	}
	if status, shown := atTerminal(t, p.home, "", nil, "forget", id); status != 2 || !strings.Contains(shown, "no answer is called") {
		t.Errorf("%d, %s", status, shown)
	}
	broken := own + "more = 1\n"
	putFile(t, p.home+"/.config/bashgate/rules/learned.toml", broken)
	if status, shown := p.answers("WORD", "allow", "acme one"); status == 0 || !strings.Contains(shown, "learned.toml:5:1") || p.learned() != broken {
		t.Errorf("%d, %s", status, shown)
	}
}

// A hook that can't ask denies what is asked, and says what answers it; a ticket
// counts there as well.
func TestOnceWhereNobodyAsks(t *testing.T) {
	race.Sequential(t)
	p := newPerson(t)
	says := func() string {
		t.Helper()
		c := bashgate(p.home, "hook", "codex")
		c.Stdin = strings.NewReader(`{"session_id":"s1","cwd":"` + p.project + `","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push -f origin main"},"tool_use_id":"u"}`)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v, %s", err, out)
		}
		return string(out)
	}
	if out := says(); !strings.Contains(out, `"deny"`) || !strings.Contains(out, "; a person can: bashgate approve ") {
		t.Error(out)
	}
	if status, shown := p.answers("WORD", "allow", "--once"); status != 0 || !strings.Contains(shown, "git push -f origin main") {
		t.Fatalf("%d, %s", status, shown)
	}
	if out := says(); strings.Contains(out, "deny") {
		t.Error(out)
	}
	if out := says(); !strings.Contains(out, `"deny"`) {
		t.Error(out)
	}
}

// What a session has seen asks all the same where a rule answers the rest.
func TestAnswersLeaveTaint(t *testing.T) {
	const send = "curl -d a=b https://api.example.com/x"
	p := newPerson(t)
	a := p.agent()
	if status, shown := p.answers("WORD", "allow", send); status != 0 {
		t.Fatal(shown)
	}
	if d := p.in(a, "clean", send); d != "allow" {
		t.Errorf("a clean session: %s", d)
	}
	a.reads(p.project, "seen", true)
	if d, reason := a.in(p.project, "seen", send); d != "ask" || !strings.Contains(reason, "seen:") {
		t.Errorf("a session that has seen a secret: %s (%s)", d, reason)
	}
}

//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/race"
	"github.com/bashgate/bashgate/policy"
)

// sample is what an agent sends about a command of its shell.
type sample struct {
	agent   *host.Host
	data    string
	args    []string // of the hook
	env     []string
	command string // as it stands in the data
}

// oneOfEach has one of every agent, taken from what they really sent or from what
// their documentation shows.
func oneOfEach(t *testing.T) []sample {
	t.Helper()
	files, err := filepath.Glob("../host/testdata/*-*.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []sample
	forms := []string{"claude", "copilot", "cursor", "cline", "kiro"} // one for each way to deny
	if race.On {
		t.Logf("with the race detector only %s are tried", strings.Join(forms, ", "))
	}
	for _, h := range host.All() {
		if race.On && !slices.Contains(forms, h.Name) {
			continue
		}
		found := false
		for _, file := range files {
			if !strings.HasPrefix(filepath.Base(file), h.Name+"-") || found {
				continue
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var captured struct {
				Stdin json.RawMessage
				Env   map[string]string
				Args  []string
			}
			if err := json.Unmarshal(data, &captured); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			s := sample{agent: h, data: string(captured.Stdin), args: append([]string{"hook", h.Name}, captured.Args...)}
			in := host.Input{Data: captured.Stdin, Dir: func() string { return "/srv/project" }, Getenv: func(name string) string { return captured.Env[name] }}
			if len(captured.Args) > 0 {
				in.Event = captured.Args[0]
			}
			q, err := h.Read(host.Parse(in))
			if err != nil || q.Event != host.BeforeToolUse || !q.Shell {
				continue
			}
			for name, value := range captured.Env {
				s.env = append(s.env, name+"="+value)
			}
			text, _ := json.Marshal(q.Request.Command)
			s.command = string(text)
			if !strings.Contains(s.data, s.command) { // it is escaped in another way
				text = []byte(strings.ReplaceAll(string(text), `\u003e`, ">"))
				s.command = string(text)
			}
			if found = strings.Contains(s.data, s.command); found {
				list = append(list, s)
			}
		}
		if !found {
			t.Errorf("internal/host/testdata holds no command of %s", h.Title)
		}
	}
	return list
}

// about is the sample with another command.
func (s *sample) about(command string) string {
	text, err := json.Marshal(command)
	if err != nil {
		panic(err)
	}
	return strings.ReplaceAll(s.data, s.command, string(text))
}

// meaning is what an agent takes from what a hook's process has left: "allow",
// "ask", "block", or "nothing".
func (s *sample) meaning(t *testing.T, stdout, stderr []byte, status int) string {
	t.Helper()
	if s.agent.Name != "cline" && status != 0 { // looks at no exit status
		if status == 2 && len(bytes.TrimSpace(stderr)) > 0 {
			return "block"
		}
		t.Errorf("%s: exit status %d, stderr %q", s.agent.Name, status, stderr)
		return "allow"
	}
	if len(stdout) == 0 {
		return "nothing"
	}
	if bytes.Count(stdout, []byte("\n")) != 1 || !bytes.HasSuffix(stdout, []byte("\n")) {
		t.Errorf("%s: the answer is not one line: %q", s.agent.Name, stdout)
	}
	var answer struct {
		HookSpecificOutput                       struct{ PermissionDecision string }
		PermissionDecision, Permission, Decision string
		Cancel                                   *bool
	}
	if err := json.Unmarshal(stdout, &answer); err != nil {
		t.Errorf("%s: %q: %v", s.agent.Name, stdout, err)
		return "allow"
	}
	word := answer.HookSpecificOutput.PermissionDecision + answer.PermissionDecision + answer.Permission + answer.Decision
	switch {
	case answer.Cancel != nil && *answer.Cancel, word == "deny", word == "block":
		return "block"
	case answer.Cancel != nil, word == "allow":
		return "allow"
	case word == "ask":
		return "ask"
	}
	t.Errorf("%s: %q means nothing", s.agent.Name, stdout)
	return "allow"
}

// TestLimits: the hook is sooner than the agent's patience ends, where that is
// known.
func TestLimits(t *testing.T) {
	for _, h := range host.All() {
		if h.Limit != 0 && h.Limit < patience+time.Second/2 {
			t.Errorf("%s waits for %v, the hook takes %v", h.Title, h.Limit, patience)
		}
	}
}

// trouble is what may happen to a hook.
type trouble struct {
	name  string
	input func(s *sample) string // what it reads; nil = a command that is blocked
	start func(t *testing.T, c *exec.Cmd, home string)
	asks  bool // a question is enough
}

var troubles = []trouble{
	{name: "nothing at all"},
	{name: "empty", input: func(*sample) string { return "" }, asks: true},
	{name: "truncated", input: func(s *sample) string { d := s.about("git push"); return d[:len(d)/2] }, asks: true},
	{name: "truncated, a block", input: func(s *sample) string {
		d := s.about("rm -rf /")
		return d[:strings.Index(d, "rm -rf /")+len(`rm -rf /"`)]
	}},
	{name: "17 MB", input: func(s *sample) string { return s.about(strings.Repeat("x", 17<<20)) }, asks: true},
	{name: "not UTF-8", input: func(s *sample) string { return strings.Replace(s.about("ls x"), "ls x", "ls \xff", 1) }, asks: true},
	{name: "two objects", input: func(s *sample) string { return s.about("ls") + s.about("ls") }, asks: true},
	{name: "a list", input: func(s *sample) string { return "[" + s.about("ls") + "]" }, asks: true},
	{name: "stdin stays open", start: func(t *testing.T, c *exec.Cmd, _ string) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close(); w.Close() })
		c.Stdin = r
		c.Env = append(c.Env, "PATIENCE=200ms")
	}},
	{name: "stdin is closed", start: func(t *testing.T, c *exec.Cmd, _ string) { without(c, "<&-") }, asks: true},
	{name: "stdin can't be read", start: func(t *testing.T, c *exec.Cmd, home string) { without(c, "<"+home) }},
	{name: "panic", start: func(_ *testing.T, c *exec.Cmd, _ string) { c.Env = append(c.Env, "PANIC=1") }},
	{name: "no home", start: func(_ *testing.T, c *exec.Cmd, _ string) { unset(c, "HOME=") }},
	{name: "an empty environment", start: func(_ *testing.T, c *exec.Cmd, _ string) { c.Env = []string{"X=1"} }},
	{name: "broken settings", start: func(t *testing.T, c *exec.Cmd, home string) {
		write(t, home+"/.config/bashgate/config.toml", "profil = [")
	}},
	{name: "broken settings, a question", input: func(s *sample) string { return s.about("ls") }, asks: true, start: func(t *testing.T, c *exec.Cmd, home string) {
		write(t, home+"/.config/bashgate/config.toml", "profil = [")
	}},
	{name: "no place for state", start: func(t *testing.T, c *exec.Cmd, home string) { write(t, home+"/.local", "a file") }},
	{name: "no place for state, what it would show", input: func(s *sample) string { return s.about("curl -s https://a.example.org/") }, start: func(t *testing.T, c *exec.Cmd, home string) { write(t, home+"/.local", "a file") }},
	{name: "nobody reads stderr", start: func(t *testing.T, c *exec.Cmd, _ string) { c.Stderr = broken(t) }},
}

// without starts a command with a stream of its own.
func without(c *exec.Cmd, redirect string) {
	c.Args = append([]string{"sh", "-c", `exec "$0" "$@" ` + redirect, c.Path}, c.Args[1:]...)
	c.Path = "/bin/sh"
}

func unset(c *exec.Cmd, prefix string) {
	var env []string
	for _, pair := range c.Env {
		if !strings.HasPrefix(pair, prefix) {
			env = append(env, pair)
		}
	}
	c.Env = env
}

// broken is a pipe that nobody reads any more.
func broken(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	t.Cleanup(func() { w.Close() })
	return w
}

// start makes the command of a sample's hook, with a home of its own.
func (s *sample) start(t *testing.T) (c *exec.Cmd, home string) {
	t.Helper()
	home = t.TempDir()
	c = bashgate(home, s.args...)
	c.Env = append(c.Env, s.env...)
	return c, home
}

// TestNeverSilent lets every agent's hook get into every trouble: what it
// leaves behind is no allow, and no silence about a command that is none.
func TestNeverSilent(t *testing.T) {
	for _, s := range oneOfEach(t) {
		for _, trouble := range troubles {
			t.Run(s.agent.Name+"/"+trouble.name, func(t *testing.T) {
				t.Parallel()
				c, home := s.start(t)
				data := s.about("rm -rf /")
				if trouble.input != nil {
					data = trouble.input(&s)
				}
				c.Stdin = strings.NewReader(data)
				var stdout, stderr bytes.Buffer
				c.Stdout, c.Stderr = &stdout, &stderr
				if trouble.start != nil {
					trouble.start(t, c, home)
				}
				begun := time.Now()
				err := c.Run()
				if took := time.Since(begun); took > patience {
					t.Errorf("took %v", took)
				}
				status := exitStatus(t, err)
				if c.Stderr != &stderr {
					stderr.WriteString("read by nobody\n")
				}
				switch got := s.meaning(t, stdout.Bytes(), stderr.Bytes(), status); {
				case got == "block":
				case got == "ask" && trouble.asks && heard(&s, trouble.name):
				default:
					t.Errorf("%s: exit status %d, stdout %q, stderr %.500q", got, status, &stdout, &stderr)
				}
			})
		}
	}
}

// heard reports whether the agent hears a question about what it has sent. A
// payload that can't be read names no event.
func heard(s *sample, what string) bool {
	q := host.Question{Event: host.BeforeToolUse}
	if strings.Contains(what, "settings") {
		q.Name = s.agent.EventName(host.BeforeToolUse)
	}
	a := s.agent.Answer(&q, policy.Ask, "why")
	return bytes.Contains(a.Stdout, []byte(`"ask"`))
}

func exitStatus(t *testing.T, err error) int {
	t.Helper()
	if err == nil {
		return 0
	}
	failed, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		if errors.Is(err, syscall.EPIPE) { // it does not read 17 MB
			return 0
		}
		t.Fatal(err)
	}
	if !failed.Exited() {
		t.Errorf("ended by a signal: %v", err)
	}
	return failed.ExitCode()
}

// TestNobodyReads: where the answer reaches nobody, the exit status denies.
// Cline looks at none, and runs what it hears nothing about.
func TestNobodyReads(t *testing.T) {
	for _, s := range oneOfEach(t) {
		if s.agent.Name == "cline" {
			continue
		}
		for name, start := range map[string]func(*exec.Cmd){
			"closed":             func(c *exec.Cmd) { without(c, ">&-") },
			"closed with stderr": func(c *exec.Cmd) { without(c, ">&- 2>&-") },
			"broken":             func(c *exec.Cmd) { c.Stdout = broken(t) },
			"broken with stderr": func(c *exec.Cmd) { c.Stdout = broken(t); c.Stderr = c.Stdout },
		} {
			c, _ := s.start(t)
			c.Stdin = strings.NewReader(s.about("rm -rf /"))
			start(c)
			if status := exitStatus(t, c.Run()); status != 2 {
				t.Errorf("%s: standard output is %s: exit status %d", s.agent.Name, name, status)
			}
		}
	}
}

// A pipe that is full keeps no hook longer than it may take.
func TestFullPipe(t *testing.T) {
	s := oneOfEach(t)[0]
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	w.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
	if _, err := w.Write(make([]byte, 4<<20)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("the pipe is not full: %v", err)
	}
	c, _ := s.start(t)
	c.Env = append(c.Env, "PATIENCE=300ms")
	c.Stdin, c.Stdout = strings.NewReader(s.about("rm -rf /")), w
	if status := exitStatus(t, c.Run()); status != 2 {
		t.Errorf("exit status %d", status)
	}
}

// TestOneWrite: an answer is never half of one.
func TestOneWrite(t *testing.T) {
	for _, s := range oneOfEach(t) {
		p, _, _ := process(t, strings.NewReader(s.about("rm -rf /")), s.args...)
		w := &writes{}
		p.Stdout = w
		Run(p)
		if w.count > 1 {
			t.Errorf("%s: %d writes", s.agent.Name, w.count)
		}
	}
}

type writes struct{ count int }

func (w *writes) Write(data []byte) (int, error) { w.count++; return len(data), nil }

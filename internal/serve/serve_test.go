//go:build unix

package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/cli"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/policy"
)

// process is one with a home of its own.
func process(t testing.TB) *cli.Process {
	home := t.TempDir()
	return &cli.Process{
		Name: "bashgated",
		Getenv: func(name string) string {
			return map[string]string{"HOME": home, "DOCKER_HOST": "tcp://daemon.example:1", "SHELL": "/bin/zsh"}[name]
		},
		Getwd:  func() (string, error) { return home, nil },
		Stderr: io.Discard,
		Exit:   func(status int) { panic(fmt.Sprint("the server ends with ", status)) },
	}
}

// reply is an answer as a client reads it.
type reply struct {
	V        int    `json:"v"`
	ID       string `json:"id"`
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
	Code     string `json:"code"`
	Version  string `json:"version"`
	Rules    string `json:"rules"`
	Error    *struct{ Code, Text string }
}

func readReply(t testing.TB, text string) reply {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	var r reply
	if err := d.Decode(&r); err != nil || r.V != 1 || !strings.HasSuffix(text, "}\n") {
		t.Fatalf("%q: %v", text, err)
	}
	switch r.Decision {
	case "allow", "ask", "block", "none":
	default:
		t.Fatalf("%q: no decision", text)
	}
	return r
}

// ask puts lines to a server of its own and returns the answers by their ids.
func ask(t testing.TB, s *Server, lines ...string) map[string]reply {
	t.Helper()
	var out strings.Builder
	s.Process.Stdin, s.Process.Stdout = strings.NewReader(strings.Join(lines, "\n")+"\n"), &out
	s.Stdio = true
	if err := s.Serve(t.Context()); err != nil {
		t.Fatal(err)
	}
	replies := map[string]reply{}
	for line := range strings.Lines(out.String()) {
		r := readReply(t, line)
		replies[r.ID] = r
	}
	return replies
}

// served starts a server on a socket and returns its path.
func served(t testing.TB, s *Server) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "s") // the test's own directory may have too long a name
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s.Socket = filepath.Join(dir, "run", "s.sock")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(20 * time.Second):
			t.Error("the server does not end")
		}
	})
	for range 1000 {
		if _, err := os.Stat(s.Socket); err == nil {
			return s.Socket
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("no socket")
	return ""
}

// connection is a client of a socket.
type connection struct {
	net.Conn
	in *bufio.Reader
}

func dial(t testing.TB, path string) *connection {
	t.Helper()
	conn, err := net.Dial("unix", path)
	for range 500 { // the file is there a moment before somebody listens
		if !errors.Is(err, syscall.ECONNREFUSED) {
			break
		}
		time.Sleep(10 * time.Millisecond)
		conn, err = net.Dial("unix", path)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &connection{conn, bufio.NewReader(conn)}
}

func (c *connection) send(t testing.TB, line string) {
	t.Helper()
	if _, err := io.WriteString(c, line+"\n"); err != nil {
		t.Fatal(err)
	}
}

func (c *connection) answer(t testing.TB) reply {
	t.Helper()
	c.SetReadDeadline(time.Now().Add(20 * time.Second))
	line, err := c.in.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return readReply(t, line)
}

// command is the line of a shell's use, with further members.
func command(id, text, more string) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf(`{"v":1,"id":%q,"event":"before_tool_use","session":"s","cwd":"/p","tool":"shell","input":{"command":%s}%s}`, id, quoted, more)
}

const begin = `{"v":1,"id":"start","event":"session_start","session":"s","cwd":"/p","source":"startup"}`

// TestDecisions: each kind of event, and what it comes to.
func TestDecisions(t *testing.T) {
	s := Server{Process: process(t)}
	ask(t, &s, begin)
	for _, row := range []struct{ line, decision, reason string }{
		{`{"v":1,"id":"1","event":"hello"}`, "none", ""},
		{command("1", "ls", ``), "allow", "allowed by the rules"},
		{command("1", "", ``), "allow", "allowed by the rules"},
		{command("1", "git push", `,"attended":true`), "ask", "Sends commits"},
		{command("1", "git push", ``), "block", "nobody can be asked"},
		{command("1", "git push", `,"attended":false`), "block", "nobody can be asked"},
		{command("1", "rm -rf /", `,"attended":true`), "block", "whole directory"},
		{command("1", "ls", `,"mode":"odd","attended":true`), "ask", "mode"},
		{command("1", "git push", `,"mode":"bypassPermissions","attended":true`), "none", ""},
		{`{"v":1,"id":"1","event":"before_tool_use","session":"s","cwd":"/p","tool":"Read","input":{"file_path":"/p/.env"},"attended":true}`, "ask", ".env"},
		{`{"v":1,"id":"1","event":"before_tool_use","session":"s","cwd":"/p","tool":"Read","input":{"file_path":"/p/a.go"},"attended":true}`, "none", ""},
		{`{"v":1,"id":"1","event":"before_tool_use","session":"s","cwd":"/p","tool":"mcp__x__run","input":{"command":"rm -rf /"},"attended":true}`, "block", "whole directory"},
		{`{"v":1,"id":"1","event":"after_tool_use","session":"s","cwd":"/p","tool":"shell","input":{"command":"ls"},"failed":true}`, "none", ""},
		{`{"v":1,"id":"1","event":"prompt_submit","session":"s","cwd":"/p","prompt":"look at @.env"}`, "none", ""},
		{`{"v":1,"id":"1","event":"session_end","session":"s","cwd":"/p"}`, "none", ""},
	} {
		r := ask(t, &s, row.line)["1"]
		if r.Error != nil || r.Decision != row.decision || !strings.Contains(r.Reason, row.reason) || row.reason == "" && r.Reason != "" {
			t.Errorf("%s\n%+v", row.line, r)
		}
	}
}

// TestHello: the hash of the rules changes with the user's files, and by nothing else.
func TestHello(t *testing.T) {
	s := Server{Process: process(t)}
	hello := func() reply { return ask(t, &s, `{"v":1,"id":"1","event":"hello"}`)["1"] }
	first := hello()
	if first.Version == "" || len(first.Rules) != 32 || first.Rules != hello().Rules {
		t.Errorf("%+v", first)
	}
	file := filepath.Join(s.Process.Getenv("HOME"), ".config/bashgate/rules/a.toml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("# a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	second := hello()
	if err := os.WriteFile(file, []byte("# b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if third := hello(); second.Rules == first.Rules || third.Rules == second.Rules {
		t.Errorf("%s, %s, %s", first.Rules, second.Rules, third.Rules)
	}
}

// TestRemembered: what one event has shown counts for the next.
func TestRemembered(t *testing.T) {
	s := Server{Process: process(t)}
	fetch := command("1", "curl -s https://a.example/", `,"attended":true,"use":"u1"`)
	if r := ask(t, &s, begin)["start"]; r.Decision != "none" || r.Error != nil {
		t.Fatalf("%+v", r)
	}
	before := ask(t, &s, fetch)["1"]
	if after := ask(t, &s, command("1", "curl -s https://b.example/", `,"attended":true`))["1"]; before.Decision != "allow" || after.Decision != "ask" || !strings.Contains(after.Reason, "curl a.example") {
		t.Errorf("before %+v, after %+v", before, after)
	}
	// Of a session that nobody has begun nothing is known.
	if r := ask(t, &s, strings.Replace(fetch, `"s"`, `"other"`, 1))["1"]; r.Decision != "ask" {
		t.Errorf("%+v", r)
	}
}

// TestEnvironment: the server's own variables are none of the client's.
func TestEnvironment(t *testing.T) {
	s := Server{Process: process(t)}
	ask(t, &s, begin)
	for _, row := range []struct{ env, home, docker string }{
		{``, "", "unset"},
		{`,"env":{}`, "", "(not known)"},
		{`,"env":{"HOME":"/h"}`, "/h", "(not known)"},
		{`,"env":{"HOME":"h","DOCKER_HOST":null}`, "", ""},
		{`,"env":{"*":null}`, "", ""},
		{`,"env":{"DOCKER_HOST":"x","*":null}`, "", "x"},
	} {
		q, bad := parse([]byte(command("1", "ls", row.env)))
		if bad != nil {
			t.Fatal(bad)
		}
		r := &q.event.Request
		docker := "unset"
		if r.Getenv != nil {
			docker = r.Getenv("DOCKER_HOST")
		}
		if r.Home != row.home || docker != row.docker {
			t.Errorf("%s: home %q, DOCKER_HOST %q", row.env, r.Home, docker)
		}
		if q.event.Request.Shell != "" {
			t.Errorf("the shell is %q", q.event.Request.Shell)
		}
	}
}

// TestEnvironmentIsBound: what a person is asked about runs with the client's variables;
// with others it is another question.
func TestEnvironmentIsBound(t *testing.T) {
	s := Server{Process: process(t)}
	ask(t, &s, begin)
	code := func(env string) string {
		r := ask(t, &s, command("1", "git push", env))["1"]
		if r.Code == "" {
			t.Fatalf("%+v", r)
		}
		return r.Code
	}
	const this, other = `,"env":{"HOME":"/h","GIT_SSH_COMMAND":"a"}`, `,"env":{"HOME":"/h","GIT_SSH_COMMAND":"b"}`
	if first := code(this); code(this) != first || code(other) == first {
		t.Error("an answer is not bound to GIT_SSH_COMMAND")
	}
}

// TestFaults: whatever is not understood is an error, and the connection goes on.
func TestFaults(t *testing.T) {
	s := Server{Process: process(t)}
	ls := command("1", "ls", "")
	for _, row := range []struct{ line, code, id string }{
		{``, faultJSON, ""},
		{`x`, faultJSON, ""},
		{`[]`, faultJSON, ""},
		{ls[:len(ls)-1], faultJSON, ""},
		{ls + ls, faultJSON, ""},
		{command("1", "ls", `,"cwd":"/q"`), faultJSON, ""},
		{command("1", "ls", `,"CWD":"/q"`), faultJSON, ""},
		{strings.Replace(ls, `"ls"`, `"l`+"\xff"+`s"`, 1), faultJSON, ""},
		{strings.Replace(ls, `"id":"1"`, `"id":1`, 1), faultID, ""},
		{strings.Replace(ls, `"id":"1",`, ``, 1), faultID, ""},
		{strings.Replace(ls, `"id":"1"`, `"id":""`, 1), faultID, ""},
		{strings.Replace(ls, `"id":"1"`, `"id":"`+strings.Repeat("x", 201)+`"`, 1), faultID, ""},
		{strings.Replace(ls, `"v":1`, `"v":2`, 1), faultVersion, "1"},
		{strings.Replace(ls, `"v":1`, `"v":"1"`, 1), faultVersion, "1"},
		{strings.Replace(ls, `"v":1`, `"v":1.0`, 1), faultVersion, "1"},
		{strings.Replace(ls, `"v":1,`, ``, 1), faultVersion, "1"},
		{strings.Replace(ls, `before_tool_use`, `PreToolUse`, 1), faultEvent, "1"},
		{strings.Replace(ls, `"event":"before_tool_use",`, ``, 1), faultEvent, "1"},
		{command("1", "ls", `,"extra":1`), faultField, "1"},
		{command("1", "ls", `,"failed":true`), faultField, "1"},
		{command("1", "ls", `,"source":"startup"`), faultField, "1"},
		{command("1", "ls", `,"attended":"yes"`), faultField, "1"},
		{command("1", "ls", `,"attended":null`), faultField, "1"},
		{command("1", "ls", `,"wait_ms":-1`), faultField, "1"},
		{command("1", "ls", `,"wait_ms":1.5`), faultField, "1"},
		{command("1", "ls", `,"wait_ms":86400001`), faultField, "1"},
		{command("1", "ls", `,"shell":"powershell"`), faultField, "1"},
		{command("1", "ls", `,"env":{"A":1}`), faultField, "1"},
		{command("1", "ls", `,"env":{"A":"1","A":"2"}`), faultField, "1"},
		{command("1", "ls", `,"env":{"*":"x"}`), faultField, "1"},
		{command("1", "ls", `,"env":{"A=B":"x"}`), faultField, "1"},
		{command("1", "ls", `,"workspace":"p"`), faultField, "1"},
		{strings.Replace(ls, `"/p"`, `"p"`, 1), faultField, "1"},
		{strings.Replace(ls, `"cwd":"/p",`, ``, 1), faultField, "1"},
		{strings.Replace(ls, `"tool":"shell"`, `"tool":""`, 1), faultField, "1"},
		{strings.Replace(ls, `"tool":"shell",`, ``, 1), faultField, "1"},
		{strings.Replace(ls, `{"command":"ls"}`, `{}`, 1), faultField, "1"},
		{strings.Replace(ls, `{"command":"ls"}`, `"ls"`, 1), faultField, "1"},
		{strings.Replace(ls, `{"command":"ls"}`, `{"command":["ls"]}`, 1), faultField, "1"},
		{strings.Replace(ls, `{"command":"ls"}`, `{"command":"ls","cwd":"/q"}`, 1), faultField, "1"},
		{strings.Replace(ls, `{"command":"ls"}`, `{"command":"ls","background":1}`, 1), faultField, "1"},
		{strings.Replace(ls, `{"command":"ls"}`, `{"command":"ls","Command":"id"}`, 1), faultField, "1"},
		{`{"v":1,"id":"1","event":"session_start","cwd":"/p","session":"s"}`, faultField, "1"},
		{`{"v":1,"id":"1","event":"session_start","cwd":"/p","session":"s","source":"fork"}`, faultField, "1"},
		{`{"v":1,"id":"1","event":"hello","cwd":"/p"}`, faultField, "1"},
	} {
		replies := ask(t, &s, row.line, command("2", "ls", ""))
		r := replies[row.id]
		if r.Error == nil || r.Error.Code != row.code || r.Error.Text == "" || r.Decision != "block" {
			t.Errorf("%s\n%+v", row.line, r)
		}
		if next := replies["2"]; next.Error != nil {
			t.Errorf("the next line, after %s\n%+v", row.line, next)
		}
	}
}

// TestLongLine: a line that is too long ends the connection, and one that may
// just be as long does not.
func TestLongLine(t *testing.T) {
	s := Server{Process: process(t)}
	long := command("1", "echo "+strings.Repeat("x", maxLine), "")
	if replies := ask(t, &s, long, command("2", "ls", "")); len(replies) != 1 || replies[""].Error.Code != faultLarge || replies[""].Decision != "block" {
		t.Errorf("%d replies: %+v", len(replies), replies[""])
	}
	short := command("1", "", "")
	whole := command("1", strings.Repeat("x", maxLine-len(short)), "")
	replies := ask(t, &s, whole, command("2", "ls", ""))
	if r := replies["1"]; len(whole) != maxLine || r.Error != nil || r.Decision == "allow" || len(replies) != 2 {
		t.Errorf("%d bytes: %d replies, %+v", len(whole), len(replies), r)
	}
}

// TestPanic: a mistake in one decision ends neither the server nor the connection,
// and allows nothing.
func TestPanic(t *testing.T) {
	s := Server{Process: process(t)}
	s.deciding = func(_ <-chan struct{}, q *host.Question, _ time.Duration) cli.Reply {
		if q.Request.Command == "boom" {
			panic("boom")
		}
		return cli.Reply{Decision: policy.Allow}
	}
	replies := ask(t, &s, command("1", "boom", ""), command("2", "ls", ""))
	if r := replies["1"]; r.Error == nil || r.Error.Code != faultInternal || r.Decision != "block" {
		t.Errorf("%+v", r)
	}
	if r := replies["2"]; r.Decision != "allow" {
		t.Errorf("%+v", r)
	}
}

// TestLate: without a decision in time it is a block, and what comes later is
// heard by nobody.
func TestLate(t *testing.T) {
	p := process(t)
	p.Patience = 50 * time.Millisecond
	s := Server{Process: p}
	s.deciding = func(_ <-chan struct{}, q *host.Question, _ time.Duration) cli.Reply {
		time.Sleep(200 * time.Millisecond)
		return cli.Reply{Decision: policy.Allow}
	}
	if r := ask(t, &s, command("1", "ls", ""))["1"]; r.Error == nil || r.Error.Code != faultLate || r.Decision != "block" {
		t.Errorf("%+v", r)
	}
}

// TestUnwritten: what could not be remembered is an error.
func TestUnwritten(t *testing.T) {
	s := Server{Process: process(t)}
	s.deciding = func(<-chan struct{}, *host.Question, time.Duration) cli.Reply { return cli.Reply{Failed: true} }
	if r := ask(t, &s, begin)["start"]; r.Error == nil || r.Error.Code != faultUnwritten || r.Decision != "block" {
		t.Errorf("%+v", r)
	}
}

// TestAskUnattended: a question for nobody is a block, whoever says it.
func TestAskUnattended(t *testing.T) {
	s := Server{Process: process(t)}
	s.deciding = func(<-chan struct{}, *host.Question, time.Duration) cli.Reply {
		return cli.Reply{Decision: policy.Ask, Reason: "why", Code: "KXRT"}
	}
	replies := ask(t, &s, command("1", "x", ""), command("2", "x", `,"attended":true`))
	if replies["1"].Decision != "block" || replies["2"].Decision != "ask" || replies["1"].Code != "KXRT" {
		t.Errorf("%+v", replies)
	}
}

// gatekeeper decides once its command is let through.
type gatekeeper struct {
	lock    sync.Mutex
	through map[string]chan struct{}
	most    int // at a time
	now     int
}

func (g *gatekeeper) gate(command string) chan struct{} {
	g.lock.Lock()
	defer g.lock.Unlock()
	if g.through[command] == nil {
		if g.through == nil {
			g.through = map[string]chan struct{}{}
		}
		g.through[command] = make(chan struct{})
	}
	return g.through[command]
}

func (g *gatekeeper) decide(gone <-chan struct{}, q *host.Question, _ time.Duration) cli.Reply {
	g.count(1)
	defer g.count(-1)
	select {
	case <-g.gate(q.Request.Command):
		return cli.Reply{Decision: policy.Allow, Reason: q.Request.Command}
	case <-gone:
		return cli.Reply{Decision: policy.Block}
	}
}

func (g *gatekeeper) count(n int) {
	g.lock.Lock()
	defer g.lock.Unlock()
	g.now += n
	g.most = max(g.most, g.now)
}

func (g *gatekeeper) at() int {
	g.lock.Lock()
	defer g.lock.Unlock()
	return g.now
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 2000 {
		if ok() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("never: ", what)
}

// TestOrder: answers come as they are ready, no more than some are worked on at a
// time, and the id says whose they are.
func TestOrder(t *testing.T) {
	var g gatekeeper
	s := Server{Process: process(t), deciding: g.decide}
	c := dial(t, served(t, &s))
	const lines = 100
	for i := range lines {
		c.send(t, command(fmt.Sprint(i), fmt.Sprint(i), ""))
	}
	until(t, "64 at work", func() bool { return g.at() == atWork })
	left := map[string]bool{}
	for i := range lines {
		left[fmt.Sprint(i)] = true
	}
	for i := lines - 1; i >= 0; i-- {
		close(g.gate(fmt.Sprint(i)))
	}
	for range lines {
		r := c.answer(t)
		if !left[r.ID] || r.Reason != r.ID || r.Decision != "allow" {
			t.Fatalf("%+v", r)
		}
		delete(left, r.ID)
	}
	if g.most != atWork {
		t.Errorf("%d were worked on at a time", g.most)
	}
}

// TestSameID: two lines with one id end the connection, before either is allowed.
func TestSameID(t *testing.T) {
	var g gatekeeper
	s := Server{Process: process(t), deciding: g.decide}
	c := dial(t, served(t, &s))
	c.send(t, command("1", "a", ""))
	c.send(t, command("1", "b", ""))
	if r := c.answer(t); r.Error == nil || r.Error.Code != faultID || r.Decision != "block" {
		t.Errorf("%+v", r)
	}
	c.SetReadDeadline(time.Now().Add(10 * time.Second))
	if rest, err := io.ReadAll(c.in); err != nil || len(rest) > 0 {
		t.Errorf("%q, %v", rest, err)
	}
}

// TestSameIDStdio: where there is no connection to end, nothing is said any more.
func TestSameIDStdio(t *testing.T) {
	s := Server{Process: process(t)}
	s.deciding = func(<-chan struct{}, *host.Question, time.Duration) cli.Reply {
		time.Sleep(50 * time.Millisecond)
		return cli.Reply{Decision: policy.Allow}
	}
	if replies := ask(t, &s, command("1", "a", ""), command("2", "b", ""), command("1", "c", ""), command("3", "d", "")); len(replies) != 1 || replies["1"].Decision != "block" {
		t.Errorf("%+v", replies)
	}
}

// TestGone: whoever goes away while something waits is not waited for.
func TestGone(t *testing.T) {
	var g gatekeeper
	s := Server{Process: process(t), deciding: g.decide}
	path := served(t, &s)
	c := dial(t, path)
	for i := range 2 * atWork {
		c.send(t, command(fmt.Sprint(i), "never", `,"wait_ms":60000`))
	}
	until(t, "at work", func() bool { return g.at() == atWork })
	c.Close()
	until(t, "nothing at work", func() bool { return g.at() == 0 })
}

// TestManyClients: 200 connections at a time, and some that never finish a line.
func TestManyClients(t *testing.T) {
	s := Server{Process: process(t)}
	path := served(t, &s)
	slow := dial(t, path)
	if _, err := io.WriteString(slow, `{"v":1,"id":"slow"`); err != nil {
		t.Fatal(err)
	}
	dial(t, path).send(t, begin)
	var clients sync.WaitGroup
	list := make([]*connection, 200)
	for i := range list {
		list[i] = dial(t, path)
	}
	for i, c := range list {
		clients.Go(func() {
			for n := range 5 {
				id := fmt.Sprint(i, "-", n)
				text, want := "ls", "allow"
				if n%2 == 1 {
					text, want = "rm -rf /", "block"
				}
				fmt.Fprintln(c, command(id, text, ""))
				c.SetReadDeadline(time.Now().Add(60 * time.Second))
				line, err := c.in.ReadString('\n')
				var r reply
				if err == nil {
					err = json.Unmarshal([]byte(line), &r)
				}
				if err != nil || r.ID != id || r.Decision != want {
					t.Errorf("%s: %v", line, err)
				}
			}
		})
	}
	clients.Wait()
}

// TestSlowLine: a line that does not end in time ends the connection.
func TestSlowLine(t *testing.T) {
	here, there := net.Pipe()
	s := Server{Process: process(t)}
	c := client{server: &s, in: here, out: here, limits: hasty{here}}
	done := make(chan struct{})
	go func() {
		c.serve(t.Context())
		here.Close()
		close(done)
	}()
	go io.WriteString(there, `{"v":1,"id":"1","event":"hello"}`+"\n"+`{"v":1,"id":"2"`)
	in := bufio.NewReader(there)
	line, err := in.ReadString('\n')
	if err != nil || readReply(t, line).ID != "1" {
		t.Fatalf("%q, %v", line, err)
	}
	line, err = in.ReadString('\n')
	if err != nil || readReply(t, line).Error == nil {
		t.Fatalf("%q, %v", line, err)
	}
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Error("the connection stays")
	}
}

// hasty has less patience.
type hasty struct{ net.Conn }

func (h hasty) SetReadDeadline(at time.Time) error {
	if !at.IsZero() {
		at = time.Now().Add(time.Until(at) / 300)
	}
	return h.Conn.SetReadDeadline(at)
}

// TestStops: what is decided when the server ends is answered, what can't be is a
// block, and the socket is gone.
func TestStops(t *testing.T) {
	var g gatekeeper
	s := Server{Process: process(t), deciding: g.decide}
	dir := t.TempDir()
	s.Socket = filepath.Join(dir, "s")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	until(t, "a socket", func() bool { _, err := os.Stat(s.Socket); return err == nil })
	c := dial(t, s.Socket)
	c.send(t, command("1", "soon", ""))
	c.send(t, command("2", "never", ""))
	until(t, "two at work", func() bool { return g.at() == 2 })
	cancel()
	close(g.gate("soon"))
	if r := c.answer(t); r.ID != "1" || r.Decision != "allow" {
		t.Errorf("%+v", r)
	}
	if r := c.answer(t); r.ID != "2" || r.Error == nil || r.Error.Code != faultStopping || r.Decision != "block" {
		t.Errorf("%+v", r)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(s.Socket); !os.IsNotExist(err) {
		t.Errorf("the socket is there: %v", err)
	}
}

// TestTwoServers: the second one says who is the first, and a socket that was left
// behind is replaced.
func TestTwoServers(t *testing.T) {
	s := Server{Process: process(t)}
	path := served(t, &s)
	second := Server{Process: process(t), Socket: path}
	if err := second.Serve(t.Context()); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("process %d serves it already", os.Getpid())) {
		t.Errorf("%v", err)
	}
	if r := func() reply { c := dial(t, path); c.send(t, `{"v":1,"id":"1","event":"hello"}`); return c.answer(t) }(); r.Decision != "none" {
		t.Errorf("the first one: %+v", r)
	}
	dir := t.TempDir()
	left := filepath.Join(dir, "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: left, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := listen(left); err == nil || !strings.Contains(err.Error(), "another process serves it") {
		t.Errorf("a socket of others: %v", err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	own, err := listen(left)
	if err != nil {
		t.Fatalf("a socket that was left behind: %v", err)
	}
	info, err := os.Stat(left)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	own.remove()
}

// TestListen: a place where others could put a socket is none, and files stay.
func TestListen(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(dir, "open")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ path, want string }{
		{file, "is no socket"},
		{filepath.Join(open, "s"), "others may write to it (mode 0777)"},
		{filepath.Join(dir, strings.Repeat("x", 200)), "at most 103 bytes"},
		{filepath.Join(file, "s"), "not a directory"},
	} {
		if l, err := listen(row.path); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v", row.path, err)
			if l != nil {
				l.remove()
			}
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "x" {
		t.Errorf("%q, %v", text, err)
	}
	made := filepath.Join(dir, "a", "s")
	l, err := listen(made)
	if err != nil {
		t.Fatal(err)
	}
	defer l.remove()
	if info, err := os.Stat(filepath.Dir(made)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
}

// TestIdle: without a client the server ends, and with one it does not.
func TestIdle(t *testing.T) {
	s := Server{Process: process(t), Socket: filepath.Join(t.TempDir(), "s"), Idle: 200 * time.Millisecond}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(t.Context()) }()
	until(t, "a socket", func() bool { _, err := os.Stat(s.Socket); return err == nil })
	c := dial(t, s.Socket)
	c.send(t, `{"v":1,"id":"1","event":"hello"}`)
	c.answer(t)
	select {
	case err := <-ended:
		t.Fatal("it has ended with a client", err)
	case <-time.After(600 * time.Millisecond):
	}
	c.Close()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it goes on")
	}
}

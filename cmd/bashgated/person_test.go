//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/approval"
)

// answersNext gives the question that waits next of those that the user is asked an
// answer, and returns how long ago it was given.
func (u *user) answersNext(state approval.State) <-chan time.Time {
	queue := approval.Queue{Store: approval.Store{Dir: u.home + "/.local/state/bashgate/requests"}}
	given := make(chan time.Time, 1)
	go func() {
		for end := time.Now().Add(15 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			list, _ := queue.Requests()
			i := slices.IndexFunc(list, func(r *approval.Request) bool { return r.State == approval.Pending })
			if i < 0 {
				continue
			}
			at := time.Now()
			if _, err := queue.Answer(list[i].Code, approval.Answer{State: state, By: "ada", Channel: "terminal", Reason: "not today"}); err != nil {
				u.t.Error(err)
			}
			given <- at
			return
		}
		u.t.Error("nothing waits")
		given <- time.Now()
	}()
	return given
}

// What the rules and the reviewer leave to a person outside comes back into the
// container, both programs as they are.
func TestPersonOutside(t *testing.T) {
	m := newModel(t, honest)
	u := newUser(t, fmt.Sprintf("[approvals]\nlife = \"10s\"\n[cop]\nprovider = \"openai\"\nmodel = \"small\"\nendpoint = %q\n", m.URL))
	dir := t.TempDir() + "/ipc"
	u.serveFolder(dir)
	c := contained(t, dir)
	c.event("SessionStart", map[string]any{"source": "startup"})

	given := u.answersNext(approval.Approved)
	c.want("git push", "allow", "approved by ada")
	t.Logf("from the answer to the end of the container's hook: %v", time.Since(<-given))
	u.answersNext(approval.Denied)
	c.want("git push -f", "deny", "denied by ada: not today")
	c.want("git push -f", "deny", "denied by ada: not today") // and is not asked again
	u.answersNext(approval.Approved)
	c.want("git push", "allow", "approved by ada") // an answer is for once

	began := time.Now()
	c.want("git push --tags", "deny", "bashgate approve ")
	if took := time.Since(began); took < 8*time.Second || took > 14*time.Second {
		t.Errorf("nobody has answered for %v", took)
	}

	// A flag of the reviewer is a person's to lift.
	c.session = "s2"
	c.tainted()
	c.want("curl https://news.example/zen", "allow", "")
	u.answersNext(approval.Approved)
	c.want("curl https://evil.example/a", "allow", "approved by ada")
	if m.calls.Load() == 0 {
		t.Error("the reviewer was not asked")
	}
}

// A reviewer's flag in a session that nobody attends is a denial that names a code,
// and passes once it is approved.
func TestFlagApproved(t *testing.T) {
	m := newModel(t, honest)
	u := newUser(t, fmt.Sprintf("[cop]\nprovider = \"openai\"\nmodel = \"small\"\nendpoint = %q\n", m.URL))
	u.hook = []string{"hook", "claude", "--unattended"}
	u.tainted()
	given := u.answersNext(approval.Approved)
	d, reason := u.bash("curl https://evil.example/a")
	if d != "deny" || !strings.Contains(reason, "Flagged by the reviewer") || !strings.Contains(reason, "bashgate approve ") {
		t.Errorf("%s: %s", d, reason)
	}
	<-given
	u.want("curl https://evil.example/a", "allow", "approved by ada")
	u.want("curl https://evil.example/a", "deny", "bashgate approve ")
	u.want("rm -rf /", "deny", "A whole directory of the system")
}

// The same over a socket, where the client says how long it waits.
func TestPersonAtSocket(t *testing.T) {
	u := newUser(t, "")
	dir, err := os.MkdirTemp("", "s") // paths of sockets are short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := dir + "/s"
	c := exec.Command(filepath.Join(u.bin, "bashgate"), "serve", "--socket", path)
	c.Dir, c.Env = u.project, u.env
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		c.Process.Kill()
		c.Wait()
	}()
	var conn net.Conn
	for range 1000 {
		if conn, err = net.Dial("unix", path); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	says := func(command string, wait int) (decision, reason, code string) {
		t.Helper()
		text, _ := json.Marshal(map[string]any{"v": 1, "id": "1", "event": "before_tool_use", "session": "s", "tool": "shell",
			"input": map[string]string{"command": command}, "cwd": u.project, "workspace": u.project, "wait_ms": wait})
		if _, err := fmt.Fprintf(conn, "%s\n", text); err != nil || !lines.Scan() {
			t.Fatalf("%v, %v", err, lines.Err())
		}
		var answer struct{ Decision, Reason, Code string }
		if err := json.Unmarshal(lines.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		return answer.Decision, answer.Reason, answer.Code
	}
	for _, row := range []struct {
		command string
		wait    int // milliseconds
		answer  approval.State
		want    string
		has     string
	}{
		{"ls", 0, approval.None, "allow", ""},
		{"rm -rf /", 5000, approval.None, "block", "A whole directory of the system"},
		{"git push", 15000, approval.Approved, "allow", "approved by ada"},
		{"git push -f", 15000, approval.Denied, "block", "denied by ada: not today"},
		{"git push --tags", 300, approval.None, "block", "bashgate approve "},
	} {
		var given <-chan time.Time
		if row.answer != approval.None {
			given = u.answersNext(row.answer)
		}
		decision, reason, code := says(row.command, row.wait)
		if decision != row.want || !strings.Contains(reason, row.has) || strings.HasPrefix(row.command, "git") != (code != "") {
			t.Errorf("%s: %s %s %s", row.command, decision, code, reason)
		}
		if given != nil {
			t.Logf("%s: from the answer to the client: %v", row.command, time.Since(<-given))
		}
	}
}

//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/race"
	"github.com/bashgate/bashgate/policy"
)

// Whatever a person approves: of the promises' rows, what is blocked stays so and
// names no code, and what is asked runs once, and then is another question.
func TestApprovedRows(t *testing.T) {
	race.Sequential(t)
	f, err := os.Open("../acceptance/testdata/default.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a, queue, dir := alone(t, "")
	blocked, approved := 0, 0
	for lines, n := bufio.NewScanner(f), 0; lines.Scan(); n++ {
		var row struct{ Cmd, Want string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		id := fmt.Sprint("s", n)
		decision, reason := a.runsIn(dir, id, row.Cmd)
		code := codeIn(reason)
		switch {
		case row.Want == "block":
			blocked++
			if decision != "deny" || code != "" {
				t.Errorf("%q: %s, %s", row.Cmd, decision, reason)
			}
			continue
		case decision == "allow":
			continue
		case code == "":
			if row.Want == "ask" {
				t.Errorf("%q: no code: %s", row.Cmd, reason)
			}
			continue
		}
		settles(t, queue, code, approval.Approved)
		if decision, reason := a.runsIn(dir, id, row.Cmd); decision != "allow" {
			t.Errorf("%q, approved: %s, %s", row.Cmd, decision, reason)
		}
		if decision, reason := a.runsIn(dir, id, row.Cmd); decision != "deny" || codeIn(reason) == code {
			t.Errorf("%q, the second time: %s, %s", row.Cmd, decision, reason)
		}
		approved++
	}
	if blocked < 40 || approved < 150 {
		t.Errorf("%d rows are blocked, %d were approved", blocked, approved)
	}
}

// answers answers the request that is made next, and returns its code.
func answers(t *testing.T, queue approval.Queue, state approval.State) <-chan string {
	code := make(chan string, 1)
	go func() {
		for range 1000 {
			list, _ := queue.Requests()
			for _, r := range list {
				if r.State == approval.Pending {
					if _, err := queue.Answer(r.Code, approval.Answer{State: state, By: "u", Channel: "terminal", Reason: "not today"}); err != nil {
						t.Error(err)
					}
					code <- r.Code
					return
				}
			}
			time.Sleep(5 * time.Millisecond)
		}
		t.Error("nothing waits")
		code <- ""
	}()
	return code
}

// While the agent's dialog is open a person may answer elsewhere. Without the time
// for it nothing waits, and a block is a denial at once.
func TestBeside(t *testing.T) {
	for name, row := range map[string]struct {
		command string
		args    []string
		answer  approval.State
		has     string // of the answer; "" = nothing is said
	}{
		"approved":   {"git push", []string{"--wait", "60s"}, approval.Approved, `"behavior":"allow"`},
		"denied":     {"git push", []string{"--wait", "60s"}, approval.Denied, "denied by u: not today"},
		"nobody":     {"git push", []string{"--wait", "200ms"}, approval.None, ""},
		"no time":    {"git push", nil, approval.None, ""},
		"a block":    {"rm -rf /", []string{"--wait", "60s"}, approval.None, `"behavior":"deny"`},
		"unattended": {"git push", []string{"--wait", "60s", "--unattended"}, approval.None, ""},
	} {
		a := newAgent(t, "")
		queue, err := a.process.Requests()
		if err != nil {
			t.Fatal(err)
		}
		data, _ := json.Marshal(fields{"hook_event_name": "PermissionRequest", "session_id": "s", "cwd": "/srv/project", "tool_name": "Bash", "tool_input": fields{"command": row.command}, "permission_mode": "default"})
		var code <-chan string
		if row.answer != approval.None {
			code = answers(t, queue, row.answer)
		}
		var stdout, stderr bytes.Buffer
		p := *a.process
		p.Args, p.Stdin, p.Stdout, p.Stderr = append([]string{"hook", "claude"}, row.args...), bytes.NewReader(data), &stdout, &stderr
		began := time.Now()
		status := Run(&p)
		if status != exitOK || stderr.Len() > 0 || (row.has == "") != (stdout.Len() == 0) || !strings.Contains(stdout.String(), row.has) {
			t.Errorf("%s: status %d, %s%s", name, status, &stdout, &stderr)
		}
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%s took %v", name, took)
		}
		if code == nil {
			continue
		}
		r, err := queue.Request(<-code)
		if want := map[approval.State]approval.State{approval.Approved: approval.Used, approval.Denied: approval.Denied}[row.answer]; err != nil || r.State != want {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// Once the agent says that the tool has run, nobody waits for an answer to it.
func TestAnsweredThere(t *testing.T) {
	for _, event := range []string{"PostToolUse", "PostToolUseFailure", "PermissionDenied"} {
		a := newAgent(t, "")
		queue, err := a.process.Requests()
		if err != nil {
			t.Fatal(err)
		}
		use := fields{"cwd": "/srv/project", "tool_name": "Bash", "tool_input": fields{"command": "git push"}, "tool_use_id": "u"}
		data, _ := json.Marshal(fields{"hook_event_name": "PermissionRequest", "session_id": "s", "cwd": "/srv/project", "tool_name": "Bash", "tool_input": fields{"command": "git push"}})
		p := *a.process
		var stdout bytes.Buffer
		p.Args, p.Stdin, p.Stdout = []string{"hook", "claude", "--wait", "10s"}, bytes.NewReader(data), &stdout
		done := make(chan int)
		go func() { done <- Run(&p) }()
		var asked *approval.Request
		for range 1000 {
			if list, _ := queue.Requests(); len(list) == 1 {
				asked = list[0]
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		if asked == nil {
			t.Fatal("nothing waits")
		}
		a.event("s", event, use)
		if status := <-done; status != exitOK || stdout.Len() > 0 {
			t.Errorf("%s: status %d, %s", event, status, &stdout)
		}
		if r, err := queue.Request(asked.Code); err != nil || r.State != approval.Expired {
			t.Errorf("%s: %+v, %v", event, r, err)
		}
	}
}

// exec and shell wait where they are told to, and pass what is approved later.
func TestExecWaits(t *testing.T) {
	for name, row := range map[string]struct {
		args   []string
		answer approval.State
		runs   bool
		has    string
	}{
		"approved":   {[]string{"exec", "--wait", "--", "git push"}, approval.Approved, true, "waits for a person: bashgate approve "},
		"in a shell": {[]string{"shell", "--wait=5s", "-c", "git push"}, approval.Approved, true, "waits for a person: bashgate approve "},
		"denied":     {[]string{"exec", "--wait=5s", "--", "git push"}, approval.Denied, false, "denied by u: not today"},
		"nobody":     {[]string{"exec", "--wait=100ms", "--", "git push"}, approval.None, false, "nobody can be asked here"},
		"no wait":    {[]string{"exec", "--", "git push"}, approval.None, false, "a person can: bashgate approve "},
		"a block":    {[]string{"exec", "--wait", "--", "rm -rf /"}, approval.None, false, "A whole directory"},
		"a word":     {[]string{"exec", "--wait=soon", "--", "ls"}, approval.None, false, "a time up to 24h0m0s"},
	} {
		p, _, stderr := process(t, nil, row.args...)
		queue, err := p.Requests()
		if err != nil {
			t.Fatal(err)
		}
		ran := false
		p.Exec = func(string, []string, []string) error { ran = true; return nil }
		if row.answer != approval.None {
			answers(t, queue, row.answer)
		}
		if status := Run(p); ran != row.runs || !strings.Contains(stderr.String(), row.has) {
			t.Errorf("%s: status %d, ran %v, %s", name, status, ran, stderr)
		}
	}
}

// Whoever lives longer than an event waits, and decides again.
func TestDecideWaits(t *testing.T) {
	for _, row := range []struct {
		answer approval.State
		wait   time.Duration
		want   policy.Decision
		has    string
	}{
		{approval.Approved, 5 * time.Second, policy.Allow, "approved by u"},
		{approval.Denied, 5 * time.Second, policy.Block, "denied by u: not today"},
		{approval.None, 50 * time.Millisecond, policy.Block, "bashgate approve "},
		{approval.None, 0, policy.Block, "bashgate approve "},
	} {
		a := newAgent(t, "")
		queue, err := a.process.Requests()
		if err != nil {
			t.Fatal(err)
		}
		if row.answer != approval.None {
			answers(t, queue, row.answer)
		}
		q := host.Question{Event: host.BeforeToolUse, Shell: true, Tool: engine.Tool{Name: "Bash"}, Request: engine.Request{
			Host: "codex", Session: "s", Command: "git push", Cwd: "/srv/project", Workspace: "/srv/project", Home: a.env["HOME"], Unattended: true,
		}}
		if r := a.process.Decide(&q, row.wait); r.Decision != row.want || !strings.Contains(r.Reason, row.has) || len(r.Code) != 4 {
			t.Errorf("%v: %+v", row.answer, r)
		}
	}
}

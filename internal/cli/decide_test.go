//go:build unix

package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/policy"
)

// The question of somebody who went away expires.
func TestAwaitGone(t *testing.T) {
	queue := approval.Queue{Store: approval.Store{Dir: t.TempDir() + "/requests"}}
	asked, _, err := queue.Ask(approval.Request{Bound: approval.Bound{Host: "runtime", Session: "s", Command: "git push", Cwd: "/p"}})
	if err != nil {
		t.Fatal(err)
	}
	gone := make(chan struct{})
	time.AfterFunc(20*time.Millisecond, func() { close(gone) })
	start := time.Now()
	now, err := await(gone, queue, asked, time.Minute)
	if err != nil || now.State != approval.Expired || time.Since(start) > 30*time.Second {
		t.Errorf("%+v, %v", now, err)
	}
}

// One process decides for many at a time, each in its own place, and what was
// answered is remembered.
func TestDecideAtOnce(t *testing.T) {
	const parallel, each = 50, 8
	home := t.TempDir()
	p := &Process{
		Getenv: func(name string) string { return map[string]string{"HOME": home}[name] },
		Getwd:  func() (string, error) { return home, nil },
		Stderr: io.Discard,
	}
	configured(t, p, "denied_commands = [\"acme\"]\n")
	question := func(n int, command string) *host.Question {
		return &host.Question{Event: host.BeforeToolUse, Shell: true, Tool: engine.Tool{Name: "shell"}, Request: engine.Request{
			Command: command, Cwd: filepath.Join(home, fmt.Sprint(n)), Workspace: filepath.Join(home, fmt.Sprint(n)), Host: host.Protocol, Session: fmt.Sprint("s", n%5),
		}}
	}
	for n := range 5 {
		q := question(n, "")
		q.Event, q.Shell, q.Source = host.SessionStart, false, "startup"
		if r := p.Decide(q, 0); r.Failed {
			t.Fatalf("%+v", r)
		}
	}
	var work sync.WaitGroup
	for n := range parallel {
		work.Go(func() {
			for i := range each {
				for _, row := range []struct {
					command string
					want    policy.Decision
				}{{"ls -la", policy.Allow}, {"rm -rf /", policy.Block}, {"git push", policy.Ask}, {"acme", policy.Block}} {
					if r := p.Decide(question(n, row.command), 0); r.Decision != row.want {
						t.Errorf("%s: %+v", row.command, r)
					}
				}
				p.Decide(question(n, fetches(n*each+i)), 0)
			}
		})
	}
	work.Wait()
	labels := map[int]bool{}
	for n := range 5 {
		s := session.Store{Dir: filepath.Join(home, ".local/state/bashgate")}.Read(fmt.Sprint("runtime-s", n))
		if s.Damage != "" {
			t.Error(s.Damage)
		}
		for k := range kept(s) {
			labels[k] = true
		}
	}
	if len(labels) != parallel*each {
		t.Errorf("%d of %d labels are kept", len(labels), parallel*each)
	}
}

// Of the agent's environment nothing is known but what the question says.
func TestDecideEnvironment(t *testing.T) {
	home := t.TempDir()
	p := &Process{
		Getenv: func(name string) string { return map[string]string{"HOME": home, "DOCKER_HOST": ""}[name] },
		Getwd:  func() (string, error) { return home, nil },
		Stderr: io.Discard,
	}
	ask := func(getenv func(string) string) policy.Decision {
		id := fmt.Sprint("s", getenv != nil && getenv("DOCKER_HOST") == "")
		q := &host.Question{Event: host.SessionStart, Source: "startup", Request: engine.Request{Home: home, Cwd: home, Workspace: home, Host: host.Protocol, Session: id}}
		p.Decide(q, 0)
		fetch := *q
		fetch.Event, fetch.Shell, fetch.Tool = host.BeforeToolUse, true, engine.Tool{Name: "shell"}
		for _, fetch.Request.Command = range []string{"curl -s https://a.example/", "cat .env"} {
			p.Decide(&fetch, 0)
		}
		fetch.Request.Command, fetch.Request.Getenv = "docker ps", getenv
		return p.Decide(&fetch, 0).Decision
	}
	unset := func(string) string { return "" }
	elsewhere := func(string) string { return "tcp://x:1" }
	if known, unknown, other := ask(unset), ask(nil), ask(elsewhere); known != policy.Allow || unknown != policy.Ask || other != policy.Ask {
		t.Errorf("not set: %v, not known: %v, elsewhere: %v", known, unknown, other)
	}
}

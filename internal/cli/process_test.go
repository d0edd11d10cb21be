//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/session"
)

// bashgate is the command that starts bashgate with a home.
func bashgate(home string, args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], append([]string{"play-bashgate"}, args...)...)
	c.Env = []string{"HOME=" + home, "SHELL=/bin/bash", "PATH=" + os.Getenv("PATH")}
	return c
}

// playBashgate is bashgate itself, in a process of its own. A limit on the
// size of files stands for a disk that is full at that byte.
func playBashgate(args []string) int {
	if limit := os.Getenv("FILE_SIZE"); limit != "" {
		bytes, err := strconv.ParseUint(limit, 10, 64)
		if err != nil {
			panic(err)
		}
		signal.Ignore(syscall.SIGXFSZ)
		var limit syscall.Rlimit
		limitTo(&limit.Cur, bytes)
		limitTo(&limit.Max, bytes)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			panic(err)
		}
	}
	patience, _ := time.ParseDuration(os.Getenv("PATIENCE")) // "" = the usual one
	getwd := os.Getwd
	if os.Getenv("PANIC") != "" {
		getwd = func() (string, error) { panic("no directory") }
	}
	return Run(&Process{
		Args: args, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Getwd: getwd, Exit: os.Exit, Patience: patience,
	})
}

func state(home string) session.State {
	return session.Store{Dir: filepath.Join(home, ".local", "state", "bashgate")}.Read("claude-s1")
}

// fetches is a command whose label is its own.
func fetches(n int) string { return fmt.Sprintf("curl -s https://%d.example.org/", n) }

// kept counts the labels of such commands.
func kept(s session.State) map[int]bool {
	found := map[int]bool{}
	for i := range s.Labels {
		var n int
		if _, err := fmt.Sscanf(s.Labels[i].What, "curl %d.example.org", &n); err == nil {
			found[n] = true
		}
	}
	return found
}

// TestParallelHooks starts 200 hooks of one session, 64 at a time: each label
// is kept, and once one is known nothing is allowed any more.
func TestParallelHooks(t *testing.T) {
	const hooks, parallel = 200, 64
	home := t.TempDir()
	var work sync.WaitGroup
	turns := make(chan struct{}, parallel)
	for n := range hooks {
		turns <- struct{}{}
		work.Go(func() {
			defer func() { <-turns }()
			c := bashgate(home)
			c.Stdin = strings.NewReader(payload(fetches(n)))
			out, err := c.CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			if decision, reason := decisionOf(t, out); decision != "allow" && decision != "ask" || strings.Contains(reason, "not known") {
				t.Errorf("%s (%s)", decision, reason)
			}
		})
	}
	work.Wait()
	s := state(home)
	if s.Damage != "" {
		t.Errorf("damage: %s", s.Damage)
	}
	for n := range hooks {
		if !kept(s)[n] {
			t.Errorf("the label of %s is lost", fetches(n))
		}
	}
}

// TestKilledHooks kills hooks at any moment. What one of them has answered is
// remembered, and the others answer on.
func TestKilledHooks(t *testing.T) {
	const hooks = 60
	home := t.TempDir()
	answered, died := 0, 0
	for n := range hooks {
		c := bashgate(home)
		c.Stdin = strings.NewReader(payload(fetches(n)))
		var out bytes.Buffer
		c.Stdout = &out
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		kill := time.AfterFunc(rand.N(30*time.Millisecond), func() { c.Process.Signal(syscall.SIGKILL) })
		err := c.Wait()
		kill.Stop()
		if err != nil {
			died++
		}
		s := state(home)
		if out.Len() > 0 {
			answered++
			if !kept(s)[n] {
				t.Errorf("hook %d answered %s, and its label is not kept (damage %q)", n, &out, s.Damage)
			}
		}
		if answered > 0 && s.Taint(2) == (engine.Taint{}) {
			t.Fatal("the session is clean")
		}
	}
	t.Logf("%d of %d hooks were killed, %d had answered", died, hooks, answered)
	c := bashgate(home)
	c.Stdin = strings.NewReader(payload(fetches(hooks)))
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	if decision, reason := decisionOf(t, out); answered > 0 && decision != "ask" {
		t.Errorf("after all: %s (%s)", decision, reason)
	}
}

// TestFullDiskHooks fills the disk before and within what a hook writes down.
// What can't be remembered does not run.
func TestFullDiskHooks(t *testing.T) {
	for _, room := range []int{0, 1, 50, 150} {
		home := t.TempDir()
		for n, limit := range []string{strconv.Itoa(room), ""} {
			c := bashgate(home)
			c.Stdin = strings.NewReader(payload(fetches(n)))
			if limit != "" {
				c.Env = append(c.Env, "FILE_SIZE="+limit)
			}
			out, err := c.Output()
			if err != nil {
				t.Fatalf("room for %d bytes: %v", room, err)
			}
			// What can't be remembered does not run; later it is not known
			// what that was.
			decision, reason := decisionOf(t, out)
			want, why := "deny", "could not be remembered, so it does not run: write "
			if n > 0 {
				want, why = "ask", "What the session has seen is not known"
			}
			if decision != want || !strings.Contains(reason, why) {
				t.Errorf("room for %d bytes, hook %d: %s (%s)", room, n, decision, reason)
			}
		}
	}
}

// limitTo sets a field of a limit, which has a sign on FreeBSD and none elsewhere.
func limitTo[T int64 | uint64](field *T, n uint64) { *field = T(n) }

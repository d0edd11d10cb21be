//go:build unix

package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/approval"
)

// daemon is bashgated itself, in a process and with a home of its own.
type daemon struct {
	home, socket string
	process      *exec.Cmd
}

func build(t *testing.T, out, what string) {
	t.Helper()
	c := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", out, what)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, text)
	}
}

func startDaemon(t *testing.T) *daemon {
	t.Helper()
	home, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	binary := filepath.Join(home, "bashgated")
	build(t, binary, "../../cmd/bashgated")
	d := &daemon{home: home, socket: filepath.Join(home, "run", "s.sock")}
	d.process = exec.Command(binary, "serve", "--socket", d.socket)
	d.process.Env = []string{"HOME=" + home}
	d.process.Stderr = os.Stderr
	if err := d.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		d.process.Process.Kill()
		d.process.Wait()
	})
	until(t, "a socket", func() bool { _, err := os.Stat(d.socket); return err == nil })
	return d
}

// memory is how much of it the process holds, in bytes (proc(5), statm).
func (d *daemon) memory(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", d.process.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// TestKilled: whoever waits for an answer when the server dies sees the end of the
// connection, and the next server begins where it stood.
func TestKilled(t *testing.T) {
	d := startDaemon(t)
	c := dial(t, d.socket)
	c.send(t, begin)
	c.answer(t)
	if err := d.process.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	c.send(t, command("1", "ls", ""))
	if err := d.process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	c.SetReadDeadline(time.Now().Add(10 * time.Second))
	if rest, err := io.ReadAll(c.in); len(rest) > 0 || err != nil && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("%q, %v", rest, err)
	}
	d.process.Wait()
	again := exec.Command(d.process.Path, d.process.Args[1:]...)
	again.Env = d.process.Env
	if err := again.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "a second server", func() bool {
		conn, err := net.Dial("unix", d.socket)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	c = dial(t, d.socket)
	c.send(t, command("1", "ls", ""))
	if r := c.answer(t); r.Decision != "allow" {
		t.Errorf("%+v", r)
	}
	again.Process.Signal(syscall.SIGTERM)
	if err := again.Wait(); err != nil {
		t.Errorf("SIGTERM: %v", err)
	}
	if _, err := os.Stat(d.socket); !os.IsNotExist(err) {
		t.Errorf("the socket is there: %v", err)
	}
}

// mix is what the load asks, and what is answered.
var mix = [...]struct{ text, more, decision, fault string }{
	{"git status && go test ./...", `,"attended":true`, "allow", ""},
	{"ls -la src | head", ``, "allow", ""},
	{"rm -rf /", `,"attended":true`, "block", ""},
	{"git push --force", `,"attended":true`, "ask", ""},
	{"grep -rn TODO . | wc -l", `,"env":{"HOME":"/home/u","*":null}`, "allow", ""},
	{"npm publish", ``, "block", ""},
	{"ls", `,"unknown":1`, "block", faultField},
}

// TestLoad asks 10,000 decisions a minute, as a rate, while 1,000 questions wait for
// a person. BASHGATE_LOAD says for how long; memory may not grow by more than a
// fifth after the first minute, or the first half. Before, it holds a decision over
// the socket against the start of a program that says hello.
func TestLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT RUN with -short: it builds bashgated")
	}
	if _, err := os.Stat("/proc/self/statm"); err != nil {
		t.Skip("NOT RUN: how much memory a process has is read from /proc")
	}
	length := 2 * time.Second
	text := os.Getenv("BASHGATE_LOAD")
	if text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	const rate, clients, sessions, open = 10000, 20, 50, 1000 // a minute; connections; sessions; requests
	d := startDaemon(t)
	queue := approval.Queue{Store: approval.Store{Dir: filepath.Join(d.home, ".local/state/bashgate/requests")}}
	for i := range open {
		r := approval.Request{Life: 24 * time.Hour, Bound: approval.Bound{Host: "runtime", Session: fmt.Sprint("runtime-s", i%sessions), Command: fmt.Sprint("git push ", i), Cwd: "/p"}}
		if _, fresh, err := queue.Ask(r); err != nil || !fresh {
			t.Fatal(fresh, err)
		}
	}
	first := dial(t, d.socket)
	for i := range sessions {
		first.send(t, strings.Replace(begin, `"session":"s"`, fmt.Sprintf(`"session":"s%d"`, i), 1))
		if r := first.answer(t); r.Error != nil {
			t.Fatalf("%+v", r)
		}
	}
	ratio := againstHello(t, d, first)
	if text != "" && ratio > 0.4 { // beside other tests it says little
		t.Errorf("a decision takes %.2f of a Go hello world, and 0.4 is the limit", ratio)
	}

	var lock sync.Mutex
	var took []time.Duration
	var slowest time.Duration
	var when time.Time // it was asked
	wrong := 0
	line := func(n int) (text string) {
		m := &mix[n%len(mix)]
		return strings.Replace(command(fmt.Sprint(n), m.text, m.more), `"session":"s"`, fmt.Sprintf(`"session":"s%d"`, n%sessions), 1)
	}
	type turn struct {
		n  int
		at time.Time
	}
	turns := make(chan turn, rate)
	var work sync.WaitGroup
	for range clients {
		conn, err := net.Dial("unix", d.socket)
		if err != nil {
			t.Fatal(err)
		}
		work.Go(func() {
			defer conn.Close()
			in := bufio.NewReader(conn)
			for next := range turns {
				var r reply
				_, err := io.WriteString(conn, line(next.n)+"\n")
				text := ""
				if err == nil {
					text, err = in.ReadString('\n')
				}
				if err == nil {
					err = json.Unmarshal([]byte(text), &r)
				}
				late := time.Since(next.at)
				m := &mix[next.n%len(mix)]
				bad := err != nil || r.ID != fmt.Sprint(next.n) || r.Decision != m.decision || (r.Error != nil) != (m.fault != "")
				lock.Lock()
				took = append(took, late)
				if late > slowest {
					slowest, when = late, next.at
				}
				if bad {
					wrong++
				}
				lock.Unlock()
				if bad {
					t.Errorf("%s: %s (%v)", line(next.n), text, err)
				}
			}
		})
	}
	start := time.Now()
	before, begun, baseline := d.memory(t), 0, 0
	for n := 0; ; n++ {
		at := start.Add(time.Duration(n) * time.Minute / rate)
		if at.Sub(start) >= length {
			break
		}
		time.Sleep(time.Until(at))
		turns <- turn{n, at}
		begun++
		if baseline == 0 && at.Sub(start) >= min(time.Minute, length/2) {
			baseline = d.memory(t)
		}
	}
	close(turns)
	work.Wait()
	end := d.memory(t)
	slices.Sort(took)
	seconds := time.Since(start).Seconds()
	mib := func(n int) float64 { return float64(n) / (1 << 20) }
	t.Logf("%d decisions in %.0f s (%.0f a minute), %d requests open: p50 %v, p99 %v, slowest %v at %.0f s; %.1f MiB at the start, %.1f after the first part, %.1f at the end; %d wrong; %.2fx a Go hello world",
		begun, seconds, float64(begun)/seconds*60, pending(queue), took[len(took)/2], took[len(took)*99/100], slowest, when.Sub(start).Seconds(), mib(before), mib(baseline), mib(end), wrong, ratio)
	// Beside other tests the rate says little, as above.
	if len(took) != begun || text != "" && float64(begun)/seconds*60 < 0.9*rate {
		t.Errorf("%d of %d are answered in %.1f s", len(took), begun, seconds)
	}
	if length >= time.Minute && float64(end) > 1.2*float64(baseline) {
		t.Errorf("memory grew from %.1f to %.1f MiB", mib(baseline), mib(end))
	}
}

// againstHello is the median time of a decision over the socket by that of a
// program which says hello, both taken in turn.
func againstHello(t *testing.T, d *daemon, c *connection) float64 {
	t.Helper()
	source, hello := filepath.Join(d.home, "hello.go"), filepath.Join(d.home, "hello")
	if err := os.WriteFile(source, []byte("package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"hello, world\\n\") }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	build(t, hello, source)
	var hellos, trips []time.Duration
	for i := range 210 {
		start := time.Now()
		out, err := exec.Command(hello).Output()
		if err != nil || !bytes.Equal(out, []byte("hello, world\n")) {
			t.Fatal(string(out), err)
		}
		middle := time.Now()
		c.send(t, strings.Replace(command(fmt.Sprint("h", i), "git status && go test ./...", `,"attended":true`), `"session":"s"`, `"session":"s1"`, 1))
		if r := c.answer(t); r.Decision != "allow" {
			t.Fatalf("%+v", r)
		}
		if i >= 10 {
			hellos, trips = append(hellos, middle.Sub(start)), append(trips, time.Since(middle))
		}
	}
	slices.Sort(hellos)
	slices.Sort(trips)
	return float64(trips[len(trips)/2]) / float64(hellos[len(hellos)/2])
}

// pending is how many requests wait.
func pending(queue approval.Queue) (n int) {
	list, _ := queue.Requests()
	for _, r := range list {
		if r.State == approval.Pending {
			n++
		}
	}
	return n
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/audit"
	"github.com/bashgate/bashgate/internal/session"
)

// TestLoad starts hooks of many sessions, 64 at a time, and kills every third
// at a moment that the seed says. Whatever was answered is remembered and seen
// by whoever reads afterwards; what is damaged stays so. BASHGATE_HOOKS says how
// many hooks it starts.
func TestLoad(t *testing.T) {
	const parallel, sessions, seed = 64, 20, 1
	hooks := 300
	if n := os.Getenv("BASHGATE_HOOKS"); n != "" {
		var err error
		if hooks, err = strconv.Atoi(n); err != nil {
			t.Fatal(err)
		}
	}
	if hooks/sessions > 1000 {
		t.Fatal("a record holds 1000 labels: more hooks need more sessions")
	}
	binary := filepath.Join(t.TempDir(), "bashgate")
	if out, err := exec.Command("go", "run", "../../internal/release", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	home := t.TempDir()
	store := session.Store{Dir: filepath.Join(home, ".local/state/bashgate")}
	id := func(n int) string { return fmt.Sprint("s", n%sessions) }
	address := func(n int) string { return fmt.Sprintf("https://%d.example.org/", n) }
	input := func(n int, event string) *bytes.Reader {
		data, err := json.Marshal(map[string]any{
			"hook_event_name": event, "session_id": id(n), "cwd": home, "permission_mode": "default", "source": "startup",
			"tool_name": "Bash", "tool_use_id": fmt.Sprint("use", n), "tool_input": map[string]any{"command": "curl -s " + address(n)},
		})
		if err != nil {
			t.Error(err)
		}
		return bytes.NewReader(data)
	}
	start := func(n int, event string) (*exec.Cmd, *bytes.Buffer) {
		out := new(bytes.Buffer)
		c := exec.Command(binary)
		c.Env = []string{"HOME=" + home, "PATH=/usr/bin:/bin", "SHELL=/bin/bash", "CLAUDECODE=1", "CLAUDE_PROJECT_DIR=" + home}
		c.Stdin, c.Stdout = input(n, event), out
		return c, out
	}
	for n := range sessions {
		if c, out := start(n, "SessionStart"); c.Run() != nil || out.Len() > 0 {
			t.Fatalf("%v, %s", c.ProcessState, out)
		}
	}

	// Two sessions are damaged from the start, and one loses a line on the way.
	damaged := map[string]bool{"s0": true, "s1": true}
	file := func(id, ending string) string { return filepath.Join(store.Dir, "sessions", "claude-"+id+ending) }
	if err := os.WriteFile(file("s0", ".log"), []byte("garbage\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file("s1", ".log"), 0o644); err != nil {
		t.Fatal(err)
	}
	shorten := func() {
		text, err := os.ReadFile(file("s2", ".log"))
		if err == nil && bytes.Count(text, []byte("\n")) > 1 {
			err = os.Truncate(file("s2", ".log"), int64(bytes.IndexByte(text, '\n')+1))
		}
		if err != nil {
			t.Error(err)
		}
	}

	var (
		mutex            sync.Mutex
		took             []time.Duration
		answered, killed int
		shortened        = hooks / 2
		random           = rand.New(rand.NewPCG(seed, seed))
		turns            = make(chan struct{}, parallel)
		work             sync.WaitGroup
	)
	for n := range hooks {
		turns <- struct{}{}
		if n == shortened {
			for range parallel - 1 { // wait for the others, so that what they answered is not taken away
				turns <- struct{}{}
			}
			shorten()
			damaged["s2"] = true
			for range parallel - 1 {
				<-turns
			}
		}
		late := time.Duration(-1)
		mutex.Lock()
		if len(took) > parallel/2 && n%3 == 0 {
			// A hook has a share of the machine, and this process learns late of
			// its end: most of them live for less than half of that.
			late = time.Duration(random.Float64() * 0.5 * float64(took[len(took)/2]))
		}
		mutex.Unlock()
		hopeless := damaged[id(n)] // of this moment
		work.Go(func() {
			defer func() { <-turns }()
			c, out := start(n, "PreToolUse")
			if err := c.Start(); err != nil {
				t.Error(err)
				return
			}
			begin := time.Now()
			if late >= 0 {
				defer time.AfterFunc(late, func() { c.Process.Kill() }).Stop()
			}
			err := c.Wait()
			mutex.Lock()
			if err != nil {
				killed++
			} else {
				d := time.Since(begin)
				at, _ := slices.BinarySearch(took, d)
				took = slices.Insert(took, at, d)
			}
			mutex.Unlock()
			if err != nil && late < 0 {
				t.Errorf("hook %d: %v", n, err)
			}
			answer := out.String()
			if answer == "" {
				return
			}
			allowed := strings.Contains(answer, `"permissionDecision":"allow"`)
			if !allowed && !strings.Contains(answer, `"permissionDecision":"ask"`) {
				t.Errorf("hook %d: %s", n, answer)
			}
			if allowed && hopeless {
				t.Errorf("hook %d is allowed in a damaged session: %s", n, answer)
			}
			state := store.Read(session.Name("claude", id(n)))
			seen := slices.ContainsFunc(state.Labels, func(l session.Label) bool { return l.What == fmt.Sprintf("curl %d.example.org", n) })
			if !seen && state.Damage == "" {
				t.Errorf("hook %d was answered, and a later read does not see its label", n)
			}
			mutex.Lock()
			answered++
			mutex.Unlock()
		})
	}
	work.Wait()
	t.Logf("%d hooks: %d answered, %d killed; median %v", hooks, answered, killed, took[len(took)/2])
	if answered < hooks/2 || killed < hooks/50 {
		t.Errorf("%d answered and %d killed: that shows nothing", answered, killed)
	}
	for n := range sessions {
		state := store.Read(session.Name("claude", id(n)))
		if state.Taint(2).Damaged != damaged[id(n)] {
			t.Errorf("%s: damage %q", id(n), state.Damage)
		}
		if state.Taint(2).Corruption == 0 && !damaged[id(n)] {
			t.Errorf("%s is clean", id(n))
		}
	}
	// Mended by hand, a record that lost lines stays damaged.
	if err := os.Chmod(file("s2", ".log"), 0o600); err != nil {
		t.Fatal(err)
	}
	if state := store.Read("claude-s2"); state.Damage == "" {
		t.Error("the shortened record is whole")
	}
	// The decision log is whole, whoever was killed on the way to it.
	log := audit.Log{Path: filepath.Join(store.Dir, "audit.log"), Key: filepath.Join(store.Dir, "audit.key")}
	report, err := log.Verify(audit.Noted{})
	if err != nil || !report.Whole() || report.Lines < answered {
		t.Errorf("the decision log: %+v, %v", report, err)
	} else {
		t.Logf("the decision log: %d lines, whole, and %d of crashes", report.Lines, len(report.Notes))
	}
	if left, err := os.ReadDir(filepath.Join(store.Dir, "sessions", "new")); err != nil || len(left) > killed {
		t.Errorf("%d files are left behind by %d killed hooks (%v)", len(left), killed, err)
	}
}

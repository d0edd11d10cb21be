//go:build unix

package session

import (
	"bytes"
	"fmt"
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
)

// The test binary plays hooks: real processes that write to one session.
func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == "hook" {
		play(os.Args[2], os.Args[3], os.Args[4])
		return
	}
	os.Exit(m.Run())
}

// play appends labels and prints the name of each that is written. A limit on
// the size of files stands for a disk that is full at that byte.
func play(dir, prefix, count string) {
	n, err := strconv.Atoi(count)
	if err != nil {
		panic(err)
	}
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
	if os.Getenv("WRITES_FILES") != "" {
		playWriter(dir, prefix, n)
		return
	}
	s := Store{Dir: dir}
	for i := range n {
		name := fmt.Sprintf("%s.%d", prefix, i)
		if err := s.Append("claude-1", Event{Kind: Seen, Corruption: 2, What: name, Use: name}); err != nil {
			fmt.Println("failed:", err)
			continue
		}
		fmt.Println(name)
	}
}

func hookProcess(dir, prefix string, count int) *exec.Cmd {
	return exec.Command(os.Args[0], "hook", dir, prefix, strconv.Itoa(count))
}

// sees reports whether a session's record holds a label.
func (s *State) sees(what string) bool {
	for i := range s.Labels {
		if s.Labels[i].What == what {
			return true
		}
	}
	return false
}

// TestParallel lets 64 hooks of one session write at the same time, while
// others read: nothing is lost, and what is half written is damage to nobody.
func TestParallel(t *testing.T) {
	const processes, each = 64, 4
	s := newStore(t)
	mustAppend(t, s, "claude-1", Event{Kind: Started})
	var work sync.WaitGroup
	for p := range processes {
		work.Go(func() {
			if out, err := hookProcess(s.Dir, fmt.Sprint(p), each).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	done := make(chan struct{})
	go func() { work.Wait(); close(done) }()
	least := 0
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		state := s.Read("claude-1")
		if state.Damage != "" {
			t.Errorf("while hooks write: %s", state.Damage)
		}
		if len(state.Labels) < least {
			t.Errorf("%d labels after %d", len(state.Labels), least)
		}
		least = len(state.Labels)
	}
	state := s.Read("claude-1")
	if len(state.Labels) != processes*each || state.Damage != "" {
		t.Errorf("%d of %d labels, damage %q", len(state.Labels), processes*each, state.Damage)
	}
	for p := range processes {
		for i := range each {
			if name := fmt.Sprintf("%d.%d", p, i); !state.sees(name) {
				t.Errorf("%s is lost", name)
			}
		}
	}
}

// TestKilled kills hooks at any moment: what one said was written is there.
func TestKilled(t *testing.T) {
	s := newStore(t)
	mustAppend(t, s, "claude-1", Event{Kind: Started})
	said := []string{}
	for p := 0; p < 12 || len(said) == 0 && p < 60; p++ {
		c := hookProcess(s.Dir, fmt.Sprint(p), 100000)
		var out bytes.Buffer
		c.Stdout = &out
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(3+p) << (p / 12) * time.Millisecond) // on a busy machine a start takes longer
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		c.Wait() // it was killed
		text := out.String()
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "failed") {
				t.Error(line)
			} else if strings.HasSuffix(line, "\n") {
				said = append(said, strings.TrimSpace(line))
			}
		}
	}
	if len(said) == 0 {
		t.Fatal("no hook wrote anything before it was killed")
	}
	state := s.Read("claude-1")
	seen := map[string]bool{}
	for i := range state.Labels {
		seen[state.Labels[i].What] = true
	}
	for _, name := range said {
		if !seen[name] {
			t.Fatalf("%s is lost, of %d (damage %q)", name, len(said), state.Damage)
		}
	}
	if state.Taint(2) == (engine.Taint{}) {
		t.Error("the session is clean")
	}
}

// TestFullDisk fills the disk at every byte of a write. What could not be
// written leaves a session that is damaged, not one that is clean.
func TestFullDisk(t *testing.T) {
	probe := newStore(t)
	mustAppend(t, probe, "claude-1", Event{Kind: Started})
	info, err := os.Stat(probe.log("claude-1").path)
	if err != nil {
		t.Fatal(err)
	}
	before := int(info.Size())
	for _, started := range []bool{false, true} {
		for _, room := range []int{0, 1, 2, 17, 40, 70, 100, 10000} {
			s := newStore(t)
			limit := room
			if started {
				mustAppend(t, s, "claude-1", Event{Kind: Started})
				limit += before
			}
			c := hookProcess(s.Dir, "x", 1)
			c.Env = append(os.Environ(), fmt.Sprintf("FILE_SIZE=%d", limit))
			out, err := c.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			state := s.Read("claude-1")
			taint := state.Taint(2)
			if failed := bytes.HasPrefix(out, []byte("failed")); failed != (room < 10000) {
				t.Errorf("room for %d bytes: %s", room, out)
			} else if failed && !taint.Damaged {
				t.Errorf("started %v, room for %d bytes: %+v", started, room, taint)
			} else if !failed && taint != (engine.Taint{Corruption: 2}) {
				t.Errorf("started %v, with room: %+v (%s)", started, taint, state.Damage)
			}
		}
	}
}

// TestReadOnly takes the right to write away: what can't be remembered counts
// as seen.
func TestReadOnly(t *testing.T) {
	if os.Getuid() == 0 {
		asNobody(t)
		return
	}
	s := newStore(t)
	if err := os.MkdirAll(s.sessions(), dirMode); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(s.sessions(), dirMode)
	if err := os.Chmod(s.sessions(), 0o500); err != nil {
		t.Fatal(err)
	}
	if err := s.Append("claude-1", webPage); err == nil {
		t.Error("written where nothing can be")
	}
	if state := s.Read("claude-1"); !state.Taint(2).Damaged {
		t.Errorf("a new session: %+v", state)
	}
	if err := os.Chmod(s.Dir, 0o000); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(s.Dir, dirMode)
	if state := s.Read("claude-1"); !state.Taint(2).Damaged {
		t.Errorf("an unreadable state: %+v", state)
	}
}

// asNobody runs the test in a process without root's rights, for which every
// file can be written.
func asNobody(t *testing.T) {
	const nobody = 65534
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for up := filepath.Dir(dir); len(up) > len(os.TempDir()); up = filepath.Dir(up) {
		if err := os.Chmod(up, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(dir, "test")
	data, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(binary, data, 0o755); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(binary, "-test.run=^"+t.Name()+"$", "-test.v")
	c.Dir = dir
	c.Env = append(os.Environ(), "TMPDIR="+dir)
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := c.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS")) {
		t.Fatalf("as nobody: %v\n%s", err, out)
	}
}

// limitTo sets a field of a limit, which has a sign on FreeBSD and none elsewhere.
func limitTo[T int64 | uint64](field *T, n uint64) { *field = T(n) }

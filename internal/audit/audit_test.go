package audit

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// The test binary plays hooks that write to one log.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "play" {
		l := Log{Path: os.Args[2], MaxBytes: 4000, Key: filepath.Join(filepath.Dir(os.Args[2]), ".audit.key")}
		for i := range 25 {
			if err := l.Append(&Line{Time: time.Now(), Event: "before_tool_use", Use: fmt.Sprintf("%s.%d", os.Args[3], i), Command: strings.Repeat("x", 100)}); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		return
	}
	os.Exit(m.Run())
}

var full = Line{
	Time: time.Date(2026, 11, 2, 10, 42, 0, 5, time.FixedZone("", 3600)), Event: "before_tool_use", Host: "claude", Session: "s", Agent: "a1", Use: "toolu_1", Tool: "Bash",
	Command: "make \"x\"\n", Cwd: "/w", Mode: "default", Decision: "ask", Human: true, Reason: "why", Rules: []string{"a.b", "c.d"}, Reach: "network",
	Corruption: 2, Secret: 1, Damaged: true, Seen: []string{"x"}, Cop: "error", CopCode: "timeout", Provider: "anthropic", CopMillis: 12, Microseconds: 34,
}

func read(t *testing.T, path string) []map[string]any {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]any
	for line := range strings.Lines(string(data)) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil || !strings.HasSuffix(line, "}\n") {
			t.Fatalf("%q: %v", line, err)
		}
		list = append(list, m)
	}
	return list
}

func TestLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "audit.log")
	l := Log{Path: path}
	for _, line := range []Line{full, {Time: full.Time, Event: "session_end"}} {
		if err := l.Append(&line); err != nil {
			t.Fatal(err)
		}
	}
	want := []map[string]any{
		{"v": 1.0, "time": "2026-11-02T09:42:00.000000005Z", "event": "before_tool_use", "host": "claude", "session": "s", "agent": "a1", "use": "toolu_1", "tool": "Bash",
			"command": "make \"x\"\n", "cwd": "/w", "mode": "default", "decision": "ask", "human": true, "reason": "why", "rules": []any{"a.b", "c.d"}, "reach": "network",
			"corruption": 2.0, "secret": 1.0, "damaged": true, "seen": []any{"x"}, "cop": "error", "cop_code": "timeout", "provider": "anthropic", "cop_ms": 12.0, "us": 34.0},
		{"v": 1.0, "time": "2026-11-02T09:42:00.000000005Z", "event": "session_end"},
	}
	if diff := cmp.Diff(want, read(t, path)); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700 | os.ModeDir} {
		if info, err := os.Stat(name); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

// However much there is to say, a line has an end.
func TestLongLine(t *testing.T) {
	long := strings.Repeat("é\x01", 1<<20)
	line := Line{Event: "before_tool_use", Command: long, Cwd: long, Reason: long, Session: long, Tool: long, Use: long}
	for range 10000 {
		line.Rules, line.Seen = append(line.Rules, long[:1<<12]), append(line.Seen, long[:1<<12])
	}
	out := line.append(nil)
	if len(out) > 1<<20 || !json.Valid(out) || !utf8.Valid(out) {
		t.Errorf("%d bytes", len(out))
	}
}

// TestRotation lets processes write at the same time to a log that is full
// again and again: no line is lost.
func TestRotation(t *testing.T) {
	const processes, each = 8, 25
	path := filepath.Join(t.TempDir(), "audit [1].log")
	var work sync.WaitGroup
	for p := range processes {
		work.Go(func() {
			if out, err := exec.Command(os.Args[0], "play", path, fmt.Sprint(p)).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	work.Wait()
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) < 4 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	found := map[string]bool{}
	for _, f := range files {
		if f.Name() == ".audit.key" || strings.HasSuffix(f.Name(), ".head") {
			continue
		}
		for _, m := range read(t, filepath.Join(filepath.Dir(path), f.Name())) {
			found[m["use"].(string)] = true
		}
	}
	if len(found) != processes*each {
		t.Errorf("%d of %d lines", len(found), processes*each)
	}
	r, err := Log{Path: path, Key: filepath.Join(filepath.Dir(path), ".audit.key")}.Verify(Noted{})
	if err != nil || !r.Whole() || len(r.Notes) > 0 || r.Lines != processes*each {
		t.Errorf("%+v, %v", r, err)
	}
}

// Of full files the newest are kept, and nothing else is removed.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	l := Log{Path: filepath.Join(dir, "a*.log"), MaxBytes: 1, Keep: 2}
	others := []string{"a*.log.old", "ab.log.20260101T000000.000000000", "a*.log.20260101T000000"}
	for _, name := range others {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 12 {
		if err := l.Append(&Line{Event: "session_end", Use: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var rest []string
	for _, f := range files {
		rest = append(rest, f.Name())
	}
	for _, name := range others {
		if !strings.Contains(strings.Join(rest, "\n")+"\n", name+"\n") {
			t.Errorf("%s was removed", name)
		}
	}
	if want := len(others) + l.Keep; len(rest) != want && len(rest) != want+1 { // and the one that is written to
		t.Errorf("%q", rest)
	}
}

// What is no file of one's own is not written to.
func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	for name, make := range map[string]func(path string) error{
		"a directory": func(path string) error { return os.Mkdir(path, 0o700) },
		"a link":      func(path string) error { return os.Symlink(filepath.Join(dir, "elsewhere"), path) },
		"a pipe":      func(path string) error { return exec.Command("mkfifo", path).Run() },
		"a device":    func(path string) error { return os.Symlink("/dev/null", path) },
	} {
		path := filepath.Join(dir, name)
		if err := make(path); err != nil {
			t.Fatal(err)
		}
		if err := (Log{Path: path}).Append(&full); err == nil {
			t.Errorf("%s was written to", name)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "elsewhere")); err == nil {
		t.Error("a link was followed")
	}
}

// FuzzLine checks that a line is one line of JSON, whatever the texts are.
func FuzzLine(f *testing.F) {
	f.Add("make", "why\n", 2)
	f.Add("\xff\u2028", "\x00\x1b", -1)
	f.Fuzz(func(t *testing.T, command, reason string, n int) {
		line := Line{Time: full.Time, Event: "before_tool_use", Command: command, Reason: reason, Rules: []string{reason, command}, Corruption: n}
		out := line.append(nil)
		var back struct{ Command, Reason string }
		if err := json.Unmarshal(out, &back); err != nil || strings.Count(string(out), "\n") != 1 || !strings.HasSuffix(string(out), "\n") {
			t.Fatalf("%q: %v", out, err)
		}
		if want := strings.ToValidUTF8(command, "\ufffd"); len(command) < maxCommand && utf8.ValidString(command) && back.Command != want {
			t.Fatalf("%q, want %q", back.Command, want)
		}
	})
}

// A secret that is masked in the command is so where the reason quotes a piece of it.
func TestReasonIsMasked(t *testing.T) {
	line := Line{Event: "before_tool_use", Command: "echo hunter2x | docker login --password-stdin -u me", Reason: "A person decides about echo hunter2x | docker login --password-stdin -u me"}
	text := string(line.append(nil))
	if strings.Contains(text, "hunter2x") || !strings.Contains(text, "A person decides about echo SECRET") {
		t.Error(text)
	}
}

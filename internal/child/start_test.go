package child

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// arrives waits for a file that another process puts into its place.
func arrives(t *testing.T, path string) string {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if text, err := os.ReadFile(path); err == nil {
			return string(text)
		}
	}
	t.Fatalf("%s is not there", path)
	return ""
}

// A program is started with its input, its environment and nothing else, and
// leaves no dead process behind.
func TestStart(t *testing.T) {
	dir, spool := t.TempDir(), t.TempDir()
	t.Setenv("SECRET", "x")
	input := bytes.Repeat([]byte("0123456789abcdef"), 20<<10) // more than a pipe holds
	script := `cat >in; { env; echo "sid $(ps -o sid= -p $$ | tr -d ' ')"; echo "pid $$"; } >out.new; mv out.new out`
	began := time.Now()
	err := Start(Command{Path: "/bin/sh", Args: []string{"-c", script}, Env: []string{"PATH=/usr/bin:/bin", "A=b"}, Dir: dir, Input: input}, spool)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	out := arrives(t, filepath.Join(dir, "out"))
	if in, err := os.ReadFile(filepath.Join(dir, "in")); err != nil || !bytes.Equal(in, input) {
		t.Errorf("%d bytes of input, %v", len(in), err)
	}
	if !strings.Contains(out, "A=b\n") || strings.Contains(out, "SECRET") {
		t.Errorf("the environment:\n%s", out)
	}
	if left, err := os.ReadDir(spool); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	_, pid, _ := strings.Cut(out, "pid ")
	pid, _, _ = strings.Cut(pid, "\n")
	if !strings.Contains(out, "sid "+pid+"\n") {
		t.Errorf("it has no session of its own:\n%s", out)
	}
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat("/proc/" + pid); err != nil {
			break // not there any more, or no /proc
		}
		if time.Now().After(end) {
			t.Fatalf("process %s is still there", pid)
		}
	}
}

// What can't be started is an error.
func TestStartErrors(t *testing.T) {
	spool := t.TempDir()
	for _, c := range []Command{{Path: "/nowhere/program"}, {Path: "sh"}, {Path: spool}} {
		if err := Start(c, spool); err == nil {
			t.Errorf("%s was started", c.Path)
		}
	}
	if err := Start(Command{Path: "/bin/true"}, filepath.Join(spool, "nowhere")); err == nil {
		t.Error("an input of no file")
	}
}

//go:build unix

package child

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
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
	script := `cat >in; { env; echo "group $(ps -o pgid= -p $$ | tr -d ' ')"; echo "pid $$"; } >out.new; mv out.new out`
	began := time.Now()
	err := Start(Command{Path: "/bin/sh", Args: []string{"-c", script}, Env: []string{"PATH=/usr/bin:/bin", "A=b"}, Dir: dir, Input: input}, spool)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 30*time.Second {
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
	if !strings.Contains(out, "group "+pid+"\n") {
		t.Errorf("it has no group of its own:\n%s", out)
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

// The hook of an agent that has closed its standard files, and that is killed with
// all of its group a moment later, has started the program all the same.
func TestStartOfTheKilled(t *testing.T) {
	if dir := os.Getenv("START_IN"); dir != "" { // the hook
		input := []byte(strings.Repeat("line\n", 1000))
		err := Start(Command{Path: "/bin/sh", Args: []string{"-c", "sleep 0.3; cat >in.new; mv in.new in"}, Env: []string{"PATH=/usr/bin:/bin"}, Dir: dir, Input: input}, dir)
		if err != nil {
			os.WriteFile(filepath.Join(dir, "failed"), []byte(err.Error()), 0o600)
		}
		syscall.Kill(0, syscall.SIGKILL)
	}
	dir := t.TempDir()
	c := exec.Command("/bin/sh", "-c", `exec "$0" -test.run='^TestStartOfTheKilled$' <&- >&- 2>&-`, os.Args[0])
	c.Env = append(os.Environ(), "START_IN="+dir)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := c.Run(); err == nil {
		t.Error("the hook was not killed")
	}
	if text := arrives(t, filepath.Join(dir, "in")); text != strings.Repeat("line\n", 1000) {
		failed, _ := os.ReadFile(filepath.Join(dir, "failed"))
		t.Errorf("%d bytes have arrived; %s", len(text), failed)
	}
}

//go:build unix

package child

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary plays the programs.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "play" {
		play(os.Args[2])
		return
	}
	os.Exit(m.Run())
}

func play(part string) {
	switch part {
	case "echo":
		var b bytes.Buffer
		b.ReadFrom(os.Stdin)
		os.Stdout.Write(b.Bytes())
	case "environment":
		os.Stdout.WriteString(strings.Join(os.Environ(), "\n"))
	case "deaf":
		os.Stdout.WriteString("done")
	case "flood":
		for {
			if _, err := os.Stdout.Write(make([]byte, 4096)); err != nil {
				return
			}
		}
	case "hang":
		signal.Ignore(syscall.SIGTERM)
		os.Stdout.WriteString("half")
		time.Sleep(time.Hour)
	case "linger":
		os.Stdout.WriteString("all")
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case "parent":
		me, _ := os.Executable()
		os.StartProcess(me, []string{me, "play", "hang"}, &os.ProcAttr{Files: []*os.File{nil, os.Stdout, nil}})
	case "fail":
		os.Stdout.WriteString("allow")
		os.Stderr.WriteString("why")
		os.Exit(3)
	case "die":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(time.Hour)
	}
}

func run(t *testing.T, part string, c Command) ([]byte, error) {
	t.Helper()
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c.Path, c.Args = me, []string{"play", part}
	return Run(c)
}

func TestAnswers(t *testing.T) {
	big := bytes.Repeat([]byte("0123456789abcdef"), 64<<10)
	out, err := run(t, "echo", Command{Input: big, Limit: len(big), Timeout: time.Minute})
	if err != nil || !bytes.Equal(out, big) {
		t.Errorf("echo: %d bytes, %v", len(out), err)
	}
	// More than a pipe holds, and nobody reads it.
	out, err = run(t, "deaf", Command{Input: big, Limit: 100, Timeout: time.Minute})
	if err != nil || string(out) != "done" {
		t.Errorf("deaf: %q, %v", out, err)
	}
	t.Setenv("OPENAI_BASE_URL", "http://evil.example")
	out, err = run(t, "environment", Command{Limit: 1000, Timeout: time.Minute})
	if err != nil || strings.Contains(string(out), "OPENAI") {
		t.Errorf("environment: %q, %v", out, err)
	}
	out, err = run(t, "environment", Command{Env: []string{"A=b"}, Limit: 1000, Timeout: time.Minute})
	if err != nil || !strings.Contains(string(out), "A=b") {
		t.Errorf("environment: %q, %v", out, err)
	}
}

func TestFaults(t *testing.T) {
	exit := new(ExitError)
	for _, row := range []struct {
		part  string
		limit time.Duration // none of these has to do with time, but the three that hang
		ok    func(error) bool
	}{
		{"flood", 0, func(err error) bool { return errors.Is(err, ErrTooLarge) }},
		{"hang", time.Second, func(err error) bool { return errors.Is(err, ErrTimeout) }},
		{"linger", time.Second, func(err error) bool { return errors.Is(err, ErrTimeout) }},
		{"parent", time.Second, func(err error) bool { return errors.Is(err, ErrTimeout) }},
		{"fail", 0, func(err error) bool { return errors.As(err, &exit) && exit.State == "exit status 3" }},
		{"die", 0, func(err error) bool { return errors.As(err, &exit) && exit.State == "signal: killed" }},
	} {
		start := time.Now()
		if row.limit == 0 {
			row.limit = time.Minute
		}
		out, err := run(t, row.part, Command{Limit: 10000, Timeout: row.limit})
		if !row.ok(err) || out != nil {
			t.Errorf("%s: %q, %v", row.part, out, err)
		}
		if took := time.Since(start); took > row.limit+30*time.Second {
			t.Errorf("%s: took %v", row.part, took)
		}
	}
	if _, err := Run(Command{Path: "/no/such/program", Timeout: time.Second}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no program: %v", err)
	}
}

func TestTry(t *testing.T) {
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	try := func(part string, limit time.Duration) (Output, error) {
		return Try(Command{Path: me, Args: []string{"play", part}, Limit: 2, Timeout: limit})
	}
	if o, err := try("fail", time.Minute); !errors.Is(err, ErrTooLarge) {
		t.Errorf("five bytes, where two may be: %+v, %v", o, err)
	}
	o, err := Try(Command{Path: me, Args: []string{"play", "fail"}, Limit: 100, Timeout: time.Minute})
	if err != nil || string(o.Stdout) != "allow" || string(o.Stderr) != "why" || o.Exit != 3 {
		t.Errorf("fail: %+v, %v", o, err)
	}
	if o, err := try("die", time.Minute); err != nil || o.Exit != -1 {
		t.Errorf("die: %+v, %v", o, err)
	}
	start := time.Now()
	if o, err := Try(Command{Path: me, Args: []string{"play", "hang"}, Limit: 100, Timeout: 300 * time.Millisecond}); !errors.Is(err, ErrTimeout) || time.Since(start) > 10*time.Second {
		t.Errorf("hang: %+v, %v, after %v", o, err, time.Since(start))
	}
}

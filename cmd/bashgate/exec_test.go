//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// A signal ends the command itself: there is no gate around it any more that
// could swallow or outlive it.
func TestSignals(t *testing.T) {
	home := t.TempDir()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
		if signal.Ignored(sig) {
			t.Logf("SKIPPED %v: the test was started with it ignored, and so would the command be", sig)
			continue
		}
		c := exec.Command("bashgate", "exec", "--", "echo ready; read line; echo late")
		c.Dir = home
		c.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
		in, err := c.StdinPipe() // never written to: it waits
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		hung := time.AfterFunc(30*time.Second, func() { c.Process.Kill() })
		lines := bufio.NewScanner(out)
		if !lines.Scan() || lines.Text() != "ready" {
			t.Errorf("%v: %q, %v", sig, lines.Text(), lines.Err())
		}
		if err := c.Process.Signal(sig); err != nil {
			t.Errorf("%v: %v", sig, err)
		}
		if lines.Scan() {
			t.Errorf("%v: goes on with %q", sig, lines.Text())
		}
		c.Wait()
		status, ok := c.ProcessState.Sys().(syscall.WaitStatus)
		if !hung.Stop() || !ok || !status.Signaled() || status.Signal() != sig {
			t.Errorf("%v: %v", sig, c.ProcessState)
		}
	}
}

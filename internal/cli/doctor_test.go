//go:build unix

package cli

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/cop"
)

// The reviewer is asked only by whoever says so.
func TestDoctorReviewer(t *testing.T) {
	m := &model{t: t, says: byWord}
	p, stdout, _ := process(t, nil)
	p.Carry = m.carry
	p.Getwd = func() (string, error) { return t.TempDir(), nil }
	doctor := func(args ...string) (int, string) {
		stdout.Reset()
		p.Args = append([]string{"doctor"}, args...)
		status := Run(p)
		for line := range strings.Lines(stdout.String()) {
			if _, what, ok := strings.Cut(line, "  reviewer: "); ok {
				return status, strings.TrimSpace(what)
			}
		}
		return status, stdout.String()
	}
	if status, line := doctor(); status != exitOK || !strings.HasPrefix(line, "no reviewer is set up") {
		t.Errorf("none: %d, %s", status, line)
	}
	path := configured(t, p, reviewerTOML)
	if status, line := doctor(); status != exitOK || line != "the reviewer is openai; --online asks it" || m.calls != 0 {
		t.Errorf("offline: %d, %s, %d calls", status, line, m.calls)
	}
	if status, line := doctor("--online"); status != exitOK || !strings.HasPrefix(line, "the reviewer has answered after ") || m.calls != 1 {
		t.Errorf("online: %d, %s, %d calls", status, line, m.calls)
	}
	p.Carry = func([]byte, time.Duration) ([]byte, error) { return nil, errors.New("no route") }
	if status, line := doctor("--online"); status != exitError || !strings.HasPrefix(line, "the reviewer does not answer: ") {
		t.Errorf("unreachable: %d, %s", status, line)
	}
	p.Carry = func([]byte, time.Duration) ([]byte, error) {
		return (&cop.Reply{Error: "401", Code: "status"}).Encode(), nil
	}
	if status, line := doctor("--online"); status != exitError || !strings.HasPrefix(line, "the reviewer does not answer: ") {
		t.Errorf("refused: %d, %s", status, line)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if status, line := doctor(); status != exitError || !strings.HasPrefix(line, "the reviewer can't be asked: others could have written") {
		t.Errorf("written by others: %d, %s", status, line)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	configured(t, p, reviewerTOML+"key_file = \"~/no-such-key\"\n")
	if status, line := doctor(); status != exitError || !strings.HasPrefix(line, "the reviewer's key can't be read: ") {
		t.Errorf("no key: %d, %s", status, line)
	}
	p.Carry = nil
	configured(t, p, reviewerTOML)
	if status, line := doctor(); status != exitError || !strings.HasPrefix(line, "bashgated is not beside bashgate: ") {
		t.Errorf("no client: %d, %s", status, line)
	}
}

// A status bar that never closes what it hands over, and one that hands over
// nothing.
func TestStatusWaits(t *testing.T) {
	p, stdout, _ := process(t, nil)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	p.Stdin, p.Args = r, []string{"status"}
	start := time.Now()
	if status := Run(p); status != exitError || stdout.String() != "bashgate off\n" || time.Since(start) > 5*time.Second {
		t.Errorf("status %d, %q after %v", status, stdout, time.Since(start))
	}
	stdout.Reset()
	p.Stdin = bytes.NewReader(nil)
	if status := Run(p); status != exitError || stdout.String() != "bashgate off\n" {
		t.Errorf("status %d, %q", status, stdout)
	}
}

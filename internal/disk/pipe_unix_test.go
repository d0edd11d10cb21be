//go:build unix

package disk

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A pipe without a writer must not hold up a decision: not as a file, and not as a
// directory, which "cat pipe/*" takes it for.
func TestPipesAreNotWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func() error{
		"ReadFile": func() error { _, err := OS{}.ReadFile(path, 100); return err },
		"ReadDir":  func() error { _, err := OS{}.ReadDir(path, 100); return err },
		"List":     func() error { _, err := OS{}.List(path, 100); return err },
	} {
		done := make(chan error, 1)
		go func() { done <- open() }()
		select {
		case err := <-done:
			if err == nil {
				t.Errorf("%s takes a pipe", name)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s waits for a writer", name)
		}
	}
}

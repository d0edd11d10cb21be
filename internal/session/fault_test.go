//go:build unix

package session

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What killed hooks have left does not pile up, whichever way a clock was set.
func TestLeftBehind(t *testing.T) {
	s := newStore(t)
	mustAppend(t, s, "claude-1", Event{Kind: Started})
	dir := filepath.Join(s.sessions(), "new")
	for name, age := range map[string]time.Duration{"old": time.Hour, "ahead": -time.Hour, "ours": 0} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	mustAppend(t, s, "claude-2", Event{Kind: Started})
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != "ours" {
		t.Errorf("left: %v (%v)", entries, err)
	}
	if names, err := s.Names(); err != nil || len(names) != 2 {
		t.Errorf("%v, %v", names, err)
	}
}

// Nothing is swept where a link leads.
func TestSweepsNothingElse(t *testing.T) {
	s, elsewhere := newStore(t), t.TempDir()
	file := filepath.Join(elsewhere, "precious")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(file, old, old); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(s.sessions(), dirMode); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(s.sessions(), "new")); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, s, "claude-1", Event{Kind: Started})
	if _, err := os.Lstat(file); err != nil {
		t.Error(err)
	}
	if state := s.Read("claude-1"); !state.Known || state.Damage != "" {
		t.Errorf("%+v", state)
	}
}

// A log that misses an event takes no more of them, and its seal tells so even
// if its mode is mended.
func TestMarked(t *testing.T) {
	if os.Getuid() == 0 {
		asNobody(t)
		return
	}
	s := newStore(t)
	mustAppend(t, s, "claude-1", Event{Kind: Started})
	file := s.log("claude-1").path
	if err := os.Chmod(file, markMode); err != nil {
		t.Fatal(err)
	}
	if err := s.Append("claude-1", webPage); err != nil {
		t.Errorf("to a marked log: %v", err)
	}
	if err := os.Chmod(file, fileMode); err != nil {
		t.Fatal(err)
	}
	if state := s.Read("claude-1"); !state.Taint(2).Damaged || state.Unwritable {
		t.Errorf("with its mode mended: %+v", state)
	}
	// Any other reason not to write is an error.
	if err := os.Chmod(file, 0o444); err != nil {
		t.Fatal(err)
	}
	if err := s.Append("claude-1", webPage); err == nil {
		t.Error("written to a log that is read only")
	}
}

// Records are ordered by their lines, not by their times: a clock that steps
// back and forth takes nothing away.
func TestClockSteps(t *testing.T) {
	s := newStore(t)
	now := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	s.Now = func() time.Time { return now }
	mustAppend(t, s, "claude-1", Event{Kind: Started})
	for i, step := range []time.Duration{time.Hour, -48 * time.Hour, 365 * 24 * time.Hour, -10 * 365 * 24 * time.Hour, -100 * 365 * 24 * time.Hour} {
		now = now.Add(step)
		mustAppend(t, s, "claude-1", Event{Kind: Seen, Corruption: 2, What: now.String(), Use: "u"})
		state := s.Read("claude-1")
		if len(state.Labels) != i+1 || state.Damage != "" || state.Taint(2).Corruption != 2 {
			t.Errorf("after %v: %+v", step, state)
		}
	}
	if err := s.Clear("claude-1", "test"); err != nil {
		t.Fatal(err)
	}
	now = now.Add(50 * 365 * 24 * time.Hour)
	if state := s.Read("claude-1"); len(state.Labels) != 0 || state.Damage != "" {
		t.Errorf("cleared: %+v", state)
	}
}

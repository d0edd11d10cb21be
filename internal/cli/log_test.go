//go:build unix

package cli

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/bashgate/bashgate/internal/audit"
)

func TestMoment(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"2h": "2026-11-23T10:00:00Z", "90m": "2026-11-23T10:30:00Z", "3d": "2026-11-20T12:00:00Z", "0d": "2026-11-23T12:00:00Z", "2026-11-01": "2026-11-01T00:00:00Z",
		"2026-11-01 10:42": "2026-11-01T10:42:00Z", "2026-11-01T10:42:05": "2026-11-01T10:42:05Z", "2026-11-01T10:42:05+01:00": "2026-11-01T09:42:05Z",
		"": "", "yesterday": "", "-2h": "", "-1d": "", "2026-13-01": "", "5": "", "d": "",
	} {
		at, ok := moment(text, now)
		if got := at.UTC().Format(time.RFC3339); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %s, %t; want %s", text, got, ok, want)
		}
	}
}

// A line fits the terminal, and nothing in it reaches the terminal as it is.
func TestLogLine(t *testing.T) {
	for _, width := range []int{60, 80, 200} {
		for _, command := range []string{"ls", strings.Repeat("wörter ", 100), "\x1b[2J\nx\u202e"} {
			l := logTool{width: width}
			text := l.text(&audit.Record{Line: audit.Line{Host: "claude", Session: "0123456789", Command: command, Decision: "ask", Rules: []string{"git.push"}}})
			if n := utf8.RuneCountInString(text) - 1; n > width && width >= 80 || strings.ContainsAny(text[:len(text)-1], "\x1b\n\u202e") || !strings.HasSuffix(text, "  git.push\n") {
				t.Errorf("%d of %d characters: %q", n, width, text)
			}
		}
	}
}

func TestWorksIn(t *testing.T) {
	line := audit.Line{Workspace: "/srv/project", Cwd: "/srv/project/sub"}
	for dir, want := range map[string]bool{"/srv/project": true, "/srv/project/sub/x": true, "/srv": true, "/srv/project2": false, "/srv/other": false, "/home": false} {
		if got := worksIn(&line, dir); got != want {
			t.Errorf("%s: %t", dir, got)
		}
	}
}

// Until a date means to its end.
func TestEndOf(t *testing.T) {
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	if end := endOf("2026-11-01", at); !end.Equal(at.AddDate(0, 0, 1)) {
		t.Errorf("the day ends at %v", end)
	}
	for _, text := range [...]string{"2h", "2026-11-01 10:42"} {
		if end := endOf(text, at); !end.Equal(at) {
			t.Errorf("%s ends at %v", text, end)
		}
	}
}

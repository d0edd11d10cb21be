//go:build unix

package history

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/bashgate/bashgate/internal/install"
)

// What is no history is left out with a reason, and keeps nothing else from being
// read.
func TestDamaged(t *testing.T) {
	good, err := os.ReadFile("testdata/pi-0.73.1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	database, err := os.ReadFile("testdata/opencode-1.18.33.db")
	if err != nil {
		t.Fatal(err)
	}
	claude := func(command string) string {
		return `{"type":"assistant","uuid":"u","sessionId":"s","cwd":"/p","timestamp":"2026-11-23T21:37:40Z","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":` + command + `}}]}}` + "\n"
	}
	for _, test := range [...]struct {
		name, file, text string
		commands         int
		why              string
	}{
		{"empty", "a.jsonl", "", 0, ""},
		{"blank lines", "a.jsonl", "\n\n \n" + string(good), 3, ""},
		{"cut off", "a.jsonl", string(good[:len(good)-700]), 3, cutOff},
		{"a foreign line", "a.jsonl", string(good) + "hello\n", 3, noRecord},
		{"an unknown record", "a.jsonl", string(good) + `{"type":"message","message":[1,"toolCall"]}` + "\n", 3, ""},
		{"a long record", "a.jsonl", string(good) + `{"type":"message","toolCall":"` + strings.Repeat("x", maxRecord) + `"}` + "\n" + string(good), 3, tooLong},
		{"a long last line", "a.jsonl", string(good) + strings.Repeat("x", 2*maxRecord), 3, tooLong},
		{"binary", "a.jsonl", "\x00\x01\x02" + string(good), 0, isBinary},
		{"compressed", "a.jsonl", "\x1f\x8b\x08" + string(good), 0, packed},
		{"a key twice", "a.jsonl", claude(`"ls"`) + claude(`"ls","command":"rm x"`), 1, ""},
		{"two commands", "a.jsonl", claude(`"ls"`) + `{"type":"assistant","type":"tool_use"}` + "\n", 1, noRecord},
		{"NUL in a command", "a.jsonl", claude(`"ls"`) + strings.ReplaceAll(claude(`"l`+`\u0000s"`), `"id":"t"`, `"id":"u"`), 1, noText},
		{"no text", "bash_history", "git status\n\xff\xfe\n", 1, noText},
		{"a cut database", "a.db", string(database[:9000]), 0, "a damaged database"},
		{"half a page", "a.db", string(database[:50]), 0, "not a SQLite database"},
		{"a cut document", "session-1.json", `{"projectHash":"x","messages":[{"id":"1","toolCalls":[{"id":"c","name":"run_shell_command","args":{"command":"ls"},"status":"success"}]}, {"id":`, 1, cutOff},
		{"a deep document", "session-1.json", `{"projectHash":"x","messages":` + strings.Repeat("[", 1000), 0, "nested too deeply"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), test.file)
			write(t, path, []byte(test.text))
			got := open(t, path)
			if test.name == "empty" {
				got.skipped = nil
			}
			if len(got.commands) != test.commands {
				t.Errorf("%d commands, want %d: %+v", len(got.commands), test.commands, got.commands)
			}
			why := ""
			for _, s := range got.skipped {
				why = s.Why
				if s.Count < 1 || s.Path != path {
					t.Errorf("left out: %+v", s)
				}
			}
			if why != test.why || len(got.skipped) > 1 {
				t.Errorf("left out %+v, want %q", got.skipped, test.why)
			}
		})
	}
}

// Files that are none end nothing: pipes, devices, links that lead in a circle, and
// what may not be read.
func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	good, err := os.ReadFile("testdata/pi-0.73.1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "good.jsonl"), good)
	write(t, filepath.Join(dir, "sub/README"), []byte("hello\n"))
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.jsonl"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "sub/circle")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	got := open(t, dir)
	if len(got.commands) != 3 || len(got.skipped) != 1 || got.skipped[0].Why != noHistory {
		t.Errorf("%d commands, left out %+v", len(got.commands), got.skipped)
	}

	for path, why := range map[string]string{filepath.Join(dir, "pipe.jsonl"): "not a regular file", os.DevNull: "not a regular file"} {
		if got := open(t, path); len(got.commands) != 0 || len(got.skipped) != 1 || got.skipped[0].Why != why {
			t.Errorf("%s: %+v", path, got)
		}
	}
	if _, err := Open(filepath.Join(dir, "loop"), nil); err == nil {
		t.Error("a link to itself is no error")
	}

	// The directory itself may be a link.
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	if got := open(t, link); len(got.commands) != 3 {
		t.Errorf("%d commands behind a link", len(got.commands))
	}

	// In the usual places too.
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, ".claude/projects/p/directory.jsonl"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(home, ".bash_history"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(os.DevNull, filepath.Join(home, ".zsh_history")); err != nil {
		t.Fatal(err)
	}
	var c collected
	r := c.reader()
	for _, place := range Where(install.Place{Home: home, Getenv: env}, "") {
		for _, s := range Find(place, r.Skipped) {
			r.From(s)
		}
	}
	for _, s := range c.skipped {
		if s.Why != "not a regular file" {
			t.Errorf("left out: %+v", s)
		}
	}
	if len(c.skipped) != 2 || len(c.commands) != 0 {
		t.Errorf("%+v", c)
	}
}

// A file of any size is read in the same memory. This one is 5 GB of nothing behind
// a session.
func TestHugeFile(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 5 GB of zeros; not with -short")
	}
	good, err := os.ReadFile("testdata/pi-0.73.1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "huge.jsonl")
	write(t, path, bytes.Repeat(good, 200)) // more than is looked at to see what it is
	if err := os.Truncate(path, 5<<30); err != nil {
		t.Skip("no file of 5 GB can be made here:", err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := open(t, path)
	runtime.ReadMemStats(&after)
	if len(got.commands) != 3 || len(got.skipped) != 1 || got.skipped[0].Why != tooLong {
		t.Errorf("%d commands, left out %+v", len(got.commands), got.skipped)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 32<<20 {
		t.Errorf("%d bytes were allocated", grown)
	}
}

// Whatever a file holds, reading it ends, and what is found has a text, a host and
// a place in the file's lines.
func FuzzRead(f *testing.F) {
	all, err := filepath.Glob("testdata/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range all {
		if text, err := os.ReadFile(path); err == nil && !strings.HasSuffix(path, ".golden") {
			f.Add(text)
			f.Add(text[:len(text)/2])
		}
	}
	path := filepath.Join(f.TempDir(), "file")
	f.Fuzz(func(t *testing.T, text []byte) {
		write(t, path, text)
		Kind(path)
		for _, known := range formats {
			for _, ext := range [...]string{"", ".json"} {
				if ext != "" {
					write(t, path+ext, text)
				}
				var c collected
				c.reader().From(Source{Path: path + ext, Kind: known.kind, Size: int64(len(text))})
				for _, found := range c.commands {
					if strings.TrimSpace(found.Text) == "" || strings.IndexByte(found.Text, 0) >= 0 || found.Outcome > Refused {
						t.Errorf("%s: %+v", known.kind, found)
					}
				}
				for _, s := range c.skipped {
					if s.Why == "" || s.Count < 1 || s.Line < 0 {
						t.Errorf("%s: left out %+v", known.kind, s)
					}
				}
			}
		}
	})
}

// A compressed session is told as one in its usual place too.
func TestCompressed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rollout-1.jsonl.zst")
	write(t, path, []byte("\x28\xb5\x2f\xfd\x00\x00"))
	var c collected
	c.reader().From(Source{Path: path, Kind: "codex"})
	if len(c.skipped) != 1 || c.skipped[0].Why != packed {
		t.Errorf("left out %+v", c.skipped)
	}
}

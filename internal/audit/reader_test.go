package audit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// uses reads a log in one direction.
func uses(t testing.TB, path string, forward bool, most int) (list []string, skipped int) {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	read := r.Last
	if forward {
		read = r.All
	}
	err = read(func(rec *Record) bool {
		if again, err := Parse(rec.Raw); err != nil || !cmp.Equal(again, rec.Line) {
			t.Errorf("%q: %v", rec.Raw, err)
		}
		list = append(list, rec.Use)
		return len(list) != most
	})
	if err != nil {
		t.Fatal(err)
	}
	return list, r.Skipped
}

// What is written is read, in both directions and over all files.
func TestReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.log")
	if _, err := Open(path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("no log: %v", err)
	}
	l := Log{Path: path, MaxBytes: 150_000}
	var want []string
	for i := range 100 {
		line := full
		line.Use, line.Command = fmt.Sprint(i), strings.Repeat("é", 4000)
		if err := l.Append(&line); err != nil {
			t.Fatal(err)
		}
		want = append(want, line.Use)
	}
	if old, _ := aside(path); len(old) < 3 {
		t.Fatalf("%d files", len(old))
	}
	got, skipped := uses(t, path, true, 0)
	if !slices.Equal(got, want) || skipped != 0 {
		t.Errorf("%q, %d skipped", got, skipped)
	}
	slices.Reverse(want)
	for _, most := range []int{0, 1, 30} {
		want := want[:max(most, len(want)*(1-min(most, 1)))]
		if got, skipped := uses(t, path, false, most); !slices.Equal(got, want) || skipped != 0 {
			t.Errorf("backwards: %q, %d skipped; want %q", got, skipped, want)
		}
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if got, _ := uses(t, path, false, 1); len(got) != 1 { // just put aside
		t.Errorf("without the newest file: %q", got)
	}
}

func TestParse(t *testing.T) {
	line := full
	line.Args, line.Workspace, line.Shell, line.Profile, line.Unattended, line.Untouched = []Arg{{"file_path", "/w/a"}, {"files", ""}}, "/", "zsh", "strict", true, true
	line.Names = true
	got, err := Parse(bytes.TrimSpace(line.append(nil)))
	line.Time = line.Time.UTC()
	if diff := cmp.Diff(line, got); diff != "" || err != nil {
		t.Errorf("(-want +got):\n%s%v", diff, err)
	}
	for command, want := range map[string]Line{
		"ls":                           {},
		"curl -u me:hunter2 x.example": {Masked: true},
		strings.Repeat("x", 20<<10):    {Cut: true},
		strings.Repeat("x", 90<<10):    {Cut: true},
	} {
		got, err := Parse(bytes.TrimSpace((&Line{Event: "e", Command: command}).append(nil)))
		if err != nil || got.Masked != want.Masked || got.Cut != want.Cut || got.Exact() != (command == "ls") {
			t.Errorf("%.40q: masked %t, cut %t, %v", command, got.Masked, got.Cut, err)
		}
	}
	// As it was written before it said where and how a command was judged.
	old := `{"v":1,"time":"2026-11-02T09:42:00Z","event":"before_tool_use","host":"claude","session":"s","tool":"Bash","command":"curl -u me:SECRET_OF_7_CHARACTERS x.example","cwd":"/w","mode":"default","decision":"ask","rules":["a.b"],"reach":"network","us":34}`
	got, err = Parse([]byte(old))
	if err != nil || !got.Masked || got.Workspace != "/w" || got.Decision != "ask" || got.Microseconds != 34 || got.Started() != got.Time.Add(-34*time.Microsecond) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"", "x", "{}", "[]", "null", `{"v":2,` + old[7:], `{"time":"2026-11-02T09:42:00Z","event":"e"}`, `{"v":1,"event":"e"}`, `{"v":1,"time":"2026-11-02T09:42:00Z"}`,
		`{"v":1,"time":"yesterday","event":"e"}`, `{"v":1,"time":"2026-11-02T09:42:00Z","event":"e","rules":"x"}`, `{"v":1,"time":"2026-11-02T09:42:00Z","event":"e","secret":-1}`, `{"v":1,"time":"2026-11-02T09:42:00Z","event":"e","args":[["a"]]}`, old + old} {
		if got, err := Parse([]byte(bad)); err == nil {
			t.Errorf("%s: %+v", bad, got)
		}
	}
}

// What is no line is skipped and counted, and the lines around it are read.
func TestSkipped(t *testing.T) {
	var lines [4]string
	for i := range lines {
		lines[i] = string((&Line{Time: full.Time, Event: "e", Use: fmt.Sprint(i), Command: `{"v":1,"time":"x`}).append(nil))
	}
	for name, row := range map[string]struct {
		text    string
		want    string
		skipped int
	}{
		"nothing":          {"", "", 0},
		"blank lines":      {"\n\n" + lines[0] + "\n\n" + lines[1] + "\n", "0 1", 0},
		"no end":           {lines[0] + strings.TrimSuffix(lines[1], "\n"), "0 1", 0},
		"cut at the end":   {lines[0] + lines[1][:40], "0", 1},
		"cut, then others": {lines[0] + lines[1][:40] + lines[2] + lines[3], "0 2 3", 1},
		"spliced":          {lines[0][:30] + lines[1][:50] + lines[2], "2", 1},
		"foreign":          {lines[0] + "Nov 2 kernel: x\n{\"level\":\"info\"}\n" + lines[1], "0 1", 2},
		"binary":           {lines[0] + "\x00\xff\xfe\x1b[2J\n" + lines[1], "0 1", 1},
		"huge":             {lines[0] + strings.Repeat("x", 5<<20) + "\n" + lines[1], "0 1", 1},
		"huge, first":      {strings.Repeat("x", maxLine+1) + "\n" + lines[1], "1", 1},
		"huge, last":       {lines[0] + strings.Repeat("x", 3<<20), "0", 1},
		"two huge ones":    {strings.Repeat("x", 2<<20) + "\n" + strings.Repeat("y", 2<<20) + "\n" + lines[1], "1", 2},
	} {
		path := filepath.Join(t.TempDir(), "a.log")
		if err := os.WriteFile(path, []byte(row.text), 0o600); err != nil {
			t.Fatal(err)
		}
		want := strings.Fields(row.want)
		if got, skipped := uses(t, path, true, 0); !slices.Equal(got, want) || skipped != row.skipped {
			t.Errorf("%s: %q, %d skipped", name, got, skipped)
		}
		slices.Reverse(want)
		if got, skipped := uses(t, path, false, 0); !slices.Equal(got, want) || skipped != row.skipped {
			t.Errorf("%s, backwards: %q, %d skipped", name, got, skipped)
		}
	}
}

// Who follows sees every line once, also where the log is put aside on the way
// and where there was none.
func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.log")
	l := Log{Path: path, MaxBytes: 2000}
	add := func(from, to int) {
		for i := from; i < to; i++ {
			if err := l.Append(&Line{Time: full.Time, Event: "e", Use: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
			time.Sleep(2 * time.Millisecond)
		}
	}
	add(0, 3)
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	const last = 60
	go add(3, last)
	var got, want []string
	for i := 3; i < last; i++ {
		want = append(want, fmt.Sprint(i))
	}
	err = r.Follow(time.Millisecond, func(rec *Record) bool {
		got = append(got, rec.Use)
		return rec.Use != want[len(want)-1]
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

// Others than files are not read.
func TestNoLog(t *testing.T) {
	if _, err := Open(t.TempDir()); err == nil {
		t.Error("a directory was read")
	}
	if _, err := Open("/dev/zero"); err == nil {
		t.Error("a device was read")
	}
}

// FuzzReader cuts, splices and spoils logs: both directions find the same lines,
// and those that nothing happened to are all found.
func FuzzReader(f *testing.F) {
	f.Add([]byte("\n"), uint(40), 0)
	f.Add([]byte("\x00\xff{\"v\":1,\"time\":\""), uint(300), 1)
	f.Add([]byte("x"), uint(70_000), 2_000_000)
	f.Fuzz(func(t *testing.T, junk []byte, at uint, repeat int) {
		var text []byte
		var whole []string
		for i := range 8 {
			line := Line{Time: full.Time, Event: "e", Use: fmt.Sprint(i), Command: string(junk), Reason: strings.Repeat("r", i*200)}
			text = line.append(text)
		}
		where := int(at % uint(len(text)))
		before, after := bytes.LastIndexByte(text[:where], '\n')+1, len(text)
		if i := bytes.IndexByte(text[where:], '\n'); i >= 0 {
			after = where + i + 1
		}
		for i := range 8 { // those before and behind the place
			if n := bytes.Index(text, fmt.Appendf(nil, `"use":"%d"`, i)); n < before || n > after {
				whole = append(whole, fmt.Sprint(i))
			}
		}
		if repeat = min(max(repeat, 0), 3<<20) / max(len(junk), 1); repeat > 0 {
			junk = bytes.Repeat(junk, repeat)
		}
		spoiled := slices.Concat(text[:where], junk, text[where:])
		path := filepath.Join(t.TempDir(), "a.log")
		if err := os.WriteFile(path, spoiled, 0o600); err != nil {
			t.Fatal(err)
		}
		got, skipped := uses(t, path, true, 0)
		back, skippedBack := uses(t, path, false, 0)
		slices.Reverse(back)
		if !slices.Equal(got, back) || skipped != skippedBack {
			t.Errorf("forwards %q and %d, backwards %q and %d", got, skipped, back, skippedBack)
		}
		for _, use := range whole {
			if !slices.Contains(got, use) {
				t.Errorf("%s is not in %q", use, got)
			}
		}
	})
}

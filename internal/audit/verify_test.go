package audit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// chained writes a log of n lines, with files of some four lines.
func chained(t *testing.T, n int) Log {
	t.Helper()
	dir := t.TempDir()
	l := Log{Path: filepath.Join(dir, "audit.log"), Key: filepath.Join(dir, "audit.key"), MaxBytes: 500, Keep: 2}
	write(t, l, 0, n)
	return l
}

func write(t *testing.T, l Log, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		if err := l.Append(&Line{Time: time.Now(), Event: "before_tool_use", Use: fmt.Sprint(i), Command: "git push", Decision: "ask"}); err != nil {
			t.Fatal(err)
		}
	}
}

func verify(t *testing.T, l Log) *Report {
	t.Helper()
	r, err := l.Verify(Noted{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// told reports whether a log is told to be another one than was written.
func told(t *testing.T, l Log) bool {
	t.Helper()
	r, err := l.Verify(Noted{})
	return err != nil || !r.Whole() || len(r.Notes) > 0
}

// content is a log's files by their names.
func content(t *testing.T, l Log) map[string][]byte {
	t.Helper()
	names, err := aside(l.Path)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, name := range append(names, l.Path, headPath(l.Path)) {
		text, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if err == nil {
			files[name] = text
		}
	}
	return files
}

func TestWhole(t *testing.T) {
	for _, n := range []int{1, 2, 4, 5, 9, 40} {
		l := chained(t, n)
		r := verify(t, l)
		if !r.Whole() || len(r.Notes) > 0 || r.Older > 0 || int(r.Seq) != n || r.Lines != n-int(r.From)+1 || !r.Anew.IsZero() {
			t.Errorf("%d lines: %+v", n, r)
		}
		if n == 40 && (r.From == 1 || len(content(t, l)) < 3) {
			t.Errorf("the oldest files are not removed: the log begins with line %d", r.From)
		}
		if r, err := l.Verify(Noted{r.Seq, r.Mac[:ShortMac]}); err != nil || !r.Whole() {
			t.Errorf("its own head: %+v, %v", r, err)
		}
		if r, err := l.Verify(Noted{r.Seq, "0123456789abcdef"}); err != nil || r.Whole() {
			t.Errorf("another head: %+v, %v", r, err)
		}
		if r, err := l.Verify(Noted{r.Seq + 1, "0123456789abcdef"}); err != nil || r.Whole() {
			t.Errorf("a later head: %+v, %v", r, err)
		}
	}
}

// TestEveryEdit makes each small change of each file of a log, one at a time, and
// each is told.
func TestEveryEdit(t *testing.T) {
	l := chained(t, 0)
	l.MaxBytes = 200 // three lines
	for range 11 {
		must(t, l.Append(&Line{Time: time.Now(), Event: "x"}))
	}
	if told(t, l) {
		t.Fatalf("%+v", verify(t, l))
	}
	files := content(t, l)
	if len(files) != 4 || !bytes.Contains(files[l.Path], []byte("\n{")) {
		t.Fatalf("%d files: %q", len(files), files[l.Path])
	}
	additions := []string{"\n", "x", "{", `{"v":1,"time":"`, `{"v":1,"time":"2026-11-02T10:42:00Z","event":"session_end"}` + "\n"}
	edits := 0
	for name, text := range files {
		try := func(what string, edited []byte) {
			t.Helper()
			edits++
			if bytes.Equal(edited, text) {
				return
			}
			if err := os.WriteFile(name, edited, 0o600); err != nil {
				t.Fatal(err)
			}
			if !told(t, l) {
				t.Errorf("%s: %s is not told", filepath.Base(name), what)
			}
		}
		every := 1
		if raceEnabled {
			every = 17
		}
		for i := 0; i < len(text); i += every {
			for bit := range 8 {
				if name != l.Path && bit != i%8 { // all of them in one file
					continue
				}
				edited := bytes.Clone(text)
				edited[i] ^= 1 << bit
				try(fmt.Sprintf("bit %d of byte %d", bit, i), edited)
			}
			try(fmt.Sprintf("a cut to %d bytes", i), text[:i])
			try(fmt.Sprintf("byte %d taken out", i), slices.Delete(bytes.Clone(text), i, i+1))
			more := additions[i%len(additions)]
			try(fmt.Sprintf("%q put in at %d", more, i), slices.Insert(bytes.Clone(text), i, []byte(more)...))
		}
		rows := bytes.SplitAfter(text, []byte("\n"))
		for at, row := 0, 0; row < len(rows); at, row = at+len(rows[row]), row+1 {
			for _, more := range additions {
				try(fmt.Sprintf("%q put in at %d", more, at), slices.Insert(bytes.Clone(text), at, []byte(more)...))
			}
		}
		rows = rows[:len(rows)-1]
		for i := range rows {
			try(fmt.Sprintf("line %d taken out", i), bytes.Join(slices.Delete(slices.Clone(rows), i, i+1), nil))
			for j := range rows {
				swapped := slices.Clone(rows)
				swapped[i], swapped[j] = swapped[j], swapped[i]
				try(fmt.Sprintf("lines %d and %d in each other's place", i, j), bytes.Join(swapped, nil))
				try(fmt.Sprintf("line %d once more at %d", i, j), bytes.Join(slices.Insert(slices.Clone(rows), j, rows[i]), nil))
			}
			try(fmt.Sprintf("line %d once more at the end", i), append(bytes.Clone(text), rows[i]...))
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		if !told(t, l) {
			t.Errorf("that %s is removed is not told", filepath.Base(name))
		}
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d edits", edits)
	if told(t, l) {
		t.Error("the log is not what it was")
	}
}

// TestRandomEdits makes larger changes of a larger log: parts of it are moved,
// doubled, taken out, or come from another log with the same key.
func TestRandomEdits(t *testing.T) {
	l := chained(t, 300)
	l.MaxBytes, l.Keep = 20000, 0
	write(t, l, 300, 1000)
	other := l
	other.Path += ".other"
	write(t, other, 0, 200)
	foreign, err := os.ReadFile(other.Path)
	if err != nil {
		t.Fatal(err)
	}
	files := content(t, l)
	var names []string
	for name := range files {
		if name != headPath(l.Path) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	const seed = 1
	random := rand.New(rand.NewPCG(seed, seed))
	part := func(text []byte) (int, int) {
		a, b := random.IntN(len(text)+1), random.IntN(len(text)+1)
		if random.IntN(2) == 0 { // whole lines
			a, b = bytes.LastIndexByte(text[:a], '\n')+1, bytes.LastIndexByte(text[:b], '\n')+1
		}
		return min(a, b), max(a, b)
	}
	for i := range 400 {
		name := names[random.IntN(len(names))]
		text := files[name]
		a, b := part(text)
		c, d := part(foreign)
		var edited []byte
		switch i % 4 {
		case 0:
			edited = slices.Delete(bytes.Clone(text), a, b)
		case 1:
			edited = slices.Insert(bytes.Clone(text), b, text[a:b]...)
		case 2:
			edited = slices.Insert(bytes.Clone(text), a, foreign[c:d]...)
		case 3:
			edited = slices.Replace(bytes.Clone(text), a, b, foreign[c:d]...)
		}
		if bytes.Equal(edited, text) {
			continue
		}
		if err := os.WriteFile(name, edited, 0o600); err != nil {
			t.Fatal(err)
		}
		if !told(t, l) {
			t.Errorf("edit %d of %s is not told", i, filepath.Base(name))
		}
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if told(t, l) {
		t.Error("the log is not what it was")
	}
}

// What is told names the place and what happened there.
func TestFindings(t *testing.T) {
	edit := func(change func(rows []string) []string) func(*testing.T, Log) {
		return func(t *testing.T, l Log) {
			text, err := os.ReadFile(l.Path)
			if err != nil {
				t.Fatal(err)
			}
			rows := change(slices.Collect(strings.Lines(string(text))))
			if err := os.WriteFile(l.Path, []byte(strings.Join(rows, "")), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, test := range map[string]struct {
		change func(*testing.T, Log)
		want   string
	}{
		"edited": {edit(func(r []string) []string { r[3] = strings.Replace(r[3], "push", "pull", 1); return r }), "edited audit.log:4-4"},
		"two edited": {edit(func(r []string) []string {
			r[3] = strings.Replace(r[3], "push", "pull", 1)
			r[4] = strings.Replace(r[4], "push", "pull", 1)
			return r
		}), "edited audit.log:4-5"},
		"taken out":    {edit(func(r []string) []string { return slices.Delete(r, 2, 4) }), "missing audit.log:3-3"},
		"cut":          {edit(func(r []string) []string { return r[:8] }), "missing audit.log:0-0"},
		"once more":    {edit(func(r []string) []string { return slices.Insert(r, 6, r[2]) }), "order audit.log:7-7"},
		"put in":       {edit(func(r []string) []string { return slices.Insert(r, 6, r[2][:len(r[2])-45]+"}\n") }), "inserted audit.log:7-7"},
		"half put in":  {edit(func(r []string) []string { return slices.Insert(r, 6, r[2][:40]+"\n") }), "inserted audit.log:7-7"},
		"the head":     {func(t *testing.T, l Log) { must(t, os.Remove(headPath(l.Path))) }, "head audit.log.head:0-0"},
		"the key":      {func(t *testing.T, l Log) { must(t, os.Remove(l.Key)) }, "key audit.key:0-0"},
		"another key":  {func(t *testing.T, l Log) { must(t, os.Remove(l.Key)); must(t, makeKey(l.Key)) }, "edited audit.log:1-10 head audit.log.head:0-0 key audit.key:0-0"},
		"all is gone":  {func(t *testing.T, l Log) { must(t, os.Remove(l.Path)) }, "missing audit.log:0-0"},
		"a new head":   {func(t *testing.T, l Log) { must(t, os.Remove(headPath(l.Path))); write(t, l, 10, 12) }, "head audit.log:11-11"},
		"cut and on":   {func(t *testing.T, l Log) { must(t, os.Truncate(l.Path, 700)); write(t, l, 10, 12) }, "missing audit.log:6-6 inserted audit.log:5-5"},
		"written over": {func(t *testing.T, l Log) { must(t, os.Truncate(l.Path, 0)); write(t, l, 10, 12) }, "missing audit.log:1-1"},
		"without a key": {func(t *testing.T, l Log) {
			l.Key = ""
			write(t, l, 10, 11)
			l.Key = filepath.Join(filepath.Dir(l.Path), "audit.key")
			write(t, l, 11, 13)
		}, "unchained audit.log:11-11"},
		"without a key at the end": {func(t *testing.T, l Log) { l.Key = ""; write(t, l, 10, 11) }, "unchained audit.log:11-11"},
	} {
		t.Run(name, func(t *testing.T) {
			l := chained(t, 0)
			l.MaxBytes = 0
			write(t, l, 0, 10)
			test.change(t, l)
			var got []string
			for _, f := range verify(t, l).Findings {
				got = append(got, fmt.Sprintf("%s %s:%d-%d", f.Kind, filepath.Base(f.File), f.Line, f.To))
			}
			if text := strings.Join(got, " "); text != test.want {
				t.Errorf("found %s, want %s", text, test.want)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What a crash leaves is told as that, and the next line heals it.
func TestCrash(t *testing.T) {
	for name, test := range map[string]struct {
		crash func(t *testing.T, l Log)
		notes int // once the next line is written
	}{
		"between the line and the head": {func(t *testing.T, l Log) {
			head, err := os.ReadFile(headPath(l.Path))
			must(t, err)
			write(t, l, 10, 11)
			must(t, os.WriteFile(headPath(l.Path), head, 0o600))
		}, 0},
		"twice": {func(t *testing.T, l Log) {
			head, err := os.ReadFile(headPath(l.Path))
			must(t, err)
			write(t, l, 10, 12)
			must(t, os.WriteFile(headPath(l.Path), head, 0o600))
		}, 0},
		"within the line":    {func(t *testing.T, l Log) { half(t, l, 60) }, 1},
		"before its end":     {func(t *testing.T, l Log) { half(t, l, 1) }, 0},
		"before its code":    {func(t *testing.T, l Log) { half(t, l, 44) }, 1},
		"within its mac":     {func(t *testing.T, l Log) { half(t, l, 20) }, 1},
		"before its bracket": {func(t *testing.T, l Log) { half(t, l, 2) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			l := chained(t, 0)
			l.MaxBytes = 0
			write(t, l, 0, 10)
			test.crash(t, l)
			if r := verify(t, l); !r.Whole() {
				t.Errorf("before: %+v", r)
			}
			write(t, l, 11, 14)
			if r := verify(t, l); !r.Whole() || len(r.Notes) != test.notes {
				t.Errorf("after: %+v", r)
			}
		})
	}
}

// half leaves a line that lacks its last bytes, as a full disk does.
func half(t *testing.T, l Log, lacks int) {
	t.Helper()
	head, err := os.ReadFile(headPath(l.Path))
	must(t, err)
	write(t, l, 10, 11)
	info, err := os.Stat(l.Path)
	must(t, err)
	must(t, os.Truncate(l.Path, info.Size()-int64(lacks)))
	must(t, os.WriteFile(headPath(l.Path), head, 0o600))
}

// Lines from before the chain are told, and those in the file in which it begins
// are part of it.
func TestOlderLines(t *testing.T) {
	l := chained(t, 0)
	key := l.Key
	l.Key, l.MaxBytes = "", 300
	write(t, l, 0, 7)
	l.Key = key
	write(t, l, 7, 12)
	r := verify(t, l)
	if !r.Whole() || r.Older == 0 || r.Lines != 5 || r.From != 1 {
		t.Fatalf("%+v", r)
	}
	if old, err := aside(l.Path); err != nil || len(old) == 0 {
		t.Fatal("nothing was put aside")
	}
}

// What can't be chained is written all the same.
func TestUnchained(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, l *Log){
		"the key is open to others": func(t *testing.T, l *Log) { must(t, os.Chmod(l.Key, 0o644)) },
		"the key is cut":            func(t *testing.T, l *Log) { must(t, os.Truncate(l.Key, 10)) },
		"the key is empty":          func(t *testing.T, l *Log) { must(t, os.Truncate(l.Key, 0)) },
		"the key can't be made":     func(t *testing.T, l *Log) { l.Key = filepath.Join(l.Path, "key") },
		"the key is a directory":    func(t *testing.T, l *Log) { l.Key = filepath.Dir(l.Path) },
		"the head is a directory": func(t *testing.T, l *Log) {
			must(t, os.Remove(headPath(l.Path)))
			must(t, os.Mkdir(headPath(l.Path), 0o700))
		},
		"the head is somebody's link": func(t *testing.T, l *Log) {
			must(t, os.Rename(headPath(l.Path), l.Path+"x"))
			must(t, os.Symlink(l.Path+"x", headPath(l.Path)))
		},
		"the head is locked": func(t *testing.T, l *Log) {
			c, err := l.lock(2) // LOCK_EX
			must(t, err)
			t.Cleanup(c.close)
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := chained(t, 0)
			l.MaxBytes = 0
			write(t, l, 0, 3)
			before := len(read(t, l.Path))
			spoil(t, &l)
			if why := l.Unchainable(); (why != nil) != (name != "the head is locked") {
				t.Errorf("looked at before: %v", why)
			}
			err := l.Append(&full)
			var unchained *UnchainedError
			if !errors.As(err, &unchained) {
				t.Fatalf("the error is %v", err)
			}
			if after := len(read(t, l.Path)); after != before+1 {
				t.Errorf("%d lines after %d", after, before)
			}
		})
	}
}

// FuzzVerify lets any text be the log and its head: a line that is written then is
// a line of its own behind it, all of the text is still there, and what was no log
// before does not become one.
func FuzzVerify(f *testing.F) {
	dir := f.TempDir()
	l := Log{Path: filepath.Join(dir, "audit.log"), Key: filepath.Join(dir, "audit.key")}
	for range 4 {
		if err := l.Append(&full); err != nil {
			f.Fatal(err)
		}
	}
	text, err := os.ReadFile(l.Path)
	if err != nil {
		f.Fatal(err)
	}
	head, err := os.ReadFile(headPath(l.Path))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text, head)
	f.Add(text[:len(text)-1], head)
	f.Add(text[:300], head)
	f.Add([]byte("\n\n{\n"), head[:40])
	f.Add([]byte(`,"seq":1,"mac":"00000000000000000000000000000000"}`), []byte{})
	f.Add(append(bytes.Clone(text), text...), bytes.Repeat([]byte("0"), 600))
	f.Fuzz(func(t *testing.T, text, head []byte) {
		must(t, os.WriteFile(l.Path, text, 0o600))
		must(t, os.WriteFile(headPath(l.Path), head, 0o600))
		before, err := l.Verify(Noted{})
		if err != nil {
			t.Fatal(err)
		}
		must(t, l.Append(&full))
		now, err := os.ReadFile(l.Path)
		must(t, err)
		if !bytes.HasPrefix(now, text) {
			t.Fatal("the text is not there any more")
		}
		last := bytes.TrimSuffix(now[bytes.LastIndexByte(now[:len(now)-1], '\n')+1:], []byte("\n"))
		if line, err := Parse(last); err != nil || line.Use != full.Use {
			t.Fatalf("the last line is %q", last)
		}
		after, err := l.Verify(Noted{})
		if err != nil {
			t.Fatal(err)
		}
		if after.Whole() && after.Lines <= before.Lines {
			t.Errorf("before %+v, after %+v", before, after)
		}
	})
}

// A head is written as it has been from the beginning.
func TestHead(t *testing.T) {
	h := head{tip: tip{12, [macLength]byte{1, 0xab}}, inode: 34, size: 1 << 40, before: tip{5, [macLength]byte{0xff}}}
	key := []byte("key")
	text := h.append(nil, key)
	want := fmt.Sprintf("%s %020d %x %020d %020d %020d %x ", headName, h.seq, h.mac, h.inode, h.size, h.before.seq, h.before.mac)
	mac := sum(key, [macLength]byte{}, nil, []byte(want))
	if want += fmt.Sprintf("%x\n", mac); string(text) != want {
		t.Errorf("%q, want %q", text, want)
	}
	if got, ok := parseHead(text, key); !ok || got != h {
		t.Errorf("read back: %+v, %v", got, ok)
	}
	for i := range text {
		changed := bytes.Clone(text)
		changed[i] ^= 1
		if _, ok := parseHead(changed, key); ok {
			t.Errorf("read with another byte at %d: %q", i, changed)
		}
		if _, ok := parseHead(text[:i], key); ok {
			t.Errorf("read as far as byte %d", i)
		}
	}
	if _, ok := parseHead(append(bytes.Clone(text), ' '), key); ok {
		t.Error("read with more behind it")
	}
}

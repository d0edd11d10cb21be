//go:build unix

package folder

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What is read back is what was written.
func TestRoundTrip(t *testing.T) {
	for _, q := range []Question{
		{ID: "a", Command: ""},
		{ID: "a-B_9", Command: "echo 'ä' \"\\\n\t\x7f\u2028", Cwd: "/w/sub", Workspace: "/w", Session: "s", Shell: "zsh", Asks: "why", Corruption: 3, Secret: 1, Damaged: true},
	} {
		got, err := ParseQuestion(q.Append(nil), q.ID)
		if err != nil || got != q {
			t.Errorf("%+v became %+v (%v)", q, got, err)
		}
	}
	for _, a := range []Answer{{ID: "a"}, {ID: "a", Allow: true, Reason: "x\n\"", Sum: "s"}} {
		got, err := ParseAnswer(a.Append(nil), a.ID, a.Sum)
		if err != nil || got != a {
			t.Errorf("%+v became %+v (%v)", a, got, err)
		}
	}
	p := Pulse{At: time.Date(2026, 11, 24, 1, 2, 3, 4, time.UTC), Life: 5 * time.Minute}
	got, err := ParsePulse(p.Append(nil))
	if err != nil || got != p {
		t.Errorf("%+v became %+v (%v)", p, got, err)
	}
}

func TestFresh(t *testing.T) {
	p := Pulse{At: time.Date(2026, 11, 24, 1, 2, 3, 4, time.UTC)}
	for age, want := range map[time.Duration]bool{0: true, 9 * time.Second: true, 11 * time.Second: false, -9 * time.Second: true, -11 * time.Second: false} {
		if p.Fresh(p.At.Add(age)) != want {
			t.Errorf("after %v", age)
		}
	}
}

// What JSON can't say would be another command where it arrives, and what is too
// long is not read there: neither is sent.
func TestAskLimits(t *testing.T) {
	dir := served(t)
	if _, err := Ask(dir, Question{Command: strings.Repeat("x", MaxQuestion)}, time.Second, nil); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Error(err)
	}
	if _, err := Ask(dir, Question{Command: "ls \xff"}, time.Second, nil); err == nil || !strings.Contains(err.Error(), "no text") {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir + "/requests"); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
}

// served is a directory that somebody seems to serve.
func served(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{Requests, Responses} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	pulse := Pulse{At: time.Now(), Life: time.Minute}
	if err := os.WriteFile(filepath.Join(dir, Alive), pulse.Append(nil), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// answering is a server that does with each question what answer says.
func answering(t *testing.T, dir string, answer func(id, path string, sum string)) {
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
			entries, _ := os.ReadDir(filepath.Join(dir, Requests))
			for _, e := range entries {
				if id, ok := strings.CutSuffix(e.Name(), ".json"); ok {
					if data, err := os.ReadFile(filepath.Join(dir, Requests, e.Name())); err == nil {
						os.Remove(filepath.Join(dir, Requests, e.Name()))
						answer(id, filepath.Join(dir, Responses, e.Name()), Sum(data))
					}
				}
			}
		}
	}()
	t.Cleanup(func() { close(stop); <-done })
}

// Nothing but the answer to this question, whole and plain, lets a command run.
func TestAnswers(t *testing.T) {
	put := func(path, text string) {
		os.WriteFile(path+".tmp", []byte(text), 0o644)
		os.Rename(path+".tmp", path)
	}
	good := func(id, sum string) string {
		return `{"decision":"allow","reason":"r","request_id":"` + id + `","sum":"` + sum + `"}`
	}
	for name, row := range map[string]struct {
		answer func(id, path, sum string)
		err    string // "" = allowed
	}{
		"good":         {func(id, path, sum string) { put(path, good(id, sum)) }, ""},
		"another id":   {func(id, path, sum string) { put(path, good("x"+id, sum)) }, "it answers"},
		"another sum":  {func(id, path, sum string) { put(path, good(id, Sum(nil))) }, "another text"},
		"no sum":       {func(id, path, sum string) { put(path, `{"decision":"allow","request_id":"`+id+`"}`) }, "another text"},
		"empty":        {func(id, path, sum string) { put(path, "") }, "nothing to read"},
		"{}":           {func(id, path, sum string) { put(path, "{}") }, "it answers"},
		"cut":          {func(id, path, sum string) { put(path, good(id, sum)[:60]) }, "ends inside"},
		"needs_human":  {func(id, path, sum string) { put(path, strings.Replace(good(id, sum), "allow", "needs_human", 1)) }, "not allow or deny"},
		"Allow":        {func(id, path, sum string) { put(path, strings.Replace(good(id, sum), "allow", "Allow", 1)) }, "not allow or deny"},
		"true":         {func(id, path, sum string) { put(path, strings.Replace(good(id, sum), `"allow"`, "true", 1)) }, "want a string"},
		"no decision":  {func(id, path, sum string) { put(path, strings.Replace(good(id, sum), `"decision":"allow",`, "", 1)) }, "not allow or deny"},
		"two":          {func(id, path, sum string) { put(path, `{"decision":"deny",`+good(id, sum)[1:]) }, "a second time"},
		"Error: text":  {func(id, path, sum string) { put(path, "Error: timed out") }, "not JSON"},
		"wrapped":      {func(id, path, sum string) { put(path, `{"result":`+good(id, sum)+`}`) }, "unknown key"},
		"oversized":    {func(id, path, sum string) { put(path, good(id, sum)+strings.Repeat(" ", MaxAnswer)) }, "larger than"},
		"a directory":  {func(id, path, sum string) { os.Mkdir(path, 0o755) }, "no regular file"},
		"a pipe":       {func(id, path, sum string) { syscall.Mkfifo(path, 0o644) }, "no regular file"},
		"a link":       {func(id, path, sum string) { put(path+".x", good(id, sum)); os.Symlink(path+".x", path) }, "no regular file"},
		"two names":    {func(id, path, sum string) { put(path+".x", good(id, sum)); os.Link(path+".x", path) }, "another name"},
		"nothing":      {func(id, path, sum string) {}, "no answer within"},
		"another file": {func(id, path, sum string) { put(path+"x", good(id, sum)) }, "no answer within"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := served(t)
			answering(t, dir, row.answer)
			a, err := Ask(dir, Question{Command: "git push"}, time.Second, nil)
			if (err == nil) != (row.err == "") || a.Allow != (row.err == "") || err != nil && !strings.Contains(err.Error(), row.err) {
				t.Errorf("%+v, %v", a, err)
			}
			if left, _ := os.ReadDir(dir + "/requests"); len(left) > 0 {
				t.Errorf("it leaves %v", left)
			}
		})
	}
}

// Whoever ends the wait is told no, and nobody is asked for them any more.
func TestStopped(t *testing.T) {
	dir := served(t)
	stop := make(chan os.Signal, 1)
	time.AfterFunc(100*time.Millisecond, func() { stop <- syscall.SIGTERM })
	start := time.Now()
	a, err := Ask(dir, Question{Command: "git push"}, time.Minute, stop)
	if a.Allow || err == nil || !strings.Contains(err.Error(), "terminated") || time.Since(start) > 10*time.Second {
		t.Errorf("%+v, %v", a, err)
	}
	if left, _ := os.ReadDir(dir + "/requests"); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
}

// Where nobody serves a folder, nothing is asked there.
func TestNobody(t *testing.T) {
	ask := func(dir, want string) {
		t.Helper()
		start := time.Now()
		a, err := Ask(dir, Question{Command: "git push"}, time.Minute, nil)
		if a.Allow || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v, %v", a, err)
		}
		if took := time.Since(start); took > 15*time.Second {
			t.Errorf("after %v", took)
		}
	}
	ask(t.TempDir()+"/none", "nobody serves")
	dir := served(t)
	alive := filepath.Join(dir, Alive)
	for _, age := range []time.Duration{time.Minute, -time.Minute} {
		pulse := Pulse{At: time.Now().Add(-age), Life: time.Minute}
		os.WriteFile(alive, pulse.Append(nil), 0o644)
		ask(dir, "nobody serves")
	}
	for _, text := range []string{"", "{}", `{"v":1}`, `{"v":2,"at":"2026-11-24T01:02:03Z","life_ms":1}`, `{"v":1,"at":"now","life_ms":1}`} {
		os.WriteFile(alive, []byte(text), 0o644)
		ask(dir, "nobody serves")
	}
	os.Rename(alive, alive+".x")
	os.Symlink(alive+".x", alive)
	ask(dir, "nobody serves")

	// It goes away while somebody waits.
	os.Remove(alive)
	pulse := Pulse{At: time.Now(), Life: time.Minute}
	os.WriteFile(alive, pulse.Append(nil), 0o644)
	ask(dir, "any more")
}

// Whatever stands in a file, a question that is understood is the one that every
// other reader of JSON finds there.
func FuzzQuestion(f *testing.F) {
	q := Question{ID: "id", Command: "ls", Cwd: "/w", Asks: "x", Secret: 2}
	f.Add(q.Append(nil))
	f.Add([]byte(`{"command":"ls","request_id":"id","type":"security:bash_check","v":1}`))
	f.Add([]byte(`{"type":"security:bash_check","request_id":"id","command":"a","command":"b"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		q, err := ParseQuestion(data, "id")
		if err != nil {
			return
		}
		var other struct {
			Type    string `json:"type"`
			ID      string `json:"request_id"`
			Command *string
			Cwd     string
		}
		if err := json.Unmarshal(data, &other); err != nil || other.Type != Type || other.ID != "id" || other.Command == nil || *other.Command != q.Command || other.Cwd != q.Cwd {
			t.Errorf("%q: %+v, %+v (%v)", data, q, other, err)
		}
	})
}

// Whatever stands in a file, it allows only where it says so of this question.
func FuzzAnswer(f *testing.F) {
	a := Answer{ID: "id", Allow: true, Reason: "r", Sum: "sum"}
	f.Add(a.Append(nil))
	a.Allow = false
	f.Add(a.Append(nil))
	f.Add([]byte(`{"decision":"needs_human","request_id":"id","sum":"sum"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := ParseAnswer(data, "id", "sum")
		if err != nil && a != (Answer{}) {
			t.Errorf("%q: %+v with %v", data, a, err)
		}
		if !a.Allow {
			return
		}
		var other map[string]string
		if err := json.Unmarshal(data, &other); err != nil || other["decision"] != "allow" || other["request_id"] != "id" || other["sum"] != "sum" {
			t.Errorf("%q allows: %v (%v)", data, other, err)
		}
	})
}

// No beginning of an answer, and none with a byte changed, allows what is denied.
func TestMutations(t *testing.T) {
	deny := Answer{ID: "id", Reason: "r", Sum: "sum"}
	text := deny.Append(nil)
	for i := range text {
		for b := range 256 {
			changed := bytes.Clone(text)
			changed[i] = byte(b)
			if a, _ := ParseAnswer(changed, "id", "sum"); a.Allow {
				t.Errorf("%q allows", changed)
			}
		}
	}
	allow := Answer{ID: "id", Allow: true, Reason: "r", Sum: "sum"}
	text = allow.Append(nil)
	for i := range len(text) - 1 { // but for the newline
		if a, _ := ParseAnswer(text[:i], "id", "sum"); a.Allow {
			t.Errorf("%q allows", text[:i])
		}
	}
}

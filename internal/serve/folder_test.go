//go:build unix

package serve

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/cli"
	"github.com/bashgate/bashgate/internal/folder"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/policy"
)

// dropped is a folder that is served.
type dropped struct {
	t      testing.TB
	dir    string
	home   string
	server *Server
	stop   func() error
	errs   *lockedText
}

// lockedText is a text that several write.
type lockedText struct {
	lock sync.Mutex
	text bytes.Buffer
}

func (l *lockedText) Write(data []byte) (int, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.text.Write(data)
}

func (l *lockedText) String() string {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.text.String()
}

func newDropped(t testing.TB, life time.Duration) *dropped {
	t.Helper()
	d := &dropped{t: t, dir: filepath.Join(t.TempDir(), "ipc"), home: t.TempDir(), errs: new(lockedText)}
	d.server = &Server{Life: life, Folders: []string{d.dir}, Process: &cli.Process{
		Name: "bashgated", Stderr: d.errs, Stdout: io.Discard,
		Getenv: func(name string) string { return map[string]string{"HOME": d.home}[name] },
		Getwd:  func() (string, error) { return d.home, nil },
		Exit:   func(status int) { panic(fmt.Sprint("the server ends with ", status)) },
	}}
	return d
}

// alone makes that no question waits for a person: each is denied at once.
const alone = "[approvals]\nrequests = \"off\"\n"

// config writes the user's settings.
func (d *dropped) config(text string) {
	d.t.Helper()
	path := filepath.Join(d.home, ".config", "bashgate", "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

func (d *dropped) start() {
	d.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- d.server.Serve(ctx) }()
	d.stop = sync.OnceValue(func() error { cancel(); return <-done })
	d.t.Cleanup(func() {
		if err := d.stop(); err != nil {
			d.t.Error(err)
		}
	})
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(d.dir + "/alive"); err == nil {
			return
		}
		select {
		case err := <-done:
			d.t.Fatal("the server has ended: ", err)
		default:
		}
		if time.Now().After(end) {
			d.t.Fatal("nobody serves the folder")
		}
	}
}

func (d *dropped) path(id string) string { return d.dir + "/requests/" + id + ".json" }

// put puts a question as containers do.
func (d *dropped) put(id, text string) {
	d.t.Helper()
	temporary := d.dir + "/requests/.tmp-" + id
	if err := os.WriteFile(temporary, []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
	if err := os.Rename(temporary, d.path(id)); err != nil {
		d.t.Fatal(err)
	}
}

// answer waits for the answer to a question, "" if there is none in time.
func (d *dropped) answer(id string, patience time.Duration) string {
	d.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if text, err := os.ReadFile(d.dir + "/responses/" + id + ".json"); err == nil {
			return string(text)
		}
	}
	return ""
}

func (d *dropped) want(id, decision, reason string) {
	d.t.Helper()
	text := d.answer(id, 5*time.Second)
	if !strings.HasPrefix(text, `{"decision":"`+decision+`","reason":"`) || !strings.Contains(text, reason) || !strings.Contains(text, `"request_id":"`+id+`"`) {
		d.t.Errorf("%s: %s, want %s (%s)", id, text, decision, reason)
	}
}

func TestFolder(t *testing.T) {
	d := newDropped(t, 0)
	d.config(alone)
	d.start()
	const head = `{"type":"security:bash_check","request_id":"ID",`
	for i, row := range []struct{ text, decision, reason string }{
		{head + `"command":"git status"}`, "allow", "allowed by the rules"},
		{head + `"command":"git status","v":1,"cwd":"/w/sub","workspace":"/w","session":"s","shell":"bash"}`, "allow", ""},
		{`{"command":"git status","request_id":"ID","type":"security:bash_check"}`, "allow", ""},
		{head + `"command":"touch x","cwd":"/w"}`, "deny", "Writes x"},
		{head + `"command":""}`, "allow", "nothing runs"},
		{head + `"command":" \n\t "}`, "allow", "nothing runs"},
		{head + `"command":"\u00a0"}`, "deny", ""},
		{head + `"command":"rm -rf /"}`, "deny", "A whole directory of the system"},
		{head + `"command":"git push"}`, "deny", "nobody can be asked here"},
		{head + `"command":"git status","asks":"a link leads out"}`, "deny", "Asked about where it runs: a link leads out"},
		{head + `"command":"curl https://news.example/a","corruption":3,"secret":3}`, "deny", ""},
		{head + `"command":"curl https://news.example/a","damaged":true}`, "deny", ""},
		{head + `"command":"ls","corruption":3,"secret":3,"damaged":true}`, "allow", ""},
		{`{"type":"security:bash_check","command":"ls"}`, "deny", "error: no request_id"},
		{`{"type":"security:bash_check","request_id":"other","command":"ls"}`, "deny", "the file's name says"},
		{`{"type":"security:file_check","request_id":"ID","command":"ls"}`, "deny", "the type is"},
		{`{"request_id":"ID","command":"ls"}`, "deny", "the type is"},
		{`{"type":"security:bash_check","request_id":"ID"}`, "deny", "no command"},
		{head + `"command":null}`, "deny", "want a string"},
		{head + `"command":["ls"]}`, "deny", "want a string"},
		{head + `"command":"rm -rf /","command":"ls"}`, "deny", "a second time"},
		{head + `"command":"ls","Command":"rm -rf /"}`, "deny", "differ only in case"},
		{head + `"command":"ls","v":2}`, "deny", "version 1"},
		{head + `"command":"ls","force":true}`, "deny", "unknown key"},
		{head + `"command":"ls","cwd":"sub"}`, "deny", "absolute"},
		{head + `"command":"ls","cwd":"/w/../etc"}`, "deny", "absolute"},
		{head + `"command":"ls","corruption":4}`, "deny", "0 to 3"},
		{head + `"command":"ls","corruption":-1}`, "deny", "not negative"},
		{head + `"command":"ls","session":"` + strings.Repeat("x", 1001) + `"}`, "deny", "longer than"},
		{head + `"command":"ls","shell":"fish"}`, "deny", "bash, sh or zsh"},
		{head + `"command":"ls"}{}`, "deny", "second value"},
		{head + `"command":"ls"`, "deny", "ends"},
		{head + `"command":"ls`, "deny", "ends inside"},
		{head + "\"command\":\"ls\xff\"}", "deny", "UTF-8"},
		{`[]`, "deny", "want an object"},
		{``, "deny", "nothing to read"},
		{head + `"command":"ls ` + strings.Repeat("x", folder.MaxQuestion) + `"}`, "deny", "larger than"},
	} {
		id := fmt.Sprint("Row_", i)
		d.put(id, strings.Replace(row.text, "ID", id, 1))
		d.want(id, row.decision, row.reason)
		if _, err := os.Lstat(d.path(id)); err == nil {
			time.Sleep(50 * time.Millisecond)
			if _, err := os.Lstat(d.path(id)); err == nil {
				t.Errorf("%s is still there", id)
			}
		}
	}
	for _, id := range []string{strings.Repeat("x", 65), "a b", "ä", "a.b"} {
		d.put(id, `{"type":"security:bash_check","request_id":"`+id+`","command":"ls"}`)
	}
	time.Sleep(300 * time.Millisecond)
	if text := d.errs.String(); text != "" {
		t.Errorf("it complains: %s", text)
	}
	names, _ := os.ReadDir(d.dir + "/responses")
	for _, n := range names {
		if !strings.HasPrefix(n.Name(), "Row_") {
			t.Errorf("an answer called %s", n.Name())
		}
	}
}

// What is no plain file of somebody who counts is never read as one.
func TestStrangeFiles(t *testing.T) {
	d := newDropped(t, 0)
	d.start()
	text := func(id string) []byte {
		return []byte(`{"type":"security:bash_check","request_id":"` + id + `","command":"ls"}`)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(t.TempDir(), "secret")
	must(os.WriteFile(outside, text("link"), 0o644))
	must(os.Symlink(outside, d.path("link")))
	d.want("link", "deny", "no regular file")
	if got, _ := os.ReadFile(outside); !bytes.Equal(got, text("link")) {
		t.Error("what the link names was changed")
	}
	must(os.Symlink("nowhere", d.path("dangling")))
	d.want("dangling", "deny", "no regular file")
	must(syscall.Mkfifo(d.path("fifo"), 0o644))
	d.want("fifo", "deny", "no regular file")
	must(os.Mkdir(d.path("dir"), 0o755))
	d.want("dir", "deny", "no regular file")
	must(os.WriteFile(d.dir+"/requests/.two", text("hard"), 0o644))
	must(os.Link(d.dir+"/requests/.two", d.path("hard")))
	d.want("hard", "deny", "another name")
	if os.Geteuid() != 0 {
		t.Skip("files of other users are not tried: that needs root")
	}
	must(os.WriteFile(d.dir+"/requests/.foreign", text("foreign"), 0o644))
	must(os.Chown(d.dir+"/requests/.foreign", 12345, 12345))
	must(os.Rename(d.dir+"/requests/.foreign", d.path("foreign")))
	d.want("foreign", "deny", "another user")
}

// An id is answered once.
func TestFolderReplay(t *testing.T) {
	d := newDropped(t, 0)
	d.start()
	question := func(command string) string {
		return `{"type":"security:bash_check","request_id":"once","command":"` + command + `"}`
	}
	d.put("once", question("rm -rf /"))
	d.want("once", "deny", "")
	was := d.answer("once", time.Second)
	again := func() {
		t.Helper()
		d.put("once", question("ls"))
		for end := time.Now().Add(3 * time.Second); ; time.Sleep(time.Millisecond) {
			if _, err := os.Lstat(d.path("once")); err != nil {
				break
			}
			if time.Now().After(end) {
				t.Fatal("it is still there")
			}
		}
		if now := d.answer("once", time.Second); now != was {
			t.Errorf("answered again: %s", now)
		}
	}
	again()
	if err := d.stop(); err != nil {
		t.Fatal(err)
	}
	d.start() // the answer that lies there is known
	again()
}

// What lies there before the start is answered if somebody may still wait for it.
func TestBeforeTheStart(t *testing.T) {
	d := newDropped(t, time.Minute)
	if err := os.MkdirAll(d.dir+"/requests", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"young", "old"} {
		d.put(id, `{"type":"security:bash_check","request_id":"`+id+`","command":"ls"}`)
	}
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(d.path("old"), past, past); err != nil {
		t.Fatal(err)
	}
	d.start()
	d.want("young", "allow", "")
	d.want("old", "deny", "older than 1m0s")
}

func TestFolderTwice(t *testing.T) {
	d := newDropped(t, 0)
	d.start()
	other := &Server{Process: d.server.Process, Folders: []string{d.dir}}
	if err := other.Serve(t.Context()); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("is served already, by process %q", fmt.Sprint(os.Getpid()))) {
		t.Error(err)
	}
	for _, arg := range []string{"", "=/w", d.dir + "2=", d.dir + "2=w", d.dir + "2=/w/..", d.dir + "2=/none/there"} {
		other := &Server{Process: d.server.Process, Folders: []string{arg}}
		if err := other.Serve(t.Context()); err == nil {
			t.Errorf("%q is served", arg)
		}
	}
}

// Where the directories were exchanged, nobody is told that it is served.
func TestFolderExchanged(t *testing.T) {
	d := newDropped(t, 0)
	d.start()
	elsewhere := t.TempDir()
	os.WriteFile(elsewhere+"/old.json", []byte("x"), 0o644)
	past := time.Now().Add(-time.Hour)
	os.Chtimes(elsewhere+"/old.json", past, past)
	for _, name := range []string{"/requests", "/responses"} {
		if err := os.Rename(d.dir+name, d.dir+name+".was"); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(elsewhere, d.dir+name); err != nil {
			t.Fatal(err)
		}
	}
	was, _ := os.ReadFile(d.dir + "/alive")
	time.Sleep(folder.Beat + folder.Beat/2)
	if now, _ := os.ReadFile(d.dir + "/alive"); !bytes.Equal(was, now) {
		t.Error("it says that it is served")
	}
	if !strings.Contains(d.errs.String(), "another directory than at the start") {
		t.Errorf("no complaint: %s", d.errs)
	}
	if _, err := os.Stat(elsewhere + "/old.json"); err != nil {
		t.Error("a file elsewhere was taken away")
	}
}

// A container that asks without end gets its answers, as many as it may at a time.
func TestFolderFlood(t *testing.T) {
	d := newDropped(t, 0)
	lock, now, most := sync.Mutex{}, 0, 0
	d.server.deciding = func(gone <-chan struct{}, q *host.Question, wait time.Duration) cli.Reply {
		lock.Lock()
		now++
		most = max(most, now)
		lock.Unlock()
		time.Sleep(20 * time.Millisecond)
		lock.Lock()
		now--
		lock.Unlock()
		return cli.Reply{Decision: policy.Allow, Reason: "bashgate: x"}
	}
	d.start()
	const n = 3 * mostASecond
	start := time.Now()
	for i := range n {
		id := fmt.Sprint("f", i)
		d.put(id, `{"type":"security:bash_check","request_id":"`+id+`","command":"x"}`)
	}
	for i := range n {
		if d.answer(fmt.Sprint("f", i), 20*time.Second) == "" {
			t.Fatalf("no answer to %d", i)
		}
	}
	if took := time.Since(start); took < time.Second || most > mostWaiting {
		t.Errorf("%d questions in %v, %d at a time", n, took, most)
	}
}

// asking is a stand-in for a gate that puts what would be asked to a person.
func (d *dropped) asking(gone <-chan struct{}, q *host.Question, wait time.Duration) cli.Reply {
	queue := d.queue()
	r, _, err := queue.Ask(approval.Request{Bound: approval.Bound{Host: q.Request.Host, Session: q.Request.Session, Command: q.Request.Command}, Life: wait})
	if err != nil {
		return cli.Reply{Decision: policy.Block, Reason: err.Error()}
	}
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		select {
		case <-stop:
		case <-gone:
			queue.Answer(r.Code, approval.Answer{State: approval.Expired})
		}
	}()
	r, err = queue.Wait(r, wait)
	reply := cli.Reply{Decision: policy.Block, Code: r.Code, Reason: fmt.Sprint("bashgate: ", r.State, " ", err)}
	if err == nil && r.State == approval.Approved {
		reply.Decision = policy.Allow
	}
	return reply
}

func (d *dropped) queue() approval.Queue {
	q, err := d.server.Process.Requests()
	if err != nil {
		d.t.Fatal(err)
	}
	return q
}

// pending waits until one question waits for a person.
func (d *dropped) pending() *approval.Request {
	d.t.Helper()
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		list, _ := d.queue().Requests()
		for _, r := range list {
			if r.State == approval.Pending {
				return r
			}
		}
	}
	d.t.Fatal("nothing waits")
	return nil
}

// What a container takes back, and what waits while the server ends, expires.
func TestFolderGone(t *testing.T) {
	d := newDropped(t, time.Minute)
	d.server.deciding = d.asking
	d.start()
	d.put("back", `{"type":"security:bash_check","request_id":"back","command":"git push"}`)
	r := d.pending()
	if err := os.Remove(d.path("back")); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(3 * time.Second); ; time.Sleep(time.Millisecond) {
		if now, err := d.queue().Request(r.Code); err == nil && now.State == approval.Expired {
			break
		}
		if time.Now().After(end) {
			t.Fatal("it still waits")
		}
	}
	d.put("ends", `{"type":"security:bash_check","request_id":"ends","command":"git push"}`)
	d.pending()
	if err := d.stop(); err != nil {
		t.Fatal(err)
	}
	d.want("ends", "deny", "the server has ended")
	if _, err := os.Stat(d.dir + "/alive"); err == nil {
		t.Error("it says that it is served")
	}
}

// A panic denies, and ends nothing.
func TestFolderPanic(t *testing.T) {
	d := newDropped(t, 0)
	d.server.deciding = func(<-chan struct{}, *host.Question, time.Duration) cli.Reply { panic("x") }
	d.start()
	for _, id := range []string{"p1", "p2"} {
		d.put(id, `{"type":"security:bash_check","request_id":"`+id+`","command":"ls"}`)
		d.want(id, "deny", "internal error")
	}
}

// From a person's word to the released container, and what the rules cost.
func TestFolderTimes(t *testing.T) {
	d := newDropped(t, time.Minute)
	d.start()
	var took []time.Duration
	for i := range 60 {
		start := time.Now()
		a, err := folder.Ask(d.dir, folder.Question{Command: fmt.Sprint("git status ", i), Cwd: "/w"}, time.Minute, nil)
		if err != nil || !a.Allow {
			t.Fatal(a, err)
		}
		took = append(took, time.Since(start))
		time.Sleep(12 * time.Millisecond)
	}
	slices.Sort(took)
	t.Logf("an answer of the rules: p50 %v, p99 %v", took[len(took)/2], took[len(took)-1])
	if p50 := took[len(took)/2]; p50 > 200*time.Millisecond {
		t.Errorf("p50 is %v", p50)
	}
	if err := d.stop(); err != nil {
		t.Fatal(err)
	}
	d.server.deciding = d.asking
	d.start()
	took = nil
	for i := range 10 {
		released := make(chan time.Time, 1)
		go func() {
			a, err := folder.Ask(d.dir, folder.Question{Command: fmt.Sprint("git push ", i)}, time.Minute, nil)
			if err != nil || !a.Allow {
				t.Error(a, err)
			}
			released <- time.Now()
		}()
		r := d.pending()
		start := time.Now()
		if _, err := d.queue().Answer(r.Code, approval.Answer{State: approval.Approved, By: "t"}); err != nil {
			t.Fatal(err)
		}
		took = append(took, (<-released).Sub(start))
	}
	slices.Sort(took)
	t.Logf("from a person's answer to the released container: p50 %v, longest %v", took[len(took)/2], took[len(took)-1])
	if p50 := took[len(took)/2]; p50 > 500*time.Millisecond {
		t.Errorf("p50 is %v", p50)
	}
}

// Where an answer can't be written, as on a full disk, nobody is allowed anything,
// and the server goes on.
func TestFolderUnwritable(t *testing.T) {
	d := newDropped(t, 0)
	f, err := d.server.openFolder(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	f.files.responses.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- f.serve(ctx) }()
	defer func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		f.close()
	}()
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(d.dir + "/alive"); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("nobody serves the folder")
		}
	}
	for range 2 {
		if a, err := folder.Ask(d.dir, folder.Question{Command: "git status"}, 500*time.Millisecond, nil); err == nil || a.Allow || !strings.Contains(err.Error(), "no answer within 500ms") {
			t.Error(a, err)
		}
	}
	if text := d.errs.String(); strings.Count(text, "an answer: ") != 1 {
		t.Errorf("it complains: %q", text)
	}
}

// A person's word comes back as allow or deny, and none within the time as deny.
func TestFolderPerson(t *testing.T) {
	d := newDropped(t, 700*time.Millisecond)
	d.server.deciding = d.asking
	d.start()
	for _, row := range []struct {
		answer approval.State
		allow  bool
		reason string
	}{
		{approval.Approved, true, "approved"},
		{approval.Denied, false, "denied"},
		{approval.Expired, false, "expired"},
		{approval.None, false, "bashgate: nobody has answered "}, // nobody says anything
	} {
		answered := make(chan folder.Answer, 1)
		go func() {
			a, err := folder.Ask(d.dir, folder.Question{Command: fmt.Sprint("git push ", row.answer), Cwd: "/w"}, time.Minute, nil)
			if err != nil {
				t.Error(err)
			}
			answered <- a
		}()
		start, r := time.Now(), d.pending()
		if r.Host != "container" {
			t.Errorf("asked for %q", r.Host)
		}
		if row.answer != approval.None {
			if _, err := d.queue().Answer(r.Code, approval.Answer{State: row.answer, By: "t"}); err != nil {
				t.Fatal(err)
			}
		}
		a := <-answered
		if a.Allow != row.allow || !strings.Contains(a.Reason, row.reason) {
			t.Errorf("%v: %+v", row.answer, a)
		}
		if took := time.Since(start); row.answer == approval.None && (took < 500*time.Millisecond || took > 30*time.Second) {
			t.Errorf("an end after %v", took)
		}
	}
}

// A container names its sessions and directories as it likes, and takes questions
// back. A person gets no more of them for it, and others still get theirs.
func TestFolderFloodsNobody(t *testing.T) {
	d := newDropped(t, 0)
	d.start()
	const most, more = 20, 15 // of approval, and beyond
	for i := range most + more {
		id := fmt.Sprint("flood", i)
		d.put(id, fmt.Sprintf(`{"type":"security:bash_check","request_id":%q,"command":"git push","session":"s%d","workspace":"/w%d"}`, id, i, i))
	}
	answered := func() (n int) {
		for i := range most + more {
			text, err := os.ReadFile(fmt.Sprintf("%s/responses/flood%d.json", d.dir, i))
			if err == nil && !strings.Contains(string(text), `"deny"`) || err == nil && !strings.Contains(string(text), "too many questions wait") {
				t.Errorf("%s", text)
			}
			if err == nil {
				n++
			}
		}
		return n
	}
	for end := time.Now().Add(10 * time.Second); answered() < more && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
	}
	if n, waiting := answered(), pending(d.queue()); n != more || waiting != most {
		t.Errorf("%d are denied at once, %d wait", n, waiting)
	}
	if _, fresh, err := d.queue().Ask(approval.Request{Bound: approval.Bound{Host: "claude", Session: "claude-s", Command: "git push"}}); err != nil || !fresh {
		t.Errorf("nobody else gets a question: %v", err)
	}
}

package approval

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/system"
)

func (c *clock) queue() Queue { return Queue{c.Store} }

func question() Request {
	return Request{
		Bound: Bound{
			Host: "claude", Session: "claude-1", Command: "git push -f\n", Cwd: "/p/sub", Workspace: "/p",
			Env: []string{"PATH=1"}, Files: []string{"/p/x.sh=2"}, Does: []string{"sends"}, Labels: []string{"https://example.org/"}, Rules: []string{"git.push"},
		},
		ID: "1", Mode: "default", Shell: "bash", Why: []Why{{"git.push", "Sends commits", "rules/git.toml:3"}},
	}
}

func mustAsk(t *testing.T, q Queue, r Request) *Request {
	t.Helper()
	asked, fresh, err := q.Ask(r)
	if err != nil || !fresh {
		t.Fatalf("asking: fresh %v, %v", fresh, err)
	}
	return asked
}

func answer(t *testing.T, q Queue, code string, to State) {
	t.Helper()
	if _, err := q.Answer(code, Answer{State: to, By: "u", Channel: "terminal", Reason: "because"}); err != nil {
		t.Fatal(err)
	}
}

// An answer holds for what was asked, once, and for a while.
func TestRequest(t *testing.T) {
	for name, row := range map[string]struct {
		want   func(*Bound)
		change func(*clock, *Request)
		used   bool
	}{
		"as it is":               {nil, nil, true},
		"another byte":           {func(b *Bound) { b.Command = "git push -f" }, nil, false},
		"another agent":          {func(b *Bound) { b.Host = "codex" }, nil, false},
		"another session":        {func(b *Bound) { b.Session = "claude-2" }, nil, false},
		"another tool":           {func(b *Bound) { b.Tool = "Monitor" }, nil, false},
		"another directory":      {func(b *Bound) { b.Cwd = "/p" }, nil, false},
		"another workspace":      {func(b *Bound) { b.Workspace = "/p/sub" }, nil, false},
		"another variable":       {func(b *Bound) { b.Env = []string{"PATH=2"} }, nil, false},
		"no variable":            {func(b *Bound) { b.Env = nil }, nil, false},
		"a variable is a file":   {func(b *Bound) { b.Env, b.Files = nil, append([]string{"PATH=1"}, b.Files...) }, nil, false},
		"another script":         {func(b *Bound) { b.Files = []string{"/p/x.sh=3"} }, nil, false},
		"it has read more":       {func(b *Bound) { b.Labels = append(b.Labels[:1:1], "x") }, nil, false},
		"another rule asks":      {func(b *Bound) { b.Rules = []string{"git.force"} }, nil, false},
		"in time":                {nil, func(c *clock, _ *Request) { c.up += TicketLife }, true},
		"late":                   {nil, func(c *clock, _ *Request) { c.up += TicketLife + 1 }, false},
		"the clock goes back":    {nil, func(c *clock, _ *Request) { c.at = c.at.Add(-time.Hour) }, true},
		"the clock goes forth":   {nil, func(c *clock, _ *Request) { c.at = c.at.Add(time.Hour) }, true},
		"another boot":           {nil, func(c *clock, _ *Request) { c.boot = "two" }, false},
		"before the boot":        {nil, func(c *clock, _ *Request) { c.up = 0 }, false},
		"the boot is unknown":    {nil, func(c *clock, _ *Request) { c.boot = "" }, false},
		"thought again":          {nil, func(c *clock, r *Request) { answer(t, c.queue(), r.Code, Denied) }, false},
		"the file is open":       {nil, func(c *clock, r *Request) { os.Chmod(filepath.Join(c.Dir, r.file), 0o640) }, false},
		"the directory is":       {nil, func(c *clock, _ *Request) { os.Chmod(c.Dir, 0o755) }, false},
		"the file is cut":        {nil, func(c *clock, r *Request) { c.edit(t, r, func(s string) string { return s[:len(s)-1] }) }, false},
		"half of a line follows": {nil, func(c *clock, r *Request) { c.edit(t, r, func(s string) string { return s + `{"state":"us` }) }, false},
		"the command is another": {nil, func(c *clock, r *Request) {
			c.edit(t, r, func(s string) string { return strings.Replace(s, "-f", "-d", 1) })
		}, false},
		"a state out of its order": {nil, func(c *clock, r *Request) {
			c.edit(t, r, func(s string) string { return s + strings.SplitAfter(s, "\n")[1] })
		}, false},
		"a key stands twice": {nil, func(c *clock, r *Request) {
			c.edit(t, r, func(s string) string { return strings.Replace(s, `"by"`, `"state":"denied","by"`, 1) })
		}, false},
	} {
		c := newClock(t)
		q := c.queue()
		r := mustAsk(t, q, question())
		if got, err := q.Use(&r.Bound); got != nil || err != nil {
			t.Fatalf("%s: used before it is answered: %+v, %v", name, got, err)
		}
		answer(t, q, strings.ToLower(r.Code), Approved)
		want := r.Bound
		if row.want != nil {
			row.want(&want)
		}
		if row.change != nil {
			row.change(c, r)
		}
		used, err := q.Use(&want)
		if (used != nil) != row.used {
			t.Errorf("%s: used %v, %v", name, used != nil, err)
		}
		if used != nil && (used.State != Used || used.By != "u" || used.Channel != "terminal" || used.Reason != "because") {
			t.Errorf("%s: %+v", name, used)
		}
		if again, err := q.Use(&want); again != nil {
			t.Errorf("%s: used twice (%v)", name, err)
		}
	}
}

func (c *clock) edit(t *testing.T, r *Request, change func(string) string) {
	path := filepath.Join(c.Dir, r.file)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(change(string(text))), 0o600); err != nil {
		t.Fatal(err)
	}
}

// What has ended stays so.
func TestStates(t *testing.T) {
	c := newClock(t)
	q := c.queue()
	end := map[string]func(*Request){
		"denied":  func(r *Request) { answer(t, q, r.Code, Denied) },
		"expired": func(r *Request) { answer(t, q, r.Code, Expired) },
		"late":    func(*Request) { c.up += RequestLife + 1 },
		"used": func(r *Request) {
			answer(t, q, r.Code, Approved)
			if used, err := q.Use(&r.Bound); used == nil || err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, how := range end {
		ask := question()
		ask.Command = name
		r := mustAsk(t, q, ask)
		if same, fresh, err := q.Ask(ask); fresh || err != nil || same.Code != r.Code {
			t.Fatalf("%s: asked twice: %v, %v", name, fresh, err)
		}
		how(r)
		for _, to := range []State{Approved, Denied, Expired, Pending, Used, None} {
			if got, err := q.Answer(r.Code, Answer{State: to}); err == nil {
				t.Errorf("%s: became %v", name, got.State)
			}
		}
		if _, err := q.Answer(r.Code, Answer{State: Approved}); !errors.Is(err, ErrEnded) {
			t.Errorf("%s: %v", name, err)
		}
		if again := mustAsk(t, q, ask); again.Code == r.Code {
			t.Errorf("%s: the code is used again", name)
		}
	}
	if _, err := q.Answer("BCDE", Answer{State: Approved}); !errors.Is(err, ErrUnknown) {
		t.Errorf("a code with a vowel: %v", err)
	}
}

// Whoever puts many questions is asked no more.
func TestFull(t *testing.T) {
	q := newClock(t).queue()
	for i := range mostAsked {
		r := question()
		r.Command = fmt.Sprint(i)
		mustAsk(t, q, r)
	}
	if _, _, err := q.Ask(question()); !errors.Is(err, ErrFull) {
		t.Errorf("one too many: %v", err)
	}
	other := question()
	other.Session = "claude-2"
	mustAsk(t, q, other)

	// Where sessions are named as the asker likes, they are one asker's.
	for i := range mostAsked {
		r := question()
		r.Asker, r.Session, r.Workspace = "folder", fmt.Sprint("s", i), fmt.Sprint("/w", i)
		mustAsk(t, q, r)
	}
	other.Asker, other.Session = "folder", "one-more"
	if _, _, err := q.Ask(other); !errors.Is(err, ErrFull) {
		t.Errorf("one too many of many sessions: %v", err)
	}
	other.Asker = "another folder"
	mustAsk(t, q, other)
}

// A question that waits for an hour counts as long as it waits, one that is answered
// for as long after that as a short one waits.
func TestFullOfLongOnes(t *testing.T) {
	c := newClock(t)
	c.at = time.Now() // files are as old as the real clock says
	q := c.queue()
	var codes []string
	for i := range mostAsked {
		r := question()
		r.Command, r.Life = fmt.Sprint(i), time.Hour
		codes = append(codes, mustAsk(t, q, r).Code)
	}
	c.at, c.up = c.at.Add(RequestLife+time.Second), c.up+RequestLife+time.Second
	if _, _, err := q.Ask(question()); !errors.Is(err, ErrFull) {
		t.Errorf("one more than may wait: %v", err)
	}
	answer(t, q, codes[0], Denied)
	answer(t, q, codes[1], Approved)
	c.at, c.up = c.at.Add(RequestLife+time.Second), c.up+RequestLife+time.Second
	for range 2 {
		r := question()
		r.Command = rand.Text()
		mustAsk(t, q, r)
	}
	if _, _, err := q.Ask(question()); !errors.Is(err, ErrFull) {
		t.Errorf("one more than may wait, after two were answered: %v", err)
	}
}

// patiently tries again where the lock was not to be had for as long as a hook waits:
// two hundred of them at once may keep it longer on a machine that does much else.
func patiently(do func() error) (err error) {
	for range 100 {
		if err = do(); !errors.Is(err, system.ErrLocked) {
			break
		}
	}
	return err
}

// Two hundred hooks and three people: each answer is given once and used once.
func TestSideBySide(t *testing.T) {
	q := Queue{Store{Dir: filepath.Join(t.TempDir(), "requests")}}
	const questions, hooks, people = 10, 200, 3
	var fresh, used atomic.Int64
	answered := [questions]atomic.Int64{}
	codes := [questions]atomic.Value{}
	var wait, asking sync.WaitGroup
	asking.Add(hooks)
	for h := range hooks {
		wait.Go(func() {
			ask := question()
			ask.Command = fmt.Sprint(h % questions)
			var r *Request
			var isFresh bool
			err := patiently(func() (err error) { r, isFresh, err = q.Ask(ask); return err })
			asking.Done()
			if err != nil {
				t.Error(err)
				return
			}
			if isFresh {
				fresh.Add(1)
			}
			codes[h%questions].Store(r.Code)
			for range 300 {
				var got *Request
				if err := patiently(func() (err error) { got, err = q.Use(&r.Bound); return err }); err != nil {
					t.Error(err)
				} else if got != nil {
					used.Add(1)
					return
				}
				if now, err := q.Request(r.Code); err == nil && now.State == Used {
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
			t.Error("never answered")
		})
	}
	for range people {
		wait.Go(func() {
			asking.Wait()
			for i := range questions {
				for codes[i].Load() == nil {
					time.Sleep(time.Millisecond)
				}
				err := patiently(func() error {
					_, err := q.Answer(codes[i].Load().(string), Answer{State: Approved, By: "u"})
					return err
				})
				if err == nil {
					answered[i].Add(1)
				} else if !errors.Is(err, ErrEnded) {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	for i := range questions {
		if n := answered[i].Load(); n != 1 {
			t.Errorf("question %d was answered %d times", i, n)
		}
	}
	if used.Load() != questions || fresh.Load() != questions {
		t.Errorf("%d questions, asked %d times anew, used %d times", questions, fresh.Load(), used.Load())
	}
}

// Whoever waits hears soon, and no longer than the question lives.
func TestWait(t *testing.T) {
	q := Queue{Store{Dir: filepath.Join(t.TempDir(), "requests")}}
	r := mustAsk(t, q, question())
	time.AfterFunc(30*time.Millisecond, func() { q.Answer(r.Code, Answer{State: Denied, By: "u"}) })
	if got, err := q.Wait(r, time.Minute); err != nil || got.State != Denied {
		t.Errorf("%+v, %v", got, err)
	}
	ask := question()
	ask.Life = 40 * time.Millisecond
	if got, err := q.Wait(mustAsk(t, q, ask), time.Minute); err != nil || got.State != Expired {
		t.Errorf("%+v, %v", got, err)
	}
	ask.Life = time.Minute
	if got, err := q.Wait(mustAsk(t, q, ask), 20*time.Millisecond); err != nil || got.State != Pending {
		t.Errorf("%+v, %v", got, err)
	}
}

func FuzzRequest(f *testing.F) {
	r := question()
	r.Code = "BCDF"
	whole := string(r.append(nil))
	f.Add(whole)
	f.Add(whole + string((&Answer{State: Approved, By: "u"}).append(nil, moment{})))
	f.Fuzz(func(t *testing.T, text string) {
		r, err := parseRequest([]byte(text))
		if err != nil {
			return
		}
		if r.State == None || r.State == Approved && !strings.Contains(text, "approved") && !strings.Contains(text, `\u`) {
			t.Errorf("%q is %v", text, r.State)
		}
	})
}

// With a thousand open requests each step looks at names, and reads its own file.
func BenchmarkThousandOpen(b *testing.B) {
	q := Queue{Store{Dir: filepath.Join(b.TempDir(), "requests")}}
	var last *Request
	for i := range 1000 {
		r := question()
		r.Session, r.Command = fmt.Sprint("claude-", i/10), fmt.Sprint(i)
		asked, _, err := q.Ask(r)
		if err != nil {
			b.Fatal(err)
		}
		last = asked
	}
	other := question()
	other.Command = "another"
	for name, step := range map[string]func() error{
		"ask again":    func() error { _, _, err := q.Ask(*last); return err },
		"look in vain": func() error { _, err := q.Use(&other.Bound); return err },
		"by code":      func() error { _, err := q.Request(last.Code); return err },
		"list":         func() error { _, err := q.Requests(); return err },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := step(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

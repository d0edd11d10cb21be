package approval

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// clock is a store whose times can be set.
type clock struct {
	Store
	at   time.Time
	boot string
	up   time.Duration
}

func newClock(t *testing.T) *clock {
	c := &clock{at: time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC), boot: "one", up: time.Hour}
	c.Store = Store{
		Dir: filepath.Join(t.TempDir(), "answers"),
		Now: func() time.Time { return c.at },
		Up:  func() (string, time.Duration) { return c.boot, c.up },
	}
	return c
}

var push = Ticket{Command: "git push -f\n", Cwd: "/p/sub", Workspace: "/p", Session: "claude-1", By: "u at a terminal"}

func TestTicket(t *testing.T) {
	for name, row := range map[string]struct {
		want   func(*Ticket)
		change func(*clock)
		used   bool
	}{
		"as it is":            {nil, nil, true},
		"another byte":        {func(w *Ticket) { w.Command = "git push -f" }, nil, false},
		"another directory":   {func(w *Ticket) { w.Cwd = "/p" }, nil, false},
		"another workspace":   {func(w *Ticket) { w.Workspace = "/p/sub" }, nil, false},
		"another session":     {func(w *Ticket) { w.Session = "claude-2" }, nil, false},
		"no session":          {func(w *Ticket) { w.Session = "" }, nil, false},
		"in time":             {nil, func(c *clock) { c.at, c.up = c.at.Add(TicketLife), c.up+TicketLife }, true},
		"late":                {nil, func(c *clock) { c.at, c.up = c.at.Add(TicketLife+1), c.up+TicketLife+1 }, false},
		"the clock goes back": {nil, func(c *clock) { c.at = c.at.Add(-1) }, false},
		"late and set back":   {nil, func(c *clock) { c.up += TicketLife + time.Second }, false},
		"another boot":        {nil, func(c *clock) { c.boot = "two" }, false},
		"before the boot":     {nil, func(c *clock) { c.up = 0 }, false},
		"the boot is unknown": {nil, func(c *clock) { c.boot = "" }, false},
		"the file is open":    {nil, func(c *clock) { c.chmod(0o640) }, false},
		"the directory is":    {nil, func(c *clock) { os.Chmod(c.Dir, 0o755) }, false},
		"the file is a link":  {nil, func(c *clock) { c.link() }, false},
		"the file is no JSON": {nil, func(c *clock) { c.put("{") }, false},
		"the file is cut":     {nil, func(c *clock) { c.cut() }, false},
	} {
		c := newClock(t)
		if _, err := c.Issue(push); err != nil {
			t.Fatal(err)
		}
		want := push
		if row.want != nil {
			row.want(&want)
		}
		if row.change != nil {
			row.change(c)
		}
		got, err := c.Use(want)
		if (got != nil) != row.used {
			t.Errorf("%s: %v (%v)", name, got, err)
		}
		if got != nil && got.By != push.By {
			t.Errorf("%s: by %q", name, got.By)
		}
		if again, _ := c.Use(want); again != nil {
			t.Errorf("%s: used twice", name)
		}
		if strings.HasPrefix(name, "the file is ") || strings.HasPrefix(name, "the directory is") {
			if err == nil {
				t.Errorf("%s: no complaint", name)
			}
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func (c *clock) file() string {
	files, _ := filepath.Glob(c.Dir + "/once-*")
	return files[0]
}

func (c *clock) chmod(mode os.FileMode) { os.Chmod(c.file(), mode) }

func (c *clock) put(text string) { os.WriteFile(c.file(), []byte(text), 0o600) }

func (c *clock) cut() {
	text, _ := os.ReadFile(c.file())
	c.put(string(text[:len(text)-9]))
}

func (c *clock) link() {
	name := c.file()
	os.Rename(name, c.Dir+"/other")
	os.Symlink(c.Dir+"/other", name)
}

// A clock that jumps back after a ticket was seen too late does not bring it back.
func TestLateIsGone(t *testing.T) {
	c := newClock(t)
	c.boot = ""
	if _, err := c.Issue(push); err != nil {
		t.Fatal(err)
	}
	at := c.at
	c.at = at.Add(time.Hour)
	if got, _ := c.Use(push); got != nil {
		t.Error("a late ticket counts")
	}
	c.at = at.Add(time.Minute)
	if got, _ := c.Use(push); got != nil {
		t.Error("a late ticket came back")
	}
}

// However many look for a ticket, one gets it.
func TestOnce(t *testing.T) {
	c := newClock(t)
	for range 20 {
		if _, err := c.Issue(push); err != nil {
			t.Fatal(err)
		}
		var used atomic.Int32
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if got, _ := c.Use(push); got != nil {
					used.Add(1)
				}
			})
		}
		all.Wait()
		if used.Load() != 1 {
			t.Fatalf("used %d times", used.Load())
		}
	}
}

func TestSession(t *testing.T) {
	c := newClock(t)
	c.Now = nil
	text := []byte("[[programs]]\n")
	if got, err := c.Session("claude-1"); got != nil || err != nil {
		t.Errorf("nothing: %s, %v", got, err)
	}
	if err := c.SetSession("claude-1", text); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Session("claude-1"); string(got) != string(text) || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	if got, _ := c.Session("claude-2"); got != nil {
		t.Errorf("another session: %s", got)
	}
	if list, err := c.List(); len(list) != 1 || list[0].Session != "claude-1" || list[0].Over || err != nil {
		t.Errorf("%+v, %v", list, err)
	}
	for _, age := range []time.Duration{SessionLife + time.Minute, -time.Hour} {
		c.Now = func() time.Time { return time.Now().Add(age) }
		if got, _ := c.Session("claude-1"); got != nil {
			t.Errorf("after %v: %s", age, got)
		}
	}
	c.Now = nil
	os.Chmod(c.Dir+"/session-claude-1.toml", 0o644)
	if got, err := c.Session("claude-1"); got != nil || err == nil {
		t.Errorf("open to others: %s, %v", got, err)
	}
	if err := c.SetSession("claude-1", nil); err != nil {
		t.Error(err)
	}
	if err := c.SetSession("claude-1", nil); err != nil {
		t.Error(err)
	}
}

func TestForget(t *testing.T) {
	c := newClock(t)
	id, err := c.Issue(push)
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"once-", "once-*", "once-00000000", "x", "once-../x"} {
		if was, err := c.Forget(other); was || err != nil {
			t.Errorf("%s: %v, %v", other, was, err)
		}
	}
	if list, _ := c.List(); len(list) != 1 || list[0].ID != id || list[0].Ticket.Command != push.Command {
		t.Errorf("%+v", list)
	}
	if was, err := c.Forget(id); !was || err != nil {
		t.Errorf("%v, %v", was, err)
	}
	if got, _ := c.Use(push); got != nil {
		t.Error("it is still there")
	}
}

package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bashgate/bashgate/engine"
)

func newStore(t *testing.T) Store {
	t.Helper()
	return Store{Dir: filepath.Join(t.TempDir(), "bashgate")}
}

// once reads a log without patience.
func once(l log, events *[]Event) (exists bool, damage string) {
	_, exists, damage = l.readOnce(maxLog, func(text string) (int, error) {
		list, lines, err := eventsOf(text)
		if events != nil {
			*events = list
		}
		return lines, err
	})
	return exists, damage
}

func mustAppend(t *testing.T, s Store, name string, events ...Event) {
	t.Helper()
	if err := s.Append(name, events...); err != nil {
		t.Fatal(err)
	}
}

var (
	webPage   = Event{Kind: Seen, Corruption: 2, What: "WebFetch https://example.org", Use: "t1"}
	webSearch = Event{Kind: Seen, Corruption: 1, What: "WebSearch go", Use: "t2"}
	secret    = Event{Kind: Seen, Secret: 2, What: "cat .env", Use: "t3"}
)

func TestOpen(t *testing.T) {
	for _, row := range []struct{ state, home, want string }{
		{"/s", "/h", "/s/bashgate"},
		{"", "/h", "/h/.local/state/bashgate"},
		{"relative", "/h", "/h/.local/state/bashgate"},
		{"", "", ""},
		{"", "h", ""},
	} {
		s, err := Open(func(name string) string {
			return map[string]string{"XDG_STATE_HOME": row.state, "HOME": row.home}[name]
		})
		if s.Dir != row.want || (err == nil) != (row.want != "") {
			t.Errorf("%q, %q: %q, %v", row.state, row.home, s.Dir, err)
		}
	}
}

func TestName(t *testing.T) {
	long := strings.Repeat("a", 300)
	for _, row := range []struct{ id, want string }{
		{"", ""},
		{"7bca2281-2543", "claude-7bca2281-2543"},
		{"../../etc/x", "claude-%2E%2E%2F%2E%2E%2Fetc%2Fx"},
		{"A", "claude-%41"},
		{"a\x00\n", "claude-a%00%0A"},
		{long, "claude-" + long[:193] + "~300~65dc9549"},
	} {
		if got := Name("claude", row.id); got != row.want || len(got) > 240 {
			t.Errorf("%.20q: %s, want %s", row.id, got, row.want)
		}
	}
	if Name("claude", long) == Name("claude", long+"b") {
		t.Error("two long ids have one name")
	}
}

func TestLevels(t *testing.T) {
	for _, row := range []struct {
		name   string
		events []Event
		from   int
		want   engine.Taint
	}{
		{"nothing", nil, 2, engine.Taint{}},
		{"started", []Event{{Kind: Started}}, 2, engine.Taint{}},
		{"a pending page", []Event{webPage}, 2, engine.Taint{Corruption: 2}},
		{"a page", []Event{webPage, {Kind: Ran, Use: "t1"}}, 2, engine.Taint{Corruption: 2}},
		{"a search", []Event{webSearch}, 2, engine.Taint{}},
		{"a search that counts", []Event{webSearch}, 1, engine.Taint{Corruption: 1}},
		{"a page that does not", []Event{webPage}, 3, engine.Taint{}},
		{"both", []Event{webPage, secret}, 2, engine.Taint{Corruption: 2, Secret: 2}},
		{"denied", []Event{webPage, secret, {Kind: Denied, Use: "t1"}}, 2, engine.Taint{Secret: 2}},
		{"denied after it ran", []Event{webPage, {Kind: Ran, Use: "t1"}, {Kind: Denied, Use: "t1"}}, 2, engine.Taint{Corruption: 2}},
		{"another one denied", []Event{webPage, {Kind: Denied, Use: "t9"}}, 2, engine.Taint{Corruption: 2}},
		{"resumed", []Event{{Kind: Resumed}}, 2, engine.Taint{Damaged: true}},
		{"cleared", []Event{webPage, {Kind: Resumed}, {Kind: Cleared}}, 2, engine.Taint{}},
		{"cleared and read again", []Event{webPage, {Kind: Cleared}, secret}, 2, engine.Taint{Secret: 2}},
		{"started again", []Event{webPage, {Kind: Started}}, 2, engine.Taint{Corruption: 2}},
		{"a line of another list", []Event{{Kind: Wrote, What: "/x"}}, 2, engine.Taint{Damaged: true}},
	} {
		s := newStore(t)
		mustAppend(t, s, "claude-1", row.events...)
		state := s.Read("claude-1")
		if got := state.Taint(row.from); got != row.want {
			t.Errorf("%s: %+v (%s), want %+v", row.name, got, state.Damage, row.want)
		}
		if other := s.Read("claude-2"); other.Known || other.Taint(1) != (engine.Taint{}) {
			t.Errorf("%s: another session has %+v", row.name, other)
		}
	}
}

func TestModes(t *testing.T) {
	s := newStore(t)
	mustAppend(t, s, "claude-1", webPage)
	for path, want := range map[string]os.FileMode{
		"":                       0o700 | os.ModeDir,
		"sessions":               0o700 | os.ModeDir,
		"sessions/claude-1.log":  0o600,
		"sessions/claude-1.seal": 0o600,
	} {
		info, err := os.Stat(filepath.Join(s.Dir, path))
		if err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v; want %v", path, info.Mode(), err, want)
		}
	}
}

// Whatever is done to the files, the session is not cleaner than before.
func TestDamage(t *testing.T) {
	log := func(s Store) string { return filepath.Join(s.Dir, "sessions", "claude-1.log") }
	seal := func(s Store) string { return filepath.Join(s.Dir, "sessions", "claude-1.seal") }
	for _, row := range []struct {
		name string
		do   func(s Store) error
		want string
	}{
		{"the log is gone", func(s Store) error { return os.Remove(log(s)) }, "the record is gone"},
		{"the log is empty", func(s Store) error { return os.Truncate(log(s), 0) }, "the record is empty"},
		{"a line more that is none", func(s Store) error { return appendTo(log(s), []byte("x\n")) }, "line 3: "},
		{"others may write it", func(s Store) error { return os.Chmod(log(s), 0o622) }, "others could have written the record"},
		{"marked", func(s Store) error { return os.Chmod(log(s), markMode) }, "an event could not be written"},
		{"a directory", func(s Store) error { os.Remove(log(s)); return os.Mkdir(log(s), 0o700) }, "not a regular file"},
		{"a link", func(s Store) error { os.Rename(log(s), log(s)+".x"); return os.Symlink(log(s)+".x", log(s)) }, "the record is a link"},
		{"a link to nothing", func(s Store) error { os.Remove(log(s)); return os.Symlink("/nonexistent/x", log(s)) }, "no such file"},
		{"too large", func(s Store) error { return os.Truncate(log(s), maxLog+1) }, "larger than"},
		{"a seal that is longer", func(s Store) error { return appendTo(seal(s), []byte("xxx")) }, "the record has 2 of 5 lines"},
		{"the state is a file", func(s Store) error { os.RemoveAll(s.Dir); return os.WriteFile(s.Dir, nil, 0o600) }, "not a directory"},
	} {
		s := newStore(t)
		mustAppend(t, s, "claude-1", webPage)
		mustAppend(t, s, "claude-1", secret)
		if err := row.do(s); err != nil {
			t.Fatalf("%s: %v", row.name, err)
		}
		state := s.Read("claude-1")
		if !state.Taint(2).Damaged || !strings.Contains(state.Damage, row.want) {
			t.Errorf("%s: %+v, want %s", row.name, state, row.want)
		}
	}
}

// A log that is cut off at any byte shows it, but where nothing is missing.
func TestCutOff(t *testing.T) {
	s := newStore(t)
	path := filepath.Join(s.Dir, "sessions", "claude-1.log")
	for _, e := range []Event{{Kind: Started, What: "startup"}, webPage, secret} {
		mustAppend(t, s, "claude-1", e)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, damage := once(s.log("claude-1"), nil); damage == "" {
			t.Errorf("cut off after %d of %d bytes: nothing is wrong", n, len(whole))
		}
	}
}

// A hook that is killed while it writes leaves a part of its lines, and its
// seal unwritten. What the others write stays readable.
func TestPartOfAWrite(t *testing.T) {
	both := lines(webPage, secret)
	for n := range len(both) + 1 {
		s := newStore(t)
		mustAppend(t, s, "claude-1", Event{Kind: Started})
		if err := appendTo(s.log("claude-1").path, both[:n]); err != nil {
			t.Fatal(err)
		}
		mustAppend(t, s, "claude-1", Event{Kind: Seen, Secret: 3, What: "later"})
		var events []Event
		_, damage := once(s.log("claude-1"), &events)
		state := fold(events)
		// A line that lacks nothing but its end gets that by the next write.
		part := n > 0 && n < len(both) && both[n-1] != '\n' && both[n] != '\n'
		if (damage != "") != part {
			t.Errorf("%d of %d bytes: damage %q", n, len(both), damage)
		}
		if state.Taint(2).Secret != 3 {
			t.Errorf("%d of %d bytes: what was written later is lost: %+v", n, len(both), state)
		}
	}
}

// The clock may stand anywhere.
func TestClock(t *testing.T) {
	s := newStore(t)
	now := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	s.Now = func() time.Time { return now }
	mustAppend(t, s, "claude-1", webPage)
	for _, jump := range []time.Time{now.AddDate(-30, 0, 0), time.Unix(0, 0), {}, now.AddDate(100, 0, 0), now} {
		now = jump
		mustAppend(t, s, "claude-1", Event{Kind: Ran, Use: "t9"})
		if state := s.Read("claude-1"); state.Taint(2) != (engine.Taint{Corruption: 2}) {
			t.Errorf("at %v: %+v", jump, state)
		}
	}
}

func TestNoSession(t *testing.T) {
	s := newStore(t)
	if state := s.Read(""); !state.Taint(2).Damaged {
		t.Errorf("a session without an id: %+v", state)
	}
	if err := s.Append("", webPage); err == nil {
		t.Error("something was remembered of a session without an id")
	}
}

// Once an agent has told of a session that it begins, one of its sessions
// without a record has lost it.
func TestLost(t *testing.T) {
	s := newStore(t)
	if state := s.Read("claude-1"); state.Known || state.Lost || state.Damage != "" {
		t.Errorf("before: %+v", state)
	}
	for range 2 {
		if err := s.Begun("claude-1"); err != nil {
			t.Fatal(err)
		}
	}
	if state := s.Read("claude-2"); state.Known || !state.Lost || !state.Taint(2).Damaged {
		t.Errorf("after: %+v", state)
	}
	if state := s.Read("other-2"); state.Lost || state.Damage != "" {
		t.Errorf("another agent's: %+v", state)
	}
	mustAppend(t, s, "claude-2", Event{Kind: Started})
	if state := s.Read("claude-2"); state.Lost || state.Damage != "" {
		t.Errorf("with a record: %+v", state)
	}
	if names, err := s.Names(); err != nil || len(names) != 1 {
		t.Errorf("names %q, %v", names, err)
	}
}

// What a record says already is not written again, and a long one ends.
func TestNew(t *testing.T) {
	state := fold([]Event{webPage, {Kind: Seen, Secret: 2, What: "cat .env"}})
	for _, row := range []struct {
		name  string
		event Event
		want  bool
	}{
		{"the same use", webPage, false},
		{"the same in another use, while the first may not run", Event{Kind: Seen, Corruption: 2, What: webPage.What, Use: "t8"}, true},
		{"the same that was seen for certain", Event{Kind: Seen, Secret: 2, What: "cat .env", Use: "t8"}, false},
		{"weaker", Event{Kind: Seen, Secret: 1, What: "cat .env", Use: "t8"}, false},
		{"stronger", Event{Kind: Seen, Secret: 3, What: "cat .env", Use: "t8"}, true},
		{"another", Event{Kind: Seen, Secret: 2, What: "cat .env.local", Use: "t8"}, true},
	} {
		if got := len(state.New([]Event{row.event})) == 1; got != row.want {
			t.Errorf("%s: %v", row.name, got)
		}
	}
	for i := range maxLabels {
		state.Labels = append(state.Labels, Label{Corruption: 2, What: fmt.Sprint(i)})
	}
	if fresh := state.New([]Event{{Kind: Seen, Corruption: 2, What: "one more"}}); len(fresh) > 0 {
		t.Errorf("a full record takes %v", fresh)
	}
	if fresh := state.New([]Event{{Kind: Seen, Corruption: 3, What: "a stronger one"}}); len(fresh) != 1 {
		t.Error("a full record does not take what raises it")
	}
}

func TestClear(t *testing.T) {
	s := newStore(t)
	mustAppend(t, s, "claude-1", webPage)
	if err := os.Truncate(s.log("claude-1").path, 40); err != nil {
		t.Fatal(err)
	}
	if err := s.Clear("claude-1", "u at a terminal"); err != nil {
		t.Fatal(err)
	}
	if state := s.Read("claude-1"); !state.Known || state.Damage != "" || len(state.Labels) > 0 {
		t.Errorf("cleared: %+v", state)
	}
	mustAppend(t, s, "claude-1", secret)
	if state := s.Read("claude-1"); state.Taint(2) != (engine.Taint{Secret: 2}) {
		t.Errorf("after that: %+v", state)
	}
	if old, _ := filepath.Glob(s.log("claude-1").path + ".*.old"); len(old) != 1 {
		t.Errorf("what it held is in %q", old)
	}
	mustAppend(t, s, "claude-2", secret)
	if names, err := s.Names(); err != nil || len(names) != 2 {
		t.Errorf("names %q, %v", names, err)
	}
}

// What a record says of a label is found again.
func TestLabelEvent(t *testing.T) {
	now := time.Date(2026, 11, 30, 10, 42, 2, 5, time.UTC)
	s := newStore(t)
	s.Now = func() time.Time { return now }
	want := Event{Kind: Seen, Corruption: 2, Secret: 1, What: "WebFetch \"a\"", Why: "A page", Use: "t1", Agent: "a1", Asked: true}
	mustAppend(t, s, "claude-1", want)
	want.At = now
	another := want
	another.What = "another"
	state := s.ReadWith("claude-1", []Event{another})
	if len(state.Labels) != 2 || state.Labels[0].Event() != want || state.Labels[1].Event() != another {
		t.Errorf("%+v, want %+v and %+v", state.Labels, want, another)
	}
	if l := (Label{Secret: 2, What: "x"}); l.Event() != (Event{Kind: Seen, Secret: 2, What: "x"}) {
		t.Errorf("of no record: %+v", l.Event())
	}
}

package session

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/policy"
)

func at(second int) time.Time { return time.Date(2026, 11, 2, 10, 42, second, 5, time.UTC) }

var sample = []Event{
	{At: at(0), Kind: Started, What: "startup"},
	{At: at(1), Kind: Seen, Corruption: 2, What: "WebFetch https://example.org/\"a\"", Why: "Reads a page of the web", Use: "toolu_1", Agent: "a1"},
	{At: at(2), Kind: Ran, Use: "toolu_1"},
	{At: at(3), Kind: Seen, Secret: 3, Corruption: 1, What: "cat .env\n", Use: "toolu_2"},
	{At: at(4), Kind: Denied, Use: "toolu_2"},
	{At: at(5), Kind: Resumed, What: "fork"},
	{At: at(6), Kind: Cleared, What: "u at a terminal"},
	{At: at(7), Kind: Wrote, Corruption: 2, Secret: 2, What: "/w/" + strings.Repeat("x", 2*maxText), Pattern: true, Session: "claude-1"},
	{At: at(8), Kind: Cleaned, What: "/w"},
	{At: at(9), Kind: Trusted, Corruption: 2, What: "WebFetch example.org", Why: "u at a terminal"},
}

func lines(events ...Event) []byte {
	var text []byte
	for i := range events {
		text = appendEvent(text, &events[i])
	}
	return text
}

func TestLines(t *testing.T) {
	text := lines(sample...)
	events, n, err := eventsOf(string(text))
	if err != nil || n != len(sample) {
		t.Fatalf("%d lines, %v", n, err)
	}
	if diff := cmp.Diff(sample, events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if want := `{"v":1,"at":"2026-11-02T10:42:02.000000005Z","event":"ran","use":"toolu_1","sum":"`; !strings.Contains(string(text), "\n"+want) {
		t.Errorf("no line begins %s in:\n%s", want, text)
	}
	long := Event{Kind: Seen, Corruption: 2, What: strings.Repeat("é", maxText)}
	if got := policy.Clip(long.What, maxText); len(got) > maxText+3 || !strings.HasSuffix(got, "é...") {
		t.Errorf("cut to %q", got)
	}
}

func TestDamagedLines(t *testing.T) {
	good := string(lines(sample[1]))
	whole := func(body string) string { // with the right sum
		end := lineEnd(body)
		return "\n" + body + string(end[:]) + "\n"
	}
	for _, row := range []struct{ name, text, want string }{
		{"changed", strings.Replace(good, `"corruption":2`, `"corruption":1`, 1), "was changed"},
		{"no end", strings.TrimSuffix(good, "\n"), "the line has no end"},
		{"garbage", "garbage\n", "not written whole"},
		{"NUL", strings.Repeat("\x00", 4096) + "\n", "not written whole"},
		{"half and whole", good[:50] + good, "line 1: "},
		{"another version", whole(`{"v":2,"at":"2026-11-02T10:42:02Z","event":"ran"`), "another version"},
		{"unknown event", whole(`{"v":1,"at":"2026-11-02T10:42:02Z","event":"forgot"`), "unknown event"},
		{"unknown key", whole(`{"v":1,"at":"2026-11-02T10:42:02Z","event":"ran","forgets":"all"`), "another form"},
		{"level 4", whole(`{"v":1,"at":"2026-11-02T10:42:02Z","event":"seen","secret":4`), "another form"},
		{"level 0", whole(`{"v":1,"at":"2026-11-02T10:42:02Z","event":"seen","secret":0`), "another form"},
		{"no time", whole(`{"v":1,"at":"then","event":"ran"`), "parsing time"},
		{"keys in another order", whole(`{"v":1,"at":"2026-11-02T10:42:02Z","event":"seen","secret":2,"corruption":2`), "another form"},
		{"not UTF-8", whole("{\"v\":1,\"at\":\"2026-11-02T10:42:02Z\",\"event\":\"seen\",\"secret\":2,\"what\":\"\xff\""), "another form"},
		{"an escape that is none", whole(`{"v":1,"at":"2026-11-02T10:42:02Z","event":"seen","secret":2,"what":"\q"`), "another form"},
		{"no end of a text", whole(`{"v":1,"at":"2026-11-02T10:42:02Z","event":"seen","secret":2,"what":"a`), "another form"},
		{"key twice", whole(`{"v":1,"at":"2026-11-02T10:42:02Z","event":"ran","event":"seen"`), "another form"},
	} {
		if _, _, err := eventsOf(row.text); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %s", row.name, err, row.want)
		}
	}
}

// FuzzLines checks that whatever is in a log, what is read from it is written
// again in the same words, and that nothing is passed over in silence.
func FuzzLines(f *testing.F) {
	f.Add(lines(sample...))
	f.Add(lines(sample[1])[:60])
	f.Add([]byte(`{"v":1,"at":"2026-11-02T10:42:02Z","event":"wrote","what":"/w/a","pattern":true,"secret":2`))
	f.Add([]byte("\n\n{}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		end := lineEnd(string(text))
		var e Event
		if _, err := e.read(string(text) + string(end[:])); err == nil {
			text = append(text, lines(e)...)
		}
		events, n, err := eventsOf(string(text))
		if err == nil && n != len(events) {
			t.Fatalf("%d of %d lines, and nothing is wrong", len(events), n)
		}
		again, n, err := eventsOf(string(lines(events...)))
		if err != nil || n != len(events) {
			t.Fatalf("written again: %d of %d lines, %v", n, len(events), err)
		}
		for i := range events {
			events[i].At = events[i].At.UTC()
		}
		if len(events) > 0 {
			if diff := cmp.Diff(clipped(events), again); diff != "" {
				t.Fatalf("written again (-read +again):\n%s", diff)
			}
		}
	})
}

// clipped cuts texts as they are when they are written.
func clipped(events []Event) []Event {
	for i := range events {
		e := &events[i]
		if e.Kind != Wrote && e.Kind != Cleaned && e.Kind != Committed {
			e.What = policy.Clip(e.What, maxText)
		}
		e.Why, e.Use, e.Agent, e.Session = policy.Clip(e.Why, maxText), policy.Clip(e.Use, maxText), policy.Clip(e.Agent, maxText), policy.Clip(e.Session, maxText)
	}
	return events
}

// eventsOf lists the events of a log's text.
func eventsOf(text string) (events []Event, lines int, err error) {
	lines, err = readEvents(text, func(e *Event, at, _ string) {
		e.At = moment(at)
		events = append(events, *e)
	})
	return events, lines, err
}

// What is taken for a time without being read is one.
func TestIsMoment(t *testing.T) {
	for _, row := range []struct {
		text string
		want bool
	}{
		{"2026-11-02T10:42:02Z", true},
		{"2026-11-02T10:42:02.000000005Z", true},
		{"0001-01-01T00:00:00Z", true},
		{"9999-12-28T23:59:59.9Z", true},
		{"2026-02-28T10:42:02Z", true},
		{"2026-02-29T10:42:02Z", false}, // time.Parse has to say so
		{"2026-11-30T10:42:02Z", false},
		{"2026-11-02T10:42:02+01:00", false},
		{"2026-00-02T10:42:02Z", false},
		{"2026-13-02T10:42:02Z", false},
		{"2026-11-00T10:42:02Z", false},
		{"2026-11-02T24:42:02Z", false},
		{"2026-11-02T10:60:02Z", false},
		{"2026-11-02T10:42:60Z", false},
		{"2026-11-02 10:42:02Z", false},
		{"2026-11-02T10:42:02.Z", false},
		{"2026-11-02T10:42:02,5Z", false},
		{"2026-11-02T10:42:02.5xZ", false},
		{"2026-11-02T10:42:02", false},
		{"Z", false},
		{"", false},
	} {
		if got := isMoment(row.text); got != row.want {
			t.Errorf("%q: %v", row.text, got)
		}
		if _, err := time.Parse(time.RFC3339Nano, row.text); isMoment(row.text) && err != nil {
			t.Errorf("%q: %v", row.text, err)
		}
	}
}

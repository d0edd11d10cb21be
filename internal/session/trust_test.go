package session

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
)

// TestLess makes logs at random and looks at what each further line does to what
// counts: an agent's word makes it less where a tool did not run, and otherwise
// nothing but a person's does. One that vouches for a thing takes that thing out, at
// its levels, and nothing else.
func TestLess(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	kinds := []Kind{Started, Resumed, Seen, Seen, Seen, Seen, Ran, Denied, Refused, Trusted, Trusted, Inherited, Cleared}
	draw := func() Event {
		e := Event{Kind: kinds[random.IntN(len(kinds))], What: string(rune('a' + random.IntN(4)))}
		switch e.Kind {
		case Seen, Trusted:
			e.Corruption, e.Secret = random.IntN(4), random.IntN(4)
			if e.Kind == Trusted {
				e.Why = "u"
			} else if random.IntN(2) == 0 {
				e.Use, e.Asked = string(rune('0'+random.IntN(3))), random.IntN(2) == 0
			}
		case Ran, Denied, Refused:
			e.Use = string(rune('0' + random.IntN(3)))
		case Resumed:
			e.What = []string{Forked, "resume"}[random.IntN(2)]
		}
		return e
	}
	less := 0
	for range 20_000 {
		var events []Event
		for range 1 + random.IntN(12) {
			before := fold(events)
			e := draw()
			events = append(events, e)
			after := fold(events)
			was, is := before.Taint(1), after.Taint(1)
			falls := is.Corruption < was.Corruption || is.Secret < was.Secret || was.Damaged && !is.Damaged
			switch e.Kind {
			case Cleared, Denied, Refused:
			case Inherited:
				if is.Corruption < was.Corruption || is.Secret < was.Secret || !is.Damaged && was.Damaged && !before.Fork {
					t.Fatalf("%+v: %+v before, %+v after", events, was, is)
				}
			case Trusted:
				if falls {
					less++
				}
				var want engine.Taint
				for _, l := range before.Labels {
					if l.Trusted == "" && (l.What != e.What || l.Corruption > e.Corruption || l.Secret > e.Secret) {
						want = join(want, l.Corruption, l.Secret, 1)
					}
				}
				want.Damaged = was.Damaged
				if is != want || len(after.Labels) != len(before.Labels) || !slices.Equal(after.Seen(1), before.Seen(1)) {
					t.Fatalf("%+v: %+v before, %+v after, want %+v", events, was, is, want)
				}
			default:
				if falls {
					t.Fatalf("%+v: %+v before, %+v after", events, was, is)
				}
			}
		}
	}
	if less < 100 {
		t.Errorf("vouching has mattered %d times", less)
	}
}

func TestTrust(t *testing.T) {
	s := newStore(t)
	long := Event{Kind: Seen, Corruption: 2, What: strings.Repeat("é", maxText)}
	same := webPage
	same.Secret = 2
	mustAppend(t, s, "claude-1", webPage, secret, long)
	counts := func() engine.Taint { state := s.Read("claude-1"); return state.Taint(2) }
	trust := func(seen ...string) {
		t.Helper()
		if err := s.Trust("claude-1", "u", seen); err != nil {
			t.Fatal(err)
		}
	}
	state := s.Read("claude-1")
	seen := state.Seen(2)
	if len(seen) != 3 || !slices.IsSorted(seen) || !Trustable(seen) || Trustable(nil) {
		t.Fatal(seen)
	}
	before := counts()
	trust("corruption 2: another", webPage.What, "")
	if counts() != before {
		t.Errorf("by other words: %+v", counts())
	}
	trust(slices.DeleteFunc(slices.Clone(seen), func(text string) bool { return strings.HasPrefix(text, "secret") })...)
	if got := counts(); before.Corruption == 0 || got.Corruption != 0 || got.Secret != before.Secret {
		t.Errorf("%+v before, %+v after", before, got)
	}
	mustAppend(t, s, "claude-1", webPage, long)
	if got := counts(); got.Corruption != 0 {
		t.Errorf("the same again: %+v", got)
	}
	mustAppend(t, s, "claude-1", same)
	if got := counts(); got.Corruption != 2 {
		t.Errorf("the same with more: %+v", got)
	}
	if state := s.Read("claude-2"); state.Known {
		t.Error("another session has a record")
	}
	// A copy of the session is another session.
	transcript := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(transcript, []byte(`{"forkedFrom":{"sessionId":"1"}}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	events, _ := s.Inherit("claude-3", "claude", transcript, "")
	if copied := fold(events); copied.Taint(2) != before {
		t.Errorf("a copy: %+v", copied.Taint(2))
	}
	if err := os.Truncate(s.log("claude-1").path, 40); err != nil {
		t.Fatal(err)
	}
	state = s.Read("claude-1")
	if err := s.Trust("claude-1", "u", state.Seen(1)); err == nil || Trustable(state.Seen(1)) || !counts().Damaged {
		t.Errorf("a damaged record: %v, %v", err, state.Seen(1))
	}
	if err := s.Trust("", "u", seen); err == nil {
		t.Error("a session without a name is trusted")
	}
}

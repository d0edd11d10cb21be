package cop

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// A clock that was ahead does not hold the breaker until its time has come;
// one that steps does not open it for ever either.
func TestBreakerAndClocks(t *testing.T) {
	for _, row := range []struct {
		name string
		step time.Duration // of the clock, after the errors
		want bool          // it is asked again
	}{
		{"no step", 0, false},
		{"hooks at the same time", -5 * time.Second, false},
		{"an hour back", -time.Hour, true},
		{"a year back", -365 * 24 * time.Hour, true},
		{"an hour ahead", time.Hour, true},
		{"a year ahead", 365 * 24 * time.Hour, true},
	} {
		text := "garbage"
		b := newBench(t, func(p Prompt, _ int) string {
			if text == "" {
				return reply(p.Nonce, nil)
			}
			return text
		})
		n := 0
		run := func() Outcome {
			n++
			_, o := b.review(t, fmt.Sprint("make ", n), c1)
			return o
		}
		for range errorsInRow {
			run()
		}
		b.clock = b.clock.Add(row.step)
		text = ""
		if o := run(); (o.Kind == Clear) != row.want {
			t.Errorf("%s: %+v", row.name, o)
		}
		// Errors of this clock open it, whatever stands above them, and time
		// closes it.
		text = "garbage"
		for range errorsInRow {
			run()
		}
		text = ""
		if o := run(); o.Code != "breaker" {
			t.Errorf("%s, after more errors: %+v", row.name, o)
		}
		b.clock = b.clock.Add(openFor + apart + time.Second)
		if o := run(); o.Kind != Clear {
			t.Errorf("%s, a while later: %+v", row.name, o)
		}
	}
}

// What hooks leave behind that were killed while they cut the list does not
// keep others from cutting it, and does not pile up.
func TestTrimLeftBehind(t *testing.T) {
	b := newBench(t, func(p Prompt, _ int) string { return reply(p.Nonce, nil) })
	if err := os.MkdirAll(b.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	line := "1763740000 00000000 clear\n"
	list := b.Dir + "/reviews"
	if err := os.WriteFile(list, []byte(strings.Repeat(line, ledgerTrim/len(line)+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(list+".new", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	old := b.clock.Add(-time.Hour)
	if err := os.Chtimes(list+".new", old, old); err != nil {
		t.Fatal(err)
	}
	for i := range 2 { // the first one clears the way
		if _, o := b.review(t, fmt.Sprint("make ", i), c1); o.Kind != Clear {
			t.Errorf("%+v", o)
		}
	}
	if info, err := os.Stat(list); err != nil || info.Size() > ledgerTrim*2/3 {
		t.Errorf("the list: %v, %v", info.Size(), err)
	}
	if _, err := os.Stat(list + ".new"); err == nil {
		t.Error("something is left behind")
	}
}

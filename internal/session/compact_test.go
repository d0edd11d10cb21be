package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/race"
)

// long fills a list so that the next write makes it shorter.
func (d *desk) long(events ...Event) {
	d.t.Helper()
	size := 0
	for i := 0; size <= longList; i++ {
		e := Event{At: time.Now(), Kind: Wrote, Corruption: 1, What: fmt.Sprintf("%s/src/dir%d/file%d.go", d.dir, i%500, i), Session: "claude-1", Before: absent}
		events = append(events, e)
		size += len(appendEvent(nil, &e))
	}
	if err := d.s.files().write(events); err != nil {
		d.t.Fatal(err)
	}
}

// TestCompact makes a list shorter. What counts goes on to count.
func TestCompact(t *testing.T) {
	d := newRepository(t)
	d.put("old.txt", "old")
	d.run("curl -o page.html https://a.example; curl -o old.txt https://a.example", clean)
	d.put("page.html", "a page")
	d.put("old.txt", "evil")
	d.run("curl -o frozen.html https://a.example; git commit -am x; curl -o later.html https://a.example", clean)
	d.run("curl -o later.html https://a.example; cat .env >secret.txt", clean)
	for _, name := range []string{"frozen.html", "later.html", "secret.txt"} {
		d.put(name, "x")
	}
	const read = "cat page.html old.txt frozen.html later.html secret.txt"
	before := d.shows(read)
	d.long()
	size := func() int64 {
		info, err := os.Stat(d.s.files().path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	was := size()
	d.run("curl -o one.more https://a.example", clean)
	d.put("one.more", "x")
	if now := size(); now >= was || now > longList {
		t.Errorf("%d bytes of %d", now, was)
	}
	if got := d.shows(read); got != before {
		t.Errorf("afterwards %q, before %q", got, before)
	}
	if got := d.shows("cat one.more"); got != "one.more:20" {
		t.Errorf("what was written last: %q", got)
	}
	d.put("src/dir7/file7.go", "x")
	if got := d.changed(d.dir + "/src/dir7/file7.go"); got != "src/dir7" {
		t.Errorf("one of many: %q", got)
	}
	if got := d.changed(d.dir + "/other"); got != "" {
		t.Errorf("another directory: %q", got)
	}
	d.git("", "add", ".")
	d.git("", "commit", "-qm", "reviewed")
	if got := d.shows(read); got != "page.html:20 old.txt:20 frozen.html:20 later.html:20" { // an agent may have committed those
		t.Errorf("after a person has committed all: %q", got)
	}
	info, err := os.Stat(d.s.files().path)
	if err != nil || info.Mode().Perm() != fileMode {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// A list of any length stays in bounds, and nothing is lost in it.
func TestCompactMany(t *testing.T) {
	var list []entry
	for i := range 20000 {
		level := 1 + i%2
		list = append(list, entry{Event: Event{Kind: Wrote, Corruption: level, What: fmt.Sprintf("/a/b%d/c%d/d%d/f", i%7, i%101, i), Pattern: i%11 == 0}})
	}
	all := append([]entry{}, list...)
	for _, strong := range []bool{false, true} {
		list = together(distinct(list), strong)
	}
	if len(list) > mostKept {
		t.Errorf("%d entries", len(list))
	}
	for _, e := range all {
		where := &area{}
		where.add(engine.Place{Path: e.What})
		level := 0
		for i := range list {
			if where.meets(&list[i].Event) {
				level = max(level, list[i].Corruption)
			}
		}
		if level < e.Corruption {
			t.Fatalf("%s: %d of %d", e.What, level, e.Corruption)
		}
	}
}

// busy ends the error of a hook that waited for the list in vain.
const busy = "keeps it locked"

// playWriter is a hook that notes files, for TestCompactParallel.
func playWriter(dir, prefix string, n int) {
	s := Store{Dir: dir}
	for i := range n {
		name := fmt.Sprintf("/w/%s/%d", prefix, i)
		err := errors.New("not tried")
		for tries := 0; err != nil && tries < 100; tries++ { // the machine may do much else
			err = s.writeFiles([]Event{{At: time.Now(), Kind: Wrote, Corruption: 2, What: name, Session: strings.Repeat("s", 150), Before: unknown}})
			if err == nil || !strings.HasSuffix(err.Error(), busy) {
				break
			}
			fmt.Println(busy)
		}
		if err != nil {
			fmt.Println("failed:", err)
			continue
		}
		fmt.Println(name)
	}
}

// TestCompactParallel lets hooks write while the list is made shorter, and kills
// some of them: what one said was written is there. On a busy machine a hook may
// have waited in vain: then the list says that it misses an event, and any file
// may be one that was written.
func TestCompactParallel(t *testing.T) {
	hooks, writes := 12, 60
	if race.On { // a process takes a second to start
		hooks, writes = 6, 10
	}
	d := newDesk(t)
	d.long()
	var said []string
	refused := false
	var lock sync.Mutex
	var work sync.WaitGroup
	for p := range hooks {
		work.Go(func() {
			ctx := t.Context()
			if p%3 == 0 {
				killed, cancel := context.WithTimeout(ctx, time.Duration(20+10*p)*time.Millisecond)
				defer cancel()
				ctx = killed
			}
			c := exec.CommandContext(ctx, os.Args[0], "hook", d.s.Dir, strconv.Itoa(p), strconv.Itoa(writes))
			c.Env = append(os.Environ(), "WRITES_FILES=1")
			out, _ := c.Output() // some are killed
			lock.Lock()
			defer lock.Unlock()
			for line := range strings.Lines(string(out)) {
				if strings.HasPrefix(line, "failed") {
					t.Error(line)
				} else if line == busy+"\n" {
					refused = true
				} else if strings.HasSuffix(line, "\n") {
					said = append(said, strings.TrimSpace(line))
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { work.Wait(); close(done) }()
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
			// Now and then it is long again.
			if err := d.s.compact(); err != nil {
				t.Error(err)
			}
			if info, err := os.Stat(d.s.files().path); err == nil && info.Size() < longList/2 {
				f, err := d.s.files().lock(1) // LOCK_SH
				if err != nil {
					continue // in vain, and once more
				}
				d.long()
				f.Close()
			}
		}
	}
	if len(said) < hooks*2/3*writes {
		t.Errorf("%d lines were written", len(said))
	}
	for _, name := range said {
		where := &area{}
		where.add(engine.Place{Path: name})
		found, damage := d.s.entries(where)
		level := 0
		for _, e := range found {
			level = max(level, e.Corruption)
		}
		if level < 2 && damage == "" || damage != "" && !refused {
			t.Fatalf("%s is lost: level %d (%s)", name, level, damage)
		}
	}
}

package cop

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/system"
)

// ledger is the list of reviews, one line each, for the budgets and for the
// breaker. Lines are only added, each with one write, so that many hooks can
// do so at once:
//
//	1763740800 5d3f0a12 asked
//	1763740801 5d3f0a12 clear
//
// The second field stands for the session.
type ledger struct {
	path               string
	perSession, perDay int
	now                time.Time
	session            string
	lines              []entry
}

type entry struct {
	at      time.Time
	session string
	what    string // "asked", "clear", "flag" or "error"
	ahead   bool   // written by a clock that was ahead of this one
}

// The breaker opens after so many errors in a row within a while, and closes
// again after another; so many flags in a row are no accident, and a person
// looks at what follows.
const (
	errorsInRow = 5
	errorsSpan  = 10 * time.Minute
	openFor     = time.Minute
	flagsInRow  = 3
	flagsSpan   = 30 * time.Minute
)

// apart is how far two hooks may be apart that run at the same time: one may
// write its end down before another one that began earlier reads.
const apart = 15 * time.Second

const (
	ledgerRead = 512 << 10 // bytes
	ledgerTrim = 256 << 10
)

func openLedger(dir, session string, perSession, perDay int, now time.Time) (*ledger, error) {
	sum := fnv.New32a()
	sum.Write([]byte(session))
	l := &ledger{
		path: filepath.Join(dir, "reviews"), session: fmt.Sprintf("%08x", sum.Sum32()),
		perSession: perSession, perDay: perDay, now: now,
	}
	data, err := disk.OS{}.ReadFile(l.path, ledgerRead)
	if errors.Is(err, os.ErrNotExist) {
		return l, os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return nil, err
	}
	if len(data) > ledgerTrim {
		l.trim(data)
	}
	for line := range bytes.Lines(data) {
		fields := bytes.Fields(line)
		if len(fields) != 3 {
			continue // half a line of a process that was killed
		}
		at, err := strconv.ParseInt(string(fields[0]), 10, 64)
		if err != nil {
			continue
		}
		// What a clock that was ahead wrote counts as of now.
		when := time.Unix(at, 0)
		ahead := when.Sub(now) > apart
		if when.After(now) {
			when = now
		}
		l.lines = append(l.lines, entry{when, string(fields[1]), string(fields[2]), ahead})
	}
	return l, nil
}

// trim keeps the later half. What another hook writes meanwhile may be lost,
// which costs a review or two too many.
func (l *ledger) trim(data []byte) {
	data = data[len(data)/2:]
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		data = data[i+1:]
	}
	temporary := l.path + ".new"
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		// Another hook is at it, or was killed on its way.
		if info, err := os.Lstat(temporary); err == nil && l.now.Sub(info.ModTime()).Abs() > time.Minute {
			os.Remove(temporary)
		}
		return
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Close()); err != nil || system.Replace(temporary, l.path) != nil {
		os.Remove(temporary)
	}
}

// refuse says why there is no review now; nil if there may be one.
func (l *ledger) refuse() *Outcome {
	var day, session int
	for _, e := range l.lines {
		if e.what != "asked" || l.now.Sub(e.at) > 24*time.Hour {
			continue
		}
		day++
		if e.session == l.session {
			session++
		}
	}
	var o Outcome
	switch {
	case session >= l.perSession:
		o = Failed.because("budget", "the session's reviews are used up ("+strconv.Itoa(l.perSession)+")")
	case day >= l.perDay:
		o = Failed.because("budget", "the day's reviews are used up ("+strconv.Itoa(l.perDay)+")")
	case l.row("error", "", errorsInRow, errorsSpan, openFor):
		o = Failed.because("breaker", "the reviewer failed several times; it is asked again in a minute")
	case l.row("flag", l.session, flagsInRow, flagsSpan, flagsSpan):
		o = Failed.because("breaker", "the reviewer flagged the last "+strconv.Itoa(flagsInRow)+" commands of this session")
	default:
		return nil
	}
	return &o
}

// row reports whether the last n reviews (of a session, or of all) ended in
// the same way, within span and the last of them within the last while. When
// errors happened that a clock ahead of this one wrote down is not known: they
// would be of this minute until that clock's time has come.
func (l *ledger) row(what, session string, n int, span, while time.Duration) bool {
	var last time.Time
	for i := len(l.lines) - 1; i >= 0; i-- {
		e := l.lines[i]
		if e.what == "asked" || session != "" && e.session != session {
			continue
		}
		if e.ahead && what == "error" {
			return false
		}
		if last.IsZero() {
			last = e.at
		}
		if e.what != what || l.now.Sub(e.at) > span || l.now.Sub(last) > while {
			return false
		}
		if n--; n == 0 {
			return true
		}
	}
	return false
}

// add writes a line.
func (l *ledger) add(what string, at time.Time) error {
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(strconv.FormatInt(at.Unix(), 10) + " " + l.session + " " + what + "\n")
	return errors.Join(err, f.Close())
}

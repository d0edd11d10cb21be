package audit

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/system"
)

// Report is what has become of a log's chain.
type Report struct {
	Lines       int // that stand where they were written, as they were written
	Older       int // from before the chain, which nothing vouches for
	From, Seq   uint64
	Mac         string // the code of line Seq, 32 hexadecimal digits; "" = there is no line
	First, Last time.Time
	Anew        time.Time // when the key was made, where the log begins with line 1 and that is later; zero: no

	Findings []Finding // what somebody has changed, or may have
	Notes    []Finding // what a crash has left
}

// Finding is something about a place of the log.
type Finding struct {
	Kind     string // "edited", "missing", "order", "unchained", "inserted", "broken", "head", "key", "old"
	File     string
	Line, To int // the first line, from 1, and the last one; 0 = it is about the file
	Text     string
}

// Whole reports whether nothing was found.
func (r *Report) Whole() bool { return len(r.Findings) == 0 }

// Noted is a line's number and the beginning of its code, as somebody has noted
// them down. The zero value is none.
type Noted struct {
	Seq uint64
	Mac string // hexadecimal digits
}

// Verify looks whether each line of the log stands where it was written, as it was
// written. Where there is no log the error is fs.ErrNotExist; others are of reading
// it, its head or its key.
func (l Log) Verify(noted Noted) (*Report, error) {
	v := verifier{log: l, noted: noted, report: &Report{}}
	err := v.run()
	return v.report, err
}

// verifier goes through a log from its beginning.
type verifier struct {
	log    Log
	noted  Noted
	report *Report

	key      []byte // nil = there is none
	head     head
	headless string // why the head says nothing; "" = it is good
	headSeen bool   // the line that it names

	begun   bool    // there was a line of the chain
	good    tip     // the last line that is what was written
	failed  *tip    // a line behind it that is not, with the code that it claims
	right   tip     // and the code that it should have
	between []byte  // what stands behind the good line in its file
	after   []byte  // and behind the failed one
	strays  []stray // what of it is no line of the chain
	first   []byte  // the first good line
	last    []byte  // and the last
	met     bool    // the line that was noted
}

// stray is a line of a log's file without a place in the chain.
type stray struct {
	file string
	line int
	half bool // nobody takes it for a line: a crash may have left it
}

// mostBetween is how much behind a failed line is tried to belong to the next one,
// in bytes.
const mostBetween = 64 << 10

func (v *verifier) run() error {
	files, err := v.open()
	defer func() {
		for _, f := range files {
			f.file.Close()
		}
	}()
	if err != nil {
		return err
	}
	v.good = v.head.before
	for _, f := range files {
		name := f.file.Name()
		current := name == v.log.Path
		n := 0
		err := lines(f.text, func(line []byte, ended bool) {
			n++
			v.line(name, n, line, ended, current)
		})
		if err != nil {
			return err
		}
		if current {
			v.settle(atTail)
		} else {
			v.settle(atEnd)
		}
		v.between, v.after = nil, nil
	}
	v.end()
	return nil
}

// part is a file of the log as far as it reached while nobody wrote.
type part struct {
	file *os.File
	text *io.SectionReader
}

// open reads the key and the head, and opens the files, the oldest first, while
// nobody writes.
func (v *verifier) open() (files []part, err error) {
	c, err := v.log.lock(system.Shared)
	for range 5 { // somebody may be writing the first line just now
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			break
		}
		time.Sleep(10 * time.Millisecond)
		c, err = v.log.lock(system.Shared)
	}
	switch {
	case err == nil:
		defer c.close()
		if v.key, v.head = c.key, c.head; !c.good {
			v.head, v.headless = head{}, "is not whole, or sealed with another key"
		}
	case errors.Is(err, fs.ErrNotExist):
		v.headless = "is not there"
		if v.key, err = v.log.key(false); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	default:
		return nil, err
	}
	names, err := aside(v.log.Path)
	if err != nil {
		return nil, err
	}
	for _, name := range append(names, v.log.Path) {
		f, err := openRegular(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return files, err
		}
		info, err := f.Stat()
		if err != nil {
			f.Close()
			return files, err
		}
		files = append(files, part{f, io.NewSectionReader(f, 0, info.Size())})
	}
	if len(files) == 0 && v.head.seq == 0 {
		return nil, &fs.PathError{Op: "open", Path: v.log.Path, Err: fs.ErrNotExist}
	}
	return files, nil
}

func (v *verifier) find(kind, file string, line int, format string, args ...any) {
	v.report.Findings = append(v.report.Findings, Finding{kind, file, line, line, fmt.Sprintf(format, args...)})
}

func (v *verifier) note(kind, file string, line int, format string, args ...any) {
	v.report.Notes = append(v.report.Notes, Finding{kind, file, line, line, fmt.Sprintf(format, args...)})
}

// line looks at a line of a file.
func (v *verifier) line(file string, n int, raw []byte, ended, current bool) {
	t, about, ok := place(raw)
	if !ok {
		v.strays = append(v.strays, stray{file, n, isHalf(raw)})
		v.behind(raw)
		return
	}
	if !v.begun && t.seq <= v.head.before.seq { // a file that was not removed in time
		if list := v.report.Notes; len(list) > 0 && list[len(list)-1].Kind == "old" && list[len(list)-1].File == file {
			list[len(list)-1].To = n
		} else {
			v.note("old", file, n, "older than what is kept: nothing vouches for it")
		}
		v.strays, v.between = nil, nil
		return
	}
	follows := func(after tip, between []byte) bool {
		return v.key != nil && t.mac == sum(v.key, after.mac, between, about)
	}
	how := vouched
	switch {
	case len(v.between) > 0 && (v.failed == nil || len(v.between) < mostBetween) && follows(v.good, v.between):
	case follows(v.good, nil):
		how = unseen
	case v.failed != nil && len(v.after) > 0 && (follows(*v.failed, v.after) || follows(v.right, v.after)):
	case v.failed != nil && (follows(*v.failed, nil) || follows(v.right, nil)):
		how = unseen
	default:
		v.wrong(file, n, t, about)
		v.begun = true
		v.behind(raw)
		v.after = nil
		return
	}
	v.settle(how)
	if bytes.HasSuffix(about[:bytes.LastIndex(about, []byte(`,"seq":`))], []byte(lost)) {
		v.find("head", file, n, "when this line was written the log had lost its head: lines may be missing before it")
	}
	if !ended {
		text := "the end of this line is cut off"
		if current && v.headless == "" && v.head.seq < t.seq {
			v.note("broken", file, n, "%s (crash)", text)
		} else {
			v.find("missing", file, n, "%s", text)
		}
	}
	v.begun, v.good, v.failed, v.between, v.after = true, t, nil, nil, nil
	r := v.report
	r.Lines++
	if v.first == nil {
		v.first, r.From = bytes.Clone(raw), t.seq
	}
	v.last = append(v.last[:0], raw...)
	v.headSeen = v.headSeen || t == v.head.tip
	v.compare(file, n, t)
}

// behind keeps what stands behind the good line, and behind the failed one.
func (v *verifier) behind(raw []byte) {
	if v.failed != nil {
		if len(v.between) >= mostBetween {
			return
		}
		v.after = append(append(v.after, raw...), '\n')
	}
	v.between = append(append(v.between, raw...), '\n')
}

// isHalf reports whether nobody takes a text for a line of the log, nor its end.
func isHalf(raw []byte) bool {
	if len(raw) == 0 || bytes.LastIndex(raw, []byte(`{"v":1,"time":"`)) > 0 {
		return false
	}
	_, err := Parse(raw)
	return err != nil
}

// wrong notes a line that is not what was written after what stands before it.
func (v *verifier) wrong(file string, n int, t tip, about []byte) {
	before := v.good.seq
	if v.failed != nil {
		before = max(before, v.failed.seq)
	}
	r := v.report
	switch {
	case v.key == nil:
	case t.seq > before+1:
		v.find("missing", file, n, "%s before this one", missing(before+1, t.seq-1))
	case t.seq <= before:
		v.find("order", file, n, "it stands in another place than where it was written, or a second time")
	default:
		if i := len(r.Findings) - 1; i >= 0 && r.Findings[i].Kind == "edited" && r.Findings[i].File == file && r.Findings[i].To == n-1 {
			r.Findings[i].To = n
		} else {
			v.find("edited", file, n, "it is not what was written here")
		}
	}
	v.failed, v.right = &t, tip{t.seq, sum(v.key, v.good.mac, nil, about)}
}

// missing says which lines are not there.
func missing(from, to uint64) string {
	if from == to {
		return fmt.Sprintf("line %d of the chain is missing", from)
	}
	return fmt.Sprintf("lines %d to %d of the chain are missing", from, to)
}

// What is known of lines that are none of the chain.
const (
	vouched = iota // they stood here when the next line was written
	unseen         // they did not
	atEnd          // nothing follows in a file that was put aside
	atTail         // nothing follows in the log
)

// settle says what the lines are that stand behind the good one.
func (v *verifier) settle(how int) {
	for _, s := range v.strays {
		switch {
		case how == unseen:
			v.find("inserted", s.file, s.line, "it was not here when the next line was written")
		case !v.begun && v.head.before.seq == 0:
			v.report.Older++
		case s.half && how != atEnd:
			v.note("broken", s.file, s.line, "a broken line (crash)")
		default:
			v.find("unchained", s.file, s.line, "it is not chained: somebody added it, or the key could not be used")
		}
	}
	v.strays = nil
}

// compare looks whether a line is the one that was noted.
func (v *verifier) compare(file string, n int, t tip) {
	if v.noted.Seq == 0 || t.seq != v.noted.Seq {
		return
	}
	v.met = true
	if code := hex.EncodeToString(t.mac[:]); !strings.HasPrefix(code, v.noted.Mac) {
		v.find("head", file, n, "line %d of the chain is %s, and %s was noted: it is another log", t.seq, code[:ShortMac], v.noted.Mac)
	}
}

// ShortMac is how many digits of a line's code are noted down.
const ShortMac = 16

// end looks whether the log reaches as far as it should.
func (v *verifier) end() {
	r := v.report
	at := v.good.seq
	if v.failed != nil {
		at = max(at, v.failed.seq)
	}
	switch path := headPath(v.log.Path); {
	case v.begun && v.key == nil:
		v.find("key", v.log.Key, 0, "the key is not there: nothing can be said about the lines")
	case v.begun && v.headless != "":
		v.find("head", path, 0, "the head %s: lines may be missing at the end", v.headless)
	case v.head.seq > at:
		v.find("missing", v.log.Path, 0, "%s at the end", missing(at+1, v.head.seq))
	case v.head.seq > v.head.before.seq && !v.headSeen && len(r.Findings) == 0:
		v.find("head", path, 0, "the head names another line %d than the log has", v.head.seq)
	}
	if v.begun && v.key != nil && v.headless != "" && r.Lines == 0 {
		v.find("key", v.log.Key, 0, "nothing is sealed with this key: it is another one, or all lines are edited")
	}
	v.compare(v.log.Path, 0, v.head.before)
	switch {
	case v.noted.Seq == 0 || v.met:
	case v.noted.Seq > at:
		v.find("missing", v.log.Path, 0, "line %d of the chain was noted, and the log ends with %d", v.noted.Seq, at)
	default:
		v.find("head", v.log.Path, 0, "line %d of the chain was noted, and is not here any more", v.noted.Seq)
	}
	if r.Lines == 0 {
		return
	}
	r.Seq, r.Mac = v.good.seq, hex.EncodeToString(v.good.mac[:])
	if l, err := Parse(v.first); err == nil {
		r.First = l.Time
	}
	if l, err := Parse(v.last); err == nil {
		r.Last = l.Time
	}
	if info, err := os.Stat(v.log.Key); err == nil && r.From == 1 && r.First.Sub(info.ModTime()) > time.Minute {
		r.Anew = info.ModTime()
	}
}

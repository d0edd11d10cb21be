package session

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// Kind is what happened.
type Kind uint8

// The kinds of events.
const (
	Started   Kind = iota // the session began
	Resumed               // it went on with what an unknown one had seen
	Seen                  // a tool that is about to run shows something
	Ran                   // the tool has run
	Denied                // the agent says that the tool did not run
	Cleared               // a person vouches for the session
	Wrote                 // a file was written, in files.log
	Cleaned               // a person vouches for a file, in files.log
	Committed             // an agent may have committed below a directory, in files.log
	Inherited             // it goes on with what another session has seen, whose labels follow
	Refused               // a person was asked about a tool's use and went on without its end
	Trusted               // a person vouches for one thing that was seen, at these levels
)

var kindNames = [...]string{"started", "resumed", "seen", "ran", "denied", "cleared", "wrote", "cleaned", "committed", "inherited", "refused", "trusted"}

// Event is one line of a log.
type Event struct {
	At         time.Time
	Kind       Kind
	Corruption int    // 0 to 3
	Secret     int    // 0 to 3
	What       string // what was read: "WebFetch example.org"; of Wrote, Cleaned and Committed the path; of Cleared who did it; of Inherited the other session's name; of Trusted that of the label
	Why        string // what it holds: "A private key"; of Trusted who did it
	Use        string // the agent's id of the tool's use; "" where it has none
	Agent      string // the subagent's id; "" for the session's own
	Pattern    bool   // of Wrote: the path holds wildcards
	Session    string // of Wrote: the session's name
	Before     string // of Wrote: what the file held before, as content says it; "" where that is not known
	Asked      bool   // of Seen: a person is asked about the tool's use, and the agent tells its end
}

// Names and texts are cut to this many bytes. A path is not: a part of one
// names another file.
const maxText = 300

// maxPath is how long a path can be, in bytes.
const maxPath = 4096

// version is the form of the lines.
const version = "1"

// appendEvent appends a line. The sum at its end tells a damaged line from a
// whole one; it is no secret.
func appendEvent(dst []byte, e *Event) []byte {
	dst = append(dst, '\n') // ends what a write that was cut off has left
	start := len(dst)
	dst = append(dst, `{"v":`+version+`,"at":"`...)
	dst = e.At.UTC().AppendFormat(dst, time.RFC3339Nano)
	dst = append(dst, `","event":"`...)
	dst = append(dst, kindNames[e.Kind]...)
	dst = append(dst, '"')
	for _, n := range [...]struct {
		key   string
		value int
	}{{"corruption", e.Corruption}, {"secret", e.Secret}} {
		if n.value != 0 {
			dst = append(dst, `,"`+n.key+`":`...)
			dst = strconv.AppendInt(dst, int64(n.value), 10)
		}
	}
	what := e.What
	if e.Kind != Wrote && e.Kind != Cleaned && e.Kind != Committed {
		what = policy.Clip(what, maxText)
	}
	for _, s := range [...]struct{ key, value string }{
		{"what", what}, {"why", policy.Clip(e.Why, maxText)}, {"use", policy.Clip(e.Use, maxText)}, {"agent", policy.Clip(e.Agent, maxText)}, {"session", policy.Clip(e.Session, maxText)}, {"before", e.Before},
	} {
		if s.value != "" {
			dst = append(dst, `,"`+s.key+`":`...)
			dst = wire.AppendText(dst, s.value)
		}
	}
	if e.Pattern {
		dst = append(dst, `,"pattern":true`...)
	}
	if e.Asked {
		dst = append(dst, `,"asked":true`...)
	}
	end := lineEnd(string(dst[start:]))
	return append(append(dst, end[:]...), '\n')
}

// sumLength is the length of a line's end, in bytes.
const sumLength = len(`,"sum":"01234567"}`)

// lineEnd is the end of a line: the sum of what stands before it.
func lineEnd(body string) (end [sumLength]byte) {
	const digits = "0123456789abcdef"
	copy(end[:], `,"sum":"01234567"}`)
	sum := hash(body)
	for i := range 8 {
		end[sumLength-3-i] = digits[sum>>(4*i)&15]
	}
	return end
}

// hash is FNV-1a over words of eight bytes instead of one, mixed so that each
// bit of a word moves the low ones.
func hash(text string) uint32 {
	const prime = 0x100000001b3
	h := uint64(0xcbf29ce484222325)
	mix := func(word uint64) {
		h = (h ^ word) * prime
		h ^= h >> 32
	}
	for ; len(text) >= 8; text = text[8:] {
		mix(uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
			uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56)
	}
	for _, b := range []byte(text) {
		mix(uint64(b))
	}
	return uint32(h)
}

// read reads one line, without its end. It understands nothing but what
// appendEvent writes, key by key in its order: a log has thousands of lines,
// and a hook has no time to read more than that. The time is returned as it is
// written: few of the lines of a long list are of interest.
func (e *Event) read(line string) (at string, err error) {
	body := len(line) - sumLength
	if body < 0 {
		return "", errNotWhole
	}
	if end := lineEnd(line[:body]); line[body:] != string(end[:]) {
		return "", errNotWhole
	}
	c := cursor{rest: line[:body], plain: isPlain(line[:body])}
	if !c.skip(`{"v":` + version + `,"at":`) {
		return "", errors.New("a line of another version")
	}
	at = c.text()
	if !c.skip(`,"event":`) {
		return "", errOtherForm
	}
	kind := kindNamed(c.text())
	if kind < 0 {
		return "", errors.New("an unknown event")
	}
	*e = Event{Kind: Kind(kind)}
	e.Corruption = c.level(`,"corruption":`)
	e.Secret = c.level(`,"secret":`)
	for _, s := range [...]struct {
		key string
		to  *string
	}{
		{`,"what":`, &e.What}, {`,"why":`, &e.Why}, {`,"use":`, &e.Use}, {`,"agent":`, &e.Agent}, {`,"session":`, &e.Session}, {`,"before":`, &e.Before},
	} {
		if c.skip(s.key) {
			*s.to = c.text()
		}
	}
	e.Pattern = c.skip(`,"pattern":true`)
	e.Asked = c.skip(`,"asked":true`)
	if c.bad || c.rest != "" {
		return "", errOtherForm
	}
	return at, nil
}

// glance reads as much of a line as tells which file was written. ok is false
// where it takes more to read the line.
func glance(line string) (what string, pattern, ok bool) {
	body := len(line) - sumLength
	if body < 0 {
		return "", false, false
	}
	if end := lineEnd(line[:body]); line[body:] != string(end[:]) {
		return "", false, false
	}
	c := cursor{rest: line[:body]}
	if !c.skip(`{"v":` + version + `,"at":"`) {
		return "", false, false
	}
	at := strings.IndexByte(c.rest, '"')
	if at < 0 {
		return "", false, false
	}
	c.rest = c.rest[at:]
	if !c.skip(`","event":"wrote"`) {
		return "", false, false
	}
	c.level(`,"corruption":`)
	c.level(`,"secret":`)
	if !c.skip(`,"what":"`) {
		return "", false, false
	}
	end := strings.IndexByte(c.rest, '"')
	if c.bad || end < 0 || strings.IndexByte(c.rest[:end], '\\') >= 0 {
		return "", false, false
	}
	return c.rest[:end], strings.HasSuffix(c.rest, `,"pattern":true`), true
}

// kindNamed is the kind that a name stands for; -1 if it stands for none.
func kindNamed(name string) int {
	if name == kindNames[Wrote] { // most of what a long list holds
		return int(Wrote)
	}
	return slices.Index(kindNames[:], name)
}

// What can be wrong with a line.
var (
	errNotWhole  = errors.New("a line that was not written whole, or was changed")
	errOtherForm = errors.New("a line in another form than the one that is written")
)

// cursor reads a line from its left.
type cursor struct {
	rest  string
	plain bool // all strings of the line are written as they are
	bad   bool // something else stands there
}

// isPlain reports whether the strings of a line are written as they are: it is asked
// once for all of them.
func isPlain(line string) bool {
	return strings.IndexByte(line, '\\') < 0 && utf8.ValidString(line)
}

func (c *cursor) skip(text string) bool {
	rest, ok := strings.CutPrefix(c.rest, text)
	c.rest = rest
	return ok
}

// level reads a number from 1 to 3; without the key it is 0.
func (c *cursor) level(key string) int {
	if !c.skip(key) {
		return 0
	}
	if c.rest == "" || c.rest[0] < '1' || c.rest[0] > '3' {
		c.bad = true
		return 0
	}
	n := int(c.rest[0] - '0')
	c.rest = c.rest[1:]
	return n
}

// text reads a string.
func (c *cursor) text() string {
	if !strings.HasPrefix(c.rest, `"`) {
		c.bad = true
		return ""
	}
	end := strings.IndexByte(c.rest[1:], '"') + 1
	if text := c.rest[1:max(end, 1)]; end > 0 && (c.plain || isPlain(text)) {
		c.rest = c.rest[end+1:]
		return text
	}
	return c.escaped()
}

// escaped reads a string that is not written as it is.
func (c *cursor) escaped() string {
	end := 1
	for end < len(c.rest) && c.rest[end] != '"' {
		if c.rest[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(c.rest) {
		c.bad = true
		return ""
	}
	value, err := wire.Parse([]byte(c.rest[:end+1]))
	c.rest = c.rest[end+1:]
	text := ""
	if err == nil {
		text, err = value.Text()
	}
	c.bad = c.bad || err != nil
	return text
}

// readEvents reads a log's text, and hands each of the events that can be read to a
// function, which may not keep it, with its line and the time in there: At is not
// set. It returns how many lines there are, and the first thing that is wrong.
func readEvents(text string, each func(e *Event, at, line string)) (lines int, err error) {
	var e Event
	return eachLine(text, func(line string) error {
		at, err := e.read(line)
		if err == nil && !isMoment(at) {
			_, err = time.Parse(time.RFC3339Nano, at)
		}
		if err == nil {
			each(&e, at, line)
		}
		return err
	})
}

// isMoment reports whether a text is a time as appendEvent writes it, from the first
// to the 28th of a month. Of others time.Parse has to say so.
func isMoment(text string) bool {
	const form = "0000-00-00T00:00:00Z"
	if len(text) < len(form) || text[len(text)-1] != 'Z' {
		return false
	}
	for i := range len(form) - 1 {
		if c := text[i]; form[i] == '0' && c-'0' > 9 || form[i] != '0' && c != form[i] {
			return false
		}
	}
	if fraction := text[len(form)-1 : len(text)-1]; fraction != "" {
		if fraction[0] != '.' || len(fraction) == 1 {
			return false
		}
		for _, c := range []byte(fraction[1:]) {
			if c-'0' > 9 {
				return false
			}
		}
	}
	month, day := text[5:7], text[8:10]
	return month >= "01" && month <= "12" && day >= "01" && day <= "28" && text[11:13] < "24" && text[14] < '6' && text[17] < '6'
}

// moment is the time that a line tells; zero if it can't be read.
func moment(text string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}
	}
	return at
}

// eachLine reads the lines of a log's text. It returns how many there are, and
// the first thing that is wrong.
func eachLine(text string, read func(line string) error) (lines int, err error) {
	for len(text) > 0 {
		line := text
		end := strings.IndexByte(text, '\n')
		if end < 0 {
			text = ""
		} else {
			line, text = text[:end], text[end+1:]
		}
		if len(line) == 0 {
			continue
		}
		lines++
		lineErr := read(line)
		if lineErr == nil && end < 0 {
			lineErr = errors.New("the line has no end")
		}
		if lineErr != nil && err == nil {
			err = fmt.Errorf("line %d: %w", lines, lineErr)
		}
	}
	return lines, err
}

package session

import (
	"bytes"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/bashgate/bashgate/internal/wire"
)

// Kind is what happened.
type Kind uint8

// The kinds of events.
const (
	Started Kind = iota // the session began
	Resumed             // it went on with what an unknown one had seen
	Seen                // a tool that is about to run shows something
	Ran                 // the tool has run
	Denied              // the agent says that the tool did not run
	Cleared             // a person vouches for the session
	Wrote               // a file was written, in files.log
	Cleaned             // a person vouches for a file, in files.log
)

var kindNames = [...]string{"started", "resumed", "seen", "ran", "denied", "cleared", "wrote", "cleaned"}

// Event is one line of a log.
type Event struct {
	At         time.Time
	Kind       Kind
	Corruption int    // 0 to 3
	Secret     int    // 0 to 3
	What       string // what was read: "WebFetch https://example.org"; of Wrote and Cleaned the path; of Cleared who did it
	Why        string // what it holds: "A private key"
	Use        string // the agent's id of the tool's use; "" where it has none
	Agent      string // the subagent's id; "" for the session's own
	Pattern    bool   // of Wrote: the path holds wildcards
	Session    string // of Wrote: the session's name
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
	if e.Kind != Wrote && e.Kind != Cleaned {
		what = clip(what)
	}
	for _, s := range [...]struct{ key, value string }{
		{"what", what}, {"why", clip(e.Why)}, {"use", clip(e.Use)}, {"agent", clip(e.Agent)}, {"session", clip(e.Session)},
	} {
		if s.value != "" {
			dst = append(dst, `,"`+s.key+`":`...)
			dst = wire.AppendText(dst, s.value)
		}
	}
	if e.Pattern {
		dst = append(dst, `,"pattern":true`...)
	}
	return append(append(dst, lineEnd(dst[start:])...), '\n')
}

// lineEnd is the end of a line: the sum of what stands before it.
func lineEnd(body []byte) []byte {
	const digits = "0123456789abcdef"
	end := []byte(`,"sum":"01234567"}`)
	sum := fnv(body)
	for i := range 8 {
		end[len(end)-3-i] = digits[sum>>(4*i)&15]
	}
	return end
}

// sumLength is the length of a line's end, in bytes.
const sumLength = len(`,"sum":"01234567"}`)

// fnv is the FNV-1a hash of a text.
func fnv(text []byte) uint32 {
	h := uint32(2166136261)
	for _, b := range text {
		h = (h ^ uint32(b)) * 16777619
	}
	return h
}

func clip(text string) string {
	if len(text) <= maxText {
		return text
	}
	n := maxText
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "..."
}

// readEvent reads one line, without its end. It understands nothing but what
// appendEvent writes.
func readEvent(line []byte) (e Event, err error) {
	body := len(line) - sumLength
	if body < 0 || string(line[body:]) != string(lineEnd(line[:body])) {
		return e, fmt.Errorf("a line that was not written whole, or was changed")
	}
	document, err := wire.Parse(line)
	if err != nil {
		return e, err
	}
	object, err := document.Object()
	if err != nil {
		return e, err
	}
	known := false
	for _, m := range object {
		var text string
		switch m.Key {
		case "v", "corruption", "secret", "pattern":
		default:
			if text, err = m.Value.Text(); err != nil {
				return e, err
			}
		}
		switch m.Key {
		case "v":
			var n int
			if n, err = m.Value.Count(); err == nil && strconv.Itoa(n) != version {
				err = m.Value.Errorf("a line of version %d", n)
			}
		case "at":
			e.At, err = time.Parse(time.RFC3339Nano, text)
		case "event":
			for k, name := range kindNames {
				if name == text {
					e.Kind, known = Kind(k), true
				}
			}
		case "corruption":
			e.Corruption, err = level(m.Value)
		case "secret":
			e.Secret, err = level(m.Value)
		case "what":
			e.What = text
		case "why":
			e.Why = text
		case "use":
			e.Use = text
		case "agent":
			e.Agent = text
		case "session":
			e.Session = text
		case "pattern":
			e.Pattern, err = m.Value.Bool()
		case "sum":
		default:
			err = m.Value.Errorf("unknown key %.80q", m.Key)
		}
		if err != nil {
			return e, err
		}
	}
	if !known {
		return e, fmt.Errorf("an unknown event")
	}
	return e, nil
}

func level(v wire.Value) (int, error) {
	n, err := v.Count()
	if err == nil && (n < 1 || n > 3) {
		err = v.Errorf("a level of %d", n)
	}
	return n, err
}

// readEvents reads a log's text. It returns the lines that can be read, how
// many lines there are, and the first thing that is wrong.
func readEvents(text []byte) (events []Event, lines int, err error) {
	for len(text) > 0 {
		line := text
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			text = nil
		} else {
			line, text = text[:end], text[end+1:]
		}
		if len(line) == 0 {
			continue
		}
		lines++
		e, lineErr := readEvent(line)
		if lineErr == nil {
			events = append(events, e)
			if end < 0 {
				lineErr = fmt.Errorf("the line has no end")
			}
		}
		if lineErr != nil && err == nil {
			err = fmt.Errorf("line %d: %w", lines, lineErr)
		}
	}
	return events, lines, err
}

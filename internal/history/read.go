package history

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/internal/wire"
)

// maxRecord is how long a record may be, in bytes: a line of a file of lines, an
// element of a list of JSON, a row of a database. Longer ones are left out.
const maxRecord = 1 << 20

// The reasons for leaving something out.
const (
	tooLong   = "longer than 1 MiB"
	cutOff    = "cut off in the middle of a record"
	noRecord  = "not a record of this kind of file"
	isBinary  = "binary"
	noHistory = "not a history that bashgate knows"
	packed    = "compressed: unpack it to have it read"
	noText    = "not UTF-8"
)

// Reader reads sources, one after the other. Its functions may be nil, but Found.
type Reader struct {
	Getenv  func(string) string // of now: which shell is the user's
	Found   func(Command)
	Skipped func(Skipped)
	Read    func(bytes int) // so many more were read

	seen     map[uint64]struct{} // the uses that were found already: agents copy sessions
	sessions map[string]bool     // agents' own sessions, by agent and id
}

// format reads a file of one kind.
type format func(*file) error

// formats lists the kinds of sources.
var formats = [...]struct {
	kind string
	read format
}{
	{"claude", readClaude},
	{"codex", readCodex},
	{"gemini", readGemini},
	{"qwen", readQwen},
	{"opencode", readOpencode},
	{"pi", readPi},
	{"bash", readBash},
	{"zsh", readZsh},
	{"fish", readFish},
	{"list", readList},
	{"bashgate", readLog},
}

// From reads a source. Whatever is wrong with it is told by Skipped.
func (r *Reader) From(s Source) {
	f := file{reader: r, source: s}
	err := f.read()
	if err != nil {
		f.skip(0, reason(err))
	}
	for _, skipped := range f.skipped {
		if r.Skipped != nil {
			r.Skipped(skipped)
		}
	}
}

// reason says why a file could not be read, without its name.
func reason(err error) string {
	if inner, ok := errors.AsType[*os.PathError](err); ok {
		err = inner.Err
	}
	return err.Error()
}

// file is a source that is being read.
type file struct {
	reader  *Reader
	source  Source
	in      *os.File
	line    int // that was read last, counted from 1
	skipped []Skipped
	uses    uses
	session string // of the records that follow
	cwd     string
	start   string // the directory in which the session began
	mode    string
}

func (f *file) read() error {
	// A pipe or a device may wait for ever, or be read by reading it.
	in, err := system.OpenFile(f.source.Path, os.O_RDONLY|system.NoWait, 0)
	if err != nil {
		return err
	}
	defer in.Close()
	if info, err := in.Stat(); err != nil {
		return err
	} else if !info.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	var head [5]byte
	if n, _ := in.ReadAt(head[:], 0); compressed(head[:n]) {
		return errors.New(packed)
	}
	f.in = in
	for _, known := range formats {
		if known.kind != f.source.Kind {
			continue
		}
		err := known.read(f)
		f.uses.flush(f)
		return err
	}
	return fmt.Errorf("%w: %s", errors.New(noHistory), f.source.Kind)
}

// compressed reports whether a file begins as one of gzip, zstd, xz or bzip2.
func compressed(head []byte) bool {
	for _, magic := range [...]string{"\x1f\x8b", "\x28\xb5\x2f\xfd", "\xfd7zXZ", "BZh"} {
		if strings.HasPrefix(string(head), magic) {
			return true
		}
	}
	return false
}

// skip counts something that is left out.
func (f *file) skip(line int, why string) {
	for i := range f.skipped {
		if f.skipped[i].Why == why {
			f.skipped[i].Count++
			return
		}
	}
	f.skipped = append(f.skipped, Skipped{f.source.Path, line, why, 1})
}

// Read reads the file's next bytes, and tells that it has.
func (f *file) Read(p []byte) (int, error) {
	n, err := f.in.Read(p)
	if f.reader.Read != nil && n > 0 {
		f.reader.Read(n)
	}
	return n, err
}

// lines calls each for the lines of the file, without their ends. A line is no
// longer there after the call.
func (f *file) lines(each func(line []byte)) error {
	in := bufio.NewReaderSize(f, 64<<10)
	var held []byte
	for {
		line, err := in.ReadSlice('\n')
		if f.line == 0 && bytes.IndexByte(line, 0) >= 0 {
			return errors.New(isBinary)
		}
		if len(held) > 0 || errors.Is(err, bufio.ErrBufferFull) {
			held = append(held, line...)
			line = held
		}
		full := errors.Is(err, bufio.ErrBufferFull)
		switch {
		case len(line) > maxRecord:
			f.line++
			f.skip(f.line, tooLong)
			if full {
				err = pass(in)
			}
			held = held[:0]
		case full:
			continue
		case len(line) > 0:
			f.line++
			each(bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")))
			held = held[:0]
		}
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// pass reads the rest of a line.
func pass(in *bufio.Reader) error {
	for {
		_, err := in.ReadSlice('\n')
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// records calls each for the lines that are JSON objects and hold one of the
// words. The others are known not to matter, and are not looked into.
func (f *file) records(each func(wire.Object), words ...string) error {
	return f.lines(func(line []byte) {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case line[0] != '{':
			f.skip(f.line, noRecord)
		case line[len(line)-1] != '}':
			f.skip(f.line, cutOff)
		case holds(line, words):
			f.record(line, each)
		}
	})
}

func holds(line []byte, words []string) bool {
	for _, word := range words {
		if bytes.Contains(line, []byte(word)) {
			return true
		}
	}
	return len(words) == 0
}

// record reads one JSON object.
func (f *file) record(raw []byte, each func(wire.Object)) {
	v, err := wire.Parse(raw)
	if err != nil {
		f.skip(f.line, noRecord)
		return
	}
	o, err := v.Object()
	if err != nil {
		f.skip(f.line, noRecord)
		return
	}
	each(o)
}

// use is the use of a tool that a session records. It is none where the tool is
// not the agent's shell.
func (f *file) use(id, tool string, input wire.Value, at time.Time) {
	h, err := host.Named(f.source.Kind)
	if err != nil {
		return
	}
	r, ok := h.Recall(host.Recorded{Tool: tool, Input: input, Cwd: f.cwd, Workspace: f.start, Mode: f.mode}, f.reader.Getenv)
	if !ok {
		return
	}
	f.uses.begin(f, id, Command{Text: r.Command, Time: at, Host: h.Name, Session: f.session, Cwd: r.Cwd, Workspace: r.Workspace, Mode: r.Mode, Shell: r.Shell})
}

// at notes where the records that follow happen.
func (f *file) at(cwd string) {
	if strings.HasPrefix(cwd, "/") && cwd != f.cwd { // one text for all of them
		f.cwd = cwd
		if f.start == "" {
			f.start = cwd
		}
	}
}

// of notes whose session it is.
func (f *file) of(session string) {
	if session == "" || session == f.session {
		return
	}
	f.session = session
	if f.reader.sessions == nil {
		f.reader.sessions = map[string]bool{}
	}
	f.reader.sessions[f.source.Kind+" "+session] = true
}

// found hands a command on, once for each id: sessions that go on in another
// file begin with a copy.
func (f *file) found(id string, c Command) {
	if strings.TrimSpace(c.Text) == "" {
		return
	}
	if !utf8.ValidString(c.Text) || strings.IndexByte(c.Text, 0) >= 0 {
		f.skip(f.line, noText)
		return
	}
	if id != "" {
		sum := fnv.New64a()
		var stamp [8]byte
		if c.Host != "codex" { // which gives copies of a session the time of copying
			binary.LittleEndian.PutUint64(stamp[:], uint64(c.Time.UnixNano()))
		}
		for _, part := range [...]string{c.Host, id, c.Text} {
			io.WriteString(sum, part+"\x00")
		}
		sum.Write(stamp[:])
		if r := f.reader; r.seen == nil {
			r.seen = map[uint64]struct{}{}
		} else if _, again := r.seen[sum.Sum64()]; again {
			return
		}
		f.reader.seen[sum.Sum64()] = struct{}{}
	}
	f.reader.Found(c)
}

// uses are those of which the result was not read yet.
type uses struct {
	ids      []string // the oldest first
	commands map[string]*Command
}

// maxUses is how many uses wait for their results. Agents use a few tools at
// once; the results of those before the last ones never came.
const maxUses = 100

func (u *uses) begin(f *file, id string, c Command) {
	if id == "" {
		f.found("", c)
		return
	}
	if old := u.commands[id]; old != nil {
		if old.Text == c.Text && old.Time.Equal(c.Time) {
			return
		}
		u.end(f, id, Unknown) // an agent that numbers the uses of each turn anew
	}
	if len(u.ids) == maxUses {
		u.end(f, u.ids[0], Unknown)
	}
	if u.commands == nil {
		u.commands = map[string]*Command{}
	}
	u.ids = append(u.ids, id)
	u.commands[id] = &c
}

// end tells what became of a use.
func (u *uses) end(f *file, id string, outcome Outcome) {
	c := u.commands[id]
	if c == nil {
		return
	}
	delete(u.commands, id)
	for i := range u.ids {
		if u.ids[i] == id {
			u.ids = append(u.ids[:i], u.ids[i+1:]...)
			break
		}
	}
	c.Outcome = outcome
	f.found(id, *c)
}

func (u *uses) flush(f *file) {
	for len(u.ids) > 0 {
		u.end(f, u.ids[0], Unknown)
	}
}

// get is what lies below a value, key by key; the zero Value if it is not there.
func get(v wire.Value, keys ...string) wire.Value {
	for _, key := range keys {
		o, err := v.Object()
		if err != nil {
			return wire.Value{}
		}
		v = o.Get(key)
	}
	return v
}

// text is the text there, or "".
func text(v wire.Value, keys ...string) string {
	s, err := get(v, keys...).Text()
	if err != nil {
		return ""
	}
	return s
}

// list is the list there, or nil.
func list(v wire.Value, keys ...string) []wire.Value {
	values, err := get(v, keys...).Values()
	if err != nil {
		return nil
	}
	return values
}

func yes(v wire.Value) bool {
	b, err := v.Bool()
	return err == nil && b
}

// stamp reads a time as agents write it: RFC 3339, or milliseconds since 1970.
// The zero time is not known.
func stamp(v wire.Value) time.Time {
	if s, err := v.Text(); err == nil {
		t, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			return time.Time{}
		}
		return t.UTC()
	}
	if ms, err := v.Milliseconds(); err == nil && ms > 0 {
		return time.UnixMilli(ms).UTC()
	}
	return time.Time{}
}

// says reports whether a text begins with one of several.
func says(text string, beginnings ...string) bool {
	for _, b := range beginnings {
		if strings.HasPrefix(text, b) {
			return true
		}
	}
	return false
}

// mentions reports whether one of several texts stands in a text.
func mentions(text string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// shown is the text of a result: a text, or the texts of a list of parts.
func shown(v wire.Value) string {
	if s, err := v.Text(); err == nil {
		return s
	}
	var b strings.Builder
	for _, part := range list(v) {
		b.WriteString(text(part, "text"))
	}
	return b.String()
}

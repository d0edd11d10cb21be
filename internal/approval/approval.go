// Package approval keeps the answers of a person that are not for ever: tickets,
// each for one command, once and within minutes, and the rules of one session.
//
// Both are files in a directory of their own, which only their owner may read or
// write. What anybody else could have put there, or could have changed, does not
// count, and neither does what is too old, or from a time that has not come yet.
package approval

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/bashgate/bashgate/internal/wire"
)

// How long answers last.
const (
	TicketLife  = 10 * time.Minute
	SessionLife = 24 * time.Hour
)

const (
	dirMode  = 0o700
	fileMode = 0o600
	maxFile  = 4 << 20 // bytes
)

// Store is the directory of the answers.
type Store struct {
	Dir string           // absolute; it need not exist
	Now func() time.Time // nil: time.Now
	Up  func() (boot string, up time.Duration)
}

// Ticket is the answer to one command: exactly these bytes, in this directory and
// workspace, and in this session where one is named.
type Ticket struct {
	Command   string
	Cwd       string
	Workspace string
	Session   string // the name of its files; "" = any
	By        string // who gave it: "u at a terminal"

	made time.Time
	boot string        // of the machine; "" where it is not known
	up   time.Duration // since then
}

// file is the beginning of the name of a ticket's file: whoever looks for one
// reads no other.
func (t *Ticket) file() string {
	h := sha256.New()
	for _, part := range [...]string{t.Command, t.Cwd, t.Workspace} {
		h.Write([]byte(strconv.Itoa(len(part)) + ":" + part))
	}
	return "once-" + hex.EncodeToString(h.Sum(nil)[:16]) + "-"
}

func (s Store) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

// up tells since when the machine runs, for clocks that are set back.
func (s Store) up() (string, time.Duration) {
	if s.Up != nil {
		return s.Up()
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	text, more := os.ReadFile("/proc/uptime")
	seconds, _, _ := strings.Cut(string(text), " ")
	up, wrong := strconv.ParseFloat(seconds, 64)
	if err != nil || more != nil || wrong != nil {
		return "", 0
	}
	return strings.TrimSpace(string(boot)), time.Duration(up * float64(time.Second))
}

// Issue writes a ticket down and returns its id, "once-3f7a".
func (s Store) Issue(t Ticket) (string, error) {
	if err := s.open(true); err != nil {
		return "", err
	}
	boot, up := s.up()
	b := append([]byte(`{"command":`), wire.AppendText(nil, t.Command)...)
	for _, field := range [...]struct{ key, value string }{
		{"cwd", t.Cwd}, {"workspace", t.Workspace}, {"session", t.Session}, {"by", t.By},
		{"made", s.now().UTC().Format(time.RFC3339Nano)}, {"boot", boot}, {"up", up.String()},
	} {
		b = wire.AppendText(append(b, `,"`+field.key+`":`...), field.value)
	}
	b = append(b, "}\n"...)
	if back, err := parse(b); err != nil || back.Command != t.Command {
		return "", errors.New("the command is not text that can be written down")
	}
	var tail [4]byte
	rand.Read(tail[:])
	id := hex.EncodeToString(tail[:])
	return "once-" + id, s.write(t.file()+id+".json", b)
}

func parse(text []byte) (t Ticket, err error) {
	v, err := wire.Parse(text)
	if err != nil {
		return t, err
	}
	o, err := v.Object()
	if err != nil {
		return t, err
	}
	var made, up string
	for _, field := range [...]struct {
		key string
		to  *string
	}{{"command", &t.Command}, {"cwd", &t.Cwd}, {"workspace", &t.Workspace}, {"session", &t.Session}, {"by", &t.By}, {"made", &made}, {"boot", &t.boot}, {"up", &up}} {
		if *field.to, err = o.Get(field.key).Text(); err != nil {
			return t, err
		}
	}
	if t.made, err = time.Parse(time.RFC3339Nano, made); err != nil {
		return t, err
	}
	t.up, err = time.ParseDuration(up)
	return t, err
}

// valid reports whether a ticket counts now: by the clock, which may be set, and
// by how long the machine runs, which can't be.
func (s Store) valid(t *Ticket) bool {
	age := s.now().Sub(t.made)
	if age < 0 || age > TicketLife {
		return false
	}
	boot, up := s.up()
	if t.boot == "" || boot == "" {
		return t.boot == boot
	}
	return t.boot == boot && up >= t.up && up-t.up <= TicketLife
}

// Use looks for a ticket of a command and uses it up. However many look for it at
// a time, one of them gets it. The error is about a file that does not count; it
// may come beside a ticket that does.
func (s Store) Use(want Ticket) (*Ticket, error) {
	return s.find(want, func(name string) bool { return os.Remove(filepath.Join(s.Dir, name)) == nil })
}

// See returns the ticket that Use would use up.
func (s Store) See(want Ticket) (*Ticket, error) {
	return s.find(want, func(string) bool { return true })
}

// find returns a valid ticket for what is wanted. Each one that is about it, also
// one whose time is over, is taken.
func (s Store) find(want Ticket, take func(name string) bool) (*Ticket, error) {
	var complaint error
	if err := s.open(false); err != nil {
		return nil, none(err)
	}
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), want.file()) {
			continue
		}
		text, _, err := s.read(entry.Name())
		if errors.Is(err, fs.ErrNotExist) {
			continue // somebody else has used it
		}
		t, wrong := parse(text)
		switch {
		case err != nil:
			complaint = err
			continue
		case wrong != nil:
			complaint = fmt.Errorf("%s: %w", entry.Name(), wrong)
			continue
		case t.Command != want.Command || t.Cwd != want.Cwd || t.Workspace != want.Workspace || t.Session != "" && t.Session != want.Session:
			continue
		}
		good := s.valid(&t)
		if take(entry.Name()) && good {
			return &t, complaint
		}
	}
	return nil, complaint
}

// Entry is an answer in the store.
type Entry struct {
	ID      string // "once-3f7a22b1"; of a session's rules, the session's name
	Session string // of rules: the session's name
	Ticket  *Ticket
	Rules   []byte
	Made    time.Time
	Over    bool // it counts no more
}

// List returns all answers. What does not count because others could have written
// it is in the error.
func (s Store) List() (list []Entry, complaint error) {
	if err := s.open(false); err != nil {
		return nil, none(err)
	}
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		name := entry.Name()
		text, made, err := s.read(name)
		if err != nil {
			complaint = err
			continue
		}
		if session, ok := sessionOf(name); ok {
			list = append(list, Entry{Session: session, Rules: text, Made: made, Over: s.over(made)})
		} else if rest, ok := strings.CutPrefix(strings.TrimSuffix(name, ".json"), "once-"); ok {
			t, err := parse(text)
			if err != nil {
				complaint = fmt.Errorf("%s: %w", name, err)
				continue
			}
			_, id, _ := strings.Cut(rest, "-")
			list = append(list, Entry{ID: "once-" + id, Ticket: &t, Made: t.made, Over: !s.valid(&t)})
		}
	}
	return list, complaint
}

// Forget takes a ticket out. It reports whether there was one.
func (s Store) Forget(id string) (bool, error) {
	tail, ok := strings.CutPrefix(id, "once-")
	if !ok || tail == "" || strings.Trim(tail, "0123456789abcdef") != "" {
		return false, nil
	}
	files, err := filepath.Glob(filepath.Join(s.Dir, "once-*-"+tail+".json"))
	if err != nil || len(files) == 0 {
		return false, err
	}
	return true, os.Remove(files[0])
}

// Session returns the rules of a session as text; nil where there are none, or
// where they count no more. The error is about a file that does not count.
func (s Store) Session(name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	if err := s.open(false); err != nil {
		return nil, none(err)
	}
	text, made, err := s.read(sessionFile(name))
	if err != nil || s.over(made) {
		return nil, none(err)
	}
	return text, nil
}

// SetSession writes the rules of a session down; empty ones are none.
func (s Store) SetSession(name string, text []byte) error {
	if name == "" {
		return errors.New("a session without a name")
	}
	if len(text) == 0 {
		err := os.Remove(filepath.Join(s.Dir, sessionFile(name)))
		return none(err)
	}
	if err := s.open(true); err != nil {
		return err
	}
	return s.write(sessionFile(name), text)
}

func (s Store) over(made time.Time) bool {
	age := s.now().Sub(made)
	return age > SessionLife || age < -time.Minute // file systems round times
}

func sessionFile(name string) string { return "session-" + name + ".toml" }

func sessionOf(file string) (string, bool) {
	name, ok := strings.CutPrefix(file, "session-")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(name, ".toml")
}

// none is the error, unless it says that nothing is there.
func none(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// open looks at the directory: nobody else may write to it.
func (s Store) open(make bool) error {
	if make {
		if err := os.MkdirAll(s.Dir, dirMode); err != nil {
			return err
		}
	}
	info, err := os.Lstat(s.Dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is no directory: its answers don't count", s.Dir)
	}
	return owned(s.Dir, info)
}

// owned complains about what is another user's, or what others may read or write.
func owned(path string, info os.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case ok && int(st.Uid) != os.Geteuid():
		return fmt.Errorf("%s is another user's, and does not count", path)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s is open to others (%04o), and does not count", path, info.Mode().Perm())
	}
	return nil
}

// read returns a file's text, and when it was written.
func (s Store) read(name string) ([]byte, time.Time, error) {
	path := filepath.Join(s.Dir, name)
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no file, and does not count", path)
	}
	if err == nil {
		err = owned(path, info)
	}
	if err != nil {
		return nil, time.Time{}, err
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("%s is larger than %d MiB, and does not count", path, maxFile>>20)
	}
	return text, info.ModTime(), err
}

// write puts a file in the place of what was there: whoever reads sees the old one
// or the new one.
func (s Store) write(name string, text []byte) error {
	fresh, err := os.CreateTemp(s.Dir, ".answer-*") // for nobody else to read
	if err != nil {
		return err
	}
	_, err = fresh.Write(text)
	if closeErr := fresh.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(fresh.Name(), filepath.Join(s.Dir, name))
	}
	if err != nil {
		os.Remove(fresh.Name())
	}
	return err
}

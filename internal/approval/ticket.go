// Package approval keeps the answers of a person that are not for ever: tickets,
// each for one command, once and within minutes, the rules of one session, and
// requests: questions that wait for an answer, and what was answered.
//
// All are files in directories of their own, which only their owner may read or
// write. What anybody else could have put there, or could have changed, does not
// count, and neither does what is too old, or from a time that has not come yet.
package approval

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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

	made moment
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

// Issue writes a ticket down and returns its id, "once-3f7a".
func (s Store) Issue(t Ticket) (string, error) {
	if err := s.open(true); err != nil {
		return "", err
	}
	made := s.moment()
	b := append([]byte(`{"command":`), wire.AppendText(nil, t.Command)...)
	for _, field := range [...]struct{ key, value string }{
		{"cwd", t.Cwd}, {"workspace", t.Workspace}, {"session", t.Session}, {"by", t.By},
		{"made", made.at.UTC().Format(time.RFC3339Nano)}, {"boot", made.boot}, {"up", made.up.String()},
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
	}{{"command", &t.Command}, {"cwd", &t.Cwd}, {"workspace", &t.Workspace}, {"session", &t.Session}, {"by", &t.By}, {"made", &made}, {"boot", &t.made.boot}, {"up", &up}} {
		if *field.to, err = o.Get(field.key).Text(); err != nil {
			return t, err
		}
	}
	if t.made.at, err = time.Parse(time.RFC3339Nano, made); err != nil {
		return t, err
	}
	t.made.up, err = time.ParseDuration(up)
	return t, err
}

// valid reports whether a ticket counts now: also by the clock.
func (s Store) valid(t *Ticket) bool {
	age := s.now().Sub(t.made.at)
	return age >= 0 && age <= TicketLife && s.within(t.made, TicketLife)
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
			list = append(list, Entry{ID: "once-" + id, Ticket: &t, Made: t.made.at, Over: !s.valid(&t)})
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

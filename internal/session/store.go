package session

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/system"
)

// Store is the directory of the logs.
type Store struct {
	Dir   string           // absolute
	Now   func() time.Time // nil: time.Now
	Away  bool             // the files that sessions name lie on another machine: nothing here tells what they hold
	Until time.Time        // what was written later is not there, for a look at what was known then; zero: all is
}

// Open returns the store of a user. It is an error if the environment names no
// directory for it. Nothing is read or made.
func Open(getenv func(string) string) (Store, error) {
	if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return Store{Dir: filepath.Join(dir, "bashgate")}, nil
	}
	if dir := system.State(getenv); dir != "" {
		return Store{Dir: filepath.Join(dir, "bashgate")}, nil
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return Store{Dir: filepath.Join(home, ".local", "state", "bashgate")}, nil
	}
	return Store{}, errors.New("neither XDG_STATE_HOME nor HOME names a directory for it")
}

func (s Store) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

// Name is the name of a session's files, from the agent's name and its id of
// the session; "" if the agent gave none.
func Name(host, id string) string {
	if id == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString(host + "-")
	for i := range len(id) {
		switch c := id[i]; {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c == '-', c == '_':
			b.WriteByte(c)
		default: // capitals too: some file systems don't tell them apart
			const digits = "0123456789ABCDEF"
			b.WriteString(string([]byte{'%', digits[c>>4], digits[c&15]}))
		}
	}
	name := b.String()
	if len(name) <= maxName {
		return name
	}
	// Two ids that share beginning, length and hash share a log, which is
	// then only stricter.
	return name[:maxName] + "~" + strconv.Itoa(len(id)) + "~" + strconv.FormatUint(uint64(hash(id)), 16)
}

// maxName leaves room for the endings in a file's name, in bytes.
const maxName = 200

func (s Store) sessions() string { return filepath.Join(s.Dir, "sessions") }

func (s Store) log(name string) log { return log{filepath.Join(s.sessions(), name+".log")} }

func (s Store) files() log { return log{filepath.Join(s.Dir, "files.log")} }

// Read returns what is known of a session, by its Name.
func (s Store) Read(name string) State { return s.ReadWith(name, nil) }

// ReadWith returns what would be known of a session if more were written down.
func (s Store) ReadWith(name string, more []Event) State {
	if name == "" {
		return State{Damage: "the agent does not say which session it is"}
	}
	var f folding
	exists, damage := s.log(name).each(maxLog, func(text string) (int, error) {
		f = folding{}
		f.state.Labels = make([]Label, 0, strings.Count(text, "\n")/2+1) // each line ends one and begins after one
		return readEvents(text, func(e *Event, at, line string) {
			if s.Until.IsZero() || !s.later(moment(at)) {
				f.event(e, line)
			}
		})
	})
	var further []byte
	for i := range more {
		further = appendEvent(further, &more[i])
	}
	readEvents(string(further), func(e *Event, _, line string) { f.event(e, line) })
	state := f.end()
	state.Known = exists
	if !exists && damage == "" && s.begun(name) {
		state.Lost, damage = true, "what the session had seen before is not known (without a record)"
	}
	if damage == "" {
		damage = s.unwritable()
		state.Unwritable = damage != "" && state.Damage == ""
	}
	if damage != "" {
		state.Damage = damage
	}
	return state
}

// later reports whether something was written later than is looked at.
func (s Store) later(at time.Time) bool { return !s.Until.IsZero() && at.After(s.Until) }

// Begun notes that an agent tells when its sessions begin. From then on one of
// its sessions without a record is one whose record is lost.
func (s Store) Begun(name string) error {
	if s.begun(name) {
		return nil
	}
	return appendTo(s.begins(name), nil)
}

func (s Store) begun(name string) bool {
	_, err := os.Lstat(s.begins(name))
	return !errors.Is(err, os.ErrNotExist)
}

// begins is the file that stands for an agent's telling when sessions begin.
func (s Store) begins(name string) string {
	agent, _, _ := strings.Cut(name, "-")
	return filepath.Join(s.sessions(), agent+".begins")
}

// unwritable says why nothing can be remembered, "" if it can.
func (s Store) unwritable() string {
	err := system.Writable(s.sessions())
	if errors.Is(err, os.ErrNotExist) {
		if err := os.MkdirAll(s.sessions(), dirMode); err != nil {
			return err.Error()
		}
		err = system.Writable(s.sessions())
	}
	if err != nil {
		return "nothing can be written to " + s.sessions() + ": " + err.Error()
	}
	return ""
}

// Append adds events to a session's log, with the present time. Where it
// fails, later reads find the session damaged.
func (s Store) Append(name string, events ...Event) error {
	if len(events) == 0 {
		return nil
	}
	if name == "" {
		return errors.New("the agent does not say which session it is")
	}
	at := s.now()
	for i := range events {
		events[i].At = at
	}
	return s.log(name).write(events)
}

// Clear begins a session's record anew, on the word of a person. What it held
// stays beside it under another name.
func (s Store) Clear(name, by string) error {
	l := s.log(name)
	old := l.path + "." + s.now().UTC().Format("20060102T150405.000000000") + ".old"
	if err := system.Replace(l.path, old); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Remove(l.seal()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return s.Append(name, Event{Kind: Cleared, What: by})
}

// Names lists the sessions that have a record, the one that changed last
// first.
func (s Store) Names() ([]string, error) {
	entries, err := os.ReadDir(s.sessions())
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	type found struct {
		name string
		at   time.Time
	}
	var list []found
	for _, entry := range entries {
		name, isLog := strings.CutSuffix(entry.Name(), ".log")
		seal, isSeal := strings.CutSuffix(entry.Name(), ".seal")
		switch info, err := entry.Info(); {
		case err != nil:
		case isLog:
			list = append(list, found{name, info.ModTime()})
		case isSeal:
			if _, err := os.Lstat(s.log(seal).path); err != nil { // its log is gone
				list = append(list, found{seal, info.ModTime()})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b found) int { return b.at.Compare(a.at) })
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].name
	}
	return names, nil
}

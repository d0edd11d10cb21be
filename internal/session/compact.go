package session

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/system"
)

// The list of files is shared by all sessions and would grow for ever. Where it
// has become long it is written anew, with what still matters.
const (
	longList = 2 << 20        // bytes: from then on it is made shorter
	mostKept = 4000           // entries that are kept, at most; more are put together
	settled  = 24 * time.Hour // after which nothing that wrote a file is at work any more
)

// lockPatience is how long another one may take to write the list anew.
const lockPatience = 2 * time.Second

// writeFiles appends to the list of files. Whoever writes it anew keeps others
// out until it is in place, so that nothing is written to the old one.
func (s Store) writeFiles(events []Event) error {
	l := s.files()
	f, err := l.lock(system.Shared)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return l.mark(err)
	}
	if f != nil {
		defer f.Close()
	}
	if err := l.write(events); err != nil {
		return err
	}
	if f == nil {
		return nil
	}
	if info, err := f.Stat(); err == nil && info.Size() > longList {
		f.Close()
		return s.compact()
	}
	return nil
}

// lock opens a log and locks it, as it is in place. Closing it unlocks it.
func (l log) lock(how system.Mode) (*os.File, error) {
	for deadline := time.Now().Add(lockPatience); ; {
		f, err := system.OpenFile(l.path, os.O_RDONLY|system.NoFollow|system.NoWait, 0)
		if err != nil {
			return nil, err
		}
		err = system.Lock(f, how, 0)
		if err == nil {
			mine, err := f.Stat()
			if err != nil {
				f.Close()
				return nil, err
			}
			if there, err := os.Lstat(l.path); err == nil && os.SameFile(mine, there) {
				return f, nil
			}
		}
		f.Close()
		if err != nil && !errors.Is(err, system.ErrLocked) {
			return nil, err
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("%s: somebody else keeps it locked", l.path)
		}
		time.Sleep(time.Millisecond)
	}
}

// compact writes the list of files anew. It is no error where somebody else
// does just that, or where the list can't be read: then it stays as it is.
func (s Store) compact() error {
	l := s.files()
	f, err := l.lock(system.Exclusive)
	if err != nil {
		return nil // the list is long, and whole
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() <= longList {
		return nil
	}
	events, committed, err := s.essence()
	if err != nil {
		return nil
	}
	var text []byte
	lines := 0
	add := func(e *Event) {
		text = appendEvent(text, e)
		lines++
	}
	// A commit is about all that stands before it.
	for _, frozen := range [...]bool{true, false} {
		for i := range events {
			if events[i].committed == frozen {
				add(&events[i].Event)
			}
		}
		if frozen {
			for i := range committed {
				add(&committed[i])
			}
		}
	}
	if lines == 0 {
		add(&Event{At: s.now(), Kind: Cleaned, What: "/"})
	}
	// The seal comes first: a list with more lines than its seal is whole.
	if err := replace(l.seal(), bytes.Repeat([]byte{'\n'}, lines)); err != nil {
		return nil
	}
	return replace(l.path, text)
}

// replace puts a file in the place of another one, all at once.
func replace(name string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "*.new")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return system.Replace(f.Name(), name)
}

// essence is what a list says in as few entries as needed: those that other
// ones repeat, that are cleaned, or whose file is gone or as before are left
// out, and where there are too many, those of a directory become one.
func (s Store) essence() (kept []entry, committed []Event, err error) {
	var e Event
	_, damage := s.files().each(maxFiles, func(text string) (int, error) {
		kept, committed = nil, nil
		return eachLine(text, func(line string) error {
			at, err := e.read(line)
			if err != nil {
				return err
			}
			e.At, _ = time.Parse(time.RFC3339Nano, at)
			switch e.Kind {
			case Wrote:
				kept = append(kept, entry{Event: e, at: at})
			case Cleaned:
				kept = slices.DeleteFunc(kept, func(w entry) bool { return below(w.What, e.What) })
			case Committed:
				for i := range kept {
					kept[i].committed = kept[i].committed || below(kept[i].What, e.What)
				}
				committed = append(slices.DeleteFunc(committed, func(c Event) bool { return below(c.What, e.What) }), e)
			}
			return nil
		})
	})
	if damage != "" {
		return nil, nil, errors.New(damage)
	}
	c := checker{held: map[string]string{}}
	past := s.now().Add(-settled)
	kept = slices.DeleteFunc(kept, func(e entry) bool { return e.At.Before(past) && !c.changed(&e) })
	committed = slices.DeleteFunc(committed, func(c Event) bool {
		return !slices.ContainsFunc(kept, func(e entry) bool { return e.committed && below(e.What, c.What) })
	})
	kept = distinct(kept)
	for _, strong := range [...]bool{false, true} {
		kept = together(kept, strong)
	}
	return kept, committed, nil
}

// distinct leaves out what another entry says.
func distinct(list []entry) []entry {
	type key struct {
		what    string
		pattern bool
	}
	seen := map[key][]int{}
	kept := list[:0]
	for i := range list {
		e := list[i]
		k := key{e.What, e.Pattern}
		if slices.ContainsFunc(seen[k], func(at int) bool {
			l := &kept[at]
			return says(&l.Event, &e.Event) && (l.committed || !e.committed)
		}) {
			continue
		}
		seen[k] = append(seen[k], len(kept))
		kept = append(kept, e)
	}
	return kept
}

// together makes one entry of those in a directory, of the fullest ones first
// and from the deepest ones up, until there are few enough. Those that count
// only where the lowest level does go first.
func together(list []entry, strong bool) []entry {
	for most := 256; most > 0 && len(list) > mostKept; most /= 4 {
		deepest := 0
		for i := range list {
			deepest = max(deepest, strings.Count(directory(&list[i]), "/"))
		}
		for depth := deepest; depth > 0 && len(list) > mostKept; depth-- {
			list = distinct(merged(list, strong, depth, most))
		}
	}
	return list
}

// directory is the one that a file lies in.
func directory(e *entry) string {
	if e.Pattern {
		return fixed(e.What)
	}
	return path.Dir(e.What)
}

// merged makes one entry of those that lie in a directory so deep in the tree,
// where they are more than that many.
func merged(list []entry, strong bool, depth, most int) []entry {
	among := func(e *entry) (dir string, ok bool) {
		dir = directory(e)
		return dir, e.What != nowhere && dir != "/" && strings.Count(dir, "/") == depth && (strong || max(e.Corruption, e.Secret) <= weak)
	}
	count := map[string]int{}
	for i := range list {
		if dir, ok := among(&list[i]); ok {
			count[dir]++
		}
	}
	at := map[string]int{}
	kept := list[:0]
	for i := range list {
		e := list[i]
		dir, ok := among(&e)
		if !ok || count[dir] < most {
			kept = append(kept, e)
			continue
		}
		if k, there := at[dir]; there {
			kept[k].Corruption, kept[k].Secret = max(kept[k].Corruption, e.Corruption), max(kept[k].Secret, e.Secret)
			continue
		}
		e.What, e.Pattern, e.Before, e.committed = dir, false, unknown, false
		at[dir] = len(kept)
		kept = append(kept, e)
	}
	return kept
}

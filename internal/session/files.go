package session

import (
	"errors"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

// entry is a file that a session has written, and that is not cleaned since.
type entry struct {
	Event
	at        string // the time as it is written; At is not set
	committed bool   // an agent may have committed it since
}

// when is the moment of an entry; zero if it can't be read.
func (e *entry) when() time.Time { return moment(e.at) }

// maxFiles is how large the list of files may be, in bytes. It is made shorter
// long before.
const maxFiles = 256 << 20

// entries looks up which files of the list lie where places are. A list that
// was never written has none.
func (s Store) entries(where *area) (found []entry, damage string) {
	_, damage = s.files().each(maxFiles, func(text string) (int, error) {
		found = found[:0]
		var e Event
		return eachLine(text, func(line string) error {
			if what, pattern, ok := glance(line); ok && !where.meets(&Event{What: what, Pattern: pattern}) {
				return nil
			}
			at, err := e.read(line)
			if err != nil {
				return err
			}
			if !s.Until.IsZero() && s.later((&entry{at: at}).when()) {
				return nil
			}
			switch e.Kind {
			case Wrote:
				if where.meets(&e) {
					found = append(found, entry{Event: e, at: at})
				}
			case Cleaned:
				found = slices.DeleteFunc(found, func(w entry) bool { return below(w.What, e.What) })
			case Committed:
				for i := range found {
					found[i].committed = found[i].committed || below(found[i].What, e.What)
				}
			}
			return nil
		})
	})
	return found, damage
}

// ReadFiles adds what files show that sessions have written: what those had
// seen. Levels below from don't count, and what shows no more than that is told
// once. Where the list of files is damaged, any file may be one.
func (s Store) ReadFiles(nodes []engine.Node, from int) {
	where := &area{}
	walk(nodes, func(n *engine.Node) {
		for i := range n.Reads {
			where.add(asWritten(n.Reads[i]))
		}
	})
	if len(where.places) == 0 {
		return
	}
	found, damage := s.entries(where)
	if damage != "" {
		walk(nodes, func(n *engine.Node) {
			if len(n.Reads) > 0 {
				n.Sights = append(n.Sights, engine.Sight{Corruption: 2, Secret: 2, What: n.Reads[0].Path, Why: "A file of which it is not known who wrote it: " + s.files().path + ": " + damage})
			}
		})
		return
	}
	if len(found) == 0 {
		return
	}
	c := checker{moving: s.Away}
	walk(nodes, func(n *engine.Node) { c.moving = c.moving || restores(n) })
	if !c.moving {
		c.prepare(found, func(e *entry) bool { return max(e.Corruption, e.Secret) >= from })
	}
	weak := false
	list := newNearby(found)
	walk(nodes, func(n *engine.Node) {
		told := 0
		shown := engine.Taint{}
		var runs map[engine.Place]bool
		for _, p := range n.Reads {
			if told >= maxTold && shown.Corruption >= list.most.Corruption && shown.Secret >= list.most.Secret {
				break // nothing says more
			}
			read := asWritten(p)
			near := &area{}
			near.add(read)
			for _, i := range list.of(&read) {
				e := &found[i]
				counts := max(e.Corruption, e.Secret) >= from
				switch {
				case !near.meets(&e.Event):
					continue
				case !counts && weak:
					continue
				case told >= maxTold && e.Corruption <= shown.Corruption && e.Secret <= shown.Secret:
					continue
				case counts && !c.holds(e, &read):
					continue
				}
				weak = weak || !counts
				told++
				if runs == nil {
					runs = make(map[engine.Place]bool, len(n.Runs))
					for _, r := range n.Runs {
						runs[r] = true
					}
				}
				shown = join(shown, e.Corruption, e.Secret, 1)
				n.Sights = append(n.Sights, engine.Sight{Corruption: e.Corruption, Secret: e.Secret, What: e.What, Why: "A file that a session wrote which had seen " + words(e.Corruption, e.Secret), Runs: runs[p]})
			}
		}
	})
}

// nearbyFiles finds which entries may lie where a place is, without a look at all
// of them for each place.
type nearbyFiles struct {
	found  []entry
	sorted []int // those of plain files, by path
	loose  []int // the others
	most   engine.Taint
}

func newNearby(found []entry) *nearbyFiles {
	l := &nearbyFiles{found: found}
	for i := range found {
		e := &found[i]
		l.most = join(l.most, e.Corruption, e.Secret, 1)
		if e.Pattern || e.What == nowhere {
			l.loose = append(l.loose, i)
		} else {
			l.sorted = append(l.sorted, i)
		}
	}
	slices.SortStableFunc(l.sorted, func(a, b int) int { return strings.Compare(found[a].What, found[b].What) })
	return l
}

// of lists the entries that a place may meet, and perhaps others, in their order.
func (l *nearbyFiles) of(p *engine.Place) []int {
	const few = 16
	if len(l.found) <= few || p.Pattern || p.Path == "/" || !path.IsAbs(p.Path) {
		all := make([]int, len(l.found))
		for i := range all {
			all[i] = i
		}
		return all
	}
	from := func(name string) int {
		at, _ := slices.BinarySearchFunc(l.sorted, name, func(i int, name string) int { return strings.Compare(l.found[i].What, name) })
		return at
	}
	near := slices.Clone(l.loose)
	for dir := p.Path; ; dir = path.Dir(dir) { // the file, and what it lies in
		for at := from(dir); at < len(l.sorted) && l.found[l.sorted[at]].What == dir; at++ {
			near = append(near, l.sorted[at])
		}
		if dir == "/" {
			break
		}
	}
	for at := from(p.Path + "/"); at < len(l.sorted) && strings.HasPrefix(l.found[l.sorted[at]].What, p.Path+"/"); at++ {
		near = append(near, l.sorted[at])
	}
	slices.Sort(near)
	return near
}

// maxTold is how many of the files that a command reads are told, if more
// would say no more.
const maxTold = 20

// asWritten is a place as the list names it.
func asWritten(p engine.Place) engine.Place {
	p.Path = strings.ToValidUTF8(p.Path, "\ufffd")
	return p
}

// checker finds out which entries still hold what was written.
type checker struct {
	moving bool              // what files hold now is not what they will hold when they are read
	clean  map[string]bool   // files that hold what a person has committed
	held   map[string]string // what files hold, as far as somebody has looked
}

// prepare asks git, once, about those entries for which it matters.
func (c *checker) prepare(list []entry, matters func(*entry) bool) {
	c.held = map[string]string{}
	var ask []string
	for i := range list {
		if e := &list[i]; matters(e) && !e.committed && e.Before != unknown && e.Before != fresh && !e.Pattern && c.changed(e) && !slices.Contains(ask, e.What) {
			if dir := repository(e.What); dir != "" && movedSince(dir, e.when()) {
				ask = append(ask, e.What)
			}
		}
	}
	if len(ask) > 0 {
		c.clean = committed(ask)
	}
}

// movedSince reports whether the last commit of a repository may be another
// one than at a moment: git writes down where it has been.
func movedSince(dir string, at time.Time) bool {
	info, err := os.Lstat(system.Native(dir + "/.git/logs/HEAD"))
	return err != nil || at.IsZero() || !info.ModTime().Before(at.Add(-2*time.Second))
}

// changed reports whether one plain file may hold something else than before
// it was written.
func (c *checker) changed(e *entry) bool {
	if e.Pattern {
		return true
	}
	now, looked := c.held[e.What]
	if !looked {
		now = content(e.What)
		c.held[e.What] = now
	}
	switch {
	case now == absent:
		return false
	case now == unknown:
		return !gone(e.What)
	}
	return e.Before == unknown || e.Before == fresh || now != e.Before
}

// holds reports whether reading a place, nil for any, may still read what an
// entry says was written.
func (c *checker) holds(e *entry, read *engine.Place) bool {
	switch {
	case c.moving:
		return true
	case !c.changed(e):
		return false
	case read != nil && read.Pattern && !e.Pattern && e.Before != fresh && deeper(read.Path, e.What):
		return false
	case e.Pattern || e.Before == fresh:
		return e.Before != fresh || read == nil || read.Pattern || read.Path == e.What || !older(read.Path, e.when())
	}
	return e.committed || !c.clean[e.What]
}

// deeper reports whether a pattern is about files deeper in the tree than one
// that is no directory.
func deeper(pattern, name string) bool {
	if strings.Count(pattern, "/") <= strings.Count(name, "/") || strings.Contains(pattern, "**") || strings.ContainsAny(pattern, "{}()") {
		return false
	}
	info, err := os.Lstat(system.Native(name))
	return err == nil && info.Mode().IsRegular()
}

// Keep notes the files that a line or a tool writes. What flows into them from
// what the line shows gives them its levels, whatever the session has seen
// before; what a session writes otherwise that has seen something, the lowest
// one. seen is what counts of the session before the line, and from the level from
// which a label counts.
func (s Store) Keep(nodes []engine.Node, seen engine.Taint, from int, session string) error {
	shows := Rules{From: from}.shows(nodes)
	level := shows
	if seen.Corruption > 0 || seen.Damaged {
		level.Corruption = max(level.Corruption, weak)
	}
	if seen.Secret > 0 || seen.Damaged {
		level.Secret = max(level.Secret, weak)
	}
	level = both(level, s.linked(nodes))
	commits := committing(nodes)
	var list []written
	if level != (engine.Taint{}) {
		list = s.writes(nodes, level, shows)
	}
	if len(list)+len(commits) == 0 {
		return nil
	}
	where := &area{exact: true}
	for i := range list {
		where.add(list[i].Place)
	}
	known, _ := s.entries(where)
	fresh := make([]Event, 0, len(list)+len(commits))
	for i := range list {
		w := &list[i]
		if len(w.Path) > maxPath || strings.HasPrefix(w.Path, "/dev/") {
			continue
		}
		e := Event{
			At: s.now(), Kind: Wrote, Corruption: w.level.Corruption, Secret: w.level.Secret, What: w.Path, Pattern: w.Pattern,
			Session: session, Before: w.before,
		}
		if !listed(known, &e) && !slices.ContainsFunc(fresh, func(f Event) bool { return says(&f, &e) }) {
			fresh = append(fresh, e)
		}
	}
	for i := range fresh {
		if e := &fresh[i]; e.Kind == Wrote && e.Before == unknown && !e.Pattern && !s.Away {
			e.Before = content(e.What)
		}
	}
	for _, dir := range commits {
		fresh = append(fresh, s.commit(dir, fresh, session)...)
	}
	if len(fresh) == 0 {
		return nil
	}
	return s.writeFiles(fresh)
}

// linked is what flows from one of the files that a command names for writing
// into another one: ln makes two names of one file.
func (s Store) linked(nodes []engine.Node) (level engine.Taint) {
	where := &area{}
	walk(nodes, func(n *engine.Node) {
		if len(n.Writes) > 1 && n.Effects&policy.Deletes == 0 {
			for _, p := range n.Writes {
				where.add(asWritten(p))
			}
		}
	})
	if len(where.places) == 0 {
		return level
	}
	found, _ := s.entries(where)
	c := checker{moving: s.Away, held: map[string]string{}}
	for i := range found {
		if e := &found[i]; c.holds(e, nil) {
			level = join(level, e.Corruption, e.Secret, 1)
		}
	}
	return level
}

// weak is the level of what a session writes itself that has seen something.
const weak = 1

// commit is what the list has to say before an agent commits below a directory:
// from then on what is committed says nothing of a file. What a person has
// committed until now is what it held before. writes are the events of the same
// line.
func (s Store) commit(dir string, writes []Event, session string) (events []Event) {
	within := &area{}
	within.add(engine.Place{Path: dir})
	found, damage := s.entries(within)
	found = slices.DeleteFunc(found, func(e entry) bool { return e.committed || !below(e.What, dir) })
	if damage == "" && len(found) == 0 && !slices.ContainsFunc(writes, func(e Event) bool { return below(e.What, dir) }) {
		return nil
	}
	c := checker{}
	if !s.Away {
		c.prepare(found, func(*entry) bool { return true })
	}
	for name := range c.clean {
		e := Event{At: s.now(), Kind: Wrote, What: name, Session: session, Before: c.held[name]}
		for i := range found {
			if w := &found[i]; w.What == name {
				e.Corruption, e.Secret = max(e.Corruption, w.Corruption), max(e.Secret, w.Secret)
			}
		}
		if !slices.ContainsFunc(writes, func(e Event) bool { return e.What == name }) {
			events = append(events, Event{At: s.now(), Kind: Cleaned, What: name}, e)
		}
	}
	return append(events, Event{At: s.now(), Kind: Committed, What: dir})
}

// listed reports whether the list says already what an event would.
func listed(list []entry, e *Event) bool {
	return slices.ContainsFunc(list, func(l entry) bool { return says(&l.Event, e) })
}

// says reports whether an event says all that another one does.
func says(l, e *Event) bool {
	return l.What == e.What && l.Pattern == e.Pattern && l.Corruption >= e.Corruption && l.Secret >= e.Secret && (l.Before != fresh || e.Before == fresh && max(e.Corruption, e.Secret) <= weak)
}

// File is one that a session has written which had seen something.
type File struct {
	Event
	Holds bool // it may still hold what was written
}

// Files lists the files that sessions have written which had seen something,
// those that may still hold it first, and what is wrong with the list.
func (s Store) Files() (written []File, damage string) {
	all := &area{}
	all.add(engine.Place{Path: "/"})
	all.add(engine.Place{Path: nowhere})
	found, damage := s.entries(all)
	c := checker{}
	c.prepare(found, func(*entry) bool { return true })
	for _, holds := range [...]bool{true, false} {
		for i := range found {
			if e := &found[i]; c.holds(e, nil) == holds {
				e.At = e.when()
				written = append(written, File{e.Event, holds})
			}
		}
	}
	return written, damage
}

// CleanFiles takes a person's word for a file, or for all below a directory.
// "/" is all files, and makes a damaged list whole.
func (s Store) CleanFiles(path string) error {
	if path == "/" {
		for _, name := range [...]string{s.files().path, s.files().seal()} {
			if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
		return nil
	}
	return s.writeFiles([]Event{{At: s.now(), Kind: Cleaned, What: path}})
}

// area is a set of places, to look many files up in.
type area struct {
	exact  bool // a file must be named just so
	places []engine.Place
	self   map[string]bool // the places without wildcards
	above  map[string]bool // all directories that one of them lies in, and they themselves
	least  int             // the length of the shortest one
	rough  []engine.Place  // the places with wildcards
	beside []string        // directories of which the files count that lie in them or among their modules
}

func (a *area) add(p engine.Place) {
	if a.self == nil {
		a.self, a.above, a.least = map[string]bool{}, map[string]bool{}, maxPath
	}
	a.places = append(a.places, p)
	if p.Pattern {
		a.rough = append(a.rough, p)
		if a.exact {
			a.self[p.Path] = true
		}
		return
	}
	a.least = min(a.least, len(p.Path))
	a.self[p.Path] = true
	for dir := p.Path; !a.above[dir]; dir = path.Dir(dir) {
		a.above[dir] = true
		if dir == "/" || dir == "." {
			break
		}
	}
}

// meets reports whether a file that was written may be one of the places, lie
// in one, or hold one.
func (a *area) meets(e *Event) bool {
	switch {
	case a.exact:
		return a.self[e.What]
	case e.What == nowhere:
		return a.self[nowhere]
	case !e.Pattern && a.liesBeside(e.What):
		return true
	case e.Pattern:
		dir := fixed(e.What)
		near := a.nearby(dir) || slices.ContainsFunc(a.rough, func(p engine.Place) bool {
			other := fixed(p.Path)
			return below(dir, other) || below(other, dir)
		})
		return near && slices.ContainsFunc(a.places, func(p engine.Place) bool { return overlap(p, e) })
	}
	return a.nearby(e.What) || slices.ContainsFunc(a.rough, func(p engine.Place) bool { return overlap(p, e) })
}

// liesBeside reports whether a file lies in one of the directories above, and may
// be one that tools obey there.
func (a *area) liesBeside(name string) bool {
	for _, dir := range a.beside {
		rest, in := strings.CutPrefix(name, strings.TrimSuffix(dir, "/")+"/")
		if !in || strings.Contains(rest, "/") && !strings.HasPrefix(rest, "node_modules/") && !strings.HasPrefix(rest, ".config/") && !strings.HasPrefix(rest, ".cargo/") {
			continue
		}
		return !slices.Contains(obeyedByNone[:], path.Ext(rest))
	}
	return false
}

// obeyedByNone are how the names of files end that no tool looks for.
var obeyedByNone = [...]string{".log", ".txt", ".md", ".out", ".html", ".csv", ".diff", ".patch", ".png", ".svg", ".pdf", ".tmp", ".bak"}

// nearby reports whether a path is or holds one of the places without
// wildcards, or lies in one.
func (a *area) nearby(name string) bool {
	if a.above[name] || a.self["/"] {
		return true
	}
	for end := len(name); end >= a.least && end > 0; end = strings.LastIndexByte(name[:end], '/') {
		if a.self[name[:end]] {
			return true
		}
	}
	return false
}

// nowhere is the path of a file of which nothing is known, not even where it
// lies.
const nowhere = "/?"

package session

import (
	"errors"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/mask"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
)

// Rules is what counts, as a person has set it up.
type Rules struct {
	From            int      // the level from which a label counts: 1 to 3
	ContainsSecrets []string // directories, absolute: reading a file there shows a secret
}

// Declared adds what reading shows in the directories that are said to contain
// secrets.
func (r Rules) Declared(nodes []engine.Node) {
	if len(r.ContainsSecrets) == 0 {
		return
	}
	for i := range nodes {
		n := &nodes[i]
		r.Declared(n.Children)
		for _, p := range n.Reads {
			for _, dir := range r.ContainsSecrets {
				if below(p.Path, path.Clean(dir)) {
					n.Sights = append(n.Sights, engine.Sight{Secret: 2, What: p.Path, Why: "A file below a directory that is said to contain secrets"})
				}
			}
		}
	}
}

// Events are the labels that a line or a tool brings, in the order in which
// its commands run. What looks like a secret in the name of a file is masked.
func Events(nodes []engine.Node, use, agent string) []Event {
	var events []Event
	walk(nodes, func(n *engine.Node) {
		for _, s := range n.Sights {
			if s.Corruption > 0 || s.Secret > 0 {
				events = append(events, Event{Kind: Seen, Corruption: s.Corruption, Secret: s.Secret, What: policy.Visible(mask.Text(s.What)), Why: policy.Visible(mask.Text(s.Why)), Use: use, Agent: agent})
			}
		}
	})
	return events
}

// walk visits the commands in the order of the text, a wrapper before what it
// runs.
func walk(nodes []engine.Node, visit func(*engine.Node)) {
	for i := range nodes {
		visit(&nodes[i])
		walk(nodes[i].Children, visit)
	}
}

// Within is what counts for a line: what the session has seen, and what the
// line's own commands show to those behind them: cat .env | curl -d @- x. A
// secret that a command reads counts for the command itself, which can send
// it away, and so does what it runs; what it brings from outside counts for
// later ones. In a loop and in
// the background every command may be a later one.
func (r Rules) Within(v *engine.Verdict, t engine.Taint) engine.Taint {
	own, counts := engine.Taint{}, t
	walk(v.Tree, func(n *engine.Node) {
		for _, s := range n.Sights {
			if !s.Runs {
				s.Corruption = 0
			}
			own = join(own, s.Corruption, s.Secret, r.From)
		}
		if n.Reach > policy.ReachLocal {
			counts.Corruption = max(counts.Corruption, own.Corruption)
			counts.Secret = max(counts.Secret, own.Secret)
		}
		for _, s := range n.Sights {
			own = join(own, s.Corruption, 0, r.From)
		}
	})
	return both(counts, r.again(v.Tree, engine.Taint{}))
}

// again is what counts for commands that may run after those behind them: what
// all others of their text show, and what is outside of it.
func (r Rules) again(nodes []engine.Node, outside engine.Taint) (counts engine.Taint) {
	behind := make([]engine.Taint, len(nodes)+1)
	for i := len(nodes) - 1; i >= 0; i-- {
		behind[i] = both(behind[i+1], r.shows(nodes[i:i+1]))
	}
	before := outside
	for i := range nodes {
		n, others := &nodes[i], outside
		if n.Again() {
			if others = both(before, behind[i+1]); n.Reach > policy.ReachLocal {
				counts = both(counts, others)
			}
		}
		counts = both(counts, r.again(n.Children, others))
		before = both(before, r.shows(nodes[i:i+1]))
	}
	return counts
}

// shows is what commands show, all of them.
func (r Rules) shows(nodes []engine.Node) (t engine.Taint) {
	walk(nodes, func(n *engine.Node) {
		for _, s := range n.Sights {
			t = join(t, s.Corruption, s.Secret, r.From)
		}
	})
	return t
}

func both(a, b engine.Taint) engine.Taint {
	return engine.Taint{Corruption: max(a.Corruption, b.Corruption), Secret: max(a.Secret, b.Secret), Damaged: a.Damaged || b.Damaged}
}

// After is what counts once what the events tell was seen.
func After(t engine.Taint, events []Event, from int) engine.Taint {
	for i := range events {
		t = join(t, events[i].Corruption, events[i].Secret, from)
	}
	return t
}

// Writes lists the files that a line or a tool writes, those of each command
// together.
func Writes(nodes []engine.Node) [][]engine.Place {
	var writes [][]engine.Place
	walk(nodes, func(n *engine.Node) {
		if len(n.Writes) > 0 {
			writes = append(writes, n.Writes)
		}
	})
	return writes
}

// reads reports whether anything is read at all.
func reads(nodes []engine.Node) bool {
	found := false
	walk(nodes, func(n *engine.Node) { found = found || len(n.Reads) > 0 })
	return found
}

// below reports whether p is dir or lies below it.
func below(p, dir string) bool {
	return p == dir || dir == "/" || strings.HasPrefix(p, dir) && len(p) > len(dir) && p[len(dir)] == '/'
}

// ReadFiles adds what files show that tainted sessions have written. Where the
// list of them is damaged, any file may be one.
func (s Store) ReadFiles(nodes []engine.Node) {
	if !reads(nodes) {
		return
	}
	events, _, damage := s.files().read()
	written := current(events)
	if len(written) == 0 && damage == "" {
		return
	}
	walk(nodes, func(n *engine.Node) {
		if damage != "" && len(n.Reads) > 0 {
			n.Sights = append(n.Sights, engine.Sight{Corruption: 2, Secret: 2, What: n.Reads[0].Path, Why: "A file of which it is not known who wrote it: " + s.files().path + ": " + damage})
		}
		for _, p := range n.Reads {
			p.Path = strings.ToValidUTF8(p.Path, "\ufffd") // as it was written down
			for i := range written {
				if e := &written[i]; mayRead(p, e) {
					n.Sights = append(n.Sights, engine.Sight{Corruption: e.Corruption, Secret: e.Secret, What: e.What, Why: "A file that a session wrote which had seen " + words(e.Corruption, e.Secret), Runs: slices.Contains(n.Runs, p)})
				}
			}
		}
	})
}

// current lists the files that are written and not cleaned since, in the place
// of the events.
func current(events []Event) []Event {
	written := events[:0]
	for i := range events {
		e := &events[i]
		switch e.Kind {
		case Wrote:
			written = append(written, *e)
		case Cleaned:
			kept := written[:0]
			for _, w := range written {
				if !below(w.What, e.What) {
					kept = append(kept, w)
				}
			}
			written = kept
		}
	}
	return written
}

// mayRead reports whether reading a place may read a file that was written:
// the file, one below it, or all of a directory.
func mayRead(p engine.Place, e *Event) bool {
	switch {
	case e.Pattern && !p.Pattern:
		return match.PathGlob(e.What, p.Path) || below(e.What, p.Path)
	case e.Pattern:
		return fixed(p.Path) == fixed(e.What)
	case p.Pattern:
		return match.PathGlob(p.Path, e.What)
	}
	return below(p.Path, e.What) || below(e.What, p.Path)
}

// fixed is the directory before a pattern's first wildcard.
func fixed(pattern string) string {
	if i := strings.IndexAny(pattern, "*?[{("); i >= 0 {
		pattern = pattern[:i]
	}
	return path.Dir(pattern + "x")
}

// Keep notes the files that a session writes which has seen something. What a
// command moves or links passes on what it holds, whatever the session has
// seen: writes are those of each command together.
func (s Store) Keep(writes [][]engine.Place, t engine.Taint, session string) error {
	if t.Damaged {
		t.Corruption, t.Secret = max(t.Corruption, 2), max(t.Secret, 2)
	}
	clean := t.Corruption == 0 && t.Secret == 0
	if clean && !slices.ContainsFunc(writes, func(places []engine.Place) bool { return len(places) > 1 }) || len(writes) == 0 {
		return nil
	}
	known, _, _ := s.files().read()
	written := current(known)
	var fresh []Event
	add := func(e Event) {
		if len(e.What) > maxPath || e.What == "/?" || strings.HasPrefix(e.What, "/dev/") {
			return
		}
		e.At, e.Kind, e.Session = s.now(), Wrote, session
		e.What = strings.ToValidUTF8(e.What, "\ufffd")
		if !listed(written, &e) && !listed(fresh, &e) {
			fresh = append(fresh, e)
		}
	}
	for _, places := range writes {
		for _, e := range passed(places, written) {
			add(e)
		}
		if clean {
			continue
		}
		for _, p := range places {
			add(Event{Corruption: t.Corruption, Secret: t.Secret, What: p.Path, Pattern: p.Pattern})
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	return s.files().write(fresh)
}

// passed lists where the content of written files may be after a command that
// writes them together with others: mv, ln.
func passed(places []engine.Place, written []Event) (list []Event) {
	if len(places) < 2 {
		return nil
	}
	var level engine.Taint
	var from []engine.Place
	for _, p := range places {
		for i := range written {
			if e := &written[i]; mayRead(p, e) {
				level = join(level, e.Corruption, e.Secret, 1)
				if len(from) == 0 || from[len(from)-1] != p {
					from = append(from, p)
				}
			}
		}
	}
	if len(from) == 0 {
		return nil
	}
	for _, p := range places {
		info, err := os.Stat(p.Path)
		if err != nil || !info.IsDir() {
			list = append(list, Event{Corruption: level.Corruption, Secret: level.Secret, What: p.Path, Pattern: p.Pattern})
			continue
		}
		for _, f := range from { // into a directory that is there
			if f != p {
				list = append(list, Event{Corruption: level.Corruption, Secret: level.Secret, What: path.Join(p.Path, path.Base(f.Path)), Pattern: f.Pattern})
			}
		}
	}
	return list
}

func listed(list []Event, e *Event) bool {
	for i := range list {
		if l := &list[i]; l.What == e.What && l.Pattern == e.Pattern && l.Corruption >= e.Corruption && l.Secret >= e.Secret {
			return true
		}
	}
	return false
}

// Files lists the files that tainted sessions have written, and what is wrong
// with the list.
func (s Store) Files() (written []Event, damage string) {
	events, _, damage := s.files().read()
	return current(events), damage
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
	return s.files().write([]Event{{At: s.now(), Kind: Cleaned, What: path}})
}

// words says in words what two levels stand for.
func words(corruption, secret int) string {
	switch {
	case corruption > 0 && secret > 0:
		return "untrusted content and secrets"
	case corruption > 0:
		return "untrusted content"
	}
	return "secrets"
}

package engine

import (
	"path"
	"strings"
)

// writes are what the commands of a line so far have written, in their order.
//
// They are asked about each file that a line names. A few are looked through;
// more stand in a tree by the names of their paths as well, so that a line's
// cost does not grow with the square of what it writes.
type writes struct {
	list []wrote
	tree *writeTree       // of the first of list; nil: none yet
	any  [writeKinds]span // those of them that may be of any file
	upTo int              // so many are in tree and any
}

// manyWrites is how many there are at least where a tree is made of them.
const manyWrites = 12

// writeKind says which writes are looked for.
type writeKind uint8

const (
	anyWrite     writeKind = iota
	linking                // what is written may be links
	foreign                // no text of the project writes it
	foreignLinks           // both
	untold                 // the text is not known
	writeKinds
)

func (w *wrote) is(k writeKind) bool {
	switch k {
	case linking:
		return w.links
	case foreign:
		return !w.own
	case foreignLinks:
		return w.links && !w.own
	case untold:
		return !w.known
	}
	return true
}

// span is where the first and the last of some writes stand, counted from 1;
// zero: there are none.
type span struct{ first, last int }

func (s *span) add(at int) {
	if s.first == 0 || at < s.first {
		s.first = at
	}
	s.last = max(s.last, at)
}

func (s *span) join(o span) {
	if o.first != 0 {
		s.add(o.first)
		s.add(o.last)
	}
}

// some reports whether there are any.
func (s span) some() bool { return s.first != 0 }

// before reports whether one is among the first n writes.
func (s span) before(n int) bool { return s.first != 0 && s.first <= n }

// since reports whether one comes after the first n writes.
func (s span) since(n int) bool { return s.last > n }

// writeTree is a name of a path that writes hold, and what is below it. The
// root is "/".
type writeTree struct {
	at     [writeKinds]span // the writes of the path itself
	below  [writeKinds]span // these, and those below it
	inside span             // those of the names in it
	names  map[string]*writeTree
}

func (t *writeTree) add(w *wrote, at int) {
	var above *writeTree
	mark(&t.below, w, at)
	names := namesOf(w.path)
	for name, ok := names.next(); ok; name, ok = names.next() {
		next := t.names[name]
		if next == nil {
			if t.names == nil {
				t.names = make(map[string]*writeTree)
			}
			next = new(writeTree)
			t.names[name] = next
		}
		above, t = t, next
		mark(&t.below, w, at)
	}
	mark(&t.at, w, at)
	if above != nil {
		above.inside.add(at)
	}
}

// mark notes a write in the spans of what it is.
func mark(spans *[writeKinds]span, w *wrote, at int) {
	for k := range spans {
		if w.is(writeKind(k)) {
			spans[k].add(at)
		}
	}
}

// pathNames are the names of a path that are still to come, of which the one before
// the first slash is empty. "/" has none.
type pathNames struct {
	rest string
	more bool
}

func namesOf(p string) pathNames { return pathNames{p, p != "/" && p != ""} }

// next takes the next name.
func (n *pathNames) next() (name string, ok bool) {
	if !n.more {
		return "", false
	}
	name, n.rest, n.more = strings.Cut(n.rest, "/")
	return name, true
}

// find is the node of a path, or nil.
func (t *writeTree) find(p string) *writeTree {
	names := namesOf(p)
	for name, ok := names.next(); ok && t != nil; name, ok = names.next() {
		t = t.names[name]
	}
	return t
}

// rooted is the tree of what was written, or nil where that is little.
func (ws *writes) rooted() *writeTree {
	if len(ws.list) < manyWrites {
		return nil
	}
	if ws.tree == nil {
		ws.tree = new(writeTree)
	}
	for ; ws.upTo < len(ws.list); ws.upTo++ {
		if w := &ws.list[ws.upTo]; w.path == "" {
			mark(&ws.any, w, ws.upTo+1)
		} else {
			ws.tree.add(w, ws.upTo+1)
		}
	}
	return ws.tree
}

// scan is the span of the writes of a kind that something is said about.
func (ws *writes) scan(k writeKind, about func(*wrote) bool) (s span) {
	for i := range ws.list {
		if w := &ws.list[i]; w.is(k) && about(w) {
			s.add(i + 1)
		}
	}
	return s
}

// covering are the writes that change a file, or a directory that it is in.
func (ws *writes) covering(file string, k writeKind) (s span) {
	t := ws.rooted()
	if t == nil {
		return ws.scan(k, func(w *wrote) bool { return w.covers(file) })
	}
	s = ws.any[k]
	s.join(t.at[k])
	names := namesOf(file)
	for name, ok := names.next(); ok; name, ok = names.next() {
		if t = t.names[name]; t == nil {
			break
		}
		s.join(t.at[k])
	}
	return s
}

// of are the writes of a path itself.
func (ws *writes) of(file string, k writeKind) span {
	t := ws.rooted()
	if t == nil || file == "" {
		return ws.scan(k, func(w *wrote) bool { return w.path == file })
	}
	if t = t.find(file); t == nil {
		return span{}
	}
	return t.at[k]
}

// below are the writes of a directory and of what lies in it.
func (ws *writes) below(dir string, k writeKind) span {
	t := ws.rooted()
	if t == nil || dir == "" {
		return ws.scan(k, func(w *wrote) bool { return within(w.path, dir) })
	}
	root := t
	if t = t.find(dir); t == nil {
		return span{}
	}
	s := t.below[k]
	if t == root {
		s.join(ws.any[k])
	}
	return s
}

// in are the writes of names in a directory, which is absolute and clean.
func (ws *writes) in(dir string) (s span) {
	t := ws.rooted()
	if t == nil {
		return ws.scan(anyWrite, func(w *wrote) bool { return path.Dir(w.path) == dir })
	}
	if dir == "/" { // which is its own directory
		s, t = t.at[anyWrite], t.names[""]
	} else {
		t = t.find(dir)
	}
	if t != nil {
		s.join(t.inside)
	}
	return s
}

// namesIn lists the names in a directory that are written, or those alone whose
// text is not known. It may name one more than once.
func (ws *writes) namesIn(dir string, all bool) (names []string) {
	k := anyWrite
	if !all {
		k = untold
	}
	if t := ws.rooted(); t != nil && dir != "/" {
		if t = t.find(dir); t != nil && t.inside.some() {
			for name, node := range t.names {
				if node.at[k].some() {
					names = append(names, name)
				}
			}
		}
		return names
	}
	for i := range ws.list {
		if w := &ws.list[i]; path.Dir(w.path) == dir && w.is(k) {
			names = append(names, path.Base(w.path))
		}
	}
	return names
}

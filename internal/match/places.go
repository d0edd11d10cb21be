package match

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// Places finds the rows of paths tables that may be about a path without trying
// all of their globs. That of the built-in rows is made when they are compiled;
// that of others is made when they are read. It holds numbers in the place of
// rows, so that it is data which nothing has to set up.
type Places struct {
	Rows []PlaceRow // in the order in which they count: of two that are as strict the first one does

	Dirs  []PlaceKey // globs with a fixed beginning, by FirstDir
	Names []PlaceKey // **/NAME, by NAME
	Inner []PlaceKey // **/DIR/..., by DIR
	Above []PlaceKey // for tree rows: the directories above a glob's
	Ends  []PlaceKey // **/*.pem and the like, by the last byte
	Heads []PlaceKey // of those that end with a wildcard, **/id_rsa*, by the first byte; "" where that is one, too
	Wild  []PlaceKey // tree rows with Wildcards in directories, by FirstDir: /proc/[0-9]*/environ
	Refs  []PlaceRef // of all keys

	AboveOwn []PlaceKey // for rows of the gate itself, which are removed with a directory above: those directories
	WildOwn  []PlaceRef // rows of the gate itself with Wildcards in directories

	Inside bool // one names a place of the workspace
}

// PlaceRow is a row of a paths table: the gate's index, and the row's there.
type PlaceRow struct{ Gate, Row uint32 }

// PlaceKey says which globs are found by a text: Refs[From:To]. Keys are sorted by their
// sums, so that a search reads one text.
type PlaceKey struct {
	Text     string
	Sum      uint32
	From, To uint32
}

// PlaceRef is one glob of a row.
type PlaceRef struct {
	Row  uint32 // in Rows
	Glob uint32 // in the row's globs
	Head uint8  // of Ends and Heads: how many bytes of the name stand before its first wildcard
	Tail uint8  // and how many behind its last one
	Deep bool   // of Heads: it names directories too
}

// Find returns the globs of a key.
func (p *Places) Find(keys []PlaceKey, text string) []PlaceRef {
	sum := sumOf(text)
	lo, hi := 0, len(keys)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); keys[mid].Sum < sum {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for ; lo < len(keys) && keys[lo].Sum == sum; lo++ {
		if keys[lo].Text == text {
			return p.Of(&keys[lo])
		}
	}
	return nil
}

// Of returns the globs of a key.
func (p *Places) Of(k *PlaceKey) []PlaceRef { return p.Refs[k.From:k.To] }

// placeMaker collects what Places lists.
type placeMaker struct {
	places                                                 *Places
	dirs, names, inner, above, aboveOwn, ends, heads, wild map[string][]PlaceRef
}

// NewPlaces makes the index of the rows of gates.
func NewPlaces(gates []*Gate) *Places {
	if !slices.ContainsFunc(gates, func(g *Gate) bool { return len(g.Paths) > 0 }) {
		return &Places{}
	}
	m := placeMaker{
		places:   &Places{},
		dirs:     make(map[string][]PlaceRef),
		names:    make(map[string][]PlaceRef),
		inner:    make(map[string][]PlaceRef),
		above:    make(map[string][]PlaceRef),
		aboveOwn: make(map[string][]PlaceRef),
		ends:     make(map[string][]PlaceRef),
		heads:    make(map[string][]PlaceRef),
		wild:     make(map[string][]PlaceRef),
	}
	for i, g := range gates {
		for k := range g.Paths {
			rule := &g.Paths[k]
			ref := PlaceRef{Row: uint32(len(m.places.Rows))}
			m.places.Rows = append(m.places.Rows, PlaceRow{uint32(i), uint32(k)})
			for n, glob := range rule.Globs {
				if !strings.HasPrefix(glob, "!") {
					ref.Glob = uint32(n)
					m.add(ref, rule, glob)
				}
			}
		}
	}
	for _, list := range []struct {
		to   *[]PlaceKey
		refs map[string][]PlaceRef
	}{{&m.places.Dirs, m.dirs}, {&m.places.Names, m.names}, {&m.places.Inner, m.inner}, {&m.places.Above, m.above}, {&m.places.AboveOwn, m.aboveOwn}, {&m.places.Ends, m.ends}, {&m.places.Heads, m.heads}, {&m.places.Wild, m.wild}} {
		for _, text := range slices.SortedFunc(maps.Keys(list.refs), bySum) {
			from := len(m.places.Refs)
			m.places.Refs = append(m.places.Refs, list.refs[text]...)
			*list.to = append(*list.to, PlaceKey{text, sumOf(text), uint32(from), uint32(len(m.places.Refs))})
		}
	}
	return m.places
}

// Wildcards are the characters that make a glob more than a text.
const Wildcards = `*?[\`

func (m *placeMaker) add(ref PlaceRef, rule *PathRule, glob string) {
	m.places.Inside = m.places.Inside || glob[0] == '.'
	key := FirstDir(glob)
	if strings.ContainsAny(key, Wildcards) {
		key = key[:1] // "/" or "~": Wildcards in the first name
	}
	switch rest := AnyDepth(glob); {
	case rest != "":
		m.named(ref, rest)
	case key == "*": // "**" and the like, which no name finds
		ref.Deep = true
		m.heads[""] = append(m.heads[""], ref)
	default:
		m.dirs[key] = append(m.dirs[key], ref)
	}
	if key == "*" {
		return
	}
	wild := WildDirs(glob)
	if rule.Own {
		above(m.aboveOwn, ref, glob)
		if wild {
			m.places.WildOwn = append(m.places.WildOwn, ref)
		}
	}
	if rule.Tree {
		above(m.above, ref, glob)
		if wild {
			m.wild[key] = append(m.wild[key], ref)
		}
	}
}

// above keeps a glob by the directories above what it names.
func above(refs map[string][]PlaceRef, ref PlaceRef, glob string) {
	dir := Holds(glob)
	if dir == "" {
		return
	}
	for ; ; dir = path.Dir(dir) {
		refs[dir] = append(refs[dir], ref)
		if dir == "." || dir == "/" || dir == "~" {
			break
		}
	}
	if glob[0] == '~' {
		for _, dir := range AboveHome {
			refs[dir] = append(refs[dir], ref)
		}
	}
}

// named keeps a glob of any depth by the first of its names.
func (m *placeMaker) named(ref PlaceRef, names string) {
	name, _, deep := strings.Cut(names, "/")
	switch {
	case strings.ContainsAny(name, Wildcards):
		if ref.Deep = deep || strings.HasPrefix(name, "**"); !ref.Deep {
			ref.Head = uint8(min(255, strings.IndexAny(name, Wildcards)))
			ref.Tail = uint8(min(255, len(name)-1-strings.LastIndexAny(name, Wildcards+"]")))
		}
		if ref.Tail > 0 {
			end := name[len(name)-1:]
			m.ends[end] = append(m.ends[end], ref)
		} else {
			head := name[:min(1, int(ref.Head))]
			m.heads[head] = append(m.heads[head], ref)
		}
	case deep:
		m.inner[name] = append(m.inner[name], ref)
	default:
		m.names[name] = append(m.names[name], ref)
	}
}

// AnyDepth is what a glob names at any depth, below any directory or below the
// workspace: the rest of **/REST and ./**/REST. It is "" for others.
func AnyDepth(glob string) string {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(glob, "./"), "**/")
	if !ok {
		return ""
	}
	return rest
}

// FirstDir is the beginning of a path by which it is found: its first name,
// below a home directory or the workspace the first two.
func FirstDir(p string) string {
	from := 1
	if strings.HasPrefix(p, "~/") || strings.HasPrefix(p, "./") {
		from = 2
	}
	if len(p) <= from {
		return p
	}
	if i := strings.IndexByte(p[from:], '/'); i >= 0 {
		return p[:from+i]
	}
	return p
}

// AboveHome are the directories above any home directory.
var AboveHome = [...]string{"/", "/home", "/Users", "/private"}

// FixedDir is the part of a pattern before its first wildcard, up to a slash.
func FixedDir(pattern string) string {
	i := strings.IndexAny(pattern, "*?[{(")
	if i < 0 {
		return pattern
	}
	return strings.TrimSuffix(pattern[:strings.LastIndexByte(pattern[:i], '/')+1], "/")
}

// Holds returns the directory that holds all that a glob names, or "".
func Holds(glob string) string {
	fixed := FixedDir(glob)
	if fixed != "" && fixed == glob {
		return path.Dir(fixed)
	}
	return fixed
}

// WildDirs reports whether Wildcards stand in a glob's directories.
func WildDirs(glob string) bool {
	dir := path.Dir(strings.TrimSuffix(strings.TrimSuffix(glob, "**"), "/"))
	return !strings.HasPrefix(glob, "**") && strings.ContainsAny(dir, Wildcards)
}

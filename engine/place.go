package engine

import (
	"iter"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// allGates lists every gate that holds in this request and says more than what programs
// do.
func (j *judge) allGates() iter.Seq[*match.Gate] {
	return func(yield func(*match.Gate) bool) {
		for g := range j.engine.gates() {
			if !yield(g) {
				return
			}
		}
		for _, g := range j.packs {
			if !yield(g) {
				return
			}
		}
		for _, g := range j.profiles {
			if !yield(g) {
				return
			}
		}
	}
}

// gates lists those of them that hold in all requests: the administrator's, whose opinion is
// told where others have the same, then the built-in ones.
func (e *Engine) gates() iter.Seq[*match.Gate] {
	return func(yield func(*match.Gate) bool) {
		some := func(list []*interp.Rules) bool {
			for _, rules := range list {
				for _, g := range interp.Gates(rules) {
					if !yield(g) {
						return false
					}
				}
			}
			return true
		}
		if !some(e.opts.Managed) {
			return
		}
		for _, i := range gates.Telling {
			if !yield(gates.All[i]) {
				return
			}
		}
		_ = some(e.opts.User) && some(e.opts.Project)
	}
}

// row is the strictest row about a path.
func (j *judge) row(t target, o op) *match.PathRule {
	j.touch(policy.Places)
	forms := j.ownForms(t, o)
	if j.unruled {
		return j.addedRow(forms, o)
	}
	if known := j.spelling(t); len(forms) == len(known.forms) {
		return j.places().strictestOf(j.about(known, t.pattern), forms, t.pattern, o)
	}
	return j.places().strictest(forms, t.pattern, o)
}

// about lists the rows that are about a path.
func (j *judge) about(p *pathForms, pattern bool) []aboutPath {
	list := &p.about[0]
	if pattern {
		list = &p.about[1]
	}
	if index := j.places(); list.of != index {
		list.of, list.rows = index, index.about(p.forms, pattern)
	}
	return list.rows
}

// places is the index of the paths tables in force.
func (j *judge) places() *placeIndex {
	if len(j.packs) == 0 && len(j.profiles) == 0 {
		return j.engine.places()
	}
	for i := range j.placed {
		if p := &j.placed[i]; slices.Equal(p.packs, j.packs) && slices.Equal(p.profiles, j.profiles) {
			return p.index
		}
	}
	const most = 4 // an engine is mostly asked with the same ones
	if len(j.placed) == most {
		j.placed = nil
	}
	p := placed{slices.Clone(j.packs), slices.Clone(j.profiles), j.newPlaces()}
	j.placed = append(j.placed, p)
	return p.index
}

// placed is the index of the paths tables with packs and profiles in force. What
// a profile blocks is also judged without it, within one request.
type placed struct {
	packs, profiles []*match.Gate
	index           *placeIndex
}

// newPlaces makes the index of the rows in force.
func (j *judge) newPlaces() *placeIndex {
	var before, behind []*match.Gate
	for _, rules := range j.engine.opts.Managed {
		before = append(before, interp.Gates(rules)...)
	}
	for _, rules := range slices.Concat(j.engine.opts.User, j.engine.opts.Project) {
		behind = append(behind, interp.Gates(rules)...)
	}
	return newPlaceIndex(before, slices.Concat(behind, j.packs, j.profiles))
}

// insideRows reports whether a row in force names a place of the workspace,
// ./docs/**.
func (j *judge) insideRows() bool {
	return j.engine.inside() || namesInside(slices.Values(j.packs)) || namesInside(slices.Values(j.profiles))
}

func namesInside(gates iter.Seq[*match.Gate]) bool {
	for g := range gates {
		for i := range g.Paths {
			if slices.ContainsFunc(g.Paths[i].Globs, func(glob string) bool { return glob[0] == '.' }) {
				return true
			}
		}
	}
	return false
}

// pathRule is the strictest rule about what happens to a file, or nil.
func (j *judge) pathRule(t target, o op) *match.PathRule {
	if !t.pattern { // which takes little
		return j.strictestRule(t, o)
	}
	j.touch(policy.Places)
	found, known := j.recall(t, o, false)
	if !known {
		found = j.strictestRule(t, o)
		j.remember(t, o, false, found)
	}
	return found
}

// patternRow is a question about a pattern of the line, which has to be held
// against all rows. In a loop it comes up again and again.
type patternRow struct {
	target
	op       op
	rooted   bool
	unruled  bool
	profiles int // of those in force
}

func (j *judge) recall(t target, o op, rooted bool) (rule *match.PathRule, known bool) {
	rule, known = j.patterns[patternRow{t, o, rooted, j.unruled, len(j.profiles)}]
	return rule, known
}

func (j *judge) remember(t target, o op, rooted bool, rule *match.PathRule) {
	if j.patterns == nil {
		j.patterns = make(map[patternRow]*match.PathRule)
	}
	j.patterns[patternRow{t, o, rooted, j.unruled, len(j.profiles)}] = rule
}

func (j *judge) strictestRule(t target, o op) *match.PathRule {
	found := stricter(j.row(t, o), j.ownRow(t, o), o)
	if dir, ok := emptiesParent(t); ok && o != opRead {
		rule := j.pathRule(target{path: dir, real: j.follow(dir), known: t.known}, o)
		if rule != nil && (found == nil || ruleDecision(rule, o) > ruleDecision(found, o) || found.Own && ruleDecision(rule, o) == ruleDecision(found, o)) {
			found = rule
		}
	}
	return found
}

// spellings lists the forms of a path that rules may name: as written and with
// links followed, below a home directory as ~/..., above the user's as /home, without
// macOS's /private, by the request's aliases, and in lower case for file systems that don't tell
// the difference.
func (j *judge) spellings(t target) []string { return j.spelling(t).forms }

func (j *judge) spelling(t target) *pathForms {
	inside := j.insideRows()
	for i := range j.spelled {
		if s := &j.spelled[i]; s.path == t.path && s.real == t.real && s.inside == inside {
			return s
		}
	}
	const most = 8 // a path is mostly asked about a few times in a row
	if len(j.spelled) == most {
		j.spelled = j.spelled[:0]
	}
	j.spelled = append(j.spelled, pathForms{path: t.path, real: t.real, inside: inside, forms: j.spell(t, inside)})
	return &j.spelled[len(j.spelled)-1]
}

// pathForms are the forms of a path, in a request in which rules name places of the
// workspace or not.
type pathForms struct {
	path, real string
	inside     bool
	forms      []string
	about      [2]struct { // the rows about it, as a name and as a pattern, in an index
		of   *placeIndex
		rows []aboutPath
	}
}

// fewForms are as many as most paths have.
const fewForms = 6

// spell lists the forms of a path in a piece of j.forms, which the next request uses
// again.
func (j *judge) spell(t target, inside bool) []string {
	used := len(j.forms)
	if cap(j.forms)-used < fewForms {
		j.forms, used = make([]string, 0, 8*fewForms), 0
	}
	forms := j.forms[used : used : used+fewForms] // more of them move elsewhere
	add := func(p string) {
		for _, have := range forms {
			if have == p {
				return
			}
		}
		forms = append(forms, p)
	}
	for i, p := range [...]string{t.path, t.real} {
		if i > 0 && p == t.path {
			break // there are no links
		}
		add(p)
		if home, ok := j.homeForm(p); ok {
			add(home)
		}
		if p != "/" && p != j.request.Home && within(j.request.Home, p) { // rules know it by that name
			add("/home")
		}
		if rest, ok := strings.CutPrefix(p, "/private/"); ok {
			add("/" + rest)
		}
	}
	if inside { // globs like ./docs/** mean the workspace
		for _, p := range forms[:len(forms):len(forms)] {
			if ws := j.request.Workspace; ws != "" && ws != "/" && within(p, ws) {
				add("." + p[len(ws):])
			}
		}
	}
	if j.engine.opts.Windows {
		for _, p := range forms[:len(forms):len(forms)] {
			for _, more := range windowsForms(p) {
				add(more)
			}
		}
	}
	for _, a := range j.request.aliases() {
		for _, p := range forms[:len(forms):len(forms)] {
			if within(p, a.Dir) {
				as := a.As + p[len(a.Dir):]
				add(as)
				add(j.expandHome(as)) // as **/.claude/* is held to name it
			}
		}
	}
	for _, p := range forms[:len(forms):len(forms)] {
		if mayHaveUpper(p) {
			add(strings.ToLower(p))
		}
	}
	if len(forms) <= fewForms {
		j.forms = j.forms[:used+len(forms)]
	}
	return slices.Clip(forms)
}

// mayHaveUpper reports whether a text may hold letters that have a lower case.
func mayHaveUpper(s string) bool {
	for i := range len(s) {
		if c := s[i]; 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// meets reports whether a rule is about one of the spellings of a path.
func meets(rule *match.PathRule, forms []string, pattern bool) bool {
	for _, form := range forms {
		for _, glob := range rule.Globs {
			switch {
			case strings.HasPrefix(glob, "!"):
			case pattern && mayMatch(form, glob), !pattern && match.PathGlob(glob, form) && !excluded(rule, form):
				return true
			}
		}
	}
	return false
}

// mayMatch reports whether a pattern of the line could name a file that a
// rule's glob names. A pattern of the line that begins with a wildcard is held
// to name special files only where its ending says so (*.pem): else every
// "cat *" would be about secrets.
func mayMatch(pattern, glob string) bool {
	if apart(pattern, glob) {
		return false
	}
	star, from, some := "", "", false // what follows the last **, and where it is tried
	for {
		if rest, ok := strings.CutPrefix(glob, "**"); ok {
			if glob = strings.TrimPrefix(rest, "/"); glob == "" {
				return true
			}
			if !strings.HasPrefix(glob, "**") && strings.IndexByte(glob, '/') < 0 {
				return partMayMatch(lastName(pattern), glob)
			}
			star, from, some = glob, pattern, true
			continue
		}
		first, restOfPattern, more := cutName(pattern)
		firstGlob, restOfGlob, moreGlob := cutName(glob)
		if partMayMatch(first, firstGlob) {
			if more && moreGlob {
				pattern, glob = restOfPattern, restOfGlob
				continue
			}
			if more == moreGlob {
				return true
			}
		}
		after, left := "", false
		if _, after, left = cutName(from); !some || !left {
			return false
		}
		from = after
		pattern, glob = from, star
	}
}

// cutName cuts a path behind its first name; more is false where it has no other one.
func cutName(p string) (name, rest string, more bool) {
	if i := strings.IndexByte(p, '/'); i >= 0 {
		return p[:i], p[i+1:], true
	}
	return p, "", false
}

func partMayMatch(pattern, glob string) bool {
	if apart(pattern, glob) {
		return false // nearly always
	}
	wild := wildAt(pattern)
	if wild < 0 {
		return match.PathGlob(glob, pattern)
	}
	if len(pattern) > 1 && pattern[1] == '(' {
		return overlap(pattern, glob) // of ksh: *(.)env begins with what stands in it
	}
	if strings.HasPrefix(glob, ".") && strings.IndexByte("*?[", pattern[0]) >= 0 {
		return false // a name's leading dot is matched by a dot alone
	}
	if pattern[0] != '*' {
		if len(strings.TrimRight(pattern, "*")) == 1 && pattern[0] != '.' {
			return glob == "*" // "cat s*" says hardly more than "cat *"
		}
		if globEnd, ok := strings.CutPrefix(glob, "*"); ok && globEnd != "" && !match.IsGlob(globEnd) {
			end := pattern[strings.LastIndexAny(pattern, "*?])}")+1:]
			return end != "" && (strings.HasSuffix(end, globEnd) || strings.HasSuffix(globEnd, end))
		}
		return overlap(pattern, glob)
	}
	end := strings.TrimLeft(pattern, "*")
	globEnd := strings.TrimLeft(glob, "*")
	if end == "" || strings.ContainsAny(end, "*?[") || globEnd == glob {
		return glob == "*"
	}
	return strings.HasSuffix(end, globEnd) || strings.HasSuffix(globEnd, end)
}

// apart reports whether two patterns differ before the first wildcard of either.
// It is asked first, for most pairs do.
func apart(a, b string) bool {
	for i := range min(len(a), len(b)) {
		switch {
		case special[a[i]] || special[b[i]]:
			return false
		case a[i] != b[i]:
			return true
		}
	}
	return false
}

// special are the characters that mean more than themselves in some pattern. The
// one before a bracket of ksh's patterns is special with it: a?(b).
var special = [256]bool{'*': true, '?': true, '[': true, ']': true, '{': true, '}': true, '(': true, ')': true, '\\': true, '@': true, '!': true, '+': true, '^': true, '#': true, '<': true}

// overlap reports whether some text matches both patterns. Bracket expressions
// and extended patterns stand for any text.
func overlap(a, b string) bool {
	if apart(a, b) {
		return false
	}
	if strings.ContainsAny(a, bracketed) || strings.ContainsAny(b, bracketed) {
		a, b = loose(a), loose(b)
	}
	return a == "*" || b == "*" || share(a, b)
}

// share is overlap for stars and question marks alone.
func share(a, b string) bool {
	width := len(b) + 1
	var few [1024]bool
	var reached []bool // [i*width+k]: a[:i] and b[:k] are used up
	if size := (len(a) + 1) * width; size <= len(few) {
		reached = few[:size]
	} else {
		reached = make([]bool, size)
	}
	reached[0] = true
	for i := range len(a) + 1 {
		for k := range width {
			if !reached[i*width+k] {
				continue
			}
			starA, starB := i < len(a) && a[i] == '*', k < len(b) && b[k] == '*'
			if i < len(a) && (starA || starB) {
				reached[(i+1)*width+k] = true
			}
			if k < len(b) && (starA || starB) {
				reached[i*width+k+1] = true
			}
			if i < len(a) && k < len(b) && !starA && !starB && (a[i] == '?' || b[k] == '?' || a[i] == b[k]) {
				reached[(i+1)*width+k+1] = true
			}
		}
	}
	return reached[len(reached)-1]
}

// bracketed are the characters with which bracket expressions and extended
// patterns begin. What follows them is held to be any text: (#a1)id_rsb is id_rsa,
// too.
const bracketed = "[({@!+"

// loose replaces bracket expressions and extended patterns by "*".
func loose(pattern string) string {
	if i := strings.IndexAny(pattern, bracketed); i >= 0 {
		return pattern[:i] + "*"
	}
	return pattern
}

// Place reports whether a word means a file of the place that rules name
// with @NAME. It is relative to dirs; nil: where the command stands.
func (j *judge) Place(w policy.Word, place string, dirs []string) policy.Tri {
	j.touch(policy.Places)
	if dirs == nil {
		dirs = j.calling.Dirs
	}
	switch place {
	case match.Outside:
		return j.liesOutside(w, dirs)
	case match.Workspace:
		return j.isAll(w, dirs)
	case match.File:
		return j.isThere(w, dirs)
	case match.Known:
		return j.isProgram(w)
	}
	tri := policy.No
	places := j.resolve(w, dirs)
	for _, t := range places {
		if dir, ok := emptiesParent(t); ok {
			places = append(places, target{path: dir, real: j.follow(dir), known: t.known})
		}
	}
	for _, t := range places {
		if slices.ContainsFunc(j.about(j.spelling(t), t.pattern), func(a aboutPath) bool { return a.rule.Place == place }) {
			if t.known {
				return policy.Yes
			}
			tri = policy.Maybe
		}
		if !t.known && tri == policy.No {
			tri = policy.Maybe
		}
	}
	return tri
}

// liesOutside reports whether a word means something that may not lie in the
// workspace.
func (j *judge) liesOutside(w policy.Word, dirs []string) policy.Tri {
	if j.calling.Where != policy.Here {
		return policy.Yes
	}
	tri := policy.No
	for _, t := range j.resolve(w, dirs) {
		switch {
		case j.harmless(t):
		case !t.known:
			tri = policy.Maybe
		case !j.inWorkspace(t):
			return policy.Yes
		}
	}
	return tri
}

// isAll reports whether a word means all of the workspace: the directory
// itself, one above it, or a pattern that matches everything in it.
func (j *judge) isAll(w policy.Word, dirs []string) policy.Tri {
	if j.calling.Where != policy.Here {
		return policy.No
	}
	for _, t := range j.resolve(w, dirs) {
		if dir, ok := emptiesParent(t); ok {
			t.path, t.real = dir, j.follow(dir)
		}
		holds := func(dir string) bool {
			dir = j.expandHome(dir)
			return path.IsAbs(dir) && (within(path.Clean(dir), t.path) || within(j.follow(dir), t.real))
		}
		if t.known && (holds(j.request.Workspace) || slices.ContainsFunc(j.request.AdditionalDirs, holds)) {
			return policy.Yes
		}
	}
	return policy.No
}

// isThere reports whether a word names a file or a directory that exists. A
// pattern that the shell expands names some.
func (j *judge) isThere(w policy.Word, dirs []string) policy.Tri {
	if j.calling.Where != policy.Here || j.engine.opts.Files == nil {
		return policy.Maybe
	}
	tri := policy.No
	for _, t := range j.resolve(w, dirs) {
		switch {
		case !t.known:
			tri = policy.Maybe
		case t.pattern || j.exists(t.real):
			return policy.Yes
		}
	}
	return tri
}

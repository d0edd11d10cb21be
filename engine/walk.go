package engine

import (
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Programs that read all that lies below a directory show what no word of the
// line names: grep -r x . shows .env. The disk is asked which secret files there
// are. It decides nothing: it is about what a session has seen.

// A walk takes no more than this; where it ends early, there may be some.
const (
	maxWalked      = 2000 // names, of one walk
	maxWalkedDepth = 8    // directories below the first
	maxWalkedLine  = 8000 // names, of all walks of a line
	maxNamed       = 3    // secret files that are named
	maxIgnoreFile  = 64 << 10
)

// walk is a directory that a command reads, or whose files it finds for others.
type walk struct {
	root  string      // absolute, links followed
	how   match.Walks // which files
	names []string    // globs over their names; nil: any
}

// walked is what a walk has found.
type walked struct {
	files []shown
	ended bool // early
}

// stroll is a walk and what it has found.
type stroll struct {
	walk
	walked
}

// shown is a file that a session has something of that reads it.
type shown struct {
	path string
	rule *match.PathRule
}

// walks notes the directories that a command walks, and what a session sees of
// them.
func (j *judge) walks(n *Node, c *match.Call) {
	how := match.WalksNone
	for _, r := range c.Facts {
		if r.Fact != nil {
			how |= r.Fact.Walks
			n.hushed = n.hushed || r.Fact.Hushed
		}
	}
	if n.command.Where != policy.Here || j.engine.opts.Files == nil {
		return
	}
	names := filters(c)
	reads, operands := false, false
	for i := range c.Uses {
		u := &c.Uses[i]
		if u.Kind != match.Read && u.Kind != match.Path || u.Option != "" || operands && isDot(u.Word) && !slices.ContainsFunc(c.Cmd.Words, isDot) {
			continue // where a pattern stands, the current directory is meant only if nothing matches
		}
		reads = reads || u.Kind == match.Read
		for _, t := range j.resolve(u.Word, j.useDirs(n, u)) {
			n.walks = append(n.walks, j.walksOf(t, how, names)...)
			operands = true
		}
	}
	if !operands && how != match.WalksNone && n.command.Stdin.Kind == policy.InputHost {
		for _, t := range j.resolve(policy.Const("."), n.command.Dirs) { // git ls-files
			n.walks = append(n.walks, j.walksOf(t, how, names)...)
		}
	}
	passes := slices.ContainsFunc(c.Uses, func(u match.Use) bool { return u.Passes && u.Option != "" })
	if reads && !n.hushed || passes && readsAloud(n) {
		j.shows(n, n.walks, walker(n))
	}
}

// walksOf lists the walks that a place stands for: a directory, those that a
// pattern matches, or a pattern that crosses directories.
func (j *judge) walksOf(t target, how match.Walks, names []string) (all []walk) {
	switch {
	case !t.known:
	case !t.pattern:
		if how != match.WalksNone && j.isDir(t.real) {
			all = append(all, walk{t.real, how, names})
		}
	case strings.Contains(t.path, "**"):
		name := path.Base(t.path)
		if strings.ContainsAny(name, "({|") {
			name = "*"
		}
		all = append(all, walk{slashed(match.FixedDir(t.real)), match.WalksIgnored, []string{name}})
	case how != match.WalksNone:
		files, listed := j.listed(t)
		for _, file := range files {
			all = append(all, j.walksOf(file, how, names)...)
		}
		if !listed && len(files) == 0 { // too many, or none
			all = append(all, walk{slashed(match.FixedDir(t.real)), how, names})
		}
	}
	return all
}

func isDot(w policy.Word) bool {
	text, ok := w.Const()
	return ok && text == "."
}

// filters lists the globs by one of which the files have to go that a command
// reads: --include='*.go'. What it excludes is no such glob.
func filters(c *match.Call) []string {
	var names []string
	negated := negations(c.Cmd.Words)
	for i := range c.Uses {
		u := &c.Uses[i]
		if u.Kind != match.Name {
			continue
		}
		text, ok := u.Word.Const()
		switch {
		case !ok || strings.ContainsAny(text, `\^$|(`): // a regular expression
			return nil
		case strings.HasPrefix(text, "!"), negated(text):
			continue
		case u.Option == "" || strings.TrimLeft(u.Option, "-") == "e" || strings.Contains(text, "/"):
			return nil // fd PATTERN, fd -e go, -path: they say it in other ways
		}
		globs, _ := match.Braces(text) // of too many it is all
		names = append(names, globs...)
	}
	if slices.ContainsFunc(c.Cmd.Words, func(w policy.Word) bool {
		s, _ := w.Const()
		return s == "-o" || s == "-or" || s == ","
	}) {
		return nil
	}
	return names
}

// readsAloud reports whether a command that a node runs shows what files hold.
func readsAloud(n *Node) bool {
	for i := range n.Children {
		if child := &n.Children[i]; child.Effects&policy.Reads != 0 && !child.hushed && len(child.Children) == 0 || readsAloud(child) {
			return true
		}
	}
	return false
}

// passed notes what a session sees of the files that another command finds.
func (j *judge) passed(from, to *Node) {
	if len(from.walks) == 0 || to.hushed || len(to.Children) > 0 && !readsAloud(to) {
		return
	}
	j.shows(to, from.walks, walker(to))
}

// walker is a command's name, for a person.
func walker(n *Node) string {
	if n.command == nil || len(n.command.Words) == 0 {
		return "it"
	}
	return path.Base(n.command.Words[0].String())
}

// shows notes what a session sees of the files that walks lead to.
func (j *judge) shows(n *Node, walks []walk, by string) {
	for _, w := range walks {
		found := j.walkOnce(w)
		for _, s := range found.files {
			sight := Sight{Corruption: s.rule.Corruption, Secret: s.rule.Secret, What: by + " may show " + j.shownPath(n, s.path), Why: s.rule.Reason}
			if s.rule.Effects&policy.Secret != 0 && s.rule.Read > policy.Allow {
				sight.Secret = max(sight.Secret, ordinary)
			}
			n.sight(sight)
		}
		if found.ended && !slices.ContainsFunc(found.files, func(s shown) bool { return s.rule.Secret >= ordinary || s.rule.Effects&policy.Secret != 0 }) {
			n.sight(Sight{Secret: weak, What: by + " reads all of " + j.shownPath(n, w.root), Why: "More files than were looked at"})
		}
	}
}

// shownPath is a path as a person reads it, seen from where the command runs.
func (j *judge) shownPath(n *Node, p string) string {
	if dir := n.Dir(); dir != "" && dir != "/" && p != dir {
		for _, dir := range [...]string{dir, j.follow(dir)} {
			if rest, ok := strings.CutPrefix(p, dir+"/"); ok {
				return policy.Clip(policy.Visible(rest), maxShown)
			}
		}
	}
	return policy.Clip(policy.Visible(p), maxShown)
}

// walkOnce is walk, for one that the line may repeat.
func (j *judge) walkOnce(w walk) walked {
	for i := range j.strolls {
		if s := &j.strolls[i]; s.root == w.root && s.how == w.how && slices.Equal(s.names, w.names) {
			return s.walked
		}
	}
	found := j.walk(w)
	j.strolls = append(j.strolls, stroll{w, found})
	return found
}

// walk looks for secret files below a directory, the nearest first.
func (j *judge) walk(w walk) (found walked) {
	type dir struct {
		path  string
		depth int
	}
	var ignored *leftOut
	if w.how&match.WalksIgnored != match.WalksIgnored {
		ignored = j.leftOutBy(w.root)
	}
	places := j.places()
	seen := 0
	for todo := []dir{{w.root, 0}}; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		entries, err := j.entries(at.path, maxListed)
		if err != nil {
			found.ended = true
			continue
		}
		if at.depth > 0 {
			ignored = ignored.with(j, at.path)
		}
		near := places.near(j, at.path)
		for _, e := range entries {
			if seen++; seen > maxWalked || j.steps >= maxWalkedLine {
				found.ended = true
				return found
			}
			j.steps++
			if e.name[0] == '.' && w.how&match.WalksHidden != match.WalksHidden {
				continue
			}
			switch file := path.Join(at.path, e.name); {
			case e.kind.IsDir():
				switch {
				case keepsNone(e.name), ignored.has(file), ignored.has(file + "/."):
				case at.depth == maxWalkedDepth:
					found.ended = true
				default:
					todo = append(todo, dir{file, at.depth + 1})
				}
			case w.names != nil && !slices.ContainsFunc(w.names, func(glob string) bool { return match.PathGlob(glob, e.name) }):
			default:
				link := e.kind&fs.ModeSymlink != 0
				if !link && !near.mayBe(e.name) || ignored.has(file) {
					continue
				}
				t := target{path: file, real: file, known: true}
				if link {
					t.real = j.follow(file)
				}
				if rule := places.lure(j.spellings(t)); rule != nil {
					found.files = append(found.files, shown{file, rule})
					if len(found.files) == maxNamed {
						return found
					}
				}
			}
		}
	}
	return found
}

// entry is a name in a directory.
type entry struct {
	name string
	kind fs.FileMode
}

// entries lists a directory of so many names at most, sorted.
func (j *judge) entries(dir string, limit int) ([]entry, error) {
	if l, ok := j.engine.opts.Files.(policy.Lister); ok {
		list, err := l.List(dir, limit)
		all := make([]entry, len(list))
		for i, e := range list {
			all[i] = entry{e.Name(), e.Type()}
		}
		sort.Slice(all, func(i, k int) bool { return all[i].name < all[k].name })
		return all, err
	}
	names, err := j.engine.opts.Files.ReadDir(dir, limit)
	all := make([]entry, 0, len(names))
	for _, name := range names {
		if info, err := j.lstat(path.Join(dir, name)); err == nil {
			all = append(all, entry{name, info.Mode().Type()})
		}
	}
	return all, err
}

// keepsNone reports whether a directory is so large, and made by programs, that
// nobody keeps secrets of their own in it.
func keepsNone(name string) bool {
	switch name {
	case "node_modules", ".git", ".hg", ".svn", "__pycache__":
		return true
	}
	return false
}

// toolWalks notes what a session sees of the files that a tool looks into, by a
// row about it: those below its paths, or where the agent stands.
func (j *judge) toolWalks(n *Node, t *Tool, rule *match.ToolRule) {
	if rule.Walks == match.WalksNone || j.engine.opts.Files == nil || !walksWith(t, rule) {
		return
	}
	dirs := argumentDirs(n.command.Dirs, t, rule)
	var roots []policy.Word
	var names []string
	for i := range rule.Args {
		arg := &rule.Args[i]
		for _, a := range t.Args {
			switch {
			case a.Name != arg.Name || a.Value == "":
			case arg.Kind == match.Read || arg.Kind == match.Path:
				for _, value := range placesOf(arg.Kind, a.Value) {
					roots = append(roots, policy.Const(value))
				}
			case arg.Kind == match.Name && !strings.HasPrefix(a.Value, "!"):
				globs, _ := match.Braces(a.Value)
				for _, glob := range globs {
					names = append(names, path.Base(glob))
				}
			}
		}
	}
	if roots == nil {
		roots = []policy.Word{policy.Const(".")}
	}
	for _, root := range roots {
		for _, at := range j.resolve(root, dirs) {
			j.shows(n, j.walksOf(at, rule.Walks, names), t.Name)
		}
	}
}

// walksWith reports whether a tool is given one of the arguments with which it
// shows what files hold. One that is no text may be it.
func walksWith(t *Tool, rule *match.ToolRule) bool {
	return rule.WalksWith == nil || t.Unread || slices.ContainsFunc(rule.WalksWith, func(with string) bool {
		name, glob, _ := strings.Cut(with, "=")
		return slices.Contains(t.Others, name) || slices.ContainsFunc(t.Args, func(a ToolArg) bool { return a.Name == name && match.Glob(glob, a.Value) })
	})
}

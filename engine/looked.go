package engine

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// A program that looks for files may find what a pattern of the shell does not name: files
// whose names begin with a dot, those at any depth, and links there. What it reads or
// writes of these is looked up, and judged by its name. Where that can't be, nothing is
// known of the name, and what is read may be any hidden file that the pattern leaves open.

// lookedUp puts files in the place of such patterns, before anything that the program does
// counts as done.
func (j *judge) lookedUp(n *Node, effects []code.Effect) (out []code.Effect) {
	for i := range effects {
		e := effects[i]
		dirs := n.command.Dirs
		if e.In != nil {
			dirs = match.Inside(dirs, *e.In)
		}
		switch e.Kind {
		case match.Read, match.Write, match.Arg:
			out = append(out, j.fileLookedUp(e, dirs)...)
		case match.Command:
			out = append(out, j.commandLookedUp(e, dirs)...)
		default:
			if climbsOut(e.Word) {
				e.Word = policy.Unknown(e.Word.String())
			}
			out = append(out, e)
		}
	}
	return out
}

// leavesOpen returns the pattern of a word that may mean files which a shell's does not name.
func leavesOpen(w policy.Word) (policy.Word, string, bool) {
	w, is := matched(w)
	text, _, _ := wordPath(w)
	return w, text, is && (strings.Contains("/"+text, "/.*") || strings.Contains(text, "**"))
}

// fileLookedUp is a read or a write of each file that a pattern means. What code of the
// project is told it may read.
func (j *judge) fileLookedUp(e code.Effect, dirs []string) (out []code.Effect) {
	if climbsOut(e.Word) {
		e.Word = policy.Unknown(e.Word.String())
	}
	w, text, open := leavesOpen(e.Word)
	if !open {
		return []code.Effect{e}
	}
	add := func(w policy.Word) {
		e.Word = w
		out = append(out, e)
	}
	use, reads := match.Read, e.Kind != match.Write
	if !reads {
		use = match.Write
	}
	files, visible, ok := j.foundBy(w, dirs, use)
	switch {
	case !ok && reads:
		for _, w := range unseen(text) {
			add(w)
		}
		add(policy.Unknown(w.String()))
	case !ok:
		add(policy.Unknown(w.String()))
	case visible && reads && strings.Contains(text, "**"): // all of them are there
		add(matchOf(inDir(text), "*"))
	case visible:
		add(e.Word)
	}
	for _, file := range files {
		add(policy.Const(file))
	}
	return out
}

// maxLookedUpWords is how many files are put in the place of a command's word.
const maxLookedUpWords = 32

// commandLookedUp is a command for each file that one of its words means by a pattern. What
// can't be looked up, or stands behind something that is no path, stays as it is.
func (j *judge) commandLookedUp(e code.Effect, dirs []string) (out []code.Effect) {
	at := slices.IndexFunc(e.Words, func(w policy.Word) bool { _, _, open := leavesOpen(w); return open })
	if at < 1 || strings.HasPrefix(e.Words[at].Prefix(), "-") || strings.ContainsAny(e.Words[at].Prefix(), "=:@,") || climbsOut(e.Words[at]) {
		return []code.Effect{e}
	}
	w, _, _ := leavesOpen(e.Words[at])
	files, visible, ok := j.foundBy(w, dirs, e.Kind)
	if !ok || len(files) > maxLookedUpWords {
		return []code.Effect{e}
	}
	if visible {
		out = append(out, e)
	}
	for _, file := range files {
		e.Words = slices.Clone(e.Words)
		e.Words[at] = policy.Const(file)
		out = append(out, e)
	}
	return out
}

// matchOf is a path that matches a pattern in a directory.
func matchOf(dir, pattern string) policy.Word {
	if !match.IsGlob(pattern) {
		return policy.Const(dir + pattern)
	}
	hole := policy.Part{Kind: policy.Hole, Text: pattern, Match: pattern}
	if dir == "" {
		return policy.Word{Parts: []policy.Part{hole}}
	}
	return policy.Word{Parts: []policy.Part{{Text: dir}, hole}}
}

// inDir is what a pattern begins with up to its first wildcard, as it stands before a name.
func inDir(pattern string) string {
	names := strings.Split(pattern, "/")
	wild := slices.IndexFunc(names, match.IsGlob)
	if wild <= 0 {
		return ""
	}
	return strings.Join(names[:wild], "/") + "/"
}

// unseen are the names that stand for what a pattern leaves open and nobody could look up:
// of files that are hidden, or lie anywhere below. Of hidden names that have to end in some
// way few are secret, and those that are near were found.
func unseen(pattern string) (words []policy.Word) {
	dir := inDir(pattern)
	names := strings.Split(strings.TrimPrefix(pattern, dir), "/")
	last := len(names) - 1
	name := names[last]
	ends := strings.HasPrefix(name, ".*") && len(name) > 2 && !match.IsGlob(name[2:])
	if ends {
		name = "." + name[2:]
		names[last] = name
	}
	hidden := slices.ContainsFunc(names, func(e string) bool { return strings.HasPrefix(e, ".*") })
	switch {
	case !slices.Contains(names, "**"):
		return []policy.Word{matchOf(dir, strings.Join(names, "/"))}
	case ends || !hidden:
	case !match.IsGlob(name):
		words = append(words, matchOf(dir, ".*/"+name))
	case strings.Trim(name, "*?") == "":
		words = append(words, matchOf(dir, ".*"))
	}
	return append(words, matchOf(dir, name))
}

// climbsOut reports whether ".." stands behind something in a path of which nobody knows
// how many directories it names.
func climbsOut(w policy.Word) bool {
	after := false
	for _, p := range w.Parts {
		after = after || p.Kind != policy.Lit && p.Match == ""
		if after && p.Kind == policy.Lit && slices.Contains(strings.Split(p.Text, "/"), "..") {
			return true
		}
	}
	return false
}

// foundBy lists what a pattern may mean that it does not name: files whose names begin
// with a dot, and those at any depth, links among them. Where more stands behind its last
// wildcard, these are files below all that matches up to there, whether they are there or
// not. Visible reports whether the pattern means others, too. Of files that are read, those
// that matter to nobody may be left out, and of what is not all looked up is told what
// was found; the words of a command may be directories as well.
func (j *judge) foundBy(w policy.Word, dirs []string, use match.Kind) (files []string, visible, ok bool) {
	text, _, _ := wordPath(w)
	if j.engine.opts.Files == nil || climbsAfter(text) {
		return nil, false, false
	}
	ok = true
	for _, t := range j.resolve(w, dirs) {
		fixed := match.FixedDir(t.path)
		if !t.known || fixed == "" {
			return nil, false, false
		}
		wild, rest := wildNames(strings.TrimPrefix(strings.TrimPrefix(t.path, fixed), "/"))
		s := lookup{j: j, use: use, fixed: fixed, wild: wild, rest: rest}
		s.hidden = slices.ContainsFunc(wild, func(e string) bool { return strings.HasPrefix(e, ".*") })
		switch {
		case !s.enters(fixed):
			ok = false
		case slices.Contains(wild, "**"):
			ok = s.all() && ok
		default:
			ok = s.level(fixed, wild) && ok
		}
		if !ok && use != match.Read {
			return nil, false, false
		}
		ok = ok && !s.missed
		visible = visible || !s.hidden
		files = append(files, s.files...)
	}
	return files, visible, ok
}

// climbsAfter reports whether ".." stands behind a wildcard, which may match a link.
func climbsAfter(pattern string) bool {
	names := strings.Split(pattern, "/")
	wild := slices.IndexFunc(names, match.IsGlob)
	return wild >= 0 && slices.Contains(names[wild:], "..")
}

// wildNames parts the names of a pattern into those that are looked up, up to its last
// wildcard, and those behind them. What stands right behind ** was found with it.
func wildNames(pattern string) (wild, rest []string) {
	names := strings.Split(pattern, "/")
	last := len(names) - 1
	for last > 0 && !match.IsGlob(names[last]) {
		last--
	}
	if names[last] == "**" && last+1 < len(names) {
		last++
	}
	return names[:last+1], names[last+1:]
}

// lookup is one pattern that is looked up.
type lookup struct {
	j      *judge
	fixed  string     // the directory that it begins with
	wild   []string   // the names that are looked up
	rest   []string   // those behind them
	hidden bool       // some of them begin with a dot
	use    match.Kind // what is done with them
	missed bool       // the line makes what may be among them
	files  []string
	next   []string // directories below that are still to be looked at
	later  []string // and those of them in which nobody keeps secrets
	late   bool     // the turn is theirs
	looked int      // names
}

// maxLookedUp is how many names are looked at for one pattern.
const maxLookedUp = 1 << 14

// enters notes that links are looked for in a directory, and hidden names where more stands
// behind those. It reports false where the line makes what is there.
func (s *lookup) enters(dir string) bool {
	j, dir := s.j, s.j.follow(dir)
	made := j.wrote.below(dir, anyWrite).some() || j.wrote.covering(dir, anyWrite).some()
	switch {
	case !made, s.use != match.Write && !j.unclear(dir):
	case s.use == match.Read:
		s.missed = true // what is there already is found all the same
	default:
		return false
	}
	j.opened = append(j.opened, opened{path: dir, at: len(j.wrote.list), links: true, hidden: len(s.rest) > 0})
	return true
}

// unclear reports whether the line may have made more in a directory than other directories
// and the files of redirects: links, or what another file held.
func (j *judge) unclear(dir string) bool {
	return j.hides(dir, j.wrote.list) || slices.ContainsFunc(j.wrote.list, func(w wrote) bool {
		return !w.bare && !w.fresh && (within(w.path, dir) || w.covers(dir))
	})
}

// found notes what matches, as the file behind it that is meant. Directories are none, and
// below files there is nothing.
func (s *lookup) found(name string, isDir bool) bool {
	if isDir != (len(s.rest) > 0) && (s.use != match.Command || len(s.rest) > 0) {
		return true
	}
	file := path.Join(name, path.Join(s.rest...))
	if many := len(s.files) >= maxListedFiles/2; many && s.use == match.Read && !s.j.matters(file) {
		return true
	}
	s.files = append(s.files, file)
	return len(s.files) <= maxListedFiles
}

// matters reports whether somebody is asked about reading a file.
func (j *judge) matters(file string) bool {
	t := j.target(file, false, true)
	if rule := j.readRule(t); rule != nil && rule.Read > policy.Allow {
		return true
	}
	rule, _ := j.forbidden(t, opRead)
	return rule != nil
}

// level goes through a directory, and through what matches in it, for the names of a
// pattern that come next. It reports false where it can't, or where that is very much.
func (s *lookup) level(dir string, wild []string) bool {
	if !match.IsGlob(wild[0]) {
		return len(wild) > 1 && s.level(path.Join(dir, wild[0]), wild[1:])
	}
	return s.each(dir, func(name string, kind fs.FileMode) bool {
		file := path.Join(dir, name)
		link := kind&fs.ModeSymlink != 0
		isDir := kind.IsDir() || link && s.j.isDir(s.j.follow(file))
		switch {
		case !match.PathGlob(wild[0], name):
			return true
		case len(wild) == 1:
			return s.found(file, isDir && (!link || len(s.rest) > 0))
		}
		return !isDir || (!link || s.enters(file)) && s.level(file, wild[1:])
	})
}

// all goes through all below the directory that the pattern begins with, the nearest first.
// What is in directories that programs fill comes last: to read that matters only where a
// look at it costs little.
func (s *lookup) all() bool {
	for s.next = []string{""}; len(s.next) > 0; s.next = s.next[1:] {
		if !s.deep(s.next[0]) {
			return false
		}
	}
	for s.next, s.late = s.later, true; len(s.next) > 0 && s.deep(s.next[0]); s.next = s.next[1:] {
	}
	return true
}

// deep looks at a directory below that one, and notes those in it.
func (s *lookup) deep(below string) bool {
	dir := path.Join(s.fixed, below)
	return s.each(dir, func(name string, kind fs.FileMode) bool {
		name = path.Join(below, name)
		file := path.Join(s.fixed, name)
		isDir := kind.IsDir()
		if kind&fs.ModeSymlink != 0 {
			if leads := s.j.follow(file); s.j.isDir(leads) { // some versions go on there
				isDir = true
				if within(leads, s.j.follow(s.fixed)) && within(s.j.follow(dir), leads) {
					return true // round and round
				}
				if !s.enters(file) {
					return false
				}
			}
		}
		dotted := slices.ContainsFunc(strings.Split(name, "/"), func(e string) bool { return e[0] == '.' })
		if s.hidden == dotted && match.PathGlob(s.wild[len(s.wild)-1], path.Base(name)) && !s.found(file, isDir) {
			return false
		}
		switch {
		case isDir && s.use == match.Read && !s.late && keepsNone(path.Base(name)):
			s.later = append(s.later, name)
		case isDir:
			s.next = append(s.next, name)
		}
		return true
	})
}

// each goes through the names in a directory until the function reports false.
func (s *lookup) each(dir string, each func(name string, kind fs.FileMode) bool) bool {
	real := s.j.follow(dir)
	entries, err := s.j.entries(real, maxLookedUp)
	if err != nil {
		_, err := s.j.lstat(real)
		return errors.Is(err, fs.ErrNotExist)
	}
	for _, e := range entries {
		if s.looked++; s.looked > maxLookedUp || !each(e.name, e.kind) {
			return false
		}
	}
	return true
}

// hides reports whether some writes make a name below a directory that begins with a dot.
func (j *judge) hides(dir string, writes []wrote) bool {
	return slices.ContainsFunc(writes, func(w wrote) bool {
		below, is := strings.CutPrefix(w.path, dir+"/")
		if !is {
			return false
		}
		made := dir
		for name := range strings.SplitSeq(below, "/") {
			made = path.Join(made, name)
			if name[0] == '.' && !j.exists(made) {
				return true
			}
		}
		return false
	})
}

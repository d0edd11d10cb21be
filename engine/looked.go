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
// known of the name.

// lookedUp puts files in the place of such patterns, before anything that the program does
// counts as done.
func (j *judge) lookedUp(n *Node, effects []code.Effect) (out []code.Effect) {
	for i := range effects {
		e := effects[i]
		if climbsOut(e.Word) {
			e.Word = policy.Unknown(e.Word.String())
		}
		w, is := matched(e.Word)
		text, _, _ := wordPath(w)
		if !is || e.Kind != match.Read && e.Kind != match.Write || !strings.Contains("/"+text, "/.*") && !strings.Contains(text, "**") {
			out = append(out, e)
			continue
		}
		dirs := n.command.Dirs
		if e.In != nil {
			dirs = j.into(dirs, *e.In)
		}
		files, visible, ok := j.foundBy(w, dirs)
		switch {
		case !ok:
			e.Word = policy.Unknown(e.Word.String())
			out = append(out, e)
		case visible:
			out = append(out, e)
		}
		for _, file := range files {
			e.Word = policy.Const(file)
			out = append(out, e)
		}
	}
	return out
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
// not. Visible reports whether the pattern means others, too.
func (j *judge) foundBy(w policy.Word, dirs []string) (files []string, visible, ok bool) {
	text, _, _ := wordPath(w)
	if j.engine.opts.Files == nil || climbsAfter(text) {
		return nil, false, false
	}
	for _, t := range j.resolve(w, dirs) {
		fixed := match.FixedDir(t.path)
		if !t.known || fixed == "" {
			return nil, false, false
		}
		wild, rest := wildNames(strings.TrimPrefix(strings.TrimPrefix(t.path, fixed), "/"))
		s := lookup{j: j, fixed: fixed, wild: wild, rest: rest}
		s.hidden = slices.ContainsFunc(wild, func(e string) bool { return strings.HasPrefix(e, ".*") })
		ok := s.enters(fixed)
		if slices.Contains(wild, "**") {
			ok = ok && s.deep("")
		} else {
			ok = ok && s.level(fixed, wild)
		}
		if !ok {
			return nil, false, false
		}
		visible = visible || !s.hidden
		files = append(files, s.files...)
	}
	return files, visible, true
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
	fixed  string   // the directory that it begins with
	wild   []string // the names that are looked up
	rest   []string // those behind them
	hidden bool     // some of them begin with a dot
	files  []string
	looked int // names
}

// enters notes that links are looked for in a directory, and hidden names where more stands
// behind those. It reports false where the line makes what is there.
func (s *lookup) enters(dir string) bool {
	j, dir := s.j, s.j.follow(dir)
	if j.wrote.below(dir, anyWrite).some() || j.wrote.covering(dir, anyWrite).some() {
		return false
	}
	j.opened = append(j.opened, opened{path: dir, at: len(j.wrote.list), links: true, hidden: len(s.rest) > 0})
	return true
}

// found notes what matches, as the file behind it that is meant. Directories are none, and
// below files there is nothing.
func (s *lookup) found(name string, isDir bool) bool {
	if isDir == (len(s.rest) > 0) {
		s.files = append(s.files, path.Join(name, path.Join(s.rest...)))
	}
	return len(s.files) <= maxListedFiles
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

// deep goes through all below a directory.
func (s *lookup) deep(below string) bool {
	return s.each(path.Join(s.fixed, below), func(name string, kind fs.FileMode) bool {
		name = path.Join(below, name)
		file := path.Join(s.fixed, name)
		if kind&fs.ModeSymlink != 0 && s.j.isDir(s.j.follow(file)) {
			return false // some versions go on there
		}
		dotted := slices.ContainsFunc(strings.Split(name, "/"), func(e string) bool { return e[0] == '.' })
		if s.hidden == dotted && match.PathGlob(s.wild[len(s.wild)-1], path.Base(name)) && !s.found(file, kind.IsDir()) {
			return false
		}
		return !kind.IsDir() || s.deep(name)
	})
}

// each goes through the names in a directory until the function reports false.
func (s *lookup) each(dir string, each func(name string, kind fs.FileMode) bool) bool {
	real := s.j.follow(dir)
	names, err := s.j.engine.opts.Files.ReadDir(real, maxListed)
	if err != nil {
		_, err := s.j.engine.opts.Files.Lstat(real)
		return errors.Is(err, fs.ErrNotExist)
	}
	for _, name := range names {
		info, err := s.j.engine.opts.Files.Lstat(path.Join(real, name))
		if s.looked++; err != nil || s.looked > maxListed || !each(name, info.Mode()) {
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

package engine

import (
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

// foundBy lists what a pattern matches that it does not name: files whose names begin with
// a dot, and those at any depth, links among them. Visible reports whether the pattern
// matches others, too.
func (j *judge) foundBy(w policy.Word, dirs []string) (files []string, visible, ok bool) {
	if j.engine.opts.Files == nil {
		return nil, false, false
	}
	for _, t := range j.resolve(w, dirs) {
		fixed := match.FixedDir(t.path)
		if !t.known || fixed == "" || j.wrote.below(fixed, anyWrite).some() || j.wrote.covering(fixed, anyWrite).some() {
			return nil, false, false
		}
		rest := strings.TrimPrefix(strings.TrimPrefix(t.path, fixed), "/")
		elements := strings.Split(rest, "/")
		hidden := slices.ContainsFunc(elements, func(e string) bool { return strings.HasPrefix(e, ".*") })
		visible = visible || !hidden
		deep := slices.Contains(elements, "**")
		looked := 0
		ok := j.eachBelow(fixed, "", len(elements), deep, &looked, func(name string, kind fs.FileMode) bool {
			base, last := path.Base(name), elements[len(elements)-1]
			dotted := slices.ContainsFunc(strings.Split(name, "/"), func(e string) bool { return e[0] == '.' })
			switch {
			case deep && kind&fs.ModeSymlink != 0 && j.isDir(j.follow(path.Join(fixed, name))):
				return false // some versions go on there
			case kind.IsDir() || !match.PathGlob(last, base):
			case deep && hidden == dotted: // those that nobody has listed
				files = append(files, path.Join(fixed, name))
			case !deep && hidden && match.PathGlob(rest, name):
				files = append(files, path.Join(fixed, name))
			}
			return len(files) <= maxListedFiles
		})
		if !ok {
			return nil, false, false
		}
		j.opened = append(j.opened, opened{path: fixed, at: len(j.wrote.list), links: true})
	}
	return files, visible, true
}

// eachBelow goes through what lies below a directory, so many names deep, or all of it,
// until the function reports false. It reports false where it can't, or where that is
// very much.
func (j *judge) eachBelow(dir, below string, depth int, deep bool, looked *int, each func(name string, kind fs.FileMode) bool) bool {
	names, err := j.engine.opts.Files.ReadDir(path.Join(dir, below), maxListed)
	if err != nil {
		_, err := j.engine.opts.Files.Lstat(path.Join(dir, below))
		return err != nil // nothing is there
	}
	for _, name := range names {
		name = path.Join(below, name)
		info, err := j.engine.opts.Files.Lstat(path.Join(dir, name))
		if *looked++; err != nil || *looked > maxListed || !each(name, info.Mode()) {
			return false
		}
		if info.IsDir() && (deep || depth > 1) && !j.eachBelow(dir, name, depth-1, deep, looked, each) {
			return false
		}
	}
	return true
}

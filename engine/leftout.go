package engine

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
)

// leftOut is what version control leftOut, as far as that is certain: what
// surely stays unread by a program that leaves it out. A name that some line
// takes back counts as one that is read.
type leftOut struct {
	globs []string // over absolute paths: what is ignored
	back  []string // what may be not, after all
	above *leftOut
}

// leftOutBy reads the .gitignore files of a directory and of those above it,
// up to the repository's. Without a repository nothing is ignored, nor where
// another file may have a say.
func (j *judge) leftOutBy(dir string) *leftOut {
	var dirs []string
	for at := dir; ; at = path.Dir(at) {
		if j.exists(at+"/.ignore") || j.exists(at+"/.rgignore") {
			return nil
		}
		dirs = append(dirs, at)
		if j.exists(at + "/.git") {
			break
		}
		if at == "/" {
			return nil
		}
	}
	i := &leftOut{}
	for k := len(dirs) - 1; k >= 0; k-- {
		i = i.with(j, dirs[k])
	}
	return i
}

// with adds the lines of a directory's .gitignore.
func (i *leftOut) with(j *judge, dir string) *leftOut {
	if i == nil || match.IsGlob(dir) {
		return i
	}
	text, err := j.engine.opts.Files.ReadFile(dir+"/.gitignore", maxIgnoreFile)
	if err != nil {
		return i
	}
	next := &leftOut{above: i}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n \t")
		back := strings.HasPrefix(line, "!")
		line = strings.TrimPrefix(line, "!")
		if line == "" || line[0] == '#' || strings.ContainsAny(line, `\`) && !back {
			continue
		}
		inner := strings.TrimSuffix(line, "/")
		glob := dir + "/**/" + inner
		if strings.Contains(inner, "/") {
			glob = dir + "/" + strings.TrimPrefix(inner, "/")
		}
		switch {
		case back:
			next.back = append(next.back, glob, glob+"/**")
		case inner == line: // "x/" is a directory, and this is not told
			next.globs = append(next.globs, glob)
		default:
			next.globs = append(next.globs, glob+"/**")
		}
	}
	return next
}

// has reports whether a path is surely ignored.
func (i *leftOut) has(file string) bool {
	in := false
	for ; i != nil; i = i.above {
		for _, glob := range i.back {
			if match.PathGlob(glob, file) {
				return false
			}
		}
		for _, glob := range i.globs {
			in = in || match.PathGlob(glob, file)
		}
	}
	return in
}

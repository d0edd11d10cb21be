package engine

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Modules of Python's library load others of it when they like: random loads hashlib,
// strptime loads _strptime at its first call. They find them where every import looks
// first, so a file there that is called as one of them is code that no text names.

// moduleSearch is where a Python text looks for modules before it finds what is installed,
// and what for.
type moduleSearch struct {
	dirs  []string
	names map[string]bool
	since int // how many writes there were before the text's own

	runs []string // files of JSON that a text in JavaScript loads, and that may be code
	own  []string // directories of which it loads what their package.json says
}

// shadows asks about a text beside which lies a file that hides a module of Python's own
// library, or one that the text loads and writes itself.
func (j *judge) shadows(n *Node, s *moduleSearch) {
	if j.engine.opts.Files == nil {
		return
	}
	for _, dir := range s.dirs {
		file := j.shadow(j.follow(dir), s)
		if file == "" {
			continue
		}
		n.reason("code.any", policy.Ask, "Python may load "+j.shown(file, 0)+" in place of a module that it means", policy.Executes, policy.ReachNetwork)
		n.last().class = aboutUse
		n.Effects |= policy.Executes
		n.Reach = max(n.Reach, policy.ReachNetwork)
		return
	}
}

// moduleRun asks about a module that Python runs as a program, python3 -m pytest, where it
// or what it loads may be another file: imports begin in the directory here.
func (j *judge) moduleRun(n *Node, u *match.Use) {
	name, _ := u.Words[0].Const()
	name, _, _ = strings.Cut(name, ".")
	dirs := j.useDirs(n, u)
	j.shadows(n, &moduleSearch{dirs: append(dirs[:len(dirs):len(dirs)], j.pythonPath(n)...), names: map[string]bool{strings.ToLower(name): true}})
}

// loadsOwn asks about a text in JavaScript that writes where it loads code of the project
// by the name of its package, which may lead to any file there.
func (j *judge) loadsOwn(n *Node, s *moduleSearch) {
	for _, w := range j.wrote.list[s.since:] {
		for _, dir := range s.own {
			if w.path != "" && !within(w.path, dir) {
				continue
			}
			n.reason("code.any", policy.Ask, "May load what it writes in "+j.shown(dir, 0), policy.Executes, policy.ReachNetwork)
			n.last().class = aboutUse
			n.Effects |= policy.Executes
			n.Reach = max(n.Reach, policy.ReachNetwork)
			return
		}
	}
}

// shadow is such a file of a directory; "" for none.
func (j *judge) shadow(dir string, s *moduleSearch) string {
	if file := j.writtenModule(dir, 0, nil); file != "" {
		return file
	}
	if file := j.writtenModule(dir, s.since, s.names); file != "" {
		return file
	}
	j.missed(opened{path: dir, at: len(j.wrote.list), absent: true, standard: true})
	names, _ := j.readDir(dir, maxModules) // imports asks about what can't be read
	for _, name := range names {
		file := path.Join(dir, name)
		module, _ := moduleIn(dir, file)
		if module == "" {
			module = strings.ToLower(name)
		}
		may, own := gates.MayLoad("python", module)
		if !may {
			continue
		}
		if module == strings.ToLower(name) { // a directory, which without this file comes last
			if init := path.Join(file, "__init__.py"); j.exists(init) {
				file = init
			} else if own || !j.isDir(j.follow(file)) {
				continue
			}
		}
		if j.notProject(j.target(file, false, true)) != "" {
			return file
		}
	}
	return ""
}

// writtenModule is a file that the line has written since so many writes, and that may be
// loaded: of installed packages, or of a directory as a module for which Python's library
// looks, or as one of names; "" for none.
func (j *judge) writtenModule(dir string, since int, names map[string]bool) string {
	for i := since; i < len(j.wrote.list); i++ {
		w := &j.wrote.list[i]
		if isPackaged(w.path) {
			return w.path // of an environment that may be the interpreter's
		}
		name, last := moduleIn(dir, w.path)
		if name == "" && path.Dir(w.path) == dir && w.above && !w.bare {
			name = strings.ToLower(path.Base(w.path)) // a directory with whatever is in it
		}
		may, own := gates.MayLoad("python", name)
		if may && !(own && last) || names[name] && !last {
			return w.path
		}
	}
	return ""
}

// isPackaged reports whether a file lies where packages of Python are installed.
func isPackaged(file string) bool {
	return strings.Contains(file, "/site-packages/") || strings.Contains(file, "/dist-packages/")
}

// moduleIn is the module that an import finds in a file of a directory; "" where that
// is none. Last says that it finds all others of the name before: the file lies in a
// directory that need not have an __init__.py. In some file systems names are the same in
// small and in capital letters.
func moduleIn(dir, file string) (name string, last bool) {
	below, is := strings.CutPrefix(file, strings.TrimSuffix(dir, "/")+"/")
	if !is {
		return "", false
	}
	module, rest, deep := strings.Cut(strings.ToLower(below), "/")
	if _, ending, _ := strings.Cut(path.Base(strings.ToLower(below)), "."); !isModuleFile("." + ending) {
		return "", false
	}
	name, _, _ = strings.Cut(module, ".")
	return name, deep && rest != "__init__.py"
}

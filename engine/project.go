package engine

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
)

// Code of the project.
//
// An agent that works on a project runs its code: go run ., jest, python x.py,
// ./build/app. This file is where the line is drawn, for all of them. Project
// code is a file that
//
//   - is there, and lies in the workspace: by the path that is written, and with
//     links followed;
//   - nobody else can write: neither it nor a directory above it, up to the
//     workspace, is open to all users;
//   - the same line does not change: what it will hold then nobody has seen.
//
// To run it is allowed and has the effect "executes", so that a profile or what
// a session has seen may decide otherwise. What code does with its words is not
// known, though: those that name secrets, places outside the workspace or
// machines are asked about (see words).

// isProject reports whether all that a word may mean is code of the project.
// Where it is not, why says it in words, "" for a file that is no code of the
// workspace anyway.
func (j *judge) isProject(w policy.Word, dirs []string) (is bool, why string) {
	if j.request.Workspace == "" || len(dirs) == 0 || j.engine.opts.Files == nil {
		return false, ""
	}
	targets := j.resolve(w, dirs)
	for _, t := range targets {
		if why := j.notProject(t); why != "" {
			return false, why
		}
	}
	return len(targets) > 0, ""
}

// notProject says why a file is not code of the project, or "".
func (j *judge) notProject(t target) string {
	switch {
	case !t.known:
		return "it is not known which file"
	case t.pattern: // whatever it matches lies in a directory of the project
		if t.path = fixedDirOf(t, t.path); t.path == "" {
			t.path = "/"
		}
		t.real, t.pattern = j.follow(t.path), false
		if slices.ContainsFunc(j.wrote, func(w wrote) bool { return within(w.path, t.real) }) {
			return "the same line changes what it matches"
		}
		return j.notProject(t)
	case !j.exists(t.real):
		return "it is not there"
	case !j.inWorkspace(t):
		return "it lies outside the workspace"
	case j.rewritten(t.path) != nil || j.rewritten(t.real) != nil:
		return "the same line changes it"
	}
	if dir := j.openTo(t.real); dir != "" {
		return "everybody can write " + j.shown(dir, 0)
	}
	return ""
}

// openTo is the file itself or the nearest directory above it in the workspace
// that everybody can write; "" if there is none.
func (j *judge) openTo(file string) string {
	roots := append([]string{j.request.Workspace}, j.request.AdditionalDirs...)
	for up := file; up != "/"; up = path.Dir(up) {
		if slices.ContainsFunc(roots, func(root string) bool { return root != "" && up == j.follow(j.expandHome(root)) }) {
			return ""
		}
		if info, err := j.engine.opts.Files.Lstat(up); err == nil && info.Mode()&fs.ModeSymlink == 0 && info.Mode().Perm()&0o002 != 0 {
			return up
		}
	}
	return ""
}

// isModule reports whether a word names what a tool of the project or a text
// of the project loads from the workspace: a module, ts-node/register, a file
// without the ending of its name, ./test/setup, or one that the text makes
// first, dist/main.js.
func (j *judge) isModule(n *Node, u *match.Use) bool {
	dirs := j.useDirs(n, u)
	text, known := u.Word.Const()
	if !known {
		text = u.Word.Prefix()
	}
	if names(text+" ") || machineOf(text) != "" || len(dirs) == 0 || j.engine.opts.Files == nil {
		return false
	}
	for _, t := range j.resolve(u.Word, dirs) {
		dir := fixedDirOf(t, t.real)
		if !j.inWorkspace(t) || j.openTo(dir) != "" || slices.ContainsFunc(j.wrote, func(w wrote) bool { return !w.own && (w.covers(dir) || t.pattern && within(w.path, dir)) }) {
			return false
		}
	}
	return true
}

// isPathList reports whether the value of an option is a list of places of the
// workspace, as the class path of a JVM is: a:b/*:. Of those that are not there
// nothing is loaded.
func (j *judge) isPathList(n *Node, u *match.Use) bool {
	text, pattern, known := wordPath(u.Word)
	if !known || !strings.Contains(text, ":") || strings.Contains(text, "://") {
		return false
	}
	for element := range strings.SplitSeq(text, ":") {
		w := policy.Const(cmp.Or(element, "."))
		if pattern {
			w = globbed("", element)
		}
		if !j.isModule(n, &match.Use{Word: w, Dirs: u.Dirs}) {
			return false
		}
	}
	return true
}

// runsCode notes that a command runs code of the project.
func (j *judge) runsCode(n *Node, w policy.Word, dirs []string) {
	n.reason("project.code", policy.Allow, "Runs "+w.String()+", code of the project", policy.Executes, policy.ReachUnknown)
	n.Effects |= policy.Executes
	j.runs(n, w, dirs)
	for _, t := range j.resolve(w, dirs) {
		// A later command of the line may change it while it runs.
		j.opened = append(j.opened, opened{path: t.real, at: len(j.wrote)})
	}
}

// ownFile judges a program that is named by the path of a file of the project,
// and is no shell script that can be read. What asks about programs called so
// counts: bin/rails is rails. It reports false for any other file.
func (j *judge) ownFile(n *Node) bool {
	w := n.command.Words[0]
	if j.grammarOnly() || n.command.Where != policy.Here {
		return false
	}
	is, why := j.isProject(w, n.command.Dirs)
	switch {
	case !is && why != "":
		n.notOwn = ": " + why
		return false
	case !is, n.unread, j.isDirectory(w, n.command.Dirs):
		return false
	}
	j.runsCode(n, w, n.command.Dirs)
	for _, name := range j.callings(n) {
		call := j.newCall(n.command, name)
		j.gates(call)
		for _, handler := range call.Handlers {
			gates.Handle(handler, call)
		}
		call.Unknowns = nil // an option that nobody knows is the file's own
		call.Held = slices.DeleteFunc(call.Held, func(h match.Held) bool { return h.Decision != policy.Ask })
		j.held(n, call)
		j.free(call)
	}
	j.words(n, n.command.Words[1:])
	return true
}

func (j *judge) isDirectory(w policy.Word, dirs []string) bool {
	for _, t := range j.resolve(w, dirs) {
		if info, err := j.engine.opts.Files.Lstat(t.real); err == nil && info.IsDir() {
			return true
		}
	}
	return false
}

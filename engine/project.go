package engine

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
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

// notThere is said of a file that is not there: nothing runs.
const notThere = "it is not there"

// notProject says why a file is not code of the project, or "".
func (j *judge) notProject(t target) string {
	switch {
	case !t.known:
		return "it is not known which file"
	case t.pattern:
		return j.notAll(t)
	case !j.exists(t.real):
		return notThere
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

// notAll says why what a pattern matches is not all code of the project, or "".
func (j *judge) notAll(t target) string {
	files, _ := j.listed(t)
	if len(files) == 0 {
		return notThere
	}
	dir := j.follow(fixedDirOf(t, t.path))
	if j.wrote.below(dir, anyWrite).some() {
		return "the same line changes what it matches"
	}
	for _, file := range files {
		if why := j.notProject(file); why != "" {
			return why
		}
	}
	return ""
}

// openTo is the file itself or the nearest directory above it in the workspace
// that everybody can write; "" if there is none.
func (j *judge) openTo(file string) string {
	roots := append([]string{j.request.Workspace}, j.request.AdditionalDirs...)
	for up := file; up != "/"; up = path.Dir(up) {
		info, err := j.lstat(up)
		open := err == nil && info.Mode()&fs.ModeSymlink == 0 && info.Mode().Perm()&0o002 != 0
		if slices.ContainsFunc(roots, func(root string) bool { return root != "" && up == j.follow(j.expandHome(root)) }) {
			if open && info.Mode()&fs.ModeSticky != 0 {
				return up // /tmp is nobody's workspace
			}
			return ""
		}
		if open {
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
	if names(text+" ") || machineOf(text) != "" || isCode(text) || strings.ContainsAny(text, "{\"") || len(dirs) == 0 || j.engine.opts.Files == nil {
		return false
	}
	for _, t := range j.resolve(u.Word, dirs) {
		dir := fixedDirOf(t, t.real)
		if !j.inWorkspace(t) || j.openTo(dir) != "" || j.wrote.covering(dir, foreign).some() || t.pattern && j.wrote.below(dir, foreign).some() {
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
	if !known || !strings.Contains(text, ":") || strings.Contains(text, "://") || isCode(text) {
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
	n.Effects |= policy.Executes | policy.Reads
	j.runs(n, w, dirs)
	for _, t := range j.resolve(w, dirs) {
		// A later command of the line may change it while it runs.
		j.opened = append(j.opened, opened{path: t.real, at: len(j.wrote.list)})
	}
}

// ownFile judges a program that is named by the path of a file of the project,
// and is no shell script that can be read. What asks about programs called so
// counts: bin/rails is rails. It reports false for any other file.
func (j *judge) ownFile(n *Node, depth int) bool {
	w := n.command.Words[0]
	if j.grammarOnly() || n.command.Where != policy.Here {
		return false
	}
	is, why := j.isProject(w, n.command.Dirs)
	switch {
	case !is && why != "":
		n.notOwn = ": " + why
		return false
	case !is, n.unread, j.isDirectory(w, n.command.Dirs), j.isCopy(n):
		return false
	}
	if interpreter, plain := j.interpreter(w, n.command.Dirs); interpreter != nil {
		// What runs is the program of its first line, which is told the file.
		inner := *n.command
		inner.Words = append(interpreter, n.command.Words...)
		inner.Redirects = nil
		n.Children = append(n.Children, j.command(&inner, depth+1))
		n.reason("project.code", policy.Allow, "Runs "+w.String()+", code of the project", policy.Executes, policy.ReachUnknown)
	} else if !plain {
		n.notOwn = ": its first line names no program that is known"
		return false
	} else {
		j.runsCode(n, w, n.command.Dirs)
		j.words(n, n.command.Words[1:])
	}
	for _, a := range append(n.command.Env[:len(n.command.Env):len(n.command.Env)], n.command.Assigns...) {
		if j.envRule(a, nil) == nil {
			j.word(n, a.Value)
		}
	}
	for _, name := range j.callings(n) {
		j.asked(n, name, n.command.Words[1:])
	}
	return true
}

// interpreter is what a file's first line runs it with: the name of a program
// of the system, and options. nil and true stand for a file without such a
// line, nil and false for a line that names anything else.
func (j *judge) interpreter(w policy.Word, dirs []string) (words []policy.Word, plain bool) {
	for _, t := range j.resolve(w, dirs) {
		data, _ := j.engine.opts.Files.ReadFile(t.real, maxFirstLine)
		line, _, ended := strings.Cut(string(data), "\n")
		rest, is := strings.CutPrefix(line, "#!")
		if !is {
			continue
		}
		fields := strings.Fields(rest)
		if !ended && len(data) == maxFirstLine || len(fields) == 0 || words != nil {
			return nil, false
		}
		dir, name := path.Split(fields[0])
		if !policy.SystemDir(strings.TrimSuffix(dir, "/")) {
			return nil, false
		}
		if name == "env" {
			if fields = fields[1:]; len(fields) > 0 && fields[0] == "-S" {
				fields = fields[1:]
			}
			if len(fields) == 0 || strings.ContainsAny(fields[0], "=-/") {
				return nil, false
			}
			name = fields[0]
		}
		if strings.ContainsAny(rest, "\"'\\$") {
			return nil, false
		}
		words = append(words, policy.Const(name))
		for _, option := range fields[1:] {
			words = append(words, policy.Const(option))
		}
	}
	return words, true
}

// maxFirstLine is how much of a file's first line is read, in bytes.
const maxFirstLine = 512

// isCopy reports whether the program of a command lies where a workspace has its
// own copies of programs. One that no rule knows may be anybody's.
func (j *judge) isCopy(n *Node) bool {
	for _, t := range j.resolve(n.command.Words[0], n.command.Dirs) {
		for _, g := range gates.All {
			if match.AnyGlob(g.Copies, t.path) && strings.Contains(path.Dir(t.path)+"/", "bin/") {
				return true
			}
		}
	}
	return false
}

// asked judges words as those of a program, and keeps what is asked about: bin/rails
// is rails, and what python runs as .venv/bin/pip is pip. An option that nobody
// knows is the file's own.
func (j *judge) asked(n *Node, name string, words []policy.Word) {
	outer := j.calling
	defer func() { j.calling = outer }()
	cmd := *n.command
	cmd.Words = append([]policy.Word{policy.Const(name)}, words...)
	call := j.newCall(&cmd, name)
	defer j.free(call)
	j.gates(call)
	for _, handler := range call.Handlers {
		gates.Handle(handler, call)
	}
	call.Unknowns = nil
	call.Held = slices.DeleteFunc(call.Held, func(h match.Held) bool {
		r := h.Rule
		return h.Decision < policy.Ask || r.Otherwise && r.Paths == nil && len(r.Any)+len(r.All)+len(r.Args) == 0 // whatever else it does
	})
	j.held(n, call)
	j.environmentShown(n, call)
}

func (j *judge) isDirectory(w policy.Word, dirs []string) bool {
	for _, t := range j.resolve(w, dirs) {
		if info, err := j.lstat(t.real); err == nil && info.IsDir() {
			return true
		}
	}
	return false
}

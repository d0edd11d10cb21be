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
	"github.com/bashgate/bashgate/internal/task"
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
	if names(text+" ") || machineOf(text) != "" || len(dirs) == 0 {
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

// ownTools are programs of a project that the texts of its tasks run by their
// names alone.
type ownTools struct {
	dirs  []string // where they lie, absolute; looked into before PATH
	names []string // those that the project declares, installed or not
	text  bool     // a text of the project is judged, and none of its words is the line's
}

// has reports whether the project brings a program, and whether it may be run.
func (j *judge) has(n *Node, name string) (is, runs bool) {
	if j.own.dirs == nil || n.command.Where != policy.Here || j.grammarOnly() || strings.Contains(name, "/") {
		return false, false
	}
	for _, dir := range j.own.dirs {
		file := dir + "/" + name
		if j.exists(file) {
			return true, j.notProject(j.target(file, false, true)) == ""
		}
		if j.rewritten(file) != nil {
			return true, false
		}
	}
	is = slices.Contains(j.own.names, name)
	return is, is
}

// ofProject notes that a program is one that the project brings: it runs the
// project's code, whatever the rules know of programs called so.
func (j *judge) ofProject(n *Node, name string) {
	is, runs := j.has(n, name)
	n.ownTool = runs && j.own.text
	if is {
		n.Effects |= policy.Executes
		n.Reach = max(n.Reach, policy.ReachUnknown)
	}
}

// ownTool judges a program that no rule knows and that the project brings
// itself: npm's scripts find it in node_modules/.bin. It reports false for any
// other program.
func (j *judge) ownTool(n *Node, name string) bool {
	if _, runs := j.has(n, name); !runs {
		return false
	}
	n.reason("project.code", policy.Allow, "Runs "+policy.Quote(name)+", a tool of the project", policy.Executes, policy.ReachUnknown)
	n.Effects |= policy.Executes
	j.words(n, n.command.Words[1:])
	return true
}

// words judges what code of the project is told. Nobody knows what it does with
// a word, so that one which names a secret, a place outside the workspace, or
// a machine is asked about.
func (j *judge) words(n *Node, words []policy.Word) {
	for _, w := range words {
		for _, value := range values(w) {
			j.word(n, value)
		}
	}
}

// values lists what a word may say: all of it, what stands behind its first
// equals sign, and what may be glued to a short option.
func values(w policy.Word) []policy.Word {
	text := w.Prefix()
	if w.Parts == nil {
		text = w.Text
	}
	list := []policy.Word{w}
	if strings.HasPrefix(text, "@") {
		list = append(list, without(w, 1)) // a file of words, or of data
	}
	if name, rest, ok := strings.Cut(text, "="); ok {
		list = append(list, without(w, len(name)+1))
		if strings.HasPrefix(rest, "@") {
			list = append(list, without(w, len(name)+2))
		}
	}
	if len(text) > 2 && text[0] == '-' && text[1] != '-' && strings.IndexByte("/~.", text[2]) >= 0 {
		list = append(list, without(w, 2))
	}
	return list
}

// without is a word without its first n bytes, which are known.
func without(w policy.Word, n int) policy.Word {
	if w.Parts == nil {
		return policy.Word{Text: w.Text[n:], Pos: w.Pos}
	}
	parts := slices.Clone(w.Parts)
	parts[0].Text = parts[0].Text[n:]
	return policy.Word{Parts: parts, Pos: w.Pos}
}

func (j *judge) word(n *Node, w policy.Word) {
	text, known := w.Const()
	if !known {
		text = w.Prefix()
	}
	if machine := machineOf(text); machine != "" {
		if known && j.isLocal(machine) {
			return
		}
		n.reason("project.word", policy.Ask, "Tells code of the project a machine: "+w.String(), policy.Network, policy.ReachNetwork)
		return
	}
	if text == "" {
		return
	}
	file, is := behind(n, &match.Use{Word: w}, opWrite)
	if !is {
		return
	}
	for _, t := range j.resolve(file.Word, n.command.Dirs) {
		if rule := j.pathRule(t, opRead); rule != nil && rule.Read > policy.Allow {
			j.pathReason(n, rule, rule.Read, opRead, w)
			return
		}
		if !names(text) {
			continue
		}
		if !j.inWorkspace(target{path: t.path, real: t.real, known: true, pattern: t.pattern}) && !j.harmless(t) {
			n.reason("project.word", policy.Ask, "Tells code of the project a place outside the workspace: "+w.String(), 0, policy.ReachUnset)
			return
		}
	}
}

// names reports whether a text can only be meant as a path that may leave the
// workspace.
func names(text string) bool {
	return text[0] == '/' || text[0] == '~' || text == ".." || strings.HasPrefix(text, "../") || strings.Contains(text, "/../") || strings.HasSuffix(text, "/..")
}

// machineOf is the machine that a text can only mean: the one of a URL, of
// user@host, an address, host:port, or a name below one of the usual domains;
// "" where it means none.
func machineOf(text string) string {
	if scheme, _, ok := strings.Cut(text, "://"); ok && scheme != "" && isName(scheme) {
		return text
	}
	user, rest, at := strings.Cut(text, "@")
	if !at {
		rest = text
	} else if user == "" {
		return "" // @scope/name
	}
	host, tail, colon := strings.Cut(rest, ":")
	if !colon {
		host, _, _ = strings.Cut(rest, "/")
	}
	if _, is := hostAddress(host); is && strings.Count(host, ".") == 3 {
		return text
	}
	dot := strings.LastIndexByte(host, '.')
	if dot < 1 || !isName(host[dot+1:]) || strings.Trim(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-") != "" {
		return ""
	}
	port := colon && tail != "" && strings.Trim(tail, "0123456789") == ""
	if at || usualDomain(strings.ToLower(host[dot+1:])) || port && strings.Count(host, ".") > 1 {
		return text
	}
	return ""
}

func isName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-") == ""
}

// usualDomain reports whether a name is a top-level domain, and hardly ever
// how a file's name ends.
func usualDomain(name string) bool {
	switch name {
	case "com", "net", "org", "edu", "gov", "mil", "int", "info", "biz", "io", "dev", "app", "ai", "co", "me", "xyz", "site", "online", "cloud", "tech",
		"uk", "de", "fr", "nl", "eu", "it", "es", "ch", "at", "be", "se", "no", "fi", "dk", "cz", "ru", "ua", "cn", "jp", "kr", "tw", "hk", "sg", "au", "nz", "ca", "us", "br", "mx", "za", "onion", "local", "internal":
		return true
	}
	return false
}

// isLocal reports whether an address means this machine.
func (j *judge) isLocal(text string) bool {
	name := hostName(text)
	for _, g := range gates.All {
		for i := range g.Hosts {
			if g.Hosts[i].Trusted && namesHost(g.Hosts[i].Globs, name, name) {
				return plainAddress(text)
			}
		}
	}
	return false
}

// Texts of the project are its code, too: npm's scripts, the recipes of a
// makefile, shell scripts. As far as none of their words comes from the line,
//
//   - ordinary files of the workspace are theirs to change, but directories are
//     removed with all that is in them only where tools can make that again: the
//     places that rules call "outputs";
//   - a tool that the project brings may be told what no rule knows, as long as
//     it neither talks to others nor destroys what can't be made again.
//
// What names secrets, places outside the workspace or machines is asked about
// as in any line.

// outputsPlace is the name of the places that hold what tools make.
const outputsPlace = "outputs"

var byProject = Lift{By: "project.task", Text: "a task of the project does it", To: policy.Allow}

// makes is the lift of a text of the project that changes files of the
// workspace, or nil. Directories are removed with all that is in them only
// where tools can make that again.
func (j *judge) makes(n *Node, w policy.Word, places []target, o op) *lift {
	if !j.own.text || len(places) == 0 || o == opRead {
		return nil
	}
	all := func(globs []string) bool {
		return !slices.ContainsFunc(places, func(t target) bool {
			return !j.inWorkspace(t) || !j.lies(n, t, globs) && !(o == opDelete && j.allLie(n, w, t, globs)) && !(o == opWrite && j.isRoot(t))
		})
	}
	l := &lift{ids: []string{"path.write", "path.delete", "redirect.write"}, by: byProject, what: o.about(w)}
	switch {
	case all(j.engine.outputs()):
	case all([]string{"./**"}):
		l.mild = true
	default:
		return nil
	}
	return l
}

// isRoot reports whether a file is the workspace itself, as it is for tools that
// write somewhere in it.
func (j *judge) isRoot(t target) bool {
	return t.known && !t.pattern && t.path == path.Clean(j.request.Workspace)
}

// outputPlaces are the globs over what tools make.
func outputPlaces() (globs []string) {
	for _, g := range gates.All {
		for i := range g.Paths {
			if g.Paths[i].Place == outputsPlace {
				globs = append(globs, g.Paths[i].Globs...)
			}
		}
	}
	return globs
}

// isPlain reports whether a runner is told the name of a task alone.
func isPlain(c *policy.Command, call *match.Invocation, st *task.Step) bool {
	if len(st.Tail) > 0 || len(st.Args) > 1 || len(c.Assigns)+len(c.Env) > 0 || len(call.Operands) > 1 {
		return false
	}
	for _, w := range call.Operands {
		if text, known := w.Const(); !known || strings.Contains(text, "=") {
			return false
		}
	}
	return true
}

// ofTool is what drops a question about a tool of the project in a text of the
// project.
func (n *Node) ofTool(r *Reason) *Lift {
	const own = policy.Executes | policy.Writes | policy.Reads
	if !n.ownTool || r.class != aboutUse || r.layer != builtIn || r.Effects&^own != 0 || r.Irreversible || r.AcceptEdits || r.byPlace {
		return nil
	}
	return &byProject
}

// ownVariable reports whether a variable is the project's own: it is set for a
// command that runs code of the project, no row speaks of it, and its value is
// one plain word.
func (j *judge) ownVariable(n *Node, c *match.Call, a policy.Assign) bool {
	value, known := a.Value.Const()
	if !known || !runsProject(c) && n.Effects&policy.Executes == 0 || strings.HasPrefix(value, "-") || strings.Trim(value, plainName+":,@%+") != "" || machineOf(value) != "" {
		return false
	}
	is := false
	for _, g := range gates.All {
		for i := range g.Env {
			if !g.Env[i].Project {
				continue
			}
			for _, name := range g.Env[i].Names {
				if glob, not := strings.CutPrefix(name.Glob, "!"); !match.Glob(glob, a.Name) {
					continue
				} else if not {
					return false
				}
				is = true
			}
		}
	}
	return is
}

// ownPath judges a variable whose value is directories that programs load code
// from: where all of them are the project's, it is code of the project that is
// loaded. It reports false for any other variable.
func (j *judge) ownPath(n *Node, a policy.Assign) bool {
	value, known := a.Value.Const()
	if !known || len(n.command.Dirs) == 0 || n.command.Where != policy.Here || j.request.Workspace == "" || j.engine.opts.Files == nil {
		return false
	}
	is := false
	for _, g := range gates.All {
		for i := range g.Env {
			for _, name := range g.Env[i].Names {
				is = is || g.Env[i].Set == policy.Allow && name.Places && match.Glob(name.Glob, a.Name) && j.allInside(n, value, reaching(name.Values))
			}
		}
	}
	if !is {
		return false
	}
	for element := range strings.SplitSeq(value, ":") {
		for _, t := range j.resolve(policy.Const(cmp.Or(element, ".")), n.command.Dirs) {
			if !j.inWorkspace(t) || j.openTo(t.real) != "" {
				return false
			}
			for i := range j.wrote {
				if !j.wrote[i].own && (j.wrote[i].covers(t.real) || within(j.wrote[i].path, t.real)) {
					return false
				}
			}
		}
	}
	n.reason("project.code", policy.Allow, "Loads code of the project: "+a.Name+"="+value, policy.Executes, policy.ReachUnknown)
	return true
}

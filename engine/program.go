package engine

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Programs inside of commands.
//
// python3 -c '...' holds a program. A reader says what it does, and this file puts
// that into commands: what opens a file to write it is > FILE, what removes one is
// rm, what fetches an address is curl. So the words of a program are judged by the
// same rows about places, machines and variables as those of a shell's line.

// programText judges a text in a programming language. dirs is where its imports
// look first, name what it is called: "" for a text of the line.
func (j *judge) programText(n *Node, language, text, name string, dirs []string, depth int) {
	if depth > maxDepth {
		n.reason("shell.limit", policy.Ask, "Nests texts too deeply to follow", 0, policy.ReachUnknown)
		return
	}
	facts := j.engine.facts()
	added := j.pythonPath(n)
	if len(added) > 0 && language == "python" {
		n.reason("project.code", policy.Allow, "May load code that PYTHONPATH leads to", policy.Executes, policy.ReachUnknown)
		n.Effects |= policy.Executes
		n.Reach = max(n.Reach, policy.ReachUnknown)
	}
	home := j.request.Home
	if slices.ContainsFunc(inherited(n.command), func(a policy.Assign) bool { return a.Name == "HOME" }) {
		home = "" // the line says where that is
	}
	looks := moduleSearch{dirs: append(dirs[:len(dirs):len(dirs)], added...), names: map[string]bool{}, since: len(j.wrote.list)}
	ordered, looked := !j.outOfOrder(), len(j.opened)
	j.mixed = true // a program does what it does in loops, and later
	report := gates.ReadProgram(language, code.Text{Code: text, File: name, Facts: facts, Home: home, Dir: onlyDir(n.command.Dirs), Bare: isBare(n.command, text, name), Words: otherWords(n.command, text), Paths: looks.dirs, Find: func(module string, in []policy.Word) code.Origin {
		if language != "python" {
			r := j.requires(module, dirs)
			if r.runs && strings.HasSuffix(module, ".json") {
				looks.runs = append(looks.runs, module)
			}
			if r.own != "" {
				looks.own = append(looks.own, r.own)
			}
			return r.origin
		}
		all := append(dirs[:len(dirs):len(dirs)], added...)
		for _, w := range in {
			more := match.Inside(n.command.Dirs, w)
			if len(more) == 0 {
				return code.Strange
			}
			all = append(all[:len(all):len(all)], more...)
		}
		name, _, _ := strings.Cut(module, ".")
		looks.names[name] = true
		if len(all) > len(looks.dirs) {
			looks.dirs = all
		}
		return j.imports(module, all)
	}, Follow: j.follow, Config: func(above bool, names ...string) code.Origin {
		return j.configured(append(dirs[:len(dirs):len(dirs)], n.command.Dirs...), above, names)
	}})
	for _, module := range looks.runs {
		report.Load(module, 1)
	}
	report.Effects = j.lookedUp(n, report.Effects)
	report.Guesses = j.lookedUp(n, report.Guesses)
	lines := map[int]*Node{}
	var order []int
	at := func(line int) *Node {
		if lines[line] == nil {
			lines[line] = &Node{
				Pos: n.Pos, Reach: policy.ReachLocal, source: programLine(text, line), place: j.placeInProgram(name, line), since: len(j.wrote.list),
			}
			order = append(order, line)
		}
		return lines[line]
	}
	for i := range report.Runs {
		l := &report.Runs[i]
		at(l.Line).reason("project.code", policy.Allow, "Loads "+l.Name+", which is code of the project or of its packages", policy.Executes, policy.ReachUnknown)
	}
	asks := func(q *code.Question) {
		said := q.Reason
		if q.Line > 0 {
			said += " (" + j.placeInProgram(name, q.Line) + ": " + programLine(text, q.Line) + ")"
		}
		n.reason("code.any", policy.Ask, said, q.Effects, q.Reach)
		n.last().class = aboutUse // whoever allows the command allows its text
		n.Effects |= q.Effects
		n.Reach = max(n.Reach, q.Reach)
	}
	for i := range report.Asks {
		asks(&report.Asks[i])
	}
	var sets []policy.Assign
	for i := range report.Effects {
		if e := &report.Effects[i]; e.Kind == match.Env {
			if name, value, is := strings.Cut(e.Word.Prefix(), "="); is {
				w := policy.Const(value)
				if !e.Word.IsConst() {
					w = policy.Unknown("$" + name)
				}
				sets = append(sets, policy.Assign{Name: name, Value: w})
			}
		}
	}
	for i := range report.Effects {
		e := &report.Effects[i]
		j.effect(n, at(e.Line), e, sets, depth)
	}
	j.guessed(report, at, func(line *Node, e *code.Effect) { j.effect(n, line, e, sets, depth) })
	for i := range report.Doubts {
		q := &report.Doubts[i]
		if line := lines[q.Line]; line != nil && slices.ContainsFunc(line.Children, func(c Node) bool { return c.holed }) {
			report.Question(q.Ask, q.Line)
			asks(q)
			break // once
		}
	}
	for _, e := range j.copies(n, report) {
		j.effect(n, at(e.Line), &e, sets, depth)
	}
	if language == "python" {
		j.shadows(n, &looks)
	}
	j.loadsOwn(n, &looks)
	if ordered && !slices.ContainsFunc(report.Effects, starts) {
		j.mixed = false // what stands behind it comes after it
		for i := looked; i < len(j.opened); i++ {
			j.opened[i].until = len(j.wrote.list)
		}
	}
	slices.Sort(order)
	for _, line := range order {
		lines[line].settle()
		n.Children = append(n.Children, *lines[line])
	}
	if len(report.Asks) == 0 {
		n.reason("code.read", policy.Allow, "Does what its "+language+" text says", 0, policy.ReachUnset)
	}
}

// guessed judges what a text may mean by words of the commands that it starts, where one of
// these reads a file of which the name is not known.
func (j *judge) guessed(report *code.Report, at func(int) *Node, judge func(*Node, *code.Effect)) {
	for i := range report.Effects {
		e := &report.Effects[i]
		if e.Kind != match.Command || len(report.Guesses) == 0 || !slices.ContainsFunc(at(e.Line).Children, func(c Node) bool { return c.holed }) {
			continue
		}
		for k := range report.Guesses {
			judge(at(e.Line), &report.Guesses[k])
		}
		return // once, at the first of them
	}
}

// starts reports whether a program starts another one, which may outlive it.
func starts(e code.Effect) bool {
	return e.Kind == match.Command || e.Kind == match.Script || e.Kind == match.Run
}

// maxCopies is how many copies are followed to where they may go.
const maxCopies = 32

// copies are the commands that copy as a program does: each thing to each place to
// which something is copied, for what is told twice of a program is told once.
func (j *judge) copies(n *Node, report *code.Report) (commands []code.Effect) {
	for i := range report.Effects {
		to := &report.Effects[i]
		if to.Kind != match.Target {
			continue
		}
		for k := range report.Effects {
			from := &report.Effects[k]
			words := []policy.Word{policy.Const("cp"), policy.Const("--"), from.Word}
			switch {
			case from.Kind == match.Source:
				words = []policy.Word{policy.Const("cp"), policy.Const("-r"), policy.Const("--"), j.contents(n, from)}
			case from.Kind != match.Read || !from.Word.IsConst():
				continue
			}
			if len(commands) >= maxCopies {
				words[len(words)-1] = policy.Unknown("...")
			}
			commands = append(commands, code.Effect{Use: match.Use{Kind: match.Command, Words: append(words, asWritten(to.Word))}, In: to.In, Line: to.Line})
			if len(commands) > maxCopies {
				return commands
			}
		}
	}
	return commands
}

// contents is a tree that is copied, and not into the directory that takes its place; a
// file is what it is.
func (j *judge) contents(n *Node, e *code.Effect) policy.Word {
	dirs := n.command.Dirs
	if e.In != nil {
		dirs = match.Inside(dirs, *e.In)
	}
	if j.engine.opts.Files != nil && slices.ContainsFunc(j.resolve(e.Word, dirs), func(t target) bool { return t.known && !t.pattern && !j.isDir(t.real) && j.exists(t.real) }) {
		return e.Word
	}
	if text, known := e.Word.Const(); known {
		return policy.Const(text + "/.")
	}
	return policy.Word{Parts: append(slices.Clone(e.Word.Parts), policy.Part{Text: "/."})}
}

// isBare reports whether a command gives a text no arguments but options: nothing else
// stands there beside the text itself, or the file in which it stands.
func isBare(c *policy.Command, text, file string) bool {
	own := 1 // such words that may be there
	if file == "" || programBase(c) == path.Base(file) {
		own = 0
	}
	for _, w := range c.Words[1:] {
		word, known := w.Const()
		switch {
		case !known:
			return false
		case word == text && file == "", strings.HasPrefix(word, "-"):
		default:
			own--
		}
	}
	return own >= 0
}

// otherWords are the words of a command that are known, behind its first one, but for a text.
func otherWords(c *policy.Command, text string) (words []string) {
	for _, w := range c.Words[1:] {
		if word, known := w.Const(); known && word != text && word != "" {
			words = append(words, word)
		}
	}
	return words
}

// programUse judges a program that is a word of a command, or its input.
func (j *judge) programUse(n *Node, u *match.Use, depth int) {
	text, known := u.Word.Const()
	switch {
	case !known:
		n.reason("code.hole", policy.Ask, "Runs code that is not all known", policy.Executes, policy.ReachNetwork)
		n.last().class = aboutUse
	case n.command.Where != policy.Here:
		n.reason("code.any", policy.Ask, "Runs code that is not read", policy.Executes, policy.ReachNetwork)
		n.last().class = aboutUse
	case strings.HasPrefix(programBase(n.command), "python2"):
		n.reason("code.any", policy.Ask, "Runs code of Python 2, which is not read", policy.Executes, policy.ReachNetwork)
		n.last().class = aboutUse
	case text == "" && !u.FromStdin && u.Lang != "python":
		n.reason("code.hole", policy.Ask, "Runs what it is fed, or a file, where the text is empty", policy.Executes, policy.ReachNetwork) // node -p ''
		n.last().class = aboutUse
	default:
		j.programText(n, u.Lang, text, "", j.useDirs(n, u), depth)
		for _, w := range n.command.Words[1:] {
			if other, _ := w.Const(); other != text {
				j.words(n, []policy.Word{w})
			}
		}
	}
}

// programFile judges a file that is no code of the project by its text, where that
// is known: it lies outside the workspace, or the same line writes it. It reports
// false where that can't be.
func (j *judge) programFile(n *Node, u *match.Use, depth int) bool {
	if u.Runs == nil || u.Option != "" || j.engine.opts.Files == nil {
		return false
	}
	language, is := strings.CutPrefix(u.Runs.Stdin, "code.")
	if !is || !gates.IsProgram(language) {
		return false
	}
	type file struct{ path, text string }
	var files []file
	disk := &lineFiles{j: j}
	for _, t := range j.resolve(u.Word, j.useDirs(n, u)) {
		if !t.known || t.pattern || isProcess(t.path) || isProcess(t.real) {
			return false
		}
		if rule := j.readRule(t); rule != nil && rule.Read > policy.Allow {
			return false // what it holds is for nobody to see, and stands in no reason
		}
		data, err := disk.ReadFile(t.real, maxProgram)
		if err != nil {
			return false
		}
		files = append(files, file{t.real, string(data)})
	}
	for _, f := range files {
		j.programText(n, language, f.text, f.path, []string{path.Dir(f.path)}, depth)
	}
	if len(files) > 0 {
		j.words(n, u.Args)
		j.runs(n, u.Word, j.useDirs(n, u))
	}
	return len(files) > 0
}

// isProcess reports whether a path names what a process has open, and so another file
// for the command than for who reads it here: /dev/fd/3, /proc/self/cwd/a.js.
func isProcess(path string) bool {
	return within(path, "/proc") || within(path, "/dev") && !within(path, "/dev/shm")
}

// maxProgram is the largest file that is read as a program, in bytes.
const maxProgram = 1 << 20

// effect judges one effect of a program, which sets variables for what it starts.
func (j *judge) effect(n, line *Node, e *code.Effect, sets []policy.Assign, depth int) {
	outer := n.command
	c := &policy.Command{
		Dirs: outer.Dirs, Env: inherited(outer), Stdin: outer.Stdin, Stdout: outer.Stdout, Open: outer.Open, Where: outer.Where, Aside: outer.Aside, Again: true,
		Via: append(outer.Via[:len(outer.Via):len(outer.Via)], programName(outer)), Pos: outer.Pos,
	}
	if e.In != nil {
		c.Dirs = match.Inside(outer.Dirs, *e.In)
	}
	words := func(list ...policy.Word) { c.Words = list }
	place := asWritten(e.Word)
	switch e.Kind {
	case match.Read, match.Source:
		c.Redirects = []policy.Redirect{{Op: policy.RedirectRead, Path: place}}
	case match.Write, match.Target:
		c.Redirects = []policy.Redirect{{Op: policy.RedirectWrite, Path: place}}
	case match.Delete:
		words(policy.Const("rm"), policy.Const("-f"), policy.Const("--"), place)
	case match.Move:
		words(policy.Const("rm"), policy.Const("-rf"), policy.Const("--"), place)
	case match.Path, match.Dir:
		words(policy.Const("ls"), policy.Const("--"), place)
	case match.URL:
		words(policy.Const("curl"), policy.Const("-s"), policy.Const("--"), e.Word)
	case match.Host:
		words(policy.Const("ping"), policy.Const("-c1"), policy.Const("--"), e.Word)
	case match.Command:
		c.Words, c.Env = e.Words, append(c.Env[:len(c.Env):len(c.Env)], sets...)
	case match.Arg, match.Script, match.Env, match.Run:
		word := e.Word
		if e.Route && j.isRoute(word) {
			word = code.Concat(policy.Const("."), word) // behind the name of a directory
		}
		c.Words, c.Via = outer.Words[:1], outer.Via
		if e.Kind == match.Script {
			c.Env = append(c.Env[:len(c.Env):len(c.Env)], sets...)
		}
		line.command = c
		j.use(line, &match.Call{Cmd: c}, &match.Use{Kind: e.Kind, Word: word, Dirs: c.Dirs, Runs: &match.Runs{}}, &writing{scratch: true}, depth+1)
		line.command = nil
		return
	case match.Code:
		if gates.IsProgram(e.Lang) {
			if text, known := e.Word.Const(); known {
				j.programText(n, e.Lang, text, "", c.Dirs, depth+1)
				return
			}
		}
		if e.Lang == "sql" {
			words(policy.Const("sqlite3"), policy.Const(":memory:"), e.Word)
			break
		}
		line.reason("code.any", policy.Ask, "Runs code that is not all known", policy.Executes, policy.ReachNetwork)
		return
	}
	line.Children = append(line.Children, j.command(c, depth+1))
}

// isRoute reports whether a word that may be the address of a page names no place: nothing
// stands under the first of its names.
func (j *judge) isRoute(w policy.Word) bool {
	text, known := w.Const()
	if !known || j.engine.opts.Files == nil {
		return false
	}
	text, _, _ = strings.Cut(text, "?")
	top, _, _ := strings.Cut(strings.TrimPrefix(path.Clean(text), "/"), "/")
	return top != "" && !j.exists("/"+top) && j.rewritten("/"+top) == nil
}

// asWritten is a path as a program opens it, for which ~ is a sign like others.
func asWritten(w policy.Word) policy.Word {
	if strings.HasPrefix(w.Prefix(), "~") {
		return code.Concat(policy.Const("./"), w)
	}
	return w
}

// onlyDir is the directory that a command surely runs in; "" where that is not known.
func onlyDir(dirs []string) string {
	if len(dirs) == 1 {
		return dirs[0]
	}
	return ""
}

// pythonPath lists the directories that a variable names for imports. What it may be
// at all is for the rows about variables to say.
func (j *judge) pythonPath(n *Node) (dirs []string) {
	for _, a := range inherited(n.command) {
		if a.Name != "PYTHONPATH" || a.Taken {
			continue
		}
		for element := range strings.SplitSeq(a.Value.Prefix(), ":") {
			dirs = append(dirs, match.Inside(n.command.Dirs, policy.Const(element))...)
		}
	}
	return dirs
}

// programLine is a line of a program as a verdict shows it.
func programLine(text string, line int) string {
	for n := 1; n < line; n++ {
		_, text, _ = strings.Cut(text, "\n")
	}
	text, _, _ = strings.Cut(text, "\n")
	return policy.Clip(strings.TrimSpace(text), maxShown)
}

// placeInProgram is a line of a program for people.
func (j *judge) placeInProgram(name string, line int) string {
	if name != "" {
		return j.shown(name, line)
	}
	return "line " + strconv.Itoa(line)
}

// imports tells whose a module is that an import may find in directories before it
// finds what is installed. Of a.b both count: b may be a link in the project's a.
func (j *judge) imports(module string, dirs []string) code.Origin {
	module, below, more := strings.Cut(module, ".")
	origin := j.importsFrom(dirs, module)
	if origin != code.Local || !more {
		return origin
	}
	packages := make([]string, len(dirs))
	for i, dir := range dirs {
		packages[i] = path.Join(j.follow(dir), module)
	}
	if j.imports(below, packages) == code.Strange {
		return code.Strange
	}
	return origin
}

// importsFrom is imports for one name; * stands for each that is there.
func (j *judge) importsFrom(dirs []string, module string) code.Origin {
	if len(dirs) == 0 || j.engine.opts.Files == nil {
		return code.Strange
	}
	origin := code.Installed
	for _, dir := range dirs {
		dir = j.follow(dir)
		for _, name := range [...]string{module, module + ".py"} {
			file := path.Join(dir, name)
			if j.rewritten(file) != nil || j.makesBelow(file, 0) {
				return code.Strange
			}
			j.missed(opened{path: file, at: len(j.wrote.list), absent: true, tree: true})
		}
		if compiled(dir, module, j.wrote.list) {
			return code.Strange
		}
		j.missed(opened{path: dir, at: len(j.wrote.list), absent: true, compiled: module})
		names, err := j.readDir(dir, maxModules)
		if err != nil && (len(names) == 0 || module == "*") {
			if _, err := j.lstat(dir); err != nil {
				continue // nothing is there
			}
			return code.Strange
		}
		for _, name := range names {
			stem, _, ends := strings.Cut(name, ".")
			if stem == "" || stem != module && module != "*" {
				continue
			}
			file := path.Join(dir, name)
			if !ends {
				info, err := j.lstat(file)
				if err == nil && info.Mode().IsRegular() {
					continue
				}
				init := path.Join(file, "__init__.py")
				if j.wrote.below(file, anyWrite).some() || j.exists(init) && j.notProject(j.target(init, false, true)) != "" {
					return code.Strange
				}
			} else if !isModuleFile(name[len(stem):]) {
				continue
			}
			if j.notProject(j.target(file, false, true)) != "" {
				return code.Strange
			}
			origin = code.Local
			j.opened = append(j.opened, opened{path: j.follow(file), at: len(j.wrote.list), tree: true})
		}
	}
	return origin
}

// compiled reports whether some writes are of what may run in place of a module's text in
// a directory, whatever that is by then: a library, or what Python's cache holds for it.
func compiled(dir, module string, writes []wrote) bool {
	cache, start := path.Join(dir, "__pycache__"), path.Join(dir, module)+"."
	return slices.ContainsFunc(writes, func(w wrote) bool {
		if w.bare {
			return false
		}
		if file, is := strings.CutPrefix(w.path, cache+"/"); is {
			return strings.HasPrefix(file, module+".")
		}
		if ending, is := strings.CutPrefix(w.path, start); is {
			return isModuleFile("." + ending)
		}
		switch {
		case w.names == "":
			return w.covers(cache)
		case w.path == cache:
			return overlap(w.names, module+".*")
		case w.path == dir && (overlap(w.names, module+".pyc") || overlap(w.names, module+".*so") || overlap(w.names, module+".*pyd")):
			return true
		}
		return w.covers(cache) && w.mayBe(cache)
	})
}

// maxModules is how many names of a directory are looked through.
const maxModules = 20_000

// isModuleFile reports whether Python may load a file by what stands behind the
// module's name.
func isModuleFile(ending string) bool {
	return ending == ".py" || ending == ".pyc" || strings.HasSuffix(ending, ".so") || strings.HasSuffix(ending, ".pyd")
}

// facts are what the built-in rules and those of users say of programming languages.
func (e *Engine) facts() *code.Facts {
	return e.known.get(func() *code.Facts {
		f := &code.Facts{}
		for _, owner := range e.layers() {
			for _, rules := range owner.rules {
				for _, g := range interp.Gates(rules) {
					if g.Code != "" {
						f.Texts = append(f.Texts, g.Code)
					}
				}
			}
		}
		f.Texts = append(f.Texts, gates.Facts())
		return f
	})
}

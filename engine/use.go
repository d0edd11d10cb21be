package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/shell"
	"github.com/bashgate/bashgate/policy"
)

// use judges one word that means something outside the command.
func (j *judge) use(n *Node, c *match.Call, u *match.Use, w *writing, depth int) {
	switch u.Kind {
	case match.Flag, match.Data, match.Acts, match.Name, match.Task:
	case match.Path, match.Dir:
		j.outside(n, u)
	case match.Read:
		n.Effects |= policy.Reads
		j.outside(n, u)
		j.read(n, u)
	case match.Write, match.Target:
		n.Effects |= policy.Writes
		j.outside(n, u)
		j.write(n, u, opWrite, w)
	case match.Delete, match.Move:
		n.Effects |= policy.Deletes
		j.outside(n, u)
		if u.Kind == match.Move {
			j.read(n, u) // under another name nobody asks about it
		}
		j.write(n, u, opDelete, w)
	case match.Source:
		n.Effects |= policy.Reads
		j.outside(n, u)
		j.read(n, u)
	case match.Host, match.URL:
		n.talks = append(n.talks, u.Word)
		j.remotePath(n, u)
		j.host(n, u)
	case match.Arg:
		j.words(n, []policy.Word{u.Word})
	case match.Sent:
		j.host(n, u)
	case match.Env:
		if !nests(c) {
			j.setEnv(n, passedEnv(nil, u), nil)
		}
	case match.Command:
		j.nestedCommand(n, c, u, depth)
	case match.Script:
		j.nestedScript(n, u, depth)
	case match.Run:
		j.outside(n, u)
		j.run(n, u, depth)
	case match.Code:
		j.code(n, c, u, w, depth)
	default:
		n.reason("engine.kind", policy.Ask, "Means something the engine does not know", 0, policy.ReachUnknown)
	}
}

// code asks the reader of a small language what a text does.
func (j *judge) code(n *Node, c *match.Call, u *match.Use, w *writing, depth int) {
	if _, known := u.Word.Const(); known && (u.Lang == "any" || gates.IsProgram(u.Lang)) && j.own.text && j.request.Mode != ModePlan &&
		n.command.Where == policy.Here && j.isInside(n) {
		n.ownCode = true
		n.reason("project.code", policy.Allow, "Runs code that a text of the project holds", policy.Executes, policy.ReachUnknown)
		if gates.IsProgram(u.Lang) {
			into := &Node{command: n.command, Pos: n.Pos}
			j.programUse(into, u, depth)
			keepNamed(n, into)
		}
		return
	}
	if gates.IsProgram(u.Lang) {
		j.programUse(n, u, depth)
		return
	}
	r := gates.ReadCode(u.Lang, u.Word, c)
	if r.Decision != policy.Skip {
		n.reason(r.ID, r.Decision, r.Reason, r.Effects, r.Reach)
		if u.Lang == "any" {
			n.last().class = aboutUse // that somebody runs code
		}
		n.last().Irreversible, n.last().Unrecoverable = r.Unrecoverable, r.Unrecoverable
	} else {
		n.Effects |= r.Effects
		n.Reach = max(n.Reach, r.Reach)
	}
	for i := range r.Uses {
		inner := r.Uses[i]
		if inner.Dirs == nil {
			inner.Dirs = u.Dirs
		}
		if inner.Kind == match.Code && depth > maxDepth {
			n.reason("shell.limit", policy.Ask, "Nests texts too deeply to follow", 0, policy.ReachUnknown)
			return
		}
		j.use(n, c, &inner, w, depth+1)
	}
}

// run judges a file that is executed. Who runs it reads it, and tells what it
// does not understand.
func (j *judge) run(n *Node, u *match.Use, depth int) {
	j.read(n, u)
	text := "Runs the file " + u.Word.String()
	if n.command.Where == policy.Here && !j.grammarOnly() && (u.Option == "" || n.ownTool || isFileName(u.Word)) {
		is, why := false, ""
		if !isInput(u.Word) {
			is, why = j.isProject(u.Word, j.useDirs(n, u))
			is = is || u.Option != "" && j.isPathList(n, u) || (n.ownTool || j.own.text) && j.isModule(n, u)
		}
		if is && !repeats(u.Rule) && j.isDirectory(u.Word, j.useDirs(n, u)) {
			switch {
			case u.Option == "":
				is, why = false, "it is a directory"
			case slices.ContainsFunc(j.resolve(u.Word, j.useDirs(n, u)), func(t target) bool { return j.changesBelow(t.real) }):
				is, why = false, "the same line changes what lies there" // node -r loads a file of it
			}
		}
		if is {
			j.runsCode(n, u.Word, j.useDirs(n, u))
			j.words(n, u.Args)
			if name, ok := u.Word.Const(); ok && u.Option == "" {
				j.asked(n, path.Base(name), u.Args)
			}
			return
		}
		if j.programFile(n, u, depth) {
			return
		}
		if why != "" {
			text += ": " + why
		}
	}
	n.reason("run.file", policy.Ask, text, policy.Executes, policy.ReachUnknown)
	if u.Option == "" {
		n.last().class = aboutUse
	}
	if n.command.Where != policy.Here || j.request.Workspace == "" {
		return
	}
	for _, t := range j.resolve(u.Word, j.useDirs(n, u)) {
		if !j.inWorkspace(t) {
			// Whoever lifts run.file means the project's own files.
			n.reason("project.elsewhere", policy.Ask, "Runs code of "+t.path+", outside the workspace", policy.Executes, policy.ReachUnknown)
			break
		}
	}
}

// isInput reports whether a word in the place of a file means what comes in: a
// dash, or a device. No file that is run begins with a dash.
func isInput(w policy.Word) bool {
	return strings.HasPrefix(w.Text, "-") || strings.HasPrefix(w.Prefix(), "-") || passing(w)
}

// repeats reports whether a rule takes any number of files to run, as runners of
// tests do, which look into directories.
func repeats(r *match.Rule) bool {
	return r != nil && slices.ContainsFunc(r.Operands, func(o match.Operand) bool { return o.Kind == match.Run && o.Max < 0 })
}

// isFileName reports whether a word can't be the name of a program that is
// looked for in PATH, or of a module.
func isFileName(w policy.Word) bool {
	text, known := w.Const()
	return known && strings.ContainsAny(text, "./")
}

// runs notes a file that is executed among those that are read: if strangers
// have written it, what it prints is theirs.
func (j *judge) runs(n *Node, w policy.Word, dirs []string) {
	if n.command.Where != policy.Here {
		return
	}
	for _, t := range j.resolve(w, dirs) {
		n.reads(t)
		n.runs(t)
		// bash -v .env shows it, and whoever sources it can name what it holds.
		if !t.known || j.engine.opts.Files == nil || !j.exists(t.real) {
			continue
		}
		if rule := j.pathRule(t, opRead); rule != nil && rule.Read > policy.Allow && rule.Effects&policy.Secret != 0 {
			j.pathReason(n, rule, rule.Read, opRead, w)
		}
	}
}

func nests(c *match.Call) bool {
	for i := range c.Uses {
		if c.Uses[i].Kind == match.Command {
			return true
		}
	}
	return false
}

// nestedCommand judges what a wrapper runs.
func (j *judge) nestedCommand(n *Node, c *match.Call, u *match.Use, depth int) {
	if len(u.Words) == 0 {
		return
	}
	if depth >= maxDepth {
		n.reason("shell.limit", policy.Ask, "Nests commands too deeply to follow", 0, policy.ReachUnknown)
		return
	}
	if u.Runs != nil && u.Runs.Stdin == "code.python" && u.Option == "" {
		j.moduleRun(n, u)
	}
	outer := n.command
	inner := &policy.Command{
		Words:   u.Words,
		Assigns: passedEnv(c.Uses, nil),
		Dirs:    j.useDirs(n, u),
		Stdin:   outer.Stdin,
		Stdout:  outer.Stdout,
		Open:    outer.Open,
		Env:     passedOn(outer, c.Name),
		Where:   outer.Where,
		Via:     append(outer.Via[:len(outer.Via):len(outer.Via)], c.Name),
		Pos:     outer.Pos,
	}
	if u.Runs != nil && u.Runs.Where != policy.Here {
		inner.Where = u.Runs.Where
	}
	if u.Option == "-execdir" || u.Option == "-okdir" {
		inner.Dirs = nil // where the file lies that was found
	}
	if u.Option != "" {
		j.shellByOption(n, inner, u.Option)
	}
	if c.Ends == match.EndsCommand {
		j.limits++
		defer func() { j.limits-- }()
	}
	n.Children = append(n.Children, j.command(inner, depth+1))
}

// shellByOption asks where an option that names another program names a shell:
// what that makes of the words which the program appends is anybody's guess.
func (j *judge) shellByOption(n *Node, c *policy.Command, option string) {
	if c == nil || len(c.Words) == 0 {
		return
	}
	if name, ok := j.identify(c.Words[0], c.Where); ok {
		if _, is := shellDialect(name); is {
			n.reason("shell.by-option", policy.Ask, "Starts a shell by an option: "+option+" "+name, policy.Executes, policy.ReachUnknown)
		}
	}
}

// nestedScript judges a shell text that a program is given.
func (j *judge) nestedScript(n *Node, u *match.Use, depth int) {
	text, ok := u.Word.Const()
	if !ok {
		n.reason("shell.hole", policy.Ask, "Runs a shell text that is not all known: "+policy.Clip(u.Word.String(), maxShown), policy.Executes, policy.ReachUnknown)
		if u.Word.Prefix() == "" {
			return
		}
		text = u.Word.Unresolved()
	}
	outer := n.command
	f := frame{
		depth: depth + 1,
		via:   append(outer.Via[:len(outer.Via):len(outer.Via)], programName(outer)),
		where: outer.Where,
		env:   environmentOf(outer),
		stdin: &outer.Stdin,
	}
	if u.Runs != nil && u.Runs.Where != policy.Here {
		f.where = u.Runs.Where
	}
	if u.FromStdin {
		f.stdin = &policy.Input{Kind: policy.InputHole} // what the shell has not read yet
	}
	dialect, _ := shellDialect(programBase(outer))
	in := shell.Input{
		Text:     text,
		Dialect:  dialect,
		Dirs:     j.useDirs(n, u),
		Home:     j.request.Home,
		Args:     u.Args,
		Nounset:  mayStart(outer, "u", "nounset"),
		Errtrace: mayStart(outer, "E", "errtrace"),
		Started:  true,
		Open:     outer.Open,
		Vars:     startedWith(outer),
	}
	if f.where != policy.Here {
		in.Dirs, in.Home, in.Vars = nil, "", nil
	}
	first := len(n.Children)
	n.Children = append(n.Children, j.text(in, f)...)
	_, isShell := shellDialect(programBase(outer))
	for i := first; i < len(n.Children); i++ {
		n.Children[i].scripted = true
		if u.Option != "" && !isShell {
			j.shellByOption(n, n.Children[i].command, u.Option)
		}
	}
}

// environmentOf is the environment of what a shell runs that a command starts: some variables
// have a value of its own then.
func environmentOf(c *policy.Command) []policy.Assign {
	env := inherited(c)
	for i, a := range env {
		if !shell.Starts(a.Name) {
			continue
		}
		if len(c.Assigns) == 0 && &env[0] == &c.Env[0] {
			env = slices.Clone(env)
		}
		env[i].Value = policy.Unknown("$" + a.Name)
	}
	return env
}

// startedWith is what a shell that is started has of its environment: it keeps
// its own separators and directory. What stands before the command is certain. Of
// what was exported only the name is: on another way it was not, a function's local
// or an array took it away.
func startedWith(c *policy.Command) []policy.Assign {
	if len(c.Env) == 0 && len(c.Assigns) == 0 {
		return nil
	}
	vars := make([]policy.Assign, 0, len(c.Env)+len(c.Assigns))
	for i, a := range inherited(c) {
		switch a.Name {
		case "IFS":
			continue
		case "PWD", "OLDPWD":
			a.Value = policy.Unknown("$" + a.Name)
		}
		a.Taken = a.Taken || i < len(c.Env) || shell.Starts(a.Name)
		vars = append(vars, a)
	}
	return vars
}

// mayStart reports whether a shell may be started with an option: -u, -euo
// pipefail, -o nounset. What comes after the text may look like it too, and does no
// harm.
func mayStart(c *policy.Command, letter, option string) bool {
	return slices.ContainsFunc(c.Words, func(w policy.Word) bool {
		s, ok := w.Const()
		return !ok || s == option || strings.HasPrefix(s, "-") && strings.Contains(s, letter)
	})
}

func programBase(c *policy.Command) string {
	name, _ := c.Program()
	return path.Base(name)
}

// shellDialect is the language that a shell speaks, and whether the program is
// one.
func shellDialect(program string) (shell.Dialect, bool) {
	switch language := policy.ShellLanguage(program); language {
	case "", policy.ShellKorn: // whose scripts are read as what system(3) calls
		return shell.POSIX, false
	default:
		return dialect(language), true
	}
}

func (j *judge) useDirs(n *Node, u *match.Use) []string {
	if u.Dirs != nil {
		return u.Dirs
	}
	return n.command.Dirs
}

// passedOn is the environment that a wrapper's command sees. Options of env take
// variables away.
func passedOn(outer *policy.Command, wrapper string) []policy.Assign {
	env := inherited(outer)
	if len(env) == 0 || wrapper != "env" || !slices.ContainsFunc(outer.Words[1:], policy.Word.MayBeOption) {
		return env
	}
	env = slices.Clone(env)
	for i := range env {
		env[i].Value = policy.Unknown("$" + env[i].Name)
	}
	return env
}

// inherited is the environment that a command's children see.
func inherited(c *policy.Command) []policy.Assign {
	if len(c.Assigns) == 0 {
		return c.Env
	}
	return append(c.Env[:len(c.Env):len(c.Env)], c.Assigns...)
}

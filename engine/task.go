package engine

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/shell"
	"github.com/bashgate/bashgate/internal/task"
	"github.com/bashgate/bashgate/policy"
)

// maxTasks bounds the texts that one request may stand for.
const maxTasks = 1000

// tasks is what a request's commands stand for.
type tasks struct {
	cache *task.Cache // of the files as they are on disk
	count int
	open  []string // the texts being judged, outermost first: a cycle is cut there
}

// expand judges what a command stands for, by the rules that name a task
// runner: the texts join the command's own judgement. An ask that depends on
// the task holds only where they can't all be known.
func (j *judge) expand(n *Node, c *match.Call, depth int) {
	if n.command.Where != policy.Here || j.engine.opts.Files == nil {
		return
	}
	if j.activation(n, c) {
		return
	}
	for i := range c.Uses {
		if u := &c.Uses[i]; u.Kind == match.Task {
			j.expandUse(n, c, u, depth)
		}
	}
}

func (j *judge) expandUse(n *Node, c *match.Call, u *match.Use, depth int) {
	var covered []string
	known, found, replaces := u.Call.Sure && len(u.Call.Dirs) > 0, false, false
	into := n
	if j.grammarOnly() {
		// A profile with opinions of its own has one about the runner; of the
		// texts only blocks count.
		ways, profiles := j.ways, j.profiles
		j.ways, j.profiles = nil, nil
		into = &Node{command: n.command, Pos: n.Pos}
		defer func() {
			j.ways, j.profiles = ways, profiles
			keepBlocks(n, into)
		}()
	}
	for _, dir := range u.Call.Dirs {
		q := task.Query{
			Call: u.Call, Dir: j.follow(dir), Home: j.request.Home, Env: inherited(n.command),
			Inside: func(p string) bool { return j.inWorkspace(j.target(p, false, true)) },
		}
		for _, a := range j.findTask(u.Lang, q) {
			known = known && a.Known()
			found = found || a.File != ""
			replaces = replaces || a.Replaces
			covered = append(covered, a.Covered...)
			j.problems(into, &a)
			for i := range a.Steps {
				j.step(into, &a.Steps[i], u.Lang, j.own.text || len(j.tasks.open) == 0 && isPlain(n.command, u.Call, &a.Steps[i]), depth)
			}
		}
	}
	if !found {
		return
	}
	for i := range c.Held {
		if h := &c.Held[i]; known && h.Rule == u.Rule && h.Decision == policy.Ask {
			h.Known = true
		}
	}
	for i := range c.Uses {
		other := &c.Uses[i]
		if known && other.Kind == match.Run && other.Option != "" && slices.ContainsFunc(covered, func(option string) bool { return isOption(u.Call, other.Option, option) }) {
			other.Kind = match.Read
		}
		if other.Rule == u.Rule && other.Option == "" && (other.Kind == match.Run && known || other.Kind == match.Command && replaces) {
			other.Kind = match.Data // what it names was judged
		}
	}
}

// isOption reports whether two spellings name one option of a call.
func isOption(call *match.Invocation, a, b string) bool {
	return slices.ContainsFunc(call.Options, func(g match.Given) bool { return g.Is(a) && g.Is(b) })
}

// findTask asks a runner's reader. Where the line itself may have written one
// of the files there are two answers: with the file as it will be, and as it
// is, should the writing not have come to pass.
func (j *judge) findTask(runner string, q task.Query) []task.Answer {
	files := lineFiles{j: j, script: runner == "shell"}
	q.Files, q.Cache = &files, new(task.Cache)
	if len(j.wrote.list) == 0 {
		if j.tasks.cache == nil {
			j.tasks.cache = new(task.Cache)
		}
		q.Cache = j.tasks.cache
	}
	answers := []task.Answer{task.Find(runner, q)}
	if files.replaced {
		files.old, q.Cache = true, new(task.Cache)
		if a := task.Find(runner, q); a.File != "" {
			answers = append(answers, a)
		}
	}
	return answers
}

// problems asks about what can't be known of a task.
func (j *judge) problems(n *Node, a *task.Answer) {
	for i := range a.Problems {
		p := &a.Problems[i]
		id, text := "task.unreadable", p.Text
		if p.Missing {
			id = "task.missing"
		}
		file := p.File
		if file == "" {
			file = a.File
		}
		if file != "" && file != "?" {
			text += ": " + j.shown(file, p.Line)
		}
		n.reason(id, policy.Ask, text, policy.Executes, policy.ReachUnknown)
	}
}

// step judges one text that a command stands for, in its place. plain says that
// none of its words comes from the line.
func (j *judge) step(n *Node, st *task.Step, runner string, plain bool, depth int) {
	if j.tasks.count++; j.tasks.count > maxTasks || depth >= maxDepth {
		n.reason("shell.limit", policy.Ask, "Stands for more texts than can be followed", policy.Executes, policy.ReachUnknown)
		return
	}
	key := runner + "\x00" + st.Key()
	if slices.Contains(j.tasks.open, key) {
		return // it is being judged already: a cycle adds nothing
	}
	j.tasks.open = append(j.tasks.open, key)
	own := j.own
	if st.Bin != nil {
		j.own.dirs, j.own.names = st.Bin, st.Tools
	}
	j.own.text = plain && (st.Words == nil || j.own.text)
	defer func() { j.tasks.open, j.own = j.tasks.open[:len(j.tasks.open)-1], own }()

	if runner == "shell" && st.File != "" { // bash -v shows it, and who sources it can name what it holds
		j.read(n, &match.Use{Word: policy.Const(st.File), Kind: match.Read})
	}
	outer := n.command
	child := Node{Pos: n.Pos, Reach: policy.ReachLocal, source: stepTitle(st), place: j.shown(st.File, st.Line), since: len(j.wrote.list)}
	way := policy.Quote(st.Name)
	if program := programName(outer); program != way {
		way = strings.TrimSpace(program + " " + way)
	}
	via := append(outer.Via[:len(outer.Via):len(outer.Via)], way)
	dirs := oneDir(st.Dir)
	env := inherited(outer)
	if len(st.Env) > 0 {
		there := *outer // for its reasons
		there.Dirs = dirs
		child.command = &there
		j.setEnv(&child, st.Env, nil)
		child.command = nil
		env = append(env[:len(env):len(env)], st.Env...)
	}
	if st.Words != nil {
		c := &policy.Command{
			Words: st.Words, Dirs: dirs, Env: env, Stdin: outer.Stdin, Stdout: outer.Stdout, Open: outer.Open, Via: via, Pos: outer.Pos,
		}
		child.Children = append(child.Children, j.command(c, depth+1))
	} else {
		j.mixed = j.mixed || outOfOrder(st.Text)
		in := shell.Input{
			Text: st.Text + tail(st.Tail), Dialect: j.stepDialect(st), Dirs: dirs, Home: j.request.Home,
			Args: st.Args, Open: outer.Open, Nounset: true, Errtrace: true, // whoever starts it may say so
			Started: true,
			Vars:    slices.Concat(st.Vars, startedWith(outer), st.Env),
		}
		switch caller := outer.Caller; {
		case st.Shell == task.SameShell && caller != nil:
			in.Caller, in.Vars, in.Started = caller, st.Vars, false
			if len(st.Args) < 2 || in.Dialect == shell.POSIX {
				in.Args = caller.Args
			}
		case in.Args == nil:
			in.Args = []policy.Word{policy.Const("sh")}
		}
		child.Children = append(child.Children, j.text(in, frame{depth: depth + 1, via: via, env: env, stdin: &outer.Stdin})...)
	}
	child.settle()
	n.Children = append(n.Children, child)
}

// stepTitle is a text as the tree of a verdict shows it.
func stepTitle(st *task.Step) string {
	text := st.Text
	if st.Words != nil {
		text = (&policy.Command{Words: st.Words}).String()
	} else if strings.HasPrefix(text, "#!") || len(st.Args) > 0 {
		return st.Name // a script: its text is not one line
	}
	return policy.Clip(st.Name+": "+strings.TrimSpace(text+tail(st.Tail)), maxShown)
}

// tail writes the words that a runner appends to a text. It quotes them, so
// that each stays what it is.
func tail(words []policy.Word) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteByte(' ')
		if w.Parts == nil {
			b.WriteString(policy.Quote(w.Text))
			continue
		}
		for _, p := range w.Parts {
			switch p.Kind {
			case policy.Lit:
				b.WriteString(policy.Quote(p.Text))
			case policy.Glob:
				b.WriteString(p.Text)
			case policy.Hole:
				b.WriteString(`"${unknown}"`)
			default:
				b.WriteString("${unknown}")
			}
		}
	}
	return b.String()
}

// stepDialect is the language that a text is read in.
func (j *judge) stepDialect(st *task.Step) shell.Dialect {
	switch st.Shell {
	case "":
		return shell.POSIX
	case task.SameShell:
		return dialect(j.request.Shell)
	}
	d, _ := shellDialect(st.Shell)
	return d
}

// shown is a place in a file for people: "package.json:12", seen from the
// workspace.
func (j *judge) shown(file string, line int) string {
	for _, root := range [...]string{j.request.Workspace, j.follow(j.request.Workspace)} {
		if root != "" && root != "/" && strings.HasPrefix(file, root+"/") {
			file = file[len(root)+1:]
			break
		}
	}
	if line > 0 {
		file += ":" + strconv.Itoa(line)
	}
	return file
}

// keepBlocks takes over from a node what blocks.
func keepBlocks(n, from *Node) {
	for i := range from.Reasons {
		if from.Reasons[i].Decision == policy.Block {
			n.Reasons = append(n.Reasons, from.Reasons[i])
		}
	}
	for i := range from.Children {
		if from.Children[i].Decision == policy.Block {
			n.Children = append(n.Children, from.Children[i])
		}
	}
}

// keepNamed takes over from a node for code of the project what the code does with
// things that it names, and what blocks. What it does with others, and whether it is
// understood, is the project's own affair.
func keepNamed(n, from *Node) {
	keepBlocks(n, from)
	for i := range from.Children {
		line := from.Children[i]
		if line.Decision != policy.Ask {
			continue
		}
		line.Reasons = slices.DeleteFunc(slices.Clone(line.Reasons), func(r Reason) bool { return strings.HasPrefix(r.ID, "code.") || strings.HasPrefix(r.ID, "shell.") })
		line.Children = slices.DeleteFunc(slices.Clone(line.Children), func(c Node) bool { return c.command == nil || !isNamed(c.command) })
		if line.settle(); line.Decision > policy.Allow {
			n.Children = append(n.Children, line)
		}
	}
}

// isNamed reports whether a command's words and files are all known.
func isNamed(c *policy.Command) bool {
	return !slices.ContainsFunc(c.Words, func(w policy.Word) bool { return !w.IsConst() }) &&
		!slices.ContainsFunc(c.Redirects, func(r policy.Redirect) bool { return !r.Path.IsConst() })
}

// scriptFile judges a program that is the path of a shell script in the
// workspace, by its text. It reports false where the file is none.
func (j *judge) scriptFile(n *Node, depth int) bool {
	if n.command.Where != policy.Here || j.engine.opts.Files == nil || j.grammarOnly() || len(n.command.Dirs) == 0 {
		return false
	}
	first := len(n.Reasons)
	for _, dir := range n.command.Dirs {
		q := task.Query{
			Call: &match.Invocation{Operands: n.command.Words, Dirs: n.command.Dirs, Sure: true},
			Dir:  j.follow(dir), Home: j.request.Home,
			Inside: func(p string) bool { return j.inWorkspace(j.target(p, false, true)) },
		}
		for _, a := range j.findTask("shell", q) {
			if !a.Known() {
				n.Reasons, n.unread = n.Reasons[:first], a.File != ""
				return false
			}
			for i := range a.Steps {
				j.step(n, &a.Steps[i], "shell", j.own.text || len(j.tasks.open) == 0 && isPlain(n.command, q.Call, &a.Steps[i]), depth)
			}
		}
	}
	n.reason("shell.script", policy.Allow, "Runs the script "+path.Base(n.command.Words[0].Text), policy.Executes, policy.ReachUnset)
	return true
}

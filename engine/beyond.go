package engine

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/task"
	"github.com/bashgate/bashgate/policy"
)

// How far a command reaches, for whoever knows more than a line.
//
// What code of the project does nobody has read, so its reach is unknown. Who
// keeps a record of what sessions write knows one thing more: whether the
// project is as people left it. Then its tests and builds are their own, and
// stay on this machine as far as anybody has to care.

// Beyond is how far a command and what it runs reach. Where the project is as
// people left it, code of the project counts as local.
func (n *Node) Beyond(untouched bool) policy.Reach {
	reach := n.Alone(untouched)
	for i := range n.Children {
		reach = max(reach, n.Children[i].Beyond(untouched))
	}
	return reach
}

// Beyond is how far a line reaches, likewise.
func (v *Verdict) Beyond(untouched bool) policy.Reach {
	if len(v.Tree) == 0 {
		return v.Reach
	}
	reach := policy.ReachUnset
	for i := range v.Tree {
		reach = max(reach, v.Tree[i].Beyond(untouched))
	}
	return reach
}

// Alone is the same of the command without what it runs.
func (n *Node) Alone(untouched bool) policy.Reach {
	reach := n.alone
	if n.daemon || untouched && n.code {
		reach = policy.ReachLocal
	}
	if n.opens || n.hooked && !untouched {
		reach = max(reach, policy.ReachUnknown)
	}
	return reach
}

// Fetches reports whether code may come with what a command talks to: it runs
// something, and more than an acknowledgement comes back.
func (n *Node) Fetches() bool {
	return n.alone == policy.ReachNetwork && n.Effects&policy.Executes != 0 && !n.back
}

// Code reports whether it is code of the project alone that makes the
// command's reach unknown.
func (n *Node) Code() bool { return n.code }

// Hooked reports whether git runs hooks of the project beside what the command is
// for.
func (n *Node) Hooked() bool { return n.hooked }

// Stray reports whether a command, without what it runs, talks to a machine that
// is neither trusted, nor one that everybody works with, nor a remote of the
// workspace's repository, or may do so.
func (n *Node) Stray() bool { return n.stray }

// codeAlone notes whether nothing but code of the project makes a command's
// reach what it is: a rule allows it as such, or the engine has seen that what it
// runs is a file of the project.
func (j *judge) codeAlone(n *Node, c *match.Call) {
	if n.Effects&policy.Executes == 0 && !j.own.text || n.Effects&policy.Network != 0 || len(n.hosts) > 0 {
		return
	}
	isFile, isRule := false, false
	obeys := c != nil && obeysProject(c)
	for i := range n.Reasons {
		if n.Reasons[i].ID == "project.code" {
			isFile = true
		}
	}
	for i := range n.Reasons {
		r := &n.Reasons[i]
		if r.Reach <= policy.ReachLocal || r.ID == "project.code" {
			continue
		}
		// An interpreter's reach is the network's, and it runs what is a file.
		byRule := r.class == aboutUse && (r.Effects&policy.Executes != 0 || obeys) && (r.Decision == policy.Allow || r.known || r.AcceptEdits)
		if own := j.own.text && r.ID == "unknown-command"; own { // what the project calls there is its own affair
			isRule = true
			continue
		}
		if !byRule || r.Reach == policy.ReachNetwork && !isFile {
			return
		}
		isRule = true
	}
	n.code = isFile || isRule || obeys
}

// besides notes which files of its directory may change what a command does. What
// git's settings and hooks do is told by themselves.
func (n *Node) besides(c *match.Call) {
	switch {
	case runsProject(c):
		n.beside = BesideAll
	case c.Refs == match.NoRefs:
		n.beside = BesideSettings
	}
	for i := range n.Reasons {
		switch r := &n.Reasons[i]; {
		case r.ID == "unknown-command", r.ID == "unknown-use", r.ID == "project.code", r.Effects&policy.Executes != 0 && c.Refs == match.NoRefs:
			n.beside = BesideAll
		}
	}
}

// runsHooks notes what git runs beside what it is for: programs that its words or
// its configuration name, which may be any, and hooks, which are code of the
// project where there are some.
func (j *judge) runsHooks(n *Node, c *match.Call) {
	if c.Refs == match.NoRefs || n.command.Where != policy.Here {
		return
	}
	runs := false
	for i := range n.Reasons {
		switch r := &n.Reasons[i]; {
		case r.Decision <= policy.Allow || r.class != aboutUse:
		case r.ID == "unknown-use", r.ID == "git.opens-programs", r.ID == "git.rewrite", r.Effects&policy.Persistence != 0:
			n.opens = true
			return
		default:
			runs = runs || r.Effects&policy.Executes != 0 || len(c.Sub) > 0 && (c.Sub[0] == "checkout" || c.Sub[0] == "switch")
		}
	}
	n.hooked = runs && slices.ContainsFunc(n.command.Dirs, j.hasHooks) || runs && len(n.command.Dirs) == 0
}

// hasHooks reports whether the repository of a directory may have hooks: of its
// own, or of a tool of the project that puts them there.
func (j *judge) hasHooks(dir string) bool {
	files := j.engine.opts.Files
	if files == nil {
		return false
	}
	for up := j.follow(dir); ; up = path.Dir(up) {
		for _, tool := range [...]string{".husky", ".pre-commit-config.yaml", "lefthook.yml", ".lefthook.yml", "lefthook.yaml", ".githooks"} {
			if j.exists(up + "/" + tool) {
				return true
			}
		}
		own := j.exists(up + "/.git") // which says that there are no hooks, too
		names, err := j.readDir(up+"/.git/hooks", 200)
		if err != nil && !errors.Is(err, fs.ErrNotExist) || slices.ContainsFunc(names, func(name string) bool { return !strings.HasSuffix(name, ".sample") }) {
			return true
		}
		if own {
			config, err := files.ReadFile(up+"/.git/config", maxLeading)
			return err != nil || strings.Contains(strings.ToLower(string(config)), "hookspath") // of a worktree nobody has looked
		}
		if up == "/" {
			return false
		}
	}
}

// asksDaemon notes whether nothing but a service of this machine makes a command's
// reach what it is. The words, the line's variables, the agent's own and files may
// lead to another machine; where the agent's variables are not known, they may.
func (j *judge) asksDaemon(n *Node, c *match.Call) {
	if c.Daemon == nil || j.request.Getenv == nil || n.Reach != policy.ReachUnknown || n.Effects&(policy.Executes|policy.Network) != 0 || n.command.Where != policy.Here {
		return
	}
	for i := range n.Reasons {
		if r := &n.Reasons[i]; r.Reach > policy.ReachLocal && (r.class != aboutUse || r.Decision != policy.Allow) {
			return // what changes something may change where containers come from
		}
	}
	compose := strings.HasSuffix(c.Name, "compose") || slices.ContainsFunc(n.command.Words, func(w policy.Word) bool { text, _ := w.Const(); return text == "compose" })
	if compose && slices.ContainsFunc(c.Uses, func(u match.Use) bool { return u.Option != "" && u.Kind == match.Read }) {
		return // -f may name a repository
	}
	if found, _ := j.leads(n.command, c.Daemon); found {
		return
	}
	n.daemon, n.code = !compose, compose // compose obeys a file of the project
}

// contacts notes whether a command talks to machines that it is not known to
// know. Words that name one where no rule looks for it count.
func (j *judge) contacts(n *Node, c *match.Call) {
	if n.Reach != policy.ReachNetwork || n.command == nil {
		return
	}
	program, _ := n.command.Program()
	isGit := program == "git"
	for _, w := range n.talks {
		if text, known := w.Const(); !known || !j.familiar(text) && !(isGit && j.isRemote(text)) {
			n.stray = true
			return
		}
	}
	if len(n.talks) > 0 {
		return
	}
	bare := slices.ContainsFunc(c.Facts, func(r *match.Rule) bool { return r.Fact != nil && r.Fact.Words })
	for i, w := range n.command.Words {
		text, known := w.Const()
		if !known {
			text = w.Prefix()
		}
		if _, value, is := strings.Cut(text, "="); is && text[0] == '-' {
			text = value
		}
		if i > 0 && j.looksLikeMachine(n, text, bare) && !(known && j.familiar(text)) {
			n.stray = true
			return
		}
	}
}

// looksLikeMachine reports whether a text may name a machine to a program that
// talks to some, where no rule says so: an address, user@host:path, host/path, or
// or, where a fact says so, just a host; unless a file is called so.
func (j *judge) looksLikeMachine(n *Node, text string, bare bool) bool {
	if strings.Contains(text, "://") {
		return true
	}
	host, rest, slash := strings.Cut(text, "/")
	if _, after, is := strings.Cut(host, "@"); is && strings.Contains(after, ":") {
		return true
	}
	host, _, colon := strings.Cut(host[strings.LastIndexByte(host, '@')+1:], ":")
	if label, _, is := strings.Cut(rest, "="); is && !strings.ContainsAny(label, "/?&") {
		return false // a label of a cluster: app.kubernetes.io/name=x
	}
	dot := strings.LastIndexByte(host, '.')
	if dot < 1 || !isName(host[dot+1:]) {
		return false
	}
	if !(slash && rest != "") && !colon && !bare {
		return false
	}
	return len(n.command.Dirs) != 1 || j.engine.opts.Files == nil || !j.exists(path.Join(j.follow(n.command.Dirs[0]), text))
}

// isRemote reports whether a text is the name of a remote of the workspace's
// repository.
func (j *judge) isRemote(text string) bool {
	return slices.ContainsFunc(j.remotes(), func(r task.Remote) bool { return r.Name == text })
}

// remotes are those of the workspace's repository, where the line has not changed
// them.
func (j *judge) remotes() []task.Remote {
	if j.engine.opts.Files == nil || j.request.Workspace == "" || j.moves > 0 {
		return nil
	}
	return task.Remotes(task.Query{Files: &lineFiles{j: j}, Home: j.request.Home}, j.follow(j.request.Workspace))
}

// familiar reports whether an address certainly names a machine that is trusted
// or known, or a remote of the workspace's repository.
func (j *judge) familiar(text string) bool {
	if strings.HasPrefix(text, "s3://") || strings.HasPrefix(text, "gs://") {
		return true // a bucket of the cloud that the program is set up for
	}
	named := hostNames(text)
	name := named.hosts[0]
	if name == "" || len(named.hosts) > 1 || named.unclear {
		return false
	}
	if j.trusts(text) {
		return true
	}
	for g := range j.allGates() {
		for i := range g.Hosts {
			if h := &g.Hosts[i]; h.Known && namesHost(h.Globs, name, name+"/"+strings.Trim(remotePathOf(text), "/")) {
				return true
			}
		}
	}
	return slices.ContainsFunc(j.remotes(), func(r task.Remote) bool { return hostName(r.URL) == name })
}

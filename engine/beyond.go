package engine

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
	"github.com/bashgate/bashgate/internal/task"
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
	if n.daemon || untouched && n.code {
		return policy.ReachLocal
	}
	return n.alone
}

// Fetches reports whether code may come with what a command talks to: it runs
// something, and more than an acknowledgement comes back.
func (n *Node) Fetches() bool {
	return n.alone == policy.ReachNetwork && n.Effects&policy.Executes != 0 && !n.back
}

// Code reports whether it is code of the project alone that makes the
// command's reach unknown.
func (n *Node) Code() bool { return n.code }

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

// asksDaemon notes whether nothing but a service of this machine makes a command's
// reach what it is. The words, the line's variables, the agent's own and files may
// lead to another machine; where the agent's variables are not known, they may.
func (j *judge) asksDaemon(n *Node, c *match.Call) {
	if c.Daemon == nil || j.request.Getenv == nil || n.Reach != policy.ReachUnknown || n.Effects&(policy.Executes|policy.Network) != 0 || n.command.Where != policy.Here {
		return
	}
	for i := range n.Reasons {
		if r := &n.Reasons[i]; r.Reach > policy.ReachLocal && (r.class != aboutUse || r.ID == "unknown-use") {
			return
		}
	}
	if found, _ := j.leads(n.command, c.Daemon); found {
		return
	}
	n.daemon = true
}

// contacts notes whether a command talks to machines that it is not known to
// know. Words that name one where no rule looks for it count.
func (j *judge) contacts(n *Node) {
	if n.Reach != policy.ReachNetwork || n.command == nil {
		return
	}
	for _, w := range n.talks {
		if text, known := w.Const(); !known || !j.familiar(text) {
			n.stray = true
			return
		}
	}
	if len(n.talks) > 0 {
		return
	}
	for i, w := range n.command.Words {
		text, known := w.Const()
		if !known {
			text = w.Prefix()
		}
		if i > 0 && strings.Contains(text, "://") && !(known && j.familiar(text[strings.LastIndexByte(text[:strings.Index(text, "://")], '=')+1:])) {
			n.stray = true
			return
		}
	}
}

// familiar reports whether an address certainly names a machine that is trusted
// or known, or a remote of the workspace's repository.
func (j *judge) familiar(text string) bool {
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
	if j.engine.opts.Files == nil || j.request.Workspace == "" || j.moves > 0 {
		return false
	}
	for _, remote := range task.Remotes(task.Query{Files: &lineFiles{j: j}, Home: j.request.Home}, j.follow(j.request.Workspace)) {
		if text == remote.Name || hostName(remote.URL) == name {
			return true
		}
	}
	return false
}

package engine

import (
	"cmp"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// ownVariable reports whether a variable is the project's own: it is set for a
// command that runs code of the project, no row speaks of it, and its value is
// one plain word.
func (j *judge) ownVariable(n *Node, c *match.Call, a policy.Assign) bool {
	value, known := a.Value.Const()
	if !known || !runsProject(c) && n.Effects&policy.Executes == 0 || strings.HasPrefix(value, "-") || strings.Trim(value, plainName+":,@%+") != "" || machineOf(value) != "" {
		return false
	}
	is, written := false, false
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
				is, written = is || !g.Env[i].Writes, written || g.Env[i].Writes
			}
		}
	}
	return is && !(written && j.replaces(n, a.Value))
}

// replaces reports whether writing where a word says may change what is there,
// or put something where it has a meaning: src, .git/hooks/x, /etc/x. What a
// build makes is made again.
func (j *judge) replaces(n *Node, w policy.Word) bool {
	for _, t := range j.resolve(w, n.command.Dirs) {
		if rule := j.pathRule(t, opWrite); rule != nil && rule.Write > policy.Allow {
			return true
		}
		if j.harmless(t) {
			continue
		}
		if !t.known || !j.inWorkspace(t) || j.exists(t.real) && j.Place(w, "outputs", n.command.Dirs) != policy.Yes {
			return true
		}
	}
	return false
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
			if j.wrote.covering(t.real, foreign).some() || j.wrote.below(t.real, foreign).some() {
				return false
			}
		}
	}
	n.reason("project.code", policy.Allow, "Loads code of the project: "+a.Name+"="+value, policy.Executes, policy.ReachUnknown)
	return true
}

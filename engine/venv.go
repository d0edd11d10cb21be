package engine

import (
	"path"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/task"
	"github.com/bashgate/bashgate/policy"
)

// A virtual environment of the workspace is the project's: to activate it puts
// its programs before those in PATH, and does no more where the script is as
// Python's tools write it.
//
//	source .venv/bin/activate && pytest

// maxActivate bounds the script that is read, in bytes.
const maxActivate = 16 << 10

// activates reports whether a command that reads a file into the shell does no
// more than to activate a virtual environment of the workspace.
func (j *judge) activates(c *policy.Command) bool { return j.environments(c) != nil }

// environments lists the directories of programs that a command activates; nil
// where it may do anything else.
func (j *judge) environments(c *policy.Command) (bins []string) {
	if len(c.Words) != 2 || len(c.Assigns) > 0 || c.Where != policy.Here || len(c.Dirs) == 0 || j.engine.opts.Files == nil {
		return nil
	}
	if name, _ := c.Program(); name != "source" && name != "." {
		return nil
	}
	if file, known := c.Words[1].Const(); !known || path.Base(file) != "activate" || path.Dir(file) == "." {
		return nil // which is looked for in PATH
	}
	if is, _ := j.isProject(c.Words[1], c.Dirs); !is {
		return nil
	}
	for _, t := range j.resolve(c.Words[1], c.Dirs) {
		text, err := j.engine.opts.Files.ReadFile(t.real, maxActivate)
		bin := path.Dir(t.path)
		if err != nil || path.Base(bin) != "bin" || !task.Activates(string(text), path.Dir(bin)) && !task.Activates(string(text), path.Dir(path.Dir(t.real))) {
			return nil
		}
		bins = append(bins, bin)
	}
	return bins
}

// activation judges a command that activates an environment. It reports false
// for any other.
func (j *judge) activation(n *Node, c *match.Call) bool {
	bins := j.environments(n.command)
	if bins == nil || j.grammarOnly() {
		return false
	}
	for i := range c.Held {
		if c.Held[i].Rule.Task != "" {
			c.Held[i].Known = true
		}
	}
	for i := range c.Uses {
		if c.Uses[i].Kind == match.Run {
			c.Uses[i].Kind = match.Read
		}
	}
	for _, t := range j.resolve(n.command.Words[1], n.command.Dirs) {
		j.opened = append(j.opened, opened{path: t.real, at: len(j.wrote.list), script: true})
	}
	j.own.dirs, j.own.active = append(bins, j.own.dirs...), true
	n.reason("project.code", policy.Allow, "Activates the project's virtual environment", policy.Executes, policy.ReachUnknown)
	return true
}

package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// denied judges a command by the user's list of what never runs, whatever
// profile holds: the program as the line names it, in whatever directory, and
// the first words that are no options. What a wrapper runs comes here as a
// command of its own.
func (j *judge) denied(n *Node) {
	w := n.command.Words[0]
	text, ok := w.Const()
	if !ok || text == "" {
		return // whatever it is, that is asked about
	}
	for _, entry := range j.request.DeniedCommands {
		d, what, _ := match.ParseDenied(entry)
		if what != "" || !j.deniedProgram(&d, text, n.command.Dirs) {
			continue
		}
		decision := policy.Block
		switch j.deniedWords(n, &d, path.Base(text)) {
		case policy.No:
			continue
		case policy.Maybe:
			decision = policy.Ask
		}
		n.reason("config.denied", decision, policy.Quote(entry)+" is on the list of denied commands", 0, policy.ReachUnset)
	}
}

// deniedWords tells whether the words of an entry are those of the command, as
// the program's own table reads them.
func (j *judge) deniedWords(n *Node, d *match.Denied, name string) policy.Tri {
	if len(d.Words) == 0 {
		return policy.Yes
	}
	call := j.newCall(n.command, name)
	defer j.free(call)
	gates.Judge(call)
	if !call.Known {
		for _, layer := range [...][]*interp.Rules{j.engine.opts.User, j.engine.opts.Managed} {
			for _, rules := range layer {
				interp.Judge(rules, call)
			}
		}
	}
	return call.Denies(d)
}

// deniedProgram reports whether an entry names a program. A name holds in any
// directory; a path is that file, and where it lies in a directory of the system
// its name alone as well.
func (j *judge) deniedProgram(d *match.Denied, text string, dirs []string) bool {
	if !strings.Contains(d.Program, "/") {
		return match.Glob(d.Program, path.Base(text))
	}
	pattern := j.deniedPath(d)
	dir, name := path.Split(pattern)
	dir = path.Clean(dir)
	if known := policy.SystemDir(dir) || slices.Contains(j.request.ProgramDirs, dir); known && !strings.Contains(text, "/") {
		return match.Glob(name, text)
	}
	if !strings.Contains(text, "/") {
		return false
	}
	return j.deniedFile(pattern, policy.Const(text), dirs)
}

// deniedFile reports whether a word means a file that a pattern over paths
// names, by the path it is called by or where its links lead.
func (j *judge) deniedFile(pattern string, w policy.Word, dirs []string) bool {
	return slices.ContainsFunc(j.resolve(w, dirs), func(t target) bool {
		return match.Glob(pattern, t.path) || match.Glob(pattern, t.real) ||
			!match.IsGlob(pattern) && t.known && j.follow(pattern) == t.real
	})
}

// deniedFiles judges the files that a program runs: bash deploy.sh is
// ./deploy.sh.
func (j *judge) deniedFiles(n *Node, c *match.Call) {
	if n.command.Where != policy.Here {
		return
	}
	for _, entry := range j.request.DeniedCommands {
		d, what, _ := match.ParseDenied(entry)
		if what != "" || len(d.Words) > 0 || !strings.Contains(d.Program, "/") {
			continue
		}
		pattern := j.deniedPath(&d)
		if slices.ContainsFunc(c.Uses, func(u match.Use) bool {
			return u.Kind == match.Run && j.deniedFile(pattern, u.Word, j.useDirs(n, &u))
		}) {
			n.reason("config.denied", policy.Block, policy.Quote(entry)+" is on the list of denied commands", 0, policy.ReachUnset)
		}
	}
}

// deniedPath is the path that an entry names, as files are compared with it.
func (j *judge) deniedPath(d *match.Denied) string {
	if rest, ok := strings.CutPrefix(d.Program, "./"); ok {
		return path.Clean(j.request.Workspace + "/" + rest)
	}
	return j.expandHome(d.Program)
}

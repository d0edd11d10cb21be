package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/task"
	"github.com/bashgate/bashgate/policy"
)

// ownTools are programs of a project that the texts of its tasks run by their
// names alone.
type ownTools struct {
	dirs   []string // where they lie, absolute; looked into before PATH
	names  []string // those that the project declares, installed or not
	active bool     // the line has activated an environment: its programs are called by their names
	text   bool     // a text of the project is judged, and none of its words is the line's
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
	is = slices.ContainsFunc(j.own.names, func(own string) bool {
		return own == name || len(own) > 3 && strings.HasPrefix(name, own+"-") // template-oss-check of template-oss
	})
	return is, is
}

// ofProject notes that a program is one that the project brings: it runs the
// project's code, whatever the rules know of programs called so.
func (j *judge) ofProject(n *Node, name string) {
	is, runs := j.has(n, name)
	n.ownTool = runs && j.own.text && j.bringable(name) && j.isInside(n)
	if is && !runs && !j.isOrigin(name) {
		n.reason("run.file", policy.Ask, "Runs the project's own "+name+", which is no file of the project", policy.Executes, policy.ReachUnknown)
	}
	if is {
		n.Effects |= policy.Executes
		n.Reach = max(n.Reach, policy.ReachUnknown)
	}
}

// isInside reports whether a command surely runs in the workspace.
func (j *judge) isInside(n *Node) bool {
	return len(n.command.Dirs) > 0 && !slices.ContainsFunc(j.dirTargets(n.command.Dirs), func(t target) bool { return !j.inWorkspace(t) })
}

// bringable reports whether projects bring a program that the rules know: one of
// a file that names places for copies. docker is none of them, whatever a
// dependency is called.
func (j *judge) bringable(name string) bool {
	return slices.ContainsFunc(gates.All[:], func(g *match.Gate) bool { return len(g.Copies) > 0 && g.Has(name) })
}

// isOrigin reports whether what the project's directories of programs hold by a
// name is a link to the system's own program, as in virtual environments.
func (j *judge) isOrigin(name string) bool {
	for _, dir := range j.own.dirs {
		if file := dir + "/" + name; j.exists(file) {
			real := j.follow(file)
			base, ok := j.identify(policy.Const(real), policy.Here)
			if !ok {
				base, ok = j.origin(real)
			}
			return ok && (strings.HasPrefix(base, name) || unversioned(base) == unversioned(name))
		}
	}
	return false
}

// ownTool judges a program that no rule knows and that the project brings
// itself: npm's scripts find it in node_modules/.bin. It reports false for any
// other program.
func (j *judge) ownTool(n *Node, name string) bool {
	if _, runs := j.has(n, name); !runs || !j.own.text && !j.own.active || !j.isInside(n) {
		return false // what the line itself says to it is nobody's text
	}
	n.reason("project.code", policy.Allow, "Runs "+policy.Quote(name)+", a tool of the project", policy.Executes, policy.ReachUnknown)
	n.Effects |= policy.Executes | policy.Reads
	j.words(n, n.command.Words[1:])
	return true
}

// Texts of the project are its code, too: npm's scripts, the recipes of a
// makefile, shell scripts. As far as none of their words comes from the line,
//
//   - ordinary files of the workspace are theirs to change, but directories are
//     removed with all that is in them only where tools can make that again: the
//     places that rules call "outputs";
//   - a tool that the project brings may be told what no rule knows, as long as
//     it neither talks to others nor destroys what can't be made again;
//   - code that stands in one, node -e '...', is theirs like a file, whether it is
//     understood or not.
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
	if !j.own.text || len(places) == 0 || o == opRead || j.request.Mode == ModePlan {
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
				if globs == nil {
					globs = g.Paths[i].Globs[:len(g.Paths[i].Globs):len(g.Paths[i].Globs)]
					continue
				}
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
func (j *judge) ofTool(n *Node, r *Reason) *Lift {
	const own = policy.Executes | policy.Writes | policy.Reads
	if n.raised {
		return nil
	}
	if n.ownCode && r.class == aboutUse && r.layer == builtIn && r.Effects == policy.Executes {
		return &byProject // an interpreter that is told it
	}
	if !n.ownTool || n.Reach == policy.ReachNetwork || j.request.Mode == ModePlan || r.class != aboutUse || r.layer != builtIn || r.Effects&^own != 0 || r.Irreversible || r.AcceptEdits || r.byPlace {
		return nil
	}
	return &byProject
}

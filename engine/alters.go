package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Alters is where a command, without what it runs, may change files which its
// words don't name: git apply, gh pr checkout, a program that nobody knows. It is
// nil where that is nowhere. Code of the project is not meant: what it writes is
// its own.
func (n *Node) Alters() []Place { return n.alters }

// kindOf keeps what the tables say of a command's program, for altersUnnamed.
func (n *Node) kindOf(c *match.Call) {
	n.container = c.Daemon != nil
	n.unnamed = slices.ContainsFunc(c.Facts, func(r *match.Rule) bool { return r.Fact != nil && r.Fact.Alters })
	n.history = c.Refs != match.NoRefs && len(c.Sub) > 0 && (slices.Contains(stays[:], c.Sub[0]) || slices.Contains(fromHistory[:], c.Sub[0]))
}

// altersUnnamed notes where a command may change files that its words don't
// name. What a registry sends, and what lies in the repository's history, is
// nothing that a session has made up.
func (j *judge) altersUnnamed(n *Node) {
	if n.unnamed {
		n.alters = j.anywhere(n)
		return
	}
	if n.command == nil || n.command.Where != policy.Here || n.code || n.back || n.daemon || len(n.Writes) > 0 || n.notOwn == ": "+notThere {
		return
	}
	may := false
	switch {
	case n.container:
		may = n.alone > policy.ReachLocal && slices.ContainsFunc(n.command.Words, mounts)
	case n.alone == policy.ReachNetwork:
		brings := n.stray || slices.ContainsFunc(n.Sights, func(s Sight) bool { return s.Corruption >= ordinary })
		code := n.Effects&policy.Executes != 0 && n.Effects&policy.Network == 0 && n.asks() // an interpreter's, that no rule lets pass
		may = n.Effects&policy.Writes != 0 && brings || code
	case n.alone == policy.ReachUnknown:
		may = n.asks() // what the rules let pass changes what its words name
	default:
		may = n.Effects&policy.Writes != 0 && len(n.Children) == 0 && !n.history
	}
	if !may {
		return
	}
	n.alters = j.anywhere(n)
}

// anywhere is all of the directories that a command may stand in.
func (j *judge) anywhere(n *Node) []Place {
	if len(n.command.Dirs) == 0 {
		return []Place{{Path: path.Join(j.request.Workspace, "**"), Pattern: true}}
	}
	var all []Place
	for _, dir := range n.command.Dirs {
		all = append(all, Place{Path: path.Join(j.follow(dir), "**"), Pattern: true})
	}
	return all
}

// fromHistory are further subcommands of git that bring nothing into the working
// tree but what the repository holds.
var fromHistory = [...]string{
	"branch", "switch", "checkout", "reset", "merge", "rebase", "revert", "cherry-pick", "stash", "clean", "bisect", "worktree",
	"gc", "notes", "config", "remote", "reflog", "prune", "maintenance", "init",
}

// mounts reports whether a word may give a container files of this machine.
func mounts(w policy.Word) bool {
	text, known := w.Const()
	if !known {
		text = w.Prefix()
	}
	return !known && text == "" || strings.HasPrefix(text, "-v") || strings.HasPrefix(text, "--v") || strings.HasPrefix(text, "--mount")
}

package engine

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/task"
	"github.com/bashgate/bashgate/policy"
)

// Pushed tells what the command of the call at hand changes in another
// repository. It is known for the repository of the workspace only: whoever
// speaks of origin means that one's.
func (j *judge) Pushed(v *match.Invocation) match.Push {
	c := j.calling
	switch {
	case c.Where != policy.Here:
		return match.Push{Why: "it runs on another machine"}
	case j.engine.opts.Files == nil:
		return match.Push{Why: "the disk can't be looked at"}
	case j.moves > 0:
		return match.Push{Why: "an earlier command of the line may change the branch or the configuration"}
	case len(v.Dirs) != 1 || j.request.Workspace == "" || j.request.Home == "":
		return match.Push{Why: "it is not known which repository it stands in"}
	}
	p := task.Push(task.Query{
		Files: &lineFiles{j: j}, Call: v, Dir: j.follow(v.Dirs[0]), Home: j.request.Home, Env: inherited(c),
	}, j.follow(j.request.Workspace))
	j.relied = append(j.relied, relied{})
	return p
}

// moved notes a command that may change which branch is checked out, or what
// the repository's configuration says.
func (j *judge) moved(c *match.Call) {
	switch {
	case c.Refs != match.NoRefs:
		if len(c.Sub) == 0 || !slices.Contains(stays[:], c.Sub[0]) {
			j.moves++
		}
	case strings.HasPrefix(c.Name, "git-"), slices.Contains(tools[:], c.Name):
		j.moves++
	}
}

// stays are the subcommands of git after which the same branch is checked out
// under the same configuration. A push may set what the branch follows, which
// is what it was pushed to.
var stays = [...]string{
	"add", "blame", "cat-file", "check-ignore", "commit", "describe", "diff", "fetch", "grep", "log", "ls-files", "ls-remote", "ls-tree",
	"merge-base", "mv", "push", "restore", "rev-list", "rev-parse", "rm", "shortlog", "show", "status", "tag",
}

// tools are other programs that check out branches.
var tools = [...]string{"gh", "glab", "hub", "tea", "jj", "sl", "stg", "arc", "repo", "tig", "lazygit", "gitui"}

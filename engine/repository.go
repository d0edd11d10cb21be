package engine

import (
	"path"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// repositoryTrust judges where a command stands: a program that obeys the configuration
// of its repository, or runs the project's code, is asked about where somebody
// else may have put that.
func (j *judge) repositoryTrust(n *Node, c *match.Call) {
	if n.command.Where != policy.Here {
		return
	}
	dirs := n.command.Dirs
	for i := range c.Uses {
		if c.Uses[i].Kind == match.Dir {
			dirs = append(dirs[:len(dirs):len(dirs)], j.dirsOf(&c.Uses[i], n.command.Dirs)...)
		}
	}
	if c.Repository {
		stands := dirs
		if len(dirs) == 0 {
			stands = j.goesTo()
		}
		for _, dir := range stands {
			if why := j.planted(dir); why != "" {
				n.reason("repository.planted", policy.Ask, "Obeys the configuration of "+dir+", "+why, policy.Executes, policy.ReachUnknown)
				break
			}
		}
	}
	if runsProject(c) && j.request.Workspace != "" {
		if len(dirs) == 0 {
			n.reason("project.elsewhere", policy.Ask, "Runs code of a directory that is not known", policy.Executes, policy.ReachUnknown)
			return
		}
		for _, t := range append(j.dirTargets(dirs), j.operandTargets(n, c)...) {
			if !j.inWorkspace(t) {
				n.reason("project.elsewhere", policy.Ask, "Runs code of "+t.path+", outside the workspace", policy.Executes, policy.ReachUnknown)
				break
			}
		}
	}
}

// goesTo lists the directories that the line names where it changes the shell's,
// for a command that stands where nobody knows.
func (j *judge) goesTo() (dirs []string) {
	for _, s := range j.above {
		for i := range s.text.commands {
			c := &s.text.commands[i]
			if name, _ := c.Program(); name != "cd" && name != "pushd" && name != "chdir" || c.Where != policy.Here {
				continue
			}
			for _, w := range c.Words[1:] {
				if text, ok := w.Const(); ok && path.IsAbs(text) {
					dirs = append(dirs, path.Clean(text))
				}
			}
		}
	}
	return dirs
}

// operandTargets lists the files that a command is called with and that are
// known: linters and their like take their configuration from beside them, or
// from a file that an option names.
func (j *judge) operandTargets(n *Node, c *match.Call) []target {
	var found []target
	for i := range c.Uses {
		u := &c.Uses[i]
		k := u.Kind
		switch {
		case passing(u.Word), u.Word.HasHole():
			continue
		case u.Option != "" && k == match.Read:
		case u.Option != "", u.Rule == nil, u.Rule.Effects&policy.Executes == 0,
			k != match.Read && k != match.Path && k != match.Write && k != match.Delete:
			continue
		}
		for _, t := range j.resolve(u.Word, j.useDirs(n, u)) {
			if len(j.useDirs(n, u)) > 0 {
				found = append(found, t)
			}
		}
	}
	return found
}

func (j *judge) dirsOf(u *match.Use, dirs []string) []string {
	if u.Dirs != nil {
		dirs = u.Dirs
	}
	var found []string
	for _, t := range j.resolve(u.Word, dirs) {
		found = append(found, t.path)
	}
	return found
}

func (j *judge) dirTargets(dirs []string) []target {
	found := make([]target, 0, len(dirs))
	for _, dir := range dirs {
		found = append(found, j.target(dir, false, true))
	}
	return found
}

// planted says why a repository's configuration at dir may be somebody else's,
// or "". A bare repository can hide in any directory of a checkout: git takes
// the nearest one.
func (j *judge) planted(dir string) string {
	files := j.engine.opts.Files
	real := j.follow(dir)
	if workspace := j.request.Workspace; workspace == "" || !within(real, j.follow(workspace)) {
		for _, open := range [...]string{"/tmp", "/var/tmp", "/dev/shm", "/private/tmp"} {
			if within(real, open) {
				return "where anybody may have put it"
			}
		}
	}
	if files == nil {
		return ""
	}
	for up := real; ; up = path.Dir(up) {
		if j.exists(up+"/HEAD") && j.exists(up+"/objects") && j.exists(up+"/refs") {
			return "a bare repository inside a directory"
		}
		if j.exists(up+"/.git") || up == "/" || up == j.request.Workspace {
			return ""
		}
		if info, err := j.lstat(up); err == nil && info.IsDir() && info.Mode().Perm()&0o002 != 0 && up != j.request.Workspace {
			return "where anybody may have put it"
		}
	}
}

func (j *judge) exists(p string) bool {
	_, err := j.lstat(p)
	return err == nil
}

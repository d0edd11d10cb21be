package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/system"
)

// ProjectOf is what the projects have set up that a directory lies in.
type ProjectOf struct {
	Files []*File  // their config.toml
	Rules []*Rules // their rule files; those of the nearest directory first
}

// Projects lists the directories that hold a .bashgate and count for a request:
// those from the working directory and from the workspace upward, to the root
// of the repository or, where that is further up, the workspace. Without a
// repository the workspace is as far as it goes. The workspace and the working
// directory always count; a directory that holds the user's home never does
// otherwise.
func Projects(cwd, workspace, home string) []string {
	cwd, workspace = system.Native(cwd), system.Native(workspace)
	var starts, found []string
	add := func(dir string) {
		if filepath.IsAbs(dir) && !slices.Contains(starts, dir) {
			starts = append(starts, dir)
		}
	}
	if filepath.IsAbs(cwd) {
		cwd = filepath.Clean(cwd)
	}
	if filepath.IsAbs(workspace) {
		workspace = filepath.Clean(workspace)
	}
	add(cwd)
	add(workspace)
	// Where the links of the paths lead counts as well.
	real, top := realPath(cwd), workspace
	add(real)
	if real != cwd || !lies(cwd, workspace) {
		top = realPath(workspace)
		add(top)
	}
	tops := []string{workspace, top}
	for _, start := range starts {
		for _, dir := range upward(start, tops, home) {
			if info, err := os.Stat(filepath.Join(dir, ".bashgate")); err == nil && info.IsDir() && !slices.Contains(found, dir) {
				found = append(found, dir)
			}
		}
	}
	return found
}

// maxPath is what a system takes as a path, in bytes (PATH_MAX of Linux). Nobody
// stands in a directory of a longer one, and to go up from there takes time by
// the square of its length.
const maxPath = 4096

// upward lists the directories from start up to the furthest that counts,
// nearest first.
func upward(start string, workspaces []string, home string) []string {
	dirs := []string{start}
	if len(start) >= maxPath {
		return dirs
	}
	last := 0 // the index of the furthest one
	repository := false
	for dir := start; ; dir = filepath.Dir(dir) {
		if dir != start {
			if home != "" && lies(home, dir) && home != dir {
				break
			}
			dirs = append(dirs, dir)
		}
		if slices.ContainsFunc(workspaces, func(w string) bool { return w == dir }) {
			last = len(dirs) - 1
		}
		if !repository {
			if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
				repository, last = true, len(dirs)-1
			}
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return dirs[:last+1]
}

// lies reports whether a path is a directory or lies below it.
func lies(path, dir string) bool {
	path, dir = filepath.Clean(path), filepath.Clean(dir)
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// Project loads what some projects have set up, as Projects lists them.
func (s *Setup) Project(dirs []string, known func() ruleset.Known) *ProjectOf {
	p := &ProjectOf{}
	for _, dir := range dirs {
		if f := s.read(filepath.Join(dir, ".bashgate", "config.toml"), Project, dir); f != nil {
			p.Files = append(p.Files, f)
		}
		if r := s.projectRules(dir, known); len(r.Files)+len(r.unread) > 0 {
			p.Rules = append(p.Rules, r)
		}
	}
	return p
}

// projectRules loads the rule files of one project.
func (s *Setup) projectRules(dir string, known func() ruleset.Known) *Rules {
	rules := filepath.Join(dir, ".bashgate", "rules")
	texts, faults := readDir(rules)
	layer, trust := ruleset.Project, Untrusted
	if len(texts) > 0 && len(faults) == 0 {
		trust = s.Trusted().says(dir, texts)
	}
	if trust == IsTrusted {
		layer = ruleset.User
	}
	r := compile(rules, layer, texts, faults, s.kept, known)
	r.Project, r.Trust = dir, trust
	return r
}

// Faults lists what is wrong with the projects' files.
func (p *ProjectOf) Faults() []Fault {
	list := faults(p.Files)
	for _, r := range p.Rules {
		list = append(list, r.Faults()...)
	}
	return list
}

// With returns settings with what projects add to them.
func (c Config) With(p *ProjectOf) Config {
	for _, f := range p.Files {
		c.take(f)
	}
	return c
}

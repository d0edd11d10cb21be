package task

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// packages lists the package.json files that a call is about: the nearest one,
// or those of workspaces that options or operands name. It reports false where
// that is not known.
func (s *search) packages(nearest string) (files []string, ok bool) {
	var names []string
	known, all := true, false
	take := func(spelling string) {
		values, ok := s.options(spelling)
		names, known = append(names, values...), known && ok
	}
	switch s.Call.Program {
	case "npm":
		take("-w")
		all = s.set("--ws")
	case "pnpm", "pn":
		take("-F")
		take("--filter-prod")
		all = s.set("-r")
		if s.set("-w") && len(names) == 0 && !all {
			root, _, ok := s.workspaces(nearest)
			return []string{root}, ok
		}
	case "bun":
		take("-F")
		all = s.set("--workspaces")
	case "yarn", "yarnpkg":
		switch strings.Join(s.Call.Path, " ") {
		case "workspace":
			name, constant := s.Call.Operands[0].Const()
			names, known = []string{name}, constant
		case "workspaces run":
			all = true
		}
	}
	if !known {
		s.problem(nearest, 0, "Runs a script in a workspace whose name is not known")
		return nil, false
	}
	if len(names) == 0 && !all {
		return []string{nearest}, true
	}
	root, members, ok := s.workspaces(nearest)
	if !ok {
		return nil, false
	}
	if all && len(names) == 0 || vague(names) {
		return append(members, root), true
	}
	for _, name := range names {
		found := false
		for _, file := range append(members, root) {
			if s.isCalled(file, path.Dir(root), name) {
				files, found = append(files, file), true
			}
		}
		if !found {
			s.missing(root, "No workspace is called %s", policy.Quote(name))
			return nil, false
		}
	}
	return files, true
}

// vague reports whether selectors may mean more than the packages they name:
// all of them are looked at then.
func vague(names []string) bool {
	for _, name := range names {
		if strings.ContainsAny(name, "[]{}!^") || strings.Contains(name, "...") {
			return true
		}
	}
	return false
}

// isCalled reports whether a selector means a package: by its name, its
// directory, or the directory above it.
func (s *search) isCalled(file, root, selector string) bool {
	dir := path.Dir(file)
	for _, base := range [...]string{root, s.Dir} {
		if want := join(base, selector); dir == want || path.Dir(dir) == want && !strings.Contains(selector, "*") {
			return true
		}
		if ok, _ := path.Match(join(base, selector), dir); ok {
			return true
		}
	}
	p, err := parsed(s, file, parseJSON)
	if err != nil {
		return true // whatever it is called; the caller says that it can't be read
	}
	name, _ := p.get("name").string()
	if i := strings.IndexByte(name, '/'); i >= 0 && !strings.Contains(selector, "/") && name[i+1:] == selector {
		return true // pnpm takes a name without its scope
	}
	ok, _ := path.Match(selector, name)
	return ok || name == selector
}

// workspaces finds the root package above a package, and its members.
func (s *search) workspaces(nearest string) (root string, members []string, ok bool) {
	var patterns []string
	up(path.Dir(nearest), func(dir string) bool {
		if file := s.first(dir, "pnpm-workspace.yaml"); file != "" {
			root = dir + "/package.json"
			list, read := s.tree(file, parseYAML)
			list = list.get("packages")
			if patterns, ok = list.strings(); list == nil {
				ok = read
			} else if !ok {
				s.unreadable(file, &readError{list.line, "packages is no list of texts"})
			}
			return true
		}
		file := join(dir, "package.json")
		if !s.exists(file) {
			return false
		}
		p, read := s.tree(file, parseJSON)
		if !read {
			return true
		}
		list := p.get("workspaces")
		if list.isTable() {
			list = list.get("packages")
		}
		if list == nil {
			return false
		}
		root = file
		if patterns, ok = list.strings(); !ok {
			s.problem(file, list.where(), "The list of workspaces can't be read")
		}
		return true
	})
	if !ok {
		if len(s.Problems) == 0 {
			s.missing(nearest, "No workspaces are declared")
		}
		return "", nil, false
	}
	var globs []string
	for _, p := range patterns {
		if !strings.HasPrefix(p, "!") { // what is excluded is judged all the same
			globs = append(globs, p)
		}
	}
	for _, p := range globs {
		found, ok := s.expand(path.Dir(root), strings.Split(strings.TrimSuffix(strings.TrimPrefix(p, "./"), "/"), "/"))
		if !ok {
			s.problem(root, 0, "The workspaces of %s are too many to look at", policy.Quote(p))
			return "", nil, false
		}
		for _, dir := range found {
			if file := dir + "/package.json"; s.exists(file) {
				members = append(members, file)
			}
		}
	}
	return root, members, true
}

// expand lists the directories below dir that a pattern names. It reports
// false if there are too many.
func (s *search) expand(dir string, pattern []string) (dirs []string, ok bool) {
	if len(pattern) == 0 {
		return []string{dir}, true
	}
	first, rest := pattern[0], pattern[1:]
	if !strings.ContainsAny(first, "*?[{") {
		if next := join(dir, first); s.exists(next) {
			return s.expand(next, rest)
		}
		return nil, true
	}
	deep := first == "**"
	if deep {
		if dirs, ok = s.expand(dir, rest); !ok {
			return nil, false
		}
	}
	names, err := s.Files.ReadDir(dir, maxNames)
	if err != nil {
		return dirs, absent(err)
	}
	for _, name := range names {
		if name == "node_modules" || strings.HasPrefix(name, ".") {
			continue
		}
		next, tail := dir+"/"+name, rest
		if deep {
			tail = pattern
		} else if match, err := path.Match(first, name); err == nil && !match && !strings.Contains(first, "{") {
			continue
		}
		if info, err := s.Files.Lstat(next); err != nil || !info.IsDir() {
			continue
		}
		found, ok := s.expand(next, tail)
		if dirs = append(dirs, found...); !ok || len(dirs) > maxFiles {
			return nil, false
		}
	}
	return dirs, true
}

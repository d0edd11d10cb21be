package task

import (
	"maps"
	"slices"
)

// Git is what git works with in a directory.
type Git struct {
	Top   string   // the highest directory of the repository; "" where there is none
	Files []string // the repository's, the user's and the system's configuration, with what they include and what leads to them; not all need exist
	Hooks []string // directories whose programs git runs; not all need exist
}

// GitIn tells what git works with in a directory. Of the query, Files, Home and the
// variable XDG_CONFIG_HOME count.
func GitIn(q Query, dir string) Git {
	q.Cache = new(Cache)
	s := search{Query: q}
	r, ok := s.repository(dir)
	if !ok {
		r, ok = s.bare(dir)
	}
	g := Git{Top: r.top}
	visit := func(_ string, e gitEntry) {
		if ok && e.section == "core" && e.key == "hookspath" {
			g.Hooks = append(g.Hooks, join(r.top, s.tilde(e.value)))
		}
	}
	s.gitConfig(r, visit)
	if config, _ := s.env("XDG_CONFIG_HOME"); config.Text != "" {
		s.gitConfigFile(join(config.Text, "git/config"), 0, visit)
	}
	if ok {
		g.Hooks = append(g.Hooks, r.common+"/hooks")
	}
	g.Files = slices.Sorted(maps.Keys(q.Cache.files))
	return g
}

// bare finds the repository without a working tree that dir lies in.
func (s *search) bare(dir string) (r gitRepository, ok bool) {
	up(dir, func(dir string) bool {
		if ok = s.exists(dir+"/HEAD") && s.exists(dir+"/config"); ok {
			r = gitRepository{dir, dir, dir}
		}
		return ok
	})
	return r, ok
}

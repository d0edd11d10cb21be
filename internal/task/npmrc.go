package task

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// npmrc looks into the managers' settings from a directory upward for those
// that run something else than the script says: another shell, a module that
// node loads first, another copy of the manager. The user's own, in the home
// directory, are no project's.
// Sources: the documentation of npm's config, pnpm's settings, yarn's
// yarnrc.yml.
func (s *search) npmrc(dir string) {
	up(dir, func(dir string) bool {
		for _, name := range [...]string{".npmrc", ".yarnrc", ".yarnrc.yml", "pnpm-workspace.yaml"} {
			if file := join(dir, name); dir != s.Home && s.exists(file) {
				s.settingsFile(file)
			}
		}
		return s.exists(join(dir, ".git"))
	})
}

// settingsFile reads the lines of one file: "key = value", "key: value" or
// "key value", as far as they are settings of the outermost level.
func (s *search) settingsFile(file string) {
	text, err := s.text(file)
	if err != nil {
		s.unreadable(file, err)
		return
	}
	for i, line := range strings.Split(string(text), "\n") {
		end := strings.IndexAny(line, "=: \t")
		if end <= 0 {
			continue
		}
		key := strings.Trim(line[:end], `"'`)
		value := strings.Trim(line[end:], "=: \t\r\"'")
		switch key {
		case "script-shell", "scriptShell", "node-options", "nodeOptions", "shell":
		case "yarn-path", "yarnPath":
			if ok, _ := path.Match(".yarn/releases/yarn-*.cjs", strings.TrimPrefix(value, "./")); ok {
				continue
			}
		default:
			continue
		}
		s.problem(file, i+1, "Runs scripts by %s %s", key, policy.Quote(value))
	}
}

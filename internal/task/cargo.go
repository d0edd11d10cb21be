package task

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// cargo finds aliases in .cargo/config.toml, from the directory upward, and in
// the user's.
//
//	[alias]
//	lint = "clippy --workspace"        cargo lint ARGS
//	ci = ["test", "--", "-q"]
//
// Aliases stand before the programs called cargo-NAME and before the one
// letter names, but not before cargo's own subcommands. The nearest counts.
// Source: the Cargo book, configuration.
func cargo(s *search) {
	name := ""
	switch {
	case len(s.Call.Path) > 0:
		name = s.Call.Path[0]
	case len(s.Call.Operands) > 0:
		name, _ = s.Call.Operands[0].Const()
	}
	if name == "" || isCargoCommand(name) {
		return
	}
	var files []string
	up(s.Dir, func(dir string) bool {
		if file := s.first(dir+"/.cargo", "config", "config.toml"); file != "" {
			files = append(files, file)
		}
		return false
	})
	if s.Home != "" {
		if file := s.first(s.Home+"/.cargo", "config", "config.toml"); file != "" && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	for _, file := range files {
		t, ok := s.tree(file, parseTOML)
		if !ok {
			s.File = file
			continue
		}
		aliases := t.get("alias")
		if aliases.get(name) == nil {
			continue
		}
		s.File = file
		line := aliases.lineOf(name)
		texts, ok := aliases.get(name).texts()
		if text, one := aliases.get(name).string(); one {
			texts = strings.Fields(text)
		}
		at := -1
		for i, w := range s.Call.Words {
			if text, is := w.Const(); is && text == name && i > 0 {
				ok = ok && at < 0 // which of two is the alias is not looked at
				at = i
			}
		}
		if !ok || at < 0 || len(texts) == 0 {
			s.problem(file, line, "The alias %s can't be read", policy.Quote(name))
			return
		}
		words := append([]policy.Word(nil), s.Call.Words[:at]...)
		for _, text := range texts {
			words = append(words, policy.Const(text))
		}
		s.step(Step{Name: name, File: file, Line: line, Words: append(words, s.Call.Words[at+1:]...), Dir: s.Dir})
		return
	}
}

// isCargoCommand reports whether a subcommand is cargo's own.
func isCargoCommand(name string) bool {
	switch name {
	case "add", "bench", "build", "check", "clean", "config", "doc", "fetch", "fix", "generate-lockfile", "git-checkout", "help", "info", "init", "install", "locate-project",
		"login", "logout", "metadata", "new", "owner", "package", "pkgid", "publish", "read-manifest", "remove", "report", "run", "rustc", "rustdoc", "search", "test", "tree",
		"uninstall", "update", "vendor", "verify-project", "version", "yank":
		return true
	}
	return false
}

package engine

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// picks lists the texts by which a command picks names out of its input, and
// whether it drops those names instead.
//
//	ls -a | grep env | xargs cat
func picks(cmd *policy.Command) (names []string, drops bool) {
	if cmd.Stdin.Kind != policy.InputPipe || len(cmd.Words) == 0 {
		return nil, false
	}
	for _, w := range cmd.Words[1:] {
		s, ok := w.Const()
		switch {
		case !ok || s == "":
		case s[0] != '-':
			if parts := strings.SplitN(s, "/", 3); len(parts) == 3 && len(parts[0]) <= 1 {
				s = parts[1] // sed -n /env/p, awk /env/
			}
			names = append(names, s)
		case s == "--invert-match", !strings.HasPrefix(s, "--") && strings.Contains(s, "v"):
			drops = true
		}
	}
	return names, drops
}

// filtered lists the files that a command lets pass which picks names out of
// its input: what a text may name as in "fd env", and what the directories hold
// by such names.
func (j *judge) filtered(cmd *policy.Command) []policy.Word {
	names, drops := picks(cmd)
	if len(names) == 0 || drops {
		return nil
	}
	words := below([]policy.Word{policy.Const(".")}, names)
	for _, dir := range cmd.Dirs {
		if j.engine.opts.Files == nil {
			break
		}
		files, err := j.engine.opts.Files.ReadDir(dir, maxListed)
		if err != nil {
			continue
		}
		for _, file := range files {
			for _, name := range names {
				name = strings.ToLower(strings.Trim(name, `^$.*\`))
				if len(name) > 2 && strings.Contains(strings.ToLower(file), name) {
					words = append(words, policy.Const(path.Join(dir, file)))
				}
			}
		}
	}
	return words
}

// listing lists the hidden files that a command names which lists directories
// with all that is in them: ls -a.
func listing(cmd *policy.Command, c *match.Call) []policy.Word {
	all := false
	for _, w := range cmd.Words[1:] {
		s, _ := w.Const()
		all = all || len(s) > 1 && s[0] == '-' && strings.Trim(s[1:], letters) == "" && s[1] != '-' && strings.ContainsAny(s, "aA") || s == "--all" || s == "--almost-all"
	}
	if !all {
		return nil
	}
	var words []policy.Word
	for i := range c.Uses {
		switch u := &c.Uses[i]; u.Kind {
		case match.Path:
			if dir, ok := u.Word.Const(); ok && u.Option == "" {
				words = append(words, globbed(strings.TrimRight(dir, "/")+"/", ".*"))
			}
		case match.Name, match.Read, match.Command:
			return nil
		}
	}
	return words
}

// letters are those of a cluster of options.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

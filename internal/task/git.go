package task

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// git finds aliases in git's configuration: the repository's, the user's and
// the system's, with the files that they include.
//
//	lg = log --oneline          git log --oneline ARGS
//	up = !git fetch && ls       the text, in the top directory, with ARGS behind it
//
// Where several files define an alias all of its definitions are judged, and
// conditions of includes are taken to hold.
// Source: git-config(1).
func git(s *search) {
	if len(s.Call.Path) > 0 || len(s.Call.Operands) == 0 {
		return
	}
	name, ok := s.Call.Operands[0].Const()
	if !ok || name == "" {
		return
	}
	g := gitSearch{search: s, name: name, args: s.Call.Operands[1:], top: s.Dir}
	repository, ok := s.repository(s.Dir)
	if ok {
		g.top = repository.top
	}
	s.gitConfig(repository, func(file string, e gitEntry) {
		if e.section == "alias" && e.sub == "" && strings.EqualFold(e.key, g.name) || e.section == "alias" && e.sub == g.name && e.key == "command" {
			g.alias(file, e)
		}
	})
}

type gitSearch struct {
	*search
	name string
	args []policy.Word
	top  string // where "!" runs
}

// gitRepository is where a repository keeps what it knows. The zero value is
// none.
type gitRepository struct {
	top    string // the directory that is checked out
	own    string // of this one alone: HEAD
	common string // of all that are checked out from it: its configuration, its branches
}

// repository finds the repository that dir lies in.
func (s *search) repository(dir string) (r gitRepository, ok bool) {
	up(dir, func(dir string) bool {
		r, ok = s.repositoryAt(dir)
		return ok
	})
	return r, ok
}

// repositoryAt returns the repository whose top is dir.
func (s *search) repositoryAt(dir string) (gitRepository, bool) {
	info, err := s.Files.Lstat(dir + "/.git")
	if err != nil {
		return gitRepository{}, false
	}
	if info.IsDir() {
		return gitRepository{dir, dir + "/.git", dir + "/.git"}, true
	}
	text, err := s.text(dir + "/.git")
	at, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if err != nil || !ok {
		return gitRepository{}, false
	}
	r := gitRepository{top: dir, own: join(dir, at)}
	r.common = r.own
	if common, err := s.text(r.own + "/commondir"); err == nil {
		r.common = join(r.own, strings.TrimSpace(string(common)))
	}
	return r, true
}

// gitConfig visits all variables of git's configuration: the repository's,
// the user's and the system's, with the files that they include. What can't be
// read is a problem.
func (s *search) gitConfig(r gitRepository, visit func(file string, e gitEntry)) {
	var files []string
	if r.common != "" {
		files = append(files, r.common+"/config")
		if r.own != r.common {
			files = append(files, r.common+"/config.worktree")
		}
		files = append(files, r.own+"/config.worktree")
	}
	if s.Home != "" {
		files = append(files, s.Home+"/.gitconfig", s.Home+"/.config/git/config")
	}
	for _, file := range append(files, "/etc/gitconfig") {
		s.gitConfigFile(file, 0, visit)
	}
}

func (s *search) gitConfigFile(file string, depth int, visit func(file string, e gitEntry)) {
	entries, err := parsed(s, file, parseGitConfig)
	if err != nil {
		if !absent(err) {
			s.File = file
			s.unreadable(file, err)
		}
		return
	}
	if depth > 8 {
		s.problem(file, 0, "Includes nest too deeply")
		return
	}
	for _, e := range entries {
		if (e.section == "include" || e.section == "includeif") && e.key == "path" {
			s.gitConfigFile(join(path.Dir(file), s.tilde(e.value)), depth+1, visit)
		}
		visit(file, e)
	}
}

// alias adds one definition.
func (g *gitSearch) alias(file string, e gitEntry) {
	if g.File == "" {
		g.File = file
	}
	step := Step{Name: g.name, File: file, Line: e.line, Dir: g.Dir}
	if text, ok := strings.CutPrefix(e.value, "!"); ok {
		step.Text, step.Tail, step.Dir = text, g.args, g.top
		step.Vars = []policy.Assign{unknown("GIT_PREFIX")}
		g.step(step)
		return
	}
	words, ok := fields(e.value, false)
	if !ok || len(words) == 0 {
		g.problem(file, e.line, "The alias %s can't be read", policy.Quote(g.name))
		return
	}
	before := len(g.Call.Words) - len(g.Call.Operands) // git and its own options
	step.Words = append(append(append([]policy.Word(nil), g.Call.Words[:before]...), words...), g.args...)
	g.step(step)
}

// gitEntry is one variable of git's configuration.
type gitEntry struct {
	section string // in lower case
	sub     string // "origin" of [remote "origin"]
	key     string // in lower case
	value   string
	line    int
}

// parseGitConfig reads a file of git's configuration.
func parseGitConfig(text []byte) ([]gitEntry, error) {
	p := gitParser{text: strings.ReplaceAll(string(text), "\r\n", "\n"), line: 1}
	p.text = strings.TrimPrefix(p.text, "\ufeff")
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '\n':
			p.line++
			p.at++
		case c == ' ' || c == '\t':
			p.at++
		case c == '#' || c == ';':
			for p.at < len(p.text) && p.text[p.at] != '\n' {
				p.at++
			}
		case c == '[':
			if !p.header() {
				return nil, &readError{p.line, "a section that can't be read"}
			}
		default:
			start := p.line
			key, value, ok := p.variable()
			if !ok {
				return nil, &readError{start, "a variable that can't be read"}
			}
			if p.section == "" {
				return nil, &readError{start, "a variable outside of sections"}
			}
			p.entries = append(p.entries, gitEntry{p.section, p.sub, key, value, start})
		}
	}
	return p.entries, nil
}

type gitParser struct {
	text    string
	at      int
	line    int
	section string
	sub     string
	entries []gitEntry
}

// header reads [section], [section "sub"] or [section.sub].
func (p *gitParser) header() bool {
	end := p.at + 1
	for end < len(p.text) && isConfigName(p.text[end]) || end < len(p.text) && p.text[end] == '.' {
		end++
	}
	p.section, p.sub = strings.ToLower(p.text[p.at+1:end]), ""
	if before, after, ok := strings.Cut(p.section, "."); ok {
		p.section, p.sub = before, after
	}
	p.at = end
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
	if p.at < len(p.text) && p.text[p.at] == '"' {
		var b strings.Builder
		for p.at++; p.at < len(p.text) && p.text[p.at] != '"'; p.at++ {
			if p.text[p.at] == '\n' {
				return false
			}
			if p.text[p.at] == '\\' && p.at+1 < len(p.text) {
				p.at++
			}
			b.WriteByte(p.text[p.at])
		}
		p.sub = b.String()
		p.at++
	}
	if p.at >= len(p.text) || p.text[p.at] != ']' || p.section == "" {
		return false
	}
	p.at++
	return true
}

// variable reads "name = value", or a name alone.
func (p *gitParser) variable() (key, value string, ok bool) {
	start := p.at
	for p.at < len(p.text) && isConfigName(p.text[p.at]) {
		p.at++
	}
	if p.at == start {
		return "", "", false
	}
	key = strings.ToLower(p.text[start:p.at])
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
	if p.at >= len(p.text) || p.text[p.at] == '\n' {
		return key, "true", true
	}
	if p.text[p.at] != '=' {
		return "", "", false
	}
	p.at++
	var b strings.Builder
	quoted, trim := false, 0 // trim: what of the value is not blanks at its end
	for ; p.at < len(p.text); p.at++ {
		c := p.text[p.at]
		switch {
		case c == '\n':
			if quoted {
				return "", "", false
			}
			return key, b.String()[:trim], true
		case c == '\\':
			if p.at++; p.at == len(p.text) {
				return "", "", false
			}
			switch e := p.text[p.at]; e {
			case '\n':
				p.line++
				continue
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case 'b':
				b.WriteByte('\b')
			case '"', '\\':
				b.WriteByte(e)
			default:
				return "", "", false
			}
			trim = b.Len()
		case c == '"':
			quoted = !quoted
			trim = b.Len()
		case !quoted && (c == '#' || c == ';'):
			for p.at < len(p.text) && p.text[p.at] != '\n' {
				p.at++
			}
			return key, b.String()[:trim], true
		case !quoted && (c == ' ' || c == '\t'):
			if b.Len() > 0 {
				b.WriteByte(c)
			}
		default:
			b.WriteByte(c)
			trim = b.Len()
		}
	}
	if quoted {
		return "", "", false
	}
	return key, b.String()[:trim], true
}

func isConfigName(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-'
}

package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/child"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

// program looks at what the hooks start: each program once.
func (p *patient) program() {
	seen := map[string]bool{}
	for _, e := range p.entries() {
		name := e.Program()
		if seen[name] {
			continue
		}
		seen[name] = true
		path, found := p.find(name)
		shown := policy.Visible(p.Show(path))
		switch {
		case !found && strings.Contains(name, "/"):
			p.add(Fail, e.At, shown+" is not there, or can't be run: the hook never answers", p.reinstall(e))
			continue
		case !found:
			p.add(Fail, e.At, "no directory of the PATH holds a program "+policy.Visible(name)+": the hook never answers", p.reinstall(e))
			continue
		case !p.trusts(e, path):
			p.add(Warn, e.At, shown+" is named by the project, and was not started", "let your own settings name your own bashgate: "+p.reinstall(nil))
			continue
		}
		if said, same := p.version(path); !same {
			p.add(Fail, e.At, shown+" is not this program, which is "+p.Version+": it says "+said, p.reinstall(e))
			continue
		}
		if name != path && !strings.Contains(name, "/") {
			p.add(Warn, e.At, "the hook starts "+name+", which here is "+shown+": an agent that is not started from this shell may have another PATH", p.reinstall(e)+" writes the path")
			continue
		}
		p.add(OK, e.At, "the hook starts "+shown+", "+p.Version, "")
	}
}

// find returns the path of the program that a shell starts by a name, and
// whether it is there.
func (p *patient) find(name string) (path string, found bool) {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		name = filepath.Join(p.Home, rest)
	}
	if strings.Contains(name, "/") {
		path = name
		if !filepath.IsAbs(path) {
			path = filepath.Join(p.Workspace, path)
		}
		return path, system.IsProgram(path)
	}
	for _, dir := range filepath.SplitList(p.Getenv("PATH")) {
		if path := filepath.Join(dir, name); filepath.IsAbs(dir) && system.IsProgram(path) {
			return path, true
		}
	}
	return name, false
}

// trusts reports whether a program may be started to look at it. A project's
// settings may name any program, any settings one of the project's, and whoever
// looks at a project need not trust it.
func (p *patient) trusts(e *entry, path string) bool {
	name := e.Program()
	relative := strings.Contains(name, "/") && !filepath.IsAbs(name) && !strings.HasPrefix(name, "~/")
	return p.isSelf(path) || !e.file.foreign && !relative
}

func (p *patient) isSelf(path string) bool {
	one, err := os.Stat(path)
	other, bad := os.Stat(p.Self)
	return err == nil && bad == nil && os.SameFile(one, other)
}

// version reports whether a program is this one, or one of the same version,
// and what it says of itself if not.
func (p *patient) version(path string) (said string, same bool) {
	if p.isSelf(path) {
		return "", true
	}
	const limit = 5 * time.Second
	out, err := child.Try(child.Command{Path: path, Args: []string{"version"}, Env: p.Environ, Limit: 4096, Timeout: limit})
	if err != nil {
		return "nothing: " + policy.Visible(err.Error()), false
	}
	line, _, _ := strings.Cut(string(out.Stdout), "\n")
	if name, _, ok := strings.Cut(line, " ("); ok && name == p.Version && out.Exit == 0 {
		return "", true
	}
	if line == "" {
		return "nothing", false
	}
	return policy.Visible(line[:min(len(line), 100)]), false
}

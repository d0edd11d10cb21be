package task

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// This file tells what git push changes in another repository: which remote it
// goes to, and which branches. Both hang on the words, on which branch is
// checked out, and on the configuration:
//
//	git push                      branch.B.pushRemote, remote.pushDefault, branch.B.remote; push.default
//	git push origin               push.default, remote.origin.push
//	git push origin x             the branch x, or what remote.origin.push makes of it
//	git push origin x:refs/heads/y
//
// It errs towards not knowing: all values that any file gives to a variable
// count, conditions of includes are taken to hold, and an option, a variable
// or a form that is not listed here may change anything.
//
// Source: git-push(1), git-config(1), and builtin/push.c and remote.c of git
// 2.39 to 2.51.

// Push tells what a git push changes, and of a command that changes the branch
// that is checked out which one that is (branch.go). workspace is the directory whose
// repository counts: remotes of others are called origin, too.
func Push(q Query, workspace string) match.Push {
	if q.Cache == nil {
		q.Cache = new(Cache)
	}
	s := search{Query: q}
	p := push{search: &s}
	p.find(workspace)
	if len(s.Problems) > 0 {
		p.doubt("%s", s.Problems[0].Text)
		p.remote = ""
	}
	return match.Push{Remote: p.remote, Branches: p.branches, All: p.why == "", Why: p.why}
}

type push struct {
	*search
	repository gitRepository
	vars       []gitEntry
	head       string // the branch that is checked out, "" where there is none
	packed     string // packed-refs

	remote   string
	branches []string
	why      string // why it may change more
}

// doubt notes why more may change than the branches that were found. The first
// reason is told.
func (p *push) doubt(format string, args ...string) {
	if p.why == "" {
		for _, a := range args {
			format = strings.Replace(format, "%s", a, 1)
		}
		p.why = format
	}
}

func (p *push) find(workspace string) {
	if len(p.Call.Path) != 1 || p.Call.Path[0] != "push" && !ChangesHead(p.Call.Path[0]) || !p.Call.Sure {
		p.doubt("its words are not all known")
		return
	}
	if p.Call.Path[0] != "push" {
		p.here(workspace)
		return
	}
	var words []string
	for _, w := range p.Call.Operands {
		word, known := w.Const()
		if !known || word == "" {
			p.doubt("it is not known what %s is", w.String())
			word = ""
		}
		words = append(words, word)
	}
	p.options()
	p.environment()
	if !p.read(workspace) {
		return
	}
	remote := ""
	if len(words) > 0 {
		remote = words[0]
		if remote == "" {
			return
		}
	} else if remote = p.defaultRemote(); remote == "" {
		return
	}
	p.target(remote)
	switch {
	case len(words) < 2:
		p.current(remote)
	default:
		for _, word := range words[1:] {
			p.refspec(word)
		}
	}
}

// harmless are the options that don't change what is sent where. Off says
// that the option is negated, which never sends more.
var harmlessPushOptions = [...]string{
	"-C", "-P", "--literal-pathspecs", "--glob-pathspecs", "--noglob-pathspecs", "--icase-pathspecs", "--no-optional-locks", "--no-advice",
	"-v", "-q", "-n", "--porcelain", "--thin", "-u", "--progress", "--verify", "--signed", "--atomic", "-4", "-6", "--force-if-includes",
}

// harmlessSettings are variables that -c may set.
var harmlessSettings = [...]string{"user.", "author.", "committer.", "color.", "advice.", "i18n.", "core.pager="}

func (p *push) options() {
	for i := range p.Call.Options {
		o := &p.Call.Options[i]
		value, known := o.Value.Const()
		switch {
		case o.Off, slices.ContainsFunc(harmlessPushOptions[:], o.Is):
		case o.Is("-c") && known && slices.ContainsFunc(harmlessSettings[:], func(s string) bool { return strings.HasPrefix(strings.ToLower(value), s) }):
		case o.Is("-f"), o.Is("--force-with-lease"):
			p.doubt("it overwrites what is there")
		case o.Is("-d"), o.Is("--prune"):
			p.doubt("it deletes")
		default:
			name, _, _ := strings.Cut(o.Spellings, " ")
			p.doubt("%s may change more than that", name)
		}
	}
}

// environment looks for variables that git obeys.
func (p *push) environment() {
	for _, a := range p.Env {
		switch {
		case a.Name == "GIT_TERMINAL_PROMPT", a.Name == "GIT_PAGER", a.Name == "GIT_EDITOR",
			strings.HasPrefix(a.Name, "GIT_AUTHOR_"), strings.HasPrefix(a.Name, "GIT_COMMITTER_"):
		case a.Name == "", strings.HasPrefix(a.Name, "GIT_"), a.Name == "HOME", a.Name == "XDG_CONFIG_HOME":
			p.doubt("the variable %s may change it", a.Name)
		}
	}
}

// read reads the repository. It reports false, and why, where it is not the
// workspace's, or can't be read.
func (p *push) read(workspace string) bool {
	var ok bool
	if p.repository, ok = p.search.repository(p.Dir); !ok {
		p.doubt("no repository is found here")
		return false
	}
	if own, ok := p.search.repository(workspace); !ok || own != p.repository {
		p.doubt("it stands in another repository than the workspace's")
		return false
	}
	visit := func(_ string, e gitEntry) { p.vars = append(p.vars, e) }
	p.gitConfig(p.repository, visit)
	for _, file := range [...]string{"/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig"} {
		p.gitConfigFile(file, 0, visit)
	}
	for _, e := range p.vars {
		switch {
		case (e.section == "include" || e.section == "includeif") && (strings.HasPrefix(e.value, "~") && !strings.HasPrefix(e.value, "~/") || strings.HasPrefix(e.value, "%")):
			p.doubt("the configuration includes %s", e.value)
		case e.section == "extensions" && e.key == "refstorage" && e.value != "files":
			p.doubt("the repository keeps its branches in another format than files")
		}
	}
	head, err := p.text(p.repository.own + "/HEAD")
	if branch, ok := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/heads/"); ok && err == nil && isBranch(branch) {
		p.head = branch
	}
	packed, err := p.text(p.repository.common + "/packed-refs")
	if err != nil && !absent(err) {
		p.doubt("the branches can't be read: packed-refs")
	}
	p.packed = string(packed)
	return true
}

// values lists what all files give to a variable.
func (p *push) values(section, sub, key string) []string {
	var list []string
	for _, e := range p.vars {
		if e.section == section && e.sub == sub && e.key == key {
			list = append(list, e.value)
		}
	}
	return list
}

// one returns the value of a variable that all files agree on; ok is false
// where they don't.
func (p *push) one(section, sub, key string) (value string, ok bool) {
	list := p.values(section, sub, key)
	for _, v := range list {
		if v != list[0] {
			return "", false
		}
		value = v
	}
	return value, true
}

// defaultRemote is where a push without words goes to, "" where that is not
// known.
func (p *push) defaultRemote() string {
	if p.head == "" {
		p.doubt("no branch is checked out")
		return ""
	}
	for _, v := range [...][3]string{{"branch", p.head, "pushremote"}, {"remote", "", "pushdefault"}, {"branch", p.head, "remote"}} {
		value, ok := p.one(v[0], v[1], v[2])
		if !ok {
			p.doubt("the configuration has several remotes for it")
			return ""
		}
		if value != "" {
			return value
		}
	}
	// origin, or the only one that there is
	remote := ""
	for _, e := range p.vars {
		if e.section == "remote" && e.sub != "" {
			if remote != "" && remote != e.sub {
				remote = "origin"
				break
			}
			remote = e.sub
		}
	}
	if remote == "" {
		p.doubt("the repository has no remote")
	}
	return remote
}

// target judges the remote that a push goes to.
func (p *push) target(remote string) {
	urls := p.values("remote", remote, "pushurl")
	if len(urls) == 0 {
		urls = p.values("remote", remote, "url")
	}
	if len(urls) == 0 || strings.ContainsAny(remote, "/:") {
		p.doubt("%s is no remote of the configuration", policy.Quote(remote))
		return
	}
	for _, dir := range [...]string{"/remotes/", "/branches/"} {
		if p.exists(p.repository.common + dir + remote) {
			p.doubt("an old file of the repository says what %s is", remote)
			return
		}
	}
	for _, e := range p.vars {
		switch {
		case e.section == "remotes":
			p.doubt("the configuration has groups of remotes")
		case e.section == "url" && (e.key == "insteadof" || e.key == "pushinsteadof"):
			for _, url := range urls {
				if rest, ok := strings.CutPrefix(url, e.value); ok && address(e.sub+rest) != address(url) {
					p.doubt("the configuration sends it to %s instead", e.sub+rest)
					return
				}
			}
		case e.section == "remote" && e.sub == remote && (e.key == "vcs" || e.key == "receivepack"):
			p.doubt("the configuration says remote.%s.%s", remote, e.key)
			return
		case e.section == "remote" && e.sub == remote && e.key == "push":
			p.doubt("the configuration says remote.%s.push", remote)
		case e.section == "remote" && e.sub == remote && e.key == "mirror" && truth(e.value),
			e.section == "push" && e.key == "followtags" && truth(e.value),
			e.section == "push" && e.key == "pushoption",
			e.section == "push" && e.key == "recursesubmodules" && truth(e.value) && e.value != "check",
			e.section == "submodule" && e.key == "recurse" && truth(e.value):
			p.doubt("the configuration says %s.%s", e.section, e.key)
		}
	}
	p.remote = remote
}

// truth reports whether git takes a value for more than false.
func truth(value string) bool {
	switch strings.ToLower(value) {
	case "false", "no", "off", "0", "":
		return false
	}
	return true
}

// address is the machine and the path of a repository's address, in whichever
// form it is written.
//
//	https://git.example/a/b.git, git@git.example:a/b    git.example/a/b
func address(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		rest = url
		if colon := strings.IndexByte(rest, ':'); colon >= 0 && !strings.Contains(rest[:colon], "/") {
			rest = rest[:colon] + "/" + rest[colon+1:]
		} else {
			return url
		}
	} else if scheme == "file" {
		return url
	}
	host, path, _ := strings.Cut(rest, "/")
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	return strings.ToLower(host) + "/" + strings.TrimSuffix(strings.Trim(path, "/"), ".git")
}

// current is a push of what push.default says.
func (p *push) current(remote string) {
	if p.head == "" {
		p.doubt("no branch is checked out")
		return
	}
	p.branches = append(p.branches, p.head)
	p.defaults()
	if remote == "." {
		p.doubt("it goes to the repository itself")
	}
}

// defaults judges the variables by which a branch is pushed under another
// name.
func (p *push) defaults() {
	for _, v := range p.values("push", "", "default") {
		switch v {
		case "simple", "current", "upstream", "tracking", "nothing":
		default:
			p.doubt("the configuration says push.default = %s", v)
		}
	}
	for _, v := range p.values("branch", p.head, "merge") {
		if v != "refs/heads/"+p.head {
			p.doubt("the configuration says that %s follows %s", p.head, v)
		}
	}
}

// refspec judges one word about what is pushed.
func (p *push) refspec(word string) {
	if word == "" {
		return // which is in doubt already
	}
	word, forced := strings.CutPrefix(word, "+")
	if forced {
		p.doubt("it overwrites what is there")
	}
	source, target, mapped := strings.Cut(word, ":")
	switch {
	case mapped && source == "":
		p.doubt("it deletes")
	case strings.ContainsAny(word, "*^~?[\\ ") || strings.Contains(word, "@{"):
		p.doubt("it is not known what %s names", policy.Quote(word))
		return
	}
	if !mapped {
		p.same(source)
		return
	}
	branch, full := strings.CutPrefix(target, "refs/heads/")
	switch {
	case !full && strings.HasPrefix(target, "refs/"), !isBranch(branch):
		p.doubt("%s is no branch", policy.Quote(target))
		return
	case !full:
		// Another ref of that name there is updated instead.
		p.doubt("%s need not be a branch there; refs/heads/%s is", target, target)
	}
	p.branches = append(p.branches, branch)
}

// same judges a branch that is pushed under its own name.
func (p *push) same(name string) {
	branch := name
	switch full, ok := strings.CutPrefix(name, "refs/heads/"); {
	case ok:
		branch = full
	case name == "HEAD" && p.head != "":
		branch = p.head
		p.defaults()
	}
	if !isBranch(branch) || branch == "HEAD" || branch == "tag" || strings.HasPrefix(branch, "refs/") {
		p.doubt("%s is no branch", policy.Quote(name))
		return
	}
	p.branches = append(p.branches, branch)
	// Under push.default = upstream it goes to what the branch follows.
	for _, v := range p.values("branch", branch, "merge") {
		if v != "refs/heads/"+branch {
			p.doubt("the configuration says that %s follows %s", branch, v)
		}
	}
	if branch != name && name != "HEAD" {
		return
	}
	// A tag or another ref of that name would be meant as well, or instead.
	for _, other := range [...]string{"refs/", "refs/tags/", "refs/remotes/"} {
		if p.ref(other + name) {
			p.doubt("%s is not only a branch", name)
		}
	}
	if p.ref("refs/remotes/"+name+"/HEAD") && !p.ref("refs/heads/"+name) || name == "HEAD" && p.ref("refs/heads/HEAD") {
		p.doubt("%s is not only a branch", name)
	}
}

// ref reports whether the repository has a ref of a full name, or may have.
func (p *push) ref(name string) bool {
	if strings.HasSuffix(name, "/") || name == "refs/heads" {
		return false
	}
	if info, err := p.Files.Lstat(p.repository.common + "/" + name); err == nil && !info.IsDir() || err != nil && !absent(err) {
		return true
	}
	for line := range strings.SplitSeq(p.packed, "\n") {
		if _, have, ok := strings.Cut(line, " "); ok && strings.TrimSpace(have) == name {
			return true
		}
	}
	return false
}

// isBranch reports whether a name may be a branch's. Source:
// git-check-ref-format(1).
func isBranch(name string) bool {
	if name == "" || name[0] == '-' || name == "@" || strings.HasSuffix(name, ".") || strings.ContainsAny(name, " ~^:?*[\\\x7f") ||
		strings.Contains(name, "..") || strings.Contains(name, "//") || strings.Contains(name, "@{") || strings.HasSuffix(name, "/") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	for i := range len(name) {
		if name[i] < ' ' {
			return false
		}
	}
	return true
}

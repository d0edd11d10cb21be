package session

import (
	"errors"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

// written is a place that a line writes, with what goes in there.
type written struct {
	engine.Place
	level  engine.Taint
	before string // fresh, or unknown
}

// Writes reports whether a line or a tool may change files, so that Keep has
// something to note.
func Writes(nodes []engine.Node) bool {
	found := false
	walk(nodes, func(n *engine.Node) {
		found = found || len(n.Writes)+len(n.Alters()) > 0 || n.Effects&(policy.Writes|policy.Deletes) != 0 || commits(n)
	})
	return found
}

// errAway is said of files on another machine.
var errAway = errors.New("it lies on another machine")

func (s Store) lstat(name string) (os.FileInfo, error) {
	if s.Away {
		return nil, errAway
	}
	return os.Lstat(system.Native(name))
}

// writes lists the places that a line or a tool writes. Which of its commands
// gives what to which other one is not looked into: all of them get all of it.
// shown is what the line itself shows.
func (s Store) writes(nodes []engine.Node, level, shown engine.Taint) []written {
	var list []written
	before := fresh
	walk(nodes, func(n *engine.Node) {
		if n.Effects&policy.Deletes != 0 {
			before = unknown // what is moved keeps its time
		}
	})
	add := func(p engine.Place, level engine.Taint) {
		p = asWritten(p)
		w := written{Place: p, level: level}
		info, err := s.lstat(p.Path)
		if p.Pattern || err == nil && info.IsDir() {
			w.before = before
		}
		if !slices.ContainsFunc(list, func(l written) bool { return l.Place == p }) {
			list = append(list, w)
		}
	}
	walk(nodes, func(n *engine.Node) {
		into, reforms := lands(n), changesInPlace(n)
		for _, p := range n.Writes {
			switch info, err := s.lstat(p.Path); {
			case strings.HasPrefix(p.Path, "/dev/"):
			case p.Path == nowhere || strings.HasPrefix(p.Path, nowhere+"/") || p.Pattern && fixed(p.Path) == "/":
				add(engine.Place{Path: nowhere, Pattern: true}, level)
			case reforms && max(shown.Corruption, shown.Secret) == 0 && err == nil && info.IsDir():
				// A formatter: what is there stays what it was.
			case into != nil && !p.Pattern && (s.Away || err == nil && info.IsDir()):
				if s.Away { // which of both is not known
					add(p, level)
				}
				for _, q := range into {
					if q != p {
						add(engine.Place{Path: path.Join(p.Path, path.Base(q.Path)), Pattern: q.Pattern}, level)
					}
				}
			default:
				add(p, level)
			}
		}
		if n.Reach != policy.ReachNetwork || n.Effects&policy.Network == 0 {
			for _, p := range n.Alters() {
				add(p, level)
			}
		}
		fetched(n, level, add)
	})
	return list
}

// changesInPlace reports whether a command is given nothing but the places that it
// changes: neither a file nor input from which something new could come.
func changesInPlace(n *engine.Node) bool {
	return len(n.Writes) == 1 && len(n.Reads) == 0 && n.Stdin().Kind == policy.InputHost && n.Effects&policy.Writes != 0 && len(n.Alters()) == 0
}

// lands lists what a command copies or moves, where it is plain that each goes
// under its own name into a directory that is there.
func lands(n *engine.Node) []engine.Place {
	words := constants(n)
	if len(words) < 3 {
		return nil
	}
	switch path.Base(words[0]) {
	case "cp", "mv", "ln":
	default:
		return nil
	}
	for _, w := range words[1:] {
		switch {
		case strings.HasPrefix(w, "-") && strings.Trim(w[1:], "rRafvpnis") != "":
			return nil
		case path.Base(w) == "." || path.Base(w) == "..":
			return nil
		}
	}
	if len(n.Reads) == 0 {
		return n.Writes // ln
	}
	return n.Reads
}

// constants are the words of a command; nil where one is not known.
func constants(n *engine.Node) []string {
	var list []string
	for _, w := range n.Words() {
		text, ok := w.Const()
		if !ok && len(list) == 0 {
			return nil
		}
		if !ok {
			text = w.String()
		}
		list = append(list, text)
	}
	return list
}

// fetched lists what a command writes whose words name no file: what it fetches
// has a name that a machine gives it, or that the program knows. What a registry
// or a remote of the repository sends is nobody's who talks to the session.
func fetched(n *engine.Node, level engine.Taint, add func(engine.Place, engine.Taint)) {
	if n.Reach != policy.ReachNetwork || n.Effects&policy.Writes == 0 || !n.Stray() && !slices.ContainsFunc(n.Sights, func(s engine.Sight) bool { return s.Corruption > weak }) {
		return
	}
	words := constants(n)
	if len(words) == 0 {
		return
	}
	dir := n.Dir()
	if !path.IsAbs(dir) {
		if len(n.Writes) == 0 {
			add(engine.Place{Path: nowhere, Pattern: true}, level)
		}
		return
	}
	in := func(names ...string) {
		for _, name := range names {
			add(engine.Place{Path: path.Join(dir, name)}, level)
		}
	}
	all := func() {
		add(engine.Place{Path: dir + "/**", Pattern: true}, level)
	}
	switch program := path.Base(words[0]); program {
	case "git", "gh", "glab", "hub":
		switch {
		case slices.Contains(words[1:], "clone") && len(n.Writes) == 0:
			if name := cloned(words); name != "" {
				in(name)
			} else {
				all()
			}
		case slices.Contains(words[1:], "clone"):
			for _, p := range n.Writes {
				if p.Pattern {
					add(engine.Place{Path: p.Path + "/**", Pattern: true}, level)
				}
			}
		case len(n.Writes) == 0:
			in(".")
		}
	case "curl", "wget":
		names, known := remoteNames(words)
		if known {
			in(names...)
		} else if len(n.Writes) == 0 || program == "curl" {
			all()
		}
	case "npm", "pnpm", "yarn", "bun", "npx":
		in("node_modules", "package.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock")
	case "go":
		in("go.mod", "go.sum")
	case "cargo":
		in("Cargo.toml", "Cargo.lock")
	case "pip", "pip3", "uv", "poetry", "pdm", "pipenv":
		in(".venv", "venv")
	case "bundle", "composer":
		in("vendor")
	case "apt", "apt-get", "dnf", "yum", "apk", "pacman", "zypper", "brew", "snap", "docker", "podman", "kubectl", "helm", "gem":
		// What they fetch lies elsewhere.
	default:
		if len(n.Writes) == 0 {
			add(engine.Place{Path: dir}, engine.Taint{Corruption: min(level.Corruption, weak), Secret: min(level.Secret, weak)})
		}
	}
}

// cloned is the directory that git makes for a repository: the last part of its
// address. "" where that is not plain.
func cloned(words []string) string {
	name := strings.TrimRight(words[len(words)-1], "/")
	name = strings.TrimSuffix(strings.TrimSuffix(name, "/.git"), ".git")
	name = name[strings.LastIndexAny(name, "/:")+1:]
	if name == "" || name == "." || name == ".." || strings.HasPrefix(name, "-") || strings.ContainsAny(name, wild+"$`'\" ") {
		return ""
	}
	return name
}

// remoteNames lists the files that curl -O and wget make of the names in
// addresses. known is false where they may have others.
func remoteNames(words []string) (names []string, known bool) {
	wget := path.Base(words[0]) == "wget"
	remote := wget
	for _, w := range words[1:] {
		switch {
		case strings.HasPrefix(w, "--remote-name"):
			remote = true
		case strings.HasPrefix(w, "--"):
			known = known || w == "--no-verbose"
		case strings.HasPrefix(w, "-") && strings.ContainsAny(w, "O") && !wget:
			remote = true
		}
	}
	if !remote {
		return nil, true
	}
	for _, w := range words[1:] {
		switch {
		case w == "--remote-name" || w == "--remote-name-all" || w == "--quiet" || w == "--silent" || w == "--fail" || w == "--location" || w == "--no-verbose":
		case strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Trim(w[1:], "OsSLfgkqn#v") == "":
		case strings.HasPrefix(w, "-") || strings.ContainsAny(w, "$`[]{}\\ "):
			return nil, false // a directory, a name that the server gives, a list of addresses
		default:
			_, rest, isURL := strings.Cut(w, "://")
			if !isURL {
				rest = w
			}
			_, name, _ := strings.Cut(rest, "/")
			name, _, _ = strings.Cut(name, "#")
			short, _, _ := strings.Cut(name, "?")
			for _, name := range [...]string{name[strings.LastIndexByte(name, '/')+1:], path.Base("/" + short)} {
				if name == "" || name == "/" || name == "." || name == ".." {
					name = "index.html"
				}
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names, true
}

// committing lists the directories of the repositories of which a line may
// change the last commit.
func committing(nodes []engine.Node) []string {
	var list []string
	add := func(dir string) {
		if !slices.Contains(list, dir) {
			list = append(list, dir)
		}
	}
	walk(nodes, func(n *engine.Node) {
		if commits(n) {
			add(repositoryOf(n))
		}
		for _, p := range n.Writes {
			if at := strings.Index(p.Path+"/", "/.git/"); at >= 0 {
				add(max(p.Path[:at], "/"))
			} else if p.Pattern && overlap(engine.Place{Path: "/**/.git", Pattern: true}, &Event{What: p.Path, Pattern: true}) && strings.Contains(p.Path, "git") {
				add("/")
			}
		}
	})
	return list
}

// commits reports whether a command may change which commit is a repository's
// last one: git and what goes with it, unless it is plain that it only looks.
func commits(n *engine.Node) bool {
	words := n.Words()
	if len(words) == 0 {
		return false
	}
	text, ok := words[0].Const()
	if !ok {
		return true // any program
	}
	name := path.Base(text)
	sub := subcommand(n)
	switch name {
	case "git":
		return !slices.Contains(looks[:], sub)
	case "gh", "glab", "hub":
		for _, w := range words[1:] {
			switch text, ok := w.Const(); {
			case !ok, text == "checkout", text == "co", text == "clone", text == "sync", text == "merge", text == "close", text == "fork", text == "create", text == "extension", text == "develop":
				return true
			}
		}
		return false
	case "npm", "pnpm", "yarn":
		return sub == "version"
	case "jj", "gt", "tig", "lazygit", "svn", "hg", "fossil", "pre-commit", "cz", "lerna", "bumpversion", "bump2version", "bump-my-version", "semantic-release", "release-it", "standard-version", "aider":
		return true
	}
	return strings.HasPrefix(name, "git-")
}

// restores reports whether a command may bring back what files held once: git
// keeps all of it.
func restores(n *engine.Node) bool {
	if !commits(n) {
		return false
	}
	if text, ok := n.Words()[0].Const(); !ok || path.Base(text) != "git" {
		return true
	}
	switch subcommand(n) {
	case "commit", "push", "fetch", "tag", "branch", "notes", "init", "config", "remote", "clone":
		return false
	}
	return true
}

// subcommand is the word that says what a program shall do, "" where that is
// not plain.
func subcommand(n *engine.Node) string {
	for _, w := range n.Words()[1:] {
		if text, ok := w.Const(); !ok || text != "--no-pager" && text != "-P" {
			return text
		}
	}
	return ""
}

// looks are git's commands that change no commit and no branch, with any
// options.
var looks = [...]string{
	"add", "annotate", "blame", "check-attr", "check-ignore", "count-objects", "describe", "diff", "diff-files", "diff-index", "diff-tree",
	"grep", "log", "ls-files", "ls-remote", "ls-tree", "name-rev", "rev-list", "rev-parse", "shortlog", "show", "status", "version",
}

// repositoryOf is the directory of the repository that a command changes; "/",
// which is any, where that is not plain.
func repositoryOf(n *engine.Node) string {
	dir := n.Dir()
	words := constants(n)
	set := slices.ContainsFunc(n.Sets(), func(name string) bool { return name == "" || strings.HasPrefix(name, "GIT_") })
	if !path.IsAbs(dir) || len(words) == 0 || set || path.Base(words[0]) != "git" {
		return "/"
	}
	switch subcommand(n) {
	case "commit", "merge", "rebase", "cherry-pick", "revert", "reset", "pull", "am", "checkout", "switch", "restore", "stash", "tag", "branch", "push", "fetch", "rm", "mv", "apply", "bisect", "notes":
	default:
		return "/" // it may be about another repository: clone, init, worktree, submodule
	}
	dir = path.Clean(dir)
	root := repository(dir + "/x")
	if root == "" {
		return "/"
	}
	// Working trees share their branches.
	info, err := os.Lstat(system.Native(root + "/.git"))
	if err != nil || !info.IsDir() {
		return "/"
	}
	if _, err := os.Lstat(system.Native(root + "/.git/worktrees")); err == nil {
		return "/"
	}
	return root
}

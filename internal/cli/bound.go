package cli

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	slash "path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

// What an answer is bound to: whatever could make the same bytes do something else.

// bound is what an answer to the question holds for.
func (g *gate) bound(r *engine.Request, v *engine.Verdict) (approval.Bound, error) {
	command, err := g.given(r)
	if err != nil {
		return approval.Bound{}, err
	}
	b := approval.Bound{
		Host: r.Host, Session: g.name, Command: command, Cwd: r.Cwd, Workspace: r.Workspace, Labels: g.counted(), Asker: g.process.Asker,
	}
	if g.alone {
		b.Session = ""
	}
	if !g.question.Shell || g.question.Aside {
		b.Tool = g.question.Tool.Name
	}
	for i := range v.Reasons {
		// What the session has seen is in the labels, and a reviewer may say today
		// what it did not say yesterday.
		if id := v.Reasons[i].ID; v.Reasons[i].Counts() > policy.Allow && id != "mode.unattended" && !ofTaint(id) {
			b.Rules = append(b.Rules, id)
		}
	}
	if g.review.Kind == cop.Flag { // whoever approved before did not know
		b.Rules = append(b.Rules, flaggedMark)
	}
	names := map[string]bool{}
	words(command, names)
	files := map[string]binding{}
	g.runs(r, v.Tree, files)
	for path, why := range files {
		sum := "?"
		switch {
		case g.store.Away: // elsewhere another file may be called so
		case why == isRead:
			sum = unread(path)
		default:
			sum = fileSum(path, names)
		}
		if why != isRun {
			path = "<" + path
		}
		b.Files = append(b.Files, path+"="+sum)
	}
	b.Env = append(g.variables(r.Getenv, names), "(shell)="+r.Shell)
	if real, err := filepath.EvalSymlinks(system.Native(r.Cwd)); err == nil && !g.store.Away {
		b.Env = append(b.Env, "(directory)="+hashed([]byte(real))) // Cwd may be a link
	}
	b.Does = g.told(v)
	for _, list := range [...]*[]string{&b.Env, &b.Files, &b.Does, &b.Labels, &b.Rules} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return b, nil
}

// flaggedMark stands among the rules where a reviewer has flagged what is asked.
const flaggedMark = "(flagged by the reviewer)"

// counted is what counts of what the session has seen, in words, and of what is
// known of it elsewhere.
func (g *gate) counted() []string {
	list := g.session().Seen(g.judge.taintRules().From)
	if s := g.question.Seen; s.Corruption+s.Secret > 0 {
		list = append(list, fmt.Sprintf("where it runs: corruption %d, secret %d", s.Corruption, s.Secret))
	}
	if g.question.Seen.Damaged {
		list = append(list, "where it runs: a record that can't be trusted")
	}
	return list
}

// steering are variables that change what any line does.
var steering = [...]string{"PATH", "HOME", "SHELL", "IFS", "BASH_ENV", "ENV", "ZDOTDIR", "CDPATH", "SHELLOPTS", "BASHOPTS", "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT"}

// variables lists the hashes of the variables that change what a line does: those
// that shells and programs obey, and those whose names stand in what it runs.
func (g *gate) variables(getenv func(string) string, named map[string]bool) (list []string) {
	if getenv == nil {
		return nil
	}
	for _, name := range steering {
		named[name] = true
	}
	names := g.question.Vars
	if names == nil {
		environ := os.Environ
		if g.process.Environ != nil {
			environ = g.process.Environ
		}
		for _, pair := range environ() {
			name, _, _ := strings.Cut(pair, "=")
			names = append(names, name)
		}
	}
	for _, name := range names {
		if name != "" && (catalogue.Obeyed(name) || steersShell(name)) {
			named[name] = true
		}
	}
	delete(named, "_") // the program that the agent has started, which is the hook
	for name := range named {
		if value := getenv(name); value != "" {
			list = append(list, name+"="+hashed([]byte(value)))
		}
	}
	return list
}

func hashed(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// words adds the words of a text that could be names of variables.
func words(text string, to map[string]bool) {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		if word[0] > '9' && len(word) < 100 {
			to[word] = true
		}
	}
}

// projectFiles are what runners of tasks and package managers read by themselves.
var projectFiles = [...]string{
	"Makefile", "makefile", "GNUmakefile", "package.json", "justfile", "Justfile", ".justfile", "Taskfile.yml", "Taskfile.yaml",
	"pyproject.toml", "setup.py", "Cargo.toml", "build.rs", "go.mod", "composer.json", "deno.json", "mise.toml", ".envrc", ".git/config",
	"Dockerfile", "compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml",
}

// binding is what a line has to do with a file, the stricter one last.
type binding uint8

const (
	isRead   binding = iota + 1 // what stands in it may become a command, or an order: "xargs -a list", "bash < x.sh"
	isBeside                    // a program may obey it by itself: a remote's address in .git/config
	isRun
)

// runs adds the files whose text a line runs: programs, scripts, what tasks stand
// in, and the files that it reads or names, whatever for.
func (g *gate) runs(r *engine.Request, nodes []engine.Node, to map[string]binding) {
	for i := range nodes {
		n := &nodes[i]
		for _, p := range n.Runs {
			to[p.Path] = isRun
		}
		for _, p := range n.Reads {
			reads(p.Path, p.Pattern, to)
		}
		if place := n.Place(); place != "" {
			if at := strings.LastIndexByte(place, ':'); at > 0 && strings.Trim(place[at+1:], "0123456789") == "" {
				place = place[:at]
			}
			if !slash.IsAbs(place) {
				place = slash.Join(r.Workspace, place)
			}
			to[place] = isRun
		}
		dir := cmp.Or(n.Dir(), r.Cwd)
		for _, below := range [...]string{dir, r.Workspace} {
			for _, name := range projectFiles {
				if below != "" {
					path := slash.Join(below, name)
					to[path] = max(to[path], isBeside)
				}
			}
		}
		words, before := n.Words(), ""
		for i := range words {
			word, known := words[i].Const()
			if known && word != "" && i == 0 {
				program(r, word, dir, to)
			} else if known && word != "" {
				mentions(word, before, dir, to)
			}
			before = word
		}
		g.runs(r, n.Children, to)
	}
}

// reads adds files that are read. Of a pattern these are those that it means now, if
// they lie in one directory.
func reads(path string, pattern bool, to map[string]binding) {
	paths := []string{path}
	if pattern && strings.ContainsAny(slash.Dir(path), "*?[") {
		return
	} else if pattern {
		paths, _ = filepath.Glob(system.Native(path))
	}
	for _, path := range paths[:min(len(paths), 1000)] {
		path = system.Slash(path)
		if info, err := os.Stat(system.Native(path)); err == nil && info.Mode().IsRegular() {
			to[path] = max(to[path], isRead)
		}
	}
}

// mentions adds the files that a word may name: "x", "--file=x", "@x", and the module of
// "-m x".
func mentions(word, before, dir string, to map[string]binding) {
	add := func(name string) {
		if name != "" && !slash.IsAbs(name) {
			name = slash.Join(dir, name)
		}
		reads(name, false, to)
	}
	if before == "-m" {
		path := strings.ReplaceAll(word, ".", "/")
		add(path + ".py")
		add(path + "/__main__.py")
	}
	_, value, _ := strings.Cut(word, "=")
	for _, name := range [...]string{word, value} {
		add(strings.TrimPrefix(name, "@"))
	}
}

// program adds the files that a program's name may mean: those of that name in the
// directories of the PATH, up to the first that can be run.
func program(r *engine.Request, name, dir string, to map[string]binding) {
	if strings.ContainsRune(name, '/') {
		if !slash.IsAbs(name) {
			name = slash.Join(dir, name)
		}
		to[slash.Clean(name)] = isRun
		return
	}
	if r.Getenv == nil {
		return
	}
	for _, in := range filepath.SplitList(r.Getenv("PATH")) {
		if !filepath.IsAbs(in) {
			in = filepath.Join(dir, in)
		}
		for _, ending := range system.ProgramEndings {
			path := filepath.Join(in, name+ending)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				to[path] = isRun
				if system.Perm(path, info)&0o111 != 0 {
					return
				}
			}
		}
	}
}

// maxHashed is how large a file may be of which all is looked at, in bytes. Of a
// larger one its size counts, and when it was changed.
const maxHashed = 1 << 20

// fileSum is what a file holds: a hash of it; "-" if nothing is there, and what can
// be told of one that can't be read. The words of its text are added to names.
func fileSum(path string, names map[string]bool) string {
	f, err := system.OpenFile(system.Native(path), os.O_RDONLY|system.NoWait, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return "-"
	}
	if err != nil {
		info, err := os.Stat(system.Native(path))
		if err != nil {
			return "?"
		}
		return changed(info)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "?"
	}
	if !info.Mode().IsRegular() || info.Size() > maxHashed {
		return changed(info)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxHashed+1))
	if err != nil || len(data) > maxHashed {
		return changed(info)
	}
	if len(data) > 0 && data[0] == '#' || !slices.Contains(data[:min(len(data), 512)], 0) { // no binary
		words(string(data), names)
	}
	return hashed(data)
}

// unread is what can be told of a file without reading it, which may hold secrets:
// not even a hash of it is kept.
func unread(path string) string {
	info, err := os.Stat(system.Native(path))
	if err != nil {
		return "-"
	}
	return changed(info)
}

// changed tells a file's states apart without reading it: no program can set the
// time back at which it was changed.
func changed(info fs.FileInfo) string {
	at, _ := system.ChangeTime(info)
	return fmt.Sprintf("?%d-%d", info.Size(), at.UnixNano())
}

package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	slash "path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/internal/task"
	"github.com/bashgate/bashgate/policy"
)

// Which files an answer is bound to, and what of them counts:
//
//	programs, scripts, texts of tasks that run       a hash of what they hold
//	files that are read, or that a word may name     size and time of the last change
//	a directory or a pattern that is read or run,    those of all files below it, but for .git
//	or in which names are found for commands
//	a directory that the line works in: where it     a hash of the files of tasks and packages there; of
//	stands, those that it names, those above them    those that may be settings, or of any for a command
//	                                                 that runs code or is not known, size and time
//	git's configuration of these directories, with   a hash; of hooks, size and time of the last change
//	the user's and what is included, and its hooks
//
// The first maxNames names of directories are looked at. What has more is no
// question that is answered later: nobody could tell whether it stays the same.

// binding is what a line has to do with a file, the stricter one last.
type binding uint8

const (
	isRead   binding = iota + 1 // what stands in it may become a command, or an order: "xargs -a list", "bash < x.sh"
	isBeside                    // a program may obey it by itself: a remote's address in .git/config
	isRun
)

// maxNames is how many names in directories are looked at for one answer.
const maxNames = 50_000

// projectFiles are what runners of tasks and package managers read by themselves,
// by commands, too, that are known to obey nothing else of a directory.
var projectFiles = [...]string{
	"Makefile", "makefile", "GNUmakefile", "package.json", "justfile", "Justfile", ".justfile", "Taskfile.yml", "Taskfile.yaml",
	"pyproject.toml", "setup.py", "Cargo.toml", "build.rs", "go.mod", "composer.json", "deno.json", "mise.toml", ".envrc",
	"Dockerfile", "compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml",
}

// bindings is what a line has to do with the disk.
type bindings struct {
	request *engine.Request
	names   map[string]bool          // words of what runs that could be names of variables
	files   map[string]binding       // by path
	dirs    map[string]engine.Beside // where the line works
	trees   map[string]bool          // directories and patterns of which all counts
	walked  []string                 // directories in which files are found
	open    bool                     // a name that is not known may be one of these: find DIR | xargs bash
	seen    int                      // names of directories that were looked at
	tried   int                      // names that words might be, and that were looked at
	away    bool                     // the same paths are other files there: nothing is looked at
}

func newBindings(r *engine.Request, away bool) *bindings {
	return &bindings{request: r, away: away, names: map[string]bool{}, files: map[string]binding{}, dirs: map[string]engine.Beside{}, trees: map[string]bool{}}
}

// list is what was added since the last time, as it stands in approval.Bound.Files.
// What is not there is not listed, and is once it is there.
func (b *bindings) list() (list []string, err error) {
	if b.open && !b.away {
		for _, root := range b.walked {
			b.trees[root] = true
		}
		b.walked = nil
	}
	for path, why := range b.files {
		sum := "?"
		switch {
		case b.away:
		case why == isRead:
			sum = unread(path)
		default:
			sum = fileSum(path, b.names)
		}
		switch {
		case why == isRun:
			list = append(list, path+"="+sum)
		case sum != "-":
			list = append(list, "<"+path+"="+sum)
		}
	}
	for dir, beside := range b.dirs {
		if sum := b.dir(dir, beside); sum != "" {
			list = append(list, "<"+slash.Join(dir, ".")+"/="+sum)
		}
	}
	for tree := range b.trees {
		list = append(list, "<"+tree+"/**="+b.tree(tree))
	}
	clear(b.files)
	clear(b.dirs)
	clear(b.trees)
	switch {
	case b.tried > maxTried:
		return nil, errors.New("its words are too many to tell which files they name")
	case b.seen > maxNames:
		return nil, fmt.Errorf("more than %d files belong to it, too many to tell whether they change", maxNames)
	}
	return list, nil
}

// line adds what commands run, read and name, and where they work.
func (b *bindings) line(nodes []engine.Node) {
	b.works(b.request.Workspace, engine.BesideTasks)
	for i := range nodes {
		n := &nodes[i]
		for _, p := range n.Runs {
			b.place(p, isRun)
		}
		for _, p := range n.Reads {
			b.place(p, isRead)
		}
		b.walked = append(b.walked, n.Walks()...)
		if place := n.Place(); place != "" {
			if at := strings.LastIndexByte(place, ':'); at > 0 && strings.Trim(place[at+1:], "0123456789") == "" {
				place = place[:at]
			}
			b.add(seenFrom(b.request.Workspace, place), isRun)
		}
		dirs := n.Dirs()
		if len(dirs) == 0 { // it is not known where
			dirs = []string{b.request.Cwd}
		}
		for _, dir := range dirs {
			b.works(dir, n.Beside())
			b.command(n, dir)
		}
		b.line(n.Children)
	}
}

// seenFrom is a path as it is seen from a directory.
func seenFrom(dir, name string) string {
	if slash.IsAbs(name) {
		return slash.Clean(name)
	}
	return slash.Join(dir, name)
}

func (b *bindings) add(path string, why binding) { b.files[path] = max(b.files[path], why) }

// place adds a file that is read or run, or all that a directory or a pattern means.
func (b *bindings) place(p engine.Place, why binding) {
	if b.away {
		b.add(p.Path, why)
		return
	}
	if p.Pattern {
		b.trees[p.Path], b.open = true, true
		return
	}
	info, err := os.Stat(system.Native(p.Path))
	if err == nil && info.IsDir() {
		b.trees[p.Path] = true
	}
	if why == isRun || err == nil && info.Mode().IsRegular() {
		b.add(p.Path, why)
	}
}

// command adds what the words and the variables of a command name.
func (b *bindings) command(n *engine.Node, dir string) {
	words, before := n.Words(), ""
	for i := range words {
		word, known := words[i].Const()
		switch {
		case !known:
			b.open = b.open || n.Beside() == engine.BesideAll
		case word == "":
		case i == 0:
			b.program(word, dir)
		default:
			if before == "-m" { // of an interpreter: a module
				module := seenFrom(dir, strings.ReplaceAll(word, ".", "/"))
				b.named(module+".py", 0)
				b.named(module+"/__main__.py", 0)
			}
			b.word(word, dir, n.Beside())
		}
		before = word
	}
	for _, a := range n.Variables() {
		if value, known := a.Value.Const(); known && !steers(a.Name) {
			b.word(value, dir, n.Beside())
		}
	}
}

// values adds the files and directories that values of variables name. Of a directory
// that the line itself speaks of any file may be meant: bash "$D/x.sh".
func (b *bindings) values(getenv func(string) string, variables []string, spoken map[string]bool) {
	for _, name := range variables {
		beside := engine.BesideTasks
		if spoken[name] {
			beside = engine.BesideAll
		}
		if !steers(name) {
			b.word(getenv(name), b.request.Cwd, beside)
		}
	}
}

// steers reports whether a variable's value names places that are no business of one
// line.
func steers(name string) bool {
	switch name {
	case "PATH", "HOME", "SHELL", "IFS", "CDPATH", "PWD", "OLDPWD":
		return true
	}
	return false
}

// Where names may begin and end in a word, and how many of them are tried.
const (
	joints    = "=@:,;<>'\"() \t\n"
	maxWord   = 4096    // bytes
	maxTries  = 1000    // of one word
	maxTried  = 200_000 // of a line
	maxJoints = 8
	maxBundle = 16 // letters of options in one word: -czfNAME
)

// word adds what a word may name, at any place of it: NAME, --file=NAME, -fNAME,
// @NAME, a=@NAME;type=x, file:///NAME.
func (b *bindings) word(word, dir string, beside engine.Beside) {
	if len(word) > maxWord {
		word = word[:maxWord]
	}
	tries := 0
	for from := range len(word) {
		bundled := word[0] == '-' && from <= maxBundle
		if from > 0 && !bundled && strings.IndexByte(joints, word[from-1]) < 0 {
			continue
		}
		ends := 0
		for to := from + 1; to <= len(word) && ends < maxJoints; to++ {
			if to < len(word) && strings.IndexByte(joints, word[to]) < 0 {
				continue
			}
			tries++
			b.tried++
			if tries > maxTries || b.tried > maxTried {
				return
			}
			ends++
			name := word[from:to]
			if rest, home := strings.CutPrefix(name, "~/"); home && b.request.Home != "" {
				name = slash.Join(b.request.Home, rest)
			}
			b.named(seenFrom(dir, name), beside)
			if rest, address := strings.CutPrefix(name, "//"); address { // file://NAME
				b.named(seenFrom(dir, rest), beside)
			}
		}
	}
}

// named adds what a path names, if there is such a thing.
func (b *bindings) named(path string, beside engine.Beside) {
	if b.away {
		return
	}
	info, err := os.Stat(system.Native(path))
	switch {
	case err != nil:
	case info.IsDir():
		b.works(path, beside)
	case info.Mode().IsRegular():
		b.add(path, isRead)
		if slash.Base(path) == ".git" { // of a worktree: it names a repository
			b.works(slash.Dir(path), 0)
		}
	}
}

// works adds a directory that a command works in, and those above that programs look
// into for their files: up to the repository's top or, where there is none, below
// the home directory.
func (b *bindings) works(dir string, beside engine.Beside) {
	if had, known := b.dirs[dir]; dir == "" || b.away || known && had >= beside {
		return
	}
	query := task.Query{Files: disk.OS{}, Home: b.request.Home}
	if b.request.Getenv != nil {
		query.Env = []policy.Assign{{Name: "XDG_CONFIG_HOME", Value: policy.Const(b.request.Getenv("XDG_CONFIG_HOME"))}}
	}
	git := task.GitIn(query, dir)
	top := git.Top
	for _, file := range git.Files {
		b.add(file, isBeside)
	}
	for _, hooks := range git.Hooks {
		b.trees[hooks] = true
	}
	for at := dir; ; at = slash.Dir(at) {
		if at != dir && top == "" && (at == b.request.Home || at == "/") {
			return
		}
		if at == dir || top != "" {
			b.dirs[at] = max(b.dirs[at], beside)
		} else {
			b.dirs[at] = max(b.dirs[at], engine.BesideTasks)
		}
		if at == top || at == "/" || at == "." {
			return
		}
	}
}

// dir is what counts of the files that stand in a directory, "" where there are
// none. Hidden files of the home directory are what agents and shells keep there.
func (b *bindings) dir(dir string, beside engine.Beside) string {
	sum, any := sha256.New(), false
	add := func(name, state string) {
		any = true
		fmt.Fprintf(sum, "%d:%s=%s\n", len(name), name, state)
	}
	for _, name := range projectFiles {
		if state := fileSum(slash.Join(dir, name), b.names); state != "-" {
			add(name, state)
		}
	}
	if beside > engine.BesideTasks {
		for _, entry := range b.entries(dir) {
			name := entry.Name()
			if slices.Contains(projectFiles[:], name) || dir == b.request.Home && name[0] == '.' || beside < engine.BesideAll && !holdsSettings(name) {
				continue
			}
			if info, err := os.Stat(filepath.Join(system.Native(dir), name)); err == nil && info.Mode().IsRegular() {
				add(name, changed(info))
			}
		}
	}
	if !any {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// holdsSettings reports whether a file's name is one for settings.
func holdsSettings(name string) bool {
	switch slash.Ext(name) {
	case ".toml", ".yaml", ".yml", ".json", ".ini", ".cfg", ".conf", ".config", ".xml", ".properties", ".env", ".tf", ".tfvars", ".hcl":
		return true
	}
	return name[0] == '.' || strings.Contains(name, ".config.") || strings.HasSuffix(name, "rc")
}

// entries lists a directory, sorted; nil where that can't be done.
func (b *bindings) entries(dir string) []fs.DirEntry {
	if b.seen > maxNames {
		return nil
	}
	f, err := system.OpenFile(system.Native(dir), os.O_RDONLY|system.Directory|system.NoWait, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	list, _ := f.ReadDir(maxNames + 1 - b.seen)
	b.seen += len(list)
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}

// tree is what counts of all that is below a directory, or that a pattern means.
func (b *bindings) tree(pattern string) string {
	fixed := pattern
	if match.IsGlob(pattern) {
		fixed = match.FixedDir(pattern)
	}
	parts := strings.FieldsFunc(strings.TrimPrefix(pattern, fixed), func(r rune) bool { return r == '/' })
	t := contents{b, sha256.New(), map[string]bool{}}
	if real, err := filepath.EvalSymlinks(system.Native(slash.Join("/", fixed))); err == nil {
		t.add(slash.Join("/", fixed), real, parts)
	}
	return hex.EncodeToString(t.sum.Sum(nil)[:16])
}

// contents adds up what is below a directory.
type contents struct {
	*bindings
	sum  hash.Hash
	been map[string]bool // directories of which all was added
}

// add adds what the parts of a pattern mean in a directory: all that is below it, if
// there are none. Links are followed, each directory once. Real is the directory
// without links.
func (t *contents) add(dir, real string, parts []string) {
	if len(parts) == 0 && t.been[real] {
		return
	}
	t.been[real] = t.been[real] || len(parts) == 0
	for _, entry := range t.entries(dir) {
		name, rest := entry.Name(), parts
		switch {
		case name == ".git":
			continue
		case len(parts) == 0:
		case parts[0] == "**": // all, whatever stands behind it
			rest = nil
		case !strings.ContainsAny(parts[0], "({") && !match.Glob(parts[0], name): // @(a|b) may be any name
			continue
		default:
			rest = parts[1:]
		}
		path := slash.Join(dir, name)
		info, err := os.Stat(system.Native(path))
		switch {
		case err != nil:
		case info.IsDir():
			below := filepath.Join(real, name)
			if entry.Type()&fs.ModeSymlink != 0 {
				if below, err = filepath.EvalSymlinks(system.Native(path)); err != nil {
					continue
				}
			}
			t.add(path, below, rest)
		case info.Mode().IsRegular() && len(rest) == 0:
			fmt.Fprintf(t.sum, "%d:%s=%s\n", len(path), path, changed(info))
		}
	}
}

// program adds the files that a program's name may mean: those of that name in the
// directories of the PATH, up to the first that can be run.
func (b *bindings) program(name, dir string) {
	if strings.ContainsRune(name, '/') {
		b.add(seenFrom(dir, name), isRun)
		return
	}
	if b.request.Getenv == nil {
		return
	}
	for _, in := range filepath.SplitList(b.request.Getenv("PATH")) {
		if !filepath.IsAbs(in) {
			in = filepath.Join(dir, in)
		}
		for _, ending := range system.ProgramEndings {
			path := filepath.Join(in, name+ending)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				b.add(path, isRun)
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

package engine

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// target is one file that a word may mean.
type target struct {
	path    string // absolute and clean; "" where nothing is known
	real    string // the same with symbolic links followed; equal to path where there are none
	pattern bool   // holds wildcards: a glob of the line, or "*" for a hole
	wide    bool   // a pattern that may match files elsewhere, by "..", or hidden ones
	inside  bool   // something in a directory, by a name that nobody tells
	known   bool   // neither a hole nor an unknown directory is in it
}

// unknownDir stands for a directory that is not known. No rule names it, so
// that only rules about names below any directory match.
const unknownDir = "/?"

// resolve lists the files that a word may mean, seen from the directories
// dirs.
func (j *judge) resolve(w policy.Word, dirs []string) []target {
	if led, ok := j.ledBy(w); ok {
		return slices.Concat(j.resolved(w, dirs), j.resolved(led, dirs))
	}
	return j.resolved(w, dirs)
}

// ledBy is what a word may mean that begins with a variable which leads to files
// of the gate or of an agent: "$CLAUDE_CONFIG_DIR/settings.json".
func (j *judge) ledBy(w policy.Word) (policy.Word, bool) {
	if len(w.Parts) == 0 || w.Parts[0].Kind != policy.Hole || j.request.Getenv == nil || !isVariable(w.Parts[0].Text) {
		return w, false
	}
	name := strings.Trim(w.Parts[0].Text, "${}")
	if !strings.HasSuffix(name, "_DIR") && !strings.HasSuffix(name, "_HOME") {
		return w, false // the others are told without a look at the disk
	}
	value := j.request.Getenv(name)
	if !path.IsAbs(value) || !slices.ContainsFunc(j.request.aliases(), func(a Alias) bool { return within(a.Dir, path.Clean(value)) }) {
		return w, false
	}
	return policy.Word{Parts: append([]policy.Part{{Kind: policy.Lit, Text: value}}, w.Parts[1:]...)}, true
}

// resolved is resolve for a word as it stands.
func (j *judge) resolved(w policy.Word, dirs []string) []target {
	text, pattern, known := wordPath(w)
	if text == "" && known {
		return nil
	}
	if j.engine.opts.Windows {
		if text = strings.ReplaceAll(text, `\`, "/"); j.share(text) {
			text, known = unknownDir+text[1:], false
		}
	}
	text = j.expandHome(text)
	found := j.newTargets(max(1, len(dirs)))
	if strings.HasPrefix(text, "/") {
		found[0] = j.target(text, pattern, known)
		return found[:1]
	}
	if len(dirs) == 0 {
		found[0] = j.target(unknownDir+"/"+text, pattern, false)
		return found
	}
	for i, dir := range dirs {
		found[i] = j.target(dir+"/"+text, pattern, known)
	}
	return found
}

// climbs reports whether what a pattern matches may lie above the directory that
// it begins with: bash before 5.2 and the shells of POSIX take .? and .* for "..",
// too, and a name after which ".." stands may be a link.
func climbs(pattern string) bool {
	after := false
	for name := range strings.SplitSeq(pattern, "/") {
		wild := match.IsGlob(name)
		if wild && name[0] == '.' && overlap(name, "..") || after && name == ".." {
			return true
		}
		after = after || wild
	}
	return false
}

// newTargets makes a list of so many targets, out of a longer one that the next
// request uses again.
func (j *judge) newTargets(n int) []target {
	const many = 32
	used := len(j.targets)
	if used+n > cap(j.targets) {
		j.targets, used = make([]target, 0, max(n, many)), 0
	}
	j.targets = j.targets[:used+n]
	return j.targets[used : used+n : used+n]
}

// wordPath writes a word as a path: holes become "*".
func wordPath(w policy.Word) (text string, pattern, known bool) {
	if w.Parts == nil {
		return w.Text, false, true
	}
	var b strings.Builder
	known = true
	for _, p := range w.Parts {
		switch p.Kind {
		case policy.Lit:
			b.WriteString(p.Text)
		case policy.Glob:
			b.WriteString(strings.ReplaceAll(p.Text, `\`, "")) // \x is x
			pattern = true
		default:
			b.WriteByte('*')
			pattern, known = true, false
		}
	}
	return b.String(), pattern, known
}

// expandHome writes ~ and ~user as directories. Where the user's own home is
// not known, ~ stays: rules name it so.
func (j *judge) expandHome(text string) string {
	if !strings.HasPrefix(text, "~") {
		return text
	}
	user, rest, _ := strings.Cut(text[1:], "/")
	if rest != "" {
		rest = "/" + rest
	}
	switch user {
	case "":
		if j.request.Home == "" {
			return "/~" + rest
		}
		return j.request.Home + rest
	case "root":
		return "/root" + rest
	}
	return "/home/" + user + rest
}

func (j *judge) target(text string, pattern, known bool) target {
	if j.engine.opts.Windows {
		plain := false
		was := text
		if text, plain = windowsPath(text); plain {
			text, plain = j.shortened(text)
		}
		if !plain {
			j.strange = was
			pattern, known = true, false
		}
	}
	if tooLong(text) {
		j.long = text
		if text = path.Clean(text); tooLong(text) {
			text, known = unknownDir+"/"+policy.Clip(path.Base(text), maxShown), false
		}
		return target{path: text, real: text, pattern: pattern || !known, known: known}
	}
	clean := withoutProc(clean(text))
	t := target{path: clean, real: clean, pattern: pattern, known: known, wide: pattern && known && (j.wide || climbs(text))}
	if !pattern && known {
		t.real = withoutProc(j.follow(text))
	} else if dir := match.FixedDir(clean); dir != "/" && dir != "" && !strings.HasPrefix(dir, unknownDir) {
		t.real = j.follow(dir) + clean[len(dir):]
	}
	return t
}

// clean is path.Clean for what is mostly clean already.
func clean(p string) string {
	for i := range len(p) {
		if p[i] == '/' && (i+1 == len(p) || p[i+1] == '/' || p[i+1] == '.') {
			return path.Clean(p)
		}
	}
	if p == "" || p[0] != '/' {
		return path.Clean(p)
	}
	return p
}

// withoutProc drops the spellings that /proc gives to the root directory:
// /proc/self/root/etc is /etc.
func withoutProc(p string) string {
	for strings.HasPrefix(p, "/proc/") {
		rest := p[len("/proc/"):]
		_, rest, _ = strings.Cut(rest, "/") // self, thread-self, a number
		if task, ok := strings.CutPrefix(rest, "task/"); ok {
			_, rest, _ = strings.Cut(task, "/")
		}
		if rest != "root" && !strings.HasPrefix(rest, "root/") {
			return p
		}
		p = path.Clean("/" + rest[len("root"):])
	}
	return p
}

// A path is followed name by name, which takes memory by the square of its
// length: one that no system takes, and all that nobody would write, is asked
// about instead.
const (
	maxPath   = 4096     // bytes, with the zero behind them: PATH_MAX of Linux
	maxNames  = 1000     // in one path
	maxTraced = 32 << 20 // bytes of all the paths that one request has followed
)

// tooLong reports whether a path is too long to be followed.
func tooLong(p string) bool {
	return len(p) >= maxPath || strings.Count(p, "/") > maxNames
}

// unfollowed asks about a path that was too long to be followed.
// Nor is one of another machine.
func (j *judge) unfollowed() (nodes []Node) {
	if j.long != "" {
		nodes = append(nodes, engineNode("path.long", policy.Ask, "Names a path that is too long to be followed, or too many of them", j.long))
	}
	if j.strange != "" {
		nodes = append(nodes, engineNode("path.windows", policy.Ask, "Names a file by what may be the short name of another, or in the directory that a drive is at", j.strange))
	}
	if j.shared != "" {
		nodes = append(nodes, engineNode("path.share", policy.Ask, "Names a file of another machine, which learns who asks", j.shared))
	}
	return nodes
}

// maxLinks is how many symbolic links one request may follow in a row, as in
// Linux.
const maxLinks = 40

// follow resolves an absolute path as the kernel does: component by component,
// ".." after the link before it. Names that don't exist stay. Without a disk
// the path is only cleaned; one that is too long leads nobody knows where.
func (j *judge) follow(p string) string {
	switch {
	case tooLong(p):
		j.long = p
		return unknownDir
	case j.traced > maxTraced:
		j.long = p
		return path.Clean(p)
	case j.engine.opts.Files == nil:
		return path.Clean(p)
	}
	return j.followed(p, 0)
}

// startsIn lists the directories in which a shell that is started takes itself to be, for
// what `cd ..` makes of them: it keeps the name that it was given in PWD, or asks the
// kernel, which knows no links and no `..`.
func (j *judge) startsIn(dirs []string) []string {
	all := dirs
	for _, dir := range dirs {
		if real := j.follow(dir); real != dir && !strings.HasPrefix(dir, unknownDir) && !slices.Contains(all, real) {
			all = append(all[:len(all):len(all)], real)
		}
	}
	return all
}

func (j *judge) followed(p string, links int) string {
	p = strings.TrimRight(p, "/")
	if p == "" {
		return "/"
	}
	if real := j.disk[p].real; real != "" {
		return real
	}
	slash := strings.LastIndexByte(p, '/')
	dir, name := j.followed(p[:slash], links), p[slash+1:]
	real := dir
	switch name {
	case ".":
	case "..":
		real = path.Dir(dir)
	default:
		if real = p; slash > 0 && (dir == "/" || dir != p[:slash]) { // a link is on the way, or two slashes
			real = strings.TrimSuffix(dir, "/") + "/" + name
		}
		if info, err := j.lstat(real); err == nil && info.Mode()&fs.ModeSymlink != 0 && links < maxLinks {
			if text, err := j.engine.opts.Files.Readlink(real); err == nil {
				if !strings.HasPrefix(text, "/") {
					text = dir + "/" + text
				}
				real = j.followed(text, links+1)
			}
		}
	}
	known := j.disk[p]
	known.real = real
	j.disk[p] = known
	j.traced += len(real)
	return real
}

// homeForm writes a path below any user's home directory as ~/..., which is
// how rules name it.
func (j *judge) homeForm(p string) (string, bool) {
	if home := j.request.Home; home != "" && home != "/" && within(p, home) {
		return "~" + p[len(home):], true
	}
	if j.engine.opts.Windows {
		if home, ok := windowsHome(p); ok {
			return home, true
		}
	}
	for _, homes := range [...]string{"/home/", "/Users/"} {
		if rest, ok := strings.CutPrefix(p, homes); ok && rest != "" {
			if i := strings.IndexByte(rest, '/'); i >= 0 {
				return "~" + rest[i:], true
			}
			return "~", true
		}
	}
	for _, home := range [...]string{"/root", "/var/root", "/~"} {
		if within(p, home) {
			return "~" + p[len(home):], true
		}
	}
	return "", false
}

// within reports whether p is dir or lies below it.
func within(p, dir string) bool {
	return p == dir || dir == "/" || len(p) > len(dir) && p[len(dir)] == '/' && p[:len(dir)] == dir
}

// inWorkspace reports whether all that t may mean lies in the workspace or in
// a directory that counts as one.
func (j *judge) inWorkspace(t target) bool {
	return t.known && (j.inside(t, j.request.Workspace) || j.insideAny(t, j.request.AdditionalDirs))
}

func (j *judge) insideAny(t target, dirs []string) bool {
	for _, dir := range dirs {
		if j.inside(t, dir) {
			return true
		}
	}
	return false
}

func (j *judge) inside(t target, dir string) bool {
	if t.wide || dir == "" || dir == "/" {
		return false
	}
	dir = clean(j.expandHome(dir))
	return within(fixedDirOf(t, t.path), dir) && within(fixedDirOf(t, t.real), j.follow(dir))
}

// fixedDirOf is the directory in which a pattern's matches lie; a plain path
// is its own.
func fixedDirOf(t target, p string) string {
	if !t.pattern {
		return p
	}
	if dir := match.FixedDir(p); dir != "" {
		return dir
	}
	return "/"
}

// emptiesParent reports whether a pattern means everything in its directory:
// "/etc/*" is as bad as "/etc".
func emptiesParent(t target) (string, bool) {
	if !t.pattern {
		return "", false
	}
	dir, last := path.Split(t.path)
	if last == "" || strings.Trim(last, "*?.[]!^{},") != "" {
		return "", false
	}
	return path.Clean(dir), true
}

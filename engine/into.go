package engine

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// What is copied into a directory gets a name there that the line does not
// show: cp x/.mcp.json . writes ./.mcp.json, cp -r x . what lies in x, and an
// archive any name it likes. This file judges those names. What rules say of it
// is Rule.Into.

// arrival is one operand on its way into a directory.
type arrival struct {
	names   []string // by which it may arrive; patterns where unknown
	unknown bool     // any name
	files   []string // absolute paths of what it is on the disk, links not followed
	unseen  bool     // it may be a directory that was not looked at
	whole   bool     // it names what is in a directory: src/, src/.
	plain   bool     // it is no directory
	leads   bool     // it is a link out of the workspace, and may stay one
}

// puts judges what a command puts into the directories that it writes.
func (j *judge) puts(n *Node, c *match.Call, uses []match.Use) {
	how := match.IntoNothing
	for i := range c.Held {
		if h := &c.Held[i]; h.Decision == policy.Allow {
			how = max(how, h.Rule.Into)
		}
	}
	if n.command.Where != policy.Here {
		return
	}
	for i := range uses {
		j.outputs(n, &uses[i])
	}
	if how == match.IntoNothing {
		return
	}
	targets, operands := ends(uses, how)
	var arrivals []arrival
	for _, u := range operands {
		arrivals = append(arrivals, j.arrival(n, u))
	}
	for _, u := range targets {
		for _, t := range j.resolve(u.Word, j.useDirs(n, u)) {
			if how == match.IntoAnything {
				j.mayBring(n, u, t)
				continue
			}
			directory := len(operands) > 1 || u.Option != "" || j.mayBeDirectory(n, u.Word, t)
			plain := !directory || hasOption(n.command, "-T", "--no-target-directory")
			for i := range arrivals {
				if directory {
					j.arrives(n, u, t, &arrivals[i], how, true)
				}
				if plain {
					j.arrives(n, u, t, &arrivals[i], how, false)
				}
			}
		}
	}
}

// outputs judges what a word that is written may mean besides the file: the
// directory that an option's files go to, and the file that comes out of a
// packed one.
func (j *judge) outputs(n *Node, u *match.Use) {
	if u.Kind != match.Write && u.Kind != match.Target || passing(u.Word) {
		return
	}
	for _, t := range j.resolve(u.Word, j.useDirs(n, u)) {
		if u.Option != "" {
			j.lands(n, u, j.below(t, "/*"))
		}
		if file, ok := unpacked(t.path); ok && !t.pattern {
			plain := t
			plain.path = file
			plain.real, _ = unpacked(t.real)
			j.lands(n, u, plain)
		}
	}
}

// unpacked is the name of what comes out of a packed file.
func unpacked(name string) (string, bool) {
	switch ext := path.Ext(name); ext {
	case ".gz", ".bz2", ".xz", ".zst", ".lz4", ".br", ".lz", ".lzma", ".lzo", ".Z", ".z":
		return strings.TrimSuffix(name, ext), true
	}
	return name, false
}

// ends are the words that a command writes to, and the operands that go there:
// all but the last one, or, where an option names the directory, all.
func ends(uses []match.Use, how match.Into) (targets, operands []*match.Use) {
	for i := range uses {
		u := &uses[i]
		writes := u.Kind == match.Write || u.Kind == match.Target
		switch {
		case writes && (u.Option != "" || how == match.IntoAnything):
			targets = append(targets, u)
		case u.Option == "" && (writes || u.Kind == match.Read || u.Kind == match.Move || u.Kind == match.Source || u.Kind == match.Path):
			operands = append(operands, u)
		}
	}
	writes := func(i int) bool { return operands[i].Kind == match.Write || operands[i].Kind == match.Target }
	if last := len(operands) - 1; last > 0 && writes(last) && how != match.IntoAnything {
		named := len(targets) > 0 && writes(0) // links go where the option says
		targets = append(targets, operands[last])
		if !named {
			operands = operands[:last]
		}
	}
	return targets, operands
}

// mayBeDirectory reports whether a word may name a directory.
func (j *judge) mayBeDirectory(n *Node, w policy.Word, t target) bool {
	text, known := w.Const()
	last := path.Base(text)
	if !known || !t.known || strings.HasSuffix(text, "/") || last == "." || last == ".." || j.engine.opts.Files == nil {
		return true
	}
	info, err := j.lstat(t.real)
	return err == nil && info.IsDir() || j.made(n, t.real)
}

// arrival finds out by which names an operand may arrive, and what it is.
func (j *judge) arrival(n *Node, u *match.Use) arrival {
	var a arrival
	text, pattern, known := wordPath(u.Word)
	if !known {
		a.unknown = true
		return a
	}
	last := path.Base(text)
	a.whole = strings.HasSuffix(text, "/") || last == "."
	if !pattern && last != "." && last != ".." && last != "/" {
		a.names = append(a.names, last)
	}
	for _, t := range j.resolve(u.Word, j.useDirs(n, u)) {
		switch {
		case j.engine.opts.Files == nil, !t.known:
			a.unseen, a.unknown = true, a.unknown || pattern
		case pattern:
			found, ok := j.expanded(n, t.real)
			if !ok {
				a.unknown = true
				continue
			}
			for _, file := range found {
				a.names = append(a.names, path.Base(file))
				a.files = append(a.files, file)
			}
		case j.made(n, t.real):
			a.unseen = true
		default:
			a.files = append(a.files, t.real)
			a.leads = a.leads || keepsLinks(n.command) && j.leadsOut(t)
		}
	}
	a.plain = !a.unseen && !a.unknown && !slices.ContainsFunc(a.files, func(file string) bool {
		info, err := j.lstat(file)
		return err != nil || info.IsDir()
	})
	return a
}

// leadsOut reports whether a file is a link out of the workspace, or one of those that
// the system keeps for what runs.
func (j *judge) leadsOut(t target) bool {
	if within(t.path, "/proc") {
		return path.Base(t.path) == "cwd" || path.Base(t.path) == "root" || strings.Contains(t.path, "/fd/")
	}
	info, err := j.lstat(t.path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0 && !j.inWorkspace(t)
}

// keepsLinks reports whether a command may leave a link as it is, where others copy
// what it leads to.
func keepsLinks(c *policy.Command) bool {
	switch programBase(c) {
	case "install":
		return false
	case "cp":
		for short, long := range map[string]string{"-P": "--no-dereference", "-a": "--archive", "-R": "--recursive", "-r": "--recursive", "-d": "--no-dereference"} {
			if hasOption(c, short, long) {
				return true
			}
		}
		return false
	}
	return true
}

// made reports whether the line makes a file, or a directory that it lies in,
// before a command, so that the disk does not tell yet what it is.
func (j *judge) made(n *Node, file string) bool {
	return j.wrote.covering(file, anyWrite).before(n.since)
}

// maxSeen is how many files of one directory, and in one tree, are looked at.
const maxSeen = 2000

// expanded lists the files that a pattern names, where only its last element
// is one.
func (j *judge) expanded(n *Node, pattern string) ([]string, bool) {
	dir, last := path.Split(pattern)
	if dir = path.Clean(dir); match.FixedDir(dir) != dir || strings.ContainsAny(last, "({") || strings.Contains(last, "**") {
		return nil, false
	}
	if j.made(n, dir) || j.wide {
		return nil, false // or the line changes what patterns match
	}
	names, err := j.engine.opts.Files.ReadDir(dir, maxSeen)
	if err != nil {
		return nil, !j.exists(dir) // where there is no directory the pattern names nothing
	}
	var found []string
	for _, name := range names {
		if match.Glob(last, name) && (name[0] != '.' || last[0] == '.') {
			found = append(found, dir+"/"+name)
		}
	}
	return found, true
}

// arrives judges what an operand is called where it arrives.
func (j *judge) arrives(n *Node, u *match.Use, t target, a *arrival, how match.Into, directory bool) {
	if a.unknown && directory {
		j.mayBring(n, u, t)
		return
	}
	below := []string{""}
	if directory {
		below = nil
		for _, name := range a.names {
			below = append(below, "/"+name)
		}
		if a.whole {
			below = append(below, "")
		}
	}
	for _, name := range below {
		if name != "" {
			j.lands(n, u, j.below(t, name))
		}
		if !a.plain {
			j.lands(n, u, j.below(t, name+"/*"))
		}
	}
	if j.harmless(t) {
		return
	}
	if a.leads || a.unseen && how == match.IntoTrees {
		j.mayBring(n, u, t)
		return
	}
	for _, file := range a.files {
		info, err := j.lstat(file)
		if err != nil && how == match.IntoTrees {
			j.mayBring(n, u, t) // it is not there yet
			return
		}
		if err != nil || info.Mode()&fs.ModeDir == 0 {
			continue
		}
		names, ok := j.tree(file)
		if !ok {
			j.mayBring(n, u, t)
			return
		}
		var into []string
		if !directory || a.whole {
			into = append(into, "")
		}
		if directory {
			into = append(into, strings.TrimSuffix("/"+path.Base(file), "//"))
		}
		told := 0
		for _, dir := range into {
			for _, name := range names {
				if !j.lands(n, u, j.below(t, dir+name)) {
					told++
				}
				if told > maxTold {
					j.mayBring(n, u, t)
					return
				}
			}
		}
	}
}

// maxTold is how many special files of a tree are named.
const maxTold = 5

// tree lists all that is below a directory, as "/name" and "/dir/name". It
// reports false if that is too much to look at.
func (j *judge) tree(dir string) ([]string, bool) {
	var all []string
	open := []string{""}
	for len(open) > 0 {
		below := open[len(open)-1]
		open = open[:len(open)-1]
		names, err := j.engine.opts.Files.ReadDir(dir+below, maxSeen)
		if err != nil || len(all)+len(names) > maxSeen {
			return nil, false
		}
		for _, name := range names {
			name = below + "/" + name
			all = append(all, name)
			info, err := j.lstat(dir + name)
			switch {
			case err != nil:
				return nil, false
			case info.IsDir():
				open = append(open, name)
			case info.Mode()&fs.ModeSymlink != 0:
				// Some options copy what a link leads to, and what is written behind one
				// that leads out of the tree is not where it seems to be.
				real := j.follow(dir + name)
				if to, err := j.lstat(real); err == nil && to.IsDir() || !within(real, j.follow(dir)) {
					return nil, false
				}
			}
		}
	}
	return all, true
}

// below is a file in the directory that a target means.
func (j *judge) below(t target, name string) target {
	b := t
	b.path, b.real = strings.TrimSuffix(t.path, "/")+name, strings.TrimSuffix(t.real, "/")+name
	b.inside = strings.HasSuffix(name, "/*")
	b.pattern = t.pattern || b.inside
	if !b.pattern && t.known {
		b.real = j.follow(b.real)
	}
	return b
}

// lands judges a name that something gets. It reports whether it may.
func (j *judge) lands(n *Node, u *match.Use, t target) bool {
	if t.known && !t.pattern && t.path != t.real && !j.inWorkspace(t) && j.inWorkspace(target{path: t.path, real: t.path, known: true}) {
		j.mayBring(n, u, t) // a link stands there already
		return false
	}
	rule := j.pathRule(t, opWrite)
	if rule == nil || rule.Write <= policy.Allow {
		return true
	}
	word := policy.Const(strings.TrimSuffix(t.path, "/*"))
	if n.asksRow(rule, opWrite, word.Text) {
		return false // it was told
	}
	places := []target{t}
	j.grants(n, word, places, opWrite)
	j.pathReason(n, rule, rule.Write, opWrite, word)
	n.rows = append(n.rows, askingRow{rule, opWrite, word, places})
	return false
}

// mayBring asks about a directory into which anything may come: hooks of a
// repository, say. Where a person allowed the place, or nothing there matters,
// it is no question.
func (j *judge) mayBring(n *Node, u *match.Use, t target) {
	if j.harmless(t) || n.placed != nil && n.placed.layer >= ofUser || n.brought {
		return
	}
	n.brought = true
	n.reason("path.into", policy.Ask, "May bring files that run later into "+u.Word.String(), 0, policy.ReachUnset)
	n.last().Hint = "name the files, or write into a directory of scratch_dirs"
}

// hasOption reports whether a command may be given one of two spellings of an
// option, the short one among other letters.
func hasOption(c *policy.Command, short, long string) bool {
	for _, w := range c.Words[1:] {
		text, known := w.Const()
		if !known {
			text = w.Prefix()
		}
		switch {
		case strings.HasPrefix(text, "--"):
			if len(text) > 4 && strings.HasPrefix(long, text) {
				return true
			}
		case strings.HasPrefix(text, "-") && strings.Contains(text, short[1:]):
			return true
		}
	}
	return false
}

package engine

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// A line may write a file and then run what it names. This file keeps track of
// what the commands seen so far have written, so that a script or a task file
// counts as what it will hold, and not as what the disk holds now.

// wrote is one file that a command of the line changes.
type wrote struct {
	path  string // with links followed; "" may be any file
	names string // the pattern that the name of a file in the directory path matches; "" may be any
	text  string
	known bool // text is all that it holds then
	links bool // what is written may be links
	own   bool // a text of the project writes it
	above bool // the directories that it is in may be made with it
	bare  bool // there are no new files then, but directories at most
	fresh bool // a redirect opens it: no link comes of that, nor what was in another file
}

// opened is one file whose text was judged.
type opened struct {
	path     string
	at       int  // how many writes had been seen
	until    int  // how many there were when it was surely read; 0: as long as the line goes on
	script   bool // a shell reads it line by line while it runs
	absent   bool // it was looked for, and not there; of a list: what it holds was looked at
	list     bool
	tree     bool   // it may be a directory, of which what lies in it was read, or looked for
	links    bool   // it is a directory in which links were looked for
	hidden   bool   // and directories whose names begin with a dot
	standard bool   // it is a directory in which no file was called as a module of Python's library
	compiled string // it is a directory in which nothing was written that runs for that module of Python
}

// changed is the error of a file that the same line changes.
type changed struct{}

func (changed) Error() string { return "the same line changes it" }

// changes notes that a command changes a file, by a redirect or otherwise;
// networked says that it may hold what comes from the network.
func (j *judge) changes(c *policy.Command, r *policy.Redirect, t target, networked bool) {
	if j.engine.opts.Files == nil || j.own.text && r == nil && !networked && j.isRoot(t) {
		return // a text of the project may format the project
	}
	w := wrote{own: j.own.text && r == nil && !networked}
	if r == nil {
		makes := j.leaves(c)
		w.links, w.above, w.bare = makes.May(match.MakesLinks), makes.May(match.MakesDirectories), !makes.May(match.MakesFiles)
	}
	if t.known && !t.pattern {
		w.path = t.real
		if r != nil {
			w.fresh = true
			w.text, w.known = j.redirected(c, r, t)
		}
	} else if dir := fixedDirOf(t, t.real); t.known && dir != "/" {
		w.path = dir
		if file := strings.TrimPrefix(t.real, dir+"/"); !strings.Contains(file, "/") {
			w.names = file
		}
	}
	j.wrote.list = append(j.wrote.list, w)
}

// covers reports whether a write changes a file, or the directory it is in.
func (w *wrote) covers(file string) bool { return w.path == "" || within(file, w.path) }

// mayBe reports whether a write that covers a file may be of it by its name.
func (w *wrote) mayBe(file string) bool {
	below, is := strings.CutPrefix(file, w.path+"/")
	return w.names == "" || !is || strings.Contains(below, "/") || overlap(w.names, below)
}

// rewritten is what the line makes of a file: the last write to it.
func (j *judge) rewritten(file string) *wrote {
	if s := j.wrote.covering(file, anyWrite); s.some() {
		return &j.wrote.list[s.last-1]
	}
	return nil
}

// makesBelow reports whether the line may have made files, some of them since so many
// writes, below a directory that is not there: it makes the directory as well, or code of
// the project may have. What writes one file, and no directory, fails there.
func (j *judge) makesBelow(dir string, since int) bool {
	s := j.wrote.below(dir, anyWrite)
	if !s.since(since) {
		return false
	}
	if slices.ContainsFunc(j.opened, func(o opened) bool { return !o.absent && !o.links }) {
		return true
	}
	only := ""
	for _, w := range j.wrote.list[s.first-1 : s.last] {
		if !within(w.path, dir) {
			continue
		}
		named := strings.Contains(path.Base(w.path), ".") // no package has such a name
		if only != "" && only != w.path || !w.bare && (w.above || !named) {
			return true
		}
		only = w.path
	}
	return false
}

// leaves is what a program may leave behind it. Those that make no links are called often
// before something else is done below what they made.
func (j *judge) leaves(c *policy.Command) match.Makes {
	if len(c.Words) == 0 {
		return match.MakesFiles | match.MakesDirectories // a tool of the agent
	}
	if name, _ := j.identify(c.Words[0], c.Where); name != "" {
		if p := gates.Program(name); p != nil {
			return p.Makes
		}
	}
	return 0
}

// changedLater asks about files whose text was judged before a command of the
// same line changes them. A shell reads a script while it runs, so that even
// the script's own commands count; other files are read at once, and what
// rewrites their directory matters only where the order is not known: in a
// loop, or side by side.
func (j *judge) changedLater() []Node {
	if len(j.opened) == 0 {
		return nil
	}
	mixed := j.outOfOrder()
	for _, o := range j.opened {
		since := func(s span) bool { return s.since(o.at) && (o.until == 0 || s.before(o.until)) }
		writes := j.wrote.list[o.at:]
		if o.until != 0 {
			writes = j.wrote.list[o.at:o.until]
		}
		early := mixed || o.until > o.at // something may come before it that stands behind it
		changed := !o.absent && !o.tree && !o.links && j.wrote.of(o.path, anyWrite).since(o.at)
		switch {
		case o.links:
			changed = early && (since(j.wrote.below(o.path, linking)) || since(j.wrote.covering(o.path, linking)) || o.hidden && j.hides(o.path, writes))
		case o.standard:
			changed = early && j.writtenModule(o.path, o.at, nil) != ""
		case o.compiled != "":
			changed = early && compiled(o.path, o.compiled, writes)
		case o.script || early:
			changed = changed || since(j.wrote.covering(o.path, anyWrite)) || o.list && since(j.wrote.in(o.path)) || o.tree && since(j.wrote.below(o.path, anyWrite))
		}
		if changed && o.absent && !o.list && !o.standard && o.compiled == "" {
			changed = slices.ContainsFunc(j.wrote.list[o.at:], func(w wrote) bool {
				return w.covers(o.path) && w.mayBe(o.path)
			}) || o.tree && j.makesBelow(o.path, o.at)
		}
		if changed {
			said := "Changes a file whose text it also runs: "
			switch {
			case o.links:
				said = "May make links or hidden names where it looks for files: "
			case o.compiled != "":
				said = "May write what runs in place of the module " + o.compiled + " in "
			case o.absent && !o.list:
				said = "May write a file that it would load: "
			}
			n := engineNode("task.changed", policy.Ask, said+j.shown(o.path, 0), j.shown(o.path, 0))
			n.Reasons[0].Pos.Line = lastLine
			return []Node{n}
		}
	}
	return nil
}

// lastLine puts a reason behind those that have a place.
const lastLine = 1 << 30

// outOfOrder reports whether a line may do things in another order than the
// one in which they stand there.
func outOfOrder(line string) bool {
	for _, word := range [...]string{"for", "while", "until", "select", "coproc", "|"} {
		if strings.Contains(line, word) {
			return true
		}
	}
	return strings.Contains(strings.ReplaceAll(line, "&&", ""), "&")
}

// lineFiles is the disk as the line at hand leaves it.
type lineFiles struct {
	j        *judge
	script   bool // a shell asks
	old      bool // as it is, where a text that the line writes is known
	replaced bool // a text that the line writes was read
}

// ReadFile implements policy.Files.
func (f *lineFiles) ReadFile(name string, limit int) ([]byte, error) {
	j := f.j
	real := j.follow(name)
	w := j.rewritten(real)
	switch {
	case w == nil:
		data, err := j.engine.opts.Files.ReadFile(name, limit)
		if err == nil {
			j.opened = append(j.opened, opened{path: real, at: len(j.wrote.list), script: f.script})
		}
		return data, err
	case !w.known || w.path != real:
		return nil, changed{}
	case !f.old:
		f.replaced = true
		j.opened = append(j.opened, opened{path: real, at: len(j.wrote.list), script: f.script})
		return []byte(w.text), nil
	}
	return j.engine.opts.Files.ReadFile(name, limit)
}

// Lstat implements policy.Files.
func (f *lineFiles) Lstat(name string) (fs.FileInfo, error) {
	info, err := f.j.lstat(name)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return info, err
	}
	real := f.j.follow(name)
	switch w := f.j.rewritten(real); {
	case w == nil && f.j.makesBelow(real, 0):
		return newFile{path.Base(name), fs.ModeIrregular}, nil // a directory by now
	case w == nil:
		f.j.missed(opened{path: real, at: len(f.j.wrote.list), absent: true, tree: true})
	case !w.known:
		return newFile{path.Base(name), fs.ModeIrregular}, nil // it may be there by now
	case !f.old:
		return newFile{path.Base(name), 0o644}, nil
	}
	return nil, err
}

// Readlink implements policy.Files.
func (f *lineFiles) Readlink(name string) (string, error) {
	return f.j.engine.opts.Files.Readlink(name)
}

// ReadDir implements policy.Files.
func (f *lineFiles) ReadDir(name string, limit int) ([]string, error) {
	real := f.j.follow(name)
	if f.j.rewritten(real) != nil {
		return nil, changed{}
	}
	names, err := f.j.readDir(name, limit)
	if errors.Is(err, fs.ErrNotExist) && f.j.makesBelow(real, 0) {
		return nil, changed{}
	}
	if made := f.j.wrote.namesIn(real, !f.old); err == nil && made != nil {
		names = slices.Concat(names, made)
		slices.Sort(names)
		names = slices.Compact(names)
	}
	f.j.missed(opened{path: real, at: len(f.j.wrote.list), absent: true, list: true, tree: err != nil})
	return names, err
}

// missed notes what was looked for in vain. It matters only where a later
// command may come first.
func (j *judge) missed(o opened) {
	if j.outOfOrder() {
		j.opened = append(j.opened, o)
	}
}

// outOfOrder reports whether the line, or a text that it stands for so far, may
// do things in another order than the one in which they stand there.
func (j *judge) outOfOrder() bool {
	if !j.ordered {
		j.ordered, j.mixed = true, j.mixed || outOfOrder(j.request.Command)
	}
	return j.mixed
}

// newFile describes a file that does not exist yet. What it will be is not
// known where its mode is irregular.
type newFile struct {
	name string
	mode fs.FileMode
}

func (f newFile) Name() string      { return f.name }
func (newFile) Size() int64         { return 0 }
func (f newFile) Mode() fs.FileMode { return f.mode }
func (newFile) ModTime() time.Time  { return time.Time{} }
func (newFile) IsDir() bool         { return false }
func (newFile) Sys() any            { return nil }

// redirected is what a redirect makes of a file, where the command prints
// constant words or copies a constant text.
func (j *judge) redirected(c *policy.Command, r *policy.Redirect, t target) (text string, known bool) {
	if r.Op == policy.RedirectReadWrite || len(c.Redirects) != 1 {
		return "", false
	}
	if text, known = printed(c); !known || r.Op == policy.RedirectWrite {
		return text, known
	}
	if w := j.rewritten(t.real); w != nil {
		return w.text + text, w.known && w.path == t.real
	}
	old, err := j.engine.opts.Files.ReadFile(t.real, maxAppended)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", false
	}
	return string(old) + text, true
}

// maxAppended bounds the file that a text is appended to, in bytes.
const maxAppended = 64 << 10

// printed is what cat of a here-document, or echo and printf of plain words,
// write.
func printed(c *policy.Command) (string, bool) {
	name, ok := c.Program()
	if !ok || len(c.Assigns) > 0 {
		return "", false
	}
	switch {
	case name == "cat" && len(c.Words) == 1 && c.Stdin.Kind == policy.InputText:
		return c.Stdin.Text.Const()
	case name == "echo":
		return echoed(c.Words[1:])
	case name == "printf" && len(c.Words) > 1:
		return formatted(c.Words[1:])
	}
	return "", false
}

// formatted is what printf prints of words as they stand, a line each or one behind the
// other, and of a format without directives.
func formatted(words []policy.Word) (string, bool) {
	format, known := words[0].Const()
	end, plain := strings.CutPrefix(format, "%s")
	switch {
	case !known || strings.HasPrefix(format, "-"):
		return "", false
	case len(words) == 1:
		return unescaped(format)
	case !plain || end != "" && end != `\n`:
		return "", false
	case end != "":
		end = "\n"
	}
	var text strings.Builder
	for _, w := range words[1:] {
		s, known := w.Const()
		if !known {
			return "", false
		}
		text.WriteString(s + end)
	}
	return text.String(), true
}

// unescaped is what a format of printf prints that has no directives, and no escapes but
// those that mean the same to every shell.
func unescaped(format string) (string, bool) {
	var text strings.Builder
	for i := 0; i < len(format); i++ {
		c := format[i]
		if c == '%' || c == '\\' {
			if i++; i == len(format) {
				return "", false
			}
			switch next := format[i]; {
			case c == '%' && next == '%', c == '\\' && next == '\\':
			case c == '\\' && next == 'n':
				c = '\n'
			case c == '\\' && next == 't':
				c = '\t'
			default:
				return "", false
			}
		}
		text.WriteByte(c)
	}
	return text.String(), true
}

// echoed is what echo prints of words that every shell prints alike.
func echoed(words []policy.Word) (string, bool) {
	text := ""
	for i, w := range words {
		s, ok := w.Const()
		if !ok || i == 0 && len(s) > 0 && s[0] == '-' {
			return "", false
		}
		for _, r := range s {
			if r == '\\' {
				return "", false
			}
		}
		if i > 0 {
			text += " "
		}
		text += s
	}
	return text + "\n", true
}

package python

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// changed is which modules may be others since something was written. What is called as
// one of Python's own library where imports look first is judged by whoever knows the
// disk, and knows what commands write; here it counts where that is not known.
type changed struct {
	some  bool            // any module that is none of Python's library
	any   bool            // those too
	names map[string]bool // what places are called that are known, in small letters
	news  int             // how often something was added
}

// add adds what may have changed, and reports whether that was news.
func (c *changed) add(more changed) bool {
	news := more.some && !c.some || more.any && !c.any
	c.some, c.any = c.some || more.some, c.any || more.any
	for name := range more.names {
		if !c.names[name] {
			if c.names == nil {
				c.names = map[string]bool{}
			}
			c.names[name], news = true, true
		}
	}
	if news {
		c.news++
	}
	return news
}

// mayBe reports whether a module may be one that has changed. Of a package each place
// below it counts.
func (c *changed) mayBe(module string, isLibrary func(string) bool) bool {
	switch {
	case c.any:
		return true
	case c.news == 0 || isLibrary(module):
		return false
	}
	return c.some || c.names[strings.ToLower(first(module))]
}

// changes is what an effect may change.
func (in *reader) changes(e *code.Effect) changed {
	switch e.Kind {
	case match.Write:
		return in.written(&e.Word, false)
	case match.Target:
		return in.written(&e.Word, true)
	case match.Command:
		switch name, _ := e.Words[0].Const(); name {
		case "printenv", "uname":
			return changed{}
		case "python3":
			return in.compiles(e.Words)
		case "mv":
			c := in.written(&e.Words[len(e.Words)-1], true)
			c.some = true
			return c
		}
		return changed{some: true}
	case match.Move, match.Script:
		return changed{some: true}
	}
	return changed{}
}

// compiles is what a command changes that compiles what lies there: no module, if each is
// what its name says. What comes of a.txt is found as what comes of a.py.
func (in *reader) compiles(words []policy.Word) changed {
	if len(words) < 3 {
		return changed{some: true}
	}
	flag, _ := words[1].Const()
	module, _ := words[2].Const()
	switch {
	case flag == "-m" && module == "compileall": // takes files by that ending alone
		return changed{}
	case flag != "-m" || module != "py_compile":
		return changed{some: true}
	}
	for _, w := range words[3:] {
		text, known := w.Const()
		if n := len(w.Parts); !known && n > 0 {
			text = w.Parts[n-1].Text
			if w.Parts[n-1].Kind != policy.Lit {
				text = w.Parts[n-1].Match
			}
		}
		if !strings.HasSuffix(text, ".py") {
			return changed{some: true, any: true}
		}
	}
	return changed{}
}

// written is what may have changed where a file was written, or one of any name in a
// directory.
func (in *reader) written(w *policy.Word, within bool) changed {
	place, known := w.Const()
	end := place
	if n := len(w.Parts); !known && n > 0 && w.Parts[n-1].Kind == policy.Lit {
		end = w.Parts[n-1].Text
	}
	if base := path.Base(place); known && (base == "." || base == "..") {
		return changed{some: true, any: true}
	}
	switch path.Ext(end) {
	case "", ".", ".py", ".pyc", ".pyw", ".so":
	case ".pth", ".zip", ".egg":
		return changed{some: true, any: true}
	default:
		return changed{}
	}
	if !known {
		dir, is := foundIn(w)
		return changed{some: true, any: !is || in.mayHide(dir, true)}
	}
	full, sure := in.full(place)
	c := changed{some: within || !sure, any: in.mayHide(place, within), names: map[string]bool{}}
	places := []string{full}
	if in.text.Follow != nil && sure {
		places = append(places, in.text.Follow(full))
	}
	for _, p := range places {
		for part := range strings.SplitSeq(p, "/") {
			c.names[stem(part)] = true
		}
	}
	return c
}

// full is a path from the root; false where it is not known which.
func (in *reader) full(place string) (string, bool) {
	switch {
	case path.IsAbs(place):
		return path.Clean(place), true
	case in.text.Dir == "" || len(in.moved) > 0:
		return place, false
	}
	return path.Join(in.text.Dir, place), true
}

// stem is what a module is called that a file or directory holds. Files of both names may
// be one in small and in capital letters.
func stem(name string) string {
	name, _, _ = strings.Cut(name, ".")
	return strings.ToLower(name)
}

// foundIn is the directory below which files were found that a word stands for.
func foundIn(w *policy.Word) (dir string, ok bool) {
	if len(w.Parts) < 2 || w.Parts[0].Kind != policy.Lit {
		return "", false
	}
	for _, p := range w.Parts[1:] {
		if p.Kind != policy.Lit && p.Match == "" || strings.Contains(p.Text, "..") {
			return "", false
		}
	}
	i := strings.LastIndexByte(w.Parts[0].Text, '/')
	return w.Parts[0].Text[:max(i, 0)], i > 0
}

// mayHide reports whether a file, or one below a directory, may be taken for a module of
// Python's own library.
func (in *reader) mayHide(place string, within bool) bool {
	dirs, known := in.searched()
	if !known {
		if within {
			return true
		}
		for part := range strings.SplitSeq(place, "/") {
			if isHidden(stem(part)) {
				return true
			}
		}
		return false
	}
	place, _ = in.full(place)
	place += "/"
	for _, dir := range dirs {
		dir = strings.TrimSuffix(path.Clean(dir), "/") + "/"
		if rest, below := strings.CutPrefix(place, dir); below && (rest == "" || isHidden(stem(rest[:strings.IndexByte(rest, '/')]))) {
			return true
		}
		if within && strings.HasPrefix(dir, place) {
			return true
		}
	}
	return false
}

// searched are the directories in which imports look first; false where they are not all
// known, or where the text goes to others.
func (in *reader) searched() (dirs []string, known bool) {
	if in.text.Dir == "" || len(in.text.Paths) == 0 || len(in.moved) > 0 {
		return nil, false
	}
	dirs = in.text.Paths
	for _, w := range in.paths {
		dir, known := w.Const()
		if !known {
			return nil, false
		}
		if !path.IsAbs(dir) {
			dir = path.Join(in.text.Dir, dir)
		}
		dirs = append(dirs[:len(dirs):len(dirs)], dir)
	}
	return dirs, true
}

// isHidden reports whether a file of a name may stand in the way of a module of Python's
// own library, or of one that it looks for.
func isHidden(name string) bool {
	return strings.HasPrefix(name, "_") || MayLoad(name)
}

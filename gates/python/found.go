package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
	"github.com/bashgate/bashgate/policy"
)

// This file tells what the functions give that look for files: names of which a pattern is
// known. A value of that is a hole with a pattern, as a loop of the shell has it, and a
// second one for names that begin with a dot, which Python does not leave out.

// lookedFor is what such a function gives; false where no pattern is known.
func (in *reader) lookedFor(name string, args arguments, self *code.Shape) (code.Value, bool) {
	in.lists(name, args, self)
	v, ok := in.lookFor(name, args, self)
	if args.call != nil {
		before, met := in.patterns[args.call]
		in.patterns[args.call] = ok && (before || !met)
	}
	return v, ok
}

// looksForFiles reports whether a function tells names of files, and opens none of them.
func looksForFiles(name string) bool {
	switch name {
	case "pathlib.Path.glob", "pathlib.Path.rglob", "pathlib.Path.walk", "pathlib.Path.iterdir", "os.walk", "os.listdir", "os.scandir", "glob.glob", "glob.iglob":
		return true
	}
	return false
}

// lists notes what a call finds that looks for files, where the directory is known: what
// comes of the names may lose the pattern, and is one of them all the same.
func (in *reader) lists(name string, args arguments, self *code.Shape) {
	var dirs code.Value
	pattern := "**/*"
	switch name {
	case "pathlib.Path.glob", "pathlib.Path.rglob", "pathlib.Path.walk", "pathlib.Path.iterdir":
		if self != nil {
			dirs = code.Value{*self}
		}
	case "os.walk", "os.listdir", "os.scandir":
		if dirs = args.more; len(args.positional) > 0 {
			dirs = args.positional[0]
		} else if !args.open {
			dirs = code.Const("str", ".")
		}
	case "glob.glob", "glob.iglob":
		for i := range args.positional[:min(1, len(args.positional))] {
			for _, w := range args.positional[i].Words(name) {
				if text, known := w.Const(); known {
					found, _ := matches("str", "", text, false)
					in.finds(found.Words(name)...)
				}
			}
		}
		return
	default:
		return
	}
	if name == "os.listdir" || name == "os.scandir" || name == "pathlib.Path.iterdir" {
		pattern = "*"
	} else if name == "pathlib.Path.glob" && len(args.positional) > 0 {
		if text, known := args.positional[0].Const("str"); known {
			pattern = text
		}
	}
	for _, dir := range dirs.Words(name) {
		text, known := dir.Const()
		if found, ok := matches("str", text, pattern, true); known && ok {
			in.finds(found.Words(name)...)
			continue
		}
		if hasUnknown(&dir) {
			continue // it is one of those that the text names, or comes from outside
		}
		for _, name := range [...]string{"*", ".*"} {
			for _, below := range [...]string{"/", "/**/"} {
				if below == "/" || strings.Contains(pattern, "**") {
					in.finds(code.Concat(dir, policy.Const(below), patternWord(name)))
				}
			}
		}
	}
}

// finds notes names that the text may have found.
func (in *reader) finds(names ...policy.Word) {
	for _, w := range names {
		known := slices.ContainsFunc(in.listings, func(o policy.Word) bool { return slices.Equal(o.Parts, w.Parts) })
		if !known && len(in.listings) == maxListings {
			in.ask(in.line, "python.limit", "Python code that looks for files in very many places")
		} else if !known {
			in.listings = append(in.listings, w)
		}
	}
}

// maxListings is how many patterns of what a text looks for are kept.
const maxListings = 200

func (in *reader) lookFor(name string, args arguments, self *code.Shape) (code.Value, bool) {
	text := func(i int) (string, bool) {
		if i >= len(args.positional) {
			return "", false
		}
		for _, kind := range [...]string{"str", "pathlib.Path"} {
			if text, ok := args.positional[i].Const(kind); ok {
				return text, true
			}
		}
		return "", false
	}
	if args.open {
		return nil, false
	}
	switch name {
	case "pathlib.Path.glob", "pathlib.Path.rglob", "pathlib.Path.iterdir":
		if self == nil || self.Word == nil || len(args.named) > 0 {
			return nil, false
		}
		dir, known := self.Word.Const()
		pattern, ok := text(0)
		if name == "pathlib.Path.iterdir" {
			pattern, ok = "*", len(args.positional) == 0
		}
		if name == "pathlib.Path.rglob" {
			pattern = "**/" + pattern
		}
		v, is := matches("pathlib.Path", dir, pattern, true)
		if !known || !ok || !is {
			return nil, false
		}
		return in.list("iterator", args.at, v), true
	case "glob.glob", "glob.iglob":
		pattern, ok := text(0)
		for _, n := range args.named {
			ok = ok && n.name == "recursive"
		}
		v, is := matches("str", "", pattern, false)
		if !ok || !is {
			return nil, false
		}
		kind := "list"
		if name == "glob.iglob" {
			kind = "iterator"
		}
		return in.list(kind, args.at, v), true
	case "os.listdir":
		dir := "."
		if len(args.positional) > 0 {
			if dir, _ = text(0); dir == "" {
				dir = someDir
			}
		}
		v, _ := matches("str", "", "*", true)
		return in.list("list", args.at, namesIn(v, dir+"/")), true
	case "os.walk":
		dir, ok := text(0)
		below, is := matches("str", dir, "**/*", true)
		if !ok || !is {
			return nil, false
		}
		names, _ := matches("str", "", "*", true)
		names = namesIn(names, dir+"/**/")
		row := []code.Value{code.Join(code.Const("str", dir), below), in.list("list", site{args.at, 0, "dirs"}, names), in.list("list", site{args.at, 1, "files"}, names)}
		return in.list("iterator", args.at, in.container("tuple", site{args.at, 0, "row"}, nil, row, true)), true
	}
	return nil, false
}

// someDir stands for a directory of which nothing is known.
const someDir = "?"

// namesIn are names that were found in a directory.
func namesIn(v code.Value, dir string) (out code.Value) {
	for _, s := range v {
		parts := slices.Clone(s.Word.Parts)
		for i := range parts {
			if p := &parts[i]; p.Match != "" {
				p.Text = dir + p.Match
			}
		}
		out = append(out, code.OfWord(s.Type, policy.Word{Parts: parts})...)
	}
	return out
}

// whereFound is a path whose names are known by patterns only where they were found: to read
// a file it has to be there, but what is written may be new. In another directory such a name
// is one of which its ending alone is known.
func (in *reader) whereFound(w policy.Word, creates bool) policy.Word {
	path, cloned := "", false
	for i, p := range w.Parts {
		if p.Kind != policy.Hole || p.Match == "" {
			path += p.Text
			continue
		}
		path += p.Match
		if p.Text == p.Match || !strings.HasSuffix(p.Text, p.Match) {
			continue
		}
		if !cloned {
			w.Parts, cloned = slices.Clone(w.Parts), true
		}
		if w.Parts[i].Text = p.Match; creates && !isThere(in.near(path), in.near(p.Text), p.Match) {
			end := p.Match[strings.LastIndexAny(p.Match, "*?]")+1:]
			w.Parts[i] = policy.Part{Kind: policy.Hole, Text: strings.TrimSuffix(p.Match, end)}
			if end != "" {
				w.Parts = slices.Insert(w.Parts, i+1, policy.Part{Text: end})
				return in.whereFound(w, creates)
			}
		}
	}
	return w
}

// near is a path as it is seen from the directory in which the text starts.
func (in *reader) near(path string) string {
	if len(in.moved) == 0 && in.text.Dir != "" {
		path = strings.TrimPrefix(path, strings.TrimSuffix(in.text.Dir, "/")+"/")
	}
	return strings.TrimPrefix(path, "./")
}

// isThere reports whether a path leads to where a name was found that it ends in.
func isThere(path, found, name string) bool {
	dir, below := strings.CutSuffix(strings.TrimSuffix(found, name), "**/")
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == name || below && strings.IndexAny(rest, "*?[") <= strings.IndexByte(rest, '/') && strings.HasSuffix(rest, "/"+name))
}

// matches is a path that matches a pattern in a directory. Where hidden files match, too,
// there are others beside: of names that begin with a dot, or lie below such a directory.
func matches(kind, dir, pattern string, hidden bool) (v code.Value, ok bool) {
	if pattern == "" || strings.ContainsAny(pattern, "{}()|\\!+@~\n\x00") || strings.ContainsAny(dir, "*?[{}()|\\!+@~\n\x00") || !isPrintable(dir+pattern) {
		return nil, false
	}
	elements := strings.Split(pattern, "/")
	if dir != "" && elements[0] == "" {
		return nil, false
	}
	wild, below := 0, false
	for i, e := range elements {
		switch {
		case e == "" && i > 0, e == "..", e == "**" && below:
			return nil, false
		case e == "**":
			below = true
		case strings.Contains(e, "**"):
			return nil, false
		case strings.ContainsAny(e, "*?["):
			wild++
		}
	}
	last := len(elements) - 1
	switch {
	case wild > 2, below && (elements[last] == "**" || strings.IndexByte(pattern, '*') != strings.Index(pattern, "**")):
		return nil, false
	case wild == 0 && !below:
		return nil, false
	}
	add := func(elements []string) {
		text := strings.Join(elements, "/")
		if dir != "" && dir != "." {
			text = strings.TrimSuffix(dir, "/") + "/" + text
		}
		v = append(v, code.OfWord(kind, patternWord(text))...)
	}
	add(elements)
	if below { // which may be no directory at all
		at := slices.Index(elements, "**")
		if rest := slices.Delete(slices.Clone(elements), at, at+1); strings.ContainsAny(rest[len(rest)-1], "*?[") {
			add(rest)
		}
	}
	if !hidden {
		return v, true
	}
	if below {
		at := slices.Index(elements, "**")
		add(append(elements[:at:at], "**", ".*", "**", elements[last]))
		return v, true
	}
	for set := 1; set < 1<<len(elements) && len(elements) < 8; set++ {
		variant := make([]string, len(elements))
		fits := true
		for i, e := range elements {
			variant[i] = e
			if set&(1<<i) != 0 {
				fits = fits && strings.IndexByte("*?[", e[0]) >= 0
				variant[i] = "." + strings.TrimLeft(e, "?")
				if e[0] != '*' {
					variant[i] = ".*"
				}
			}
		}
		if fits {
			add(variant)
		}
	}
	return v, len(elements) < 8
}

// asGlob is a path that was found, as a shell is told to find it.
func asGlob(w policy.Word) policy.Word {
	w.Parts = slices.Clone(w.Parts)
	for i, p := range w.Parts {
		if p.Match != "" {
			w.Parts[i] = policy.Part{Kind: policy.Glob, Text: p.Match}
		}
	}
	return w
}

// patternWord is a path that matches a pattern: what stands around the wildcards is known. What
// matches these is called as what was looked for (whereFound).
func patternWord(text string) policy.Word {
	from, to := strings.IndexAny(text, "*?["), strings.LastIndexAny(text, "*?]")+1
	if from > 0 && text[from-1] == '.' { // of a name that begins with a dot the dot is the pattern's
		from--
	}
	var parts []policy.Part
	if from > 0 {
		parts = append(parts, policy.Part{Text: text[:from]})
	}
	parts = append(parts, policy.Part{Kind: policy.Hole, Text: text[:to], Match: text[from:to]})
	if to < len(text) {
		parts = append(parts, policy.Part{Text: text[to:]})
	}
	return policy.Word{Parts: parts}
}

// looksFor notes a pattern of names of files that a call looks for.
func (s *sight) looksFor(c *python.Call) {
	name := ""
	switch f := c.Func.(type) {
	case *python.Name:
		name = f.ID
	case *python.Attribute:
		name = f.Attr
	}
	switch name {
	case "glob", "iglob", "rglob":
		if len(c.Args) > 0 {
			if text, is := c.Args[0].(*python.Constant); is && text.Kind == python.Str {
				if at := strings.IndexAny(text.Text, "*?["); at >= 0 {
					s.globs = append(s.globs, glob{c, policy.Word{Parts: []policy.Part{{Text: text.Text[:at]}, {Kind: policy.Glob, Text: text.Text[at:]}}}})
				}
			}
		}
	}
}

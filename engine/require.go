package engine

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
)

// loads are the endings with which Node and its like look for a module's file.
var loads = [...]string{"", ".js", ".json", ".cjs", ".mjs", ".node", ".ts", ".mts", ".cts", ".tsx", ".jsx", ".wasm"}

// requires tells whose a module of JavaScript is, which a text in some directories
// asks for by a name: "./lib/a", "/tmp/a.js", "react", "@scope/name/sub".
func (j *judge) requires(name string, dirs []string) code.Origin {
	if len(dirs) == 0 || j.engine.opts.Files == nil {
		return code.Strange
	}
	origin := code.Installed
	for _, dir := range dirs {
		var one code.Origin
		switch first, _, _ := strings.Cut(name, "/"); {
		case path.IsAbs(name):
			one = j.requiresFile(path.Clean(name))
		case first == "." || first == "..":
			one = j.requiresFile(path.Join(dir, name))
		default:
			one = j.requiresPackage(name, j.follow(dir))
		}
		if one == code.Strange {
			return one
		}
		origin = max(origin, one)
	}
	return origin
}

// requiresFile tells whose a file or directory is that may stand for a module.
// Where nothing is, nobody knows what will be.
func (j *judge) requiresFile(file string) code.Origin {
	origin := code.Strange
	if strings.HasSuffix(file, ".json") {
		origin = code.Installed // data, if it is there
	}
	for _, ending := range loads {
		t := j.target(file+ending, false, true)
		if j.rewritten(t.path) != nil || j.rewritten(t.real) != nil {
			return code.Strange
		}
		if j.loadable(t) {
			if j.notProject(t) != "" || j.changesBelow(t.real) {
				return code.Strange
			}
			origin = code.Local
		}
	}
	return origin
}

// loadable reports whether something is there that may be loaded, and notes that it was
// looked for: what the line writes there may come first.
func (j *judge) loadable(t target) bool {
	if !j.exists(t.real) {
		j.missed(opened{path: t.real, at: len(j.wrote.list), absent: true})
		return false
	}
	j.opened = append(j.opened, opened{path: t.real, at: len(j.wrote.list), tree: true})
	return true
}

// requiresPackage tells whose a package is that is looked for in node_modules of a
// directory and those above it.
func (j *judge) requiresPackage(name, dir string) code.Origin {
	parts := strings.SplitN(name, "/", 3)
	pkg := parts[0]
	if strings.HasPrefix(pkg, "@") && len(parts) > 1 {
		pkg += "/" + parts[1]
	}
	for ; ; dir = path.Dir(dir) {
		found := false
		for _, ending := range loads {
			t := j.target(path.Join(dir, "node_modules", pkg)+ending, false, true)
			if j.rewritten(t.path) != nil || j.rewritten(t.real) != nil || j.changesBelow(t.real) {
				return code.Strange
			}
			if j.loadable(t) {
				found = true
				if j.notProject(t) != "" {
					return code.Strange
				}
			}
		}
		if found {
			return code.Local
		}
		if dir == "/" || dir == "." || path.Dir(dir) == dir {
			return code.Installed
		}
	}
}

// configured tells whose the files of some names are that configure what runs a text: in
// some directories, and above them too. Installed says that there are none.
func (j *judge) configured(dirs []string, above bool, names []string) code.Origin {
	if len(dirs) == 0 || j.engine.opts.Files == nil {
		return code.Strange
	}
	origin := code.Installed
	for _, dir := range dirs {
		for dir = j.follow(dir); ; dir = path.Dir(dir) {
			for _, name := range names {
				t := j.target(path.Join(dir, name), false, true)
				switch {
				case j.rewritten(t.path) != nil || j.rewritten(t.real) != nil:
					return code.Strange
				case !j.exists(t.real):
				case j.notProject(t) != "":
					return code.Strange
				default:
					origin = code.Local
				}
			}
			if !above || path.Dir(dir) == dir {
				break
			}
		}
	}
	return origin
}

// changesBelow reports whether the line changes something in a directory.
func (j *judge) changesBelow(dir string) bool {
	for i := range j.wrote.list {
		if w := &j.wrote.list[i]; w.path == "" || within(w.path, dir) {
			return true
		}
	}
	return false
}

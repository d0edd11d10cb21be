package engine

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/wire"
)

// loads are the endings with which Node and its like look for a module's file.
var loads = [...]string{"", ".js", ".json", ".cjs", ".mjs", ".node", ".ts", ".mts", ".cts", ".tsx", ".jsx", ".wasm"}

// required is what a name comes to that a text in JavaScript loads a module by.
type required struct {
	origin code.Origin
	runs   bool   // though its name ends in .json it may be code
	own    string // the directory of the project that has that name itself; "" for none
}

// strange is a module that may be anybody's.
var strange = required{origin: code.Strange}

// requires tells whose a module of JavaScript is, which a text in some directories
// asks for by a name: "./lib/a", "/tmp/a.js", "react", "@scope/name/sub".
func (j *judge) requires(name string, dirs []string) (all required) {
	if len(dirs) == 0 || j.engine.opts.Files == nil {
		return strange
	}
	for _, dir := range dirs {
		var one required
		switch first, _, _ := strings.Cut(name, "/"); {
		case path.IsAbs(name):
			one = j.requiresFile(path.Clean(name))
		case first == "." || first == "..":
			one = j.requiresFile(path.Join(dir, name))
		default:
			one = j.requiresPackage(name, j.follow(dir))
		}
		if one.origin == code.Strange {
			return one
		}
		all = required{max(all.origin, one.origin), all.runs || one.runs, cmp.Or(all.own, one.own)}
	}
	return all
}

// requiresFile tells whose a file or directory is that may stand for a module.
// Where nothing is, nobody knows what will be.
func (j *judge) requiresFile(file string) (r required) {
	r.origin = code.Strange
	if strings.HasSuffix(file, ".json") {
		r.origin = code.Installed // data, if it is there
	}
	for _, ending := range loads {
		t := j.target(file+ending, false, true)
		if j.rewritten(t.path) != nil || j.rewritten(t.real) != nil {
			return strange
		}
		if !j.loadable(t) {
			continue
		}
		if j.notProject(t) != "" || j.changesBelow(t.real) || !j.entersProject(t.real) {
			return strange
		}
		r.origin = code.Local
		if ending == "" && !j.isDir(t.real) {
			break // which comes first
		}
		r.runs = true
	}
	return r
}

// entersProject reports whether all that a directory may stand for as a module is code of
// the project: what its package.json names as main, and its index. Of files it holds.
func (j *judge) entersProject(dir string) bool {
	if !j.isDir(dir) {
		return true
	}
	files := []string{path.Join(dir, "index")}
	pkg, err := j.packageAt(dir)
	switch {
	case err == nil:
		main, err := pkg.Get("main").Text()
		if !path.IsAbs(main) {
			main = path.Join(dir, main)
		}
		if err == nil {
			files = append(files, main, path.Join(main, "index"))
		}
	case !errors.Is(err, fs.ErrNotExist):
		return false
	}
	for _, file := range files {
		for _, ending := range loads {
			t := j.target(file+ending, false, true)
			if j.rewritten(t.path) != nil || j.rewritten(t.real) != nil || j.loadable(t) && j.notProject(t) != "" {
				return false
			}
		}
	}
	return true
}

// packageAt reads package.json of a directory.
func (j *judge) packageAt(dir string) (wire.Object, error) {
	data, err := (&lineFiles{j: j}).ReadFile(path.Join(dir, "package.json"), maxPackage)
	if err != nil {
		return nil, err
	}
	v, err := wire.Parse(data)
	if err != nil {
		return nil, err
	}
	return v.Object()
}

// maxPackage bounds a package.json that is read, in bytes.
const maxPackage = 1 << 20

// exportsData reports whether a package leads the name of a file of JSON to that file, if
// it leads names anywhere.
func exportsData(pkg wire.Object, file string) bool {
	exports := pkg.Get("exports")
	if exports.Kind() == "nothing" {
		return true
	}
	table, err := exports.Object()
	if err != nil {
		return false
	}
	to, err := table.Get("./" + file).Text()
	return err == nil && to == "./"+file
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
// directory and those above it. Before that it may be the package of the directory itself,
// by the name in its package.json.
func (j *judge) requiresPackage(name, dir string) required {
	parts := strings.SplitN(name, "/", 3)
	pkg, below := parts[0], 1
	if strings.HasPrefix(pkg, "@") && len(parts) > 1 {
		pkg += "/" + parts[1]
		below = 2
	}
	file := strings.Join(parts[min(below, len(parts)):], "/")
	for up := dir; ; up = path.Dir(up) {
		t := j.target(path.Join(up, "package.json"), false, true)
		w := j.rewritten(t.real)
		if w != nil && !(w.known && w.path == t.real) {
			return strange // it may have that name by now
		}
		if w != nil || j.loadable(t) {
			if r, is := j.requiresOwn(t, pkg, file); is {
				return r
			}
			break // none above it counts
		}
		if path.Dir(up) == up {
			break
		}
	}
	for ; ; dir = path.Dir(dir) {
		r, found := required{}, false
		for _, ending := range loads {
			t := j.target(path.Join(dir, "node_modules", pkg)+ending, false, true)
			if j.rewritten(t.path) != nil || j.rewritten(t.real) != nil || j.changesBelow(t.real) {
				return strange
			}
			if !j.loadable(t) {
				continue
			}
			found = true
			if j.notProject(t) != "" || !j.entersProject(t.real) {
				return strange
			}
			if file != "" && ending == "" {
				own, err := j.packageAt(t.real)
				data := j.target(path.Join(t.real, file), false, true)
				r.runs = err != nil || !exportsData(own, file) || !j.exists(data.real) || j.isDir(data.real)
			}
		}
		if found {
			r.origin = code.Local
			return r
		}
		if path.Dir(dir) == dir {
			return required{}
		}
	}
}

// requiresOwn tells whose a package is that a directory's package.json names and leads
// elsewhere; is reports whether it does.
func (j *judge) requiresOwn(t target, pkg, file string) (r required, is bool) {
	dir := path.Dir(t.real)
	own, err := j.packageAt(dir)
	if err != nil {
		return strange, true
	}
	if name, err := own.Get("name").Text(); err != nil || name != pkg || own.Get("exports").Kind() == "nothing" {
		return required{}, false
	}
	if exportsData(own, file) {
		return required{origin: code.Local}, true
	}
	if j.notProject(t) != "" || j.changesBelow(dir) {
		return strange, true
	}
	return required{code.Local, true, dir}, true
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

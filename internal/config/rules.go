package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

// Rules is the rule files of one directory.
type Rules struct {
	Dir     string
	Layer   ruleset.Layer // User, too, of a project that is trusted
	Project string        // the directory of the project that has them, or ""
	Trust   Trust         // of a project's
	Files   []ruleset.Compiled

	texts  []text
	unread []Fault
}

// UserRules loads the user's rule files. Known is called if there is one.
func (s *Setup) UserRules(known func() ruleset.Known) *Rules {
	return load(s.Places.Below(User, "rules"), ruleset.User, s.kept, known)
}

// ManagedRules loads the administrator's.
func (s *Setup) ManagedRules(known func() ruleset.Known) *Rules {
	return load(s.Places.Below(Managed, "rules"), ruleset.Managed, nil, known)
}

// Whole returns the rules of the files with nothing wrong; nil if there are
// none.
func (r *Rules) Whole() *interp.Rules { return r.gather(false) }

// Left returns what is left of the files with faults, which only tightens; nil
// if that is nothing.
func (r *Rules) Left() *interp.Rules { return r.gather(true) }

func (r *Rules) gather(broken bool) *interp.Rules {
	var gates []*match.Gate
	for i := range r.Files {
		if f := &r.Files[i]; f.Gate != nil && (f.Faults != nil) == broken {
			gates = append(gates, f.Gate)
		}
	}
	if gates == nil {
		return nil
	}
	return interp.New(gates)
}

// Unread lists the files that could not be read.
func (r *Rules) Unread() []Fault { return r.unread }

// Faults lists what is wrong with the files.
func (r *Rules) Faults() []Fault {
	list := r.unread
	for i := range r.Files {
		for _, fault := range r.Files[i].Faults {
			list = append(list[:len(list):len(list)], Fault{fault.Errors, fault.Scope})
		}
	}
	return list
}

// load reads and compiles the rule files of a directory, which need not exist.
func load(dir string, layer ruleset.Layer, kept *Kept, known func() ruleset.Known) *Rules {
	texts, faults := readDir(dir)
	return compile(dir, layer, texts, faults, kept, known)
}

// AsOwn compiles a project's files as if they were the user's.
func (r *Rules) AsOwn(known func() ruleset.Known) *Rules {
	return compile(r.Dir, ruleset.User, r.texts, nil, nil, known)
}

// Of compiles files that were loaded one by one.
func Of(layer ruleset.Layer, files []*ruleset.File, known ruleset.Known) *Rules {
	return &Rules{Layer: layer, Files: ruleset.CompileEach(files, known)}
}

// compile compiles files, unless it is kept what they come to.
func compile(dir string, layer ruleset.Layer, texts []text, faults []Fault, kept *Kept, known func() ruleset.Known) *Rules {
	r := &Rules{Dir: dir, Layer: layer, texts: texts, unread: faults}
	if len(texts) == 0 {
		return r
	}
	name := ""
	if kept != nil {
		name = kept.name(layer, texts)
		if r.Files = kept.read(name, layer, texts); r.Files != nil {
			return r
		}
	}
	var files []*ruleset.File
	for _, t := range texts {
		files = append(files, ruleset.Load(t.path, t.bytes, layer))
	}
	r.Files = ruleset.CompileEach(files, known())
	if kept != nil && len(faults) == 0 {
		kept.write(name, r.Files)
	}
	return r
}

// text is what stands in a file.
type text struct {
	path  string
	bytes []byte
}

// readDir reads the rule files of a directory, in the order of their names.
// What can't be read is a fault that may be about everything.
func readDir(dir string) ([]text, []Fault) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	var faults []Fault
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		faults = append(faults, Fault{err, policy.Scope{All: true}})
	}
	var texts []text
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".toml" || entry.IsDir() {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		data, err := disk.OS{}.ReadFile(path, maxFile)
		if err != nil {
			faults = append(faults, Fault{err, policy.Scope{All: true}})
			continue
		}
		texts = append(texts, text{path, data})
	}
	return texts, faults
}

// profileFile is the file of a profile of the administrator's or the user's, or
// "".
func (s *Setup) profileFile(name string) string {
	if name == "" || strings.ContainsAny(name, "/\x00") {
		return ""
	}
	for _, layer := range [...]Layer{Managed, User} {
		path := s.Places.Below(layer, filepath.Join("profiles", name+".toml"))
		if path == "" {
			continue
		}
		if _, err := os.Lstat(path); err == nil {
			return path
		}
	}
	return ""
}

// Profiles loads the profiles of the administrator and the user. One of the
// user's with the name of one of the administrator's is left out.
func (s *Setup) Profiles(known func() ruleset.Known) *Rules {
	texts, faults := readDir(s.Places.Below(Managed, "profiles"))
	kept := s.kept
	if len(texts) > 0 {
		kept = nil
	}
	taken := map[string]bool{}
	for _, t := range texts {
		taken[filepath.Base(t.path)] = true
	}
	own, more := readDir(s.Places.Below(User, "profiles"))
	for _, t := range own {
		if !taken[filepath.Base(t.path)] {
			texts = append(texts, t)
		}
	}
	return compile(s.Places.Below(User, "profiles"), ruleset.OwnProfiles, texts, append(faults, more...), kept, known)
}

// Chain splits profiles into those that can hold and the faults of those that
// a profile is or extends and that can't.
func (r *Rules) Chain(name string) (profiles *interp.Rules, faults []Fault) {
	whole := &Rules{}
	extends := map[string]string{}
	broken := map[string]*ruleset.Compiled{}
	for i := range r.Files {
		f := &r.Files[i]
		if f.Profile != nil {
			extends[f.Base()] = f.Profile.Extends.Value
		}
		if f.Faults != nil {
			broken[f.Base()] = f
			continue
		}
		whole.Files = append(whole.Files, *f)
	}
	for seen := map[string]bool{}; name != "" && !seen[name]; name = extends[name] {
		seen[name] = true
		if f := broken[name]; f != nil {
			faults = append(faults, Fault{f.Err(), policy.Scope{All: true}})
		}
	}
	return whole.Whole(), append(faults, r.unread...)
}

// Outside returns the directories that do not lie in a workspace, wherever
// links lead: whoever works there could put any program into the others.
func Outside(dirs []string, workspace string) []string {
	var out []string
	for _, dir := range dirs {
		if workspace == "" || !lies(dir, workspace) && !lies(realPath(dir), realPath(workspace)) {
			out = append(out, dir)
		}
	}
	return out
}

// Inside lists the directories of programs and of packs that do not count because
// they lie in a workspace.
func (s *Setup) Inside(workspace string) []*ruleset.Error {
	var list []*ruleset.Error
	for _, dir := range s.packsDirs {
		if len(Outside([]string{dir.path}, workspace)) == 0 {
			list = append(list, dir.inside)
		}
	}
	for _, f := range s.Files {
		dirs := f.config.ProgramDirs
		p := parser{File: f, home: s.Places.Getenv("HOME"), lines: []string{""}} // what is wrong was told
		for _, t := range f.w.ProgramDirs {
			if dir := p.path("program_dirs", t); dir != "" && slices.Contains(dirs, dir) && len(Outside([]string{dir}, workspace)) == 0 {
				list = append(list, p.mistake(t.At, "", "%s lies in the workspace, where any program could be put there, and does not count", dir))
			}
		}
	}
	return list
}

// writableByAll says why anybody could put a file into a directory, or "".
// Whoever may write to a directory above can put another in its place, unless
// that one is for everybody to leave things in.
func writableByAll(dir string) string {
	if real := realPath(dir); real != filepath.Clean(dir) {
		if why := writableByAll(real); why != "" {
			return why
		}
	}
	for up, below := dir, ""; ; up, below = filepath.Dir(up), up {
		info, err := os.Stat(up)
		if err == nil && system.Perm(up, info)&0o002 != 0 && (below == "" || info.Mode()&fs.ModeSticky == 0) {
			return up + " is writable by all"
		}
		if up == filepath.Dir(up) {
			return ""
		}
	}
}

package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// packsDir is a directory of packs.
type packsDir struct {
	path   string
	layer  Layer          // of the file that names it
	inside *ruleset.Error // what is wrong with it where it lies in the workspace
}

// packsDirs reads the directories of packs that a file names, which count for
// itself, and for the files of later layers.
func (p *parser) packsDirs() {
	for _, t := range p.w.PacksDir {
		for _, dir := range p.dirs("packs_dir", []ruleset.Text{t}) {
			p.setup.packsDirs = append(p.setup.packsDirs, packsDir{dir, p.Layer,
				p.mistake(t.At, "", "%s lies in the workspace, where anybody who works there could change its packs, and does not count", dir)})
			p.config.PacksDir = append(p.config.PacksDir, dir)
		}
	}
}

// packs reads the names of packs.
func (p *parser) packs() {
	p.key = "packs"
	for _, t := range p.w.Packs {
		if what, hint := p.setup.NoPack(t.Value); what != "" {
			p.fail(t, what, hint)
			continue
		}
		p.config.Packs = append(p.config.Packs, t.Value)
	}
}

// NoPack says that there is no pack of a name, and which there are; "" where there
// is one.
func (s *Setup) NoPack(name string) (what, hint string) {
	builtIn := s.names.Packs
	if builtIn == nil || slices.Contains(builtIn, name) || len(s.PackFiles(name)) > 0 {
		return "", ""
	}
	names, missing := s.PackNames()
	what = "no rule pack is called " + policy.Quote(name)
	if len(missing) > 0 {
		what += ", and " + missing[0].Error()
	}
	names = append(slices.Clone(builtIn), names...)
	if hint := ruleset.Alike(name, names); hint != "" {
		return what, hint
	}
	return what, "one of " + strings.Join(names, ", ")
}

// PackFiles lists the files that hold a pack of a name, in the directories of
// packs.
func (s *Setup) PackFiles(name string) (paths []string) {
	if !packName(name) {
		return nil
	}
	for _, dir := range s.packsDirs {
		path := filepath.Join(dir.path, name+".toml")
		if _, err := os.Lstat(path); err == nil && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// packName reports whether a pack may be called so: letters, digits and . _ -, which
// mean nothing to the shells that complete it.
func packName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r))
	})
}

// PackNames lists the packs that lie in the directories of packs, in their
// order, and why directories can't be read.
func (s *Setup) PackNames() (names []string, missing []error) {
	for _, dir := range s.packsDirs {
		entries, err := os.ReadDir(dir.path)
		if err != nil {
			missing = append(missing, err)
		}
		for _, entry := range entries {
			if name, ok := strings.CutSuffix(entry.Name(), ".toml"); ok && packName(name) && !entry.IsDir() && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, missing
}

// SharedPacks loads the packs with these names that lie in directories of packs,
// and returns the names that are left: the built-in ones, and those of none.
// Nothing is read where all are built in. A directory in the workspace does not
// count, which is a fault where it has one of the packs; two packs of one name
// are another, and both count.
func (s *Setup) SharedPacks(names []string, workspace string, known func() ruleset.Known) (packs *Rules, left []string) {
	packs, known = &Rules{Layer: ruleset.Shared}, sync.OnceValue(known)
	fault := func(err *ruleset.Error) {
		packs.unread = append(packs.unread, Fault{ruleset.Errors{err}, policy.Scope{All: true}})
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		builtIn := slices.Contains(s.names.Packs, name)
		first, lost := "", false
		for _, path := range s.PackFiles(name) {
			dir := s.packsDirs[slices.IndexFunc(s.packsDirs, func(d packsDir) bool { return d.path == filepath.Dir(path) })]
			switch {
			case builtIn:
				fault(&ruleset.Error{File: path, At: ruleset.Span{Line: 1, Col: 1}, Msg: "a built-in pack is called " + policy.Quote(name), Hint: "give the file another name"})
				continue
			case len(Outside([]string{dir.path}, workspace)) == 0:
				fault(dir.inside)
				lost = true
				continue
			case first != "":
				fault(&ruleset.Error{File: path, At: ruleset.Span{Line: 1, Col: 1}, Msg: fmt.Sprintf("there are two packs %s: the other is %s", policy.Quote(name), first), Hint: "give one another name"})
			}
			first = path
			data, err := disk.OS{}.ReadFile(path, maxFile)
			if err != nil {
				packs.unread = append(packs.unread, Fault{err, policy.Scope{All: true}})
				continue
			}
			kept := s.kept
			if dir.layer == Managed {
				kept = nil
			}
			// Each is compiled by itself: packs know nothing of each other.
			packs.Files = append(packs.Files, compile(dir.path, ruleset.Shared, []text{{path, data}}, nil, kept, known).Files...)
		}
		if first == "" && !lost {
			left = append(left, name)
		}
	}
	return packs, left
}

// InPacksDir reports whether a file lies in a directory of packs.
func (s *Setup) InPacksDir(path string) bool {
	return slices.ContainsFunc(s.packsDirs, func(d packsDir) bool { return d.path == filepath.Dir(path) })
}

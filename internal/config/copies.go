package config

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/disk"
)

// What was trusted is kept, so that it can be told how files have changed since:
//
//	trusted.jsonl
//	trusted/HASH/NAME.toml    HASH as in the line, without "sha256:"
//
// Nothing is trusted because of a copy.

// RuleFile is what stands in a rule file.
type RuleFile struct {
	Name string // without a directory: "a.toml"
	Text string
}

// copies is the directory with what was trusted of a project, or "" where the
// line has no hash that could be one's name.
func (t *Trusted) copies(p *TrustedProject) string {
	digits, ok := strings.CutPrefix(p.Hash, "sha256:")
	if sum, err := hex.DecodeString(digits); !ok || err != nil || len(sum) != 32 {
		return ""
	}
	return filepath.Join(filepath.Dir(t.Path), "trusted", digits)
}

// keep writes the copies, for nobody else to read.
func (t *Trusted) keep(p *TrustedProject, texts []text) error {
	dir := t.copies(p)
	if dir == "" || t.Path == "" {
		return nil // write says what is wrong
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, text := range texts {
		path := filepath.Join(dir, filepath.Base(text.path))
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			return err // another's, or a link that leads elsewhere
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		_, err = f.Write(text.bytes)
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// forget removes the copies of projects, but those that a line still speaks of.
func (t *Trusted) forget(old []TrustedProject) error {
	for i := range old {
		dir := t.copies(&old[i])
		if dir == "" || slices.ContainsFunc(t.Lines, func(p TrustedProject) bool { return p.Hash == old[i].Hash }) {
			continue
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	return nil
}

// Of returns what was trusted of a directory last; nil where that is nothing.
func (t *Trusted) Of(dir string) *TrustedProject {
	dir = realPath(dir)
	for i := len(t.Lines) - 1; i >= 0; i-- {
		if t.Lines[i].Dir == dir {
			return &t.Lines[i]
		}
	}
	return nil
}

// Was returns the files of a project as they were trusted, in the order of their
// names. It reports false where the copies are not there, or not what was
// trusted.
func (t *Trusted) Was(p *TrustedProject) (files []RuleFile, ok bool) {
	dir := t.copies(p)
	if dir == "" {
		return nil, false
	}
	var texts []text
	for _, name := range p.Files {
		if name != filepath.Base(name) {
			return nil, false
		}
		path := filepath.Join(dir, name)
		data, err := disk.OS{}.ReadFile(path, maxFile)
		if err != nil {
			return nil, false
		}
		texts = append(texts, text{path, data})
		files = append(files, RuleFile{name, string(data)})
	}
	return files, hash(p.Dir, texts) == p.Hash
}

// Now returns the files of a project as they were loaded.
func (r *Rules) Now() (files []RuleFile) {
	for _, text := range r.texts {
		files = append(files, RuleFile{filepath.Base(text.path), string(text.bytes)})
	}
	return files
}

package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/internal/wire"
)

// Trust is whether a person trusts a project's rules.
type Trust uint8

// The answers.
const (
	Untrusted Trust = iota
	Changed         // as they were, not as they are
	IsTrusted
)

// Trusted is what the user trusts: a file of lines of JSON. It may be missing.
type Trusted struct {
	Path  string // "" where the user has no directory
	Lines []TrustedProject
}

// TrustedProject is one line: the rule files of a directory as a person saw
// them.
type TrustedProject struct {
	Dir   string   // absolute, links followed; the one that holds .bashgate
	Hash  string   // of the directory's name and of its rule files' names and bytes
	Files []string // their names, for people
	At    string   // a time as RFC 3339 writes it
	By    string
}

// line is the project as it stands in the file:
//
//	{"dir":"/home/u/p","hash":"sha256:...","files":["a.toml"],"at":"2026-11-02T10:42:00Z","by":"u at a terminal"}
func (p *TrustedProject) line() []byte {
	b := append([]byte(`{"dir":`), wire.AppendText(nil, p.Dir)...)
	b = wire.AppendText(append(b, `,"hash":`...), p.Hash)
	b = append(b, `,"files":[`...)
	for i, name := range p.Files {
		if i > 0 {
			b = append(b, ',')
		}
		b = wire.AppendText(b, name)
	}
	b = wire.AppendText(append(b, `],"at":`...), p.At)
	b = wire.AppendText(append(b, `,"by":`...), p.By)
	return append(b, "}\n"...)
}

func readTrusted(line []byte) (p TrustedProject, err error) {
	v, err := wire.Parse(line)
	if err != nil {
		return p, err
	}
	o, err := v.Object()
	if err != nil {
		return p, err
	}
	for _, field := range [...]struct {
		key string
		to  *string
	}{{"dir", &p.Dir}, {"hash", &p.Hash}, {"at", &p.At}, {"by", &p.By}} {
		if *field.to, err = o.Get(field.key).Text(); err != nil {
			return p, err
		}
	}
	p.Files, err = o.Get("files").Texts()
	return p, err
}

// Trusted reads what the user trusts. A line that can't be understood trusts
// nothing, and neither does a file that others may write.
func (s *Setup) Trusted() *Trusted {
	if s.trusted != nil {
		return s.trusted
	}
	t := &Trusted{Path: s.Places.Below(User, "trusted.jsonl")}
	s.trusted = t
	if t.Path == "" {
		return t
	}
	if info, err := os.Stat(t.Path); err != nil || system.Perm(t.Path, info)&0o022 != 0 {
		return t
	}
	text, err := disk.OS{}.ReadFile(t.Path, maxFile)
	if err != nil {
		return t
	}
	for line := range bytes.Lines(text) {
		if p, err := readTrusted(line); err == nil && filepath.IsAbs(p.Dir) {
			t.Lines = append(t.Lines, p)
		}
	}
	return t
}

// Trusts tells whether the rule files of a project are those that are trusted;
// Untrusted also where it has none.
func (s *Setup) Trusts(dir string) Trust {
	texts, faults := readDir(filepath.Join(dir, ".bashgate", "rules"))
	if len(texts) == 0 || len(faults) > 0 {
		return Untrusted
	}
	return s.Trusted().says(dir, texts)
}

// says tells whether rule files are those that are trusted of a directory.
func (t *Trusted) says(dir string, texts []text) Trust {
	dir = realPath(dir)
	for i := len(t.Lines) - 1; i >= 0; i-- {
		switch line := &t.Lines[i]; {
		case line.Dir != dir:
		case line.Hash == hash(dir, texts):
			return IsTrusted
		default:
			return Changed
		}
	}
	return Untrusted
}

// hash is that of a directory's rule files. Each part stands behind its length,
// so that no two lists of files have the same text.
func hash(dir string, texts []text) string {
	h := sha256.New()
	add := func(part []byte) {
		h.Write([]byte(strconv.Itoa(len(part)) + ":"))
		h.Write(part)
	}
	add([]byte(dir))
	for _, t := range texts {
		add([]byte(filepath.Base(t.path)))
		add(t.bytes)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// realPath follows a directory's links as far as it exists.
func realPath(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return filepath.Clean(dir)
}

// Add trusts rule files as they were loaded.
func (t *Trusted) Add(r *Rules, by string, at time.Time) error {
	p := TrustedProject{Dir: realPath(r.Project), At: at.UTC().Format(time.RFC3339), By: by}
	p.Hash = hash(p.Dir, r.texts)
	for _, text := range r.texts {
		p.Files = append(p.Files, filepath.Base(text.path))
	}
	old := t.drop(p.Dir)
	t.Lines = append(t.Lines, p)
	if err := t.keep(&p, r.texts); err != nil {
		return err
	}
	if err := t.write(); err != nil {
		return err
	}
	return t.forget(old)
}

// Revoke trusts a directory no more. It reports whether it was trusted.
func (t *Trusted) Revoke(dir string) (bool, error) {
	old := t.drop(realPath(dir))
	if len(old) == 0 {
		return false, nil
	}
	if err := t.write(); err != nil {
		return false, err
	}
	return true, t.forget(old)
}

// drop takes out the lines of a directory and returns them.
func (t *Trusted) drop(dir string) (dropped []TrustedProject) {
	var kept []TrustedProject
	for _, line := range t.Lines {
		if line.Dir == dir {
			dropped = append(dropped, line)
		} else {
			kept = append(kept, line)
		}
	}
	t.Lines = kept
	return dropped
}

// write replaces the file by another: whoever reads sees the old one or the new
// one.
func (t *Trusted) write() error {
	if t.Path == "" {
		return errors.New("neither XDG_CONFIG_HOME nor HOME names a directory for it")
	}
	dir := filepath.Dir(t.Path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	var text bytes.Buffer
	for i := range t.Lines {
		text.Write(t.Lines[i].line())
	}
	fresh, err := os.CreateTemp(dir, ".trusted-*") // for nobody else to read
	if err != nil {
		return err
	}
	_, err = fresh.Write(text.Bytes())
	if closeErr := fresh.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = system.Replace(fresh.Name(), t.Path)
	}
	if err != nil {
		os.Remove(fresh.Name())
	}
	return err
}

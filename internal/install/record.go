package install

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/bashgate/bashgate/internal/edit"
)

// Store is the directory of the records, installs/ in the state directory.
type Store struct{ Dir string }

// Record is what install found in a file, and what it left there.
type Record struct {
	Path    string // the file, without links
	Host    string // the agent that it was written for
	Existed bool   // before bashgate
	Before  []byte // its text then
	BeforeHash,
	AfterHash string // SHA-256 of the text before, and of the one that install left
	Made []string // directories that were made for it, the innermost first
}

// name is where the record of a file is.
func (s Store) name(path string) string {
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(s.Dir, hex.EncodeToString(sum[:16])+".json")
}

// Find returns the record of a file, or nil if there is none. It is an error
// if it can't be read.
func (s Store) Find(path string) (*Record, error) {
	path = edit.Target(path)
	name := s.name(path)
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := new(Record)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if r.Path != path || r.BeforeHash != hash(r.Before) {
		return nil, fmt.Errorf("%s: this is no record of %s", name, path)
	}
	return r, nil
}

func (s Store) save(r *Record) error {
	if _, err := edit.MakeDirs(s.Dir, 0o700); err != nil {
		return err
	}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return edit.Replace(s.name(r.Path), append(data, '\n'), 0o600)
}

func (s Store) forget(path string) error {
	err := os.Remove(s.name(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

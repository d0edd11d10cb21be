package serve

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/system"
)

// below is a directory that a container has at the same path. Of the rest of the
// container's disk nothing is known: nothing is read here that lies elsewhere, nor
// what a link names there.
type below struct {
	dir  string // absolute and clean
	root *os.Root
}

var errElsewhere = errors.New("it lies on another machine")

func openBelow(dir string) (*below, error) {
	root, err := os.OpenRoot(dir)
	return &below{dir, root}, err
}

// in returns a path as it is seen from the directory.
func (b *below) in(path string) (string, error) {
	rel, err := filepath.Rel(b.dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s: %w", path, errElsewhere)
	}
	return rel, nil
}

// Lstat implements policy.Files.
func (b *below) Lstat(path string) (fs.FileInfo, error) {
	rel, err := b.in(path)
	if err != nil {
		return nil, err
	}
	return b.root.Lstat(rel)
}

// Readlink implements policy.Files.
func (b *below) Readlink(path string) (string, error) {
	rel, err := b.in(path)
	if err != nil {
		return "", err
	}
	return b.root.Readlink(rel)
}

// ReadFile implements policy.Files.
func (b *below) ReadFile(path string, limit int) ([]byte, error) {
	rel, err := b.in(path)
	if err != nil {
		return nil, err
	}
	f, err := b.root.OpenFile(rel, os.O_RDONLY|system.NoWait, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", path)
	}
	data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err == nil && len(data) > limit {
		return data[:limit], fmt.Errorf("%s is larger than %d bytes", path, limit)
	}
	return data, err
}

// ReadDir implements policy.Files.
func (b *below) ReadDir(path string, limit int) ([]string, error) {
	rel, err := b.in(path)
	if err != nil {
		return nil, err
	}
	// A pipe in the place of a directory would be waited for.
	f, err := b.root.OpenFile(rel, os.O_RDONLY|system.Directory|system.NoWait, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(limit + 1)
	switch {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, err
	case len(names) > limit:
		return nil, fmt.Errorf("%s holds more than %d files", path, limit)
	}
	slices.SortFunc(names, strings.Compare)
	return names, nil
}

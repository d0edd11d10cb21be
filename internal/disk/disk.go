// Package disk gives the engine its view of files: OS is the real disk,
// Memory a tree in memory for tests and measurements. Both answer the same
// questions in the same way.
package disk

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"sort"

	"github.com/bashgate/bashgate/internal/system"
)

// OS is the real disk. The zero value is ready.
type OS struct{}

// Lstat implements policy.Files.
func (OS) Lstat(path string) (fs.FileInfo, error) {
	path = system.Native(path)
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	return system.Described(path, info), nil
}

// Readlink implements policy.Files.
func (OS) Readlink(path string) (string, error) {
	to, err := os.Readlink(system.Native(path))
	return system.Slash(to), err
}

// ReadFile implements policy.Files. What is not a regular file is an error:
// reading a pipe could wait for ever, and a hook that is late decides nothing.
func (OS) ReadFile(path string, limit int) ([]byte, error) {
	// Opening a pipe without a writer waits too, unless told not to.
	f, err := system.OpenFile(system.Native(path), os.O_RDONLY|system.NoWait, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, notRegular(path)
	}
	// The size is only a hint: the file may grow while it is read.
	data := make([]byte, 0, min(int(info.Size()), limit)+1)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case len(data) > limit:
			return data[:limit], tooLarge(path, limit)
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		case len(data) == cap(data):
			data = append(data, 0)[:len(data)]
		}
	}
}

// openDir opens a directory and nothing else: a pipe in its place, which "cat p/*"
// names as one, would be waited for.
func openDir(path string) (*os.File, error) {
	return system.OpenFile(system.Native(path), os.O_RDONLY|system.Directory|system.NoWait, 0)
}

// ReadDir implements policy.Files.
func (OS) ReadDir(path string, limit int) ([]string, error) {
	f, err := openDir(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(limit + 1)
	switch {
	case err == io.EOF:
		return nil, nil
	case err != nil:
		return nil, err
	case len(names) > limit:
		return nil, tooMany(path, limit)
	}
	sort.Strings(names)
	return names, nil
}

// List implements policy.Lister.
func (OS) List(path string, limit int) ([]fs.DirEntry, error) {
	f, err := openDir(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(limit + 1)
	switch {
	case err == io.EOF:
		return nil, nil
	case err != nil:
		return nil, err
	case len(entries) > limit:
		return nil, tooMany(path, limit)
	}
	return entries, nil
}

func notRegular(path string) error {
	return fmt.Errorf("%s: not a regular file", path)
}

func tooLarge(path string, limit int) error {
	return fmt.Errorf("%s: larger than %d bytes", path, limit)
}

func tooMany(path string, limit int) error {
	return fmt.Errorf("%s: more than %d names", path, limit)
}

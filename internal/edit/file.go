package edit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/bashgate/bashgate/internal/system"
)

// Target is the file that a path stands for: where links lead, of the file and
// of the directories that it is in, as far as they are there. A link to nothing
// leads where it points.
func Target(path string) string {
	for range 40 { // as many links as Linux follows
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return real
		}
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(Target(dir), filepath.Base(path))
	}
	return path
}

// Replace writes a file so that nobody sees half of it. A link stays one, and a
// file keeps its mode and its owner; one that is made has the mode given.
// Directories are not made.
func Replace(path string, text []byte, mode fs.FileMode) error {
	path = Target(path)
	owner := -1
	group := -1
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return &fs.PathError{Op: "write", Path: path, Err: errors.New("not a regular file")}
		}
		mode = info.Mode().Perm()
		if user, of, known := system.Owner(info); known && !system.Mine(path, info) {
			owner, group = int(user), int(of)
		}
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".bashgate-*")
	if err != nil {
		return err
	}
	_, err = temporary.Write(text)
	if err == nil && owner >= 0 {
		err = temporary.Chown(owner, group)
	}
	err = errors.Join(err, temporary.Chmod(mode), temporary.Close())
	if err == nil {
		err = system.Replace(temporary.Name(), path)
	}
	if err != nil {
		os.Remove(temporary.Name())
	}
	return err
}

// MakeDirs makes a directory and those above it that are missing, and returns
// what it has made, the innermost first.
func MakeDirs(dir string, mode fs.FileMode) (made []string, err error) {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); err == nil || filepath.Dir(d) == d {
			break
		}
		made = append(made, d)
	}
	return made, os.MkdirAll(dir, mode)
}

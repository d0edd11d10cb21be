package approval

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/bashgate/bashgate/internal/system"
)

// none is the error, unless it says that nothing is there.
func none(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// open looks at the directory: nobody else may write to it.
func (s Store) open(make bool) error {
	if make {
		if err := os.MkdirAll(s.Dir, dirMode); err != nil {
			return err
		}
	}
	info, err := os.Lstat(s.Dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is no directory: its answers don't count", s.Dir)
	}
	return owned(s.Dir, info)
}

// owned complains about what is another user's, or what others may read or write.
func owned(path string, info os.FileInfo) error {
	if !system.Mine(path, info) {
		return fmt.Errorf("%s is another user's, and does not count", path)
	}
	if mode := system.Perm(path, info); mode&0o077 != 0 {
		return fmt.Errorf("%s is open to others (%04o), and does not count", path, mode)
	}
	return nil
}

// read returns a file's text, and when it was written.
func (s Store) read(name string) ([]byte, time.Time, error) {
	path := filepath.Join(s.Dir, name)
	f, err := system.OpenFile(path, os.O_RDONLY|system.NoFollow|system.NoWait, 0)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no file, and does not count", path)
	}
	if err == nil {
		err = owned(path, info)
	}
	if err != nil {
		return nil, time.Time{}, err
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("%s is larger than %d MiB, and does not count", path, maxFile>>20)
	}
	return text, info.ModTime(), err
}

// write puts a file in the place of what was there: whoever reads sees the old one
// or the new one.
func (s Store) write(name string, text []byte) error {
	fresh, err := os.CreateTemp(s.Dir, ".answer-*") // for nobody else to read
	if err != nil {
		return err
	}
	_, err = fresh.Write(text)
	if closeErr := fresh.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = system.Replace(fresh.Name(), filepath.Join(s.Dir, name))
	}
	if err != nil {
		os.Remove(fresh.Name())
	}
	return err
}

package serve

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/bashgate/bashgate/internal/config"
)

// maxSettings is how much of a file of settings or rules is looked at, in bytes.
const maxSettings = 4 << 20

// program hashes the program that runs, once: the built-in rules are part of it.
type program struct {
	once sync.Once
	sum  []byte
}

func (p *program) hash() []byte {
	p.once.Do(func() {
		path, err := os.Executable()
		if _, missing := os.Stat("/proc/self/exe"); missing == nil {
			path, err = "/proc/self/exe", nil // the one that runs, whatever lies there now
		}
		h := sha256.New()
		if err == nil {
			err = put(h, path, 1<<30)
		}
		if err != nil {
			fmt.Fprint(h, err)
		}
		p.sum = h.Sum(nil)
	})
	return p.sum
}

// rules is a hash of what decides for all projects: the program, and the user's and
// the administrator's files as they are now. 32 hexadecimal digits.
func (s *Server) rules() string {
	h := sha256.New()
	h.Write(s.program.hash())
	for _, dir := range [...]string{s.Process.SystemDir, config.Dir(s.Process.Getenv)} {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			continue // there is none
		}
		filepath.WalkDir(real, func(path string, _ fs.DirEntry, err error) error {
			fmt.Fprintf(h, "%q %v\n", path, err)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				if err := put(h, path, maxSettings); err != nil {
					fmt.Fprintln(h, err)
				}
			}
			return nil
		})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// put hashes a file, up to a size.
func put(h io.Writer, path string, most int64) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(h, io.LimitReader(f, most))
	return err
}

package spawn

import (
	"fmt"
	"os"
)

// TempDir makes a directory on a disk, if there is one to be found. That of
// temporary files comes last: projects there are asked about, for anybody may
// have put them there.
func TempDir(name string) (string, error) {
	var parents []string
	if cache, err := os.UserCacheDir(); err == nil && os.MkdirAll(cache, 0o755) == nil {
		parents = append(parents, cache)
	}
	if here, err := os.Getwd(); err == nil {
		parents = append(parents, here)
	}
	parents = append(parents, os.TempDir())
	for _, parent := range parents {
		if inMemory(parent) {
			continue
		}
		if dir, err := os.MkdirTemp(parent, "bashgate-"+name+"-"); err == nil {
			return dir, nil
		}
	}
	fmt.Fprintln(os.Stderr, name+": no directory on a disk can be written: everything lies in memory, and hooks are faster than they are")
	return os.MkdirTemp("", "bashgate-"+name+"-")
}

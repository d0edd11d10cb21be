package settings

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// maxIndex is how large a repository's index may be, in bytes: that of a million
// files is.
const maxIndex = 128 << 20

// committed reports whether git may keep a workspace's local settings, so that they
// came with a clone and are nobody's own: the index of the repository around them
// names such a file. What can't be read may name it.
func committed(files policy.Files, workspace string) bool {
	for _, name := range [...]string{workspace + "/.claude", workspace + "/.claude/settings.local.json"} {
		if info, err := files.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return true // it lies in another repository, perhaps one within this one
		}
	}
	for dir := workspace + "/.claude"; ; dir = path.Dir(dir) {
		info, err := files.Lstat(dir + "/.git")
		if errors.Is(err, fs.ErrNotExist) {
			if dir == "/" {
				return false
			}
			continue
		}
		if err != nil {
			return true
		}
		own := dir + "/.git"
		if !info.IsDir() { // of a working tree beside the repository, or of a module
			text, err := files.ReadFile(own, maxSize)
			at, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
			if err != nil || !ok {
				return true
			}
			if own = at; !path.IsAbs(own) {
				own = path.Join(dir, at)
			}
		}
		index, err := files.ReadFile(own+"/index", maxIndex)
		if errors.Is(err, fs.ErrNotExist) && info.IsDir() {
			return false // nothing is kept yet
		}
		return err != nil || names(index)
	}
}

// names reports whether an index may name a file of local settings, wherever it
// lies: .claude may be a link. From version 4 on names are not written whole, and an
// index with a link extension has them elsewhere (gitformat-index).
func names(index []byte) bool {
	const header = "DIRC\x00\x00\x00"
	if len(index) <= len(header) || string(index[:len(header)]) != header || index[len(header)] > 3 {
		return true
	}
	return bytes.Contains(index, []byte("settings.local.json")) || bytes.Contains(index, []byte("link\x00"))
}

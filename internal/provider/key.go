package provider

import (
	"io/fs"
	"os"
	"strings"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/system"
)

// readKey reads a key that nobody but its owner can read; "" for no file.
func readKey(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	// The file itself, not what a link names: whoever can change a link in
	// another directory would choose the key.
	info, err := os.Stat(path)
	if err != nil {
		return "", failed("key", "the key file can't be read")
	}
	if problem := unsafe(path, info); problem != "" {
		return "", failed("key", "the key file %s", problem)
	}
	data, err := disk.OS{}.ReadFile(path, 8<<10)
	if err != nil {
		return "", failed("key", "the key file can't be read")
	}
	key := strings.TrimSpace(string(data))
	if key == "" || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", failed("key", "the key file does not hold one key")
	}
	return key, nil
}

// unsafe says what is wrong with a file that shall hold a secret; "" if
// nothing is.
func unsafe(path string, info fs.FileInfo) string {
	if system.Perm(path, info)&0o077 != 0 {
		return "can be read by others: chmod 600 it"
	}
	if !system.Mine(path, info) {
		return "belongs to somebody else"
	}
	return ""
}

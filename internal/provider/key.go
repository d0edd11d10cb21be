package provider

import (
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/bashgate/bashgate/internal/disk"
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
	if problem := unsafe(info); problem != "" {
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
func unsafe(info fs.FileInfo) string {
	if info.Mode().Perm()&0o077 != 0 {
		return "can be read by others: chmod 600 it"
	}
	if s, ok := info.Sys().(*syscall.Stat_t); ok && int(s.Uid) != os.Getuid() {
		return "belongs to somebody else"
	}
	return ""
}

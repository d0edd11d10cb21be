package system

import "os"

// IsProgram reports whether a path is a file that somebody may run. On Windows,
// whose files have no such bits, none is.
func IsProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

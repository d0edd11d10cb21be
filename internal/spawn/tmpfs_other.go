//go:build !linux

package spawn

// inMemory is for systems whose directories of temporary files are on a disk.
func inMemory(string) bool { return false }

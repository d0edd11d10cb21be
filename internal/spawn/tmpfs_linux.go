package spawn

import "syscall"

// inMemory reports whether a directory lies in memory: tmpfs or ramfs.
func inMemory(dir string) bool {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return false
	}
	return uint32(fs.Type) == 0x01021994 || uint32(fs.Type) == 0x858458f6
}

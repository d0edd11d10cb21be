//go:build unix

package system

import (
	"io/fs"
	"os"
	"syscall"
)

// Perm is who may do what with a file: the permission bits of its owner, of a group,
// and of everybody. info is what os.Lstat or os.Stat says of it.
func Perm(path string, info fs.FileInfo) fs.FileMode { return info.Mode().Perm() }

// Mine reports whether a file is this user's.
func Mine(path string, info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// Owner is whose file it is, by number; false where the system has no numbers.
func Owner(info fs.FileInfo) (user, group uint32, known bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return stat.Uid, stat.Gid, true
}

// Names is how many names an open or found file has; false where that is not known.
func Names(info fs.FileInfo) (n uint64, known bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return uint64(stat.Nlink), true
}

// Number is the number of an open file in its file system, its inode; 0 where it is
// not known.
func Number(f *os.File, info fs.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int64(stat.Ino)
	}
	return 0
}

// Writable says why this user can't write to a file or directory that is there; nil
// if he can.
func Writable(path string) error {
	const write = 2 // W_OK of access(2)
	return syscall.Access(path, write)
}

// Described is what os.Lstat says of a file, with the permission bits of Perm.
func Described(path string, info fs.FileInfo) fs.FileInfo { return info }

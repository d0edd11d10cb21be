//go:build darwin || freebsd

package system

import (
	"io/fs"
	"syscall"
	"time"
)

// ChangeTime is when a file's content, name or mode was last changed, which no
// program can set; false where the system does not say.
func ChangeTime(info fs.FileInfo) (time.Time, bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(int64(stat.Ctimespec.Sec), int64(stat.Ctimespec.Nsec)), true
}

package session

import (
	"io/fs"
	"syscall"
	"time"
)

// ChangeTime is when a file's content, name or mode was last changed.
func ChangeTime(info fs.FileInfo) (time.Time, bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(stat.Ctimespec.Sec, stat.Ctimespec.Nsec), true
}

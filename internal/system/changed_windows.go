package system

import (
	"io/fs"
	"time"
)

// ChangeTime is not known here: any program can set the times that a file shows.
func ChangeTime(fs.FileInfo) (time.Time, bool) { return time.Time{}, false }

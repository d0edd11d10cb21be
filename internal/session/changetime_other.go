//go:build !linux && !darwin

package session

import (
	"io/fs"
	"time"
)

// ChangeTime is not known here.
func ChangeTime(fs.FileInfo) (time.Time, bool) { return time.Time{}, false }

//go:build unix

package spawn

import (
	"runtime"
	"syscall"
)

// ResidentBytes is the largest resident set that usage tells of.
func ResidentBytes(usage *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss) // all others count in kilobytes
	}
	return int64(usage.Maxrss) << 10
}

//go:build unix

package system

import (
	"os"
	"syscall"
)

func lock(f *os.File, mode Mode) error {
	how := syscall.LOCK_SH
	if mode == Exclusive {
		how = syscall.LOCK_EX
	}
	err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if err == syscall.EWOULDBLOCK || err == syscall.EINTR {
		return ErrLocked
	}
	return err
}

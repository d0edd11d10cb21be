//go:build unix

package system

import (
	"os"
	"syscall"
	"unsafe"
)

// TerminalSize is how many characters a line of a terminal has, and how many lines
// there are; 0 where that is not known, or the file is none.
func TerminalSize(f *os.File) (columns, rows int) {
	var size struct{ rows, columns, x, y uint16 } // struct winsize of ioctl_tty(2)
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	if errno != 0 {
		return 0, 0
	}
	return int(size.columns), int(size.rows)
}

// Unbroken is a copy of a stream to which writing fails where nobody reads it. On
// standard output and standard error themselves that ends a Go program by a signal.
// It is the stream itself where there can be no copy.
func Unbroken(f *os.File) *os.File {
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return f
	}
	syscall.CloseOnExec(fd) // a child that lives on must not keep the reader waiting
	return os.NewFile(uintptr(fd), f.Name())
}

// Input makes a file the standard input of this process, for the program that it
// becomes.
func Input(path string) error {
	// The lowest number that is free is the next file's.
	if err := syscall.Close(0); err != nil {
		return err
	}
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
	if err == nil && fd != 0 {
		syscall.Close(fd)
		err = syscall.EBUSY
	}
	return err
}

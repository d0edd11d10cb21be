//go:build unix

package system

import (
	"os"
	"syscall"
)

// Flags of OpenFile beside those of package os.
const (
	NoFollow  = syscall.O_NOFOLLOW                    // a link in the file's place is an error
	NoWait    = syscall.O_NONBLOCK | syscall.O_NOCTTY // a pipe's other end is not waited for
	Directory = syscall.O_DIRECTORY                   // anything else is an error
)

// OpenFile opens a file as os.OpenFile does, with the flags of this package too.
// Others may rename and remove it meanwhile.
func OpenFile(path string, flag int, mode os.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag, mode)
}

// Replace renames a file, and takes the place of what is there.
func Replace(from, to string) error { return os.Rename(from, to) }

// Nameless makes a file of no name in a directory, which ends with the last process
// that has it open.
func Nameless(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, ".input-*") // for nobody else to read
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

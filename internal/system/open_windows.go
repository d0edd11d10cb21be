package system

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// Flags of OpenFile beside those of package os. NoFollow and Directory are bits that
// package os gives no meaning to.
const (
	NoFollow  = 1 << 16
	NoWait    = 0 // a pipe has another path than files have
	Directory = 1 << 17
)

// OpenFile opens a file as os.OpenFile does, with the flags of this package too.
// Others may rename and remove it meanwhile, which package os forbids them.
func OpenFile(path string, flag int, mode os.FileMode) (*os.File, error) {
	fail := func(err error) (*os.File, error) {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return fail(err)
	}
	var access uint32
	switch flag & (os.O_RDONLY | os.O_WRONLY | os.O_RDWR) {
	case os.O_RDONLY:
		access = windows.GENERIC_READ
	case os.O_WRONLY:
		access = windows.GENERIC_WRITE
	case os.O_RDWR:
		access = windows.GENERIC_READ | windows.GENERIC_WRITE
	}
	if flag&os.O_APPEND != 0 { // without FILE_WRITE_DATA each write goes to the end, whoever writes beside
		access &^= windows.GENERIC_WRITE
		access |= windows.FILE_APPEND_DATA | windows.FILE_WRITE_ATTRIBUTES | windows.FILE_WRITE_EA | windows.STANDARD_RIGHTS_WRITE | windows.SYNCHRONIZE
		access |= windows.FILE_READ_ATTRIBUTES
	}
	create := uint32(windows.OPEN_EXISTING)
	switch {
	case flag&os.O_CREATE != 0 && flag&os.O_EXCL != 0:
		create = windows.CREATE_NEW
	case flag&os.O_CREATE != 0:
		create = windows.OPEN_ALWAYS
	}
	attributes := uint32(windows.FILE_FLAG_BACKUP_SEMANTICS) // of directories
	if mode&0o200 == 0 && flag&os.O_CREATE != 0 {
		attributes |= windows.FILE_ATTRIBUTE_READONLY
	}
	if flag&NoFollow != 0 {
		attributes |= windows.FILE_FLAG_OPEN_REPARSE_POINT
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	handle, err := windows.CreateFile(name, access, share, nil, create, attributes, 0)
	if err != nil {
		return fail(err)
	}
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(handle, &info); err == nil { // it fails for devices
		switch {
		case flag&NoFollow != 0 && info.FileAttributes&windows.FILE_ATTRIBUTE_REPARSE_POINT != 0:
			windows.CloseHandle(handle)
			return fail(syscall.ELOOP)
		case flag&Directory != 0 && info.FileAttributes&windows.FILE_ATTRIBUTE_DIRECTORY == 0:
			windows.CloseHandle(handle)
			return fail(syscall.ENOTDIR)
		case access&windows.FILE_APPEND_DATA != 0 && info.FileAttributes&windows.FILE_ATTRIBUTE_DIRECTORY != 0:
			windows.CloseHandle(handle)
			return fail(syscall.EISDIR)
		}
	}
	f := os.NewFile(uintptr(handle), path)
	if flag&os.O_TRUNC != 0 {
		if err := f.Truncate(0); err != nil {
			f.Close()
			return nil, err
		}
	}
	return f, nil
}

// replacePatience is how long others may have a file open that is replaced. They
// read it whole, and close it.
const replacePatience = time.Second

// Replace renames a file, and takes the place of what is there. Windows refuses
// that while somebody has it open.
func Replace(from, to string) error {
	for end := time.Now().Add(replacePatience); ; time.Sleep(time.Millisecond) {
		err := os.Rename(from, to)
		if err == nil || time.Now().After(end) ||
			!errors.Is(err, windows.ERROR_ACCESS_DENIED) && !errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
			return err
		}
	}
}

// Nameless makes a file in a directory, which ends with the last process that has
// it open. It has a name until then, which others can't open.
func Nameless(dir string) (*os.File, error) {
	var random [12]byte
	rand.Read(random[:])
	const flag = os.O_RDWR | os.O_CREATE | os.O_EXCL | windows.FILE_FLAG_DELETE_ON_CLOSE
	return os.OpenFile(filepath.Join(dir, ".input-"+hex.EncodeToString(random[:])), flag, 0o600)
}

package system

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Perm is who may do what with a file, in the bits of other systems. The owner's are
// made of its attributes and of its name's ending; those of others of its access
// list: the last three of groups that many belong to, the middle ones of any other
// who is neither this user nor the system itself or its administrators. A list that
// can't be read is one that lets everybody write.
func Perm(path string, info fs.FileInfo) fs.FileMode {
	mode := fs.FileMode(0o600)
	if info.Mode().Perm()&0o200 == 0 {
		mode = 0o400
	}
	if info.IsDir() || programName(path) {
		mode |= 0o100
	}
	return mode | others(path)
}

func programName(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".exe", ".com", ".bat", ".cmd":
		return true
	}
	return false
}

const (
	reading = windows.FILE_READ_DATA | windows.GENERIC_READ | windows.GENERIC_ALL
	writing = windows.FILE_WRITE_DATA | windows.FILE_APPEND_DATA | windows.DELETE | windows.WRITE_DAC | windows.WRITE_OWNER |
		windows.GENERIC_WRITE | windows.GENERIC_ALL | 0x40 // FILE_DELETE_CHILD
	inheritOnly = 0x8 // INHERIT_ONLY_ACE: it is about what lies below
)

// others are the bits of those who are not the owner.
func others(path string) fs.FileMode {
	const all = 0o077
	sd, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return all
	}
	list, _, err := sd.DACL()
	if err != nil || list == nil { // no list lets everybody do everything
		return all
	}
	me, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return all
	}
	var mode fs.FileMode
	for i := range list.AceCount {
		var entry *windows.ACCESS_ALLOWED_ACE
		if err := windows.GetAce(list, uint32(i), &entry); err != nil {
			return all
		}
		switch {
		case entry.Header.AceFlags&inheritOnly != 0, entry.Header.AceType == windows.ACCESS_DENIED_ACE_TYPE:
			continue
		case entry.Header.AceType != windows.ACCESS_ALLOWED_ACE_TYPE: // of an object, with a condition
			return all
		}
		sid := sidOf(entry)
		var bits fs.FileMode
		if entry.Mask&reading != 0 {
			bits |= 4
		}
		if entry.Mask&writing != 0 {
			bits |= 2
		}
		switch {
		case sid.Equals(me.User.Sid), trusted(sid):
		case many(sid):
			mode |= bits
		default:
			mode |= bits << 3
		}
	}
	return mode
}

// trusted are those who can do anything anyway, and placeholders for the owner.
func trusted(sid *windows.SID) bool {
	return sid.IsWellKnown(windows.WinLocalSystemSid) || sid.IsWellKnown(windows.WinBuiltinAdministratorsSid) ||
		sid.IsWellKnown(windows.WinCreatorOwnerSid) || sid.IsWellKnown(windows.WinCreatorOwnerRightsSid)
}

// many are groups that programs of other users are in.
func many(sid *windows.SID) bool {
	for _, known := range [...]windows.WELL_KNOWN_SID_TYPE{
		windows.WinWorldSid, windows.WinAuthenticatedUserSid, windows.WinBuiltinUsersSid, windows.WinInteractiveSid,
		windows.WinNetworkSid, windows.WinAnonymousSid, windows.WinBuiltinGuestsSid, windows.WinLocalSid,
	} {
		if sid.IsWellKnown(known) {
			return true
		}
	}
	return false
}

// Mine reports whether a file is this user's, or of the administrators' group: files
// that one of them makes are the group's.
func Mine(path string, info fs.FileInfo) bool {
	sd, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return false
	}
	owner, _, err := sd.Owner()
	if err != nil || owner == nil {
		return false
	}
	me, err := windows.GetCurrentProcessToken().GetTokenUser()
	return err == nil && (owner.Equals(me.User.Sid) || owner.IsWellKnown(windows.WinBuiltinAdministratorsSid))
}

// Owner is not known here: users have no numbers.
func Owner(info fs.FileInfo) (user, group uint32, known bool) { return 0, 0, false }

// Names is not known here.
func Names(info fs.FileInfo) (n uint64, known bool) { return 0, false }

// Number is the number of an open file in its file system; 0 where it is not known.
func Number(f *os.File, info fs.FileInfo) int64 {
	var about windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &about); err != nil {
		return 0
	}
	return int64(uint64(about.FileIndexHigh)<<32 | uint64(about.FileIndexLow))
}

// Writable says why this user can't write to a file or directory that is there; nil
// if he can.
func Writable(path string) error {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return err
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	// For a directory the same bit is the right to add a file.
	handle, err := windows.CreateFile(name, windows.FILE_WRITE_DATA, share, nil, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	return windows.CloseHandle(handle)
}

// sidOf is whom an entry is about: its last field is where the number begins.
func sidOf(entry *windows.ACCESS_ALLOWED_ACE) *windows.SID {
	return (*windows.SID)(unsafe.Pointer(&entry.SidStart))
}

// Described is what os.Lstat says of a file, with the permission bits of Perm.
func Described(path string, info fs.FileInfo) fs.FileInfo {
	return &described{FileInfo: info, path: path}
}

type described struct {
	fs.FileInfo
	path string
	mode fs.FileMode // once it was asked for, for it takes a look at the access list; 0 = it was not
}

func (d *described) Mode() fs.FileMode {
	if d.mode == 0 {
		d.mode = d.FileInfo.Mode().Type() | Perm(d.path, d.FileInfo)
	}
	return d.mode
}

//go:build linux

package trap

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// legacy are the calls that newer processors do not have.
func legacy() []row {
	return []row{
		{unix.SYS_OPEN, "open", func(a *asker) []Call { return a.open(none, 0, a.args[1]) }},
		{unix.SYS_CREAT, "creat", at(Write, none, 0)},
		{unix.SYS_UNLINK, "unlink", entry(Delete, none, 0)},
		{unix.SYS_RMDIR, "rmdir", entry(Delete, none, 0)},
		{unix.SYS_RENAME, "rename", both(entry(Delete, none, 0), entry(Write, none, 1))},
		{unix.SYS_LINK, "link", both(at(Read, none, 0), entry(Write, none, 1))},
		{unix.SYS_SYMLINK, "symlink", entry(Write, none, 1)},
		{unix.SYS_MKDIR, "mkdir", entry(Write, none, 0)},
		{unix.SYS_MKNOD, "mknod", entry(Write, none, 0)},
		{unix.SYS_CHMOD, "chmod", at(Write, none, 0)},
		{unix.SYS_CHOWN, "chown", at(Write, none, 0)},
		{unix.SYS_LCHOWN, "lchown", entry(Write, none, 0)},
		{unix.SYS_UTIME, "utime", at(Write, none, 0)},
		{unix.SYS_UTIMES, "utimes", at(Write, none, 0)},
		{unix.SYS_FUTIMESAT, "futimesat", at(Write, 0, 1)},
	}
}

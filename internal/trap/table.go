//go:build linux

package trap

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// row is a system call of interest, and how its arguments are read.
type row struct {
	number uintptr
	name   string
	reads  func(*asker) []Call
}

// table lists the calls by which a process is felt outside of itself. Those on a
// descriptor that was opened before (write, ftruncate) are not: how it was opened
// is told.
func table() []row {
	return append([]row{
		{unix.SYS_OPENAT, "openat", func(a *asker) []Call { return a.open(0, 1, a.args[2]) }},
		{unix.SYS_OPENAT2, "openat2", func(a *asker) []Call { return a.open(0, 1, a.number(a.args[2])) }},
		{unix.SYS_TRUNCATE, "truncate", at(Write, none, 0)},
		{unix.SYS_UNLINKAT, "unlinkat", entry(Delete, 0, 1)},
		{unix.SYS_RENAMEAT, "renameat", both(entry(Delete, 0, 1), entry(Write, 2, 3))},
		{unix.SYS_RENAMEAT2, "renameat2", both(entry(Delete, 0, 1), entry(Write, 2, 3))},
		{unix.SYS_LINKAT, "linkat", both(at(Read, 0, 1), entry(Write, 2, 3))},
		{unix.SYS_SYMLINKAT, "symlinkat", entry(Write, 1, 2)},
		{unix.SYS_MKDIRAT, "mkdirat", entry(Write, 0, 1)},
		{unix.SYS_MKNODAT, "mknodat", entry(Write, 0, 1)},
		{unix.SYS_FCHMODAT, "fchmodat", at(Write, 0, 1)},
		{unix.SYS_FCHMODAT2, "fchmodat2", at(Write, 0, 1)},
		{unix.SYS_FCHOWNAT, "fchownat", at(Write, 0, 1)},
		{unix.SYS_UTIMENSAT, "utimensat", at(Write, 0, 1)},
		{unix.SYS_SETXATTR, "setxattr", at(Write, none, 0)},
		{unix.SYS_LSETXATTR, "lsetxattr", entry(Write, none, 0)},
		{unix.SYS_REMOVEXATTR, "removexattr", at(Write, none, 0)},
		{unix.SYS_LREMOVEXATTR, "lremovexattr", entry(Write, none, 0)},
		{unix.SYS_FCHMOD, "fchmod", at(Write, 0, none)},
		{unix.SYS_FCHOWN, "fchown", at(Write, 0, none)},
		{unix.SYS_FSETXATTR, "fsetxattr", at(Write, 0, none)},
		{unix.SYS_FREMOVEXATTR, "fremovexattr", at(Write, 0, none)},

		{unix.SYS_EXECVE, "execve", func(a *asker) []Call { return a.run(none, 0, 1) }},
		{unix.SYS_EXECVEAT, "execveat", func(a *asker) []Call { return a.run(0, 1, 2) }},

		{unix.SYS_CONNECT, "connect", func(a *asker) []Call { return a.talk(a.args[1], a.args[2]) }},
		{unix.SYS_BIND, "bind", func(a *asker) []Call { return a.talk(a.args[1], a.args[2]) }},
		{unix.SYS_SENDTO, "sendto", func(a *asker) []Call { return a.talk(a.args[4], a.args[5]) }},
		{unix.SYS_SENDMSG, "sendmsg", func(a *asker) []Call { return a.message(a.args[1]) }},
		{unix.SYS_SENDMMSG, "sendmmsg", func(a *asker) []Call { return a.message(a.args[1]) }},

		{unix.SYS_KILL, "kill", func(a *asker) []Call { return a.signal(1) }},
		{unix.SYS_TKILL, "tkill", func(a *asker) []Call { return a.signal(1) }},
		{unix.SYS_TGKILL, "tgkill", func(a *asker) []Call { return a.signal(2) }},
		{unix.SYS_RT_SIGQUEUEINFO, "rt_sigqueueinfo", func(a *asker) []Call { return a.signal(1) }},
		{unix.SYS_RT_TGSIGQUEUEINFO, "rt_tgsigqueueinfo", func(a *asker) []Call { return a.signal(2) }},
		{unix.SYS_PIDFD_SEND_SIGNAL, "pidfd_send_signal", other},

		{unix.SYS_PTRACE, "ptrace", other},
		{unix.SYS_PROCESS_VM_WRITEV, "process_vm_writev", other},
		{unix.SYS_MOUNT, "mount", other},
		{unix.SYS_UMOUNT2, "umount2", other},
		{unix.SYS_PIVOT_ROOT, "pivot_root", other},
		{unix.SYS_CHROOT, "chroot", other},
		{unix.SYS_SETNS, "setns", other},
		{unix.SYS_UNSHARE, "unshare", other},
		{unix.SYS_REBOOT, "reboot", other},
		{unix.SYS_SETHOSTNAME, "sethostname", other},
		{unix.SYS_SETDOMAINNAME, "setdomainname", other},
		{unix.SYS_CLOCK_SETTIME, "clock_settime", other},
		{unix.SYS_SETTIMEOFDAY, "settimeofday", other},
		{unix.SYS_INIT_MODULE, "init_module", other},
		{unix.SYS_FINIT_MODULE, "finit_module", other},
		{unix.SYS_DELETE_MODULE, "delete_module", other},
		{unix.SYS_BPF, "bpf", other},
		{unix.SYS_ADD_KEY, "add_key", other},
		{unix.SYS_KEYCTL, "keyctl", other},
		{unix.SYS_SHMGET, "shmget", other},
		{unix.SYS_MSGGET, "msgget", other},
		{unix.SYS_SEMGET, "semget", other},
		{unix.SYS_MQ_OPEN, "mq_open", other},
		{unix.SYS_MQ_UNLINK, "mq_unlink", other},
		{unix.SYS_SETPRIORITY, "setpriority", func(a *asker) []Call {
			if a.args[0] == unix.PRIO_PROCESS && a.args[1] == 0 {
				return nil // of itself
			}
			return other(a)
		}},
		{unix.SYS_IOCTL, "ioctl", other}, // program picks the one that types into the terminal
	}, legacy()...)
}

// program is the filter. It goes by the number of a call, and of ioctl by what is
// asked for; io_uring, whose requests no filter sees, is not there.
func program() ([]unix.SockFilter, error) {
	const (
		number, arch, second = 0, 4, 24
		load                 = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal                = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		atLeast              = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
		give                 = unix.BPF_RET | unix.BPF_K
		x32                  = 0x40000000
	)
	allow := unix.SockFilter{Code: give, K: unix.SECCOMP_RET_ALLOW}
	tell := unix.SockFilter{Code: give, K: unix.SECCOMP_RET_USER_NOTIF}
	kill := unix.SockFilter{Code: give, K: unix.SECCOMP_RET_KILL_PROCESS}
	lacks := unix.SockFilter{Code: give, K: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)}
	code := []unix.SockFilter{
		{Code: load, K: arch},
		{Code: equal, Jt: 1, K: auditArch},
		kill,
		{Code: load, K: number},
		{Code: atLeast, Jf: 1, K: x32},
		kill,
		{Code: equal, Jf: 1, K: unix.SYS_IO_URING_SETUP},
		lacks,
		{Code: equal, Jf: 4, K: unix.SYS_IOCTL},
		{Code: load, K: second},
		{Code: equal, Jf: 1, K: unix.TIOCSTI},
		tell,
		allow,
	}
	for _, r := range table() {
		code = append(code, unix.SockFilter{Code: equal, Jf: 1, K: uint32(r.number)}, tell)
	}
	code = append(code, allow)
	if len(code) > unix.BPF_MAXINSNS {
		return nil, fmt.Errorf("trap: a filter of %d steps is too long", len(code))
	}
	return code, nil
}

// none is where an argument would be that a call does not have.
const none = -1

func at(k Kind, dir, name int) func(*asker) []Call {
	return func(a *asker) []Call { return a.file(k, dir, name, true) }
}

// entry is about a name in a directory, and not about what a link there leads to.
func entry(k Kind, dir, name int) func(*asker) []Call {
	return func(a *asker) []Call { return a.file(k, dir, name, false) }
}

func both(first, second func(*asker) []Call) func(*asker) []Call {
	return func(a *asker) []Call { return append(first(a), second(a)...) }
}

func other(*asker) []Call { return []Call{{Kind: Other}} }

// asker is a thread that waits for its call.
type asker struct {
	pid  int
	args [6]uint64
}

// memory reads what lies at an address: at most so many bytes, fewer at the end
// of what can be read.
func (a *asker) memory(address uint64, most int) []byte {
	const page = 4096
	buffer := make([]byte, most)
	for done := 0; done < most; {
		// Not across a page that may not be there.
		size := min(most-done, page-int((address+uint64(done))%page))
		local := []unix.Iovec{{Base: &buffer[done]}}
		local[0].SetLen(size)
		n, err := unix.ProcessVMReadv(a.pid, local, []unix.RemoteIovec{{Base: uintptr(address) + uintptr(done), Len: size}}, 0)
		if err != nil || n <= 0 {
			return buffer[:done]
		}
		done += n
	}
	return buffer
}

// text reads a string that ends with a NUL.
func (a *asker) text(address uint64) string {
	if address == 0 {
		return ""
	}
	for most := 256; ; most *= 8 {
		s := a.memory(address, most)
		if end := bytes.IndexByte(s, 0); end >= 0 {
			return string(s[:end])
		}
		if len(s) < most || most > 1<<20 {
			return string(s)
		}
	}
}

func (a *asker) number(address uint64) uint64 {
	if b := a.memory(address, 8); len(b) == 8 {
		return binary.NativeEndian.Uint64(b)
	}
	return 0
}

// place is the file that a directory's descriptor and a name in it mean.
func (a *asker) place(dir, name int, follow bool) string {
	base := fmt.Sprintf("/proc/%d/cwd", a.pid)
	if dir != none && int32(a.args[dir]) != unix.AT_FDCWD {
		base = fmt.Sprintf("/proc/%d/fd/%d", a.pid, int32(a.args[dir]))
	}
	text := ""
	if name != none {
		text = a.text(a.args[name])
	}
	if !path.IsAbs(text) {
		from, err := os.Readlink(base)
		if err != nil {
			return text
		}
		if text == "" {
			return from
		}
		text = from + "/" + text
	}
	// These lead each process to something of its own.
	if rest, ok := strings.CutPrefix(text, "/proc/self/"); ok {
		text = fmt.Sprintf("/proc/%d/%s", a.pid, rest)
	}
	if rest, ok := strings.CutPrefix(text, "/dev/fd/"); ok {
		text = fmt.Sprintf("/proc/%d/fd/%s", a.pid, rest)
	}
	return followed(text, follow)
}

// followed follows the links of a path as far as there is something.
func followed(name string, last bool) string {
	if strings.HasSuffix(name, "/") || strings.HasSuffix(name, "/.") || strings.HasSuffix(name, "/..") {
		last = true
	}
	if last {
		if real, err := filepath.EvalSymlinks(name); err == nil {
			return real
		}
		if to, err := os.Readlink(name); err == nil { // to what is not there, or to a pipe
			if !path.IsAbs(to) {
				to = path.Dir(name) + "/" + to
			}
			if strings.HasPrefix(name, "/proc/") {
				return path.Clean(to)
			}
			return followed(to, false)
		}
	}
	dir, base := path.Split(strings.TrimRight(name, "/"))
	if dir == "" || dir == "/" {
		return path.Clean(name)
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return path.Join(real, base)
	}
	return path.Join(followed(strings.TrimRight(dir, "/"), true), base)
}

func (a *asker) file(k Kind, dir, name int, follow bool) []Call {
	if name != none && dir != none && a.args[name] == 0 {
		name = none // utimensat of a descriptor
	}
	return []Call{{Kind: k, Path: a.place(dir, name, follow)}}
}

func (a *asker) open(dir, name int, flags uint64) []Call {
	if flags&unix.O_PATH != 0 {
		return nil
	}
	p := a.place(dir, name, flags&unix.O_NOFOLLOW == 0)
	if flags&unix.O_ACCMODE != unix.O_RDONLY || flags&(unix.O_CREAT|unix.O_TRUNC) != 0 {
		return []Call{{Kind: Write, Path: p}}
	}
	info, err := os.Stat(p)
	switch {
	case err != nil:
		return nil // nothing is read
	case info.IsDir():
		return []Call{{Kind: List, Path: p}}
	}
	return []Call{{Kind: Read, Path: p}}
}

// run reads the words that a program is given: at most this many.
func (a *asker) run(dir, name, argv int) []Call {
	const most = 4096
	c := Call{Kind: Run, Path: a.place(dir, name, true)}
	for i := range uint64(most) {
		address := a.number(a.args[argv] + 8*i)
		if address == 0 {
			break
		}
		c.Argv = append(c.Argv, a.text(address))
	}
	return []Call{c}
}

// talk reads an address of a socket.
func (a *asker) talk(address, size uint64) []Call {
	if address == 0 || size < 2 {
		return nil
	}
	b := a.memory(address, int(min(size, 128)))
	if len(b) < 2 {
		return nil
	}
	c := Call{Kind: Talk}
	switch family := binary.NativeEndian.Uint16(b); {
	case family == unix.AF_UNIX:
		name, _, _ := strings.Cut(string(b[2:]), "\x00")
		if c.Path = "unix:@"; name != "" {
			c.Path = "unix:" + name
		}
	case family == unix.AF_INET && len(b) >= 8:
		c.Path = netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[4:8])), binary.BigEndian.Uint16(b[2:])).String()
	case family == unix.AF_INET6 && len(b) >= 24:
		c.Path = netip.AddrPortFrom(netip.AddrFrom16([16]byte(b[8:24])), binary.BigEndian.Uint16(b[2:])).String()
	case family == unix.AF_UNSPEC:
		return nil // ends an association
	case family == unix.AF_NETLINK:
		return nil // asks this machine which addresses it has
	default:
		c.Path = fmt.Sprintf("family %d", family)
	}
	return []Call{c}
}

// message reads the address in a struct msghdr.
func (a *asker) message(address uint64) []Call {
	var header unix.Msghdr
	b := a.memory(address, int(unsafe.Offsetof(header.Iov)))
	if len(b) < 12 {
		return nil
	}
	return a.talk(binary.NativeEndian.Uint64(b), uint64(binary.NativeEndian.Uint32(b[8:])))
}

// signal is one for somebody else; the number 0 asks whether there is somebody.
func (a *asker) signal(number int) []Call {
	to := int(int32(a.args[0]))
	if a.args[number] == 0 || to > 0 && (to == a.pid || to == a.group()) {
		return nil
	}
	return []Call{{Kind: Signal, Path: fmt.Sprint(to)}}
}

// group is the process that the thread is one of.
func (a *asker) group() int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", a.pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "\nTgid:\t")
	number, _, _ := strings.Cut(rest, "\n")
	group, _ := strconv.Atoi(number)
	return group
}

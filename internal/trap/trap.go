//go:build linux

// Package trap tells what processes ask of the kernel: which files they open,
// change and remove, which programs they start, with whom they talk, and whom
// they signal. It sees all of it, whatever the process is written in, and also
// what the kernel then refuses.
//
// A process is started through this program, which must call Main when its
// arguments begin with Word: that puts a filter (seccomp(2)) before the process,
// which its children inherit, and becomes it. Each call of interest waits until
// it is written down, and then goes on, so that a path means what it means at
// that time. Needs root; knows x86-64 and arm64.
package trap

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Kind is what a call is about.
type Kind uint8

// The kinds.
const (
	Read   Kind = iota // opens a file for reading
	List               // opens a directory
	Write              // creates or changes a file, a directory or what is known of one
	Delete             // removes or renames one
	Run                // starts a program
	Talk               // names an address to send to, to receive from, or to look up
	Signal             // sends a signal to another process
	Other              // anything else that is felt outside of the process: mounts, clocks, traces
)

var kindNames = [...]string{"read", "list", "write", "delete", "run", "talk", "signal", "other"}

func (k Kind) String() string { return kindNames[k] }

// Call is one thing that was asked of the kernel, before the kernel did it.
type Call struct {
	Kind Kind
	Name string   // of the system call: "openat"
	Path string   // absolute, links followed; the address of Talk; "" where there is none
	Argv []string // of Run
	PID  int      // of the thread that asked
}

// Process is a process behind a filter, and all that it starts.
type Process struct {
	*os.Process
	listener int

	mu    sync.Mutex
	calls []Call
	guard []int // processes that get no signal
}

// Word begins the arguments of this program when it shall become another one.
const Word = "-trapped"

// Options say what a process gets.
type Options struct {
	Dir    string
	Env    []string
	Files  []*os.File // from descriptor 0 on
	User   int        // and group
	Memory uint64     // bytes of address space; 0: no limit
}

// errNoFilter is that a process ended before it had sent its filter.
var errNoFilter = errors.New("trap: no filter could be set")

// Start starts a program behind a filter. argv[0] is what it is told to be called.
// On a busy machine a process may end before its filter is there; of thousands one
// does, and is started again.
func Start(program string, argv []string, o Options) (*Process, error) {
	for tries := 0; ; tries++ {
		if p, err := start(program, argv, o); tries == 20 || !errors.Is(err, errNoFilter) {
			return p, err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func start(program string, argv []string, o Options) (*Process, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	ours, theirs := pair[0], os.NewFile(uintptr(pair[1]), "trap")
	defer unix.Close(ours)
	defer theirs.Close()
	words := []string{"trap", Word, strconv.Itoa(len(o.Files)), strconv.Itoa(o.User), strconv.FormatUint(o.Memory, 10), program}
	process, err := os.StartProcess("/proc/self/exe", append(words, argv...), &os.ProcAttr{
		Dir: o.Dir, Env: o.Env, Files: append(o.Files[:len(o.Files):len(o.Files)], theirs), Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return nil, err
	}
	theirs.Close()
	buffer, rights := make([]byte, 1), make([]byte, unix.CmsgSpace(4))
	var data, n, flags int
	for err = unix.EINTR; err == unix.EINTR; {
		data, n, flags, _, err = unix.Recvmsg(ours, buffer, rights, unix.MSG_CMSG_CLOEXEC)
	}
	if err != nil || n == 0 {
		process.Kill()
		state, _ := process.Wait()
		return nil, fmt.Errorf("%w: %v, %d bytes, flags %x: %v", errNoFilter, state, data, flags, err)
	}
	messages, err := unix.ParseSocketControlMessage(rights[:n])
	if err != nil {
		return nil, err
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return nil, err
	}
	p := &Process{Process: process, listener: fds[0]}
	// Whoever waits is woken at once, on the same processor; older kernels can't.
	wake := uint64(unix.SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP)
	unix.Syscall(unix.SYS_IOCTL, uintptr(p.listener), ioctlSetFlags, uintptr(unsafe.Pointer(&wake)))
	go p.listen()
	return p, nil
}

// Take returns the calls since it was last called. Those of a process that has
// ended are all there.
func (p *Process) Take() []Call {
	p.mu.Lock()
	defer p.mu.Unlock()
	calls := p.calls
	p.calls = nil
	return calls
}

// Guard refuses signals to processes, or to all at once; they are written down
// as other signals are.
func (p *Process) Guard(pids ...int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.guard = pids
}

// ioctlSetFlags is SECCOMP_IOCTL_NOTIF_SET_FLAGS, which package unix does not name.
const ioctlSetFlags = 0x40082104

// notice and answer are struct seccomp_notif and seccomp_notif_resp.
type notice struct {
	ID          uint64
	PID, Flags  uint32
	Number      int32
	Arch        uint32
	Instruction uint64
	Args        [6]uint64
}

type answer struct {
	ID    uint64
	Value int64
	Error int32
	Flags uint32
}

// listen writes down calls until no process is left behind the filter.
func (p *Process) listen() {
	defer unix.Close(p.listener)
	rows := map[int32]*row{}
	for i, table := 0, table(); i < len(table); i++ {
		rows[int32(table[i].number)] = &table[i]
	}
	for {
		ready := []unix.PollFd{{Fd: int32(p.listener), Events: unix.POLLIN}}
		if _, err := unix.Poll(ready, -1); err != nil && err != unix.EINTR {
			return
		}
		if ready[0].Revents&unix.POLLIN == 0 {
			if ready[0].Revents != 0 {
				return
			}
			continue
		}
		var n notice
		if _, _, err := unix.Syscall(unix.SYS_IOCTL, uintptr(p.listener), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&n))); err != 0 {
			continue // whoever asked was killed
		}
		a := answer{ID: n.ID, Flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
		if row := rows[n.Number]; row != nil {
			calls := row.reads(&asker{int(n.PID), n.Args})
			p.mu.Lock()
			for _, c := range calls {
				c.Name, c.PID = row.name, int(n.PID)
				p.calls = append(p.calls, c)
				if c.Kind == Signal && p.guarded(int(int32(n.Args[0]))) {
					a.Flags, a.Error = 0, -int32(unix.EPERM)
				}
			}
			p.mu.Unlock()
		}
		unix.Syscall(unix.SYS_IOCTL, uintptr(p.listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&a)))
	}
}

func (p *Process) guarded(pid int) bool {
	if pid == -1 {
		return len(p.guard) > 0
	}
	for _, g := range p.guard {
		if pid == g || pid == -g {
			return true
		}
	}
	return false
}

// Main becomes the program that Start names, behind a filter. It returns only
// if it can't.
func Main(args []string) error {
	if len(args) < 6 || args[0] != Word {
		return fmt.Errorf("trap: %q are not the arguments of a trap", args)
	}
	socket, err1 := strconv.Atoi(args[1])
	user, err2 := strconv.Atoi(args[2])
	memory, err3 := strconv.ParseUint(args[3], 10, 64)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	unix.CloseOnExec(socket)
	code, err := program()
	if err != nil {
		return err
	}
	// The filter is of this thread alone: another one hands it over, as sending
	// is a call that waits for whoever it is handed to.
	runtime.LockOSThread()
	filter := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	listener, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER, uintptr(unsafe.Pointer(&filter)))
	if errno != 0 {
		return fmt.Errorf("trap: seccomp: %w", errno)
	}
	unix.CloseOnExec(int(listener))
	sent := make(chan error)
	go func() {
		sent <- unix.Sendmsg(socket, []byte{0}, unix.UnixRights(int(listener)), nil, 0)
	}()
	if err := <-sent; err != nil {
		return err
	}
	// Of this thread alone, which becomes the program.
	for _, call := range []uintptr{unix.SYS_SETGID, unix.SYS_SETUID} {
		if call == unix.SYS_SETGID {
			unix.RawSyscall(unix.SYS_SETGROUPS, 0, 0, 0)
		}
		if _, _, errno := unix.RawSyscall(call, uintptr(user), 0, 0); errno != 0 {
			return errno
		}
	}
	if memory > 0 {
		limit := unix.Rlimit{Cur: memory, Max: memory}
		unix.RawSyscall6(unix.SYS_PRLIMIT64, 0, unix.RLIMIT_AS, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	}
	return syscall.Exec(args[4], args[5:], os.Environ())
}

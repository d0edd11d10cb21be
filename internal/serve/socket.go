package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/bashgate/bashgate/internal/system"
)

// maxClients is how many connections there may be at a time.
const maxClients = 1000

// maxPath is how long a socket's path may be, in bytes: 108 in Linux's sockaddr_un
// (unix(7)) and 104 in those of the BSDs, with a zero byte at the end.
const maxPath = 103

// socket answers the lines of every connection to the unix socket.
func (s *Server) socket(ctx context.Context) error {
	var l net.Listener
	var err error
	if s.activated {
		l, err = inherited(s.Process.Getenv)
	} else {
		var own *ownSocket
		if own, err = listen(s.Socket); err == nil {
			defer own.remove()
			l = own.Listener
		}
	}
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { l.Close() })()
	s.ready()
	return s.accept(ctx, l)
}

// accept serves the clients of a listener until the context ends, and returns
// once all of them are answered.
func (s *Server) accept(ctx context.Context, l net.Listener) error {
	var clients sync.WaitGroup
	defer clients.Wait()
	places := make(chan struct{}, maxClients)
	for {
		conn, err := l.Accept()
		switch {
		case ctx.Err() != nil:
			if err == nil {
				conn.Close()
			}
			return nil
		case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE), errors.Is(err, syscall.ECONNABORTED):
			time.Sleep(10 * time.Millisecond) // others will close theirs
			continue
		case err != nil:
			return err
		}
		select {
		case places <- struct{}{}:
		default:
			refuse(conn, &fault{faultBusy, fmt.Sprintf("there are %d clients already", maxClients)})
			continue
		}
		clients.Go(func() {
			defer func() { <-places }()
			s.meet(ctx, conn)
		})
	}
}

// meet serves one connection, if it is one of the same user's.
func (s *Server) meet(ctx context.Context, conn net.Conn) {
	defer conn.Close()
	defer s.idle.begin()()
	uid, err := peer(conn)
	if err == nil && uid != os.Getuid() {
		err = fmt.Errorf("user %d may not ask: this is user %d's", uid, os.Getuid())
	}
	if err != nil {
		refuse(conn, &fault{faultPeer, err.Error()})
		return
	}
	c := client{server: s, in: conn, out: conn, limits: conn}
	c.serve(ctx)
}

// refuse tells a client why it is not served. It waits for nobody.
func refuse(conn net.Conn, f *fault) {
	conn.SetWriteDeadline(time.Now().Add(time.Second))
	conn.Write(failure("", f))
	conn.Close()
}

// peer returns the user whose process has connected.
func peer(conn net.Conn) (uid int, err error) {
	unix, ok := conn.(*net.UnixConn)
	if !ok {
		return 0, errors.New("it is no unix socket")
	}
	raw, err := unix.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { uid, failed = system.Peer(fd) }); err != nil {
		return 0, err
	}
	return uid, failed
}

// ownSocket is a socket that this process has made. The lock beside it says that
// somebody serves, and who: it ends with its process, however that ends.
type ownSocket struct {
	net.Listener
	path string
	lock *os.File
}

// listen makes a socket for the user alone. One that a process has left behind is
// replaced; one that is served is an error.
func listen(path string) (*ownSocket, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if len(path) > maxPath {
		return nil, fmt.Errorf("%s: a socket's path has at most %d bytes, this one %d", path, maxPath, len(path))
	}
	if !system.TellsPeers {
		return nil, errors.New("this system does not say who connects to a socket; --stdio and --folder work")
	}
	if err := ownDirectory(filepath.Dir(path)); err != nil {
		return nil, err
	}
	lock, err := lockFor(path)
	if err != nil {
		return nil, err
	}
	l, err := bind(path)
	if err != nil {
		lock.Close()
		return nil, err
	}
	return &ownSocket{l, path, lock}, nil
}

func bind(path string) (net.Listener, error) {
	switch info, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSocket == 0:
		return nil, fmt.Errorf("%s: it is there, and is no socket", path)
	default:
		if conn, err := net.DialTimeout("unix", path, time.Second); err == nil {
			conn.Close()
			return nil, fmt.Errorf("%s: another process serves it", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false) // remove does, while it holds the lock
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// remove takes the socket away.
func (o *ownSocket) remove() {
	o.Close()
	os.Remove(o.path)
	o.lock.Close()
}

// ownDirectory makes a directory, and reports one in which others could put a
// socket of theirs.
func ownDirectory(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !system.Mine(dir, info) {
		return fmt.Errorf("%s: it belongs to another user", dir)
	}
	if mode := system.Perm(dir, info); mode&0o022 != 0 {
		return fmt.Errorf("%s: others may write to it (mode %04o)", dir, mode)
	}
	return nil
}

// lockFor takes the lock beside a socket, which holds the process's id. The error
// says who has it.
func lockFor(path string) (*os.File, error) {
	lock, err := system.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE|system.NoFollow|system.NoWait, 0o600)
	if err != nil {
		return nil, err
	}
	if err := system.Lock(lock, system.Exclusive, 0); err != nil {
		var id [20]byte
		n, _ := lock.Read(id[:])
		lock.Close()
		if errors.Is(err, system.ErrLocked) {
			return nil, fmt.Errorf("%s: process %s serves it already", path, strings.TrimSpace(string(id[:n])))
		}
		return nil, fmt.Errorf("%s.lock: %w", path, err)
	}
	err = lock.Truncate(0)
	if err == nil {
		_, err = lock.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	if err != nil {
		lock.Close()
		return nil, err
	}
	return lock, nil
}

// inherited is the socket that systemd has opened (sd_listen_fds(3)): descriptor 3.
func inherited(getenv func(string) string) (net.Listener, error) {
	const first = 3
	switch n := getenv("LISTEN_FDS"); {
	case n != "1":
		return nil, fmt.Errorf("%q sockets were opened (LISTEN_FDS), and one is served", n)
	case !system.TellsPeers:
		return nil, errors.New("this system does not say who connects to a socket")
	}
	system.CloseOnExec(first)
	f := os.NewFile(first, "LISTEN_FD_3")
	defer f.Close()
	l, err := net.FileListener(f)
	if err != nil {
		return nil, fmt.Errorf("descriptor %d: %w", first, err)
	}
	if _, ok := l.(*net.UnixListener); !ok {
		l.Close()
		return nil, fmt.Errorf("descriptor %d is no unix socket", first)
	}
	return l, nil
}

// ready tells systemd that clients can connect (sd_notify(3)), if it wants to know.
func (s *Server) ready() {
	path := s.Process.Getenv("NOTIFY_SOCKET")
	if path == "" {
		return
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		return // it goes on without
	}
	conn.Write([]byte("READY=1"))
	conn.Close()
}

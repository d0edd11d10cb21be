//go:build darwin || freebsd

package system

import "golang.org/x/sys/unix"

// TellsPeers says that the system tells who connects to a unix socket.
const TellsPeers = true

// Peer returns the user who has connected to a unix socket, as of that moment
// (unix(4), LOCAL_PEERCRED).
func Peer(fd uintptr) (user int, err error) {
	c, err := unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, err
	}
	return int(c.Uid), nil
}

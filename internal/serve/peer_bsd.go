//go:build darwin || freebsd

package serve

import "golang.org/x/sys/unix"

// checksPeers says that the system tells who connects to a socket.
const checksPeers = true

// peerOf returns the user who has connected, as of that moment (unix(4),
// LOCAL_PEERCRED).
func peerOf(fd int) (uid int, err error) {
	c, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, err
	}
	return int(c.Uid), nil
}

package serve

import "syscall"

// checksPeers says that the system tells who connects to a socket.
const checksPeers = true

// peerOf returns the user who has connected, as of that moment (unix(7)).
func peerOf(fd int) (uid int, err error) {
	c, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil {
		return 0, err
	}
	return int(c.Uid), nil
}

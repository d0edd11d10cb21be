package system

import "syscall"

// TellsPeers says that the system tells who connects to a unix socket.
const TellsPeers = true

// Peer returns the user who has connected to a unix socket, as of that moment
// (unix(7)).
func Peer(fd uintptr) (user int, err error) {
	c, err := syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil {
		return 0, err
	}
	return int(c.Uid), nil
}

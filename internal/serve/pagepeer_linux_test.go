package serve

import (
	"net"
	"os"
	"syscall"
	"testing"
)

// TestPeerOwner: the system tells whose the other end of a connection is.
func TestPeerOwner(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := listenLocal(address)
		if err != nil {
			t.Logf("%s is not looked at: %v", address, err) // a machine without IPv6
			continue
		}
		defer l.Close()
		client, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if uid, known := peerOwner(c.RemoteAddr().String(), c.LocalAddr().String()); !known || uid != os.Geteuid() {
			t.Errorf("%s: user %d, known %v", address, uid, known)
		}
		if _, known := peerOwner("127.0.0.1:1", c.LocalAddr().String()); known {
			t.Error("somebody owns what is not connected")
		}
	}
}

// A socket of IPv6 can talk IPv4, and then stands in the other list.
func TestPeerOwnerMapped(t *testing.T) {
	l, err := listenLocal("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	fd, err := syscall.Socket(syscall.AF_INET6, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Skip("a machine without IPv6: ", err)
	}
	defer syscall.Close(fd)
	to := syscall.SockaddrInet6{Port: l.Addr().(*net.TCPAddr).Port, Addr: [16]byte{10: 0xff, 11: 0xff, 12: 127, 15: 1}}
	if err := syscall.Connect(fd, &to); err != nil {
		t.Skip("a machine without IPv4 in sockets of IPv6: ", err)
	}
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if uid, known := peerOwner(c.RemoteAddr().String(), c.LocalAddr().String()); !known || uid != os.Geteuid() {
		t.Errorf("user %d, known %v", uid, known)
	}
}

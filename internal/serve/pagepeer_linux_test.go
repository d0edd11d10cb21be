package serve

import (
	"net"
	"os"
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

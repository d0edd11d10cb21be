package serve

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// peerOwner says whose program has the other end of a TCP connection on this
// machine, from the lists of sockets in proc_net(5):
//
//	sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid ...
//	 1: 0100007F:A8CA 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000 ...
func peerOwner(peer, here string) (uid int, known bool) {
	from, err := netip.ParseAddrPort(peer)
	if err != nil {
		return 0, false
	}
	to, err := netip.ParseAddrPort(here)
	if err != nil {
		return 0, false
	}
	uid, known = socketOwner("/proc/self/net/tcp6", mapped(from), mapped(to))
	if !known && from.Addr().Is4() {
		uid, known = socketOwner("/proc/self/net/tcp", from, to)
	}
	return uid, known
}

// mapped is an address as a socket of IPv6 has it that talks IPv4: ::ffff:127.0.0.1.
func mapped(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom16(a.Addr().As16()), a.Port())
}

// socketOwner looks for a socket in one of the lists.
func socketOwner(list string, from, to netip.AddrPort) (uid int, known bool) {
	f, err := os.Open(list)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	local, remote := procAddress(from), procAddress(to)
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) > 7 && fields[1] == local && fields[2] == remote {
			uid, err := strconv.Atoi(fields[7])
			return uid, err == nil
		}
	}
	return 0, false
}

// procAddress writes an address as the lists do: four bytes at a time as a number
// of this machine, and the port as one of networks.
func procAddress(a netip.AddrPort) string {
	bytes := a.Addr().AsSlice()
	for i := 0; i+4 <= len(bytes); i += 4 {
		binary.BigEndian.PutUint32(bytes[i:], binary.NativeEndian.Uint32(bytes[i:]))
	}
	var port [2]byte
	binary.BigEndian.PutUint16(port[:], a.Port())
	return strings.ToUpper(hex.EncodeToString(bytes) + ":" + hex.EncodeToString(port[:]))
}

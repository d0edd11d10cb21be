package engine

import (
	"net/netip"
	"strings"
	"testing"
)

var addresses = [...]string{
	"::", "::1", "1::", "fd00:ec2::254", "FD00:0EC2:0:0:0:0:0:254", "2001:db8:0:0:1:0:0:1", "1:0:0:2:0:0:0:3",
	"1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::3:4:5:6:7:8", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7",
	"::ffff:169.254.169.254", "::ffff:a9fe:a9fe", "::169.254.169.254", "64:ff9b::169.254.169.254", "1:2:3:4:5:6:1.2.3.4",
	"1:2:3:4:5:6:7:1.2.3.4", "::ffff:1.2.3", "::ffff:01.2.3.4", "::1.2.3.4:5", "fe80::1%eth0", ":::", ":", "::1::", "1:", ":1",
	"12345::", "g::", "::-1", "::+1", "0:0:0:0:0:0:0:0", "0:1:0:1:0:1:0:1", "::0:0:1", "1.2.3.4", "255.255.255.255", "0.0.0.0",
	"::ffff:0:0", "::ffff:0:1.2.3.4", "1::2.3.4.5",
}

// sameAsNetip compares hostAddress with the standard library's reading.
func sameAsNetip(t *testing.T, text string) {
	want, err := netip.ParseAddr(text)
	got, ok := hostAddress(text)
	switch {
	case err == nil && !ok:
		t.Errorf("hostAddress(%q) knows no address, netip reads %v", text, want)
	case err == nil && got != want.Unmap().WithZone("").String():
		t.Errorf("hostAddress(%q) = %q, netip reads %v", text, got, want)
	case err != nil && ok && strings.Contains(text, ":") && !strings.Contains(text, "%"):
		t.Errorf("hostAddress(%q) = %q, netip says %v", text, got, err)
	}
}

func TestHostAddress(t *testing.T) {
	for _, text := range addresses {
		sameAsNetip(t, text)
	}
	// What inet_aton(3) reads and netip does not.
	for text, want := range map[string]string{
		"0xa9fea9fe": "169.254.169.254", "2852039166": "169.254.169.254", "0251.0376.0251.0376": "169.254.169.254",
		"127.1": "127.0.0.1", "256.1": "", "1.2.3.4.5": "", "name": "",
	} {
		if got, ok := hostAddress(text); got != want || ok != (want != "") {
			t.Errorf("hostAddress(%q) = %q, %v, want %q", text, got, ok, want)
		}
	}
}

func FuzzHostAddress(f *testing.F) {
	for _, text := range addresses {
		f.Add(text)
	}
	f.Fuzz(sameAsNetip)
}

package cli

import (
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// terminal makes a terminal: what is written to the second file can be read
// from the first.
func terminal(t *testing.T) (screen, line *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { screen.Close() })
	var number, unlock int32
	for request, value := range map[uintptr]*int32{syscall.TIOCGPTN: &number, syscall.TIOCSPTLCK: &unlock} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, screen.Fd(), request, uintptr(unsafe.Pointer(value))); errno != 0 {
			t.Fatal(errno)
		}
	}
	line, err = os.OpenFile("/dev/pts/"+strconv.Itoa(int(number)), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { line.Close() })
	return screen, line
}

// Whoever waits sees how far it is; the report is not among it.
func TestProgress(t *testing.T) {
	m := &model{t: t, says: byWord}
	p, stdout, _ := process(t, nil, "cop", "eval", rowsFile(t, `{"cmd":"make a","want":"clear"}`, `{"cmd":"make b","want":"clear"}`, `{"cmd":"ls","want":"clear"}`))
	p.Carry = m.carry
	configured(t, p, reviewerTOML)
	screen, line := terminal(t)
	p.Stderr = line
	if status := Run(p); status != 0 {
		t.Errorf("status %d", status)
	}
	want := "\r[" + strings.Repeat("-", 30) + "] 0 of 2\r[" + strings.Repeat("#", 15) + strings.Repeat("-", 15) + "] 1 of 2\r[" + strings.Repeat("#", 30) + "] 2 of 2\r\x1b[K"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(screen, got); err != nil || string(got) != want {
		t.Errorf("%q (%v), want %q", got, err, want)
	}
	if !strings.Contains(stdout.String(), "3 commands: 2 asked about") || strings.Contains(stdout.String(), "\r") {
		t.Errorf("%s", stdout)
	}
}

package cli

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
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

// Long work tells how far it has come and how fast, a few times a second, and takes
// the line away at its end.
func TestWorkProgress(t *testing.T) {
	p, _, _ := process(t, nil)
	screen, line := terminal(t)
	p.Stderr = line
	b := newWorkProgress(p)
	b.begin("judging", "commands", 40_000)
	b.step(10_000) // too soon
	b.start, b.last = b.start.Add(-2*time.Second), b.last.Add(-2*time.Second)
	b.step(10_000)
	b.step(20_000)
	b.end()
	line.WriteString("|")
	shown, err := bufio.NewReader(screen).ReadString('|')
	bar := "\r\x1b[K[" + strings.Repeat("#", 15) + strings.Repeat("-", 15) + "] judging: 20,000 of 40,000 commands, "
	rest, drawn := strings.CutPrefix(shown, bar)
	speed, _ := strings.CutSuffix(rest, " a second\r\x1b[K|")
	if n, bad := strconv.Atoi(strings.ReplaceAll(speed, ",", "")); err != nil || !drawn || bad != nil || n < 5000 || n > 10_000 {
		t.Errorf("%q, %v", shown, err)
	}
	if elsewhere, _, _ := process(t, nil); newWorkProgress(elsewhere).out != nil {
		t.Error("it is drawn where there is no terminal")
	}
}

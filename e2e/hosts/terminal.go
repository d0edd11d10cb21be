//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// terminal is a program in a terminal of 40 lines of 120 columns.
type terminal struct {
	screen  *os.File // what is written here is typed
	program *exec.Cmd
	mu      sync.Mutex
	shown   []byte // all that the program has written
}

// Requests of Linux's ioctl(2) about its pseudo-terminals, pty(7).
const (
	terminalNumber = 0x80045430 // TIOCGPTN
	terminalUnlock = 0x40045431 // TIOCSPTLCK
)

// terminalLimit is how long anything in a terminal may take.
const terminalLimit = 30 * time.Second

// open starts a program in a terminal.
func (r *run) open(program string, args ...string) (*terminal, error) {
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	var number, unlock int32
	size := [4]uint16{40, 120}
	for _, request := range [...]struct {
		number uintptr
		value  unsafe.Pointer
	}{{terminalNumber, unsafe.Pointer(&number)}, {terminalUnlock, unsafe.Pointer(&unlock)}, {syscall.TIOCSWINSZ, unsafe.Pointer(&size)}} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, screen.Fd(), request.number, uintptr(request.value)); errno != 0 {
			screen.Close()
			return nil, errno
		}
	}
	line, err := os.OpenFile("/dev/pts/"+strconv.Itoa(int(number)), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		screen.Close()
		return nil, err
	}
	defer line.Close()
	t := &terminal{screen: screen, program: r.command(program, args...)}
	t.program.Stdin, t.program.Stdout, t.program.Stderr = line, line, line
	t.program.SysProcAttr.Setctty = true
	if err := t.program.Start(); err != nil {
		screen.Close()
		return nil, err
	}
	go func() {
		part := make([]byte, 1<<12)
		for {
			n, err := screen.Read(part)
			t.mu.Lock()
			t.shown = append(t.shown, part[:n]...)
			t.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return t, nil
}

// close ends the program and all that it has started in the terminal.
func (t *terminal) close() {
	t.program.Cancel()
	t.program.Wait()
	t.screen.Close()
}

// text is what the program has written, without escapes, and without blanks: in
// their place a program may move the cursor.
func (t *terminal) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return visible(string(t.shown))
}

// visible is what a program has written without escapes and blanks.
func visible(shown string) string {
	var b strings.Builder
	for shown != "" {
		rest, ok := strings.CutPrefix(shown, "\x1b[")
		if ok {
			end := strings.IndexFunc(rest, func(c rune) bool { return c >= '@' && c <= '~' })
			shown = rest[end+1:]
			continue
		}
		if c := shown[0]; c > ' ' && c != 0x7f {
			b.WriteByte(c)
		}
		shown = shown[1:]
	}
	return b.String()
}

// shows waits until a text has been written.
func (t *terminal) shows(text string) error {
	return t.until(fmt.Sprintf("%q is shown", text), func() bool { return strings.Contains(t.text(), strings.ReplaceAll(text, " ", "")) })
}

// until waits for something, which is said in words for the error.
func (t *terminal) until(what string, is func() bool) error {
	for end := time.Now().Add(terminalLimit); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if is() {
			return nil
		}
	}
	return fmt.Errorf("not after %s: %s\n%s", terminalLimit, what, tail(t.text()))
}

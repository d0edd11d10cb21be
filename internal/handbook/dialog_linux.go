package handbook

import (
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Dialog runs a command at a terminal, where answer is asked about each last line,
// whole or not, and returns what is typed then; "" = nothing. It returns all that
// is seen there, and an error if the command fails.
func (s *Stage) Dialog(command string, answer func(line string) string) (string, error) {
	screen, line, err := terminal()
	if err != nil {
		return "", err
	}
	defer screen.Close()
	c := s.command("sh", "-c", s.here(command))
	c.Stdin, c.Stdout, c.Stderr = line, line, line
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.Start(); err != nil {
		line.Close()
		return "", err
	}
	line.Close()
	late := time.AfterFunc(patience, func() { end(c.Process) })
	defer late.Stop()
	var seen strings.Builder
	buffer := make([]byte, 4096)
	for {
		n, err := screen.Read(buffer)
		seen.Write(buffer[:n])
		if err != nil { // nobody has the terminal open any more
			break
		}
		all := seen.String()
		line := strings.TrimSuffix(all, "\r\n")
		if typed := answer(s.there(line[strings.LastIndexByte(line, '\n')+1:])); typed != "" {
			if _, err := io.WriteString(screen, s.here(typed)); err != nil {
				return "", err
			}
		}
	}
	err = c.Wait()
	return s.there(seen.String()), err
}

// terminal makes a terminal: what is written to line can be read from screen.
func terminal() (screen, line *os.File, err error) {
	screen, err = os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	number, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		line, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	}
	if err != nil {
		screen.Close()
		return nil, nil, err
	}
	return screen, line, nil
}

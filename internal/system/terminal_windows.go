package system

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// TerminalSize is how many characters a line of a terminal has, and how many lines
// there are; 0 where that is not known, or the file is none.
func TerminalSize(f *os.File) (columns, rows int) {
	var info windows.ConsoleScreenBufferInfo
	if err := windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info); err != nil {
		return 0, 0
	}
	return int(info.Window.Right-info.Window.Left) + 1, int(info.Window.Bottom-info.Window.Top) + 1
}

// Unbroken is the stream itself: here nothing ends a program that writes to what
// nobody reads.
func Unbroken(f *os.File) *os.File { return f }

// Input is an error here, where no process becomes another program.
func Input(string) error { return errors.ErrUnsupported }

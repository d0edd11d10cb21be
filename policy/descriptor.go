package policy

import "strings"

// Open is a descriptor that does not lead where the host gave it.
//
//	3<f    {FD: "3", File: /w/f}
//	<<E    {FD: "0", Harmless: true}
type Open struct {
	FD       string // "0", "1", "3"
	File     Word   // an absolute path where it is known
	Harmless bool   // a pipe, a text, the null device: nothing that stays
}

// Descriptor reads a file name that stands for what a process has open, and
// returns the descriptor's number: "/dev/stdin" is 0, "/dev/fd/3" is 3. Linux
// opens the file anew, for writing too where it was open for reading.
func Descriptor(name string) (fd string, ok bool) {
	switch name {
	case "/dev/stdin":
		return "0", true
	case "/dev/stdout":
		return "1", true
	case "/dev/stderr":
		return "2", true
	}
	for _, dir := range [...]string{"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"} {
		if fd, ok = strings.CutPrefix(name, dir); ok {
			return fd, fd != "" && strings.Trim(fd, "0123456789") == "" && (fd == "0" || fd[0] != '0')
		}
	}
	return "", false
}

// Opened returns what a descriptor's number leads to, given those that do not
// lead where the host gave them. Of others only output is known, which is shown
// to somebody.
func Opened(open []Open, fd string) Open {
	for i := range open {
		if open[i].FD == fd {
			return open[i]
		}
	}
	if fd == "1" || fd == "2" {
		return Open{FD: fd, Harmless: true}
	}
	return Open{FD: fd, File: Unknown("/dev/fd/" + fd)}
}

// Opened returns what a descriptor of a command leads to. Its input from a pipe
// and its output into one or into a word are no files, whatever stands around
// the command.
func (c *Command) Opened(fd string) Open {
	switch {
	case fd == "0" && (c.Stdin.Kind == InputText || c.Stdin.Kind == InputPipe || c.Stdin.Kind == InputHole && c.Stdin.Text.Parts != nil):
		return Open{FD: fd, Harmless: true}
	case fd == "0" && c.Stdin.Kind == InputHole:
		return Open{FD: fd, File: Unknown("/dev/stdin")}
	case fd == "1" && c.Stdout == OutputCaptured:
		return Open{FD: fd, Harmless: true}
	}
	return Opened(c.Open, fd)
}

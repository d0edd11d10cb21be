//go:build unix

package system

import (
	"os"
	"os/signal"
	"syscall"
)

// Replaces says that a process can become another program.
const Replaces = true

// Exec makes this process a program, with the arguments args, of which the first is
// its name. It returns only where that fails.
func Exec(path string, args, env []string) error { return syscall.Exec(path, args, env) }

// Detached are the attributes of a program that goes on when this process and its
// terminal are gone.
func Detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// Group is a program, and what it starts.
type Group struct{ *os.Process }

// StartGroup starts a program that can be ended together with what it starts.
func StartGroup(path string, args []string, attr *os.ProcAttr) (*Group, error) {
	attr.Sys = &syscall.SysProcAttr{Setpgid: true}
	process, err := os.StartProcess(path, args, attr)
	return &Group{process}, err
}

// End ends the program and what it has started.
func (g *Group) End() { syscall.Kill(-g.Pid, syscall.SIGKILL) }

// Close forgets the group; what goes on in it goes on.
func (g *Group) Close() {}

// StayInBackground makes reading from a terminal an error where it would stop this
// process.
func StayInBackground() { signal.Ignore(syscall.SIGTTIN) }

// CloseOnExec keeps a file from the programs that this process starts.
func CloseOnExec(fd uintptr) { syscall.CloseOnExec(int(fd)) }

package system

import (
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// Replaces says that a process can become another program, which none can here.
const Replaces = false

// Exec runs a program in the place of this process, with the arguments args, of
// which the first is its name, and ends with its status. It returns only where that
// fails.
func Exec(path string, args, env []string) error {
	process, err := os.StartProcess(path, args, &os.ProcAttr{Env: env, Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if err != nil {
		return err
	}
	state, err := process.Wait()
	if err != nil {
		return err
	}
	os.Exit(state.ExitCode())
	return nil
}

// Detached are the attributes of a program that goes on when this process and its
// console are gone.
func Detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}

// Group is a program, and what it starts.
type Group struct {
	*os.Process
	job windows.Handle
}

// StartGroup starts a program that can be ended together with what it starts. What
// it starts in its first moment, before it is in the group, is not in it either.
func StartGroup(path string, args []string, attr *os.ProcAttr) (*Group, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, err
	}
	attr.Sys = &syscall.SysProcAttr{HideWindow: true}
	process, err := os.StartProcess(path, args, attr)
	if err != nil {
		windows.CloseHandle(job)
		return nil, err
	}
	var apart error
	err = process.WithHandle(func(handle uintptr) { apart = windows.AssignProcessToJobObject(job, windows.Handle(handle)) })
	if err != nil || apart != nil { // it is over already, or the system has no groups within groups
		windows.CloseHandle(job)
		job = 0
	}
	return &Group{process, job}, nil
}

// End ends the program and what it has started.
func (g *Group) End() {
	if g.job != 0 {
		windows.TerminateJobObject(g.job, 1)
	}
	g.Kill()
}

// Close forgets the group; what goes on in it goes on.
func (g *Group) Close() {
	if g.job != 0 {
		windows.CloseHandle(g.job)
		g.job = 0
	}
}

// StayInBackground does nothing here, where nothing stops for a terminal.
func StayInBackground() {}

// CloseOnExec keeps a file from the programs that this process starts.
func CloseOnExec(fd uintptr) { syscall.CloseOnExec(syscall.Handle(fd)) }

//go:build unix

package handbook

import (
	"os"
	"os/exec"
	"syscall"
)

// apart gives a process, and what it starts, a session of their own.
func apart(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// end ends a process that was started apart, and what it has started.
func end(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }

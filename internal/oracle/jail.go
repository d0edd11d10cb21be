//go:build linux

package main

import (
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/bashgate/bashgate/internal/trap"
)

// The jail is a process of its own in new mount, process, network and other
// name spaces, with a root directory in which every program is the stub. It
// reads one task a line and answers with what happened. The programs of a
// line run as an ordinary user, who may write everywhere that programs like to
// write; what was written is restored after each line.

// task is one line to run.
type task struct {
	Shell string // bash, dash, zsh, or sh for bash by that name
	Line  string
	Trace bool // the shell writes down what its own commands are given

	Code *snippet // runs in place of the line, if it can without a shell
	Trap bool     // what is asked of the kernel is written down
}

// truth is what happened when a line ran.
type truth struct {
	Runs    []started
	Builtin [][]string // the words of commands that the shell itself ran, where they were traced
	Changed []string   // files that were created, opened for writing or removed
	Error   string     // of the jail itself

	Calls   []trap.Call // of a trapped task, without what an empty one asks for
	Noticed []noticed   // what the interpreter's own hooks told
}

// started is one program start, as the stub wrote it down.
type started struct {
	Path   string
	Argv   []string
	Env    []string // without what every line has
	Lost   []string // names of variables that every line has, and it has not
	Dir    string   // the working directory
	Stdin  string   // what the descriptor is: "/dev/null", "pipe:[1]"
	Input  string   // what stood in it, for programs that are no more than stubs
	Peeked bool     // Input is known
}

const (
	jailHome = "/home/user"
	jailWork = "/home/user/project"
	jailUser = 1000
	// timeout bounds one line; lines that loop are cut off, and what they ran
	// until then counts.
	timeout = time.Second
	// grace is how long background jobs may go on after their shell.
	grace = 40 * time.Millisecond
)

// baseEnv is the environment of every line.
var baseEnv = []string{
	"HOME=" + jailHome, "USER=user", "LOGNAME=user", "SHELL=/bin/bash", "TERM=dumb", "LANG=C",
	"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "PWD=" + jailWork,
}

// through lists the programs that are real behind their stub: those that run
// others, or that feed what is run.
var through = []string{
	"bash", "sh", "dash", "zsh", "env", "xargs", "find", "timeout", "nice", "nohup", "setsid", "stdbuf", "awk", "gawk", "mawk", "sed",
	"cat", "tee", "tr", "rev", "base64", "head", "tail", "sort", "uniq", "cut", "wc", "seq", "printf", "echo", "true", "false", "expr", "basename", "dirname", "test", "[",
}

// fixture is the project that lines run in.
var fixture = map[string]string{
	"README.md": "# project\nhello\n", "main.go": "package main\n", "a.txt": "one\ntwo\n", "b.txt": "two\nthree\n",
	"file.txt": "text\n", "list": "a.txt\nb.txt\n", "src/x.go": "package src\n", "s.sh": "ls $1\nx=${x:-src}\ncd src\nls $x\n",
}

// jail is the parent's end.
type jail struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	ask *gob.Encoder // not JSON, to which some bytes are no text
	out *gob.Decoder
}

// kit is what is in a jail.
type kit struct {
	Names []string          // programs that are stubs; "name=path" is real behind its stub
	Files map[string]string // text by name, relative ones of the project
}

// newJail starts a jail. Its directory lies beside the stub and goes with it.
func newJail(stub string, k kit) (*jail, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	root, err := os.MkdirTemp(filepath.Dir(stub), "jail")
	if err != nil {
		return nil, err
	}
	packed, err := json.Marshal(k)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(root, "kit"), packed, 0o644); err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "-jail", root, "-stub", stub)
	cmd.Stderr = os.Stderr
	cmd.Env = []string{"PATH=/usr/bin:/bin", "GOMAXPROCS=1"}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS,
		Pdeathsig:  syscall.SIGKILL,
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("the jail needs root and name spaces: %w", err)
	}
	return &jail{cmd: cmd, in: in, ask: gob.NewEncoder(in), out: gob.NewDecoder(out)}, nil
}

func (j *jail) close() {
	j.in.Close()
	j.cmd.Wait()
}

// run runs one line and tells what happened.
func (j *jail) run(t task) (truth, error) {
	if err := j.ask.Encode(t); err != nil {
		return truth{}, err
	}
	var answer truth
	if err := j.out.Decode(&answer); err != nil {
		return truth{}, fmt.Errorf("the jail ended: %w", err)
	}
	if answer.Error != "" {
		return truth{}, errors.New(answer.Error)
	}
	return answer, nil
}

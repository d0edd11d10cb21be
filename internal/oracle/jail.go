//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// The jail is a process of its own in new mount, process, network and other
// name spaces, with a root directory in which every program is the stub. It
// reads one task a line and answers with what happened. The programs of a
// line run as an ordinary user, in a small project that is restored after
// each line.

// task is one line to run.
type task struct {
	Shell string `json:"shell"` // bash, dash or zsh
	Line  string `json:"line"`
}

// truth is what happened when a line ran.
type truth struct {
	Runs    []started `json:"runs"`
	Changed []string  `json:"changed"` // files that were created, written or removed
	Error   string    `json:"error"`   // of the jail itself
}

// started is one program start, as the stub wrote it down.
type started struct {
	Path string   `json:"path"`
	Argv []string `json:"argv"`
	Env  []string `json:"env"`
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

// rlimitNproc bounds how many processes a user has (setrlimit(2)); package
// syscall does not name it.
const rlimitNproc = 6

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
	"file.txt": "text\n", "list": "a.txt\nb.txt\n", "src/x.go": "package src\n",
}

// jail is the parent's end.
type jail struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

// newJail starts a jail with a stub for each of the names.
func newJail(stub string, names []string) (*jail, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	root, err := os.MkdirTemp("", "oracle")
	if err != nil {
		return nil, err
	}
	list := filepath.Join(root, "names")
	if err := os.WriteFile(list, []byte(strings.Join(names, "\n")), 0o644); err != nil {
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
	j := &jail{cmd: cmd, in: in, out: bufio.NewScanner(out)}
	j.out.Buffer(nil, 64<<20)
	return j, nil
}

func (j *jail) close() {
	j.in.Close()
	j.cmd.Wait()
}

// run runs one line and tells what happened.
func (j *jail) run(t task) (truth, error) {
	request, err := json.Marshal(t)
	if err != nil {
		return truth{}, err
	}
	if _, err := j.in.Write(append(request, '\n')); err != nil {
		return truth{}, err
	}
	if !j.out.Scan() {
		return truth{}, errors.Join(errors.New("the jail ended"), j.out.Err())
	}
	var answer truth
	if err := json.Unmarshal(j.out.Bytes(), &answer); err != nil {
		return truth{}, err
	}
	if answer.Error != "" {
		return truth{}, errors.New(answer.Error)
	}
	return answer, nil
}

// inside is the child's end: it builds the root directory and runs lines.
func inside(root, stub string) error {
	if os.Getpid() != 1 {
		// It kills every process it can see.
		return errors.New("the jail's inside was started outside of a jail")
	}
	// Children inherit the limits; root itself is not bound by the first.
	for what, limit := range map[int]uint64{rlimitNproc: 200, syscall.RLIMIT_CORE: 0} {
		if err := syscall.Setrlimit(what, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			return err
		}
	}
	if err := build(root, stub); err != nil {
		return err
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	out := json.NewEncoder(os.Stdout)
	for in.Scan() {
		var t task
		if err := json.Unmarshal(in.Bytes(), &t); err != nil {
			return err
		}
		if err := out.Encode(runLine(t)); err != nil {
			return err
		}
	}
	return in.Err()
}

// build makes the root directory and moves into it.
func build(root, stub string) error {
	names, err := os.ReadFile(filepath.Join(root, "names"))
	if err != nil {
		return err
	}
	program, err := os.ReadFile(stub)
	if err != nil {
		return err
	}
	// What is mounted here must not be seen outside.
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return err
	}
	if err := syscall.Mount("tmpfs", root, "tmpfs", 0, "mode=755,size=128m"); err != nil {
		return err
	}
	for _, dir := range []string{"bin", "real", "through", "proc", "dev", "tmp", "etc", "home", "usr/lib", "usr/local", "lib64", "root", "var"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			return err
		}
	}
	if err := os.WriteFile(root+"/stub", program, 0o755); err != nil {
		return err
	}
	for from, to := range map[string]string{"/bin": "usr/bin", "/usr/lib": "lib"} {
		if err := os.Symlink(from, filepath.Join(root, to)); err != nil {
			return err
		}
	}
	for _, name := range strings.Split(string(names), "\n") {
		if err := os.Symlink("/stub", filepath.Join(root, "bin", name)); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	for _, name := range through {
		real, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if real, err = filepath.EvalSymlinks(real); err != nil {
			return err
		}
		text, err := os.ReadFile(real)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(root, "real", name), text, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(root, "through", name), nil, 0o644); err != nil {
			return err
		}
	}
	mounts := []struct{ from, to string }{{"/usr/lib", "/usr/lib"}, {"/lib64", "/lib64"}}
	for _, name := range []string{"null", "zero", "urandom"} {
		if err := os.WriteFile(root+"/dev/"+name, nil, 0o666); err != nil {
			return err
		}
		mounts = append(mounts, struct{ from, to string }{"/dev/" + name, "/dev/" + name})
	}
	for _, m := range mounts {
		if _, err := os.Stat(m.from); err != nil {
			continue
		}
		if err := syscall.Mount(m.from, root+m.to, "", syscall.MS_BIND|syscall.MS_REC, ""); err != nil {
			return fmt.Errorf("%s: %w", m.from, err)
		}
	}
	if err := syscall.Mount("proc", root+"/proc", "proc", 0, ""); err != nil {
		return err
	}
	os.Symlink("/proc/self/fd", root+"/dev/fd")
	os.WriteFile(root+"/etc/passwd", []byte("root:x:0:0::/root:/bin/sh\nuser:x:1000:1000::/home/user:/bin/sh\n"), 0o644)
	if err := os.WriteFile(root+"/log", nil, 0o666); err != nil {
		return err
	}
	os.Chmod(root+"/log", 0o666)
	os.Chmod(root+"/tmp", 0o777)
	if err := syscall.Chroot(root); err != nil {
		return err
	}
	if err := os.Chdir("/"); err != nil {
		return err
	}
	return restore()
}

// restore lays the project anew.
func restore() error {
	for _, dir := range []string{jailHome, "/tmp"} {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
	for name, text := range fixture {
		p := filepath.Join(jailWork, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return filepath.WalkDir(jailHome, func(p string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := os.Chown(p, jailUser, jailUser); err != nil {
			return err
		}
		return os.Chtimes(p, epoch, epoch)
	})
}

var epoch = time.Unix(1_700_000_000, 0)

// changed lists what differs from the fixture.
func changed() []string {
	var found []string
	seen := 0
	for _, dir := range []string{jailHome, "/tmp"} {
		filepath.WalkDir(dir, func(p string, e os.DirEntry, err error) error {
			if err != nil {
				found = append(found, p)
				return nil
			}
			info, err := e.Info()
			if err != nil || p != "/tmp" && !info.ModTime().Equal(epoch) {
				found = append(found, p)
			}
			if !e.IsDir() {
				seen++
			}
			return nil
		})
	}
	if seen != len(fixture) && len(found) == 0 {
		found = append(found, jailWork)
	}
	return found
}

// runLine runs one line in the shell, waits for what it leaves behind, and
// restores the project.
func runLine(t task) truth {
	if err := os.Truncate("/log", 0); err != nil {
		return truth{Error: err.Error()}
	}
	null, err := os.OpenFile("/dev/null", os.O_RDWR, 0)
	if err != nil {
		return truth{Error: err.Error()}
	}
	defer null.Close()
	process, err := os.StartProcess("/real/"+t.Shell, []string{t.Shell, "-c", t.Line}, &os.ProcAttr{
		Dir: jailWork, Env: baseEnv, Files: []*os.File{null, null, null},
		Sys: &syscall.SysProcAttr{
			Setsid:     true,
			Credential: &syscall.Credential{Uid: jailUser, Gid: jailUser, NoSetGroups: true},
		},
	})
	if err != nil {
		// A line that is too long for an argument, or holds a NUL.
		return truth{}
	}
	timer := time.AfterFunc(timeout, func() { syscall.Kill(-1, syscall.SIGKILL) })
	process.Wait()
	for end := time.Now().Add(grace); time.Now().Before(end) && syscall.Kill(-1, 0) == nil; {
		reap()
		time.Sleep(time.Millisecond)
	}
	timer.Stop()
	for syscall.Kill(-1, syscall.SIGKILL) == nil {
		reap()
	}
	reap()
	answer := truth{Changed: changed()}
	log, err := os.ReadFile("/log")
	if err != nil {
		return truth{Error: err.Error()}
	}
	for _, line := range strings.Split(strings.TrimSpace(string(log)), "\n") {
		var s started
		if line == "" {
			continue
		}
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			continue // cut off by the time limit
		}
		answer.Runs = append(answer.Runs, s)
	}
	if len(answer.Changed) > 0 {
		if err := restore(); err != nil {
			return truth{Error: err.Error()}
		}
	}
	return answer
}

func reap() {
	for {
		pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		if pid <= 0 || err != nil {
			return
		}
	}
}

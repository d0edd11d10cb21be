//go:build linux

package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/bashgate/bashgate/internal/trap"
)

// Code runs under the kernel's eyes: a filter tells what the interpreter, and all
// that it starts, asks for. Python's snippets run in one interpreter that forks
// for each; node starts anew each time, and a line of bash with both.

// snippet is a text in a language.
type snippet struct {
	Lang  string // "python" or "javascript"
	Text  string
	Stdin bool // it comes from standard input, and not as a word
}

// noticed is what an interpreter's hook was told: the event, and its arguments.
type noticed struct {
	Event string
	Args  []string
}

const (
	// codeMemory is how much a snippet of Python may have; node takes terabytes
	// of addresses for granted, and is bound by its own limit.
	codeMemory = 1 << 30
	nodeMemory = "--max-old-space-size=128"
	// nodeTimeout bounds what starts node, which takes its time for that.
	nodeTimeout = 5 * time.Second
)

// codeEnv keeps an interpreter from writing what it has compiled, beside what it
// compiles: that is its own.
var codeEnv = []string{"PYTHONDONTWRITEBYTECODE=1"}

// launcher is the Python program that forks for each snippet.
//
//go:embed stub/launch.py
var launcher string

// trapped runs code inside of the jail.
type trapped struct {
	python *server
	usual  map[string]map[string]bool // what an empty task asks for, by how it is run
}

// server is an interpreter that runs one snippet after the other.
type server struct {
	*trap.Process
	tasks, ends *os.File
}

// run runs a task, and tells what it did beside what an empty one does.
func (r *trapped) run(t task) truth {
	way := "line"
	if t.Code != nil {
		way = fmt.Sprint(t.Code.Lang, t.Code.Stdin)
	}
	if r.usual == nil {
		r.usual = map[string]map[string]bool{}
	}
	if r.usual[way] == nil {
		empty := task{Shell: t.Shell, Trap: true}
		if t.Code != nil {
			empty.Code = &snippet{Lang: t.Code.Lang, Stdin: t.Code.Stdin}
		}
		idle := r.once(empty)
		if idle.Error != "" {
			return idle
		}
		usual := map[string]bool{}
		for _, c := range idle.Calls {
			usual[c.Kind.String()+c.Path] = true
		}
		r.usual[way] = usual
	}
	happened := r.once(t)
	happened.Calls = slices.DeleteFunc(happened.Calls, func(c trap.Call) bool { return r.usual[way][c.Kind.String()+c.Path] || ordinary(c) })
	return happened
}

// ordinary reports whether a call is one by which interpreters, the C library and
// the stubs work at all.
func ordinary(c trap.Call) bool {
	switch c.Kind {
	case trap.Read, trap.List:
		for _, dir := range []string{"/usr/", "/lib/", "/lib64/", "/real/", "/bin/", "/sys/", "/dev/"} {
			if strings.HasPrefix(c.Path+"/", dir) {
				return true
			}
		}
		return strings.HasPrefix(c.Path, "/proc/") && !strings.HasSuffix(c.Path, "/environ") && !strings.HasSuffix(c.Path, "/mem") || strings.HasPrefix(c.Path, "/etc/ld.so.")
	case trap.Write:
		if strings.HasPrefix(c.Path, "/proc/") && strings.Contains(c.Path, "/fd/pipe:[") {
			return true // no file, but a pipe that there is: its own output, by /dev/fd/1
		}
		return c.Path == "/log" || strings.HasPrefix(c.Path, "/dev/") && !strings.HasPrefix(c.Path, "/dev/shm/") || strings.HasPrefix(c.Path, "/var/lib/libuuid/")
	case trap.Run:
		return c.Path == "/stub" || strings.HasPrefix(c.Path, "/real/") // a stub tells itself, and becomes what is real
	case trap.Talk:
		return c.Path == "unix:/var/run/nscd/socket" || c.Path == "unix:/run/uuidd/request" // of the C library: who a user is, a number for a name
	}
	return false
}

// once runs a task and waits for what it leaves behind.
func (r *trapped) once(t task) truth {
	for _, log := range []string{"/log", "/trace"} {
		if err := os.Truncate(log, 0); err != nil {
			return truth{Error: err.Error()}
		}
	}
	var calls func() []trap.Call
	var err error
	if t.Code != nil && t.Code.Lang == "python" {
		if calls, err = r.serve(t.Code); errors.Is(err, errEnded) {
			calls, err = r.serve(t.Code) // a new one: what ends both is the text
		}
	} else {
		calls, err = r.start(t)
	}
	if err != nil {
		return truth{Error: err.Error()}
	}
	for end := time.Now().Add(grace); time.Now().Before(end) && len(r.others()) > 0; {
		reap()
		time.Sleep(time.Millisecond)
	}
	r.killOthers()
	log, err := os.ReadFile("/log")
	if err != nil {
		return truth{Error: err.Error()}
	}
	audit, err := os.ReadFile("/trace")
	if err != nil {
		return truth{Error: err.Error()}
	}
	return truth{Runs: records(string(log)), Calls: calls(), Noticed: notices(string(audit))}
}

// start runs a line of bash, or a text of JavaScript, in a process of its own.
func (r *trapped) start(t task) (func() []trap.Call, error) {
	null, err := os.OpenFile("/dev/null", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	o := trap.Options{Dir: jailWork, Env: slices.Concat(baseEnv, codeEnv), Files: []*os.File{null, null, null}, User: jailUser}
	program, argv := "/real/bash", []string{"bash", "-c", t.Line}
	if t.Code != nil {
		program, argv = "/real/node", []string{"node", nodeMemory, "-e", t.Code.Text}
		if t.Code.Stdin {
			argv = []string{"node", nodeMemory, "-"}
			text, err := unnamed(t.Code.Text)
			if err != nil {
				return nil, err
			}
			defer text.Close()
			o.Files[0] = text
		}
	}
	p, err := trap.Start(program, argv, o)
	if err != nil {
		return nil, err
	}
	if r.python != nil {
		p.Guard(1, r.python.Pid)
	} else {
		p.Guard(1)
	}
	timer := time.AfterFunc(nodeTimeout, r.killOthers)
	defer timer.Stop()
	p.Wait()
	return p.Take, nil
}

// unnamed is a file that holds a text and has no name.
func unnamed(text string) (*os.File, error) {
	f, err := os.CreateTemp("/", "input")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name())
	if _, err = f.WriteString(text); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	return f, err
}

// errEnded is what serve returns where the interpreter is gone: on a machine that has
// much to do it sometimes is, whatever it runs.
var errEnded = errors.New("the interpreter ended with")

// serve runs a snippet of Python; errEnded where the interpreter has ended.
func (r *trapped) serve(s *snippet) (func() []trap.Call, error) {
	if r.python == nil {
		python, err := newServer()
		if err != nil {
			return nil, err
		}
		r.python = python
		python.Guard(1, python.Pid)
	}
	p := r.python
	p.Take() // of its own start
	kind := "c"
	if s.Stdin {
		kind = "s"
	}
	fmt.Fprintf(p.tasks, "%s%010d%s", kind, len(s.Text), s.Text)
	timer := time.AfterFunc(timeout, r.killOthers)
	defer timer.Stop()
	if n, err := p.ends.Read(make([]byte, 1)); n == 0 || err != nil {
		r.python = nil
		p.tasks.Close()
		p.ends.Close()
		p.Kill()
		p.Wait()
		return nil, fmt.Errorf("%w %q", errEnded, s.Text)
	}
	return p.Take, nil
}

func newServer() (*server, error) {
	null, err := os.OpenFile("/dev/null", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	theirTasks, tasks, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirTasks.Close()
	ends, theirEnds, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirEnds.Close()
	audit, err := os.OpenFile("/trace", os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return nil, err
	}
	defer audit.Close()
	p, err := trap.Start("/real/python3", []string{"/usr/bin/python3", "-B", "-c", launcher}, trap.Options{
		Dir: "/", Env: baseEnv, User: jailUser, Memory: codeMemory,
		Files: []*os.File{null, null, null, theirTasks, theirEnds, audit},
	})
	if err != nil {
		return nil, err
	}
	return &server{p, tasks, ends}, nil
}

// notices reads what launch.py writes down; what the time limit cut off is left
// out.
func notices(text string) (all []noticed) {
	for {
		record, rest, ok := strings.Cut(text, "\x1e")
		if !ok {
			return all
		}
		fields := strings.Split(record, "\x1f")
		all, text = append(all, noticed{fields[0], fields[1:]}), rest
	}
}

// others are the processes of the jail beside its own: this one, and the server.
func (r *trapped) others() (pids []int) {
	names, _ := filepath.Glob("/proc/[0-9]*")
	for _, name := range names {
		if pid, err := strconv.Atoi(filepath.Base(name)); err == nil && pid != 1 && (r.python == nil || pid != r.python.Pid) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// killOthers ends them, and those that they start meanwhile.
func (r *trapped) killOthers() {
	for left := r.others(); len(left) > 0; left = r.others() {
		for _, pid := range left {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		reap()
		time.Sleep(100 * time.Microsecond)
	}
}

//go:build linux

package main

import (
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// rlimitNproc bounds how many processes a user has (setrlimit(2)); package
// syscall does not name it.
const rlimitNproc = 6

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
	var k kit
	if packed, err := os.ReadFile(filepath.Join(root, "kit")); err != nil {
		return err
	} else if err := json.Unmarshal(packed, &k); err != nil {
		return err
	}
	if err := build(root, stub, k.Names); err != nil {
		return err
	}
	w, err := restore(k.Files)
	if err != nil {
		return err
	}
	// A machine that has much else to do cuts lines off.
	for range 4 {
		if err = sound(w); err == nil {
			break
		}
	}
	if err != nil {
		return err
	}
	runner := new(trapped)
	in, out := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdout)
	for {
		var t task
		if err := in.Decode(&t); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		var answer truth
		if t.Trap {
			answer = runner.run(t)
		} else {
			answer = runLine(t)
		}
		if answer.Changed = w.changed(); answer.Changed != nil {
			w.close()
			if w, err = restore(k.Files); err != nil {
				return err
			}
		}
		if err := out.Encode(answer); err != nil {
			return err
		}
	}
}

// build makes the root directory and moves into it.
func build(root, stub string, names []string) error {
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
	for _, dir := range []string{"bin", "real", "proc", "dev", "tmp", "etc", "home", "usr/lib", "usr/local", "lib64", "root", "var"} {
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
	reals := map[string]string{}
	for _, name := range through {
		reals[name] = name
	}
	for _, name := range names {
		if name, path, ok := strings.Cut(name, "="); ok {
			reals[name] = path
			// An interpreter looks for its library beside what a link leads to.
			link := filepath.Join(root, "bin", name)
			os.Remove(link)
			if err := os.WriteFile(link, program, 0o755); err != nil {
				return err
			}
			continue
		}
		if err := os.Symlink("/stub", filepath.Join(root, "bin", name)); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	for name, path := range reals {
		real, err := exec.LookPath(path)
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
	for _, log := range []string{"/log", "/trace"} {
		if err := os.WriteFile(root+log, nil, 0o666); err != nil {
			return err
		}
		os.Chmod(root+log, 0o666)
	}
	if err := syscall.Chroot(root); err != nil {
		return err
	}
	return os.Chdir("/")
}

// sound runs lines whose outcome is known, before anything is believed of
// others: where a redirect fails, a line does not run, and proves nothing.
func sound(w *watch) error {
	for _, row := range []struct {
		shell, line string
		want        []string
	}{
		{"bash", "ls a >/dev/null 2>/dev/null </dev/null && ls b", []string{"ls a", "ls b"}},
		{"bash", "ls /dev/fd/3 3>&1 && cat </dev/zero | head -c1 | ls c", []string{"ls /dev/fd/3", "cat", "head -c1", "ls c"}},
		{"bash", "cd src; ls <<<d; cat <(ls e)", []string{"ls", "ls e", "cat /dev/fd/63"}},
	} {
		happened := runLine(task{Shell: row.shell, Line: row.line})
		if happened.Error != "" {
			return errors.New(happened.Error)
		}
		var ran []string
		for _, r := range happened.Runs {
			ran = append(ran, strings.Join(r.Argv, " "))
		}
		for _, want := range row.want {
			if !slices.Contains(ran, want) {
				return fmt.Errorf("%s ran %q of %q: is /dev in order?", row.shell, ran, row.line)
			}
		}
		if changed := w.changed(); changed != nil {
			return fmt.Errorf("%q changed %q", row.line, changed)
		}
	}
	return nil
}

// writable are the directories that lines may write into, parents first.
var writable = []string{jailHome, "/tmp", "/etc", "/root", "/var"}

// watch is what sees files being created, opened for writing and removed
// (inotify(7)), and the directories that it watches.
type watch struct {
	fd   int
	dirs map[int32]string
}

// restore lays the directories anew and watches them.
func restore(files map[string]string) (*watch, error) {
	for _, dir := range writable {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return nil, err
			}
		}
	}
	for name, text := range files {
		p := name
		if !filepath.IsAbs(p) {
			p = filepath.Join(jailWork, name)
		}
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile("/etc/passwd", []byte("root:x:0:0::/root:/bin/sh\nuser:x:1000:1000::/home/user:/bin/sh\n"), 0o644); err != nil {
		return nil, err
	}
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	if err != nil {
		return nil, err
	}
	w := &watch{fd, map[int32]string{}}
	for _, dir := range writable {
		err := filepath.WalkDir(dir, func(p string, e os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if err := os.Chown(p, jailUser, jailUser); err != nil || !e.IsDir() {
				return err
			}
			const changes = syscall.IN_CREATE | syscall.IN_DELETE | syscall.IN_MOVED_FROM | syscall.IN_MOVED_TO |
				syscall.IN_MODIFY | syscall.IN_ATTRIB | syscall.IN_CLOSE_WRITE | syscall.IN_DELETE_SELF | syscall.IN_MOVE_SELF
			id, err := syscall.InotifyAddWatch(fd, p, changes)
			w.dirs[int32(id)] = p
			return err
		})
		if err != nil {
			w.close()
			return nil, err
		}
	}
	w.changed() // by ourselves
	return w, nil
}

func (w *watch) close() { syscall.Close(w.fd) }

// changed lists what happened since the last call.
func (w *watch) changed() []string {
	var found []string
	events := make([]byte, 64<<10)
	for {
		n, err := syscall.Read(w.fd, events)
		if n <= 0 || err != nil {
			return found
		}
		for rest := events[:n]; len(rest) >= syscall.SizeofInotifyEvent; {
			dir := w.dirs[int32(binary.NativeEndian.Uint32(rest))]
			end := syscall.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(rest[12:]))
			name, _, _ := strings.Cut(string(rest[syscall.SizeofInotifyEvent:end]), "\x00")
			if p := filepath.Join(dir, name); !slices.Contains(found, p) {
				found = append(found, p)
			}
			rest = rest[end:]
		}
	}
}

// runLine runs one line in the shell and waits for what it leaves behind.
func runLine(t task) truth {
	for _, log := range []string{"/log", "/trace"} {
		if err := os.Truncate(log, 0); err != nil {
			return truth{Error: err.Error()}
		}
	}
	null, err := os.OpenFile("/dev/null", os.O_RDWR, 0)
	if err != nil {
		return truth{Error: err.Error()}
	}
	defer null.Close()
	files, argv, env := []*os.File{null, null, null}, calls(t.Shell, t.Line), baseEnv
	if t.Trace {
		trace, err := os.OpenFile("/trace", os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return truth{Error: err.Error()}
		}
		defer trace.Close()
		argv, env = calls(t.Shell, t.Line, "-x"), slices.Concat(baseEnv, traceEnv)
		if strings.HasPrefix(program(t.Shell), "bash") {
			files = append(files, make([]*os.File, traceFD-len(files))...)
			files = append(files, trace)
		} else {
			files[2] = trace // these have no other place for it
		}
	}
	// A line that is too long for an argument, or holds a NUL, starts nothing.
	process, err := os.StartProcess("/real/"+program(t.Shell), argv, &os.ProcAttr{
		Dir: jailWork, Env: env, Files: files,
		Sys: &syscall.SysProcAttr{
			Setsid:     true,
			Credential: &syscall.Credential{Uid: jailUser, Gid: jailUser, NoSetGroups: true},
		},
	})
	if err != nil {
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
	log, err := os.ReadFile("/log")
	if err != nil {
		return truth{Error: err.Error()}
	}
	happened := truth{Runs: records(string(log))}
	if t.Trace {
		trace, err := os.ReadFile("/trace")
		if err != nil {
			return truth{Error: err.Error()}
		}
		happened.Builtin = traced(string(trace))
	}
	return happened
}

// records reads what the stubs wrote: stub/stub.c has the form. A record that
// the time limit cut off is left out.
func records(log string) []started {
	fields := strings.Split(log, "\x00")
	fields = fields[:len(fields)-1] // what has no end
	take := func(n int) []string {
		taken := fields[:n]
		fields = fields[n:]
		return taken
	}
	var all []started
	last := map[string]int{} // what each process became, counted from 1
	for len(fields) > 3 || len(fields) == 3 && fields[0] == "I" {
		switch kind := take(1)[0]; kind {
		case "I":
			said := take(2)
			if i := last[said[0]]; i > 0 {
				all[i-1].Input, all[i-1].Peeked = said[1], true
			}
		case "S":
			said := take(3)
			argc, _ := strconv.Atoi(said[0])
			envc, _ := strconv.Atoi(said[1])
			if len(fields) < 3+argc+envc {
				return all
			}
			where := take(3)
			s := started{Path: where[0], Dir: where[1], Stdin: where[2], Argv: take(argc), Env: take(envc)}
			for _, pair := range baseEnv {
				name, _, _ := strings.Cut(pair, "=")
				if !slices.ContainsFunc(s.Env, func(p string) bool { return strings.HasPrefix(p, name+"=") }) {
					s.Lost = append(s.Lost, name)
				}
			}
			s.Env = slices.DeleteFunc(s.Env, func(pair string) bool {
				return slices.Contains(baseEnv, pair) || slices.Contains(traceEnv, pair) || slices.Contains(codeEnv, pair)
			})
			all = append(all, s)
			last[said[2]] = len(all)
		default:
			return all
		}
	}
	return all
}

func reap() {
	for {
		pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		if pid <= 0 || err != nil {
			return
		}
	}
}

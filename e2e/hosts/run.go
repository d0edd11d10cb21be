//go:build unix

package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// run is one start of an agent, in a home and a project of its own.
type run struct {
	agent    *agent
	packages string
	home     string
	project  string
	bashgate string // the program that is installed, or what stands in its place
	model    *model
	env      []string
	output   bytes.Buffer // what the agent printed
}

// limit is how long an agent may take; then it hangs.
const limit = 4 * time.Minute

// newRun makes the directories and starts the model. The environment holds
// nothing of the caller's, and a proxy where nobody listens.
func newRun(a *agent, o *options, dir string, script []use) (*run, error) {
	r := &run{agent: a, packages: o.packages, home: filepath.Join(dir, "home"), bashgate: filepath.Join(dir, "bin/bashgate")}
	r.project = filepath.Join(r.home, "project")
	for _, d := range [...]string{filepath.Join(r.project, ".bashgate"), filepath.Dir(r.bashgate), filepath.Join(r.home, ".config/bashgate")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, err
		}
	}
	if err := os.Link(o.bashgate, r.bashgate); err != nil {
		return nil, err
	}
	r.set("PATH", filepath.Dir(r.node())+":/usr/local/bin:/usr/bin:/bin", "HOME", r.home, "TERM", "dumb", "LANG", "C.UTF-8", "SHELL", "/bin/bash",
		"HTTP_PROXY", "http://127.0.0.1:9", "HTTPS_PROXY", "http://127.0.0.1:9", "NO_PROXY", "127.0.0.1,localhost",
		"http_proxy", "http://127.0.0.1:9", "https_proxy", "http://127.0.0.1:9", "no_proxy", "127.0.0.1,localhost")
	var err error
	r.model, err = newModel(cmp.Or(o.model, a.model, "fake-model"), script)
	return r, err
}

// set adds pairs of names and values to the environment.
func (r *run) set(pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		r.env = append(r.env, pairs[i]+"="+pairs[i+1])
	}
}

// write writes a file below the home.
func (r *run) write(path, text string) error {
	path = filepath.Join(r.home, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// command is a program in the project, which is killed with all that it has
// started when the limit is over.
func (r *run) command(program string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	c := exec.CommandContext(ctx, program, args...)
	c.Dir, c.Env = r.project, r.env
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	c.Cancel = func() error {
		defer cancel()
		return syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
	}
	c.WaitDelay = time.Second // children may hold the output open
	return c
}

// self runs bashgate itself, as a person would.
func (r *run) self(args ...string) (string, error) {
	out, err := r.command(r.bashgate, args...).CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("bashgate %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), nil
}

// drive starts the agent and waits for its end. An agent's own failure is none
// here: what counts is what ran and what the model was told.
func (r *run) drive(argv []string) (hangs bool, err error) {
	c := r.command(argv[0], argv[1:]...)
	c.Stdout, c.Stderr = &r.output, &r.output
	start := time.Now()
	err = c.Run()
	hangs = time.Since(start) >= limit
	r.close()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) || errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	return hangs, err
}

// close ends the model and the processes that the agent left behind: those with
// this run's home.
func (r *run) close() {
	r.model.close()
	home := []byte("HOME=" + r.home)
	processes, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range processes {
		env, err := os.ReadFile(path)
		if err != nil || !slices.ContainsFunc(bytes.Split(env, []byte{0}), func(v []byte) bool { return bytes.Equal(v, home) }) {
			continue
		}
		if id, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			syscall.Kill(id, syscall.SIGKILL)
		}
	}
}

//go:build unix

package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// The cases. The first five are bashgate's answers, the others what becomes
// of a command that it would block where the hook fails or is taken out again.
const (
	allow = iota
	ask
	approved
	block
	edit
	killed
	garbage
	late
	missing
	uninstalled
)

// cases says what is tried. Each command would leave a file called trace, or
// show a text that it does not hold.
var cases = [...]struct {
	name    string
	title   string // of the column in docs/hosts.md
	command string
	shows   string // what it shows; "" for the file
	reason  string // what bashgate's reason says
	free    bool   // the agent is in the mode in which it asks nobody itself
	script  string // what stands in bashgate's place; "" for bashgate
}{
	allow:       {name: "allow", title: "allow", command: "seq -s- 3 7", shows: "3-4-5-6-7"},
	ask:         {name: "ask", title: "ask", command: "touch trace", reason: "Writes trace"},
	approved:    {name: "approved", title: "ask, approved elsewhere", command: "echo ran >>trace", reason: "Writes trace", free: true},
	block:       {name: "block", title: "block", command: blocked, reason: "bashgate's own configuration"},
	edit:        {name: "edit", title: "block an edit", reason: "bashgate's own configuration", free: true},
	killed:      {name: "killed", title: "is killed", command: blocked, free: true, script: "kill -9 $$\n"},
	garbage:     {name: "garbage", title: "prints half an answer", command: blocked, free: true, script: "cat >/dev/null\necho '{\"decision'\n"},
	late:        {name: "late", title: "is late", command: blocked, free: true, script: before + "exec sleep 60\n"},
	missing:     {name: "missing", title: "is missing", command: blocked, free: true, script: "-"},
	uninstalled: {name: "uninstalled", title: "uninstalled", command: blocked, free: true},
}

// before ends a script's part in events that nothing waits for: each of them
// would take its time.
const before = "case \"$* $(cat)\" in *[pP]reToolUse*|*BeforeTool*|*tool_call*) ;; *) exit 0;; esac\n"

const blocked = "touch ~/.config/bashgate/trace"

// outcome is what happened to the command.
type outcome string

const (
	runs    outcome = "runs"
	once    outcome = "runs once" // of three times the second, after a person approved it; the others were denied
	denied  outcome = "denied"    // it did not run, and the model was told bashgate's reason
	refused outcome = "refused"   // it did not run, and the model was told something else
	stopped outcome = "stopped"   // it did not run, and the agent ended without telling the model
	hangs   outcome = "hangs"     // the agent waits for ever
)

// result is one case with one agent.
type result struct {
	outcome outcome
	detail  string // what the model was told, or what the agent printed
	seconds float64
	tools   map[string]schema
}

// try runs one case in a directory that is removed afterwards.
func (o *options) try(a *agent, number int) (result, error) {
	c := &cases[number]
	dir, err := os.MkdirTemp("", "bashgate-hosts-")
	if err != nil {
		return result{}, err
	}
	defer os.RemoveAll(dir)
	begin := time.Now()
	script := []use{shell(a.tool, c.command)}
	switch number {
	case edit:
		script[0] = writes(filepath.Join(dir, "home/project/.bashgate/trace"))
	case approved:
		script = []use{script[0], script[0], script[0]}
	}
	r, err := newRun(a, o, dir, script)
	if err != nil {
		return result{}, err
	}
	defer r.close()
	if number == approved {
		r.model.script[1].before = r.approveTold
	}
	argv, err := a.start(r, c.free)
	if err != nil {
		return result{}, err
	}
	var options []string
	if number == approved {
		options = a.alone
	}
	if err := r.install(number == uninstalled, options...); err != nil {
		return result{}, err
	}
	if c.script != "" {
		if err := r.replace(c.script); err != nil {
			return result{}, err
		}
	}
	if number != uninstalled {
		if err := r.examine(o.bashgate, c.script == ""); err != nil {
			return result{}, err
		}
	}
	hung, err := r.drive(argv)
	if err != nil {
		return result{}, err
	}
	got := result{seconds: time.Since(begin).Seconds(), tools: r.model.tools, detail: strings.Join(r.model.results, "\n")}
	switch {
	case number == approved && r.ranOnce():
		got.outcome = once
	case r.traced(), c.shows != "" && strings.Contains(got.detail, c.shows):
		got.outcome = runs
	case hung:
		got.outcome, got.detail = hangs, r.output.String()
	case r.model.problem != nil:
		return got, fmt.Errorf("%w\n%s", r.model.problem, tail(r.output.String()))
	case len(r.model.tools) == 0 && c.script == "":
		return got, fmt.Errorf("the agent asked the model nothing (%s)\n%s", strings.Join(r.model.paths, ", "), tail(r.output.String()))
	case len(r.model.results) == 0:
		got.outcome, got.detail = stopped, r.output.String()
	case c.reason != "" && strings.Contains(got.detail, c.reason):
		got.outcome = denied
	default:
		got.outcome = refused
	}
	got.detail = tail(got.detail)
	return got, nil
}

// install installs the hook as a person does. Where it is taken out again, each
// file of the home must be as it was, but for bashgate's own record.
func (r *run) install(out bool, options ...string) error {
	before, err := files(r.home)
	if err != nil {
		return err
	}
	args := append([]string{"install", r.agent.name, "--yes"}, options...)
	if _, err := r.self(args...); err != nil {
		return err
	}
	installed, err := files(r.home)
	if err != nil {
		return err
	}
	if _, err := r.self(args...); err != nil {
		return err
	}
	again, err := files(r.home)
	if err != nil || !maps.Equal(installed, again) {
		return cmp.Or(err, errors.New("a second install has changed files"))
	}
	if !out {
		return nil
	}
	if _, err := r.self("uninstall", r.agent.name, "--yes"); err != nil {
		return err
	}
	after, err := files(r.home)
	if err != nil {
		return err
	}
	for path, data := range before {
		if now, ok := after[path]; !ok || now != data {
			return fmt.Errorf("uninstall has left %s otherwise than install found it", path)
		}
	}
	own := filepath.Join(r.home, ".local/state/bashgate")
	for path := range after {
		if _, ok := before[path]; !ok && !strings.HasPrefix(path, own) && !strings.HasPrefix(own, path) {
			return fmt.Errorf("uninstall has left %s behind", path)
		}
	}
	return nil
}

// examine asks doctor about the agent: it must find nothing wrong, but for what
// only a person can do, or else that the hook can't be started or answers
// wrongly.
func (r *run) examine(bashgate string, well bool) error {
	out, err := r.command(bashgate, "doctor", r.agent.name, "--json").Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return err
	}
	var findings []struct{ Check, Level, What string }
	if err := json.Unmarshal(out, &findings); err != nil {
		return fmt.Errorf("doctor: %w\n%s", err, out)
	}
	var failed, broken []string
	for _, f := range findings {
		switch {
		case f.Level != "fail", f.Check == r.agent.person:
		case f.Check == "program", f.Check == "answer":
			broken = append(broken, f.Check+": "+f.What)
		default:
			failed = append(failed, f.Check+": "+f.What)
		}
	}
	switch {
	case len(failed) > 0, well && len(broken) > 0:
		return fmt.Errorf("doctor finds wrong:\n%s", strings.Join(append(failed, broken...), "\n"))
	case !well && len(broken) == 0:
		return fmt.Errorf("doctor finds nothing wrong:\n%s", out)
	}
	return nil
}

// files reads a directory: directories' names, and the content of files.
func files(dir string) (map[string]string, error) {
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			all[path+"/"] = ""
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = string(data)
		return err
	})
	return all, err
}

// replace puts a shell script in bashgate's place, or nothing for "-".
func (r *run) replace(script string) error {
	if err := os.Remove(r.bashgate); err != nil || script == "-" {
		return err
	}
	return os.WriteFile(r.bashgate, []byte("#!/bin/sh\n"+script), 0o755)
}

// traced reports whether the command has left its file.
func (r *run) traced() bool {
	for _, dir := range [...]string{r.project, filepath.Join(r.project, ".bashgate"), filepath.Join(r.home, ".config/bashgate")} {
		if _, err := os.Stat(filepath.Join(dir, "trace")); err == nil {
			return true
		}
	}
	return false
}

// tail is the end of a text.
func tail(text string) string {
	const most = 1000
	if len(text) > most {
		text = "..." + text[len(text)-most:]
	}
	return strings.TrimSpace(text)
}

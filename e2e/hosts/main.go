//go:build unix

// Command hosts proves the hook with the agents themselves: it installs
// bashgate into real agent programs, lets a model that this program plays tell
// them to run commands, and looks at what ran and what the model was told.
//
//	go run ./e2e/hosts -packages DIR [-date 2026-11-23 -doc docs/hosts.md] [HOST...]
//
// DIR is where e2e/install.sh put the agents' packages, one directory a host.
// Each start of an agent has a home of its own, and a proxy where nobody
// listens: nothing leaves the machine. Where a hook waits beside an agent's dialog,
// the agent is started in a terminal, too, and its dialog answered. It prints a line for each case, and
// fails where something else happens than the table in agent.go says, or where
// an agent offers a tool for commands that is in no [[shells]] of the rules.
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

func main() {
	var o options
	flag.StringVar(&o.packages, "packages", "", "`DIR`ectory of the agents' packages")
	flag.StringVar(&o.bashgate, "bashgate", "", "the `PROGRAM`; built from this directory if it is not given")
	flag.StringVar(&o.only, "case", "", "one `CASE` alone")
	flag.StringVar(&o.doc, "doc", "", "write what happened into this `FILE`")
	flag.StringVar(&o.date, "date", "", "the `DAY` to be written there, 2026-11-23")
	flag.IntVar(&o.jobs, "jobs", 2, "`N` agents at once")
	flag.StringVar(&o.record, "record", "", "write what the agents hand to their hooks into this `DIR`ectory instead")
	flag.StringVar(&o.sessions, "sessions", "", "write the files in which the agents keep a session below this `DIR`ectory instead")
	flag.StringVar(&o.model, "model", "", "the model's `NAME`: agents offer some other tools")
	server := flag.Bool("serve", false, "be the MCP server that agents are given while that is recorded")
	flag.BoolVar(&o.verbose, "v", false, "print what the model was told")
	flag.Parse()
	run := func() error { return o.run(flag.Args()) }
	if *server {
		run = func() error { return serve(os.Stdin, os.Stdout) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "hosts: error:", err)
		os.Exit(1)
	}
}

type options struct {
	packages, bashgate, only, doc, date, record, sessions, model string
	jobs                                                         int
	verbose                                                      bool
}

func (o *options) run(names []string) error {
	var err error
	switch {
	case o.packages == "":
		return fmt.Errorf("-packages is missing\nhint: make e2e-hosts installs them and gives it")
	case o.doc != "" && (o.date == "" || o.only != ""):
		return fmt.Errorf("-doc needs -date and all cases")
	}
	if o.packages, err = filepath.Abs(o.packages); err != nil {
		return err
	}
	chosen, err := choose(names)
	if err != nil {
		return err
	}
	if o.bashgate == "" {
		dir, err := os.MkdirTemp("", "bashgate-hosts-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		o.bashgate = filepath.Join(dir, "bashgate")
		build := exec.Command("go", "build", "-o", o.bashgate, "./cmd/bashgate")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("building bashgate: %w\n%s", err, out)
		}
	}

	if o.bashgate, err = filepath.Abs(o.bashgate); err != nil {
		return err
	}
	if o.record != "" || o.sessions != "" {
		write := o.recordEvents
		if o.sessions != "" {
			write = o.recordSession
		}
		for _, a := range chosen {
			if err := write(a); err != nil {
				return fmt.Errorf("%s: %w", a.name, err)
			}
		}
		return nil
	}

	rows := make([]row, len(chosen))
	var wait sync.WaitGroup
	turn := make(chan struct{}, max(o.jobs, 1))
	for i, a := range chosen {
		wait.Go(func() {
			turn <- struct{}{}
			rows[i] = o.drive(a)
			<-turn
		})
	}
	wait.Wait()
	wrong := 0
	for i := range rows {
		wrong += rows[i].wrong
	}
	if o.doc != "" {
		if err := writeTable(o.doc, rows); err != nil {
			return err
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d cases differ", wrong)
	}
	return nil
}

func choose(names []string) ([]*agent, error) {
	var chosen []*agent
	for i := range agents {
		if len(names) == 0 || slices.Contains(names, agents[i].name) {
			chosen = append(chosen, &agents[i])
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(chosen, func(a *agent) bool { return a.name == name }) {
			return nil, fmt.Errorf("no host %q runs here", name)
		}
	}
	return chosen, nil
}

// row is what happened with one agent.
type row struct {
	agent   *agent
	version string
	date    string
	got     outcomes
	wrong   int
}

// drive tries all cases with one agent and prints them.
func (o *options) drive(a *agent) row {
	r := row{agent: a, date: o.date}
	var err error
	if r.version, err = a.version(); err != nil {
		fmt.Printf("%s: %v\n", a.name, err)
		r.wrong++
		return r
	}
	tools := map[string]schema{}
	for number := range cases {
		c := &cases[number]
		if o.only != "" && c.name != o.only {
			continue
		}
		got, err := o.try(a, number)
		if a.want[number] == runs && err == nil && got.outcome == refused {
			// An agent may lose what a command has printed: Qwen Code 0.26 does once in
			// some hundred times. What ran and should not have is not tried again.
			fmt.Printf("%-9s %-13s nothing came back, and once more:\n", a.name, c.name)
			got, err = o.try(a, number)
		}
		r.got[number] = got.outcome
		maps.Copy(tools, got.tools)
		if !o.tell(a, c.name, a.want[number], got, err) {
			r.wrong++
		}
	}
	for number := range dialogs {
		d := &dialogs[number]
		if a.dialog == nil || o.only != "" && d.name != o.only {
			continue
		}
		got, err := o.talk(a, number)
		maps.Copy(tools, got.tools)
		if !o.tell(a, d.name, d.want, got, err) {
			r.wrong++
		}
	}
	shells, unknown := commandTools(a.name, tools)
	fmt.Printf("%-9s %-13s %d, shells: %s\n", a.name, "tools", len(tools), strings.Join(shells, " "))
	if o.verbose {
		fmt.Printf("  %s\n", strings.Join(keys(tools), " "))
	}
	if len(unknown) > 0 {
		fmt.Printf("%-9s %-13s in no [[shells]] of rules/tools.toml: %s  DIFFERS\n", a.name, "tools", strings.Join(unknown, "; "))
		r.wrong++
	}
	return r
}

// tell prints what happened in a case, and reports whether it was expected.
func (o *options) tell(a *agent, name string, want outcome, got result, err error) bool {
	var line bytes.Buffer
	fmt.Fprintf(&line, "%-9s %-13s expected %-9s got %-9s %5.1fs", a.name, name, want, cmp.Or(got.outcome, "?"), got.seconds)
	expected := err == nil && got.outcome == want
	if !expected {
		line.WriteString("  DIFFERS")
	}
	if err != nil {
		fmt.Fprintf(&line, "\n  %v", err)
	}
	if got.detail != "" && (o.verbose || !expected) {
		fmt.Fprintf(&line, "\n  %s", strings.ReplaceAll(got.detail, "\n", "\n  "))
	}
	fmt.Println(line.String())
	return expected
}

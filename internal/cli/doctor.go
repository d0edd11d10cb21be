package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/doctor"
	"github.com/bashgate/bashgate/internal/export"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/install"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

const doctorHelp = `doctor finds out whether bashgate decides about what the agents on this machine
run: whether its hook stands in their settings, can be started, answers as the
agent understands it, and what keeps the agent from asking it. It changes
nothing, but that the decision log, where it has a file of its own, shows what
was tried.

Usage:
  bashgate doctor [HOST...] [--json] [--online]

HOST is an agent that shall have the hook; without one, all that are found here.
The hook is started with three commands that nobody runs: git status, git push
and rm -rf /. docs/doctor.md tells what each finding means.

Flags:
  --json     one JSON array: {host, check, level, what, fix, file, line}
  --online   ask the reviewer about a command, which costs what it costs

Exit status: 0, or 1 where something fails.

Example:
  $ bashgate doctor claude
  ...
  Claude Code
  ok    hook: a hook stands in ~/.claude/settings.json
  fail  program: /opt/old/bashgate is not there, or can't be run: the hook...
        fix: bashgate install claude
  ...
`

func doctorCommand() command {
	return command{
		name:     "doctor",
		summary:  "find out whether the hooks of the agents work",
		help:     doctorHelp,
		operands: "HOST",
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			json := flags.Bool("json", false, "")
			online := flags.Bool("online", false, "")
			return func(p *Process, args []string) (int, error) {
				for _, name := range args {
					if !slices.Contains(agentNames(), name) {
						return 0, usagef(ruleset.DidYouMean(name, agentNames()), "%q is no agent that bashgate is a hook of", name)
					}
				}
				d, err := newDiagnosis(p)
				if err != nil {
					return 0, err
				}
				d.own(*online)
				d.agents(args)
				if *json {
					err = d.writeJSON()
				} else {
					err = d.write(args)
				}
				if slices.ContainsFunc(d.findings, func(f doctor.Finding) bool { return f.Level == doctor.Fail }) {
					return exitError, err
				}
				return exitOK, err
			}
		},
	}
}

// diagnosis is one run of doctor.
type diagnosis struct {
	process  *Process
	machine  *doctor.Machine
	judge    *judge
	findings []doctor.Finding
}

func newDiagnosis(p *Process) (*diagnosis, error) {
	here, err := p.Getwd()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	info, _ := debug.ReadBuildInfo()
	d := &diagnosis{process: p, judge: newJudge(p)}
	environ := os.Environ
	if p.Environ != nil {
		environ = p.Environ
	}
	d.machine = &doctor.Machine{
		Place:   install.Place{Home: p.Getenv("HOME"), Workspace: here, Getenv: p.Getenv},
		Environ: environ(), Self: self, Version: "bashgate " + version(info), Patience: patience,
		Judge: func(q host.Question) engine.Verdict {
			r := q.Request
			r.Settings = agentSettings(&r)
			return d.judge.evaluate(r)
		},
	}
	return d, nil
}

func (d *diagnosis) add(check string, l doctor.Level, what, fix string) {
	d.findings = append(d.findings, doctor.Finding{Check: check, Level: l, What: what, Fix: fix})
}

// own looks at bashgate itself.
func (d *diagnosis) own(online bool) {
	d.settings()
	d.findings = append(d.findings, d.machine.State()...)
	d.log()
	d.notify()
	d.reviewer(online)
}

// settings looks at the settings and the rule files that are in force here.
func (d *diagnosis) settings() {
	s := situation{cwd: d.machine.Workspace, workspace: d.machine.Workspace}
	c := inForce(d.process, &s)
	notes := func(check string, list []note) {
		for _, n := range list {
			level, fix := doctor.Warn, "bashgate config show"
			if n.kind == "error" {
				level, fix = doctor.Fail, "mend the file: while it is broken, bashgate asks about what it may have said"
			}
			d.add(check, level, n.text, fix)
		}
	}
	all := c.notes()
	notes("settings", all)
	if len(all) == 0 {
		d.add("settings", doctor.OK, plural(len(c.files), "file")+" of settings, nothing wrong in them", "")
	}
	files, wrong := 0, len(d.findings)
	for _, r := range c.rules {
		for _, fault := range r.Unread() {
			notes("rules", c.faults(fault.Err))
		}
		for i := range r.Files {
			files++
			notes("rules", c.ruleNotes(&r.Files[i]))
			if r.Trust == config.Changed && i == 0 {
				d.add("rules", doctor.Warn, "the project's rules are not those that were trusted, and only tighten: "+policy.Visible(d.process.home(r.Project)), "bashgate trust")
			}
		}
	}
	if len(d.findings) == wrong {
		d.add("rules", doctor.OK, plural(files, "rule file")+" beside the built-in ones, nothing wrong in them", "")
	}
	d.profile(c)
}

// profile looks whether the way of working that is chosen is there.
func (d *diagnosis) profile(c *forces) {
	name := cmp.Or(c.profile, "default")
	if c.profile == "" {
		name, _ = c.setup.Choose("")
	}
	if gates.Profile(name) == nil {
		if _, faults := c.setup.Profiles(catalogue.Known).Chain(name); len(faults) > 0 {
			d.add("profile", doctor.Fail, "the profile "+policy.Visible(name)+" can't be used, and everything is asked about: "+policy.Visible(d.process.firstLine(faults[0].Err)), "mend it, or choose another one in config.toml")
			return
		}
	}
	d.add("profile", doctor.OK, "the profile is "+policy.Visible(name), "")
}

// log looks whether the decision log can be written.
func (d *diagnosis) log() {
	c := &d.judge.config.Audit
	if c.Off {
		d.add("log", doctor.OK, "the decision log is switched off: bashgate log and explain --last have nothing to show", "")
		return
	}
	l, err := d.process.auditLog(c)
	path := policy.Visible(d.process.home(l.Path))
	switch {
	case err != nil:
		d.add("log", doctor.Fail, "the decision log can't be written: "+policy.Visible(err.Error()), "[audit] file in config.toml names a place")
	case !doctor.Writable(l.Path):
		d.add("log", doctor.Fail, "the decision log can't be written: "+path, "[audit] file in config.toml names it")
	case c.Why != nil:
		d.add("log", doctor.Warn, "the decision log has no commands, for [audit] is broken: "+path, "mend config.toml")
	default:
		if why := l.Unchainable(); why != nil {
			d.add("log", doctor.Warn, "the decision log is "+path+", and its lines are not chained: "+policy.Visible(why.Error()), "docs/log.md")
			return
		}
		d.add("log", doctor.OK, "the decision log is "+path, "")
	}
}

// notify looks whether the program can be started that tells a person, if there is
// to be one.
func (d *diagnosis) notify() {
	command := d.judge.config.Notify.Command
	if len(command) == 0 {
		return
	}
	path := policy.Visible(d.process.home(command[0]))
	if info, err := os.Stat(command[0]); err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		d.add("notify", doctor.Fail, "nobody is told of questions that wait: "+path+" is no program", "[notify] command in config.toml names it")
		return
	}
	d.add("notify", doctor.OK, "a person is told of questions that wait by "+path, "")
}

// reviewer looks whether the reviewer can be asked, and asks it if it may.
func (d *diagnosis) reviewer(online bool) {
	c := &d.judge.config.Cop
	if c.Provider == "" || c.When == "never" {
		d.add("reviewer", doctor.OK, "no reviewer is set up: what tainted sessions do is asked about", "")
		return
	}
	s := situation{cwd: d.machine.Workspace, workspace: d.machine.Workspace, mode: "default", shell: "bash", attended: true}
	r := s.request(d.process, "make test")
	r, _ = d.judge.configured(r)
	made, err := d.judge.reviewer(&r, nil)
	if err != nil {
		d.add("reviewer", doctor.Fail, "the reviewer can't be asked: "+policy.Visible(err.Error()), "docs/cop.md")
		return
	}
	client := filepath.Join(filepath.Dir(d.machine.Self), "bashgated")
	if info, err := os.Stat(client); d.process.Carry == nil && (err != nil || info.Mode()&0o111 == 0) {
		d.add("reviewer", doctor.Fail, "bashgated is not beside bashgate: "+policy.Visible(d.process.home(client)), "put it there: nothing else speaks with the reviewer")
		return
	}
	if c.KeyFile != "" {
		if _, err := (disk.OS{}).ReadFile(c.KeyFile, maxInput); err != nil {
			d.add("reviewer", doctor.Fail, "the reviewer's key can't be read: "+policy.Visible(err.Error()), "[cop] key_file in config.toml names it")
			return
		}
	}
	if !online {
		d.add("reviewer", doctor.OK, "the reviewer is "+policy.Visible(c.Provider)+"; --online asks it", "")
		return
	}
	r.Taint.Corruption = 2
	v := d.judge.engine.Evaluate(r)
	o := made.Review(&r, &v)
	if o.Kind == cop.Failed {
		d.add("reviewer", doctor.Fail, "the reviewer does not answer: "+policy.Visible(cmp.Or(o.Said, o.Code)), "bashgate cop ask 'make test' shows what comes back")
		return
	}
	d.add("reviewer", doctor.OK, fmt.Sprintf("the reviewer has answered after %d ms", o.Milliseconds), "")
}

// agents looks at the agents that are named, or at those that are here.
func (d *diagnosis) agents(names []string) {
	for _, a := range install.Agents() {
		named := slices.Contains(names, a.Host)
		if !named && (len(names) > 0 || !a.Installed(d.machine.Place) && !d.machine.Installed(a)) {
			continue
		}
		d.findings = append(d.findings, d.machine.Examine(a, named)...)
		d.policy(a)
	}
}

// policy looks at the rules that were exported for the agent's own engine.
func (d *diagnosis) policy(a *install.Agent) {
	t := export.Find(cmp.Or(a.Target, a.Host))
	path := a.PolicyPlace(d.machine.Place, install.User)
	if t == nil || path == "" {
		return
	}
	name := d.machine.Show(path)
	add := func(l doctor.Level, what, fix string) {
		d.findings = append(d.findings, doctor.Finding{Host: a.Host, Check: "policy", Level: l, What: what, Fix: fix, File: name})
	}
	text, err := disk.OS{}.ReadFile(path, maxInput)
	_, head, exported := strings.Cut(policy.Clip(string(text), 1000), ": export "+t.Name+" --mode ")
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		add(doctor.Fail, "the exported rules can't be read: "+policy.Visible(err.Error()), "mend the file")
		return
	}
	if !exported && !strings.Contains(string(text), "bashgate begins") {
		if a.PolicyAlways {
			add(doctor.Warn, "no exported rules in "+name+": where no hook fires, nothing decides", "bashgate install "+a.Host+" --policy")
		}
		return
	}
	x := exporter{process: d.process, target: t}
	head, _, _ = strings.Cut(head, "\n")
	flags := ""
	for i, word := range strings.Fields(head) {
		x.options.Strict = x.options.Strict || i == 0 && word == "strict"
		x.options.Sandbox = x.options.Sandbox || word == "--sandbox"
	}
	if x.options.Strict {
		flags = " --mode strict"
	}
	if x.options.Sandbox {
		flags += " --sandbox"
	}
	to := " --out "
	if t.Merges {
		to = " --merge "
	}
	fix := "bashgate export " + t.Name + flags + to + name
	rules, err := x.rules()
	if err != nil {
		return // what is wrong with the rules is said already
	}
	fresh, current, err := x.compare(rules, text, name)
	switch {
	case err != nil:
		add(doctor.Fail, t.Title+" would not load the exported rules: "+policy.Visible(d.process.firstLine(err)), fix)
	case !current:
		add(doctor.Warn, "the exported rules are not those that hold here now", fix)
	default:
		add(doctor.OK, plural(fresh.Stats.Rules, "exported rule")+", current", "")
	}
}

// write shows the findings, one group an agent.
func (d *diagnosis) write(names []string) error {
	s := styleFor(d.process, d.process.Stdout)
	var b strings.Builder
	group, agents := "-", false
	for i := range d.findings {
		f := &d.findings[i]
		if f.Host != group {
			if group = f.Host; i > 0 {
				b.WriteByte('\n')
			}
			title := "bashgate"
			if a := install.Find(f.Host); a != nil {
				title, agents = a.Title, true
			}
			b.WriteString(s.paint(bold, title) + "\n")
		}
		where := ""
		if f.Line > 0 {
			where = s.paint(dim, fmt.Sprintf(" (%s:%d)", policy.Visible(f.File), f.Line))
		}
		colour := [...]string{green, yellow, red}[f.Level]
		fmt.Fprintf(&b, "%s  %s: %s%s\n", s.paint(colour, fmt.Sprintf("%-4s", f.Level)), f.Check, policy.Visible(f.What), where)
		if f.Fix != "" {
			fmt.Fprintf(&b, "      %s %s\n", s.paint(dim, "fix:"), policy.Visible(f.Fix))
		}
	}
	if !agents && len(names) == 0 {
		b.WriteString("\nno agent was found here\n      fix: bashgate install HOST, where HOST is one of " + strings.Join(agentNames(), ", ") + "\n")
	}
	_, err := io.WriteString(d.process.Stdout, b.String())
	return err
}

func (d *diagnosis) writeJSON() error {
	b := []byte{'['}
	for i := range d.findings {
		f := &d.findings[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = wire.AppendText(append(b, "\n{\"host\":"...), f.Host)
		b = wire.AppendText(append(b, `,"check":`...), f.Check)
		b = wire.AppendText(append(b, `,"level":`...), f.Level.String())
		b = wire.AppendText(append(b, `,"what":`...), f.What)
		b = wire.AppendText(append(b, `,"fix":`...), f.Fix)
		b = wire.AppendText(append(b, `,"file":`...), f.File)
		if f.Line > 0 {
			b = fmt.Appendf(b, `,"line":%d`, f.Line)
		}
		b = append(b, '}')
	}
	_, err := d.process.Stdout.Write(append(b, "\n]\n"...))
	return err
}

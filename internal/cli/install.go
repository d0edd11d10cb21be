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

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/export"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/install"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/policy"
)

const installHelp = `install writes bashgate's hook into an agent's settings, and leaves all else in
them as it is.

Usage:
  bashgate install               which agents are here, and are they wired
  bashgate install HOST...       wire these
  bashgate install --all         wire all that are here

It shows what it would change as a diff and asks, on a terminal. A second time
it changes nothing. uninstall puts everything back. An older hook of bashgate's
is replaced.

Flags:
  --all          all agents that are here
  --project      the settings of the project here, not your own
  --policy       write the rules for the agent's own engine, too, for where no
                 hook fires; gemini gets them unless you say --policy=false
  --unattended   nobody can be asked in this agent: a question is a denial
  --prompts      the agent asks its user by itself where the hook says nothing
  --fail-closed=false
                 where the hook can't be started the agent runs the command;
                 without it it denies, if it has a word for that
  --print        show the changes and write nothing
  --yes          write without asking

Example:
  $ bashgate install claude gemini
  $ bashgate install --all --print
`

const uninstallHelp = `uninstall takes bashgate out of an agent's settings. A file that is as install
left it becomes what it was before, byte for byte; one that was edited since
keeps everything but bashgate's entries.

Usage:
  bashgate uninstall HOST...
  bashgate uninstall --all

Flags:
  --all       all agents that are wired
  --project   the settings of the project here, not your own
  --print     show the changes and write nothing
  --yes       write without asking

Example:
  $ bashgate uninstall claude
`

// wirer is one run of install or uninstall.
type wirer struct {
	process *Process
	place   install.Place
	scope   install.Scope
	store   install.Store
	options install.Options
	out     strings.Builder

	all, project, policy, noPolicy, print, yes bool
}

func (w *wirer) declare(flags *flag.FlagSet) {
	flags.BoolVar(&w.all, "all", false, "")
	flags.BoolVar(&w.project, "project", false, "")
	flags.BoolVar(&w.print, "print", false, "")
	flags.BoolVar(&w.yes, "yes", false, "")
}

func installCommand() command {
	return command{
		name:     "install",
		summary:  "write the hook into the settings of agents",
		help:     installHelp,
		operands: "HOST",
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			var w wirer
			w.declare(flags)
			flags.BoolVar(&w.policy, "policy", false, "")
			flags.BoolVar(&w.options.Unattended, "unattended", false, "")
			flags.BoolVar(&w.options.Prompts, "prompts", false, "")
			flags.BoolVar(&w.options.FailClosed, "fail-closed", true, "")
			return func(p *Process, args []string) (int, error) {
				flags.Visit(func(f *flag.Flag) { w.noPolicy = w.noPolicy || f.Name == "policy" && !w.policy })
				agents, err := w.begin(p, "install", args)
				switch {
				case err != nil:
					return 0, err
				case agents == nil:
					return exitOK, w.list()
				}
				return w.finish(w.install(agents))
			}
		},
	}
}

func uninstallCommand() command {
	return command{
		name:     "uninstall",
		summary:  "take the hook out of the settings of agents",
		help:     uninstallHelp,
		operands: "HOST",
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			var w wirer
			w.declare(flags)
			return func(p *Process, args []string) (int, error) {
				agents, err := w.begin(p, "uninstall", args)
				switch {
				case err != nil:
					return 0, err
				case agents == nil:
					return 0, usagef("bashgate uninstall HOST, or --all", "uninstall takes names of agents")
				}
				return w.finish(w.uninstall(agents))
			}
		},
	}
}

// agentNames lists the agents that can be wired: all whose hook this is.
func agentNames() []string {
	var names []string
	for _, h := range host.All() {
		names = append(names, h.Name)
	}
	return names
}

// begin finds out about whom it is. No agents means that none is named.
func (w *wirer) begin(p *Process, verb string, args []string) ([]*install.Agent, error) {
	w.process = p
	home, err := filepath.Abs(p.Getenv("HOME"))
	if err != nil || p.Getenv("HOME") == "" {
		return nil, errors.New("HOME names no directory: whose settings are meant?")
	}
	store, err := session.Open(p.Getenv)
	if err != nil {
		return nil, err
	}
	w.store = install.Store{Dir: filepath.Join(store.Dir, "installs")}
	w.place = install.Place{Home: home, Getenv: p.Getenv}
	if w.project {
		s := situation{}
		if err := s.complete(p); err != nil {
			return nil, err
		}
		w.scope, w.place.Workspace = install.Project, s.cwd
		if s.cwd == home {
			return nil, usagef("leave --project away, or go into the project", "this is the home directory, and no project")
		}
	}
	switch {
	case w.all && len(args) > 0:
		return nil, usagef("see bashgate "+verb+" --help", "%s takes names of agents, or --all", verb)
	case w.all:
		return slices.DeleteFunc(install.Agents(), func(a *install.Agent) bool {
			return !a.Has(w.scope) || verb == "install" && !a.Installed(w.place)
		}), nil
	}
	var agents []*install.Agent
	for _, name := range args {
		a := install.Find(name)
		if a == nil {
			return nil, usagef(ruleset.DidYouMean(name, agentNames()), "%q is no agent that bashgate is a hook of", name)
		}
		if !slices.ContainsFunc(agents, func(o *install.Agent) bool { return o.Host == a.Host }) {
			agents = append(agents, a)
		}
	}
	return agents, nil
}

// list shows which agents are here, and whether they are wired.
func (w *wirer) list() error {
	var missing []string
	for _, a := range install.Agents() {
		if !a.Installed(w.place) {
			missing = append(missing, a.Host)
			continue
		}
		state := "not wired: bashgate install " + a.Host
		if !a.Has(w.scope) {
			state = "its hooks are a project's: bashgate install " + a.Host + " --project"
		}
		for _, path := range a.Places(w.place, w.scope) {
			text, err := disk.OS{}.ReadFile(path, maxInput)
			if errors.Is(err, os.ErrNotExist) {
				continue
			} else if err != nil {
				state = err.Error()
				continue
			}
			entries, err := a.Entries(path, text, w.place.Show(path))
			if err != nil {
				state = err.Error()
			} else if len(entries) > 0 {
				state = "wired in " + w.place.Show(path)
			}
		}
		fmt.Fprintf(&w.out, "%-12s %-15s %s\n", a.Host, a.Title, policy.Visible(state))
	}
	if len(missing) > 0 {
		fmt.Fprintf(&w.out, "not found here: %s\n", strings.Join(missing, ", "))
	}
	return w.flush()
}

// finish tells an error, its hint on a line of its own, and returns the exit
// status.
func (w *wirer) finish(err error) (int, error) {
	if err == nil {
		return exitOK, nil
	}
	if _, ok := errors.AsType[*usageError](err); ok {
		return 0, err
	}
	what, hint, _ := strings.Cut(err.Error(), "\nhint: ")
	w.process.complain(what, hint)
	return exitError, nil
}

func (w *wirer) flush() error {
	_, err := io.WriteString(w.process.Stdout, w.out.String())
	w.out.Reset()
	return err
}

// install wires agents.
func (w *wirer) install(agents []*install.Agent) error {
	executable, err := os.Executable()
	if err == nil {
		w.options.Program, err = install.Program(executable, w.process.Getenv("PATH"))
	}
	if err != nil {
		return err
	}
	changes, broken := w.plan(agents, func(a *install.Agent) ([]*install.Change, error) {
		options := w.options
		if w.policy || a.PolicyAlways && !w.noPolicy {
			var err error
			if options.Policy, err = w.rules(a); err != nil {
				return nil, err
			}
		}
		return a.Plan(w.place, w.scope, options)
	})
	if broken != nil && !w.all {
		return broken
	}
	written, err := w.write(changes, "install", "installed", func(c *install.Change) error { return c.Apply(w.store) })
	if err != nil {
		return err
	}
	for _, a := range agents {
		i := slices.IndexFunc(changes, func(c *install.Change) bool { return c.Host == a.Host && c.Changes() })
		if written == 0 || i < 0 {
			continue
		}
		for _, note := range a.Notes {
			fmt.Fprintf(&w.out, "%s: %s\n", a.Host, note)
		}
	}
	if written > 0 {
		w.out.WriteString("an agent that is running must be started again\n")
		if w.scope == install.Project {
			fmt.Fprintf(&w.out, "these settings name %s: commit them where everybody has it there\n", policy.Visible(w.options.Program))
		}
	}
	return cmp.Or(w.flush(), broken)
}

// plan collects what would change for agents. The error is that of the first
// agent for which it can't be known; of several each is told.
func (w *wirer) plan(agents []*install.Agent, of func(*install.Agent) ([]*install.Change, error)) (changes []*install.Change, broken error) {
	for _, a := range agents {
		more, err := of(a)
		if err != nil && broken != nil {
			w.finish(err)
		}
		broken = cmp.Or(broken, err)
		changes = append(changes, more...)
	}
	return changes, broken
}

// rules returns what writes the rules for an agent's own engine, or nil where
// it has none in this scope and nobody has asked for it.
func (w *wirer) rules(a *install.Agent) (func([]byte) ([]byte, error), error) {
	target := export.Find(cmp.Or(a.Target, a.Host))
	if target == nil || a.PolicyPlace(w.place, w.scope) == "" {
		if w.policy && !w.all {
			return nil, usagef("bashgate export --help lists the engines", "no file of rules belongs into these settings of %s", a.Title)
		}
		return nil, nil
	}
	x := exporter{process: w.process, target: target}
	return func(existing []byte) ([]byte, error) {
		debug.SetGCPercent(1000) // as export does
		rules, err := x.rules()
		if err != nil {
			return nil, err
		}
		result := target.Export(rules, x.options)
		if target.Merges {
			if result, err = target.Merge(rules, x.options, existing); err != nil {
				return nil, err
			}
		}
		return result.Text, nil
	}, nil
}

// uninstall takes the hooks of agents out.
func (w *wirer) uninstall(agents []*install.Agent) error {
	changes, broken := w.plan(agents, func(a *install.Agent) ([]*install.Change, error) {
		return a.Removal(w.place, w.scope, w.store)
	})
	if broken != nil && !w.all {
		return broken
	}
	written, err := w.write(changes, "uninstall", "uninstalled", func(c *install.Change) error { return c.Undo(w.store) })
	if err != nil {
		return err
	}
	for _, c := range changes {
		if written > 0 && c.Left {
			fmt.Fprintf(&w.out, "%s has a hook of bashgate's that was there before install: uninstall again takes it out\n", policy.Visible(w.place.Show(c.Path)))
		}
	}
	return cmp.Or(w.flush(), broken)
}

// write shows changes, asks and does them, and returns how many were done. The
// verb and its participle are for questions.
func (w *wirer) write(changes []*install.Change, verb, done string, do func(*install.Change) error) (int, error) {
	changes = slices.DeleteFunc(slices.Clone(changes), func(c *install.Change) bool { return !c.Changes() })
	if len(changes) == 0 {
		w.out.WriteString("nothing to change\n")
		return 0, w.flush()
	}
	for _, c := range changes {
		w.show(c.Diff(w.place))
	}
	if err := w.flush(); err != nil || w.print {
		return 0, err
	}
	if !w.yes {
		if !isTerminal(w.process.Stdin) {
			return 0, usagef("--yes writes without asking, --print shows only", "nobody is there to say yes")
		}
		if _, err := w.process.person("Write that?", verb, done); err != nil {
			return 0, err
		}
	}
	for i, c := range changes {
		if err := do(c); err != nil {
			return i, err
		}
		what := "wrote"
		if c.Gone {
			what = "removed"
		}
		fmt.Fprintf(&w.out, "%s %s\n", what, policy.Visible(w.place.Show(c.Path)))
	}
	return len(changes), w.flush()
}

// show prints a diff, of a very long one the beginning.
func (w *wirer) show(diff string) {
	const most = 400 // lines
	s := styleFor(w.process, w.process.Stdout)
	shown, total := 0, strings.Count(diff, "\n")
	for line := range strings.Lines(diff) {
		if shown++; shown > most && !w.print {
			fmt.Fprintf(&w.out, "(%s more; --print shows all)\n", plural(total-most, "line"))
			break
		}
		colour := ""
		switch line[0] {
		case '+':
			colour = green
		case '-':
			colour = red
		case '@':
			colour = dim
		}
		words := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		for i := range words {
			words[i] = policy.Visible(words[i])
		}
		line = strings.Join(words, "\t")
		if colour != "" {
			line = s.paint(colour, line)
		}
		w.out.WriteString(line + "\n")
	}
}

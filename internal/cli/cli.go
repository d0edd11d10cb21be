// Package cli is the bashgate command: the hook and one file a subcommand.
//
// Exit statuses: 0 done or answered, 1 failed, 2 used wrongly. `check CMD`
// without --json says its decision: 0 allow, 3 ask, 4 block. The hook uses 0,
// and 2 when it can't answer, for agents take that as "deny".
package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// Status is an exit status, and what it means.
type Status struct{ Status, Means string }

// Statuses lists the exit statuses.
func Statuses() []Status {
	return []Status{
		{"0", "done, or answered; of check: allow"},
		{"1", "it failed, or something is wrong"},
		{"2", "used wrongly; of a hook: it can't answer, which agents take as \"deny\""},
		{"3", "of check without --json: ask"},
		{"4", "of check without --json: block"},
		{"126", "of exec and shell: the command does not run; other statuses are the command's own"},
	}
}

// The exit statuses.
const (
	exitOK    = 0
	exitError = 1
	exitUsage = 2
	exitAsk   = 3
	exitBlock = 4
)

// Process is what a command sees of the outside.
type Process struct {
	Name   string   // as what it was called: "bashgate"; "-bash" or "/usr/local/bin/sh" for a shell
	Args   []string // without the program's name
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
	Getwd  func() (string, error)
	Exit   func(status int) // ends the process at once; only for a hook that is late

	// Patience is how long the hook may take; 0 = what agents can be expected to
	// wait.
	Patience time.Duration

	// SystemDir is the administrator's directory. Nothing that a user can set
	// says where it is. "" = there is none.
	SystemDir string

	// Away says that the commands run on another machine, of whose disk Disk is all
	// that is known; nil = nothing is. What lies here says nothing of them: no
	// project's settings, no directory of the user's, no variable.
	Away bool
	Disk policy.Files

	// Asker is for whom questions wait for a person, of whom only so many may; "" =
	// for the session that each is of.
	Asker string

	// Carry hands a call to the reviewer's client; nil = bashgated, which lies
	// beside this program.
	Carry func(call []byte, timeout time.Duration) ([]byte, error)

	// For exec and shell. Exec makes the process another program and returns
	// only errors; nil = this process. Environ is what it is given; nil = this
	// process's own.
	Exec    func(path string, args, env []string) error
	Environ func() []string
}

// disk is what is known of the disk on which commands run.
func (p *Process) disk() policy.Files {
	if p.Away {
		return p.Disk
	}
	return disk.OS{}
}

// command is one subcommand. Its help, its completion and what it does all
// come from here.
type command struct {
	name     string
	summary  string // one line for the list
	help     string // all of --help
	operands string // what stands behind the name, as values.go names it: "HOST"; "" = nothing that can be completed
	verbs    []verb // what may, or has to, stand behind the name first
	// setup declares the flags and returns what runs once they are parsed.
	setup func(*flag.FlagSet) func(*Process, []string) (int, error)
	// own reads the arguments by itself, as they stand: its flags are declared
	// for the completion alone. nil = flags are parsed.
	own func(*Process, []string) (int, error)
}

// verb is a word behind a command's name that says what is done: rules lint.
type verb struct {
	name     string // "" = the command without one
	summary  string
	operands string // as a command's
	own      string // the flags of the command's that it takes, and others don't: "tap junit"
}

// commands lists the subcommands in the order of the help.
func commands() []command {
	return []command{
		hookCommand(),
		checkCommand(),
		explainCommand(),
		logCommand(),
		rulesCommand(),
		configCommand(),
		allowCommand(),
		blockCommand(),
		forgetCommand(),
		pendingCommand(),
		approveCommand(),
		denyCommand(),
		answerCommand(),
		trustCommand(),
		packsCommand(),
		taintCommand(),
		copCommand(),
		replayCommand(),
		suggestCommand(),
		execCommand(),
		shellCommand(),
		serveCommand(),
		initCommand(),
		installCommand(),
		uninstallCommand(),
		doctorCommand(),
		statusCommand(),
		exportCommand(),
		versionCommand(),
		completionCommand(),
	}
}

// Page is the help of a command.
type Page struct{ Name, Help string }

// Pages lists the help of all commands, after that of bashgate itself, whose name
// is "".
func Pages() []Page {
	pages := []Page{{"", usage}}
	for _, c := range commands() {
		pages = append(pages, Page{c.name, c.help})
	}
	return pages
}

const usage = `bashgate decides allow, ask or block for every shell command that a coding
agent wants to run.

Usage:
  bashgate                  be the agent's hook: its JSON in, the answer out
  bashgate hook HOST        the same, for an agent that is named
  bashgate init             set bashgate up: how careful, for which agents
  bashgate install HOST     write the hook into an agent's settings
  bashgate uninstall HOST   take it out again
  bashgate doctor           find out whether the hooks of the agents work
  bashgate status           one line for prompts and status bars
  bashgate check CMD        decide about a command line
  bashgate explain CMD      show what was seen, and which rule decided
  bashgate log              show what the hook has decided
  bashgate rules ...        list, show, check and test rules
  bashgate config ...       show the settings and rule files in force
  bashgate allow CMD        answer a question for good, for a session, or once
  bashgate block CMD        write a rule that a command never runs
  bashgate forget ID        take an answer back
  bashgate pending          show the questions that wait for a person
  bashgate approve CODE     let a command run that waits for a person
  bashgate deny CODE        say no to it
  bashgate answer TOKEN     give the answer of a notice
  bashgate packs ...        list rule packs and switch them on
  bashgate trust            make a project's rules count as your own
  bashgate taint ...        show and clear what sessions have seen
  bashgate cop ...          try and measure the reviewer of tainted sessions
  bashgate replay           tell what would have been asked so far
  bashgate suggest          propose rules that would have saved questions
  bashgate exec -- CMD      decide about a command, and run it if it is allowed
  bashgate shell -c CMD     be a shell that does the same
  bashgate serve            answer programs, containers and a person's browser
  bashgate export AGENT     write the rules as an agent's own policy file
  bashgate version          print the version
  bashgate completion ...   print a completion script for bash, zsh or fish
  bashgate help COMMAND     tell more about one of them

Hook flags:
  --host HOST                        the agent whose hook this is (default:
                                     found out; bashgate help hook lists them)
  --unattended                       nobody can be asked: a question is a denial
  --version                          print the version
  --prompts, --ipc DIR, --wait TIME  see bashgate help hook

Example:
  $ bashgate check 'git status && rm -rf /'
  block  A whole directory of the system or of a user: / (rm)
         rm -rf /  paths.system-root  rules/paths.toml:13

Files:
  $XDG_CONFIG_HOME/bashgate/config.toml       settings (default ~/.config)
  $XDG_CONFIG_HOME/bashgate/rules/*.toml      your own rules
  $XDG_CONFIG_HOME/bashgate/profiles/*.toml   your own ways of working
  .bashgate/config.toml, .bashgate/rules/     a project's; they only tighten
  /etc/bashgate/                              the administrator's; the last word
`

// Run runs the command that the arguments name and returns the exit status.
func Run(p *Process) int {
	if status, ok := calledShell(p); ok {
		return status
	}
	if slices.Contains(p.Args, "--export-toml") && strings.HasPrefix(p.Args[0], "-") {
		return exportTOML(p)
	}
	if len(p.Args) == 0 || strings.HasPrefix(p.Args[0], "-") {
		return runHook(p)
	}
	name, args := p.Args[0], p.Args[1:]
	if name == "help" {
		return p.finish(help(p, args))
	}
	if name == "hook" {
		if status, ok := namedHook(p, args); ok {
			return status
		}
	}
	if name == completing {
		return p.finish(complete(p, args))
	}
	if c := find(name); c != nil {
		return p.finish(c.run(p, args))
	}
	return p.finish(exitUsage, unknownCommand(name))
}

// find returns the subcommand of a name; nil = there is none.
func find(name string) *command {
	for _, c := range commands() {
		if c.name == name {
			return &c
		}
	}
	return nil
}

func unknownCommand(name string) error {
	names := []string{"help"}
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return usagef(cmp.Or(alike(name, names), "see bashgate help"), "unknown command %q", name)
}

// alike is a hint at the words that a misspelt one may mean; "" = there are none.
func alike(word string, words []string) string {
	return strings.ReplaceAll(ruleset.Alike(word, words), `"`, "")
}

// run parses the arguments and runs the subcommand.
func (c *command) run(p *Process, args []string) (int, error) {
	if c.own != nil {
		return c.own(p, args)
	}
	flags := newFlags(c.name)
	run := c.setup(flags)
	operands, err := parseFlags(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		_, err := io.WriteString(p.Stdout, c.help)
		return exitOK, err
	case err != nil:
		return exitUsage, hinted(err, "see bashgate "+c.name+" --help")
	}
	if err := c.fits(flags, operands); err != nil {
		return exitUsage, err
	}
	return run(p, operands)
}

// verb returns the one that operands begin with, or that of none of them; nil =
// there is none.
func (c *command) verb(operands []string) *verb {
	var without *verb
	for i := range c.verbs {
		v := &c.verbs[i]
		switch {
		case v.name == "":
			without = v
		case len(operands) > 0 && operands[0] == v.name:
			return v
		}
	}
	return without
}

// takes reports whether a verb may have a flag, and which verbs may otherwise.
func (c *command) takes(v *verb, name string) (owners []string, ok bool) {
	for i := range c.verbs {
		if o := &c.verbs[i]; slices.Contains(strings.Fields(o.own), name) {
			if v == o {
				return nil, true
			}
			owners = append(owners, strings.TrimSpace(c.name+" "+o.name))
		}
	}
	return owners, owners == nil
}

// fits reports operands that begin with none of the command's verbs, and flags
// that are another verb's.
func (c *command) fits(flags *flag.FlagSet, operands []string) (err error) {
	if c.verbs == nil {
		return nil
	}
	v := c.verb(operands)
	if v == nil {
		var names []string
		for _, v := range c.verbs {
			names = append(names, v.name)
		}
		if len(operands) == 0 {
			return usagef("one of "+strings.Join(names, ", "), "%s needs to know what to do", c.name)
		}
		return usagef(ruleset.DidYouMean(operands[0], names), "%s can't %q", c.name, operands[0])
	}
	flags.Visit(func(f *flag.Flag) {
		if owners, ok := c.takes(v, f.Name); !ok {
			what := strings.Join(owners, " and ")
			if what == c.name {
				what += " alone"
			}
			err = usagef("see bashgate "+c.name+" --help", "%s is for %s", spelt(f.Name), what)
		}
	})
	return err
}

const helpHelp = `help tells about bashgate as a whole, or about one of its commands.

Usage:
  bashgate help
  bashgate help COMMAND [VERB]
  bashgate COMMAND --help

Example:
  $ bashgate help rules lint
`

// help prints the help of a command, which the arguments name with or without a
// verb of it.
func help(p *Process, args []string) (int, error) {
	text := usage
	switch {
	case len(args) > 0 && slices.Contains([]string{"help", "-h", "--help"}, args[0]):
		text = helpHelp
	case len(args) == 0:
	default:
		c := find(args[0])
		if c == nil {
			return exitUsage, unknownCommand(args[0])
		}
		if v := c.verb(args[1:]); len(args) > 2 || len(args) == 2 && (v == nil || v.name != args[1]) {
			return exitUsage, usagef("bashgate help "+c.name, "help takes one command")
		}
		text = c.help
	}
	_, err := io.WriteString(p.Stdout, text)
	return exitOK, err
}

// usageError is a command line that makes no sense.
type usageError struct{ what, hint string }

func (e *usageError) Error() string { return e.what }

func usagef(hint, format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...), hint}
}

// hinted gives an error about the use a hint, if it has none.
func hinted(err error, hint string) error {
	if usage, ok := errors.AsType[*usageError](err); ok {
		usage.hint = cmp.Or(usage.hint, hint)
	}
	return err
}

// finish prints an error and returns the exit status: status, or what the
// error stands for.
func (p *Process) finish(status int, err error) int {
	if err == nil {
		return status
	}
	if usage, ok := errors.AsType[*usageError](err); ok {
		p.complain(usage.what, usage.hint)
		return exitUsage
	}
	p.complain(err.Error(), "")
	return exitError
}

// Package cli is the bashgate command: the hook and one file a subcommand.
//
// Exit statuses: 0 done or answered, 1 failed, 2 used wrongly. `check CMD`
// without --json says its decision: 0 allow, 3 ask, 4 block. The hook uses 0,
// and 2 when it can't answer, for agents take that as "deny".
package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/policy"
)

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
	name    string
	summary string // one line for the list
	help    string // all of --help
	words   []string
	names   string // a command that prints further words, a line each, for the completion; "" = none
	// setup declares the flags and returns what runs once they are parsed.
	setup func(*flag.FlagSet) func(*Process, []string) (int, error)
	// own reads the arguments by itself, as they stand: its flags are declared
	// for the completion alone. nil = flags are parsed.
	own func(*Process, []string) (int, error)
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
  bashgate exec -- CMD      decide about a command line, and run it if it is allowed
  bashgate shell -c CMD     be a shell that does the same
  bashgate serve            answer programs, containers and a person's browser
  bashgate export AGENT     write the rules as an agent's own policy file
  bashgate version          print the version
  bashgate completion ...   print a completion script for bash, zsh or fish
  bashgate help COMMAND     tell more about one of them

Hook flags:
  --host NAME    the agent whose hook this is (default: found out; bashgate help
                 hook lists them)
  --unattended   nobody can be asked: a question is a denial

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
	for _, c := range commands() {
		if c.name == name {
			return p.finish(c.run(p, args))
		}
	}
	return p.finish(exitUsage, unknownCommand(name))
}

func unknownCommand(name string) error {
	return usagef("see bashgate help", "unknown command %q", name)
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
		return exitUsage, usagef("see bashgate "+c.name+" --help", "%s", err)
	}
	return run(p, operands)
}

func help(p *Process, args []string) (int, error) {
	text := usage
	switch len(args) {
	case 0:
	case 1:
		text = ""
		for _, c := range commands() {
			if c.name == args[0] {
				text = c.help
			}
		}
		if text == "" {
			return exitUsage, unknownCommand(args[0])
		}
	default:
		return exitUsage, usagef("bashgate help COMMAND", "help takes one command")
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

package cli

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

const execHelp = `exec decides about a command line and runs it if it is allowed: a gate for
agents that have no hooks, whose shell tool starts this instead of a shell.

Usage:
  bashgate exec [FLAGS] -- LINE
  bashgate exec [FLAGS] -- PROGRAM ARG...

One argument is a command line for the shell; several are a program and its
arguments, as they stand. What is allowed runs in place of this process, so that
signals, exit status, input, output and terminal are the command's own. What is
not allowed, or would have to be asked about, does not run: the reason goes to
standard error, and the exit status is 126. What a person approves elsewhere
runs: while this waits, or the next time.

The shell starts without its start-up files, and without the variables and
functions in the environment that it would obey before the command: BASH_ENV,
ENV, BASH_FUNC_*, SHELLOPTS and the like.

Flags:
  --shell SHELL       bash, sh or zsh (default: bash)
  --workspace DIR     the project's directory (default: here)
  --session ID        remember what the commands of one session have seen
  --mode MODE         default or acceptEdits (default: default)
  --profile PROFILE   default, careful, trusting, strict, allowlist, denylist,
                      or one of yours (default: what is set up)
  --packs PACKS       rule packs to switch on: guard-git
  --wait[=TIME]       where a person would be asked, wait for one who answers
                      elsewhere (bashgate pending), 5m or as long as it says. On
                      a terminal it waits by itself
  --ipc DIR           in a container: what is not allowed for certain, a server
                      outside decides about, as for bashgate hook

Example:
  $ bashgate exec -- 'git status && rm -rf /'
  Command blocked by security policy: A whole directory of the system...
`

// exitRefused is the status of a command that may not run, as shells use it
// for a program that they may not run.
const exitRefused = 126

// execution is how exec and shell run a command.
type execution struct {
	shell, workspace, session, mode, profile string
	packs                                    list
	ipc                                      string  // a directory; "" = nobody else is asked
	wait                                     waiting // for a person who answers elsewhere
}

func (x *execution) declare(flags *flag.FlagSet) {
	x.shell, x.mode = "bash", "default"
	flags.Var(&choice{to: &x.shell, words: policy.Shells()}, "shell", "SHELL")
	flags.StringVar(&x.workspace, "workspace", "", "DIR")
	flags.StringVar(&x.session, "session", "", "ID")
	flags.Var(&choice{to: &x.mode, words: []string{"default", engine.ModeAcceptEdits}}, "mode", "MODE")
	flags.StringVar(&x.profile, "profile", "", "PROFILE")
	flags.Var(&x.packs, "packs", "PACKS")
	flags.StringVar(&x.ipc, "ipc", "", "DIR")
	flags.Var(&x.wait, "wait", "TIME")
}

// waiting is a flag's time, which need not be given: 0 = the flag is not there.
type waiting time.Duration

// IsBoolFlag says that the flag may stand without a value.
func (w *waiting) IsBoolFlag() bool { return true }

// String returns the time as it is given.
func (w *waiting) String() string { return time.Duration(*w).String() }

// Set reads the time; "true" is the flag without one.
func (w *waiting) Set(text string) error {
	if text == "true" {
		*w = waiting(approval.RequestLife)
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > longestWait {
		return fmt.Errorf("a time up to %v, such as 90s", longestWait)
	}
	*w = waiting(d)
	return nil
}

const longestWait = 24 * time.Hour

func execCommand() command {
	return command{
		name:    "exec",
		summary: "decide about a command line, and run it if it is allowed",
		help:    execHelp,
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			x := new(execution)
			x.declare(flags)
			return func(p *Process, args []string) (int, error) {
				line := ""
				switch len(args) {
				case 0:
					return 0, usagef("bashgate exec -- 'git status'", "exec needs a command")
				case 1:
					line = args[0]
				default:
					words := make([]string, len(args))
					for i, arg := range args {
						words[i] = quoted(arg)
					}
					line = strings.Join(words, " ")
				}
				return x.run(p, line)
			}
		},
	}
}

// quoted is a word that every shell reads as the text itself. policy.Quote is
// for people: it shows what can't be seen.
func quoted(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// run decides and becomes the command. It returns only if that does not run.
func (x *execution) run(p *Process, line string) (int, error) {
	return x.become(p, line, shellArgs(x.shell, line))
}

// become decides about a line, and becomes the shell with the arguments that
// run it. It returns only if that does not happen.
func (x *execution) become(p *Process, line string, args []string) (int, error) {
	shell, dialect := findShell(x.shell)
	if dialect == "" {
		return 0, usagef("bash, sh or zsh", "no shell is called %q", x.shell)
	}
	if shell == "" {
		return exitRefused, fmt.Errorf("%s is in none of the system's directories, or is bashgate itself there", x.shell)
	}
	s := situation{workspace: x.workspace, mode: x.mode, shell: dialect, profile: x.profile, packs: x.packs}
	if err := s.complete(p); err != nil {
		return exitRefused, err
	}
	r := s.request(p, line)
	r.Host, r.Session = execHost, x.session
	if err := containerFlag(x.ipc); err != nil {
		return exitRefused, err
	}
	if x.ipc != "" { // nobody ends the wait but whoever started this
		p.Patience = containerTime
	}
	wait := time.Duration(x.wait)
	if wait == 0 && isTerminal(p.Stderr) {
		wait = approval.RequestLife
	}
	status := within(p, p.patience()+wait, p.refused, func(func(time.Duration)) int { return gated(p, r, x.ipc, wait) })
	if status != exitOK {
		return exitRefused, nil
	}
	exec, environ := replace, os.Environ
	if p.Exec != nil {
		exec = p.Exec
	}
	if p.Environ != nil {
		environ = p.Environ
	}
	return exitRefused, exec(shell, args, shellEnv(environ()))
}

// execHost is what exec calls itself where others name the agent.
const execHost = "exec"

// gated decides about a command as the hook does: with the user's checkers, the
// reviewer and the decision log, in a container through its directory, if it has
// one. Where a person would be asked, it waits for one who answers elsewhere. It
// returns exitOK if the command may run.
func gated(p *Process, r engine.Request, ipc string, wait time.Duration) int {
	q := host.Question{Event: host.BeforeToolUse, Request: r, Shell: true, Tool: engine.Tool{Name: "Bash"}}
	g := newGate(p, &q, time.Now())
	g.alone, g.headless = r.Session == "", true
	if ipc != "" {
		d, reason := g.handOn(ipc)
		if d == policy.Allow {
			return exitOK
		}
		fmt.Fprintln(p.Stderr, "Command blocked by security policy: "+strings.TrimPrefix(reason, "bashgate: "))
		return exitRefused
	}
	for end := time.Now().Add(wait); ; {
		judged := r
		v := g.shell(&judged)
		g.log(&judged, &v, v.Decision)
		if v.Decision == policy.Allow {
			return exitOK
		}
		if left := time.Until(end); left > 0 && g.request != nil && g.request.State == approval.Pending {
			fmt.Fprintf(p.Stderr, "bashgate: waits for a person: bashgate approve %s (%v)\n", g.request.Code, left.Round(time.Second))
			now, err := p.awaited(g.request, left)
			switch {
			case err != nil:
				p.complain(policy.Visible(err.Error()), "")
			case now.State == approval.Approved, now.State == approval.Denied: // decided again
				g = newGate(p, &q, time.Now())
				g.alone, g.headless = r.Session == "", true
				continue
			}
			g.request = nil // nobody has, in time
		}
		reason := v.Reason
		if reason == "" {
			reason = "it is not allowed"
		}
		fmt.Fprintln(p.Stderr, "Command blocked by security policy: "+policy.Visible(policy.Clip(reason, 1000))+g.because(&v)+g.way())
		return exitRefused
	}
}

// awaited waits for the answer to a request, no longer than patience. Where somebody
// ends the process meanwhile, it expires.
func (p *Process) awaited(r *approval.Request, patience time.Duration) (*approval.Request, error) {
	queue, err := p.Requests()
	if err != nil {
		return nil, err
	}
	gone, stop := signalled()
	defer stop()
	return await(gone, queue, r, patience)
}

// findShell returns a shell's program and the engine's name for what it
// speaks. Only the system's directories are looked at: another one first in the
// PATH would be another program. This program is none of them, whatever it is
// called there: it would start itself for ever.
func findShell(name string) (path, dialect string) {
	switch dialect = host.ShellName(name); {
	case dialect == "", name != dialect:
		return "", ""
	}
	dirs := policy.SystemDirs()
	slices.Reverse(dirs) // the shell that the system came with
	return shellIn(dirs, name), dialect
}

// shellIn returns the first program of that name which is not this one, or "".
func shellIn(dirs []string, name string) string {
	var self fs.FileInfo
	if path, err := os.Executable(); err == nil {
		self, _ = os.Stat(path) // nil where it is gone: an upgrade
	}
	for _, dir := range dirs {
		file := filepath.Join(dir, name)
		info, err := os.Stat(file)
		switch {
		case err != nil, !info.Mode().IsRegular(), system.Perm(file, info)&0o111 == 0:
		case self != nil && (os.SameFile(info, self) || info.Size() == self.Size()): // a link, or a copy
		default:
			return file
		}
	}
	return ""
}

// shellArgs makes a shell run a line and read no start-up files. Without the
// "--" a line that begins with a dash would be options.
func shellArgs(dialect, line string) []string {
	switch dialect {
	case "bash":
		return []string{"bash", "--noprofile", "--norc", "-c", "--", line}
	case "zsh":
		return []string{"zsh", "-f", "-c", "--", line}
	}
	return []string{dialect, "-c", "--", line}
}

// shellEnv leaves out of an environment what a shell obeys before the command
// runs, or what changes how it reads the command: the decision did not know
// of it.
func shellEnv(environ []string) []string {
	kept := make([]string, 0, len(environ))
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		// Old shells make a function of any variable with such a value.
		if !steersShell(name) && !strings.HasPrefix(value, "() {") {
			kept = append(kept, pair)
		}
	}
	return kept
}

func steersShell(name string) bool {
	switch name {
	case "BASH_ENV", "ENV", "ZDOTDIR", // start-up files
		"SHELLOPTS", "BASHOPTS", "POSIXLY_CORRECT", "BASH_COMPAT", // options
		"CDPATH", "cdpath", // where cd goes
		"GLOBIGNORE", "EXECIGNORE", "FIGNORE", // what patterns match, which programs are found
		"IFS", "PS4", "PROMPT_COMMAND", "FPATH", "fpath", "MODULE_PATH", "module_path", "NULLCMD", "READNULLCMD",
		"BASH_LOADABLES_PATH", "BASH_XTRACEFD":
		return true
	}
	// Exported functions: BASH_FUNC_name%%, BASH_FUNC_name(), and names that no
	// variable can have.
	if strings.HasPrefix(name, "BASH_FUNC_") || name == "" {
		return true
	}
	return strings.ContainsAny(name, "%() \t\n")
}

// replace makes this process the program.
func replace(path string, args, env []string) error {
	err := system.Exec(path, args, env)
	return fmt.Errorf("%s: %w", path, err)
}

// refused says why a command does not run, where no decision was made.
func (p *Process) refused(what, hint string) int {
	p.complain(what, hint)
	return exitRefused
}

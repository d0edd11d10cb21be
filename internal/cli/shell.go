package cli

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

const shellHelp = `shell is a shell that decides about what it is given and runs it if it is
allowed: for agents and programs that can be told which shell to use.

Usage:
  bashgate shell [FLAGS] [OPTIONS] -c CMD [NAME ARG...]
  bashgate shell [FLAGS] [OPTIONS] SCRIPT [ARG...]
  bashgate shell [FLAGS] [OPTIONS] [-s ARG...]   what standard input holds
  bash ...                                       as a link to bashgate

The options are the shell's own: -lc, -eu -o pipefail, --norc, -i. What may run
becomes the shell itself, so that signals, exit status, input, output and
terminal are the command's own. What is not allowed, or would have to be asked
about, does not run: the exit status is 126. On a terminal there is no prompt. A
login shell (-l) and an interactive one (-i) read your start-up files first;
others read none.

As a program named bash, sh or zsh it takes that shell's arguments alone, so
that a link to it can be $SHELL.

See bashgate help exec.

Flags, before all others:
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
  $ bashgate shell -lc 'ls | head -2'
  README.md
  main.go
`

func shellCommand() command {
	return command{
		name:    "shell",
		summary: "a shell that runs what is allowed",
		help:    shellHelp,
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			new(execution).declare(flags)
			return nil
		},
		own: func(p *Process, args []string) (int, error) {
			x := new(execution)
			flags := newFlags("shell")
			x.declare(flags)
			rest, err := ownFlags(flags, args)
			switch {
			case errors.Is(err, flag.ErrHelp):
				fmt.Fprint(p.Stdout, shellHelp)
				return exitOK, nil
			case err != nil:
				return 0, hinted(err, "see bashgate shell --help")
			}
			return x.shellCall(p, x.shell, rest)
		},
	}
}

// ownFlags parses the flags in front of a shell's own arguments, and returns
// those.
func ownFlags(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for i := 0; i < len(args); i++ {
		name, _, valued := strings.Cut(args[i], "=")
		if !strings.HasPrefix(name, "--") || name != "--help" && flags.Lookup(name[2:]) == nil {
			rest = args[i:]
			break
		}
		if !valued && name != "--help" {
			i++ // its value
		}
	}
	_, err = parseFlags(flags, args[:len(args)-len(rest)])
	return rest, err
}

// calledShell runs the shell that this program was called as, by a link with
// that name: "/usr/local/bin/bash", "-zsh" where it is a login shell.
func calledShell(p *Process) (status int, ok bool) {
	name := strings.TrimPrefix(path.Base(p.Name), "-")
	if !slices.Contains(policy.Shells(), name) {
		return 0, false
	}
	x := &execution{shell: name, mode: "default"}
	return p.finish(x.shellCall(p, path.Base(p.Name), p.Args)), true
}

// shellCall runs what a shell's arguments say. The name is its argv[0]: with a
// dash in front it is a login shell.
func (x *execution) shellCall(p *Process, name string, args []string) (int, error) {
	if _, dialect := findShell(x.shell); dialect == "" {
		return 0, usagef("bash, sh or zsh", "no shell is called %q", x.shell)
	}
	c := shellUse{shell: x.shell, name: name, login: strings.HasPrefix(name, "-")}
	if err := c.read(args); err != nil {
		return 0, err
	}
	if !c.command && !c.about && c.script == "" {
		text, err := c.input(p)
		if err != nil {
			p.complain(err.Error(), "")
			return exitRefused, nil
		}
		if strings.TrimSpace(text) == "" {
			return exitOK, nil
		}
		c.command, c.line = true, text
		if len(c.args) > 0 {
			c.args = append([]string{x.shell}, c.args...)
		}
	}
	return x.become(p, c.judged(), append([]string{c.name}, c.words(true)...))
}

// shellUse is what a shell is told to do.
type shellUse struct {
	shell string // bash, sh or zsh
	name  string // argv[0]

	login, interactive bool
	long, short        []string // the others, one a word, with their values behind them

	command bool   // there is a line: -c, or standard input
	line    string // that
	script  string // a file to run; "" = none
	args    []string
	about   bool // --help or --version: nothing runs
}

// shellOptions are the options that a shell has. Whether one of them is
// harmless is the rules' matter.
type shellOptions struct {
	letters, plus string   // without -c, -i, -l, -o, -s
	long          []string // without dashes; those with a value end in "="
	named         string   // letters that take a name: o, and O
}

func optionsOf(shell string) shellOptions {
	switch shell {
	case "zsh": // not -b, which ends its options
		return shellOptions{"adefghknprtuvwxCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "adefghknprtuvwxCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", []string{"help", "version", "no-rcs", "no-globalrcs", "emulate="}, "o"}
	case "sh":
		return shellOptions{"abefhkmnprtuvxCEIV", "abefhkmnprtuvxCEIV", []string{"help", "version", "noprofile", "norc", "posix"}, "o"}
	}
	return shellOptions{"abefhkmnprtuvxBCDEHPT", "abefhkmnprtuvxBCEHPT",
		[]string{"help", "version", "noprofile", "norc", "posix", "noediting", "verbose", "protected", "pretty-print", "restricted", "dump-strings", "dump-po-strings", "debugger", "rcfile=", "init-file="}, "oO"}
}

// read takes the arguments apart as the shells do: options up to the first word
// that is none, then the line of -c or the script, then what is for those. The
// error is a *usageError.
func (c *shellUse) read(args []string) error {
	has := optionsOf(c.shell)
	var line, input bool
	for len(args) > 0 && args[0] != "" && (args[0][0] == '-' || args[0][0] == '+' && args[0] != "+") {
		word := args[0]
		args = args[1:]
		if word == "--" || word == "-" { // what follows is no option, whatever it looks like
			break
		}
		if name, long := strings.CutPrefix(word, "--"); long {
			switch {
			case name == "login":
				c.login = true
			case slices.Contains(has.long, name):
				c.long = append(c.long, word)
				c.about = c.about || name == "help" || name == "version"
			case slices.Contains(has.long, name+"="):
				if len(args) == 0 {
					return usagef("", "%s takes a value", word)
				}
				c.long, args = append(c.long, word, args[0]), args[1:]
			default:
				return usagef("", "%s has no option %q that bashgate knows", c.shell, word)
			}
			continue
		}
		for _, letter := range word[1:] {
			one := word[:1] + string(letter)
			switch {
			case one == "-c":
				line = true
			case one == "-i":
				c.interactive = true
			case one == "-l":
				c.login = true
			case one == "-s":
				input = true
			case strings.ContainsRune(has.named, letter):
				if len(args) == 0 {
					return usagef("", "%s takes the name of an option", one)
				}
				c.short, args = append(c.short, one, args[0]), args[1:]
			case word[0] == '-' && strings.ContainsRune(has.letters, letter), word[0] == '+' && strings.ContainsRune(has.plus, letter):
				c.short = append(c.short, one)
			default:
				return usagef("", "%s has no option %q that bashgate knows", c.shell, one)
			}
		}
	}
	switch {
	case c.about:
		return nil
	case line && len(args) == 0:
		return usagef("", "-c takes a command")
	case line:
		c.command, c.line, args = true, args[0], args[1:]
	case !input && len(args) > 0:
		c.script, args = args[0], args[1:]
		if c.script == "" {
			return usagef("", "the script has no name")
		}
	}
	c.args = args
	return nil
}

// maxScript is how long a script on standard input may be, in bytes: it is
// handed on as one argument, for which Linux has this limit.
const maxScript = 128<<10 - 1

// input reads a script from standard input, to its end. A shell would run what
// has come before it reads on; here nothing runs before all of it is known.
func (c *shellUse) input(p *Process) (string, error) {
	if isTerminal(p.Stdin) {
		return "", fmt.Errorf("there is no prompt here, for what is typed at it would not be judged: give a command with -c, or a script")
	}
	data, err := readAll(p.Stdin, maxScript)
	switch {
	case errors.As(err, new(*tooLarge)):
		return "", fmt.Errorf("the script on standard input is longer than %d bytes: put it into a file", maxScript)
	case err != nil:
		return "", fmt.Errorf("reading the script on standard input: %w", err)
	case bytes.IndexByte(data, 0) >= 0:
		return "", errors.New("the script on standard input holds a NUL byte")
	}
	return string(data), nil
}

// judged is the command line that is decided about. A line that a plain shell
// runs is that line; everything else is a use of the shell, of which the rules
// know what it means.
func (c *shellUse) judged() string {
	if c.command && len(c.long)+len(c.short)+len(c.args) == 0 {
		return c.line
	}
	words := []string{c.shell}
	for _, word := range c.words(false) {
		words = append(words, bare(word))
	}
	return strings.Join(words, " ")
}

// bare is a word quoted where it has to be.
func bare(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:@"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return quoted(word)
}

// words are the shell's arguments: in one order, so that what is judged is what
// runs. Start-up files that it need not read are left out by options that only
// the real shell is given.
func (c *shellUse) words(run bool) []string {
	var words []string
	if run {
		words = c.without()
	}
	words = append(words, c.long...) // first, or bash takes them for letters
	if c.login {
		words = append(words, "-l")
	}
	if c.interactive {
		words = append(words, "-i")
	}
	words = append(words, c.short...)
	switch {
	case c.about:
		return words
	case c.command:
		words = append(words, "-c", "--", c.line)
	default:
		words = append(words, "--", c.script)
	}
	return append(words, c.args...)
}

// without are the options that keep a shell from reading start-up files: those
// that it need not read to be what it is called as.
func (c *shellUse) without() []string {
	switch c.shell {
	case "bash":
		var words []string
		if !c.login {
			words = append(words, "--noprofile")
		}
		if !c.interactive {
			words = append(words, "--norc")
		}
		return words
	case "zsh":
		if !c.login && !c.interactive {
			return []string{"-f"}
		}
	}
	return nil
}

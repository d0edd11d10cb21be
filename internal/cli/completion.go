package cli

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

const completionHelp = `completion prints a script that completes bashgate's commands and flags.

Usage:
  bashgate completion bash|zsh|fish

Example:
  $ bashgate completion bash >~/.local/share/bash-completion/completions/bashgate
  $ bashgate completion zsh >"${fpath[1]}/_bashgate"
  $ bashgate completion fish >~/.config/fish/completions/bashgate.fish
`

func completionCommand() command {
	return command{
		name:    "completion",
		summary: "print a completion script for bash, zsh or fish",
		help:    completionHelp,
		words:   []string{"bash", "zsh", "fish"},
		setup: func(*flag.FlagSet) func(*Process, []string) (int, error) {
			return func(p *Process, args []string) (int, error) {
				if len(args) != 1 {
					return 0, usagef("bashgate completion bash, zsh or fish", "completion takes the name of a shell")
				}
				script := ""
				switch args[0] {
				case "bash":
					script = bashCompletion()
				case "zsh":
					script = zshCompletion()
				case "fish":
					script = fishCompletion()
				default:
					return 0, usagef("bashgate completion bash, zsh or fish", "no completion for %q", args[0])
				}
				_, err := io.WriteString(p.Stdout, script)
				return exitOK, err
			}
		},
	}
}

// flagNames lists a command's flags with their dashes.
func (c *command) flagNames() []string {
	flags := newFlags(c.name)
	c.setup(flags)
	names := []string{}
	flags.VisitAll(func(f *flag.Flag) {
		dashes := "--"
		if len(f.Name) == 1 {
			dashes = "-"
		}
		names = append(names, dashes+f.Name)
	})
	return append(names, "--help")
}

// asked is the command that prints further words for a completion, between what a
// shell takes its output by; "" where there is none.
func (c *command) asked(before, after string) string {
	if c.names == "" {
		return ""
	}
	return before + c.names + " 2>/dev/null" + after
}

func commandNames() []string {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return append(names, "help")
}

func bashCompletion() string {
	var b strings.Builder
	b.WriteString(`# bash completion for bashgate
_bashgate() {
    local cur=${COMP_WORDS[COMP_CWORD]} words=
    if ((COMP_CWORD == 1)); then
        words='` + strings.Join(commandNames(), " ") + ` --host --help --version'
    else
        case ${COMP_WORDS[1]} in
`)
	for _, c := range commands() {
		words := strings.Join(append(c.words, c.flagNames()...), " ")
		fmt.Fprintf(&b, "        %s) words='%s'%s ;;\n", c.name, words, c.asked(`" $(`, `)"`))
	}
	fmt.Fprintf(&b, "        help) words='%s' ;;\n", strings.Join(commandNames(), " "))
	b.WriteString(`        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    if ((${#COMPREPLY[@]} == 0)); then
        COMPREPLY=($(compgen -f -- "$cur"))
    fi
}
complete -F _bashgate bashgate
`)
	return b.String()
}

func zshCompletion() string {
	var b strings.Builder
	b.WriteString(`#compdef bashgate
_bashgate() {
    local -a commands
    commands=(
`)
	for _, c := range commands() {
		fmt.Fprintf(&b, "        '%s:%s'\n", c.name, c.summary)
	}
	b.WriteString(`        'help:tell more about a command'
    )
    if ((CURRENT == 2)); then
        _describe command commands
        return
    fi
    case $words[2] in
`)
	for _, c := range commands() {
		fmt.Fprintf(&b, "    %s) compadd -- %s%s; _files ;;\n", c.name, strings.Join(append(c.words, c.flagNames()...), " "), c.asked(" ${(f)\"$(", ")\"}"))
	}
	b.WriteString(`    help) _describe command commands ;;
    esac
}
_bashgate "$@"
`)
	return b.String()
}

func fishCompletion() string {
	var b strings.Builder
	b.WriteString("# fish completion for bashgate\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "complete -c bashgate -n __fish_use_subcommand -f -a %s -d '%s'\n", c.name, c.summary)
	}
	b.WriteString("complete -c bashgate -n __fish_use_subcommand -f -a help -d 'tell more about a command'\n")
	for _, c := range commands() {
		if len(c.words) > 0 {
			fmt.Fprintf(&b, "complete -c bashgate -n '__fish_seen_subcommand_from %s' -a '%s'\n", c.name, strings.Join(c.words, " "))
		}
		if c.names != "" {
			fmt.Fprintf(&b, "complete -c bashgate -n '__fish_seen_subcommand_from %s' -a '%s'\n", c.name, c.asked("(", ")"))
		}
		for _, flag := range c.flagNames() {
			option := strings.Replace("-l "+flag, "-l --", "-l ", 1)
			option = strings.Replace(option, "-l -", "-s ", 1)
			fmt.Fprintf(&b, "complete -c bashgate -n '__fish_seen_subcommand_from %s' %s\n", c.name, option)
		}
	}
	return b.String()
}

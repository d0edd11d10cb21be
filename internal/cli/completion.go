package cli

import (
	"flag"
	"io"
	"strings"

	"github.com/bashgate/bashgate/internal/ruleset"
)

const completionHelp = `completion prints a script that completes bashgate's commands and flags, and
what they take: modes, profiles, packs, agents, rules, codes, files.

Usage:
  bashgate completion bash|zsh|fish

The script asks bashgate for the words, by the hidden subcommand __complete, and
so is the same for every version.

Example:
  $ bashgate completion bash >~/.bashgate-completion
  $ bashgate completion zsh >~/_bashgate
  $ bashgate completion fish >~/bashgate.fish
`

// completed are the shells that there is a script for.
func completed() []string { return []string{"bash", "zsh", "fish"} }

func completionCommand() command {
	return command{
		name:     "completion",
		summary:  "print a completion script for bash, zsh or fish",
		help:     completionHelp,
		operands: "SCRIPT",
		setup: func(*flag.FlagSet) func(*Process, []string) (int, error) {
			return func(p *Process, args []string) (int, error) {
				if len(args) != 1 {
					return 0, usagef("one of "+strings.Join(completed(), ", "), "completion takes the name of a shell")
				}
				script := ""
				switch args[0] {
				case "bash":
					script = bashCompletion
				case "zsh":
					script = zshCompletion
				case "fish":
					script = fishCompletion
				default:
					return 0, usagef(ruleset.DidYouMean(args[0], completed()), "no completion for %q", args[0])
				}
				_, err := io.WriteString(p.Stdout, script)
				return exitOK, err
			}
		},
	}
}

// Bash takes a word apart at = and :, which are glued again here, and puts what is
// found in the place of the last piece alone. It runs with bash 3.2, which has no
// compopt and no mapfile, and without the package bash-completion.
const bashCompletion = `# bash completion for bashgate
_bashgate() {
    local line piece glue= IFS=$'\n'
    local cur=${COMP_WORDS[COMP_CWORD]}
    local -a words=()
    for piece in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [[ -n $glue || $piece == [=:]* ]] && ((${#words[@]} > 0)); then
            words[${#words[@]}-1]+=$piece
        else
            words+=("$piece")
        fi
        glue=
        [[ $piece == *[=:] ]] && glue=yes
    done
    [[ $cur == [=:] ]] && cur=
    local word=${words[${#words[@]}-1]}
    local before=${word%"$cur"}
    COMPREPLY=()
    while read -r line; do
        case $line in
            :files)
                compopt -o filenames 2>/dev/null
                COMPREPLY+=($(compgen -f -- "$cur"))
                ;;
            :dirs)
                compopt -o filenames 2>/dev/null
                COMPREPLY+=($(compgen -d -- "$cur"))
                ;;
            *)
                line=${line%%$'\t'*}
                COMPREPLY+=("${line#"$before"}")
                ;;
        esac
    done < <(bashgate __complete "${words[@]}" 2>/dev/null)
}
complete -F _bashgate bashgate
`

const zshCompletion = `#compdef bashgate
_bashgate() {
    local line
    local -a lines found
    lines=("${(@f)$(bashgate __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    for line in $lines; do
        case $line in
            :files | :dirs) ;;
            *$'\t'*) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
            *) found+=("${line//:/\\:}") ;;
        esac
    done
    (($#found)) && _describe -t words word found
    if ((${lines[(Ie):files]} || ${lines[(Ie):dirs]})); then
        compset -P '--[^=]#='
        if ((${lines[(Ie):files]})); then _files; else _files -/; fi
    fi
}
if [[ $funcstack[1] == _bashgate ]]; then
    _bashgate "$@"
else
    compdef _bashgate bashgate
fi
`

const fishCompletion = `# fish completion for bashgate
function __bashgate_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l word (commandline -ct)
    set -l flag (string match -r -- '^--[^=]*=' $word; or echo '')
    set -l value (string replace -r -- '^--[^=]*=' '' $word)
    for line in (bashgate __complete $words "$word" 2>/dev/null)
        switch $line
            case :files
                printf '%s\n' $flag(__fish_complete_path $value)
            case :dirs
                printf '%s\n' $flag(__fish_complete_directories $value)
            case '*'
                printf '%s\n' $line
        end
    end
end
complete -c bashgate -f -a '(__bashgate_complete)'
`

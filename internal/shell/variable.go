package shell

import (
	"slices"
	"strings"
)

// What shells keep in variables of their own. The facts are those of the manuals
// of bash (Shell Variables) and zsh (zshparam), and of what either does.

// facts are what is known of a variable by its name.
type facts uint16

const (
	changes         facts = 1 << iota // the shell itself changes it: it does not hold what was assigned
	zshChanges                        // zsh does
	starts                            // some shell gives it a value when it starts, whatever its environment says
	presumed                          // something is presumed of it while the text has not set it
	inherited                         // every shell has it from its environment: assigning it changes what children see
	fixed                             // bash can't assign to it
	zshFixed                          // zsh can't
	computed                          // the shell calculates what is assigned
	elementComputed                   // it calculates what is assigned to one of its elements
	zshComputed                       // zsh calculates what is assigned
	tied                              // zsh ties it to state of its own
	unasked                           // the shell puts texts of the line there: arguments, input, directories
)

// ownVariable is a variable of which something is known.
type ownVariable struct {
	name string
	facts
}

// ownVariables are sorted by name.
var ownVariables = [...]ownVariable{
	{"ARGC", zshFixed},
	{"BASH", starts},
	{"BASHOPTS", fixed | starts},
	{"BASHPID", changes | presumed | computed | starts},
	{"BASH_ARGC", changes},
	{"BASH_ARGV", changes | unasked},
	{"BASH_ARGV0", changes},
	{"BASH_COMMAND", changes | unasked},
	{"BASH_LINENO", changes},
	{"BASH_REMATCH", changes | unasked},
	{"BASH_SOURCE", changes},
	{"BASH_SUBSHELL", changes | presumed},
	{"BASH_VERSINFO", fixed},
	{"BAUD", zshComputed},
	{"CDPATH", presumed},
	{"COLUMNS", zshComputed | starts},
	{"COMPREPLY", unasked},
	{"COMP_LINE", unasked},
	{"COMP_WORDBREAKS", starts},
	{"COMP_WORDS", unasked},
	{"COPROC", unasked},
	{"CPUTYPE", starts},
	{"DIRSTACK", changes | starts | unasked},
	{"DIRSTACKSIZE", zshComputed},
	{"EDITOR", inherited},
	{"EGID", zshComputed | starts},
	{"EPOCHREALTIME", changes | computed},
	{"EPOCHSECONDS", changes | presumed | computed},
	{"ERRNO", zshChanges | zshComputed | starts},
	{"EUID", fixed | presumed | zshComputed | elementComputed | starts},
	{"FUNCNAME", changes | starts | unasked},
	{"FUNCNEST", zshComputed},
	{"GID", zshComputed | starts},
	{"GROUPS", changes | starts},
	{"HISTCHARS", tied},
	{"HISTCMD", changes | presumed | zshFixed | computed | starts | unasked},
	{"HISTSIZE", zshComputed | starts},
	{"HOME", presumed | inherited},
	{"HOST", starts},
	{"HOSTNAME", presumed | inherited | starts},
	{"HOSTTYPE", starts},
	{"IFS", presumed},
	{"KEYTIMEOUT", zshComputed | starts},
	{"LANG", inherited},
	{"LINENO", changes | presumed | zshFixed | computed | starts},
	{"LINES", zshComputed | starts},
	{"LISTMAX", zshComputed | starts},
	{"LOGCHECK", zshComputed},
	{"LOGNAME", presumed | inherited | starts},
	{"MACHTYPE", starts},
	{"MAILCHECK", zshComputed | starts},
	{"MAILPATH", zshChanges},
	{"MANPATH", zshChanges},
	{"MAPFILE", unasked},
	{"MATCH", zshChanges | unasked},
	{"MBEGIN", zshChanges},
	{"MEND", zshChanges},
	{"MODULE_PATH", tied},
	{"NULLCMD", tied},
	{"OLDPWD", changes | presumed | inherited | unasked},
	{"OPTARG", starts | unasked},
	{"OPTERR", starts},
	{"OPTIND", presumed | zshComputed | computed | starts | unasked},
	{"OSTYPE", starts},
	{"PAGER", inherited},
	{"PATH", inherited},
	{"PERIOD", zshComputed},
	{"PIPESTATUS", changes | starts},
	{"PPID", fixed | presumed | elementComputed | starts},
	{"PROMPT", tied},
	{"PROMPT2", tied},
	{"PROMPT3", tied},
	{"PROMPT4", tied},
	{"PS1", starts},
	{"PS2", starts},
	{"PS4", starts},
	{"PSVAR", zshChanges},
	{"PWD", changes | presumed | inherited | unasked},
	{"RANDOM", changes | presumed | zshComputed | computed | starts},
	{"READLINE_LINE", unasked},
	{"READNULLCMD", tied},
	{"REPLY", unasked},
	{"REPORTMEMORY", zshComputed},
	{"REPORTTIME", zshComputed},
	{"RPROMPT", tied},
	{"SAVEHIST", zshComputed | starts},
	{"SECONDS", changes | presumed | zshComputed | computed | starts},
	{"SHELL", inherited},
	{"SHELLOPTS", fixed | starts},
	{"SHLVL", zshComputed | starts},
	{"SPROMPT", tied},
	{"SRANDOM", changes | presumed | computed | starts},
	{"STTY", tied},
	{"TERM", inherited},
	{"TEXTDOMAIN", presumed},
	{"TEXTDOMAINDIR", presumed},
	{"TMOUT", zshComputed},
	{"TMPDIR", presumed | inherited},
	{"TMPPREFIX", tied},
	{"TRY_BLOCK_ERROR", zshChanges | zshComputed},
	{"TRY_BLOCK_INTERRUPT", zshChanges | zshComputed},
	{"TTY", starts},
	{"TTYIDLE", zshFixed | starts},
	{"UID", fixed | presumed | zshComputed | elementComputed | starts},
	{"USER", presumed | inherited},
	{"USERNAME", zshChanges | starts},
	{"VENDOR", starts},
	{"VISUAL", inherited},
	{"WATCH", zshChanges},
	{"ZLE_RPROMPT_INDENT", zshComputed},
	{"ZSH_EVAL_CONTEXT", zshFixed},
	{"ZSH_SUBSHELL", zshFixed},
	{"_", changes | starts | unasked},
	{"aliases", tied},
	{"argv", tied | starts},
	{"builtins", tied},
	{"cdpath", tied},
	{"chpwd_functions", tied},
	{"commands", tied},
	{"dirstack", tied | unasked},
	{"dis_aliases", tied},
	{"dis_functions", tied},
	{"dis_galiases", tied},
	{"dis_saliases", tied},
	{"fignore", tied},
	{"fpath", tied},
	{"functions", tied},
	{"galiases", tied},
	{"histchars", tied},
	{"history", unasked},
	{"historywords", unasked},
	{"mailpath", zshChanges},
	{"manpath", zshChanges},
	{"match", zshChanges | unasked},
	{"mbegin", zshChanges},
	{"mend", zshChanges},
	{"module_path", tied},
	{"modules", tied},
	{"nameddirs", tied},
	{"options", tied},
	{"parameters", tied},
	{"patchars", tied},
	{"path", tied},
	{"periodic_functions", tied},
	{"pipestatus", zshChanges | starts},
	{"precmd_functions", tied},
	{"preexec_functions", tied},
	{"psvar", zshChanges},
	{"reply", unasked},
	{"reswords", tied},
	{"saliases", tied},
	{"status", zshChanges | zshFixed | starts},
	{"watch", zshChanges},
	{"zsh_eval_context", zshFixed},
	{"zshexit_functions", tied},
}

// is reports whether one of the facts is known of a variable.
func is(name string, f facts) bool { return factsOf(name)&f != 0 }

func factsOf(name string) (f facts) {
	if i, found := slices.BinarySearchFunc(ownVariables[:], name, func(v ownVariable, name string) int { return strings.Compare(v.name, name) }); found {
		f = ownVariables[i].facts
	}
	switch {
	case strings.HasPrefix(name, "LC_"):
		f |= inherited
	case strings.HasPrefix(name, "BASH_"), strings.HasPrefix(name, "EPOCH"), strings.HasPrefix(name, "ZSH_"):
		f |= starts
	}
	return f
}

// Starts reports whether some shell gives a variable a value of its own when it
// starts, whatever its environment says.
func Starts(name string) bool { return is(name, starts) }

// Keeps reports whether a shell may put a text of the line in a variable that the
// line does not set: an argument, what it read, a directory.
func Keeps(name string) bool { return is(name, unasked) }

// volatile reports whether the shell itself changes a variable, so that it
// does not hold what was assigned to it.
func (r *run) volatile(name string) bool {
	return is(name, changes|fixed) || r.may(tiedState) && is(name, zshChanges)
}

// assignable reports whether nothing keeps a variable from being assigned to,
// but a value that can't be calculated.
func (r *run) assignable(name string) bool {
	return isName(name) && !is(name, fixed) && r.get(name).attrsOr(0)&readonly == 0 && !(r.may(tiedState) && is(name, zshFixed))
}

// integral reports whether the shell calculates what is assigned to a variable
// of its own. Those that can't be assigned to may be calculated all the same
// where an element is.
func (r *run) integral(name string, element bool) bool {
	return is(name, computed) || element && is(name, elementComputed) || r.may(calculating) && is(name, zshComputed)
}

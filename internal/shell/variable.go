package shell

import "strings"

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

// is reports whether one of the facts is known of a variable.
func is(name string, f facts) bool { return factsOf(name)&f != 0 }

func factsOf(name string) facts {
	f := sharedFacts(name) | zshFacts(name)
	switch {
	case strings.HasPrefix(name, "LC_"):
		f |= inherited
	case strings.HasPrefix(name, "BASH_"), strings.HasPrefix(name, "EPOCH"), strings.HasPrefix(name, "ZSH_"):
		f |= starts
	}
	return f
}

// sharedFacts are what is known of a variable in every shell that has it.
func sharedFacts(name string) facts {
	switch name {
	case "BASH_ARGC", "BASH_ARGV0", "BASH_LINENO", "BASH_SOURCE":
		return changes
	case "GROUPS", "PIPESTATUS":
		return changes | starts
	case "BASHPID", "LINENO", "RANDOM", "SECONDS", "SRANDOM":
		return changes | starts | presumed | computed
	case "HISTCMD":
		return changes | starts | presumed | computed | unasked
	case "DIRSTACK", "FUNCNAME", "_":
		return changes | starts | unasked
	case "BASH_SUBSHELL":
		return changes | presumed
	case "OLDPWD", "PWD":
		return changes | presumed | inherited | unasked
	case "EPOCHSECONDS":
		return changes | presumed | computed
	case "EPOCHREALTIME":
		return changes | computed
	case "BASH_ARGV", "BASH_COMMAND", "BASH_REMATCH":
		return changes | unasked
	case "BASH", "COLUMNS", "COMP_WORDBREAKS", "CPUTYPE", "EGID", "ERRNO", "GID", "HISTSIZE", "HOST", "HOSTTYPE", "KEYTIMEOUT",
		"LINES", "LISTMAX", "MACHTYPE", "MAILCHECK", "OPTERR", "OSTYPE", "PS1", "PS2", "PS4", "SAVEHIST", "SHLVL", "TTY",
		"TTYIDLE", "USERNAME", "VENDOR", "argv", "pipestatus", "status":
		return starts
	case "HOSTNAME", "LOGNAME":
		return starts | presumed | inherited
	case "EUID", "PPID", "UID":
		return starts | presumed | fixed | elementComputed
	case "OPTIND":
		return starts | presumed | computed | unasked
	case "BASHOPTS", "SHELLOPTS":
		return starts | fixed
	case "OPTARG":
		return starts | unasked
	case "CDPATH", "IFS", "TEXTDOMAIN", "TEXTDOMAINDIR":
		return presumed
	case "HOME", "TMPDIR", "USER":
		return presumed | inherited
	case "EDITOR", "LANG", "PAGER", "PATH", "SHELL", "TERM", "VISUAL":
		return inherited
	case "BASH_VERSINFO":
		return fixed
	case "COMPREPLY", "COMP_LINE", "COMP_WORDS", "COPROC", "MAPFILE", "MATCH", "READLINE_LINE", "REPLY", "dirstack", "history",
		"historywords", "match", "reply":
		return unasked
	}
	return 0
}

// zshFacts are what zsh alone does with a variable.
func zshFacts(name string) facts {
	switch name {
	case "MAILPATH", "MANPATH", "MATCH", "MBEGIN", "MEND", "PSVAR", "USERNAME", "WATCH", "mailpath", "manpath", "match",
		"mbegin", "mend", "pipestatus", "psvar", "watch":
		return zshChanges
	case "status":
		return zshChanges | zshFixed
	case "ERRNO", "TRY_BLOCK_ERROR", "TRY_BLOCK_INTERRUPT":
		return zshChanges | zshComputed
	case "ARGC", "HISTCMD", "LINENO", "TTYIDLE", "ZSH_EVAL_CONTEXT", "ZSH_SUBSHELL", "zsh_eval_context":
		return zshFixed
	case "BAUD", "COLUMNS", "DIRSTACKSIZE", "EGID", "EUID", "FUNCNEST", "GID", "HISTSIZE", "KEYTIMEOUT", "LINES", "LISTMAX",
		"LOGCHECK", "MAILCHECK", "OPTIND", "PERIOD", "RANDOM", "REPORTMEMORY", "REPORTTIME", "SAVEHIST", "SECONDS", "SHLVL",
		"TMOUT", "UID", "ZLE_RPROMPT_INDENT":
		return zshComputed
	case "HISTCHARS", "MODULE_PATH", "NULLCMD", "PROMPT", "PROMPT2", "PROMPT3", "PROMPT4", "READNULLCMD", "RPROMPT", "SPROMPT",
		"STTY", "TMPPREFIX", "aliases", "argv", "builtins", "cdpath", "chpwd_functions", "commands", "dirstack", "dis_aliases",
		"dis_functions", "dis_galiases", "dis_saliases", "fignore", "fpath", "functions", "galiases", "histchars",
		"module_path", "modules", "nameddirs", "options", "parameters", "patchars", "path", "periodic_functions",
		"precmd_functions", "preexec_functions", "reswords", "saliases", "zshexit_functions":
		return tied
	}
	return 0
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

package shell

import (
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// What shells keep in variables and functions of their own.

// special reports whether a command is one of the special builtins of POSIX,
// before which sh makes assignments for good.
func special(name string) bool {
	switch name {
	case ":", ".", "break", "continue", "eval", "exec", "exit", "export", "readonly", "return", "set", "shift", "times", "trap", "unset":
		return true
	}
	return false
}

// hook reports whether the shell calls a function of that name by itself.
func (r *run) hook(name string) bool {
	if !r.in.Dialect.mayBeZsh() {
		return false
	}
	switch name {
	case "chpwd", "precmd", "preexec", "periodic", "zshaddhistory", "zshexit", "zsh_directory_name", "command_not_found_handler":
		return true
	}
	return strings.HasPrefix(name, "TRAP")
}

// zshCalculates finds operands that zsh evaluates as arithmetic where bash
// wants a number: exit 'a[$(cmd)]' runs cmd.
func (r *run) zshCalculates(n syntax.Node, words ...policy.Word) {
	if !r.in.Dialect.mayBeZsh() {
		return
	}
	for _, w := range words {
		if !r.numericValue(w, 0) {
			r.find(idZsh, n, "zsh calculates a value that is not known to be a number; such a value may run a command")
			return
		}
	}
}

// plainNumber reports whether arithmetic gives a number back as it is written.
func plainNumber(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	return isDigits(digits) && len(digits) <= 18 && (digits[0] != '0' || s == "0")
}

// setOption reports whether an option of set changes nothing of what is
// followed here.
func setOption(name string, on bool) bool {
	switch name {
	case "a", "allexport", "b", "notify", "C", "noclobber", "e", "errexit", "E", "errtrace", "f", "noglob", "h", "hashall", "m", "monitor", "n", "noexec",
		"u", "nounset", "v", "verbose", "x", "xtrace", "pipefail", "emacs", "vi", "ignoreeof", "nolog", "interactive-comments":
		return true
	case "B", "braceexpand":
		return on
	case "H", "histexpand", "history", "k", "keyword", "P", "physical", "posix", "T", "functrace":
		return !on
	}
	return false
}

// ulimit finds limits so low that the shell can't go on: without a descriptor
// for a pipe, or without a process, a substitution is empty.
func (r *run) ulimit(in *invocation, args []policy.Word) {
	option := byte('f')
	for _, w := range args {
		s, ok := w.Const()
		if len(s) > 1 && s[0] == '-' && !isDigits(s[1:]) {
			// -n 4 and -n4
			letters := strings.TrimRight(s, "0123456789")
			option = letters[len(letters)-1]
			if s = s[len(letters):]; s == "" {
				continue
			}
		}
		least := 256
		switch option {
		case 'c', 't':
			continue // of core files and of time, which ends a process
		case 'u', 'v', 'd', 'm':
			least = 1 << 16
		}
		if n, err := strconv.Atoi(s); !ok || s != "unlimited" && s != "hard" && s != "soft" && (err != nil || n < least) {
			r.find(idEvaluates, in.node, "limits what the shell itself needs to run what follows")
		}
	}
}

// shopt finds options of bash that change what words and texts mean.
func (r *run) shopt(in *invocation, args []policy.Word) {
	changes := false
	for _, w := range args {
		s, ok := w.Const()
		if strings.HasPrefix(s, "-") {
			changes = changes || strings.ContainsAny(s, "su")
			continue
		}
		switch s {
		case "autocd", "checkhash", "checkjobs", "checkwinsize", "cmdhist", "dotglob", "expand_aliases", "extglob", "globasciiranges", "globskipdots", "globstar",
			"histappend", "histreedit", "histverify", "hostcomplete", "huponexit", "inherit_errexit", "lastpipe", "lithist", "mailwarn",
			"nocaseglob", "nullglob", "progcomp":
			continue
		}
		if changes || !ok {
			r.find(idEvaluates, in.node, "changes how bash reads what follows")
			return
		}
	}
}

package shell

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// What shells keep in variables and functions of their own.

// hook reports whether the shell calls a function of that name by itself.
func (r *run) hook(name string) bool {
	if !r.may(hooks) {
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
	if !r.may(calculating) {
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

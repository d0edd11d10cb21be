package shell

import (
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// Options and limits of the shell itself, which change what later words mean.

// setBuiltin sets options, and $1 and so on.
func (r *run) setBuiltin(in *invocation, args []policy.Word) {
	for i := 0; i < len(args); i++ {
		s, ok := args[i].Const()
		if !ok {
			if args[i].MayBeOption() {
				r.find(idEvaluates, in.node, "sets options of the shell that are not known")
			}
			r.setArgs(args[i:])
			return
		}
		switch {
		case s == "--":
			r.setArgs(args[i+1:])
			return
		case s == "-":
			if i+1 < len(args) || r.surely(signWords) {
				r.setArgs(args[i+1:])
			} else if r.may(signWords) {
				r.f.loseArgs() // none to zsh, as before to bash
				r.argSets++
			}
			return
		case s == "+":
			r.f.loseArgs() // an operand to bash, and none to zsh
			r.argSets++
			return
		case len(s) < 2 || s[0] != '-' && s[0] != '+':
			r.setArgs(args[i:])
			return
		}
		on := s[0] == '-'
		for _, c := range s[1:] {
			name := string(c)
			if c == 'o' {
				if i+1 == len(args) {
					continue
				}
				i++
				if name, ok = args[i].Const(); !ok {
					r.find(idEvaluates, in.node, "sets options of the shell that are not known")
					continue
				}
			}
			if !r.setOption(name, on) {
				r.find(idEvaluates, in.node, "changes how the shell reads what follows: set "+s)
			}
		}
	}
}

// setOption sets an option, and reports whether it changes nothing else than what is
// followed here.
func (r *run) setOption(name string, on bool) bool {
	switch name {
	case "a", "allexport":
		r.f.allExport = on
		return true
	case "u", "nounset":
		r.nounset = r.nounset || on
		return true
	case "E", "errtrace":
		r.errtrace = r.errtrace || on
		return true
	case "b", "notify", "C", "noclobber", "e", "errexit", "f", "noglob", "h", "hashall", "m", "monitor", "n", "noexec",
		"v", "verbose", "x", "xtrace", "pipefail", "emacs", "vi", "ignoreeof", "nolog", "interactive-comments":
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
		case "dotglob", "globskipdots", "nocaseglob":
			r.out.Wide = true
			continue
		case "autocd", "checkhash", "checkjobs", "checkwinsize", "cmdhist", "expand_aliases", "extglob", "globasciiranges", "globstar",
			"histappend", "histreedit", "histverify", "hostcomplete", "huponexit", "inherit_errexit", "lastpipe", "lithist", "mailwarn",
			"nullglob", "progcomp":
			continue
		}
		if changes || !ok {
			r.find(idEvaluates, in.node, "changes how bash reads what follows")
			return
		}
	}
}

// enable finds names of builtins that are taken away, or given to others.
func (r *run) enable(in *invocation, args []policy.Word) {
	opts, rest := in.own.getopt(args)
	if opts.any("fd") || len(rest) > 0 && (opts.any("n") || !rest[0].IsConst()) {
		r.find(idEvaluates, in.node, "changes what a command's name means")
	}
}

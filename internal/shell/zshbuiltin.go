package shell

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// Builtins and words of zsh that are followed where zsh surely runs the text.

// zshKnown reports whether rules know a builtin of zsh, which is a program to
// other shells.
func zshKnown(name string) bool {
	return name == "setopt" || name == "unsetopt" || name == "print" || name == "autoload"
}

// zshPlain reports whether a builtin of zsh does nothing with its words that is
// followed here, and does what it means for the shell.
func (r *run) zshPlain(name string, args []policy.Word) bool {
	switch name {
	case "setopt", "unsetopt":
		return all(args, func(s string) bool {
			s = optionName(s)
			r.nounset = r.nounset || s == "unset"
			return harmlessOption(s)
		})
	case "print":
		return r.printsPlainly(args)
	case "autoload":
		names := args
		for len(names) > 0 && strings.HasPrefix(names[0].Text, "-") {
			names = names[1:]
		}
		if !all(names, func(s string) bool { return s == "colors" || s == "is-at-least" }) {
			return false
		}
		for _, w := range names {
			body, _, err := r.parse("{ :; }", false)
			if err != nil {
				return false
			}
			known := &funcBody{name: w.Text, stmt: body.Stmts[0], src: source{text: "{ :; }", base: w.Pos, nested: true}}
			r.defined = append(r.defined, known)
			r.setFunc(w.Text, &function{bodies: []*funcBody{known}})
		}
		return true
	}
	return false
}

// all reports whether all words are known and what f says.
func all(words []policy.Word, f func(string) bool) bool {
	for _, w := range words {
		if s, ok := w.Const(); !ok || !f(s) {
			return false
		}
	}
	return len(words) > 0
}

// optionName is the name of an option of zsh without what does not count in it:
// case, underscores, and "no" for the opposite.
func optionName(s string) string {
	s = strings.ReplaceAll(strings.ToLower(s), "_", "")
	if s != "notify" {
		s = strings.TrimPrefix(s, "no")
	}
	return s
}

// harmlessOption reports whether an option of zsh changes nothing of how the
// words of a text are read, and what runs.
func harmlessOption(name string) bool {
	switch name {
	case "nullglob", "match", "numericglobsort", "pipefail", "errexit", "unset", "beep", "verbose", "xtrace",
		"warncreateglobal", "localoptions", "localtraps", "promptpercent", "printexitvalue", "monitor", "notify", "bgnice", "hup", "checkjobs",
		"histignoredups", "histignorespace", "sharehistory", "appendhistory", "incappendhistory", "extendedhistory", "multibyte", "clobber":
		return true
	}
	return false
}

// printsPlainly reports whether print only prints: with -P it expands a prompt,
// which may run commands where the user has set PROMPT_SUBST.
func (r *run) printsPlainly(args []policy.Word) bool {
	prompts, options := false, true
	for _, w := range args {
		s, known := w.Const()
		options = options && known && len(s) > 1 && s[0] == '-'
		switch {
		case options && strings.ContainsAny(s, "vszpfSmbDxX"):
			return false
		case options:
			prompts = prompts || strings.Contains(s, "P")
			options = s != "--"
		case prompts && (!known || strings.ContainsAny(s, "$`")):
			return false
		}
	}
	return true
}

// repeats interprets repeat N command, of a program whose runs don't change the
// shell, and so not the words of the next one.
func (r *run) repeats(in *invocation, args []policy.Word) bool {
	if !r.surely(moreWords) || len(args) < 2 {
		return false
	}
	n, known := args[0].Const()
	name, ok := args[1].Const()
	rest := *in
	rest.words = args[1:]
	if !known || !isDigits(n) || !ok || !r.changesNothing(name) {
		return false
	}
	r.repeat(in.node, func() { r.invoke(&rest) })
	return true
}

// changesNothing reports whether a command is a program, or one of the shell's own
// that leaves it as it is, and no word of the language.
func (r *run) changesNothing(name string) bool {
	switch name {
	case "echo", "true", ":", "test", "[", "pwd", "false":
		return r.funcs[name] == nil
	}
	return builtinOf(name) == &noBuiltin && r.funcs[name] == nil && !strings.ContainsAny(name, "{}()!")
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

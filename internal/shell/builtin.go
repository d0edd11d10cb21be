package shell

import (
	"slices"
	"sort"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// builtin is a command of the shell's own: what it is to which shells, which
// options it takes, and what it does that is followed here. What is thought of it
// is for rules to say.
type builtin struct {
	name    string
	traits  traits
	options string // letters, those with a value before a colon; "": none, but "--" may stand before its words
	asks    asked
}

// traits are what a builtin is.
type traits uint16

const (
	special  traits = 1 << iota // of POSIX: sh makes assignments before it for good
	program                     // sh looks for a program of this name
	sees                        // assignments before it are seen by what is interpreted for it
	idle                        // it has no use for standard input
	tells                       // it says itself what is run
	ofZsh                       // a builtin or a word of zsh alone
	declares                    // its words are assignments
	reserved                    // a word of the language to zsh, which no function hides
)

// builtins are sorted by name.
var builtins = [...]builtin{
	{name: "-", traits: ofZsh},
	{name: ".", traits: special | sees | idle},
	{name: ":", traits: special | idle},
	{name: "[", traits: sees | idle},
	{name: "alias", traits: idle},
	{name: "always", traits: ofZsh},
	{name: "autoload", traits: ofZsh},
	{name: "bind", traits: idle, asks: asked{"x", "binds a key to a command"}},
	{name: "break", traits: special | idle},
	{name: "builtin", traits: program | sees | idle | tells},
	{name: "cd", traits: sees | idle, options: "LPe@"},
	{name: "chdir", traits: idle, options: "LPe@"},
	{name: "command", traits: sees | idle | tells, options: "pvV"},
	{name: "compgen", options: completing},
	{name: "complete", traits: idle, options: completing},
	{name: "compopt", traits: idle, options: completing},
	{name: "continue", traits: special | idle},
	{name: "declare", traits: sees | idle | reserved | tells | declares},
	{name: "dirs", traits: idle},
	{name: "echo", traits: idle},
	{name: "emulate", traits: ofZsh},
	{name: "enable", traits: program | idle, options: "adnpsf:"},
	{name: "end", traits: ofZsh | reserved},
	{name: "eval", traits: special | sees | idle},
	{name: "exec", traits: special | sees | tells, options: "cla:"},
	{name: "exit", traits: special | idle},
	{name: "export", traits: special | sees | idle | reserved | tells | declares},
	{name: "false", traits: idle},
	{name: "fc", traits: idle, asks: asked{"s", "runs or changes what the shell remembers"}},
	{name: "float", traits: ofZsh | reserved},
	{name: "foreach", traits: ofZsh | reserved},
	{name: "getopts", traits: sees | idle},
	{name: "hash", traits: sees | idle, asks: asked{"p", "says where a command's program lies"}},
	{name: "history", traits: idle, asks: asked{"s", "runs or changes what the shell remembers"}},
	{name: "integer", traits: ofZsh | reserved},
	{name: "jobs", traits: idle, options: "lnprsx"},
	{name: "kill", traits: idle},
	{name: "let", traits: program | sees | idle},
	{name: "local", traits: sees | idle | reserved | tells | declares},
	{name: "logout", traits: idle},
	{name: "mapfile", traits: program | sees, options: mapping},
	{name: "nocorrect", traits: ofZsh | reserved},
	{name: "noglob", traits: ofZsh},
	{name: "popd", traits: program | sees | idle, options: "nq"},
	{name: "print", traits: ofZsh},
	{name: "printf", traits: sees | idle},
	{name: "pushd", traits: program | sees | idle, options: "nq"},
	{name: "pwd", traits: idle},
	{name: "read", traits: sees, options: "ersEa:d:i:n:N:p:t:u:"},
	{name: "readarray", traits: program | sees, options: mapping},
	{name: "readonly", traits: special | sees | idle | reserved | tells | declares},
	{name: "repeat", traits: ofZsh | reserved},
	{name: "return", traits: special | idle},
	{name: "sched", traits: ofZsh},
	{name: "set", traits: special | sees | idle},
	{name: "setopt", traits: ofZsh},
	{name: "shift", traits: special | idle},
	{name: "shopt", traits: program | idle},
	{name: "source", traits: program | sees | idle},
	{name: "test", traits: sees | idle},
	{name: "times", traits: special | idle},
	{name: "trap", traits: special | sees | idle, options: "lpP"},
	{name: "true", traits: idle},
	{name: "type", traits: idle},
	{name: "typeset", traits: sees | idle | reserved | tells | declares},
	{name: "ulimit", traits: idle},
	{name: "umask", traits: idle},
	{name: "unalias", traits: idle},
	{name: "unset", traits: special | sees | idle, options: "fvn"},
	{name: "unsetopt", traits: ofZsh},
	{name: "vared", traits: ofZsh},
	{name: "wait", traits: sees | idle, options: "fnp:"},
	{name: "zcompile", traits: ofZsh},
	{name: "zle", traits: ofZsh},
	{name: "zmodload", traits: ofZsh},
}

// follow is what a builtin does, nil where nothing follows. The table is no
// variable of the package: what it names leads back to it, and nothing runs before
// main.
func (b *builtin) follow() func(*run, *invocation, []policy.Word) {
	for _, row := range [...]struct {
		does  func(*run, *invocation, []policy.Word)
		names string
	}{
		{(*run).sourced, ". source"},
		{(*run).succeeds, ": true"},
		{(*run).bracket, "["},
		{(*run).alias, "alias"},
		{(*run).breaks, "break continue"},
		{(*run).builtinBuiltin, "builtin"},
		{(*run).cd, "cd chdir"},
		{(*run).commandBuiltin, "command"},
		{(*run).complete, "compgen complete compopt"},
		{(*run).declareWords, "declare export local readonly typeset"},
		{(*run).dirs, "dirs"},
		{(*run).echo, "echo"},
		{(*run).enable, "enable"},
		{(*run).eval, "eval"},
		{(*run).exec, "exec"},
		{(*run).exit, "exit"},
		{(*run).fails, "false"},
		{(*run).getopts, "getopts"},
		{(*run).hash, "hash"},
		{(*run).jobs, "jobs"},
		{(*run).letBuiltin, "let"},
		{(*run).logout, "logout"},
		{(*run).mapfile, "mapfile readarray"},
		{(*run).popd, "popd"},
		{(*run).printf, "printf"},
		{(*run).pushd, "pushd"},
		{(*run).read, "read"},
		{(*run).returns, "return"},
		{(*run).setBuiltin, "set"},
		{(*run).shift, "shift"},
		{(*run).shopt, "shopt"},
		{(*run).test, "test"},
		{(*run).trap, "trap"},
		{(*run).ulimit, "ulimit"},
		{(*run).unset, "unset"},
		{(*run).wait, "wait"},
	} {
		for names := row.names; names != ""; {
			var name string
			if name, names, _ = strings.Cut(names, " "); name == b.name {
				return row.does
			}
		}
	}
	return nil
}

const (
	completing = "abcdefgjksuvprDEIo:A:G:W:F:C:X:P:S:V:"
	mapping    = "tC:c:d:n:O:s:u:"
)

// asked are letters of options that change what the shell does later.
type asked struct{ letters, reason string }

// builtinOf returns the row of a builtin, or an empty one.
func builtinOf(name string) *builtin {
	i := sort.Search(len(builtins), func(i int) bool { return builtins[i].name >= name })
	if i == len(builtins) || builtins[i].name != name {
		return &noBuiltin
	}
	return &builtins[i]
}

var noBuiltin builtin

// isA reports whether a command is a builtin with one of the traits.
func isA(name string, t traits) bool { return builtinOf(name).traits&t != 0 }

// builtin runs a command that is no function: the shell's own, or a program.
func (r *run) builtin(name string, in *invocation) outcome {
	b, args := builtinOf(name), in.words[1:]
	in.own = b
	if b.traits&program != 0 {
		r.posixOnly(true, in.node, name+" is a program in sh")
	}
	if b.name == "" || b.traits&ofZsh != 0 {
		r.zshProgram(in, name, args)
		return in.did
	}
	if b.traits&tells == 0 {
		r.emitCall(in)
	}
	r.optioned(in, args, b.asks)
	if follow := b.follow(); follow != nil {
		in.did.stays = true
		follow(r, in, args)
		if in.did.stays { // though what it may go back to may be another
			in.did.ok.location, in.did.fail.location, in.did.stays = r.f.location, r.f.location, false
		}
	}
	return in.did
}

// option is one that a builtin is given.
type option struct {
	letter byte
	value  policy.Word
	given  bool // there is a value
}

// options are those before a builtin's operands.
type options struct {
	list  []option
	alien bool // one of them the builtin does not have
	ended bool // by --
}

func (o *options) any(letters string) bool {
	return slices.ContainsFunc(o.list, func(o option) bool { return strings.IndexByte(letters, o.letter) >= 0 })
}

// getopt parts the words of a builtin as getopt(3) does. What is not known ends the
// options, and so do numbers: they are places of stacks.
func (b *builtin) getopt(args []policy.Word) (o options, operands []policy.Word) {
	for len(args) > 0 {
		s, known := args[0].Const()
		if !known || len(s) < 2 || s[0] != '-' || isDigits(s[1:]) || b.options == "" && s != "--" {
			break
		}
		args = args[1:]
		if s == "--" {
			o.ended = true
			break
		}
		for i := 1; i < len(s); i++ {
			at := strings.IndexByte(b.options, s[i])
			is := option{letter: s[i]}
			o.alien = o.alien || at < 0 || s[i] == ':'
			valued := at >= 0 && strings.HasPrefix(b.options[at+1:], ":")
			switch {
			case valued && i+1 < len(s):
				is.value, is.given = policy.Const(s[i+1:]), true
			case valued && len(args) > 0:
				is.value, is.given = args[0], true
				args = args[1:]
			}
			o.list = append(o.list, is)
			if valued {
				break
			}
		}
	}
	return o, args
}

// optioned finds an option that changes what the shell does later.
func (r *run) optioned(in *invocation, args []policy.Word, a asked) {
	if a.letters == "" {
		return
	}
	for _, w := range args {
		s, ok := w.Const()
		if !ok && w.MayBeOption() || ok && strings.HasPrefix(s, "-") && strings.ContainsAny(s, a.letters) {
			r.find(idEvaluates, in.node, a.reason)
			return
		}
	}
}

func (r *run) succeeds(in *invocation, _ []policy.Word) { in.did.fail.dead = true }

func (r *run) fails(in *invocation, _ []policy.Word) { in.did.ok.dead = true }

func (r *run) echo(in *invocation, _ []policy.Word) {
	if r.f.stdout == policy.OutputHost {
		in.did.fail.dead = true // only a closed output makes it fail
	}
}

// exit ends the shell, unless its operand makes it complain.
func (r *run) exit(in *invocation, args []policy.Word) {
	r.zshCalculates(in.node, args...)
	if len(args) == 0 || len(args) == 1 && ends(args[0]) {
		in.did.ok.dead, in.did.fail.dead = true, true
	}
}

// ends reports whether exit ends the shell with an operand, rather than
// complaining about it.
func ends(w policy.Word) bool {
	s, ok := w.Const()
	return ok && policy.IsNumber(s) || !ok && !w.MaySplit() && shapeOf(w).Numeric()
}

// logout ends a login shell only.
func (r *run) logout(in *invocation, args []policy.Word) { r.zshCalculates(in.node, args...) }

func (r *run) returns(in *invocation, args []policy.Word) {
	r.zshCalculates(in.node, args...)
	r.leaves(ofFunction)
}

// breaks does break and continue.
func (r *run) breaks(in *invocation, args []policy.Word) {
	if s, ok := oneWord(args); len(args) > 0 && !(ok && s == "1") {
		r.find(idEvaluates, in.node, in.own.name+" leaves several loops, or as many as are calculated")
	}
	r.leaves(ofLoop)
}

// oneWord returns the text of the only word.
func oneWord(words []policy.Word) (string, bool) {
	if len(words) != 1 {
		return "", false
	}
	return words[0].Const()
}

// bracket does test with its closing bracket.
func (r *run) bracket(in *invocation, args []policy.Word) {
	if n := len(args); n > 0 {
		if s, _ := args[n-1].Const(); s == "]" {
			args = args[:n-1]
		}
	}
	r.test(in, args)
}

// letBuiltin calculates the operands of let where it is an ordinary command.
func (r *run) letBuiltin(in *invocation, args []policy.Word) {
	sure := true
	for _, w := range args {
		sure = r.operandOfLet(sure, func() bool { return r.letWord(in.node, w) })
	}
}

// hash says where a command's program lies in zsh, too.
func (r *run) hash(in *invocation, args []policy.Word) {
	for _, w := range args {
		if s, _ := w.Const(); r.may(moreWords) && strings.Contains(s, "=") {
			r.find(idZsh, in.node, "zsh lets it say where a command's program lies")
		}
	}
}

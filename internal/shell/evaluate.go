package shell

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// wrapped runs words behind a builtin that runs builtins and programs.
func (r *run) wrapped(in *invocation, words []policy.Word, via string) {
	if len(words) == 0 {
		r.emitCall(in)
		return
	}
	inner := *in
	inner.words = words
	inner.noFuncs = true
	r.inside(r.through(via), func() { in.did = r.invoke(&inner) })
}

func (r *run) commandBuiltin(in *invocation, args []policy.Word) {
	opts, rest := in.own.getopt(args)
	if opts.any("vV") || opts.alien {
		r.emitCall(in)
		return
	}
	if !r.may(ownProcesses) {
		r.wrapped(in, rest, "command")
		return
	}
	// What follows is a program to zsh, which leaves the shell as it is.
	if len(rest) > 0 {
		if s, _ := rest[0].Const(); s == "command" || s == "exec" {
			r.find(idZsh, in.node, s+" behind command is a program to zsh")
		}
	}
	m, left := r.mark(), r.plain()
	r.wrapped(in, rest, "command")
	r.either(m)
	left.printer = in.did.printer
	in.did = left.join(in.did)
}

// builtinBuiltin does builtin, which passes functions over.
func (r *run) builtinBuiltin(in *invocation, args []policy.Word) {
	opts, rest := in.own.getopt(args)
	if opts.ended && r.may(moreWords) {
		r.find(idZsh, in.node, "zsh has no builtin of the name --")
	}
	r.wrapped(in, rest, "builtin")
}

// mayStay forgets what the shell reads from where a file is opened for good: if it can't
// be opened, the shell goes on with what it had.
func (r *run) mayStay(in *invocation) {
	s, ok := in.node.(*syntax.Stmt)
	if !ok {
		r.loseStreams()
		return
	}
	opens := func(rd *syntax.Redirect) bool {
		return (rd.Op == syntax.RdrIn || rd.Op == syntax.RdrInOut) && rd.Word.Lit() != "/dev/null"
	}
	if !slices.ContainsFunc(s.Redirs, opens) {
		return
	}
	for _, rd := range s.Redirs {
		if !opens(rd) && rd.Op != syntax.DplIn {
			continue
		}
		fd := ""
		if rd.N != nil {
			fd = withoutZeros(rd.N.Value)
		}
		r.leads(fd, r.newInput(policy.Input{Kind: policy.InputHole}))
	}
}

// exec replaces the shell, or redirects it for good.
func (r *run) exec(in *invocation, args []policy.Word) {
	opts, args := in.own.getopt(args)
	if opts.any("c") {
		env := slices.Clone(r.f.env) // the program has none of it
		for i := range env {
			env[i].Value = hole(policy.ShapeAny)
		}
		r.f.env = env
	}
	if opts.any("a") {
		r.find(idEvaluates, in.node, "runs a program under a name that is not its own, and some programs are what they are called")
	}
	if len(args) == 0 {
		r.emitCall(in)
		in.did.kept = true
		r.f.execs++
		r.interrupt()
		r.mayStay(in)
		return
	}
	inner := *in
	inner.words = args
	r.inside(r.through("exec"), func() { r.replaces(in, &inner) })
	in.did.printer = -1
}

// replaces does the command that exec runs.
func (r *run) replaces(in, inner *invocation) {
	name, ok := inner.words[0].Const()
	if isA(name, special) {
		r.find(idEvaluates, in.node, "exec looks for a program of the name "+name)
	}
	switch {
	case !ok:
		in.did = r.hidden(inner)
	case r.may(ownProcesses):
		// zsh runs functions and builtins, too, and goes nowhere from there.
		m := r.mark()
		if fn := r.funcs[name]; fn != nil {
			r.callFunction(&function{bodies: fn.bodies, maybe: true}, inner)
		} else {
			in.did.kept = r.builtin(name, inner).kept
		}
		r.either(m)
	default:
		r.emitCall(inner)
	}
}

// eval reads its words as a text, in this shell.
func (r *run) eval(in *invocation, args []policy.Word) {
	_, args = in.own.getopt(args)
	if len(args) == 0 {
		return
	}
	for _, w := range args {
		if !w.IsConst() {
			r.find(idEvaluates, in.node, "evaluates a text that is not known")
			r.loseShell()
			break
		}
	}
	in.did.printer = -1
	if text, ok := unresolved(args...); ok {
		in.did = r.nested(text, in.node, "eval")
	}
}

// sourced reads a file into this shell: after it nothing is known.
func (r *run) sourced(in *invocation, args []policy.Word) {
	at := in.did.printer
	if at >= 0 {
		r.out.Commands[at].Caller = r.caller(len(args) > 1)
	}
	if len(args) > 0 {
		s, _ := args[0].Const()
		if (s == "/dev/stdin" || s == "/dev/fd/0" || s == "/proc/self/fd/0") && r.f.stdin.rest().Kind == policy.InputText {
			text, _ := r.f.stdin.Text.Const()
			r.f.stdin.draw()
			in.did = r.nested(text, in.node, "source")
		}
	}
	if r.in.Activates != nil && at >= 0 && r.in.Activates(&r.out.Commands[at]) {
		for _, name := range [...]string{"PATH", "PYTHONHOME", "PS1", "VIRTUAL_ENV", "VIRTUAL_ENV_PROMPT"} {
			r.set(name, blurred(r.get(name), policy.ShapeAny))
		}
		return
	}
	r.loseShell()
	in.did = r.plain()
}

// caller is this shell as a file finds it. operands says that the file is given
// words of its own, which sh passes over.
func (r *run) caller(operands bool) *policy.Caller {
	c := &policy.Caller{Foreign: r.f.foreign}
	if !operands && r.f.argsKnown {
		c.Args = append([]policy.Word{unknownArg0}, r.f.args...)
	}
	if !r.spend(len(r.vars) / 4) {
		return c
	}
	for name, v := range r.vars {
		a := policy.Assign{Name: name, Value: r.exportValue(v), Taken: v.set != policy.Yes, Obeys: v.attrs&(integer|lower|upper|readonly|counted) != 0}
		c.Vars = append(c.Vars, a)
	}
	slices.SortFunc(c.Vars, func(a, b policy.Assign) int { return strings.Compare(a.Name, b.Name) })
	return c
}

func (r *run) trap(in *invocation, args []policy.Word) {
	opts, operands := in.own.getopt(args)
	switch {
	case len(opts.list) == 0:
		args = operands
	case len(args[0].Text) == 2 && strings.IndexByte(in.own.options, opts.list[0].letter) >= 0:
		return
	} // else it is a handler to some shells
	if len(args) < 2 {
		if len(args) == 1 && !args[0].IsConst() {
			r.find(idEvaluates, in.node, "sets a handler that is not known")
		}
		return
	}
	s, ok := args[0].Const()
	if r.may(hooks) && s != "-" && s != "" {
		for _, w := range args[1:] {
			switch s, _ := w.Const(); s {
			case "EXIT", "0":
				if len(r.calls) > 0 {
					r.find(idZsh, in.node, "zsh runs the handler when the function ends")
				}
			case "DEBUG", "ERR", "ZERR":
				r.find(idZsh, in.node, "zsh runs the handler in substitutions too, and takes what it prints for theirs")
			}
		}
	}
	switch {
	case !ok:
		r.find(idEvaluates, in.node, "sets a handler that is not known")
		if text, ok := unresolved(args[0]); ok {
			r.deferText(text, in.node, "trap")
		}
	case s == "-" || s == "" || isDigits(s):
	default:
		r.onError = r.onError || !all(args[1:], func(s string) bool { return s != "ERR" })
		atExit := all(args[1:], func(s string) bool { return s == "EXIT" || s == "0" })
		r.deferUntil(s, in.node, "trap", atExit)
	}
}

func (r *run) alias(in *invocation, args []policy.Word) {
	for _, w := range args {
		s, ok := w.Const()
		if !ok {
			r.find(idEvaluates, in.node, "defines an alias that is not known")
			continue
		}
		if _, text, ok := strings.Cut(s, "="); ok {
			r.find(idEvaluates, in.node, "changes what a command's name means")
			r.deferText(text, in.node, "alias")
		}
	}
}

// complete finds texts that bash runs, or expands, to complete a word.
func (r *run) complete(in *invocation, args []policy.Word) {
	opts, rest := in.own.getopt(args)
	if len(rest) > 1 && !rest[0].IsConst() && rest[0].MayBeOption() {
		r.find(idEvaluates, in.node, "completes with options that are not known")
	}
	for _, o := range opts.list {
		text, known := o.value.Const()
		switch o.letter {
		case 'C', 'F':
			r.find(idEvaluates, in.node, "runs a text to complete a word")
			if known {
				r.deferText(text, in.node, "complete")
			}
			return
		case 'W':
			if !known || strings.ContainsAny(text, "$`<") {
				r.find(idEvaluates, in.node, "expands a list of words, which may run a command")
				if known {
					r.promptText(text, in.node)
				}
				return
			}
		}
	}
}

// jobs runs the words behind -x.
func (r *run) jobs(in *invocation, args []policy.Word) {
	opts, rest := in.own.getopt(args)
	switch {
	case opts.any("x"):
		if len(rest) > 0 {
			r.wrapped(in, rest, "jobs")
		}
	case len(rest) > 0 && !rest[0].IsConst() && rest[0].MayBeOption():
		r.find(idEvaluates, in.node, "lists jobs with options that are not known")
	}
}

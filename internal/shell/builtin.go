package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// builtin runs a command that is no function: the shell's own, or a program.
func (r *run) builtin(name string, in *invocation) {
	args := in.words[1:]
	switch name {
	case "pushd", "popd", "source", "builtin", "let", "mapfile", "readarray", "shopt", "enable":
		r.posixOnly(true, in.node, name+" is a program in sh")
	}
	switch name {
	case "cd", "chdir":
		r.emitCall(in)
		r.cd(in, args)
	case "pushd":
		r.emitCall(in)
		r.pushd(in, args)
	case "popd":
		r.emitCall(in)
		r.popd(args)
	case "dirs":
		r.emitCall(in)
		for _, w := range args {
			if s, ok := w.Const(); !ok || s == "" || s[0] != '-' || strings.Trim(s[1:], "lpv") != "" {
				r.f.stack, r.f.stackLost = nil, true // -c empties it, and zsh sets it
			}
		}
	case "eval":
		r.emitCall(in)
		r.eval(in, args)
	case ".", "source":
		r.emitCall(in)
		r.sourced(in, args)
	case "command":
		r.commandBuiltin(in, args)
	case "builtin":
		if len(args) > 0 {
			if s, _ := args[0].Const(); s == "--" {
				if r.in.Dialect.mayBeZsh() {
					r.find(idZsh, in.node, "zsh has no builtin of the name --")
				}
				args = args[1:]
			}
		}
		r.wrapped(in, args, "builtin")
	case "exec":
		r.exec(in, args)
	case "export", "declare", "typeset", "local", "readonly":
		r.declareWords(name, in)
	case "unset":
		r.emitCall(in)
		r.unset(in, args)
	case "read":
		r.emitCall(in)
		r.read(in, args)
	case "mapfile", "readarray":
		r.emitCall(in)
		r.mapfile(in, args)
	case "printf":
		r.emitCall(in)
		r.printf(in, args)
	case "test":
		r.emitCall(in)
		r.test(in, args)
	case "[":
		r.emitCall(in)
		if n := len(args); n > 0 {
			if s, ok := args[n-1].Const(); ok && s == "]" {
				args = args[:n-1]
			}
		}
		r.test(in, args)
	case "trap":
		r.emitCall(in)
		r.trap(in, args)
	case "alias":
		r.emitCall(in)
		r.alias(in, args)
	case "set":
		r.emitCall(in)
		r.setBuiltin(in, args)
	case "shift":
		r.emitCall(in)
		for _, w := range args {
			if s, ok := w.Const(); r.in.Dialect.mayBeZsh() && (!ok && shapeOf(w) != policy.ShapeNumber || ok && !isDigits(s)) {
				r.find(idZsh, in.node, "zsh shifts arrays, and calculates by how many")
			}
		}
		r.shift(args)
	case "getopts":
		r.emitCall(in)
		r.getopts(in, args)
	case "shopt":
		r.emitCall(in)
		r.shopt(in, args)
	case "ulimit":
		r.emitCall(in)
		r.ulimit(in, args)
	case "let":
		r.emitCall(in)
		sure := true
		for _, w := range args {
			sure = r.operandOfLet(sure, func() bool { return r.letWord(in.node, w) })
		}
	case "wait":
		r.emitCall(in)
		r.wait(in, args)
	case "hash":
		r.emitCall(in)
		r.optioned(in, args, "p", "says where a command's program lies")
		for _, w := range args {
			if s, _ := w.Const(); r.in.Dialect.mayBeZsh() && strings.Contains(s, "=") {
				r.find(idZsh, in.node, "zsh lets it say where a command's program lies")
			}
		}
	case "enable":
		r.emitCall(in)
		r.enable(in, args)
	case "compgen", "complete", "compopt":
		r.emitCall(in)
		r.complete(in, args)
	case "jobs":
		r.emitCall(in)
		r.jobs(in, args)
	case "fc", "history":
		r.emitCall(in)
		r.optioned(in, args, "s", "runs or changes what the shell remembers")
	case "bind":
		r.emitCall(in)
		r.optioned(in, args, "x", "binds a key to a command")
	case "exit":
		r.emitCall(in)
		r.zshCalculates(in.node, args...)
		if len(args) == 0 || len(args) == 1 && ends(args[0]) {
			r.flow = flow{ending{dead: true}, ending{dead: true}}
		}
	case "logout": // ends a login shell only
		r.emitCall(in)
		r.zshCalculates(in.node, args...)
	case ":", "true":
		r.emitCall(in)
		r.flow.fail.dead = true
	case "echo":
		r.emitCall(in)
		if r.f.stdout == policy.OutputHost {
			r.flow.fail.dead = true // only a closed output makes it fail
		}
	case "false":
		r.emitCall(in)
		r.flow.ok.dead = true
	case "return":
		r.emitCall(in)
		r.zshCalculates(in.node, args...)
		r.leaves(ofFunction)
	case "break", "continue":
		r.emitCall(in)
		if s, _ := oneWord(args).Const(); len(args) > 0 && s != "1" {
			r.find(idEvaluates, in.node, name+" leaves several loops, or as many as are calculated")
		}
		r.leaves(ofLoop)
	case "repeat":
		if r.repeats(in, args) {
			break
		}
		r.zshProgram(in, name)
		r.emitCall(in)
	case "setopt", "unsetopt", "print", "autoload":
		if !r.in.Dialect.mayBeZsh() {
			r.find(idZsh, in.node, name+" is the shell's own to zsh alone")
		}
		r.zshProgram(in, name)
		r.emitCall(in)
	default:
		r.zshProgram(in, name)
		r.emitCall(in)
	}
}

// ends reports whether exit ends the shell with an operand, rather than
// complaining about it.
func ends(w policy.Word) bool {
	s, ok := w.Const()
	return ok && isNumber(s) || !ok && !w.MaySplit() && shapeOf(w).Numeric()
}

// oneWord returns the only word, or an unknown one.
func oneWord(words []policy.Word) policy.Word {
	if len(words) == 1 {
		return words[0]
	}
	return hole(policy.ShapeAny)
}

// wrapped runs words behind a builtin that runs builtins and programs.
func (r *run) wrapped(in *invocation, words []policy.Word, via string) {
	if len(words) == 0 {
		r.emitCall(in)
		return
	}
	inner := *in
	inner.words = words
	inner.noFuncs = true
	saved := r.f.via
	r.f.via = append(saved[:len(saved):len(saved)], via)
	r.invoke(&inner)
	r.f.via = saved
}

func (r *run) commandBuiltin(in *invocation, args []policy.Word) {
	rest := args
	for len(rest) > 0 {
		s, ok := rest[0].Const()
		if !ok || len(s) < 2 || s[0] != '-' {
			break
		}
		rest = rest[1:]
		if s == "--" {
			break
		}
		if strings.Trim(s[1:], "pvV") != "" || strings.ContainsAny(s, "vV") {
			r.emitCall(in)
			return
		}
	}
	if !r.in.Dialect.mayBeZsh() {
		r.wrapped(in, rest, "command")
		return
	}
	// What follows is a program to zsh, which leaves the shell as it is.
	if len(rest) > 0 {
		if s, _ := rest[0].Const(); s == "command" || s == "exec" {
			r.find(idZsh, in.node, s+" behind command is a program to zsh")
		}
	}
	m, before := r.mark(), r.plainFlow()
	r.wrapped(in, rest, "command")
	f := r.flow
	r.either(m)
	r.flow = flow{joinEnding(before.ok, f.ok), joinEnding(before.fail, f.fail)}
}

// exec replaces the shell, or redirects it for good.
func (r *run) exec(in *invocation, args []policy.Word) {
	for len(args) > 0 {
		s, ok := args[0].Const()
		if !ok || len(s) < 2 || s[0] != '-' {
			break
		}
		args = args[1:]
		if s == "--" {
			break
		}
		if strings.Contains(s, "c") {
			env := slices.Clone(r.f.env) // the program has none of it
			for i := range env {
				env[i].Value = hole(policy.ShapeAny)
			}
			r.f.env = env
		}
		if i := strings.IndexByte(s, 'a'); i > 0 {
			r.find(idEvaluates, in.node, "runs a program under a name that is not its own, and some programs are what they are called")
			if i == len(s)-1 && len(args) > 0 {
				args = args[1:] // the name that the program is given
			}
		}
	}
	if len(args) == 0 {
		r.emitCall(in)
		r.kept = true
		r.f.execs++
		return
	}
	saved := r.f.via
	r.f.via = append(saved[:len(saved):len(saved)], "exec")
	inner := *in
	inner.words = args
	name, ok := args[0].Const()
	switch {
	case !ok:
		r.hidden(&inner)
	case r.in.Dialect.mayBeZsh():
		// zsh runs functions and builtins, too, and goes nowhere from there.
		m, f := r.mark(), r.flow
		if fn := r.funcs[name]; fn != nil {
			r.callFunction(&function{bodies: fn.bodies, maybe: true}, &inner)
		} else {
			r.builtin(name, &inner)
		}
		r.either(m)
		r.flow = f
	default:
		r.emitCall(&inner)
	}
	r.f.via = saved
	r.direct = -1
}

// eval reads its words as a text, in this shell.
func (r *run) eval(in *invocation, args []policy.Word) {
	if len(args) > 0 {
		if s, _ := args[0].Const(); s == "--" {
			args = args[1:]
		}
	}
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
	if text, ok := withHoles(args...); ok {
		r.nested(text, in.node, "eval")
	}
	r.direct = -1
}

// sourced reads a file into this shell: after it nothing is known.
func (r *run) sourced(in *invocation, args []policy.Word) {
	if r.direct >= 0 {
		r.out.Commands[r.direct].Caller = r.caller(len(args) > 1)
	}
	if len(args) > 0 {
		s, _ := args[0].Const()
		if (s == "/dev/stdin" || s == "/dev/fd/0" || s == "/proc/self/fd/0") && r.f.stdin.rest().Kind == policy.InputText {
			text, _ := r.f.stdin.Text.Const()
			r.f.stdin.draw()
			r.nested(text, in.node, "source")
		}
	}
	if r.in.Activates != nil && r.direct >= 0 && r.in.Activates(&r.out.Commands[r.direct]) {
		for _, name := range [...]string{"PATH", "PYTHONHOME", "PS1", "VIRTUAL_ENV", "VIRTUAL_ENV_PROMPT"} {
			r.set(name, blurred(r.get(name), policy.ShapeAny))
		}
		return
	}
	r.loseShell()
	r.flow = r.plainFlow()
	r.direct = -1
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
		a := policy.Assign{Name: name, Value: r.exportValue(v), Taken: v.set != yes, Obeys: v.attrs&(integer|lower|upper|readonly|counted) != 0}
		c.Vars = append(c.Vars, a)
	}
	slices.SortFunc(c.Vars, func(a, b policy.Assign) int { return strings.Compare(a.Name, b.Name) })
	return c
}

func (r *run) trap(in *invocation, args []policy.Word) {
	if len(args) > 0 {
		switch s, _ := args[0].Const(); s {
		case "--":
			args = args[1:]
		case "-p", "-l", "-P":
			return
		}
	}
	if len(args) < 2 {
		if len(args) == 1 && !args[0].IsConst() {
			r.find(idEvaluates, in.node, "sets a handler that is not known")
		}
		return
	}
	s, ok := args[0].Const()
	if r.in.Dialect.mayBeZsh() && s != "-" && s != "" {
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
		if text, ok := withHoles(args[0]); ok {
			r.deferText(text, in.node, "trap")
		}
	case s == "-" || s == "" || isDigits(s):
	default:
		last := true
		for _, w := range args[1:] {
			if s, _ := w.Const(); s != "EXIT" && s != "0" {
				last = false
			}
		}
		r.deferUntil(s, in.node, "trap", last)
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
			if i+1 < len(args) || r.in.Dialect == Zsh {
				r.setArgs(args[i+1:])
			} else if r.in.Dialect == Any {
				r.f.args, r.f.argsKnown = nil, false // none to zsh, as before to bash
				r.argSets++
			}
			return
		case s == "+":
			r.f.args, r.f.argsKnown = nil, false // an operand to bash, and none to zsh
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
			if name == "a" || name == "allexport" {
				r.f.allExport = on
			}
			if name == "u" || name == "nounset" {
				r.nounset = r.nounset || on
			}
			if !setOption(name, on) {
				r.find(idEvaluates, in.node, "changes how the shell reads what follows: set "+s)
			}
		}
	}
}

// setArgs sets $1, $2 and so on.
func (r *run) setArgs(args []policy.Word) {
	r.argSets++
	for _, w := range args {
		if w.MaySplit() {
			r.f.args, r.f.argsKnown = nil, false
			return
		}
	}
	r.f.args, r.f.argsKnown = args, true
}

func (r *run) shift(args []policy.Word) {
	r.argSets++
	n := 1
	if len(args) > 0 {
		s, ok := args[0].Const()
		var err error
		if n, err = strconv.Atoi(s); !ok || err != nil || n < 0 || len(args) > 1 {
			r.f.args, r.f.argsKnown = nil, false
			return
		}
	}
	if r.f.argsKnown && n <= len(r.f.args) {
		r.f.args = r.f.args[n:]
	}
}

func (r *run) getopts(in *invocation, args []policy.Word) {
	if len(args) < 2 {
		return
	}
	s, ok := args[1].Const()
	if !ok || !isName(s) {
		r.find(idEvaluates, in.node, "reads options into a variable whose name is not known")
		return
	}
	m := r.mark()
	r.implicit(in.node, s, hole(policy.ShapeAny))
	if options, ok := args[0].Const(); ok && !strings.HasPrefix(options, "-") {
		r.release(m)
	} else {
		r.either(m) // it has no options of its own, and fails
	}
	r.hold("OPTARG", &variable{set: maybe, value: hole(policy.ShapeAny)})
	r.hold("OPTIND", &variable{set: yes, value: hole(policy.ShapeNumber)})
}

func (r *run) wait(in *invocation, args []policy.Word) {
	for i, w := range args {
		s, ok := w.Const()
		if !ok && w.MayBeOption() && len(args) > i+1 {
			r.find(idEvaluates, in.node, "waits with options that are not known")
		}
		if ok && strings.HasPrefix(s, "-") && strings.HasSuffix(s, "p") && i+1 < len(args) {
			if name, ok := args[i+1].Const(); !ok || !isName(name) {
				r.find(idEvaluates, in.node, "waits with a variable whose name is not known")
			} else {
				r.implicit(in.node, name, hole(policy.ShapeAny))
				r.hold(name, blurred(r.get(name), policy.ShapeAny)) // unset where there is no job
			}
		} else if ok && strings.HasPrefix(s, "-") && strings.Contains(s, "p") {
			r.find(idEvaluates, in.node, "waits with a variable whose name is not known")
		}
	}
}

// optioned finds an option that changes what the shell does later.
func (r *run) optioned(in *invocation, args []policy.Word, letters, reason string) {
	for _, w := range args {
		s, ok := w.Const()
		if !ok && w.MayBeOption() || ok && strings.HasPrefix(s, "-") && strings.ContainsAny(s, letters) {
			r.find(idEvaluates, in.node, reason)
			return
		}
	}
}

func (r *run) enable(in *invocation, args []policy.Word) {
	for i, w := range args {
		s, ok := w.Const()
		if !ok || strings.HasPrefix(s, "-") && (strings.ContainsAny(s, "fd") || strings.Contains(s, "n") && i+1 < len(args)) {
			r.find(idEvaluates, in.node, "changes what a command's name means")
			return
		}
	}
}

func (r *run) complete(in *invocation, args []policy.Word) {
	for i, w := range args {
		s, ok := w.Const()
		if !ok {
			if w.MayBeOption() && i+1 < len(args) {
				r.find(idEvaluates, in.node, "completes with options that are not known")
				return
			}
			continue
		}
		if len(s) < 2 || s[0] != '-' {
			continue
		}
		value := policy.Const("")
		if i+1 < len(args) {
			value = args[i+1]
		}
		switch {
		case strings.ContainsAny(s, "CF"):
			r.find(idEvaluates, in.node, "runs a text to complete a word")
			if _, glued, _ := strings.Cut(s, "C"); glued != "" {
				value = policy.Const(glued)
			}
			if text, ok := value.Const(); ok {
				r.deferText(text, in.node, "complete")
			}
			return
		case strings.Contains(s, "W"):
			if _, glued, _ := strings.Cut(s, "W"); glued != "" {
				value = policy.Const(glued)
			}
			if text, ok := value.Const(); !ok || strings.ContainsAny(text, "$`<") {
				r.find(idEvaluates, in.node, "expands a list of words, which may run a command")
				if ok {
					r.promptText(text, in.node)
				}
				return
			}
		}
	}
}

// jobs runs the words behind -x.
func (r *run) jobs(in *invocation, args []policy.Word) {
	for i, w := range args {
		s, ok := w.Const()
		if !ok {
			if w.MayBeOption() {
				r.find(idEvaluates, in.node, "lists jobs with options that are not known")
			}
			return
		}
		if strings.HasPrefix(s, "-") && strings.HasSuffix(s, "x") {
			if i+1 < len(args) {
				r.wrapped(in, args[i+1:], "jobs")
			}
			return
		}
	}
}

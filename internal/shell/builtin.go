package shell

import (
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/policy"
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
		r.shift(args)
	case "getopts":
		r.emitCall(in)
		r.getopts(in, args)
	case "let":
		r.emitCall(in)
		for _, w := range args {
			r.letWord(in, w)
		}
	case "wait":
		r.emitCall(in)
		r.wait(in, args)
	case "hash":
		r.emitCall(in)
		r.optioned(in, args, "p", "says where a command's program lies")
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
	case "exit", "logout":
		r.emitCall(in)
		if len(args) == 0 || len(args) == 1 && !args[0].MaySplit() {
			r.flow = flow{ending{dead: true}, ending{dead: true}}
		}
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
		r.returned, r.jumped = true, true
	case "break", "continue":
		r.emitCall(in)
		r.jumped = true
	default:
		r.zshProgram(in, name)
		r.emitCall(in)
	}
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
	r.wrapped(in, rest, "command")
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
		if i := strings.IndexByte(s, 'a'); i > 0 && i == len(s)-1 && len(args) > 0 {
			args = args[1:] // the name that the program is given
		}
	}
	if len(args) == 0 {
		r.emitCall(in)
		r.kept = true
		return
	}
	saved := r.f.via
	r.f.via = append(saved[:len(saved):len(saved)], "exec")
	inner := *in
	inner.words = args
	if _, ok := args[0].Const(); ok {
		r.emitCall(&inner)
	} else {
		r.hidden(&inner)
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
			r.blurAll()
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
	if len(args) > 0 {
		s, _ := args[0].Const()
		if (s == "/dev/stdin" || s == "/dev/fd/0" || s == "/proc/self/fd/0") && r.f.stdin.Kind == policy.InputText {
			text, _ := r.f.stdin.Text.Const()
			r.nested(text, in.node, "source")
		}
	}
	r.blurAll()
	r.flow = r.plainFlow()
	r.direct = -1
}

// unset takes variables and functions away.
func (r *run) unset(in *invocation, args []policy.Word) {
	variables, functions := true, true
	for len(args) > 0 {
		s, ok := args[0].Const()
		if !ok || len(s) < 2 || s[0] != '-' {
			break
		}
		args = args[1:]
		if s == "--" {
			break
		}
		if strings.Contains(s, "f") {
			variables = false
		}
		if strings.ContainsAny(s, "vn") {
			functions = false
		}
	}
	for _, w := range args {
		s, ok := w.Const()
		if !ok {
			if variables {
				r.find(idEvaluates, in.node, "unsets a variable whose name is not known; a name can hold a command substitution")
			}
			continue
		}
		if !variables {
			r.unsetFunc = true
			r.setFunc(s, nil)
			continue
		}
		if !r.plainVariable(w) {
			r.find(idEvaluates, in.node, "unsets "+policy.Quote(s)+", whose subscript may run a command")
			continue
		}
		base, _, element := strings.Cut(s, "[")
		old := r.get(base)
		switch {
		case !isName(base):
		case element:
			if old != nil {
				r.set(base, blurred(old, policy.ShapeAny))
			}
		case old != nil && old.attrs&readonly != 0:
			r.set(base, blurred(old, policy.ShapeAny))
		case old != nil && old.attrs&local != 0:
			r.set(base, blurred(nil, policy.ShapeAny)) // an outer one may show again
		case base == "IFS":
			r.forget(base)
		default:
			r.set(base, &variable{set: no})
			r.unexport(base)
		}
		if functions && (old == nil || old.set != yes) && r.funcs[s] != nil {
			// The function goes if there is no such variable.
			r.unsetFunc = true
			r.setFunc(s, &function{bodies: r.funcs[s].bodies, maybe: true})
		}
	}
}

// read gives variables a line of input.
func (r *run) read(in *invocation, args []policy.Word) {
	raw, plain := false, true
	var names []policy.Word
	for i := 0; i < len(args); i++ {
		s, ok := args[i].Const()
		if !ok {
			if args[i].MayBeOption() || args[i].MaySplit() || args[i].HasHole() {
				r.find(idEvaluates, in.node, "reads into a variable whose name is not known; a name can hold a command substitution")
			}
			continue
		}
		if s == "--" {
			names = append(names, args[i+1:]...)
			break
		}
		if len(s) < 2 || s[0] != '-' || len(names) > 0 {
			names = append(names, args[i])
			continue
		}
	cluster:
		for j := 1; j < len(s); j++ {
			switch s[j] {
			case 'r':
				raw = true
			case 'e', 's', 'E':
			case 'a', 'd', 'i', 'n', 'N', 'p', 't', 'u':
				r.posixOnly(s[j] != 'p', in.node, "read takes other options in sh")
				plain = false
				value := policy.Const(s[j+1:])
				if j+1 == len(s) {
					i++
					if i == len(args) {
						break cluster
					}
					value = args[i]
				}
				if s[j] == 'a' {
					r.readArray(in, value)
				}
				break cluster
			default:
				plain = false
				r.find(idEvaluates, in.node, "reads with an option that is not known")
			}
		}
	}
	if len(names) == 0 {
		r.assign(in.node, "REPLY", hole(policy.ShapeAny))
		return
	}
	value := hole(policy.ShapeAny)
	// Of input that it shares it reads what others have left.
	if text, ok := r.f.stdin.Text.Const(); ok && in.fed && r.f.stdin.Kind == policy.InputText && plain && len(names) == 1 && r.get("IFS") == nil {
		line, _, _ := strings.Cut(text, "\n")
		if raw || !strings.Contains(line, `\`) {
			value = policy.Const(strings.Trim(line, " \t"))
		}
	}
	for _, w := range names {
		s, ok := w.Const()
		switch {
		case ok && isName(s):
			r.implicit(in.node, s, value)
		case !r.plainVariable(w):
			r.find(idEvaluates, in.node, "reads into "+w.String()+", whose subscript may run a command")
		default:
			if base, _, ok := strings.Cut(s, "["); ok && isName(base) {
				if v := r.get(base); v != nil && v.attrs&integer != 0 {
					r.find(idEvaluates, in.node, reasonArith)
				}
				r.set(base, arrayOf(r.get(base)))
			}
		}
	}
}

func (r *run) readArray(in *invocation, w policy.Word) {
	s, ok := w.Const()
	if !ok || !isName(s) {
		r.find(idEvaluates, in.node, "reads into an array whose name is not known")
		return
	}
	if v := r.get(s); v != nil && v.attrs&integer != 0 {
		r.find(idEvaluates, in.node, reasonArith)
	}
	r.specialArray(in.node, s)
	r.zshAssign(in.node, s)
	old := r.get(s)
	// The variable as it is for programs is the array's first element.
	r.implicit(in.node, s, hole(policy.ShapeAny))
	v := arrayOf(old)
	if v.attrs&assoc == 0 {
		v.attrs |= indexed
	}
	r.set(s, v)
}

func (r *run) mapfile(in *invocation, args []policy.Word) {
	name := policy.Const("MAPFILE")
	for i := 0; i < len(args); i++ {
		s, ok := args[i].Const()
		if !ok {
			name = args[i]
			if args[i].MayBeOption() {
				r.find(idEvaluates, in.node, "reads into an array with options that are not known")
			}
			continue
		}
		if len(s) < 2 || s[0] != '-' {
			name = args[i]
			continue
		}
		if s == "--" {
			continue
		}
		for j := 1; j < len(s); j++ {
			if s[j] == 't' {
				continue
			}
			value := policy.Const(s[j+1:])
			if j+1 == len(s) && i+1 < len(args) {
				i++
				value = args[i]
			}
			if s[j] == 'C' {
				r.find(idEvaluates, in.node, "runs a text for the lines it reads")
				if text, ok := withHoles(value); ok {
					r.nested(text, in.node, "mapfile")
				}
			}
			if text, ok := value.Const(); !ok && s[j] == 'O' || ok && s[j] == 'O' && !isNumber(text) {
				r.find(idEvaluates, in.node, reasonArith)
			}
			break
		}
	}
	r.readArray(in, name)
}

func (r *run) printf(in *invocation, args []policy.Word) {
	if len(args) > 1 {
		s, ok := args[0].Const()
		switch {
		case ok && strings.HasPrefix(s, "-v"):
			r.posixOnly(true, in.node, "printf -v sets no variable in sh")
			target := policy.Const(s[2:])
			rest := args[1:]
			if s == "-v" {
				target, rest = args[1], args[2:]
			}
			r.printfTo(in, target, rest)
			r.printfNames(in, rest)
			return
		case ok && s == "--":
			args = args[1:]
		case args[0].MaySplit() || !ok && mayBeTestV(args[0]):
			// printf $x: the value may be -v and a name with a subscript.
			if args[0].MaySplit() {
				r.find(idEvaluates, in.node, "prints with a format that is not known and may be an option")
				return
			}
			if s, ok := args[1].Const(); !ok || !isName(s) && strings.Contains(s, "[") {
				r.find(idEvaluates, in.node, "prints with a format that is not known and may be an option")
				return
			}
			if s, _ := args[1].Const(); isName(s) {
				r.set(s, blurred(r.get(s), policy.ShapeAny))
			}
		}
	} else if len(args) == 1 && args[0].MaySplit() {
		for _, p := range args[0].Parts {
			if p.Kind == policy.Split && p.Shape == policy.ShapeAny && args[0].Parts[0].Kind != policy.Lit {
				r.find(idEvaluates, in.node, "prints with a format that is not known and may be an option")
				return
			}
		}
	}
	r.printfNames(in, args)
}

// printfTo does printf -v.
func (r *run) printfTo(in *invocation, target policy.Word, args []policy.Word) {
	s, ok := target.Const()
	switch {
	case !ok || !r.plainVariable(target):
		r.find(idEvaluates, in.node, "prints into a variable whose name is not known, or whose subscript may run a command")
		return
	case !isName(s):
		if base, _, ok := strings.Cut(s, "["); ok && isName(base) {
			if v := r.get(base); v != nil && v.attrs&integer != 0 {
				r.find(idEvaluates, in.node, reasonArith)
			}
			r.specialArray(in.node, base)
			r.set(base, arrayOf(r.get(base)))
		}
		return
	}
	value := hole(policy.ShapeAny)
	known := make([]string, 0, len(args))
	for _, w := range args {
		text, ok := w.Const()
		if !ok {
			break
		}
		known = append(known, text)
	}
	if len(known) == len(args) {
		if text, ok := format(known); ok {
			value = policy.Const(text)
		}
	}
	r.implicit(in.node, s, value)
}

// printfNames does what %n means for the variables that the operands name.
func (r *run) printfNames(in *invocation, args []policy.Word) {
	if len(args) < 2 {
		return
	}
	f, ok := args[0].Const()
	if ok && !strings.Contains(f, "n") || !ok && !r.numbersIn(args[0]) {
		return
	}
	if ok {
		// %n, with flags and digits between
		found := false
		for i := 0; i+1 < len(f); i++ {
			if f[i] != '%' {
				continue
			}
			j := i + 1
			for j < len(f) && strings.IndexByte("#0-+ '*.123456789hlLjtz", f[j]) >= 0 {
				j++
			}
			if j < len(f) && f[j] == 'n' {
				found = true
			}
			i = j
		}
		if !found {
			return
		}
	}
	for _, w := range args[1:] {
		s, ok := w.Const()
		switch {
		case !ok:
			r.blurAll()
			return
		case isName(s):
			if r.get(s) != nil {
				r.set(s, blurred(r.get(s), policy.ShapeAny))
			}
		case strings.Contains(s, "["):
			r.find(idEvaluates, in.node, "prints into "+policy.Quote(s)+", whose subscript may run a command")
		}
	}
}

// numbersIn reports whether a format may hold %n.
func (r *run) numbersIn(w policy.Word) bool {
	for _, p := range w.Parts {
		if p.Kind != policy.Lit && p.Shape != policy.ShapeNumber {
			return true
		}
	}
	return false
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
			if i+1 < len(args) {
				r.setArgs(args[i+1:])
			}
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
			switch name {
			case "a", "allexport":
				r.f.allExport = on
			case "k", "keyword":
				if on {
					r.find(idEvaluates, in.node, "makes assignments of a command's operands")
				}
			}
		}
	}
}

// setArgs sets $1, $2 and so on.
func (r *run) setArgs(args []policy.Word) {
	for _, w := range args {
		if w.MaySplit() {
			r.f.args, r.f.argsKnown = nil, false
			return
		}
	}
	r.f.args, r.f.argsKnown = args, true
}

func (r *run) shift(args []policy.Word) {
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
	r.implicit(in.node, s, hole(policy.ShapeAny))
	r.set("OPTARG", &variable{set: maybe, value: hole(policy.ShapeAny)})
	r.set("OPTIND", &variable{set: yes, value: hole(policy.ShapeNumber)})
}

// letWord evaluates one operand of let that is not syntax.
func (r *run) letWord(in *invocation, w policy.Word) {
	s, ok := w.Const()
	if ok {
		if name, value, ok := assignmentText(s); ok && r.numericText(value, 0) {
			r.implicit(in.node, name, hole(policy.ShapeNumber))
			return
		}
		if name := trimStep(s); isName(name) && r.numericVar(name, 0) {
			r.implicit(in.node, name, hole(policy.ShapeNumber))
			return
		}
	}
	if !r.numericValue(w, 0) {
		r.find(idEvaluates, in.node, reasonArith)
	}
}

// assignmentText splits the arithmetic text x=1+2.
func assignmentText(s string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(s, "=")
	name = strings.TrimRight(strings.TrimSpace(name), "+-*/%")
	return name, value, ok && isName(name) && !strings.Contains(value, "=")
}

// trimStep removes ++ and -- from an arithmetic text.
func trimStep(s string) string {
	for _, op := range [...]string{"++", "--"} {
		if t, ok := strings.CutPrefix(s, op); ok {
			return t
		}
		if t, ok := strings.CutSuffix(s, op); ok {
			return t
		}
	}
	return ""
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
				r.implicit(in.node, name, hole(policy.ShapeNumber))
			}
		} else if ok && strings.HasPrefix(s, "-p") || ok && strings.HasPrefix(s, "-np") {
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

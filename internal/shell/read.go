package shell

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// The builtins that give variables what comes from outside: read, mapfile, wait.

// read gives variables a line of input.
func (r *run) read(in *invocation, args []policy.Word) {
	opts, operands := in.own.getopt(args)
	names := make([]policy.Word, 0, len(operands))
	certain := true // that each can be assigned
	for _, w := range operands {
		if s, known := w.Const(); known {
			names = append(names, w)
			certain = certain && r.assignable(s)
		} else if w.MayBeOption() || w.MaySplit() || w.HasHole() {
			r.find(idEvaluates, in.node, "reads into a variable whose name is not known; a name can hold a command substitution")
		}
	}
	raw, plain, strange := r.readOptions(in, opts.list)
	m := r.mark()
	if len(names) == 0 {
		r.assign(in.node, "REPLY", hole(policy.ShapeAny))
	}
	if r.may(moreWords) {
		r.zshRead(in.node, args, strange)
		plain = plain && !strange
	}
	if k := r.f.stdin.Kind; k == policy.InputFile || k == policy.InputHole && r.f.stdin.Text.Parts == nil {
		plain = false // a directory, or closed
	}
	value := hole(policy.ShapeAny)
	if plain && len(names) == 1 {
		value = r.inputLine(in, raw)
	}
	for _, w := range names {
		r.into(in.node, w, value, "reads into "+w.String()+", whose subscript may run a command")
	}
	r.keep(m, plain && certain) // a read that fails leaves its variables as they are
}

// inputLine is the line that read gives its only variable. Of input that it shares it
// reads what others have left.
func (r *run) inputLine(in *invocation, raw bool) policy.Word {
	text, known := r.f.stdin.Text.Const()
	line, _, _ := strings.Cut(text, "\n")
	if !known || !in.fed || r.f.stdin.Kind != policy.InputText || r.get("IFS") != nil || !raw && strings.Contains(line, `\`) {
		return hole(policy.ShapeAny)
	}
	return policy.Const(strings.Trim(line, " \t"))
}

// into assigns to a variable or an element that a known word names. reason is told
// where a subscript may run a command.
func (r *run) into(n syntax.Node, w, value policy.Word, reason string) {
	s, _ := w.Const()
	r.positional(n, s)
	base, _, element := strings.Cut(s, "[")
	switch {
	case isName(s):
		r.implicit(n, s, value)
	case !r.plainVariable(w):
		r.find(idEvaluates, n, reason)
	case element && isName(base):
		r.implicitElement(n, base)
	}
}

// readOptions does what options of read mean. It reports whether backslashes are
// kept, whether they are those that all shells have alike, and whether some are
// others to zsh.
func (r *run) readOptions(in *invocation, list []option) (raw, plain, strange bool) {
	plain = true
	for _, o := range list {
		switch o.letter {
		case 'r':
			raw = true
		case 'e', 'E', 's':
			r.posixOnly(true, in.node, "read takes other options in sh")
			strange = strange || o.letter != 's'
			plain = plain && o.letter == 's' // -E is an option to some shells only
		case 'a', 'd', 'i', 'n', 'N', 'p', 't', 'u':
			r.posixOnly(o.letter != 'p', in.node, "read takes other options in sh")
			plain = false
			if !o.given {
				break
			}
			if o.letter == 'a' {
				r.readArray(in, o.value)
			}
			strange = strange || o.letter != 'd' && o.letter != 'u'
			if strings.IndexByte("tnNu", o.letter) >= 0 {
				r.zshCalculates(in.node, o.value)
			}
		default:
			plain = false
			r.find(idEvaluates, in.node, "reads with an option that is not known")
		}
	}
	return raw, plain, strange
}

// zshRead makes holes of the variables that zsh reads into where bash has the
// values of options: read -n x y, and read 'x?prompt'.
func (r *run) zshRead(n syntax.Node, args []policy.Word, strange bool) {
	for _, w := range args {
		s, _ := w.Const()
		name, _, prompts := strings.Cut(s, "?")
		if name != "" && isName(name) && (strange || prompts) {
			r.lose(n, name)
		}
	}
}

func (r *run) readArray(in *invocation, w policy.Word) {
	s, ok := w.Const()
	if !ok || !isName(s) {
		r.find(idEvaluates, in.node, "reads into an array whose name is not known")
		return
	}
	// The variable as it is for programs is the array's first element.
	r.implicitElement(in.node, s)
}

func (r *run) mapfile(in *invocation, args []policy.Word) {
	opts, rest := in.own.getopt(args)
	for _, o := range opts.list {
		switch o.letter {
		case 'C':
			r.find(idEvaluates, in.node, "runs a text for the lines it reads")
			if text, ok := unresolved(o.value); ok {
				in.did = r.nested(text, in.node, "mapfile")
			}
		case 'O':
			if text, ok := o.value.Const(); !ok || !policy.IsNumber(text) {
				r.find(idEvaluates, in.node, reasonArith)
			}
		}
	}
	if len(rest) == 0 {
		rest = []policy.Word{policy.Const("MAPFILE")}
	}
	if !rest[0].IsConst() && rest[0].MayBeOption() {
		r.find(idEvaluates, in.node, "reads into an array with options that are not known")
	}
	r.readArray(in, rest[0])
}

// wait gives a variable the number of the job that ended: -p.
func (r *run) wait(in *invocation, args []policy.Word) {
	opts, rest := in.own.getopt(args)
	if len(rest) > 1 && !rest[0].IsConst() && rest[0].MayBeOption() {
		r.find(idEvaluates, in.node, "waits with options that are not known")
	}
	for _, o := range opts.list {
		if o.letter != 'p' {
			continue
		}
		if name, ok := o.value.Const(); !ok || !isName(name) {
			r.find(idEvaluates, in.node, "waits with a variable whose name is not known")
		} else {
			r.implicit(in.node, name, hole(policy.ShapeAny))
			v := blurred(r.get(name), policy.ShapeAny) // unset where there is no job
			if is(name, inherited) {
				v.attrs |= lent
			}
			r.hold(name, v)
		}
	}
}

package shell

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// What echo and printf print, and the variables that printf gives values.

// printed returns what a command prints, for echo and printf of known words.
func (r *run) printed(c *policy.Command) (string, bool) {
	name, ok := c.Program()
	if !ok || len(c.Assigns) > 0 {
		return "", false
	}
	args := make([]string, 0, len(c.Words))
	for _, w := range c.Words[1:] {
		s, ok := w.Const()
		if !ok {
			return "", false
		}
		args = append(args, s)
	}
	for _, rd := range c.Redirects {
		if s, _ := rd.Path.Const(); s != "/dev/null" {
			return "", false
		}
	}
	switch name {
	case "echo":
		end := "\n"
		for len(args) > 0 && args[0] == "-n" && (end != "" || r.surely(plainEcho)) {
			end = ""
			args = args[1:]
		}
		s := strings.Join(args, " ")
		if strings.HasPrefix(s, "-") || strings.Contains(s, `\`) && !r.surely(plainEcho) {
			return "", false
		}
		return s + end, len(s) <= maxConst
	case "printf":
		if len(args) > 0 && args[0] == "--" {
			args = args[1:]
		}
		return format(args)
	}
	return "", false
}

// format does printf with %s and %% and the plainest escapes.
func format(args []string) (string, bool) {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return "", false
	}
	f, args := args[0], args[1:]
	var b strings.Builder
	for {
		used := false
		for i := 0; i < len(f); i++ {
			switch {
			case f[i] == '%' && i+1 < len(f) && f[i+1] == '%':
				b.WriteByte('%')
				i++
			case f[i] == '%' && i+1 < len(f) && f[i+1] == 's':
				if len(args) > 0 {
					b.WriteString(args[0])
					args = args[1:]
				}
				used = true
				i++
			case f[i] == '%':
				return "", false
			case f[i] == '\\' && i+1 < len(f):
				i++
				switch f[i] {
				case 'n':
					b.WriteByte('\n')
				case 't':
					b.WriteByte('\t')
				case '\\':
					b.WriteByte('\\')
				default:
					return "", false
				}
			case f[i] == '\\':
				return "", false
			default:
				b.WriteByte(f[i])
			}
		}
		if !used || len(args) == 0 || b.Len() > maxConst {
			return b.String(), b.Len() <= maxConst
		}
	}
}

// printfNumbers finds values that zsh calculates for %d and its kin.
func (r *run) printfNumbers(in *invocation, args []policy.Word) {
	if len(args) < 2 || !r.may(calculating) {
		return
	}
	format, ok := args[0].Const()
	plain := strings.NewReplacer("%s", "", "%b", "", "%q", "", "%c", "", "%%", "").Replace(format)
	if ok && !strings.Contains(plain, "%") {
		return
	}
	for _, w := range args[1:] {
		s, known := w.Const()
		_, _, assigns := assignmentText(s)
		if known && !assigns && !strings.Contains(s, "[") && (!isName(s) || r.get(s) == nil || r.numericVar(s, 0)) {
			continue
		}
		r.zshCalculates(in.node, w)
	}
}

func (r *run) printf(in *invocation, args []policy.Word) {
	r.printfNumbers(in, args)
	if len(args) > 1 {
		s, known := args[0].Const()
		switch {
		case strings.HasPrefix(s, "-v"):
			r.printfInto(in, s, args[1:])
			return
		case s == "--":
			args = args[1:]
		case !known && r.mayPrintInto(in, args):
			return
		}
	} else if len(args) == 1 && args[0].MaySplit() && splitsAnyhow(args[0]) {
		r.find(idEvaluates, in.node, reasonFormat)
		return
	}
	r.printfNames(in, args)
}

const reasonFormat = "prints with a format that is not known and may be an option"

// mayPrintInto finds a format that is not known, which may be -v and a name with a
// subscript. It reports whether it did.
func (r *run) mayPrintInto(in *invocation, args []policy.Word) bool {
	if !args[0].MaySplit() && !mayBeTestV(args[0]) {
		return false
	}
	s, known := args[1].Const()
	switch {
	case args[0].MaySplit(), !known, !isName(s) && strings.Contains(s, "["):
		r.find(idEvaluates, in.node, reasonFormat)
		return true
	case isName(s):
		r.lose(in.node, s)
	}
	return false
}

// splitsAnyhow reports whether a word may become any others.
func splitsAnyhow(w policy.Word) bool {
	return w.Parts[0].Kind != policy.Lit && slices.ContainsFunc(w.Parts, func(p policy.Part) bool {
		return p.Kind == policy.Split && p.Shape == policy.ShapeAny
	})
}

// printfInto does printf -v, where option is that and perhaps the name.
func (r *run) printfInto(in *invocation, option string, args []policy.Word) {
	r.posixOnly(true, in.node, "printf -v sets no variable in sh")
	target, rest := policy.Const(option[len("-v"):]), args
	if option == "-v" {
		target, rest = args[0], args[1:]
	} else if r.may(moreWords) {
		r.find(idZsh, in.node, "printf -vNAME sets no variable in zsh")
	}
	if len(rest) > 1 {
		if s, known := rest[0].Const(); strings.HasPrefix(s, "-v") || !known && (rest[0].MaySplit() || mayBeTestV(rest[0])) {
			r.find(idEvaluates, in.node, "prints into a variable, and may print into another one instead")
		}
	}
	r.printfTo(in, target, rest)
	r.printfNames(in, rest)
}

// printfTo does printf -v.
func (r *run) printfTo(in *invocation, target policy.Word, args []policy.Word) {
	const reason = "prints into a variable whose name is not known, or whose subscript may run a command"
	s, ok := target.Const()
	if !ok {
		r.find(idEvaluates, in.node, reason)
		return
	}
	value, certain := hole(policy.ShapeAny), false
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
			value, certain = policy.Const(text), r.assignable(s)
		}
	}
	m := r.mark()
	r.into(in.node, target, value, reason)
	r.keep(m, certain) // a format that printf does not take leaves the variable as it is
}

// printfNames does what %n means for the variables that the operands name.
func (r *run) printfNames(in *invocation, args []policy.Word) {
	if len(args) < 2 {
		return
	}
	f, ok := args[0].Const()
	if !ok && !r.numbersIn(args[0]) {
		return
	}
	counts := func(s string) bool { // %n, with flags and digits between
		return strings.HasPrefix(strings.TrimLeft(s, "#0-+ '*.123456789hlLjtz"), "n")
	}
	if ok && !slices.ContainsFunc(strings.Split(strings.ReplaceAll(f, "%%", ""), "%")[1:], counts) {
		return
	}
	for _, w := range args[1:] {
		s, ok := w.Const()
		switch {
		case !ok:
			r.loseShell()
			return
		case isName(s):
			r.changed(in.node, policy.Assign{Name: s, Value: hole(policy.ShapeNumber)})
			if r.get(s) != nil {
				r.hold(s, blurred(r.get(s), policy.ShapeAny))
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

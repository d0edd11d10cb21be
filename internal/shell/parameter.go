package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// param is what a parameter holds.
type param struct {
	vals []policy.Word // one for a scalar, any number for a list
	list bool          // $@, ${a[@]}
	star bool          // $*, ${a[*]}: one word when it is quoted
	lost bool          // a list of which not even the length is known
	set  policy.Tri
}

func scalar(v policy.Word, set policy.Tri) param { return param{vals: []policy.Word{v}, set: set} }

func unknownList() param { return unknownAll(false) }

// unknownAll is a list of which nothing is known, of $* and its kin if star says so.
func unknownAll(star bool) param {
	return param{list: true, star: star, lost: true, set: policy.Maybe}
}

// unknown is a text that may be any, or not be there.
func unknown() param { return scalar(hole(policy.ShapeAny), policy.Maybe) }

// param expands $x and ${x...} into a word.
func (r *run) param(b *builder, pe *syntax.ParamExp, ctx context) {
	src := r.source(pe)
	if isForeign(pe) {
		r.find(idNode, pe, "an expansion that bash does not have")
		b.part(policy.Part{Kind: policy.Split, Text: src})
		return
	}
	name := pe.Param.Value
	if isPlainParam(pe) {
		r.plainParam(b, name, ctx, src)
		return
	}
	defaults := pe.Exp != nil && pe.Exp.Op <= syntax.AssignUnsetOrNull
	if r.may(plainOnly) && (pe.Excl || pe.Index != nil || pe.Slice != nil || pe.Repl != nil || ofBash4(pe)) {
		r.gaveUp = true // to dash it is an error
	}
	p := r.named(pe, name)
	r.zshWords(pe, ctx)
	r.zshBad(pe)
	if r.old() && ofBash4(pe) {
		r.abort() // an error
		r.gaveUp = true
		p.lost = p.lost || p.list
		if !p.list {
			p = scalar(hole(policy.ShapeAny), policy.Maybe)
		}
	}
	if !defaults {
		r.needs(p)
	}
	if p.list && r.may(oneBased) && (p.star && ctx.inQuotes() || !b.split) && (pe.Slice != nil || pe.Repl != nil || pe.Exp != nil) {
		p.lost = true // zsh works on the text that the list is joined to
	}
	if defaults {
		r.defaults(b, pe, p, ctx, src)
		return
	}
	r.addParam(b, r.operated(pe, p), ctx, src)
}

// isForeign reports whether an expansion is one of other shells than bash.
func isForeign(pe *syntax.ParamExp) bool {
	return pe.Flags != nil || pe.NestedParam != nil || pe.IsSet || pe.Width || pe.Param == nil || pe.Modifiers != nil ||
		pe.Split != syntax.OptUnset || pe.GlobSubst != syntax.OptUnset || pe.RcExpand != syntax.OptUnset
}

// ofBash4 reports whether an expansion is ${x^^} or the like, or ${x@op}.
func ofBash4(pe *syntax.ParamExp) bool { return pe.Exp != nil && pe.Exp.Op >= syntax.UpperFirst }

// plainParam expands $x.
func (r *run) plainParam(b *builder, name string, ctx context, src string) {
	if name != "@" && name != "*" {
		if v := r.get(name); v != nil && v.attrs&arrayAttrs == 0 && v.set == policy.Yes {
			r.add(b, v.value, ctx, src)
			return
		}
	}
	p := r.lookup(name)
	r.needs(p)
	r.addParam(b, p, ctx, src)
}

// named returns what the parameter of an expansion is, before the expansion does
// anything with it.
func (r *run) named(pe *syntax.ParamExp, name string) param {
	switch {
	case pe.Names != 0:
		return unknownAll(pe.Names == syntax.NamesPrefix)
	case pe.Excl && wholeArray(pe.Index) != 0:
		p := r.keys(name)
		p.star = wholeArray(pe.Index) == '*'
		return p
	case pe.Excl:
		return r.indirect(pe)
	case pe.Index != nil:
		return r.element(pe, name)
	}
	return r.lookup(name)
}

// operated returns what an expansion makes of its parameter.
func (r *run) operated(pe *syntax.ParamExp, p param) param {
	name := pe.Param.Value
	switch {
	case pe.Length:
		n := r.length(p)
		if v := r.get(name); r.may(oneBased) && wholeArray(pe.Index) != 0 && (v == nil || v.attrs&arrayAttrs == 0) {
			n = hole(policy.ShapeNumber) // one element to bash, the length of the text to zsh
		}
		return scalar(n, policy.Yes)
	case pe.Slice != nil:
		return r.slice(pe, p)
	case pe.Repl != nil:
		return r.replace(pe, p)
	case pe.Exp != nil:
		switch pe.Exp.Op {
		case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
			pat := r.pattern(pe.Exp.Word, bare)
			if p.list && r.may(plainOnly) {
				p.lost = true // dash trims the list as one text
			}
			return each(p, func(v policy.Word) policy.Word {
				r.spend(min(len(v.Text), maxMatched))
				return strip(v, pat, pe.Exp.Op)
			})
		case syntax.UpperFirst, syntax.UpperAll, syntax.LowerFirst, syntax.LowerAll:
			r.pattern(pe.Exp.Word, bare)
			whole := pe.Exp.Word == nil || len(pe.Exp.Word.Parts) == 0
			return each(p, func(v policy.Word) policy.Word {
				if !whole {
					return hole(policy.ShapeAny)
				}
				return changeCase(v, pe.Exp.Op)
			})
		case syntax.OtherParamOps:
			return r.transform(pe, p)
		}
		r.find(idNode, pe, "an expansion that bash does not have")
		return unknownList()
	}
	return p
}

// needs notes that an expansion ends the shell where its parameter is not set, or
// gives up on its line, as zsh does.
func (r *run) needs(p param) {
	if r.nounset && p.set != policy.Yes {
		r.gaveUp = true
		r.zshFails()
	}
}

// addParam adds what a parameter holds to a word.
func (r *run) addParam(b *builder, p param, ctx context, src string) {
	inQuotes := ctx.inQuotes()
	switch {
	case !p.list:
		r.add(b, p.vals[0], ctx, src)
	case p.lost && p.star && inQuotes:
		b.part(policy.Part{Kind: policy.Hole, Text: src})
	case p.lost:
		b.part(policy.Part{Kind: policy.Split, Text: src})
	case inQuotes && p.star:
		sep := " "
		if b.lost {
			b.part(policy.Part{Kind: policy.Hole, Text: src})
			return
		} else if b.ifs != defaultIFS {
			sep = b.ifs[:min(1, len(b.ifs))]
		}
		for i, v := range p.vals {
			if i > 0 {
				b.lit(sep)
			}
			b.value(v, src)
		}
	default:
		for i, v := range p.vals {
			if i > 0 {
				if b.split {
					b.end()
				} else {
					b.lit(" ")
				}
			}
			if inQuotes {
				b.open = true
			}
			r.add(b, v, ctx, src)
		}
	}
}

// each applies f to every value.
func each(p param, f func(policy.Word) policy.Word) param {
	if p.lost {
		return p
	}
	vals := make([]policy.Word, len(p.vals))
	for i, v := range p.vals {
		vals[i] = f(v)
	}
	p.vals = vals
	return p
}

// lookup returns what a parameter without a subscript holds.
func (r *run) lookup(name string) param {
	switch name {
	case "@", "*":
		if !r.f.argsKnown {
			return unknownAll(name == "*")
		}
		set := policy.No
		if len(r.f.args) > 0 {
			set = policy.Yes
		}
		return param{vals: r.f.args, list: true, star: name == "*", set: set}
	case "#":
		if r.f.argsKnown {
			return scalar(policy.Const(strconv.Itoa(len(r.f.args))), policy.Yes)
		}
		return scalar(hole(policy.ShapeNumber), policy.Yes)
	case "?", "$":
		return scalar(hole(policy.ShapeNumber), policy.Yes)
	case "!":
		return scalar(hole(policy.ShapeWord), policy.Maybe) // empty before the first job
	case "-":
		return scalar(hole(policy.ShapeAny), policy.Yes)
	case "0":
		return scalar(r.f.arg0, policy.Yes)
	}
	if isDigits(name) {
		n, err := strconv.Atoi(name)
		switch {
		case !r.f.argsKnown || err != nil:
			return unknown()
		case n > len(r.f.args):
			return scalar(policy.Word{}, policy.No)
		}
		return scalar(r.f.args[n-1], policy.Yes)
	}
	v := r.get(name)
	if v == nil {
		return scalar(r.environment(name), r.environmentHas(name))
	}
	if v.attrs&arrayAttrs == 0 {
		if v.set == policy.No {
			return scalar(policy.Word{}, policy.No)
		}
		return scalar(v.value, v.set)
	}
	if r.may(oneBased) {
		return unknownList() // all elements to zsh, the first to bash
	}
	if v.blur {
		return unknown()
	}
	return v.element("0")
}

// environment returns what is known of a variable that the text does not set.
func (r *run) environment(name string) policy.Word {
	switch name {
	case "HOME":
		if r.in.Home != "" {
			return policy.Const(r.in.Home)
		}
		return hole(policy.ShapePath)
	case "PWD":
		if len(r.f.dirs) == 1 {
			return policy.Const(r.f.dirs[0])
		}
		return hole(policy.ShapePath)
	case "OLDPWD", "TMPDIR":
		return hole(policy.ShapePath)
	case "USER", "LOGNAME", "HOSTNAME":
		return hole(policy.ShapeWord)
	}
	if r.counts(name) {
		return hole(policy.ShapeNumber)
	}
	return hole(policy.ShapeAny)
}

// environmentHas reports whether a variable that the text does not set has a
// value. IFS may have been taken away, which leaves it with that of a new shell.
func (r *run) environmentHas(name string) policy.Tri {
	switch name {
	case "HOME", "PWD", "OPTIND":
		return policy.Yes
	}
	if r.counts(name) {
		return policy.Yes
	}
	return policy.Maybe
}

// counts reports whether the shell itself keeps a number in a variable.
func (r *run) counts(name string) bool {
	switch name {
	case "RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID":
		return !r.may(plainOnly)
	case "HISTCMD", "BASH_SUBSHELL":
		return r.surely(shellNumbers)
	case "SRANDOM", "BASHPID", "EPOCHSECONDS":
		return r.surely(shellNumbers) && !r.in.Old
	}
	return false
}

// length returns what ${#x} is.
func (r *run) length(p param) policy.Word {
	switch {
	case p.lost, p.list && r.may(plainOnly): // ${#*} is a length to dash
	case p.list:
		return policy.Const(strconv.Itoa(len(p.vals)))
	default:
		if s, ok := p.vals[0].Const(); ok && p.set != policy.Maybe && isASCII(s) {
			return policy.Const(strconv.Itoa(len(s)))
		}
	}
	return hole(policy.ShapeNumber)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// slice returns what ${x:offset:length} is.
func (r *run) slice(pe *syntax.ParamExp, p param) param {
	from, to := pe.Slice.Offset, pe.Slice.Length
	if from != nil {
		r.arith(from)
	}
	if to != nil {
		r.arith(to)
	}
	start, ok := 0, true
	if from != nil {
		start, ok = r.constant(from)
	}
	length := -1
	if to != nil && ok {
		length, ok = r.constant(to)
		ok = ok && length >= 0
	}
	ok = ok && !r.zshModifier(from) && !r.zshModifier(to)
	if !ok || p.lost {
		r.abort()
		if p.list {
			return unknownAll(p.star)
		}
		return unknown()
	}
	if v := r.get(pe.Param.Value); p.list && pe.Index != nil && v.attrsOr(0)&arrayAttrs == 0 && r.may(oneBased) {
		return unknownList() // a list of one to bash, a part of the text to zsh
	}
	if p.list {
		return r.sliceList(pe.Param.Value, p, start, length)
	}
	s, known := p.vals[0].Const()
	if !known || !isASCII(s) || p.set == policy.Maybe {
		return unknown()
	}
	if start < 0 {
		start += len(s)
	}
	if start < 0 || start > len(s) {
		if r.may(oneBased) {
			return unknown()
		}
		return scalar(policy.Word{}, p.set)
	}
	end := len(s)
	if length >= 0 {
		end = min(end, start+length)
	}
	return scalar(policy.Const(s[start:end]), p.set)
}

// sliceList returns elements of a list; length is -1 for all that there are.
func (r *run) sliceList(name string, p param, start, length int) param {
	n := len(p.vals)
	if name == "@" || name == "*" {
		// Positions count from $1; 0 is $0.
		if start <= 0 && r.old() || start < 0 && r.may(oneBased) {
			return unknownAll(p.star) // without $0 to some
		}
		if start <= 0 {
			p.vals = slices.Concat([]policy.Word{r.f.arg0}, p.vals)
			n++
		} else {
			start--
		}
	} else if v := r.get(name); v != nil && v.attrs&arrayAttrs == 0 {
		return unknownList() // a scalar is cut by its characters
	} else if v := r.get(name); v != nil && !isDense(v) {
		return unknownList()
	}
	if start < 0 {
		start += n
	}
	if start < 0 {
		return param{list: true, star: p.star}
	}
	start = min(start, n)
	end := n
	if length >= 0 {
		end = min(n, start+length)
	}
	p.vals = p.vals[start:end]
	return p
}

// isDense reports whether an array's indexes are 0, 1, 2 and so on.
func isDense(v *variable) bool {
	if v.attrs&assoc != 0 {
		return false
	}
	for i, e := range v.elems {
		if e.key != strconv.Itoa(i) {
			return false
		}
	}
	return true
}

// transform returns what ${x@op} is.
func (r *run) transform(pe *syntax.ParamExp, p param) param {
	op := ""
	if w := pe.Exp.Word; w != nil && len(w.Parts) == 1 {
		if l, ok := w.Parts[0].(*syntax.Lit); ok {
			op = l.Value
		}
	}
	if op == "" {
		r.find(idNode, pe, "an expansion that bash does not have")
		return unknownList()
	}
	f := func(policy.Word) policy.Word { return hole(policy.ShapeAny) }
	switch op {
	case "P":
		if p.lost {
			r.find(idEvaluates, pe, "expands a text that is not known as a prompt, which may run commands")
		}
		f = func(v policy.Word) policy.Word {
			if s, ok := v.Const(); !ok {
				r.find(idEvaluates, pe, "expands a text that is not known as a prompt, which may run commands")
			} else if strings.ContainsAny(s, "$`\\") {
				r.find(idEvaluates, pe, "expands a text as a prompt, which may run commands")
				r.promptText(s, pe)
			} else {
				return v
			}
			return hole(policy.ShapeAny)
		}
	case "Q":
		if p.set == policy.No {
			return p
		}
		switch {
		case p.set == policy.Maybe && p.list:
			return unknownList()
		case p.set == policy.Maybe:
			return unknown()
		}
		f = func(v policy.Word) policy.Word {
			if s, ok := v.Const(); ok {
				if q, ok := shellQuote(s); ok {
					return policy.Const(q)
				}
			}
			return hole(policy.ShapeAny)
		}
	case "E":
		f = func(v policy.Word) policy.Word {
			if s, ok := v.Const(); ok {
				if e, ok := ansiC(s, r.may(moreEscapes)); ok {
					return policy.Const(e)
				}
			}
			return hole(policy.ShapeAny)
		}
	case "U":
		f = func(v policy.Word) policy.Word { return changeCase(v, syntax.UpperAll) }
	case "u":
		f = func(v policy.Word) policy.Word { return changeCase(v, syntax.UpperFirst) }
	case "L":
		f = func(v policy.Word) policy.Word { return changeCase(v, syntax.LowerAll) }
	case "k", "K":
		return unknownList()
	}
	return each(p, f)
}

// changeCase applies ^ ^^ , ,, without a pattern.
func changeCase(v policy.Word, op syntax.ParExpOperator) policy.Word {
	s, ok := v.Const()
	if !ok || !isASCII(s) {
		return hole(policy.ShapeAny)
	}
	switch op {
	case syntax.UpperAll:
		s = strings.ToUpper(s)
	case syntax.LowerAll:
		s = strings.ToLower(s)
	case syntax.UpperFirst:
		s = strings.ToUpper(s[:min(1, len(s))]) + s[min(1, len(s)):]
	case syntax.LowerFirst:
		s = strings.ToLower(s[:min(1, len(s))]) + s[min(1, len(s)):]
	}
	return policy.Const(s)
}

// anchors reports whether a pattern begins with a sign that ties it to the
// beginning or the end of a text.
func anchors(w *syntax.Word) bool {
	if w == nil || len(w.Parts) == 0 {
		return false
	}
	l, ok := w.Parts[0].(*syntax.Lit)
	return ok && l.Value != "" && (l.Value[0] == '#' || l.Value[0] == '%')
}

// replacesOddly reports whether shells do not agree on what a pattern stands for, and
// what is put in its place.
func (r *run) replacesOddly(pe *syntax.ParamExp, pat policy.Word) bool {
	text, known := pat.Const()
	anchored, with := anchors(pe.Repl.Orig), pe.Repl.With
	switch {
	case strings.Contains(r.source(pe), "///"): // bash takes the third for the pattern's
	case known && !anchored && text != "" && (text[0] == '#' || text[0] == '%'): // behind nothing, ""#, they are anchors to bash
	case r.old() && with != nil && strings.ContainsAny(r.source(with), "'\"\\"): // quotes are text there to bash 3.2
	case r.may(morePatterns) && with != nil && strings.Contains(r.source(with), `\`): // in double quotes zsh keeps it before most characters
	case r.may(morePatterns) && (known && text == "" || pe.Repl.All && anchored): // zsh finds the empty text, and has anchors there too
	case r.may(morePatterns) && strings.Contains(r.source(pe), "~"):
	default:
		return false
	}
	return true
}

// replace returns what ${x/pattern/text} is.
func (r *run) replace(pe *syntax.ParamExp, p param) param {
	orig := pe.Repl.Orig
	anchor := byte(0)
	r.zshSlash(orig)
	pat := r.pattern(orig, bare)
	with := r.single(pe.Repl.With)
	if anchors(orig) && !pe.Repl.All {
		anchor = orig.Parts[0].(*syntax.Lit).Value[0]
	}
	strange := r.replacesOddly(pe, pat)
	return each(p, func(v policy.Word) policy.Word {
		s, ok1 := v.Const()
		t, ok2 := with.Const()
		if !ok1 || !ok2 || strange || strings.Contains(t, "&") || strings.Contains(t, `\`) {
			return hole(policy.ShapeAny)
		}
		r.spend(min(len(s), maxMatched))
		return substitute(s, pat, t, anchor, pe.Repl.All)
	})
}

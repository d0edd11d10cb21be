package shell

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// Forms that parse as bash but mean something else to the shell that may run
// them.

// zshProgram runs a program, or what is a builtin or a word of the language to zsh
// alone.
func (r *run) zshProgram(in *invocation, name string, args []policy.Word) {
	word := in.own.traits&ofZsh != 0
	switch {
	case !word, !r.may(moreWords) && !zshKnown(name):
	case r.surely(moreWords) && name == "repeat" && r.repeats(in, args):
		return
	case r.surely(moreWords) && r.zshPlain(name, args):
	case !r.may(moreWords):
		r.find(idZsh, in.node, name+" is the shell's own to zsh alone")
	default:
		r.find(idZsh, in.node, name+" means more to zsh than to bash")
		rest := *in
		rest.words = args
		if name == "repeat" && len(args) > 0 {
			rest.words = args[1:]
		}
		if len(rest.words) > 0 && name != "print" {
			in.did = r.invoke(&rest)
		}
	}
	r.emitCall(in)
}

// zshSuffix reports whether the text after an expansion belongs to it in zsh:
// $x[2,8] is a part of the value, $x:t its last component and $#x its length.
func (r *run) zshSuffix(pe *syntax.ParamExp, next syntax.WordPart) bool {
	if !r.may(modifiers) || !pe.Short || pe.Param == nil {
		return false
	}
	l, ok := next.(*syntax.Lit)
	if !ok {
		if pe.Param.Value == "#" && strings.HasPrefix(r.source(next), "$") {
			r.find(idZsh, pe, "the length of what follows to zsh, and a number before it to other shells")
		}
		return false
	}
	if l.Value == "" {
		return false // a joined line, which the guard asks about
	}
	switch c := l.Value[0]; {
	case isDigits(pe.Param.Value) && c >= '0' && c <= '9':
		if r.f.argsKnown && len(r.f.args) >= 10 {
			r.find(idZsh, pe, "the tenth argument or a later one to zsh, one of the first and a digit to other shells")
		}
		return true
	case pe.Param.Value == "#":
		return isNameByte(c) || strings.IndexByte("-?*@#$", c) >= 0 || modifies(l.Value)
	case c == '[':
		if index, _, closed := strings.Cut(l.Value[1:], "]"); !closed || !isHarmlessArith(index) {
			r.find(idZsh, pe, "a subscript to zsh, which calculates it")
		}
		return true
	default:
		return modifies(l.Value)
	}
}

// modifies reports whether a text begins as the modifiers of zsh do (zshexpn(1),
// Modifiers; those that only the history has are left out).
func modifies(s string) bool {
	return len(s) > 1 && s[0] == ':' && strings.IndexByte("aAcefFghlPqQrstuwW&", s[1]) >= 0
}

// zshModifier reports whether an offset or a length of ${x:offset:length} is a
// modifier to zsh, or may be: ${x:t} is the last component.
func (r *run) zshModifier(x syntax.ArithmExpr) bool {
	if x == nil || !r.may(modifiers) {
		return false
	}
	s := r.source(x)
	return s != "" && (isLetter(s[0]) || s[0] == '&')
}

// positional finds assignments to $1 and so on, which are errors elsewhere.
func (r *run) positional(n syntax.Node, name string) {
	if r.may(moreWords) && isDigits(name) {
		r.find(idZsh, n, "assigns to $"+name+" in zsh")
	}
}

// zshBraces finds { among the words of a command, where it may begin a block in
// zsh. What ends one is found in every word; see zshCloses.
func (r *run) zshBraces(words []*syntax.Word) {
	if !r.may(lateBraces) {
		return
	}
	for _, w := range words {
		if w.Lit() == "{" {
			r.find(idZsh, w, "a brace that begins or ends a block in zsh")
		}
	}
}

// zshCloses finds a brace at the end of a word that no other one in the word
// opens: to zsh it ends a block, and "always" may follow.
func (r *run) zshCloses(w *syntax.Word) {
	if !r.may(lateBraces) || len(w.Parts) == 0 {
		return
	}
	last, ok := w.Parts[len(w.Parts)-1].(*syntax.Lit)
	if !ok || !strings.HasSuffix(last.Value, "}") {
		return
	}
	open, ends := 0, false
	for _, a := range atomize(w) {
		ends = false
		switch {
		case a.sign == '{':
			open++
		case a.sign == '}' && open > 0:
			open--
		case a.sign == '}':
			ends = true
		}
	}
	if ends {
		r.find(idZsh, w, "a brace that begins or ends a block in zsh")
	}
}

// zshClass reports whether a word has braces without a comma or dots, which stand
// for each of their characters where the user's zsh has BRACE_CCL set: {-}delete.
// It returns the text before them. What stands behind "@" names a revision to git,
// and letters and digits there make no other file.
func (r *run) zshClass(w *syntax.Word) (before string, is bool) {
	if !r.may(lateBraces) {
		return "", false
	}
	var open []class
	atoms := atomize(w)
	for i, a := range atoms {
		n := len(open) - 1
		switch {
		case a.sign == '{':
			open = append(open, class{from: i, plain: true, literal: true})
		case n < 0:
		case a.sign == ',':
			open[n].comma = true
		case a.sign == '}':
			p := open[n]
			open = open[:n]
			code := p.from == 0 && i == len(atoms)-1 && strings.Contains(r.source(w), " ") // {'print $1'}: single characters at most
			if i == p.from+1 || code || p.comma || strings.Contains(p.text, "..") || p.revision(atoms, i) {
				continue
			}
			if l := atoms[0]; l.part == nil && l.sign == 0 && plain(l.text) {
				before = l.text
			}
			return before, true
		default:
			open[n].add(a)
		}
	}
	return "", false
}

// class is a pair of braces that may stand for each of their characters.
type class struct {
	from    int // the atom that opens them
	comma   bool
	literal bool // all that they hold is text
	plain   bool // of letters, digits and underscores
	text    string
}

func (c *class) add(a atom) {
	c.text += a.text
	c.literal = c.literal && a.part == nil
	c.plain = c.plain && a.part == nil && strings.IndexFunc(a.text, func(c rune) bool { return c >= 0x80 || !isNameByte(byte(c)) }) < 0
}

// revision reports whether braces that end with an atom name a revision: @{-1},
// @{3.weeks.ago}.
func (c *class) revision(atoms []atom, end int) bool {
	ends := end == len(atoms)-1 && !strings.ContainsAny(c.text, "/~")
	return (c.plain || c.literal && ends) && c.from > 0 && strings.HasSuffix(atoms[c.from-1].text, "@")
}

// zshGlob finds glob qualifiers: *(e:cmd:) runs a command in zsh. Where there
// are none, what would end a word ends one between parentheses too.
func (r *run) zshGlob(b *builder, g *syntax.ExtGlob) {
	if r.may(morePatterns) && (b.split || strings.ContainsAny(g.Pattern.Value, ";&{}# \t")) {
		r.find(idZsh, g, "parentheses after a pattern may run a command in zsh")
	}
}

// zshEquals adds a word that begins with "=": zsh puts the path of the program
// that follows in its place. It reports whether it did.
func (r *run) zshEquals(b *builder, s string, more bool) bool {
	if !r.may(namedPlaces) || len(s) < 2 && !more || !strings.HasPrefix(s, "=") {
		return false
	}
	if s == "==" || s == "=~" {
		r.zshFails() // they compare, or are an error
		return false
	}
	b.part(policy.Part{Kind: policy.Hole, Text: s, Shape: policy.ShapePaths})
	return true
}

// zshBehindNothing finds a "~" or "=" behind empty quotes: to zsh the word begins
// with it all the same.
func (r *run) zshBehindNothing(w *syntax.Word) {
	if !r.may(namedPlaces) {
		return
	}
	for i, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.SglQuoted:
			if p.Value == "" {
				continue
			}
		case *syntax.DblQuoted:
			if len(p.Parts) == 0 {
				continue
			}
		case *syntax.Lit:
			if i > 0 && p.Value != "" && (p.Value[0] == '~' || p.Value[0] == '=' && p.Value != "=") {
				r.find(idZsh, w, "empty quotes before a home or the path of a program, which zsh passes over")
			}
		}
		return
	}
}

// zshBegins adds the word of ${x:-word} if "=" or "~" may mean something at its
// beginning to zsh, or be an error. It reports whether it did.
func (r *run) zshBegins(b *builder, s string) bool {
	if !r.may(namedPlaces) || len(s) < 2 || s[0] != '=' && (s[0] != '~' || s[1] == '/') {
		return false
	}
	r.zshFails()
	b.part(policy.Part{Kind: policy.Hole, Text: s})
	return true
}

// zshFails notes an error to zsh, which gives up there.
func (r *run) zshFails() {
	if r.may(failing) {
		r.abort()
	}
}

// zshBad notes an expansion that zsh does not have: it gives up there.
func (r *run) zshBad(pe *syntax.ParamExp) {
	bad := pe.Excl || pe.Names != 0
	if pe.Exp != nil {
		switch pe.Exp.Op {
		case syntax.UpperFirst, syntax.UpperAll, syntax.LowerFirst, syntax.LowerAll, syntax.OtherParamOps:
			bad = true
		}
	}
	if bad {
		r.zshFails()
	}
}

// zshNamed adds what "~" and the name of a variable stand for: the directory
// that it holds. It reports false for other names.
func (r *run) zshNamed(b *builder, name string) bool {
	if !r.may(namedPlaces) || !isName(name) {
		return false
	}
	v := r.get(name)
	switch {
	case v == nil && name == "HOME":
		r.addHome(b)
	case v == nil && name == "PWD":
		r.addPwd(b, "~PWD")
	case v == nil && name == strings.ToUpper(name):
		b.part(policy.Part{Kind: policy.Hole, Text: "~" + name, Shape: policy.ShapePaths}) // of the environment
	case v == nil:
		return false
	default:
		s, ok := v.value.Const()
		if !ok || v.set != policy.Yes || v.attrs&arrayAttrs != 0 || !strings.HasPrefix(s, "/") {
			b.part(policy.Part{Kind: policy.Hole, Text: "~" + name})
			return true
		}
		if !r.surely(namedPlaces) {
			r.report(policy.Finding{ID: idZsh, Reason: "the home of a user, or to zsh the directory that a variable holds", Source: "~" + name, Pos: b.pos})
		}
		b.lit(s)
	}
	return true
}

// zshWords finds what zsh reads in another way in the words of an expansion: a
// brace opens another pair, and single quotes are text where the expansion
// stands in double quotes, so that a brace between them is the end. That it is to
// dash, too.
func (r *run) zshWords(pe *syntax.ParamExp, ctx context) {
	if ctx.inQuotes() && r.may(plainOnly) && strings.Contains(r.source(pe), "'}") {
		r.find(idPOSIX, pe, "a brace in quotes that quote nothing to dash")
	}
	if !r.may(morePatterns) {
		return
	}
	var words []*syntax.Word
	if pe.Repl != nil {
		words = append(words, pe.Repl.Orig, pe.Repl.With)
	}
	if pe.Exp != nil {
		words = append(words, pe.Exp.Word)
	}
	for _, w := range words {
		if w == nil {
			continue
		}
		for _, p := range w.Parts {
			switch p := p.(type) {
			case *syntax.Lit:
				if unescaped(p.Value, '{') >= 0 {
					r.find(idZsh, pe, "a brace in an expansion that zsh closes before the expansion")
				}
			case *syntax.SglQuoted:
				if ctx.inQuotes() {
					r.find(idZsh, pe, "single quotes that quote nothing in zsh, because they stand in double quotes")
				}
			}
		}
	}
}

// unescaped returns where a byte stands without a backslash before it, or -1.
func unescaped(s string, c byte) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case c:
			return i
		}
	}
	return -1
}

// zshSlash finds a slash in quotes, or in an expansion, in the pattern of
// ${x/pattern/text}: it ends the pattern in zsh.
func (r *run) zshSlash(w *syntax.Word) {
	if w == nil || !r.may(morePatterns) {
		return
	}
	for _, p := range w.Parts {
		if _, is := p.(*syntax.Lit); !is && strings.Contains(r.source(p), "/") {
			r.find(idZsh, p, "a slash that ends the pattern in zsh")
			return
		}
	}
}

// zshDollar finds $~x, $=x, $^x and $+x, which are expansions to zsh alone. The
// parser leaves the dollar as text of its own.
func (r *run) zshDollar(l *syntax.Lit, next syntax.WordPart) {
	if !r.may(modifiers) || !strings.HasSuffix(l.Value, "$") {
		return
	}
	if after, ok := next.(*syntax.Lit); ok && after.Value != "" && strings.IndexByte("~=^+", after.Value[0]) >= 0 {
		r.find(idZsh, l, "an expansion to zsh, and text to other shells")
	}
}

// lastBackslash adds a backslash that ends the text: zsh drops it.
func (r *run) lastBackslash(b *builder) {
	switch {
	case r.surely(dropsLast):
		b.open = true
	case r.may(dropsLast):
		b.part(policy.Part{Kind: policy.Hole, Text: `\`})
	default:
		b.lit(`\`)
	}
}

// zshDefault reports whether zsh may make something else of the word in
// ${x:-word}: it expands the braces of the value.
func (r *run) zshDefault(w *syntax.Word) bool {
	if !r.may(lateBraces) || w == nil {
		return false
	}
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok && strings.Contains(l.Value, "{") {
			return true
		}
	}
	return false
}

// zshSplits reports whether zsh may make several words of an expansion in a
// word with braces, which it expands after: a brace that is closed in another
// word is text.
func (r *run) zshSplits(parts []syntax.WordPart) bool {
	if !r.may(lateBraces) {
		return false
	}
	return slices.ContainsFunc(parts, func(p syntax.WordPart) bool {
		switch p := p.(type) {
		case *syntax.CmdSubst:
			return true
		case *syntax.ParamExp:
			if p.Param == nil {
				return true
			}
			v := r.get(p.Param.Value)
			scalar := v != nil && v.attrs&arrayAttrs == 0 || v == nil && p.Param.Value == strings.ToUpper(p.Param.Value) && isName(p.Param.Value)
			return !scalar || p.Exp != nil || p.Repl != nil
		case *syntax.DblQuoted:
			return slices.ContainsFunc(p.Parts, func(p syntax.WordPart) bool {
				pe, ok := p.(*syntax.ParamExp)
				return ok && (pe.Param == nil || pe.Param.Value == "@" || pe.Index != nil)
			})
		}
		return false
	})
}

// zshCounts reports whether a word has braces around a value or quotes that may
// hold the dots of a sequence: zsh looks for braces after it expanded the rest.
func (r *run) zshCounts(w *syntax.Word) bool {
	if len(w.Parts) < 3 {
		return false
	}
	type pair struct{ comma, counts bool }
	var open []pair
	for _, a := range atomize(w) {
		n := len(open) - 1
		switch {
		case a.sign == '{':
			open = append(open, pair{})
		case n < 0:
		case a.sign == ',':
			open[n].comma = true
		case a.sign == '}':
			if open[n].counts && !open[n].comma {
				return true
			}
			open = open[:n]
		case a.part != nil:
			open[n].counts = open[n].counts || r.mayCount(a.part)
		}
	}
	return false
}

// mayCount reports whether a part of a word may hold the dots of a sequence.
func (r *run) mayCount(p syntax.WordPart) bool {
	switch p := p.(type) {
	case *syntax.SglQuoted:
		return strings.Contains(p.Value, "..")
	case *syntax.DblQuoted:
		return strings.Contains(r.source(p), "..") || slices.ContainsFunc(p.Parts, r.mayCount)
	case *syntax.ParamExp:
		if p.Param == nil || !isPlainParam(p) {
			return true
		}
		v := r.get(p.Param.Value)
		if v == nil || v.set != policy.Yes || v.attrs&arrayAttrs != 0 {
			return true
		}
		s, ok := v.value.Const()
		return ok && strings.Contains(s, "..") || !ok && !shapeOf(v.value).Numeric()
	case *syntax.CmdSubst:
		return true
	}
	return false
}

// zshEmpty adds the empty word that zsh makes of an empty alternative between
// braces, which bash drops.
func (r *run) zshEmpty(b *builder, w *syntax.Word) {
	switch {
	case b.open:
	case r.surely(lateBraces):
		b.open = true
	case r.may(lateBraces):
		b.part(policy.Part{Kind: policy.Split, Text: r.source(w)})
	}
}

// zshTarget finds >! file, which overwrites file in zsh.
func (r *run) zshTarget(rd *syntax.Redirect, text string) {
	if r.may(moreRedirects) && (text == "!" || text == "|") {
		r.find(idZsh, rd, "the file is the next word in zsh")
	}
}

// zshRedirect finds a redirect without a command, or with one that expands to
// nothing: zsh runs a pager or cat. That |& redirects is not seen in s.
func (r *run) zshRedirect(c *syntax.CallExpr, s *syntax.Stmt) {
	redirects := len(s.Redirs) > 0 || r.f.stdout == policy.OutputPipe
	if c == nil && s == r.reads && len(s.Redirs) == 1 && s.Redirs[0].Op == syntax.RdrIn && s.Redirs[0].N == nil && !s.Background && !s.Negated {
		return // $(<file) is what the file holds
	}
	if r.may(moreRedirects) && (c == nil || len(c.Args) > 0) && redirects {
		r.find(idZsh, s, "zsh runs a program of its own for a redirect without a command")
	}
}

// zshAssign finds assignments to what zsh ties to its own state.
func (r *run) zshAssign(n syntax.Node, name string) {
	if r.may(tiedState) && is(name, tied) {
		r.find(idZsh, n, "zsh ties "+name+" to its own state")
	}
}

// subscriptQuotes finds a['...'], which quotes nothing where the subscript is
// calculated, and nothing in zsh.
func (r *run) subscriptQuotes(v *variable, x syntax.ArithmExpr) {
	w, ok := x.(*syntax.Word)
	if !ok {
		return
	}
	if v != nil && v.attrs&assoc != 0 && !r.may(oneBased) {
		return
	}
	for _, p := range w.Parts {
		if q, ok := p.(*syntax.SglQuoted); ok && strings.ContainsAny(q.Value, "$`\\[\"") {
			r.find(idGuard, q, "single quotes that quote nothing, because they stand in a subscript")
		}
	}
}

// posixOnly finds what sh reads in another way than bash. is says whether the
// form is there.
func (r *run) posixOnly(is bool, n syntax.Node, reason string) {
	if is && r.may(plainOnly) {
		r.find(idPOSIX, n, reason)
	}
}

package shell

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/policy"
	"mvdan.cc/sh/v3/syntax"
)

// Forms that parse as bash but mean something else to the shell that may run
// them.

// zshProgram finds words that are syntax to zsh where bash sees a program.
func (r *run) zshProgram(in *invocation, name string) {
	if !r.in.Dialect.mayBeZsh() {
		return
	}
	switch name {
	case "-", "repeat", "foreach", "end", "nocorrect", "noglob", "always", "zmodload", "autoload", "zcompile", "setopt", "unsetopt", "emulate", "vared", "zle", "print", "sched", "integer", "float":
		r.find(idZsh, in.node, name+" means more to zsh than to bash")
		rest := *in
		rest.words = in.words[1:]
		if name == "repeat" && len(rest.words) > 0 {
			rest.words = rest.words[1:]
		}
		if len(rest.words) > 0 && name != "print" {
			r.invoke(&rest)
		}
	}
}

// zshSuffix reports whether the text after an expansion belongs to it in zsh:
// $x[2,8] is a part of the value, $x:t its last component and $#x its length.
func (r *run) zshSuffix(pe *syntax.ParamExp, next syntax.WordPart) bool {
	if !r.in.Dialect.mayBeZsh() || !pe.Short || pe.Param == nil {
		return false
	}
	l, ok := next.(*syntax.Lit)
	if !ok {
		if pe.Param.Value == "#" && strings.HasPrefix(r.source(next), "$") {
			r.find(idZsh, pe, "the length of what follows to zsh, and a number before it to other shells")
		}
		return false
	}
	switch c := l.Value[0]; {
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

// positional finds assignments to $1 and so on, which are errors elsewhere.
func (r *run) positional(n syntax.Node, name string) {
	if r.in.Dialect.mayBeZsh() && isDigits(name) {
		r.find(idZsh, n, "assigns to $"+name+" in zsh")
	}
}

// zshBraces finds { and } among the words of a command. To zsh the second ends
// a block wherever it stands, and "always" may follow.
func (r *run) zshBraces(words []*syntax.Word) {
	if !r.in.Dialect.mayBeZsh() {
		return
	}
	for _, w := range words {
		if s := w.Lit(); s == "}" || s == "{" {
			r.find(idZsh, w, "a brace that begins or ends a block in zsh")
		}
	}
}

// zshGlob finds glob qualifiers: *(e:cmd:) runs a command in zsh. Where there
// are none, what would end a word ends one between parentheses too.
func (r *run) zshGlob(b *builder, g *syntax.ExtGlob) {
	if r.in.Dialect.mayBeZsh() && (b.split || strings.ContainsAny(g.Pattern.Value, ";&{}# \t")) {
		r.find(idZsh, g, "parentheses after a pattern may run a command in zsh")
	}
}

// zshEquals adds a word that begins with "=": zsh puts the path of the program
// that follows in its place. It reports whether it did.
func (r *run) zshEquals(b *builder, s string, more bool) bool {
	if !r.in.Dialect.mayBeZsh() || len(s) < 2 && !more || s == "==" || s == "=~" || !strings.HasPrefix(s, "=") {
		return false // == and =~ compare
	}
	b.part(policy.Part{Kind: policy.Hole, Text: s, Shape: policy.ShapePaths})
	return true
}

// zshNamed adds what "~" and the name of a variable stand for: the directory
// that it holds. It reports false for other names.
func (r *run) zshNamed(b *builder, name string) bool {
	if !r.in.Dialect.mayBeZsh() || !isName(name) {
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
		if !ok || v.set != yes || v.attrs&arrayAttrs != 0 || !strings.HasPrefix(s, "/") {
			b.part(policy.Part{Kind: policy.Hole, Text: "~" + name})
			return true
		}
		if r.in.Dialect == Any {
			r.report(policy.Finding{ID: idZsh, Reason: "the home of a user, or to zsh the directory that a variable holds", Source: "~" + name, Pos: b.pos})
		}
		b.lit(s)
	}
	return true
}

// zshPattern finds single quotes in the word of an expansion that stands in
// double quotes: zsh takes those of a pattern for text, and zsh and dash a brace
// between them for the end.
func (r *run) zshPattern(pe *syntax.ParamExp) {
	if r.in.Dialect == POSIX && strings.Contains(r.source(pe), "'}") {
		r.find(idPOSIX, pe, "a brace in quotes that quote nothing to dash")
	}
	if !r.in.Dialect.mayBeZsh() {
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
		if w != nil && slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool { _, is := p.(*syntax.SglQuoted); return is }) {
			r.find(idZsh, pe, "single quotes that quote nothing in zsh, because they stand in double quotes")
		}
	}
}

// zshDollar finds $~x, $=x, $^x and $+x, which are expansions to zsh alone. The
// parser leaves the dollar as text of its own.
func (r *run) zshDollar(l *syntax.Lit, next syntax.WordPart) {
	if !r.in.Dialect.mayBeZsh() || l.Value != "$" {
		return
	}
	if after, ok := next.(*syntax.Lit); ok && after.Value != "" && strings.IndexByte("~=^+", after.Value[0]) >= 0 {
		r.find(idZsh, l, "an expansion to zsh, and text to other shells")
	}
}

// lastBackslash adds a backslash that ends the text: zsh drops it.
func (r *run) lastBackslash(b *builder) {
	switch r.in.Dialect {
	case Zsh:
		b.open = true
	case Any:
		b.part(policy.Part{Kind: policy.Hole, Text: `\`})
	default:
		b.lit(`\`)
	}
}

// zshDefault reports whether zsh may make something else of the word in
// ${x:-word}: it expands the braces of the value.
func (r *run) zshDefault(w *syntax.Word) bool {
	if !r.in.Dialect.mayBeZsh() || w == nil {
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
	if !r.in.Dialect.mayBeZsh() {
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

// zshEmpty adds the empty word that zsh makes of an empty alternative between
// braces, which bash drops.
func (r *run) zshEmpty(b *builder, w *syntax.Word) {
	switch {
	case b.open:
	case r.in.Dialect == Zsh:
		b.open = true
	case r.in.Dialect == Any:
		b.part(policy.Part{Kind: policy.Split, Text: r.source(w)})
	}
}

// zshTarget finds >! file, which overwrites file in zsh.
func (r *run) zshTarget(rd *syntax.Redirect, text string) {
	if r.in.Dialect.mayBeZsh() && (text == "!" || text == "|") {
		r.find(idZsh, rd, "the file is the next word in zsh")
	}
}

// zshRedirect finds a redirect without a command, or with one that expands to
// nothing: zsh runs a pager or cat. That |& redirects is not seen in s.
func (r *run) zshRedirect(c *syntax.CallExpr, s *syntax.Stmt) {
	redirects := len(s.Redirs) > 0 || r.f.stdout == policy.OutputPipe
	if r.in.Dialect.mayBeZsh() && (c == nil || len(c.Args) > 0) && redirects {
		r.find(idZsh, s, "zsh runs a program of its own for a redirect without a command")
	}
}

// zshAssign finds assignments to what zsh ties to its own state.
func (r *run) zshAssign(n syntax.Node, name string) {
	if !r.in.Dialect.mayBeZsh() {
		return
	}
	switch name {
	case "path", "cdpath", "fpath", "module_path", "argv", "commands", "functions", "aliases", "galiases", "saliases",
		"options", "dirstack", "NULLCMD", "READNULLCMD", "PROMPT", "RPROMPT", "PROMPT2", "PROMPT3", "PROMPT4", "SPROMPT", "precmd_functions",
		"preexec_functions", "chpwd_functions", "zshexit_functions", "periodic_functions", "fignore", "histchars", "HISTCHARS":
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
	if v != nil && v.attrs&assoc != 0 && !r.in.Dialect.mayBeZsh() {
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
	if is && r.in.Dialect == POSIX {
		r.find(idPOSIX, n, reason)
	}
}

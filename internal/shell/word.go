package shell

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// context says how the surroundings quote a part of a word.
type context uint8

const (
	bare      context = iota // unquoted
	quoted                   // in double quotes
	heredoc                  // in the body of a here-document
	defaulted                // in the unquoted word of ${x:-word}: its blanks split
)

// inQuotes reports whether values are not split there, and quotes are text.
func (c context) inQuotes() bool { return c == quoted || c == heredoc }

// ofWord is how the word of ${x:-word} is quoted where the expansion is so.
func (c context) ofWord() context {
	if c.inQuotes() {
		return quoted
	}
	return defaulted
}

// busy marks the bytes of an unquoted literal that mean something.
var busy = [256]bool{
	'\\': true, '*': true, '?': true, '[': true, '{': true, '~': true, '$': true, '`': true,
	'\'': true, '"': true, '<': true, '>': true, 0xEE: true, // the first byte of crRune
}

func plain(s string) bool {
	for i := range len(s) {
		if busy[s[i]] {
			return false
		}
	}
	return true
}

// words resolves the words of a command: what bash makes of them before it
// runs anything.
func (r *run) words(ws []*syntax.Word) []policy.Word {
	out := make([]policy.Word, 0, len(ws))
	for _, w := range ws {
		out = r.word(out, w)
	}
	return out
}

// word appends the words that one word of the text becomes.
func (r *run) word(out []policy.Word, w *syntax.Word) []policy.Word { return r.wordIn(out, w, false) }

// wordIn is word. In an element of an array there is no home behind what looks like
// an assignment.
func (r *run) wordIn(out []policy.Word, w *syntax.Word, element bool) []policy.Word {
	r.zshCloses(w)
	if text := r.src.text; int(w.End().Offset()) == len(text) && policy.Escapes(text) && strings.Contains(text, "\n") {
		r.find(idGuard, w, "a backslash at the end of several lines, which bash may drop")
	}
	if s, ok := simple(w); ok {
		return append(out, policy.Word{Text: s, Pos: r.at(w.Pos())})
	}
	if !r.spend(1) {
		return append(out, policy.UnknownWords(r.source(w)))
	}
	if r.may(reprinting) && loneDollar(w.Parts) && expands(w) {
		r.find(idGuard, w, "a word with a dollar of its own, whose values bash does not split")
	}
	r.zshBehindNothing(w)
	b := r.builder(w)
	b.words = out
	b.split, b.globs, b.leading = true, true, element
	if before, is := r.zshClass(w); is {
		r.parts(&builder{}, w.Parts, bare)
		b.lit(before)
		b.part(policy.Part{Kind: policy.Split, Text: r.source(w)})
	} else if all, ok := r.braces(w); !ok {
		r.parts(&builder{}, w.Parts, bare)
		b.part(policy.Part{Kind: policy.Split, Text: r.source(w)})
	} else if all != nil {
		b.leading = true
		for _, parts := range all {
			r.parts(&b, parts, bare)
			r.zshEmpty(&b, w)
			b.end()
		}
	} else {
		r.parts(&b, w.Parts, bare)
	}
	b.end()
	return b.words
}

// loneDollar reports whether a dollar that is a character like any other stands in
// a word without quotes. Of $x$ and $x$~ bash makes one word, whatever x is.
func loneDollar(parts []syntax.WordPart) bool {
	for _, p := range parts {
		lit, ok := p.(*syntax.Lit)
		for i := 0; ok && i < len(lit.Value); i++ {
			switch lit.Value[i] {
			case '\\':
				i++
			case '$':
				return true
			}
		}
	}
	return false
}

// quotedAgain adds double quotes in the word of an expansion that stands in
// double quotes itself. They end those for dash, and for bash as far as
// backslashes go.
func (r *run) quotedAgain(b *builder, q *syntax.DblQuoted) {
	if loneDollar(q.Parts) { // "${x+"$"y}" is the value of y
		r.find(idGuard, q, "a dollar in quotes within quotes, which bash takes together with what follows")
	}
	inside := builder{pos: b.pos, ifs: b.ifs, lost: b.lost, zsh: b.zsh, nested: b.nested}
	r.parts(&inside, q.Parts, quoted)
	source := r.source(q)
	switch v := inside.word(); {
	case r.may(plainOnly) && (!v.IsConst() || v.Text == "" || !plain(v.Text) || strings.ContainsAny(v.Text, b.ifs) || strings.Contains(source, `\`)):
		b.part(policy.Part{Kind: policy.Split, Text: source})
	case strings.Contains(source, `\`):
		b.part(policy.Part{Kind: policy.Hole, Text: source})
	default:
		b.value(v, source)
	}
}

// translated reads the dollar of $"...": bash looks the text up in a message
// catalogue and drops it, to all others it is a character like any other. sh
// may be bash.
func (r *run) translated(b *builder, q *syntax.DblQuoted) {
	switch {
	case r.surely(catalogues):
	case !r.may(catalogues):
		b.lit("$")
	default:
		b.part(policy.Part{Kind: policy.Hole, Text: r.source(q)})
	}
}

// simple returns the text of a word without anything to resolve.
func simple(w *syntax.Word) (string, bool) {
	if len(w.Parts) != 1 {
		return "", false
	}
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		return p.Value, plain(p.Value) && !strings.HasPrefix(p.Value, "=") && !strings.Contains(p.Value, ":=")
	case *syntax.SglQuoted:
		return p.Value, !p.Dollar && strings.IndexByte(p.Value, 0xEE) < 0
	case *syntax.DblQuoted:
		if len(p.Parts) != 1 || p.Dollar {
			return "", false
		}
		l, ok := p.Parts[0].(*syntax.Lit)
		if !ok || strings.ContainsAny(l.Value, "\\$`") || strings.IndexByte(l.Value, 0xEE) >= 0 {
			return "", false
		}
		return l.Value, true
	}
	return "", false
}

// single resolves a word that is not split: an assigned value, the word of a
// case, a here-string.
func (r *run) single(w *syntax.Word) policy.Word {
	if w != nil {
		r.zshCloses(w)
	}
	return r.whole(w, false)
}

// assigned resolves an assigned value, in which "~" counts after ":" too. It has no
// parts where braces leave nothing: export x={,a}.
func (r *run) assigned(w *syntax.Word) policy.Word { return r.whole(w, true) }

// whole resolves a word to one.
func (r *run) whole(w *syntax.Word, assign bool) policy.Word {
	if w == nil || len(w.Parts) == 0 {
		return policy.Word{}
	}
	if s, ok := simple(w); ok {
		return policy.Word{Text: s, Pos: r.at(w.Pos())}
	}
	if !r.spend(1) {
		return policy.Unknown(r.source(w))
	}
	b := r.builder(w)
	b.assign = assign
	r.parts(&b, w.Parts, bare)
	return b.word()
}

// pattern resolves a word that is matched against: unquoted patterns are
// parts of their own.
func (r *run) pattern(w *syntax.Word, ctx context) policy.Word {
	if w == nil {
		return policy.Word{}
	}
	if !r.spend(1) {
		return policy.Unknown(r.source(w))
	}
	b := r.builder(w)
	b.globs = true
	r.parts(&b, w.Parts, ctx)
	pat := b.word()
	special := expands(w) && litAny(pat, `*?[]\()|#%~^+@!`) // what a value holds is a pattern, too
	if special || r.may(morePatterns) && litAny(pat, "(|~^#<") {
		return policy.Unknown(r.source(w))
	}
	return pat
}

// litAny reports whether one of the bytes is in the known text of a word.
func litAny(w policy.Word, bytes string) bool {
	for _, p := range w.Parts {
		if p.Kind == policy.Lit && strings.ContainsAny(p.Text, bytes) {
			return true
		}
	}
	return strings.ContainsAny(w.Text, bytes)
}

// expands reports whether a word has a value outside of quotes.
func expands(w *syntax.Word) bool {
	for _, p := range w.Parts {
		switch p.(type) {
		case *syntax.ParamExp, *syntax.CmdSubst, *syntax.ArithmExp:
			return true
		}
	}
	return false
}

// body resolves the body of a here-document; tabs says that those at the
// beginning of its lines go.
func (r *run) body(w *syntax.Word, tabs bool) policy.Word {
	b := r.builder(w)
	b.tabs = tabs
	r.parts(&b, w.Parts, heredoc)
	return b.word()
}

func (r *run) builder(n syntax.Node) builder {
	b := builder{pos: r.at(n.Pos()), ifs: defaultIFS, zsh: r.may(unsplit)}
	if v := r.get("IFS"); v != nil {
		if s, ok := v.value.Const(); ok && v.set == policy.Yes && v.attrs&arrayAttrs == 0 {
			b.ifs = s
		} else if v.set != policy.No {
			b.lost = true
		}
	}
	return b
}

// parts adds the parts of a word.
func (r *run) parts(b *builder, parts []syntax.WordPart, ctx context) {
	for i := 0; i < len(parts); i++ {
		switch p := parts[i].(type) {
		case *syntax.Lit:
			if i+1 < len(parts) {
				r.zshDollar(p, parts[i+1])
			}
			r.literal(b, p, parts, i, ctx)
		case *syntax.SglQuoted:
			r.singleQuoted(b, p, ctx)
		case *syntax.DblQuoted:
			if !onlyList(p) {
				b.open = true
			}
			if p.Dollar {
				r.translated(b, p)
			}
			if ctx.inQuotes() {
				r.quotedAgain(b, p)
				continue
			}
			r.parts(b, p.Parts, quoted)
		case *syntax.ParamExp:
			if i+1 < len(parts) && r.zshSuffix(p, parts[i+1]) {
				// One expansion to zsh, and what may be two words to bash.
				i++
				l := parts[i].(*syntax.Lit)
				unread := builder{pos: b.pos, ifs: b.ifs, zsh: b.zsh}
				r.literal(&unread, l, parts, i, ctx)
				r.add(b, hole(policy.ShapeAny), ctx, r.between(p.Pos(), l.End()))
				continue
			}
			r.param(b, p, ctx)
		case *syntax.CmdSubst:
			r.cmdSubst(b, p, ctx)
		case *syntax.ArithmExp:
			r.posixOnly(p.Bracket, p, "$[ ] is arithmetic to bash and text to other shells")
			r.arith(p.X)
			if !r.calculable(p.X) {
				r.abort()
			}
			r.add(b, hole(policy.ShapeNumber), ctx, r.source(p))
		case *syntax.ProcSubst:
			r.procSubst(p)
			if len(p.Stmts) == 0 {
				r.find(idGuard, p, "a process substitution of nothing, which is no word to bash and a file to zsh")
			}
			if ctx.inQuotes() {
				r.find(idGuard, p, "a process substitution where there can be none")
			}
			b.part(policy.Part{Kind: policy.Hole, Text: r.source(p), Shape: policy.ShapePath})
		case *syntax.ExtGlob:
			r.extGlob(b, p, ctx)
		case unfollowed:
			b.part(policy.Part{Kind: policy.Split, Text: p.Value})
		default:
			r.find(idNode, p, "a kind of word that is not known")
			b.part(policy.Part{Kind: policy.Split, Text: r.source(p)})
		}
	}
}

// onlyList reports whether quotes hold nothing but "$@" or the like, which may
// be no word at all.
func onlyList(q *syntax.DblQuoted) bool {
	for _, p := range q.Parts {
		pe, ok := p.(*syntax.ParamExp)
		if !ok || pe.Length || !isList(pe) {
			return false
		}
	}
	return len(q.Parts) > 0
}

// isList reports whether an expansion is of $@, ${a[@]} or ${!prefix@}.
func isList(pe *syntax.ParamExp) bool {
	if pe.Param != nil && pe.Param.Value == "@" || pe.Names == syntax.NamesPrefixWords {
		return true
	}
	return wholeArray(pe.Index) == '@'
}

// wholeArray returns the sign of a subscript that stands for all elements, or 0.
func wholeArray(x syntax.ArithmExpr) byte {
	w, ok := x.(*syntax.Word)
	if !ok || len(w.Parts) != 1 {
		return 0
	}
	if l, ok := w.Parts[0].(*syntax.Lit); ok && (l.Value == "@" || l.Value == "*") {
		return l.Value[0]
	}
	return 0
}

// add adds the value of an expansion.
func (r *run) add(b *builder, v policy.Word, ctx context, source string) {
	if ctx.inQuotes() {
		b.value(v, source)
	} else {
		b.unquoted(v, source)
	}
}

// literal adds literal text, and looks in it for what the parser missed.
func (r *run) literal(b *builder, l *syntax.Lit, parts []syntax.WordPart, i int, ctx context) {
	s := r.unmap(l.Value)
	switch ctx {
	case quoted, heredoc:
		if b.tabs && ctx == heredoc {
			s = withoutTabs(s, i == 0)
		}
		r.quotedLiteral(b, l, s, ctx)
		return
	}
	if i == 0 {
		var ended bool
		if s, ended = r.begins(b, s, parts, ctx); ended {
			return
		}
	}
	start := 0 // of the text not yet added
	flush := func(to int) {
		if start < to {
			if ctx == defaulted {
				b.fields(s[start:to], s)
			} else {
				b.lit(s[start:to])
			}
		}
	}
	for j := 0; j < len(s); j++ {
		if !busy[s[j]] && s[j] != ':' {
			continue
		}
		switch s[j] {
		case '\\':
			flush(j)
			if j+1 == len(s) {
				r.lastBackslash(b)
			} else if j++; s[j] != '\n' { // a joined line is left after a backslash
				b.byte(s[j])
			}
			start = j + 1
		case ':':
			if !b.assign {
				continue
			}
			switch rest := s[j+1:]; {
			case strings.HasPrefix(rest, "=") && r.may(namedPlaces):
				flush(j + 1)
				r.zshEquals(b, rest, true)
				return
			case strings.HasPrefix(rest, "~"):
				flush(j + 1)
				s = s[:j+1] + r.tilde(b, rest, i+1 < len(parts))
				start = j + 1
			}
		case '*', '?', '[':
			if !b.globs {
				continue
			}
			if s[j] == '[' && r.isBracket(b, l, s[j:], i+j == 0, parts[i+1:]) {
				continue // mostly
			}
			flush(j)
			j += b.pattern(s[j:]) - 1
			start = j + 1
		case '`', '\'', '"':
			r.find(idGuard, l, "quotes that the parser took for text")
		case '$', '<', '>':
			r.missed(l, s[j:])
		}
	}
	flush(len(s))
}

// missed finds an expansion that a literal's text begins with.
func (r *run) missed(l *syntax.Lit, s string) {
	switch {
	case len(s) < 2:
	case s[0] == '$' && expandable(s[1]):
		r.find(idGuard, l, "an expansion that the parser took for text")
	case s[0] != '$' && s[1] == '(':
		r.find(idGuard, l, "a process substitution that the parser took for text")
	}
}

// begins adds what a word begins with that is no text: a home, the path of a
// program. It returns the rest, or that there is none.
func (r *run) begins(b *builder, s string, parts []syntax.WordPart, ctx context) (rest string, ended bool) {
	more := len(parts) > 1
	if r.zshEquals(b, s, more) {
		return "", true
	}
	switch ctx {
	case defaulted:
		if strings.HasPrefix(s, "~") {
			s = r.tilde(b, s, more)
		}
		return s, r.zshBegins(b, s)
	case bare:
		if more && isName(s) && r.may(assignedText) {
			if next, ok := parts[1].(*syntax.Lit); ok && strings.HasPrefix(next.Value, "[") && strings.Contains(next.Value, "~") {
				r.find(idGuard, next, "an element whose value may begin with a home to bash, though it is a word")
			}
		}
		s = r.tilde(b, s, more)
	}
	return s, false
}

// isBracket reports whether an open bracket is the command of that name, rather
// than the beginning of a pattern. first says that the word begins with it.
func (r *run) isBracket(b *builder, l *syntax.Lit, s string, first bool, after []syntax.WordPart) bool {
	command := s == openBracket && len(after) == 0
	if !strings.Contains(s, "]") && !(command && b.split && first) {
		r.zshFails() // an error to zsh
	}
	if !command && r.may(morePatterns) && slashInBracket(s, after) {
		r.find(idGuard, l, "a set of characters with a slash, which is one to zsh and a directory to other shells")
	}
	return command
}

// expandable reports whether "$" before the byte begins an expansion.
func expandable(c byte) bool {
	return c == '(' || c == '{' || c == '[' || c == '\'' || c == '"' || isNameByte(c) || strings.IndexByte("@*#?$!-", c) >= 0
}

func isNameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func isName(s string) bool {
	for i := range len(s) {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return s != "" && (s[0] < '0' || s[0] > '9')
}

// quotedLiteral adds literal text between double quotes or in a here-document.
func (r *run) quotedLiteral(b *builder, l *syntax.Lit, s string, ctx context) {
	start := 0
	for j := 0; j < len(s); j++ {
		switch s[j] {
		case '\\':
			if j+1 == len(s) {
				break
			}
			switch c := s[j+1]; {
			case c == '$' || c == '`' || c == '\\' || c == '"' && ctx == quoted || c == '}' && b.nested:
				b.lit(s[start:j])
				start = j + 1
				j++
			case c == '\n':
				b.lit(s[start:j])
				start = j + 2
				j++
			default:
				j++
			}
		case '`':
			r.find(idGuard, l, "a command substitution that the parser took for text")
		case '<', '>':
			if b.nested {
				r.missed(l, s[j:])
			}
		case '$':
			if j+1 < len(s) && s[j+1] != '\'' && s[j+1] != '"' {
				r.missed(l, s[j:])
			}
		}
	}
	if start < len(s) {
		b.lit(s[start:])
	}
}

// singleQuoted adds '...' or $'...'.
func (r *run) singleQuoted(b *builder, q *syntax.SglQuoted, ctx context) {
	value := r.unmap(q.Value)
	if ctx.inQuotes() {
		// Only in the word of an expansion that is itself in quotes, where
		// the quote is text to bash and what it holds is not quoted.
		if strings.ContainsAny(value, "$`\\\"<>") || q.Dollar {
			r.find(idGuard, q, "single quotes that quote nothing, because they stand in double quotes")
		}
		b.lit("'" + value + "'")
		return
	}
	b.open = true
	if !q.Dollar {
		b.lit(value)
		return
	}
	r.posixOnly(true, q, "$'...' is a dollar sign and plain quotes to other shells")
	if s, ok := ansiC(value, r.may(moreEscapes)); ok && !(r.old() && (strings.Contains(value, `\u`) || strings.Contains(value, `\U`))) {
		b.lit(s)
		return
	}
	if r.may(moreEscapes) {
		r.find(idZsh, q, "a character that may end the word in zsh")
	}
	b.part(policy.Part{Kind: policy.Hole, Text: r.source(q)})
}

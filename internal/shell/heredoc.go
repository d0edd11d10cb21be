package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/bashgate/bashgate/policy"
)

// Checks of what the parser took from the text against what bash takes.

// delimiter returns the word that ends a here-document and whether it is
// quoted. It reports false for words that shells read in different ways.
func delimiter(w *syntax.Word) (text string, isQuoted, ok bool) {
	if w == nil {
		return "", false, false
	}
	var b strings.Builder
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			for i := 0; i < len(p.Value); i++ {
				c := p.Value[i]
				if c == '\\' && i+1 < len(p.Value) {
					isQuoted = true
					i++
					c = p.Value[i]
				} else if strings.IndexByte("$`'\"<>\\", c) >= 0 {
					return "", isQuoted, false
				}
				b.WriteByte(c)
			}
		case *syntax.SglQuoted:
			isQuoted = true
			if p.Dollar {
				return "", true, false
			}
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			isQuoted = true
			if p.Dollar {
				return "", true, false
			}
			for _, in := range p.Parts {
				l, isLit := in.(*syntax.Lit)
				if !isLit || strings.ContainsAny(l.Value, "\\$`") {
					return "", true, false
				}
				b.WriteString(l.Value)
			}
		default:
			return "", isQuoted, false
		}
	}
	text = b.String()
	return text, isQuoted, text != "" && !strings.Contains(text, "\n")
}

// printedAnew reports whether a here-document stands in $(...) or <(...) in a way
// that bash reads otherwise than any text of its own. next is where the body's last
// line ends.
//
// bash 5.2 and 5.3 print the text of a substitution before they read it once more.
// The first semicolon behind the body becomes a blank: of "ls a; ls b" is left
// "ls a ls b". A body in a condition is printed behind the first command of the
// branch. And it ends at a line that only begins with its last one, if that has a
// closing parenthesis (make_here_document, for "backwards compatibility").
func (r *run) printedAnew(rd *syntax.Redirect, body, delim string, from, next int) bool {
	if r.src.span == 0 || !r.may(reprinting) {
		return false
	}
	text := r.src.text
	behind := text[min(next, len(text)):max(min(next, len(text)), min(r.src.span, len(text)))]
	if strings.Contains(text[rd.Pos().Offset():from], ";") || strings.Contains(behind, ";") || strings.Contains(behind, "then") {
		return true
	}
	for _, body := range [...]string{body, strings.ReplaceAll(body, "\\\n", "")} {
		for line := range strings.Lines(body) {
			if rest, ok := strings.CutPrefix(strings.TrimLeft(line, "\t"), delim); ok && strings.Contains(rest, ")") {
				return true
			}
		}
	}
	return false
}

// bodyStart returns where the body of a here-document begins, or why that is not
// certain.
func (r *run) bodyStart(rd *syntax.Redirect) (from int, reason string) {
	text := r.src.text
	if rd.Hdoc == nil {
		// The body is empty: the next line ends it, if nothing but plain
		// words stands between.
		from = int(rd.Word.End().Offset())
		i := strings.IndexByte(text[min(from, len(text)):], '\n')
		if i < 0 || strings.ContainsAny(text[from:from+i], "'\"`\\(){}<") {
			return 0, "an empty here-document that shells may read in different ways"
		}
		from += i + 1
	} else {
		from = int(rd.Hdoc.Pos().Offset())
	}
	if rd.Op == syntax.DashHdoc {
		for from > 0 && from <= len(text) && text[from-1] == '\t' {
			from--
		}
	}
	if from > len(text) || from > 0 && text[from-1] != '\n' {
		return 0, "a here-document that does not begin on a line of its own"
	}
	return from, ""
}

// heredoc checks that the body of a here-document is what bash takes for it:
// bash cuts it out of the text line by line before it looks for expansions,
// and joins lines that end in a backslash first.
func (r *run) heredoc(rd *syntax.Redirect) {
	delim, isQuoted, ok := delimiter(rd.Word)
	if !ok {
		r.find(idGuard, rd, "a here-document whose end shells look for in different ways")
		return
	}
	from, reason := r.bodyStart(rd)
	if reason != "" {
		r.find(idGuard, rd, reason)
		return
	}
	text := r.src.text
	end, next, ok := bodyEnd(text, from, delim, rd.Op == syntax.DashHdoc, !isQuoted)
	if !ok {
		r.find(idGuard, rd, "a here-document without an end")
		return
	}
	if r.printedAnew(rd, text[from:end], delim, from, next) {
		r.find(idGuard, rd, "a here-document in a substitution, which bash may take to end elsewhere")
	}
	if !r.bodyEnds(rd, from, end, isQuoted) {
		r.find(idGuard, rd, "a here-document that shells may read in different ways")
	}
	if rd.Hdoc == nil {
		return
	}
	if r.src.span > 0 && next > r.src.span {
		r.find(idGuard, rd, "a here-document that leaves its command substitution")
	}
	if !isQuoted && slices.ContainsFunc(rd.Hdoc.Parts, r.joinsQuoted) {
		r.find(idGuard, rd, "a line that goes on in a here-document, though quotes or a comment of a substitution seem to keep it")
	}
}

// bodyEnds reports whether the parser's last literal of a here-document is what bash
// has there.
func (r *run) bodyEnds(rd *syntax.Redirect, from, end int, isQuoted bool) bool {
	if rd.Hdoc == nil {
		return end == from
	}
	last, ok := rd.Hdoc.Parts[len(rd.Hdoc.Parts)-1].(*syntax.Lit)
	if !ok {
		return false
	}
	text := r.src.text
	for rd.Op == syntax.DashHdoc && end < len(text) && text[end] == '\t' {
		end++ // the parser keeps the tabs before the last line
	}
	at := int(last.Pos().Offset())
	return at <= end && bodyText(text[at:end], !isQuoted) == last.Value
}

// joinsQuoted reports whether a part of a here-document holds a line that goes on
// where its own syntax would end it: bash joins the lines of a here-document
// before it reads substitutions.
func (r *run) joinsQuoted(p syntax.WordPart) bool {
	text := r.source(p)
	return strings.Contains(text, "\\\n") && (strings.ContainsAny(text, "'#") || strings.Contains(text, "<<"))
}

// bodyEnd finds the line that ends a here-document as bash does. It returns
// where that line begins and where the line after it does.
func bodyEnd(text string, from int, delim string, tabs, joins bool) (end, next int, ok bool) {
	for at := from; at < len(text); {
		line := at
		logical := ""
		var joined []byte // the lines before, while they may still be the delimiter
		for {
			to := len(text)
			nl := strings.IndexByte(text[at:], '\n')
			if nl >= 0 {
				to = at + nl
			}
			piece := text[at:to]
			at = min(to+1, len(text))
			if joins && nl >= 0 && policy.Escapes(piece) {
				if len(joined) <= len(delim)+len(text[line:])/64 || len(joined) < 1024 {
					joined = append(joined, piece[:len(piece)-1]...)
				}
				continue
			}
			logical = piece
			if joined != nil {
				logical = string(append(joined, piece...))
			}
			break
		}
		if tabs {
			logical = strings.TrimLeft(logical, "\t")
		}
		if logical == delim {
			return line, at, true
		}
	}
	return len(text), len(text), false
}

// bodyText is the text that a piece of a here-document stands for. Tabs that
// <<- removes are still there.
func bodyText(s string, joins bool) string {
	if !joins || !strings.Contains(s, "\\\n") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
			if s[i] == '\n' {
				continue
			}
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// backquoted checks that `...` ends where bash ends it, at the first backquote
// without a backslash. It returns what stands between, and whether that has
// backslashes.
func (r *run) backquoted(cs *syntax.CmdSubst) (inner string, escaped bool) {
	if !cs.Backquotes {
		return "", false
	}
	ends := false
	if from, to := int(cs.Left.Offset())+1, int(cs.Right.Offset()); from <= to && to <= len(r.src.text) {
		inner = r.src.text[from:to]
		ends = unescaped(inner, '`') < 0
	}
	if !ends {
		r.find(idGuard, cs, "backquotes that end where the parser did not see it")
	}
	return inner, ends && strings.Contains(inner, `\`)
}

// unescape removes the backslashes that `...` needs, and lines that are
// continued, which quotes between do not keep apart.
func unescape(s string, inQuotes bool) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && s[i+1] == '\n' {
			i++
			continue
		}
		if s[i] == '\\' && i+1 < len(s) && (strings.IndexByte("$`\\", s[i+1]) >= 0 || inQuotes && s[i+1] == '"') {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

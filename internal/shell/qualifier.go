package shell

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// Qualifiers that zsh has behind a pattern, in parentheses.

// chooses reports whether a text is qualifiers of a pattern that only choose among
// what it matches, and order that (zshexpn(1), Glob Qualifiers). Others run code,
// change names, or let hidden files match.
func chooses(text string) bool {
	ok := text != ""
	for ok && text != "" {
		c, rest := text[0], text[1:]
		switch c {
		case 'o', 'O':
			text = past(rest, "nLlamcd")
			ok = len(text) < len(rest)
		case 'L':
			text, ok = amount(rest, "kmp")
		case 'a', 'm', 'c':
			text, ok = amount(rest, "Mwhms")
		case '[':
			var span string
			span, text, ok = strings.Cut(rest, "]")
			from, to, two := strings.Cut(span, ",")
			ok = ok && policy.IsNumber(from) && (!two || policy.IsNumber(to))
		default:
			text, ok = rest, strings.IndexByte("-^N/.@=p*%rwxAIERWXsStUG", c) >= 0
		}
	}
	return ok
}

// amount goes past a number, and the unit and the sign that it may have. It
// reports false where there is none.
func amount(text, units string) (rest string, ok bool) {
	text = past(past(text, units), "-+")
	rest = strings.TrimLeft(text, "0123456789")
	return rest, len(rest) < len(text)
}

// past goes past one of some signs, where the text begins with one.
func past(text, signs string) string {
	if text != "" && strings.IndexByte(signs, text[0]) >= 0 {
		return text[1:]
	}
	return text
}

// unqualified takes qualifiers away behind which the parser gave up, at an offset:
// they only choose among the matches of the pattern before them. It reports false
// where there are none.
func unqualified(text string, at int) (string, bool) {
	if at < 1 || at >= len(text) || text[at] != '(' {
		return text, false
	}
	end := strings.IndexByte(text[at:], ')')
	if end < 0 || !chooses(text[at+1:at+end]) {
		return text, false
	}
	end += at + 1
	if end < len(text) && strings.IndexByte(" \t\n;&|)", text[end]) < 0 {
		return text, false
	}
	word := text[strings.LastIndexAny(text[:at], " \t\n;&|()")+1 : at]
	if strings.ContainsAny(word, "'\"\\$`=<>{}~#^") || !strings.ContainsAny(word, "*?") {
		return text, false
	}
	return text[:at] + strings.Repeat(" ", end-at) + text[end:], true
}

// qualified reports whether what bash takes for a pattern of its own is a star
// with such qualifiers to zsh.
func (r *run) qualified(g *syntax.ExtGlob) bool {
	end := int(g.End().Offset())
	ends := end >= len(r.src.text) || strings.IndexByte(" \t\n;&|)", r.src.text[end]) >= 0
	return r.surely(morePatterns) && g.Op == syntax.GlobZeroOrMore && ends && chooses(g.Pattern.Value)
}

package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The bash of macOS is 3.2, of 2007. What later versions brought is an error to
// it, or something else; where the second can matter it is asked about, and where
// the first may leave a variable as it was the value is not known.

// old reports whether bash 3.2 may read the text.
func (r *run) old() bool { return r.in.Old && r.may(earlyBraces) }

// oldOnly finds what bash 3.2 reads in another way.
func (r *run) oldOnly(is bool, n syntax.Node, reason string) {
	if is && r.old() {
		r.find(idGuard, n, reason)
	}
}

// oldSubst finds substitutions that end elsewhere to bash 3.2. It looks for the
// closing parenthesis without reading what stands before it: one in a
// here-document, a case or a comment counts, and so does a quote.
func (r *run) oldSubst(cs *syntax.CmdSubst) {
	if !r.old() || cs.Backquotes || r.src.span != 0 {
		return // the outermost is looked at with all that it holds
	}
	text := r.source(cs)
	if !r.spend(len(text) / 256) {
		return
	}
	if strings.HasPrefix(text, "$(") && (oldSpan(text, 2, false) != len(text) || oldSpan(text, 2, true) != len(text)) {
		r.find(idGuard, cs, "a substitution that bash 3.2 takes to end elsewhere")
	}
}

// oldSpan returns where bash 3.2 takes a substitution to end whose text begins at
// i, or -1. Not every build of it knows comments there.
func oldSpan(s string, i int, comments bool) int {
	depth := 1
	for i >= 0 && i < len(s) {
		switch c := s[i]; {
		case c == '\\':
			i += 2
		case c == '\'':
			i = after(s, i+1, '\'')
		case c == '"':
			i = oldQuoted(s, i+1)
		case c == '`':
			i = after(s, i+1, '`')
		case c == '#' && comments && strings.IndexByte(" \t\n;&|(", s[i-1]) >= 0:
			if i = after(s, i, '\n'); i < 0 {
				return -1
			}
		case c == '(':
			depth++
			i++
		case c == ')':
			i++
			if depth--; depth == 0 {
				return i
			}
		default:
			i++
		}
	}
	return -1
}

// oldQuoted returns where double quotes end whose text begins at i, or -1.
func oldQuoted(s string, i int) int {
	depth := 0 // of substitutions inside, in which quotes quote again
	for i < len(s) {
		switch c := s[i]; {
		case c == '\\':
			i += 2
		case c == '"' && depth == 0:
			return i + 1
		case c == '"':
			if i = after(s, i+1, '"'); i < 0 {
				return -1
			}
		case c == '\'' && depth > 0:
			if i = after(s, i+1, '\''); i < 0 {
				return -1
			}
		case c == '$' && strings.HasPrefix(s[i:], "$("), c == '(' && depth > 0:
			depth++
			i += 1 + strings.IndexByte(s[i:], '(')
		case c == ')' && depth > 0:
			depth--
			i++
		default:
			i++
		}
	}
	return -1
}

// after returns the place behind the next byte of a kind, or -1.
func after(s string, i int, c byte) int {
	if i > len(s) {
		return -1
	}
	if at := strings.IndexByte(s[i:], c); at >= 0 {
		return i + at + 1
	}
	return -1
}

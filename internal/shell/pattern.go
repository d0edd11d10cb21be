package shell

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// glyph is one element of a pattern: a byte, "?" or "*".
type glyph struct {
	c    byte
	kind uint8 // 0 the byte c, '?', '*'
}

// compile reads a pattern of constants, "*" and "?". Other patterns, text beyond
// ASCII, and what extglob takes for a pattern, are not followed.
func compile(w policy.Word) ([]glyph, bool) {
	if w.Parts == nil {
		if extended(w.Text) {
			return nil, false
		}
		return literalGlyphs(nil, w.Text)
	}
	whole := ""
	for _, p := range w.Parts {
		whole += p.Text
	}
	if extended(whole) {
		return nil, false
	}
	var g []glyph
	ok := true
	for _, p := range w.Parts {
		switch p.Kind {
		case policy.Lit:
			g, ok = literalGlyphs(g, p.Text)
		case policy.Glob:
			for i := range len(p.Text) {
				if c := p.Text[i]; c == '*' || c == '?' {
					g = append(g, glyph{kind: c})
				} else {
					return nil, false
				}
			}
		default:
			return nil, false
		}
		if !ok {
			return nil, false
		}
	}
	return g, len(g) <= 64
}

func literalGlyphs(g []glyph, s string) ([]glyph, bool) {
	if !isASCII(s) {
		return nil, false
	}
	for i := range len(s) {
		g = append(g, glyph{c: s[i]})
	}
	return g, true
}

// matches reports whether a pattern matches all of a text.
func matches(g []glyph, s string) bool {
	i, j, star, from := 0, 0, -1, 0
	for j < len(s) {
		switch {
		case i < len(g) && g[i].kind == '*':
			star, from = i, j
			i++
		case i < len(g) && (g[i].kind == '?' || g[i].kind == 0 && g[i].c == s[j]):
			i++
			j++
		case star >= 0:
			from++
			i, j = star+1, from
		default:
			return false
		}
	}
	for i < len(g) && g[i].kind == '*' {
		i++
	}
	return i == len(g)
}

// strip applies # ## % %%.
func strip(v, pat policy.Word, op syntax.ParExpOperator) policy.Word {
	s, ok := v.Const()
	if !ok || len(s) > maxMatched || !isASCII(s) {
		return hole(policy.ShapeAny)
	}
	g, ok := compile(pat)
	if !ok {
		return hole(policy.ShapeAny)
	}
	ofSuffix := op == syntax.RemSmallSuffix || op == syntax.RemLargeSuffix
	for n := range len(s) + 1 {
		if op == syntax.RemLargePrefix || op == syntax.RemSmallSuffix {
			n = len(s) - n
		}
		part, rest := s[:n], s[n:]
		if ofSuffix {
			part, rest = rest, part
		}
		if matches(g, part) {
			return policy.Const(rest)
		}
	}
	return v
}

// substitute applies / // /# /% to a value.
func substitute(s string, pat policy.Word, with string, anchor byte, all bool) policy.Word {
	if len(s) > maxMatched || !isASCII(s) {
		return hole(policy.ShapeAny)
	}
	g, ok := compile(pat)
	if !ok {
		return hole(policy.ShapeAny)
	}
	if anchor != 0 {
		g = g[1:]
	}
	if len(g) == 0 {
		if anchor == 0 {
			return policy.Const(s)
		}
		return hole(policy.ShapeAny)
	}
	var b strings.Builder
	for i := 0; i <= len(s); {
		n := longest(g, s[i:])
		if anchor == '#' && i > 0 || anchor == '%' && i+n != len(s) {
			n = -1
		}
		if n <= 0 {
			if n == 0 {
				return hole(policy.ShapeAny) // "*" matches nothing here
			}
			if i < len(s) {
				b.WriteByte(s[i])
			}
			i++
			continue
		}
		b.WriteString(with)
		i += n
		if !all || i == len(s) {
			b.WriteString(s[i:])
			break
		}
	}
	return policy.Const(b.String())
}

// longest returns the length of the longest prefix that a pattern matches, or
// -1.
func longest(g []glyph, s string) int {
	for n := len(s); n >= 0; n-- {
		if matches(g, s[:n]) {
			return n
		}
	}
	return -1
}

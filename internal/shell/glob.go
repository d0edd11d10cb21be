package shell

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// glob adds unquoted text in which patterns count, and nothing else.
func (b *builder) glob(s string) {
	if !b.globs || !strings.ContainsAny(s, `*?[\(`) {
		b.lit(s)
		return
	}
	if strings.Contains(s, `\`) || extended(s) {
		// A backslash out of a variable is text, unless the word is a pattern.
		b.doubt = true
		b.part(policy.Part{Kind: policy.Glob, Text: s})
		return
	}
	start := 0
	for i := 0; i < len(s); {
		if strings.IndexByte("*?[", s[i]) < 0 {
			i++
			continue
		}
		b.lit(s[start:i])
		i += b.pattern(s[i:])
		start = i
	}
	b.lit(s[start:])
}

// extended reports whether text that is not read as syntax holds a pattern like
// @(a|b), should extglob be on.
func extended(s string) bool {
	for i := 1; i < len(s); i++ {
		if s[i] == '(' && strings.IndexByte("?*+@!", s[i-1]) >= 0 {
			return true
		}
	}
	return false
}

// pattern adds the pattern that the text begins with, and returns its length.
// A bracket whose end is not in sight is one for now.
func (b *builder) pattern(s string) int {
	n := globAt(s)
	if n == 0 {
		n = len(openBracket)
		b.doubt = true
	}
	b.part(policy.Part{Kind: policy.Glob, Text: s[:n]})
	return n
}

const openBracket = "["

// settle decides, when all of a word is there, which of its doubtful patterns
// are some: a bracket that a later part may close ([\b], ["b"], [$x, and what
// $x opens in ${x}b]), and a backslash beside another pattern. What such a
// bracket matches is not followed: its pieces match anything.
func (b *builder) settle() {
	first, last, live := b.brackets()
	bracket := first < last
	if !b.doubt && !bracket {
		return
	}
	parts := make([]policy.Part, 0, len(b.parts))
	add := func(p policy.Part) {
		if n := len(parts); p.Kind == policy.Lit && n > 0 && parts[n-1].Kind == policy.Lit {
			parts[n-1].Text += p.Text
		} else if p.Text != "" || p.Kind != policy.Lit {
			parts = append(parts, p)
		}
	}
	for i, p := range b.parts {
		inside := first < i && i <= last
		switch {
		case p.Kind == policy.Glob && p.Text == openBracket && i >= last,
			p.Kind == policy.Glob && strings.Contains(p.Text, `\`) && !live && !bracket:
			p.Kind = policy.Lit
		case p.Kind == policy.Lit && inside:
			n := len(p.Text)
			if i == last {
				n = strings.LastIndexByte(p.Text, ']') + 1
			}
			add(policy.Part{Kind: policy.Glob, Text: `\` + p.Text[:n]})
			p.Text = p.Text[n:]
		}
		add(p)
	}
	b.parts, b.doubt = parts, false
	if len(parts) == 1 && parts[0].Kind == policy.Lit {
		b.parts, b.text = nil, parts[0].Text
	}
}

// brackets returns the first part of a word that may open a bracket and the last that
// may close one, and whether another pattern is there.
func (b *builder) brackets() (first, last int, live bool) {
	first, last = len(b.parts), -1
	for i, p := range b.parts {
		switch {
		case p.Kind == policy.Split && !p.Shape.Numeric():
			first = min(first, i)
			last = i
			live = true
		case p.Kind == policy.Glob && p.Text == openBracket:
			first = min(first, i)
		case p.Kind == policy.Glob:
			live = live || !strings.Contains(p.Text, `\`) || strings.ContainsAny(p.Text, "*?[(")
			fallthrough
		case p.Kind == policy.Lit:
			if strings.Contains(p.Text, "]") {
				last = i
			}
		}
	}
	return first, last, live
}

// slashInBracket reports whether a slash may stand inside the bracket that the
// text begins with, which the rest of the word may close.
func slashInBracket(s string, rest []syntax.WordPart) bool {
	_, after, slash := strings.Cut(s, "/")
	if slash && strings.Contains(after, "]") {
		return globAt(s) == 0
	}
	for _, p := range rest {
		l, ok := p.(*syntax.Lit)
		if !ok {
			continue
		}
		if slash && strings.Contains(l.Value, "]") {
			return true
		}
		if _, after, ok := strings.Cut(l.Value, "/"); ok {
			slash = true
			if strings.Contains(after, "]") {
				return true
			}
		}
	}
	return false
}

// globAt returns the length of the pattern that s begins with, or 0.
func globAt(s string) int {
	switch s[0] {
	case '*', '?':
		n := 1
		for n < len(s) && (s[n] == '*' || s[n] == '?') {
			n++
		}
		return n
	case '[':
		i := 1
		if i < len(s) && (s[i] == '!' || s[i] == '^') {
			i++
		}
		if i < len(s) && s[i] == ']' {
			i++
		}
		for ; i < len(s); i++ {
			switch s[i] {
			case '[':
				if i+1 < len(s) && s[i+1] == ':' { // a class: [[:alpha:]]
					if n := strings.Index(s[i:], ":]"); n > 0 {
						i += n + 1
					}
				}
			case ']':
				return i + 1
			case '/', '\\', '\'', '"':
				return 0
			}
		}
	}
	return 0
}

// extGlob adds a pattern like @(a|b). The parser keeps it as raw text.
func (r *run) extGlob(b *builder, g *syntax.ExtGlob, ctx context) {
	if r.qualified(g) && b.split {
		b.part(policy.Part{Kind: policy.Glob, Text: "*"})
		return
	}
	text := g.Op.String() + r.unmap(g.Pattern.Value) + ")"
	if strings.ContainsAny(g.Pattern.Value, "$`'\"<>\\") {
		r.find(idGuard, g, "a pattern that may hold a command substitution")
	}
	if strings.Contains(g.Pattern.Value, "\n") {
		// Where extglob is off it is a syntax error, after which bash goes on
		// with the next line.
		r.find(idGuard, g, "a pattern over several lines, which may be lines of their own")
	}
	if ctx.inQuotes() {
		r.find(idGuard, g, "a pattern where there can be none")
	}
	r.zshGlob(b, g)
	b.part(policy.Part{Kind: policy.Glob, Text: text})
}

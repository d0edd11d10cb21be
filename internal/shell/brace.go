package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// atom is a piece of a word for brace expansion: text without a meaning of its
// own, one of "{", "," and "}", or a part that is not literal.
type atom struct {
	part syntax.WordPart
	text string
	sign byte
}

// braces returns the words that {a,b} and {1..3} make of a word, or nil if it
// has none. It reports false for a word whose braces are not followed, which
// is asked about unless its values are not known either.
//
// Bash expands braces in the text of the word, before it looks for parameters:
// $c{o,} is $co $c.
func (r *run) braces(w *syntax.Word) ([][]syntax.WordPart, bool) {
	if r.bracesInQuotes(w) {
		r.find(idGuard, w, "braces in quotes that brace expansion takes for the ends of others")
		return nil, false
	}
	if r.may(lateBraces) {
		for i := 1; i < len(w.Parts); i++ {
			if l, ok := w.Parts[i-1].(*syntax.Lit); ok {
				r.zshDollar(l, w.Parts[i])
			}
		}
		if r.zshCounts(w) {
			return nil, false
		}
	}
	if !mayBrace(w) {
		return nil, true
	}
	if r.may(plainOnly) {
		r.find(idPOSIX, w, "braces that bash called as sh expands, and other shells leave alone")
		return nil, false
	}
	if r.zshSplits(w.Parts) {
		return nil, false
	}
	atoms := atomize(w)
	if unbalanced(atoms) || slices.ContainsFunc(w.Parts, r.oddBraces) {
		r.find(idGuard, w, "braces that do not close as they open")
		return nil, false
	}
	all, ok := expandBraces(atoms, r.may(lateBraces))
	if !ok {
		r.find(idLimit, w, "braces that make too many words")
		return nil, false
	}
	if len(all) == 1 && len(all[0]) == len(atoms) && !slices.ContainsFunc(all[0], isUnfollowed) {
		return nil, true
	}
	words := make([][]syntax.WordPart, len(all))
	for i, seq := range all {
		if words[i], ok = assemble(seq, w); !ok {
			r.find(idGuard, w, "braces that change the name of a variable")
			return nil, false
		}
	}
	return words, true
}

// bracesInQuotes reports whether a word may have braces where only brace
// expansion sees them: to it the second quote of "${x%"{a,b}"}" ends the first,
// and the braces stand in no quotes.
func (r *run) bracesInQuotes(w *syntax.Word) bool {
	if !r.may(earlyBraces) {
		return false
	}
	for _, p := range w.Parts {
		q, ok := p.(*syntax.DblQuoted)
		if !ok {
			continue
		}
		for _, p := range q.Parts {
			switch p := p.(type) {
			case *syntax.ParamExp:
				if p.Short {
					continue
				}
			case *syntax.CmdSubst:
				if !p.Backquotes {
					continue
				}
			default:
				continue
			}
			text := r.source(p)
			if !strings.Contains(text, `"`) {
				continue
			}
			whole := r.source(w)
			if strings.Contains(whole, ",") || strings.Contains(whole, "..") {
				return openBrace(text) || openBrace(whole)
			}
		}
	}
	return false
}

// openBrace reports whether a text has a brace that does not belong to an
// expansion.
func openBrace(text string) bool {
	for i := range len(text) {
		if text[i] == '{' && (i == 0 || text[i-1] != '$') {
			return true
		}
	}
	return false
}

// mayBrace reports whether a word has an opening brace and a separator.
func mayBrace(w *syntax.Word) bool {
	open, sep := false, false
	for _, p := range w.Parts {
		l, ok := p.(*syntax.Lit)
		if !ok {
			continue
		}
		open = open || strings.Contains(l.Value, "{")
		sep = sep || open && (strings.Contains(l.Value, ",") || strings.Contains(l.Value, ".."))
	}
	return open && sep
}

// oddBraces reports whether an expansion holds braces that brace expansion,
// which counts them all, would not see closed: ${y-{}.
func (r *run) oddBraces(p syntax.WordPart) bool {
	if _, ok := p.(*syntax.ParamExp); !ok {
		return false
	}
	text := r.source(p)
	return strings.Count(text, "{") != strings.Count(text, "}") || strings.Contains(text, `\`) && strings.Count(text, "{") > 1
}

func atomize(w *syntax.Word) []atom {
	var atoms []atom
	for _, p := range w.Parts {
		l, ok := p.(*syntax.Lit)
		if !ok {
			atoms = append(atoms, atom{part: p})
			continue
		}
		s, start := l.Value, 0
		for i := 0; i < len(s); i++ {
			switch s[i] {
			case '\\':
				i++
			case '{', ',', '}':
				if start < i {
					atoms = append(atoms, atom{text: s[start:i]})
				}
				atoms = append(atoms, atom{text: s[i : i+1], sign: s[i]})
				start = i + 1
			}
		}
		if start < len(s) {
			atoms = append(atoms, atom{text: s[start:]})
		}
	}
	return atoms
}

func expandBraces(atoms []atom, zsh bool) ([][]atom, bool) {
	open := -1
	for i := range atoms {
		if atoms[i].sign == '{' {
			open = i
			break
		}
	}
	if open < 0 {
		return [][]atom{atoms}, true
	}
	depth, end := 0, -1
	commas := []int{open}
	for i := open; i < len(atoms) && end < 0; i++ {
		switch atoms[i].sign {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				end = i
			}
		case ',':
			if depth == 1 {
				commas = append(commas, i)
			}
		}
	}
	var middles [][]atom
	switch {
	case len(commas) > 1:
		for i, from := range commas {
			to := end
			if i+1 < len(commas) {
				to = commas[i+1]
			}
			elems, ok := expandBraces(atoms[from+1:to], zsh)
			if !ok {
				return nil, false
			}
			middles = append(middles, elems...)
		}
	default:
		inner := atoms[open+1 : end]
		if len(inner) == 1 && inner[0].part == nil && strings.Contains(inner[0].text, "..") {
			seq, ok := sequence(inner[0].text, zsh)
			if !ok {
				seq = [][]atom{loose(atoms[open : end+1])}
			}
			middles = seq
			break
		}
		if slices.ContainsFunc(inner, func(a atom) bool { return strings.Contains(a.text, "..") }) {
			middles = [][]atom{loose(atoms[open : end+1])} // zsh counts to $x in {1..$x}
			break
		}
		elems, ok := expandBraces(inner, zsh)
		if !ok {
			return nil, false
		}
		for _, e := range elems {
			middle := append([]atom{{text: "{"}}, e...)
			middles = append(middles, append(middle, atom{text: "}"}))
		}
	}
	tails, ok := expandBraces(atoms[end+1:], zsh)
	if !ok || len(middles)*len(tails) > maxBraces {
		return nil, false
	}
	all := make([][]atom, 0, len(middles)*len(tails))
	for _, m := range middles {
		for _, t := range tails {
			seq := make([]atom, 0, open+len(m)+len(t))
			seq = append(append(append(seq, atoms[:open]...), m...), t...)
			all = append(all, seq)
		}
	}
	return all, true
}

// unbalanced reports whether bash may pair the braces in another way than by
// counting them: it finds some inside one that stays open, and to it the first
// closing brace of {a},b} is text.
func unbalanced(atoms []atom) bool {
	var open []bool // whether a separator is in them
	bare := false   // some braces closed that hold no separator of their own
	for i, a := range atoms {
		if n := len(open); n > 0 && a.sign != '}' {
			if at := strings.Index(a.text, ".."); a.sign == ',' || at >= 0 && (at+2 < len(a.text) || i+1 < len(atoms) && atoms[i+1].sign != '}') {
				open[n-1] = true
			}
		}
		switch a.sign {
		case '{':
			open = append(open, false)
		case '}':
			n := len(open)
			if n == 0 {
				if bare {
					return true
				}
				continue
			}
			bare = bare || !open[n-1]
			open = open[:n-1]
		}
	}
	return len(open) > 0
}

// unfollowed is text of braces that become any number of words.
type unfollowed struct{ *syntax.Lit }

func isUnfollowed(a atom) bool {
	_, ok := a.part.(unfollowed)
	return ok
}

// loose replaces the text of braces by what may be anything.
func loose(atoms []atom) []atom {
	out := slices.Clone(atoms)
	for i, a := range out {
		if a.part == nil {
			out[i] = atom{part: unfollowed{&syntax.Lit{Value: a.text}}}
		}
	}
	return out
}

// onlyNumbers reports whether a word is nothing but {1..1000}.
func onlyNumbers(w *syntax.Word) bool {
	from, to, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(w.Lit(), "{"), "}"), "..")
	_, err1 := strconv.ParseUint(from, 10, 31)
	_, err2 := strconv.ParseUint(to, 10, 31)
	return ok && err1 == nil && err2 == nil && len(w.Lit()) == len(from)+len(to)+len("{..}")
}

// sequence expands {1..5}, {a..e} and {1..9..2}. What bash leaves as it is
// comes back as one element. zsh expands some of that, and counts down where
// the step is negative.
func sequence(s string, zsh bool) ([][]atom, bool) {
	ends := strings.Split(s, "..")
	literal := [][]atom{{{text: "{" + s + "}"}}}
	if len(ends) < 2 || len(ends) > 3 {
		return literal, !zsh
	}
	step := 1
	if len(ends) == 3 {
		n, err := strconv.Atoi(ends[2])
		if err != nil {
			return literal, !zsh
		}
		if zsh && (n <= 0 || ends[2][0] == '0') {
			return nil, false
		}
		step = max(1, max(n, -n))
	}
	from, err1 := strconv.Atoi(ends[0])
	to, err2 := strconv.Atoi(ends[1])
	letters := len(ends[0]) == 1 && len(ends[1]) == 1 && isLetter(ends[0][0]) && isLetter(ends[1][0])
	switch {
	case letters && zsh && len(ends) == 3:
		return nil, false
	case letters:
		from, to = int(ends[0][0]), int(ends[1][0])
	case err1 != nil || err2 != nil:
		return literal, !zsh
	}
	width := 0 // of numbers padded with zeros
	for _, end := range ends[:2] {
		if digits := strings.TrimPrefix(end, "-"); len(digits) > 1 && digits[0] == '0' && !letters {
			width = max(len(ends[0]), len(ends[1]))
		}
	}
	if zsh && strings.Contains(s, "+") {
		return nil, false
	}
	if width > 0 && (zsh && len(ends) == 3 || strings.ContainsAny(s, "+-")) {
		return nil, false
	}
	count := max(to-from, from-to)/step + 1
	if count > maxBraces || count <= 0 {
		return nil, false
	}
	all := make([][]atom, 0, count)
	for i := range count {
		n := from + i*step
		if to < from {
			n = from - i*step
		}
		text := strconv.Itoa(n)
		if pad := width - len(text); pad > 0 {
			text = strings.Repeat("0", pad) + text
		}
		if letters {
			if c := byte(n); c == '\\' || c == '`' || !isLetter(c) {
				return nil, false // {Z..a} passes signs that quote
			}
			text = string(rune(n))
		}
		all = append(all, []atom{{text: text}})
	}
	return all, true
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// assemble makes the parts of a word of atoms. It reports false where text
// came to stand after a parameter whose name would go on in it.
func assemble(seq []atom, w *syntax.Word) ([]syntax.WordPart, bool) {
	parts := make([]syntax.WordPart, 0, len(seq))
	for i := 0; i < len(seq); {
		if p := seq[i].part; p != nil {
			parts = append(parts, p)
			i++
			continue
		}
		text := ""
		j := i
		for ; j < len(seq) && seq[j].part == nil; j++ {
			text += seq[j].text
		}
		if i > 0 && text != "" {
			if pe, ok := seq[i-1].part.(*syntax.ParamExp); ok && pe.Short && (isNameByte(text[0]) || text[0] == '[') {
				return nil, false
			}
		}
		i = j
		parts = append(parts, &syntax.Lit{ValuePos: w.Pos(), ValueEnd: w.End(), Value: text})
	}
	return parts, true
}

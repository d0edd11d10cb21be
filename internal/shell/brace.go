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
		return nil, false
	}
	if r.may(lateBraces) {
		for i := 1; i < len(w.Parts); i++ {
			if l, ok := w.Parts[i-1].(*syntax.Lit); ok {
				r.zshDollar(l, w.Parts[i])
			}
		}
		if r.zshCounts(w) || dotsApart(w) {
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

// dotsApart reports whether quotes of nothing stand in braces with dots, which zsh takes
// for two dots that meet: {1.”.3}.
func dotsApart(w *syntax.Word) bool {
	empty := slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
		switch p := p.(type) {
		case *syntax.SglQuoted:
			return p.Value == ""
		case *syntax.DblQuoted:
			return len(p.Parts) == 0
		}
		return false
	})
	has := func(sign string) bool {
		return slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
			l, ok := p.(*syntax.Lit)
			return ok && strings.Contains(l.Value, sign)
		})
	}
	return empty && has("{") && has(".")
}

// bracesInQuotes finds braces where only brace expansion sees them, and reports
// whether a word may have some: to it the second quote of "${x%"{a,b}"}" ends the first,
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
				found := openBrace(text) || openBrace(whole)
				if found {
					r.find(idGuard, w, "braces in quotes that brace expansion takes for the ends of others")
				}
				return found
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

// expandBraces returns the words that the first pair of braces and those behind it
// make.
func expandBraces(atoms []atom, zsh bool) ([][]atom, bool) {
	open, end, commas := firstPair(atoms)
	if open < 0 {
		return [][]atom{atoms}, true
	}
	middles, ok := alternatives(atoms[:end+1], commas, zsh)
	if !ok {
		return nil, false
	}
	tails, ok := expandBraces(atoms[end+1:], zsh)
	if !ok || len(middles)*len(tails) > maxBraces {
		return nil, false
	}
	all := make([][]atom, 0, len(middles)*len(tails))
	for _, m := range middles {
		for _, t := range tails {
			all = append(all, slices.Concat(atoms[:open], m, t))
		}
	}
	return all, true
}

// firstPair finds the first braces: where they open, -1 for none, where they end, and
// what begins their elements: the brace and its own commas.
func firstPair(atoms []atom) (open, end int, starts []int) {
	open = slices.IndexFunc(atoms, func(a atom) bool { return a.sign == '{' })
	if open < 0 {
		return open, -1, nil
	}
	depth := 0
	for end = open; end < len(atoms); end++ {
		switch atoms[end].sign {
		case '{':
			if depth++; depth == 1 {
				starts = append(starts, end)
			}
		case '}':
			if depth--; depth == 0 {
				return open, end, starts
			}
		case ',':
			if depth == 1 {
				starts = append(starts, end)
			}
		}
	}
	return open, -1, starts
}

// alternatives are what a pair of braces may be, the last of the atoms.
func alternatives(atoms []atom, starts []int, zsh bool) (all [][]atom, ok bool) {
	end := len(atoms) - 1
	if len(starts) > 1 {
		for i, from := range starts {
			to := end
			if i+1 < len(starts) {
				to = starts[i+1]
			}
			elems, ok := expandBraces(atoms[from+1:to], zsh)
			if !ok {
				return nil, false
			}
			all = append(all, elems...)
		}
		return all, true
	}
	inner := atoms[starts[0]+1 : end]
	if slices.ContainsFunc(inner, func(a atom) bool { return strings.Contains(a.text, "..") }) {
		if len(inner) == 1 {
			if seq, ok := sequence(inner[0].text, zsh); ok {
				return seq, true
			}
		}
		return [][]atom{loose(atoms[starts[0]:])}, true // zsh counts to $x in {1..$x}
	}
	elems, ok := expandBraces(inner, zsh)
	if !ok {
		return nil, false
	}
	for _, e := range elems {
		all = append(all, slices.Concat([]atom{{text: "{"}}, e, []atom{{text: "}"}}))
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
	q, ok := spanOf(ends)
	if !ok {
		return [][]atom{{{text: "{" + s + "}"}}}, !zsh
	}
	stepped := len(ends) == 3
	switch {
	case zsh && (strings.Contains(s, "+") || stepped && (q.letters || q.width > 0 || q.step <= 0 || ends[2][0] == '0')):
		return nil, false
	case q.width > 0 && strings.ContainsAny(s, "+-"):
		return nil, false
	}
	return q.atoms()
}

// span is a sequence between braces.
type span struct {
	from, to, step int
	letters        bool
	width          int // of numbers padded with zeros
}

// spanOf reads the ends of a sequence, and its step.
func spanOf(ends []string) (q span, ok bool) {
	if len(ends) < 2 || len(ends) > 3 {
		return q, false
	}
	q.step = 1
	var err1, err2, err3 error
	if len(ends) == 3 {
		q.step, err3 = strconv.Atoi(ends[2])
	}
	if a, b := ends[0], ends[1]; len(a) == 1 && len(b) == 1 && isLetter(a[0]) && isLetter(b[0]) {
		q.from, q.to, q.letters = int(a[0]), int(b[0]), true
		return q, err3 == nil
	}
	q.from, err1 = strconv.Atoi(ends[0])
	q.to, err2 = strconv.Atoi(ends[1])
	for _, end := range ends[:2] {
		if digits := strings.TrimPrefix(end, "-"); len(digits) > 1 && digits[0] == '0' {
			q.width = max(len(ends[0]), len(ends[1]))
		}
	}
	return q, err1 == nil && err2 == nil && err3 == nil
}

// atoms are the elements of a sequence. It reports false where they are too many, or
// quote.
func (q span) atoms() ([][]atom, bool) {
	step := max(1, q.step, -q.step)
	count := max(q.to-q.from, q.from-q.to)/step + 1
	if count > maxBraces || count <= 0 {
		return nil, false
	}
	if q.to < q.from {
		step = -step
	}
	all := make([][]atom, 0, count)
	for i := range count {
		n := q.from + i*step
		text := strconv.Itoa(n)
		if pad := q.width - len(text); pad > 0 {
			text = strings.Repeat("0", pad) + text
		}
		if q.letters {
			if !isLetter(byte(n)) {
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

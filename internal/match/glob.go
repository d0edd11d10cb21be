package match

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// Glob reports whether all of s matches pattern: * is any text, ? one
// character, [a-z] and [!a-z] one of a set, and a backslash makes the next
// byte plain. A set without its bracket is plain text. Time is linear in s
// for each * of the pattern, whatever they hold.
func Glob(pattern, s string) bool {
	if pattern == "*" {
		return true
	}
	if len(pattern) > 0 && len(s) > 0 {
		if c := pattern[0]; c != s[0] && !isWildcard(c) {
			return false // mostly
		}
		switch end := pattern[len(pattern)-1]; end {
		case '*', '?', ']', '\\':
		case s[len(s)-1]:
		default:
			return false // mostly
		}
	}
	// Only the last star is ever moved: an earlier one that matched less can
	// always be made up for by a later one.
	star, from := -1, 0
	p, i := 0, 0
	for i < len(s) {
		if p < len(pattern) && pattern[p] == '*' {
			star, from = p, i
			p++
			continue
		}
		if p < len(pattern) {
			if c := pattern[p]; c != '?' && c != '[' && c != '\\' { // mostly
				if c == s[i] {
					p, i = p+1, i+1
					continue
				}
			} else if np, ni, ok := globStep(pattern, p, s, i); ok {
				p, i = np, ni
				continue
			}
		}
		if star < 0 {
			return false
		}
		from++
		p, i = star+1, from
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// globStep matches one element of the pattern at one place of the text and
// returns what follows both.
func globStep(pattern string, p int, s string, i int) (int, int, bool) {
	switch pattern[p] {
	case '?':
		return p + 1, i + runeLen(s[i:]), true
	case '[':
		if end, in := globSet(pattern[p:], s[i:]); end > 0 {
			return p + end, i + runeLen(s[i:]), in
		}
	case '\\':
		if p+1 < len(pattern) {
			return p + 2, i + 1, pattern[p+1] == s[i]
		}
	}
	return p + 1, i + 1, pattern[p] == s[i]
}

// globSet reads the set at the start of pattern. It returns its length, 0 if
// it is none, and whether the first character of s is in it.
func globSet(pattern, s string) (int, bool) {
	p := 1
	not := p < len(pattern) && (pattern[p] == '!' || pattern[p] == '^')
	if not {
		p++
	}
	c := s[:runeLen(s)]
	in := false
	for first := true; p < len(pattern); first = false {
		if pattern[p] == ']' && !first {
			return p + 1, in != not
		}
		if pattern[p] == '\\' && p+1 < len(pattern) {
			p++
		}
		lo := pattern[p : p+runeLen(pattern[p:])]
		p += len(lo)
		hi := lo
		if p+1 < len(pattern) && pattern[p] == '-' && pattern[p+1] != ']' {
			p++
			hi = pattern[p : p+runeLen(pattern[p:])]
			p += len(hi)
		}
		// UTF-8 sorts as its characters do.
		if lo <= c && c <= hi {
			in = true
		}
	}
	return 0, false
}

// runeLen is the length of the character at the start of s, which is not
// empty. Invalid bytes are characters of their own.
func runeLen(s string) int {
	n := 1
	switch {
	case s[0] >= 0xf0:
		n = 4
	case s[0] >= 0xe0:
		n = 3
	case s[0] >= 0xc0:
		n = 2
	}
	if n > len(s) {
		return 1
	}
	for _, b := range []byte(s[1:n]) {
		if b&0xc0 != 0x80 {
			return 1
		}
	}
	return n
}

// IsGlob reports whether the text holds wildcards.
func IsGlob(s string) bool {
	for i := range len(s) {
		if c := s[i]; c == '*' || c == '?' || c == '[' {
			return true
		}
	}
	return false
}

// AnyGlob reports whether one of the globs matches s and none that begins
// with "!" does. A list of exclusions alone matches everything else.
func AnyGlob(globs []string, s string) bool {
	in, only := false, true
	for _, g := range globs {
		if g != "" && g[0] == '!' {
			if Glob(g[1:], s) {
				return false
			}
			continue
		}
		only = false
		in = in || Glob(g, s)
	}
	return in || only
}

// globWord is Glob for a word that may hold unknown parts.
func globWord(pattern string, w policy.Word) policy.Tri {
	if w.Parts == nil {
		return policy.Sure(Glob(pattern, w.Text))
	}
	if pattern == "*" {
		return policy.Yes
	}
	prefix := w.Prefix()
	head := pattern
	if i := strings.IndexAny(pattern, "*?[\\"); i >= 0 {
		head = pattern[:i]
	}
	n := min(len(head), len(prefix))
	if head[:n] != prefix[:n] {
		return policy.No
	}
	if len(prefix) >= len(head) && pattern[len(head):] == "*" && !w.MaySplit() {
		return policy.Yes
	}
	if !mayMatch(pattern, w) {
		return policy.No
	}
	return policy.Maybe
}

// mayMatch reports whether a word may match a glob for all that is known of the
// values in it: those of names and numbers hold no other signs, and what a
// wildcard stands for in a name of a file holds no slash.
func mayMatch(pattern string, w policy.Word) bool {
	var atoms []byte // of the word; a sign for a value
	for i, p := range w.Parts {
		switch {
		case p.Kind == policy.Lit:
			if strings.ContainsRune(p.Text, '(') && w.HasGlob() {
				return true // zsh may make another name of the one that is found
			}
			atoms = append(atoms, p.Text...)
		case p.Kind == policy.Glob && (p.Text == "*" || p.Text == "?") && (i == 0 || w.Parts[i-1].Kind != policy.Glob):
			atoms = append(atoms, fileSign)
		case p.Kind != policy.Glob && (p.Shape == policy.ShapeName || p.Shape.Numeric()):
			atoms = append(atoms, nameSign)
		case p.Kind != policy.Glob && p.Match != "" && !strings.ContainsAny(p.Match, "/(") && !strings.Contains(p.Match, "**"):
			atoms = append(atoms, fileSign)
		default:
			return true
		}
	}
	if strings.ContainsAny(pattern, "[\\?") || len(pattern)*len(atoms) > maxHeldAgainst {
		pattern = loosened(pattern)
	}
	return len(pattern)*len(atoms) > maxHeldAgainst || overlap(pattern, atoms)
}

const (
	nameSign       = 0       // stands for any number of the signs that names and numbers are of
	fileSign       = 1       // stands for any number of signs but slashes
	maxHeldAgainst = 1 << 14 // signs of a glob times those of a word
)

// loosened is a glob that matches all that another one does, with "*" for all
// wildcards.
func loosened(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; c {
		case '[':
			end := strings.IndexByte(pattern[i+1:], ']')
			if end < 1 || pattern[i+1] == '!' && end == 1 { // []a] holds one
				return b.String() + "*"
			}
			i += 1 + end
			b.WriteByte('*')
		case '\\':
			return b.String() + "*"
		case '?':
			b.WriteByte('*')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// overlap reports whether some text is matched by a glob whose only wildcard is
// "*", and is one that the signs of a word stand for.
func overlap(pattern string, atoms []byte) bool {
	may := make([]bool, len(atoms)+1) // whether what is left of the glob may match what is left of the word
	may[len(atoms)] = true
	for k := len(atoms) - 1; k >= 0; k-- {
		may[k] = atoms[k] <= fileSign && may[k+1]
	}
	for i := len(pattern) - 1; i >= 0; i-- {
		c := pattern[i]
		next := make([]bool, len(atoms)+1)
		next[len(atoms)] = c == '*' && may[len(atoms)]
		for k := len(atoms) - 1; k >= 0; k-- {
			switch {
			case c == '*':
				next[k] = may[k] || next[k+1]
			case atoms[k] == nameSign:
				next[k] = next[k+1] || isNameSign(c) && may[k]
			case atoms[k] == fileSign:
				next[k] = next[k+1] || c != '/' && may[k]
			default:
				next[k] = lowered(atoms[k]) == lowered(c) && may[k+1]
			}
		}
		may = next
	}
	return may[0]
}

func isNameSign(c byte) bool {
	return c == '@' || c == '^' || c == '~' || c == '-' || c >= '0' && c <= '9' || lowered(c) >= 'a' && lowered(c) <= 'z'
}

func lowered(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// anyGlobWord is AnyGlob for a word that may hold unknown parts.
func anyGlobWord(globs []string, w policy.Word) policy.Tri {
	if w.Parts == nil {
		return policy.Sure(AnyGlob(globs, w.Text))
	}
	in, out, only := policy.No, policy.No, true
	for _, g := range globs {
		if rest, ok := strings.CutPrefix(g, "!"); ok {
			out = max(out, globWord(rest, w))
			continue
		}
		only = false
		in = max(in, globWord(g, w))
	}
	if only {
		in = policy.Yes
	}
	return min(in, out.Not())
}

// maxBraces is how many patterns one with braces may stand for, and how many
// braces it may hold.
const maxBraces = 64

// Braces lists the patterns of paths that one with alternatives in braces
// stands for: *.{ts,js} is *.ts and *.js. Braces without a comma are plain text.
// Where it stands for too many, everything in the directory before the braces is
// meant, and whole is false.
func Braces(pattern string) (list []string, whole bool) {
	list = []string{pattern}
	if strings.Count(pattern, "{") > maxBraces {
		return everything(pattern), false
	}
	for i := 0; i < len(list); {
		before, alternatives, after := alternatives(list[i])
		if alternatives == nil {
			i++
			continue
		}
		if len(list)+len(alternatives) > maxBraces {
			return everything(pattern), false
		}
		for k, a := range alternatives {
			alternatives[k] = before + a + after
		}
		list = slices.Replace(list, i, i+1, alternatives...)
	}
	return list, true
}

// everything is what a pattern with braces means at the most.
func everything(pattern string) []string {
	dir := pattern[:strings.IndexByte(pattern, '{')]
	return []string{dir[:strings.LastIndexByte(dir, '/')+1] + "**"}
}

// alternatives cuts a pattern at its first braces with a comma, which may hold
// others; nil: there are none.
func alternatives(pattern string) (before string, list []string, after string) {
	for open := range len(pattern) {
		if pattern[open] != '{' {
			continue
		}
		depth, from := 0, open+1
		list = nil
		for i := open; i < len(pattern); i++ {
			switch c := pattern[i]; {
			case c == '{':
				depth++
			case c == ',' && depth == 1:
				list = append(list, pattern[from:i])
				from = i + 1
			case c == '}' && depth > 1:
				depth--
			case c == '}' && list != nil:
				return pattern[:open], append(list, pattern[from:i]), pattern[i+1:]
			case c == '}':
				depth = 0
			}
			if depth == 0 {
				break
			}
		}
	}
	return pattern, nil, ""
}

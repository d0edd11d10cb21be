package shell

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bashgate/bashgate/policy"
)

// crRune stands for a carriage return while mvdan's parser reads a text. The
// parser takes the byte for a blank; for bash it is an ordinary character. The
// rune is from the private use area, which the guard asks about.
const crRune = '\uE00D'

// guarded is what one pass over the bytes of a text finds.
type guarded struct {
	cr            bool // there is a carriage return
	hash          bool // a "#" may be a comment that mvdan and bash see differently
	cut           int  // length of the part within the limits
	reason        string
	open, counted int // expansions in braces that are open behind so many bytes
	hits          [4]guardHit
	nhits         int
}

type guardHit struct {
	reason    string
	offset    int
	line, col int
	width     int
	zsh       bool // counts where zsh may run the text
}

// reasonJoin is of zshJoins.
const reasonJoin = "a line is joined to the next one where zsh reads on in another way"

func (g *guarded) hit(reason string, s string, i, width int) {
	for _, h := range g.hits[:g.nhits] {
		if h.reason == reason {
			return
		}
	}
	if g.nhits == len(g.hits) {
		return
	}
	before := s[:i]
	start := strings.LastIndexByte(before, '\n') + 1
	g.hits[g.nhits] = guardHit{reason, i, strings.Count(before, "\n") + 1, i - start + 1, width, reason == reasonJoin}
	g.nhits++
}

// Classes of bytes. Bytes without one need no look.
const (
	byteControl = 1 << iota
	byteOpener
	byteWeak
	byteCloser
	byteOther // looked at by scan
)

var byteClass = [256]uint8{
	0: byteControl, 1: byteControl, 2: byteControl, 3: byteControl, 4: byteControl, 5: byteControl, 6: byteControl, 7: byteControl,
	8: byteControl, 11: byteControl, 12: byteControl, 13: byteControl, 14: byteControl, 15: byteControl,
	16: byteControl, 17: byteControl, 18: byteControl, 19: byteControl, 20: byteControl, 21: byteControl, 22: byteControl, 23: byteControl,
	24: byteControl, 25: byteControl, 26: byteControl, 27: byteControl, 28: byteControl, 29: byteControl, 30: byteControl, 31: byteControl,
	127: byteControl,
	'(': byteOpener, '{': byteOpener, '[': byteOpener, '`': byteOpener,
	')': byteCloser, '}': byteCloser, ']': byteCloser,
	'?': byteWeak, '!': byteWeak,
	'\\': byteOther, '#': byteOther,
}

// scan looks at every byte of a text once: for what a person cannot see, for
// line joins that hide an operator, for comments that need a second look, and
// for the limits.
func scan(s string) guarded {
	g, s := limited(s)
	depth, openers, weak := 0, 0, 0
	hash := -1 // the last "#"
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, width := utf8.DecodeRuneInString(s[i:])
			if reason := invisible(r, width, s[:i]); reason != "" {
				g.hit(reason, s, i, width)
			}
			i += width - 1
			continue
		}
		class := byteClass[c]
		if class == 0 {
			continue
		}
		switch {
		case class == byteOpener:
			depth++
			openers++
			if depth > maxDepth || openers > maxOpeners {
				g.limit(i)
				return g
			}
		case class == byteCloser:
			if depth > 0 {
				depth--
			}
		case class == byteWeak:
			if weak++; weak > maxWeak {
				g.limit(i)
				return g
			}
		case class == byteControl:
			g.cr = g.cr || c == '\r'
			g.hit(controlReason(c), s, i, 1)
		case c == '#':
			hash = i
			if i > 0 && !commentMayFollow(s[:i]) {
				g.hash = true
			}
		case c == '\\' && i+1 < len(s):
			if s[i+1] != '\n' {
				// An escaped character; a backslash before a carriage return
				// and a line end is seen by the control case.
				if s[i+1] < utf8.RuneSelf && byteClass[s[i+1]]&^byteOther == 0 {
					i++
				}
				continue
			}
			g.hash = g.hash || hash >= 0 && strings.IndexByte(s[hash:i], '\n') < 0
			g.joined(s, i)
		}
	}
	return g
}

// joined looks at a backslash and a line end.
func (g *guarded) joined(s string, i int) {
	if i > 1 && zshJoins(s[i-2], s[i-1], s[min(i+2, len(s)-1)]) {
		g.hit(reasonJoin, s, i-1, 3)
	}
	if i > 0 && i+2 < len(s) && (joinHides(s[i-1], s[i+2]) || joinDoubles(s[i-1], s[i+2]) && g.inBraces(s, i)) {
		g.hit("a line is joined to the next one in the middle of an operator", s, i, 2)
	}
}

func controlReason(c byte) string {
	switch c {
	case '\r':
		return "a carriage return is in the text: shells take it for part of a word"
	case 0:
		return "a NUL byte is in the text"
	}
	return "a control character is in the text"
}

// limited cuts a text that is too long, and looks for dollars that may mean more.
func limited(s string) (guarded, string) {
	g := guarded{cut: len(s)}
	if len(s) > maxText {
		g.cut = maxText
		g.reason = "the text is longer than any program's argument can be"
		s = s[:maxText]
	}
	if len(s) > 16<<10 && deep(s) {
		g.cut = min(g.cut, 16<<10)
		g.reason = "the text may nest too deep to be read"
		s = s[:g.cut]
	}
	for i := strings.Index(s, "$$"); i >= 0; {
		if i+2 < len(s) && strings.IndexByte("{([", s[i+2]) >= 0 {
			g.hit("a second dollar that bash may take for the start of an expansion", s, i, 3)
			break
		}
		next := strings.Index(s[i+1:], "$$")
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return g, s
}

func (g *guarded) limit(i int) {
	g.cut = i
	g.reason = "the text nests too deep to be read"
}

// commentMayFollow reports whether "#" behind a text is read alike by bash and by
// mvdan: as a comment behind a blank or an operator, as part of an expansion behind
// one dollar or a brace. Behind two it is part of a word to bash, and in parentheses
// a comment to mvdan.
func commentMayFollow(before string) bool {
	switch before[len(before)-1] {
	case ' ', '\t', '\n', ';', '&', '|', '(', '<', '>', '{':
		return true
	case '$':
		return !strings.HasSuffix(before, "$$")
	}
	return false
}

// joinHides reports whether a backslash and a line end between the two bytes
// may split an operator or the start of an expansion.
func joinHides(before, after byte) bool {
	switch before {
	case '$':
		return true
	case '<', '>', '&', '|', ';', '(', ')', '!', '@', '+', '*', '?', '=', '`', '{', '[', '#':
		switch after {
		case '<', '>', '&', '|', ';', '(', ')', '#', '`', '!', '-', '{', '[', '=', ']', '}':
			return true
		case '\\':
			return true
		}
	}
	return after == '\\' && before != ' ' && before != '\t' && before != '\n'
}

// joinDoubles reports whether two bytes are one operator behind a variable's name:
// ${x//a/b}, ${x%%a}, ${x:-a}.
func joinDoubles(before, after byte) bool {
	switch before {
	case '/', '%', '^', ',', '~':
		return after == before
	case ':':
		return strings.IndexByte("-=+?", after) >= 0
	}
	return false
}

// inBraces reports whether an expansion may be open at a place behind those that it was
// asked about before.
func (g *guarded) inBraces(s string, at int) bool {
	for ; g.counted < at; g.counted++ {
		switch i := g.counted; {
		case s[i] == '{' && i > 0 && s[i-1] == '$':
			g.open++
		case s[i] == '}' && g.open > 0:
			g.open--
		}
	}
	return g.open > 0
}

// zshJoins reports whether zsh may read two lines that are joined between the
// last two bytes in a way of its own: a brace there ends a command, a number is
// no descriptor, and a modifier or a subscript goes on.
func zshJoins(earlier, before, after byte) bool {
	switch before {
	case '}':
		return earlier != '{'
	case ':':
		return true
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return after == '<' || after == '>'
	}
	return after == '[' || after == ':'
}

// invisible says why a rune outside ASCII is asked about, if it is.
func invisible(r rune, width int, before string) string {
	switch {
	case r == utf8.RuneError && width == 1:
		return "the text is not valid UTF-8"
	case r < 0xa0:
		return "a control character is in the text"
	case r == crRune:
		return "a private character is in the text"
	case r < 0x2000 && r != 0xad && r != 0x61c && r != 0x180e:
		return ""
	case r == 0x200d && afterEmoji(before):
		return "" // joins two emoji
	case unicode.Is(unicode.Cf, r):
		return "an invisible character is in the text"
	}
	return ""
}

// afterEmoji reports whether the text ends in an emoji or its modifier.
func afterEmoji(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r == 0xfe0f || r >= 0x1f3fb && r <= 0x1f3ff || unicode.Is(unicode.So, r)
}

// reportGuard turns what the scan found into findings.
func (r *run) reportGuard(g *guarded) {
	for _, h := range g.hits[:g.nhits] {
		if h.zsh && !r.may(moreWords) {
			continue
		}
		pos := policy.Pos{Line: h.line, Col: h.col}
		if r.src.nested {
			pos = r.src.base
		}
		line := r.src.text[max(0, h.offset-30):min(len(r.src.text), h.offset+h.width+30)]
		r.report(policy.Finding{ID: idGuard, Reason: h.reason, Source: policy.Clip(strings.ToValidUTF8(line, "\uFFFD"), maxSource), Pos: pos})
	}
	if g.reason != "" {
		r.report(policy.Finding{ID: idLimit, Reason: g.reason, Source: policy.Clip(strings.ToValidUTF8(r.src.text[:min(len(r.src.text), 200)], "\uFFFD"), maxSource), Pos: r.src.base})
	}
}

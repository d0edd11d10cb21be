package gates

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// number stands in a code's text for a value that is not known but for being
// a decimal number, maybe with a sign. It is the only unknown that readers
// meet: any other could end a string and start a command.
const number = '\x01'

// code is the text of a program in a small language, as its reader scans it.
//
//	"${n}p"   {text: "\x01p", holes: ["$n"]}
type code struct {
	text  string
	holes []policy.Part // what the number marks stand for, in order
	marks []int         // where they are
}

// flatten makes a word scannable. It reports false if the word holds values
// that could be any text, may become several words, or holds control
// characters, about which the implementations of a language disagree.
func flatten(w policy.Word) (code, bool) {
	if text, ok := w.Const(); ok {
		return code{text: text}, isPlain(text)
	}
	var c code
	var b strings.Builder
	for _, p := range w.Parts {
		switch {
		case p.Kind == policy.Lit:
			if !isPlain(p.Text) {
				return code{}, false
			}
			b.WriteString(p.Text)
		case (p.Kind == policy.Hole || p.Kind == policy.Split) && p.Shape == policy.ShapeNumber:
			c.marks = append(c.marks, b.Len())
			b.WriteByte(number)
			c.holes = append(c.holes, policy.Part{Kind: policy.Hole, Text: p.Text, Shape: p.Shape})
		default:
			return code{}, false
		}
	}
	c.text = b.String()
	return c, true
}

// isPlain reports whether s is UTF-8 without control characters other than
// tabs and newlines.
func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' && c != '\t' && c != '\n' || c == 0x7f {
			return false
		}
	}
	return utf8.ValidString(s)
}

// word is a piece of the text as a word again.
func (c code) word(from, to int) policy.Word {
	first, past := sort.SearchInts(c.marks, from), sort.SearchInts(c.marks, to)
	if first == past {
		return policy.Const(c.text[from:to])
	}
	var parts []policy.Part
	for i := first; i < past; i++ {
		if from < c.marks[i] {
			parts = append(parts, policy.Part{Text: c.text[from:c.marks[i]]})
		}
		parts = append(parts, c.holes[i])
		from = c.marks[i] + 1
	}
	if from < to {
		parts = append(parts, policy.Part{Text: c.text[from:to]})
	}
	return policy.Word{Parts: parts}
}

// report collects what a reader finds. The zero value says that a text is
// harmless.
type report struct{ match.Reading }

// ask notes a reason for a question. The first one is kept; effects and reach
// are those of all of them.
func (r *report) ask(id, reason string, effects policy.Effects, reach policy.Reach) {
	if r.Decision == policy.Skip {
		r.Decision, r.ID, r.Reason = policy.Ask, id, reason
	}
	r.Effects |= effects
	r.Reach = max(r.Reach, reach)
}

// unreadable notes that the text is outside what the reader understands.
func (r *report) unreadable(id, reason string) {
	r.ask(id, reason, 0, policy.ReachUnknown)
}

// maxUses is how many uses of one text are kept for the engine to judge.
const maxUses = 256

// use notes a word that means something outside the text.
func (r *report) use(kind match.Kind, w policy.Word) {
	if len(r.Uses) == maxUses {
		r.unreadable("code.limit", "text does more than the gate looks through")
		return
	}
	r.Uses = append(r.Uses, match.Use{Kind: kind, Word: w})
}

// file notes a file that is read or written, or an address that is fetched.
func (r *report) file(kind match.Kind, w policy.Word) {
	if kind == match.Read && strings.Contains(w.Prefix(), "://") {
		kind = match.URL
	}
	r.use(kind, w)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' || c == number }

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// bracket returns the end of the bracket expression that starts at from, in
// which a backslash is a character like others. It reports false if there is
// no end on the line, and for the rare forms [.x.] and [=x=].
//
//	[^]/]   [[:alpha:]/]
func bracket(text string, from int) (int, bool) {
	i := from + 1
	if i < len(text) && text[i] == '^' {
		i++
	}
	if i < len(text) && text[i] == ']' {
		i++
	}
	return bracketEnd(text, i)
}

// bracketEnd returns the end of the bracket expression of which i is inside.
func bracketEnd(text string, i int) (int, bool) {
	for i < len(text) && text[i] != '\n' {
		if text[i] == ']' {
			return i + 1, true
		}
		if text[i] != '[' || i+1 == len(text) {
			i++
			continue
		}
		switch text[i+1] {
		case ':':
			name := strings.TrimLeft(text[i+2:], "abcdefghijklmnopqrstuvwxyz")
			if !strings.HasPrefix(name, ":]") {
				return i, false
			}
			i = len(text) - len(name) + 2
		case '.', '=':
			return i, false
		default:
			i++
		}
	}
	return i, false
}

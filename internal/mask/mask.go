// Package mask takes secrets out of texts that leave the machine or stay on
// its disk: what a reviewer is asked, the records of sessions, the decision
// log.
//
// It finds them by their form (tokens of well-known services, private keys,
// JSON web tokens, long words that look random) and by their place (the
// password of an address, what follows Bearer, the value of a variable, a key
// or an option whose name says so, the operand that a program takes for a
// password). Whatever is not found so is not a secret to it.
//
// A mask hides a value, never what a command does: a text that could be code
// (with a call, a substitution, or blanks between words) stays, even where a
// name says that it is a secret, and so do random letters that are decoded
// beside it. Otherwise whoever writes a script could show a
// reviewer as little of it as they like.
package mask

import (
	"strconv"
	"strings"
)

// Mark is what every mask begins with.
const Mark = "SECRET_OF_"

// Secret is what stands in the place of a secret of n bytes: one word to every
// shell, in JSON and in addresses.
func Secret(n int) string { return prefix + strconv.Itoa(n) + suffix }

const (
	prefix = Mark
	suffix = "_CHARACTERS"
)

// Masker masks the texts of one command. The zero value is for texts that
// belong to none.
type Masker struct {
	decodes bool // long random words are decoded: they may be code
}

// For makes the masker of a command line's texts.
func For(line string) Masker { return Masker{decodes(line)} }

// decodes reports whether a text makes something else of random letters.
func decodes(text string) bool {
	for _, way := range [...]string{"base64", "b64", "base32", "atob(", "fromhex", "unhexlify", "xxd", "Base64", "decode", "enc -d", "unpack"} {
		if strings.Contains(text, way) {
			return true
		}
	}
	return false
}

// Text masks the secrets in a text of any kind: a message, a script, a command
// line as it was typed. A text that was masked stays as it is.
func Text(text string) string { return Masker{}.Text(text) }

// Text masks the secrets in a text of the command.
func (m Masker) Text(text string) string {
	f := m.find(text)
	f.lines()
	return f.replaced()
}

// Words masks the secrets in the words of a command, of which the first is the
// program. The result has as many words.
func (m Masker) Words(words []string) []string {
	masked := make([]string, len(words))
	finders := make([]*finder, len(words))
	for i, word := range words {
		finders[i] = m.find(word)
		if i > 0 && strings.ContainsAny(word, " \n") {
			finders[i].lines() // a text for a shell, or in another language
		}
	}
	for _, s := range operands(words) {
		finders[s.word].mark(s.start, s.end)
	}
	for i, f := range finders {
		masked[i] = f.replaced()
	}
	return masked
}

// finder notes where in a text secrets stand.
type finder struct {
	text   string
	hidden []bool // of each byte: it belongs to a secret; nil: none does
}

// find looks for all that is found without knowing the words of commands.
func (m Masker) find(text string) *finder {
	f := &finder{text: text}
	if len(text) < shortest {
		return f
	}
	f.privateKeys()
	f.tokens()
	f.addresses()
	f.named()
	f.schemes()
	if !m.decodes && !decodes(text) {
		f.random()
	}
	return f
}

// shortest is how long a text must be to hold something by its form, in bytes.
const shortest = 4

// mark notes a secret, unless it is the mask of one.
func (f *finder) mark(start, end int) {
	if start >= end || strings.Contains(f.text[start:end], prefix) {
		return
	}
	if f.hidden == nil {
		f.hidden = make([]bool, len(f.text))
	}
	for i := start; i < end; i++ {
		f.hidden[i] = true
	}
}

// replaced is the text with masks. What overlaps is one secret.
func (f *finder) replaced() string {
	if f.hidden == nil {
		return f.text
	}
	var b strings.Builder
	for i := 0; i < len(f.text); {
		start := i
		for i < len(f.text) && f.hidden[i] == f.hidden[start] {
			i++
		}
		if f.hidden[start] {
			b.WriteString(Secret(i - start))
		} else {
			b.WriteString(f.text[start:i])
		}
	}
	return b.String()
}

func lower(b byte) bool { return 'a' <= b && b <= 'z' }
func upper(b byte) bool { return 'A' <= b && b <= 'Z' }
func digit(b byte) bool { return '0' <= b && b <= '9' }
func alnum(b byte) bool { return lower(b) || upper(b) || digit(b) }
func blank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }
func quote(b byte) bool { return b == '"' || b == '\'' || b == '`' }

// tokenByte is what most tokens are made of.
func tokenByte(b byte) bool { return alnum(b) || b == '_' || b == '-' }

// tokenEnd is where a run of token bytes, and of some others, ends.
func tokenEnd(text string, i int, others string) int {
	for i < len(text) && (tokenByte(text[i]) || strings.IndexByte(others, text[i]) >= 0) {
		i++
	}
	return i
}

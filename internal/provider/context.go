package provider

import "github.com/bashgate/bashgate/internal/cop"

// A question must be read as a whole. A server that has no room for all of it
// may drop the instructions or the middle of the command, and answer as if
// nothing were missing.

// whole checks that the model has read all of a question: it has counted no
// fewer tokens than there are words. Servers that count nothing are believed,
// but for those whose protocol says that they count. Where they do, a count that
// fills a window to the last token is one of a question that was cut to fit.
func (p *protocol) whole(prompt cop.Prompt, t cop.Text) error {
	switch least := words(prompt.System) + words(prompt.User); {
	case t.InputTokens == 0 && p.counts:
		return failed("context", "the answer does not say how much of the question was read")
	case p.counts && t.InputTokens%1024 == 0:
		return failed("context", "the question may have been cut: all of a window of %d tokens was read", t.InputTokens)
	case t.InputTokens > 0 && t.InputTokens < least:
		return failed("context", "the question was cut: %d tokens were read, and it has %d words", t.InputTokens, least)
	}
	return nil
}

// words counts runs of letters and runs of digits. No vocabulary in use has a
// token that goes beyond one, so that they are fewer than the tokens; texts
// have about a quarter more. An apostrophe ends no word: "can't" can be one
// token.
func words(text string) int {
	const other, letters, digits = 0, 1, 2
	n, last := 0, other
	for i := range len(text) {
		kind := other
		switch b := text[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', b == '\'' && last == letters, b >= 0x80:
			kind = letters
		case '0' <= b && b <= '9':
			kind = digits
		}
		if kind != last && kind != other {
			n++
		}
		last = kind
	}
	return n
}

// The windows that a model of this machine is loaded with, in tokens: the
// least, and the most. A model is loaded again for another one, which takes
// longer than a review may, so there are few: each is twice the one before.
const (
	leastWindow = 8 << 10
	mostWindow  = 64 << 10
)

// window is the room for a question and an answer, in tokens. A token is
// supposed to be two bytes of the question: English and JSON have four, and
// keys and hashes, which have the fewest, two.
func window(p cop.Prompt, answer int) int {
	const template = 256 // what the server writes around the messages
	need := (len(p.System)+len(p.User))/2 + answer + template
	size := leastWindow
	for size < need && size < mostWindow {
		size *= 2
	}
	return size
}

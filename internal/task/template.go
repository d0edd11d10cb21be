package task

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// This file holds what templates of all runners share. A template is a hole:
// what its engine computes may be any text. Only a name alone, as nearly all
// templates are, stands for the text that the file or the line gives to it.

// marks are where a template begins and ends.
type marks struct{ open, close string }

var (
	braces = []marks{{"{{", "}}"}}                             // just, go-task
	tera   = []marks{{"{{", "}}"}, {"{%", "%}"}, {"{#", "#}"}} // mise
)

// fill replaces the templates of a text: value is told what stands in one, and
// returns false for what is computed.
func fill(text string, of []marks, value func(inner string) (policy.Word, bool)) policy.Word {
	var b textBuilder
	for {
		at, found := len(text), marks{}
		for _, m := range of {
			if i := strings.Index(text, m.open); i >= 0 && i < at {
				at, found = i, m
			}
		}
		b.string(text[:at])
		if at == len(text) {
			return b.done()
		}
		inner, after, closed := strings.Cut(text[at+len(found.open):], found.close)
		w, known := policy.Word{}, false
		if closed && found == of[0] {
			w, known = value(strings.TrimSpace(inner))
		}
		if !known {
			w = anyText("unknown")
		}
		b.word(w)
		text = after
	}
}

// quotedArgs are a call's words as a runner writes them, quoted, into a text.
// That is for a place outside of quotes.
func quotedArgs(words []policy.Word, text string) policy.Word {
	quoted := make([]policy.Word, len(words))
	for i, w := range words {
		if known, ok := w.Const(); ok {
			quoted[i] = policy.Const(policy.Quote(known))
		} else {
			quoted[i] = someWords("args")
		}
	}
	w := joinTexts(quoted, " ")
	if !w.IsConst() && strings.ContainsAny(text, "'\"`\\") {
		return anyText("args")
	}
	return w
}

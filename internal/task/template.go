package task

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// This file holds what templates of all runners share. A template is a hole:
// what its engine computes may be any text. Only a name alone, as nearly all
// templates are, stands for the text that the file or the line gives to it.

// mark is where a template begins and ends.
type mark struct {
	open, close string
	literal     string // what the beginning stands for where it is no template
	block       bool   // what stands in it is no name
}

var (
	goMarks    = []mark{{open: "{{", close: "}}"}}
	justMarks  = []mark{{open: "{{{{", literal: "{{"}, {open: "{{", close: "}}"}}
	teraMarks  = []mark{{open: "{{", close: "}}"}, {open: "{%", close: "%}", block: true}, {open: "{#", close: "#}", block: true}}
	hatchMarks = []mark{{open: "${", literal: "${"}, {open: "{", close: "}"}} // ${NAME} is the shell's
)

// fill replaces the templates of a text: value is told what stands in one, and
// returns false for what is computed.
func fill(text string, marks []mark, value func(inner string) (policy.Word, bool)) policy.Word {
	var b textBuilder
	for {
		at, found := len(text), mark{}
		for _, m := range marks {
			if i := strings.Index(text, m.open); i >= 0 && i < at {
				at, found = i, m
			}
		}
		b.string(text[:at])
		if at == len(text) {
			return b.done()
		}
		text = text[at+len(found.open):]
		if found.literal != "" {
			b.string(found.literal)
			continue
		}
		inner, after, closed := strings.Cut(text, found.close)
		w, known := policy.Word{}, false
		if closed && !found.block {
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

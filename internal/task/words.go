package task

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// fields splits a command as runners do that start it without a shell: at
// blanks, with quotes and backslashes. Where expands is set, variables and
// patterns outside of quotes are not known. It reports false for a quote that
// is not closed.
func fields(text string, expands bool) (words []policy.Word, ok bool) {
	var b textBuilder
	begun := false
	end := func() {
		if begun {
			words = append(words, b.done())
		}
		begun = false
	}
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && quote != '\'':
			if i++; i == len(text) {
				return nil, false
			}
			if quote == '"' && strings.IndexByte("\"\\$`", text[i]) < 0 {
				b.string(`\`)
			}
			b.string(text[i : i+1])
			begun = true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, begun = c, true
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			end()
		case expands && c == '$' && quote != '\'':
			begun = true
			kind := policy.Split
			if quote != 0 {
				kind = policy.Hole
			}
			n := reference(text[i:])
			b.part(policy.Part{Kind: kind, Text: text[i : i+n]})
			i += n - 1
		case expands && quote == 0 && strings.IndexByte("*?[", c) >= 0:
			begun = true
			b.part(policy.Part{Kind: policy.Glob, Text: string(c)})
		default:
			b.string(text[i : i+1])
			begun = true
		}
	}
	if quote != 0 {
		return nil, false
	}
	end()
	return words, true
}

// reference returns the length of the variable that a text begins with.
func reference(text string) int {
	if strings.HasPrefix(text, "${") {
		if end := strings.IndexByte(text, '}'); end > 0 {
			return end + 1
		}
	}
	n := 1
	for n < len(text) && isName(text[1:n+1]) {
		n++
	}
	return n
}

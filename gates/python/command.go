package python

import (
	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// command notes a command that is a list of words, or one word: one for each of what
// the words may be.
func (in *reader) command(v code.Value, name string, dir *policy.Word) {
	for _, s := range v {
		items := []code.Value{{s}}
		if s.Box != nil {
			if items = nil; s.Box.Exact && s.Type != "dict" {
				items = s.Box.Items
			} else {
				items = []code.Value{code.Anything()}
			}
		}
		lists := [][]policy.Word{nil}
		for i, item := range items {
			words := something(item).Words(name + "(...)")
			if i == 0 && isPython(item) {
				words = []policy.Word{policy.Const("python3")}
			}
			if lists = eachWith(lists, words); lists == nil {
				in.ask(in.line, "python.limit", "Python code that starts a program with words of which each may be many")
				break
			}
		}
		for _, words := range lists {
			if len(words) > 0 {
				in.emit(code.Effect{Use: match.Use{Kind: match.Command, Words: words}, In: dir, Line: in.line})
			}
		}
	}
}

// maxCommands bounds how many commands a call tells that starts one.
const maxCommands = 64

// eachWith is each list with each of some words behind it; nil where these are too many.
func eachWith(lists [][]policy.Word, words []policy.Word) [][]policy.Word {
	if len(lists)*len(words) > maxCommands {
		return nil
	}
	longer := make([][]policy.Word, 0, len(lists)*len(words))
	for _, list := range lists {
		for _, w := range words {
			longer = append(longer, append(list[:len(list):len(list)], w))
		}
	}
	return longer
}

// isPython reports whether a value is the name of the Python that runs the text.
func isPython(v code.Value) bool {
	return len(v) == 1 && v[0].Kind == code.Object && v[0].Type == "sys.Executable"
}

package gates

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// unittest reads a name of tests as Python's unittest takes it: a file, or the full name
// of a module, a class or a function. It imports as much of the name as it can, and calls
// what the rest means there, whatever that is: os.abort. So the name is what a text in
// Python that imports it all is.
func unittest(text policy.Word, _ *match.Call) match.Reading {
	var out report
	name, known := text.Const()
	module := strings.ReplaceAll(strings.TrimSuffix(name, ".py"), "/", ".")
	if !known || !isDotted(module) {
		out.ask("unittest.unreadable", "Runs tests by a name that is not all known", policy.Executes, policy.ReachUnknown)
		return out.Reading
	}
	out.Uses = []match.Use{{Kind: match.Code, Lang: "python", Word: policy.Const("import " + module)}}
	return out.Reading
}

// isDotted reports whether a text is names with dots between them.
func isDotted(text string) bool {
	for name := range strings.SplitSeq(text, ".") {
		if name == "" || '0' <= name[0] && name[0] <= '9' {
			return false
		}
		for i := range len(name) {
			if !isLetter(name[i]) && !('0' <= name[i] && name[i] <= '9') {
				return false
			}
		}
	}
	return true
}

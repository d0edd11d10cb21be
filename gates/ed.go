package gates

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
)

// ed reads a script for ed, a command a line: printing of lines by number and
// leaving. All else could write, run, or begin a text that hides what follows.
func ed(text policy.Word, _ *match.Call) match.Reading {
	var out report
	script, ok := flatten(text)
	if !ok {
		out.unreadable("ed.unreadable", "ed script is not all known")
		return out.Reading
	}
	for _, line := range strings.Split(script.text, "\n") {
		switch command := strings.TrimLeft(line, "0123456789\x01.,;%$+- \t"); command {
		case "", "p", "n", "l", "pn", "pl", "=", "q", "Q", "h", "H", "P":
		default:
			out.ask("ed.unreadable", "ed script may write or run something", policy.Writes|policy.Executes, policy.ReachUnknown)
			return out.Reading
		}
	}
	return out.Reading
}

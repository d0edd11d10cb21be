package gates

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// dc reads a program for dc. It computes, but for two commands: "!" runs the
// rest of the line, unless a comparison follows, and "?" runs a line of the
// input as dc's own.
func dc(text policy.Word, _ *match.Call) match.Reading {
	var out report
	program, ok := flatten(text)
	if !ok {
		out.unreadable("dc.unreadable", "dc program is not all known")
		return out.Reading
	}
	for _, line := range strings.Split(program.text, "\n") {
		before, command, _ := strings.Cut(withoutComparisons(line), "!")
		if strings.Contains(before, "?") {
			out.ask("dc.execute", "dc program runs what it reads", policy.Executes, policy.ReachUnknown)
		}
		if len(before) == len(line) {
			continue
		}
		out.ask("dc.execute", "dc program runs a command", policy.Executes, policy.ReachUnknown)
		if !strings.Contains(before, "[") && strings.IndexByte(command, number) < 0 {
			out.use(match.Script, policy.Const(command))
		}
	}
	return out.Reading
}

// withoutComparisons blanks the operators !< !> != out of a line of dc.
func withoutComparisons(line string) string {
	for _, op := range [...]string{"!<", "!>", "!="} {
		line = strings.ReplaceAll(line, op, "  ")
	}
	return line
}

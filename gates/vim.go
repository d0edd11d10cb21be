package gates

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
)

// vim reads one of vim's or ex's command-line commands (-c command,
// +command): going to a line, printing lines, leaving without writing, and
// settings of the display. An expression can call system(), so that even echo
// is left out.
func vim(text policy.Word, _ *match.Call) match.Reading {
	var out report
	command, ok := flatten(text)
	if !ok {
		out.unreadable("vim.unreadable", "vim command is not all known")
		return out.Reading
	}
	for _, part := range strings.Split(command.text, "|") {
		part = strings.Trim(part, ": \t")
		if strings.HasPrefix(part, "!") || strings.Contains(part, "system(") {
			out.ask("vim.execute", "vim runs a command", policy.Executes, policy.ReachUnknown)
		} else if !isVimHarmless(part) {
			out.ask("vim.unreadable", "vim command may write or run something", policy.Writes|policy.Executes, policy.ReachUnknown)
		}
	}
	return out.Reading
}

func isVimHarmless(command string) bool {
	if lines := strings.TrimLeft(command, "0123456789\x01,%$."); lines != command || command == "" {
		return lines == "" || lines == "p" || lines == "print" || lines == "nu" || lines == "number"
	}
	name, rest, _ := strings.Cut(command, " ")
	switch name {
	case "q", "q!", "qa", "qa!", "quit", "quit!", "qall", "qall!", "cq", "cq!", "p", "print", "version", "noh", "nohlsearch":
		return rest == ""
	case "syntax", "syn":
		return rest == "on" || rest == "off"
	case "set", "se":
		for _, setting := range strings.Fields(rest) {
			switch strings.TrimPrefix(setting, "no") {
			case "number", "nu", "relativenumber", "rnu", "list", "wrap", "paste", "swapfile", "backup", "writebackup", "modeline", "hlsearch", "ignorecase", "ruler", "compatible", "cp":
			default:
				return false
			}
		}
		return true
	}
	return false
}

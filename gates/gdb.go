package gates

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// gdb reads one command of gdb. It takes those that show the state of a
// program that does not run: a backtrace, registers, memory, source. An
// expression can call functions and assign, so only plain names are taken.
func gdb(text policy.Word, _ *match.Call) match.Reading {
	var out report
	command, ok := flatten(text)
	if !ok {
		out.unreadable("gdb.unreadable", "gdb command is not all known")
		return out.Reading
	}
	line := strings.TrimSpace(command.text)
	for strings.HasPrefix(line, "thread apply all ") {
		line = strings.TrimSpace(line[len("thread apply all "):])
	}
	name, rest, _ := strings.Cut(line, " ")
	name, _, _ = strings.Cut(name, "/") // x/10i, p/x
	rest = strings.TrimSpace(rest)
	switch {
	case strings.ContainsAny(line, "\n|`=(!;\"'\\"):
	case name == "show":
		if strings.HasPrefix(rest, "env") {
			out.ask("gdb.environment", "gdb shows the environment", policy.Secret, policy.ReachUnset)
		}
		return out.Reading
	case name == "set":
		setting, _, _ := strings.Cut(rest, " ")
		switch setting {
		case "pagination", "confirm", "width", "height", "verbose", "print", "listsize", "style", "disassembly-flavor":
			return out.Reading
		}
	case name == "thread":
		if strings.Trim(rest, "0123456789.") == "" {
			return out.Reading
		}
	default:
		switch name {
		case "", "bt", "backtrace", "where", "info", "i", "quit", "q", "help", "h", "apropos", "echo", "up", "down":
			return out.Reading
		case "p", "print", "x", "ptype", "whatis", "list", "l", "disassemble", "disas", "frame", "f":
			if isGDBName(rest) {
				return out.Reading
			}
		}
	}
	out.ask("gdb.unreadable", "gdb command may run or change a program", policy.Executes, policy.ReachUnknown)
	return out.Reading
}

// isGDBName reports whether an expression is made of registers, names,
// members and numbers only: no operator that a program could define.
func isGDBName(expression string) bool {
	for i := 0; i < len(expression); i++ {
		if c := expression[i]; !isLetter(c) && !isDigit(c) && strings.IndexByte("$., :", c) < 0 {
			return false
		}
	}
	return true
}

package gates

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// psqlCommand judges a command of psql itself, from its backslash up to the
// end of the line or the next backslash. In its words backquotes run a
// command, and some names write files or run programs.
func (s *sqlScript) psqlCommand(line string) {
	name, words, _ := strings.Cut(line[1:], " ")
	if strings.ContainsAny(line, "`\t'") {
		s.out.ask("sql.client", "psql command "+policy.Quote(`\`+name)+" is written in a way the gate does not know", policy.Executes, policy.ReachUnknown)
		return
	}
	switch strings.TrimRight(name, "+") {
	case "", ";", "a", "C", "conninfo", "copyright", "echo", "encoding", "errverbose", "f", "h", "help", "H", "l", "lx", "list", "pset", "q", "quit", "qecho", "sf", "sv", "t", "T", "timing", "warn", "x", "z", "zS", "?":
		if name != ";" && name != "" {
			return
		}
	case "g", "gx":
		if strings.TrimSpace(words) == "" {
			return
		}
	default:
		if name[0] == 'd' && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+") == "" {
			return // \d, \dt+, \dfS ...: descriptions
		}
	}
	s.out.ask("sql.client", "psql command "+policy.Quote(`\`+name)+" may do more than show", policy.Writes|policy.Executes, policy.ReachUnknown)
}

// dotCommands judges the lines that begin with a dot, which are commands of
// sqlite3 or duckdb itself, and returns the text without them.
//
// The program does so only where no statement is pending. A line that it
// takes as a part of a string or a statement is judged all the same; as only
// words of letters and digits are taken, leaving it out changes neither
// where that string ends nor what the statement does.
func (s *sqlScript) dotCommands(c code) string {
	if !strings.HasPrefix(c.text, ".") && !strings.Contains(c.text, "\n.") {
		return c.text
	}
	lines := strings.Split(c.text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			s.dotCommand(line)
			lines[i] = strings.Repeat(" ", len(line)) // positions stay
		}
	}
	return strings.Join(lines, "\n")
}

func (s *sqlScript) dotCommand(line string) {
	name, words, _ := strings.Cut(line[1:], " ")
	words = strings.TrimSpace(words)
	switch name {
	case "schema", "tables", "indexes", "indices", "headers", "header", "mode", "databases", "dbinfo", "fullschema", "width", "nullvalue", "separator", "timer", "stats", "explain", "eqp", "echo", "show", "version", "help", "quit", "exit", "bail", "changes", "limit", "lint", "print", "prompt", "dump", "timeout", "sha3sum", "columns", "rows", "maxrows", "maxwidth", "highlight", "large_number_rendering":
		if !isDotWords(words) {
			s.unreadable()
		}
		return
	case "output", "once":
		if isDotPath(words) {
			if words != "stdout" {
				s.out.use(match.Write, policy.Const(words))
			}
			return
		}
	case "read":
		if isDotPath(words) {
			s.out.use(match.Run, policy.Const(words))
			return
		}
	case "shell", "system", "sh":
		s.out.use(match.Script, policy.Const(strings.ReplaceAll(words, string(rune(number)), "0")))
	}
	s.out.ask("sql.client", "command "+policy.Quote("."+name)+" may do more than show", policy.Writes|policy.Executes, policy.ReachUnknown)
}

// isDotWords reports whether the words of a command can't be taken for
// anything else: no quotes, comments, parentheses or semicolons.
func isDotWords(words string) bool {
	for i := 0; i < len(words); i++ {
		if c := words[i]; !isLetter(c) && !isDigit(c) && strings.IndexByte(" %*,.|-", c) < 0 {
			return false
		}
	}
	return true
}

// isDotPath reports whether words is one plain path.
func isDotPath(words string) bool {
	for i := 0; i < len(words); i++ {
		if c := words[i]; !isLetter(c) && !isDigit(c) && strings.IndexByte("./-", c) < 0 || c == number {
			return false
		}
	}
	return words != ""
}

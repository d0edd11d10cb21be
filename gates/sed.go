package gates

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// sed reads a script for sed. Most of the language edits the pattern space;
// files and programs are reached by r, R, w, W, e and by the flags w and e of
// s. The grammar is GNU's, which holds POSIX's and the BSDs'; where versions
// part, the reader asks.
//
// A script given in pieces (-e 'a\' -e text) is read piece by piece. A piece
// that GNU sed joins as text to the one before is then judged as commands,
// which is never looser: both ways of reading agree again at the first line
// that does not end in a backslash.
func sed(text policy.Word, _ *match.Call) match.Reading {
	var s sedScript
	script, ok := flatten(text)
	if !ok {
		s.out.unreadable("sed.unreadable", "sed script is not all known")
		return s.out.Reading
	}
	s.code = script
	for !s.failed && s.skipSeparators() {
		s.command()
	}
	if s.failed {
		s.out.unreadable("sed.unreadable", "sed script is written in a way the gate does not know")
	}
	return s.out.Reading
}

// sedScript is a script on its way through the reader.
type sedScript struct {
	code
	at     int // the next byte
	failed bool
	out    report
}

// peek returns the next byte; 0, which no script holds, at the end.
func (s *sedScript) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *sedScript) skipBlanks() {
	for s.at < len(s.text) && isBlank(s.text[s.at]) {
		s.at++
	}
}

// skipSeparators goes to the next command and reports whether there is one.
func (s *sedScript) skipSeparators() bool {
	for s.at < len(s.text) && (isSpace(s.text[s.at]) || s.text[s.at] == ';') {
		s.at++
	}
	return s.at < len(s.text)
}

// command reads one command with its addresses.
func (s *sedScript) command() {
	if s.address() {
		s.skipBlanks()
		if s.peek() == ',' {
			s.at++
			s.skipBlanks()
			if c := s.peek(); c == '+' || c == '~' {
				s.at++
				s.digits()
			} else if !s.address() {
				s.failed = true
			}
			s.skipBlanks()
		}
	}
	for s.peek() == '!' {
		s.at++
		s.skipBlanks()
	}
	if s.failed || s.at == len(s.text) {
		s.failed = true
		return
	}
	name := s.text[s.at]
	s.at++
	switch name {
	case '{':
	case '}', '=', 'd', 'D', 'F', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z':
		s.end()
	case 'q', 'Q', 'l', 'L':
		s.skipBlanks()
		s.digits()
		s.end()
	case '#':
		s.line()
	case ':', 'b', 't', 'T', 'v':
		s.skipBlanks()
		s.label()
		s.end()
	case 'a', 'i', 'c':
		s.insertion()
	case 'r', 'R':
		s.file(match.Read)
	case 'w', 'W':
		s.file(match.Write)
	case 'e':
		s.execute()
	case 's':
		s.substitute()
	case 'y':
		s.transliterate()
	default:
		s.failed = true
	}
}

// address reads one address, if there is one: a line number, first~step, $,
// /regex/ or \cregexc with the flags I and M.
func (s *sedScript) address() bool {
	switch c := s.peek(); {
	case isDigit(c):
		s.digits()
		s.skipBlanks()
		if s.peek() == '~' {
			s.at++
			s.skipBlanks()
			s.digits()
		}
	case c == '$':
		s.at++
	case c == '/' || c == '\\':
		if c == '\\' {
			s.at++
		}
		delimiter := s.delimiter()
		if s.failed {
			return false
		}
		s.regex(delimiter)
		for {
			s.skipBlanks()
			if c := s.peek(); c != 'I' && c != 'M' {
				break
			}
			s.at++
		}
	default:
		return false
	}
	return true
}

func (s *sedScript) digits() {
	for s.at < len(s.text) && isDigit(s.text[s.at]) {
		s.at++
	}
}

// line goes to the end of the line and returns the text before it.
func (s *sedScript) line() (from, to int) {
	from = s.at
	if n := strings.IndexByte(s.text[from:], '\n'); n >= 0 {
		s.at = from + n
	} else {
		s.at = len(s.text)
	}
	return from, s.at
}

// end expects a command to be over.
func (s *sedScript) end() {
	s.skipBlanks()
	switch s.peek() {
	case 0, '\n', ';', '}', '#':
	default:
		s.failed = true
	}
}

// label reads a label, or the version that v takes. Versions disagree about
// which characters end one, so only those that never do are taken.
func (s *sedScript) label() {
	for c := s.peek(); isLetter(c) || isDigit(c) || c == '.' || c == '-'; c = s.peek() {
		s.at++
	}
}

// insertion reads the text of a, i and c: the rest of the line, with GNU's
// "a text" and "a\text" on one line and the portable form
//
//	a\
//	text
//
// A backslash at the end of a line continues the text.
func (s *sedScript) insertion() {
	s.skipBlanks()
	switch s.peek() {
	case 0, '\n':
		s.failed = true
		return
	case '\\':
		s.at++
		switch s.peek() {
		case 0:
			return // the text is the next -e
		case '\n':
			s.at++
		default:
			// Before a\\ and "a\  " with nothing after it versions disagree.
			s.skipBlanks()
			if c := s.peek(); c == 0 || c == '\n' || c == '\\' {
				s.failed = true
				return
			}
		}
	}
	s.continued()
}

// continued goes to the end of the line, or of the last of the lines that
// backslashes join.
func (s *sedScript) continued() {
	for s.at < len(s.text) && s.text[s.at] != '\n' {
		if s.text[s.at] == '\\' && s.at+1 < len(s.text) {
			s.at++
		}
		s.at++
	}
}

// file reads a file name: all of the rest of the line.
func (s *sedScript) file(kind match.Kind) {
	s.skipBlanks()
	from, to := s.line()
	if from == to {
		s.failed = true
		return
	}
	name := s.word(from, to)
	if text, ok := name.Const(); ok && kind == match.Read && text == "/dev/stdin" {
		return
	}
	s.out.use(kind, name)
}

// execute reads the command e: shell text up to the end of the line, or none,
// which runs the pattern space.
func (s *sedScript) execute() {
	s.skipBlanks()
	from := s.at
	s.continued()
	text := s.text[from:s.at]
	if text == "" {
		s.runsData()
		return
	}
	s.out.use(match.Script, s.word(from, s.at))
	if strings.IndexByte(text, '\\') >= 0 {
		s.out.ask("sed.execute", "sed script runs a command that the gate can't read", policy.Executes, policy.ReachUnknown)
	}
}

func (s *sedScript) runsData() {
	s.out.ask("sed.execute", "sed script runs the lines it edits as commands", policy.Executes, policy.ReachUnknown)
}

// delimiter reads the character around a regex. A digit or a sign could also
// be part of an unknown number, and a bracket would be one of the regex too.
func (s *sedScript) delimiter() byte {
	c := s.peek()
	if c == 0 || strings.IndexByte("\n\\[]", c) >= 0 || c >= 0x80 || len(s.holes) > 0 && (isDigit(c) || c == '-') {
		s.failed = true
		return 0
	}
	s.at++
	return c
}

// regex reads a regex and the delimiter behind it. Inside brackets newer
// versions don't end there and older ones do; regex returns where.
func (s *sedScript) regex(delimiter byte) (inside []int) {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case delimiter:
			s.at++
			return inside
		case '\n':
			s.failed = true
			return inside
		case '\\':
			s.at += 2
		case '[':
			to, ok := bracket(s.text, s.at)
			if !ok {
				s.failed = true
				return inside
			}
			for ; s.at < to; s.at++ {
				if s.text[s.at] == delimiter {
					inside = append(inside, s.at+1)
				}
			}
		default:
			s.at++
		}
	}
	s.failed = true
	return inside
}

// plain reads text up to a delimiter that brackets don't hide.
func (s *sedScript) plain(delimiter byte) {
	for s.at < len(s.text) && s.text[s.at] != '\n' {
		switch s.text[s.at] {
		case delimiter:
			s.at++
			return
		case '\\':
			s.at++
		}
		s.at++
	}
	s.failed = true
}

// substitute reads s/regex/replacement/flags.
func (s *sedScript) substitute() {
	delimiter := s.delimiter()
	if s.failed {
		return
	}
	inside := s.regex(delimiter)
	s.plain(delimiter)
	if s.failed {
		return
	}
	// An older version takes the delimiter in a bracket for the end, and then
	// finds the regex broken. But it has read the flags by then, and opened
	// the file of a flag w.
	for _, at := range inside {
		old := sedScript{code: s.code, at: at}
		old.plain(delimiter)
		old.skipFlags()
		if !old.failed && old.peek() == 'w' {
			s.failed = true
			return
		}
	}
	for {
		s.skipFlags()
		switch s.peek() {
		case 'e':
			s.at++
			s.runsData()
		case 'w':
			s.at++
			s.file(match.Write)
			return
		default:
			s.end()
			return
		}
	}
}

// skipFlags skips the flags of s that only choose what is replaced.
func (s *sedScript) skipFlags() {
	for c := s.peek(); c != 0 && (isDigit(c) || strings.IndexByte("gpiImM", c) >= 0); c = s.peek() {
		s.at++
	}
}

// transliterate reads y/from/to/. Some versions see brackets here too.
func (s *sedScript) transliterate() {
	delimiter := s.delimiter()
	from := s.at
	s.plain(delimiter)
	s.plain(delimiter)
	if s.failed || strings.IndexByte(s.text[from:s.at], '[') >= 0 {
		s.failed = true
		return
	}
	s.end()
}

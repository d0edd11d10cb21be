//go:build linux

package main

import (
	"strconv"
	"strings"
)

// Builtins start no program, so no stub sees them. A shell that is started with
// -x writes down the words of each of its commands, as it understood them. bash
// has a descriptor of its own for that. dash and zsh write to standard error,
// which a line must not lead elsewhere then, and dash writes words without
// quotes. What a nested shell calls is not seen.

// traceFD is the descriptor for bash's trace; lines use lower ones, and bash
// itself higher ones.
const traceFD = 99

// traceMark begins each record. A shell repeats it for what is nested.
const traceMark = "\x01"

var traceEnv = []string{"PS4=" + traceMark, "BASH_XTRACEFD=" + strconv.Itoa(traceFD)}

// traceable reports whether a trace shows what a line gives to builtins, and
// nothing of the line shows in it, reads it, or is called like a builtin.
func traceable(shell, line string) bool {
	if strings.Contains(line, traceMark) || strings.Contains(line, "set ") || strings.Contains(line, "exec") {
		return false
	}
	line = strings.ReplaceAll(line, "\\\n", "")
	declares := strings.Contains(line, "function")
	for name := range watched {
		if strings.Contains(line, name+"(") || declares && strings.Contains(line, name) {
			return false // a trace shows functions like builtins
		}
	}
	return strings.HasPrefix(program(shell), "bash") || shell == "zsh" && !strings.ContainsAny(line, "&") && !strings.Contains(line, "2>")
}

// traced reads a trace: the words of each record that is whole.
func traced(trace string) [][]string {
	var all [][]string
	for trace != "" {
		at := strings.Index(trace, traceMark)
		if at < 0 {
			break
		}
		if at > 0 && trace[at-1] != '\n' {
			trace = trace[at+1:]
			continue
		}
		words, rest, ok := unquoted(strings.TrimLeft(trace[at:], traceMark))
		if ok && len(words) > 0 {
			all = append(all, words)
		}
		trace = rest
	}
	return all
}

// unquoted reads the words of a line as shells print them: bare, in quotes, in
// $'...', or with backslashes. It reports whether it understood all of it.
func unquoted(s string) (words []string, rest string, ok bool) {
	var word strings.Builder
	in := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n' || c == ' ':
			if in {
				words = append(words, word.String())
				word.Reset()
				in = false
			}
			if c == '\n' {
				return words, s[i+1:], true
			}
		case c == '$' && i+1 < len(s) && s[i+1] == '\'':
			end := i + 2
			for end < len(s) && s[end] != '\'' {
				if s[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(s) {
				return nil, "", false
			}
			text, fine := ansi(s[i+2 : end])
			if !fine {
				_, rest, _ = strings.Cut(s[end:], "\n")
				return nil, rest, false
			}
			word.WriteString(text)
			in, i = true, end
		case c == '\'':
			end := strings.IndexByte(s[i+1:], '\'')
			if end < 0 {
				return nil, "", false
			}
			word.WriteString(s[i+1 : i+1+end])
			in, i = true, i+1+end
		case c == '\\' && i+1 < len(s):
			i++
			word.WriteByte(s[i])
			in = true
		default:
			word.WriteByte(c)
			in = true
		}
	}
	return nil, "", false
}

// ansi reads the text of $'...' in the few forms in which shells write it.
func ansi(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if at := strings.IndexByte(`abefnrtvE\'"`, s[i]); at >= 0 {
			b.WriteByte("\a\b\x1b\f\n\r\t\v\x1b\\'\""[at])
			continue
		}
		n := 0
		for n < 3 && i+n < len(s) && s[i+n] >= '0' && s[i+n] <= '7' {
			n++
		}
		code, err := strconv.ParseUint(s[i:i+n], 8, 16)
		if err != nil || code > 255 {
			return "", false
		}
		b.WriteByte(byte(code))
		i += n - 1
	}
	return b.String(), true
}

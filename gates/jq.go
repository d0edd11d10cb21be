package gates

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// jq reads a filter for jq, gojq, jaq, or the jq in gh and others. The
// language can't write and can't start anything; what it can reach beside its
// input is the environment (env, $ENV) and modules (import, include). So the
// reader needs to tell a name that is called from fields, keys, variables and
// strings.
func jq(text policy.Word, _ *match.Call) match.Reading {
	var f jqFilter
	filter, ok := flatten(text)
	if !ok {
		f.out.ask("jq.unreadable", "jq filter is not all known, and could show the environment", policy.Secret, policy.ReachUnset)
		return f.out.Reading
	}
	f.text = filter.text
	if !f.walk() {
		f.out.unreadable("jq.unreadable", "jq filter is written in a way the gate does not know")
	}
	return f.out.Reading
}

// yq reads an expression for yq: the Go program of that name, whose language
// grew out of jq's, or the wrapper around jq. The Go program can read files
// and the environment by its own functions. It takes nearly everything as
// part of a field's name, quotes too, so these are looked for in all of the
// text.
func yq(text policy.Word, c *match.Call) match.Reading {
	r := report{jq(text, c)}
	expression, ok := flatten(text)
	if !ok {
		return r.Reading
	}
	s := expression.text
	for at := strings.IndexByte(s, '('); at >= 0; {
		name := strings.TrimRight(s[:at], " \t\n")
		name = name[len(strings.TrimRight(name, "abcdefghijklmnopqrstuvwxyz_0123456789")):]
		argument := s[at+1:]
		short := argument[:min(len(argument), 1024)] // a file's name is no longer
		switch {
		case strings.Contains(name, "load"):
			if file := quotedArgument(short); file.HasHole() {
				r.ask("yq.file", "yq expression reads a file whose name is computed: "+file.String(), policy.Reads, policy.ReachUnset)
			} else {
				r.use(match.Read, file)
			}
		case strings.HasSuffix(name, "system"):
			r.ask("yq.execute", "yq expression runs a command", policy.Executes, policy.ReachUnknown)
		case strings.HasSuffix(name, "eval"):
			r.ask("yq.unreadable", "yq expression runs an expression out of its input", policy.Secret, policy.ReachUnset)
		case strings.HasSuffix(name, "env"):
			r.ask("jq.environment", "yq expression shows the environment", policy.Secret, policy.ReachUnset)
		}
		next := strings.IndexByte(argument, '(')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	if strings.Contains(s, "envsubst") {
		r.ask("jq.environment", "yq expression shows the environment", policy.Secret, policy.ReachUnset)
	}
	return r.Reading
}

// quotedArgument returns the value of an argument list that is one plain
// string.
func quotedArgument(s string) policy.Word {
	value, rest, ok := strings.Cut(strings.TrimPrefix(strings.TrimLeft(s, " \t\n"), `"`), `"`)
	if !ok || !strings.HasPrefix(strings.TrimLeft(s, " \t\n"), `"`) ||
		!strings.HasPrefix(strings.TrimLeft(rest, " \t\n"), ")") || strings.ContainsAny(value, "\\\x01") {
		value, _, _ = strings.Cut(s, ")")
		return policy.Unknown(strings.ReplaceAll(value, "\x01", "?"))
	}
	return policy.Const(value)
}

// jqFilter is a filter on its way through the reader.
type jqFilter struct {
	text string
	at   int
	open []byte // ( [ { and, for \( in a string, "
	out  report
}

// walk looks at every token. It reports false if strings or brackets don't
// close.
func (f *jqFilter) walk() bool {
	last := byte('\n') // the last byte that was not blank
	for f.at < len(f.text) {
		c := f.text[f.at]
		switch {
		case isSpace(c):
			f.at++
			continue
		case c == '#':
			if !f.comment() {
				return false
			}
			continue
		case c == '"':
			f.at++
			if !f.str() {
				return false
			}
			c = f.text[f.at-1]
		case c == '(' || c == '[' || c == '{':
			f.open = append(f.open, c)
			f.at++
		case c == ')' || c == ']' || c == '}':
			f.at++
			if len(f.open) == 0 {
				return false
			}
			opener := f.open[len(f.open)-1]
			f.open = f.open[:len(f.open)-1]
			switch {
			case c == ')' && opener == '"':
				if !f.str() {
					return false
				}
				c = f.text[f.at-1]
			case c == ')' && opener != '(' || c == ']' && opener != '[' || c == '}' && opener != '{':
				return false
			}
		case isLetter(c):
			f.name(last)
		case c >= 0x80 || c == '\\' || c == '\'' || c == '`':
			return false
		default:
			f.at++
		}
		last = c
	}
	return len(f.open) == 0
}

// comment skips a comment. Since 1.7.1 a backslash continues it on the next
// line.
func (f *jqFilter) comment() bool {
	line, _, _ := strings.Cut(f.text[f.at:], "\n")
	f.at += len(line)
	return !strings.HasSuffix(line, "\\")
}

// str reads a string from behind its quote, or behind a \(...) in it, up to
// the closing quote or the next \(.
func (f *jqFilter) str() bool {
	for f.at < len(f.text) {
		c := f.text[f.at]
		f.at++
		switch c {
		case '"':
			return true
		case '\\':
			if f.at == len(f.text) {
				return false
			}
			f.at++
			if f.text[f.at-1] == '(' {
				f.open = append(f.open, '"')
				return true
			}
		}
	}
	return false
}

// name looks at a name or keyword, where last is the byte before it.
func (f *jqFilter) name(last byte) {
	from := f.at
	for f.at < len(f.text) && (isLetter(f.text[f.at]) || '0' <= f.text[f.at] && f.text[f.at] <= '9') {
		f.at++
	}
	name := f.text[from:f.at]
	switch {
	case from > 0 && f.text[from-1] == '.' && (from == 1 || f.text[from-2] != '.'):
		return // a field
	case last == '@':
		return // a format
	case last == '$':
		if name == "ENV" {
			f.out.ask("jq.environment", "jq filter shows the environment", policy.Secret, policy.ReachUnset)
		}
		return
	case (last == '{' || last == ',') && len(f.open) > 0 && f.open[len(f.open)-1] == '{':
		rest := strings.TrimLeft(f.text[f.at:], " \t\n")
		if rest != "" && strings.IndexByte(":,}", rest[0]) >= 0 {
			return // a key
		}
	}
	switch name {
	case "env":
		f.out.ask("jq.environment", "jq filter shows the environment", policy.Secret, policy.ReachUnset)
	case "import", "include", "modulemeta":
		f.out.ask("jq.import", "jq filter loads a module", policy.Reads, policy.ReachUnknown)
	}
}

package task

import (
	"strings"
)

// This file reads the first line of a recipe, and splits expressions.

// header reads "@name param='x' *args: dep (other 'a') && after".
func (j *justfile) header(r *justRecipe, line string) bool {
	tokens, ok := justTokens(line)
	if !ok || len(tokens) < 2 {
		return false
	}
	i := 0
	if tokens[0] == "@" {
		i++
	}
	r.name = tokens[i]
	if !isJustName(r.name) {
		return false
	}
	for i++; i < len(tokens) && tokens[i] != ":"; i++ {
		var p justParam
		for i < len(tokens) && (tokens[i] == "*" || tokens[i] == "+" || tokens[i] == "$") {
			p.variadic = p.variadic || tokens[i] != "$"
			p.export = p.export || tokens[i] == "$"
			i++
		}
		if i >= len(tokens) || !isJustName(tokens[i]) {
			return false
		}
		p.name = tokens[i]
		if i+2 < len(tokens) && tokens[i+1] == "=" {
			p.value = tokens[i+2]
			i += 2
		}
		r.params = append(r.params, p)
	}
	if i >= len(tokens) {
		return false
	}
	into := &r.before
	for i++; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t == "&&":
			into = &r.after
		case t[0] == '(':
			inner, ok := justTokens(t[1 : len(t)-1])
			if !ok || len(inner) == 0 {
				return false
			}
			args, ok := justArgs(inner[1:])
			if !ok {
				return false
			}
			*into = append(*into, justCall{inner[0], args})
		case isJustName(t):
			*into = append(*into, justCall{name: t})
		default:
			return false
		}
	}
	return true
}

// justAttributes splits "private, working-directory: 'a b', script('sh')". One
// that can't be read is what it says.
func justAttributes(s string) (list []string) {
	tokens, ok := justTokens(s)
	if !ok {
		return []string{s}
	}
	begun := false
	for _, t := range tokens {
		if t != "," && begun {
			list[len(list)-1] += t
		} else if t != "," {
			list = append(list, t)
		}
		begun = t != ","
	}
	return list
}

// justArgs splits the arguments of a dependency, each an expression. It reports
// false for those with a condition.
func justArgs(tokens []string) (args []string, ok bool) {
	goesOn := false
	for i, t := range tokens {
		sign := t == "+" || t == "/"
		called := t[0] == '(' && i > 0 && isJustName(tokens[i-1])
		switch {
		case len(args) > 0 && (sign || goesOn || called):
			args[len(args)-1] += " " + t
		case sign, !isJustName(t) && strings.IndexByte("\"'`)", t[len(t)-1]) < 0:
			return nil, false
		default:
			args = append(args, t)
		}
		goesOn = sign
	}
	return args, true
}

// isJustName reports whether a text can be a name.
func isJustName(text string) bool { return isName(strings.ReplaceAll(text, "-", "_")) }

// justTokens splits a line into names, strings, groups in brackets and signs.
func justTokens(s string) ([]string, bool) {
	var tokens []string
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n':
			i++
		case c == '#':
			return tokens, true
		case c == '"' || c == '\'' || c == '`':
			end := justString(s[i:])
			if end < 0 {
				return nil, false
			}
			tokens = append(tokens, s[i:i+end])
			i += end
		case c == '(':
			depth, end := 0, -1
			for k := i; k < len(s); k++ {
				switch s[k] {
				case '"', '\'', '`':
					if n := justString(s[k:]); n > 0 {
						k += n - 1
					}
				case '(':
					depth++
				case ')':
					if depth--; depth == 0 && end < 0 {
						end = k + 1
					}
				}
			}
			if end < 0 {
				return nil, false
			}
			tokens = append(tokens, s[i:end])
			i = end
		case strings.HasPrefix(s[i:], "&&"):
			tokens = append(tokens, "&&")
			i += 2
		case strings.IndexByte(":@*+$=/,?!&|~%{}[])<>;.", c) >= 0:
			tokens = append(tokens, s[i:i+1])
			i++
		default:
			end := i
			for end < len(s) && strings.IndexByte(" \t\n:@*+$=/,?!&|~%{}[]()<>;.\"'`#", s[end]) < 0 {
				end++
			}
			if prefix := s[i:end]; (prefix == "f" || prefix == "x") && end < len(s) && (s[end] == '"' || s[end] == '\'') {
				n := justString(s[end:]) // one that is computed
				if n < 0 {
					return nil, false
				}
				end += n
			}
			tokens = append(tokens, s[i:end])
			i = end
		}
	}
	return tokens, true
}

// justString returns the length of the string at the start of s, or -1.
func justString(s string) int {
	quote := s[:1]
	if len(s) >= 3 && s[1] == s[0] && s[2] == s[0] {
		quote = s[:3]
	}
	for i := len(quote); i < len(s); i++ {
		if quote[0] == '"' && s[i] == '\\' {
			i++
			continue
		}
		if strings.HasPrefix(s[i:], quote) {
			return i + len(quote)
		}
	}
	return -1
}

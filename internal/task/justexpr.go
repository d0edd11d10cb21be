package task

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// This file says what the expressions of a justfile stand for.

// interpolate replaces {{...}}.
func (j *justfile) interpolate(text string, locals map[string]policy.Word) policy.Word {
	return fill(text, justMarks, func(inner string) (policy.Word, bool) { return j.value(inner, locals), true })
}

// value is the text of a string, or what a name stands for. All else is
// computed; the programs that run for it are steps.
func (j *justfile) value(expr string, locals map[string]policy.Word) policy.Word {
	switch expr {
	case "justfile_directory()", "justfile_dir()":
		return policy.Const(path.Dir(j.File))
	case "invocation_directory()", "invocation_dir()":
		return policy.Const(j.Dir)
	}
	tokens, ok := justTokens(expr)
	if ok && len(tokens) == 1 {
		if text, ok := justText(tokens[0]); ok {
			return policy.Const(text)
		}
		if isJustName(tokens[0]) {
			return j.variable(tokens[0], locals)
		}
	}
	j.programs(tokens)
	return anyText("unknown")
}

// variable is what a name stands for.
func (j *justfile) variable(name string, locals map[string]policy.Word) policy.Word {
	if value, ok := locals[name]; ok {
		return value
	}
	if value, ok := j.given[name]; ok {
		return value
	}
	expr, ok := j.vars[name]
	if !ok {
		return someWords(strings.ReplaceAll(name, "-", "_"))
	}
	if j.work++; j.work > maxWork || j.nest > 50 {
		return anyText("unknown")
	}
	j.nest++
	defer func() { j.nest-- }()
	return j.value(expr, nil)
}

// programs adds the programs that run for an expression. Their output is a
// problem where it is put to use.
func (j *justfile) programs(tokens []string) {
	for i, t := range tokens {
		switch {
		case t[0] == '(':
			inner, _ := justTokens(t[1 : len(t)-1])
			j.programs(inner)
		case t[0] == '`':
			text := strings.Trim(t, "`")
			if !j.idle {
				j.trouble(j.at, "Runs a program for its output: %s", policy.Visible(text))
			}
			j.step(Step{Name: "backtick", File: j.File, Line: j.at, Text: text, Dir: j.dir})
		case strings.HasPrefix(t, `f"`), strings.HasPrefix(t, "f'"):
			fill(t, justMarks, func(inner string) (policy.Word, bool) {
				tokens, _ := justTokens(inner)
				j.programs(tokens)
				return policy.Word{}, false
			})
		case t == "shell" && i+1 < len(tokens) && tokens[i+1][0] == '(':
			j.trouble(j.at, "Runs a program for its output: shell()")
		}
	}
}

// justText is the value of a string. Those of several lines are not followed.
func justText(token string) (text string, ok bool) {
	switch {
	case strings.HasPrefix(token, `"""`), strings.HasPrefix(token, "'''") && strings.Contains(token, "\n"):
		return "", false
	case token[0] == '\'':
		return strings.Trim(token, "'"), true
	case token[0] != '"':
		return "", false
	}
	token = token[1 : len(token)-1]
	var b strings.Builder
	for i := 0; i < len(token); i++ {
		c := token[i]
		if c == '\\' {
			i++
			at := strings.IndexByte(`nrt"\`, token[i])
			if at < 0 {
				return "", false
			}
			c = "\n\r\t\"\\"[at]
		}
		b.WriteByte(c)
	}
	return b.String(), true
}

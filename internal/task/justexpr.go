package task

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// This file works out the expressions of a justfile.

// interpolate replaces {{...}}.
func (j *justfile) interpolate(text string, locals map[string]string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if after, literal := strings.CutPrefix(rest, "{{"); literal {
			b.WriteString("{{")
			text = after
			continue
		}
		expr, after, closed := strings.Cut(rest, "}}")
		if !closed {
			j.trouble(j.at, "A {{ that is not closed")
			return b.String()
		}
		b.WriteString(j.eval(expr, locals))
		text = after
	}
}

// eval is the value of an expression; what is not followed is not known.
func (j *justfile) eval(expr string, locals map[string]string) string {
	if j.work++; j.work > maxWork || j.nest > 50 {
		return openText("unknown")
	}
	j.nest++
	defer func() { j.nest-- }()
	tokens, ok := justTokens(expr)
	if !ok || len(tokens) == 0 {
		return openText("unknown")
	}
	value, rest, ok := j.term(tokens, locals)
	for ok && len(rest) > 1 && (rest[0] == "+" || rest[0] == "/") {
		var next string
		sign := rest[0]
		if next, rest, ok = j.term(rest[1:], locals); ok && sign == "/" {
			value += "/"
		}
		value += next
	}
	if !ok || len(rest) > 0 {
		return opaque(j.pieces(expr, locals)...)
	}
	return value
}

// pieces are the texts that the value of an expression which is not followed
// may be made of. Programs that it runs are added as steps.
func (j *justfile) pieces(expr string, locals map[string]string) []string {
	var texts []string
	tokens, ok := justTokens(expr)
	if !ok {
		return []string{openText("unknown")}
	}
	for i, t := range tokens {
		called := i+1 < len(tokens) && tokens[i+1][0] == '('
		switch {
		case t[0] == '`', t[0] == '\'', t[0] == '"':
			text, _, ok := j.term(tokens[i:i+1], locals)
			if !ok {
				text = openText("unknown")
			}
			texts = append(texts, text)
		case t[0] == '(':
			texts = append(texts, j.pieces(t[1:len(t)-1], locals)...)
		case t == "shell" && called:
			j.trouble(j.at, "Runs a program for its output: shell()")
		case called && !isJustFunction(t):
			texts = append(texts, openText(t))
		case called, t == "if", t == "else", t == "assert", !isName(strings.ReplaceAll(t, "-", "_")):
		default:
			texts = append(texts, j.variable(t, locals))
		}
	}
	return texts
}

// isJustFunction reports whether a function makes texts of what it is given
// and of the machine it runs on. read(), which makes them of files, is none.
func isJustFunction(name string) bool {
	switch name {
	case "absolute_path", "append", "arch", "blake3", "blake3_file", "canonicalize", "capitalize", "choose", "clean", "datetime", "datetime_utc", "encode_uri_component",
		"env", "env_var", "env_var_or_default", "error", "extension", "file_name", "file_stem", "home_directory", "invocation_directory", "is_dependency", "join", "just_executable",
		"just_pid", "justfile", "justfile_directory", "kebabcase", "lowercamelcase", "lowercase", "num_cpus", "os", "os_family", "parent_directory", "path_exists", "prepend",
		"replace", "require", "semver_matches", "sha256", "sha256_file", "shoutykebabcase", "shoutysnakecase", "snakecase", "source_directory", "source_file", "titlecase", "trim",
		"trim_end", "trim_end_match", "trim_end_matches", "trim_start", "trim_start_match", "trim_start_matches", "uppercamelcase", "uppercase", "uuid", "which", "without_extension":
		return true
	}
	return false
}

// term is the value of one operand of an expression.
func (j *justfile) term(tokens []string, locals map[string]string) (value string, rest []string, ok bool) {
	t := tokens[0]
	switch {
	case t[0] == '\'':
		return strings.Trim(t, "'"), tokens[1:], !strings.HasPrefix(t, "'''") || !strings.Contains(t, "\n")
	case t[0] == '"':
		text, ok := justUnescape(t)
		return text, tokens[1:], ok
	case t[0] == '`':
		return j.backtick(t), tokens[1:], true
	case t[0] == '(':
		return j.eval(t[1:len(t)-1], locals), tokens[1:], true
	case !isName(strings.ReplaceAll(t, "-", "_")) || t == "if" || t == "assert":
		return "", nil, false
	case len(tokens) > 1 && tokens[1][0] == '(':
		inner := tokens[1][1 : len(tokens[1])-1]
		switch t {
		case "justfile_directory", "source_directory", "justfile_dir":
			return path.Dir(j.File), tokens[2:], true
		case "invocation_directory", "invocation_dir":
			return j.Dir, tokens[2:], true
		case "quote":
			if text := j.eval(inner, locals); !unsure(text) {
				return policy.Quote(text), tokens[2:], true
			}
			return `"` + unknownText("unknown") + `"`, tokens[2:], true
		case "os_family":
			return "unix", tokens[2:], true
		}
		return "", nil, false
	}
	return j.variable(t, locals), tokens[1:], true
}

// justUnescape is the value of a string in double quotes. Those of several
// lines are not followed.
func justUnescape(s string) (text string, ok bool) {
	if strings.HasPrefix(s, `"""`) {
		return "", false
	}
	s = s[1 : len(s)-1]
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' {
			i++
			at := strings.IndexByte(`nrt"\`, s[i])
			if at < 0 {
				return "", false
			}
			c = "\n\r\t\"\\"[at]
		}
		b.WriteByte(c)
	}
	return b.String(), true
}

func (j *justfile) variable(name string, locals map[string]string) string {
	if value, ok := locals[name]; ok {
		return value
	}
	expr, ok := j.vars[name]
	switch {
	case !ok:
		return unknownText(strings.ReplaceAll(name, "-", "_"))
	case slices.Contains(j.fixed, name):
		return expr
	}
	return j.eval(expr, nil)
}

// backtick is the output of a program: a step, a problem, and a value that is
// not known.
func (j *justfile) backtick(t string) string {
	text := strings.Trim(t, "`")
	if !j.idle {
		j.trouble(j.at, "Runs a program for its output: %s", policy.Visible(text))
	}
	j.step(Step{Name: "backtick", File: j.File, Line: j.at, Text: text, Dir: j.dir})
	return unknownText("unknown")
}

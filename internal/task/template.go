package task

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// template replaces the templates of a text of mise: {{config_root}}. A value
// that is not known becomes a shell variable. It reports false for a template
// that is not followed, such as {{exec(command="...")}}.
func (m *miseSearch) template(text string, f *miseFile) (string, bool) {
	return m.templated(text, f, 0)
}

func (m *miseSearch) templated(text string, f *miseFile, depth int) (string, bool) {
	if strings.Contains(text, "{%") || strings.Contains(text, "{#") || strings.ContainsAny(text, "\x01\x02") || depth > 8 {
		return text, false
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{{")
		b.WriteString(before)
		if !found {
			return b.String(), true
		}
		expr, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return text, false
		}
		expr = strings.TrimSpace(strings.Trim(strings.TrimSpace(expr), "-"))
		value, ok := m.value(expr, f, depth)
		if !ok {
			return text, false
		}
		b.WriteString(value)
		text = after
	}
}

// value is what one expression stands for.
func (m *miseSearch) value(expr string, f *miseFile, depth int) (string, bool) {
	name, isVar := strings.CutPrefix(expr, "vars.")
	switch {
	case expr == "config_root":
		return f.root, true
	case expr == "cwd":
		return m.Dir, true
	case isVar:
		for i := range m.files {
			if text, ok := scalar(m.files[i].data.table("vars").get(name)); ok {
				return m.templated(text, &m.files[i], depth+1)
			}
		}
		text, ok := scalar(f.data.table("vars").get(name))
		if !ok {
			return "", false
		}
		return m.templated(text, f, depth+1)
	case strings.HasPrefix(expr, "env.") && isName(expr[4:]):
		return m.variable(expr[4:]), true
	case strings.HasPrefix(expr, "usage.") && isName(expr[6:]):
		return openText("usage_" + expr[6:]), true
	}
	for _, call := range [...]string{"arg(", "option(", "flag("} {
		if strings.HasPrefix(expr, call) && strings.Count(expr, "(") == 1 && strings.HasSuffix(expr, ")") {
			return openText("usage"), true
		}
	}
	return "", false
}

// variable is the value of an environment variable: one that the files set
// may hold any text, others are the user's own.
func (m *miseSearch) variable(name string) string {
	for _, list := range [...][]policy.Assign{m.local, m.env} {
		for i := len(list) - 1; i >= 0; i-- {
			if list[i].Name == name {
				if text, ok := list[i].Value.Const(); ok {
					return text
				}
				return openText(name)
			}
		}
	}
	return unknownText(name)
}

// withoutTemplates puts a variable in the place of each template, so that the
// rest of a text can still be judged.
func withoutTemplates(text string) string {
	for _, marks := range [...][2]string{{"{{", "}}"}, {"{%", "%}"}} {
		for {
			before, rest, found := strings.Cut(text, marks[0])
			_, after, closed := strings.Cut(rest, marks[1])
			if !found || !closed {
				break
			}
			text = before + unknownText("unknown") + after
		}
	}
	return text
}

// dotenv reads the names of the variables that a file of NAME=VALUE lines
// sets. The values, which may be secret, are not looked at.
func (s *search) dotenv(file string) []policy.Assign {
	data, err := s.text(file)
	if err != nil {
		if !absent(err) {
			s.unreadable(file, err)
		}
		return nil
	}
	var vars []policy.Assign
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, _, found := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		if name = strings.TrimSpace(name); !found || !isName(name) {
			s.problem(file, i+1, "A line that sets no variable")
			return vars
		}
		vars = append(vars, unknown(name))
	}
	return vars
}

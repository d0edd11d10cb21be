package task

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// hatch finds scripts of hatch's environments, in pyproject.toml or hatch.toml.
//
//	hatch run lint ARGS    hatch run docs:build ARGS
//
//	[tool.hatch.envs.default.scripts]
//	lint = ["ruff check {args:.}", "other"]    each entry a text, or another script
//
// Environments take over the scripts of default, or of their template. What is
// no script is a command.
// Source: hatch.pypa.io, the page on environments.
func hatch(s *search) {
	if len(s.Call.Operands) == 0 {
		return
	}
	file := s.nearest(s.Dir, "hatch.toml", "pyproject.toml")
	if file == "" {
		return
	}
	name, ok := s.Call.Operands[0].Const()
	if !ok {
		return
	}
	s.File = file
	t, ok := s.tree(file, parseTOML)
	if !ok {
		return
	}
	envs := t.get("tool", "hatch", "envs")
	if path.Base(file) == "hatch.toml" {
		envs = t.get("envs")
	}
	env := "default"
	if value, ok := s.option("-e"); ok {
		text, known := value.Const()
		if !known {
			s.problem(file, 0, "Runs in an environment that is not known")
		}
		env = text
	}
	if e, script, ok := strings.Cut(name, ":"); ok {
		env, name = e, script
	}
	h := hatchSearch{search: s, envs: envs, env: env}
	h.args = s.Call.Operands[1:]
	switch {
	case strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-"):
		s.problem(file, 0, "Runs in several environments")
	case h.script(name) != nil:
		s.Replaces = true
		h.run(name, h.args, h.variables(envs.get(env), "env-vars", nil))
	case strings.Contains(s.Call.Operands[0].Text, ":"):
		s.missing(file, "No script is called %s", policy.Quote(name))
	default:
		s.declared(t, name)
	}
}

type hatchSearch struct {
	*search
	envs *node
	env  string
	args []policy.Word
}

// script is what a name stands for in the environment: a text, or a list.
func (h *hatchSearch) script(name string) *node {
	env := h.env
	for range 8 {
		t := h.envs.get(env)
		for _, key := range [...]string{"scripts", "extra-scripts"} {
			if v := t.get(key).get(name); v != nil {
				return v
			}
		}
		next, ok := t.get("template").string()
		if !ok {
			next = "default"
		}
		if next == env {
			return nil
		}
		env = next
	}
	return nil
}

// run adds the texts of a script.
func (h *hatchSearch) run(name string, args []policy.Word, env []policy.Assign) {
	line := h.envs.get(h.env, "scripts").lineOf(name)
	texts, ok := h.script(name).texts()
	if !ok {
		h.problem(h.File, line, "The script %s can't be read", policy.Quote(name))
	}
	h.once(name, h.File, line, func() {
		for _, text := range texts {
			text = strings.TrimPrefix(text, "- ")
			word, rest, more := strings.Cut(strings.TrimSpace(text), " ")
			if h.script(word) != nil && !strings.ContainsAny(word, "{}") {
				if words, ok := fields(rest, false); ok && !more {
					h.run(word, nil, env)
				} else if ok && rest == "{args}" {
					h.run(word, args, env)
				} else if ok && !strings.Contains(rest, "{") {
					h.run(word, words, env)
				} else {
					h.problem(h.File, line, "Arguments that are not followed: %s", policy.Quote(text))
				}
				continue
			}
			h.text(name, text, line, args, env)
		}
	})
}

// text adds a text with its placeholders replaced.
func (h *hatchSearch) text(name, text string, line int, args []policy.Word, env []policy.Assign) {
	filled := fill(text, hatchMarks, func(inner string) (policy.Word, bool) {
		switch field, value, _ := strings.Cut(inner, ":"); {
		case field == "args" && len(args) == 0:
			return policy.Const(value), true
		case field == "args":
			return quotedArgs(args, text), true
		case field == "root":
			return policy.Const(path.Dir(h.File)), true
		}
		return policy.Word{}, false
	})
	h.made(Step{Name: name, File: h.File, Line: line, Dir: path.Dir(h.File), Env: env}, filled)
}

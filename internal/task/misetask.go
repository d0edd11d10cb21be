package task

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/internal/toml"
	"github.com/bashgate/bashgate/policy"
)

// This file reads the tasks of a mise.toml.

// entry adds one task of a file.
func (m *miseSearch) entry(f *miseFile, key string, tasks table, args []policy.Word, env []policy.Assign) {
	t := tasks.table(key)
	if t.value == nil { // lint = "cmd", lint = ["a", "b"]
		t = table{toml.Around("run", tasks.get(key))}
	}
	for _, k := range t.keys() {
		switch k {
		case "run", "depends", "depends_post", "wait_for", "dir", "env", "file", "shell", "alias", "aliases", "description", "hide", "sources", "outputs", "quiet", "silent",
			"raw", "usage", "confirm", "run_windows", "timeout", "interactive", "vars", "redactions", "choices", "allow_env", "deny_all", "deny_net", "deny_write", "allow_write":
		case "tools":
			m.problem(f.name, t.line(k), "May install tools first")
		default:
			m.problem(f.name, t.line(k), "The task %s has %s, which is not followed", policy.Quote(key), policy.Quote(k))
		}
	}
	env = append(env[:len(env):len(env)], m.variables(f, t.table("env"))...)
	local := m.local
	m.local = env
	defer func() { m.local = local }()
	m.depends(f, t, "depends", true)
	m.depends(f, t, "wait_for", false)
	dir := f.root
	if text, ok := t.string("dir"); ok {
		expanded, known := m.template(text, f)
		if !known || unsure(expanded) || strings.Contains(expanded, "$") {
			m.problem(f.name, t.line("dir"), "Runs in a directory that is not known: %s", policy.Quote(text))
		}
		dir = join(f.root, m.tilde(expanded))
	}
	shell, _ := t.string("shell")
	if t.has("usage") || t.has("vars") {
		if t.has("usage") && len(args) > 0 {
			args = nil // they are the variables usage_NAME
		}
	}
	if file, ok := t.string("file"); ok {
		if strings.Contains(file, "://") || strings.HasPrefix(file, "git::") {
			m.problem(f.name, t.line("file"), "Runs a file from elsewhere: %s", policy.Quote(file))
		} else {
			m.program(f, key, join(f.root, m.tilde(file)), args, dir, env)
		}
	}
	m.texts(f, key, t, "run", args, dir, env, shell)
	m.depends(f, t, "depends_post", true)
}

func (s *search) tilde(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok && s.Home != "" {
		return s.Home + "/" + rest
	}
	return name
}

// texts adds the commands of a task. The last one is given the arguments.
func (m *miseSearch) texts(f *miseFile, name string, t table, key string, args []policy.Word, dir string, env []policy.Assign, shell string) {
	line := t.line(key)
	list := listed(t.get(key))
	for i, v := range list {
		tail := args
		if i < len(list)-1 {
			tail = nil
		}
		switch v.Kind {
		case toml.String:
			m.text(f, name, line, v.Text, tail, dir, env, shell)
		case toml.Table: // {task = "x"}, {tasks = ["x", "y"]}
			m.depend(f, line, v, true)
		default:
			m.problem(f.name, line, "The task %s is no text", policy.Quote(name))
		}
	}
}

// text adds one text of a task.
func (m *miseSearch) text(f *miseFile, name string, line int, text string, tail []policy.Word, dir string, env []policy.Assign, shell string) {
	expanded, ok := m.template(text, f)
	if !ok {
		m.problem(f.name, line, "A template that is not followed")
		if strings.ContainsAny(text, "\x01\x02") {
			return
		}
		expanded = withoutTemplates(text)
	}
	step := Step{Name: name, File: f.name, Line: line, Text: expanded, Tail: tail, Dir: dir, Env: append(m.env[:len(m.env):len(m.env)], env...)}
	if strings.HasPrefix(expanded, "#!") {
		first, _, _ := strings.Cut(expanded, "\n")
		program, known := interpreter(first)
		if !known || !isShell(program) {
			m.problem(f.name, line, "Runs a text of another language: %s", policy.Quote(strings.TrimSpace(first)))
			return
		}
		step.Shell, step.Tail, step.Args = program, nil, append([]policy.Word{policy.Const(name)}, tail...)
	} else if words := strings.Fields(shell); len(words) > 0 {
		program := path.Base(words[0])
		if !runsTexts(words) {
			m.problem(f.name, line, "Runs a text by %s", policy.Quote(shell))
			return
		}
		step.Shell = program
	}
	m.made(step)
}

// depends adds the tasks that a key names.
func (m *miseSearch) depends(f *miseFile, t table, key string, asked bool) {
	line := t.line(key)
	for _, v := range listed(t.get(key)) {
		m.depend(f, line, v, asked)
	}
}

// depend adds a task that another names: "lint", "lint a b", ["lint", "a"],
// {task = "lint", args = ["a"]}.
func (m *miseSearch) depend(f *miseFile, line int, v *toml.Value, asked bool) {
	var words []string
	var env []policy.Assign
	switch v.Kind {
	case toml.String:
		words = strings.Fields(v.Text)
	case toml.List:
		for _, word := range v.Items {
			text, _ := asText(word)
			words = append(words, text)
		}
	case toml.Table:
		t := table{v}
		for _, key := range t.keys() {
			switch key {
			case "task", "tasks", "args", "env":
			default:
				m.problem(f.name, line, "A dependency has %s, which is not followed", policy.Quote(key))
			}
		}
		env = m.variables(f, t.table("env"))
		if names, ok := t.texts("tasks"); !ok {
			m.problem(f.name, line, "A list of tasks can't be read")
		} else {
			for _, name := range names {
				m.run(name, nil, env, asked)
			}
			if len(names) > 0 && !t.has("task") {
				return
			}
		}
		name, _ := t.string("task")
		args, ok := t.texts("args")
		if !ok {
			m.problem(f.name, line, "A dependency's arguments can't be read")
		}
		words = append(strings.Fields(name), args...)
	}
	if len(words) == 0 || words[0] == "" {
		m.problem(f.name, line, "A dependency can't be read")
		return
	}
	args := make([]policy.Word, len(words)-1)
	for i, word := range words {
		text, ok := m.template(word, f)
		if !ok || unsure(text) {
			m.problem(f.name, line, "A template that is not followed")
		}
		if i > 0 {
			args[i-1] = policy.Const(text)
		} else {
			words[0] = text
		}
	}
	m.run(words[0], args, env, asked)
}

// program adds the file of a task.
func (m *miseSearch) program(f *miseFile, name, file string, args []policy.Word, dir string, env []policy.Assign) {
	here := m.Dir
	m.Dir = dir
	if !m.shell(file, "", append([]policy.Word{policy.Const(name)}, args...), append(m.env[:len(m.env):len(m.env)], env...)) {
		m.problem(f.name, 0, "Runs a file that is no shell script of the workspace: %s", policy.Quote(file))
	}
	m.Dir = here
}

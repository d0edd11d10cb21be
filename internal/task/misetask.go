package task

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// This file reads the tasks of a mise.toml.

// entry adds one task of a file.
func (m *miseSearch) entry(f *miseFile, key string, tasks *node, args []policy.Word, env []policy.Assign) {
	t := tasks.get(key)
	if !t.isTable() { // lint = "cmd", lint = ["a", "b"]
		t = around("run", tasks.get(key))
	}
	if t.get("tools") != nil {
		m.problem(f.name, t.lineOf("tools"), "May install tools first")
	}
	m.unfollowed(f.name, "The task "+policy.Quote(key), t, "tools",
		"run", "depends", "depends_post", "wait_for", "dir", "env", "file", "shell", "alias", "aliases", "description", "hide", "sources", "outputs", "quiet", "silent",
		"raw", "usage", "confirm", "run_windows", "timeout", "interactive", "vars", "redactions", "choices", "allow_env", "deny_all", "deny_net", "deny_write", "allow_write")
	env = append(env[:len(env):len(env)], m.variables(f, t.get("env"))...)
	local := m.local
	m.local = env
	defer func() { m.local = local }()
	m.depends(f, t, "depends", true)
	m.depends(f, t, "wait_for", false)
	dir := m.workDir(f, t, t.lineOf("dir"))
	shell, _ := t.get("shell").string()
	if t.get("usage") != nil {
		args = nil // they are the variables usage_NAME
	}
	if file, ok := t.get("file").string(); ok {
		if strings.Contains(file, "://") || strings.HasPrefix(file, "git::") {
			m.problem(f.name, t.lineOf("file"), "Runs a file from elsewhere: %s", policy.Quote(file))
		} else {
			m.program(f, key, join(f.root, m.tilde(file)), args, dir, env)
		}
	}
	m.texts(f, key, t, "run", args, dir, env, shell)
	m.depends(f, t, "depends_post", true)
}

// workDir is where a task runs.
func (m *miseSearch) workDir(f *miseFile, t *node, line int) string {
	text, ok := t.get("dir").string()
	if !ok {
		return f.root
	}
	dir, known := m.known(text, f)
	if !known || strings.Contains(dir, "$") {
		m.problem(f.name, line, "Runs in a directory that is not known: %s", policy.Quote(text))
	}
	return join(f.root, m.tilde(dir))
}

func (s *search) tilde(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok && s.Home != "" {
		return s.Home + "/" + rest
	}
	return name
}

// texts adds the commands of a task. The last one is given the arguments.
func (m *miseSearch) texts(f *miseFile, name string, t *node, key string, args []policy.Word, dir string, env []policy.Assign, shell string) {
	line := t.lineOf(key)
	list := t.get(key).list()
	for i, v := range list {
		tail := args
		if i < len(list)-1 {
			tail = nil
		}
		switch v.kind {
		case nodeText:
			m.text(f, name, line, v.text, tail, dir, env, shell)
		case nodeTable: // {task = "x"}, {tasks = ["x", "y"]}
			m.depend(f, line, v, true)
		default:
			m.problem(f.name, line, "The task %s is no text", policy.Quote(name))
		}
	}
}

// text adds one text of a task.
func (m *miseSearch) text(f *miseFile, name string, line int, text string, tail []policy.Word, dir string, env []policy.Assign, shell string) {
	expanded := m.template(text, f)
	step := Step{Name: name, File: f.name, Line: line, Tail: tail, Dir: dir, Env: append(m.env[:len(m.env):len(m.env)], env...)}
	if start := expanded.Prefix(); strings.HasPrefix(start, "#!") {
		first, _, whole := strings.Cut(start, "\n")
		program, known := interpreter(first)
		if !known || !isShell(program) || !whole && !expanded.IsConst() {
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
	m.made(step, expanded)
}

// depends adds the tasks that a key names.
func (m *miseSearch) depends(f *miseFile, t *node, key string, asked bool) {
	line := t.lineOf(key)
	for _, v := range t.get(key).list() {
		m.depend(f, line, v, asked)
	}
}

// depend adds a task that another names: "lint", "lint a b", ["lint", "a"],
// {task = "lint", args = ["a"]}.
func (m *miseSearch) depend(f *miseFile, line int, v *node, asked bool) {
	var words []string
	var env []policy.Assign
	switch v.kind {
	case nodeText:
		words = strings.Fields(v.text)
	case nodeList:
		for _, word := range v.items {
			text, _ := word.string()
			words = append(words, text)
		}
	case nodeTable:
		t := v
		m.unfollowed(f.name, "A dependency", t, "task", "tasks", "args", "env")
		env = m.variables(f, t.get("env"))
		if names, ok := t.get("tasks").texts(); !ok {
			m.problem(f.name, line, "A list of tasks can't be read")
		} else {
			for _, name := range names {
				m.run(name, nil, env, asked)
			}
			if len(names) > 0 && t.get("task") == nil {
				return
			}
		}
		name, _ := t.get("task").string()
		args, ok := t.get("args").texts()
		if !ok {
			m.problem(f.name, line, "A dependency's arguments can't be read")
		}
		words = append(strings.Fields(name), args...)
	}
	if len(words) == 0 || words[0] == "" {
		m.problem(f.name, line, "A dependency can't be read")
		return
	}
	args := make([]policy.Word, len(words))
	for i, word := range words {
		if args[i] = m.template(word, f); !args[i].IsConst() {
			m.problem(f.name, line, "A template that is not followed")
			args[i] = policy.Unknown("$unknown")
		}
	}
	if name, ok := args[0].Const(); ok {
		m.run(name, args[1:], env, asked)
	}
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

// template replaces the templates of a text: {{config_root}}.
func (m *miseSearch) template(text string, f *miseFile) policy.Word {
	if m.nest > 8 {
		return anyText("unknown")
	}
	m.nest++
	defer func() { m.nest-- }()
	return fill(text, teraMarks, func(inner string) (policy.Word, bool) { return m.value(inner, f) })
}

// known is a text with its templates replaced, where all of it is known then.
func (m *miseSearch) known(text string, f *miseFile) (string, bool) {
	return m.template(text, f).Const()
}

// value is what a name stands for.
func (m *miseSearch) value(name string, f *miseFile) (policy.Word, bool) {
	switch name {
	case "config_root":
		return policy.Const(f.root), true
	case "cwd":
		return policy.Const(m.Dir), true
	}
	if variable, ok := strings.CutPrefix(name, "vars."); ok {
		for i := range m.files {
			if text, ok := m.files[i].data.get("vars", variable).scalar(); ok {
				return m.template(text, &m.files[i]), true
			}
		}
	}
	if variable, ok := strings.CutPrefix(name, "env."); ok && isName(variable) {
		return m.variable(variable), true
	}
	return policy.Word{}, false
}

// variable is the value of an environment variable: one that the files set
// may hold any text, others are the user's own.
func (m *miseSearch) variable(name string) policy.Word {
	for _, list := range [...][]policy.Assign{m.local, m.env} {
		for i := len(list) - 1; i >= 0; i-- {
			if list[i].Name == name {
				return argText(list[i].Value, name)
			}
		}
	}
	return someWords(name)
}

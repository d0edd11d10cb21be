package task

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// poe finds tasks of poethepoet: [tool.poe.tasks] of pyproject.toml, or
// poe_tasks.toml.
//
//	poe lint ARGS
//
//	lint = "ruff check $DIR"          without a shell; variables and patterns are expanded
//	sh.shell = "ls | wc -l"
//	all = ["lint", {cmd = "ls"}]      a sequence: names of tasks, or tasks
//
// Source: poethepoet.natn.io.
func poe(s *search) {
	name, ok := s.name(0)
	var file string
	up(s.Dir, func(dir string) bool {
		for _, base := range [...]string{"pyproject.toml", "poe_tasks.toml"} {
			if f := s.first(dir, base); f != "" && file == "" {
				if t, err := parsed(s, f, parseTOML); err != nil || base != "pyproject.toml" || t.get("tool", "poe").isTable() {
					file = f
				}
			}
		}
		if f := s.first(dir, "poe_tasks.yaml", "poe_tasks.json"); f != "" && file == "" {
			s.File = f
			s.problem(f, 0, "Tasks in a language that is not read")
			return true
		}
		return file != ""
	})
	if file == "" {
		return
	}
	s.File = file
	if !ok {
		return
	}
	t, ok := s.tree(file, parseTOML)
	if !ok {
		return
	}
	conf := t.get("tool", "poe")
	if path.Base(file) != "pyproject.toml" && !conf.isTable() {
		conf = t
	}
	p := poeSearch{search: s, tasks: conf.get("tasks"), env: s.variables(conf, "env", nil)}
	// Not include, envfile, shell_interpreter.
	s.unfollowed(file, "poe", conf, "tasks", "env", "executor", "poetry_command", "poetry_hooks", "verbosity", "default_task_type", "groups")
	if conf.get("default_task_type") != nil {
		s.problem(file, conf.lineOf("default_task_type"), "Changes what a text means")
	}
	if p.tasks.get(name) == nil || strings.HasPrefix(name, "_") {
		s.missing(file, "No task is called %s", policy.Quote(name))
		return
	}
	p.run(name, s.Call.Operands[1:], p.env, path.Dir(file))
}

type poeSearch struct {
	*search
	tasks *node
	env   []policy.Assign
}

// run adds a task by its name.
func (p *poeSearch) run(name string, args []policy.Word, env []policy.Assign, dir string) {
	p.once(name, p.File, p.tasks.lineOf(name), func() { p.task(name, p.tasks.get(name), args, env, dir) })
}

// named adds the task that another names, with arguments.
func (p *poeSearch) named(text string, line int, env []policy.Assign, dir string) {
	words, ok := fields(text, true)
	name := ""
	if len(words) > 0 {
		name, _ = words[0].Const()
	}
	if !ok || p.tasks.get(name) == nil {
		p.problem(p.File, line, "No task is called %s", policy.Quote(text))
		return
	}
	p.run(name, words[1:], env, dir)
}

// task adds one task. env and dir are those of the tasks around it.
func (p *poeSearch) task(name string, task *node, args []policy.Word, env []policy.Assign, dir string) {
	line := p.tasks.lineOf(name)
	step := Step{Name: name, File: p.File, Line: line, Dir: dir, Env: env}
	var list []*node
	switch task.kind {
	case nodeText:
		p.command(step, task.text, args)
		return
	case nodeList:
		list = task.items
	case nodeTable:
		t := task
		// Not script and expr, which are Python; switch, uses, envfile, interpreter.
		p.unfollowed(p.File, "The task "+policy.Quote(name), t, "cmd", "shell", "sequence", "ref", "env", "cwd", "deps", "help", "args", "ignore_fail", "use_exec", "capture_stdout", "verbosity", "executor")
		if t.get("args") != nil {
			args = nil // they are variables
		}
		step.Env = p.variables(t, "env", env[:len(env):len(env)])
		if cwd, ok := t.get("cwd").string(); ok {
			if strings.Contains(cwd, "$") {
				p.problem(p.File, line, "Runs in a directory that is not known: %s", policy.Quote(cwd))
			}
			step.Dir = join(path.Dir(p.File), cwd)
		}
		deps, ok := t.get("deps").texts()
		if !ok {
			p.problem(p.File, line, "The dependencies of %s can't be read", policy.Quote(name))
		}
		for _, dep := range deps {
			p.named(dep, line, p.env, path.Dir(p.File))
		}
		if text, ok := t.get("cmd").string(); ok {
			p.command(step, text, args)
		}
		if text, ok := t.get("shell").string(); ok {
			step.Text = text
			p.step(step)
		}
		if text, ok := t.get("ref").string(); ok {
			p.named(text, line, step.Env, step.Dir)
		}
		if sequence := t.get("sequence"); sequence != nil {
			list = sequence.items
		}
	default:
		p.problem(p.File, line, "The task %s can't be read", policy.Quote(name))
	}
	for _, one := range list {
		if text, ok := one.string(); ok {
			p.named(text, line, step.Env, step.Dir)
			continue
		}
		if len(p.open) > maxUp {
			return
		}
		p.task(name, one, nil, step.Env, step.Dir)
	}
}

// command adds a command that runs without a shell.
func (p *poeSearch) command(step Step, text string, args []policy.Word) {
	words, ok := fields(text, true)
	if !ok || len(words) == 0 || strings.ContainsAny(text, "#\n") {
		p.problem(step.File, step.Line, "The task %s can't be read", policy.Quote(step.Name))
		return
	}
	step.Words = append(words, args...)
	p.step(step)
}

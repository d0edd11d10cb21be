package task

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// This file reads the tasks of pyproject.toml that pdm and rye run, and knows
// the programs that a project installs in its environment. poe and hatch have
// files of their own.

// pyproject finds the project's file. It reports false where there is none, or
// where it can't be read.
func (s *search) pyproject() (t *node, ok bool) {
	file := s.nearest(s.Dir, "pyproject.toml")
	if file == "" {
		return nil, false
	}
	s.File = file
	return s.tree(file, parseTOML)
}

// uv knows the programs that uv run and poetry run start: where the project
// declares one of that name, its own code runs.
func uv(s *search) {
	t, ok := s.pyproject()
	if !ok {
		return
	}
	if name, ok := s.name(0); ok {
		s.declared(t, name)
	}
}

// declared asks about a name that the project gives to code of its own.
func (s *search) declared(t *node, name string) {
	for _, at := range [...]*node{t.get("project", "scripts"), t.get("project", "gui-scripts"), t.get("tool", "poetry", "scripts")} {
		if at.get(name) != nil {
			s.problem(s.File, at.lineOf(name), "Runs code of the project: %s", policy.Quote(name))
		}
	}
}

// pdm finds scripts of pdm and rye, and asks about tasks of pixi.
//
//	pdm run lint ARGS    pdm lint ARGS    rye run lint ARGS
//
//	lint = "ruff check"               without a shell
//	all = {composite = ["lint", "test -q"]}
//	sh = {shell = "ls | wc -l"}
//
// pre_NAME and post_NAME run around NAME. A name that is no script is a
// command.
// Sources: pdm-project.org, the page on scripts; rye.astral.sh, pyproject.
func pdm(s *search) {
	t, ok := s.pyproject()
	if s.Call.Program == "pixi" {
		s.pixi()
		return
	}
	if !ok {
		return
	}
	name, ok := s.name(0)
	if !ok {
		return
	}
	scripts := t.get("tool", s.Call.Program, "scripts")
	p := pdmSearch{search: s, scripts: scripts}
	if scripts.get(name) != nil {
		s.Replaces = true
		p.run(name, s.Call.Operands[1:])
		return
	}
	if len(s.Call.Path) == 0 {
		s.missing(s.File, "No script is called %s", policy.Quote(name))
		return
	}
	s.declared(t, name)
}

// pixi asks about a name that is a task in any of a project's environments.
func (s *search) pixi() {
	name, ok := s.name(0)
	if !ok {
		return
	}
	for _, file := range [...]string{s.nearest(s.Dir, "pixi.toml"), s.nearest(s.Dir, "pyproject.toml")} {
		if file == "" {
			continue
		}
		s.File = file
		text, err := s.text(file)
		if err != nil {
			s.unreadable(file, err)
		}
		if strings.Contains(string(text), "tasks") && strings.Contains(string(text), name) {
			s.problem(file, 0, "May run a task of pixi: %s", policy.Quote(name))
		}
	}
}

type pdmSearch struct {
	*search
	scripts *node
}

// run adds a script with what runs around it.
func (p *pdmSearch) run(name string, args []policy.Word) {
	p.once(name, p.File, p.scripts.lineOf(name), func() {
		p.one("pre_"+name, nil)
		p.one(name, args)
		p.one("post_"+name, nil)
	})
}

// one adds one script, where there is one.
func (p *pdmSearch) one(name string, args []policy.Word) {
	if p.scripts.get(name) == nil {
		return
	}
	line := p.scripts.lineOf(name)
	step := Step{Name: name, File: p.File, Line: line, Dir: path.Dir(p.File)}
	var t *node
	switch v := p.scripts.get(name); v.kind {
	case nodeText, nodeList:
		t = around("cmd", v)
	default:
		t = v
	}
	step.Env = p.variables(p.scripts.get("_"), "env", nil)
	for _, key := range t.names() {
		switch key {
		case "cmd", "shell", "composite", "chain", "env", "help", "keep_going", "site_packages":
		case "env_file", "env-file":
			file, ok := t.get(key).string()
			if !ok {
				p.problem(p.File, line, "Takes variables from a file that is not known")
			}
			step.Env = append(step.Env, p.dotenv(join(step.Dir, file))...)
		case "working_dir":
			dir, ok := t.get(key).string()
			if !ok || strings.ContainsAny(dir, "${") {
				p.problem(p.File, line, "Runs in a directory that is not known")
			}
			step.Dir = join(step.Dir, dir)
		default: // call: a function of Python
			p.problem(p.File, line, "The script %s has %s, which is not followed", policy.Quote(name), policy.Quote(key))
		}
	}
	step.Env = p.variables(t, "env", step.Env)
	for _, key := range [...]string{"composite", "chain"} {
		list, ok := t.get(key).texts()
		if !ok {
			p.problem(p.File, line, "The script %s can't be read", policy.Quote(name))
		}
		for _, text := range list {
			p.part(step, text, args)
		}
	}
	if t.get("cmd") != nil {
		p.command(step, t, args)
	}
	if t.get("shell") != nil {
		text, ok := t.get("shell").string()
		if !ok || strings.Contains(text, "{args") || strings.Contains(text, "{pdm") {
			p.problem(p.File, line, "The script %s has placeholders, which are not followed", policy.Quote(name))
		}
		step.Text, step.Tail = text, args
		p.step(step)
	}
}

// part adds one entry of a composite: a script's name with arguments, or a
// command.
func (p *pdmSearch) part(step Step, text string, args []policy.Word) {
	words, ok := fields(text, true)
	if !ok || len(words) == 0 || strings.Contains(text, "{args") || strings.Contains(text, "{pdm") {
		p.problem(step.File, step.Line, "A command that is not followed: %s", policy.Quote(text))
		return
	}
	if name, _ := words[0].Const(); p.scripts.get(name) != nil {
		p.run(name, append(words[1:], args...))
		return
	}
	step.Words = append(words, args...)
	p.step(step)
}

// command adds a command that runs without a shell.
func (p *pdmSearch) command(step Step, t *node, args []policy.Word) {
	texts, ok := t.get("cmd").texts()
	text, one := t.get("cmd").string()
	words := make([]policy.Word, len(texts))
	for i := range texts {
		words[i] = policy.Const(texts[i])
	}
	if one {
		words, ok = fields(text, true)
	}
	if !ok || len(words) == 0 || strings.Contains(strings.Join(texts, " "), "{args") || strings.Contains(strings.Join(texts, " "), "{pdm") {
		p.problem(step.File, step.Line, "The script %s can't be read", policy.Quote(step.Name))
		return
	}
	step.Words = append(words, args...)
	p.step(step)
}

// variables adds those of a table that a key holds.
func (s *search) variables(t *node, key string, env []policy.Assign) []policy.Assign {
	vars := t.get(key)
	if vars != nil && !vars.isTable() {
		s.problem(s.File, t.lineOf(key), "Variables that can't be read")
	}
	for _, name := range vars.names() {
		text, ok := vars.get(name).scalar()
		if ok && !strings.Contains(text, "$") {
			env = append(env, constant(name, text))
		} else {
			env = append(env, unknown(name))
		}
	}
	return env
}

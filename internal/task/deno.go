package task

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// deno finds tasks of deno.json, deno.jsonc, or scripts of package.json.
//
//	deno task lint ARGS    deno task 'build:*'
//
//	"lint": "deno lint",
//	"all": {"command": "ls", "dependencies": ["lint"]}
//
// Source: docs.deno.com, the page on deno task.
func deno(s *search) {
	if len(s.Call.Path) == 0 || s.Call.Path[0] != "task" {
		return
	}
	if s.set("--eval") {
		return // a text of its own
	}
	d := denoSearch{search: s}
	var manifests []string
	up(s.Dir, func(dir string) bool {
		if file := s.first(dir, "deno.json", "deno.jsonc"); file != "" {
			d.files = append(d.files, file)
		}
		if file := s.first(dir, "package.json"); file != "" {
			manifests = append(manifests, file)
		}
		return false
	})
	files := append(append([]string(nil), d.files...), manifests...)
	if len(files) == 0 {
		return
	}
	s.File = files[0]
	if s.set("-r") || s.set("-f") {
		s.problem(s.File, 0, "Runs tasks of several packages")
		return
	}
	name, ok := s.name(0)
	if !ok {
		return
	}
	if !d.run(name, s.Call.Operands[1:]) && !d.script(manifests, name, s.Call.Operands[1:]) {
		s.missing(s.File, "No task is called %s", policy.Quote(name))
	}
}

type denoSearch struct {
	*search
	files []string
}

// script adds a script of the nearest package.json that has it.
func (d *denoSearch) script(files []string, name string, args []policy.Word) bool {
	for _, file := range files {
		p, ok := d.tree(file, parseJSON)
		if !ok {
			return true
		}
		if d.scripts(file, p, name, args) {
			return true
		}
	}
	return false
}

// run adds the tasks of a name in the nearest file that has it.
func (d *denoSearch) run(name string, args []policy.Word) bool {
	for _, file := range d.files {
		root, ok := d.tree(file, parseJSON)
		if !ok {
			return true
		}
		tasks := root.get("tasks")
		found := false
		for _, key := range tasks.names() {
			if key == name || strings.Contains(name, "*") && wild(name, key) {
				task := tasks.get(key)
				d.once(key, file, task.where(), func() { d.add(file, key, task, args) })
				found = true
			}
		}
		if found {
			return true
		}
	}
	return false
}

// add adds one task with those that it depends on.
func (d *denoSearch) add(file, name string, task *node, args []policy.Word) {
	line := task.where()
	text, ok := task.string()
	if task.isTable() {
		d.unfollowed(file, "The task "+policy.Quote(name), task, "command", "dependencies", "description")
		names, known := task.get("dependencies").strings()
		if !known && task.get("dependencies") != nil {
			d.problem(file, line, "The dependencies of %s can't be read", policy.Quote(name))
		}
		for _, other := range names {
			if !d.run(other, nil) {
				d.problem(file, line, "No task is called %s", policy.Quote(other))
			}
		}
		if task.get("command") == nil {
			return
		}
		text, ok = task.get("command").string()
		line = task.get("command").where()
	}
	if !ok {
		d.problem(file, line, "The task %s is no text", policy.Quote(name))
		return
	}
	d.step(Step{Name: name, File: file, Line: line, Text: text, Tail: args, Dir: path.Dir(file), Vars: []policy.Assign{constant("INIT_CWD", d.Dir)}})
}

package task

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// taskfile finds tasks of a Taskfile, as go-task reads them.
//
//	task lint    task build docs:serve    task greet NAME=x -- args
//
// Templates are followed where they name a variable that has a known value.
// Source: taskfile.dev, the schema of version 3.
func taskfile(s *search) {
	file, base, moved := "", s.Dir, false
	if values, known := s.options("-d"); len(values) > 0 {
		if !known {
			return
		}
		base, moved = join(s.Dir, values[len(values)-1]), true
		s.Covered = append(s.Covered, "-d")
	}
	if values, known := s.options("-t"); len(values) > 0 {
		if !known {
			return
		}
		file = join(s.Dir, values[len(values)-1])
		s.Covered = append(s.Covered, "-t")
	} else {
		file = s.nearest(base, taskfileNames[:]...)
	}
	if file == "" {
		return
	}
	s.File = file
	if !s.inside(file) {
		s.problem(file, 0, "A Taskfile outside the workspace")
		return
	}
	t := taskSearch{search: s}
	dir := path.Dir(file)
	if moved {
		dir = base
	}
	if !t.load(file, dir, "", nil, 0) {
		return
	}
	words := s.Call.Operands
	for i, w := range s.Call.Words {
		if w.Parts == nil && w.Text == "--" {
			t.cli = s.Call.Words[i+1:]
			words = words[:max(0, len(words)-len(t.cli))]
			break
		}
	}
	vars := taskVars{}
	var names []string
	for _, w := range words {
		text, ok := w.Const()
		if !ok {
			s.problem(file, 0, "Runs a task whose name is not known: %s", w)
			return
		}
		if name, value, assigns := strings.Cut(text, "="); assigns {
			vars = vars.with(name, policy.Const(value))
			continue
		}
		names = append(names, text)
	}
	if len(names) == 0 {
		names = []string{"default"}
	}
	for _, name := range names {
		t.run(name, vars, true)
	}
}

var taskfileNames = [...]string{"Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml", "taskfile.dist.yml", "Taskfile.dist.yaml", "taskfile.dist.yaml"}

// taskVars are variables, the innermost last.
type taskVars []taskVar

type taskVar struct {
	name  string
	value policy.Word
}

func (v taskVars) with(name string, value policy.Word) taskVars {
	return append(v[:len(v):len(v)], taskVar{name, value})
}

func (v taskVars) get(name string) (policy.Word, bool) {
	for i := len(v) - 1; i >= 0; i-- {
		if v[i].name == name {
			return v[i].value, true
		}
	}
	return policy.Word{}, false
}

type taskSearch struct {
	*search
	files []*oneTaskfile
	cli   []policy.Word // what stands behind "--"
}

// oneTaskfile is one file, under the prefix with which it was included.
type oneTaskfile struct {
	name   string
	dir    string
	prefix string // "docs:"
	root   *node
	vars   taskVars // of the include
}

// load reads a file and those it includes.
func (t *taskSearch) load(file, dir, prefix string, vars taskVars, depth int) bool {
	root, ok := t.tree(file, parseYAML)
	if !ok {
		return false
	}
	if depth > 8 {
		t.problem(file, 0, "Includes nest too deeply")
		return false
	}
	f := &oneTaskfile{file, dir, prefix, root, vars}
	t.files = append(t.files, f)
	includes := root.get("includes")
	if includes == nil {
		return true
	}
	for i, name := range includes.keys {
		node := includes.items[i]
		at, ok := node.string()
		inner := dir
		flat := false
		var given taskVars
		if !ok {
			at, ok = node.get("taskfile").string()
			if text, is := node.get("dir").string(); is {
				inner = join(dir, text)
			}
			flat = node.get("flatten").true()
			given = t.read(f, node.get("vars"), vars)
		} else {
			inner = ""
		}
		if !ok || strings.Contains(at, "{{") || strings.Contains(at, "://") {
			t.problem(file, includes.line, "Includes a file that is not known: %s", policy.Quote(name))
			continue
		}
		other := join(path.Dir(file), at)
		if info, err := t.Files.Lstat(other); err == nil && info.IsDir() || err != nil {
			if found := t.first(other, taskfileNames[:]...); found != "" {
				other = found
			} else if node.get("optional").true() {
				continue
			}
		}
		if inner == "" {
			inner = path.Dir(other)
		}
		if !t.inside(other) {
			t.problem(file, includes.line, "Includes a Taskfile outside the workspace")
			continue
		}
		next := prefix + name + ":"
		if flat {
			next = prefix
		}
		t.load(other, inner, next, given, depth+1)
	}
	return true
}

// run adds the tasks of a name with what they depend on.
func (t *taskSearch) run(name string, vars taskVars, asked bool) {
	found := false
	for _, f := range t.files {
		tasks := f.root.get("tasks")
		if tasks == nil {
			continue
		}
		for i, key := range tasks.keys {
			if !f.isCalled(key, tasks.items[i], name) {
				continue
			}
			found = true
			id := f.name + "\x00" + key
			for _, v := range vars {
				id += "\x00" + v.name + "=" + v.value.String()
			}
			t.once(id, f.name, tasks.items[i].line, func() { t.add(f, key, tasks.items[i], vars) })
		}
	}
	if !found && asked {
		t.missing(t.File, "No task is called %s", policy.Quote(name))
	}
}

func (f *oneTaskfile) isCalled(key string, node *node, name string) bool {
	names := []string{f.prefix + key}
	if key == "default" && f.prefix != "" {
		names = append(names, strings.TrimSuffix(f.prefix, ":"))
	}
	for _, alias := range node.get("aliases").list() {
		if text, ok := alias.string(); ok {
			names = append(names, f.prefix+text)
		}
	}
	return slices.ContainsFunc(names, func(n string) bool {
		return n == name || strings.Contains(n, "*") && wild(n, name)
	})
}

// read adds a mapping of variables to vars.
func (t *taskSearch) read(f *oneTaskfile, node *node, vars taskVars) taskVars {
	if node == nil || node.kind == nodeNull {
		return vars
	}
	if node.kind != nodeTable {
		t.problem(f.name, node.line, "A list of variables that can't be read")
		return vars
	}
	for i, name := range node.keys {
		item := node.items[i]
		value := anyText(name)
		switch {
		case item.kind == nodeNull:
			value = policy.Word{}
		case item.kind == nodeText:
			if value = t.template(f, item.text, vars); isOpen(value) {
				t.problem(f.name, item.line, "A template that is not followed: %s", item.text)
			}
		case item.get("sh") != nil:
			text, _ := item.get("sh").string()
			t.problem(f.name, item.line, "Runs a program for its output: %s", text)
			t.made(Step{Name: name, File: f.name, Line: item.line, Shell: "bash", Dir: f.dir}, t.template(f, text, vars))
		case item.get("ref") != nil:
			t.problem(f.name, item.line, "A reference that is not followed")
		}
		vars = vars.with(name, value)
	}
	return vars
}

// global reads the variables, or the environment, that all files set: whichever
// file a task is in, those of all run their programs first. One that two files
// set may have either value.
func (t *taskSearch) global(key string) (vars taskVars) {
	for _, f := range t.files {
		own := t.read(f, f.root.get(key), vars)[len(vars):]
		for _, v := range own {
			if old, ok := vars.get(v.name); ok && !sameText(old, v.value) {
				v.value = anyText(v.name)
			}
			vars = append(vars, v)
		}
	}
	return vars
}

// add adds one task.
func (t *taskSearch) add(f *oneTaskfile, key string, node *node, call taskVars) {
	vars := t.global("vars")
	vars = append(vars, f.vars...)
	if node.kind != nodeTable {
		t.commands(f, key, node, append(vars, call...), nil, f.dir)
		return
	}
	t.unfollowed(f.name, "The task "+policy.Quote(key), node,
		"cmds", "cmd", "deps", "dir", "env", "vars", "desc", "summary", "silent", "internal", "aliases", "label", "sources", "generates", "method", "run", "requires",
		"platforms", "ignore_error", "interactive", "watch", "prompt", "preconditions", "status", "set", "shopt", "dotenv", "prefix", "if", "failfast")
	vars = append(vars, call...)
	vars = t.read(f, node.get("vars"), vars)
	vars = append(vars, call...) // a call's variables count, whatever the task's defaults are
	dir := f.dir
	if text, ok := node.get("dir").string(); ok {
		expanded, known := t.template(f, text, vars).Const()
		if !known || strings.Contains(expanded, "$") {
			t.problem(f.name, node.get("dir").line, "Runs in a directory that is not known: %s", policy.Quote(text))
		}
		dir = join(f.dir, t.tilde(expanded))
	}
	env := t.environment(f, node, vars)
	for i := len(env) - 1; i >= 0; i-- {
		if _, ok := vars.get(env[i].Name); ok {
			continue // a variable of the Taskfile hides the environment's
		}
		vars = vars.with(env[i].Name, argText(env[i].Value, env[i].Name))
	}
	for _, dep := range node.get("deps").list() {
		t.depend(f, dep, vars)
	}
	for _, p := range append(node.get("preconditions").list(), node.get("status").list()...) {
		if p.kind == nodeTable {
			p = p.get("sh")
		}
		t.command(f, key, p, vars, env, dir)
	}
	if node.get("if") != nil {
		t.command(f, key, node.get("if"), vars, env, dir)
	}
	for _, k := range [...]string{"cmds", "cmd"} {
		t.commands(f, key, node.get(k), vars, env, dir)
	}
}

// environment is what a task's commands get besides the environment.
func (t *taskSearch) environment(f *oneTaskfile, node *node, vars taskVars) (env []policy.Assign) {
	for _, file := range append(f.root.get("dotenv").list(), node.get("dotenv").list()...) {
		text, _ := file.string()
		if name, known := t.template(f, text, vars).Const(); known {
			env = append(env, t.dotenv(join(f.dir, name))...)
		} else {
			t.problem(f.name, file.line, "Takes variables from a file that is not known")
		}
	}
	for _, v := range append(t.global("env"), t.read(f, node.get("env"), nil)...) {
		env = append(env, assigned(v.name, v.value))
	}
	return env
}

func (t *taskSearch) commands(f *oneTaskfile, key string, node *node, vars taskVars, env []policy.Assign, dir string) {
	for _, c := range node.list() {
		t.command(f, key, c, vars, env, dir)
	}
}

// command adds one entry of cmds.
func (t *taskSearch) command(f *oneTaskfile, key string, c *node, vars taskVars, env []policy.Assign, dir string) {
	if c == nil || c.kind == nodeNull {
		return
	}
	if c.kind == nodeTable {
		if c.get("for") != nil {
			items, as := t.items(f, c.get("for"), vars)
			for _, item := range items {
				one := *c
				one.keys = slices.Clone(c.keys)
				for i, k := range one.keys {
					if k == "for" {
						one.keys[i] = "-"
					}
				}
				t.command(f, key, &one, vars.with(as, item), env, dir)
			}
			return
		}
		if deferred := c.get("defer"); deferred != nil {
			t.command(f, key, deferred, vars, env, dir)
			return
		}
		if c.get("task") != nil {
			t.depend(f, c, vars)
			return
		}
		if c.get("cmd") == nil {
			t.problem(f.name, c.line, "A command that can't be read")
			return
		}
		c = c.get("cmd")
	}
	text, ok := c.string()
	if !ok {
		t.problem(f.name, c.line, "A command that can't be read")
		return
	}
	t.made(Step{Name: f.prefix + key, File: f.name, Line: c.line, Shell: "bash", Dir: dir, Env: env}, t.template(f, text, vars))
}

// items lists what a loop goes through, and the name that each gets. What is
// not a list of constants, nor a variable's words, is one text that may be
// anything.
func (t *taskSearch) items(f *oneTaskfile, loop *node, vars taskVars) (items []policy.Word, as string) {
	as = "ITEM"
	if texts, ok := loop.strings(); ok {
		for _, text := range texts {
			items = append(items, t.template(f, text, vars))
		}
		return items, as
	}
	if name, ok := loop.get("as").string(); ok {
		as = name
	}
	name, _ := loop.get("var").string()
	value, set := vars.get(name)
	if !set || !value.IsConst() {
		return []policy.Word{anyText(as)}, as
	}
	if separator, ok := loop.get("split").string(); ok && separator != "" {
		for _, text := range strings.Split(value.Text, separator) {
			items = append(items, policy.Const(text))
		}
		return items, as
	}
	return textFields(value), as
}

// depend adds a task that another names.
func (t *taskSearch) depend(f *oneTaskfile, node *node, vars taskVars) {
	name, ok := node.string()
	var given taskVars
	if !ok {
		name, ok = node.get("task").string()
		given = t.read(f, node.get("vars"), vars)[len(vars):]
	}
	name, known := t.template(f, name, vars).Const()
	if !ok || !known {
		t.problem(f.name, node.line, "Runs a task whose name is not known")
		return
	}
	if rest, rooted := strings.CutPrefix(name, ":"); rooted {
		name = rest
	} else {
		name = f.prefix + name
	}
	t.run(name, given, true)
}

// template replaces {{.NAME}}.
func (t *taskSearch) template(f *oneTaskfile, text string, vars taskVars) policy.Word {
	return fill(text, goMarks, func(inner string) (policy.Word, bool) {
		name, is := strings.CutPrefix(inner, ".")
		if value, set := vars.get(name); is && set {
			return value, true
		}
		switch inner {
		case ".CLI_ARGS":
			return quotedArgs(t.cli, text), true
		case ".ROOT_DIR":
			return policy.Const(path.Dir(t.File)), true
		case ".TASKFILE_DIR":
			return policy.Const(path.Dir(f.name)), true
		case ".USER_WORKING_DIR":
			return policy.Const(t.Dir), true
		case ".TASK", ".TASKFILE", ".ROOT_TASKFILE", ".TASK_VERSION", ".CHECKSUM", ".TIMESTAMP", "OS", "ARCH", "exeExt", "numCPU":
			return someWords("unknown"), true
		case ".MATCH", ".CLI_ARGS_LIST":
			return policy.Word{}, false // what the line says
		}
		return someWords(name), is && isName(name)
	})
}

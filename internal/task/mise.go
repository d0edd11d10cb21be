package task

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// mise finds tasks of mise.toml, and files in its task directories.
//
//	mise run lint a ::: test    mise lint    mise tasks run lint
//	mise exec -- cmd            mise x node@22 -- cmd
//
// Tasks of all the files of a directory count, those of the nearest directory
// that has the name. A task's dependencies run around it; wait_for only waits,
// but what it names is judged too where it exists. Templates are followed
// where they are a directory or a variable.
// Source: the pages of mise.jdx.dev on tasks, configuration and templates.
func mise(s *search) {
	m := miseSearch{search: s}
	for i, word := range s.Call.Path {
		if word == "exec" || word == "x" {
			m.exec(s.Call.Words[1+i:])
			return
		}
	}
	switch strings.Join(s.Call.Path, " ") {
	case "", "run", "r", "tasks run", "t run", "tasks r", "t r":
	default:
		return
	}
	operands := s.Call.Operands
	if len(operands) == 0 {
		return
	}
	if !m.load() {
		return
	}
	m.around()
	for len(operands) > 0 {
		end := slices.IndexFunc(operands, func(w policy.Word) bool { return w.Parts == nil && w.Text == ":::" })
		one := operands
		if end >= 0 {
			one, operands = operands[:end], operands[end+1:]
		} else {
			operands = nil
		}
		if len(one) == 0 {
			continue
		}
		name, ok := one[0].Const()
		if !ok {
			s.problem(s.File, 0, "Runs a task whose name is not known: %s", one[0])
			return
		}
		m.run(name, one[1:], nil, true)
	}
}

// miseSearch is what mise's files say, the nearest first.
type miseSearch struct {
	*search
	files []miseFile
	env   []policy.Assign
	local []policy.Assign // of the task at hand
	nest  int             // templates within templates
}

// miseFile is one file, or one directory of task files.
type miseFile struct {
	name string
	root string // the directory that the file is about
	data *node
	dirs []string // its directories of task files
}

// miseNames are the files of one directory.
var miseNames = [...]string{
	"mise.local.toml", ".mise.local.toml", "mise.toml", ".mise.toml", "mise/config.local.toml", "mise/config.toml", ".mise/config.local.toml", ".mise/config.toml",
	".config/mise.local.toml", ".config/mise.toml", ".config/mise/config.local.toml", ".config/mise/config.toml", ".config/mise/mise.local.toml", ".config/mise/mise.toml",
}

// miseDirs are the directories of task files.
var miseDirs = [...]string{"mise-tasks", ".mise-tasks", "mise/tasks", ".mise/tasks", ".config/mise/tasks"}

// load reads the files from the directory upward, and the user's. It reports
// false if there are none.
func (m *miseSearch) load() bool {
	envs, known := m.options("-E")
	if value, ok := m.search.env("MISE_ENV"); ok {
		text, constant := value.Const()
		envs, known = append(envs, strings.Split(text, ",")...), known && constant
	}
	if !known {
		m.problem("", 0, "Takes its tasks from an environment that is not known")
	}
	up(m.Dir, func(dir string) bool {
		m.directory(dir, dir, miseNames[:], envs)
		found := miseFile{root: dir}
		for _, tasks := range miseDirs {
			if d := dir + "/" + tasks; m.isDir(d) {
				found.dirs = append(found.dirs, d)
			}
		}
		if len(found.dirs) > 0 {
			found.name = found.dirs[0]
			m.files = append(m.files, found)
		}
		return false
	})
	if m.Home != "" {
		m.directory(m.Home+"/.config/mise", m.Home, []string{"config.local.toml", "config.toml", "mise.toml"}, envs)
		if d := m.Home + "/.config/mise/tasks"; m.isDir(d) {
			m.files = append(m.files, miseFile{name: d, root: m.Home, dirs: []string{d}})
		}
	}
	if len(m.files) > 0 && m.File == "" {
		m.File = m.files[0].name
	}
	return len(m.files) > 0 || len(m.Problems) > 0
}

func (s *search) isDir(name string) bool {
	info, err := s.Files.Lstat(name)
	if err != nil {
		return !absent(err)
	}
	return !info.Mode().IsRegular() // a link may lead to a directory
}

// directory reads the files of one directory.
func (m *miseSearch) directory(dir, root string, names []string, envs []string) {
	names = slices.Clone(names)
	for _, env := range envs {
		for _, pattern := range [...]string{"mise.*.toml", ".mise.*.toml", "mise.*.local.toml", ".mise.*.local.toml", "mise/config.*.toml", ".mise/config.*.toml", ".config/mise.*.toml", ".config/mise/config.*.toml", "config.*.toml"} {
			names = append(names, strings.Replace(pattern, "*", env, 1))
		}
	}
	for _, conf := range [...]string{"conf.d", "mise/conf.d", ".config/mise/conf.d"} {
		list, err := m.Files.ReadDir(join(dir, conf), maxNames)
		if err != nil {
			if !absent(err) {
				m.unreadable(join(dir, conf), err)
			}
			continue
		}
		for _, name := range list {
			if strings.HasSuffix(name, ".toml") {
				names = append(names, conf+"/"+name)
			}
		}
	}
	for _, name := range names {
		m.config(join(dir, name), root)
	}
}

// config reads one file.
func (m *miseSearch) config(file, root string) {
	if !m.exists(file) {
		return
	}
	if m.File == "" {
		m.File = file
	}
	data, ok := m.tree(file, parseTOML)
	if !ok {
		return
	}
	f := miseFile{name: file, root: root, data: data}
	if includes := data.get("task_config"); includes.get("includes") != nil {
		list, ok := includes.get("includes").texts()
		if !ok {
			m.problem(file, includes.lineOf("includes"), "The list of included tasks can't be read")
		}
		for _, name := range list {
			name, ok = m.known(name, &f)
			switch name = join(root, name); {
			case !ok || strings.Contains(name, "://") || strings.HasPrefix(name, "git::"):
				m.problem(file, includes.lineOf("includes"), "Includes tasks from elsewhere")
			case strings.HasSuffix(name, ".toml"):
				tasks, ok := m.tree(name, parseTOML)
				if !ok {
					continue
				}
				m.files = append(m.files, miseFile{name: name, root: root, data: around("tasks", tasks)})
			default:
				f.dirs = append(f.dirs, name)
			}
		}
	}
	m.files = append(m.files, f)
}

// around adds what holds for every task: variables, and hooks of an
// installation, which a run may begin with.
func (m *miseSearch) around() {
	for i := len(m.files) - 1; i >= 0; i-- {
		f := &m.files[i]
		m.env = append(m.env, m.variables(f, f.data.get("env"))...)
		hooks := f.data.get("hooks")
		for _, name := range [...]string{"preinstall", "postinstall"} {
			if hooks.get(name) == nil {
				continue
			}
			texts, ok := hooks.get(name).texts()
			if !ok {
				m.problem(f.name, hooks.lineOf(name), "The hook %s can't be read", name)
			}
			for _, text := range texts {
				m.text(f, name, hooks.lineOf(name), text, nil, f.root, nil, "")
			}
		}
		for _, key := range f.data.get("settings").names() {
			if strings.Contains(key, "shell") {
				m.problem(f.name, f.data.get("settings").lineOf(key), "Sets the shell of tasks")
			}
		}
		tools := f.data.get("tools")
		for _, tool := range tools.names() {
			if tools.get(tool).get("postinstall") != nil {
				m.problem(f.name, tools.lineOf(tool), "Runs a text after installing %s", policy.Quote(tool))
			}
		}
	}
}

// variables reads a table of variables.
func (m *miseSearch) variables(f *miseFile, t *node) []policy.Assign {
	var vars []policy.Assign
	for _, name := range t.names() {
		if name == "_" {
			vars = append(vars, m.directives(f, t.get("_"))...)
			continue
		}
		value := t.get(name)
		if value.isTable() {
			value = value.get("value")
		}
		switch text, ok := value.scalar(); {
		case ok && value.kind == nodeScalar && text == "false":
		case ok:
			vars = append(vars, assigned(name, m.template(text, f)))
		default:
			vars = append(vars, unknown(name))
		}
	}
	return vars
}

// directives reads what a table of variables says under "_".
func (m *miseSearch) directives(f *miseFile, t *node) []policy.Assign {
	var vars []policy.Assign
	for _, what := range t.names() {
		line := t.lineOf(what)
		list, ok := t.get(what).texts()
		for i := range list {
			var known bool
			list[i], known = m.known(list[i], f)
			ok = ok && known
		}
		switch {
		case what == "path" && ok && !slices.ContainsFunc(list, func(dir string) bool { return !isToolDir(dir) }):
			// where package managers put the project's programs
		case what == "path":
			m.problem(f.name, line, "Puts directories before PATH")
		case what == "file" && ok:
			for _, name := range list {
				vars = append(vars, m.dotenv(join(f.root, name))...)
			}
		case what == "source" && ok:
			for _, name := range list {
				if !m.shell(join(f.root, name), "bash", []policy.Word{policy.Const(name)}, nil) {
					m.problem(f.name, line, "Sources a file that is not read: %s", policy.Quote(name))
				}
			}
			m.problem(f.name, line, "Takes variables from a script")
		case what == "python":
		default:
			m.problem(f.name, line, "Takes variables from %s", policy.Quote("_."+what))
		}
	}
	return vars
}

// isToolDir reports whether a directory is one in which a package manager
// keeps the programs that the project has installed.
func isToolDir(dir string) bool {
	for _, end := range [...]string{"node_modules/.bin", ".venv/bin", "vendor/bin"} {
		if dir == end || strings.HasSuffix(dir, "/"+end) {
			return true
		}
	}
	return false
}

// run adds a task and what runs around it. asked says that it must exist.
func (m *miseSearch) run(name string, args []policy.Word, env []policy.Assign, asked bool) {
	if strings.HasPrefix(name, "//") || strings.HasPrefix(name, "...") {
		m.problem(m.File, 0, "The tasks of a monorepo are not followed: %s", policy.Quote(name))
		return
	}
	found := false
	root := ""
	for i := range m.files {
		f := &m.files[i]
		if found && f.root != root {
			break // further up
		}
		tasks := f.data.get("tasks")
		for _, key := range tasks.names() {
			if m.isCalled(key, tasks, name) {
				found, root = true, f.root
				m.once(f.name+"\x00"+key, f.name, tasks.lineOf(key), func() { m.entry(f, key, tasks, args, env) })
			}
		}
		for _, dir := range f.dirs {
			for _, file := range m.taskFiles(dir, name) {
				found, root = true, f.root
				m.once(file, file, 0, func() { m.taskFile(f, dir, file, args, env) })
			}
		}
	}
	if !found && asked {
		m.missing(m.File, "No task is called %s", policy.Quote(name))
	}
}

// isCalled reports whether a task has a name: its own or an alias, which may
// be asked for with wildcards.
func (m *miseSearch) isCalled(key string, tasks *node, name string) bool {
	names := []string{key}
	t := tasks.get(key)
	if aliases, ok := t.get("alias").texts(); ok {
		names = append(names, aliases...)
	}
	if aliases, ok := t.get("aliases").texts(); ok {
		names = append(names, aliases...)
	}
	return slices.ContainsFunc(names, func(n string) bool {
		return n == name || strings.ContainsAny(name, "*?") && wild(name, n)
	})
}

// wild reports whether a name matches a pattern of * and ?.
func wild(pattern, name string) bool {
	ok, err := path.Match(strings.ReplaceAll(strings.ReplaceAll(pattern, "**", "*"), ":", "\x01"), strings.ReplaceAll(strings.ReplaceAll(name, "/", "\x02"), ":", "\x01"))
	return ok || err != nil
}

// taskFiles lists the files of a directory that have a task's name: "a:b" is
// a/b, with or without an ending.
func (m *miseSearch) taskFiles(dir, name string) []string {
	var found []string
	m.walk(dir, "", func(file, task string) {
		if task == name || strings.ContainsAny(name, "*?") && wild(name, task) {
			found = append(found, file)
		}
	}, 0)
	return found
}

// walk calls f for the task files of a directory.
func (m *miseSearch) walk(dir, prefix string, f func(file, task string), depth int) {
	names, err := m.Files.ReadDir(dir, maxNames)
	if err != nil {
		if !absent(err) {
			m.unreadable(dir, err)
		}
		return
	}
	for _, name := range names {
		file := dir + "/" + name
		if strings.HasPrefix(name, ".") {
			continue
		}
		if m.isDir(file) && depth < 8 {
			m.walk(file, prefix+name+":", f, depth+1)
			continue
		}
		task := name
		if i := strings.IndexByte(name, '.'); i > 0 {
			task = name[:i]
			f(file, prefix+name)
		}
		if task == "_default" {
			task = ""
			f(file, strings.TrimSuffix(prefix, ":"))
			continue
		}
		f(file, prefix+task)
	}
}

// taskFile adds a task that is a file, with what its comments say:
// #MISE depends=["lint"].
func (m *miseSearch) taskFile(f *miseFile, dir, file string, args []policy.Word, env []policy.Assign) {
	data, err := m.search.text(file)
	if err != nil {
		m.unreadable(file, err)
		return
	}
	var header strings.Builder
	for _, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		for _, mark := range [...]string{"#MISE ", "# MISE ", "# [MISE] ", "#[MISE] ", "//MISE ", "// [MISE] "} {
			if rest, ok := strings.CutPrefix(line, mark); ok {
				header.WriteString(rest + "\n")
			}
		}
	}
	t, err := parseTOML([]byte(header.String()))
	if err != nil {
		m.problem(file, 0, "What its comments say to mise can't be read: %s", err)
		return
	}
	own := miseFile{name: file, root: f.root}
	m.depends(&own, t, "depends", true)
	m.depends(&own, t, "wait_for", false)
	work := m.workDir(&own, t, 0)
	if t.get("tools") != nil || t.get("shell") != nil {
		m.problem(file, 0, "Its comments set tools or a shell")
	}
	env = append(env[:len(env):len(env)], m.variables(&own, t.get("env"))...)
	m.program(f, path.Base(file), file, args, work, env)
	m.depends(&own, t, "depends_post", true)
}

// exec reads mise exec [TOOL@VERSION...] -- CMD.
func (m *miseSearch) exec(words []policy.Word) {
	start := -1
	for i, w := range words {
		if w.Parts == nil && w.Text == "--" {
			start = i + 1
			break
		}
	}
	if start < 0 || start == len(words) {
		return // by -c, or a shell
	}
	m.File = m.Dir
	if m.load() {
		m.around()
	}
	if len(m.Call.Operands) > len(words)-start {
		m.problem("", 0, "May install tools first: %s", m.Call.Operands[0])
	}
	m.Replaces = true
	m.step(Step{Name: "exec", File: m.File, Words: words[start:], Dir: m.Dir, Env: m.env})
}

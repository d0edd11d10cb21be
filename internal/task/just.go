package task

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// just finds recipes of a justfile.
//
//	just lint    just build debug test    just target=x build
//
// Each line of a recipe is a text of its own. What {{...}} holds is followed
// where it is a variable or an argument, and a variable where it is a string
// or another variable; backticks run a program for its output, which asks.
// Source: the just manual.
func just(s *search) {
	file := ""
	if values, known := s.options("-f"); len(values) > 0 {
		if !known {
			return
		}
		file = join(s.Dir, values[len(values)-1])
		s.Covered = append(s.Covered, "-f")
	} else {
		up(s.Dir, func(dir string) bool {
			names, err := s.Files.ReadDir(dir, maxNames)
			if err != nil {
				if !absent(err) && s.exists(dir+"/justfile") {
					file = dir + "/justfile" // which can't be read either, or is enough
				}
				return file != ""
			}
			for _, name := range names {
				if lower := strings.ToLower(name); lower == "justfile" || lower == ".justfile" {
					file = dir + "/" + name
				}
			}
			return file != ""
		})
	}
	if file == "" {
		return
	}
	s.File = file
	j := justfile{search: s, vars: map[string]string{}, given: map[string]policy.Word{}, settings: map[string]string{}, dir: path.Dir(file)}
	if dir, ok := s.option("-d"); ok {
		text, _ := dir.Const()
		j.dir = join(s.Dir, text)
		s.Covered = append(s.Covered, "-d")
	}
	if !s.inside(file) {
		s.problem(file, 0, "A justfile outside the workspace")
		return
	}
	if !j.read(file, 0) {
		return
	}
	var words []policy.Word
	for _, w := range s.Call.Operands {
		text, _ := w.Const()
		if name, value, assigns := strings.Cut(text, "="); assigns && isJustName(name) && len(words) == 0 {
			j.given[name] = policy.Const(value)
			continue
		}
		words = append(words, w)
	}
	if slices.Contains([]string{"true", ""}, j.settings["dotenv-load"]) && j.has("dotenv-load") || j.has("dotenv-filename") || j.has("dotenv-path") {
		j.env = append(j.env, s.dotenv(join(j.dir, ".env"))...)
		if j.has("dotenv-filename") || j.has("dotenv-path") {
			s.problem(file, 0, "Takes variables from a file with a name of its own")
		}
	}
	if j.has("export") {
		s.problem(file, 0, "Exports all its variables")
	}
	j.assignments()
	if len(words) == 0 {
		if len(j.recipes) == 0 {
			s.missing(file, "The justfile has no recipe")
			return
		}
		first := j.recipes[0]
		for _, r := range j.recipes {
			if slices.Contains(r.attributes, "default") {
				first = r
				break
			}
		}
		j.run(first, nil)
		return
	}
	for len(words) > 0 {
		name, ok := words[0].Const()
		if !ok {
			s.problem(file, 0, "Runs a recipe whose name is not known: %s", words[0])
			return
		}
		found := j.find(name)
		if len(found) == 0 {
			s.missing(file, "No recipe is called %s", policy.Quote(name))
			return
		}
		words = words[1:]
		n := 0
		for _, r := range found {
			for _, p := range r.params {
				if p.variadic {
					n = len(words)
				}
			}
			n = max(n, min(len(words), len(r.params)))
		}
		for _, r := range found {
			j.run(r, words[:n])
		}
		words = words[n:]
	}
}

// justfile is what a justfile and those it imports say.
type justfile struct {
	*search
	dir      string
	recipes  []*justRecipe
	aliases  [][2]string
	vars     map[string]string      // expressions
	given    map[string]policy.Word // variables of the command line
	set      []justPlace            // where they are set
	idle     bool                   // the value at hand may be of no use to anybody
	exports  []string
	settings map[string]string
	env      []policy.Assign
	at       int // the line at hand
	file     string
	nest     int
	work     int
}

// justPlace is where a variable is set.
type justPlace struct {
	name string
	file string
	line int
}

type justRecipe struct {
	name       string
	params     []justParam
	before     []justCall
	after      []justCall
	lines      []makeLine
	attributes []string
	file       string
	line       int
}

type justParam struct {
	name     string
	value    string // an expression; "" without one
	variadic bool
	export   bool
}

type justCall struct {
	name string
	args []string // expressions
}

func (j *justfile) has(setting string) bool {
	value, ok := j.settings[setting]
	return ok && value != "false"
}

func (j *justfile) find(name string) []*justRecipe {
	for _, a := range j.aliases {
		if a[0] == name {
			name = a[1]
			break
		}
	}
	var found []*justRecipe
	for _, r := range j.recipes {
		if r.name == name {
			found = append(found, r)
		}
	}
	return found
}

func (j *justfile) trouble(line int, format string, args ...any) {
	j.problem(j.file, line, format, args...)
}

// read reads a justfile. It reports false if it can't be.
func (j *justfile) read(file string, depth int) bool {
	data, err := j.text(file)
	if err != nil {
		j.unreadable(file, err)
		return false
	}
	if depth > 8 {
		j.problem(file, 0, "Imports nest too deeply")
		return false
	}
	saved := j.file
	j.file = file
	defer func() { j.file = saved }()
	lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	var attributes []string
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || trimmed[0] == '#' {
			continue
		}
		if line[0] == ' ' || line[0] == '\t' {
			j.trouble(i+1, "A line that belongs to no recipe")
			continue
		}
		start := i
		for (policy.Escapes(trimmed) || unclosed(trimmed)) && i+1 < len(lines) {
			i++
			if policy.Escapes(trimmed) {
				trimmed = trimmed[:len(trimmed)-1]
			} else {
				trimmed += "\n"
			}
			trimmed += strings.TrimRight(lines[i], " \t")
		}
		j.at = start + 1
		if trimmed == "" {
			continue // nothing, on more than one line
		}
		word, rest := firstWord(trimmed)
		switch {
		case trimmed[0] == '[':
			attributes = append(attributes, justAttributes(strings.TrimSuffix(trimmed[1:], "]"))...)
			continue
		case word == "set" && !strings.HasPrefix(rest, ":"):
			name, value, _ := strings.Cut(rest, ":=")
			j.settings[strings.TrimSpace(name)] = strings.TrimSpace(value)
		case word == "alias" && strings.Contains(rest, ":="):
			name, target, _ := strings.Cut(rest, ":=")
			j.aliases = append(j.aliases, [2]string{strings.TrimSpace(name), strings.TrimSpace(target)})
		case (word == "import" || word == "import?") && rest != "" && (rest[0] == '"' || rest[0] == '\''):
			name := strings.Trim(rest, `"'`)
			other := join(path.Dir(file), name)
			if strings.HasPrefix(name, "~") || !j.inside(other) {
				j.trouble(start+1, "Imports a file outside the workspace")
			} else if word == "import" || j.exists(other) {
				j.read(other, depth+1)
			}
		case word == "mod" || word == "mod?":
			j.trouble(start+1, "A module, which is not followed")
		case word == "unexport":
		case justAssign(trimmed) > 0:
			at := justAssign(trimmed)
			name := strings.TrimSpace(trimmed[:at])
			if after, ok := strings.CutPrefix(name, "export "); ok {
				name = strings.TrimSpace(after)
				j.exports = append(j.exports, name)
			}
			if old, ok := j.vars[name]; ok && old != trimmed[at+2:] {
				j.trouble(start+1, "The variable %s is set twice", policy.Quote(name))
			}
			j.vars[name] = strings.TrimSpace(trimmed[at+2:])
			j.set = append(j.set, justPlace{name, file, start + 1})
		default:
			r := &justRecipe{attributes: attributes, file: file, line: start + 1}
			if !j.header(r, trimmed) {
				j.trouble(start+1, "A line that can't be read")
				continue
			}
			for i+1 < len(lines) && (strings.TrimSpace(lines[i+1]) == "" || lines[i+1][0] == ' ' || lines[i+1][0] == '\t') {
				i++
				r.lines = append(r.lines, makeLine{lines[i], i + 1})
			}
			j.recipes = append(j.recipes, r)
		}
		attributes = nil
	}
	return true
}

// assignments adds the programs that run for the values of variables: just
// finds out all values before it runs a recipe, those that nobody uses too.
// What uses one is a problem of its own.
func (j *justfile) assignments() {
	file := j.file
	j.idle = true
	for _, p := range j.set {
		if _, fixed := j.given[p.name]; !fixed {
			j.file, j.at = p.file, p.line
			j.value(j.vars[p.name], nil)
		}
	}
	j.idle, j.file = false, file
}

// unclosed reports whether a text of three quotes or a bracket goes on.
func unclosed(s string) bool {
	return strings.Count(s, `"""`)%2 == 1 || strings.Count(s, "'''")%2 == 1 || strings.Count(s, "```")%2 == 1 || strings.HasSuffix(s, "(") || strings.HasSuffix(s, "[") || strings.HasSuffix(s, "+") && strings.Contains(s, ":=")
}

// justAssign returns the index of the ":=" of an assignment, or -1.
func justAssign(s string) int {
	i := strings.Index(s, ":=")
	if i < 0 || !isJustName(strings.TrimPrefix(strings.TrimSpace(s[:i]), "export ")) {
		return -1
	}
	return i
}

// run adds a recipe with what runs around it.
func (j *justfile) run(r *justRecipe, args []policy.Word) {
	key := r.file + "\x00" + r.name
	for _, a := range args {
		key += "\x00" + a.String()
	}
	j.once(key, r.file, r.line, func() { j.recipe(r, args) })
}

// recipe adds a recipe's lines between what it depends on.
func (j *justfile) recipe(r *justRecipe, args []policy.Word) {
	locals := map[string]policy.Word{}
	var env []policy.Assign
	for i, p := range r.params {
		value := someWords(p.name)
		switch {
		case i < len(args) && p.variadic:
			var texts []policy.Word
			for _, a := range args[i:] {
				texts = append(texts, argText(a, p.name))
			}
			value = joinTexts(texts, " ")
		case i < len(args):
			value = argText(args[i], p.name)
		case p.value != "":
			value = j.value(p.value, locals)
		case p.variadic:
			value = policy.Word{}
		}
		locals[p.name] = value
		if p.export {
			env = append(env, assigned(p.name, value))
		}
	}
	for _, call := range r.before {
		j.call(r, call, locals)
	}
	j.body(r, locals, env, args)
	for _, call := range r.after {
		j.call(r, call, locals)
	}
}

// argText is an argument as a text is made of it: it is put there without
// quotes.
func argText(w policy.Word, name string) policy.Word {
	if w.IsConst() {
		return w
	}
	return anyText(strings.ReplaceAll(name, "-", "_"))
}

func (j *justfile) call(r *justRecipe, c justCall, locals map[string]policy.Word) {
	found := j.find(c.name)
	if len(found) == 0 {
		j.problem(r.file, r.line, "No recipe is called %s", policy.Quote(c.name))
	}
	for _, other := range found {
		args := make([]policy.Word, len(c.args))
		for i, arg := range c.args {
			if args[i] = j.value(arg, locals); !args[i].IsConst() {
				args[i] = policy.Unknown("$" + c.name)
			}
		}
		j.run(other, args)
	}
}

// body adds the lines of a recipe.
func (j *justfile) body(r *justRecipe, locals map[string]policy.Word, env []policy.Assign, args []policy.Word) {
	dir := j.dir
	shell, script := "sh", ""
	for _, a := range r.attributes {
		name, value, _ := strings.Cut(a, ":")
		call, _, _ := strings.Cut(name, "(")
		switch strings.TrimSpace(call) {
		case "no-cd":
			dir = j.Dir
		case "working-directory":
			if value == "" {
				_, value, _ = strings.Cut(a, "(")
				value = strings.TrimSuffix(value, ")")
			}
			dir = join(j.dir, strings.Trim(strings.TrimSpace(value), `"'`))
		case "script", "extension":
			script = a
		}
	}
	if text, ok := j.settings["working-directory"]; ok && dir == j.dir {
		dir = join(j.dir, strings.Trim(text, `"'`))
	}
	if text, ok := j.settings["shell"]; ok {
		words := strings.FieldsFunc(strings.Trim(text, "[]"), func(r rune) bool { return strings.ContainsRune(`"', `, r) })
		if !runsTexts(words) {
			j.problem(r.file, 0, "Sets the shell of recipes: %s", policy.Quote(text))
		} else {
			shell = path.Base(words[0])
		}
	}
	for _, name := range j.exports {
		env = append(env, assigned(name, j.variable(name, nil)))
	}
	env = append(j.env[:len(j.env):len(j.env)], env...)
	lines := trimmedLines(r.lines)
	if len(lines) == 0 {
		return
	}
	first := strings.TrimSpace(lines[0].text)
	if strings.HasPrefix(first, "#!") || script != "" {
		program, known := interpreter(first)
		if !known || !isShell(program) || strings.Contains(script, "(") {
			j.problem(r.file, lines[0].line, "Runs a text of another language: %s", policy.Quote(first+script))
			return
		}
		texts := make([]policy.Word, len(lines)+1)
		for i, l := range lines {
			j.at = l.line
			texts[i] = j.interpolate(l.text, locals)
		}
		j.made(Step{Name: r.name, File: r.file, Line: lines[0].line, Shell: program, Dir: dir, Env: env}, joinTexts(texts, "\n"))
		return
	}
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		text := strings.TrimLeft(l.text, " \t")
		for policy.Escapes(text) && i+1 < len(lines) {
			i++
			text = text[:len(text)-1] + strings.TrimLeft(lines[i].text, " \t")
		}
		text = strings.TrimLeft(text, "@-")
		if text == "" {
			continue
		}
		j.at = l.line
		step := Step{Name: r.name, File: r.file, Line: l.line, Shell: shell, Dir: dir, Env: env}
		if j.has("positional-arguments") || slices.Contains(r.attributes, "positional-arguments") {
			step.Args = append([]policy.Word{policy.Const(r.name)}, args...)
		}
		j.made(step, j.interpolate(text, locals))
	}
}

// runsTexts reports whether a command is a shell with options that change
// nothing, up to the -c that takes a recipe's line.
func runsTexts(words []string) bool {
	if len(words) < 2 || !isShell(path.Base(words[0])) {
		return false
	}
	for i, word := range words[1:] {
		last := i == len(words)-2
		letters, isOption := strings.CutPrefix(word, "-")
		switch {
		case word == "pipefail" && !last:
		case !isOption, strings.Trim(letters, "cefloux") != "", last && !strings.HasSuffix(letters, "c"):
			return false
		}
	}
	return true
}

func trimmedLines(lines []makeLine) []makeLine {
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1].text) == "" {
		lines = lines[:len(lines)-1]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[0].text) == "" {
		lines = lines[1:]
	}
	return lines
}

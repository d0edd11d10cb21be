package task

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// npm finds scripts of package.json for npm, pnpm, yarn and bun.
//
//	npm run lint -- --fix      scripts.prelint, scripts.lint '--fix', scripts.postlint
//	npm test                   scripts.pretest, scripts.test, scripts.posttest
//	pnpm lint, yarn lint       the script, or else the program of node_modules/.bin
//	npm run lint -w packages/a the same in a workspace's directory
//
// pre and post scripts are taken to run wherever they exist: whether a manager
// runs them hangs on its version and settings.
// Source: the managers' documentation of run-script.
func npm(s *search) {
	file := s.nearest(s.Dir, "package.json")
	if file == "" {
		return
	}
	s.File = file
	if !s.inside(file) {
		s.problem(file, 0, "Leads out of the workspace")
		return
	}
	if s.runsAll() {
		s.runAll(file)
		return
	}
	name, args, ok := s.scriptName()
	if !ok {
		return
	}
	packages, ok := s.packages(file)
	if !ok {
		return
	}
	s.npmrc(path.Dir(file))
	found, broken := false, false
	for _, file := range packages {
		p, ok := s.tree(file, parseJSON)
		if !ok {
			broken = true
			continue
		}
		if s.scripts(file, p, name, args) {
			found = true
		}
	}
	switch {
	case found, broken:
	case s.set("--if-present"):
	case len(packages) == 1 && s.Call.Program != "npm" && s.local(path.Dir(packages[0]), name, args):
	default:
		s.missing(file, "No script is called %s", policy.Quote(name))
	}
}

// runsAll reports whether the program is npm-run-all, which runs all scripts
// that its operands name: run-s clean 'build:*'.
func (s *search) runsAll() bool {
	switch s.Call.Program {
	case "npm-run-all", "npm-run-all2", "run-s", "run-p":
		return true
	}
	return false
}

// runAll adds the scripts that npm-run-all's operands name. In a pattern a star
// stands for a part between colons, two for several; more than that is taken
// to mean any script that begins like it.
// Source: npm-run-all's documentation, "Glob-like pattern matching for script
// names".
func (s *search) runAll(file string) {
	p, ok := s.tree(file, parseJSON)
	if !ok {
		return
	}
	s.npmrc(path.Dir(file))
	scripts := p.get("scripts")
	for i := range s.Call.Operands {
		name, known := asPattern(s.Call.Operands[i])
		if !known {
			s.problem(file, 0, "Runs a script whose name is not known: %s", s.Call.Operands[i])
			continue
		}
		if strings.ContainsAny(name, " \t{") {
			s.problem(file, 0, "Runs a script with words of its own: %s", policy.Quote(name))
			continue
		}
		found := false
		for _, script := range scripts.names() {
			if namesScript(name, script) {
				found = s.scripts(file, p, script, nil) || found
			}
		}
		if !found {
			s.missing(file, "No script is called %s", policy.Quote(name))
		}
	}
}

// asPattern is the text of a word that a shell leaves alone: a pattern that
// matches no file.
func asPattern(w policy.Word) (text string, ok bool) {
	if w.Parts == nil {
		return w.Text, true
	}
	for _, p := range w.Parts {
		if p.Kind != policy.Lit && p.Kind != policy.Glob {
			return "", false
		}
		text += p.Text
	}
	return text, true
}

// namesScript reports whether a pattern of npm-run-all may mean a script.
func namesScript(pattern, script string) bool {
	if i := strings.IndexAny(pattern, "!(?[+@"); i >= 0 {
		return strings.HasPrefix(script, pattern[:i])
	}
	return match.PathGlob(strings.ReplaceAll(pattern, ":", "/"), strings.ReplaceAll(script, ":", "/"))
}

// scriptName returns which script is meant and the words for it.
func (s *search) scriptName() (name string, args []policy.Word, ok bool) {
	sub := strings.Join(s.Call.Path, " ")
	operands := s.Call.Operands
	switch sub {
	case "run", "run-script", "rum", "urn", "", "workspaces run":
	case "workspace": // yarn workspace NAME [run] SCRIPT
		if len(operands) > 1 {
			if text, _ := operands[1].Const(); text == "run" {
				operands = append(operands[:1:1], operands[2:]...)
			}
		}
		if len(operands) < 2 {
			return "", nil, false
		}
		name, ok = operands[1].Const()
		if !ok {
			s.problem(s.File, 0, "Runs a script whose name is not known: %s", operands[1])
		}
		return name, operands[2:], ok
	case "t", "tst":
		return "test", operands, true
	default:
		return s.Call.Path[len(s.Call.Path)-1], operands, true
	}
	if name, ok = s.name(0); !ok {
		return "", nil, false
	}
	return name, operands[1:], true
}

// scripts adds a package's script of a name with what runs before and after
// it. It reports whether there is one.
func (s *search) scripts(file string, p *node, name string, args []policy.Word) bool {
	scripts := p.get("scripts")
	dir := path.Dir(file)
	vars, bin, tools := packageVars(file, p), s.bins(dir), packageTools(p)
	add := func(name string, args []policy.Word) bool {
		script := scripts.get(name)
		if script == nil {
			return false
		}
		text, ok := script.string()
		if !ok {
			s.problem(file, script.where(), "The script %s is no text", policy.Quote(name))
			return true
		}
		s.step(Step{
			Name: name, File: file, Line: script.where(), Text: text, Tail: args, Dir: dir,
			Vars: append(vars[:len(vars):len(vars)], constant("npm_lifecycle_event", name), constant("npm_lifecycle_script", text)),
			Bin:  bin, Tools: tools,
		})
		return true
	}
	names := []string{name}
	if name == "restart" && scripts.get(name) == nil && s.Call.Program == "npm" {
		names = []string{"stop", "restart", "start"}
	}
	found := false
	for _, name := range names {
		if scripts.get(name) == nil {
			if name == "start" && s.exists(dir+"/server.js") && (s.Call.Program == "npm" || s.Call.Program == "pnpm") {
				words := append([]policy.Word{policy.Const("node"), policy.Const("server.js")}, args...)
				s.step(Step{Name: name, File: file, Words: words, Dir: dir, Bin: bin, Tools: tools})
				found = true
			}
			continue
		}
		add("pre"+name, nil)
		add(name, args)
		add("post"+name, nil)
		found = true
	}
	return found
}

// packageVars are the variables that npm makes of a package's fields.
func packageVars(file string, p *node) []policy.Assign {
	vars := []policy.Assign{constant("npm_package_json", file)}
	for _, key := range [...]string{"name", "version"} {
		if text, ok := p.get(key).string(); ok {
			vars = append(vars, constant("npm_package_"+key, text))
		}
	}
	if config := p.get("config"); config.isTable() {
		for _, key := range config.names() {
			if text, ok := config.get(key).scalar(); ok && isName("x"+key) {
				vars = append(vars, constant("npm_package_config_"+key, text))
			}
		}
	}
	return vars
}

// isName reports whether a text can be a variable's name.
func isName(text string) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return text != ""
}

// local adds the program of a name that the project has installed, where the
// name is no script. It reports whether there is one.
func (s *search) local(dir, name string, args []policy.Word) bool {
	if name == "" || strings.ContainsAny(name, "/\\") || strings.HasPrefix(name, ".") {
		return false
	}
	file := s.binary(dir, name)
	if file == "" {
		return false
	}
	s.step(Step{Name: name, File: file, Words: append([]policy.Word{policy.Const(name)}, args...), Dir: s.Dir, Bin: s.bins(dir)})
	return true
}

// bins are the directories of programs that the scripts of a package find
// before those in PATH.
func (s *search) bins(dir string) (dirs []string) {
	for ; ; dir = path.Dir(dir) {
		if !s.inside(dir) {
			return dirs
		}
		dirs = append(dirs, join(dir, "node_modules/.bin"))
		if dir == "/" || dir == "." {
			return dirs
		}
	}
}

// packageTools are the programs that a package's dependencies bring, as they
// are called most often: rollup of rollup, remark of remark-cli, babel-node of
// @babel/node, biome of @biomejs/biome.
func packageTools(p *node) (names []string) {
	for _, key := range [...]string{"devDependencies", "dependencies", "optionalDependencies", "peerDependencies"} {
		list := p.get(key)
		for _, name := range list.names() {
			scope, base, scoped := strings.Cut(strings.TrimPrefix(name, "@"), "/")
			switch {
			case scope == "types" && scoped:
				continue // declarations alone
			case scoped:
				names = append(names, scope+"-"+base)
			default:
				base = name
			}
			names = append(names, base)
			if short, is := strings.CutSuffix(base, "-cli"); is {
				names = append(names, short)
			} else if base == "cli" {
				names = append(names, scope)
			}
		}
	}
	return names
}

// binary finds a program in node_modules/.bin of dir or above; "" if none is
// there.
func (s *search) binary(dir, name string) string {
	return s.nearest(dir, "node_modules/.bin/"+name)
}

// bin finds the program that npx, bunx, npm exec and pnpm exec run, where the
// project has it installed.
//
//	npx eslint .           node_modules/.bin/eslint
//	npx @biomejs/biome .   the program that node_modules/@biomejs/biome declares
func bin(s *search) {
	operands := s.Call.Operands
	if len(operands) == 0 {
		return
	}
	name, ok := operands[0].Const()
	if !ok || name == "" {
		return
	}
	if file := s.binaryOf(name); file != "" {
		s.File, s.Replaces = file, true
		s.step(Step{Name: name, File: file, Words: operands, Dir: s.Dir, Bin: s.bins(s.Dir)})
		return
	}
	manifest := s.nearest(s.Dir, "node_modules/"+name+"/package.json")
	if manifest == "" || strings.Contains(name, "..") {
		return
	}
	p, ok := s.tree(manifest, parseJSON)
	if !ok {
		s.File = manifest
		return
	}
	program := path.Base(name)
	if programs := p.get("bin"); programs.isTable() {
		names := programs.names()
		switch {
		case len(names) == 1:
			program = names[0]
		case !slices.Contains(names, program):
			return
		}
	} else if _, ok := p.get("bin").string(); !ok {
		return
	}
	s.File, s.Replaces = manifest, true
	s.step(Step{Name: program, File: manifest, Line: p.get("bin").where(), Words: append([]policy.Word{policy.Const(program)}, operands[1:]...), Dir: s.Dir, Bin: s.bins(s.Dir)})
}

func (s *search) binaryOf(name string) string {
	if strings.ContainsAny(name, "/\\@") || strings.HasPrefix(name, ".") {
		return ""
	}
	return s.binary(s.Dir, name)
}

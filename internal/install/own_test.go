package install

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// No agent may change what starts the hook: every file that install writes is
// bashgate's own to the rules.
func TestOwnFiles(t *testing.T) {
	p := Place{Home: "/home/u", Workspace: "/home/u/project"}
	var paths []string
	for _, a := range Agents() {
		for i := range a.Files {
			path := a.Files[i].Path
			paths = append(paths, path)
		}
		for _, path := range [...]string{a.Policy, a.ProjectPolicy} {
			if path != "" {
				paths = append(paths, path)
			}
		}
	}
	e := engine.New(engine.Options{})
	for _, path := range paths {
		file := p.Expand(path)
		for _, event := range [...]string{"PreToolUse", "TaskStart"} {
			file := strings.ReplaceAll(file, "$event", event)
			file = strings.ReplaceAll(file, "*", "mine")
			commands := []string{"echo x >" + quote(file), "rm " + quote(file), "mv y " + quote(file)}
			if dir := filepath.Dir(file); dir != p.Workspace {
				commands = append(commands, "ln -sfn y "+quote(dir), "mv y "+quote(dir))
			}
			for _, command := range commands {
				v := e.Evaluate(engine.Request{Command: command, Cwd: p.Workspace, Workspace: p.Workspace, Home: p.Home})
				if v.Decision != policy.Block {
					t.Errorf("%s: %v", command, v.Decision)
				}
			}
		}
	}
}

// Nor may it have bashgate change them.
func TestOwnCommands(t *testing.T) {
	e := engine.New(engine.Options{})
	for command, want := range map[string]policy.Decision{
		"bashgate install claude --yes":         policy.Block,
		"bashgate install --all --yes":          policy.Block,
		"bashgate uninstall claude --yes":       policy.Block,
		"bashgate uninstall --yes --all":        policy.Block,
		"/usr/local/bin/bashgate uninstall amp": policy.Block,
		"sudo bashgate uninstall --all":         policy.Block,
		"sh -c 'bashgate uninstall --all'":      policy.Block,
		"bashgate install claude --print":       policy.Allow,
		"bashgate uninstall --all --print":      policy.Allow,
	} {
		v := e.Evaluate(engine.Request{Command: command, Cwd: "/home/u/project", Workspace: "/home/u/project", Home: "/home/u"})
		if v.Decision != want {
			t.Errorf("%s: %v, want %v", command, v.Decision, want)
		}
	}
}

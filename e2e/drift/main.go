// Command drift compares the shells tables with the tools of the agents'
// newest packages, and fails where a tool that runs commands is in no table.
//
//	go run ./e2e/drift [-v]
//
// It asks npm for the newest version of each package and unpacks it into a
// temporary directory; no script of a package runs.
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/match"
)

// agents are those whose packages say what their tools are given.
var agents = []struct {
	name, npm string
	tools     func(dir string) ([]tool, error)
}{
	{"claude", "@anthropic-ai/claude-code", declared},
	{"gemini", "@google/gemini-cli", bundled},
}

// tool is one tool of a package.
type tool struct {
	name string
	args []string // what may be commands: text, or a list of texts
	runs bool     // the package itself calls it a shell
}

func main() {
	verbose := flag.Bool("v", false, "list all tools")
	flag.Parse()
	failed := false
	for _, agent := range agents {
		err := compare(agent.name, agent.npm, agent.tools, *verbose)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", agent.npm, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

func compare(agent, npm string, tools func(string) ([]tool, error), verbose bool) error {
	dir, version, err := fetch(npm)
	if dir != "" {
		defer os.RemoveAll(dir)
	}
	if err != nil {
		return err
	}
	list, err := tools(filepath.Join(dir, "package"))
	if err != nil {
		return err
	}
	var missing, shells []string
	for _, t := range list {
		if verbose {
			fmt.Printf("%s %s: %s %s\n", agent, version, t.name, strings.Join(t.args, " "))
		}
		switch {
		case listed(agent, t.name):
			shells = append(shells, t.name)
		case t.runs || len(t.args) > 0 && !excluded(t.name):
			missing = append(missing, t.name+" ("+strings.Join(t.args, ", ")+")")
		}
	}
	fmt.Printf("%s %s: %d tools; shells: %s\n", agent, version, len(list), strings.Join(shells, " "))
	switch {
	case len(shells) == 0:
		return fmt.Errorf("version %s: none of its tools is known as a shell: what is read of the package has changed", version)
	case missing != nil:
		return fmt.Errorf("version %s: in no [[shells]] of rules/tools.toml: %s", version, strings.Join(missing, "; "))
	}
	return nil
}

// listed reports whether a table names an agent's tool, whatever its language.
func listed(agent, name string) bool {
	if catalogue.ShellTool(agent, name) != nil {
		return true
	}
	return rows(func(r *match.ShellRule) bool { return r.Agent == agent && match.AnyGlob(r.Names, name) })
}

// excluded reports whether the table about any tool says that this one's
// arguments are no commands.
func excluded(name string) bool {
	return rows(func(r *match.ShellRule) bool { return r.Agent == "" && slices.Contains(r.Names, "!"+name) })
}

func rows(is func(*match.ShellRule) bool) bool {
	for _, g := range gates.All {
		for i := range g.Shells {
			if is(&g.Shells[i]) {
				return true
			}
		}
	}
	return false
}

// fetch unpacks the newest version of a package. npm left alone takes the
// newest that the installed Node.js can run.
func fetch(npm string) (dir, version string, err error) {
	out, err := exec.Command("npm", "view", npm, "dist-tags.latest").Output()
	if err != nil {
		return "", "", fmt.Errorf("npm view: %w", err)
	}
	version = strings.TrimSpace(string(out))
	if dir, err = os.MkdirTemp("", "bashgate-drift"); err != nil {
		return "", version, err
	}
	pack := exec.Command("npm", "pack", "--silent", npm+"@"+version)
	pack.Dir = dir
	if out, err = pack.Output(); err != nil {
		return dir, version, fmt.Errorf("npm pack: %w", err)
	}
	lines := strings.Fields(string(out))
	if len(lines) == 0 {
		return dir, version, fmt.Errorf("npm pack names no file")
	}
	unpack := exec.Command("tar", "-xzf", lines[len(lines)-1])
	unpack.Dir = dir
	if out, err := unpack.CombinedOutput(); err != nil {
		return dir, version, fmt.Errorf("tar: %w: %s", err, out)
	}
	return dir, version, nil
}

var (
	input    = regexp.MustCompile(`(?s)export interface (\w+)Input \{(\}|.*?\n\})`)
	argument = regexp.MustCompile(`(?m)^  (\w+)\??: (?:string|string\[\]);`)
	shellish = regexp.MustCompile(`(?i)^(cmd|cmds|script|scripts|argv|shell|input|chars|\w*command\w*)$`)
	running  = regexp.MustCompile(`SHELL|COMMAND|EXEC|TERMINAL|PROCESS`)
	constant = regexp.MustCompile(`\b(\w+_TOOL_NAME) = "(\w+)"`)
)

// declared reads sdk-tools.d.ts, where Claude Code declares what its tools are
// given.
func declared(dir string) ([]tool, error) {
	text, err := os.ReadFile(filepath.Join(dir, "sdk-tools.d.ts"))
	if err != nil {
		return nil, err
	}
	var list []tool
	for _, m := range input.FindAllSubmatch(text, -1) {
		t := tool{name: string(m[1])}
		for _, a := range argument.FindAllSubmatch(m[2], -1) {
			if name := string(a[1]); shellish.MatchString(name) {
				t.args = append(t.args, name)
			}
		}
		list = append(list, t)
	}
	return list, nil
}

// bundled reads the names of Gemini CLI's tools from its program. What they are
// given is not declared there: its shell is called so.
func bundled(dir string) ([]tool, error) {
	var list []tool
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".js" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range constant.FindAllSubmatch(text, -1) {
			t := tool{name: string(m[2]), runs: running.Match(m[1])}
			if !slices.ContainsFunc(list, func(have tool) bool { return have.name == t.name }) {
				list = append(list, t)
			}
		}
		return nil
	})
	return list, err
}

//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// kept are the directories below a home in which agents keep their sessions.
var kept = [...]string{
	".claude/projects", ".codex/sessions", ".gemini/tmp", ".qwen/projects", ".qwen/tmp",
	".local/share/opencode", ".pi/agent/sessions",
}

// recordSession lets an agent run a command, one that bashgate denies and one
// that fails, and copies the files in which the agent has kept that below a
// directory: DIR/HOST-VERSION/.codex/sessions/...
func (o *options) recordSession(a *agent) error {
	dir, err := os.MkdirTemp("", "bashgate-hosts-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r, err := newRun(a, o, dir, []use{shell(a.tool, cases[allow].command), shell(a.tool, cases[ask].command), shell(a.tool, "cat missing.txt")})
	if err != nil {
		return err
	}
	defer r.close()
	r.model.lenient = true
	argv, err := a.start(r, false)
	if err != nil {
		return err
	}
	if err := r.install(false); err != nil {
		return err
	}
	if _, err := r.drive(argv); err != nil {
		return err
	}
	if o.verbose {
		fmt.Printf("%s\n%s\n", strings.Join(r.model.results, "\n"), tail(r.output.String()))
	}
	version, err := a.version()
	if err != nil {
		return err
	}
	dashed := strings.NewReplacer("/", "-", ".", "-").Replace(r.home)
	mask := strings.NewReplacer(r.home, "/home/dev", dashed, "-home-dev", filepath.Dir(r.bashgate), "/usr/local/bin", r.packages, "/opt", dir, "/tmp")
	target := filepath.Join(o.sessions, a.name+"-"+version)
	all, err := files(r.home)
	if err != nil {
		return err
	}
	for path, data := range all {
		below, err := filepath.Rel(r.home, path)
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, "/") || !slices.ContainsFunc(kept[:], func(dir string) bool { return strings.HasPrefix(below, dir+"/") }) {
			continue
		}
		if !strings.Contains(below, ".db") { // a database's texts have lengths beside them
			data = mask.Replace(data)
		}
		path := filepath.Join(target, mask.Replace(below))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(data), fs.FileMode(0o644)); err != nil {
			return err
		}
		fmt.Println(path)
	}
	return nil
}

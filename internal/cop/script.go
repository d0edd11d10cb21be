package cop

import (
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// script is a file of the project that a line runs as code. What such a
// command does stands in it and not in the line.
type script struct {
	path string // relative to the project
	text string
	why  string // why the text is not shown; "" if it is
}

// The limits of the scripts of a question, in bytes of all and in files. What
// has no room is named, so that the reviewer knows what it does not see.
const (
	maxScriptText = 16 << 10
	maxScripts    = 4
)

// endings are those of files that interpreters run.
var endings = [...]string{
	".py", ".pyw", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".rb", ".pl", ".pm", ".php", ".lua", ".sh", ".bash", ".zsh", ".ksh",
	".r", ".R", ".jl", ".awk", ".sed", ".tcl", ".exs", ".groovy", ".ps1", ".sql", ".jq", ".vim", ".el", ".scm", ".clj", ".go",
}

// scripts lists the scripts that the commands of a line run. Only what the
// rules let anybody read is shown.
func (c *Cop) scripts(r *engine.Request, nodes []engine.Node) []script {
	if c.Files == nil || r.Workspace == "" {
		return nil
	}
	var list []script
	room := maxScriptText
	var visit func([]engine.Node)
	visit = func(nodes []engine.Node) {
		for i := range nodes {
			if n := &nodes[i]; n.Effects&policy.Executes != 0 || n.Reach == policy.ReachUnknown {
				for number, word := range n.Words() {
					s, ok := c.script(r, n, number, word)
					if !ok || len(list) == maxScripts || listed(list, s.path) {
						continue
					}
					if room -= len(s.text); room < 0 {
						s.text, s.why, room = "", "too long to be shown", room+len(s.text)
					}
					list = append(list, s)
				}
			}
			visit(nodes[i].Children)
		}
	}
	visit(nodes)
	return list
}

func listed(list []script, path string) bool {
	for i := range list {
		if list[i].path == path {
			return true
		}
	}
	return false
}

// script is the file that a word names, if it is a script of the project.
func (c *Cop) script(r *engine.Request, n *engine.Node, number int, word policy.Word) (script, bool) {
	name, ok := word.Const()
	if !ok || name == "" || name[0] == '-' || number == 0 && !strings.Contains(name, "/") || number > 0 && !ends(name) {
		return script{}, false
	}
	path := filepath.Clean(name)
	if !filepath.IsAbs(path) {
		if n.Dir() == "" {
			return script{}, false
		}
		path = filepath.Join(n.Dir(), path)
	}
	return c.shown(r, path)
}

// shown is a file of the project, by its absolute path.
func (c *Cop) shown(r *engine.Request, path string) (script, bool) {
	relative, err := filepath.Rel(r.Workspace, path)
	if err != nil || relative == ".." || strings.HasPrefix(relative, "../") {
		return script{}, false
	}
	text, err := c.Files.ReadFile(path, 16<<20)
	if err != nil {
		return script{}, false // there is none, or nothing that can be shown
	}
	s := script{path: relative}
	switch {
	case !utf8.Valid(text) || strings.IndexByte(string(text), 0) >= 0:
		s.why = "no text"
	case c.Judge(like(r, "cat -- "+policy.Quote(path))).Decision > policy.Allow:
		s.why = "the rules guard it"
	default:
		s.text = string(text)
	}
	return s, true
}

func ends(name string) bool {
	for _, ending := range endings {
		if strings.HasSuffix(name, ending) && len(name) > len(ending) {
			return true
		}
	}
	return false
}

// like is a request about another command in the same place, for the rules
// alone.
func like(r *engine.Request, command string) engine.Request {
	return engine.Request{
		Command: command, Cwd: r.Cwd, Workspace: r.Workspace, Home: r.Home, Shell: r.Shell, Mode: "default",
		AllowedDirs: r.AllowedDirs, AdditionalDirs: r.AdditionalDirs, ScratchDirs: r.ScratchDirs, TrustedHosts: r.TrustedHosts,
	}
}

func (w *writer) scripts(key string, list []script) {
	if len(list) == 0 {
		return
	}
	w.key(key)
	w.open('[')
	for _, s := range list {
		w.comma()
		w.open('{')
		w.text("path", w.seen(s.path))
		if s.why != "" {
			w.text("not_shown", s.why)
		} else {
			w.text("text", w.seen(s.text))
		}
		w.close('}')
	}
	w.close(']')
}

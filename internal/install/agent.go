package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/system"
)

// Agent is how bashgate is wired into one agent.
type Agent struct {
	Host  string // as `bashgate hook` takes it: "claude"
	Title string // "Claude Code"

	Programs []string // any of them on the PATH means that the agent is installed
	Signs    []string // and so does any of these that is there: "~/.claude"

	Files  []File
	Events []Event

	// Policy is the file for the agent's own engine that export writes, for
	// where no hook fires; "" = the agent has none, or none of one place.
	Policy        string
	ProjectPolicy string
	Target        string // of export, "" = Host
	PolicyAlways  bool   // the hook alone is not enough

	// Notes are what a person has to do or to know besides.
	Notes []string
}

// Event is one of an agent's events that its hook is started for, by the name
// that the agent has for it.
type Event struct {
	Name string
	Kind EventKind
}

// EventKind says what an entry for the event needs.
type EventKind uint8

// The kinds.
const (
	Other   EventKind = iota // something in the session
	Tool                     // about a tool: it may have a matcher
	Decides                  // about a tool, and the agent waits for the answer
)

// Scope says whose settings are meant.
type Scope uint8

// The scopes.
const (
	User    Scope = iota // the user's, for all projects
	Project              // those of one project
)

// File is a file that hooks are written into.
type File struct {
	Scope Scope
	// Path begins with "~/", or with "./" for the project's directory. One with
	// a "*" means the files that are there; "$event" makes it one for each
	// event.
	Path string
	// If names what must be there, or the file is left alone. If none of an
	// agent's files of a scope may be written, its first one is.
	If string

	shape *shape
}

// Place is where paths begin.
type Place struct {
	Home      string              // absolute
	Workspace string              // absolute; a project's directory
	Getenv    func(string) string // nil = no variable is set
}

// moved lists the variables by which agents are told to keep their files
// elsewhere. Rules about agents' own files follow the same ones.
var moved = [...]Moved{
	{"CLAUDE_CONFIG_DIR", "", ".claude"},
	{"CODEX_HOME", "", ".codex"},
	{"COPILOT_HOME", "", ".copilot"},
	{"GEMINI_CLI_HOME", ".gemini", ".gemini"},
	{"KIMI_CODE_HOME", "", ".kimi-code"},
	{"KIRO_HOME", "", ".kiro"},
	{"PI_CODING_AGENT_DIR", "", ".pi/agent"},
	{"XDG_CONFIG_HOME", "opencode", ".config/opencode"},
	{"XDG_CONFIG_HOME", "crush", ".config/crush"},
	{"XDG_CONFIG_HOME", "goose", ".config/goose"},
	{"XDG_CONFIG_HOME", "amp", ".config/amp"},
	{"XDG_CONFIG_HOME", "kilo", ".config/kilo"},
}

// Moved is a directory that a variable moves.
type Moved struct {
	Variable string // an absolute path, or it means nothing
	Below    string // the directory's name below it; "" = it is the directory
	Usual    string // where it is without the variable, below the home directory
}

// MovedDirs lists the directories of agents that a variable moves.
func MovedDirs() []Moved { return moved[:] }

// Expand makes a path of the table absolute.
func (p Place) Expand(path string) string {
	if rest, ok := strings.CutPrefix(path, "./"); ok {
		return filepath.Join(p.Workspace, filepath.FromSlash(rest))
	}
	rest, ok := strings.CutPrefix(path, "~/")
	if !ok {
		return path
	}
	for _, m := range moved {
		below, ok := strings.CutPrefix(rest, m.Usual)
		if !ok || below != "" && below[0] != '/' || p.Getenv == nil {
			continue
		}
		if dir := p.Getenv(m.Variable); filepath.IsAbs(dir) {
			return filepath.Join(dir, m.Below, filepath.FromSlash(below))
		}
	}
	return filepath.Join(p.Home, filepath.FromSlash(rest))
}

// Show is a path with "~" for the home directory and without the project's.
func (p Place) Show(path string) string {
	if rest, err := filepath.Rel(p.Workspace, path); p.Workspace != "" && p.Workspace != p.Home && err == nil && filepath.IsLocal(rest) {
		return rest
	}
	if rest, err := filepath.Rel(p.Home, path); p.Home != "" && err == nil && filepath.IsLocal(rest) {
		return "~/" + rest
	}
	return path
}

// Agents lists the agents in the order in which they are shown.
func Agents() []*Agent { return agents() }

// Find returns an agent by the name of its host, or nil.
func Find(host string) *Agent {
	for _, a := range agents() {
		if a.Host == host {
			return a
		}
	}
	return nil
}

// Installed reports whether the agent itself is on this machine.
func (a *Agent) Installed(p Place) bool {
	if slices.ContainsFunc(a.Signs, func(path string) bool { return there(p.Expand(path)) }) {
		return true
	}
	if p.Getenv == nil {
		return false
	}
	for _, dir := range filepath.SplitList(p.Getenv("PATH")) {
		if filepath.IsAbs(dir) && slices.ContainsFunc(a.Programs, func(name string) bool { return system.IsProgram(filepath.Join(dir, name)) }) {
			return true
		}
	}
	return false
}

// Has reports whether the agent can be wired in a scope.
func (a *Agent) Has(s Scope) bool {
	return slices.ContainsFunc(a.Files, func(f File) bool { return f.Scope == s })
}

// Closes reports whether the agent can be made to deny where the hook fails.
func (a *Agent) Closes() bool {
	return slices.ContainsFunc(a.Files, func(f File) bool { return f.shape.closed != "" || f.shape.shell })
}

// Places lists the files of a scope that hooks are written into, absolute.
func (a *Agent) Places(p Place, s Scope) []string {
	var paths []string
	for _, f := range a.files(p, s) {
		paths = append(paths, f.path)
	}
	return paths
}

// place is one file on the disk.
type place struct {
	path  string
	event string // of "$event"
	shape *shape
}

// files lists what is there, or is to be.
func (a *Agent) files(p Place, s Scope) []place {
	var list []place
	var first *File
	for i := range a.Files {
		f := &a.Files[i]
		if f.Scope != s {
			continue
		}
		if first == nil {
			first = f
		}
		if f.If == "" || there(p.Expand(f.If)) {
			list = append(list, a.placesOf(f, p)...)
		}
	}
	if len(list) == 0 && first != nil {
		list = a.placesOf(first, p)
	}
	return list
}

func (a *Agent) placesOf(f *File, p Place) []place {
	path := p.Expand(f.Path)
	switch {
	case strings.Contains(f.Path, "*"):
		var list []place
		paths, _ := filepath.Glob(path) // the table's patterns are well-formed
		for _, path := range paths {
			list = append(list, place{path, "", f.shape})
		}
		return list
	case strings.Contains(f.Path, "$event"):
		var list []place
		for _, e := range a.Events {
			list = append(list, place{strings.ReplaceAll(path, "$event", e.Name), e.Name, f.shape})
		}
		return list
	}
	return []place{{path, "", f.shape}}
}

// Limit is how long a hook may take before the agent ends it. The hook gives up
// by itself before.
const Limit = 15 * time.Second

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

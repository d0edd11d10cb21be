// Package settings reads what the user already told their agent: the
// permission rules in Claude Code's settings files, about its shell, about
// files, and about machines.
//
//	{"permissions": {"allow": ["Bash(npm run lint)", "Edit(/src/**)"], "ask": ["Bash(git push:*)"],
//	                 "deny": ["Bash(curl *)", "Read(./.env)", "WebFetch(domain:example.com)"],
//	                 "additionalDirectories": ["../docs"], "defaultMode": "acceptEdits"}}
//
// The files are read with comments and trailing commas tolerated. Other keys
// are the agent's own business. Source: Claude Code's settings and permission
// pages, and the behaviour of its version 2.1.
package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
	"github.com/tailscale/hujson"
)

// Scope is the file that a rule comes from, the most trusted first.
type Scope uint8

// The scopes.
const (
	Managed Scope = iota // the administrator's
	User                 // ~/.claude/settings.json
	Local                // .claude/settings.local.json, which git mostly ignores
	Project              // .claude/settings.json, which comes with a clone
	Moved                // settings.json where CLAUDE_CONFIG_DIR leads to, which a clone's settings may have set
)

// Tool is what a rule is about.
type Tool uint8

// The tools.
const (
	Shell Tool = iota // Bash
	Read
	Edit
	Write // an old name of Edit; Claude Code never asks an allow of it
	Fetch // WebFetch
)

var toolNames = [...]string{"Bash", "Read", "Edit", "Write", "WebFetch"}

// Rule is one entry of an allow, ask or deny list.
type Rule struct {
	Tool     Tool
	Decision policy.Decision // Block for deny
	Pattern  string          // what stands between the brackets; "" = all that the tool does
	Scope    Scope
	File     string // as a message shows it
	Line     int    // counted from 1

	committed func() bool // of Local: git may keep the file; nil: it does not
}

// Cloned reports whether the rule may be another one's: it comes with a clone, or
// from where a variable leads to. Such a rule allows less.
func (r *Rule) Cloned() bool {
	return r.Scope >= Project || r.committed != nil && r.committed()
}

// String is the entry as it was written.
func (r *Rule) String() string {
	if r.Pattern == "" {
		return toolNames[r.Tool]
	}
	return toolNames[r.Tool] + "(" + r.Pattern + ")"
}

// Settings is what all files together say. The zero value says nothing. As of
// interp.Rules, functions tell what is for the engine.
type Settings struct {
	AdditionalDirs []string // absolute
	DefaultMode    string   // of the most trusted file that sets one
	rules          []Rule
	problems       []Problem
}

// Of are settings that say so much.
func Of(rules []Rule) *Settings { return &Settings{rules: rules} }

// Rules lists the entries of all files.
func Rules(s *Settings) []Rule { return s.rules }

// Problems lists what could not be read.
func Problems(s *Settings) []Problem { return s.problems }

// Strict is what the settings deny and ask about, without what they allow.
func Strict(s *Settings) *Settings {
	if s == nil {
		return nil
	}
	strict := *s
	strict.rules = slices.DeleteFunc(slices.Clone(s.rules), func(r Rule) bool { return r.Decision <= policy.Allow })
	return &strict
}

// Problem is a file that could not be read. Its rules are unknown, so nothing
// may be looser than with none: the engine asks.
type Problem struct {
	File string
	Line int // 0: the file as a whole
	Text string
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)
}

// maxSize bounds a settings file, in bytes. Real ones are a few KB.
const maxSize = 1 << 20

// managedFiles is where an administrator's file lies on Linux, macOS and
// Windows' Linux subsystem.
var managedFiles = [...]string{
	"/etc/claude-code/managed-settings.json",
	"/Library/Application Support/ClaudeCode/managed-settings.json",
}

// managedOnWindows is where it lies there, as shells name it; newer versions look at
// the last one only.
var managedOnWindows = [...]string{
	"/c/ProgramData/ClaudeCode/managed-settings.json",
	"/c/Program Files/ClaudeCode/managed-settings.json",
}

// maxManaged is how many files an administrator's directory of them may hold.
const maxManaged = 100

// Load reads the files that hold for a workspace. Missing ones are nothing
// special. The directories are absolute, or "" where there is none; config is
// that of CLAUDE_CONFIG_DIR, which takes the place of ~/.claude. What that file
// denies holds as well as what the usual one does.
func Load(files policy.Files, home, workspace, config string) *Settings {
	s := &Settings{}
	l := loader{files: files, home: home, workspace: workspace, into: s}
	managed := managedFiles[:]
	if system.Windows {
		managed = managedOnWindows[:]
	}
	for _, name := range managed {
		l.file(name, Managed)
		l.managed(strings.TrimSuffix(name, ".json") + ".d")
	}
	if l.managedOnly {
		// The lists of the other files don't count; what can't be read of
		// them still does not matter.
		return s
	}
	if home != "" {
		l.file(home+"/.claude/settings.json", User)
	}
	if config != "" && config != home+"/.claude" {
		l.file(config+"/settings.json", Moved)
	}
	if workspace != "" {
		l.committed = sync.OnceValue(func() bool { return committed(files, workspace) })
		l.file(workspace+"/.claude/settings.local.json", Local)
		l.file(workspace+"/.claude/settings.json", Project)
	}
	return s
}

type loader struct {
	files           policy.Files
	home, workspace string
	into            *Settings
	managedOnly     bool
	committed       func() bool // git may keep the local file
}

// managed reads the files that an administrator keeps in a directory.
func (l *loader) managed(dir string) {
	names, err := l.files.ReadDir(dir, maxManaged)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
		l.problem(dir, 0, "cannot be read: "+err.Error())
		return
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".json") && name[0] != '.' {
			l.file(dir+"/"+name, Managed)
		}
	}
}

func (l *loader) file(name string, scope Scope) {
	text, err := l.files.ReadFile(name, maxSize)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) && scope == Managed {
		return
	}
	shown := l.shown(name)
	if err != nil {
		l.problem(shown, 0, "cannot be read: "+err.Error())
		return
	}
	if strings.TrimSpace(string(text)) == "" {
		return
	}
	root, err := hujson.Parse(text)
	if err != nil {
		l.problem(shown, 0, strings.TrimPrefix(err.Error(), "hujson: "))
		return
	}
	d := document{loader: l, text: text, file: shown, scope: scope}
	d.root(root)
}

func (l *loader) problem(file string, line int, text string) {
	l.into.problems = append(l.into.problems, Problem{file, line, text})
}

// shown is a file's name for people.
func (l *loader) shown(name string) string {
	if l.workspace != "" && l.workspace != "/" {
		if rest, ok := strings.CutPrefix(name, l.workspace+"/"); ok {
			return rest
		}
	}
	if l.home != "" && l.home != "/" {
		if rest, ok := strings.CutPrefix(name, l.home+"/"); ok {
			return "~/" + rest
		}
	}
	return name
}

// absolute resolves a directory of the settings.
func (l *loader) absolute(dir string) string {
	switch {
	case dir == "~":
		return l.home
	case strings.HasPrefix(dir, "~/"):
		if l.home == "" {
			return ""
		}
		return path.Join(l.home, dir[2:])
	case strings.HasPrefix(dir, "/"):
		return path.Clean(dir)
	case l.workspace == "":
		return ""
	}
	return path.Join(l.workspace, dir)
}

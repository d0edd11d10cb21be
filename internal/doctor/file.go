package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/edit"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/install"
	"github.com/bashgate/bashgate/internal/toml"
)

// maxFile is how large a settings file may be, in bytes.
const maxFile = 4 << 20

// file is a file in which hooks may stand.
type file struct {
	path    string
	shown   string // as a person reads it
	foreign bool   // the user need not have written it: it is the project's, or a variable has led to it
	entries []*entry
	hooks   []hook // of everybody, where it is JSON
	err     error
}

// entry is a hook of bashgate's.
type entry struct {
	install.Entry
	file *file
}

// elsewhere lists files beside those that install writes in which hooks of
// bashgate's may stand: the administrator's, those of plugins and extensions,
// those that are not shared.
var elsewhere = [...]struct{ host, path string }{
	{"claude", "./.claude/settings.local.json"},
	{"claude", "~/.claude/plugins/*/*/hooks/hooks.json"},
	{"claude", "~/.claude/plugins/cache/*/*/*/hooks/hooks.json"},
	{"claude", "/etc/claude-code/managed-settings.json"},
	{"claude", "/Library/Application Support/ClaudeCode/managed-settings.json"},
	{"gemini", "~/.gemini/extensions/*/hooks/hooks.json"},
	{"gemini", "/etc/gemini-cli/settings.json"},
	{"qwen", "~/.qwen/extensions/*/hooks/hooks.json"},
	{"copilot", "~/.copilot/settings.json"},
	{"copilot", "./.github/copilot/settings.json"},
	{"droid", "./.factory/settings.local.json"},
	{"cursor", "/etc/cursor/hooks.json"},
}

// read reads the agent's files, as far as they are there.
func (p *patient) read() {
	add := func(path string, foreign bool) {
		if slices.ContainsFunc(p.files, func(f *file) bool { return f.path == path }) {
			return
		}
		text, err := disk.OS{}.ReadFile(path, maxFile)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		f := &file{path: path, shown: p.Show(path), foreign: foreign, err: err}
		p.files = append(p.files, f)
		if err != nil {
			return
		}
		entries, err := p.agent.Entries(path, text, f.shown)
		if err != nil {
			f.err = err
			return
		}
		for _, e := range entries {
			f.entries = append(f.entries, &entry{e, f})
		}
		if filepath.Ext(path) == ".json" {
			if d, err := edit.ParseJSON(text, f.shown); err == nil {
				f.hooks = p.hooksIn(d.Root())
			}
		}
	}
	usual := p.agent.Places(install.Place{Home: p.Home}, install.User)
	for _, path := range p.agent.Places(p.Place, install.User) {
		add(path, !slices.Contains(usual, path))
	}
	for _, path := range p.agent.Places(p.Place, install.Project) {
		add(path, true)
	}
	for _, e := range elsewhere {
		if e.host == p.agent.Host {
			paths, _ := filepath.Glob(p.Expand(e.path)) // the table's patterns are well-formed
			for _, path := range paths {
				add(path, strings.HasPrefix(e.path, "./") || p.Expand(e.path) != install.Place{Home: p.Home}.Expand(e.path))
			}
		}
	}
}

func (p *patient) entries() []*entry {
	var list []*entry
	for _, f := range p.files {
		list = append(list, f.entries...)
	}
	return list
}

// hook is anybody's hook in a JSON file.
type hook struct {
	edit.Value
	event       string
	group, item int // its places in the event's list, and in the list that it is in there
	ours        bool
}

// hooksIn finds the hooks of a file: what is a command, or another kind of
// handler, below the name of one of the agent's events or with it.
func (p *patient) hooksIn(root edit.Value) []hook {
	var list []hook
	var look func(v edit.Value, event string, group, item int)
	look = func(v edit.Value, event string, group, item int) {
		if trigger := v.Get("trigger").Text(); trigger != "" {
			event = trigger
		}
		for _, keys := range [...][]string{{"command"}, {"bash"}, {"action", "command"}, {"url"}, {"prompt"}} {
			if h := v.Get(keys...); event != "" && h.Text() != "" {
				list = append(list, hook{v, event, group, item, install.Ours(h.Text())})
				return
			}
		}
		for i, inner := range v.Items() {
			if group < 0 {
				look(inner, event, i, 0)
			} else {
				look(inner, event, group, i)
			}
		}
		for _, key := range v.Keys() {
			if p.host.EventNamed(key) != host.None {
				look(v.Get(key), key, -1, 0)
			} else {
				look(v.Get(key), event, group, item)
			}
		}
	}
	look(root, "", -1, 0)
	return list
}

// setting returns what a file says at a path of keys, with its place; "" where
// there is no such file, or it can't be read or says nothing.
func (p *patient) setting(path string, keys ...string) (value, at string) {
	path = p.Expand(path)
	text, err := disk.OS{}.ReadFile(path, maxFile)
	if err != nil {
		return "", ""
	}
	if filepath.Ext(path) == ".toml" {
		v, err := toml.Parse(text)
		if err != nil {
			return "", ""
		}
		for _, key := range keys {
			if v = v.Get(key); v == nil {
				return "", ""
			}
		}
		return v.Text, fmt.Sprintf("%s:%d:%d", p.Show(path), v.Key.Line, v.Key.Col)
	}
	d, err := edit.ParseJSON(text, p.Show(path))
	if err != nil {
		return "", ""
	}
	v := d.Root().Get(keys...)
	if !v.Is() {
		return "", ""
	}
	return v.Text(), v.Place()
}

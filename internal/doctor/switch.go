package doctor

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/edit"
	"github.com/bashgate/bashgate/internal/toml"
	"github.com/bashgate/bashgate/policy"
)

// toggle is a setting by which an agent starts no hooks. The keys that lead to
// it stand between slashes, for a key may hold a dot.
type toggle struct {
	host  string
	files string // between bars
	keys  string
	off   string // the value that switches them off
}

const (
	managed  = "/etc/claude-code/managed-settings.json"
	managedX = "/Library/Application Support/ClaudeCode/managed-settings.json"

	geminiFiles = "~/.gemini/settings.json|./.gemini/settings.json|/etc/gemini-cli/settings.json"
)

// toggles are what the agents' documentation and their sources say: Claude Code
// 2.1.329, Gemini CLI 0.61.0 and its forms before 0.26, Qwen Code 0.26, Codex
// 0.169.0 with the older name of the feature, Copilot CLI 1.0.102, VS Code 1.138,
// Factory Droid 0.225.
var toggles = [...]toggle{
	{"claude", "~/.claude/settings.json|./.claude/settings.json|./.claude/settings.local.json|" + managed + "|" + managedX, "disableAllHooks", "true"},
	{"gemini", geminiFiles, "hooksConfig/enabled", "false"},
	{"gemini", geminiFiles, "hooks/enabled", "false"},
	{"gemini", geminiFiles, "tools/enableHooks", "false"},
	{"qwen", "~/.qwen/settings.json|./.qwen/settings.json|/etc/qwen-code/settings.json", "disableAllHooks", "true"},
	{"codex", "~/.codex/config.toml|./.codex/config.toml", "features/hooks", "false"},
	{"codex", "~/.codex/config.toml|./.codex/config.toml", "features/codex_hooks", "false"},
	{"copilot", "~/.copilot/settings.json|~/.copilot/config.json|./.github/copilot/settings.json", "disableAllHooks", "true"},
	{"vscode", "~/.config/Code/User/settings.json|~/Library/Application Support/Code/User/settings.json|./.vscode/settings.json", "chat.useHooks", "false"},
	{"droid", "~/.factory/settings.json|~/.factory/hooks.json|./.factory/settings.json|./.factory/settings.local.json|./.factory/hooks.json", "hooksDisabled", "true"},
}

// switches looks for settings that keep the agent from starting any hook, or
// bashgate's.
func (p *patient) switches() {
	for i := range toggles {
		t := &toggles[i]
		if t.host != p.agent.Host {
			continue
		}
		for _, path := range strings.Split(t.files, "|") {
			if value, at := p.setting(path, strings.Split(t.keys, "/")...); value == t.off {
				p.add(Fail, at, p.agent.Title+" starts no hooks: "+strings.ReplaceAll(t.keys, "/", ".")+" is "+value, "take that setting out")
			}
		}
	}
	switch p.agent.Host {
	case "claude":
		p.managedOnly()
	case "gemini":
		p.disabled()
	}
	if !p.said() {
		p.add(OK, "", "no setting keeps "+p.agent.Title+" from starting hooks", "")
	}
}

// managedOnly looks whether an administrator lets Claude Code start no hooks but
// the administrator's.
func (p *patient) managedOnly() {
	for _, path := range [...]string{managed, managedX} {
		value, at := p.setting(path, "allowManagedHooksOnly")
		if value == "true" && !slices.ContainsFunc(p.entries(), func(e *entry) bool { return e.file.path == path }) {
			p.add(Fail, at, "Claude Code starts the administrator's hooks only, and bashgate's is not among them", "an administrator writes it there")
		}
	}
}

// disabled looks for bashgate's hook on Gemini's list of hooks that are switched
// off, by name or by command.
func (p *patient) disabled() {
	for _, path := range strings.Split(geminiFiles, "|") {
		for _, key := range [...]string{"hooksConfig", "hooks"} {
			list := p.document(path).Get(key, "disabled")
			for _, item := range list.Items() {
				for _, e := range p.entries() {
					if item.Text() == e.Command || item.Text() == "bashgate" {
						p.add(Fail, item.Place(), "Gemini CLI does not start the hook: it stands on the list of those that are switched off", "gemini, /hooks enable "+policy.Visible(item.Text()))
						return
					}
				}
			}
		}
	}
}

// document is a JSON file; one that is not there or can't be read says nothing.
func (p *patient) document(path string) edit.Value {
	path = p.Expand(path)
	text, err := disk.OS{}.ReadFile(path, maxFile)
	if err != nil {
		return edit.Value{}
	}
	d, err := edit.ParseJSON(text, p.Show(path))
	if err != nil {
		return edit.Value{}
	}
	return d.Root()
}

// trust looks whether the agent starts hooks that a person has to agree to.
func (p *patient) trust() {
	own := slices.ContainsFunc(p.entries(), func(e *entry) bool { return p.decides(e) && !e.file.foreign })
	level := Fail
	if own { // the user's own hook decides there
		level = Warn
	}
	projects := slices.ContainsFunc(p.entries(), func(e *entry) bool { return p.decides(e) && e.file.foreign })
	switch p.agent.Host {
	case "codex":
		p.hashes()
		if level, _ := p.setting("~/.codex/config.toml", "projects", p.Workspace, "trust_level"); projects && level != "trusted" {
			p.untrusted(Fail, "codex, and trust the project when it asks")
		}
	case "gemini", "qwen":
		dir := "~/." + p.agent.Host
		if on, _ := p.setting(dir+"/settings.json", "security", "folderTrust", "enabled"); projects && on == "true" && !p.folder(dir+"/trustedFolders.json") {
			p.untrusted(level, p.agent.Host+", /permissions, and trust the folder")
		}
	case "copilot":
		config := p.document("~/.copilot/config.json")
		if trusted := append(config.Get("trustedFolders").Items(), config.Get("trusted_folders").Items()...); projects && !slices.ContainsFunc(trusted, func(v edit.Value) bool { return p.below(v.Text()) }) {
			p.untrusted(level, "copilot, and trust the folder when it asks; for copilot -p set GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true")
		}
	}
}

func (p *patient) untrusted(l Level, fix string) {
	for _, e := range p.entries() {
		if e.file.foreign {
			p.add(l, e.At, p.agent.Title+" starts a project's hooks only in a folder that you trust, and this is none", fix)
			return
		}
	}
}

// folder reports whether the list of folders that Gemini CLI and Qwen Code keep
// holds the workspace.
func (p *patient) folder(path string) bool {
	list := p.document(path)
	trusted := false
	for _, dir := range list.Keys() {
		switch list.Get(dir).Text() {
		case "TRUST_FOLDER":
			trusted = trusted || p.below(dir)
		case "TRUST_PARENT":
			trusted = trusted || p.below(filepath.Dir(dir))
		case "DO_NOT_TRUST":
			if p.below(dir) {
				return false
			}
		}
	}
	return trusted
}

// below reports whether the workspace is a directory, or lies in it.
func (p *patient) below(dir string) bool {
	rest, err := filepath.Rel(dir, p.Workspace)
	return err == nil && filepath.IsAbs(dir) && filepath.IsLocal(rest)
}

// hashes looks whether Codex has noted that it trusts the hooks. It notes a hash
// of each entry, under the file, the event and the entry's place in it:
//
//	[hooks.state."/home/u/.codex/hooks.json:pre_tool_use:0:0"]
//	trusted_hash = "sha256:..."
//
// One that is not there, or whose entry has changed since, is passed over without
// a word. Whether the hash is that of the entry, Codex alone knows.
func (p *patient) hashes() {
	const config = "~/.codex/config.toml"
	text, err := disk.OS{}.ReadFile(p.Expand(config), maxFile)
	var state *toml.Value
	if err == nil {
		root, err := toml.Parse(text)
		if err != nil {
			p.add(Fail, p.Show(p.Expand(config)), "it can't be read: "+err.Error(), "mend the file")
			return
		}
		state = root.Get("hooks").Get("state")
	}
	const fix = "codex, /hooks, and trust each of bashgate's; again after each change of them"
	var missing []string
	at := ""
	for _, f := range p.files {
		for _, h := range f.hooks {
			if !h.ours {
				continue
			}
			key := f.path + ":" + snake(h.event) + ":" + strconv.Itoa(h.group) + ":" + strconv.Itoa(h.item)
			trusted := false
			for _, name := range state.Keys() {
				if s := state.Get(name); strings.HasSuffix(name, key) {
					trusted = s.Get("trusted_hash") != nil && (s.Get("enabled") == nil || s.Get("enabled").Text != "false")
				}
			}
			if !trusted {
				missing = append(missing, h.event)
				at = cmp.Or(at, h.Place())
			}
		}
	}
	if len(missing) > 0 {
		p.add(Fail, at, "Codex does not trust the hook for "+strings.Join(missing, ", ")+", and passes it over without a word", fix)
		return
	}
	p.add(OK, "", "Codex has been told to trust the hooks; after each change of them it has to be told again", "")
}

// snake writes PreToolUse as pre_tool_use.
func snake(name string) string {
	var b strings.Builder
	for i, c := range name {
		if c >= 'A' && c <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

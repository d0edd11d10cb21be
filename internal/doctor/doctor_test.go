package doctor

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/install"
	"github.com/bashgate/bashgate/policy"
)

// machine is an empty home with a project in it.
func machine(t *testing.T, env ...string) *Machine {
	t.Helper()
	home := t.TempDir()
	m := &Machine{
		Place: install.Place{Home: home, Workspace: filepath.Join(home, "p"), Getenv: func(name string) string {
			for _, pair := range env {
				if value, ok := strings.CutPrefix(pair, name+"="); ok {
					return value
				}
			}
			return ""
		}},
		Self: "/no/such/bashgate", Version: "bashgate test",
		Judge: func(host.Question) engine.Verdict { return engine.Verdict{Decision: policy.Block} },
	}
	if err := os.Mkdir(m.Workspace, 0o755); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *Machine) write(t *testing.T, path, text string) {
	t.Helper()
	path = m.Expand(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// faults are the findings of a check that are not as they should be.
func (m *Machine) faults(name, check string) (list []string) {
	for _, f := range m.Examine(install.Find(name), true) {
		if f.Check == check && f.Level > OK {
			list = append(list, f.Level.String()+" "+f.What)
		}
	}
	return list
}

func TestMatches(t *testing.T) {
	for _, row := range []struct {
		matcher, tool string
		want          bool
	}{
		{"Bash", "Bash", true}, {"Bash", "BashOutput", false}, {"Bash|Monitor", "Monitor", true}, {"^(Bash|Monitor)$", "Bash", true},
		{"^Bash$|^Edit$", "Bash", true}, {"Ba.*", "Bash", true}, {".*sh", "Bash", true}, {"Ba.*h", "Bash", true}, {"Bash.*sh", "Bash", false},
		{"mcp__.*", "Bash", false}, {"Write|Edit", "Bash", false}, {"B[a]sh", "Bash", false}, {"|", "Bash", false},
	} {
		if got := matches(row.matcher, row.tool); got != row.want {
			t.Errorf("%q names %q: %v", row.matcher, row.tool, got)
		}
	}
}

// Every setting of the table is found where the agent looks for it.
func TestToggles(t *testing.T) {
	for i := range toggles {
		g := &toggles[i]
		a := install.Find(g.host)
		if a == nil {
			t.Errorf("no agent is called %q", g.host)
			continue
		}
		for _, path := range strings.Split(g.files, "|") {
			if filepath.IsAbs(path) {
				continue // the administrator's
			}
			m := machine(t)
			h, err := host.Named(g.host)
			if err != nil {
				t.Fatal(err)
			}
			keys := strings.Split(g.keys, "/")
			text := ""
			if filepath.Ext(path) == ".toml" {
				text = "[" + keys[0] + "]\n" + keys[1] + " = " + g.off + "\n"
			} else {
				text = g.off
				for _, key := range slices.Backward(keys) {
					text = "{\"" + key + "\": // why\n" + text + "}"
				}
			}
			m.write(t, path, text)
			if why := m.Without(a, h); !strings.Contains(why, "starts no hooks") {
				t.Errorf("%s: %s says nothing: %q", path, text, why)
			}
			m.write(t, path, strings.ReplaceAll(text, g.off, map[string]string{"true": "false", "false": "true"}[g.off]))
			if why := m.Without(a, h); strings.Contains(why, "starts no hooks") {
				t.Errorf("%s: %q", path, why)
			}
		}
	}
}

// Hooks are found with their event and their place in it, however they are
// written down.
func TestHooksIn(t *testing.T) {
	for _, row := range []struct{ host, path, text, want string }{
		{"claude", "~/.claude/settings.json", `{"statusLine":{"command":"x"},"hooks":{"PreToolUse":[{"hooks":[{"command":"a"}]},{"matcher":"*","hooks":[{"command":"b"},{"url":"http://c"}]}]}}`, "PreToolUse 0 0, PreToolUse 1 0, PreToolUse 1 1"},
		{"copilot", "~/.copilot/hooks/bashgate.json", `{"version":1,"hooks":{"preToolUse":[{"bash":"a"},{"bash":"bashgate hook copilot preToolUse"}]}}`, "preToolUse 0 0, preToolUse 1 0 ours"},
		{"kiro", "~/.kiro/hooks/bashgate.json", `{"hooks":[{"trigger":"PreToolUse","action":{"command":"bashgate hook kiro"}}]}`, "PreToolUse 0 0 ours"},
	} {
		m := machine(t)
		m.write(t, row.path, row.text)
		h, err := host.Named(row.host)
		if err != nil {
			t.Fatal(err)
		}
		p := &patient{Machine: m, agent: install.Find(row.host), host: h}
		p.read()
		var got []string
		for _, f := range p.files {
			for _, h := range f.hooks {
				text := h.event + " " + string(rune('0'+h.group)) + " " + string(rune('0'+h.item))
				if h.ours {
					text += " ours"
				}
				got = append(got, text)
			}
		}
		if diff := cmp.Diff(row.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.host, diff)
		}
	}
}

// What the project has chosen, or whoever has set a variable, is not started.
func TestTrusts(t *testing.T) {
	const hook = `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"PROGRAM hook claude"}]}]}}`
	for _, row := range []struct {
		path, program string
		env           string
		starts        bool
	}{
		{"~/.claude/settings.json", "HOME/bin/bashgate", "", true},
		{"~/.claude/settings.json", "~/bin/bashgate", "", true},
		{"~/.claude/settings.json", "bashgate", "PATH=HOME/bin", true},
		{"~/.claude/settings.json", "bashgate", "PATH=bin", false},
		{"~/.claude/settings.json", "bin/bashgate", "", false},
		{"./.claude/settings.json", "HOME/bin/bashgate", "", false},
		{"./.claude/settings.json", "bashgate", "PATH=HOME/bin", false},
		{"~/.claude/settings.json", "HOME/bin/bashgate", "CLAUDE_CONFIG_DIR=HOME/p/evil", false},
	} {
		m := machine(t)
		env := strings.ReplaceAll(row.env, "HOME", m.Home)
		m.Getenv = func(name string) string {
			value, _ := strings.CutPrefix(env, name+"=")
			if value == env {
				return ""
			}
			return value
		}
		script := "#!/bin/sh\ntouch " + m.Home + "/ran\n"
		for _, path := range []string{"~/bin/bashgate", "./bin/bashgate"} {
			m.write(t, path, script)
			if err := os.Chmod(m.Expand(path), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		m.write(t, row.path, strings.ReplaceAll(strings.ReplaceAll(hook, "PROGRAM", row.program), "HOME", m.Home))
		m.Patience = 5e9
		m.Examine(install.Find("claude"), true)
		if _, err := os.Stat(m.Home + "/ran"); (err == nil) != row.starts {
			t.Errorf("%s, %s, %q: started is %v", row.path, row.program, row.env, err == nil)
		}
	}
}

// Folders that Gemini CLI and Qwen Code trust.
func TestFolder(t *testing.T) {
	for _, row := range []struct {
		text string
		want bool
	}{
		{`{}`, false},
		{`{"HOME/p": "TRUST_FOLDER"}`, true},
		{`{"HOME": "TRUST_FOLDER"}`, true},
		{`{"HOME/q": "TRUST_PARENT"}`, true},
		{`{"HOME/q": "TRUST_FOLDER"}`, false},
		{`{"HOME": "TRUST_FOLDER", "HOME/p": "DO_NOT_TRUST"}`, false},
		{`{"HOME/pp": "TRUST_FOLDER"}`, false},
	} {
		m := machine(t)
		m.write(t, "~/.qwen/trustedFolders.json", strings.ReplaceAll(row.text, "HOME", m.Home))
		m.write(t, "~/.qwen/settings.json", `{"security":{"folderTrust":{"enabled":true}}}`)
		m.write(t, "./.qwen/settings.json", `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"/no/such/bashgate hook qwen"}]}]}}`)
		if got := m.faults("qwen", "trust"); (len(got) == 0) != row.want {
			t.Errorf("%s: %q", row.text, got)
		}
	}
	m := machine(t)
	m.write(t, "~/.copilot/config.json", `{"trustedFolders":["/srv"]}`)
	m.write(t, "./.github/hooks/bashgate.json", `{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"/no/such/bashgate hook copilot preToolUse"}]}}`)
	if got := m.faults("copilot", "trust"); len(got) != 1 {
		t.Errorf("copilot: %q", got)
	}
	m.write(t, "~/.copilot/config.json", `{"trustedFolders":["/srv","`+m.Workspace+`"]}`)
	if got := m.faults("copilot", "trust"); len(got) != 0 {
		t.Errorf("copilot: %q", got)
	}
}

func TestWritable(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]bool{dir: true, dir + "/a/b/c": true, os.DevNull: true, os.DevNull + "/log": false} {
		if got := Writable(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

//go:build unix

package cli

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/policy"
)

// use is one use of an agent's tool: its own name of the tool, and what it is
// given, with $ for the place.
type use struct{ tool, input string }

// hostTools are the agents' own tools for what any of them does, by their
// documentation, their source or what they send.
var hostTools = []struct {
	host               string
	read, write, fetch use    // a tool of no name = it has none
	mcp                use    // of a server called filesystem
	own                string // a file by which the agent starts the hook
}{
	{"claude", use{"Read", `{"file_path":"$"}`}, use{"Write", `{"file_path":"$","content":"x"}`}, use{"WebFetch", `{"url":"$","prompt":"x"}`}, use{"mcp__filesystem__read_file", `{"path":"$"}`}, "~/.claude/settings.json"},
	{"gemini", use{"read_file", `{"file_path":"$"}`}, use{"write_file", `{"file_path":"$","content":"x"}`}, use{"web_fetch", `{"prompt":"read $"}`}, use{"mcp_filesystem_read_file", `{"path":"$"}`}, "~/.gemini/settings.json"},
	{"codex", use{"view_image", `{"path":"$"}`}, use{"apply_patch", `{"command":"*** Begin Patch\n*** Add File: $\n+x\n*** End Patch\n"}`}, use{}, use{"mcp__filesystem__read_file", `{"path":"$"}`}, "~/.codex/hooks.json"},
	{"codex", use{}, use{"apply_patch", `{"input":"*** Begin Patch\n*** Update File: a\n*** Move to: $\n@@\n-x\n+y\n*** End Patch\n"}`}, use{}, use{}, "~/.codex/config.toml"},
	{"codex", use{}, use{"apply_patch", `{"command":"*** Begin Patch\n*** Delete File: $\n*** End Patch\n"}`}, use{}, use{}, "$P/.claude/settings.json"},
	{"copilot", use{"view", `{"path":"$"}`}, use{"create", `{"path":"$","file_text":"x"}`}, use{"web_fetch", `{"url":"$"}`}, use{"filesystem-read_file", `{"path":"$"}`}, "~/.copilot/hooks/bashgate.json"},
	{"copilot", use{"view", `{"path":"$"}`}, use{"edit", `{"path":"$","old_str":"x","new_str":"y"}`}, use{}, use{}, "~/.copilot/config.json"},
	{"vscode", use{"read_file", `{"filePath":"$","startLine":1}`}, use{"create_file", `{"filePath":"$","content":"x"}`}, use{"fetch_webpage", `{"urls":["$"],"query":"x"}`}, use{"mcp_filesystem_read_file", `{"path":"$"}`}, "$P/.github/hooks/x.json"},
	{"vscode", use{}, use{"multi_replace_string_in_file", `{"replacements":[{"filePath":"$","oldString":"x","newString":"y"}]}`}, use{}, use{}, "$P/.github/hooks/x.json"},
	{"cursor", use{"Read", `{"file_path":"$"}`}, use{"Write", `{"file_path":"$","content":"x"}`}, use{"WebFetch", `{"url":"$"}`}, use{"MCP:read_file", `{"path":"$"}`}, "~/.cursor/hooks.json"},
	{"cursor", use{"Read", `{"path":"$"}`}, use{"StrReplace", `{"path":"$","old_string":"x","new_string":"y"}`}, use{}, use{}, "$P/.cursor/hooks.json"},
	{"qwen", use{"read_file", `{"file_path":"$"}`}, use{"edit", `{"file_path":"$","old_string":"x","new_string":"y"}`}, use{"web_fetch", `{"url":"$","prompt":"x"}`}, use{"mcp__filesystem__read_file", `{"path":"$"}`}, "~/.qwen/settings.json"},
	{"opencode", use{"read", `{"filePath":"$"}`}, use{"write", `{"filePath":"$","content":"x"}`}, use{"webfetch", `{"url":"$","format":"text"}`}, use{"filesystem_read_file", `{"path":"$"}`}, "~/.config/opencode/plugin/bashgate.js"},
	{"kilo", use{"read", `{"filePath":"$"}`}, use{"edit", `{"filePath":"$","oldString":"x","newString":"y"}`}, use{"webfetch", `{"url":"$","format":"text"}`}, use{"filesystem_read_file", `{"path":"$"}`}, "~/.config/kilo/plugin/bashgate.js"},
	{"pi", use{"read", `{"path":"$"}`}, use{"write", `{"path":"$","content":"x"}`}, use{}, use{}, "~/.pi/agent/extensions/bashgate.js"},
	{"cline", use{"read_files", `{"files":[{"path":"$"}]}`}, use{"editor", `{"path":"$","new_text":"x"}`}, use{"fetch_web_content", `{"requests":[{"url":"$","prompt":"xx"}]}`}, use{"filesystem__read_file", `{"path":"$"}`}, "~/.cline/hooks/PreToolUse"},
	{"cline", use{"read_files", `"$"`}, use{"apply_patch", `{"input":"*** Begin Patch\n*** Add File: $\n+x\n*** End Patch\n"}`}, use{"web_fetch", `{"url":"$"}`}, use{"use_mcp_tool", `{"server_name":"filesystem","tool_name":"read_file","arguments":"{\"path\":\"$\"}"}`}, "~/Documents/Cline/Hooks/PreToolUse"},
	{"cline", use{"read_files", `["$"]`}, use{"write_to_file", `{"path":"$","content":"x"}`}, use{}, use{}, "~/.cline/hooks/PreToolUse"},
	{"cline", use{"read_file", `{"path":"$"}`}, use{"replace_in_file", `{"path":"$","diff":"x"}`}, use{}, use{}, "~/.cline/hooks/PreToolUse"},
	{"crush", use{"view", `{"file_path":"$"}`}, use{"write", `{"file_path":"$","content":"x"}`}, use{"fetch", `{"url":"$","format":"text"}`}, use{"mcp_filesystem_read_file", `{"path":"$"}`}, "~/.config/crush/crush.json"},
	{"crush", use{}, use{"multiedit", `{"file_path":"$","edits":[]}`}, use{"agentic_fetch", `{"url":"$","prompt":"x"}`}, use{}, "~/.config/crush/crush.json"},
	{"crush", use{}, use{"download", `{"url":"https://a.example/x","file_path":"$"}`}, use{"download", `{"url":"$","file_path":"a"}`}, use{}, "~/.config/crush/crush.json"},
	{"goose", use{"developer__text_editor", `{"command":"view","path":"$"}`}, use{"developer__text_editor", `{"command":"write","path":"$","file_text":"x"}`}, use{"computercontroller__web_scrape", `{"url":"$"}`}, use{"filesystem__read_file", `{"path":"$"}`}, "~/.agents/plugins/bashgate/hooks/hooks.json"},
	{"goose", use{}, use{"developer__write", `{"path":"$","content":"x"}`}, use{}, use{}, "~/.config/goose/config.yaml"},
	{"kimi", use{"ReadFile", `{"path":"$"}`}, use{"WriteFile", `{"path":"$","content":"x"}`}, use{"FetchURL", `{"url":"$"}`}, use{"mcp__filesystem__read_file", `{"path":"$"}`}, "~/.kimi/config.toml"},
	{"droid", use{"Read", `{"file_path":"$"}`}, use{"Create", `{"file_path":"$","content":"x"}`}, use{"FetchUrl", `{"url":"$"}`}, use{"filesystem___read_file", `{"path":"$"}`}, "~/.factory/hooks.json"},
	{"droid", use{}, use{"ApplyPatch", `{"input":"*** Begin Patch\n*** Add File: $\n+x\n*** End Patch\n"}`}, use{}, use{}, "~/.factory/settings.json"},
	{"kiro", use{"fs_read", `{"operations":[{"mode":"Line","path":"$"}]}`}, use{"fs_write", `{"command":"create","path":"$","file_text":"x"}`}, use{"web_fetch", `{"url":"$"}`}, use{"@filesystem/read_file", `{"path":"$"}`}, "~/.kiro/agents/default.json"},
	{"kiro", use{"read", `{"operations":[{"mode":"Line","path":"$"}]}`}, use{"write", `{"command":"strReplace","path":"$","oldStr":"x","newStr":"y"}`}, use{}, use{}, "~/.kiro/hooks/x.json"},
	{"windsurf", use{"pre_read_code", `{"file_path":"$"}`}, use{"pre_write_code", `{"file_path":"$","edits":[{"old_string":"x","new_string":"y"}]}`}, use{}, use{"pre_mcp_tool_use", `{"mcp_server_name":"filesystem","mcp_tool_name":"read_file","mcp_tool_arguments":{"path":"$"}}`}, "~/.codeium/windsurf/hooks.json"},
	{"amp", use{"Read", `{"path":"$"}`}, use{"create_file", `{"path":"$","content":"x"}`}, use{"read_web_page", `{"url":"$"}`}, use{"mcp__filesystem__read_file", `{"path":"$"}`}, "~/.config/amp/plugins/bashgate.ts"},
	{"auggie", use{"view", `{"path":"$","type":"file"}`}, use{"save-file", `{"path":"$","file_content":"x"}`}, use{"web-fetch", `{"url":"$"}`}, use{"read_file_filesystem", `{"path":"$"}`}, "~/.augment/settings.json"},
	{"auggie", use{}, use{"str-replace-editor", `{"command":"str_replace","path":"$"}`}, use{}, use{}, "~/.augment/settings.json"},
	{"antigravity", use{"view_file", `{"AbsolutePath":"$"}`}, use{"write_to_file", `{"TargetFile":"$","CodeContent":"x"}`}, use{"read_url_content", `{"Url":"$"}`}, use{}, "~/.gemini/config/hooks.json"},
	{"antigravity", use{}, use{"multi_replace_file_content", `{"TargetFile":"$","ReplacementChunks":[]}`}, use{}, use{}, "~/.gemini/config/hooks.json"},
}

// sends is what an agent sends before it uses a tool, and the event's name in
// the hook's arguments.
func sends(agent, tool, input string) (data, event string) {
	name, _ := json.Marshal(tool)
	switch agent {
	case "gemini":
		rest := ""
		if short, ok := strings.CutPrefix(tool, "mcp_filesystem_"); ok {
			rest = `,"mcp_context":{"server_name":"filesystem","tool_name":"` + short + `"}`
		}
		return `{"hook_event_name":"BeforeTool","cwd":"/srv/project","tool_name":` + string(name) + `,"tool_input":` + input + rest + `}`, ""
	case "copilot":
		return `{"sessionId":"s","timestamp":1,"cwd":"/srv/project","toolName":` + string(name) + `,"toolArgs":` + input + `}`, "preToolUse"
	case "cursor":
		if short, ok := strings.CutPrefix(tool, "MCP:"); ok {
			text, _ := json.Marshal(input)
			return `{"hook_event_name":"beforeMCPExecution","conversation_id":"c","workspace_roots":["/srv/project"],"mcp_server_name":"filesystem","tool_name":"` + short + `","tool_input":` + string(text) + `}`, ""
		}
		return `{"hook_event_name":"preToolUse","conversation_id":"c","workspace_roots":["/srv/project"],"cwd":"/srv/project","tool_name":` + string(name) + `,"tool_input":` + input + `}`, ""
	case "opencode", "kilo":
		return `{"hook_event_name":"PreToolUse","host":"` + agent + `","directory":"/srv/project","input":{"tool":` + string(name) + `},"output":{"args":` + input + `}}`, ""
	case "cline":
		return `{"hookName":"tool_call","taskId":"t","workspaceRoots":["/srv/project"],"tool_call":{"id":"1","name":` + string(name) + `,"input":` + input + `}}`, ""
	case "crush", "goose":
		return `{"event":"PreToolUse","cwd":"/srv/project","working_dir":"/srv/project","tool_name":` + string(name) + `,"tool_input":` + input + `}`, ""
	case "windsurf":
		return `{"agent_action_name":` + string(name) + `,"tool_info":` + input + `}`, ""
	case "antigravity":
		return `{"conversationId":"c","workspacePaths":["/srv/project"],"toolCall":{"name":` + string(name) + `,"args":` + input + `}}`, "PreToolUse"
	case "kiro":
		return `{"hook_event_name":"preToolUse","cwd":"/srv/project","tool_name":` + string(name) + `,"tool_input":` + input + `}`, ""
	}
	return `{"hook_event_name":"PreToolUse","cwd":"/srv/project","tool_name":` + string(name) + `,"tool_input":` + input + `}`, ""
}

// TestHostTools lets every agent's own tools do what all of them do: what they
// are given is judged whatever they call it.
func TestHostTools(t *testing.T) {
	told := map[string]bool{}
	for _, row := range hostTools {
		h, err := host.Named(row.host)
		if err != nil {
			t.Fatal(err)
		}
		told[h.Name] = true
		for _, c := range []struct {
			what  string
			use   use
			place string
			least policy.Decision // and no more than it, if that is Skip
		}{
			{"reads a key", row.read, "$HOME/.ssh/id_rsa", policy.Ask},
			{"reads the project", row.read, "/srv/project/main.go", policy.Skip},
			{"writes a start-up file", row.write, "$HOME/.bashrc", policy.Ask},
			{"writes its own hook", row.write, row.own, policy.Block},
			{"edits the project", row.write, "/srv/project/main.go", policy.Skip},
			{"leaves the project", row.write, "/opt/other/main.go", policy.Ask},
			{"fetches keys of the machine", row.fetch, "http://169.254.169.254/latest/meta-data/", policy.Ask},
			{"reads .env through a server", row.mcp, "/srv/project/.env", policy.Ask},
		} {
			if c.use.tool == "" || c.use.tool == "download" && c.least == policy.Skip { // which talks to anybody
				continue
			}
			p, _, _ := process(t, nil)
			place := strings.NewReplacer("$HOME", p.Getenv("HOME"), "~", p.Getenv("HOME"), "$P", "/srv/project").Replace(c.place)
			if c.use.tool == "web_fetch" && h.Name == "gemini" {
				place += " "
			}
			data, event := sends(h.Name, c.use.tool, strings.ReplaceAll(c.use.input, "$", place))
			q, err := h.Read(host.Parse(host.Input{Data: []byte(data), Event: event, Getenv: p.Getenv, Dir: func() string { return "/srv/project" }}))
			if err != nil || q.Shell {
				t.Errorf("%s, %s: %v (shell: %v)", h.Name, data, err, q.Shell)
				continue
			}
			q.Request.Unattended = false
			d, reason := newGate(p, &q, time.Now()).before()
			if d < c.least || c.least == policy.Skip && d != policy.Skip {
				t.Errorf("%s %s: %s: %v (%s), want %v", h.Name, c.what, data, d, reason, c.least)
			}
		}
	}
	for _, h := range host.All() {
		if !told[h.Name] {
			t.Errorf("no tools of %s", h.Title)
		}
	}
}

// What is typed into a program that runs joins what stands there already: of a
// harmless piece nobody knows what line it becomes.
func TestTyped(t *testing.T) {
	for _, row := range []struct{ host, tool, arg string }{
		{"codex", "write_stdin", "chars"}, {"copilot", "write_bash", "input"}, {"vscode", "send_to_terminal", "command"}, {"auggie", "write-process", "input_text"},
	} {
		for _, text := range []string{"find . -name x", "echo -o -exec rm -rf {} +\n", "ls\n"} {
			h, err := host.Named(row.host)
			if err != nil {
				t.Fatal(err)
			}
			input, _ := json.Marshal(map[string]string{row.arg: text})
			data := `{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/srv/project","tool_name":"` + row.tool + `","tool_input":` + string(input) + `}`
			p, stdout, stderr := process(t, strings.NewReader(data), "hook", row.host)
			status := Run(p)
			if said := saidTo(t, stdout.Bytes(), stderr.Bytes(), status); said != "ask" && said != "deny" {
				t.Errorf("%s, %s of %q: %q", h.Title, row.tool, text, said)
			}
		}
	}
}

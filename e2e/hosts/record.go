//go:build unix

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// recorder stands in bashgate's place: it keeps what the agent hands over, and
// lets bashgate answer. DIR and BASHGATE are put in.
const recorder = `f=DIR/$(date +%s%N)-$$
cat >"$f.stdin"
printf '%s\n' "$@" >"$f.args"
env -0 >"$f.env"
pwd >"$f.cwd"
exec BASHGATE "$@" <"$f.stdin"
`

// record lets an agent use tools of every kind and writes what it hands to its
// hook, one file for each event and tool, into a directory. Nothing is judged.
func (o *options) recordEvents(a *agent) error {
	dir, err := os.MkdirTemp("", "bashgate-hosts-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	seen := filepath.Join(dir, "seen")
	if err := os.Mkdir(seen, 0o755); err != nil {
		return err
	}
	note := filepath.Join(dir, "home/project/scratch/note.txt")
	edit := object{"file_path": note, "path": note, "filePath": note, "command": "str_replace",
		"old_string": "one", "oldString": "one", "old_str": "one", "old_text": "one",
		"new_string": "two", "newString": "two", "new_str": "two", "new_text": "two",
		"edits": list{object{"oldText": "one", "newText": "two"}}}
	read := object{"file_path": note, "path": note, "filePath": note, "files": list{object{"path": note}}}
	script := []use{
		shell(a.tool, cases[allow].command),
		shell(a.tool, "cat missing.txt"),
		writes(note),
		{names: []string{"Edit", "replace", "edit", "str_replace", "editor"}, values: edit},
		{names: []string{"Read", "read_file", "read", "view", "read_files"}, values: read},
		{names: []string{"mcp__notes__keep", "mcp_notes_keep", "notes-keep", "notes_keep", "mcp__notes.keep"}, values: object{"text": "a note"}},
	}
	r, err := newRun(a, o, dir, script)
	if err != nil {
		return err
	}
	defer r.close()
	r.model.lenient = true
	if err := os.Mkdir(filepath.Join(r.project, "scratch"), 0o755); err != nil {
		return err
	}
	argv, err := a.start(r, true)
	if err != nil {
		return err
	}
	if argv, err = r.addServer(argv); err != nil {
		return err
	}
	if err := r.install(false); err != nil {
		return err
	}
	if err := r.replace(strings.NewReplacer("DIR", seen, "BASHGATE", o.bashgate).Replace(recorder)); err != nil {
		return err
	}
	if _, err := r.drive(argv); err != nil {
		return err
	}
	if o.verbose {
		fmt.Printf("%s: %s\n%s\n%s\n", a.name, strings.Join(keys(r.model.tools), " "), strings.Join(r.model.results, "\n"), tail(r.output.String()))
	}
	version, err := a.version()
	if err != nil {
		return err
	}
	// Where the last file is missing, the agent has ended before its hook.
	stems, err := filepath.Glob(filepath.Join(seen, "*.cwd"))
	if err != nil {
		return err
	}
	slices.Sort(stems)
	written := map[string]int{}
	for _, path := range stems {
		name, data, err := r.captured(strings.TrimSuffix(path, ".cwd"), dir)
		if err != nil {
			return err
		}
		written[name]++
		switch n := written[name]; {
		case n == 2:
			name += "-2" // the command that fails
		case n > 2:
			continue
		}
		target := filepath.Join(o.record, a.name+"-"+version+"-"+name+".json")
		if err := os.WriteFile(target, data, 0o644); err != nil {
			return err
		}
		fmt.Println(target)
	}
	return nil
}

// captured reads one event: its name, and the file about it in which nothing
// of this machine is left.
func (r *run) captured(stem, dir string) (name string, data []byte, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	dashed := strings.NewReplacer("/", "-", ".", "-").Replace(r.home)
	mask := strings.NewReplacer(r.home, "/home/dev", dashed, "-home-dev", filepath.Dir(r.bashgate), "/usr/local/bin", self, "/usr/local/bin/notes", r.packages, "/opt", dir, "/tmp")
	var parts [4]string
	for i, ext := range [...]string{".stdin", ".args", ".env", ".cwd"} {
		part, err := os.ReadFile(stem + ext)
		if err != nil {
			return "", nil, err
		}
		parts[i] = mask.Replace(string(part))
	}
	var event struct {
		HookEventName, EventName, HookName string
		Name                               string `json:"hook_event_name"`
		Tool                               string `json:"tool_name"`
		ToolName                           string
		ToolCall                           struct{ Name string } `json:"tool_call"`
		Input                              struct{ Tool string }
	}
	if err := json.Unmarshal([]byte(parts[0]), &event); err != nil {
		return "", nil, fmt.Errorf("%w: %q", err, parts[0])
	}
	args := strings.Fields(parts[1])
	args = args[min(len(args), 2):] // "hook" and the agent's name
	args = slices.DeleteFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") })
	name = cmp.Or(event.Name, event.HookName, event.HookEventName, event.EventName)
	if len(args) > 0 && name == "" {
		name = args[0]
	}
	if tool := cmp.Or(event.Tool, event.ToolName, event.ToolCall.Name, event.Input.Tool); tool != "" {
		name += "-" + strings.ReplaceAll(tool, "/", "_")
	}
	env := map[string]string{}
	for v := range strings.SplitSeq(parts[2], "\x00") {
		name, value, _ := strings.Cut(v, "=")
		for _, prefix := range [...]string{"CLAUDE", "GEMINI_", "QWEN", "CODEX", "COPILOT", "CLINE", "KIMI", "OPENCODE", "AI_AGENT"} {
			if strings.HasPrefix(name, prefix) && !strings.Contains(name, "KEY") && !strings.Contains(name, "TOKEN") {
				env[name] = value
			}
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err = e.Encode(struct {
		Stdin json.RawMessage   `json:"stdin"`
		Args  []string          `json:"args,omitempty"`
		Env   map[string]string `json:"env"`
		Cwd   string            `json:"cwd"`
	}{json.RawMessage(parts[0]), args, env, strings.TrimSpace(parts[3])})
	return name, b.Bytes(), err
}

// addServer gives the agent an MCP server with one tool: this program.
func (r *run) addServer(argv []string) ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	server := object{"command": self, "args": list{"-serve"}}
	switch r.agent.name {
	case "claude":
		return append(argv, "--mcp-config", text(object{"mcpServers": object{"notes": server}})), nil
	case "gemini", "qwen":
		return argv, r.change("."+r.agent.name+"/settings.json", func(o object) { o["mcpServers"] = object{"notes": server} })
	case "codex":
		data, err := os.ReadFile(filepath.Join(r.home, ".codex/config.toml"))
		if err != nil {
			return nil, err
		}
		return argv, r.write(".codex/config.toml", string(data)+fmt.Sprintf("\n[mcp_servers.notes]\ncommand = %q\nargs = [\"-serve\"]\n", self))
	case "copilot":
		server["type"], server["tools"] = "local", list{"*"}
		return argv, r.settings(".copilot/mcp-config.json", object{"mcpServers": object{"notes": server}})
	case "kimi":
		return argv, r.settings(".kimi-code/mcp.json", object{"mcpServers": object{"notes": server}})
	case "opencode":
		return argv, r.change(".config/opencode/opencode.json", func(o object) {
			o["mcp"] = object{"notes": object{"type": "local", "command": list{self, "-serve"}}}
		})
	}
	return argv, nil // pi has none, and Cline keeps them in its database
}

// change changes a JSON file below the home.
func (r *run) change(path string, f func(object)) error {
	data, err := os.ReadFile(filepath.Join(r.home, path))
	if err != nil {
		return err
	}
	var o object
	if err := json.Unmarshal(data, &o); err != nil {
		return err
	}
	f(o)
	return r.settings(path, o)
}

// serve is an MCP server on standard input and output
// (https://modelcontextprotocol.io/specification) with a tool that keeps notes.
func serve(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var request struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Version string `json:"protocolVersion"`
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &request); err != nil {
			return err
		}
		var answer object
		switch request.Method {
		case "initialize":
			answer = object{"protocolVersion": request.Params.Version, "capabilities": object{"tools": object{}}, "serverInfo": object{"name": "notes", "version": "1"}}
		case "tools/list":
			answer = object{"tools": list{object{"name": "keep", "description": "Keeps a note.",
				"inputSchema": object{"type": "object", "properties": object{"text": object{"type": "string"}}, "required": list{"text"}}}}}
		case "tools/call":
			answer = object{"content": list{object{"type": "text", "text": "kept"}}}
		default:
			answer = object{}
		}
		if request.ID == nil {
			continue // a notification
		}
		if _, err := fmt.Fprintf(out, "%s\n", text(object{"jsonrpc": "2.0", "id": request.ID, "result": answer})); err != nil {
			return err
		}
	}
	return lines.Err()
}

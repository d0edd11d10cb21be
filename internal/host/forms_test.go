package host

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// forms are agents with forms of their own: a payload about a command, and what
// becomes of each decision about it.
var forms = []struct {
	host, event, payload    string // the event is that of the hook's arguments
	skip, allow, ask, block string // as shown writes them
	fail                    string
	workspace, directory    string
}{
	{
		host:    "cursor",
		payload: `{"hook_event_name":"beforeShellExecution","conversation_id":"c","workspace_roots":["/w"],"command":"git push","cwd":"/w/web"}`,
		skip:    "{\"permission\":\"allow\"}\nexit 0\n", allow: "{\"permission\":\"allow\"}\nexit 0\n",
		ask:   "{\"permission\":\"ask\",\"user_message\":\"a \\\"b\\\"\",\"agent_message\":\"a \\\"b\\\"\"}\nexit 0\n",
		block: "{\"permission\":\"deny\",\"user_message\":\"a \\\"b\\\"\",\"agent_message\":\"a \\\"b\\\"\"}\nexit 0\n",
		fail:  "stderr a \"b\"\nexit 2\n", workspace: "/w", directory: "/w/web",
	},
	{
		host:    "cursor",
		payload: `{"hook_event_name":"preToolUse","conversation_id":"c","workspace_roots":["/w"],"tool_name":"Shell","tool_input":{"command":"git push"},"cwd":""}`,
		skip:    "{\"permission\":\"allow\"}\nexit 0\n", allow: "{\"permission\":\"allow\"}\nexit 0\n",
		ask:   "{\"permission\":\"deny\",\"user_message\":\"a \\\"b\\\"\",\"agent_message\":\"a \\\"b\\\"\"}\nexit 0\n",
		block: "{\"permission\":\"deny\",\"user_message\":\"a \\\"b\\\"\",\"agent_message\":\"a \\\"b\\\"\"}\nexit 0\n",
		fail:  "stderr a \"b\"\nexit 2\n", workspace: "/w", directory: "/w",
	},
	{
		host:    "opencode",
		payload: `{"hook_event_name":"PreToolUse","host":"opencode","directory":"/w","input":{"tool":"bash","sessionID":"s"},"output":{"args":{"command":"git push","workdir":"web"}}}`,
		skip:    "exit 0\n", allow: "{\"decision\":\"allow\",\"reason\":\"a \\\"b\\\"\"}\nexit 0\n",
		ask:   "{\"decision\":\"block\",\"reason\":\"a \\\"b\\\"\"}\nexit 0\n",
		block: "{\"decision\":\"block\",\"reason\":\"a \\\"b\\\"\"}\nexit 0\n",
		fail:  "stderr a \"b\"\nexit 2\n", workspace: "/w", directory: "/w/web",
	},
	{
		host:    "kilo",
		payload: `{"hook_event_name":"PreToolUse","host":"kilo","directory":"/w","input":{"tool":"bash","sessionID":"s"},"output":{"args":{"command":"git push","workdir":"/w/web"}}}`,
		skip:    "exit 0\n", allow: "{\"decision\":\"allow\",\"reason\":\"a \\\"b\\\"\"}\nexit 0\n",
		ask:   "{\"decision\":\"block\",\"reason\":\"a \\\"b\\\"\"}\nexit 0\n",
		block: "{\"decision\":\"block\",\"reason\":\"a \\\"b\\\"\"}\nexit 0\n",
		fail:  "stderr a \"b\"\nexit 2\n", workspace: "/w", directory: "/w/web",
	},
	{
		host:    "pi",
		payload: `{"hook_event_name":"PreToolUse","host":"pi","cwd":"/w","has_ui":true,"tool_name":"bash","tool_input":{"command":"git push"}}`,
		skip:    "exit 0\n", allow: "{\"decision\":\"allow\",\"reason\":\"a \\\"b\\\"\"}\nexit 0\n",
		ask:   "{\"decision\":\"ask\",\"reason\":\"a \\\"b\\\"\"}\nexit 0\n",
		block: "{\"decision\":\"block\",\"reason\":\"a \\\"b\\\"\"}\nexit 0\n",
		fail:  "stderr a \"b\"\nexit 2\n", workspace: "/w", directory: "/w",
	},
	{
		host: "cline", event: "PreToolUse",
		payload: `{"hookName":"PreToolUse","taskId":"t","workspaceRoots":["/w"],"preToolUse":{"toolName":"execute_command","parameters":{"command":"git push"}}}`,
		skip:    "{\"cancel\":false}\nexit 0\n", allow: "{\"cancel\":false}\nexit 0\n",
		ask:   "{\"cancel\":true,\"errorMessage\":\"a \\\"b\\\"\"}\nexit 0\n",
		block: "{\"cancel\":true,\"errorMessage\":\"a \\\"b\\\"\"}\nexit 0\n",
		fail:  "stderr a \"b\"\n{\"cancel\":true,\"errorMessage\":\"a \\\"b\\\"\"}\nexit 0\n", workspace: "/w", directory: "/w",
	},
	{
		host:    "windsurf",
		payload: `{"agent_action_name":"pre_run_command","trajectory_id":"t","tool_info":{"command_line":"git push","cwd":"/w/web"}}`,
		skip:    "exit 0\n", allow: "exit 0\n", ask: "exit 0\n", block: "stderr a \"b\"\nexit 2\n",
		fail: "stderr a \"b\"\nexit 2\n", workspace: "/proc-dir", directory: "/w/web",
	},
	{
		host:    "amp",
		payload: `{"hook_event_name":"PreToolUse","host":"amp","cwd":"/w","session_id":"T-1","tool_name":"Bash","tool_input":{"cmd":"git push","cwd":"/w/web"}}`,
		skip:    "exit 0\n", allow: "{\"decision\":\"allow\",\"reason\":\"a \\\"b\\\"\"}\nexit 0\n",
		ask:   "{\"decision\":\"block\",\"reason\":\"a \\\"b\\\"\"}\nexit 0\n",
		block: "{\"decision\":\"block\",\"reason\":\"a \\\"b\\\"\"}\nexit 0\n",
		fail:  "stderr a \"b\"\nexit 2\n", workspace: "/w", directory: "/w/web",
	},
	{
		host: "amp", event: "delegate", payload: `{"cmd":"git push","cwd":"/w/web"}`,
		skip: "exit 0\n", allow: "exit 0\n", ask: "stderr a \"b\"\nexit 1\n", block: "stderr a \"b\"\nexit 2\n",
		fail: "stderr a \"b\"\nexit 2\n", workspace: "/proc-dir", directory: "/w/web",
	},
	{
		host: "antigravity", event: "PreToolUse",
		payload: `{"conversationId":"c","workspacePaths":["/w"],"toolCall":{"name":"run_command","args":{"CommandLine":"git push","Cwd":"/w/web"}}}`,
		skip:    "{\"decision\":\"ask\"}\nexit 0\n", allow: "{\"decision\":\"allow\",\"reason\":\"a \\\"b\\\"\"}\nexit 0\n",
		ask:   "{\"decision\":\"deny\",\"reason\":\"a \\\"b\\\"\"}\nexit 0\n",
		block: "{\"decision\":\"deny\",\"reason\":\"a \\\"b\\\"\"}\nexit 0\n",
		fail:  "stderr a \"b\"\n{\"decision\":\"deny\",\"reason\":\"a \\\"b\\\"\"}\nexit 2\n", workspace: "/w", directory: "/w/web",
	},
}

func formed(event, data string) Payload {
	in := input(data, "HOME=/home/dev", "AGENT_TOOL_NAME=Bash", "AMP_THREAD_ID=T-1")
	in.Event = event
	return Parse(in)
}

func TestForms(t *testing.T) {
	for _, row := range forms {
		h, err := Named(row.host)
		if err != nil {
			t.Fatal(err)
		}
		q, err := h.Read(formed(row.event, row.payload))
		r := &q.Request
		if err != nil || !q.Shell || q.Event != BeforeToolUse || r.Command != "git push" || r.Host != h.Name || r.Workspace != row.workspace || r.Cwd != row.directory {
			t.Errorf("%s: %+v, %v", row.payload, q, err)
		}
		for d, want := range map[policy.Decision]string{policy.Skip: row.skip, policy.Allow: row.allow, policy.Ask: row.ask, policy.Block: row.block} {
			if got := shown(h.Answer(&q, d, `a "b"`)); got != want {
				t.Errorf("%s %v: %q, want %q", row.host, d, got, want)
			}
		}
		if got := shown(h.Fail(`a "b"`)); got != row.fail {
			t.Errorf("%s fails with %q, want %q", row.host, got, row.fail)
		}
		// What was not understood is denied in a form that denies, whatever else
		// is known of it.
		for _, unread := range []Question{{}, {Event: BeforeToolUse, Name: q.Name}, {Name: "new"}} {
			if got := shown(h.Answer(&unread, policy.Block, `a "b"`)); got != row.block && q.Name != ampDelegate {
				t.Errorf("%s denies %+v with %q, want %q", row.host, unread, got, row.block)
			}
		}
	}
}

// What can't be understood is never taken for another command, or for a tool
// that is nobody's business.
func TestFormsRefuse(t *testing.T) {
	const command = `git push"`
	for _, row := range forms {
		h, err := Named(row.host)
		if err != nil {
			t.Fatal(err)
		}
		at := strings.Index(row.payload, `"`+command)
		key := row.payload[strings.LastIndex(row.payload[:at-2], `"`) : at-1] // with its quotes
		for name, data := range map[string]string{
			"empty":            "",
			"text":             "git push",
			"array":            "[" + row.payload + "]",
			"truncated":        row.payload[:at+4],
			"second value":     row.payload + row.payload,
			"command twice":    strings.Replace(row.payload, `"`+command, `"ls",`+key+`:"`+command, 1),
			"in two cases":     strings.Replace(row.payload, `"`+command, `"ls",`+strings.ToUpper(key)+`:"`+command, 1),
			"command is null":  strings.Replace(row.payload, `"`+command, "null", 1),
			"command is a map": strings.Replace(row.payload, `"`+command, `{"a":"b"}`, 1),
			"not UTF-8":        strings.Replace(row.payload, command, "git \xff\"", 1),
			"no command":       strings.Replace(row.payload, key+`:"`+command, `"x":"y"`, 1),
			"relative place":   strings.NewReplacer(`"/w"`, `"w"`, `"/w/web"`, `"~/web"`).Replace(row.payload),
		} {
			if data == row.payload {
				t.Fatalf("%s, %s: nothing was changed", row.host, name)
			}
			if q, err := h.Read(formed(row.event, data)); err == nil {
				t.Errorf("%s, %s: %s is read as %+v", row.host, name, data, q)
			} else if q.Request.Command != "" || q.Tool.Name != "" {
				t.Errorf("%s, %s: an error with %+v", row.host, name, q)
			}
		}
		other := strings.NewReplacer("beforeShellExecution", "beforeAll", "preToolUse\"", "before\"", "PreToolUse\"", "BeforeAll\"", "pre_run_command", "pre_all").Replace(row.payload)
		if q, err := h.Read(formed(row.event, other)); other != row.payload && err == nil {
			t.Errorf("%s: %s is read as %+v", row.host, other, q)
		}
	}
}

// What Amp delegates is the tool's own input, whatever it looks like.
func TestDelegate(t *testing.T) {
	q, err := amp.Read(formed(ampDelegate, `{"hook_event_name":"SessionStart","tool_name":"Read","tool_input":{"path":"a"},"cmd":"rm -rf /","session_id":"x","cwd":"/w"}`))
	if err != nil || !q.Shell || q.Request.Command != "rm -rf /" || q.Event != BeforeToolUse || q.Request.Session != "T-1" {
		t.Errorf("%+v, %v", q, err)
	}
	in := input(`{"cmd":"ls"}`)
	in.Event = ampDelegate
	if q, err := amp.Read(Parse(in)); err == nil {
		t.Errorf("without a tool's name: %+v", q)
	} else if got := shown(amp.Answer(&q, policy.Ask, "why")); got != "stderr why\nexit 1\n" {
		t.Errorf("without a tool's name: %q", got)
	}
}

// Where a question is not heard it is a denial, also for what is not understood.
func TestUnheard(t *testing.T) {
	for _, name := range []string{"preToolUse", "beforeReadFile", "beforeSomething", ""} {
		if got := shown(cursor.Answer(&Question{Name: name}, policy.Ask, "why")); !strings.Contains(got, `"deny"`) {
			t.Errorf("%q: %s", name, got)
		}
	}
	q, err := pi.Read(parsed(`{"hook_event_name":"PreToolUse","host":"pi","cwd":"/w","has_ui":false,"tool_name":"bash","tool_input":{"command":"ls"}}`))
	if err != nil || !q.Request.Unattended {
		t.Errorf("pi without a person: %+v, %v", q, err)
	}
}

// The tools of MCP servers have the name that rules know.
func TestServersTools(t *testing.T) {
	for _, row := range []struct{ host, payload, want string }{
		{"cursor", `{"hook_event_name":"beforeMCPExecution","conversation_id":"c","workspace_roots":["/w"],"tool_name":"read","tool_input":"{\"path\":\".env\"}","mcp_server_name":"files"}`, "mcp__files__read"},
		{"cursor", `{"hook_event_name":"beforeMCPExecution","conversation_id":"c","workspace_roots":["/w"],"tool_name":"read","tool_input":{"path":".env"},"url":"https://a.example"}`, "mcp__unknown__read"},
		{"cursor", `{"hook_event_name":"preToolUse","conversation_id":"c","workspace_roots":["/w"],"tool_name":"MCP:read","tool_input":{"path":".env"}}`, "mcp__unknown__read"},
		{"cline", `{"hookName":"PreToolUse","taskId":"t","workspaceRoots":["/w"],"preToolUse":{"toolName":"use_mcp_tool","parameters":{"server_name":"files","tool_name":"read","arguments":"{\"path\":\".env\"}"}}}`, "mcp__files__read"},
		{"cline", `{"hookName":"tool_call","taskId":"t","workspaceRoots":["/w"],"tool_call":{"name":"use_mcp_tool","input":{"server_name":"files","tool_name":"read","arguments":{"path":".env"}}}}`, "mcp__files__read"},
		{"windsurf", `{"agent_action_name":"pre_mcp_tool_use","tool_info":{"mcp_server_name":"files","mcp_tool_name":"read","mcp_tool_arguments":{"path":".env"}}}`, "mcp__files__read"},
	} {
		h, err := Named(row.host)
		if err != nil {
			t.Fatal(err)
		}
		q, err := h.Read(parsed(row.payload))
		if err != nil || q.Shell || q.Tool.Name != row.want || q.Tool.Arg("path") != ".env" {
			t.Errorf("%s: %+v, %v", row.payload, q, err)
		}
	}
	for _, bad := range []string{"ls", `{\"a\":1,\"a\":2`} {
		if q, err := cursor.Read(parsed(`{"hook_event_name":"beforeMCPExecution","conversation_id":"c","workspace_roots":["/w"],"tool_name":"read","tool_input":"` + bad + `"}`)); err == nil {
			t.Errorf("%s is read as %+v", bad, q)
		}
	}
}
